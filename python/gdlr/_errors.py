"""What is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._results import Diagnostic


class Error(Exception):
    """What all exceptions of this package have in common."""


class _Diagnosed(Error):
    """An error with a diagnosis."""

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(message, diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0])


class RulesError(_Diagnosed, ValueError):
    """A rulesheet that cannot be read, or that has no meaning to play.

    ``diagnostics`` says what is wrong and where, as :func:`gdlr.check` does.
    """


class PositionError(_Diagnosed, ValueError):
    """Facts that are no state of the game; ``diagnostics`` says which, and why.

    Lines and columns are those of the facts, one a line.
    """


class SetUpError(Error):
    """An engine that was not ready within its budget of time or memory.

    ``limit`` is what ran out: ``"time"`` or ``"memory"``.
    """

    limit: str

    def __init__(self, message: str, limit: str = "time") -> None:
        super().__init__(message, limit)
        self.limit = limit

    def __str__(self) -> str:
        return str(self.args[0])


class IllegalAction(Error, ValueError):
    """Actions that are not legal in their lanes; ``lanes`` says in which. Nothing was played."""

    lanes: tuple[int, ...]

    def __init__(self, message: str, lanes: tuple[int, ...] = ()) -> None:
        super().__init__(message, lanes)
        self.lanes = lanes

    def __str__(self) -> str:
        return str(self.args[0])


class IllegalMove(Error, ValueError):
    """A move that is not legal in the state, or that the game does not have.

    ``role`` is whose move it is, ``move`` what it was to be, ``legal`` the legal moves.
    """

    role: str
    move: str
    legal: tuple[str, ...]

    def __init__(
        self, message: str, role: str = "", move: str = "", legal: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message, role, move, legal)
        self.role, self.move, self.legal = role, move, legal

    def __str__(self) -> str:
        return str(self.args[0])


class DefectError(Error):
    """The game does not keep what GDL asks of it: a role has several goal values, or one that is
    no integer from 0 to 100, or it has no legal move although the game is not over.
    """


class WorkError(_Diagnosed):
    """A state that takes more work or memory than one may; ``diagnostics`` says which rules."""
