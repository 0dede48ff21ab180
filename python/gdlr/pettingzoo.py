"""Any game as an environment of PettingZoo: :func:`env` (AEC) and :func:`parallel_env`.

Needs ``pip install 'gdlr[pettingzoo]'``.

The agents are the roles, without chance, whose moves are drawn. What an agent observes is a
dictionary:

* ``"observation"``: ``int8`` of shape ``(n,)``, zeros and ones. A place is a fact of the state; in
  games with rules for ``sees`` a move that the agent made, or something that it saw, since it last
  had a choice. ``env.observation_names(agent)`` says what the places stand for.
* ``"action_mask"``: ``int8`` of shape ``(m,)``, 1 for every legal action. An action is the place of
  a move in ``Game.moves[agent]``.

Rewards come at the end of the game: the goal values divided by 100, so from 0 to 1. After
``max_steps`` joint moves a play is truncated, with no rewards.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from . import Game, State
from ._play import Play
from ._spaces import Actions, Observations

_Observation = dict[str, NDArray[np.int8]]


class _Spaces:
    """What both kinds of environment have in common."""

    def __init__(self, game: Game, render_mode: str | None) -> None:
        if render_mode not in (None, "ansi", "human"):
            raise ValueError(f"render_mode={render_mode!r} is none of 'ansi', 'human', None")
        self.game = game
        self.actions, self.observations = Actions(game), Observations(game)
        self.agents = [role for role in game.roles if role != game.chance]
        self.action_spaces = {
            agent: spaces.Discrete(self.actions.count(agent)) for agent in self.agents
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (self.observations.size(agent),), np.int8),
                    "action_mask": spaces.Box(0, 1, (self.actions.count(agent),), np.int8),
                }
            )
            for agent in self.agents
        }

    def observe(self, state: State, agent: str, may_act: bool) -> _Observation:
        mask = self.actions.mask(state, agent)
        return {
            "observation": self.observations.vector(state, agent),
            "action_mask": mask if may_act else np.zeros_like(mask),
        }

    def rewards(self, state: State) -> dict[str, float]:
        """By agent: its goal value divided by 100; 0 where the rules give none."""
        return {agent: (state.goal(agent) or 0) / 100 for agent in self.agents}


def _game(rules: Game | str | os.PathLike[str]) -> Game:
    return rules if isinstance(rules, Game) else Game(rules)


def _metadata(game: Game, parallelizable: bool) -> dict[str, Any]:
    return {
        "name": f"gdlr_{game.name}_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": parallelizable,
    }


def _render(state: State, mode: str | None) -> str | None:
    """The facts of a state, one a line; printed in the mode ``"human"``."""
    if mode == "human":
        print(state)
    return str(state) if mode == "ansi" else None


class GdlAECEnv(AECEnv[str, _Observation, int]):  # type: ignore[misc]
    """A game whose agents act one after the other.

    An agent is asked where it has more than one legal move. If several have, they act in the order
    of roles, and none observes what the others chose before all have. The action mask of an agent
    that is not to act is all zeros.
    """

    def __init__(
        self, game: Game, *, max_steps: int = 10_000, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self.metadata = _metadata(game, False)
        self.game, self.max_steps, self.render_mode = game, max_steps, render_mode
        self._spaces = _Spaces(game, render_mode)
        self.possible_agents = list(self._spaces.agents)
        self.agents: list[str] = []
        self._rng = random.Random()
        self.play = Play(game.initial)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what an agent observes, see the module."""
        return self._spaces.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The places of ``Game.moves[agent]``."""
        return self._spaces.action_spaces[agent]

    def observation_names(self, agent: str) -> tuple[str, ...]:
        """What the places of ``"observation"`` stand for."""
        return self._spaces.observations.names[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins anew; ``seed`` is that of chance."""
        if seed is not None:
            self._rng = random.Random(seed)
        self.play = Play(self.game.initial)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent: str) -> _Observation:
        """What an agent observes, see the module."""
        return self._spaces.observe(self.play.state, agent, agent == self._actor())

    def step(self, action: int | None) -> None:
        """Acts for ``agent_selection``. ``IndexError`` for a number that is no action,
        ``gdlr.IllegalMove`` for an action that is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act: None is no action")
        self.play.decide(agent, self._spaces.actions.move(agent, int(action)))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._go_on()
        self._accumulate_rewards()
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def state(self) -> NDArray[np.int8]:
        """All facts of the state as a vector, in the order of ``Game.fluents``."""
        return self._spaces.observations.facts(self.play.state)

    def render(self) -> str | None:
        """The facts of the state, one a line."""
        return _render(self.play.state, self.render_mode)

    def close(self) -> None:
        """Nothing is to be closed."""

    def _actor(self) -> str | None:
        """Who is to act."""
        waiting = self.play.to_decide()
        return waiting[0] if waiting and waiting[0] in self.possible_agents else None

    def _go_on(self) -> None:
        """Draws for chance, and sees who is next or whether that was the end."""
        play, chance = self.play, self.game.chance
        while play.state.steps < self.max_steps and play.to_decide()[:1] == (chance,):
            assert chance is not None
            play.decide(chance, self._rng.choice(play.state.legal(chance)))
        actor = self._actor()
        if play.state.terminal:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = self._spaces.rewards(play.state)
        elif actor is None or play.state.steps >= self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = actor


class GdlParallelEnv(ParallelEnv[str, _Observation, int]):  # type: ignore[misc]
    """A game whose agents act at once, as GDL has it: in every step each agent chooses one of its
    legal moves, if there is but one, that. An agent that is left out of ``actions`` plays its only
    legal move.
    """

    def __init__(
        self, game: Game, *, max_steps: int = 10_000, render_mode: str | None = None
    ) -> None:
        self.metadata = _metadata(game, True)
        self.game, self.max_steps, self.render_mode = game, max_steps, render_mode
        self._spaces = _Spaces(game, render_mode)
        self.possible_agents = list(self._spaces.agents)
        self.agents: list[str] = []
        self._rng = random.Random()
        self.current = game.initial

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what an agent observes, see the module."""
        return self._spaces.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The places of ``Game.moves[agent]``."""
        return self._spaces.action_spaces[agent]

    def observation_names(self, agent: str) -> tuple[str, ...]:
        """What the places of ``"observation"`` stand for."""
        return self._spaces.observations.names[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, _Observation], dict[str, dict[str, Any]]]:
        """Begins anew; ``seed`` is that of chance."""
        if seed is not None:
            self._rng = random.Random(seed)
        self.current = self.game.initial
        self.agents = list(self.possible_agents)
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, _Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Plays a joint move. ``IndexError`` for a number that is no action,
        ``gdlr.IllegalMove`` for an action that is not legal."""
        joint = {
            agent: self._spaces.actions.move(agent, int(action))
            for agent, action in actions.items()
        }
        chance = self.game.chance
        if chance is not None and len(self.current.legal(chance)) > 1:
            joint[chance] = self._rng.choice(self.current.legal(chance))
        self.current = self.current.step(joint)
        over = self.current.terminal
        cut = not over and self.current.steps >= self.max_steps
        nothing = dict.fromkeys(self.agents, 0.0)
        rewards = self._spaces.rewards(self.current) if over else nothing
        observations, infos = self._observations(), self._infos()
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, cut)
        if over or cut:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def state(self) -> NDArray[np.int8]:
        """All facts of the state as a vector, in the order of ``Game.fluents``."""
        return self._spaces.observations.facts(self.current)

    def render(self) -> str | None:
        """The facts of the state, one a line."""
        return _render(self.current, self.render_mode)

    def close(self) -> None:
        """Nothing is to be closed."""

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, _Observation]:
        return {agent: self._spaces.observe(self.current, agent, True) for agent in self.agents}


def env(
    rules: Game | str | os.PathLike[str],
    *,
    max_steps: int = 10_000,
    render_mode: str | None = None,
) -> GdlAECEnv:
    """The game of some rules, or one that is there, as an environment whose agents act one after
    the other. ``rules`` is as for :class:`gdlr.Game`."""
    return GdlAECEnv(_game(rules), max_steps=max_steps, render_mode=render_mode)


def parallel_env(
    rules: Game | str | os.PathLike[str],
    *,
    max_steps: int = 10_000,
    render_mode: str | None = None,
) -> GdlParallelEnv:
    """The game of some rules, or one that is there, as an environment whose agents act at once.
    ``rules`` is as for :class:`gdlr.Game`."""
    return GdlParallelEnv(_game(rules), max_steps=max_steps, render_mode=render_mode)
