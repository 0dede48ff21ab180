// The match that is looked at: how it stands, the state on show, and as whom one looks at it.

import { Refusal, get, isUnknown, listen, post } from "./api.js";
import { Teller } from "./events.js";

/** @import { Move } from "./choice.js" */
/** @import { Explained, ExplainWish, Game, MatchRecord, MatchWish, PlayersWish, RuleAnswer } from "./service.js" */
/** @import { StateAnswer, Status, Thought } from "./service.js" */
/** @typedef {Omit<StateAnswer, "legal"> & { legal: Record<string, Move[]> }} State with the squares of its moves */

/** How long to wait before asking again, in milliseconds. */
const AGAIN = 2000;

/**
 * Tells `change` with the state on show when what is to be seen has changed, `thought` with an
 * estimate of a player or a hint, `trouble` with a refusal, `silent` with whether the service does not
 * answer, and `ended` when the match is no more. How the match stands (`status`) and the state on show
 * (`state`) always belong together.
 *
 * @extends {Teller<{ change: State, thought: Thought, trouble: Refusal, silent: boolean, ended: null }>}
 */
export class Match extends Teller {
  /** @type {EventSource | undefined} */
  #stream;
  /** How the match stands by the latest news; `status` follows when its state is there. */
  #latest;
  /** Whether the state on show is to be got anew. */
  #isStale = false;
  #isBusy = false;
  #isClosed = false;
  /**
   * The latest of the requests that change the match.
   *
   * @type {Promise<unknown>}
   */
  #sent = Promise.resolve();

  /**
   * @param {Game} game
   * @param {Status} status
   */
  constructor(game, status) {
    super();
    this.game = game;
    this.id = status.id;
    this.status = status;
    this.#latest = status;
    /**
     * The state on show, once it is there.
     *
     * @type {State | null}
     */
    this.state = null;
    /**
     * The step that is looked at, or null for the present.
     *
     * @type {number | null}
     */
    this.at = null;
    /**
     * As whom one looks, or null for everything.
     *
     * @type {string | null}
     */
    this.as = this.#firstLook(status);
  }

  /**
   * @param {Game} game
   * @param {Omit<MatchWish, "game">} [wishes]
   */
  static async start(game, wishes = {}) {
    // Dice fall anew in each match.
    const seed = Math.floor(Math.random() * 2 ** 32);
    return new Match(game, await post("/matches", { game: game.id, seed, ...wishes }));
  }

  /** @param {string} id */
  static async reopen(id) {
    /** @type {Status} */
    const status = await get(`/matches/${id}`);
    return new Match(await get(`/games/${status.game}`), status);
  }

  /** Begins to follow the match. */
  follow() {
    document.addEventListener("visibilitychange", this.#onSight);
    this.#listen();
    this.#awaitPictures();
    return this.#renew();
  }

  /** A browser has few connections to a service: pages that nobody sees do not keep one. */
  #onSight = () => {
    if (document.hidden) this.#stream?.close();
    else if (this.#stream?.readyState === EventSource.CLOSED) this.#listen();
  };

  #listen() {
    /** @type {{ match: (status: Status) => void, thought: (thought: Thought) => void, ended: () => void }} */
    const listeners = {
      match: (status) => this.#renew(status),
      thought: (thought) => this.#tell("thought", thought),
      ended: () => this.#end(),
    };
    const stream = listen(`/matches/${this.id}/events`, {}, listeners);
    this.#stream = stream;
    stream.onopen = () => this.#tell("silent", false);
    stream.onerror = () => {
      this.#tell("silent", true);
      // The browser tries again by itself, unless it was told that there is no such stream.
      if (stream.readyState === EventSource.CLOSED) this.#find();
    };
  }

  /** Listens again if the match is still there. */
  async #find() {
    await new Promise((rest) => setTimeout(rest, AGAIN));
    if (this.#isClosed || document.hidden || this.#stream?.readyState !== EventSource.CLOSED) return;
    try {
      await get(`/matches/${this.id}`);
      this.#listen();
    } catch (error) {
      if (isUnknown(error)) this.#end();
      else this.#find();
    }
  }

  #end() {
    this.#tell("silent", false);
    this.close();
    this.#tell("ended", null);
  }

  /** Nobody looks any more: players need not think. */
  leave() {
    const { terminal, paused } = this.status;
    this.close();
    // It may be gone, which is as good.
    if (!terminal && !paused) this.change({ paused: true }).catch(() => {});
  }

  close() {
    this.#isClosed = true;
    document.removeEventListener("visibilitychange", this.#onSight);
    this.#stream?.close();
  }

  /** Whether the state on show is the present one. */
  get isNow() {
    return this.at === null;
  }

  /** Whether the state may be hidden from who looks. */
  get isHiding() {
    return hides(this.status);
  }

  /** Whether nobody sits here: one watches. */
  get isWatched() {
    return this.players.every((role) => role.player !== "human");
  }

  /** The roles that somebody plays: all but that of chance. */
  get players() {
    return this.status.roles.flatMap(({ name, player }) => (player === "chance" ? [] : [{ name, player }]));
  }

  /**
   * The number of a role, as in joint moves.
   *
   * @param {string} name
   */
  roleNumber(name) {
    return this.status.roles.findIndex((role) => role.name === name);
  }

  /** Who of those that sit here is to move, as far as who looks may move for them. */
  get mover() {
    if (this.status.terminal || this.status.paused) return null;
    const open = this.open;
    if (!this.isHiding) return open[0] ?? null;
    return this.as !== null && open.includes(this.as) ? this.as : null;
  }

  /** Those whose moves are waited for. */
  get open() {
    return this.status.waiting.filter((role) => !this.status.chosen.includes(role));
  }

  /**
   * The legal moves of a role in the state on show.
   *
   * @param {string} role
   */
  movesOf(role) {
    return this.state?.legal[role] ?? [];
  }

  /**
   * Shows the state of a step; null is the present one, and that which comes then.
   *
   * @param {number | null} step
   */
  look(step) {
    this.at = step === null || step >= this.status.step ? null : Math.max(0, step);
    return this.#renew();
  }

  /** @param {string | null} role */
  lookAs(role) {
    this.as = role;
    return this.#renew();
  }

  /**
   * @param {string} role
   * @param {{ id: string } | { move: string }} move
   */
  async move(role, move) {
    await this.#send("moves", { role, step: this.status.step, ...move });
  }

  /**
   * Goes back; without a step to the last choice of somebody who sits here.
   *
   * @param {number} [step]
   */
  async undo(step) {
    await this.#send("undo", step === undefined ? {} : { step });
    this.at = null;
  }

  /** @param {PlayersWish} wishes */
  async change(wishes) {
    await this.#send("players", wishes);
  }

  /**
   * @param {string} role
   * @param {number} think
   */
  async hint(role, think) {
    await post(`/matches/${this.id}/hint`, { role, think });
  }

  /**
   * @param {string} sentence
   * @returns {Promise<Explained>}
   */
  explain(sentence) {
    /** @type {ExplainWish} */
    const wish = { sentence, step: this.state?.step ?? this.status.step };
    return post(`/matches/${this.id}/explain`, wish);
  }

  /**
   * @param {number} offset
   * @returns {Promise<RuleAnswer>}
   */
  rule(offset) {
    return post(`/matches/${this.id}/rule`, { offset, step: this.state?.step ?? this.status.step });
  }

  /**
   * Sends a request that changes the match, once the one before it is answered. A browser has several
   * connections, and requests on two of them may overtake each other: a move would come before the
   * change that says who moves.
   *
   * @param {string} path
   * @param {object} body
   */
  #send(path, body) {
    const answer = this.#sent.then(() => post(`/matches/${this.id}/${path}`, body));
    this.#sent = answer.catch(() => {});
    return answer;
  }

  /**
   * The match as a record that can be replayed.
   *
   * @returns {Promise<MatchRecord>}
   */
  record() {
    return get(`/matches/${this.id}/record`);
  }

  /** Waits until the service has learned all of boards and moves, and then shows the state again. */
  async #awaitPictures() {
    for (let wait = 250; this.game.pictures !== "final" && wait < 20_000 && !this.#isClosed; wait *= 1.6) {
      await new Promise((rest) => setTimeout(rest, wait));
      /** @type {Game} */
      const { engine, pictures } = await get(`/games/${this.game.id}`).catch(() => this.game);
      if (engine === this.game.engine && pictures === this.game.pictures) continue;
      Object.assign(this.game, { engine, pictures });
      await this.#renew();
    }
  }

  /**
   * Gets the state that belongs to how the match stands. What is wanted while one is on its way is
   * got after it, by the latest news.
   *
   * @param {Status} [status]
   */
  async #renew(status = this.#latest) {
    this.#latest = status;
    this.#isStale = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      await this.#take(this.#latest);
    }
    this.#isBusy = false;
  }

  /** @param {Status} status */
  async #take(status) {
    if (this.at !== null && this.at >= status.step) this.at = null;
    if (hides(status) && this.as === null) this.as = this.#firstLook(status);
    try {
      // By number, so that the state is that of `status`, even if the match went on meanwhile.
      const step = this.at ?? status.step;
      /** @type {StateAnswer} */
      const answer = await get(`/matches/${this.id}/states/${step}`, { as: status.hidden ? this.as : null });
      this.status = status;
      this.state = withTargets(answer);
      this.#tell("change", this.state);
    } catch (error) {
      if (!(error instanceof Refusal)) reportError(error);
      // That step was taken back meanwhile: the news about that are on their way.
      else if (!this.#isStale && !isUnknown(error)) this.#tell("trouble", error);
    }
  }

  /**
   * As whom one looks at first: the one who sits here, where there is something to hide.
   *
   * @param {Status} status
   */
  #firstLook(status) {
    if (!status.hidden || status.omniscient) return null;
    const here = status.roles.filter((role) => role.name !== status.chance);
    const people = here.filter((role) => role.player === "human").map((role) => role.name);
    return people.find((name) => status.waiting.includes(name)) ?? people[0] ?? here[0]?.name ?? null;
  }

  /** @type {Match["tell"]} */
  #tell(kind, detail) {
    if (!this.#isClosed || kind === "ended") this.tell(kind, detail);
  }
}

/**
 * The state, with the squares that its moves name in the place of their numbers.
 *
 * @param {StateAnswer} answer
 * @returns {State}
 */
function withTargets(answer) {
  /** @type {State["legal"]} */
  const legal = {};
  for (const [role, moves] of Object.entries(answer.legal)) {
    legal[role] = moves.map((move) => ({ ...move, squares: move.squares.map((at) => answer.targets[at]) }));
  }
  return { ...answer, legal };
}

/**
 * Whether the state of a match is hidden from those who play.
 *
 * @param {Status} status
 */
function hides({ hidden, omniscient, terminal, stopped }) {
  return hidden && !omniscient && !terminal && !stopped;
}
