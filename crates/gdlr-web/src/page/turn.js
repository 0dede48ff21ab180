// Whose turn it is, in words.

import { count, listed } from "./text.js";

/** @import { Match, State } from "./match.js" */
/** @import { Goals, PlayerName, Status } from "./service.js" */

/**
 * How a match stands: `text` in a few words, `more` in some more, `tone` for its colour, `handTo` for who
 * should look next.
 *
 * @typedef {{ text: string, more: string, tone: string, handTo?: string }} Standing
 */

/**
 * The players of every game, and their titles.
 *
 * @type {[PlayerName, string][]}
 */
const PLAYERS = [
  ["human", "a person here"],
  ["uct", "tree search"],
  ["alphabeta", "alpha-beta"],
  ["mc", "Monte Carlo"],
  ["random", "random moves"],
];

/**
 * The players that can be chosen in a match, and their titles.
 *
 * @param {Status} status
 * @returns {[PlayerName, string][]}
 */
export function playersOf(status) {
  /** @type {[PlayerName, string][]} */
  const nets = status.nets.map((name) => [name, `value net ${fileOf(name)}`]);
  return [...PLAYERS, ...nets];
}

/**
 * The name of the file of a value net, without its folder and ending.
 *
 * @param {string} net
 */
function fileOf(net) {
  return net.slice(Math.max(net.indexOf(":"), net.lastIndexOf("/")) + 1).replace(/\.onnx$/, "");
}

/**
 * How a match stands, with its state on show.
 *
 * @param {Match} match
 * @param {State} state
 * @returns {Standing}
 */
export function standing(match, state) {
  const { status } = match;
  const shown = match.isNow ? status : { ...status, terminal: state.terminal, goals: state.goals };
  if (!match.isNow) {
    const end = shown.terminal ? ` ${result(shown)}` : "";
    return {
      text: `State ${state.step} of ${status.step}`,
      more: `You are looking back; the match goes on from state ${status.step}.${end}`,
      tone: "past",
    };
  }
  if (shown.terminal) return { text: verdict(shown), more: result(shown), tone: "over" };
  if (status.stopped) return { text: "The match cannot go on", more: status.stopped, tone: "bad" };
  if (status.paused)
    return { text: "Paused", more: "No player thinks and nothing is drawn until you let it go on.", tone: "past" };
  if (match.mover) return toMove(match, match.mover);
  if (match.open.length) return handOver(match);
  if (match.isWatched) {
    return { text: "Watching", more: status.thinking ? `${status.thinking} is thinking.` : "", tone: "wait" };
  }
  if (status.thinking) {
    const player = playerOf(status, status.thinking);
    const kind = playersOf(status).find(([name]) => name === player)?.[1];
    return { text: `${status.thinking} is thinking`, more: kind ? `Played by ${kind}.` : "", tone: "wait" };
  }
  return { text: "One moment", more: "", tone: "wait" };
}

/**
 * Who plays a role.
 *
 * @param {Status} status
 * @param {string} name
 */
function playerOf(status, name) {
  return status.roles.find((role) => role.name === name)?.player;
}

/**
 * Somebody who sits here is to move.
 *
 * @param {Match} match
 * @param {string} mover
 * @returns {Standing}
 */
function toMove(match, mover) {
  const { open, status } = match;
  const others = open.filter((role) => role !== mover);
  const moves = match.movesOf(mover).length;
  const more = [moves ? `${count(moves, "legal move")}.` : ""];
  if (status.chosen.length) more.push(`${listed(status.chosen)} chose already; all move at the same time.`);
  else if (others.length) more.push(`${listed(others)} next: all move at the same time.`);
  return { text: `${mover} to move`, more: more.join(" ").trim(), tone: "turn" };
}

/**
 * Somebody is to move who sees other things than what is on show.
 *
 * @param {Match} match
 * @returns {Standing}
 */
function handOver(match) {
  const next = match.open[0];
  return { text: `${next} to move`, more: `You look as ${match.as}.`, tone: "wait", handTo: next };
}

/**
 * Who won, if that can be said in a word.
 *
 * @param {{ goals: Goals | null }} status
 */
function verdict({ goals }) {
  const entries = goalValues(goals);
  if (entries.length === 0) return "The match is over";
  if (entries.length === 1) return `The match is over: ${entries[0][1]} of 100`;
  const best = Math.max(...entries.map(([, value]) => value));
  const winners = entries.filter(([, value]) => value === best).map(([name]) => name);
  if (winners.length === entries.length) return "The match is a draw";
  return winners.length === 1
    ? `The match is over: ${winners[0]} won`
    : `The match is over: ${listed(winners)} are ahead`;
}

/**
 * By role, where the rules give a proper value.
 *
 * @param {Goals | null} goals
 * @returns {[string, number][]}
 */
function goalValues(goals) {
  return Object.entries(goals ?? {}).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
}

/**
 * The goals in words.
 *
 * @param {{ goals: Goals | null }} status
 */
function result({ goals }) {
  const entries = Object.entries(goals ?? {});
  return entries.length ? `Goals: ${entries.map(([name, value]) => `${name} ${value ?? "?"}`).join(", ")}.` : "";
}
