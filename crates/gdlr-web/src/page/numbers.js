// Numbers: what a game is made of, drawings of it, and how fast it is played at random.

import { Refusal, get, latest, listen } from "./api.js";
import { button, make, present, show } from "./dom.js";
import { refusal } from "./explain.js";
import { large, number, seconds } from "./text.js";

/** @import { Child } from "./dom.js" */
/** @import { Match } from "./match.js" */
/** @import { Decision, Figure, Game, Info, NamedNumber, Rate } from "./service.js" */
/**
 * The places in the page. `picture` is in a box that scrolls.
 *
 * @typedef {Record<"table" | "tools" | "picture" | "note" | "rates" | "start", HTMLElement>} Parts
 */

const DRAWINGS = [
  ["dependencies", "Dependencies", "Which relations of the rules depend on which."],
  ["net", "Net", "The propositional net that the game is played on."],
  ["automaton", "Automaton", "The game as an automaton of Regular Games."],
];
/** So large, compared with how it was drawn, a drawing can be read. */
const LEGIBLE = 0.6;
/** @type {(game: string) => Promise<Info | null>} */
const info = latest((game) => get(`/games/${game}/info`));
/** @type {(game: string, which: string) => Promise<string | null>} */
const drawing = latest((game, which) => get(`/games/${game}/drawings/${which}`));

export class Numbers {
  /** @type {Game | null} */
  #game = null;
  #isShown = false;
  /**
   * The game whose numbers are on show.
   *
   * @type {string | null}
   */
  #shownGame = null;
  /** @type {EventSource | null} */
  #stream = null;
  #zoom = 1;
  /** @type {HTMLButtonElement[]} */
  #buttons = [];

  /** @param {Parts} parts */
  constructor({ table, tools, picture, note, rates, start }) {
    this.table = table;
    this.tools = tools;
    this.picture = picture;
    /** The box that the picture scrolls in. */
    this.box = picture.parentElement ?? picture;
    this.note = note;
    this.rates = rates;
    this.start = start;
    start.addEventListener("click", () => (this.#stream ? this.#stop() : this.#measure()));
    this.#offerDrawings();
  }

  /** @param {Match} match */
  follow(match) {
    this.#game = match.game;
    if (this.#isShown) this.#fill();
  }

  /**
   * Whether the pane is on show: it asks for nothing before.
   *
   * @param {boolean} is
   */
  set isShown(is) {
    this.#isShown = is;
    if (is) this.#fill();
    else this.#stop();
  }

  async #fill() {
    const game = this.#game;
    if (!game || this.#shownGame === game.id) return;
    this.#shownGame = game.id;
    this.#stop();
    this.rates.replaceChildren(
      make(
        "p",
        { className: "quiet" },
        "Random playouts from the beginning to the end, as many as fit into five seconds.",
      ),
    );
    this.box.hidden = true;
    this.note.textContent = "Choose a drawing.";
    this.#press(null);
    this.table.replaceChildren(make("p", { className: "quiet" }, "Counting…"));
    try {
      const numbers = await info(game.id);
      if (numbers) this.table.replaceChildren(...infoTables(numbers));
    } catch (error) {
      this.#refuse(this.table, error);
    }
  }

  #offerDrawings() {
    this.#buttons = DRAWINGS.map(([name, title, words]) =>
      button(title, () => this.#draw(name, words), { className: "small", data: { drawing: name } }),
    );
    /** @type {(factor: number) => () => void} */
    const zoom = (factor) => () => this.#setZoom(factor === 0 ? 1 : this.#zoom * factor);
    /** @type {[string, number, string][]} */
    const sizes = [
      ["−", 1 / 1.4, "Smaller"],
      ["+", 1.4, "Larger"],
      ["Fit", 0, "Fit to the width"],
    ];
    const zooms = sizes.map(([text, factor, title]) =>
      button(text, zoom(factor), { className: "small", title, ariaLabel: title }),
    );
    this.tools.append(
      make("span", { className: "group", role: "group", ariaLabel: "Drawing" }, this.#buttons),
      make("span", { className: "group", role: "group", ariaLabel: "Size" }, zooms),
    );
  }

  /**
   * Shows which drawing was chosen.
   *
   * @param {string | null} name
   */
  #press(name) {
    for (const one of this.#buttons) one.setAttribute("aria-pressed", String(one.dataset.drawing === name));
  }

  /**
   * @param {string} name
   * @param {string} words what is said below it
   */
  async #draw(name, words) {
    if (!this.#game) return;
    this.#press(name);
    this.note.textContent = "Drawing…";
    try {
      const svg = await drawing(this.#game.id, name);
      if (svg === null) return;
      this.box.hidden = false;
      const { width } = show(this.picture, svg).viewBox.baseVal;
      // As wide as the pane, unless nothing could be read then.
      this.#setZoom(Math.max(1, (LEGIBLE * width) / this.box.clientWidth));
      this.note.textContent = words;
    } catch (error) {
      this.box.hidden = true;
      this.#refuse(this.note, error);
    }
  }

  /** @param {number} zoom */
  #setZoom(zoom) {
    this.#zoom = Math.min(40, Math.max(0.25, zoom));
    this.picture.style.width = `${100 * this.#zoom}%`;
  }

  #measure() {
    if (!this.#game) return;
    this.start.textContent = "Stop";
    /** @type {number[]} */
    const speeds = [];
    /** @type {{ rate: (rate: Rate) => void }} */
    const listeners = {
      rate: (rate) => {
        speeds.push(rate.playouts_per_second);
        this.rates.replaceChildren(...ratePage(rate, speeds));
        if (rate.done) this.#stop();
      },
    };
    this.#stream = listen(`/games/${this.#game.id}/rates`, { seconds: 5 }, listeners);
    this.#stream.onerror = () => {
      // At the end the service closes the stream; before that, something is wrong.
      if (speeds.length === 0)
        this.rates.replaceChildren(make("p", { className: "message" }, "This game cannot be measured now."));
      this.#stop();
    };
  }

  #stop() {
    this.#stream?.close();
    this.#stream = null;
    this.start.textContent = "Start";
  }

  /**
   * @param {HTMLElement} host
   * @param {unknown} error
   */
  #refuse(host, error) {
    if (!(error instanceof Refusal)) throw error;
    host.replaceChildren(...refusal(error, () => {}));
  }
}

/**
 * @param {Rate} rate
 * @param {number[]} speeds all that were told
 */
function ratePage(rate, speeds) {
  /** @type {(value: string, words: string) => HTMLElement} */
  const figure = (value, words) =>
    make("div", { className: "figure" }, make("strong", {}, value), make("span", {}, words));
  const goals = Object.entries(rate.goals).flatMap(([role, value]) => (value === null ? [] : [{ role, value }]));
  return present([
    make(
      "div",
      { className: "figures" },
      figure(large(Math.round(rate.playouts_per_second)), "playouts a second"),
      figure(large(Math.round(rate.states_per_second)), "states a second"),
    ),
    sparkline(speeds),
    make(
      "p",
      { className: "quiet" },
      `${large(rate.playouts)} playouts of ${large(rate.states)} states in ${number(rate.seconds, 1)} s${rate.lanes ? ", hundreds at once" : ", one after the other"}.`,
    ),
    goals.length
      ? make(
          "dl",
          { className: "goals" },
          goals.flatMap(({ role, value }) => [
            make("dt", {}, role),
            make(
              "dd",
              {},
              make("span", { className: "bar", style: `--part:${value}%` }),
              make("span", {}, number(value, 1)),
            ),
          ]),
        )
      : null,
  ]);
}

/**
 * How the speed went, as bars.
 *
 * @param {number[]} speeds
 */
function sparkline(speeds) {
  const most = Math.max(...speeds, 1);
  return make(
    "div",
    { className: "sparkline", ariaHidden: "true" },
    speeds.slice(-60).map((speed) => make("span", { style: `--part:${(100 * speed) / most}%` })),
  );
}

/**
 * All numbers of `gdlr info`, whatever there is.
 *
 * @param {Info} info
 */
function infoTables(info) {
  /** @type {[string, Figure][]} */
  const plain = [];
  const tables = [];
  const { decisions, ...numbers } = info;
  for (const [name, value] of Object.entries(numbers)) {
    if (value === null) continue;
    if (typeof value === "object" && !Array.isArray(value)) tables.push(infoTable(words(name), Object.entries(value)));
    else plain.push([name, value]);
  }
  /** @type {[string, Figure][]} */
  const decided = decisions.map((decision) => [`${decision.part}: ${decision.subject}`, inBrackets(decision)]);
  return [infoTable("The rules", plain), ...tables, infoTable("Decisions", decided)];
}

/**
 * The choice, and in brackets its figures.
 *
 * @param {Decision} decision
 */
function inBrackets({ chosen, measured, bound }) {
  /** @param {NamedNumber} figure */
  const said = ({ name, value }) => `${name} ${number(value, Number.isInteger(value) ? 0 : 3)}`;
  const figures = measured.map(said).join(", ");
  const grounds = [figures, bound ? said(bound) : ""].filter((text) => text !== "").join("; ");
  return grounds === "" ? chosen : `${chosen} (${grounds})`;
}

/**
 * @param {string} title
 * @param {[string, Figure][]} entries
 */
function infoTable(title, entries) {
  return make(
    "table",
    { className: "info" },
    make("caption", {}, title),
    make(
      "tbody",
      {},
      entries.map(([key, value]) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, words(key.replace(/_seconds$/, ""))),
          make("td", {}, shown(key, value)),
        ),
      ),
    ),
  );
}

/**
 * `gates_of_states` as a person writes it.
 *
 * @param {string} key
 */
function words(key) {
  const text = key.replaceAll("_", " ");
  return text[0].toUpperCase() + text.slice(1);
}

/**
 * A figure as a person writes it.
 *
 * @param {string} key
 * @param {Figure} value
 * @returns {Child}
 */
function shown(key, value) {
  if (typeof value === "number")
    return key.endsWith("seconds") ? seconds(value) : number(value, Number.isInteger(value) ? 0 : 2);
  if (!Array.isArray(value)) return value === null ? "–" : String(value);
  if (value.length === 0) return "none";
  if (value.every((one) => typeof one === "object" && one !== null)) {
    return make(
      "ol",
      { className: "passes" },
      value.map((one) =>
        make(
          "li",
          {},
          Object.values(one ?? {})
            .map(String)
            .join(": "),
        ),
      ),
    );
  }
  return value.join(", ");
}
