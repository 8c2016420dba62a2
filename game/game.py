"""`Game`: the Python interface to one variant, for whole batches of games."""

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
from stardeck.kernels.text.sentences import seat_names

if TYPE_CHECKING:
    from stardeck.viewer.picture import Picture

_IDS: dict[tuple[np.dtype[np.void], int], str] = {}  # (dtype of states, tag) -> id of the variant, for errors

State = np.void | States  # one row: states[0] or states[:1]
Number = int | np.integer[Any]
Numbers = Sequence[int] | NDArray[np.integer[Any]]


def count_of(value: Any, name: str) -> int:
    """Return a whole number that kernels count with, from 0 to 2**31 - 1. Raises TypeError or ValueError."""
    number = whole_number(value, name)
    if not 0 <= number < 2**31:
        raise ValueError(f"{name}={shown(value)}: must be from 0 to {2**31 - 1}")
    return number


class Game:
    """Variant of a game: deal, observe and act in any number of games at once.

    States are rows of a structured array: copying a row copies the game. Only `apply`, `play` and `put` change states,
    in place. Seats are absolute; seat 0 moves first.

    Each state bears the tag of its variant, and `Game` refuses states of other variants. Nothing else of a state is
    checked. States must come from `deal`, `from_position`, `resample_hidden` or a copy: made-up bytes can crash Python.

    Attributes:
        variant: Settings and tables of the variant.
        id: The id of the variant.
        settings: Every setting with its value.
        players: Number of seats.
        num_actions: Size of the action space.
        observation_size: Length of an observation.
        side_of: The side of each seat, from 0: int64[players].
    """

    def __init__(self, package: GamePackage[Any], variant: Variant) -> None:
        """Wrap a `variant` of a kernel package (see kernels/contract/variant.py); use `stardeck.make` instead."""
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
        _IDS[self.state_dtype, self._tag_number] = self.id
        self.words = action_set.words_for(self.num_actions)
        self.side_of = np.empty(self.players, np.int64)
        for side, seats in enumerate(variant.sides):
            self.side_of[list(seats)] = side

    @cached_property
    def spaces(self) -> str:
        """Hash of the meaning of every action and every observation number; a trained network must have the same."""
        actions = [(action.act.name, *map(int, action[1:])) for action in self.variant.actions]
        layout = [[row[key] for key in ("name", "offset", "size", "scale")] for row in self._observation_table]
        text = json.dumps([self.variant.version, self.variant.names, actions, layout])
        return f"{self.variant.version}:{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    @classmethod
    def named(cls, name: str, settings: Mapping[str, Any], version: int | None = None) -> Self:
        """Return the game of this name, as `stardeck.make` does.

        Args:
            name: The name of the game.
            settings: Its settings. Settings left out have their defaults.
            version: The version of the environments whose observations it has; None: the newest.
        """
        package = load(name)
        variant = package.make_variant(**settings)
        return cls(package, variant if version is None else variant.at(version))

    def __repr__(self) -> str:
        return f"stardeck.Game({self.id!r})"

    def at(self, version: int) -> "Game":
        """Return this game with the observations of an earlier version of the environments: `game.at(0)`.

        Both games share their states.

        Raises:
            ValueError: There is no such version.
        """
        return Game(self._package, self.variant.at(version))

    @property
    def version(self) -> int:
        """Version of the environments whose observations it has: 1 if `variant.version` is `star_realms_v1`."""
        return int(self.variant.version.rpartition("_v")[2])

    def __reduce__(self) -> tuple[Callable[..., "Game"], tuple[Any, ...]]:
        made_by = self.variant.game, self.settings, self.version
        source = GAMES[self.variant.game].source
        return (_from_source, (source, type(self), *made_by)) if source else (self.named, made_by)

    # Playing

    def deal(self, seeds: Number | Numbers) -> States:
        """Deal new games: states[n].

        Args:
            seeds: One whole number (one game), or uint64[n].
        """
        seeds = self.seeds(seeds)
        states = np.zeros(len(seeds), self.state_dtype)
        batch.deal_all(self.rules, states, seeds)
        if len(states) and states[0][TAG] != self._tag:
            raise GameError(f"game {self.id}: deal: must set state.variant = rules.variant")
        return states

    def legal_actions(self, states: States) -> NDArray[np.int8]:
        """Return masks of the seats to act: int8[n, num_actions], 1 where legal; all 0 when a game is over."""
        states = self._states(states)
        masks = np.empty((len(states), self.num_actions), np.int8)
        batch.mask_all(self.rules, states, self._scratch(), masks)
        return masks

    def to_act(self, states: States) -> NDArray[np.int64]:
        """Return the seat that decides now in each game: int64[n], -1 when it is over."""
        return self._states(states)["to_act"].astype(np.int64)

    def observe(self, states: States, seats: Number | Numbers | None = None) -> NDArray[np.uint8]:
        """Return everything that a seat may know: uint8[n, observation_size].

        Args:
            states: The games.
            seats: One seat, int[n], or None: the seat to act. In a game that is over, None stands for seat 0.
        """
        states, seats = self._observed(states, seats)
        observations = np.empty((len(states), self.observation_size), np.uint8)
        batch.observe_all(self.rules, states, seats, observations)
        return observations

    @cached_property
    def hidden_size(self) -> int:
        """Length of a row of `observe_hidden`."""
        return len(self.variant.hidden_scale())

    def observe_hidden(self, states: States, seats: Number | Numbers | None = None) -> NDArray[np.uint8]:
        """Return what a seat cannot know, for a critic in training: uint8[n, hidden_size].

        In the games of the package these are the other hands and the next cards of all decks. In a game from outside
        that does not say what is hidden, these are the observations of the other seats, clockwise.

        Args:
            states: The games.
            seats: As in `observe`.
        """
        states, seats = self._observed(states, seats)
        hidden = np.empty((len(states), self.hidden_size), np.uint8)
        batch.observe_hidden_all(self.rules, states, seats, hidden)
        return hidden

    def _observed(self, states: States, seats: Number | Numbers | None) -> tuple[States, NDArray[np.int64]]:
        """Return the games, and the seat that looks at each."""
        states = self._states(states)
        if seats is None:
            return states, np.maximum(states["to_act"].astype(np.int64), 0)
        return states, self._seats(seats, len(states))

    def apply(self, states: States, actions: Numbers, skip_finished: bool = False) -> None:
        """Apply one action to each game, in place.

        Args:
            states: The games.
            actions: int[n], one for each game.
            skip_finished: Leave games that are over unchanged, whatever their action, until the whole batch has ended.

        Raises:
            IllegalAction: An action is not legal. The message names the first such row; no row has changed.
        """
        states = self._writeable(states)
        batch.apply_all(self.rules, states, self.check_actions(states, actions, skip_finished))

    def is_over(self, states: States) -> NDArray[np.bool_]:
        """Return whether each game has ended: bool[n]."""
        return self._states(states)["to_act"] < 0

    def truncated(self, states: States) -> NDArray[np.bool_]:
        """Return whether each game ended at its limit on turns, without a winner: bool[n]."""
        truncated: NDArray[np.bool_] = self._states(states)["truncated"] != 0
        return truncated

    def returns(self, states: States) -> NDArray[np.float32]:
        """Return the results by seat: float32[n, players]; 0 while running, in a draw and when truncated.

        The winning side gets +1. With n sides, every other side gets -1 / (n - 1). In a draw, so do the sides that were
        eliminated before.
        """
        return self.outcomes(states)["returns"]

    def winners(self, states: States) -> NDArray[np.bool_]:
        """Return the seats of the winning side: bool[n, players]; none while running, in a draw and when truncated."""
        return self.outcomes(states)["winners"]

    def outcomes(self, states: States) -> dict[str, NDArray[Any]]:
        """Return the result of each game by name, as environments report it at the end, with a number for each seat.

        `returns` float32[n, players], `winners` bool[n, players], `placements` int64[n, players]: see the methods of
        these names.
        """
        states = self._states(states)
        shape = len(states), self.players
        returns, winners, placements = np.empty(shape, np.float32), np.empty(shape, bool), np.empty(shape, np.int64)
        batch.outcomes_all(states, self.variant.eliminated(states), self.side_of, returns, winners, placements)
        return {"returns": returns, "winners": winners, "placements": placements}

    def results(self, states: States) -> dict[str, NDArray[Any]]:
        """Return further results of games that are over, by name: arrays of n rows. Most games have none."""
        return self.variant.results(self._states(states))

    def info(self, states: States) -> dict[str, NDArray[Any]]:
        """Return `outcomes` and `results` of one game, as environments report them. states: array of one row."""
        return {name: rows[0] for name, rows in (self.outcomes(states) | self.results(states)).items()}

    def blank_info(self) -> dict[str, NDArray[Any]]:
        """Return the keys of `info` with their values while a game is under way, in new arrays."""
        return {name: value.copy() for name, value in self._blank_info.items()}

    @cached_property
    def _blank_info(self) -> dict[str, NDArray[Any]]:
        return self.info(self.deal(0))

    def first_seats(self, states: States) -> NDArray[np.int64]:
        """Return the seat that had the first turn of each game: int64[n]."""
        return self.variant.first_seats(self._states(states))

    @property
    def seats_go_out(self) -> bool:
        """True if a seat can be eliminated while others play on."""
        return self.variant.seats_go_out

    @property
    def belief_size(self) -> int:
        """Number of weights in a belief about the opponents' hands: by opponent in turn order, then by card.

        It is 0 if the opponents' play says nothing about their hands.
        """
        return (self.players - 1) * self.variant.kinds_held

    def eliminated(self, states: States) -> NDArray[np.bool_]:
        """Return the seats that are out of the game: bool[n, players]."""
        return self.variant.eliminated(self._states(states))

    def certain_returns(self, states: States) -> NDArray[np.float32]:
        """Return results that are certain unless the limit on turns ends the game: float32[n, players], else NaN."""
        states = self._states(states)
        sides = len(self.variant.sides)
        lost = states["placement"][:, : self.players] > 1
        loss = np.float32(-1 / (sides - 1)) if sides > 1 else np.float32(-1)
        return np.where(self.is_over(states)[:, None], self.returns(states), np.where(lost, loss, np.float32(np.nan)))

    def placements(self, states: States) -> NDArray[np.int64]:
        """Return the rank of each side by seat: int64[n, players]; 0 while running, 1 for the winner, ties shared."""
        return self.outcomes(states)["placements"]

    def resample_hidden(self, states: States, seats: Number | Numbers, seeds: Number | Numbers) -> States:
        """Return copies in which everything that a seat cannot know is drawn again.

        Args:
            states: The games.
            seats: One seat, or int[n].
            seeds: As in `deal`.
        """
        states = self._states(states)
        copies = self.copy(states)
        batch.resample_all(self.rules, copies, self._seats(seats, len(states)), self.seeds(seeds, len(states)))
        return copies

    def copy(self, states: States) -> States:
        """Return a copy of the games that shares no memory with them; it also takes games read by `numpy.load`."""
        if isinstance(states, np.ndarray) and states.dtype == self.state_dtype:
            states = states.view(self.state_dtype)  # compiled code knows no other layout
        copies = np.empty(len(self._states(states)), self.state_dtype)
        batch.copy_states(copies, np.ascontiguousarray(states))
        return copies

    def take(self, states: States, rows: Numbers | NDArray[np.bool_]) -> States:
        """Return copies of some of the games, as `states[rows]` does, but much faster.

        Args:
            states: The games.
            rows: int[k], from 0, or bool[n].
        """
        states = self._states(states)
        chosen = self._chosen(rows, len(states))
        taken = np.empty(len(chosen), self.state_dtype)
        batch.take_states(taken, np.ascontiguousarray(states), chosen)
        return taken

    def put(self, states: States, rows: Numbers | NDArray[np.bool_], some: States) -> None:
        """Write games over some of the rows, in place: `states[rows] = some`, but much faster.

        Args:
            states: The games that change.
            rows: int[k], from 0, or bool[n].
            some: states[k].
        """
        states, some = self._writeable(states), self._states(some)
        chosen = self._chosen(rows, len(states))
        if len(some) != len(chosen):
            raise ValueError(f"some: {len(some)} states for {len(chosen)} rows")
        batch.put_states(states, chosen, np.ascontiguousarray(some))

    def playout(self, states: States, agents: AgentLike | Sequence[AgentLike], seed: Number) -> States:
        """Return copies of the games, played to their end by agents.

        Randomness inside the game is part of its state. To draw it again, call `resample_hidden` first.

        Args:
            states: The games.
            agents: One agent for all seats, or one for each seat.
            seed: The seed of the agents' randomness; every row has its own stream.
        """
        ended = self.copy(states)
        play_out(self, ended, agents, self.seeds(whole_number(seed, "seed"))[0])
        return ended

    def play_random(self, states: States, seeds: Number | Numbers, decisions: int, first: int = 0) -> int:
        """Take random legal actions in each game, in place, and deal a new game whenever one is over.

        Decision k of a row depends on its seed and k alone, so that two calls may share the work of one.

        Args:
            states: The games.
            seeds: uint64[n], as in `deal`.
            decisions: Number of decisions in each row.
            first: Number of decisions that earlier calls have taken.

        Returns:
            The number of games dealt.
        """
        states, seeds = self._writeable(states), self.seeds(seeds, len(states))
        first, decisions = count_of(first, "first"), count_of(decisions, "decisions")
        blank, legal = np.zeros(1, self.state_dtype), np.empty(self.words, np.uint64)
        return int(batch.play_random(self.rules, states, blank, legal, seeds, first, decisions))

    # Words

    def describe(self, state: State, action: Number) -> str:
        """Return the words for an action of the seat to act: 'buy Blob Fighter'. state: one row."""
        return self._package.describe(self.variant, self._row(state)[0], self._action(action))

    def sentence(self, state: State, action: Number, names: Sequence[str] | None = None) -> str:
        """Return a legal action of the seat to act as a sentence for people: 'Buy Blob Fighter'.

        Args:
            state: One row.
            action: The action.
            names: The names of the players, by seat; None: `player 0` and so on.

        Raises:
            IllegalAction: The action is not legal.
        """
        row, called = self._row(state), self._names(names)
        number = int(self.check_actions(row, [self._action(action)])[0])
        return self._package.sentence(self.variant, row[0], number, called)

    def kind(self, state: State, action: Number) -> str:
        """Return what a legal action of the seat to act does, in a word: 'buy', 'attack', 'end_turn'.

        The words are those of `kind` in docs/notation/table.md.

        Args:
            state: One row.
            action: The action.

        Raises:
            IllegalAction: The action is not legal.
        """
        row = self._row(state)
        return self._package.kind(self.variant, row[0], int(self.check_actions(row, [self._action(action)])[0]))

    def play_all(self, state: State) -> list[int]:
        """Return the actions that are safe to take in any order, one after the other, or an empty list.

        Every order has the same result, apart from the order of cards in hand and in play, and no question arises in
        between. The list holds an action as often as it can be taken. state: one row.
        """
        return self._package.play_all(self.variant, self._row(state))

    def grouped(self, state: State, names: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Return sequences of actions that belong together: 'Sell 8 polymer for 10 credits'.

        Args:
            state: One row.
            names: The names of the players, by seat; None: `player 0` and so on.

        Returns:
            Dicts of `sentence`, the total effect, and `actions`, legal one after the other.
        """
        return self._package.grouped(self.variant, self._row(state), self._names(names))

    def progress(self, states: States) -> dict[str, NDArray[np.int64]]:
        """Return the open numbers that show who is ahead, by name: int64[n, players]. Some games have none."""
        return self._package.progress(self.variant, self._states(states))

    def is_secret(self, state: State, action: Number) -> bool:
        """Return whether the action of the seat to act stays hidden from the other seats for now. state: one row."""
        return bool(self._package.is_secret(self.variant, self._row(state)[0], self._action(action)))

    def parse(self, state: State, text: str) -> list[int]:
        """Return the actions that a move in words stands for, in order.

        Args:
            state: One row.
            text: The move.

        Raises:
            IllegalAction: The move is not legal; the message lists the legal moves.
        """
        if not isinstance(text, str):
            raise TypeError(f"move {shown(text)}: must be a text")
        return self._package.parse(self.variant, self._row(state), text)

    def moves(self, state: State) -> list[str]:
        """Return the legal moves in words; an amount appears as '… with all'."""
        return self._package.moves(self.variant, self._row(state))

    def play(self, states: States, text: str) -> None:
        """Apply a move in words to every game, in place. The whole move must be legal in all games.

        Args:
            states: The games.
            text: The move.

        Raises:
            IllegalAction: The move is not legal; the message lists the legal moves.
        """
        states = self._writeable(states)
        plans = [self.parse(states[row], text) for row in range(len(states))]
        for row, actions in enumerate(plans):
            for action in actions:
                batch.apply_all(self.rules, states[row : row + 1], np.array([action], np.int64))

    def position(self, state: State) -> dict[str, Any]:
        """Return the position as a plain dict of names and numbers."""
        return self._package.position(self.variant, self._row(state)[0])

    def from_position(self, position: dict[str, Any]) -> States:
        """Return the states (one row) that a position describes.

        Raises:
            ValueError: The position is wrong; the message names the place.
        """
        return self._package.from_position(self.variant, position)

    def render(self, state: State, seat: int | None = None) -> str:
        """Return the table as text. seat: the viewer; None shows everything."""
        return self._package.render(self.variant, self._row(state), None if seat is None else self._seat(seat))

    def table(self, state: State, seat: int | None = None, names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the table as plain data for `json.dumps`.

        Its keys are those of `stardeck/envs/table.schema.json`: `zones` with the things in them, `players`, `cards` by
        name with their text, the open question, and `moves`. A move has the number of its action, its words
        (`describe`), its `sentence` and `kind`, and the ids of the things that it names.

        Args:
            state: One row.
            seat: The viewer; None shows everything. Only the seat to act and None get moves.
            names: The names of the players in sentences, by seat; None: `player 0` and so on.
        """
        row, called = self._row(state), self._names(names)
        table = self._package.table(self.variant, row, None if seat is None else self._seat(seat))
        for move in table["moves"]:
            move["sentence"] = self._package.sentence(self.variant, row[0], move["action"], called)
            move["kind"] = self._package.kind(self.variant, row[0], move["action"])
        return table

    def picture(self, state: State, seat: int | None = None) -> "Picture":
        """Return the table as a picture, which notebooks show; its `str` is SVG. See `stardeck.viewer`."""
        from stardeck.viewer.picture import Picture

        return Picture(self.table(state, seat))

    def headline(self, state: State, names: Sequence[str], seat: int | None = None, told: bool = False) -> str:
        """Return one line on the state of the game, which opens a turn in a log.

        Args:
            state: One row.
            names: The names of the players, by seat.
            seat: The reader, who sees only their own hand; None shows everything.
            told: True if the log has reported all `news` so far, so the line need not repeat them.
        """
        viewer = None if seat is None else self._seat(seat)
        return self._package.headline(self.variant, self._row(state), self._listed(names), viewer, bool(told))

    def paragraph(self, state: State) -> int:
        """Return the number of the turn that the next decision belongs to: a log has one paragraph per turn."""
        return int(self._package.paragraph(self.variant, self._row(state)[0]))

    def board(self, state: State) -> list[str]:
        """Return the lines on the open board that a log shows at the start of a turn; some games have none."""
        return self._package.board(self.variant, self._row(state))

    def news(self, before: State, action: Number, after: State, seat: int | None = None) -> list[str]:
        """Return effects of an action that its words do not mention: damage, cards drawn, the winner of a war.

        Args:
            before: The state before the action.
            action: The action.
            after: The state after the action.
            seat: The reader, who learns no more than that seat may know; None: everything.
        """
        viewer = None if seat is None else self._seat(seat)
        return self._package.news(self.variant, self._row(before), self._action(action), self._row(after), viewer)

    def cards(self) -> list[dict[str, Any]]:
        """Return the cards of this variant: dicts of `name`, `kind`, further columns of the game, and `text`."""
        return self._package.cards(self.variant)

    def action_table(self) -> list[TableRow]:
        """Return the layout of the action space: rows of name, offset, size, scale, meaning."""
        return self.variant.action_table()

    def observation_table(self) -> list[TableRow]:
        """Return the layout of observations: rows of name, offset, size, scale, meaning."""
        return [row.copy() for row in self._observation_table]

    def observation_scale(self) -> NDArray[np.float32]:
        """Return the factors that turn observations into float32: float32[observation_size]."""
        return np.concatenate([np.full(row["size"], row["scale"], np.float32) for row in self._observation_table])

    # Checks

    def check_actions(self, states: States, actions: Numbers, skip_finished: bool = False) -> NDArray[np.int64]:
        """Return the actions (int64[n]) if each is legal in its state. Errors and `skip_finished` are as in `apply`."""
        states = self._states(states)
        actions = whole_numbers(actions, "actions", len(states), "state")
        row = batch.first_illegal(self.rules, states, actions, self._scratch(), bool(skip_finished))
        if row >= 0:
            raise IllegalAction(self._refusal(states[row : row + 1], int(actions[row]), row))
        return actions

    def check_decisions(self, states: States, seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return the seeds of one decision in each game: uint64[n].

        Raises:
            ValueError: A game is over, or there are too few seeds.
        """
        if self.is_over(states).any():
            raise ValueError(f"row {int(self.is_over(states).argmax())}: the game is over, so there is no decision")
        return self.seeds(seeds, len(states))

    def _scratch(self) -> NDArray[np.uint64]:
        return np.empty(self.words, np.uint64)

    def _states(self, states: States) -> States:
        if not isinstance(states, np.ndarray) or states.dtype != self.state_dtype or states.ndim != 1:
            raise TypeError(f"states must be a 1-d array of {self.id} states, as Game.deal gives them")
        if not states.dtype.isalignedstruct:  # lost in NumPy's files, and ignored by its comparison
            raise TypeError(f"states come from a NumPy file; Game.copy converts them to {self.id} states")
        self._check_variant(states)
        return states

    def _check_variant(self, states: States) -> None:
        """Raise TypeError if one of the states is of another variant."""
        tags = states[TAG]
        if len(tags) == 1 and tags.item() == self._tag_number:  # four times as fast as the general case below
            return
        strange = tags != self._tag
        if strange.any():
            row = int(strange.argmax())
            tag = int(states[row][TAG])
            other = _IDS.get((self.state_dtype, tag), f"another variant, with the tag {tag:#x}") if tag else "no game"
            raise TypeError(f"row {row}: is a state of {other}, not of {self.id}, as Game.deal gives them")

    def _writeable(self, states: States) -> States:
        if not self._states(states).flags.writeable:
            raise ValueError("states are read-only; Game.copy gives copies that can change")
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
        """Return some of `length` rows as numbers: int64[k]."""
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

    def _names(self, names: Any) -> list[str]:
        """Return the names of the players by seat, or those of a game without names. Raises ValueError."""
        return seat_names(None, self.players) if names is None else self._listed(names)

    def _listed(self, names: Any) -> list[str]:
        if not isinstance(names, list | tuple) or len(names) != self.players:
            raise ValueError(f"names: {shown(names)}: must be {self.players} names, one for each seat")
        return list(names)

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
        """Return seeds as an array: uint64[n].

        Args:
            seeds: One whole number, for all `length` games, or one for each.
            length: The number of games; None: as many as there are seeds.

        Raises:
            ValueError: A seed is no whole number from 0 to 2**64 - 1, or their number is wrong.
        """
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
    """Return the game of this name, and import its module if this process has not yet.

    It is a function of the module, because cloudpickle copies class methods with everything that they refer to.
    """
    if name not in GAMES:
        try:
            load_source(source)
        except CannotImport as error:
            raise ValueError(
                f"game {name}: this process cannot import the module that registers it: {error}"
            ) from error
    return kind.named(name, *made_by)
