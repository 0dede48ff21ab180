"""Rulesheets as environments of Gymnasium: :class:`VectorEnv`, many games at once, and
:class:`Env`, a single one.

The agent plays for every role in turn (self-play): an action is that of the role that is to
move, ``info["current_player"]``, and the reward is that of the role that has just acted. What is
legal stands in ``info["action_mask"]``. Games in which several roles act at once are not games of
one agent: for those there is ``gdlr.pettingzoo``.

Needs ``pip install 'gdlr[gymnasium]'``.
"""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._env import Env as Lanes
from ._env import make
from ._gdlr import Game

Array = npt.NDArray[Any]

_MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class VectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """Games of a rulesheet, ``num_envs`` at once; ``rules`` is as for :func:`gdlr.make`.

    Observations are int8 arrays of ``single_observation_space``, 0 or 1: a ``MultiBinary`` of the
    shape of :attr:`gdlr.Env.observation_shape`. Where the rules hide the state (``sees``), an
    observation is what each role saw of the last step, ``(roles, percepts)``, and the row of
    ``info["current_player"]`` is what the role that is to move may know; with ``omniscient`` it is
    the state. Arrays are views that the next step writes again, unless ``copy`` (the default, as
    in Gymnasium's own).

    ``autoreset_mode`` is one of the three of Gymnasium. With ``SAME_STEP``,
    ``info["final_obs"]`` holds the observation in which a game ended, in the lanes of
    ``info["_final_obs"]``; with ``DISABLED``, ``reset(options={"reset_mask": mask})`` begins some
    lanes again. An action that is not legal ends its game (``truncated``) without a reward.
    """

    def __init__(
        self,
        rules: Game | str | os.PathLike[str],
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        max_steps: int | None = None,
        copy: bool = True,
        omniscient: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r} is none of None, 'ansi'")
        outputs = ["observation", "legal_action_mask"]
        if autoreset_mode == AutoresetMode.SAME_STEP:
            outputs.append("final_observation")
        self.lanes: Lanes = make(
            rules,
            num_envs,
            threads=threads,
            autoreset=_MODES[AutoresetMode(autoreset_mode)],  # type: ignore[arg-type]
            illegal="end",
            max_steps=max_steps,
            outputs=outputs,
            omniscient=omniscient,
        )
        if self.lanes.hidden and render_mode is not None:
            raise ValueError(
                f"the rules of {self.lanes.game.name} hide the state, which a picture would show; "
                "use omniscient=True"
            )
        if self.lanes.simultaneous:
            raise ValueError(
                f"in {self.lanes.game.name} several roles act at once; use gdlr.pettingzoo"
            )
        self.num_envs = num_envs
        self.copy = copy
        self.render_mode = render_mode
        self.metadata = {"autoreset_mode": AutoresetMode(autoreset_mode), "render_modes": ["ansi"]}
        self.single_observation_space = spaces.MultiBinary(self.lanes.observation_shape)
        self.single_action_space = spaces.Discrete(len(self.lanes.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._every = np.arange(num_envs)
        self._player = np.zeros(num_envs, np.int32)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begins all games, or those of ``options["reset_mask"]``."""
        mask = (options or {}).get("reset_mask")
        if isinstance(seed, int):
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(seed)
            self.lanes.reset(seed=seed, mask=mask)
        else:
            self.lanes.reset(mask=mask)
            for lane, of_lane in enumerate(seed or []):
                if of_lane is not None:
                    self.lanes.seed_lane(lane, of_lane)
        observation, _, _, _, info = self.lanes.last()
        self._player[:] = self.lanes.current_player
        return self._seen(observation), self._info(info)

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays an action in each game; see :meth:`gdlr.Env.step`."""
        observation, rewards, terminated, truncated, info = self.lanes.step(np.asarray(actions))
        # Where the game was over before, nobody has acted.
        of_player = rewards[self._every, self._player] * (self._player >= 0)
        self._player[:] = self.lanes.current_player
        infos = self._info(info)
        if "final_observation" in info:
            over = terminated | truncated
            if over.any():
                infos["final_obs"] = info["final_observation"].view(np.int8).copy()
                infos["_final_obs"] = over.copy()
        if self.copy:
            terminated, truncated = terminated.copy(), truncated.copy()
        return self._seen(observation), of_player, terminated, truncated, infos

    def _seen(self, observation: Array | None) -> Array:
        assert observation is not None
        seen = observation.view(np.int8)
        return seen.copy() if self.copy else seen

    def _info(self, info: dict[str, Array]) -> dict[str, Any]:
        mask, player = info["legal_action_mask"].view(np.int8), info["current_player"]
        if self.copy:
            mask, player = mask.copy(), player.copy()
        return {"action_mask": mask, "current_player": player}

    def render(self) -> tuple[str, ...] | None:
        """All states as text, with ``render_mode="ansi"``."""
        if self.render_mode is None:
            return None
        return tuple(self.lanes.render(lane) for lane in range(self.num_envs))


class Env(gymnasium.Env[Array, np.int64]):
    """A single game of a rulesheet, the only one in ``lanes``. See :class:`VectorEnv`."""

    def __init__(
        self,
        rules: Game | str | os.PathLike[str],
        *,
        max_steps: int | None = None,
        omniscient: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._games = VectorEnv(
            rules,
            1,
            autoreset_mode=AutoresetMode.DISABLED,
            max_steps=max_steps,
            omniscient=omniscient,
            render_mode=render_mode,
        )
        self.lanes: Lanes = self._games.lanes
        self.metadata = {"render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.observation_space = self._games.single_observation_space
        self.action_space = self._games.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begins the game."""
        super().reset(seed=seed)
        observation, info = self._games.reset(seed=seed)
        return observation[0], self._first(info)

    def step(self, action: np.int64) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Plays an action of the role that is to move."""
        result = self._games.step(np.array([action]))
        observation, reward, terminated, truncated, info = result
        return (
            observation[0],
            float(reward[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            self._first(info),
        )

    def _first(self, info: dict[str, Any]) -> dict[str, Any]:
        return {"action_mask": info["action_mask"][0], "current_player": info["current_player"][0]}

    def render(self) -> str | None:
        """The state as text, with ``render_mode="ansi"``."""
        states = self._games.render()
        return None if states is None else states[0]
