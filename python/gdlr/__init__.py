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
* :class:`Error` and what is derived from it are raised; arguments of a wrong kind or range are
  ``ValueError`` or ``TypeError``.
* What long questions answer are values: :class:`Playouts`, :class:`Perft`, :class:`SearchResult`,
  :class:`Crosscheck`.

Goal values are integers from 0 to 100. Moves and facts are strings in KIF, spelled as in the
rulesheet. Long work lets other threads of Python run, tells how far it is (``progress``), and ends
soon after Ctrl-C.
"""

from ._errors import (
    DefectError,
    Error,
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
    "Crosscheck",
    "DefectError",
    "Diagnostic",
    "Difference",
    "Error",
    "Estimate",
    "Game",
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
]
