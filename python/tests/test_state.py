"""States: what they say, and that they are values."""

import copy
import pickle
import random
import subprocess
import sys

import gdlr
import pytest


@pytest.fixture(scope="module", params=["propnet", "tree", "rg"])
def game(request: pytest.FixtureRequest) -> gdlr.Game:
    return gdlr.Game("tictactoe", engine=request.param)


def test_what_a_state_says(game: gdlr.Game) -> None:
    state = game.initial
    assert state.facts == ("(turn crosses)",)
    assert not state.terminal
    assert state.to_move == ("crosses",)
    assert state.legal("noughts") == ("wait",)
    assert sorted(state.legal("crosses")) == [f"(sign {x} {y})" for x in "123" for y in "123"]
    assert state.legal_moves == {role: state.legal(role) for role in game.roles}
    assert (state.steps, state.last_moves, state.history) == (0, None, ())
    assert state.game is game or state.game == game


def test_steps_by_role_and_in_order(game: gdlr.Game) -> None:
    state = game.initial
    one = state.step({"crosses": "(sign 2 2)", "noughts": "wait"})
    assert one == state.step(["(sign 2 2)", "wait"]) == state.step(("(SIGN 2  2)", "WAIT"))
    # A role without a choice may be left out.
    assert one == state.step({"crosses": "(sign 2 2)"})
    assert one.facts == ("(signed 2 2 crosses)", "(turn noughts)")
    assert one.last_moves == {"crosses": "(sign 2 2)", "noughts": "wait"}
    two = one.step({"noughts": "(sign 1 1)"})
    assert two.history == (("(sign 2 2)", "wait"), ("wait", "(sign 1 1)"))
    assert (two.steps, two.undo(), two.undo().undo()) == (2, one, state)
    # The state that was stepped from is as it was.
    assert state.steps == 0 and state.facts == ("(turn crosses)",)


def test_the_end(game: gdlr.Game) -> None:
    state = game.initial
    for move in ["(sign 1 1)", "(sign 2 1)", "(sign 1 2)", "(sign 2 2)", "(sign 1 3)"]:
        state = state.step({state.to_move[0]: move})
    assert state.terminal
    assert state.goals == {"crosses": 100, "noughts": 0}
    assert state.goal("Crosses") == 100
    assert state.legal_moves == {"crosses": (), "noughts": ()}
    assert state.to_move == ()


def test_states_are_values(game: gdlr.Game) -> None:
    state = game.initial
    a = state.step({"crosses": "(sign 1 1)"}).step({"noughts": "(sign 3 3)"}).step({"crosses": "(sign 2 2)"})
    b = state.step({"crosses": "(sign 2 2)"}).step({"noughts": "(sign 3 3)"}).step({"crosses": "(sign 1 1)"})
    assert a == b and hash(a) == hash(b) and a.history != b.history
    assert a != state and a != "a state" and len({a, b, state}) == 2
    assert copy.copy(a) is a and copy.deepcopy(a) is a
    again = pickle.loads(pickle.dumps(a))
    assert again == a and hash(again) == hash(a) and again.facts == a.facts
    assert game.state_from_facts(a.facts) == a
    assert game.state_from_facts(str(a)) == a
    assert game.state_from_facts([f"(true {fact})" for fact in a.facts]) == a


def test_states_of_several_engines_and_games() -> None:
    engines = [gdlr.Game("nim", engine=engine) for engine in ("propnet", "tree", "rg")]
    states = {game.initial.random_step(1) for game in engines}
    assert len({hash(game.initial) for game in engines}) == 1
    assert len({game.initial for game in engines}) == 1
    assert len(states) <= 3
    assert gdlr.Game("tictactoe").initial != gdlr.Game("nim").initial
    assert len(set(engines)) == 1 and engines[0] != gdlr.Game("tictactoe")


def test_a_hash_is_the_same_in_another_process() -> None:
    code = "import gdlr; print(hash(gdlr.Game('connect4', engine='tree').initial))"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert int(there.stdout) == hash(gdlr.Game("connect4").initial)


def test_pickled_states_share_their_game() -> None:
    game = gdlr.Game("connect4")
    state, play = game.initial, []
    for _ in range(5):
        state = state.random_step(3)
        play.append(state)
    one, two = (pickle.loads(pickle.dumps(state)) for state in play[:2])
    assert one.step(play[1].history[1]) == two == play[1]
    restored = pickle.loads(pickle.dumps(game))
    assert restored == game and restored.engine == game.engine and restored.name == "connect4"
    # Set-up is not made again as long as the game is in use.
    assert restored.set_up_seconds == pickle.loads(pickle.dumps(game)).set_up_seconds


def test_random_steps() -> None:
    game = gdlr.Game("connect4")
    assert game.initial.random_step(7) == game.initial.random_step(7)
    seen = {game.initial.random_step(seed) for seed in range(60)}
    assert len(seen) == len(game.initial.legal(game.initial.to_move[0]))
    rng, same = random.Random(5), random.Random(5)
    assert game.initial.random_step(rng) == game.initial.random_step(same)
    random.seed(1)
    assert isinstance(game.initial.random_step(), gdlr.State)
    state = game.initial
    while not state.terminal:
        state = state.random_step(rng)
    assert sum(value for value in state.goals.values() if value is not None) == 100
    numpy = pytest.importorskip("numpy")
    assert isinstance(game.initial.random_step(numpy.random.default_rng(1)), gdlr.State)


def test_a_long_play_is_freed() -> None:
    rules = """(role a) (init (at 0)) (legal a go) (<= (next (at ?x)) (true (at ?x)))
        (<= terminal (true (at 1))) (goal a 0)"""
    state = gdlr.Game(rules).initial
    for _ in range(200_000):
        state = state.step(["go"])
    assert state.steps == 200_000
    del state


def test_percepts() -> None:
    game = gdlr.Game("krieg_tictactoe")
    assert game.has_percepts
    state = game.initial
    assert set(state.percepts.values()) == {()}
    role = state.to_move[0]
    state = state.step({role: state.legal(role)[0]})
    state = state.step({state.to_move[0]: "(try 1 1)"})
    assert any(state.percepts.values())
    assert not gdlr.Game("tictactoe").has_percepts
    assert gdlr.Game("tictactoe").initial.random_step(1).percepts == {"crosses": (), "noughts": ()}


def test_chance() -> None:
    game = gdlr.Game("pig")
    assert game.chance == "random" and "random" in game.roles
    assert gdlr.Game("tictactoe").chance is None
    assert game.initial.goals["random"] is None


def test_text() -> None:
    state = gdlr.Game("tictactoe").initial
    assert str(state).splitlines() == list(state.facts)
    assert repr(state) == "<gdlr.State of tictactoe, 1 facts, step 0>"
    assert repr(state.game) == "<gdlr.Game tictactoe, roles crosses, noughts, engine propnet>"
