// The board: the picture of a state, and over it a button for each square.

import { around, make, show } from "./dom.js";
import { sameSquare } from "./choice.js";
import { Teller } from "./events.js";

/** @import { Picture, Square } from "./service.js" */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @typedef {{ classes: string[], word: string, can: boolean, pressed: boolean }} Mark */

/**
 * Arrow keys, as directions across and down.
 *
 * @type {Record<string, [number, number]>}
 */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** A picture is at most so many times as large as it was drawn. */
const LARGEST = 3;
/** Room around the boards, in units of the picture. */
const EDGE = 10;
/** How long a press is a long one, in milliseconds. */
const LONG = 600;

/**
 * Tells `square` with the square that was clicked, `ask` with one that is asked about.
 *
 * @extends {Teller<{ square: Square, ask: Square }>}
 */
export class Board extends Teller {
  #text = "";
  /** @type {Square[]} */
  #squares = [];
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /**
   * The part of the picture that is shown, in its units.
   *
   * @type {Box}
   */
  #size = { left: 0, top: 0, width: 1, height: 1 };
  #press = { timer: 0, was: false };
  /**
   * Whether two squares mean the same.
   *
   * @type {(square: Square, other: Square) => boolean}
   */
  #sameAs = () => false;

  /** @param {HTMLElement} host */
  constructor(host) {
    super();
    this.image = make("div", { className: "picture" });
    this.overlay = make("div", { className: "squares", role: "group" });
    this.overlay.setAttribute("aria-label", "Squares of the board; arrow keys move among them");
    this.frame = make("div", { className: "frame" }, this.image, this.overlay);
    this.host = host;
    host.append(this.frame);
    this.overlay.addEventListener("keydown", (event) => this.#key(event));
    this.overlay.addEventListener("click", (event) => this.#click(event));
    this.overlay.addEventListener("contextmenu", (event) => this.#context(event));
    this.overlay.addEventListener("pointerdown", (event) => this.#down(event));
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
      this.overlay.addEventListener(end, () => clearTimeout(this.#press.timer));
    }
    this.overlay.addEventListener("pointerover", (event) => this.#hover(this.#of(event)));
    this.overlay.addEventListener("pointerout", () => this.#hover(null));
    new ResizeObserver(() => this.#fit()).observe(host);
  }

  /**
   * Shows the boards of a picture as the service draws it; the facts beside them are the page's.
   *
   * @param {Picture} drawn
   */
  show(drawn) {
    if (drawn.svg === this.#text) return;
    this.#text = drawn.svg;
    const svg = show(this.image, drawn.svg);
    this.frame.hidden = drawn.squares.length === 0;
    if (this.frame.hidden) return;
    for (const fact of svg.querySelectorAll("text.fact")) fact.remove();
    // Letters are measured as large as they were meant.
    this.frame.style.width = `${drawn.width}px`;
    this.#size = cropped(svg, drawn);
    this.#lay(drawn.squares);
    this.#fit();
  }

  /**
   * Marks squares: `mark` gives for each one its classes, a word on what a click does, and whether
   * it can be clicked. `sameAs` says which squares mean the same as another.
   *
   * @param {(square: Square) => Mark} mark
   * @param {(square: Square, other: Square) => boolean} sameAs
   */
  mark(mark, sameAs) {
    this.#sameAs = sameAs;
    this.#squares.forEach((square, i) => {
      const { classes, word, can, pressed } = mark(square);
      const button = this.#buttons[i];
      button.className = ["square", ...classes].join(" ");
      button.title = [square.name, ...square.things].join(", ");
      button.setAttribute("aria-label", word ? `${button.title}, ${word}` : button.title);
      button.setAttribute("aria-disabled", String(!can));
      button.setAttribute("aria-pressed", String(pressed));
    });
  }

  /**
   * Shows which squares something else in the page means.
   *
   * @param {(square: Square) => boolean} isMeant
   */
  point(isMeant) {
    for (const [i, button] of this.#buttons.entries()) button.classList.toggle("pointed", isMeant(this.#squares[i]));
  }

  /**
   * Where a square lies, in percent of the picture.
   *
   * @param {Square} square
   */
  place(square) {
    const { left, top, width, height } = this.#size;
    return {
      left: (100 * (square.x - left)) / width,
      top: (100 * (square.y - top)) / height,
      width: (100 * square.width) / width,
      height: (100 * square.height) / height,
    };
  }

  /**
   * Buttons stay as long as the squares do, so that the keyboard stays where it is.
   *
   * @param {Square[]} squares
   */
  #lay(squares) {
    const stays =
      squares.length === this.#squares.length && squares.every((square, i) => sameSquare(square, this.#squares[i]));
    this.#squares = squares;
    if (!stays) {
      this.#buttons = squares.map((_, i) =>
        make("button", { type: "button", tabIndex: i === 0 ? 0 : -1, className: "square" }),
      );
      this.overlay.replaceChildren(...this.#buttons);
    }
    this.overlay.classList.toggle("hexagons", areHexagons(squares));
    squares.forEach((square, i) => {
      for (const [side, percent] of Object.entries(this.place(square))) {
        this.#buttons[i].style.setProperty(side, `${percent}%`);
      }
    });
  }

  /** As large as there is room for. */
  #fit() {
    const { width, height } = this.#size;
    const across = this.host.clientWidth / width;
    // In a narrow window the page scrolls, and the board is as wide as that.
    const down = getComputedStyle(this.host).overflowY === "auto" ? this.host.clientHeight / height : Infinity;
    // A board that is far higher than wide is scrolled instead.
    const scale = Math.min(LARGEST, across, Math.max(down, Math.min(across, 0.6)));
    this.frame.style.width = `${Math.floor(width * scale)}px`;
  }

  /**
   * The square that an event is about.
   *
   * @param {Event} event
   */
  #of(event) {
    const button = around(event, ".square");
    const at = this.#buttons.findIndex((one) => one === button);
    return at < 0 ? null : this.#squares[at];
  }

  /** @param {Event} event */
  #click(event) {
    const square = this.#of(event);
    if (!square || this.#press.was) {
      this.#press.was = false;
      return;
    }
    this.#visit(this.#squares.indexOf(square));
    this.tell("square", square);
  }

  /** @param {Event} event */
  #context(event) {
    const square = this.#of(event);
    if (!square) return;
    event.preventDefault();
    clearTimeout(this.#press.timer);
    if (!this.#press.was) this.tell("ask", square);
  }

  /**
   * A long press with a finger asks, as a click with the other button of a mouse does.
   *
   * @param {PointerEvent} event
   */
  #down(event) {
    this.#press.was = false;
    const square = this.#of(event);
    if (!square || event.pointerType === "mouse") return;
    this.#press.timer = setTimeout(() => {
      this.#press.was = true;
      this.tell("ask", square);
    }, LONG);
  }

  /**
   * Shows which squares mean the same as this one.
   *
   * @param {Square | null} square
   */
  #hover(square) {
    for (const [i, button] of this.#buttons.entries()) {
      button.classList.toggle("same", square !== null && this.#sameAs(square, this.#squares[i]));
    }
  }

  /**
   * One of the squares can be reached with the tab key: the one that was visited last.
   *
   * @param {number} at
   */
  #visit(at) {
    this.#buttons.forEach((button, i) => {
      button.tabIndex = i === at ? 0 : -1;
    });
    if (this.#buttons[at] !== document.activeElement) this.#buttons[at].focus({ preventScroll: true });
    this.#hover(this.#squares[at]);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const square = this.#of(event);
    const arrow = ARROWS[event.key];
    if (!square || !arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const next = nearest(this.#squares, square, arrow);
    if (next >= 0) this.#visit(next);
  }
}

/** @type {(square: Square) => [number, number]} */
const middle = (square) => [square.x + square.width / 2, square.y + square.height / 2];

/**
 * The number of the nearest square in a direction, or -1; straight ahead counts as nearer.
 *
 * @param {Square[]} squares
 * @param {Square} from
 * @param {[number, number]} direction
 */
function nearest(squares, from, [across, down]) {
  const [x, y] = middle(from);
  let [best, least] = [-1, Infinity];
  squares.forEach((square, i) => {
    const [dx, dy] = [middle(square)[0] - x, middle(square)[1] - y];
    const ahead = dx * across + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * across);
    if (ahead < 1 || aside > ahead * 1.01) return;
    const far = ahead + 2 * aside;
    if (far < least) [best, least] = [i, far];
  });
  return best;
}

/**
 * Cuts off what is empty around the boards. Where they are in the picture is the answer.
 *
 * @param {SVGSVGElement} svg
 * @param {Picture} drawn
 */
function cropped(svg, drawn) {
  const page = svg.querySelector("rect.page");
  page?.remove();
  const box = svg.getBBox();
  const ends = drawn.squares.flatMap((square) => [square.x + square.width, square.x]);
  const left = Math.min(box.x, ...ends) - EDGE;
  const right = Math.max(box.x + box.width, ...ends) + EDGE;
  const top = Math.min(box.y, ...drawn.squares.map((square) => square.y)) - EDGE;
  const bottom = Math.max(box.y + box.height, ...drawn.squares.map((square) => square.y + square.height)) + EDGE;
  const size = { left, top, width: right - left, height: bottom - top };
  svg.setAttribute("viewBox", `${left} ${top} ${size.width} ${size.height}`);
  return size;
}

/**
 * Hexagons lie in each other's corners, squares never do.
 *
 * @param {Square[]} squares
 */
function areHexagons(squares) {
  const first = squares[0];
  return (
    first !== undefined
    && squares
      .slice(1)
      .some(
        (other) =>
          other.board === first.board
          && other.layer === first.layer
          && other.y > first.y + 1
          && other.y < first.y + first.height * 0.95,
      )
  );
}
