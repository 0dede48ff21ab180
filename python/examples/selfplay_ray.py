"""Self-play on many machines: actors of Ray play, one process learns.

    python python/examples/selfplay_ray.py tictactoe
    python python/examples/selfplay_ray.py tictactoe --address auto
    python python/examples/selfplay_ray.py tictactoe --address ray://HEAD:10001
    python python/examples/selfplay_ray.py --help

The first is for one machine, the second for a machine of a cluster (`ray start`), the third for a
machine outside. It needs Ray (`pip install ray`) here and on all machines, and gdlr, too; the rules and the other
files of this folder are sent along. The search and the games are those of `train.py`
(`tree_search.py`, `self_play.py`), the network is small and numpy's (`network.py`).

*Players* are actors. Each plays in lanes of its own, with the weights that came with the question,
and answers with a batch: positions, and the games that they are of. The *learner* asks each player
for one batch at a time, learns from what comes, and asks again with new weights. From time to time
the agent plays against gdlr's own search with 100 random playouts a move.

*What is lost.* A batch has a number, and is counted when the learner takes it, under its number and
once. When a player is lost, with its process or its machine, another takes its place and is asked
for the batch with the same number. What the lost one had played and not handed over is not counted.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Any

import gdlr
import numpy as np
from network import Array, Network, softmax
from self_play import Positions, SelfPlay, against, by_playouts
from tree_search import TreeSearch

# Nothing is reported to anybody.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
try:
    import ray
    from ray import exceptions
except ImportError as error:
    raise SystemExit("selfplay_ray.py needs Ray: pip install ray") from error

#: What says that a player or its answer is lost. What its code raises is something else.
LOST = (
    exceptions.RayActorError,
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
)
#: Playouts of the search that is played against, and games in which.
PLAYOUTS, EVALUATED = 100, 100


class Agent:
    """A network whose outputs are a logit of each action, and of the goal of each role."""

    def __init__(self, env: gdlr.Env, rng: np.random.Generator) -> None:
        self.actions, self.rng = len(env.actions), rng
        inputs = int(np.prod(env.observation_shape))
        self.network = Network(inputs, self.actions + len(env.roles), rng)

    def evaluate(self, observation: Array, _mask: Array) -> tuple[Array, Array]:
        """What the search asks."""
        _, outputs = self.network(rows(observation))
        return outputs[:, : self.actions], sigmoid(outputs[:, self.actions :])

    def learn(self, positions: Positions, size: int = 64) -> None:
        """Learns from each position once: to expect what the search looked at, and the goals."""
        order = self.rng.permutation(len(positions))
        for some in np.array_split(order, -(-len(order) // size)):
            inputs = rows(positions.observation[some])
            hidden, outputs = self.network(inputs)
            chances = softmax(outputs[:, : self.actions], positions.mask[some])
            expected = sigmoid(outputs[:, self.actions :])
            slopes = [chances - positions.policy[some], expected - positions.goals[some]]
            self.network.learn(inputs, hidden, np.concatenate(slopes, axis=1) / len(some))


def rows(observation: Array) -> Array:
    return observation.reshape(len(observation), -1).astype(np.float32)


def sigmoid(logits: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-logits)))


@dataclass
class Batch:
    """What a player answers."""

    number: int
    player: int
    games: range
    """The games that ended, counted by the player from 0."""
    positions: Positions


@ray.remote(num_cpus=1, max_restarts=0)
class Player:
    """Plays games of the agent against itself."""

    def __init__(self, options: Options, number: int) -> None:
        self.number, self.positions = number, options.positions
        rng = np.random.default_rng([options.seed, number])
        game = gdlr.Game.from_string(options.rules, name=options.name)
        env = gdlr.make(game, options.lanes, autoreset="disabled")
        self.agent = Agent(env, rng)
        self.games = SelfPlay(TreeSearch(env, self.agent.evaluate, options.simulations, rng))

    def play(self, number: int, weights: list[Array], dies: bool) -> Batch:
        """Plays until there are as many positions as a batch has."""
        self.agent.network.weights = weights
        before = self.games.games
        if dies:
            self.games.play(self.positions // 2)
            os._exit(1)
        played = self.games.play(self.positions)
        return Batch(number, self.number, range(before, self.games.games), played)


@dataclass
class Options:
    """What is played, and how much. A batch has ``positions``, or some more."""

    rules: str
    name: str
    actors: int
    batches: int
    positions: int = 4096
    lanes: int = 128
    simulations: int = 16
    seed: int = 1
    dies: tuple[int, ...] = ()
    """The numbers of batches in whose midst the player dies that is asked first, as a test."""


class Learner:
    """Asks players for batches, and learns from them."""

    def __init__(self, options: Options) -> None:
        self.options = options
        game = gdlr.Game.from_string(options.rules, name=options.name)
        rng = np.random.default_rng(options.seed)
        self.arena = gdlr.make(game, EVALUATED, autoreset="disabled")
        self.agent = Agent(self.arena, rng)
        self.search = TreeSearch(self.arena, self.agent.evaluate, options.simulations, rng)
        self.opponent = by_playouts(PLAYOUTS, rng)
        #: By number, how many games each batch had that was taken.
        self.taken: dict[int, int] = {}
        #: How many players were lost.
        self.lost = 0
        self.numbers, self.made = iter(range(options.batches)), count()
        #: What was asked for: the number of the batch, and the player.
        self.asked: dict[Any, tuple[int, Any]] = {}

    @property
    def games(self) -> int:
        """How many games were learned from."""
        return sum(self.taken.values())

    def run(self, told: Callable[[Batch], None]) -> None:
        """Learns from as many batches as are wanted; ``told`` is given each that was taken."""
        self._publish()
        for number in islice(self.numbers, self.options.actors):
            self._ask(number, self._player())
        while self.asked:
            batch, player = self._next()
            if self.take(batch):
                self._publish()
                told(batch)
            for number in islice(self.numbers, 1):
                self._ask(number, player)

    def take(self, batch: Batch) -> bool:
        """Learns from a batch, unless one of its number was taken before."""
        if batch.number in self.taken:
            return False
        self.taken[batch.number] = len(batch.games)
        self.agent.learn(batch.positions)
        return True

    def evaluate(self) -> tuple[int, int, int]:
        """How many games the agent wins, draws and loses against the search of gdlr."""
        return against(self.search, self.opponent)

    def _next(self) -> tuple[Batch, Any]:
        """Waits for a batch, and puts others in the place of players that are lost."""
        in_a_row = 0
        while True:
            (answer, *_), _ = ray.wait(list(self.asked), num_returns=1)
            number, player = self.asked.pop(answer)
            try:
                return ray.get(answer), player
            except LOST as error:
                self.lost += 1
                in_a_row += 1
                if in_a_row > 3 * self.options.actors:
                    raise
                print(f"a player was lost, batch {number} is asked of another: {error}", flush=True)
                # Its answer cannot come any more, even if it is only out of reach.
                ray.kill(player)
                self._ask(number, self._player(), again=True)

    def _player(self) -> Any:
        return Player.remote(self.options, next(self.made))  # type: ignore[attr-defined]

    def _ask(self, number: int, player: Any, again: bool = False) -> None:
        dies = number in self.options.dies and not again
        self.asked[player.play.remote(number, self.weights, dies)] = number, player

    def _publish(self) -> None:
        """Puts the weights where players find them."""
        self.weights = ray.put(self.agent.network.weights)


def connect(address: str | None, **more: Any) -> None:
    """Joins a cluster, or begins one on this machine."""
    environment = {"working_dir": str(Path(__file__).parent)}
    if address is None:
        more = {"include_dashboard": False, **more}
    ray.init(address=address, runtime_env=environment, **more)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rules", help="a rulesheet, or the name of a bundled game")
    parser.add_argument("--address", help="of a cluster; without it, this machine is one")
    parser.add_argument("--actors", type=int, help="players (as many as processors but one)")
    parser.add_argument("--batches", type=int, default=100, help="how many are learned from (100)")
    parser.add_argument("--every", type=int, default=20, help="batches between evaluations (20)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = gdlr.Game(given.rules)
    connect(given.address)
    resources = ray.cluster_resources()  # type: ignore[no-untyped-call]
    actors = given.actors or max(1, int(resources["CPU"]) - 1)
    learner = Learner(Options(game.rules, game.name, actors, given.batches, seed=given.seed))
    begin = time.monotonic()

    def tell(batch: Batch) -> None:
        done = len(learner.taken)
        rate = learner.games / (time.monotonic() - begin)
        games = f"{learner.games:,} games, {rate:.0f} a second"
        print(f"batch {batch.number}: {done} of {given.batches} taken, {games}", flush=True)
        if done % given.every == 0:
            won, drawn, lost = learner.evaluate()
            print(f"against {PLAYOUTS} playouts: {won} won, {drawn} drawn, {lost} lost", flush=True)

    learner.run(tell)


if __name__ == "__main__":
    main()
