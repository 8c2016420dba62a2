"""Two-player variants as games of OpenSpiel.

    import pyspiel
    from stardeck.envs import openspiel                                # registers each game with its default settings
    game = pyspiel.load_game("stardeck/interstellar_empire/2(deals=100)")
    mine = pyspiel.load_game(openspiel.register(stardeck.make("star_realms", max_turns=60)))
    endgame = openspiel.from_states(game, states)                      # chance draws one of these states

Chance moves once, at the start: it draws one of `deals` deals, and number i is `game.deal(i)`. Later chance events are
part of the deal. A player's information state is a hash of everything that its seat has seen and learned since then,
and of its own actions. Its observation is the current view of its seat. Games and states can be pickled, together with
policies, solvers and environments of OpenSpiel. Install `stardeck[openspiel]`.
"""  # noqa: E501

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.game.registry import make, playable
from stardeck.kernels.errors import shown

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error.name}: not installed; pip install 'stardeck[openspiel]'", name=error.name
    ) from error

PREFIX = "stardeck/"
DEALS = 10_000
LONGEST = 100_000  # decisions; OpenSpiel needs a bound, and no game of any agent has come near it
SECRET = -1  # replaces an action that a seat does not learn


def _type(name: str, title: str) -> Any:
    return pyspiel.GameType(
        short_name=name,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"deals": DEALS},
    )


class Duel(pyspiel.Game):
    """A two-player variant.

    Attributes:
        stardeck: The `Game`.
        deals: Number of deals that chance draws from.
    """

    def __init__(self, kind: Any, game: Game, deals: int = DEALS, starts: States | None = None) -> None:
        """Check the game and set up OpenSpiel's side of it.

        Args:
            kind: The `pyspiel.GameType`.
            game: The variant.
            deals: Number of deals.
            starts: States that chance draws from instead of deals.
        """
        _check(game)
        self.stardeck = game
        self.deals = deals if starts is None else len(starts)
        if self.deals < 1:
            raise ValueError(f"deals={shown(deals)}: must be at least 1")
        self.scale = game.observation_scale()
        self._starts = starts
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=self.deals,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(kind, info, {"deals": self.deals})

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the variant and its deals without OpenSpiel's name: another process may not have registered it."""
        if self._starts is None:
            return _registered_game, (self.stardeck, self.deals)
        return from_states, (self.stardeck, self._starts)

    def start(self, number: int) -> States:
        """Return the state that chance has drawn, in an array of one row."""
        return self.stardeck.deal(number) if self._starts is None else self.stardeck.take(self._starts, [number])

    def new_initial_state(self) -> "DuelState":
        """Return a game before the draw of chance."""
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "DuelObserver":
        """Return an observer that looks at states for a seat."""
        if params:
            raise ValueError(f"params={shown(params)}: must be none")
        return DuelObserver(self, iig_obs_type is not None and iig_obs_type.perfect_recall)


class DuelState(pyspiel.State):
    """One game in progress.

    Attributes:
        states: The row that Stardeck plays on, or None before chance has drawn.
        memories: For each seat, a hash of everything that it has seen and learned.
    """

    def __init__(self, game: Duel) -> None:
        super().__init__(game)
        self.states: States | None = None
        self.memories = [b"", b""]

    @property
    def _game(self) -> Game:
        game: Game = self.get_game().stardeck
        return game

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the state with its game; OpenSpiel's own text omits the game."""
        return _restored, (self.get_game(), self.serialize())

    def current_player(self) -> Any:  # an int, or one of pyspiel.PlayerId
        """Return the seat that decides, or OpenSpiel's number for chance or for the end."""
        if self.states is None:
            return pyspiel.PlayerId.CHANCE
        seat = int(self.states[0]["to_act"])
        return seat if seat >= 0 else pyspiel.PlayerId.TERMINAL

    def is_terminal(self) -> bool:
        """Return true if the game is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        states: Any = self.states  # chance has drawn
        return np.flatnonzero(self._game.legal_actions(states)[0]).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return every deal with its probability; all are equally likely."""
        deals = self.get_game().deals
        return [(deal, 1.0 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.states is None:
            self.states = self.get_game().start(action)
            told = [SECRET, SECRET]
        else:
            seat = int(self.states[0]["to_act"])
            told = [action, action]
            if self._game.is_secret(self.states[0], action):
                told[1 - seat] = SECRET
            self._game.apply(self.states, [action])
        for seat in range(2):
            self._remember(seat, told[seat])

    def _remember(self, seat: int, action: int) -> None:
        digest = hashlib.blake2b(self.memories[seat], digest_size=16)
        digest.update(action.to_bytes(8, "little", signed=True) + self.shown_to(seat).tobytes())
        self.memories[seat] = digest.digest()

    def shown_to(self, seat: int) -> NDArray[np.uint8]:
        """Return the current view of a seat, uint8[observation_size]; zeros before chance has drawn."""
        if self.states is None:
            return np.zeros(self._game.observation_size, np.uint8)
        seen: NDArray[np.uint8] = self._game.observe(self.states, seat)[0]
        return seen

    def resample_from_infostate(self, player_id: int, sampler: Any) -> "DuelState":
        """Return a copy in which everything unknown to a seat is drawn again.

        The other seat has no memory of the past in the copy, since that is drawn again too.

        Args:
            player_id: The seat whose knowledge stays as it is.
            sampler: Function that returns numbers from 0 to 1.
        """
        draw = sampler if callable(sampler) else np.random.default_rng().random
        copy: DuelState = self.clone()
        if self.states is not None:
            seed = int(draw() * 2**53)
            copy.states = self._game.resample_hidden(self.states, player_id, seed)
            copy.memories[1 - player_id] = b""
            copy._remember(1 - player_id, SECRET)
        return copy

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if self.states is None else self._game.describe(self.states[0], action)

    def returns(self) -> list[float]:
        """Return +1 for the winner and -1 for the other seat; 0 during play, in a draw, and at the limit on turns."""
        return [0.0, 0.0] if self.states is None else self._game.returns(self.states)[0].tolist()

    def __str__(self) -> str:
        return "before the deal" if self.states is None else self._game.render(self.states[0])


class DuelObserver:
    """Observer that writes the view of a seat into `tensor`, float32[observation_size], scaled as in environments."""

    def __init__(self, game: Duel, perfect_recall: bool) -> None:
        self._perfect_recall = perfect_recall
        self._scale = game.scale
        self.tensor = np.zeros(len(game.scale), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: DuelState, player: int) -> None:
        """Look at a state as a player."""
        self.tensor[:] = state.shown_to(player) * self._scale

    def string_from(self, state: DuelState, player: int) -> str:
        """Return a text that identifies a state for a player: a hash of its current view, or of its whole memory."""
        if self._perfect_recall:
            return f"player_{player} {state.memories[player].hex()}"
        return f"player_{player} {hashlib.blake2b(state.shown_to(player).tobytes(), digest_size=16).hexdigest()}"


def _check(game: Game) -> None:
    if game.players != 2 or len(game.variant.sides) != 2:
        raise ValueError(f"{game.id}: must be a game of two players against each other")


_registered: dict[str, str] = {}  # name -> tables of the variant


def register(game: Game) -> str:
    """Register a variant of any settings with OpenSpiel.

    Args:
        game: A variant of two players against each other.

    Returns:
        The name that `pyspiel.load_game` takes.

    Raises:
        ValueError: The game is not one of two players against each other.
    """
    _check(game)
    name = PREFIX + game.id
    if _registered.get(name, game.variant.tables) != game.variant.tables:  # other cards in a file of the same name
        name = f"{name}/tables={game.variant.tables}"
    if name not in _registered:
        kind = _type(name, f"Stardeck: {game.id}")

        # A class, not a function: OpenSpiel keeps it beyond the end of the interpreter, when freeing is unsafe.
        class Registered(Duel):
            def __init__(self, params: dict[str, Any] | None = None) -> None:
                super().__init__(kind, game, (params or {}).get("deals", DEALS))

        pyspiel.register_game(kind, Registered)
        _registered[name] = game.variant.tables
    return name


def _registered_game(game: Game, deals: int) -> Any:
    """Return the unpickled game of OpenSpiel."""
    return pyspiel.load_game(register(game), {"deals": deals})


def _restored(game: Any, text: str) -> Any:
    """Return the unpickled state."""
    return game.deserialize_state(text)


def from_states(game: Game, states: States) -> Duel:
    """Return a game in which chance draws one of these states, such as the possible worlds of one position.

    A few states shortly before the end make a game that can be solved exactly.

    Args:
        game: The variant of the states.
        states: Array states[n] of `game`.
    """
    return Duel(
        _type(f"{PREFIX}{game.id}/from", f"Stardeck: {game.id}, from a position"), game, starts=game.copy(states)
    )


for _name in playable():
    if (_made := make(_name)).players == 2:
        register(_made)
