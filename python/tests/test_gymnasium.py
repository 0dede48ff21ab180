"""Environments of Gymnasium, by its own checker and by its own vector environments."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import gdlr.gymnasium  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

#: Rules that hide the state.
HIDDEN = ["krieg_tictactoe"]


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "pig", "hex", *HIDDEN])
def test_checker(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "For Box")
        # Of the name under which an environment is registered, which this one is not.
        warnings.filterwarnings("ignore", ".*render.*")
        mode = None if name in HIDDEN else "ansi"
        check_env(gdlr.gymnasium.Env(name, render_mode=mode), skip_render_check=True)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_hidden_states(mode: AutoresetMode) -> None:
    """An observation is what each role saw of the last step, as ``gdlr.make`` has it."""
    envs = gdlr.gymnasium.VectorEnv("krieg_tictactoe", 33, autoreset_mode=mode, max_steps=30)
    lanes = gdlr.make(
        "krieg_tictactoe", 33, autoreset=mode.name.lower(), illegal="end", max_steps=30
    )
    assert envs.single_observation_space.shape == lanes.observation_shape
    observation, info = envs.reset(seed=1)
    seen, _ = lanes.reset(seed=1)
    rng, told = np.random.default_rng(1), 0
    for _ in range(25):
        assert (observation == seen).all() and envs.observation_space.contains(observation)
        told += int(observation.sum())
        actions = lanes.random_actions(rng)
        observation, _, terminated, truncated, info = envs.step(actions)
        seen, _, ends, cuts, _ = lanes.step(actions)
        assert (terminated == ends).all() and (truncated == cuts).all()
        if mode == AutoresetMode.DISABLED and (ends | cuts).any():
            over = ends | cuts
            observation, info = envs.reset(options={"reset_mask": over})
            seen, _ = lanes.reset(mask=over)
    assert told > 0
    shown = gdlr.gymnasium.Env("krieg_tictactoe", omniscient=True, render_mode="ansi")
    shown.reset()
    assert shown.render() and shown.observation_space.shape != lanes.observation_shape


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
    number = env.lanes.action
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
    with pytest.raises(ValueError, match="omniscient"):
        gdlr.gymnasium.Env("krieg_tictactoe", render_mode="ansi")
    with pytest.raises(ValueError, match="render_mode"):
        gdlr.gymnasium.Env("tictactoe", render_mode="human")
