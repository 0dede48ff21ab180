"""What is found out: values that can be compared, printed and pickled."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnostic:
    """One message about a rulesheet."""

    code: str
    """The stable code, such as ``"E012"``; docs/architecture.md says what the letters mean."""
    severity: str
    """``"error"`` or ``"warning"``."""
    message: str
    """One sentence, lower case, without a full stop."""
    line: int
    """The line where the place begins that it is about, counted from 1."""
    column: int
    """The character of that line, counted from 1."""
    end_line: int
    """The line where that place ends."""
    end_column: int
    """The character behind its last one."""
    label: str
    """What to say below the place; may be empty."""
    related: tuple[tuple[int, int, str], ...]
    """Further places: line, column, and a word to each."""
    help: str | None
    """What to do about it."""
    forbids_play: bool
    """Whether a rulesheet with this defect cannot be played."""

    def __str__(self) -> str:
        text = f"{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}"
        text += f" ({self.label})" if self.label else ""
        return f"{text}; help: {self.help}" if self.help else text


@dataclass(frozen=True)
class Progress:
    """How far a piece of work is; what the callable ``progress`` is given."""

    stage: str
    """What is being done."""
    done: int
    """How much of it is done, in what the work counts: playouts, sequences of moves."""
    total: int | None
    """How much there is to do, if that is known."""
    seconds: float
    """The time since the start."""


@dataclass(frozen=True)
class RoleResult:
    """The goal values that a role got in playouts."""

    goals: dict[int, int]
    """By goal value, 0 to 100: how many playouts ended with it. Values that did not occur are
    left out."""
    improper: int
    """How many ended without a proper goal value: a defect of the game."""
    mean: float | None
    """The mean goal value, 0 to 100; ``None`` if there was none."""


@dataclass(frozen=True)
class Playouts:
    """What random playouts from the initial state found."""

    playouts: int
    """Playouts that ended in a terminal state."""
    states: int
    """The states of those in which all legal moves were computed: all but the terminal ones."""
    capped: int
    """Playouts that were cut after ``max_steps`` joint moves."""
    stuck: int
    """Playouts that ended where a role has no legal move: a defect of the game."""
    roles: dict[str, RoleResult]
    """By role: what it got."""
    seconds: float
    """The time from the start to the last playout."""
    engine: str
    """The engine that played."""
    lanes: int | None
    """How many playouts there were at once, by the engine ``batch``."""
    backend: str | None
    """By what they were computed: ``code``, machine code made for the game, or ``loops``."""

    @property
    def mean_goals(self) -> dict[str, float | None]:
        """By role: the mean goal value, 0 to 100."""
        return {role: result.mean for role, result in self.roles.items()}

    @property
    def mean_length(self) -> float | None:
        """Joint moves of a playout, on average."""
        return self.states / self.playouts if self.playouts else None

    @property
    def playouts_per_second(self) -> float:
        """Playouts in a second of wall-clock time."""
        return self.playouts / self.seconds if self.seconds else 0.0

    @property
    def states_per_second(self) -> float:
        """States in a second of wall-clock time."""
        return self.states / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Perft:
    """How many sequences of joint moves there are; each list is by length, from 0 on."""

    counts: tuple[int, ...]
    """Sequences of exactly so many joint moves."""
    terminal: tuple[int, ...]
    """Those of them that end in a terminal state, which have no continuation."""
    stuck: tuple[int, ...]
    """Those that end where a role has no legal move and the game is not over: a defect of the
    game. Not looked for at the last depth."""


@dataclass(frozen=True)
class Estimate:
    """What a search expects of a move."""

    move: str
    """The move, in KIF."""
    visits: int
    """How often it was tried."""
    mean: float | None
    """The mean goal value of the role, 0 to 100; ``None`` if it was never tried."""
    certain: int | None
    """The goal value of the role, if that is proven."""

    @property
    def value(self) -> float | None:
        """The goal value that is expected of it, the proven one if there is one."""
        return self.mean if self.certain is None else float(self.certain)


@dataclass(frozen=True)
class SearchResult:
    """What a search found about a state."""

    role: str
    """For whom was searched."""
    best: str
    """The move that is preferred."""
    estimates: tuple[Estimate, ...]
    """What is expected of the legal moves; the preferred one comes first. Empty where the role has
    no choice."""
    main_line: tuple[dict[str, str], ...]
    """The joint moves that are expected from here on, each by role."""
    playouts: int
    """Playouts that ended."""
    leaves: int
    """Leaves that were played out."""
    nodes: int
    """States of which something is known."""
    depth: int
    """The most joint moves that were looked ahead."""
    memory: int
    """The memory of the search tree, in bytes."""
    seconds: float
    """How long it took."""


@dataclass(frozen=True)
class Difference:
    """What two engines disagree about."""

    aspect: str
    """What about: ``"facts"``, ``"terminal"``, ``"legal ROLE"``, ``"goal ROLE"``, …"""
    says: dict[str, str]
    """By engine: what it says, in short. The first is the one that the others are compared with;
    those that agree with it are left out."""
    play: tuple[tuple[str, ...] | int, ...]
    """The play that leads there from the initial state: joint moves in the order of roles; a
    number says that the state after so many of these turns is entered again."""
    facts: tuple[str, ...]
    """The facts of the state, as the first engine sees them."""


@dataclass(frozen=True)
class Crosscheck:
    """What was compared between engines."""

    engines: tuple[str, ...]
    """The engines that took part."""
    left_out: dict[str, str]
    """Those that could not be made, and why."""
    playouts: int
    """Random playouts that are over."""
    states: int
    """How often a state was compared."""
    perft: tuple[int, ...]
    """By length: the sequences of joint moves that were all walked."""
    difference: Difference | None
    """The first difference; ``None`` if all agree."""

    @property
    def agree(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None
