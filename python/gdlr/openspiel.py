"""Any game as a game of OpenSpiel: :func:`load`, or :func:`register` and ``pyspiel.load_game``.

Needs ``pip install 'gdlr[openspiel]'``.

The players are the roles, without chance, whose moves are chance nodes. An action of a player is
the place of a move in ``Game.moves[role]``. Utilities come at the end of the game and go from -1 to
1: a goal value of 0 is -1, of 50 it is 0, of 100 it is 1.

A game of OpenSpiel says beforehand whether moves are simultaneous and whether the utilities add up
to zero. Rules do not say so; :func:`register` looks at random plays where it is not told. If moves
turn out to be simultaneous in a sequential game all the same, the players decide in their order, and
none is told what the others chose before all have.

``information_state_string`` is what a player was told on the way: all joint moves, or, in games with
rules for ``sees``, its own moves and its percepts. ``observation_string`` are the facts of the state
(with ``sees``: what the player did and saw since it last had a choice), ``observation_tensor`` the
same as zeros and ones.
"""

from __future__ import annotations

import os
import random
import re
from typing import Any

import numpy as np
import pyspiel

from . import Game, State
from ._play import Play, told
from ._spaces import Actions, Observations

#: How many random plays are looked at, and how long each.
LOOKS, LONGEST_LOOK = 20, 1_000

_registered: dict[str, _Spec] = {}


class _Spec:
    """A game, and what OpenSpiel is told of it."""

    def __init__(
        self,
        game: Game,
        short_name: str,
        simultaneous: bool,
        zero_sum: bool,
        max_game_length: int,
    ) -> None:
        self.game, self.simultaneous, self.zero_sum = game, simultaneous, zero_sum
        self.actions, self.observations = Actions(game), Observations(game)
        self.players = [role for role in game.roles if role != game.chance]
        chance = game.chance
        several = _several_choices(game)
        hidden = game.has_percepts or (several and not simultaneous)
        kinds = pyspiel.GameType
        self.type = pyspiel.GameType(
            short_name=short_name,
            long_name=f"{game.name} (Game Description Language)",
            dynamics=(
                kinds.Dynamics.SIMULTANEOUS if simultaneous else kinds.Dynamics.SEQUENTIAL
            ),
            chance_mode=(
                kinds.ChanceMode.DETERMINISTIC
                if chance is None
                else kinds.ChanceMode.EXPLICIT_STOCHASTIC
            ),
            information=(
                kinds.Information.IMPERFECT_INFORMATION
                if hidden
                else kinds.Information.PERFECT_INFORMATION
            ),
            utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=len(self.players),
            min_num_players=len(self.players),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=False,
        )
        self.info = pyspiel.GameInfo(
            num_distinct_actions=max(self.actions.count(role) for role in self.players),
            max_chance_outcomes=0 if chance is None else self.actions.count(chance),
            num_players=len(self.players),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=max_game_length,
        )

    def __deepcopy__(self, memo: object) -> _Spec:
        """States are copied with all that they have; this never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle holds the rules: another process may not have registered them."""
        more = (self.simultaneous, self.zero_sum, self.info.max_game_length)
        return _restored, (self.game, self.type.short_name, *more)


class GdlGame(pyspiel.Game):  # type: ignore[misc]
    """A rulesheet as a game of OpenSpiel. Each has a class of its own, derived from this one:
    OpenSpiel makes a game by calling its class.
    """

    spec: _Spec

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        super().__init__(self.spec.type, self.spec.info, params or {})

    def new_initial_state(self) -> GdlState:
        """The beginning of a play."""
        return GdlState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> GdlObserver:
        """What tells players of a state."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return GdlObserver(self.spec, kind, params)


class GdlState(pyspiel.State):  # type: ignore[misc]
    """A state of a rulesheet, and the decisions of the step under way."""

    def __init__(self, game: GdlGame) -> None:
        super().__init__(game)
        self._spec = game.spec
        self._play = Play(game.spec.game.initial)

    @property
    def gdl_state(self) -> State:
        """The :class:`gdlr.State`, without the decisions of the step under way."""
        return self._play.state

    def current_player(self) -> int:
        """The player to decide; chance, all players at once, or nobody at the end."""
        waiting = self._play.to_decide()
        if not waiting:
            return int(pyspiel.PlayerId.TERMINAL)
        if waiting[0] == self._spec.game.chance:
            return int(pyspiel.PlayerId.CHANCE)
        if self._spec.simultaneous:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return self._spec.players.index(waiting[0])

    def _role(self, player: int) -> str:
        chance = self._spec.game.chance
        if player == pyspiel.PlayerId.CHANCE and chance is not None:
            return chance
        return self._spec.players[player]

    def _legal_actions(self, player: int) -> list[int]:
        return self._spec.actions.legal(self._play.state, self._role(player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The legal moves of chance, each with the same probability."""
        legal = self._legal_actions(int(pyspiel.PlayerId.CHANCE))
        return [(action, 1.0 / len(legal)) for action in legal]

    def _apply_action(self, action: int) -> None:
        role = self._play.to_decide()[0]
        self._play.decide(role, self._spec.actions.move(role, action))

    def _apply_actions(self, actions: list[int]) -> None:
        waiting = self._play.to_decide()
        for role, action in zip(self._spec.players, actions, strict=True):
            # Who has but one legal move plays that.
            if role in waiting:
                self._play.decide(role, self._spec.actions.move(role, action))

    def _action_to_string(self, player: int, action: int) -> str:
        return self._spec.actions.move(self._role(player), action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._play.state.terminal

    def returns(self) -> list[float]:
        """By player: what it has won."""
        state = self._play.state
        if not state.terminal:
            return [0.0] * len(self._spec.players)
        return [(state.goal(role) or 0) / 50 - 1 for role in self._spec.players]

    def __str__(self) -> str:
        decided = "".join(f"decided {role}: {m}\n" for role, m in self._play.decided.items())
        return f"{self._play.state}{decided}"

    def _told(self, player: int) -> str:
        """What a player was told on the way, and what it decided since."""
        role = self._spec.players[player]
        steps = told(self._play.state, role)
        own = self._play.decided.get(role)
        return "\n".join([f"player {role}", *steps, *([f"decided {own}"] if own else [])])

    def _observed(self, player: int) -> str:
        role = self._spec.players[player]
        seen = self._spec.observations.observed(self._play.state, role)
        own = self._play.decided.get(role)
        return "\n".join([*sorted(seen), *([f"decided {own}"] if own else [])])


class GdlObserver:
    """Tells players of a state, as strings and as zeros and ones."""

    def __init__(self, spec: _Spec, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        self._spec, self._kind = spec, kind
        size = max(spec.observations.size(role) for role in spec.players)
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: GdlState, player: int) -> None:
        """Writes what a player observes into ``tensor``; behind its own places are zeros."""
        vector = self._spec.observations.vector(state.gdl_state, self._spec.players[player])
        self.tensor.fill(0)
        self.tensor[: len(vector)] = vector

    def string_from(self, state: GdlState, player: int) -> str:
        """What a player observes; with perfect recall, all that it was told."""
        return state._told(player) if self._kind.perfect_recall else state._observed(player)


def _plays(game: Game) -> list[list[State]]:
    """Random plays, always the same."""
    rng, plays = random.Random(1), []
    for _ in range(LOOKS):
        play = [game.initial]
        while not play[-1].terminal and len(play) < LONGEST_LOOK:
            play.append(play[-1].random_step(rng))
        plays.append(play)
    return plays


def _several_choices(game: Game) -> bool:
    """Whether several players were seen to have a choice at once."""
    players = set(game.roles) - {game.chance}
    return any(len(players & set(state.to_move)) > 1 for play in _plays(game) for state in play)


def _sums_to_zero(game: Game) -> bool:
    """Whether the utilities of the players were seen to add up to zero at every end."""
    players = [role for role in game.roles if role != game.chance]
    ends = [play[-1] for play in _plays(game) if play[-1].terminal]
    return bool(ends) and all(
        sum((end.goal(role) or 0) - 50 for role in players) == 0 for end in ends
    )


def register(
    rules: Game | str | os.PathLike[str],
    short_name: str | None = None,
    *,
    simultaneous: bool | None = None,
    zero_sum: bool | None = None,
    max_game_length: int = 10_000,
) -> str:
    """Makes a game known to OpenSpiel, and gives the name for ``pyspiel.load_game``.

    ``rules`` is as for :class:`gdlr.Game`, or a game. ``short_name`` is ``gdlr_`` and the name of
    the game if it is not given. ``simultaneous`` and ``zero_sum`` are seen in random plays if they
    are not given. ``max_game_length`` is the most decisions of a play, which OpenSpiel wants to know
    and rules do not say.

    A ``ValueError`` if other rules have that name already, and for games whose engine does not know
    all moves.
    """
    game = rules if isinstance(rules, Game) else Game(rules)
    name = short_name or "gdlr_" + re.sub(r"\W", "_", game.name)
    known = _registered.get(name)
    if known is not None and known.game != game:
        raise ValueError(f"other rules are registered as `{name}`: give another short_name")
    if simultaneous is None:
        simultaneous = _several_choices(game)
    if zero_sum is None:
        zero_sum = _sums_to_zero(game)
    spec = _Spec(game, name, simultaneous, zero_sum, max_game_length)
    pyspiel.register_game(spec.type, type(name, (GdlGame,), {"spec": spec, "__module__": __name__}))
    _registered[name] = spec
    return name


def _restored(game: Game, name: str, *how: Any) -> _Spec:
    """What is registered under a name; registers it if nothing is."""
    if name not in _registered:
        simultaneous, zero_sum, length = how
        register(
            game, name, simultaneous=simultaneous, zero_sum=zero_sum, max_game_length=length
        )
    return _registered[name]


def load(rules: Game | str | os.PathLike[str], **options: Any) -> GdlGame:
    """Registers a game, with the options of :func:`register`, and loads it."""
    game: GdlGame = pyspiel.load_game(register(rules, **options))
    return game
