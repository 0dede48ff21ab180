"""A play, one decision after the other: what the adapters for other projects are built on.

In GDL all roles move at once, and most have only one legal move most of the time. Others want to
know who decides. So only roles with more than one legal move are asked; if several are, they are
asked in their order, without being told of each other, and chance comes last. A step that nobody
decides is played at once.
"""

from __future__ import annotations

from . import DefectError, Game, IllegalMove, State

#: The most steps in a row that nobody decides.
UNDECIDED = 100_000


class Play:
    """A state, and the moves of it that are decided."""

    def __init__(self, state: State) -> None:
        self.game: Game = state.game
        self.state = state
        self.decided: dict[str, str] = {}
        self._to_decide: tuple[str, ...] = ()
        self._settle()

    def __reduce__(self) -> tuple[object, ...]:
        """A pickle holds the way from the beginning, where a state alone would forget it."""
        first = self.state
        for _ in range(self.state.steps):
            first = first.undo()
        return _replayed, (first, self.state.history, self.decided)

    def __deepcopy__(self, memo: object) -> Play:
        """States never change: only what is decided is copied."""
        copy = Play.__new__(Play)
        copy.__dict__.update(self.__dict__, decided=dict(self.decided))
        return copy

    def to_decide(self) -> tuple[str, ...]:
        """The roles that have not decided yet, in their order, chance last; none at the end."""
        return tuple(role for role in self._to_decide if role not in self.decided)

    def decide(self, role: str, move: str) -> bool:
        """Decides on a move of a role that is to; whether that was the last of the step.

        Raises ``IllegalMove`` for a move that is not legal.
        """
        legal = self.state.legal(role)
        if role not in self.to_decide() or move not in legal:
            raise IllegalMove(f"`{move}` is not legal for {role} in this state", role, move, legal)
        self.decided[role] = move
        if self.to_decide():
            return False
        self.state = self.state.step(self.decided)
        self._settle()
        return True

    def _settle(self) -> None:
        """Plays steps that nobody decides."""
        self.decided = {}
        for _ in range(UNDECIDED):
            chance = self.game.chance
            roles = self.state.to_move
            self._to_decide = tuple(sorted(roles, key=lambda role: role == chance))
            if roles or self.state.terminal:
                return
            self.state = self.state.step({})
        raise DefectError(f"nobody has a choice for {UNDECIDED} steps")


def _replayed(
    state: State, history: tuple[tuple[str, ...], ...], decided: dict[str, str]
) -> Play:
    """The play of a pickle."""
    for joint in history:
        state = state.step(joint)
    play = Play(state)
    play.decided = decided
    return play


def told(state: State, role: str) -> list[str]:
    """What a role was told on the way to a state, by step: all moves, or, where there are rules for
    ``sees``, its own move and its percepts.
    """
    if not state.game.has_percepts:
        return [" ".join(joint) for joint in state.history]
    steps = []
    while state.last_moves is not None:
        steps.append(" ".join((state.last_moves[role], *state.percepts[role])))
        state = state.undo()
    return steps[::-1]
