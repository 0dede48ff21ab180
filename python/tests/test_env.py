"""Many games at once: :func:`gdlr.make`."""

from __future__ import annotations

import ast
import gc
import json
import os
import subprocess
import sys
import threading
from typing import Any

import gdlr
import numpy as np
import pytest

#: Chance is drawn by the lanes; both roles choose at once; one role alone.
GAMES = ["tictactoe", "breakthrough", "pig", "rock_paper_scissors", "eight_puzzle", "draughts"]


@pytest.mark.parametrize("observe", ["planes", "facts"])
def test_the_words_of_a_value_net_name_all_columns(observe: Any) -> None:
    env = gdlr.make("tictactoe", 3, observe=observe)
    words = json.loads(env.value_net_words())
    assert list(words) == ["roles", "actions", "observation"]
    assert (words["roles"], words["actions"]) == (list(env.roles), list(env.actions))
    assert len(words["observation"]) == np.prod(env.observation_shape)
    rng = np.random.default_rng(2)
    for _ in range(4):
        observation = env.step(env.random_actions(rng))[0]
        assert observation is not None
        places = np.flatnonzero(observation[0])
        names = {words["observation"][place] for place in places.tolist()}
        assert names == set(env.state(0).facts)
    with pytest.raises(ValueError, match="hide the state"):
        gdlr.make("monty_hall", 1).value_net_words()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("threads", [1, 2])
def test_lanes_are_states(name: str, threads: int) -> None:
    env = gdlr.make(name, 37, threads=threads, outputs=("observation", "legal_action_mask"))
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    ends = 0
    for _ in range(60):
        assert observation is not None
        before = [env.state(lane) for lane in range(env.num_envs)]
        players = info["current_player"].copy()
        for lane, state in enumerate(before):
            assert set(env.decode(observation[lane])) == set(state.facts)
            player = players[lane]
            masks = info["legal_action_mask"][lane]
            if state.terminal:
                assert not masks.any()
                assert player == -1
            elif env.simultaneous:
                for role, mask in zip(env.roles, masks, strict=True):
                    legal = () if role == env.game.chance else state.legal(role)
                    assert {env.actions[at] for at in np.flatnonzero(mask)} == set(legal)
            elif env.roles[player] != env.game.chance:
                legal = state.legal(env.roles[player])
                assert {env.actions[at] for at in np.flatnonzero(masks)} == set(legal)
        actions = env.random_actions(rng)
        observation, rewards, terminated, truncated, info = env.step(actions)
        assert not truncated.any()
        for lane, state in enumerate(before):
            after = env.state(lane)
            assert terminated[lane] == after.terminal
            if state.terminal:
                assert after == env.game.initial
                continue
            if after.terminal:
                ends += 1
                goals = [(after.goals[role] or 0) / 100 for role in env.roles]
                assert rewards[lane] == pytest.approx(goals)
            else:
                assert not rewards[lane].any()
            if env.game.chance is None and not env.simultaneous:
                joint = {env.roles[players[lane]]: env.actions[actions[lane]]}
                assert state.step(joint) == after
    assert ends > 0 or name in ("breakthrough", "draughts", "eight_puzzle")


def test_games_are_the_same_in_every_width() -> None:
    envs = [gdlr.make("connect4", 300, seed=3, width=width) for width in (None, 64, 128)]
    rng = np.random.default_rng(1)
    for env in envs:
        env.reset(seed=3)
    for _ in range(30):
        mask = envs[0].legal_action_mask
        actions = (rng.random(mask.shape) * mask).argmax(axis=1)
        results = [env.step(actions) for env in envs]
        for other in results[1:]:
            for ours, theirs in zip(results[0][:4], other[:4], strict=True):
                assert np.array_equal(ours, theirs)
    with pytest.raises(ValueError, match="width=7 is none of"):
        gdlr.make("connect4", 3, width=7)


def test_random_play_is_that_of_playouts() -> None:
    """Ten standard errors and more: a difference is a defect."""
    expected = gdlr.Game("tictactoe").playouts(200_000, seed=1)
    rng = np.random.default_rng(2)
    for random_inside in (False, True):
        env = gdlr.make("tictactoe", 4096, autoreset="same_step")
        env.reset(seed=5)
        games, total, steps = 0, np.zeros(2), 0
        for _ in range(120):
            result = env.step_random() if random_inside else env.step(env.random_actions(rng))
            _, rewards, terminated, _, _ = result
            games += int(terminated.sum())
            total += rewards[terminated].sum(axis=0)
            steps += env.num_envs
        assert games > 50_000
        for value, role in zip(total / games, env.roles, strict=True):
            mean = expected.roles[role].mean
            assert mean is not None
            assert value * 100 == pytest.approx(mean, abs=1.5)


def test_autoreset() -> None:
    for autoreset in ("next_step", "same_step", "disabled"):
        env = gdlr.make(
            "tictactoe",
            64,
            autoreset=autoreset,  # type: ignore[arg-type]
            outputs=("observation", "legal_action_mask", "final_observation"),
            copy=True,
        )
        first, _ = env.reset()
        assert first is not None
        rng = np.random.default_rng(0)
        over = np.zeros(64, bool)
        while not over.any():
            observation, _, over, _, info = env.step(env.random_actions(rng))
            assert observation is not None
        lanes = np.flatnonzero(over)
        last = info["final_observation"]
        for lane in lanes:
            is_first = bool((observation[lane] == first[lane]).all())
            assert is_first == (autoreset == "same_step")
            assert not (last[lane] == first[lane]).all()
        after, rewards, terminated, _, _ = env.step(env.random_actions(rng))
        assert after is not None
        for lane in lanes:
            is_first = bool((after[lane] == first[lane]).all())
            assert is_first == (autoreset == "next_step")
            assert terminated[lane] == (autoreset == "disabled")
        if autoreset == "disabled":
            again, _ = env.reset(mask=over)
            assert again is not None
            assert (again[lanes] == first[lanes]).all()
            assert not (again[~over] == first[~over]).all()


def test_cut_and_refused() -> None:
    env = gdlr.make("tictactoe", 8, max_steps=3, illegal="end", autoreset="disabled", copy=True)
    actions = np.zeros(8, np.int64)
    env.step(actions)
    _, rewards, terminated, truncated, info = env.step(actions)
    assert truncated.all() and not terminated.any() and not rewards.any()
    assert (info["current_player"] == -1).all()
    env.reset()
    for at in range(3):
        assert not truncated.any() or at == 0
        _, _, _, truncated, _ = env.step(np.full(8, at))
    assert truncated.all()
    env.reset()
    env.cut([1, 5])
    _, _, _, truncated, _ = env.step(np.full(8, 4))
    assert list(np.flatnonzero(truncated)) == [1, 5]


def test_what_is_refused() -> None:
    env = gdlr.make("tictactoe", 8, threads=2)
    before = [env.state(lane) for lane in range(8)]
    with pytest.raises(gdlr.IllegalAction, match="lane 3, crosses: there is no action 9") as raised:
        env.step(np.array([0, 1, 2, 9, 4, 5, 6, -7]))
    assert raised.value.lanes == (3, 7)
    assert [env.state(lane) for lane in range(8)] == before, "nothing is played"
    env.step(np.array([0, -1, 2, 3, 4, 5, 6, 7], np.int16))
    assert env.state(1) == before[1]
    with pytest.raises(gdlr.IllegalAction, match=r"action 0, \(sign 1 1\), is not legal"):
        env.step(np.zeros(8, np.int32))
    for wrong in (np.zeros(8), np.zeros(8, bool), "abc", list(range(8)), np.zeros(8, object), 3):
        with pytest.raises(TypeError):
            env.step(wrong)  # type: ignore[arg-type]
    for shape in ((7,), (9,), (8, 1), (2, 4)):
        with pytest.raises(ValueError, match="shape"):
            env.step(np.zeros(shape, np.int32))
    for huge in (2**40, -(2**40), 2**63 - 1):
        with pytest.raises(gdlr.IllegalAction, match="lane 0, .*does not fit") as raised:
            env.step(np.full(8, huge))
        assert raised.value.lanes == tuple(range(8))
    # Every second of an array, backwards.
    env.reset()
    env.step(np.arange(16)[14::-2] // 2)
    assert env.state(0).facts[0] == "(signed 3 2 crosses)"
    for lane in (-1, 8, 10**6):
        with pytest.raises((IndexError, OverflowError)):
            env.state(lane)
    for options in (
        {"num_envs": 0},
        {"num_envs": 1, "threads": 0},
        {"num_envs": 1, "max_steps": 0},
        {"num_envs": 1, "autoreset": "never"},
        {"num_envs": 1, "illegal": "ignore"},
        {"num_envs": 1, "outputs": ("pictures",)},
    ):
        with pytest.raises(ValueError):
            gdlr.make("tictactoe", **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="hide the state"):
        gdlr.make("kuhn_poker", 3, observe="facts")
    with pytest.raises(ValueError, match="hide the state"):
        gdlr.make("kuhn_poker", 3).state(0)
    with pytest.raises(ValueError, match="hide the state"):
        gdlr.make("kuhn_poker", 3).render(0)
    assert gdlr.make("kuhn_poker", 3, omniscient=True).simultaneous
    with pytest.raises(gdlr.RulesError):
        gdlr.make("(role a")
    for mask in (np.zeros(7, bool), np.zeros(8), [True]):
        with pytest.raises(ValueError, match="mask"):
            env.reset(mask=mask)


def test_arrays_that_cannot_be_bound() -> None:
    lanes = gdlr._gdlr._Lanes(gdlr.Game("tictactoe"), 8)
    good = np.zeros((8, 9), np.uint8)
    frozen = good.copy()
    frozen.flags.writeable = False
    wide = np.zeros((8, 18), np.uint8)[:, ::2]
    shifted = np.zeros(8 * 4 + 1, np.uint8)[1:].view(np.int32)
    for array in (frozen, wide, good[:7], good.astype(np.int32), None):
        with pytest.raises((ValueError, TypeError, BufferError)):
            lanes.bind({"legal": array})
    with pytest.raises((ValueError, TypeError, BufferError)):
        lanes.bind({"current_player": shifted})
    with pytest.raises(ValueError, match="overlap"):
        whole = np.zeros((16, 9), np.uint8)
        lanes.bind({"legal": whole[:8], "terminated": whole.ravel()[64:72]})
    with pytest.raises(ValueError, match="no array"):
        lanes.bind({"pictures": good})
    lanes.bind({"legal": good})
    with pytest.raises(ValueError):
        good.resize((16, 9))
    lanes.reset()
    assert good.all()


def test_buffers_outlive_the_environment() -> None:
    env = gdlr.make("tictactoe", 16)
    observation, _ = env.reset()
    assert observation is not None
    expected = observation.copy()
    del env
    gc.collect()
    assert (observation == expected).all()


def test_one_call_at_a_time() -> None:
    """Threads of Python that use one environment get an error, or their turn, and no crash."""
    env = gdlr.make("hex", 4096)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20):
                env.step_random()
        except RuntimeError as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("borrow" in str(error) for error in errors)
    env.step_random()


def test_save_restore_and_seeds() -> None:
    env = gdlr.make("pig", 600)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(5):
        env.step(env.random_actions(rng))
    state = env.state(0)
    for lane in (1, 599):
        env.set_state(lane, state)
        assert env.state(lane) == state
        assert env.age(lane) == 0
    other = gdlr.Game("tictactoe").initial
    with pytest.raises(ValueError, match="not one of this game"):
        env.set_state(0, other)

    def play(seed: int, threads: int) -> list[Any]:
        env = gdlr.make("pig", 64, threads=threads, copy=True)
        env.reset(seed=seed)
        for lane in range(64):
            env.seed_lane(lane, 1000 * seed + lane)
        rng = np.random.default_rng(1)
        return [env.step(env.random_actions(rng))[0] for _ in range(30)]

    def same(left: list[Any], right: list[Any]) -> bool:
        return all((a == b).all() for a, b in zip(left, right, strict=True))

    assert same(play(1, 1), play(1, 1))
    assert same(play(1, 1), play(1, 2)), "lanes draw from seeds of their own"
    assert not same(play(1, 1), play(2, 1))


@pytest.mark.parametrize("threads", [1, 2])
def test_saved_states(threads: int) -> None:
    """A tree of states in an array: what is restored is what was saved, in whichever lane."""
    env = gdlr.make("connect4", 600, threads=threads)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    tree, states = [], []
    for _ in range(12):
        env.step_random()
        tree.append(env.save())
        states.append([env.state(lane) for lane in (0, 299, 300, 599)])
    saved = np.array(tree)
    steps, lanes = rng.integers(12, size=600), rng.integers(600, size=600)
    env.restore(saved[steps, lanes])
    assert (env.save() == saved[steps, lanes]).all()
    assert env.age(599) == 0
    expected = gdlr.make(env.game, 600)
    expected.set_states(range(600), [env.state(lane) for lane in range(600)])
    for name, array in expected.last()[4].items():
        assert (env.last()[4][name] == array).all(), name
    # Some lanes, in any order, also of another environment.
    other = gdlr.make(env.game, 5)
    other.restore(saved[11, [0, 299, 300, 599]], lanes=np.array([4, 2, 0, 1]))
    assert [other.state(lane) for lane in (4, 2, 0, 1)] == states[11]
    assert (other.save([4, 1]) == saved[11, [0, 599]]).all()
    assert other.state(3) == env.game.initial
    # Equal states have equal rows, and of a lane that is named twice the last counts.
    other.restore(saved[[0, 5], [7, 7]], lanes=[3, 3])
    assert (other.save([3]) == saved[5, 7]).all()
    fresh = gdlr.make("connect4", 2)
    assert (fresh.save()[0] == fresh.save()[1]).all()
    assert other.save([]).shape == (0, saved.shape[2])
    other.restore(other.save([]), [])


def test_saved_states_are_the_same_in_other_processes() -> None:
    script = (
        "import gdlr, numpy; env = gdlr.make('connect4', 3, threads=2); "
        "env.step(numpy.full(3, env.action('(drop 2)'))); print(env.save().tolist())"
    )
    printed = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True
    ).stdout
    env = gdlr.make("connect4", 3)
    env.restore(np.array(ast.literal_eval(printed), np.uint64))
    assert "(disc 2 1 red)" in env.state(1).facts


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_lanes_of_several_threads_in_a_fork_of_the_process() -> None:
    """A fork has none of the threads; it plays on, and ends, as the process that it comes from."""
    script = (
        "import os, gdlr; env = gdlr.make('connect4', 600, threads=3); env.reset(seed=1)\n"
        "for _ in range(3): env.step_random()\n"
        "child = os.fork()\n"
        "for _ in range(3): env.step_random()\n"
        "saved = hash(env.save().tobytes()); del env\n"
        "if child: assert os.waitpid(child, 0)[1] == 0\n"
        "print(saved, flush=True)"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONHASHSEED": "1"},
    )
    child, parent = run.stdout.split()
    assert child == parent


def test_states_that_cannot_be_restored() -> None:
    env = gdlr.make("connect4", 4, threads=2)
    env.step(np.full(4, 0))
    good = env.save()
    other = gdlr.make("tictactoe", 4).save()
    marked = good.copy()
    marked[2, 0] ^= np.uint64(1)
    beyond = good.copy()
    beyond[3, -1] |= np.uint64(1 << 63)
    empty = np.zeros((0, 0), np.uint64)
    for bad in (good[:3], good[:, :2], other, marked, beyond, good[0], empty):
        with pytest.raises(ValueError, match="row|shape"):
            env.restore(bad)
        assert (env.save() == good).all()
    for wrong in (good.astype(np.int64), good.astype(np.float64), good.tolist(), None):
        with pytest.raises(TypeError):
            env.restore(wrong)  # type: ignore[arg-type]
    for lanes in ([4], [10**6]):
        with pytest.raises(IndexError):
            env.save(lanes)
        with pytest.raises(IndexError):
            env.restore(good[:1], lanes)
    with pytest.raises(OverflowError):
        env.save([-1])
    for none in ([0.5], [True, False, True, True], 3, [[1]], ["a"]):
        with pytest.raises(TypeError):
            env.save(none)
        with pytest.raises(TypeError):
            env.restore(good, none)
    # Rows need not lie one after the other.
    env.reset()
    env.restore(np.asfortranarray(good[::-1]))
    assert (env.save() == good).all()
    initial = env.game.initial
    with pytest.raises(ValueError, match="1 states for 2 lanes"):
        env.set_states([0, 1], [initial])
    with pytest.raises(ValueError, match="not one of this game"):
        env.set_states([0, 1], [initial, gdlr.Game("tictactoe").initial])
    with pytest.raises(TypeError):
        env.set_states([0], [None])  # type: ignore[list-item]
    assert (env.save() == good).all()


#: The turn goes round, so that facts can say that it is everybody's.
ROUND = """
(role a) (role b) (role c) (init (turn a)) (after a b) (after b c) (after c a) (number 1) (number 2)
(<= (next (turn ?q)) (true (turn ?p)) (after ?p ?q))
(<= (legal ?p (say ?n)) (true (turn ?p)) (number ?n))
(<= (legal ?p wait) (role ?p) (not (true (turn ?p))))
(<= (next (said ?n)) (does ?p (say ?n)))
(<= terminal (true (said 1)) (true (turn a))) (goal a 1) (goal b 2) (goal c 3)
"""


def test_states_to_which_play_does_not_come() -> None:
    """They are refused, and what comes before them in the list is not restored, either."""
    env = gdlr.make(gdlr.Game.from_string(ROUND), 4, threads=2)
    before = env.save()
    env.step(np.full(4, env.action("(say 2)")))
    after = env.save()
    everybodys = before.copy()
    everybodys[3, 1:] |= after[3, 1:]
    with pytest.raises(ValueError, match="lane 3: play does not come"):
        env.restore(everybodys)
    assert (env.save() == after).all()


def test_observations_are_planes_of_boards() -> None:
    env = gdlr.make("connect4", 3)
    (board,) = env.boards
    assert (len(board.rows), len(board.columns)) == (6, 7)
    assert env.observation_shape == (len(board.channels) + 2, 6, 7)
    observation, _ = env.reset()
    env.step(np.full(3, env.action("(drop 2)")))
    env.step(np.full(3, env.action("(drop 2)")))
    assert observation is not None
    assert board.rows == ("6", "5", "4", "3", "2", "1"), "as it stands before the players"
    for color, row in (("red", 5), ("yellow", 4)):
        plane = observation[1, board.channels.index(f"(disc _ _ {color})")]
        assert [(int(at), int(of)) for at, of in np.argwhere(plane)] == [(row, 1)]
    turn = observation[0, len(board.channels) :]
    assert {plane.all() for plane in turn} == {True, False}
    assert "2 . y ." in env.render(0) and env.render(0) == env.state(0).render()
    flat = gdlr.make("connect4", 3, observe="facts")
    assert flat.observation_shape == (len(flat.channels),)
    with pytest.raises(ValueError, match="no planes"):
        gdlr.make("rock_paper_scissors", 3, observe="planes")
    with pytest.raises(ValueError, match="shape"):
        env.decode(np.zeros(5))


def test_views_copies_and_bits() -> None:
    outputs = ("observation", "legal_action_mask", "legal_action_bits", "observation_bits")
    env = gdlr.make("connect4", 70, outputs=outputs, observe="facts")
    observation, info = env.reset()
    env.step_random()
    again, _, _, _, same = env.step_random()
    assert again is observation and same is info
    assert again is not None

    def unpacked(words: Any, width: int) -> Any:
        bits = np.unpackbits(words.view(np.uint8), axis=-1, bitorder="little")
        return bits[:, :width].astype(bool)

    assert (unpacked(info["observation_bits"], again.shape[1]) == again).all()
    assert (unpacked(info["legal_action_bits"], 7) == info["legal_action_mask"]).all()
    kept = gdlr.make("connect4", 70, copy=True)
    one, _ = kept.reset()
    two = kept.step_random()[0]
    assert one is not None and not (one == two).all()
    assert again.dtype == np.bool_ and again.__dlpack_device__()[0] == 1
    assert (np.from_dlpack(again.view(np.uint8)) == again).all()


@pytest.mark.parametrize("engine", ["propnet", "tree"])
def test_what_roles_see(engine: str) -> None:
    game = gdlr.Game("krieg_tictactoe", engine=engine)
    env = gdlr.make(game, 9, outputs=("observation", "legal_action_mask", "observation_bits"))
    assert env.hidden and env.net == (engine == "propnet")
    assert env.observation_shape == (2, len(env.channels))
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=1)
    states = [game.initial] * env.num_envs
    seen = 0
    for _ in range(60):
        assert observation is not None
        bits = np.unpackbits(info["observation_bits"].view(np.uint8), axis=1, bitorder="little")
        assert (bits[:, : observation[0].size] == observation.reshape(9, -1)).all()
        for lane, state in enumerate(states):
            sees = [(role, what) for role in env.roles for what in state.percepts[role]]
            assert set(env.decode(observation[lane])) == {f"(sees {of} {it})" for of, it in sees}
            seen += len(sees)
        actions = env.random_actions(rng)
        for lane, (state, action) in enumerate(zip(states, actions, strict=True)):
            if state.terminal:
                states[lane] = game.initial
            elif env.simultaneous:
                states[lane] = state.step([env.actions[of_role] for of_role in action])
            else:
                mover = env.roles[env.current_player[lane]]
                states[lane] = state.step({mover: env.actions[action]})
        observation, *_, info = env.step(actions)
    assert seen > 0


def test_seen_in_the_last_step() -> None:
    outputs = ("observation", "legal_action_mask", "final_observation")
    env = gdlr.make("monty_hall", 64, autoreset="same_step", outputs=outputs)
    rng = np.random.default_rng(1)
    env.reset(seed=1)
    ends = 0
    for _ in range(12):
        observation, _, terminated, _, info = env.step(env.random_actions(rng))
        assert observation is not None
        assert not observation[terminated].any()
        for final in info["final_observation"][terminated]:
            (only,) = env.decode(final)
            assert only.startswith("(sees candidate (prize ")
            ends += 1
    assert ends >= 64


@pytest.mark.parametrize("name", ["connect4", "light_cycles", "krieg_tictactoe", "kuhn_poker"])
@pytest.mark.parametrize(("engine", "threads"), [("propnet", 1), ("propnet", 2), ("tree", 1)])
def test_last_actions(name: str, engine: str, threads: int) -> None:
    """What lanes have played at random, given to other lanes, leads to the same states."""
    outputs = ("observation", "legal_action_mask", "last_action")
    game = gdlr.Game(name, engine=engine)

    def make() -> gdlr.Env:
        return gdlr.make(game, 70, threads=threads, outputs=outputs, omniscient=True)

    drawn, told = make(), make()
    last = drawn.last()[4]["last_action"]
    assert last.dtype == np.int32 and (last == -1).all()
    assert last.shape == ((70, len(drawn.roles)) if drawn.simultaneous else (70,))
    started = 0
    for _ in range(40):
        mask = drawn.legal_action_mask.copy()
        mover, over = drawn.current_player.copy(), drawn.last()[2] | drawn.last()[3]
        observation, _, _, _, info = drawn.step_random()
        last = info["last_action"]
        plays = last.reshape(70, -1)
        assert (plays[over] == -1).all()
        started += int(over.sum())
        by_chance = mover == (drawn.roles.index("random") if "random" in drawn.roles else -2)
        players = [at for at, role in enumerate(drawn.roles) if role != "random"]
        by_players = plays[:, players] if drawn.simultaneous else plays
        assert (by_players[~over & ~by_chance] >= 0).all() and (plays[by_chance] == -1).all()
        assert not drawn.simultaneous or (np.delete(plays, players, axis=1) == -1).all()
        chosen = np.argwhere(plays >= 0)
        rows = mask.reshape(70, plays.shape[1], -1)
        assert rows[chosen[:, 0], chosen[:, 1], plays[plays >= 0]].all()
        # -1 would make a lane wait where chance moves.
        told.step(np.where(last < 0, 0, last))
        assert (told.last()[4]["last_action"] == last).all()
        other = told.last()[0]
        assert other is not None and observation is not None
        if "random" not in drawn.roles:
            assert (observation == other).all()
        told.set_states(range(70), [drawn.state(lane) for lane in range(70)])
        assert (told.last()[4]["last_action"] == -1).all(), "those lanes have played nothing"
    assert started > 0


def test_children() -> None:
    """All children are what their lanes become by their actions, on nets and on trees."""
    fast = gdlr.make("connect4", 40, threads=2, max_steps=17)
    slow = gdlr.make(gdlr.Game("connect4", engine="tree"), 40, max_steps=17)
    other = gdlr.make(fast.game, 300, max_steps=17)
    rng = np.random.default_rng(1)
    over = 0
    for _ in range(30):
        before = fast.save()
        children = fast.expand()
        assert (fast.save() == before).all()
        # By lane and name of the action; those of trees have other numbers.
        trees = slow.expand(observation=False, legal_action_mask=False)
        assert trees.observation is None and trees.legal_action_mask is None
        names = [(lane, fast.actions[at]) for lane, at in zip(children.lane, children.action)]
        of_trees = [(lane, slow.actions[at]) for lane, at in zip(trees.lane, trees.action)]
        assert sorted(names) == sorted(of_trees) and len(names) == len(children)
        order = [of_trees.index(name) for name in names]
        assert (trees.terminated[order] == children.terminated).all()
        assert (trees.truncated[order] == children.truncated).all()
        assert (trees.rewards[order] == children.rewards).all()
        assert (trees.current_player[order] == children.current_player).all()
        rows = np.argwhere(fast.legal_action_mask)
        assert (rows[:, 0] == children.lane).all() and (rows[:, 1] == children.action).all()
        # One by one: in other lanes, which are not cut.
        count = len(children)
        if count:
            actions = np.full(300, -1)
            actions[:count] = children.action
            other.restore(before[children.lane], np.arange(count))
            observation, rewards, terminated, truncated, info = other.step(actions)
            assert observation is not None and children.observation is not None
            assert (observation[:count] == children.observation).all()
            assert (rewards[:count] == children.rewards).all()
            assert (terminated[:count] == children.terminated).all()
            cut = children.truncated
            assert children.legal_action_mask is not None
            mask = info["legal_action_mask"][:count]
            assert (mask[~cut] == children.legal_action_mask[~cut]).all()
            assert not children.legal_action_mask[cut].any()
            over += int(cut.sum())
        actions = fast.random_actions(rng)
        named = [fast.actions[action] for action in actions]
        fast.step(actions)
        slow.step(np.array([slow.action(name) for name in named]))
    assert over > 0
    for name, why in [("light_cycles", "at once"), ("pig", "chance"), ("krieg_tictactoe", "hide")]:
        with pytest.raises(ValueError, match=why):
            gdlr.make(name, 2).expand()
    over_all = gdlr.make("tictactoe", 3, autoreset="disabled")
    over_all.cut([0, 1, 2])
    none = over_all.expand()
    assert len(none) == 0 and none.observation is not None
    assert none.observation.shape == (0, *over_all.observation_shape)


def test_lanes_without_a_net() -> None:
    with pytest.warns(RuntimeWarning, match="no net"):
        slow = gdlr.make(gdlr.Game("connect4", set_up_time=0), 7, threads=2, max_steps=20)
    fast = gdlr.make("connect4", 7, max_steps=20)
    assert fast.net and not slow.net and not slow.simultaneous
    assert set(fast.actions) <= set(slow.actions)
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions = slow.random_actions(rng)
        names = [slow.actions[action] for action in actions]
        ours = np.array([fast.action(name) if name in fast.actions else 0 for name in names])
        _, rewards, terminated, truncated, info = slow.step(actions)
        _, others, ends, cuts, other_info = fast.step(ours)
        assert (rewards == others).all()
        assert (terminated == ends).all() and (truncated == cuts).all()
        assert (info["current_player"] == other_info["current_player"]).all()
        assert [slow.state(lane).facts for lane in range(7)] == [
            fast.state(lane).facts for lane in range(7)
        ]
    slow.set_state(0, slow.game.initial)
    assert slow.state(0) == slow.game.initial and slow.age(0) == 0
    with pytest.raises(ValueError, match="without a net"):
        slow.save()
    with pytest.raises(gdlr.IllegalAction):
        slow.step(np.full(7, len(slow.actions)))
