"""What Python costs over Rust, and what a second thread brings: the same work on both sides.

    python python/benches/overhead.py [--games tictactoe,connect4] [--envs 4096] [--seconds 1]
    cargo bench --bench lanes

*given*: steps with actions that were chosen before, and played again from the beginning, so that
nothing but the step is measured; masks, observations, rewards, ends and turns after each. The
column *given* of `benches/lanes` does the same in Rust, without the rewards as floats. *inside*:
random steps. *two* is on two threads. A rate is the best of many short windows, in millions of
states a second, so that what else the machine does counts little.

*call* is what a step of a single lane takes, in microseconds: nearly all of it is the way from
Python into the step and back, which is the same for any number of lanes. *numpy* is how long it
takes to choose the actions of a step by its mask with `env.random_actions`, in microseconds.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

os.environ.setdefault("OMP_NUM_THREADS", "1")

import gdlr
import numpy as np

#: How many steps are recorded, and played in a window.
STEPS = 64


def best(work: Callable[[], float], seconds: float) -> float:
    """The shortest time that some work takes, which tells its time by itself."""
    work()
    end, least = time.perf_counter() + seconds, float("inf")
    while time.perf_counter() < end:
        least = min(least, work())
    return least


def given(game: str, envs: int, threads: int, seconds: float) -> float:
    """States a second with actions that were chosen before."""
    env = gdlr.make(game, envs, threads=threads)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    actions = []
    for _ in range(STEPS):
        actions.append(env.random_actions(rng))
        env.step(actions[-1])

    def work() -> float:
        env.reset(seed=1)
        begin = time.perf_counter()
        for chosen in actions:
            env.step(chosen)
        return time.perf_counter() - begin

    return STEPS * envs / best(work, seconds)


def inside(game: str, envs: int, threads: int, seconds: float) -> float:
    """States a second with random moves of the lanes' own."""
    env = gdlr.make(game, envs, threads=threads)
    env.reset(seed=1)

    def work() -> float:
        begin = time.perf_counter()
        for _ in range(STEPS):
            env.step_random()
        return time.perf_counter() - begin

    return STEPS * envs / best(work, seconds)


def numpy(game: str, envs: int, seconds: float) -> float:
    """Seconds for the actions of a step."""
    env = gdlr.make(game, envs)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    env.step_random()

    def work() -> float:
        begin = time.perf_counter()
        env.random_actions(rng)
        return time.perf_counter() - begin

    return best(work, seconds)


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
