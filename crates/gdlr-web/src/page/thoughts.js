// The estimates of players and hints for each move, as they come.

import { jointText } from "./history.js";
import { button, make, present } from "./dom.js";
import { count, large, number } from "./text.js";

/** @import { Match } from "./match.js" */
/** @import { Best, Refused } from "./play.js" */
/** @import { Estimate, Thought } from "./service.js" */

/** So many moves are shown until all are asked for. */
const FEW = 8;
/** Of so many past steps the last estimates are kept. */
const KEPT = 400;

export class Thoughts {
  /** @type {Match | null} */
  #match = null;
  /**
   * The latest thought of each step.
   *
   * @type {Map<number, Thought>}
   */
  #steps = new Map();
  #last = 0;
  #showsAll = false;

  /**
   * `best` is called with the move that seems best and its role, or with null.
   *
   * @param {{ host: HTMLElement, toggle: HTMLInputElement, hint: HTMLElement }} parts
   * @param {{ best: (best: Best | null) => void, refused: Refused }} calls
   */
  constructor({ host, toggle, hint }, { best, refused }) {
    this.host = host;
    this.toggle = toggle;
    this.hint = hint;
    this.best = best;
    this.refused = refused;
    toggle.addEventListener("change", () => this.#draw());
    hint.addEventListener("click", () => this.#ask());
  }

  /** @param {Match} match */
  follow(match) {
    this.#match = match;
    this.#steps = new Map();
    this.#last = 0;
    this.#showsAll = false;
    match.on("thought", (thought) => this.#hear(match, thought));
    match.on("change", () => {
      this.#forget(match.status.step);
      this.#draw();
    });
  }

  /**
   * Forgets the thoughts on later steps: they were taken back, and others may be played.
   *
   * @param {number} step
   */
  #forget(step) {
    if (step < this.#last) {
      for (const known of [...this.#steps.keys()]) if (known > step) this.#steps.delete(known);
    }
    this.#last = step;
  }

  /**
   * @param {Match} match
   * @param {Thought} thought
   */
  #hear(match, thought) {
    this.#steps.delete(thought.step);
    this.#steps.set(thought.step, thought);
    const [oldest] = this.#steps.keys();
    if (this.#steps.size > KEPT) this.#steps.delete(oldest);
    if (match.state?.step === thought.step) this.#draw();
  }

  /** Estimates of what is on show, if they are wanted; hints always are. */
  get #shown() {
    const state = this.#match?.state;
    const thought = state && this.#steps.get(state.step);
    if (!thought || state.terminal) return null;
    return thought.hint || this.toggle.checked ? thought : null;
  }

  async #ask() {
    const match = this.#match;
    if (!match?.mover || !match.isNow) return;
    const running = this.#steps.get(match.status.step);
    const ends = running?.hint && !running.done && running.role === match.mover;
    try {
      await match.hint(match.mover, ends ? 0 : Math.max(match.status.think, 2));
    } catch (error) {
      this.refused(error);
    }
  }

  #draw() {
    const match = this.#match;
    if (!match) return;
    const can = match.isNow && match.mover !== null;
    this.hint.setAttribute("aria-disabled", String(!can));
    const thought = this.#shown;
    this.best(thought ? bestMove(match, thought) : null);
    // While a player thinks, what led to the move before is more than nothing.
    const isWaiting = !thought && match.state !== null && match.status.thinking !== null && this.toggle.checked;
    const before = isWaiting ? this.#steps.get((match.state?.step ?? 0) - 1) : undefined;
    this.host.classList.toggle("old", before !== undefined);
    const told = thought ?? before;
    this.host.replaceChildren(...(told ? this.#page(match, told, before !== undefined) : [this.#nothing()]));
  }

  #nothing() {
    return make(
      "p",
      { className: "quiet" },
      "A hint lets the search say what it expects of each of your moves. Players that search show their estimates here, too.",
    );
  }

  /**
   * @param {Match} match
   * @param {Thought} thought
   * @param {boolean} isOld
   */
  #page(match, thought, isOld) {
    const { role, hint, done } = thought;
    const estimates = ordered(thought.estimates);
    const most = Math.max(1, ...estimates.map((one) => one.visits));
    const shown = this.#showsAll ? estimates : estimates.slice(0, FEW);
    const head = make(
      "p",
      { className: "who" },
      make("strong", {}, hint ? `A hint for ${role}` : `What ${role} ${isOld ? "expected a step ago" : "expects"}`),
      done || isOld ? "" : make("span", { className: "quiet" }, " thinking…"),
    );
    const bars = make(
      "table",
      { className: "estimates" },
      make(
        "thead",
        {},
        make("tr", {}, ...["Move", "Expected goal", "Visits"].map((text) => make("th", { scope: "col" }, text))),
      ),
      make(
        "tbody",
        {},
        shown.map((one, i) => estimateRow(one, most, i === 0)),
      ),
    );
    const rest = estimates.length - shown.length;
    const all =
      rest > 0
        ? button(
            `${count(rest, "more move")}`,
            () => {
              this.#showsAll = true;
              this.#draw();
            },
            { className: "small" },
          )
        : null;
    return present([head, bars, all, mainLine(match, thought), effort(thought)]);
  }
}

/**
 * The moves that the search expects of all roles.
 *
 * @param {Match} match
 * @param {Thought} thought
 */
function mainLine(match, { main_line: line }) {
  if (line.length === 0) return null;
  const steps = line.slice(0, 12).map((joint) => make("li", {}, jointText(match, joint)));
  return make(
    "details",
    { className: "main-line", open: true },
    make("summary", {}, "Expected to be played"),
    make("ol", {}, steps),
  );
}

/**
 * The move of a state that is preferred there.
 *
 * @param {Match} match
 * @param {Thought} thought
 * @returns {Best | null}
 */
function bestMove(match, { role, estimates }) {
  const best = estimates[0];
  const move = best && match.movesOf(role).find((one) => one.id === best.id);
  return move ? { role, move } : null;
}

/**
 * The preferred move first, then the others, those first that were tried most.
 *
 * @param {Estimate[]} estimates
 */
function ordered([best, ...others]) {
  return best ? [best, ...others.sort((a, b) => b.visits - a.visits)] : [];
}

/**
 * @param {Estimate} estimate
 * @param {number} most
 * @param {boolean} isBest
 */
function estimateRow({ move, visits, mean, certain }, most, isBest) {
  const value = mean === null ? "–" : number(mean, certain ? 0 : 1);
  const bar = make("span", { className: "bar", style: `--part:${Math.max(0, Math.min(100, mean ?? 0))}%` });
  const sure = certain
    ? make("span", { className: "certain", title: "This is certain, whatever the others do" }, "certain")
    : null;
  return make(
    "tr",
    { className: isBest ? "best" : "" },
    make("th", { scope: "row" }, make("code", {}, move)),
    make("td", { className: "value" }, bar, make("span", { className: "figure" }, value), sure),
    make("td", { className: "figure", style: `--share:${visits / most}` }, number(visits)),
  );
}

/** @param {Thought} thought */
function effort({ playouts, playouts_per_second: rate, seconds: time }) {
  const parts = [];
  if (playouts) parts.push(`${large(playouts)} playouts`);
  if (time) parts.push(`${number(time, 1)} s`);
  if (rate) parts.push(`${large(Math.round(rate))} a second`);
  return parts.length ? make("p", { className: "quiet" }, parts.join(", ")) : null;
}
