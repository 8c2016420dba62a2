"""What a game must offer, and what the variants of all games share.

`Game` (game/game.py) serves every kernel package that keeps to `GamePackage`, and whose variants keep to `Variant`.
`BaseVariant` has what follows from two tables: the blocks of the action space, and the fields of an observation.
docs/add_a_game.md lists the same names for whoever writes a game; tests/test_add_a_game.py compares all three.
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
# What serves every game reads these fields of a state: who decides (-1: nobody, the game is over), the rank of each
# seat's side, whether a limit on turns ended the game with no winner, turns and decisions so far, the stream of chance,
# and the tag of the variant that the state is one of.
STATE_FIELDS = ("to_act", "placement", "truncated", "turn", "decisions", "random", "variant")
# And these of the rules: the number of seats, the action table with the first number of each block, where each field of
# an observation begins, and the tag.
RULES_FIELDS = ("players", "num_actions", "actions", "first", "offset", "variant")
TAG = "variant"
States = NDArray[np.void]


class TableRow(TypedDict):
    """A row of `action_table` or `observation_table`: what numbers `offset` to `offset + size - 1` stand for."""

    name: str
    offset: int
    size: int
    scale: float
    meaning: str
    since: int  # the version of the environments that it came with


class Action(Protocol):
    """What an action number stands for: a named tuple of whole numbers, the first of which says what is done."""

    @property
    def act(self) -> IntEnum: ...  # noqa: D102

    def __getitem__(self, places: slice, /) -> tuple[int, ...]: ...


class Variant(Protocol):
    """A game with all its settings fixed, as `Game` and all that stands on it see it."""

    @property
    def id(self) -> str:
        """Its name: `star_realms/core/standard/2`."""
        ...

    @property
    def game(self) -> str:
        """The name that `stardeck.make` knows the game by."""
        ...

    @property
    def version(self) -> str:
        """Of rules, actions and observations: `star_realms_v1`; the module of the environments has the same name."""
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
        """The seats of each side that wins or loses together."""
        ...

    @property
    def names(self) -> list[str]:
        """The cards that actions and observations name, in the order of their numbers."""
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
        """The dtype of its states; it has the STATE_FIELDS."""
        ...

    @property
    def observation_limit(self) -> int:
        """The largest number in an observation."""
        ...

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on."""
        ...

    @property
    def kinds_held(self) -> int:
        """Kinds of cards in other hands, where how others play tells something of these (`resample_weighted`); or 0."""
        ...

    @property
    def reconstructed(self) -> bool:
        """Whether results are about stand-ins for content that was never published as text."""
        ...

    @property
    def provenance(self) -> str:
        """Where the content comes from, in a few words."""
        ...

    @property
    def tables(self) -> str:
        """A hash of everything that decides how the variant plays and how its actions are numbered."""
        ...

    def at(self, version: int) -> Self:
        """The variant as in an earlier version of the environments."""
        ...

    def first_seats(self, states: States) -> NDArray[np.int64]:
        """The seat that had the first turn: int64[n]."""
        ...

    def eliminated(self, states: States) -> NDArray[np.bool_]:
        """Which seats are out of the game: bool[n, players]."""
        ...

    def results(self, states: States) -> dict[str, NDArray[Any]]:
        """What is told of games that are over beside who has won, by name: arrays of n rows."""
        ...

    def action_table(self) -> list[TableRow]:
        """The blocks of the action space."""
        ...

    def observation_table(self) -> list[TableRow]:
        """The fields of an observation."""
        ...


VariantT = TypeVar("VariantT", bound=Variant)


@runtime_checkable
class GamePackage(Protocol[VariantT]):
    """What the kernel package of a game offers, beside its verbs (verbs.py), and nothing else.

    state: one record; states: array of one row.
    """

    @property
    def SETTINGS(self) -> tuple[Setting, ...]:  # noqa: N802
        """The settings of the game, in the order in which they are listed."""
        ...

    def make_variant(self, **given: Any) -> VariantT:
        """The variant with these settings; those left out have their defaults. ValueError names what is wrong."""
        ...

    def list_variants(self) -> list[dict[str, Any]]:
        """The settings of every variant that is listed, tested and recorded."""
        ...

    def describe(self, variant: VariantT, state: np.void, action: int) -> str:
        """The words for an action of the seat to act; no two legal ones share them. IllegalAction: no such number."""
        ...

    def is_secret(self, variant: VariantT, state: np.void, action: int) -> bool:
        """Whether the other seats do not learn now which action it is."""
        ...

    def moves(self, variant: VariantT, states: States) -> list[str]:
        """The legal moves in words; a move may be several actions in a row."""
        ...

    def parse(self, variant: VariantT, states: States, text: str) -> list[int]:
        """The actions that a move in words stands for, in order. IllegalAction lists what is legal."""
        ...

    def position(self, variant: VariantT, state: np.void) -> dict[str, Any]:
        """The position as a plain dict of names and numbers."""
        ...

    def from_position(self, variant: VariantT, position: dict[str, Any]) -> States:
        """The state (one row) that a position describes. ValueError names what is wrong."""
        ...

    def render(self, variant: VariantT, states: States, viewer: int | None = None) -> str:
        """The table as text, as a seat may see it; with None everything is shown."""
        ...

    def table(self, variant: VariantT, states: States, viewer: int | None = None) -> dict[str, Any]:
        """The table as data, as a seat may see it; with None everything is shown. `tabletop.framed` frames it."""
        ...

    def headline(
        self, variant: VariantT, states: States, names: Sequence[str], viewer: int | None = None, told: bool = False
    ) -> str:
        """The line that opens a turn in a log, or tells how the game ended. names: of the players by seat.

        told: whether the log has told all `news` so far, which then need not stand here.
        """
        ...

    def paragraph(self, variant: VariantT, state: np.void) -> int:
        """The turn that the next decision belongs to: a log has a paragraph for each."""
        ...

    def board(self, variant: VariantT, states: States) -> list[str]:
        """What a log shows for all at the start of a turn below its headline, a line each."""
        ...

    def news(
        self, variant: VariantT, before: States, action: int, after: States, viewer: int | None = None
    ) -> list[str]:
        """What an action has brought about that its words do not say, as far as a seat may know it."""
        ...

    def cards(self, variant: VariantT) -> list[dict[str, Any]]:
        """The cards and what they do: `name`, `kind`, further columns of the game, and `text`, in words."""
        ...


def check_fields(game: str, states: np.dtype[Any], rules: np.dtype[Any]) -> None:
    """GameError unless the dtypes of states and rules have the fields that every game has."""
    for what, dtype, wanted in (("state", states, STATE_FIELDS), ("rules", rules, RULES_FIELDS)):
        for field in wanted:
            if field not in (dtype.names or ()):
                raise GameError(f"game {game}: {what}.{field}: there is no such field; {what}_dtype adds it")


# Tables of actions and observations

Asked = TypeVar("Asked")
ActionT = TypeVar("ActionT", bound=Action)


class Block(NamedTuple, Generic[Asked]):
    """One kind of action. In `words`, {card}, {seat} and the like stand for what an action names.

    members: which actions a variant has, as what follows `act` in each; it is asked of what the game says of the
    variant, so that the space is fixed and has no dead numbers.
    """

    act: IntEnum
    words: str
    meaning: str
    members: Callable[[Asked], Iterable[tuple[int, ...]]]
    since: int = 0  # the version of the environments that it came with


class Row(NamedTuple):
    """One field of an observation."""

    field: IntEnum
    per: str  # "", "card", "faction" …: how many numbers per seat, see `BaseVariant.sizes`
    seats: str  # "": no seat; "me"; "all": the observing seat, then the others clockwise; "others": those alone
    scale: float  # what a value is multiplied by for float observations
    meaning: str
    when: str = ""  # which variants have it, see `BaseVariant.switches`; "": all
    since: int = 0  # the version of the environments that it came with; earlier ones leave it out


def list_actions(blocks: Iterable[Block[Asked]], kind: Callable[..., ActionT], asked: Asked) -> list[ActionT]:
    """Every action of a variant, block by block; its index is its number. kind: the named tuple of the game."""
    actions = []
    for block in blocks:
        for member in block.members(asked):
            if not isinstance(member, tuple):
                raise GameError(f"blocks: {block.act.name}: member {shown(member)}: must be a tuple of whole numbers")
            actions.append(kind(block.act, *member))
    return actions


def write_actions(actions: Sequence[Action], record: np.void, title: str) -> None:
    """Write the action table into a rules record: `num_actions`, `actions`, and `first`, where each block begins."""
    table = record["actions"]
    if len(actions) > len(table):
        raise ValueError(f"{title}: {len(actions)} actions: at most {len(table)}")
    record["num_actions"] = len(actions)
    record["first"] = -1  # where a variant has no such block
    for name in table.dtype.names:  # by column: NumPy takes long over tuples
        table[name][: len(actions)] = list(map(attrgetter(name), actions))
    acts, first = np.unique(table["act"][: len(actions)], return_index=True)
    record["first"][acts] = first


@dataclass(frozen=True, kw_only=True)
class BaseVariant(Generic[ActionT]):
    """What the variants of all games share; see `Variant` for what the names mean."""

    blocks: ClassVar[tuple[Block[Any], ...]]
    fields: ClassVar[tuple[Row, ...]]
    events: ClassVar[Mapping[Any, str]] = {}
    kinds_held: ClassVar[int] = 0
    later: ClassVar[tuple[str, ...]] = ()  # fields of the rules that came later, 0 where nothing has changed
    later_blocks: ClassVar[int] = 0  # blocks of actions that came later, the last ones

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
        """Return how many numbers a seat takes in a field, by what the row is `per`."""
        return {"": 1, "card": len(self.names)}

    def switches(self) -> Mapping[str, bool]:
        """Return whether the variant has the rows of a `when`."""
        return {}

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on."""
        return False

    @property
    def reconstructed(self) -> bool:
        """Whether results are about stand-ins for content that was never published as text."""
        return False

    @property
    def provenance(self) -> str:
        """Where the content comes from, in a few words."""
        return "rules of its own"

    def eliminated(self, states: States) -> NDArray[np.bool_]:
        """Return which seats are out of the game: bool[n, players]."""
        return np.zeros((len(states), self.players), bool)

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.rules[0]["players"])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that wins or loses together: everybody plays alone."""
        return tuple((seat,) for seat in range(self.players))

    @property
    def tables(self) -> str:
        """A hash of everything that decides how the variant plays and how its actions are numbered.

        What is seen of a game does not change it; a field or a block that came later counts where it says something.
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
        """The seat that had the first turn: int64[n]."""
        return states["first"].astype(np.int64)

    def results(self, states: States) -> dict[str, NDArray[Any]]:
        """What is told of games that are over beside who has won: nothing."""
        return {}

    def action_table(self) -> list[TableRow]:
        """The blocks of the action space."""
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
        """The fields of an observation."""
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
        """The variant as in an earlier version of the environments: observations lack the fields that came later.

        It plays as this one does, and states of the one are states of the other. ValueError: there is no such version.
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
        """The variant, once its rules know where the fields of an observation begin and cannot be changed any more.

        They get the tag that its states bear: it tells states of variants with one dtype apart, whose numbers would
        lead into nowhere under each other's rules. No tag is 0, which rows that were never dealt have.
        """
        for row, offset, _ in self._layout():
            self.rules[0]["offset"][row.field] = offset
        self.rules[TAG] = 1 + int(self.tables, 16) % np.iinfo(self.state_dtype[TAG]).max
        self.rules.setflags(write=False)
        return self

    def _layout(self) -> Iterator[tuple[Row, int, int]]:
        """The rows that the variant has, with offset and size."""
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
    """The version of the environments as a number."""
    return int(variant.version.rpartition("_v")[2])


BY_SEAT = {
    "all": "; by seat from the observer, clockwise",
    "others": "; by seat from the one after the observer, clockwise",
}


def _meaning(row: Row) -> str:
    return row.meaning + BY_SEAT.get(row.seats, "") + (f"; by {row.per}" if row.per else "")
