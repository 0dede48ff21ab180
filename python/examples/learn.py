"""From a rulesheet to a trained agent, with numpy alone and in a minute.

    python python/examples/learn.py [RULES] [--seconds 60]

RULES is a file or a bundled game in which two roles alternate; else the rules are the string below.
Nothing in this script knows the game. An agent plays both sides of
thousands of games at once, and learns a policy from how they end (REINFORCE with a baseline, a
network of one hidden layer, `network.py`). From time to time it plays against random moves.
"""

from __future__ import annotations

import argparse
import time

import gdlr
import numpy as np
from network import Network, softmax

RULES = """
; Three in a row, on three by three squares.
(role first) (role second)
(index 1) (index 2) (index 3)
(init (turn first))
(<= (legal ?p (put ?c ?r)) (true (turn ?p)) (index ?c) (index ?r) (not (taken ?c ?r)))
(<= (legal first wait) (true (turn second)))
(<= (legal second wait) (true (turn first)))
(<= (next (turn second)) (true (turn first)))
(<= (next (turn first)) (true (turn second)))
(<= (next (stone ?c ?r ?p)) (does ?p (put ?c ?r)))
(<= (next (stone ?c ?r ?p)) (true (stone ?c ?r ?p)))
(<= (taken ?c ?r) (true (stone ?c ?r ?p)))
(<= (row ?p) (true (stone 1 ?r ?p)) (true (stone 2 ?r ?p)) (true (stone 3 ?r ?p)))
(<= (row ?p) (true (stone ?c 1 ?p)) (true (stone ?c 2 ?p)) (true (stone ?c 3 ?p)))
(<= (row ?p) (true (stone 1 1 ?p)) (true (stone 2 2 ?p)) (true (stone 3 3 ?p)))
(<= (row ?p) (true (stone 1 3 ?p)) (true (stone 2 2 ?p)) (true (stone 3 1 ?p)))
(<= open (index ?c) (index ?r) (not (taken ?c ?r)))
(<= terminal (role ?p) (row ?p))
(<= terminal (not open))
(<= (goal ?p 100) (row ?p))
(<= (goal first 0) (row second))
(<= (goal second 0) (row first))
(<= (goal ?p 50) (role ?p) (not (row first)) (not (row second)))
"""


class Policy:
    """Observations to a chance of every action."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        self.network = Network(inputs, actions, rng)

    def chances(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The hidden layer, and the chances of legal actions."""
        hidden, logits = self.network(seen)
        return hidden, softmax(logits, mask)

    def learn(
        self, seen: np.ndarray, mask: np.ndarray, actions: np.ndarray, gain: np.ndarray
    ) -> None:
        """Makes actions likelier by what they gained."""
        hidden, chances = self.chances(seen, mask)
        of_logits = chances * (gain[:, None] / len(seen))
        of_logits[np.arange(len(seen)), actions] -= gain / len(seen)
        # Keeps it curious: chances are pushed towards each other.
        with np.errstate(divide="ignore", invalid="ignore"):
            surprise = np.where(chances > 0, np.log(chances), 0)
        entropy = -(chances * surprise).sum(axis=1, keepdims=True)
        of_logits += 0.1 * chances * (surprise + entropy) / len(seen)
        self.network.learn(seen, hidden, of_logits)


def draw(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An action of each row, by its chances."""
    return np.argmax(np.log(chances + 1e-30) + rng.gumbel(size=chances.shape), axis=1)


def seen(observation: np.ndarray) -> np.ndarray:
    return observation.reshape(len(observation), -1).astype(np.float32)


def against_random(policy: Policy, game: gdlr.Game, role: int, rng: np.random.Generator) -> float:
    """The mean goal of the policy, which takes its likeliest action, in 2,000 games."""
    env = gdlr.make(game, 2000, autoreset="disabled")
    observation, info = env.reset()
    goals, over = np.zeros(env.num_envs), np.zeros(env.num_envs, bool)
    while not over.all():
        _, chances = policy.chances(seen(observation), info["legal_action_mask"])
        mine = info["current_player"] == role
        actions = np.where(mine, chances.argmax(axis=1), env.random_actions(rng))
        observation, rewards, over, _, info = env.step(actions)
        goals = np.maximum(goals, rewards[:, role])
    return 100 * float(goals.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="?")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    own = gdlr.Game.from_string(RULES, name="three in a row")
    game = gdlr.Game(options.rules) if options.rules else own
    env = gdlr.make(game, 1024, autoreset="same_step")
    print(f"{game.name}: {len(env.actions)} actions, observations {env.observation_shape}")
    policy = Policy(int(np.prod(env.observation_shape)), len(env.actions), rng)
    observation, info = env.reset(seed=1)
    # The steps of the games under way, by lane.
    played: list[list[tuple[np.ndarray, np.ndarray, int, int]]] = [[] for _ in range(env.num_envs)]
    start, told, games = time.monotonic(), 0.0, 0
    while True:
        elapsed = time.monotonic() - start
        if elapsed >= told:
            goals = [against_random(policy, game, role, rng) for role in range(2)]
            means = ", ".join(f"{of:.1f} as {role}" for of, role in zip(goals, env.roles))
            print(f"{elapsed:5.1f} s {games:8,} games: mean goal against random {means}")
            told += options.seconds / 6
        if elapsed > options.seconds:
            break
        batch: list[tuple[np.ndarray, np.ndarray, int, float]] = []
        while len(batch) < 4096:
            now, mask = seen(observation), info["legal_action_mask"].copy()
            actions = draw(policy.chances(now, mask)[1], rng)
            players = info["current_player"].copy()
            observation, rewards, terminated, _, info = env.step(actions)
            for lane in range(env.num_envs):
                played[lane].append((now[lane], mask[lane], int(actions[lane]), int(players[lane])))
            for lane in np.flatnonzero(terminated):
                games += 1
                for what, could, action, player in played[lane]:
                    batch.append((what, could, action, rewards[lane, player] - 0.5))
                played[lane].clear()
        inputs, masks, chosen, gains = (np.array(part) for part in zip(*batch, strict=True))
        policy.learn(inputs, masks, chosen, gains.astype(np.float32))
    state = game.initial
    print("\nA game against itself:")
    lanes = gdlr.make(game, 1, autoreset="disabled")
    while not state.terminal:
        observation, info = lanes.last()[0], lanes.last()[4]
        _, chances = policy.chances(seen(observation), info["legal_action_mask"])
        lanes.step(chances.argmax(axis=1))
        state = lanes.state(0)
    print(state.render())


if __name__ == "__main__":
    main()
