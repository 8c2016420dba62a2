"""Contract of a game package, and base class of all variants.

`Game` (game/game.py) serves every kernel package that implements `GamePackage` and whose variants implement `Variant`.
`BaseVariant` derives everything that follows from two tables: the blocks of the action space, and the fields of an
observation. docs/add_a_game.md lists the same names for authors of games; tests/test_add_a_game.py compares all three.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from operator import attrgetter
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, Self, TypedDict, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.contract.settings import Setting
from stardeck.kernels.errors import GameError, is_whole, shown

HIGHEST = 255  # of a number in an observation
# Code that serves every game reads these fields of a state: the seat to act (-1: the game is over), the rank of each
# seat's side, whether a limit on turns ended the game without a winner, turns and decisions so far, the random stream,
# and the tag of the state's variant.
STATE_FIELDS = ("to_act", "placement", "truncated", "turn", "decisions", "random", "variant")
# It reads these fields of the rules: the number of seats, the action table with the first number of each block, the
# offset of each observation field, and the tag.
RULES_FIELDS = ("players", "num_actions", "actions", "first", "offset", "variant")
TAG = "variant"
States = NDArray[np.void]


class TableRow(TypedDict):
    """Row of `action_table` or `observation_table`: the meaning of the numbers `offset` to `offset + size - 1`."""

    name: str
    offset: int
    size: int
    scale: float
    meaning: str
    since: int  # first version of the environments that has it


class Action(Protocol):
    """Meaning of an action number: a named tuple of whole numbers; the first, `act`, is the kind of action."""

    @property
    def act(self) -> IntEnum: ...  # noqa: D102

    def __getitem__(self, places: slice, /) -> tuple[int, ...]: ...


class Variant(Protocol):
    """Game with all its settings fixed, as `Game` and the layers above see it."""

    @property
    def id(self) -> str:
        """Id of the variant: `star_realms/core/standard/2`."""
        ...

    @property
    def game(self) -> str:
        """Name of the game for `stardeck.make`."""
        ...

    @property
    def version(self) -> str:
        """Version of rules, actions and observations: `star_realms_v1`, also the module name of the environments."""
        ...

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting with its value; `make_variant(**settings)` makes the variant again."""
        ...

    @property
    def players(self) -> int:
        """Number of seats."""
        ...

    @property
    def sides(self) -> Sequence[Sequence[int]]:
        """Seats of each side that wins or loses together."""
        ...

    @property
    def names(self) -> list[str]:
        """Cards that actions and observations name, in the order of their numbers."""
        ...

    @property
    def actions(self) -> Sequence[Action]:
        """Every action; its index is its number."""
        ...

    @property
    def events(self) -> Mapping[Any, str]:
        """Events that statistics count: members of an IntEnum with their meaning (kernels/loops/event_log.py)."""
        ...

    @property
    def rules(self) -> States:
        """Switches and tables, the first argument of every verb: a read-only array of one record; see RULES_FIELDS."""
        ...

    @property
    def state_dtype(self) -> np.dtype[np.void]:
        """Dtype of the states; it has the STATE_FIELDS."""
        ...

    @property
    def observation_limit(self) -> int:
        """Largest number in an observation."""
        ...

    @property
    def seats_go_out(self) -> bool:
        """True if a seat can be eliminated while others play on."""
        ...

    @property
    def kinds_held(self) -> int:
        """Number of card kinds in opponents' hands that `resample_weighted` can weigh by the opponents' play; or 0."""
        ...

    def hidden_scale(self) -> NDArray[np.float32]:
        """Return the factors that turn the numbers of `observe_hidden` into float32: float32[hidden_size]."""
        ...

    @property
    def reconstructed(self) -> bool:
        """True if results are about reconstructions of content that was never published as text."""
        ...

    @property
    def provenance(self) -> str:
        """Source of the content, in a few words."""
        ...

    @property
    def tables(self) -> str:
        """Hash of everything that decides how the variant plays and how its actions are numbered."""
        ...

    def at(self, version: int) -> Self:
        """Return the variant as in an earlier version of the environments."""
        ...

    def first_seats(self, states: States) -> NDArray[np.int64]:
        """Return the seat that had the first turn: int64[n]."""
        ...

    def eliminated(self, states: States) -> NDArray[np.bool_]:
        """Return the seats that are out of the game: bool[n, players]."""
        ...

    def results(self, states: States) -> dict[str, NDArray[Any]]:
        """Return further results of games that are over, by name: arrays of n rows."""
        ...

    def action_table(self) -> list[TableRow]:
        """Return the blocks of the action space."""
        ...

    def observation_table(self) -> list[TableRow]:
        """Return the fields of an observation."""
        ...


VariantT = TypeVar("VariantT", bound=Variant)


@runtime_checkable
class GamePackage(Protocol[VariantT]):
    """Members of a game's kernel package, besides its verbs (verbs.py).

    state: one record; states: array of one row.
    """

    @property
    def SETTINGS(self) -> tuple[Setting, ...]:  # noqa: N802
        """Settings of the game, in the order in which they are listed."""
        ...

    def make_variant(self, **given: Any) -> VariantT:
        """Return the variant with these settings, or their defaults. ValueError names a wrong setting."""
        ...

    def list_variants(self) -> list[dict[str, Any]]:
        """Return the settings of every variant that is listed, tested and recorded."""
        ...

    def describe(self, variant: VariantT, state: np.void, action: int) -> str:
        """Return the words for an action of the seat to act; legal actions differ. IllegalAction: unknown number."""
        ...

    def sentence(self, variant: VariantT, state: np.void, action: int, names: Sequence[str] | None = None) -> str:
        """Return a legal action of the seat to act as a sentence for people: `Buy Ram`; legal actions differ.

        Args:
            variant: The variant.
            state: One record.
            action: The action.
            names: The names of the players, by seat; None: `player 0` and so on.
        """
        ...

    def kind(self, variant: VariantT, state: np.void, action: int) -> str:
        """Return what a legal action does, in a word: one of KINDS (kernels/text/sentences.py)."""
        ...

    def play_all(self, variant: VariantT, states: States) -> list[int]:
        """Return actions that the seat to act may take in any order with the same result, and without a choice."""
        ...

    def grouped(self, variant: VariantT, states: States, names: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Return sequences of actions that belong together, each as a dict of `sentence` and `actions`."""
        ...

    def progress(self, variant: VariantT, states: States) -> dict[str, NDArray[np.int64]]:
        """Return the open numbers that show who is ahead, by name: int64[n, players]. states: array of n rows."""
        ...

    def is_secret(self, variant: VariantT, state: np.void, action: int) -> bool:
        """Return whether the action stays hidden from the other seats for now."""
        ...

    def moves(self, variant: VariantT, states: States) -> list[str]:
        """Return the legal moves in words; a move may be several actions in a row."""
        ...

    def parse(self, variant: VariantT, states: States, text: str) -> list[int]:
        """Return the actions that a move in words stands for, in order. IllegalAction lists the legal moves."""
        ...

    def position(self, variant: VariantT, state: np.void) -> dict[str, Any]:
        """Return the position as a plain dict of names and numbers."""
        ...

    def from_position(self, variant: VariantT, position: dict[str, Any]) -> States:
        """Return the state (one row) that a position describes. ValueError names the wrong place."""
        ...

    def render(self, variant: VariantT, states: States, viewer: int | None = None) -> str:
        """Return the table as text. viewer: a seat; None shows everything."""
        ...

    def table(self, variant: VariantT, states: States, viewer: int | None = None) -> dict[str, Any]:
        """Return the table as data. viewer: a seat; None shows everything. `table_schema.framed` builds the frame."""
        ...

    def headline(
        self, variant: VariantT, states: States, names: Sequence[str], viewer: int | None = None, told: bool = False
    ) -> str:
        """Return the line that opens a turn in a log, or reports how the game ended.

        Args:
            variant: The variant.
            states: Array of one row.
            names: The names of the players, by seat.
            viewer: The seat that reads; None shows everything.
            told: True if the log has reported all `news` so far, so the line need not repeat them.
        """
        ...

    def paragraph(self, variant: VariantT, state: np.void) -> int:
        """Return the turn that the next decision belongs to: a log has one paragraph per turn."""
        ...

    def board(self, variant: VariantT, states: States) -> list[str]:
        """Return the lines that a log shows to all below the headline of a turn."""
        ...

    def news(
        self, variant: VariantT, before: States, action: int, after: States, viewer: int | None = None
    ) -> list[str]:
        """Return effects of an action that its words do not mention, as far as a seat may know them."""
        ...

    def cards(self, variant: VariantT) -> list[dict[str, Any]]:
        """Return the cards: `name`, `kind`, further columns of the game, and `text`, their effect in words."""
        ...


def check_fields(game: str, states: np.dtype[Any], rules: np.dtype[Any]) -> None:
    """Check that the dtypes of states and rules have the fields of every game. Raises GameError."""
    for what, dtype, wanted in (("state", states, STATE_FIELDS), ("rules", rules, RULES_FIELDS)):
        for field in wanted:
            if field not in (dtype.names or ()):
                raise GameError(f"game {game}: {what}.{field}: there is no such field; {what}_dtype adds it")


# Tables of actions and observations

FactsT = TypeVar("FactsT")
ActionT = TypeVar("ActionT", bound=Action)


class Block(NamedTuple, Generic[FactsT]):
    """Kind of action. In `words`, {card}, {seat} and the like stand for the card or seat that an action names.

    members: Returns the actions of this kind that a variant has, each without its `act`. It gets what the game says
    about the variant, so the space is fixed and has no unused numbers.
    """

    act: IntEnum
    words: str
    meaning: str
    members: Callable[[FactsT], Iterable[tuple[int, ...]]]
    since: int = 0  # first version of the environments that has it


class Row(NamedTuple):
    """Field of an observation."""

    field: IntEnum
    per: str  # "", "card", "faction" …: gives the count of numbers per seat, see `BaseVariant.sizes`
    seats: str  # "": no seat; "me"; "all": the observing seat, then the others clockwise; "others": without "me"
    scale: float  # factor for float observations
    meaning: str
    when: str = ""  # switch of the variants that have it, see `BaseVariant.switches`; "": all
    since: int = 0  # first version of the environments that has it; earlier ones leave it out


def list_actions(blocks: Iterable[Block[FactsT]], kind: Callable[..., ActionT], facts: FactsT) -> list[ActionT]:
    """Return every action of a variant, block by block; its index is its number.

    Args:
        blocks: The blocks of the action space.
        kind: The named tuple of the game's actions.
        facts: The argument of `Block.members`.

    Raises:
        GameError: A block gives a member that is no tuple.
    """
    actions = []
    for block in blocks:
        for member in block.members(facts):
            if not isinstance(member, tuple):
                raise GameError(f"blocks: {block.act.name}: member {shown(member)}: must be a tuple of whole numbers")
            actions.append(kind(block.act, *member))
    return actions


def write_actions(actions: Sequence[Action], record: np.void, title: str) -> None:
    """Write the action table into a rules record: `num_actions`, `actions`, and `first`, where each block begins.

    Args:
        actions: Every action.
        record: The rules record.
        title: The name of the variant, for errors.

    Raises:
        ValueError: The record has no room for so many actions.
    """
    table = record["actions"]
    if len(actions) > len(table):
        raise ValueError(f"{title}: {len(actions)} actions: at most {len(table)}")
    record["num_actions"] = len(actions)
    record["first"] = -1  # stays for blocks that the variant lacks
    for name in table.dtype.names:  # by column: NumPy is slow with tuples
        table[name][: len(actions)] = list(map(attrgetter(name), actions))
    acts, first = np.unique(table["act"][: len(actions)], return_index=True)
    record["first"][acts] = first


@dataclass(frozen=True, kw_only=True)
class BaseVariant(Generic[ActionT]):
    """Base class of all variants; see `Variant` for the meaning of the names."""

    blocks: ClassVar[tuple[Block[Any], ...]]
    fields: ClassVar[tuple[Row, ...]]
    events: ClassVar[Mapping[Any, str]] = {}
    kinds_held: ClassVar[int] = 0
    later: ClassVar[tuple[str, ...]] = ()  # fields of the rules added in later versions; 0 means unchanged play
    later_blocks: ClassVar[int] = 0  # number of action blocks added in later versions; they are the last ones

    game: str
    version: str
    id: str
    settings: dict[str, Any]
    names: list[str]
    actions: list[ActionT]
    rules: States
    state_dtype: np.dtype[np.void]
    observation_limit: int = HIGHEST

    def sizes(self) -> Mapping[str, int]:
        """Return the count of numbers per seat in a field, for each value of `Row.per`."""
        return {"": 1, "card": len(self.names)}

    def switches(self) -> Mapping[str, bool]:
        """Return for each value of `Row.when` whether the variant has such rows."""
        return {}

    def hidden_scale(self) -> NDArray[np.float32]:
        """Return the factors that turn the numbers of `observe_hidden` into float32: float32[hidden_size].

        By default they are the observations of the other seats.
        """
        factors = [np.full(row["size"], row["scale"], np.float32) for row in self.observation_table()]
        return np.tile(np.concatenate(factors), self.players - 1)

    @property
    def seats_go_out(self) -> bool:
        """True if a seat can be eliminated while others play on."""
        return False

    @property
    def reconstructed(self) -> bool:
        """True if results are about reconstructions of content that was never published as text."""
        return False

    @property
    def provenance(self) -> str:
        """Source of the content, in a few words."""
        return "rules of its own"

    def eliminated(self, states: States) -> NDArray[np.bool_]:
        """Return the seats that are out of the game: bool[n, players]."""
        return np.zeros((len(states), self.players), bool)

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.rules[0]["players"])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """Seats of each side that wins or loses together: here every seat is a side."""
        return tuple((seat,) for seat in range(self.players))

    @property
    def tables(self) -> str:
        """Hash of everything that decides how the variant plays and how its actions are numbered.

        Observations do not change it. A field or block added later counts only if it is in use.
        """
        digest = hashlib.sha256()
        for name in self.rules.dtype.names or ():
            if name not in (TAG, "offset") and (name not in self.later or self.rules[name].any()):
                value = self.rules[name]
                if name == "first" and self.later_blocks and (value[:, -self.later_blocks :] < 0).all():
                    value = value[:, : -self.later_blocks]
                digest.update(value.tobytes())
        return digest.hexdigest()[:16]

    def first_seats(self, states: States) -> NDArray[np.int64]:
        """Return the seat that had the first turn: int64[n]."""
        return states["first"].astype(np.int64)

    def results(self, states: States) -> dict[str, NDArray[Any]]:
        """Return further results of games that are over: none."""
        return {}

    def action_table(self) -> list[TableRow]:
        """Return the blocks of the action space."""
        table: list[TableRow] = []
        for block in self.blocks:
            numbers = [number for number, action in enumerate(self.actions) if action.act == block.act]
            if numbers:
                row = TableRow(
                    name=block.words, offset=numbers[0], size=len(numbers), scale=1, meaning=block.meaning,
                    since=block.since,
                )  # fmt: skip
                table.append(row)
        return table

    def observation_table(self) -> list[TableRow]:
        """Return the fields of an observation."""
        return [
            TableRow(
                name=row.field.name.lower(),
                offset=offset,
                size=size,
                scale=row.scale,
                meaning=_meaning(row),
                since=row.since,
            )  # fmt: skip
            for row, offset, size in self._layout()
        ]

    def at(self, version: int) -> Self:
        """Return the variant as in an earlier version of the environments: observations lack the fields added later.

        It plays like this one, and both share their states.

        Raises:
            ValueError: There is no such version.
        """
        newest = _number(self)
        if not is_whole(version) or not 0 <= version <= newest:
            raise ValueError(f"version={shown(version)}: {self.game} has the versions 0 to {newest}")
        if version == newest:
            return self
        rules = self.rules.copy()
        rules["offset"] = 0
        return replace(self, version=f"{self.game}_v{version}", rules=rules).sealed()

    def sealed(self) -> Self:
        """Write observation offsets and the tag into the rules, make the rules read-only, and return `self`.

        States bear the tag. It tells variants with the same dtype apart: under another variant's rules, the numbers of
        a state could index outside the tables. No tag is 0, because rows that were never dealt have 0.
        """
        for row, offset, _ in self._layout():
            self.rules[0]["offset"][row.field] = offset
        self.rules[TAG] = 1 + int(self.tables, 16) % np.iinfo(self.state_dtype[TAG]).max
        self.rules.setflags(write=False)
        return self

    def _layout(self) -> Iterator[tuple[Row, int, int]]:
        """Yield the rows that the variant has, with offset and size."""
        sizes, switches = self.sizes(), {"": True, **self.switches()}
        seats = {"": 1, "me": 1, "all": self.players, "others": self.players - 1}
        offset = 0
        for row in self.fields:
            size = _known(row, "per", sizes) * _known(row, "seats", seats) * _known(row, "when", switches)
            size *= row.since <= _number(self)
            if size:
                yield row, offset, size
            offset += size


def _known(row: Row, member: str, known: Mapping[str, int]) -> int:
    """Return what a word of a row stands for. GameError lists the words there are."""
    if not isinstance(row, Row) or not isinstance(row.field, IntEnum):
        raise GameError(f"fields: {shown(row)}: must be a Row whose field is a member of an IntEnum")
    word = getattr(row, member)
    if word not in known:
        words = ", ".join(map(repr, known))
        raise GameError(f"fields: {row.field.name}: {member}={shown(word)}: must be one of {words}")
    return known[word]


def _number(variant: Variant) -> int:
    """Return the version of the environments as a number."""
    return int(variant.version.rpartition("_v")[2])


BY_SEAT = {
    "all": "; by seat from the observer, clockwise",
    "others": "; by seat from the one after the observer, clockwise",
}


def _meaning(row: Row) -> str:
    return row.meaning + BY_SEAT.get(row.seats, "") + (f"; by {row.per}" if row.per else "")
