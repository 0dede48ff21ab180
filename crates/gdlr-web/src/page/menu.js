// A small list to choose from, at a square of the board.

import { button, make } from "./dom.js";

/** @import { Box } from "./board.js" */
/** @typedef {{ text: string, act: () => void }} Entry */

/** @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowUp: -1 };

export class Menu {
  /**
   * The element that gets the focus back when the list is closed.
   *
   * @type {Element | null}
   */
  #back = null;

  /**
   * The list appears in `host`, which its places are percents of.
   *
   * @param {HTMLElement} host
   */
  constructor(host) {
    this.box = make("div", { className: "menu", role: "group", hidden: true });
    host.append(this.box);
    this.box.addEventListener("keydown", (event) => this.#key(event));
  }

  get isOpen() {
    return !this.box.hidden;
  }

  /**
   * Offers entries below a place.
   *
   * @param {string} title
   * @param {Entry[]} entries
   * @param {Box} place
   */
  open(title, entries, place) {
    this.#back = document.activeElement;
    /** @type {(act: () => void) => () => void} */
    const choose = (act) => () => {
      this.close();
      act();
    };
    this.box.setAttribute("aria-label", title);
    this.box.replaceChildren(make("p", {}, title), ...entries.map(({ text, act }) => button(text, choose(act))));
    this.box.hidden = false;
    this.box.style.top = `${Math.min(place.top + place.height, 88)}%`;
    const isRight = place.left + place.width / 2 > 50;
    this.box.style.left = isRight ? "auto" : `${place.left}%`;
    this.box.style.right = isRight ? `${100 - place.left - place.width}%` : "auto";
    this.box.querySelector("button")?.focus({ preventScroll: true });
    this.box.scrollIntoView({ block: "nearest" });
  }

  close() {
    if (this.box.hidden) return;
    const hadFocus = this.box.contains(document.activeElement);
    this.box.hidden = true;
    if (hadFocus && this.#back instanceof HTMLElement) this.#back.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...this.box.querySelectorAll("button")];
    const at = buttons.findIndex((one) => one === document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  }
}
