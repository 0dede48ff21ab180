"""Long work: other threads run, progress is told, Ctrl-C ends it."""

import os
import signal
import subprocess
import sys
import threading
import time

import gdlr
import pytest

# Each takes minutes where nothing ends it.
LONG = {
    "playouts": lambda game, **more: game.playouts(10**12, **more),
    "perft": lambda game, **more: game.perft(40, **more),
    "mcts": lambda game, **more: game.mcts(game.initial, seconds=600, **more),
    "crosscheck": lambda game, **more: game.crosscheck(10**9, **more),
}


class Enough(Exception):
    pass


@pytest.mark.parametrize("name", LONG)
def test_progress_is_told_and_may_end_the_work(name: str) -> None:
    told: list[gdlr.Progress] = []

    def progress(now: gdlr.Progress) -> None:
        told.append(now)
        if len(told) == 3:
            raise Enough

    with pytest.raises(Enough):
        LONG[name](gdlr.Game("connect4"), progress=progress)
    assert len(told) == 3
    assert told[0].seconds < told[1].seconds < told[2].seconds
    assert all(now.done >= 0 and now.stage for now in told)


def test_progress_of_set_up() -> None:
    stages: list[str] = []

    def progress(now: gdlr.Progress) -> None:
        stages.append(now.stage)
        raise Enough

    with pytest.raises(Enough):
        gdlr.Game("amazons", engine="rg", set_up_time=600.0, progress=progress)
    assert stages == ["setting up"]
    with pytest.raises(TypeError):
        LONG["playouts"](gdlr.Game("connect4"), progress=3)


def test_other_threads_run() -> None:
    game, counted, over = gdlr.Game("connect4"), [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    game.playouts(seconds=0.3)
    over.set()
    thread.join()
    assert counted[0] > 20


def test_threads_share_a_game() -> None:
    game = gdlr.Game("connect4")
    ends: list[list[gdlr.State]] = [[] for _ in range(4)]

    def play(into: list[gdlr.State]) -> None:
        for seed in range(20):
            state = game.initial
            while not state.terminal:
                state = state.random_step(seed)
            into.append(state)

    threads = [threading.Thread(target=play, args=(into,)) for into in ends]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends[0]) == 20 and all(into == ends[0] for into in ends)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c(name: str) -> None:
    code = f"""
import gdlr, signal, sys
# What started the tests may not listen to Ctrl-C itself.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {os.path.dirname(__file__)!r})
from test_work import LONG
game = gdlr.Game("connect4")
def progress(_, told=[]):
    if not told:
        told.append(print("begun", flush=True))
try:
    LONG[{name!r}](game, progress=progress)
except KeyboardInterrupt:
    print("interrupted")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (out, process.returncode) == ("interrupted\n", 0), err


def test_work_may_go_on_at_the_end_of_the_process() -> None:
    code = """
import gdlr, threading, time
game = gdlr.Game("connect4")
threading.Thread(target=lambda: game.playouts(10**12), daemon=True).start()
time.sleep(0.2)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
