"""States per second, with observations and masks at every step, beside other packages.

    python python/benches/step.py [--games tictactoe,connect4] [--envs 4096] [--seconds 1] [--width 256]

Those of the other packages that are installed are measured in the same run: pgx 2.6, EnvPool 1.2
and OpenSpiel 2.0 were (`pip install pgx==2.6.0 jax==0.4.38 envpool==1.2.2 open_spiel==2.0.2`).
EnvPool has no board game in common with us, so there is a rulesheet of one of its own, Catch
(`catch.kif`).

A state counts when its mask and observation were returned. The median of five repeats, one thread
unless said otherwise, in millions of states per second; the time in which actions are chosen is
left out, but for the column that says so.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# One thread, for those who would take more.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import gdlr
import numpy as np

REPEATS = 5

#: What others call our games. What is another game there is left out: their hex is 11x11.
PGX = {"tictactoe": "tic_tac_toe", "connect4": "connect_four", "reversi": "othello"}
ENVPOOL = {"catch": "Catch-v0"}
OPEN_SPIEL = {
    "catch": "catch",
    "tictactoe": "tic_tac_toe",
    "connect4": "connect_four",
    "breakthrough": "breakthrough",
    "reversi": "othello",
    "hex": "hex(board_size=9)",
    "gomoku": "gomoku",
    "draughts": "checkers",
    "amazons": "amazons",
}

Steps = Callable[[float], tuple[int, float]]


def median(measure: Steps, seconds: float) -> float:
    """Millions of states per second."""
    measure(seconds / 4)
    rates = []
    for _ in range(REPEATS):
        states, spent = measure(seconds / REPEATS)
        rates.append(states / spent / 1e6)
    return statistics.median(rates)


def ours(game: str, envs: int, width: int | None, threads: int, choosing: str) -> Steps:
    """``choosing`` is ``excluded``, ``included``, or ``inside`` (by the lanes themselves)."""
    env = gdlr.make(game, envs, threads=threads, width=width)
    rng = np.random.default_rng(1)
    env.reset(seed=1)

    def measure(seconds: float) -> tuple[int, float]:
        states, spent, end = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            begin = time.perf_counter()
            actions = env.random_actions(rng) if choosing != "inside" else None
            if choosing == "excluded":
                begin = time.perf_counter()
            if actions is None:
                env.step_random()
            else:
                env.step(actions)
            spent += time.perf_counter() - begin
            states += envs
        return states, spent

    return measure


def pgx(game: str, envs: int) -> Steps | None:
    """All in one compiled step: actions are chosen inside."""
    try:
        import jax
        import jax.numpy as jnp
        import pgx as package
        from pgx.experimental import auto_reset
    except ImportError:
        return None
    if game not in PGX:
        return None
    env = package.make(PGX[game])
    step = auto_reset(env.step, env.init)

    def one(state: Any, key: Any) -> Any:
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        keys = jax.random.split(key, envs)
        return jax.vmap(step)(state, jax.random.categorical(key, logits, axis=-1), keys)

    compiled = jax.jit(one)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), envs))

    def measure(seconds: float) -> tuple[int, float]:
        nonlocal state
        states, begin = 0, time.perf_counter()
        while time.perf_counter() - begin < seconds:
            for _ in range(4):
                state = compiled(state, jax.random.PRNGKey(states))
                states += envs
            state.observation.block_until_ready()
        return states, time.perf_counter() - begin

    return measure


def envpool(game: str, envs: int) -> Steps | None:
    """All actions are legal and are chosen by numpy; the time that this takes is left out."""
    try:
        import envpool as package
    except ImportError:
        return None
    if game not in ENVPOOL:
        return None
    env = package.make_gymnasium(ENVPOOL[game], num_envs=envs, num_threads=1, seed=1)
    rng = np.random.default_rng(1)
    env.reset()

    def measure(seconds: float) -> tuple[int, float]:
        states, spent, end = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            actions = rng.integers(env.action_space.n, size=envs, dtype=np.int32)
            begin = time.perf_counter()
            env.step(actions)
            spent += time.perf_counter() - begin
            states += envs
        return states, spent

    return measure


def open_spiel(game: str) -> Steps | None:
    """One game after the other, with mask and tensor."""
    try:
        import pyspiel
    except ImportError:
        return None
    if game not in OPEN_SPIEL:
        return None
    try:
        made = pyspiel.load_game(OPEN_SPIEL[game])
    except pyspiel.SpielError:
        return None
    rng = np.random.default_rng(1)
    state = made.new_initial_state()

    def measure(seconds: float) -> tuple[int, float]:
        nonlocal state
        states, spent, end = 0, 0.0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            for _ in range(50):
                if state.is_terminal():
                    state = made.new_initial_state()
                legal = state.legal_actions()
                action = legal[rng.integers(len(legal))]
                begin = time.perf_counter()
                state.apply_action(action)
                if not state.is_terminal():
                    state.legal_actions_mask()
                    state.observation_tensor(state.current_player())
                else:
                    state.returns()
                spent += time.perf_counter() - begin
                states += 1
        return states, spent

    return measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games",
        default="tictactoe,connect4,breakthrough,reversi,hex,gomoku,draughts,amazons,"
        + str(Path(__file__).with_name("catch.kif")),
    )
    parser.add_argument("--envs", type=int, default=4096)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--width", type=int, help="lanes of a register, if not the most there are")
    options = parser.parse_args()
    head = ["game", "actions", "observation", "step", "choosing in numpy", "choosing inside"]
    head += ["two threads", "pgx", "EnvPool", "OpenSpiel"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for game in options.games.split(","):
        env = gdlr.make(game, 1)
        name = os.path.splitext(os.path.basename(game))[0]
        shape = "×".join(str(size) for size in env.observation_shape)
        row = [name, str(len(env.actions)), shape]
        measures: list[Steps | None] = [
            ours(game, options.envs, options.width, 1, "excluded"),
            ours(game, options.envs, options.width, 1, "included"),
            ours(game, options.envs, options.width, 1, "inside"),
            ours(game, options.envs, options.width, 2, "excluded"),
            pgx(name, options.envs),
            envpool(name, options.envs),
            open_spiel(name),
        ]
        for measure in measures:
            rate = None if measure is None else median(measure, options.seconds)
            row.append("–" if rate is None else f"{rate:.3g}")
        print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
