"""The environments of PettingZoo, by its own checkers."""

import warnings

import gdlr
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import (  # noqa: E402
    api_test,
    parallel_api_test,
    parallel_seed_test,
    render_test,
    seed_test,
)

import gdlr.pettingzoo as zoo  # noqa: E402

# Turns, simultaneous moves, chance, one role, three roles, hidden states.
GAMES = [
    "tictactoe",
    "connect4",
    "rock_paper_scissors",
    "light_cycles",
    "pig",
    "eight_puzzle",
    "three_player_auction",
    "kuhn_poker",
    "krieg_tictactoe",
    "monty_hall",
]


@pytest.mark.parametrize("name", GAMES)
def test_acting_in_turn(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Agents are called as the rules call the roles, and who was told nothing observes nothing.
        warnings.filterwarnings("ignore", message="We recommend agents to be named")
        warnings.filterwarnings("ignore", message="Observation numpy array is all zeros")
        # Observations are dictionaries, with masks, as those of PettingZoo's own games.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(zoo.env(name), num_cycles=200)
    seed_test(lambda: zoo.env(name), num_cycles=30)


@pytest.mark.parametrize("name", GAMES)
def test_acting_at_once(name: str) -> None:
    parallel_api_test(zoo.parallel_env(name), num_cycles=200)


@pytest.mark.parametrize("name", ["rock_paper_scissors", "three_player_auction", "monty_hall"])
def test_seeds_of_acting_at_once(name: str) -> None:
    # It looks at no mask, so it needs games in which every action is legal at the beginning.
    parallel_seed_test(lambda: zoo.parallel_env(name), num_cycles=30)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode=None: zoo.env("tictactoe", render_mode=render_mode))
    env = zoo.env("tictactoe", render_mode="ansi")
    env.reset()
    assert env.render() == str(env.play.state)
    parallel = zoo.parallel_env("tictactoe", render_mode="human")
    parallel.reset()
    capsys.readouterr()
    parallel.render()
    assert "(turn crosses)" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode"):
        zoo.env("tictactoe", render_mode="film")


def test_a_play_in_turn() -> None:
    env = zoo.env("tictactoe")
    env.reset(seed=1)
    assert (env.possible_agents, env.agent_selection) == (["crosses", "noughts"], "crosses")
    moves = env.game.moves
    assert moves is not None
    assert env.observe("noughts")["action_mask"].sum() == 0
    for move in ["(sign 1 1)", "(sign 2 1)", "(sign 1 2)", "(sign 2 2)", "(sign 1 3)"]:
        observation, reward, terminated, truncated, _ = env.last()
        assert (reward, terminated, truncated) == (0, False, False)
        assert observation["action_mask"].sum() == 9 - env.play.state.steps
        names = env.observation_names(env.agent_selection)
        shown = {name for name, bit in zip(names, observation["observation"], strict=True) if bit}
        assert shown == set(env.play.state.facts)
        env.step(moves[env.agent_selection].index(move))
    assert env.rewards == {"crosses": 1.0, "noughts": 0.0} and all(env.terminations.values())
    assert env.state().sum() == len(env.play.state.facts)


def test_nobody_observes_what_others_chose_at_the_same_time() -> None:
    env = zoo.env("rock_paper_scissors")
    env.reset()
    first, before = env.agent_selection, env.observe(env.agents[1])["observation"]
    env.step(int(env.observe(first)["action_mask"].argmax()))
    assert env.agent_selection != first
    assert (env.observe(env.agents[1])["observation"] == before).all()


def test_what_is_hidden_is_not_observed() -> None:
    env = zoo.env("krieg_tictactoe")
    env.reset()
    names = env.observation_names("noughts")
    assert all(name.startswith(("(does noughts ", "(sees noughts ")) for name in names)
    env.step(int(env.observe("crosses")["action_mask"].argmax()))
    other = zoo.env("krieg_tictactoe")
    other.reset()
    (*_, last) = other.observe("crosses")["action_mask"].nonzero()[0]
    other.step(int(last))
    assert env.play.state != other.play.state
    assert (env.observe("noughts")["observation"] == other.observe("noughts")["observation"]).all()


def test_seeds_are_those_of_chance() -> None:
    def play(seed: int) -> list[int]:
        env = zoo.env("pig")
        env.reset(seed=seed)
        moves, seen = env.game.moves, []
        assert moves is not None
        for _ in range(4):
            seen.append(hash(env.play.state))
            env.step(moves[env.agent_selection].index("roll"))
        return seen

    assert play(1) == play(1)
    assert len({tuple(play(seed)) for seed in range(8)}) > 1


def test_truncation() -> None:
    env = zoo.env("connect4", max_steps=3)
    env.reset()
    for _ in range(3):
        assert not any(env.truncations.values())
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    parallel = zoo.parallel_env("connect4", max_steps=1)
    observations, _ = parallel.reset()
    actions = {agent: int(o["action_mask"].argmax()) for agent, o in observations.items()}
    assert all(parallel.step(actions)[3].values()) and parallel.agents == []


def test_bad_actions() -> None:
    env = zoo.env("tictactoe")
    env.reset()
    for action in (-1, 10, 10**9):
        with pytest.raises(IndexError):
            env.step(action)
    moves = env.game.moves
    assert moves is not None
    with pytest.raises(gdlr.IllegalMove):
        env.step(moves["crosses"].index("wait"))
    with pytest.raises(ValueError, match="None is no action"):
        env.step(None)
    parallel = zoo.parallel_env("tictactoe")
    parallel.reset()
    with pytest.raises(gdlr.IllegalMove):
        parallel.step({"crosses": moves["crosses"].index("wait")})
    with pytest.raises(ValueError, match="does not know all moves"):
        zoo.env(gdlr.Game("tictactoe", engine="tree"))
