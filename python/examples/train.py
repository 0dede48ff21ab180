"""AlphaZero-style self-play: from rules alone to an agent that searches with what it learned.

    python python/examples/train.py tictactoe --minutes 4 --output learned
    python python/examples/train.py python/examples/connect4_5x4.kif --minutes 20 --output learned
    python python/examples/train.py --help

Any rulesheet will do in which roles alternate: a path, or the name of a bundled game. Nothing here
knows the game. It needs torch (`pip install torch`); a processor is enough, and one thread of it.

An iteration has three parts:

1. *self-play* (`self_play.py`): 512 games side by side, in lanes; in each, a tree search with 32
   leaves (`tree_search.py`) chooses every action, and the leaves of all games are one batch for the
   network;
2. *learning*: the network is to expect the actions that the search looked at, and the goals that
   came of it, in batches drawn from the last 200,000 positions;
3. every so often, *evaluation*: 200 games against random moves, and 200 against gdlr's own search
   with 100 random playouts a move, the agent going first in every second one. A game counts as the
   goal that the agent got: a win 1, a draw 0.5.

What is learned stands in the output folder: NAME.pt (the network), NAME.json (the curve), and
learning.svg (the curves of all games in the folder; if there is matplotlib).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import gdlr
import numpy as np
from self_play import Positions, SelfPlay, against, at_random, by_playouts
from tree_search import Array, TreeSearch

try:
    import torch
    from torch import nn
    from torch.nn import functional
except ImportError as error:
    raise SystemExit("train.py needs torch: pip install torch") from error

#: Games side by side in self-play, and in evaluation; leaves of each search.
GAMES, EVALUATED, SIMULATIONS = 512, 200, 32
#: Positions of an iteration, and how many are kept.
NEW, KEPT = 8192, 200_000
#: How often each position is learned from, in the mean, and how many at once.
TIMES, BATCH = 4, 512
#: Playouts of the search that is played against.
PLAYOUTS = 100


class Residual(nn.Module):
    """Adds something to what it gets."""

    def __init__(self, *layers: nn.Module) -> None:
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return functional.relu(inputs + self.layers(inputs))


class Network(nn.Module):
    """Observations to logits of actions, and of goals: convolutions where there are planes."""

    def __init__(self, shape: tuple[int, ...], actions: int, roles: int) -> None:
        super().__init__()
        if len(shape) == 3:
            wide = 32

            def layer(inputs: int) -> nn.Module:
                return nn.Conv2d(inputs, wide, 3, padding=1)

            size = wide * shape[1] * shape[2]
        else:
            wide = size = 256

            def layer(inputs: int) -> nn.Module:
                return nn.Linear(inputs, wide)

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


def learn(network: Network, adam: torch.optim.Optimizer, kept: Positions, batches: int, rng: np.random.Generator) -> float:
    """So many steps down the slope; returns the mean loss."""
    losses = []
    for _ in range(batches):
        rows = rng.integers(len(kept), size=BATCH)
        observation = torch.from_numpy(kept.observation[rows]).float()
        mask = torch.from_numpy(kept.mask[rows])
        policy, goals = torch.from_numpy(kept.policy[rows]), torch.from_numpy(kept.goals[rows])
        logits, expected = network(observation)
        chances = logits.masked_fill(~mask, -1e9).log_softmax(dim=1)
        loss = -(policy * chances).sum(dim=1).mean()
        loss = loss + functional.binary_cross_entropy_with_logits(expected, goals, reduction="sum") / BATCH
        adam.zero_grad()
        loss.backward()
        adam.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def draw(folder: Path) -> None:
    """The curves of all games in a folder as a picture."""
    try:
        import matplotlib
    except ImportError:
        print("no picture: that takes matplotlib")
        return
    matplotlib.use("svg")
    from matplotlib import pyplot

    curves = sorted(folder.glob("*.json"))
    figure, axes = pyplot.subplots(1, len(curves), figsize=(5 * len(curves), 3.5), sharey=True, squeeze=False)
    for axis, path in zip(axes[0], curves, strict=True):
        curve = json.loads(path.read_text())
        minutes = [point["minutes"] for point in curve]
        for name, goal, color in (("random", 95, "tab:blue"), ("mcts", 60, "tab:orange")):
            label = "random moves" if name == "random" else f"UCT, {PLAYOUTS} playouts"
            axis.plot(minutes, [point[name]["mean"] for point in curve], color=color, label=f"against {label}")
            axis.axhline(goal, color=color, linestyle=":", linewidth=1)
        axis.set(title=path.stem, xlabel="minutes of one processor", ylim=(0, 102))
    axes[0][0].set_ylabel("mean goal")
    axes[0][0].legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(folder / "learning.svg")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", help="a rulesheet, or the name of a bundled game")
    parser.add_argument("--minutes", type=float, default=10, help="of processor time (10)")
    parser.add_argument("--every", type=float, default=1, help="minutes between evaluations (1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("learned"), help="a folder (learned)")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(options.seed)
    game = gdlr.Game(options.rules)
    env = gdlr.make(game, GAMES, autoreset="disabled", seed=options.seed)
    network = Network(env.observation_shape, len(env.actions), len(env.roles))
    print(f"{game.name}: {len(env.actions)} actions, observations {env.observation_shape}, "
          f"{sum(weights.numel() for weights in network.parameters()):,} weights")
    adam = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=1e-4)
    playing = SelfPlay(TreeSearch(env, network.evaluate, SIMULATIONS, rng))
    arena = gdlr.make(game, EVALUATED, autoreset="disabled", seed=options.seed)
    judged = TreeSearch(arena, network.evaluate, SIMULATIONS, rng)
    others = {"random": at_random(rng), "mcts": by_playouts(PLAYOUTS, rng)}
    options.output.mkdir(parents=True, exist_ok=True)
    kept: list[Positions] = []
    curve: list[dict[str, object]] = []
    spent, iteration, told = 0.0, 0, 0.0
    while True:
        if spent >= told:
            point: dict[str, object] = {"minutes": spent / 60, "games": playing.games}
            for name, other in others.items():
                won, drawn, lost = against(judged, other)
                mean = 100 * (won + drawn / 2) / EVALUATED
                point[name] = {"won": won, "drawn": drawn, "lost": lost, "mean": mean}
            curve.append(point)
            print(f"{spent / 60:6.2f} min {playing.games:8,} games: {point['random']} {point['mcts']}", flush=True)
            (options.output / f"{game.name}.json").write_text(json.dumps(curve, indent=1))
            torch.save(network.state_dict(), options.output / f"{game.name}.pt")
            told += 60 * options.every
        if spent >= 60 * options.minutes:
            break
        began = time.process_time()
        kept.append(playing.play(NEW))
        selfplay = time.process_time() - began
        while sum(map(len, kept)) > KEPT:
            kept.pop(0)
        pool = Positions(*(np.concatenate([getattr(part, name) for part in kept]) for name in Positions.__annotations__))
        loss = learn(network, adam, pool, TIMES * len(kept[-1]) // BATCH, rng)
        iteration += 1
        spent += time.process_time() - began
        print(f"iteration {iteration}: {spent / 60:.2f} min ({selfplay:.1f} s of {time.process_time() - began:.1f} in play), {playing.games} games, loss {loss:.3f}", flush=True)
    draw(options.output)


if __name__ == "__main__":
    main()
