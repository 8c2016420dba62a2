"""From settings to a variant: its rules record, its action table and its layout of observations."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from stardeck.kernels.empire_of_the_stars.actions import BLOCKS, Action, compile_actions, list_actions
from stardeck.kernels.empire_of_the_stars.observe import FIELDS, HIGHEST, Field, lengths
from stardeck.kernels.empire_of_the_stars.rules import RULES
from stardeck.kernels.empire_of_the_stars.state import MAX_SEATS, SECTORS, STATE
from stardeck.kernels.empire_of_the_stars.tables import RECONSTRUCTED, Tables, compile_tables, load_tables
from stardeck.kernels.errors import cut, shown
from stardeck.kernels.settings import Setting, settle
from stardeck.kernels.tables import fingerprint

NAME = "empire_of_the_stars"
DEFAULT_BLOCK = [0, 1, 3, 4]
MAX_TURNS = 200  # roles: five times what a game of random players takes

SETTINGS = (
    Setting("players", 2, (2, MAX_SEATS), "number of players"),
    Setting("powers", True, (True, False), "play with player powers; without: the set-up for first-time players"),
    Setting("block", None, [0, SECTORS - 1], "two players: the four sectors that are blocked"),
    Setting("max_turns", MAX_TURNS, (1, 10_000), "roles after which a game is truncated"),
    Setting(
        "tables",
        RECONSTRUCTED,
        (RECONSTRUCTED,),
        "board, tiles, market, edicts, powers, technologies: those of the package, or a file that replaces some",
        path=True,
    ),
)


@dataclass(frozen=True)
class Variant:
    """A game with all its settings fixed. `rules` is a read-only array of one RULES record."""

    id: str
    settings: dict
    content: Tables
    actions: list[Action]
    rules: np.ndarray

    game = NAME
    version = f"{NAME}_v0"  # of rules, actions and observations; the environments are named after it
    state_dtype = STATE
    observation_limit = HIGHEST
    seats_go_out = False

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.settings["players"]

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that wins or loses together: everybody plays alone."""
        return tuple((seat,) for seat in range(self.players))

    @cached_property
    def names(self) -> list[str]:
        """The cards that actions and observations name: powers, then technologies."""
        return self.content.names(self.settings["powers"])

    def first_seats(self, states) -> np.ndarray:
        """The seat that had the first turn: int64[n]."""
        return states["first"].astype(np.int64)

    def results(self, states) -> dict[str, np.ndarray]:
        """What is told of games that are over beside who has won: nothing."""
        return {}

    def eliminated(self, states) -> np.ndarray:
        """Which seats are out of the game: bool[n, players]; nobody ever is."""
        return np.zeros((len(states), self.players), bool)

    @property
    def reconstructed(self) -> bool:
        """Whether results are about stand-ins for content that was never published as text."""
        return self.content.reconstructed

    @property
    def provenance(self) -> str:
        """Where the content comes from, in a few words."""
        return "Empire of the Stars" + (
            " (board, tiles, powers, technologies, edicts and most of the market reconstructed)"
            if self.reconstructed
            else ""
        )

    @cached_property
    def tables(self) -> str:
        """A hash of everything that decides how the variant plays and how its actions are numbered."""
        return fingerprint(self.rules)

    def action_table(self) -> list[dict]:
        """The blocks of the action space: name, offset, size, scale, meaning."""
        table = []
        for block in BLOCKS:
            numbers = [number for number, action in enumerate(self.actions) if action.act == block.act]
            if numbers:
                row = {"name": block.words, "offset": numbers[0], "size": len(numbers)}
                table.append(row | {"scale": 1, "meaning": block.meaning})
        return table

    def observation_table(self) -> list[dict]:
        """The fields of an observation: name, offset, size, scale, meaning."""
        table = []
        offset = 0
        for row in FIELDS:
            per, seats = lengths(row, self)
            meaning = row.meaning + ("; by seat from the observer, clockwise" if row.seats == "all" else "")
            meaning += f"; by {row.per}" if row.per else ""
            if per * seats:
                fields = {"name": row.field.name.lower(), "offset": offset, "size": per * seats}
                table.append(fields | {"scale": row.scale, "meaning": meaning})
            offset += per * seats
        return table


def _id(settings):
    parts = [NAME, str(settings["players"])]
    if settings["powers"]:
        parts.append("powers")
    if settings["block"] not in (None, DEFAULT_BLOCK):
        parts.append("block=" + ",".join(map(str, settings["block"])))
    if settings["max_turns"] != MAX_TURNS:
        parts.append(f"max_turns={settings['max_turns']}")
    if settings["tables"] != RECONSTRUCTED:
        parts.append(f"tables={Path(settings['tables']).stem}")
    return "/".join(parts)


def _settle_block(settings, content):
    """The blocked sectors: of two players only, and in a group that leaves the others connected."""
    block = settings["block"]
    if settings["players"] != 2:
        if block is not None:
            raise ValueError(f"block={shown(block)}: only two players block sectors")
        return
    chosen = tuple(block) if block is not None else tuple(DEFAULT_BLOCK)
    if tuple(sorted(chosen)) not in content.blocks:
        allowed = "; ".join(",".join(map(str, each)) for each in content.blocks)
        raise ValueError(f"block={cut(','.join(map(str, chosen)))}: must be one of {allowed}")
    settings["block"] = sorted(chosen)


def make_variant(**given) -> Variant:
    """The variant with these settings; those left out have their defaults. Raises ValueError."""
    settings = settle(NAME, SETTINGS, given)
    content = load_tables(settings["tables"])
    _settle_block(settings, content)
    rules = np.zeros(1, RULES)
    record = rules[0]
    compile_tables(content, settings, record)
    actions = list_actions(content, settings)
    compile_actions(actions, record)
    variant = Variant(_id(settings), settings, content, actions, rules)
    for row in variant.observation_table():
        record["offset"][Field[row["name"].upper()]] = row["offset"]
    rules.setflags(write=False)
    return variant


def list_variants() -> list[dict]:
    """Settings of every variant: each number of players with and without powers, and another block of sectors."""
    plain = [{"players": n, "powers": powers} for n in range(2, MAX_SEATS + 1) for powers in (True, False)]
    return [*plain, {"players": 2, "block": [4, 5, 8, 9]}]
