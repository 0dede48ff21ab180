// The page as a whole: it makes the panes, and brings the match that is looked at to all of them.

import { Refusal, get, isUnknown, post } from "./api.js";
import { Board } from "./board.js";
import { around, find, icon, make, options, save } from "./dom.js";
import { Reasons, refusal } from "./explain.js";
import { History } from "./history.js";
import { Match } from "./match.js";
import { Menu } from "./menu.js";
import { Numbers } from "./numbers.js";
import { Opener } from "./open.js";
import { Play } from "./play.js";
import { Players, usualPlayers } from "./players.js";
import { Rules } from "./rules.js";
import { Tabs } from "./tabs.js";
import { Thoughts } from "./thoughts.js";

/** @import { About, Game, GameWish, MatchRecord, MatchWish, Place, PlayerName } from "./service.js" */

/** @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

class Page {
  /** @type {Match | null} */
  #match = null;
  /**
   * The names of the bundled games.
   *
   * @type {string[]}
   */
  #bundled = [];
  /**
   * The name of the game in the address: that of a bundled game lasts longer than an id.
   *
   * @type {string | null | undefined}
   */
  #address = null;

  constructor() {
    /** @type {(error: unknown) => void} */
    const refused = (error) => this.#refuse(error);
    /** @type {(place: Place) => void} */
    const go = (place) => this.#showRule(place);
    this.numbers = new Numbers({
      table: find("info"),
      tools: find("drawing-tools"),
      picture: find("drawing"),
      note: find("drawing-note"),
      rates: find("rates"),
      start: find("rates-start"),
    });
    this.tabs = new Tabs(find("tabs"), (name) => {
      this.numbers.isShown = name === "numbers";
    });
    this.reasons = new Reasons(
      {
        facts: find("facts"),
        factsFilter: find("facts-filter", HTMLInputElement),
        factsNote: find("facts-note"),
        form: find("why-form"),
        field: find("why-field", HTMLInputElement),
        answer: find("why-answer"),
      },
      go,
    );
    const board = new Board(find("board"));
    this.play = new Play(
      {
        pane: find("board-pane"),
        panel: find("panel-play"),
        movesCard: find("moves-card"),
        turn: find("turn"),
        handOver: find("hand-over"),
        beside: find("beside"),
        prompt: find("prompt"),
        asking: find("asking"),
        movesHead: find("moves-head"),
        movesNote: find("moves-note"),
        filter: find("moves-filter", HTMLInputElement),
        moves: find("moves"),
        form: find("typed-form", HTMLFormElement),
        typedRole: find("typed-role", HTMLSelectElement),
        typed: find("typed", HTMLInputElement),
        refusalBox: find("refusal"),
      },
      { board, menu: new Menu(board.frame), ask: (sentence) => this.#ask(sentence), go, refused },
    );
    this.thoughts = new Thoughts(
      { host: find("thoughts"), toggle: find("thoughts-toggle", HTMLInputElement), hint: find("hint") },
      {
        best: (best) => {
          this.play.best = best;
        },
        refused,
      },
    );
    this.players = new Players({ host: find("players"), think: find("think", HTMLInputElement) }, refused);
    this.history = new History({
      list: find("history"),
      first: find("first"),
      previous: find("previous"),
      next: find("next"),
      last: find("last"),
      step: find("step"),
      back: find("back"),
    });
    this.rules = new Rules(
      {
        editor: find("editor"),
        list: find("diagnostics"),
        status: find("check-status"),
        here: find("here"),
        instances: find("instances"),
        format: find("format"),
        playThese: find("play-these"),
        saveThese: find("save-these"),
        reset: find("reset"),
        trouble: find("rules-trouble"),
      },
      { play: (text, name) => this.#playGame({ text, name }) },
    );
    this.opener = new Opener(
      {
        dialog: find("opener", HTMLDialogElement),
        list: find("games"),
        filter: find("games-filter", HTMLInputElement),
        file: find("file", HTMLInputElement),
        paste: find("paste", HTMLTextAreaElement),
        pasteForm: find("paste-form"),
        disguise: find("disguise", HTMLInputElement),
        trouble: find("opener-trouble"),
        close: find("opener-close"),
      },
      { game: (wish) => this.#playGame(wish), record: (record, playout) => this.#playRecord(record, playout) },
    );
    this.#listen();
  }

  #listen() {
    /**
     * Does something with the match, and says what is refused.
     *
     * @type {(act: (match: Match) => unknown) => () => Promise<void>}
     */
    const trying = (act) => async () => {
      try {
        if (!this.#match) return;
        await act(this.#match);
        find("trouble").replaceChildren();
      } catch (error) {
        this.#refuse(error);
      }
    };
    find("open").addEventListener("click", () => this.opener.open());
    find("new-match").addEventListener(
      "click",
      trying((match) => this.#again(match)),
    );
    find("undo").addEventListener(
      "click",
      trying((match) => match.status.step > 0 && match.undo()),
    );
    find("pause").addEventListener(
      "click",
      trying((match) => match.change({ paused: !match.status.paused })),
    );
    find("record").addEventListener(
      "click",
      trying(async (match) =>
        save(`${match.game.name}.json`, JSON.stringify(await match.record()), "application/json"),
      ),
    );
    find("look-as").addEventListener(
      "change",
      trying((match) => match.lookAs(find("look-as", HTMLSelectElement).value || null)),
    );
    document.addEventListener("keydown", (event) => this.#key(event));
    const wide = matchMedia("(min-width: 1560px)");
    const spread = () => {
      if (wide.matches && this.tabs.current === "play") this.tabs.show("why");
    };
    wide.addEventListener("change", spread);
    spread();
  }

  /** Opens the game or match of the address, else that of the command, else a list of games. */
  async begin() {
    try {
      this.#bundled = await this.opener.fill();
      /** @type {About} */
      const { start } = await get("");
      const query = new URLSearchParams(location.search);
      this.#address = query.get("game");
      const known = query.get("match");
      if (known && (await ifThere(() => this.#reopen(known)))) return;
      // A record that the command was given is gone through from its beginning.
      const first = start.match;
      if (!this.#address && first && (await ifThere(() => this.#reopen(first, 0)))) return;
      for (const game of [query.get("game"), start.game]) {
        if (!game) continue;
        const wish = this.#bundled.includes(game) ? { name: game } : { id: game };
        if (await ifThere(() => this.#playGame(wish))) return;
      }
      this.opener.open();
    } catch (error) {
      this.#refuse(error);
      if (!(error instanceof Refusal) || error.code !== "silent") this.opener.open();
    }
  }

  /**
   * @param {string} id
   * @param {number | null} [step] that is looked at; null for the present
   */
  async #reopen(id, step = null) {
    this.#show(await Match.reopen(id), step);
  }

  /**
   * Loads a game, by `id`, or by what `POST /api/games` takes, and starts a match.
   *
   * @param {GameWish & { id?: string }} wish
   */
  async #playGame(wish) {
    /** @type {Game} */
    const game = wish.id ? await get(`/games/${wish.id}`) : await post("/games", wish);
    this.#address = wish.text || wish.obfuscate !== undefined ? game.id : (wish.name ?? wish.id);
    this.#show(await Match.start(game, this.#wishes(game)));
  }

  /** @param {Match} match */
  async #again(match) {
    this.#show(await Match.start(match.game, this.#wishes(match.game)));
  }

  /**
   * Goes through a record: of the game on show, if it has that name, else of a bundled one.
   *
   * @param {MatchRecord} record
   * @param {number} playout
   */
  async #playRecord(record, playout) {
    const game = await this.#gameOf(record);
    /** @type {Record<string, PlayerName>} */
    const players = {};
    for (const role of game.roles) if (role !== game.chance) players[role] = "human";
    const match = await Match.start(game, { players, record, playout });
    this.#show(match, 0);
  }

  /**
   * @param {MatchRecord} record
   * @returns {Promise<Game>}
   */
  async #gameOf({ game }) {
    const shown = this.#match?.game;
    if (shown && shown.name === game) return shown;
    if (game !== undefined && this.#bundled.includes(game)) {
      this.#address = game;
      return post("/games", { name: game });
    }
    throw new Refusal(0, {
      message: `This is a record of ${game ?? "another game"}`,
      help: "Open the rules of that game first, then the record.",
    });
  }

  /**
   * The same players again, if the roles are the same.
   *
   * @param {Game} game
   */
  #wishes(game) {
    /** @type {Omit<MatchWish, "game"> & { players: NonNullable<MatchWish["players"]> }} */
    const wishes = { players: usualPlayers(game), think: this.players.seconds };
    const before = this.#match?.players;
    if (before?.every(({ name }) => name in wishes.players) && before.length === Object.keys(wishes.players).length) {
      wishes.players = Object.fromEntries(before.map(({ name, player }) => [name, player]));
    }
    if (game.hidden)
      wishes.omniscient = this.#match?.game.hidden === true && find("omniscient", HTMLInputElement).checked;
    return wishes;
  }

  /**
   * Brings a match to all panes.
   *
   * @param {Match} match
   * @param {number | null} [step] that is looked at
   */
  #show(match, step = null) {
    const before = this.#match;
    before?.leave();
    this.#match = match;
    match.at = step;
    find("trouble").replaceChildren();
    const title = match.game.title || match.game.name;
    find("title").textContent = title;
    document.title = `${title} – gdlr`;
    this.#keepAddress(match);
    for (const pane of [this.play, this.reasons, this.thoughts, this.players, this.history, this.numbers])
      pane.follow(match);
    if (before?.game.id !== match.game.id || before?.game.text !== match.game.text) this.rules.follow(match);
    else this.rules.goOn(match);
    match.on("change", () => this.#update(match));
    match.on("trouble", (refusal) => this.#refuse(refusal));
    match.on("silent", (isSilent) => {
      find("silent").hidden = !isSilent;
    });
    match.on("ended", () =>
      this.#refuse(new Refusal(0, { message: "This match is no longer there", help: "Start a new one." })),
    );
    find("omniscient-row").hidden = !match.game.hidden;
    find("omniscient", HTMLInputElement).checked = match.status.omniscient && match.game.hidden;
    match.follow();
  }

  /** @param {Match} match */
  #keepAddress(match) {
    const query = new URLSearchParams(location.search);
    query.set("game", this.#address ?? match.game.id);
    query.set("match", match.id);
    history.replaceState(null, "", `?${query}`);
  }

  /** @param {Match} match */
  #update(match) {
    const { status } = match;
    document.body.classList.toggle("past", !match.isNow);
    const pause = find("pause");
    const word = status.paused ? "Go" : "Pause";
    const isQuiet = !status.chance && match.players.every((role) => role.player === "human");
    pause.hidden = status.terminal || (!status.paused && isQuiet);
    // A press of the mouse that finds its button's content replaced becomes no click.
    if (pause.textContent !== word) pause.replaceChildren(icon(status.paused ? "go" : "pause"), make("span", {}, word));
    find("undo").setAttribute("aria-disabled", String(status.step === 0));
    this.#offerLooks(match);
  }

  /**
   * As whom one may look, where the rules hide something.
   *
   * @param {Match} match
   */
  #offerLooks(match) {
    const { status } = match;
    find("looking").hidden = !status.hidden;
    if (!status.hidden) return;
    const roles = match.players.map((role) => [role.name, role.name]);
    const all = match.isHiding ? [] : [["", "everybody"]];
    const select = find("look-as", HTMLSelectElement);
    const wanted = [...all, ...roles];
    const offered = [...select.options].map((option) => option.value);
    if (offered.join(" ") !== wanted.map(([value]) => value).join(" ")) select.replaceChildren(...options(wanted));
    select.value = match.as ?? "";
  }

  /** @param {string} sentence */
  #ask(sentence) {
    this.tabs.show("why");
    this.reasons.ask(sentence);
  }

  /** @param {Place} place */
  #showRule(place) {
    this.tabs.show("rules");
    this.rules.go(place);
  }

  /** @param {unknown} error */
  #refuse(error) {
    if (!(error instanceof Refusal)) throw error;
    find("trouble").replaceChildren(...refusal(error, (place) => this.#showRule(place)));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find("opener", HTMLDialogElement).open) return;
    if (event.key === "Escape") {
      if (this.play.clear()) event.preventDefault();
      return;
    }
    const step = STEPS[event.key];
    const isTyping = around(event, "input, textarea, select, .drawing");
    if (!step || isTyping || event.defaultPrevented) return;
    event.preventDefault();
    this.history.move(step);
  }
}

/**
 * Does something with a game or match, unless the service does not know it any more.
 *
 * @param {() => Promise<void>} act
 */
async function ifThere(act) {
  try {
    await act();
    return true;
  } catch (error) {
    if (!isUnknown(error)) throw error;
    return false;
  }
}

new Page().begin();
