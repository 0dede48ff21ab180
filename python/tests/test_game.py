"""Games: where they come from, and what they answer."""

import pickle
from pathlib import Path

import gdlr
import pytest

STICKS = """
(role you) (role me)                  ; whoever takes the last stick wins
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(init (sticks 5)) (init (turn you))
(<= (legal ?r (take 1)) (true (turn ?r)) (true (sticks ?n)) (succ ?m ?n))
(<= (legal ?r (take 2)) (true (turn ?r)) (true (sticks ?n)) (succ ?l ?m) (succ ?m ?n))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (sticks ?m)) (does ?r (take 1)) (true (sticks ?n)) (succ ?m ?n))
(<= (next (sticks ?l)) (does ?r (take 2)) (true (sticks ?n)) (succ ?l ?m) (succ ?m ?n))
(<= (next (turn ?r)) (role ?r) (not (true (turn ?r))))
(<= terminal (true (sticks 0)))
(<= (goal ?r 0) (true (turn ?r)))
(<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
"""


def test_where_games_come_from(tmp_path: Path) -> None:
    path = tmp_path / "sticks.kif"
    path.write_text(STICKS)
    infix = gdlr.fmt(STICKS, to="infix")
    assert ":-" in infix
    bundled = gdlr.Game("TicTacToe")
    assert bundled == gdlr.Game.bundled("tictactoe") and bundled.name == "tictactoe"
    for game, name in [
        (gdlr.Game(STICKS), "game"),
        (gdlr.Game(path), "sticks"),
        (gdlr.Game(str(path)), "sticks"),
        (gdlr.Game.from_path(path), "sticks"),
        (gdlr.Game.from_string(STICKS, name="five"), "five"),
        (gdlr.Game.from_string(infix), "game"),
    ]:
        assert game.name == name
        assert game.roles == ("you", "me")
        assert game.initial.facts == ("(sticks 5)", "(turn you)")
    assert gdlr.Game(STICKS).rules == STICKS
    assert gdlr.Game(STICKS) == gdlr.Game(path) and gdlr.Game(infix) != gdlr.Game(path)


def test_automata() -> None:
    games = Path(__file__).parent.parent.parent / "abg"
    game = gdlr.Game(games / "breakthrough_4x4.abg")
    assert (game.name, game.roles, game.engine) == ("breakthrough_4x4", ("white", "black"), "propnet")
    assert "(a1 a2)" in game.initial.legal("white")
    # As `gdlr perft` counts in the automaton itself.
    assert game.perft(3).counts == (1, 10, 100, 814)
    assert pickle.loads(pickle.dumps(game)) == game
    text = (games / "breakthrough_4x4.abg").read_text()
    with pytest.raises(gdlr.RulesError) as refused:
        gdlr.Game(text.replace("white", "]", 1))
    assert refused.value.diagnostics
    with pytest.raises(gdlr.SetUpError, match="set_up_time: an automaton is played here by the rules"):
        gdlr.Game(games / "chess.abg", set_up_time=0.2)


def test_bundled_games() -> None:
    games = gdlr.games()
    assert games == sorted(games) and {"amazons", "tictactoe", "connect4"} <= set(games)
    assert all(gdlr.check(name) == [] for name in games)


def test_engines() -> None:
    assert [gdlr.Game(STICKS, engine=e).engine for e in ("auto", "propnet", "tree", "rg")] == [
        "propnet",
        "propnet",
        "tree",
        "rg",
    ]
    game = gdlr.Game("hex", set_up_time=0.0)
    assert game.engine == "tree" and game.fallback is not None and "time" in game.fallback
    assert gdlr.Game(STICKS).fallback is None
    assert game.moves is None and game.fluents is None


def test_moves_and_fluents() -> None:
    game = gdlr.Game(STICKS)
    assert game.moves is not None and game.fluents is not None
    assert {role: sorted(moves) for role, moves in game.moves.items()} == {
        role: ["(take 1)", "(take 2)", "wait"] for role in ("you", "me")
    }
    # The last stick is taken by either.
    assert set(game.fluents) == {f"(sticks {n})" for n in range(6)} | {"(turn you)", "(turn me)"}
    assert set(gdlr.Game(STICKS, engine="rg").fluents or ()) == set(game.fluents)
    assert set(game.initial.facts) <= set(game.fluents)


def test_percepts() -> None:
    assert gdlr.Game(STICKS).percepts == {"you": (), "me": ()}
    game = gdlr.Game("krieg_tictactoe")
    assert game.percepts is not None
    state, seen = game.initial, set()
    while not state.terminal:
        state = state.random_step(2)
        seen |= set(state.percepts["crosses"])
    assert seen and seen <= set(game.percepts["crosses"])


def test_case() -> None:
    rules = "(role a) (role A) (legal a go) (legal A go) (goal a 0) (<= terminal (true over))"
    assert gdlr.Game(rules).roles == ("a",)
    assert gdlr.Game(rules, case_sensitive=True).roles == ("a", "A")


def test_built_ins() -> None:
    rules = """(role a) (init (n 1)) (legal a go) (goal a 0) (<= terminal (true (n 3)))
        (<= (next (n ?m)) (true (n ?n)) (plus ?n 1 ?m) (leq ?m 3))"""
    assert [d.code for d in gdlr.check(rules) if d.code == "W004"]
    assert not [d.code for d in gdlr.check(rules, built_ins=True) if d.code == "W004"]
    game = gdlr.Game(rules, built_ins=True)
    state = game.initial.step({"a": "go"}).step({"a": "go"})
    assert state.terminal
    assert state.facts == ("(n 3)",)
    assert pickle.loads(pickle.dumps(game)).initial.step({"a": "go"}).facts == ("(n 2)",)


@pytest.mark.parametrize("engine", ["auto", "batch", "propnet", "tree", "rg"])
def test_playouts(engine: str) -> None:
    game = gdlr.Game("tictactoe")
    result = game.playouts(3000, engine=engine, seed=4)
    assert result.engine == ("batch" if engine == "auto" else engine)
    assert (result.playouts, result.capped, result.stuck) == (3000, 0, 0)
    x, o = result.roles["crosses"], result.roles["noughts"]
    assert sum(x.goals.values()) == 3000 and set(x.goals) <= {0, 50, 100}
    assert x.goals[100] == o.goals[0]
    assert result.mean_goals["crosses"] == x.mean
    # The exact value is 64.81; 3000 playouts have a standard error of 0.82.
    assert x.mean is not None and abs(x.mean - 64.81) < 5
    assert result.mean_length is not None and 7 < result.mean_length < 8
    assert result.playouts_per_second > 0 < result.states_per_second
    again = game.playouts(3000, engine=engine, seed=4)
    assert (again.roles, again.states) == (result.roles, result.states)


def test_playouts_in_so_many_lanes() -> None:
    game = gdlr.Game("tictactoe")
    widest = game.playouts(2000, seed=4)
    assert widest.lanes in (128, 256, 512) and widest.backend in ("code", "loops")
    for lanes in (64, 128, widest.lanes):
        result = game.playouts(2000, seed=4, lanes=lanes)
        assert (result.engine, result.lanes, result.playouts) == ("batch", lanes, 2000)
        assert result.roles == game.playouts(2000, seed=4, engine="batch", lanes=lanes).roles
    assert game.playouts(2000, seed=4, lanes=widest.lanes).roles == widest.roles
    assert game.playouts(2000, seed=4, lanes=64).backend == "loops"
    tree = game.playouts(10, engine="tree")
    assert (tree.lanes, tree.backend) == (None, None)
    with pytest.raises(ValueError, match="lanes=100 is none of 64, 128, 256, 512"):
        game.playouts(10, lanes=100)
    with pytest.raises(ValueError, match="lanes are for the engine batch, and not for tree"):
        game.playouts(10, engine="tree", lanes=64)


def test_playouts_by_time_and_on_threads() -> None:
    game = gdlr.Game("connect4")
    result = game.playouts(seconds=0.05, threads=2)
    assert result.playouts > 0 and result.seconds >= 0.05
    assert game.playouts(101, threads=2).playouts == 101
    assert gdlr.Game("connect4", engine="tree").playouts(3).engine == "tree"
    assert gdlr.Game("connect4").playouts(10, max_steps=3).capped == 10


def test_perft() -> None:
    result = gdlr.Game("tictactoe").perft(6)
    assert result.counts == (1, 9, 72, 504, 3024, 15120, 54720)
    assert result.terminal == (0, 0, 0, 0, 0, 1440, 5328)
    assert set(result.stuck) == {0}


def test_mcts() -> None:
    game = gdlr.Game("tictactoe")
    state = game.initial
    for move in ["(sign 1 1)", "(sign 2 2)", "(sign 1 2)"]:
        state = state.step({state.to_move[0]: move})
    result = game.mcts(state, seconds=30)
    assert (result.role, result.best) == ("noughts", "(sign 1 3)")
    # Everything is proven long before the clock runs out.
    assert result.seconds < 20
    assert [estimate.certain for estimate in result.estimates] == [50, 0, 0, 0, 0, 0]
    assert result.estimates[0].value == 50.0
    assert result.main_line[0] == {"crosses": "wait", "noughts": "(sign 1 3)"}
    assert result.nodes > 10 and result.depth > 1


def test_mcts_by_playouts() -> None:
    game = gdlr.Game("connect4")
    one = game.mcts(game.initial, playouts=200, seed=3)
    assert 100 < one.playouts <= 200
    assert one.estimates == game.mcts(game.initial, playouts=200, seed=3).estimates
    assert one.best in game.initial.legal(one.role)
    assert (one.role, game.roles) == ("red", ("red", "yellow"))
    # A role without a choice has nothing to search for.
    assert game.mcts(game.initial, "yellow", playouts=10).estimates == ()


def test_mcts_knows_what_its_role_was_told() -> None:
    game = gdlr.Game("krieg_tictactoe")
    state = game.initial
    for _ in range(3):
        role = state.to_move[0]
        state = state.step({role: state.legal(role)[0]})
    role = state.to_move[0]
    result = game.mcts(state, role, playouts=300)
    assert result.role == role and result.best in state.legal(role) and result.main_line == ()
    # What was told on the way is not known of a state without one.
    alone = game.state_from_facts(state.facts)
    with pytest.raises(ValueError, match="told"):
        game.mcts(alone, role, playouts=10)


def test_mcts_of_chance_and_of_one_role() -> None:
    pig = gdlr.Game("pig")
    state = pig.initial
    result = pig.mcts(state, playouts=100)
    assert result.role != "random"
    puzzle = gdlr.Game("eight_puzzle")
    assert puzzle.mcts(puzzle.initial, playouts=100).best in puzzle.initial.legal(puzzle.roles[0])


def test_crosscheck() -> None:
    result = gdlr.Game("nim").crosscheck(5)
    assert result.agree and result.difference is None and result.left_out == {}
    assert result.engines == ("tree", "propnet", "rg") and result.playouts == 5
    assert result.states > 5 and result.perft[0] == 1
    assert gdlr.Game("nim").crosscheck(1, engines=["tree", "propnet"]).engines == ("tree", "propnet")


def test_to_rg() -> None:
    text = gdlr.Game("nim").to_rg()
    assert "begin" in text and "end" in text and "// (<= terminal" in text
    assert text == gdlr.Game("nim", engine="tree").to_rg(origin="rules")
    assert len(gdlr.Game("nim", engine="tree").to_rg(joint=True)) > len(text)
    of_net = gdlr.Game("nim").to_rg(origin="net")
    assert of_net == gdlr.Game("nim", engine="tree").to_rg(origin="net") and of_net != text
    with pytest.raises(ValueError, match="origin must be 'rules' or 'net', not \"tree\""):
        gdlr.Game("nim").to_rg(origin="tree")  # type: ignore[arg-type]


def test_check() -> None:
    assert gdlr.check("tictactoe") == []
    found = gdlr.check("(role a)\n(legal a wait)\n(goal a 0)\n(<= terminal (not (won ?x)))")
    assert [(d.code, d.severity, d.line) for d in found] == [("E020", "error", 4), ("W004", "warning", 4)]
    (missing,) = gdlr.check("(role a)\n(role b")
    assert (missing.code, missing.line, missing.column, missing.forbids_play) == ("K001", 2, 1, True)
    assert missing.help is not None and str(missing).startswith("2:1: error[K001]: ")
    assert gdlr.check("(role a)\n(role b") == [missing]


def test_check_by_simulation() -> None:
    stuck = "(role a) (init p) (<= (legal a go) (true p)) (goal a 0) (<= terminal (true q)) (<= (next r) (true q))"
    assert "S001" not in {d.code for d in gdlr.check(stuck)}
    assert "S001" in {d.code for d in gdlr.check(stuck, simulate=5)}


def test_fmt() -> None:
    rules = "(role   a) ; who\n(<=  terminal (true over) )"
    laid_out = gdlr.fmt(rules)
    assert gdlr.fmt(laid_out) == laid_out and "; who" in laid_out
    assert "role(a)" in gdlr.fmt(rules, to="infix").replace(" ", "")
    assert gdlr.fmt(gdlr.fmt(rules, to="infix"), to="kif").split() == laid_out.split()
