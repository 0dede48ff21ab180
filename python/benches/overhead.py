"""What Python costs over Rust, and what a second thread brings: the same work on both sides.

    python python/benches/overhead.py [--games tictactoe,connect4] [--envs 4096] [--seconds 1]
    cargo bench --bench lanes

*given*: steps with actions that were chosen before, and played again from the beginning, so that
nothing but the step is measured; masks, observations of facts, rewards, ends and turns after each.
The column *given* of `benches/lanes` does the same in Rust, with goals as bytes instead of rewards.
*inside*: random steps. *two* is on two threads. Each step is timed by itself, and a rate is that of
the median step, in millions of states a second, so that what else the machine does counts little.

*call* is what a step of a single lane takes, in microseconds: nearly all of it is the way from
Python into the step and back, which is the same for any number of lanes. *numpy* is how long it
takes to choose the actions of a step by its mask with `env.random_actions`, in microseconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("OMP_NUM_THREADS", "1")

import gdlr
import numpy as np

#: How many steps are recorded.
STEPS = 64


def median(work: Callable[[], object], seconds: float) -> float:
    """The median time of some work."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def given(game: str, envs: int, threads: int, seconds: float) -> float:
    """States a second with actions that were chosen before."""
    env = gdlr.make(game, envs, threads=threads, observe="facts")
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    actions = []
    for _ in range(STEPS):
        actions.append(env.random_actions(rng))
        env.step(actions[-1])
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        env.reset(seed=1)
        for chosen in actions:
            begin = time.perf_counter()
            env.step(chosen)
            times.append(time.perf_counter() - begin)
    return envs / statistics.median(times)


def inside(game: str, envs: int, threads: int, seconds: float) -> float:
    """States a second with random moves of the lanes' own."""
    env = gdlr.make(game, envs, threads=threads, observe="facts")
    env.reset(seed=1)
    return envs / median(env.step_random, seconds)


def numpy(game: str, envs: int, seconds: float) -> float:
    """Seconds for the actions of a step."""
    env = gdlr.make(game, envs)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    env.step_random()
    return median(lambda: env.random_actions(rng), seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    games = "tictactoe,connect4,breakthrough,reversi,hex,gomoku,draughts,amazons"
    parser.add_argument("--games", default=games)
    parser.add_argument("--envs", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1.0)
    options = parser.parse_args()
    head = ["game", "given", "given, two", "inside", "inside, two", "call", "numpy"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for game in options.games.split(","):
        rates = [
            measure(game, options.envs, threads, options.seconds) / 1e6
            for measure in (given, inside)
            for threads in (1, 2)
        ]
        call = 1e6 / given(game, 1, 1, options.seconds)
        row = [f"{rate:.3g}" for rate in rates] + [f"{call:.2f}"]
        row.append(f"{1e6 * numpy(game, options.envs, options.seconds):.0f}")
        print("| " + " | ".join([game, *row]) + " |", flush=True)


if __name__ == "__main__":
    main()
