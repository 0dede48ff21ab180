// Who plays which role, and how long players think.

import { make, options } from "./dom.js";
import { PLAYERS } from "./turn.js";

const KINDS = PLAYERS.map(([kind, text]) => [kind, text[0].toUpperCase() + text.slice(1)]);

export class Players {
  #match = null;

  /** `refused` is called with what the service does not want. */
  constructor({ host, think }, refused) {
    Object.assign(this, { host, think, refused });
    think.addEventListener("change", () => this.#change({ think: this.seconds }));
  }

  follow(match) {
    this.#match = match;
    this.#list(match);
    this.think.value = match.status.think;
    match.addEventListener("change", () => this.#update(match));
  }

  /** Seconds for a move, within what the service takes. */
  get seconds() {
    const value = Number(this.think.value);
    const fits = Number.isFinite(value) ? Math.min(60, Math.max(0.05, value)) : 1;
    this.think.value = fits;
    return fits;
  }

  #list(match) {
    this.host.replaceChildren(
      ...match.players.map((role, i) => {
        const select = make("select", { id: `player-${i}`, data: { role: role.name } }, options(KINDS, role.player));
        select.addEventListener("change", () => this.#change({ players: { [role.name]: select.value } }));
        return make("div", { className: "player" }, make("label", { htmlFor: select.id }, role.name), select);
      }),
    );
    if (match.status.chance) {
      this.host.append(make("p", { className: "quiet" }, `${match.status.chance} is chance: its moves are drawn.`));
    }
  }

  #update(match) {
    for (const select of this.host.querySelectorAll("select")) {
      const role = match.status.roles.find((one) => one.name === select.dataset.role);
      if (role && document.activeElement !== select) select.value = role.player;
    }
    if (document.activeElement !== this.think) this.think.value = match.status.think;
  }

  async #change(wishes) {
    try {
      await this.#match?.change(wishes);
    } catch (error) {
      this.refused(error);
    }
  }
}

/** Who plays if nobody has said so: a person the first role, tree search the others. */
export function usualPlayers(game) {
  const roles = game.roles.filter((role) => role !== game.chance);
  return Object.fromEntries(roles.map((role, i) => [role, i === 0 ? "human" : "uct"]));
}
