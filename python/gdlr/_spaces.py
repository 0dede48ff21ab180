"""Moves and states as numbers and vectors: the one place where the adapters get them from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import Game, State


_ByRole = dict[str, tuple[str, ...]]


def _known(game: Game) -> tuple[_ByRole, tuple[str, ...], _ByRole]:
    """All moves by role, all facts, and all percepts by role."""
    if game.moves is None or game.fluents is None or game.percepts is None:
        raise ValueError(
            f"the engine `{game.engine}` does not know all moves of the game: vectors need one that "
            'grounds, engine="propnet"'
        )
    return game.moves, game.fluents, game.percepts


class Actions:
    """Moves as numbers: an action of a role is the place of its move in :attr:`Game.moves`."""

    def __init__(self, game: Game) -> None:
        self.moves = _known(game)[0]
        self._places = {
            role: {move: place for place, move in enumerate(moves)}
            for role, moves in self.moves.items()
        }

    def count(self, role: str) -> int:
        """How many actions a role has; one at least."""
        return max(1, len(self.moves[role]))

    def legal(self, state: State, role: str) -> list[int]:
        """The legal actions of a role, ascending."""
        places = self._places[role]
        return sorted(places[move] for move in state.legal(role))

    def mask(self, state: State, role: str) -> NDArray[np.int8]:
        """Shape ``(count(role),)``: 1 for every legal action, 0 for the others."""
        mask = np.zeros(self.count(role), np.int8)
        mask[self.legal(state, role)] = 1
        return mask

    def move(self, role: str, action: int) -> str:
        """The move of an action. An ``IndexError`` for a number that is none."""
        if not 0 <= action < len(self.moves[role]):
            raise IndexError(f"{action} is no action of {role}: it has {len(self.moves[role])}")
        return self.moves[role][action]


class Observations:
    """What roles observe, as flat vectors of zeros and ones.

    Where there are rules for ``sees``, a role observes what it did and saw since it last had a
    choice; otherwise all facts of the state.
    """

    def __init__(self, game: Game) -> None:
        moves, fluents, percepts = _known(game)
        self._facts = {fact: place for place, fact in enumerate(fluents)}
        self.names: _ByRole = {}
        """By role: what the places of its vector stand for."""
        for role in game.roles:
            if not game.has_percepts:
                self.names[role] = fluents
            else:
                own = tuple(f"(does {role} {move})" for move in moves[role])
                sees = tuple(f"(sees {role} {percept})" for percept in percepts[role])
                self.names[role] = own + sees
        self._places = {
            role: {name: place for place, name in enumerate(names)}
            for role, names in self.names.items()
        }

    def size(self, role: str) -> int:
        """The length of the vector of a role; one at least."""
        return max(1, len(self.names[role]))

    def observed(self, state: State, role: str) -> list[str]:
        """The names of what a role observes in a state."""
        if not state.game.has_percepts:
            return list(state.facts)
        found = []
        while (joint := state.last_moves) is not None:
            found.append(f"(does {role} {joint[role]})")
            found += [f"(sees {role} {percept})" for percept in state.percepts[role]]
            state = state.undo()
            if len(state.legal(role)) > 1:
                break
        return found

    def vector(self, state: State, role: str) -> NDArray[np.int8]:
        """Shape ``(size(role),)``: 1 for what the role observes, 0 for the rest."""
        vector = np.zeros(self.size(role), np.int8)
        places = self._places[role]
        vector[[places[name] for name in self.observed(state, role)]] = 1
        return vector

    def facts(self, state: State) -> NDArray[np.int8]:
        """Shape ``(len(game.fluents),)``: 1 for every fact of a state, whoever may know it."""
        vector = np.zeros(max(1, len(self._facts)), np.int8)
        vector[[self._facts[fact] for fact in state.facts]] = 1
        return vector
