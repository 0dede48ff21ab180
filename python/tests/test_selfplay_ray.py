"""The example on Ray: players are lost, and every game is counted once."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gdlr
import pytest

# There is none for every version of Python.
ray = pytest.importorskip("ray", reason="Ray is not installed")

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import selfplay_ray

    selfplay_ray.connect(None, num_cpus=2, log_to_driver=False)
    yield selfplay_ray
    ray.shutdown()


def test_every_game_is_counted_once(example: Any) -> None:
    game = gdlr.Game("tictactoe")
    options = example.Options(
        game.rules, game.name, 2, 8, positions=200, lanes=16, simulations=4, dies=(1, 5)
    )
    learner = example.Learner(options)
    batches: list[Any] = []

    learner.run(batches.append)
    assert learner.lost == 2
    # What the lost players were asked for has come from others.
    assert sorted(batch.number for batch in batches) == list(range(8))
    assert learner.taken == {batch.number: len(batch.games) for batch in batches}
    assert learner.games == sum(len(batch.games) for batch in batches) > 0
    # Two at the beginning, and one for each that was lost; what a player says of its games
    # follows without a gap or an overlap.
    players = {batch.player for batch in batches}
    assert players <= set(range(4)) and len(players) >= 2
    for player in players:
        games = [of for batch in batches if batch.player == player for of in batch.games]
        assert games == list(range(len(games)))
    # A batch that comes again is not taken.
    before = [weights.copy() for weights in learner.agent.network.weights]
    assert not learner.take(batches[0])
    assert len(learner.taken) == len(batches)
    for now, then in zip(learner.agent.network.weights, before, strict=True):
        assert (now == then).all()
    assert sum(learner.evaluate()) == example.EVALUATED


def test_players_that_cannot_be_made(example: Any) -> None:
    """It ends with what they say, and does not go on for ever."""
    good = gdlr.Game("tictactoe")
    options = example.Options(good.rules, good.name, actors=1, batches=1, lanes=4)
    learner = example.Learner(options)
    learner.options.rules = "(role a"
    with pytest.raises(ray.exceptions.RayActorError, match="RulesError"):
        learner.run(lambda batch: None)
