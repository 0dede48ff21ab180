"""AlphaZero-style self-play: from rules alone to an agent that searches with what it learned.

    python python/examples/train.py tictactoe --minutes 2 --output learned
    python python/examples/train.py python/examples/connect4_5x4.kif --minutes 5 --output learned
    python python/examples/train.py abg/breakthrough_4x4.abg --minutes 2 --output learned
    python python/examples/train.py --help

Any game will do in which roles alternate: the path of a rulesheet or of an automaton (RG, HRG, RBG,
ABG), or the name of a bundled game. Nothing here knows the game. It needs torch (`pip install torch`); a processor is enough, and one thread of it.

1. *Self-play* (`self_play.py`): 512 games side by side, in lanes. A tree search of 32 leaves a game
   (`tree_search.py`) chooses every action, and the leaves of all games are one batch for the
   network. That goes on until there are 8,192 new positions.
2. *Learning*: the network is to expect the actions that the search looked at, and the goals that
   came of it, in batches drawn from the last 200,000 positions. Then self-play goes on with it.
3. From time to time, *evaluation*: 400 games against random moves, and 400 against gdlr's own
   search, UCT with 100 random playouts a move; the agent goes first in every second one, searches
   as in self-play, and plays what it looked at most. A game counts as the goal that the agent got:
   a win 100, a draw 50.

In the folder of ``--output`` there are then NAME.pt, the network for torch; NAME.onnx, the network
for ``gdlr`` (if there are onnx and onnxscript); NAME.json, the curve; and learning.svg, the curves of
all games in the folder (if there is matplotlib). Minutes are those of the processor in self-play and
learning. The network plays in every command that has players:

    gdlr play tictactoe --player net:learned/tictactoe.onnx
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import gdlr
import numpy as np
from network import Array
from self_play import Positions, SelfPlay, against, at_random, by_playouts
from tree_search import TreeSearch

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as error:
    raise SystemExit("train.py needs torch: pip install torch") from error

#: Games side by side in self-play, and in evaluation; leaves of each search.
GAMES, EVALUATED, SIMULATIONS = 512, 400, 32
#: Positions of an iteration, and how many are kept.
NEW, KEPT = 8192, 200_000
#: How often each position is learned from, in the mean, and how many at once.
TIMES, BATCH = 4, 512
#: Playouts a move of the search that is played against.
PLAYOUTS = 100
#: What the agent plays against: the name in the picture, its colour, and the mean goal to reach.
OTHERS = {
    "random": ("random moves", "tab:blue", 95),
    "uct": (f"UCT, {PLAYOUTS} playouts", "tab:orange", 60),
}


class Residual(nn.Module):
    """Adds what layers make of the inputs to these."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return functional.relu(inputs + self.layers(inputs))


class Network(nn.Module):
    """Observations to logits of actions and goals, by convolutions where there are planes."""

    def __init__(self, shape: tuple[int, ...], actions: int, roles: int, wide: int = 32) -> None:
        """``wide`` is the number of channels; without planes each layer has eight times as many."""
        super().__init__()
        is_board = len(shape) == 3
        wide = wide if is_board else 8 * wide
        size = wide * shape[1] * shape[2] if is_board else wide

        def layer(inputs: int) -> nn.Module:
            return nn.Conv2d(inputs, wide, 3, padding=1) if is_board else nn.Linear(inputs, wide)

        blocks = (Residual(layer(wide), nn.ReLU(), layer(wide)) for _ in range(2))
        self.body = nn.Sequential(layer(shape[0]), nn.ReLU(), *blocks, nn.Flatten())
        self.policy = nn.Linear(size, actions)
        self.goals = nn.Sequential(nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, roles))

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        body = self.body(inputs)
        return self.policy(body), self.goals(body)

    def evaluate(self, observation: Array, _mask: Array) -> tuple[Array, Array]:
        """What the search asks."""
        with torch.inference_mode():
            logits, goals = self(torch.from_numpy(observation).float())
            return logits.numpy(), goals.sigmoid().numpy()

    def loss(self, observation: Array, mask: Array, policy: Array, goals: Array) -> torch.Tensor:
        """How wrong the network is about some positions."""
        logits, expected = self(torch.from_numpy(observation).float())
        logits = logits.masked_fill(~torch.from_numpy(mask), -1e9)
        wrong_actions = functional.cross_entropy(logits, torch.from_numpy(policy))
        target = torch.from_numpy(goals)
        wrong_goals = functional.binary_cross_entropy_with_logits(expected, target)
        return wrong_actions + target.shape[1] * wrong_goals


class Evaluation(nn.Module):
    """A network as value nets are written: logits of actions, and goals from 0 to 1."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        policy, goals = self.network(observation)
        return policy, goals.sigmoid()


def write(network: Network, env: gdlr.Env, path: Path) -> None:
    """Writes a network as a value net, in ONNX: ``docs/value-nets.md``."""
    try:
        import onnx
        import onnxscript  # noqa: F401
    except ImportError:
        print(f"there is no {path}: it takes onnx and onnxscript")
        return
    program = torch.onnx.export(
        Evaluation(network).eval(),
        (torch.zeros(2, *env.observation_shape),),
        input_names=["observation"],
        output_names=["policy", "goals"],
        dynamic_shapes=({0: "positions"},),
        dynamo=True,
        optimize=True,
        verbose=False,
    )
    assert program is not None
    model = program.model_proto
    for node in model.graph.node:
        # What the exporter notes for itself.
        node.ClearField("metadata_props")
    model.metadata_props.add(key="gdlr", value=env.value_net_words())
    onnx.checker.check_model(model)
    onnx.save(model, path)


class Memory:
    """The positions of the last iterations."""

    def __init__(self) -> None:
        self.parts: list[Positions] = []

    def add(self, part: Positions) -> None:
        self.parts.append(part)
        while sum(map(len, self.parts)) > KEPT:
            self.parts.pop(0)

    def draw(self, batches: int, rng: np.random.Generator) -> list[list[Array]]:
        """Batches of positions: observations, masks, policies, goals."""
        columns = [
            np.concatenate([getattr(part, name) for part in self.parts])
            for name in ("observation", "mask", "policy", "goals")
        ]
        chosen = rng.integers(len(columns[0]), size=(batches, BATCH))
        return [[column[rows] for column in columns] for rows in chosen]


def picture(folder: Path) -> None:
    """Draws the curves of all games in a folder."""
    try:
        import matplotlib
    except ImportError:
        print("there is no picture: it takes matplotlib")
        return
    matplotlib.use("svg")
    from matplotlib import pyplot

    paths = sorted(folder.glob("*.json"))
    size = (4.5 * len(paths), 3.5)
    figure, all_axes = pyplot.subplots(1, len(paths), figsize=size, sharey=True, squeeze=False)
    for axes, path in zip(all_axes[0], paths, strict=True):
        curve = json.loads(path.read_text())
        minutes = [point["minutes"] for point in curve]
        for name, (label, color, wanted) in OTHERS.items():
            means = [point[name]["mean"] for point in curve]
            axes.plot(minutes, means, color=color, marker=".", label=f"against {label}")
            axes.axhline(wanted, color=color, linestyle=":", linewidth=1)
        axes.set(title=path.stem, xlabel="minutes of a processor", ylim=(0, 102))
    all_axes[0][0].set_ylabel("mean goal")
    all_axes[0][0].legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(folder / "learning.svg", metadata={"Date": None})


def options() -> argparse.Namespace:
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=formatter)
    parser.add_argument("rules", help="a rulesheet, an automaton, or a bundled game")
    parser.add_argument("--minutes", type=float, default=10,
                        help="of self-play and learning, 0 for an untrained network (10)")
    parser.add_argument("--every", type=float, default=0.25, help="minutes to evaluate after (0.25)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wide", type=int, default=32, help="channels of the network (32)")
    parser.add_argument("--output", type=Path, default=Path("learned"), help="a folder (learned)")
    return parser.parse_args()


def main() -> None:
    given = options()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(given.seed)
    game = gdlr.Game(given.rules)
    env = gdlr.make(game, GAMES, autoreset="disabled")
    network = Network(env.observation_shape, len(env.actions), len(env.roles), given.wide)
    network.to(memory_format=torch.channels_last)
    adam = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=1e-4)
    size = sum(weights.numel() for weights in network.parameters())
    print(f"{game.name}: observations {env.observation_shape}, {size:,} weights", flush=True)
    playing = SelfPlay(TreeSearch(env, network.evaluate, SIMULATIONS, rng))
    arena = gdlr.make(game, EVALUATED, autoreset="disabled")
    judged = TreeSearch(arena, network.evaluate, SIMULATIONS, rng)
    others = {"random": at_random(rng), "uct": by_playouts(PLAYOUTS, rng)}
    given.output.mkdir(parents=True, exist_ok=True)
    memory, curve, minutes = Memory(), list[dict[str, Any]](), 0.0
    while True:
        if minutes >= min(given.every * len(curve), given.minutes):
            point: dict[str, Any] = {"minutes": round(minutes, 3), "games": playing.games}
            for name, other in others.items():
                won, drawn, lost = against(judged, other)
                mean = 100 * (won + drawn / 2) / EVALUATED
                point[name] = {"won": won, "drawn": drawn, "lost": lost, "mean": mean}
                print(f"    against {OTHERS[name][0]}: {mean:.1f} "
                      f"({won} won, {drawn} drawn, {lost} lost)", flush=True)
            curve.append(point)
            (given.output / f"{game.name}.json").write_text(json.dumps(curve, indent=1) + "\n")
            torch.save(network.state_dict(), given.output / f"{game.name}.pt")
        if minutes >= given.minutes:
            break
        begin = time.process_time()
        memory.add(playing.play(NEW))
        losses = []
        for batch in memory.draw(TIMES * NEW // BATCH, rng):
            loss = network.loss(*batch)
            adam.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            adam.step()
            losses.append(loss.item())
        minutes += (time.process_time() - begin) / 60
        loss_now = f"loss {np.mean(losses):.3f}"
        print(f"{minutes:6.2f} min {playing.games:8,} games, {loss_now}", flush=True)
    write(network, env, given.output / f"{game.name}.onnx")
    picture(given.output)


if __name__ == "__main__":
    main()
