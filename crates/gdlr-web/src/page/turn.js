// Whose turn it is, in words.

import { count, listed } from "./text.js";

/** What the players that think are called. */
export const PLAYERS = [
  ["human", "a person here"],
  ["uct", "tree search"],
  ["mc", "Monte Carlo"],
  ["random", "random moves"],
];

/** How a match stands: `text` in a few words, `more` in some more, `tone` for its colour. */
export function standing(match) {
  const { status, state } = match;
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
  if (match.mover) return toMove(match);
  if (match.open.length) return handOver(match);
  if (match.isWatched) {
    return { text: "Watching", more: status.thinking ? `${status.thinking} is thinking.` : "", tone: "wait" };
  }
  if (status.thinking) {
    const kind = PLAYERS.find(([name]) => name === playerOf(status, status.thinking))?.[1];
    return { text: `${status.thinking} is thinking`, more: kind ? `Played by ${kind}.` : "", tone: "wait" };
  }
  return { text: "One moment", more: "", tone: "wait" };
}

function playerOf(status, name) {
  return status.roles.find((role) => role.name === name)?.player;
}

function toMove(match) {
  const { mover, open, status } = match;
  const others = open.filter((role) => role !== mover);
  const moves = match.movesOf(mover).length;
  const more = [moves ? `${count(moves, "legal move")}.` : ""];
  if (status.chosen.length) more.push(`${listed(status.chosen)} chose already; all move at the same time.`);
  else if (others.length) more.push(`${listed(others)} next: all move at the same time.`);
  return { text: `${mover} to move`, more: more.join(" ").trim(), tone: "turn" };
}

/** Somebody is to move who sees other things than what is on show. */
function handOver(match) {
  const next = match.open[0];
  return { text: `${next} to move`, more: `You look as ${match.as}.`, tone: "wait", handTo: next };
}

/** Who won, if that can be said in a word. */
function verdict({ goals }) {
  const entries = Object.entries(goals ?? {}).filter(([, value]) => value !== null);
  if (entries.length === 0) return "The match is over";
  if (entries.length === 1) return `The match is over: ${entries[0][1]} of 100`;
  const best = Math.max(...entries.map(([, value]) => value));
  const winners = entries.filter(([, value]) => value === best).map(([name]) => name);
  if (winners.length === entries.length) return "The match is a draw";
  return winners.length === 1
    ? `The match is over: ${winners[0]} won`
    : `The match is over: ${listed(winners)} are ahead`;
}

function result({ goals }) {
  const entries = Object.entries(goals ?? {});
  return entries.length ? `Goals: ${entries.map(([name, value]) => `${name} ${value ?? "?"}`).join(", ")}.` : "";
}
