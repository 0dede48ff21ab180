// The rules: a field to write in, what the checks say of them, and what a rule gives right now.

import { Refusal, latest, post } from "./api.js";
import { button, debounced, make, present, prose, save } from "./dom.js";
import { Editor } from "./editor.js";
import { refusal } from "./explain.js";
import { jointText } from "./history.js";
import { Places, count } from "./text.js";

/** @import { Match, State } from "./match.js" */
/** @import { Checked, Diagnostic, Formatted, Place, RuleAnswer } from "./service.js" */
/** @typedef {Diagnostic & { number: number, start: number, end: number }} Found a diagnostic, with its place in the field */
/**
 * The places in the page.
 *
 * @typedef {Record<
 *   | "editor" | "list" | "status" | "here" | "instances"
 *   | "format" | "playThese" | "saveThese" | "reset" | "trouble",
 *   HTMLElement
 * >} Parts
 */

/** How long typing must rest before the text is checked, in milliseconds. */
const REST = 300;
/** At most so many diagnostics are listed. */
const MOST = 200;
/** @type {(text: string) => Promise<Checked | null>} */
const check = latest((text) => post("/check", { text }));
/** @type {(match: Match, offset: number) => Promise<RuleAnswer | null>} */
const rule = latest((match, offset) => match.rule(offset));

export class Rules {
  /** @type {Match | null} */
  #match = null;
  /** @type {Found[]} */
  #found = [];
  #places = new Places("");
  #name = "mine";

  /**
   * `play` is called with a text and a name, and promises to throw what was refused.
   *
   * @param {Parts} parts
   * @param {{ play: (text: string, name: string) => Promise<void> }} calls
   */
  constructor({ editor, list, status, here, instances, format, playThese, saveThese, reset, trouble }, { play }) {
    this.list = list;
    this.status = status;
    this.here = here;
    this.instances = instances;
    this.reset = reset;
    this.trouble = trouble;
    this.play = play;
    this.editor = new Editor(editor, "The rules");
    this.checkSoon = debounced(REST, () => this.#check());
    this.lookSoon = debounced(150, () => this.#look());
    this.editor.on("edit", () => this.#edited());
    this.editor.on("cursor", () => {
      this.#tellHere(this.#under(this.editor.cursor));
      this.lookSoon();
    });
    editor.addEventListener("mousemove", (event) => this.#hover(event));
    editor.addEventListener("mouseleave", () => this.#tellHere(this.#under(this.editor.cursor)));
    format.addEventListener("click", () => this.#format());
    playThese.addEventListener("click", () => this.#play());
    saveThese.addEventListener("click", () => save(`${this.#name}.kif`, this.editor.text));
    reset.addEventListener("click", () => this.#reset());
  }

  /** @param {Match} match */
  follow(match) {
    this.#match = match;
    this.#name = match.game.name;
    this.goOn(match);
    this.#show(match.game.text);
  }

  /**
   * Another match of the same game: what was typed stays.
   *
   * @param {Match} match
   */
  goOn(match) {
    this.#match = match;
    match.on("change", () => this.lookSoon());
  }

  /**
   * Shows a place of the rules of the match.
   *
   * @param {Place} place
   */
  go(place) {
    if (!this.#isOfMatch) this.#reset();
    const places = new Places(this.editor.text);
    this.editor.select(places.fromBytes(place.start), places.fromBytes(place.end));
  }

  /** Whether the text is that of the match. */
  get #isOfMatch() {
    return this.#match !== null && this.editor.text === this.#match.game.text;
  }

  #reset() {
    if (this.#match) this.#show(this.#match.game.text);
  }

  /** @param {string} text */
  #show(text) {
    this.editor.text = text;
    this.#edited();
  }

  #edited() {
    this.trouble.replaceChildren();
    this.reset.hidden = this.#match === null || this.#isOfMatch;
    this.checkSoon();
    this.lookSoon();
  }

  async #check() {
    const text = this.editor.text;
    try {
      const answer = await check(text);
      if (answer && text === this.editor.text) this.#tell(text, answer);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /**
   * Shows what the checks say of a text.
   *
   * @param {string} text
   * @param {Checked} checked
   */
  #tell(text, { errors, warnings, diagnostics }) {
    this.#places = new Places(text);
    this.#found = diagnostics.map((one, number) => ({
      ...one,
      number,
      start: this.#places.fromBytes(one.place.start),
      end: this.#places.fromBytes(one.place.end),
    }));
    this.editor.marks = this.#found;
    const found = present([errors > 0 && count(errors, "error"), warnings > 0 && count(warnings, "warning")]);
    this.status.textContent = found.length ? found.join(", ") : "Nothing is wrong with these rules.";
    this.status.className = errors ? "bad" : warnings ? "odd" : "good";
    this.list.replaceChildren(...this.#found.slice(0, MOST).map((one) => this.#entry(one)));
    this.#tellHere(this.#under(this.editor.cursor));
  }

  /** @param {Found} one */
  #entry(one) {
    const where = `line ${one.place.line}`;
    const entry = button("", () => this.editor.select(one.start, one.end), { className: `diagnostic ${one.severity}` });
    entry.append(
      make("span", { className: "code" }, one.code),
      make("span", { className: "unseen" }, ` ${one.severity}: `),
      make("span", { className: "what" }, prose(one.message)),
      make("span", { className: "where" }, where),
    );
    const help = one.help ? make("p", { className: "help" }, prose(one.help)) : null;
    return make("li", {}, entry, help, ...one.related.map((other) => this.#related(other)));
  }

  /** @param {Place & { label: string }} place */
  #related(place) {
    const go = () => this.editor.select(this.#places.fromBytes(place.start), this.#places.fromBytes(place.end));
    return make(
      "p",
      { className: "help" },
      `${place.label || "see"}: `,
      button(`line ${place.line}`, go, { className: "place" }),
    );
  }

  /**
   * The diagnostic at a place, the narrowest first.
   *
   * @param {number} at
   */
  #under(at) {
    const here = this.#found.filter((one) => one.start <= at && at <= one.end);
    return here.sort((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
  }

  /** @param {MouseEvent} event */
  #hover(event) {
    const number = this.editor.markAt(event.clientX, event.clientY);
    this.#tellHere(number === null ? this.#under(this.editor.cursor) : this.#found[number]);
  }

  /**
   * The line below the text: what is wrong here, or where one is.
   *
   * @param {Found | null} one
   */
  #tellHere(one) {
    const { line, column } = this.editor.position(this.editor.cursor);
    this.here.className = one ? `here ${one.severity}` : "here";
    const words = one
      ? prose(`${one.code}: ${one.message}${one.label ? ` (${one.label})` : ""}`)
      : [`Line ${line}, column ${column}`];
    this.here.replaceChildren(...words);
  }

  async #look() {
    const match = this.#match;
    if (!match?.state || !this.#isOfMatch) {
      this.instances.replaceChildren(
        ...(this.#match?.state
          ? [
              make(
                "p",
                { className: "quiet" },
                "These are not the rules of the match. Play them to see what each rule gives.",
              ),
            ]
          : []),
      );
      return;
    }
    if (match.isHiding) {
      this.instances.replaceChildren(
        make("p", { className: "quiet" }, "What the rule gives would tell what the match hides."),
      );
      return;
    }
    try {
      const answer = await rule(match, new Places(this.editor.text).toBytes(this.editor.cursor));
      if (answer) this.instances.replaceChildren(...instancesPage(match, match.state, answer));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.instances.replaceChildren(...refusal(error, (place) => this.go(place)));
    }
  }

  async #format() {
    try {
      /** @type {Formatted} */
      const { text } = await post("/format", { text: this.editor.text });
      if (text !== this.editor.text) this.editor.rewrite(text);
      this.trouble.replaceChildren();
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #play() {
    try {
      await this.play(this.editor.text, this.#name);
      this.trouble.replaceChildren();
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** @param {unknown} error */
  #refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    // The diagnostics are listed and marked already.
    const short = new Refusal(error.status, { code: error.code, message: error.message, help: error.help });
    this.trouble.replaceChildren(...refusal(short, () => {}));
  }
}

/**
 * The instances of a rule in the state on show.
 *
 * @param {Match} match
 * @param {State} state
 * @param {RuleAnswer} answer
 */
function instancesPage(match, state, answer) {
  if (!answer.rule) {
    return [make("p", { className: "quiet" }, "Put the cursor in a rule to see what it gives in the state on show.")];
  }
  const { joint, instances, more } = answer;
  const of = joint ? ` by the step ${jointText(match, joint)}` : "";
  const total = instances.length + more;
  const head = make(
    "p",
    {},
    make("strong", {}, total ? count(total, "instance") : "No instance"),
    ` of this rule ${total === 1 ? "holds" : total ? "hold" : "holds"} in state ${state.step}${of}.`,
  );
  const rows = instances.map(({ head: text, bindings }) =>
    make(
      "li",
      {},
      make("code", {}, text),
      " ",
      make("span", { className: "quiet" }, bindings.map(({ variable, value }) => `${variable} = ${value}`).join(", ")),
    ),
  );
  return [head, make("ul", { className: "instances" }, rows)];
}
