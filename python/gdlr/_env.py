"""Many games of one rulesheet at once, for those who learn: :func:`make`."""

from __future__ import annotations

import json
import math
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ._gdlr import Game, State, _Lanes

Array: TypeAlias = npt.NDArray[Any]
Info: TypeAlias = dict[str, Array]

#: What an environment can be asked to write at each step.
_ALL = (
    "observation",
    "observation_bits",
    "legal_action_mask",
    "legal_action_bits",
    "final_observation",
    "last_action",
)


#: So many facts that are on no board may become planes of their own.
_MOST_OTHERS = 32


@dataclass(frozen=True)
class Board:
    """A board that the rules of a game show."""

    name: str
    """The relation with most facts on it."""
    channels: tuple[str, ...]
    """What can stand on a square, as facts with ``_`` for the square."""
    rows: tuple[str, ...]
    """The rows, from the top."""
    columns: tuple[str, ...]
    """The columns, from the left."""
    hexagonal: bool
    """Whether each square has six neighbours."""


@dataclass(frozen=True)
class Children:
    """The states after every legal action of every lane (:meth:`Env.expand`), a row for each: those
    of the first lane first, and those of a lane in the order of its actions."""

    lane: Array
    """int64, ``(n,)``: the lane whose state it comes from."""
    action: Array
    """int32, ``(n,)``: the action that leads there."""
    rewards: Array
    """float32, ``(n, roles)``: as :meth:`Env.step` returns them."""
    terminated: Array
    """bool, ``(n,)``."""
    truncated: Array
    """bool, ``(n,)``."""
    current_player: Array
    """int32, ``(n,)``: who is to move, -1 where the game is over."""
    observation: Array | None
    """bool, ``(n, *observation_shape)``."""
    legal_action_mask: Array | None
    """bool, ``(n, actions)``."""

    def __len__(self) -> int:
        return len(self.lane)


class Env:
    """Games of one rulesheet in ``num_envs`` lanes, stepped together. :func:`make` makes one.

    Arrays that are returned are *views of buffers that the next step writes again*; keep what
    you need with ``.copy()``, or make the environment with ``copy=True``. They are numpy arrays,
    and so torch and jax take them without a copy (``torch.from_dlpack``, ``jax.dlpack``).

    * ``num_envs``: how many lanes.
    * ``roles``: the names of the roles, in the order of rewards.
    * ``actions``: the names of the actions. An action is a move, the same number in every state.
    * ``simultaneous``: whether all roles act at once. Then actions have the shape
      ``(num_envs, roles)`` and masks ``(num_envs, roles, actions)``, otherwise ``(num_envs,)``
      and ``(num_envs, actions)``.
    * ``boards``: the boards that the rules show (:class:`Board`).
    * ``observation_shape``: the shape of the observation of one lane. With ``observe="planes"``
      it is ``(channels, rows, columns)``: what stands on the squares of the board, then a plane
      for each fact that is on no board, the same on all squares. With ``observe="facts"`` it is
      ``(facts,)``. By default it is planes where the rules show one board, and at most 32 facts
      are on none.
    * ``channels``: what each channel says, or each fact of a flat observation.
    * ``hidden``: whether the rules hide the state (``sees``) and the environment does, too. Then
      the observation of a lane is what each role saw of the last step, ``(roles, percepts)``, with
      the percepts in ``channels``; nothing was seen at the beginning. A role knows its own actions
      beside that.
    * ``net``: whether the games are played on a net, many at once, or one after the other on
      another engine, as ``game.engine`` says, which is much slower.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        threads: int = 1,
        autoreset: Literal["next_step", "same_step", "disabled"] = "next_step",
        illegal: Literal["raise", "end"] = "raise",
        max_steps: int | None = None,
        seed: int = 0,
        observe: Literal["auto", "planes", "facts"] = "auto",
        outputs: Sequence[str] = ("observation", "legal_action_mask"),
        omniscient: bool = False,
        copy: bool = False,
        width: int | None = None,
    ) -> None:
        unknown = [name for name in outputs if name not in _ALL]
        if unknown:
            raise ValueError(f"outputs={unknown[0]!r} is none of {', '.join(_ALL)}")
        self.hidden: bool = game.has_percepts and not omniscient
        if self.hidden and observe != "auto":
            raise ValueError(
                f"the rules of {game.name} hide the state, and observe={observe!r} would show it; "
                "if that is what you want, use omniscient=True"
            )
        self.net: bool = game.engine == "propnet"
        if game.fallback is not None:
            warnings.warn(
                f"{game.name} has no net, so its lanes are played one after the other: "
                f"{game.fallback}",
                RuntimeWarning,
                stacklevel=3,
            )
        self.game = game
        self.num_envs = num_envs
        self.autoreset = autoreset
        self.copy = copy
        self._lanes = _Lanes(
            game,
            num_envs,
            threads=threads,
            autoreset=autoreset,
            illegal=illegal,
            max_steps=max_steps,
            seed=seed,
            width=width,
        )
        self.roles: tuple[str, ...] = game.roles
        self.actions: tuple[str, ...] = tuple(self._lanes.actions)
        self.simultaneous: bool = self._lanes.simultaneous
        self.boards: tuple[Board, ...]
        self.channels: tuple[str, ...]
        self.observation_shape: tuple[int, ...]
        self._lay_out(observe)
        self._numbers = {name: number for number, name in enumerate(self.actions)}
        self._outputs = tuple(outputs)
        self._bind()
        self._lanes.reset()

    def _lay_out(self, observe: str) -> None:
        """Decides what an observation is."""
        if observe not in ("auto", "planes", "facts"):
            raise ValueError(f"observe={observe!r} is none of auto, planes, facts")
        if self.hidden:
            self._lanes.see()
            self.boards = ()
            self.channels = tuple(self._lanes.percepts)
            self.observation_shape = (len(self.roles), len(self.channels))
            return
        facts = self._lanes.facts
        boards, slots, on_boards = self._lanes.layout()
        self.boards = tuple(
            Board(name, tuple(channels), tuple(rows), tuple(columns), hexagonal)
            for name, channels, rows, columns, hexagonal in boards
        )
        others = slots[on_boards:]
        fits = len(self.boards) == 1 and len(others) <= _MOST_OTHERS
        if observe == "planes" and not fits:
            raise ValueError(
                f"{self.game.name} has no planes: {len(self.boards)} boards, and {len(others)} "
                f'facts that are on none (at most {_MOST_OTHERS}); use observe="facts"'
            )
        if fits and observe != "facts":
            board = self.boards[0]
            size = len(board.rows) * len(board.columns)
            self._observed = slots[:on_boards] + [fact for fact in others for _ in range(size)]
            self.channels = board.channels + tuple(facts[fact] for fact in others)
            self.observation_shape = (len(self.channels), len(board.rows), len(board.columns))
        else:
            self._observed = list(range(len(facts)))
            self.channels = tuple(facts)
            self.observation_shape = (len(facts),)
        self._lanes.observe(self._observed)

    def decode(self, observation: npt.ArrayLike) -> tuple[str, ...]:
        """The facts that the observation of one lane says are true, sorted; where the state is
        hidden, who saw what, as ``(sees ROLE PERCEPT)``."""
        rows = np.asarray(observation).ravel()
        if rows.shape != (self._width,):
            raise ValueError(f"the observation of a lane has the shape {self.observation_shape}")
        if self.hidden:
            seen = np.argwhere(rows.reshape(self.observation_shape)).tolist()
            return tuple(
                sorted(f"(sees {self.roles[role]} {self.channels[at]})" for role, at in seen)
            )
        facts = self._lanes.facts
        true = {self._observed[at] for at in np.flatnonzero(rows).tolist()}
        return tuple(sorted(facts[fact] for fact in true if fact >= 0))

    def value_net_words(self) -> str:
        """What the columns of a network of this environment stand for: the entry ``gdlr`` of the
        metadata of an ONNX file, with which ``gdlr`` plays it (``docs/value-nets.md``). A
        ``ValueError`` where the rules hide the state."""
        if self.hidden:
            raise ValueError(f"the rules of {self.game.name} hide the state, and a value net sees all of it")
        facts = self._lanes.facts
        observation = [facts[fact] if fact >= 0 else None for fact in self._observed]
        words = {"roles": self.roles, "actions": self.actions, "observation": observation}
        return json.dumps(words)

    @property
    def _width(self) -> int:
        """How many bits the observation of a lane has."""
        return math.prod(self.observation_shape) if self.hidden else len(self._observed)

    def _bind(self) -> None:
        lanes, facts = self.num_envs, self._width
        acting = (len(self.roles),) if self.simultaneous else ()
        count = self._lanes.acting * len(self.actions)
        byte, word = np.uint8, np.uint64
        arrays: dict[str, Array] = {
            "rewards": np.zeros((lanes, len(self.roles)), np.float32),
            "terminated": np.zeros(lanes, byte),
            "truncated": np.zeros(lanes, byte),
            "current_player": np.zeros(lanes, np.int32),
        }
        if "observation" in self._outputs:
            arrays["observation"] = np.zeros((lanes, facts), byte)
        if "observation_bits" in self._outputs:
            arrays["observation_bits"] = np.zeros((lanes, -(-facts // 64)), word)
        if "final_observation" in self._outputs:
            arrays["final_observation"] = np.zeros((lanes, facts), byte)
        if "legal_action_mask" in self._outputs:
            arrays["legal"] = np.zeros((lanes, *acting, len(self.actions)), byte)
        if "legal_action_bits" in self._outputs:
            arrays["legal_bits"] = np.zeros((lanes, -(-count // 64)), word)
        if "last_action" in self._outputs:
            arrays["last_action"] = np.full((lanes, *acting), -1, np.int32)
        self._lanes.bind(arrays)
        self._arrays = arrays
        # What is 0 or 1 is shown as such, without a copy.
        flags = {name: array.view(np.bool_) for name, array in arrays.items() if array.dtype == byte}
        self._observation: Array | None = flags.get("observation", arrays.get("observation_bits"))
        if "observation" in flags:
            self._observation = flags["observation"].reshape(lanes, *self.observation_shape)
        self._rewards = arrays["rewards"]
        self._terminated, self._truncated = flags["terminated"], flags["truncated"]
        self._info: Info = {"current_player": arrays["current_player"]}
        if "legal" in flags:
            self._info["legal_action_mask"] = flags["legal"]
        if "legal_bits" in arrays:
            self._info["legal_action_bits"] = arrays["legal_bits"]
        if "observation_bits" in arrays:
            self._info["observation_bits"] = arrays["observation_bits"]
        if "last_action" in arrays:
            self._info["last_action"] = arrays["last_action"]
        if "final_observation" in flags:
            final = flags["final_observation"].reshape(lanes, *self.observation_shape)
            self._info["final_observation"] = final
        self._step = (
            self._observation,
            self._rewards,
            self._terminated,
            self._truncated,
            self._info,
        )

    @property
    def nbytes(self) -> int:
        """How many bytes the lanes take, without the arrays."""
        return self._lanes.nbytes

    @property
    def legal_action_mask(self) -> Array:
        """Which actions are legal, as bool; see :class:`Env` for the shape."""
        return self._info["legal_action_mask"]

    @property
    def current_player(self) -> Array:
        """By lane, the number of the role that is to move: int32, -1 where the game is over, and
        where all roles act at once."""
        return self._info["current_player"]

    def action(self, name: str) -> int:
        """The number of an action. ``KeyError`` if there is none of this name."""
        return self._numbers[name]

    def reset(
        self, *, seed: int | None = None, mask: npt.ArrayLike | None = None
    ) -> tuple[Array | None, Info]:
        """Puts lanes into the initial state: all, or those where ``mask`` is true.

        ``seed`` is where chance and :meth:`step_random` draw from; with it, all lanes should
        begin again. Returns the observation and the ``info`` of :meth:`step`.
        """
        lanes: list[int] | None = None
        if mask is not None:
            chosen = np.asarray(mask)
            if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
                raise ValueError(f"mask is an array of {self.num_envs} bool")
            lanes = np.flatnonzero(chosen).tolist()
        if seed is not None:
            self._lanes.seed(int(seed) & (2**64 - 1))
        self._lanes.reset(lanes)
        if self.copy:
            observation = None if self._observation is None else self._observation.copy()
            return observation, {name: array.copy() for name, array in self._info.items()}
        return self._observation, self._info

    def step(self, actions: Array) -> tuple[Array | None, Array, Array, Array, Info]:
        """Plays an action in each lane: an array of integers, contiguous for speed.

        -1 leaves a lane as it is. The action of a lane that is over is not looked at: the lane
        begins again (``autoreset="next_step"``) or stays (``"disabled"``); with ``"same_step"``
        lanes begin again in the step that ends them, and ``final_observation``, if asked for, is
        that of the state in which they ended.

        Returns ``(observation, rewards, terminated, truncated, info)``:

        * ``observation``: bool, ``(num_envs, *observation_shape)``;
        * ``rewards``: float32, ``(num_envs, roles)``: the goal value of each role, divided by
          100, in the step that brings the end of the game, otherwise 0; NaN where the rules give
          no value or two;
        * ``terminated``: bool, ``(num_envs,)``: the state is terminal;
        * ``truncated``: bool, ``(num_envs,)``: cut after ``max_steps``, ended by an action that
          is not legal (``illegal="end"``), or a role has no legal move;
        * ``info``: ``legal_action_mask``, ``current_player``, and what else is asked for.

        Raises ``IllegalAction`` where an action is not legal, and then nothing is played.
        """
        self._lanes.step(actions)
        return self._copied() if self.copy else self._step

    def step_random(self) -> tuple[Array | None, Array, Array, Array, Info]:
        """Plays a random move of every role in each lane, all legal ones with the same chance.

        It is much faster than to choose actions by the mask. Returns what :meth:`step` does.
        """
        self._lanes.step_random()
        return self._copied() if self.copy else self._step

    def last(self) -> tuple[Array | None, Array, Array, Array, Info]:
        """What the last step or reset returned, as views."""
        return self._step

    def _copied(self) -> tuple[Array | None, Array, Array, Array, Info]:
        return (
            None if self._observation is None else self._observation.copy(),
            self._rewards.copy(),
            self._terminated.copy(),
            self._truncated.copy(),
            {name: array.copy() for name, array in self._info.items()},
        )

    def random_actions(self, rng: np.random.Generator) -> Array:
        """A random legal action for each lane, by the mask, for tests and baselines: int32. Where
        there is none, 0."""
        mask = self.legal_action_mask
        # Never 0 where an action is legal.
        draws = np.subtract(1, rng.random(mask.shape, dtype=np.float32))
        draws *= mask
        return np.asarray(draws.argmax(axis=-1), np.int32)

    def cut(self, lanes: Sequence[int]) -> None:
        """Ends lanes where they are; the next step begins them again, as it does others."""
        self._lanes.cut(list(lanes))
        self._lanes.refresh()

    def state(self, lane: int) -> State:
        """The state of a lane. ``ValueError`` where it is hidden."""
        self._may_look()
        return self.game.state_from_facts(self._lanes.state(lane))

    def set_state(self, lane: int, state: State) -> None:
        """Puts a lane into a state of ``env.game``."""
        self.set_states([lane], [state])

    def set_states(self, lanes: npt.ArrayLike, states: Sequence[State]) -> None:
        """Puts lanes into states of ``env.game``, all or, where one is refused, none; of a lane
        that is named twice the last state counts. :meth:`restore` is much faster."""
        self._lanes.enter(_numbers(lanes), states)
        self._lanes.refresh()

    def save(self, lanes: npt.ArrayLike | None = None) -> Array:
        """The states of lanes, of all or of a list, to come back to with :meth:`restore`.

        It is an array of uint64 with a row for each lane. Equal states have equal rows, which can
        be kept in larger arrays, indexed, pickled and restored in any lane of an environment of
        the same rules, also in another process. Neither how long a lane has played nor what its
        chance will draw is part of it. ``ValueError`` for lanes without a net, which have no such
        rows: :meth:`state` and :meth:`set_states` are for those.
        """
        numbers = None if lanes is None else _numbers(lanes)
        count = self.num_envs if numbers is None else len(numbers)
        saved = np.empty((count, self._lanes.words), np.uint64)
        self._lanes.save(saved, numbers)
        return saved

    def restore(self, saved: Array, lanes: npt.ArrayLike | None = None) -> None:
        """Puts lanes, all or those of a list, into states of :meth:`save`, a row for each.

        What :meth:`last` shows is then of these states. Raises ``ValueError`` where a row is no
        state of these rules; then all lanes are as before. Of a lane that is named twice the last
        row counts.
        """
        self._lanes.restore(saved, None if lanes is None else _numbers(lanes))
        self._lanes.refresh()

    def expand(self, *, observation: bool = True, legal_action_mask: bool = True) -> Children:
        """What comes after every legal action of every lane that is not over, for searches: all
        children at once, much faster than lane by lane. The lanes stay as they are.

        The arrays are the caller's. What is not wanted is ``None`` and is not computed. To go on
        from a child, restore the state of its lane (:meth:`save`) and play its action.

        ``ValueError`` in games in which all roles act at once, with chance, or with a hidden state.
        """
        self._may_look()
        count = self._lanes.expand(legal_action_mask, observation)
        byte, words = np.uint8, -(-len(self.actions) // 64)
        found: dict[str, Array] = {
            "lane": np.empty(count, np.int64),
            "action": np.empty(count, np.int32),
            "rewards": np.empty((count, len(self.roles)), np.float32),
            "terminated": np.empty(count, byte),
            "truncated": np.empty(count, byte),
            "current_player": np.empty(count, np.int32),
        }
        if observation:
            found["observation"] = np.empty((count, self._width), byte)
        if legal_action_mask:
            found["legal_bits"] = np.empty((count, words), np.uint64)
        self._lanes.take_children(found)
        planes = mask = None
        if observation:
            planes = found["observation"].view(np.bool_).reshape(count, *self.observation_shape)
        if legal_action_mask:
            bits = found["legal_bits"].astype("<u8", copy=False).view(byte)
            mask = np.unpackbits(bits, axis=1, count=len(self.actions), bitorder="little")
            mask = mask.view(np.bool_)
        return Children(
            lane=found["lane"],
            action=found["action"],
            rewards=found["rewards"],
            terminated=found["terminated"].view(np.bool_),
            truncated=found["truncated"].view(np.bool_),
            current_player=found["current_player"],
            observation=planes,
            legal_action_mask=mask,
        )

    def age(self, lane: int) -> int:
        """How many steps a lane has played since it began."""
        return self._lanes.age(lane)

    def seed_lane(self, lane: int, seed: int) -> None:
        """Draws the moves of chance in a lane from a seed of its own."""
        self._lanes.seed_lane(lane, seed)

    def render(self, lane: int = 0) -> str:
        """The state of a lane, as text. ``ValueError`` where it is hidden."""
        self._may_look()
        return self._lanes.render(lane)

    def _may_look(self) -> None:
        if self.hidden:
            raise ValueError(
                f"the rules of {self.game.name} hide the state; who may see it all, such as a "
                "referee, makes the environment with omniscient=True"
            )

    def __repr__(self) -> str:
        return f"<gdlr.Env of {self.game.name}, {self.num_envs} lanes>"


def _numbers(lanes: npt.ArrayLike) -> list[int]:
    """Lanes as the native part takes them."""
    array = np.asarray(lanes)
    if array.ndim != 1 or not (array.size == 0 or np.issubdtype(array.dtype, np.integer)):
        raise TypeError("lanes are given by their numbers, in one dimension")
    numbers: list[int] = array.tolist()
    return numbers


def make(
    rules: Game | str | os.PathLike[str],
    num_envs: int = 1,
    *,
    threads: int = 1,
    autoreset: Literal["next_step", "same_step", "disabled"] = "next_step",
    illegal: Literal["raise", "end"] = "raise",
    max_steps: int | None = None,
    seed: int = 0,
    observe: Literal["auto", "planes", "facts"] = "auto",
    outputs: Sequence[str] = ("observation", "legal_action_mask"),
    omniscient: bool = False,
    copy: bool = False,
    width: int | None = None,
) -> Env:
    """Games of a rulesheet, ``num_envs`` at once.

    ``rules`` is a :class:`Game`, or what makes one: a rulesheet as text, a path, a bundled name.

    * ``threads``: how many threads share the lanes.
    * ``autoreset``: when a lane that is over begins again, by the three modes of Gymnasium.
    * ``illegal``: an action that is not legal raises ``IllegalAction``, and nothing is played; or
      it ends its lane (``truncated``).
    * ``max_steps``: a game is cut after so many.
    * ``observe``: what an observation is; see :class:`Env`.
    * ``outputs``: what each step writes, of ``observation``, ``observation_bits``,
      ``legal_action_mask``, ``legal_action_bits``, ``final_observation``, ``last_action``; what is
      not asked for costs nothing. Bits stand 64 in a uint64, the lowest first. The last action of
      a lane is what it has just played, by ``step`` or ``step_random``: int32 of the shape of
      actions, -1 where it has played nothing or chance has.
    * ``omniscient``: observe the state of a game whose rules hide it (``sees``). Without it an
      observation is what each role sees, and states are not shown.

    A game that takes too much to ground has no net. Its lanes are played on resolution trees, one
    after the other, which is much slower (a ``RuntimeWarning`` says so), and actions and facts are
    all that the rules may allow for, of which many never come up.

    * ``copy``: return copies instead of views.
    * ``width``: of how many games on a net one instruction computes a bit, 64, 128, 256 or 512. If
      nothing is said, that is as many as the processor can.

    >>> env = gdlr.make("connect4", num_envs=4096)
    >>> observation, info = env.reset(seed=1)
    >>> info["legal_action_mask"].shape
    (4096, 7)
    """
    game = rules if isinstance(rules, Game) else Game(rules)
    return Env(
        game,
        num_envs,
        threads=threads,
        autoreset=autoreset,
        illegal=illegal,
        max_steps=max_steps,
        seed=seed,
        observe=observe,
        outputs=outputs,
        omniscient=omniscient,
        copy=copy,
        width=width,
    )
