"""Environments of Gymnasium, by its own checker and by its own vector environments."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import gdlr.gymnasium  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "pig", "hex"])
def test_checker(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "For Box")
        # Of the name under which an environment is registered, which this one is not.
        warnings.filterwarnings("ignore", ".*render.*")
        check_env(gdlr.gymnasium.Env(name, render_mode="ansi"), skip_render_check=True)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_many_are_as_many_single_ones(mode: AutoresetMode) -> None:
    """Step by step as Gymnasium's own vector of single environments."""
    ours = gdlr.gymnasium.VectorEnv("tictactoe", 20, autoreset_mode=mode)
    theirs = SyncVectorEnv(
        [lambda: gdlr.gymnasium.Env("tictactoe") for _ in range(20)], autoreset_mode=mode
    )
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == mode
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    rng = np.random.default_rng(3)
    (observation, info), (other, their_info) = ours.reset(seed=1), theirs.reset(seed=1)
    ends = 0
    for _ in range(30):
        assert (observation == other).all()
        # Theirs has nothing about lanes that have not begun again.
        told = their_info["_current_player"]
        assert (info["current_player"] == their_info["current_player"])[told].all()
        assert ours.observation_space.contains(observation)
        actions = np.array(
            [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in info["action_mask"]]
        )
        observation, reward, terminated, truncated, info = ours.step(actions)
        other, their_reward, their_terminated, their_truncated, their_info = theirs.step(actions)
        assert (reward == their_reward).all()
        assert (terminated == their_terminated).all() and (truncated == their_truncated).all()
        over = terminated | truncated
        ends += int(over.sum())
        assert ("final_obs" in info) == ("final_obs" in their_info)
        if "final_obs" in info:
            assert (info["_final_obs"] == over).all()
            for lane in np.flatnonzero(over):
                assert (info["final_obs"][lane] == their_info["final_obs"][lane]).all()
        if mode == AutoresetMode.DISABLED and over.any():
            observation, info = ours.reset(options={"reset_mask": over})
            other, their_info = theirs.reset(options={"reset_mask": over})
    assert ends > 20


def test_whose_reward_it_is() -> None:
    env = gdlr.gymnasium.Env("tictactoe")
    env.reset()
    number = env._games.lanes.action
    for cell in ("1 1", "2 1", "1 2", "2 2"):
        _, reward, terminated, _, _ = env.step(np.int64(number(f"(sign {cell})")))
        assert (reward, terminated) == (0, False)
    _, reward, terminated, _, info = env.step(np.int64(number("(sign 1 3)")))
    assert (reward, terminated) == (1, True), "of crosses, who acted"
    assert not info["action_mask"].any()
    env.reset()
    env.step(np.int64(0))
    _, reward, terminated, truncated, _ = env.step(np.int64(0))
    assert (reward, terminated, truncated) == (0, False, True), "not legal"


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="several roles act at once"):
        gdlr.gymnasium.VectorEnv("rock_paper_scissors", 2)
    with pytest.raises(ValueError, match="render_mode"):
        gdlr.gymnasium.Env("tictactoe", render_mode="human")
