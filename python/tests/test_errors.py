"""Bad input: an exception with the diagnosis, and never the end of the process."""

import pickle
from pathlib import Path

import gdlr
import pytest

# Terms that grow without bound; states that are too much for the trees.
GROWS = "(role a) (init (c 0)) (legal a go) (<= (next (c (s ?x))) (true (c ?x))) (goal a 0) (<= terminal (true (c 1)))"
DIGITS = " ".join(f"(digit {n})" for n in range(10))
TOO_MUCH = f"""(role a) {DIGITS} (init (at 0)) (legal a go) (goal a 0)
    (<= (all ?a ?b ?c ?d ?e ?f ?g ?h ?i) (true (at 0)) {" ".join(f"(digit ?{v})" for v in "abcdefghi")})
    (<= (next (at ?a)) (all ?a ?b ?c ?d ?e ?f ?g ?h ?i) (distinct ?a ?b))
    (<= terminal (all ?a ?b ?c ?d ?e ?f ?g ?h ?i) (distinct ?a ?b) (all ?b ?a ?c ?d ?e ?f ?g ?h ?i))"""


def test_rules_that_do_not_parse() -> None:
    with pytest.raises(gdlr.RulesError) as raised:
        gdlr.Game("(role white)\n(<= terminal (true done)\n")
    (found,) = raised.value.diagnostics
    assert (found.code, found.line, found.column) == ("K001", 2, 1)
    assert str(raised.value).startswith("game:2:1: error[K001]: ")
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, gdlr.Error)
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.diagnostics == raised.value.diagnostics and str(again) == str(raised.value)


def test_rules_without_a_meaning() -> None:
    with pytest.raises(gdlr.RulesError, match="E012"):
        gdlr.Game("(role a) (<= (legal a ?x) (not (p ?x))) (goal a 0) (<= terminal (true x))")
    with pytest.raises(gdlr.RulesError, match="E017"):
        gdlr.Game(GROWS)
    with pytest.raises(gdlr.RulesError):
        gdlr.Game.from_string("")


def test_deep_and_odd_texts() -> None:
    for text in ["(" * 100_000, "(role a)" + ")" * 1000, "(role \x00)", "(role a) role(b)", "(role é\u2028)"]:
        with pytest.raises(gdlr.RulesError):
            gdlr.Game.from_string(text)
    with pytest.raises(ValueError):
        gdlr.Game.from_string("(role \ud800)")


def test_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        gdlr.Game.from_path(tmp_path / "none.kif")
    with pytest.raises(FileNotFoundError):
        gdlr.Game(tmp_path / "none.kif")
    with pytest.raises(OSError):
        gdlr.Game.from_path(tmp_path)
    binary = tmp_path / "binary.kif"
    binary.write_bytes(b"(role \xff\xfe)")
    with pytest.raises(gdlr.RulesError, match="K005"):
        gdlr.Game(binary)
    large = tmp_path / "large.kif"
    large.write_bytes(b" " * (20 << 20))
    with pytest.raises(gdlr.RulesError, match="K004"):
        gdlr.Game(large)


def test_names_of_games() -> None:
    with pytest.raises(ValueError, match="did you mean `tictactoe`"):
        gdlr.Game("tictaktoe")
    with pytest.raises(ValueError, match="did you mean `tictactoe`"):
        gdlr.Game.bundled("tictaktoe")
    for rules in [None, 3, object()]:
        with pytest.raises(TypeError):
            gdlr.Game(rules)  # type: ignore[arg-type]


def test_moves() -> None:
    state = gdlr.Game("tictactoe").initial
    with pytest.raises(gdlr.IllegalMove, match="has no move `\\(sign 9 9\\)` for crosses") as raised:
        state.step({"crosses": "(sign 9 9)"})
    assert (raised.value.role, raised.value.move) == ("crosses", "(sign 9 9)")
    assert raised.value.legal == state.legal("crosses")
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    for word in ["(sign 1 1", "", "?x", "(sign 1 1) (sign 1 2)", ")", "\x00", "(" * 10_000]:
        with pytest.raises(gdlr.IllegalMove):
            state.step([word, "wait"])
    after = state.step({"crosses": "(sign 1 1)"})
    with pytest.raises(gdlr.IllegalMove, match="not legal for noughts in this state"):
        after.step({"noughts": "(sign 1 1)"})
    with pytest.raises(ValueError, match="no move for noughts, which has 8"):
        after.step({})
    with pytest.raises(ValueError, match="no role is called `z`"):
        after.step({"z": "wait"})
    with pytest.raises(ValueError, match="1 moves for 2 roles"):
        after.step(["wait"])
    for joint in ["wait", 3, None, [1, 2], {"crosses": 3}]:
        with pytest.raises(TypeError):
            after.step(joint)  # type: ignore[arg-type]


def test_the_game_is_over() -> None:
    game = gdlr.Game("tictactoe")
    state = game.initial
    while not state.terminal:
        state = state.random_step(1)
    with pytest.raises(gdlr.IllegalMove, match="over"):
        state.step(["wait", "wait"])
    with pytest.raises(ValueError, match="over"):
        state.random_step()
    with pytest.raises(ValueError, match="over"):
        game.mcts(state, playouts=1)


def test_undo_at_the_beginning() -> None:
    with pytest.raises(ValueError, match="no state before"):
        gdlr.Game("tictactoe").initial.undo()


def test_facts() -> None:
    game = gdlr.Game("tictactoe")
    with pytest.raises(gdlr.PositionError) as raised:
        game.state_from_facts(["(turn crosses)", "(signe 1 1 crosses)"])
    (found,) = raised.value.diagnostics
    assert (found.code, found.line, found.column) == ("P001", 2, 2)
    for facts in ["(turn crosses", ["(turn ?x)"], ["nobody"], ["(turn crosses)", "(turn noughts)"]]:
        with pytest.raises(gdlr.PositionError):
            game.state_from_facts(facts)
    for facts in [3, [3], None]:
        with pytest.raises(TypeError):
            game.state_from_facts(facts)  # type: ignore[arg-type]
    # The trees have room for what play cannot reach.
    both = gdlr.Game("tictactoe", engine="tree").state_from_facts(["(turn crosses)", "(turn noughts)"])
    assert both.facts == ("(turn crosses)", "(turn noughts)")


def test_budgets() -> None:
    with pytest.raises(gdlr.SetUpError, match="set_up_time") as raised:
        gdlr.Game("amazons", engine="propnet", set_up_time=0.0)
    assert raised.value.limit == "time"
    with pytest.raises(gdlr.SetUpError, match="set_up_memory") as raised:
        gdlr.Game("amazons", engine="propnet", set_up_memory=1)
    assert raised.value.limit == "memory"
    assert pickle.loads(pickle.dumps(raised.value)).limit == "memory"
    with pytest.raises(gdlr.SetUpError):
        gdlr.Game("amazons", engine="tree", set_up_time=0.01).to_rg()


def test_a_state_that_is_too_much() -> None:
    with pytest.raises((gdlr.WorkError, gdlr.RulesError)) as raised:
        gdlr.Game(TOO_MUCH, engine="tree").initial.terminal  # noqa: B018
    assert raised.value.diagnostics[0].code == "S005"


def test_arguments() -> None:
    game = gdlr.Game("tictactoe")
    state = game.initial
    for wrong in [
        lambda: gdlr.Game("tictactoe", engine="fast"),
        lambda: gdlr.Game("tictactoe", engine="batch"),
        lambda: gdlr.Game("tictactoe", set_up_time=-1.0),
        lambda: gdlr.Game("tictactoe", set_up_time=float("nan")),
        lambda: state.legal("nobody"),
        lambda: state.goal("nobody"),
        lambda: game.playouts(),
        lambda: game.playouts(1, threads=0),
        lambda: game.playouts(1, threads=10**6),
        lambda: game.playouts(seconds=-1.0),
        lambda: game.playouts(seconds=float("inf")),
        lambda: game.playouts(1, engine="none"),
        lambda: game.mcts(state),
        lambda: game.mcts(state, "nobody", playouts=1),
        lambda: game.mcts(gdlr.Game("nim").initial, playouts=1),
        lambda: game.crosscheck(engines=["tree"]),
        lambda: game.crosscheck(engines=["tree", "batch"]),
        lambda: gdlr.fmt("tictactoe", to="latin"),
    ]:
        with pytest.raises(ValueError):
            wrong()
    for wrong in [
        lambda: game.playouts(-1),
        lambda: game.perft(-1),
        lambda: state.random_step(2**70 * 1.0),  # type: ignore[arg-type]
        lambda: state.random_step("seed"),
    ]:
        with pytest.raises((OverflowError, TypeError)):
            wrong()


def test_defects_of_games() -> None:
    stuck = "(role a) (init p) (legal a go) (goal a 0) (goal a 1) (<= terminal (true q))"
    state = gdlr.Game(stuck).initial
    with pytest.raises(gdlr.DefectError, match="2 goal values"):
        state.goal("a")
    nowhere = "(role a) (init p) (<= (legal a go) (true q)) (goal a 0) (<= terminal (true r)) (<= (next q) (true r))"
    for engine in ("propnet", "tree"):
        state = gdlr.Game(nowhere, engine=engine).initial
        with pytest.raises(gdlr.DefectError, match="no legal move"):
            state.random_step()
        with pytest.raises(gdlr.DefectError, match="no legal move"):
            state.step({})
        assert gdlr.Game(nowhere, engine=engine).playouts(3).stuck == 3
