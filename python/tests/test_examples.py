"""What the examples are made of: tree search in lanes, and games of who searches."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gdlr
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))

from self_play import SelfPlay, against, at_random, by_playouts  # noqa: E402
from tree_search import TreeSearch  # noqa: E402

SMALL = Path(__file__).parent.parent / "examples" / "connect4_5x4.kif"


def know_nothing(observation: Any, mask: Any) -> tuple[Any, Any]:
    """All actions are as good, and nobody is ahead."""
    return np.zeros(mask.shape, np.float32), np.full((len(mask), 2), 0.5, np.float32)


def search(rules: Any, lanes: int, simulations: int) -> TreeSearch:
    env = gdlr.make(rules, lanes, autoreset="disabled")
    return TreeSearch(env, know_nothing, simulations, np.random.default_rng(1))


def play(env: gdlr.Env, lane: int, *names: str) -> None:
    for name in names:
        actions = np.full(env.num_envs, -1)
        actions[lane] = env.action(name)
        env.step(actions)


def test_search() -> None:
    """Lanes in different phases: to win, to prevent a win, lost, over, and just begun."""
    tree = search("tictactoe", 5, 300)
    env = tree.env
    play(env, 0, "(sign 1 1)", "(sign 2 1)", "(sign 1 2)", "(sign 2 2)")
    play(env, 1, "(sign 1 1)", "(sign 2 2)", "(sign 1 2)")
    play(env, 2, "(sign 1 1)", "(sign 1 2)", "(sign 3 3)", "(sign 2 1)", "(sign 3 1)")
    play(env, 3, "(sign 1 1)", "(sign 2 1)", "(sign 1 2)", "(sign 2 2)", "(sign 1 3)")
    before = env.save()
    visits, expected = tree.run(noise=False)
    assert (env.save() == before).all()
    chosen = [env.actions[action] for action in visits.argmax(axis=1)]
    assert chosen[:2] == ["(sign 1 3)", "(sign 1 3)"]
    assert visits[[0, 1, 2, 4]].sum(axis=1).tolist() == [300] * 4
    assert (visits[~env.legal_action_mask] == 0).all()
    assert expected[0, 0] > 0.9 and expected[0, 1] < 0.1
    # Crosses threaten twice.
    assert env.current_player[2] == 1 and expected[2, 0] > 0.8
    assert expected[3].tolist() == [1, 0] and visits[3].sum() == 0
    assert np.allclose(expected.sum(axis=1), 1, atol=1e-5), "what one gets the other does not"


def test_noise_is_for_legal_actions() -> None:
    tree = search(SMALL, 64, 8)
    play(tree.env, 0, "(drop 1)", "(drop 1)", "(drop 1)", "(drop 1)")
    quiet, _ = tree.run(noise=False)
    assert (quiet[1:] == quiet[1]).all(), "equal states are searched alike"
    noisy, _ = tree.run(noise=True)
    assert not (noisy[1:] == noisy[1]).all()
    assert noisy[0, tree.env.action("(drop 1)")] == 0
    assert (noisy.sum(axis=1) == 8).all()


def test_search_of_other_games() -> None:
    for name in ("rock_paper_scissors", "pig"):
        with pytest.raises(ValueError, match="alternate"):
            search(name, 2, 4)
    with pytest.raises(ValueError, match="alternate"):
        TreeSearch(gdlr.make("tictactoe", 2), know_nothing, 4, np.random.default_rng(1))


def test_self_play() -> None:
    playing = SelfPlay(search("tictactoe", 32, 4))
    positions = playing.play(500)
    assert len(positions) >= 500
    marks = positions.observation[:, :2].sum(axis=(1, 2, 3))
    # Every game is there from its beginning to its end.
    assert (marks == 0).sum() == playing.games
    begins = np.flatnonzero(marks == 0)
    lengths = np.diff([*begins, len(marks)])
    assert lengths.min() >= 5 and lengths.max() <= 9
    assert all((marks[at : at + of] == range(of)).all() for at, of in zip(begins, lengths, strict=True))
    assert np.allclose(positions.policy.sum(axis=1), 1)
    assert (positions.policy[~positions.mask] == 0).all()
    assert positions.goals.min() >= 0 and positions.goals.max() <= 1
    # A game that is not full was won by who moved last; the search saw that, too.
    for at, of in zip(begins, lengths, strict=True):
        if of < 9:
            assert positions.goals[at + of - 1, (of - 1) % 2] > 0.5


def test_games_against_others() -> None:
    tree = search(SMALL, 40, 100)
    rng = np.random.default_rng(1)
    won, drawn, lost = against(tree, at_random(rng))
    assert won + drawn + lost == 40 and won > 30
    weak = search(SMALL, 40, 1)
    won, drawn, lost = against(weak, by_playouts(100, rng))
    assert won + drawn + lost == 40 and lost > 20
