"""Tree search in many games at once, one tree in each lane of an environment.

The search is that of AlphaZero (Silver et al., *A general reinforcement learning algorithm that
masters chess, shogi, and Go through self-play*, 2018): no playouts, but a network that says of a
state how good each action is (*prior*) and how the game will end (*value*), and the rule PUCT to
choose which action to look at next. Here all trees grow by one leaf at a time, in step, so that the
leaves of all games are one batch for the network, and one step of the lanes.

Trees are arrays with a row for each game: ``visits[game, node, action]`` and so on; node 0 is the
root. States are rows of ``env.save()`` in such an array. Values are goals, from 0 to 1, one for
each role, so that nothing here is about two roles or zero sums: each role chooses what is good for
itself. The moves of roles must alternate, though, and none be chance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import gdlr
import numpy as np
from network import Array, softmax

#: Observations and masks to logits of actions and goals of roles, a row for each.
Evaluate: TypeAlias = Callable[[Array, Array], tuple[Array, Array]]


class TreeSearch:
    """Searches from the states in which the lanes of an environment are."""

    #: How much the prior counts beside what was found.
    EXPLORATION = 1.5
    #: Noise for the priors at roots, so that self-play tries everything: how much, and the
    #: parameter of its Dirichlet distribution times the number of legal actions.
    NOISE, CONCENTRATION = 0.25, 10.0

    def __init__(
        self, env: gdlr.Env, evaluate: Evaluate, simulations: int, rng: np.random.Generator
    ) -> None:
        """``env`` has ``autoreset="disabled"``; each tree gets so many ``simulations``."""
        if env.simultaneous or env.game.chance is not None or env.autoreset != "disabled":
            raise ValueError(f"{env.game.name}: roles must alternate, without chance")
        self.env, self.evaluate, self.simulations, self.rng = env, evaluate, simulations, rng
        lanes, nodes = env.num_envs, simulations + 1
        actions, roles = len(env.actions), len(env.roles)
        self.games = np.arange(lanes)
        self.saved = np.zeros((lanes, nodes, env.save([0]).shape[1]), np.uint64)
        self.over = np.zeros((lanes, nodes), bool)
        self.player = np.zeros((lanes, nodes), np.int32)
        self.goals = np.zeros((lanes, nodes, roles), np.float32)
        # Of each action: whether it may be played, its prior, how often it was looked at, the
        # sum of what it brought to the player, and the node to which it leads, 0 for none.
        self.legal = np.zeros((lanes, nodes, actions), bool)
        self.prior = np.zeros((lanes, nodes, actions), np.float32)
        self.visits = np.zeros((lanes, nodes, actions), np.float32)
        self.total = np.zeros((lanes, nodes, actions), np.float32)
        self.child = np.zeros((lanes, nodes, actions), np.int32)

    def run(self, noise: bool) -> tuple[Array, Array]:
        """By lane, how often each action of the root was looked at, and what its roles may
        expect. Afterwards the lanes are where they were before.
        """
        env, games = self.env, self.games
        for array in (self.visits, self.total, self.child):
            array[:] = 0
        self._note(0, games)
        if noise:
            self._add_noise()
        expected = np.zeros_like(self.goals[:, 0])
        for node in range(1, self.simulations + 1):
            path, parent, action, leaf = self._select()
            grows = (leaf == 0) & ~self.over[:, 0]
            if grows.any():
                env.restore(self.saved[games, parent])
                env.step(np.where(grows, action, -1))
                new = np.flatnonzero(grows)
                self.child[new, parent[new], action[new]] = node
                self._note(node, new)
            goals = self.goals[games, np.where(grows, node, leaf)]
            self._back_up(path, goals)
            expected += goals
        env.restore(self.saved[:, 0])
        return self.visits[:, 0].copy(), expected / self.simulations

    def _note(self, node: int, games: Array) -> None:
        """Makes nodes of the states in which the lanes of some games are."""
        observation, rewards, terminated, _, info = self.env.last()
        assert observation is not None
        mask = info["legal_action_mask"][games]
        logits, goals = self.evaluate(observation[games], mask)
        over = terminated[games]
        self.saved[games, node] = self.env.save()[games]
        self.over[games, node] = over
        self.player[games, node] = info["current_player"][games]
        self.goals[games, node] = np.where(over[:, None], np.nan_to_num(rewards[games]), goals)
        self.legal[games, node] = mask
        self.prior[games, node] = softmax(logits, mask)

    def _add_noise(self) -> None:
        legal = self.legal[:, 0]
        shape = self.CONCENTRATION / np.maximum(legal.sum(axis=1, keepdims=True), 1)
        drawn = self.rng.gamma(np.broadcast_to(shape, legal.shape)) * legal
        drawn /= np.maximum(drawn.sum(axis=1, keepdims=True), 1e-9)
        self.prior[:, 0] += self.NOISE * (drawn - self.prior[:, 0])

    def _select(self) -> tuple[list[tuple[Array, Array, Array]], Array, Array, Array]:
        """Goes down the trees: the steps of the way (games, nodes, actions), then by game the last
        node, the action there, and where that leads: to a node that is over, or nowhere yet (0).
        """
        parent = np.zeros(len(self.games), np.int64)
        action, leaf = np.zeros_like(parent), np.zeros_like(parent)
        path = []
        games = np.flatnonzero(~self.over[:, 0])
        nodes = np.zeros_like(games)
        while len(games):
            visits, prior = self.visits[games, nodes], self.prior[games, nodes]
            count = visits.sum(axis=1, keepdims=True)
            # What was never looked at counts as what the network says of the node.
            own = self.goals[games, nodes, self.player[games, nodes]][:, None]
            mean = (self.total[games, nodes] + own) / (visits + 1)
            score = mean + self.EXPLORATION * prior * np.sqrt(count + 1) / (visits + 1)
            best = np.where(self.legal[games, nodes], score, -np.inf).argmax(axis=1)
            path.append((games, nodes, best))
            after = self.child[games, nodes, best]
            parent[games], action[games], leaf[games] = nodes, best, after
            goes_on = (after > 0) & ~self.over[games, after]
            games, nodes = games[goes_on], after[goes_on]
        return path, parent, action, leaf

    def _back_up(self, path: list[tuple[Array, Array, Array]], goals: Array) -> None:
        """Adds what was found at the leaves to the ways that led there."""
        for games, nodes, actions in path:
            # Each game is in a step once.
            self.visits[games, nodes, actions] += 1
            self.total[games, nodes, actions] += goals[games, self.player[games, nodes]]
