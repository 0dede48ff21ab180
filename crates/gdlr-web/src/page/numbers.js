// Numbers: what a game is made of, drawings of it, and how fast it is played at random.

import { Refusal, get, latest, listen } from "./api.js";
import { button, make, show } from "./dom.js";
import { refusal } from "./explain.js";
import { large, number, seconds } from "./text.js";

const DRAWINGS = [
  ["dependencies", "Dependencies", "Which relations of the rules depend on which."],
  ["net", "Net", "The propositional net that the game is played on."],
  ["automaton", "Automaton", "The game as an automaton of Regular Games."],
];
/** So large, compared with how it was drawn, a drawing can be read. */
const LEGIBLE = 0.6;
const info = latest((game) => get(`/games/${game}/info`));
const drawing = latest((game, which) => get(`/games/${game}/drawings/${which}`));

export class Numbers {
  #game = null;
  #isShown = false;
  #shownGame = null;
  #stream = null;
  #zoom = 1;

  constructor({ table, tools, picture, note, rates, start }) {
    Object.assign(this, { table, tools, picture, note, rates, start });
    start.addEventListener("click", () => (this.#stream ? this.#stop() : this.#measure()));
    this.#offerDrawings();
  }

  follow(match) {
    this.#game = match.game;
    if (this.#isShown) this.#fill();
  }

  /** Whether the pane is on show: it asks for nothing before. */
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
    this.picture.parentElement.hidden = true;
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
    this.buttons = DRAWINGS.map(([name, title, words]) =>
      button(title, () => this.#draw(name, words), { className: "small", data: { drawing: name } }),
    );
    const zoom = (factor) => () => this.#setZoom(factor === 0 ? 1 : this.#zoom * factor);
    const zooms = [
      ["−", 1 / 1.4, "Smaller"],
      ["+", 1.4, "Larger"],
      ["Fit", 0, "Fit to the width"],
    ].map(([text, factor, title]) => button(text, zoom(factor), { className: "small", title, ariaLabel: title }));
    this.tools.append(
      make("span", { className: "group", role: "group", ariaLabel: "Drawing" }, this.buttons),
      make("span", { className: "group", role: "group", ariaLabel: "Size" }, zooms),
    );
  }

  #press(name) {
    for (const one of this.buttons) one.setAttribute("aria-pressed", String(one.dataset.drawing === name));
  }

  async #draw(name, words) {
    if (!this.#game) return;
    this.#press(name);
    this.note.textContent = "Drawing…";
    try {
      const svg = await drawing(this.#game.id, name);
      if (svg === null) return;
      this.picture.parentElement.hidden = false;
      const { width } = show(this.picture, svg).viewBox.baseVal;
      // As wide as the pane, unless nothing could be read then.
      this.#setZoom(Math.max(1, (LEGIBLE * width) / this.picture.parentElement.clientWidth));
      this.note.textContent = words;
    } catch (error) {
      this.picture.parentElement.hidden = true;
      this.#refuse(this.note, error);
    }
  }

  #setZoom(zoom) {
    this.#zoom = Math.min(40, Math.max(0.25, zoom));
    this.picture.style.width = `${100 * this.#zoom}%`;
  }

  #measure() {
    if (!this.#game) return;
    this.start.textContent = "Stop";
    const speeds = [];
    this.#stream = listen(
      `/games/${this.#game.id}/rates`,
      { seconds: 5 },
      {
        rate: (rate) => {
          speeds.push(rate.playouts_per_second);
          this.rates.replaceChildren(...ratePage(rate, speeds));
          if (rate.done) this.#stop();
        },
      },
    );
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

  #refuse(host, error) {
    if (!(error instanceof Refusal)) throw error;
    host.replaceChildren(...refusal(error, () => {}));
  }
}

function ratePage(rate, speeds) {
  const figure = (value, words) =>
    make("div", { className: "figure" }, make("strong", {}, value), make("span", {}, words));
  const goals = Object.entries(rate.goals ?? {}).filter(([, value]) => value !== null);
  return [
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
          goals.flatMap(([role, value]) => [
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
  ].filter(Boolean);
}

/** How the speed went, as bars. */
function sparkline(speeds) {
  const most = Math.max(...speeds, 1);
  return make(
    "div",
    { className: "sparkline", ariaHidden: "true" },
    speeds.slice(-60).map((speed) => make("span", { style: `--part:${(100 * speed) / most}%` })),
  );
}

/** All numbers of `gdlr info`, whatever there is. */
function infoTables(info) {
  const isTable = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const entries = Object.entries(info).filter(([, value]) => value !== null);
  const plain = entries.filter(([, value]) => !isTable(value));
  const tables = entries.filter(([, value]) => isTable(value));
  return [
    infoTable("The rules", plain),
    ...tables.map(([name, value]) => infoTable(words(name), Object.entries(value))),
  ];
}

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

/** `gates_of_states` as a person writes it. */
function words(key) {
  const text = key.replaceAll("_", " ");
  return text[0].toUpperCase() + text.slice(1);
}

function shown(key, value) {
  if (typeof value === "number")
    return key.endsWith("seconds") ? seconds(value) : number(value, Number.isInteger(value) ? 0 : 2);
  if (!Array.isArray(value)) return value === null ? "–" : String(value);
  if (value.length === 0) return "none";
  if (value.every((one) => typeof one === "object" && one !== null)) {
    return make(
      "ol",
      { className: "passes" },
      value.map((one) => make("li", {}, Object.values(one).map(String).join(": "))),
    );
  }
  return value.join(", ");
}
