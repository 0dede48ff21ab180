// The rules: a field to write in, what the checks say of them, and what a rule gives right now.

import { Refusal, latest, post } from "./api.js";
import { button, debounced, make, prose, save } from "./dom.js";
import { Editor } from "./editor.js";
import { refusal } from "./explain.js";
import { jointText } from "./history.js";
import { Places, count } from "./text.js";

/** How long typing must rest before the text is checked, in milliseconds. */
const REST = 300;
/** At most so many diagnostics are listed. */
const MOST = 200;
const check = latest((text) => post("/check", { text }));
const rule = latest((match, offset) => match.rule(offset));

export class Rules {
  #match = null;
  #found = [];
  #places = new Places("");
  #name = "mine";

  /** `play` is called with a text and a name, and promises to throw what was refused. */
  constructor({ editor, list, status, here, instances, format, playThese, saveThese, reset, trouble }, { play }) {
    Object.assign(this, { list, status, here, instances, reset, trouble, play });
    this.editor = new Editor(editor, "The rules");
    this.checkSoon = debounced(REST, () => this.#check());
    this.lookSoon = debounced(150, () => this.#look());
    this.editor.addEventListener("edit", () => this.#edited());
    this.editor.addEventListener("cursor", () => {
      this.#tellHere(this.#under(this.editor.cursor));
      this.lookSoon();
    });
    editor.addEventListener("mousemove", (event) => this.#hover(event));
    editor.addEventListener("mouseleave", () => this.#tellHere(this.#under(this.editor.cursor)));
    format.addEventListener("click", () => this.#format());
    playThese.addEventListener("click", () => this.#play());
    saveThese.addEventListener("click", () => save(`${this.#name}.kif`, this.editor.text));
    reset.addEventListener("click", () => this.#show(this.#match.game.text));
  }

  follow(match) {
    this.#match = match;
    this.#name = match.game.name;
    this.goOn(match);
    this.#show(match.game.text);
  }

  /** Another match of the same game: what was typed stays. */
  goOn(match) {
    this.#match = match;
    match.addEventListener("change", () => this.lookSoon());
  }

  /** Shows a place of the rules of the match. */
  go(place) {
    if (!this.#isOfMatch) this.#show(this.#match.game.text);
    const places = new Places(this.editor.text);
    this.editor.select(places.fromBytes(place.start), places.fromBytes(place.end));
  }

  /** Whether the text is that of the match. */
  get #isOfMatch() {
    return this.#match !== null && this.editor.text === this.#match.game.text;
  }

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

  #tell(text, { errors, warnings, diagnostics }) {
    this.#places = new Places(text);
    this.#found = diagnostics.map((one, number) => ({
      ...one,
      number,
      start: this.#places.fromBytes(one.place?.start ?? 0),
      end: this.#places.fromBytes(one.place?.end ?? 0),
    }));
    this.editor.marks = this.#found.filter((one) => one.place);
    const found = [errors && count(errors, "error"), warnings && count(warnings, "warning")].filter(Boolean);
    this.status.textContent = found.length ? found.join(", ") : "Nothing is wrong with these rules.";
    this.status.className = errors ? "bad" : warnings ? "odd" : "good";
    this.list.replaceChildren(...this.#found.slice(0, MOST).map((one) => this.#entry(one)));
    this.#tellHere(this.#under(this.editor.cursor));
  }

  #entry(one) {
    const where = one.place ? `line ${one.place.line}` : "";
    const entry = button("", () => this.editor.select(one.start, one.end), { className: `diagnostic ${one.severity}` });
    entry.append(
      make("span", { className: "code" }, one.code),
      make("span", { className: "unseen" }, ` ${one.severity}: `),
      make("span", { className: "what" }, prose(one.message)),
      make("span", { className: "where" }, where),
    );
    const help = one.help ? make("p", { className: "help" }, prose(one.help)) : null;
    return make("li", {}, entry, help, ...(one.related ?? []).map((other) => this.#related(other)));
  }

  #related(other) {
    const place = other.place ?? other;
    const go = () => this.editor.select(this.#places.fromBytes(place.start), this.#places.fromBytes(place.end));
    return make(
      "p",
      { className: "help" },
      `${other.label ?? "see"}: `,
      button(`line ${place.line}`, go, { className: "place" }),
    );
  }

  /** The diagnostic at a place, the narrowest first. */
  #under(at) {
    const here = this.#found.filter((one) => one.place && one.start <= at && at <= one.end);
    return here.sort((a, b) => a.end - a.start - (b.end - b.start))[0] ?? null;
  }

  #hover(event) {
    const number = this.editor.markAt(event.clientX, event.clientY);
    this.#tellHere(number === null ? this.#under(this.editor.cursor) : this.#found[number]);
  }

  /** The line below the text: what is wrong here, or where one is. */
  #tellHere(one) {
    const { line, column } = this.editor.position(this.editor.cursor);
    this.here.className = one ? `here ${one.severity}` : "here";
    const words = one
      ? prose(`${one.code}: ${one.message}${one.label ? ` (${one.label})` : ""}`)
      : [`Line ${line}, column ${column}`];
    this.here.replaceChildren(...words);
  }

  async #look() {
    if (!this.#match?.state || !this.#isOfMatch) {
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
    if (this.#match.isHiding) {
      this.instances.replaceChildren(
        make("p", { className: "quiet" }, "What the rule gives would tell what the match hides."),
      );
      return;
    }
    try {
      const answer = await rule(this.#match, new Places(this.editor.text).toBytes(this.editor.cursor));
      if (answer) this.instances.replaceChildren(...this.#instancesPage(answer));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.instances.replaceChildren(...refusal(error, (place) => this.go(place)));
    }
  }

  #instancesPage({ rule, joint, instances, more }) {
    if (!rule)
      return [make("p", { className: "quiet" }, "Put the cursor in a rule to see what it gives in the state on show.")];
    const { step } = this.#match.state;
    const of = joint ? ` by the step ${jointText(this.#match, joint)}` : "";
    const total = instances.length + (more ?? 0);
    const head = make(
      "p",
      {},
      make("strong", {}, total ? count(total, "instance") : "No instance"),
      ` of this rule ${total === 1 ? "holds" : total ? "hold" : "holds"} in state ${step}${of}.`,
    );
    const rows = instances.map(({ head: text, bindings }) =>
      make(
        "li",
        {},
        make("code", {}, text),
        " ",
        make(
          "span",
          { className: "quiet" },
          bindings.map(({ variable, value }) => `${variable} = ${value}`).join(", "),
        ),
      ),
    );
    return [head, make("ul", { className: "instances" }, rows)];
  }

  async #format() {
    try {
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

  #refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    // The diagnostics are listed and marked already.
    const short = new Refusal(error.status, { code: error.code, message: error.message, help: error.help });
    this.trouble.replaceChildren(...refusal(short, () => {}));
  }
}
