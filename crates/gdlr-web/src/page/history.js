// Stepping through the match: buttons, keys, and the list of what was played.

import { button, make } from "./dom.js";
import { listed } from "./text.js";

/** @import { Match, State } from "./match.js" */
/** @import { Joint, Told } from "./service.js" */
/**
 * The places in the page: buttons, and the list of what was played.
 *
 * @typedef {Record<"list" | "first" | "previous" | "next" | "last" | "step" | "back", HTMLElement>} Parts
 */

/** Long matches show the moves around the step that is looked at. */
const MOST = 600;

export class History {
  /** @type {Match | null} */
  #match = null;
  /**
   * The texts of the list, entry by entry.
   *
   * @type {string[]}
   */
  #shown = [];

  /** @param {Parts} parts */
  constructor({ list, first, previous, next, last, step, back }) {
    this.list = list;
    this.first = first;
    this.previous = previous;
    this.next = next;
    this.last = last;
    this.step = step;
    this.back = back;
    first.addEventListener("click", () => this.#match?.look(0));
    previous.addEventListener("click", () => this.move(-1));
    next.addEventListener("click", () => this.move(1));
    last.addEventListener("click", () => this.#match?.look(null));
    back.addEventListener("click", () => this.#match?.look(null));
  }

  /** @param {Match} match */
  follow(match) {
    this.#match = match;
    match.on("change", (state) => this.#update(match, state));
  }

  /**
   * Goes so many steps on.
   *
   * @param {number} steps
   */
  move(steps) {
    const match = this.#match;
    if (!match?.state) return;
    const from = match.at ?? match.status.step;
    const to = from + steps;
    if (to >= 0 && to <= match.status.step) match.look(to);
  }

  /**
   * @param {Match} match
   * @param {State} state
   */
  #update(match, state) {
    const { status } = match;
    this.step.textContent = `${state.step} / ${status.step}`;
    this.step.setAttribute("aria-label", `State ${state.step} of ${status.step}`);
    // A button that has the keyboard keeps it though it can do nothing.
    /** @type {(one: HTMLElement, is: boolean) => void} */
    const disable = (one, is) => one.setAttribute("aria-disabled", String(is));
    disable(this.first, state.step === 0);
    disable(this.previous, state.step === 0);
    disable(this.next, match.isNow);
    disable(this.last, match.isNow);
    this.back.hidden = match.isNow;
    this.#list(match, state);
  }

  /**
   * @param {Match} match
   * @param {State} state
   */
  #list(match, state) {
    const { status } = match;
    const told = new Map((state.seen ?? []).map((one) => [one.step, one]));
    const first = Math.max(0, Math.min(state.step - MOST / 2, status.step - MOST));
    const steps = Array.from({ length: Math.min(MOST, status.step - first) }, (_, i) => first + i + 1);
    /** @type {(step: number) => [number, string]} */
    const entry = (step) => [step, step === 0 ? "The beginning" : stepText(match, told, step)];
    const entries = [0, ...steps].map(entry);
    const hadFocus = this.list.contains(document.activeElement);
    // Entries that are there already stay.
    const shown = entries.map((entry) => entry.join(" "));
    const same = shown.findIndex((text, i) => text !== this.#shown[i]);
    const stay = same < 0 ? shown.length : same;
    this.#shown = shown;
    for (const gone of [...this.list.children].slice(stay)) gone.remove();
    this.list.append(...entries.slice(stay).map(([step, text]) => this.#entry(step, text)));
    this.list.classList.toggle("long", first > 0);
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = this.list.children[Math.max(0, state.step - first)].querySelector("button");
    if (!current) return;
    current.setAttribute("aria-current", "step");
    if (hadFocus) current.focus({ preventScroll: true });
    // When the page is laid out anyway.
    requestAnimationFrame(() => this.#reveal(current));
  }

  /**
   * Scrolls to an entry, within the list alone: the page stays where it is.
   *
   * @param {HTMLElement} entry
   */
  #reveal(entry) {
    const [top, bottom] = [entry.offsetTop, entry.offsetTop + entry.offsetHeight];
    if (top < this.list.scrollTop) this.list.scrollTop = top;
    else if (bottom > this.list.scrollTop + this.list.clientHeight)
      this.list.scrollTop = bottom - this.list.clientHeight;
  }

  /**
   * @param {number} step
   * @param {string} text
   */
  #entry(step, text) {
    const one = button("", () => this.#match?.look(step), { className: "step" });
    one.append(make("span", { className: "number" }, String(step)), make("span", { className: "played" }, text));
    return make("li", {}, one);
  }
}

/**
 * The moves of a step, as far as they may be told.
 *
 * @param {Match} match
 * @param {Map<number, Told>} told
 * @param {number} step
 */
function stepText(match, told, step) {
  const joint = match.status.moves?.[step - 1];
  if (joint) return jointText(match, joint);
  const one = told.get(step);
  if (!one) return "(hidden)";
  if (one.moves) return jointText(match, one.moves);
  const percepts = one.percepts?.length ? ` — told ${listed(one.percepts)}` : "";
  return `${one.move}${percepts}`;
}

/**
 * A joint move in short: moves that merely wait are left out where somebody does something.
 *
 * @param {Match} match
 * @param {Joint} joint
 */
export function jointText(match, joint) {
  const roles = match.status.roles;
  /** @type {(move: string) => boolean} */
  const isIdle = (move) => /^(noop|wait|nil)$/i.test(move);
  const acts = joint.filter((move) => !isIdle(move));
  return joint
    .map((move, i) => (acts.length === 0 || !isIdle(move) ? `${roles[i].name} ${move}` : null))
    .filter(Boolean)
    .join(" · ");
}
