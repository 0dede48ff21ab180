"""Games of an agent that searches: against itself, and against others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gdlr
import numpy as np
from network import Array
from tree_search import TreeSearch


@dataclass
class Positions:
    """What is learned from, a row for each position of games that are over."""

    observation: Array
    mask: Array
    policy: Array
    """How often the search looked at each action, as chances."""
    goals: Array
    """By role, from 0 to 1: the mean of how the game ended and what the search expected."""

    def __len__(self) -> int:
        return len(self.goals)


class SelfPlay:
    """Games of an agent against itself in all lanes; where one is over, another begins."""

    def __init__(self, search: TreeSearch, drawn: int = 2) -> None:
        """In the first steps of a game, so many, actions are ``drawn``, by the square roots of how
        often they were looked at: so others than the best are played, too, and positions in which
        there are many ways to go wrong turn out worse than others that are as good in theory.
        Later the best is taken, so that what begins badly ends badly.
        """
        self.search, self.drawn, self.games = search, drawn, 0
        # Of the games under way, by lane: a row for each step.
        self.played: list[list[tuple[Array, ...]]] = [[] for _ in range(search.env.num_envs)]

    def step(self) -> list[tuple[Array, ...]]:
        """Plays an action in each lane; returns the rows of the games that ended."""
        env, search = self.search.env, self.search
        observation, _, _, _, info = env.last()
        assert observation is not None
        seen, mask = observation.copy(), info["legal_action_mask"].copy()
        visits, expected = search.run(noise=True)
        policy = visits / visits.sum(axis=1, keepdims=True)
        early = np.array([len(rows) < self.drawn for rows in self.played])
        drawn = draw(np.sqrt(visits), search.rng)
        _, rewards, over, _, _ = env.step(np.where(early, drawn, policy.argmax(axis=1)))
        ended: list[tuple[Array, ...]] = []
        for lane, rows in enumerate(self.played):
            rows.append((seen[lane], mask[lane], policy[lane], expected[lane]))
            if over[lane]:
                goals = np.nan_to_num(rewards[lane])
                ended += [(*row[:3], (row[3] + goals) / 2) for row in rows]
                rows.clear()
                self.games += 1
        env.reset(mask=over.copy())
        return ended

    def play(self, count: int) -> Positions:
        """Plays until so many positions are there, or some more."""
        rows: list[tuple[Array, ...]] = []
        while len(rows) < count:
            rows += self.step()
        return Positions(*(np.array(column) for column in zip(*rows, strict=True)))


def draw(weights: Array, rng: np.random.Generator) -> Array:
    """A column of each row, by weights."""
    sums = weights.cumsum(axis=1)
    return np.asarray((sums > rng.random((len(sums), 1)) * sums[:, -1:]).argmax(axis=1))


#: The actions of a player in some lanes, those in which it is to move.
Player = Callable[[gdlr.Env, Array], Array]


def at_random(rng: np.random.Generator) -> Player:
    """A player that takes any legal action."""
    return lambda env, lanes: env.random_actions(rng)[lanes]


def by_playouts(playouts: int, rng: np.random.Generator) -> Player:
    """The search of gdlr, which knows no network: UCT with so many random playouts."""

    def choose(env: gdlr.Env, lanes: Array) -> Array:
        best = []
        for lane in lanes.tolist():
            state, role = env.state(lane), env.roles[env.current_player[lane]]
            seed = int(rng.integers(2**32))
            best.append(env.action(env.game.mcts(state, role, playouts=playouts, seed=seed).best))
        return np.array(best, np.int64)

    return choose


def against(search: TreeSearch, other: Player) -> tuple[int, int, int]:
    """Plays a game in each lane, every second with the other player first; the agent takes what it
    looked at most. Returns how many games the agent won, drew and lost: goals of 100, between, 0.
    """
    env = search.env
    env.reset()
    seat = np.arange(env.num_envs) % 2
    goals, over = np.zeros(env.num_envs), np.zeros(env.num_envs, bool)
    while not over.all():
        player = env.current_player.copy()
        visits, _ = search.run(noise=False)
        actions = visits.argmax(axis=1)
        others = np.flatnonzero((player >= 0) & (player != seat))
        actions[others] = other(env, others)
        _, rewards, terminated, _, _ = env.step(np.where(player >= 0, actions, -1))
        goals = np.where(terminated, rewards[np.arange(len(seat)), seat], goals)
        over = terminated.copy()
    won, lost = int((goals == 1).sum()), int((goals == 0).sum())
    return won, len(goals) - won - lost, lost
