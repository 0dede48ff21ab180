// Playing: by the squares of the board, by the list of legal moves, or by typing a move.

import { Refusal } from "./api.js";
import { around, make, options, present, whenIdle } from "./dom.js";
import { Choice, isAt, sameSquare } from "./choice.js";
import { factButton, refusal } from "./explain.js";
import { count } from "./text.js";
import { standing } from "./turn.js";

/** @import { Board } from "./board.js" */
/** @import { Move } from "./choice.js" */
/** @import { Go } from "./explain.js" */
/** @import { Match, State } from "./match.js" */
/** @import { Menu } from "./menu.js" */
/** @import { Square } from "./service.js" */
/** @typedef {(error: unknown) => void} Refused tells a refusal, and throws what is none */
/** @typedef {{ role: string, move: Move }} Best the move that seems best, and whose it is */
/** @typedef {Best} Entry a move of the list */
/**
 * The places in the page.
 *
 * @typedef {object} Parts
 * @property {HTMLElement} pane of the board
 * @property {HTMLElement} panel beside it
 * @property {HTMLElement} movesCard
 * @property {HTMLElement} turn
 * @property {HTMLElement} handOver
 * @property {HTMLElement} beside
 * @property {HTMLElement} prompt
 * @property {HTMLElement} asking
 * @property {HTMLElement} movesHead
 * @property {HTMLElement} movesNote
 * @property {HTMLInputElement} filter
 * @property {HTMLElement} moves
 * @property {HTMLFormElement} form
 * @property {HTMLSelectElement} typedRole
 * @property {HTMLInputElement} typed
 * @property {HTMLElement} refusalBox
 */
/**
 * `ask` explains a sentence, `go` shows a place in the rules, `refused` shows what else was refused.
 *
 * @typedef {{ board: Board, menu: Menu, ask: (sentence: string) => void, go: Go, refused: Refused }} Calls
 */

/** Longer lists of moves have a field to filter them. */
const MANY = 30;
/** At most so many moves are shown at once, and so many at first: the others follow when the page is drawn. */
const MOST = 300;
const FIRST = 60;

export class Play {
  /** @type {Match | null} */
  #match = null;
  #choice = new Choice();
  /** @type {Best | null} */
  #best = null;
  #announced = "";
  /** The state on show, as a short text: the selection and the list stay as long as it is the same. */
  #shown = "";
  #listed = "";
  /**
   * The entry that each button of the list plays.
   *
   * @type {WeakMap<Element, Entry>}
   */
  #entries = new WeakMap();
  /** Whether a move is on its way: a second click plays nothing. */
  #isSent = false;

  /**
   * @param {Parts} parts
   * @param {Calls} calls
   */
  constructor(parts, { board, menu, ask, go, refused }) {
    this.pane = parts.pane;
    this.panel = parts.panel;
    this.movesCard = parts.movesCard;
    this.turn = parts.turn;
    this.handOver = parts.handOver;
    this.beside = parts.beside;
    this.prompt = parts.prompt;
    this.asking = parts.asking;
    this.movesHead = parts.movesHead;
    this.movesNote = parts.movesNote;
    this.filter = parts.filter;
    this.moves = parts.moves;
    this.form = parts.form;
    this.typedRole = parts.typedRole;
    this.typed = parts.typed;
    this.refusalBox = parts.refusalBox;
    this.board = board;
    this.menu = menu;
    this.ask = ask;
    this.go = go;
    this.refused = refused;
    board.on("square", (square) => (this.isAsking ? this.#askSquare(square) : this.#click(square)));
    board.on("ask", (square) => this.#askSquare(square));
    this.filter.addEventListener("input", () => this.#listMoves());
    this.asking.addEventListener("click", () => this.#toggleAsking());
    /** @type {(event: Event) => Entry | undefined} */
    const entryOf = (event) => {
      const button = around(event, "button");
      return button ? this.#entries.get(button) : undefined;
    };
    this.moves.addEventListener("click", (event) => this.#choose(entryOf(event)));
    for (const event of ["pointerover", "focusin"])
      this.moves.addEventListener(event, (event) => this.#point(entryOf(event)));
    for (const event of ["pointerout", "focusout"]) this.moves.addEventListener(event, () => this.#point());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#match && this.typed.value.trim()) this.#type(this.typed.value.trim());
    });
  }

  /** Whether clicks ask why instead of playing. */
  get isAsking() {
    return this.asking.getAttribute("aria-pressed") === "true";
  }

  /** @param {Match} match */
  follow(match) {
    this.#match = match;
    this.#best = null;
    this.filter.value = "";
    this.typed.value = "";
    this.refusalBox.replaceChildren();
    const roles = match.players.map((role) => [role.name, role.name]);
    this.typedRole.replaceChildren(...options(roles));
    if (this.typedRole.parentElement) this.typedRole.parentElement.hidden = roles.length < 2;
    match.on("change", (state) => this.#update(match, state));
  }

  /**
   * Marks the move that seems best.
   *
   * @param {Best | null} best
   */
  set best(best) {
    const same = this.#best?.move.id === best?.move.id;
    this.#best = best;
    if (!same) this.#mark();
  }

  /** Takes back what was selected; whether there was something. */
  clear() {
    const had = this.menu.isOpen || this.#choice.selected.length > 0;
    this.menu.close();
    this.#choice.clear();
    this.#mark();
    return had;
  }

  /** Who can move by clicks here and now. */
  get #mover() {
    return this.#match?.isNow ? this.#match.mover : null;
  }

  /**
   * @param {Match} match
   * @param {State} state
   */
  #update(match, state) {
    const mover = this.#mover;
    this.#isSent = false;
    const shown = [match.id, state.step, match.as, mover].join(" ");
    const isSame = shown === this.#shown;
    this.#shown = shown;
    this.#choice = new Choice(mover ? match.movesOf(mover) : [], isSame ? this.#choice.selected : []);
    if (!isSame) this.menu.close();
    if (!isSame && mover) this.typedRole.value = mover;
    if (this.#choice.left.length === 0) this.#choice.clear();
    const { picture } = state;
    this.#placeMoves(!picture?.squares.length);
    if (picture) this.board.show(picture);
    for (const field of this.form.querySelectorAll("button, input, select")) {
      field.toggleAttribute("disabled", !match.isNow || match.status.terminal);
    }
    this.#listBeside(state);
    this.#tellTurn(match, state);
    this.#mark();
    this.#listMoves();
  }

  /**
   * @param {Match} match
   * @param {State} state
   */
  #tellTurn(match, state) {
    const { text, more, tone, handTo } = standing(match, state);
    this.turn.className = `turn ${tone}`;
    // Who watches is told the end, not each step.
    this.turn.setAttribute("aria-live", tone === "wait" && match.isWatched ? "off" : "polite");
    // Said aloud only when it changes.
    const said = `${text}. ${more}`;
    if (said !== this.#announced) {
      this.#announced = said;
      this.turn.replaceChildren(make("strong", {}, text), make("span", {}, more));
    }
    this.handOver.hidden = !handTo;
    if (handTo) {
      this.handOver.textContent = `Look as ${handTo}`;
      this.handOver.onclick = () => match.lookAs(handTo);
    }
  }

  /**
   * Where there is no board, the moves take its place.
   *
   * @param {boolean} isBoardless
   */
  #placeMoves(isBoardless) {
    if (this.pane.classList.toggle("boardless", isBoardless)) {
      if (this.movesCard.parentElement !== this.pane) this.beside.after(this.movesCard);
    } else if (this.movesCard.parentElement === this.pane) {
      this.panel.prepend(this.movesCard);
    }
  }

  /**
   * The facts that are on no board, a line for those that begin alike if there is nothing else.
   *
   * @param {State} state
   */
  #listBeside({ beside }) {
    const facts = beside.slice(0, MOST);
    const lines = this.pane.classList.contains("boardless") ? alike(facts) : facts.map((fact) => [fact]);
    this.beside.replaceChildren(
      ...lines.map((line) =>
        make(
          "li",
          {},
          line.map((fact) => factButton(fact, this.ask)),
        ),
      ),
    );
  }

  #mark() {
    const choice = this.#choice;
    const best = this.#best?.move.squares ?? [];
    const { isAsking } = this;
    this.board.host.classList.toggle("asking", isAsking);
    this.board.mark(
      (square) => {
        const isSelected = choice.selected.some((one) => sameSquare(one, square));
        const can = choice.goesOn(square);
        const classes = present([
          isSelected && "selected",
          can && !isAsking && (choice.isWide(square) ? "wide" : "can"),
          square.things.length > 0 && "taken",
          best.some((one) => isAt(one, square)) && "best",
        ]);
        const word = isSelected ? "chosen" : can ? "can be chosen" : "";
        return { classes, word, can: can || isAsking, pressed: isSelected };
      },
      (square, other) => !isAsking && choice.isSame(square, other),
    );
    this.#showPrompt();
  }

  /** Says what is still to be clicked. */
  #showPrompt() {
    const { selected, left } = this.#choice;
    const names = selected.map((square) => square.name).join(" → ");
    const further = `${names}: ${count(left.length, "move")} left. Click the next square, or press Escape.`;
    this.prompt.textContent = this.isAsking ? "Click a square or a move to see why." : selected.length ? further : "";
  }

  /** @param {Square} square */
  #click(square) {
    this.menu.close();
    const complete = this.#choice.click(square);
    const goesOn = this.#choice.left.length > complete.length;
    if (complete.length === 1 && !goesOn) {
      this.#play(this.#mover, complete[0]);
      return;
    }
    this.#mark();
    if (complete.length > 0) {
      const entries = complete.map((move) => ({ text: move.move, act: () => this.#play(this.#mover, move) }));
      this.menu.open("Which move?", entries, this.board.place(square));
    }
  }

  /** @param {Square} square */
  #askSquare(square) {
    const { facts } = square;
    /** @type {(fact: string) => void} */
    const why = (fact) => this.ask(`(true ${fact})`);
    if (facts.length === 1) {
      why(facts[0]);
    } else if (facts.length > 1) {
      this.menu.open(
        "Why is this true?",
        facts.map((fact) => ({ text: fact, act: () => why(fact) })),
        this.board.place(square),
      );
    } else {
      this.prompt.textContent = `No fact says anything of ${square.name}.`;
    }
  }

  #toggleAsking() {
    this.asking.setAttribute("aria-pressed", String(!this.isAsking));
    this.clear();
    this.#listMoves();
  }

  /** The legal moves of who is to move, or of all in states that are only looked at. */
  #listMoves() {
    const match = this.#match;
    if (!match?.state) return;
    const mover = this.#mover;
    const shown = mover ? [mover] : Object.keys(match.state.legal);
    const all = shown.flatMap((role) => match.movesOf(role).map((move) => ({ role, move })));
    const wanted = this.filter.value.trim().toLowerCase();
    const listed = [this.#shown, match.game.engine, match.game.pictures, all.length, this.isAsking, wanted].join(" ");
    if (listed === this.#listed) return;
    this.#listed = listed;
    const fit = all.filter(({ move }) => move.move.toLowerCase().includes(wanted));
    this.filter.hidden = all.length <= MANY && !wanted;
    this.movesHead.textContent = mover ? `Moves of ${mover}` : "Legal moves";
    const left = fit.length > MOST ? `, the first ${MOST} of ${count(fit.length, "move")} shown` : "";
    this.movesNote.textContent = all.length ? `${count(all.length, "move")}${left}` : "None";
    const hadFocus = this.moves.contains(document.activeElement);
    /** @type {(from: number, to: number) => HTMLElement[]} */
    const entries = (from, to) => fit.slice(from, to).map((one) => this.#moveEntry(one, mover, shown.length > 1));
    const first = entries(0, FIRST);
    this.moves.replaceChildren(...first);
    whenIdle(() => {
      // Unless another list has come instead.
      if (first[0]?.parentElement === this.moves) this.moves.append(...entries(FIRST, MOST));
    });
    if (hadFocus) this.moves.querySelector("button")?.focus();
  }

  /**
   * @param {Entry} one
   * @param {string | null} mover
   * @param {boolean} namesRole
   */
  #moveEntry(one, mover, namesRole) {
    const { role, move } = one;
    const entry = make(
      "button",
      { type: "button", className: "move" },
      namesRole ? `${role}: ${move.move}` : move.move,
    );
    entry.setAttribute("aria-disabled", String(mover !== role && !this.isAsking));
    this.#entries.set(entry, one);
    return make("li", {}, entry);
  }

  /**
   * Plays a move of the list, or asks about it.
   *
   * @param {Entry} [entry]
   */
  #choose(entry) {
    if (!entry) return;
    const { role, move } = entry;
    if (this.isAsking) this.ask(`(legal ${role} ${move.move})`);
    else if (this.#mover === role) this.#play(role, move);
  }

  /**
   * Shows on the board which squares a move of the list means.
   *
   * @param {Entry} [entry]
   */
  #point(entry) {
    const squares = entry?.move.squares ?? [];
    this.board.point((square) => squares.some((one) => isAt(one, square)));
  }

  /**
   * @param {string | null} role
   * @param {Move} move
   */
  async #play(role, move) {
    const match = this.#match;
    if (this.#isSent || !match || role === null) return;
    this.#isSent = true;
    const answer = match.move(role, { id: move.id });
    this.#choice = new Choice();
    this.#mark();
    try {
      await answer;
      this.refusalBox.replaceChildren();
    } catch (error) {
      if (match === this.#match && match.state) this.#update(match, match.state);
      this.#refuse(error);
    }
  }

  /** @param {string} move */
  async #type(move) {
    const role = this.typedRole.value;
    try {
      await this.#match?.move(role, { move });
      this.typed.value = "";
      this.refusalBox.replaceChildren();
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** @param {unknown} error */
  #refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    // A refusal of a move is shown beside the move, any other at the head of the page.
    if (["illegal", "request", "turn", "sentence"].includes(error.code)) {
      this.refusalBox.replaceChildren(...refusal(error, this.go));
    } else {
      this.refused(error);
    }
  }
}

/**
 * Facts in groups that begin with the same name, in the order in which they come.
 *
 * @param {string[]} facts
 */
function alike(facts) {
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const fact of facts) {
    const name = /^\(?\s*([^\s()]*)/.exec(fact)?.[1] ?? "";
    const group = groups.get(name);
    if (group) group.push(fact);
    else groups.set(name, [fact]);
  }
  return [...groups.values()];
}
