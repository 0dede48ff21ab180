"""Rulesheets of the Game Description Language (GDL), played and studied.

>>> import gdlr
>>> game = gdlr.Game("tictactoe")  # a bundled game, a path, or a rulesheet as text
>>> state = game.initial
>>> sorted(state.legal_moves["crosses"])[:2]
['(sign 1 1)', '(sign 1 2)']
>>> state = state.step({"crosses": "(sign 2 2)"})
>>> state.to_move, state.terminal
(('noughts',), False)

* :class:`Game` is a rulesheet with an engine, :class:`State` one of its states.
* :func:`check` says what is wrong with a rulesheet, :func:`fmt` lays it out, :func:`games` lists
  the bundled ones.
* :func:`make` makes an :class:`Env`: many games at once, in arrays, for those who learn.
* :class:`Error` and what is derived from it are raised; arguments of a wrong kind or range are
  ``ValueError`` or ``TypeError``.
* What long questions answer are values: :class:`Playouts`, :class:`Perft`, :class:`SearchResult`,
  :class:`Crosscheck`.

Goal values are integers from 0 to 100. Moves and facts are strings in KIF, spelled as in the
rulesheet. Long work lets other threads of Python run, tells how far it is (``progress``), and ends
soon after Ctrl-C.
"""

from typing import TYPE_CHECKING, Any

from ._errors import (
    DefectError,
    Error,
    IllegalAction,
    IllegalMove,
    PositionError,
    RulesError,
    SetUpError,
    WorkError,
)
from ._gdlr import Game, State, __version__, check, fmt, games
from ._results import (
    Crosscheck,
    Diagnostic,
    Difference,
    Estimate,
    Perft,
    Playouts,
    Progress,
    RoleResult,
    SearchResult,
)

__all__ = [
    "Board",
    "Children",
    "Crosscheck",
    "DefectError",
    "Diagnostic",
    "Difference",
    "Env",
    "Error",
    "Estimate",
    "Game",
    "IllegalAction",
    "IllegalMove",
    "Perft",
    "Playouts",
    "PositionError",
    "Progress",
    "RoleResult",
    "RulesError",
    "SearchResult",
    "SetUpError",
    "State",
    "WorkError",
    "__version__",
    "check",
    "fmt",
    "games",
    "make",
]

if TYPE_CHECKING:
    from ._env import Board, Children, Env, make


def __getattr__(name: str) -> Any:
    """What needs numpy is loaded when it is used first."""
    if name in ("Board", "Children", "Env", "make"):
        from . import _env

        return getattr(_env, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
