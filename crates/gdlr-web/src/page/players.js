// Who plays which role, and how long players think.

import { make, options } from "./dom.js";
import { playersOf } from "./turn.js";

/** @import { Match } from "./match.js" */
/** @import { Refused } from "./play.js" */
/** @import { Game, PlayerName, PlayersWish } from "./service.js" */

export class Players {
  /** @type {Match | null} */
  #match = null;

  /**
   * `refused` is called with what the service does not want.
   *
   * @param {{ host: HTMLElement, think: HTMLInputElement }} parts
   * @param {Refused} refused
   */
  constructor({ host, think }, refused) {
    this.host = host;
    this.think = think;
    this.refused = refused;
    think.addEventListener("change", () => this.#change({ think: this.seconds }));
  }

  /** @param {Match} match */
  follow(match) {
    this.#match = match;
    this.#list(match);
    this.think.value = String(match.status.think);
    match.on("change", () => this.#update(match));
  }

  /** Seconds for a move, within what the service takes. */
  get seconds() {
    const value = Number(this.think.value);
    const fits = Number.isFinite(value) ? Math.min(60, Math.max(0.05, value)) : 1;
    this.think.value = String(fits);
    return fits;
  }

  /** @param {Match} match */
  #list(match) {
    const players = playersOf(match.status);
    const kinds = players.map(([kind, text]) => [kind, text[0].toUpperCase() + text.slice(1)]);
    this.host.replaceChildren(
      ...match.players.map((role, i) => {
        const select = make("select", { id: `player-${i}`, data: { role: role.name } }, options(kinds, role.player));
        select.addEventListener("change", () => {
          const [kind] = players[select.selectedIndex];
          this.#change({ players: { [role.name]: kind } });
        });
        return make("div", { className: "player" }, make("label", { htmlFor: select.id }, role.name), select);
      }),
    );
    if (match.status.chance) {
      this.host.append(make("p", { className: "quiet" }, `${match.status.chance} is chance: its moves are drawn.`));
    }
  }

  /** @param {Match} match */
  #update(match) {
    for (const select of this.host.querySelectorAll("select")) {
      const role = match.status.roles.find((one) => one.name === select.dataset.role);
      if (role && document.activeElement !== select) select.value = role.player;
    }
    if (document.activeElement !== this.think) this.think.value = String(match.status.think);
  }

  /** @param {PlayersWish} wishes */
  async #change(wishes) {
    try {
      await this.#match?.change(wishes);
    } catch (error) {
      this.refused(error);
    }
  }
}

/**
 * Who plays if nobody has said so: a person the first role, tree search the others.
 *
 * @param {Game} game
 * @returns {Record<string, PlayerName>}
 */
export function usualPlayers(game) {
  const roles = game.roles.filter((role) => role !== game.chance);
  /** @type {(i: number) => PlayerName} */
  const player = (i) => (i === 0 ? "human" : "uct");
  return Object.fromEntries(roles.map((role, i) => [role, player(i)]));
}
