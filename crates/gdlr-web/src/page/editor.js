// A field for rulesheets: line numbers, colours, and wavy lines under what the checks complain of.

import { make } from "./dom.js";
import { isInfix, parts } from "./colours.js";
import { Teller } from "./events.js";
import { lineAt, lineStarts } from "./text.js";

/** Longer texts have no colours. */
const LONGEST = 400_000;

/** @import { Part } from "./colours.js" */
/**
 * A part of the text under a wavy line; numbers tell marks apart.
 *
 * @typedef {{ start: number, end: number, severity: string, number: number }} Mark
 */

/**
 * Tells `edit` when the text changes and `cursor` when the cursor moves.
 *
 * @extends {Teller<{ edit: null, cursor: null }>}
 */
export class Editor extends Teller {
  /** @type {string[]} */
  #lines = [];
  #starts = [0];
  #infix = false;
  /** @type {Mark[]} */
  #marks = [];

  /**
   * @param {HTMLElement} host
   * @param {string} label
   */
  constructor(host, label) {
    super();
    this.numbers = make("div", { className: "numbers", ariaHidden: "true" });
    this.backdrop = make("div", { className: "backdrop", ariaHidden: "true" });
    this.field = make("textarea", {
      spellcheck: false,
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      ariaLabel: label,
    });
    this.sheet = make("div", { className: "sheet" }, this.backdrop, this.field);
    this.host = host;
    host.append(this.numbers, this.sheet);
    this.field.addEventListener("input", () => this.#edited());
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.field) this.tell("cursor", null);
    });
    this.#draw();
  }

  get text() {
    return this.field.value;
  }

  set text(text) {
    if (text === this.field.value) return;
    this.field.value = text;
    this.field.setSelectionRange(0, 0);
    this.host.scrollTo(0, 0);
    this.#edited();
  }

  /**
   * Replaces the text as if it had been typed, so that the browser can undo it.
   *
   * @param {string} text
   */
  rewrite(text) {
    const { selectionStart } = this.field;
    this.field.focus();
    this.field.select();
    // The only way that keeps the history of what was typed.
    if (!document.execCommand("insertText", false, text)) this.field.value = text;
    this.field.setSelectionRange(selectionStart, selectionStart);
    this.#edited();
  }

  get cursor() {
    return this.field.selectionStart;
  }

  /**
   * Line and column of a place, from 1.
   *
   * @param {number} at
   */
  position(at) {
    const line = lineAt(this.#starts, at);
    return { line: line + 1, column: at - this.#starts[line] + 1 };
  }

  /** @param {Mark[]} marks */
  set marks(marks) {
    if (marks.length === 0 && !this.backdrop.querySelector(".wavy")) return;
    this.#marks = marks;
    this.#draw(true);
  }

  /**
   * Selects a part of the text and brings it to sight.
   *
   * @param {number} start
   * @param {number} end
   */
  select(start, end) {
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(start, end);
    const line = lineAt(this.#starts, start);
    const height = this.backdrop.scrollHeight / Math.max(1, this.#starts.length);
    this.host.scrollTo({ top: Math.max(0, line * height - this.host.clientHeight / 3), left: 0 });
    this.tell("cursor", null);
  }

  /**
   * The number of the mark at a point of the screen, or null.
   *
   * @param {number} x
   * @param {number} y
   */
  markAt(x, y) {
    const element = document
      .elementsFromPoint(x, y)
      .find((one) => this.backdrop.contains(one) && one.matches("[data-mark]"));
    return element ? Number(element.getAttribute("data-mark")) : null;
  }

  #edited() {
    // Until they are checked again, lines that change have no marks, and the others keep theirs.
    this.#marks = [];
    this.#draw();
    this.tell("edit", null);
  }

  /** Draws the lines that have changed, or all of them. */
  #draw(all = false) {
    const text = this.field.value;
    const lines = text.split("\n");
    const infix = isInfix(text);
    const old = all || infix !== this.#infix ? [] : this.#lines;
    let first = 0;
    while (first < Math.min(old.length, lines.length) && old[first] === lines[first]) first += 1;
    let same = 0;
    while (same < Math.min(old.length, lines.length) - first && old.at(-1 - same) === lines.at(-1 - same)) same += 1;
    this.#infix = infix;
    this.#lines = lines;
    this.#starts = lineStarts(text);
    const isShort = text.length <= LONGEST;
    const fresh = lines.slice(first, lines.length - same).map((line, i) => this.#line(line, first + i, isShort));
    const shown = [...this.backdrop.children];
    const until = shown.length - same;
    if (old.length === 0) {
      this.backdrop.replaceChildren(...fresh);
    } else {
      for (const gone of shown.slice(first, until)) gone.remove();
      const before = shown[until] ?? null;
      for (const line of fresh) this.backdrop.insertBefore(line, before);
    }
    this.#number(lines.length);
  }

  /**
   * As many numbers as there are lines.
   *
   * @param {number} lines
   */
  #number(lines) {
    const has = this.numbers.childElementCount;
    for (let i = has; i > lines; i -= 1) this.numbers.lastChild?.remove();
    const more = Array.from({ length: Math.max(0, lines - has) }, (_, i) => make("div", {}, String(has + i + 1)));
    this.numbers.append(...more);
  }

  /**
   * A line with its colours and marks.
   *
   * @param {string} text
   * @param {number} number
   * @param {boolean} isShort
   */
  #line(text, number, isShort) {
    const start = this.#starts[number];
    const marks = this.#marks
      .filter((mark) => mark.start <= start + text.length && mark.end >= start)
      .map((mark) => withinLine(mark, start, text))
      .filter((mark) => mark.end > mark.start);
    const coloured = isShort ? parts(text, this.#infix) : [];
    const cuts = [0, text.length, ...[...coloured, ...marks].flatMap((one) => [one.start, one.end])];
    const edges = [...new Set(cuts)].sort((a, b) => a - b);
    const pieces = edges.slice(0, -1).map((from, i) => piece(text, from, edges[i + 1], coloured, marks));
    return make("div", { className: "line" }, pieces);
  }
}

/**
 * The part of a mark that is on a line, without blanks around it, at least a character wide.
 *
 * @param {Mark} mark
 * @param {number} lineStart
 * @param {string} line
 */
function withinLine(mark, lineStart, line) {
  const indent = line.length - line.trimStart().length;
  const isWhole = mark.start < lineStart;
  let start = Math.max(mark.start - lineStart, isWhole ? indent : 0);
  const end = Math.min(
    Math.max(mark.end - lineStart, mark.start - lineStart + 1),
    line.trimEnd().length || line.length,
  );
  // At the end of a line the last character stands for what is missing there.
  if (!isWhole && start >= end) start = Math.max(0, end - 1);
  return { ...mark, start, end };
}

/**
 * A part of a line that is marked in one way.
 *
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {Part[]} coloured
 * @param {Mark[]} marks
 */
function piece(text, from, to, coloured, marks) {
  /** @type {(one: { start: number, end: number }) => boolean} */
  const covers = (one) => one.start <= from && to <= one.end;
  const kind = coloured.find(covers)?.kind;
  // An error hides a warning, a narrow mark a wide one.
  const mark = marks
    .filter(covers)
    .sort((a, b) => a.severity.localeCompare(b.severity) || a.end - a.start - (b.end - b.start))[0];
  const part = text.slice(from, to);
  if (!kind && !mark) return part;
  const classes = [kind, mark && `wavy ${mark.severity}`].filter(Boolean).join(" ");
  return make("span", { className: classes, data: mark ? { mark: mark.number } : {} }, part);
}
