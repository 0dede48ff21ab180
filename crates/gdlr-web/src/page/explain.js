// Reasons: why a sentence holds in the state on show, or why not; and the facts of that state.

import { Refusal, latest } from "./api.js";
import { button, make, present, prose } from "./dom.js";
import { count, number } from "./text.js";

/** @import { Match, State } from "./match.js" */
/** @import { Diagnostic, Explained, Place, ReasonLine } from "./service.js" */
/** @typedef {(place: Place) => void} Go shows a place in the rules */
/** @typedef {Record<"facts" | "factsNote" | "form" | "answer", HTMLElement>} Boxes */
/** @typedef {Boxes & Record<"factsFilter" | "field", HTMLInputElement>} Parts the places in the page */

/** More facts than this have a field to filter them. */
const MANY = 30;
/** So many problems of a text are told in short. */
const FEW = 5;
/** At most so many facts are shown at once. */
const MOST = 400;
/** @type {Record<ReasonLine["mark"], [string, string]>} */
const MARKS = { holds: ["✓", "holds"], fails: ["✗", "does not hold"], rule: ["·", "rule"] };

/**
 * An explanation as a list of lines; `go` is called with the place of one that is clicked.
 *
 * @param {ReasonLine[]} lines
 * @param {Go} go
 */
function reasonLines(lines, go) {
  return make(
    "ol",
    { className: "reasons" },
    lines.map((line) => reasonLine(line, go)),
  );
}

/**
 * @param {ReasonLine} line
 * @param {Go} go
 */
function reasonLine({ depth, mark, text, number: reference, note, place }, go) {
  const [sign, word] = MARKS[mark];
  const words = mark === "rule" ? "rule " : "";
  const said = make("code", {}, text);
  const where = place
    ? button(`line ${place.line}`, () => go(place), { className: "place", title: "Show this in the rules" })
    : null;
  return make(
    "li",
    { className: mark, style: `--depth:${Math.min(depth, 12)}` },
    make("span", { className: "mark", title: word, ariaHidden: "true" }, sign),
    make(
      "span",
      { className: "said" },
      mark === "rule" ? words : make("span", { className: "unseen" }, `${word}: `),
      said,
      reference ? make("span", { className: "reference" }, ` [${reference}]`) : null,
      note ? make("span", { className: "note" }, ` ${note}`) : null,
      where ? " " : null,
      where,
    ),
  );
}

/**
 * A refusal of the service, with its reasons if it gave any.
 *
 * @param {Refusal} error
 * @param {Go} go
 */
export function refusal(error, go) {
  const lines = error.more.explanation?.lines ?? [];
  const problems = error.more.diagnostics ?? [];
  return present([
    make("p", { className: "message" }, prose(sentence(error.message))),
    error.help ? make("p", { className: "help" }, prose(sentence(error.help))) : null,
    ...problems.slice(0, FEW).map(problemLine),
    problems.length > FEW ? make("p", { className: "help" }, `… and ${number(problems.length - FEW)} more`) : null,
    lines.length ? reasonLines(lines, go) : null,
  ]);
}

/** @param {Diagnostic} diagnostic */
function problemLine({ place, message, help }) {
  const where = place ? `Line ${place.line}: ` : "";
  return make(
    "p",
    { className: "help" },
    where,
    prose(sentence(message)),
    help ? [" ", ...prose(sentence(help))] : null,
  );
}

/**
 * With a capital and a period, as people write.
 *
 * @param {string} text
 */
function sentence(text) {
  // Terms are left as they are: `(mark 1 1)` has no capital.
  const begun = /^[a-z]+ /.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  return /[.!?:]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * A fact; a click asks why it is true.
 *
 * @param {string} fact
 * @param {(sentence: string) => void} ask
 */
export function factButton(fact, ask) {
  return button(fact, () => ask(`(true ${fact})`), { className: "fact", title: "Why is this true?" });
}

/** The pane with facts and reasons. */
export class Reasons {
  /** @type {Match | null} */
  #match = null;
  /**
   * The sentence that was explained last.
   *
   * @type {string | null}
   */
  #sentence = null;
  /** The step in which that was. */
  #asked = -1;
  #explain = latest((/** @type {Match} */ match, /** @type {string} */ sentence) => match.explain(sentence));

  /**
   * `go` is called with a place in the rules.
   *
   * @param {Parts} parts
   * @param {Go} go
   */
  constructor({ facts, factsFilter, factsNote, form, field, answer }, go) {
    this.facts = facts;
    this.factsFilter = factsFilter;
    this.factsNote = factsNote;
    this.field = field;
    this.answer = answer;
    this.go = go;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.ask(field.value.trim());
    });
    factsFilter.addEventListener("input", () => this.#listFacts());
  }

  /** @param {Match} match */
  follow(match) {
    this.#match = match;
    this.#sentence = null;
    this.#asked = -1;
    this.answer.replaceChildren(
      make("p", { className: "quiet" }, "Click a fact to see why it is true, or ask about any sentence of the rules."),
    );
    match.on("change", (state) => this.#update(state));
  }

  /**
   * Explains a sentence in the state on show.
   *
   * @param {string} sentence
   */
  async ask(sentence) {
    const match = this.#match;
    if (!match?.state) return;
    this.#sentence = sentence;
    this.#asked = match.state.step;
    this.field.value = sentence;
    this.answer.setAttribute("aria-busy", "true");
    try {
      const answer = await this.#explain(match, sentence);
      if (answer && match === this.#match) this.answer.replaceChildren(...this.#page(answer, this.#asked));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.answer.replaceChildren(...refusal(error, this.go));
    }
    this.answer.setAttribute("aria-busy", "false");
  }

  /**
   * @param {Explained} answer
   * @param {number} step
   */
  #page(answer, step) {
    const holds = answer.holds;
    const asked = answer.question;
    const head = make(
      "p",
      { className: `verdict ${holds ? "holds" : "fails"}` },
      make("code", {}, asked),
      holds ? " holds" : " does not hold",
      ` in state ${step}.`,
    );
    const traced =
      answer.explained !== asked
        ? make(
            "p",
            { className: "quiet" },
            "What is explained is the step that made it: ",
            make("code", {}, answer.explained),
            ".",
          )
        : null;
    const more = answer.more
      ? make("p", { className: "quiet" }, `${count(answer.more, "more instance")} hold as well.`)
      : null;
    return present([head, traced, reasonLines(answer.lines, this.go), more]);
  }

  /** @param {State} state */
  #update(state) {
    const sentence = this.#sentence;
    this.#listFacts();
    const isOld = sentence !== null && this.#asked !== state.step;
    this.answer.classList.toggle("old", isOld);
    const again = this.answer.querySelector(".again");
    if (isOld && !again) {
      this.answer.prepend(
        button(`This was about state ${this.#asked}. Ask again here`, () => this.ask(sentence), {
          className: "again small",
        }),
      );
    } else if (!isOld) {
      again?.remove();
    }
  }

  #listFacts() {
    const state = this.#match?.state;
    if (!state) return;
    const { facts, as } = state;
    const wanted = this.factsFilter.value.trim().toLowerCase();
    const fit = facts.filter((fact) => fact.toLowerCase().includes(wanted));
    this.factsFilter.hidden = facts.length <= MANY;
    const known = as ? ` that ${as} knows for sure` : "";
    const part = fit.length > MOST ? `, the first ${MOST} shown` : "";
    this.factsNote.textContent = `${count(facts.length, "fact")}${known}${part}`;
    this.facts.replaceChildren(
      ...fit.slice(0, MOST).map((fact) =>
        make(
          "li",
          {},
          factButton(fact, (sentence) => this.ask(sentence)),
        ),
      ),
    );
  }
}
