"""The native part."""

import os
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, final

from ._results import Crosscheck, Diagnostic, Perft, Playouts, Progress, SearchResult

__version__: str

_Rules: TypeAlias = str | os.PathLike[str]
_Report: TypeAlias = Callable[[Progress], object] | None
# Any: a numpy.random.Generator, without numpy.
_Rng: TypeAlias = int | random.Random | Any | None

def games() -> list[str]: ...
def check(
    rules: _Rules,
    *,
    simulate: int = 0,
    seed: int = 1,
    case_sensitive: bool = False,
    progress: _Report = None,
) -> list[Diagnostic]: ...
def fmt(rules: _Rules, to: str | None = None) -> str: ...
@final
class Game:
    def __new__(
        cls,
        rules: _Rules,
        *,
        engine: str = "auto",
        set_up_time: float = 20.0,
        set_up_memory: int = 2048,
        case_sensitive: bool = False,
        progress: _Report = None,
    ) -> Game: ...
    @classmethod
    def from_string(
        cls,
        text: str,
        *,
        name: str = "game",
        engine: str = "auto",
        set_up_time: float = 20.0,
        set_up_memory: int = 2048,
        case_sensitive: bool = False,
        progress: _Report = None,
    ) -> Game: ...
    @classmethod
    def from_path(
        cls,
        path: str | os.PathLike[str],
        *,
        engine: str = "auto",
        set_up_time: float = 20.0,
        set_up_memory: int = 2048,
        case_sensitive: bool = False,
        progress: _Report = None,
    ) -> Game: ...
    @classmethod
    def bundled(
        cls,
        name: str,
        *,
        engine: str = "auto",
        set_up_time: float = 20.0,
        set_up_memory: int = 2048,
        progress: _Report = None,
    ) -> Game: ...
    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> str: ...
    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def chance(self) -> str | None: ...
    @property
    def has_percepts(self) -> bool: ...
    @property
    def engine(self) -> str: ...
    @property
    def fallback(self) -> str | None: ...
    @property
    def set_up_seconds(self) -> float: ...
    @property
    def moves(self) -> dict[str, tuple[str, ...]] | None: ...
    @property
    def fluents(self) -> tuple[str, ...] | None: ...
    @property
    def percepts(self) -> dict[str, tuple[str, ...]] | None: ...
    @property
    def initial(self) -> State: ...
    def state_from_facts(self, facts: str | Iterable[str], /) -> State: ...
    def playouts(
        self,
        n: int | None = None,
        *,
        seconds: float | None = None,
        threads: int = 1,
        seed: int = 1,
        engine: str = "auto",
        max_steps: int = 100_000,
        progress: _Report = None,
    ) -> Playouts: ...
    def perft(self, depth: int, *, progress: _Report = None) -> Perft: ...
    def mcts(
        self,
        state: State,
        role: str | None = None,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        threads: int = 1,
        seed: int = 1,
        memory: int = 1024,
        progress: _Report = None,
    ) -> SearchResult: ...
    def crosscheck(
        self,
        playouts: int = 20,
        *,
        engines: Sequence[str] | None = None,
        seed: int = 1,
        max_steps: int = 1000,
        perft_nodes: int = 5000,
        progress: _Report = None,
    ) -> Crosscheck: ...
    def to_rg(self, *, joint: bool = False, progress: _Report = None) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...

@final
class State:
    @property
    def game(self) -> Game: ...
    @property
    def facts(self) -> tuple[str, ...]: ...
    @property
    def terminal(self) -> bool: ...
    def legal(self, role: str, /) -> tuple[str, ...]: ...
    @property
    def legal_moves(self) -> dict[str, tuple[str, ...]]: ...
    @property
    def to_move(self) -> tuple[str, ...]: ...
    def goal(self, role: str, /) -> int | None: ...
    @property
    def goals(self) -> dict[str, int | None]: ...
    def step(self, joint: Mapping[str, str] | Sequence[str], /) -> State: ...
    def random_step(self, rng: _Rng = None) -> State: ...
    def undo(self) -> State: ...
    @property
    def last_moves(self) -> dict[str, str] | None: ...
    @property
    def history(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def steps(self) -> int: ...
    @property
    def percepts(self) -> dict[str, tuple[str, ...]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, _memo: object, /) -> State: ...
