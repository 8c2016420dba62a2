"""`Game`: the Python face of one variant, for whole batches of games."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import AgentLike
from stardeck.game.catalogue import GAMES, load, load_source
from stardeck.game.playout import play_out
from stardeck.game.user_code import CannotImport
from stardeck.kernels.contract.variant import TAG, GamePackage, States, TableRow, Variant
from stardeck.kernels.errors import GameError, IllegalAction, is_whole, shown, whole_number, whole_numbers
from stardeck.kernels.loops import batch
from stardeck.kernels.primitives import action_set

if TYPE_CHECKING:
    from stardeck.viewer.picture import Picture

_SEEN: dict[tuple[np.dtype[np.void], int], str] = {}  # (dtype of states, tag) -> id of the variant, for errors

State = np.void | States  # one row: states[0] or states[:1]
Number = int | np.integer[Any]
Numbers = Sequence[int] | NDArray[np.integer[Any]]


class Game:
    """One variant of a game: deal, look, act, over any number of games at once.

    States are rows of a structured array: copying a row copies the game. All methods but `apply`, `play` and `put`
    leave the states as they are; those change them in place. Seats are absolute, 0 moves first.

    States bear the tag of their variant, and those of another are refused. Nothing else of a state is checked, for they
    come from `deal`, `from_position`, `resample_hidden` or a copy: bytes made up or changed by hand can crash Python.

    Attributes: `variant` (settings and tables), `id`, `settings`, `players`, `num_actions`, `observation_size`,
    `side_of`: the side of each seat, from 0: int64[players].
    """

    def __init__(self, package: GamePackage[Any], variant: Variant) -> None:
        """Wrap `variant` of a kernel package (see kernels/contract/variant.py); use `stardeck.make`."""
        self._package = package
        self.variant = variant
        self.id = variant.id
        self.settings = dict(variant.settings)
        self.players = variant.players
        self.num_actions = len(variant.actions)
        self._observation_table = variant.observation_table()
        self.observation_size = sum(row["size"] for row in self._observation_table)
        self.rules = variant.rules
        self.state_dtype = variant.state_dtype
        self._tag = self.rules[TAG][0].astype(self.state_dtype[TAG])
        self._tag_number = int(self._tag)
        _SEEN[self.state_dtype, self._tag_number] = self.id
        self.words = action_set.words_for(self.num_actions)
        self.side_of = np.empty(self.players, np.int64)
        for side, seats in enumerate(variant.sides):
            self.side_of[list(seats)] = side

    @cached_property
    def spaces(self) -> str:
        """What a trained network must agree with: what each action and each number of an observation means, hashed."""
        actions = [(action.act.name, *map(int, action[1:])) for action in self.variant.actions]
        layout = [[row[key] for key in ("name", "offset", "size", "scale")] for row in self._observation_table]
        text = json.dumps([self.variant.version, self.variant.names, actions, layout])
        return f"{self.variant.version}:{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @classmethod
    def named(cls, name: str, settings: Mapping[str, Any], version: int | None = None) -> Self:
        """The game of this name with these settings, as `stardeck.make` gives it, or as `at` gives it."""
        package = load(name)
        variant = package.make_variant(**settings)
        return cls(package, variant if version is None else variant.at(version))

    def __repr__(self) -> str:
        return f"stardeck.Game({self.id!r})"

    def at(self, version: int) -> "Game":
        """This game with the observations of an earlier version of the environments: `game.at(0)`.

        States of the one are states of the other. ValueError: there is no such version.
        """
        return Game(self._package, self.variant.at(version))

    @property
    def version(self) -> int:
        """The version of the environments whose observations it has: 1 where `variant.version` is `star_realms_v1`."""
        return int(self.variant.version.rpartition("_v")[2])

    def __reduce__(self) -> tuple[Callable[..., "Game"], tuple[Any, ...]]:
        made_by = self.variant.game, self.settings, self.version
        source = GAMES[self.variant.game].source
        return (_from_source, (source, type(self), *made_by)) if source else (self.named, made_by)

    # Playing

    def deal(self, seeds: Number | Numbers) -> States:
        """New games. seeds: one whole number (one game) or uint64[n]. Returns states[n]."""
        seeds = self.seeds(seeds)
        states = np.zeros(len(seeds), self.state_dtype)
        batch.deal_all(self.rules, states, seeds)
        if len(states) and states[0][TAG] != self._tag:
            raise GameError(f"game {self.id}: deal: must set state.variant = rules.variant")
        return states

    def legal_actions(self, states: States) -> NDArray[np.int8]:
        """Masks of the seats to act: int8[n, num_actions], 1 where legal; all 0 when a game is over."""
        states = self._states(states)
        masks = np.empty((len(states), self.num_actions), np.int8)
        batch.mask_all(self.rules, states, self._scratch(), masks)
        return masks

    def to_act(self, states: States) -> NDArray[np.int64]:
        """The seat that decides now in each game: int64[n], -1 when it is over."""
        return self._states(states)["to_act"].astype(np.int64)

    def observe(self, states: States, seats: Number | Numbers | None = None) -> NDArray[np.uint8]:
        """What a seat may know, by default the seat to act: uint8[n, observation_size].

        seats: None, one seat, or int[n]. When a game is over and no seat is given, seat 0 looks.
        """
        states = self._states(states)
        seats = np.maximum(states["to_act"].astype(np.int64), 0) if seats is None else self._seats(seats, len(states))
        observations = np.empty((len(states), self.observation_size), np.uint8)
        batch.observe_all(self.rules, states, seats, observations)
        return observations

    def apply(self, states: States, actions: Numbers, skip_finished: bool = False) -> None:
        """Apply one action to each game, in place. actions: int[n].

        skip_finished: leave games that are over as they are, whatever their action, so that a batch goes on until the
        last one has ended. IllegalAction names the first row whose action is not legal; then no row has changed.
        """
        states = self._writeable(states)
        batch.apply_all(self.rules, states, self.check_actions(states, actions, skip_finished))

    def is_over(self, states: States) -> NDArray[np.bool_]:
        """Whether each game has ended: bool[n]."""
        return self._states(states)["to_act"] < 0

    def truncated(self, states: States) -> NDArray[np.bool_]:
        """Whether each game was ended by its limit on turns, which nobody has won then: bool[n]."""
        truncated: NDArray[np.bool_] = self._states(states)["truncated"] != 0
        return truncated

    def returns(self, states: States) -> NDArray[np.float32]:
        """Results by seat: float32[n, players]; 0 while running, in a draw and when truncated.

        The winning side gets +1; with n sides each other gets -1 / (n - 1), in a draw whoever was out before.
        """
        return self.outcomes(states)["returns"]

    def winners(self, states: States) -> NDArray[np.bool_]:
        """The seats of the side that has won: bool[n, players]; nobody while running, in a draw and when truncated."""
        return self.outcomes(states)["winners"]

    def outcomes(self, states: States) -> dict[str, NDArray[Any]]:
        """Who has won, by name, as environments tell it at the end: arrays of n rows with a number for each seat.

        `returns` float32[n, players], `winners` bool[n, players], `placements` int64[n, players]: see the methods of
        these names.
        """
        states = self._states(states)
        shape = len(states), self.players
        returns, winners, placements = np.empty(shape, np.float32), np.empty(shape, bool), np.empty(shape, np.int64)
        batch.outcomes_all(states, self.variant.eliminated(states), self.side_of, returns, winners, placements)
        return {"returns": returns, "winners": winners, "placements": placements}

    def results(self, states: States) -> dict[str, NDArray[Any]]:
        """What a game that is over says beside who has won, by name: arrays of n rows; for most games nothing."""
        return self.variant.results(self._states(states))

    def info(self, states: States) -> dict[str, NDArray[Any]]:
        """`outcomes` and `results` of one game, as an environment tells them: arrays. states: array of one row."""
        return {name: rows[0] for name, rows in (self.outcomes(states) | self.results(states)).items()}

    def blank_info(self) -> dict[str, NDArray[Any]]:
        """Return the keys of `info` with their values while a game is under way, in new arrays."""
        return {name: value.copy() for name, value in self._blank_info.items()}

    @cached_property
    def _blank_info(self) -> dict[str, NDArray[Any]]:
        return self.info(self.deal(0))

    def first_seats(self, states: States) -> NDArray[np.int64]:
        """The seat that had the first turn of each game: int64[n]."""
        return self.variant.first_seats(self._states(states))

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on."""
        return self.variant.seats_go_out

    @property
    def belief_size(self) -> int:
        """How many weights a belief about the others' hands has: of each other seat in the order of turns, by card.

        0: how others play tells nothing of their hands.
        """
        return (self.players - 1) * self.variant.kinds_held

    def eliminated(self, states: States) -> NDArray[np.bool_]:
        """Which seats are out of the game: bool[n, players]."""
        return self.variant.eliminated(self._states(states))

    def certain_returns(self, states: States) -> NDArray[np.float32]:
        """Returns that are certain unless the limit on turns ends the game: float32[n, players], else NaN."""
        states = self._states(states)
        sides = len(self.variant.sides)
        lost = states["placement"][:, : self.players] > 1
        loss = np.float32(-1 / (sides - 1)) if sides > 1 else np.float32(-1)
        return np.where(self.is_over(states)[:, None], self.returns(states), np.where(lost, loss, np.float32(np.nan)))

    def placements(self, states: States) -> NDArray[np.int64]:
        """Rank of each seat's side, 1 for the winner, equal ranks shared: int64[n, players]; 0 while running."""
        return self.outcomes(states)["placements"]

    def resample_hidden(self, states: States, seats: Number | Numbers, seeds: Number | Numbers) -> States:
        """Copies in which all that a seat cannot know is drawn again. seats: seat or int[n]; seeds: as in `deal`."""
        states = self._states(states)
        copies = self.copy(states)
        batch.resample_all(self.rules, copies, self._seats(seats, len(states)), self.seeds(seeds, len(states)))
        return copies

    def copy(self, states: States) -> States:
        """A copy of the games that shares nothing with them; also of games that `numpy.load` has read."""
        if isinstance(states, np.ndarray) and states.dtype == self.state_dtype:
            states = states.view(self.state_dtype)  # compiled code knows no other layout
        copies = np.empty(len(self._states(states)), self.state_dtype)
        batch.copy_states(copies, np.ascontiguousarray(states))
        return copies

    def take(self, states: States, rows: Numbers | NDArray[np.bool_]) -> States:
        """Copies of some of the games, as `states[rows]` gives them, but much faster.

        rows: int[k], from 0, or bool[n].
        """
        states = self._states(states)
        chosen = self._chosen(rows, len(states))
        taken = np.empty(len(chosen), self.state_dtype)
        batch.take_states(taken, np.ascontiguousarray(states), chosen)
        return taken

    def put(self, states: States, rows: Numbers | NDArray[np.bool_], some: States) -> None:
        """Write games over some of the rows, in place: `states[rows] = some`, but much faster.

        rows: int[k], from 0, or bool[n]; some: states[k].
        """
        states, some = self._writeable(states), self._states(some)
        chosen = self._chosen(rows, len(states))
        if len(some) != len(chosen):
            raise ValueError(f"some: {len(some)} states for {len(chosen)} rows")
        batch.put_states(states, chosen, np.ascontiguousarray(some))

    def playout(self, states: States, agents: AgentLike | Sequence[AgentLike], seed: Number) -> States:
        """The games as agents play them to their end, in copies.

        agents: one, for all seats, or one for each seat. seed: of the agents' chance, of which every row has its own.
        What chance brings in the game is part of its state: to draw it anew, `resample_hidden` first.
        """
        ended = self.copy(states)
        play_out(self, ended, agents, self.seeds(whole_number(seed, "seed"))[0])
        return ended

    # Words

    def describe(self, state: State, action: Number) -> str:
        """An action of the seat to act in words: 'buy Blob Fighter'. state: one row."""
        return self._package.describe(self.variant, self._row(state)[0], self._action(action))

    def is_secret(self, state: State, action: Number) -> bool:
        """Whether the other seats do not learn now which action the seat to act takes. state: one row."""
        return bool(self._package.is_secret(self.variant, self._row(state)[0], self._action(action)))

    def parse(self, state: State, text: str) -> list[int]:
        """The actions that a move in words stands for, in order. IllegalAction lists what is legal."""
        if not isinstance(text, str):
            raise TypeError(f"move {shown(text)}: must be a text")
        return self._package.parse(self.variant, self._row(state), text)

    def moves(self, state: State) -> list[str]:
        """The legal moves in words; an amount appears as '… with all'."""
        return self._package.moves(self.variant, self._row(state))

    def play(self, states: States, text: str) -> None:
        """Apply a move in words to every game, in place; legal only if all of it is legal in all of them."""
        states = self._writeable(states)
        plans = [self.parse(states[row], text) for row in range(len(states))]
        for row, actions in enumerate(plans):
            for action in actions:
                batch.apply_all(self.rules, states[row : row + 1], np.array([action], np.int64))

    def position(self, state: State) -> dict[str, Any]:
        """The position as a plain dict of names and numbers."""
        return self._package.position(self.variant, self._row(state)[0])

    def from_position(self, position: dict[str, Any]) -> States:
        """The states (one row) that a position describes. ValueError names what is wrong."""
        return self._package.from_position(self.variant, position)

    def render(self, state: State, seat: int | None = None) -> str:
        """The table as text, as `seat` sees it; with None everything is shown."""
        return self._package.render(self.variant, self._row(state), None if seat is None else self._seat(seat))

    def table(self, state: State, seat: int | None = None) -> dict[str, Any]:
        """What lies on the table as `seat` sees it, as plain data for `json.dumps`; with None everything is shown.

        Its keys are those of `stardeck/envs/table.schema.json`: `zones` with the things in them, `players`, `cards` by
        name with what they do, what is asked, and `moves`: the number of each legal action, its words (`describe`) and
        the ids of the things that it is about. Moves are for the seat to act and for None; others have none.
        """
        return self._package.table(self.variant, self._row(state), None if seat is None else self._seat(seat))

    def picture(self, state: State, seat: int | None = None) -> "Picture":
        """The same as a picture, which notebooks show: `str` of it is SVG. See `stardeck.viewer`."""
        from stardeck.viewer.picture import Picture

        return Picture(self.table(state, seat))

    def headline(self, state: State, names: Sequence[str], seat: int | None = None, told: bool = False) -> str:
        """One line on where the game stands, as it opens a turn in a log. names: of the players by seat.

        seat: who reads it, and sees no hand but its own; None: everything is shown. told: whether the log has told all
        `news` so far, which then need not stand here.
        """
        if not isinstance(names, list | tuple) or len(names) != self.players:
            raise ValueError(f"names: {shown(names)}: must be {self.players} names, one for each seat")
        viewer = None if seat is None else self._seat(seat)
        return self._package.headline(self.variant, self._row(state), names, viewer, bool(told))

    def paragraph(self, state: State) -> int:
        """The number of the turn that the next decision belongs to: a log has a paragraph for each."""
        return int(self._package.paragraph(self.variant, self._row(state)[0]))

    def board(self, state: State) -> list[str]:
        """What lies open for all, as a log shows it at the start of a turn: a line each, for some games none."""
        return self._package.board(self.variant, self._row(state))

    def news(self, before: State, action: Number, after: State, seat: int | None = None) -> list[str]:
        """What an action has brought about that its words do not say, a text each: damage, cards drawn, who won a war.

        seat: who reads it, and learns no more than that seat may know; None: everything is told.
        """
        viewer = None if seat is None else self._seat(seat)
        return self._package.news(self.variant, self._row(before), self._action(action), self._row(after), viewer)

    def cards(self) -> list[dict[str, Any]]:
        """The cards of this variant: dicts of `name`, `kind`, further columns of the game, and `text`: what they do."""
        return self._package.cards(self.variant)

    def action_table(self) -> list[TableRow]:
        """The action space: rows of name, offset, size, scale, meaning."""
        return self.variant.action_table()

    def observation_table(self) -> list[TableRow]:
        """The layout of observations: rows of name, offset, size, scale, meaning."""
        return [row.copy() for row in self._observation_table]

    def observation_scale(self) -> NDArray[np.float32]:
        """What each number of an observation is multiplied by for float32: float32[observation_size]."""
        return np.concatenate([np.full(row["size"], row["scale"], np.float32) for row in self._observation_table])

    # Checks

    def check_actions(self, states: States, actions: Numbers, skip_finished: bool = False) -> NDArray[np.int64]:
        """The actions, if each is legal in its state: int64[n]. Errors and `skip_finished` are those of `apply`."""
        states = self._states(states)
        actions = whole_numbers(actions, "actions", len(states), "state")
        row = batch.first_illegal(self.rules, states, actions, self._scratch(), bool(skip_finished))
        if row >= 0:
            raise IllegalAction(self._refusal(states[row : row + 1], int(actions[row]), row))
        return actions

    def check_decisions(self, states: States, seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The seeds of one decision in each game: uint64[n]. ValueError where a game is over, or seeds are too few."""
        if self.is_over(states).any():
            raise ValueError(f"row {int(self.is_over(states).argmax())}: the game is over: nothing is to be decided")
        return self.seeds(seeds, len(states))

    def _scratch(self) -> NDArray[np.uint64]:
        return np.empty(self.words, np.uint64)

    def _states(self, states: States) -> States:
        if not isinstance(states, np.ndarray) or states.dtype != self.state_dtype or states.ndim != 1:
            raise TypeError(f"states must be a 1-d array of {self.id} states, as Game.deal gives them")
        if not states.dtype.isalignedstruct:  # which NumPy's files forget, and its comparison
            raise TypeError(f"states are as a file of NumPy holds them; Game.copy gives {self.id} states that play")
        self._check_variant(states)
        return states

    def _check_variant(self, states: States) -> None:
        """TypeError if one of the states is not of this variant."""
        tags = states[TAG]
        if len(tags) == 1 and tags.item() == self._tag_number:  # four times as fast as what follows
            return
        strange = tags != self._tag
        if strange.any():
            row = int(strange.argmax())
            tag = int(states[row][TAG])
            other = _SEEN.get((self.state_dtype, tag), f"another variant, with the tag {tag:#x}") if tag else "no game"
            raise TypeError(f"row {row}: is a state of {other}, not of {self.id}, as Game.deal gives them")

    def _writeable(self, states: States) -> States:
        if not self._states(states).flags.writeable:
            raise ValueError("states are read-only; Game.copy gives games that can be played on")
        return states

    def _row(self, state: State) -> States:
        if isinstance(state, np.ndarray) and state.shape == (1,):
            return self._states(state)
        if not isinstance(state, np.void) or state.dtype != self.state_dtype:
            raise TypeError(f"state must be one row of {self.id} states, such as states[0]")
        row = np.empty(1, self.state_dtype)
        row[0] = state
        self._check_variant(row)
        return row

    def _chosen(self, rows: Any, length: int) -> NDArray[np.int64]:
        """Some of `length` rows as numbers: int64[k]."""
        try:
            array = np.asarray(rows)
        except ValueError:  # rows of different lengths
            array = np.empty((0, 0))
        if array.shape == (0,):
            return np.zeros(0, np.int64)
        if array.dtype == bool and array.shape == (length,):
            return np.flatnonzero(array)
        if array.dtype.kind in "iu" and array.ndim == 1 and 0 <= array.min() and array.max() < length:
            return array.astype(np.int64)
        raise ValueError(f"rows: {shown(rows)}: must be numbers from 0 to {length - 1}, or {length} truth values")

    def _seats(self, seats: Number | Numbers, length: int) -> NDArray[np.int64]:
        if is_whole(seats):
            return np.full(length, self._seat(seats, "seats"))
        checked = whole_numbers(seats, "seats", length, "state")
        if len(checked) and not (0 <= checked.min() and checked.max() < self.players):
            raise ValueError(f"seats: {shown(seats)}: must be from 0 to {self.players - 1}")
        return checked

    def _seat(self, seat: Any, name: str = "seat") -> int:
        number = whole_number(seat, name)
        if not 0 <= number < self.players:
            raise ValueError(f"{name}: {shown(seat)}: must be from 0 to {self.players - 1}")
        return number

    def _action(self, action: Any) -> int:
        number = whole_number(action)
        if not 0 <= number < self.num_actions:
            raise IllegalAction(f"action {shown(action)}: must be from 0 to {self.num_actions - 1}")
        return number

    @staticmethod
    def seeds(seeds: Number | Numbers, length: int | None = None) -> NDArray[np.uint64]:
        """Seeds as an array: uint64[n]. seeds: one whole number, for all `length` games, or one each. ValueError."""
        listed = seeds if isinstance(seeds, np.ndarray | list | tuple | range) else [seeds]
        if isinstance(seeds, np.ndarray):
            whole = seeds.dtype.kind in "iu" and seeds.ndim <= 1 and (seeds.dtype.kind == "u" or (seeds >= 0).all())
        else:
            whole = all(is_whole(seed) and 0 <= int(seed) < 2**64 for seed in listed)
        if not whole:
            raise ValueError(
                f"seeds: {shown(seeds)}: must be one whole number from 0 to 2**64 - 1, or an array of them"
            )
        array = np.atleast_1d(np.array(listed, np.uint64))
        if length is not None and len(array) == 1:
            array = np.repeat(array, length)
        if length is not None and len(array) != length:
            raise ValueError(f"seeds: {len(array)} seeds for {length} states")
        return array

    def _refusal(self, states: States, action: int, row: int) -> str:
        to_act = int(states[0]["to_act"])
        if to_act < 0:
            return f"row {row}: action {action}: the game is over"
        if to_act >= self.players:
            raise GameError(f"game {self.id}: apply: to_act is {to_act}: must be from -1 to {self.players - 1}")
        if not self.legal_actions(states).any():
            raise GameError(f"game {self.id}: legal_actions: no action is legal, though player_{to_act} is to act")
        if not 0 <= action < self.num_actions:
            return f"row {row}: action {action}: must be from 0 to {self.num_actions - 1}"
        legal = "; ".join(self.moves(states))
        return f"row {row}: action {action} ({self.describe(states, action)}) is not legal here; legal: {legal}"


def _from_source(source: str, kind: type[Game], name: str, *made_by: Any) -> Game:
    """The game of this name, whose module another process may not have imported yet.

    A function of the module, because cloudpickle copies class methods with all that they refer to.
    """
    if name not in GAMES:
        try:
            load_source(source)
        except CannotImport as error:
            raise ValueError(
                f"game {name}: this process cannot import the module that registers it: {error}"
            ) from error
    return kind.named(name, *made_by)
