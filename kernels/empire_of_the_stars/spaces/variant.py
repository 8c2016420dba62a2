"""From settings to a variant: its rules record, its action table and its layout of observations."""

from dataclasses import dataclass

import numpy as np

from stardeck.kernels.contract.card_tables import as_given, named, whole_table
from stardeck.kernels.contract.settings import Setting, settle, variant_id
from stardeck.kernels.contract.variant import BaseVariant, write_actions
from stardeck.kernels.empire_of_the_stars.cards.tables import RECONSTRUCTED, Tables, compile_tables, load_tables
from stardeck.kernels.empire_of_the_stars.rules import RULES
from stardeck.kernels.empire_of_the_stars.spaces import observe
from stardeck.kernels.empire_of_the_stars.spaces.actions import (
    BLOCKS,
    Action,
    actions_of,
)
from stardeck.kernels.empire_of_the_stars.spaces.events import EVENTS
from stardeck.kernels.empire_of_the_stars.state import MAX_SEATS, SECTORS, STATE
from stardeck.kernels.errors import cut, shown

NAME = "empire_of_the_stars"
DEFAULT_BLOCK = [0, 1, 3, 4]
MOST_POINTS = 30  # far more than games are decided by
MAX_TURNS = 200  # roles: five times what a game of random players takes

SETTINGS = (
    Setting("players", 2, (2, MAX_SEATS), "number of players"),
    Setting("powers", True, (True, False), "play with player powers; without: the set-up for first-time players"),
    Setting("block", None, [0, SECTORS - 1], "two players: the four sectors that are blocked"),
    Setting("max_turns", MAX_TURNS, (1, 10_000), "roles after which a game ends at its limit"),
    Setting("at_limit", "nobody", ("nobody", "score"), "who wins there: nobody (truncated), or who has the best score"),
    Setting("bonus_points", None, [0, MOST_POINTS], "points more in the end, by place from who begins; by default 0"),
    Setting(
        "tables",
        RECONSTRUCTED,
        (RECONSTRUCTED,),
        "board, tiles, market, edicts, powers, technologies: those of the package, or one's own for some",
        path=True,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Variant(BaseVariant[Action]):
    """A game with all its settings fixed."""

    game: str = NAME
    version: str = f"{NAME}_v1"
    content: Tables

    blocks = BLOCKS
    fields = observe.FIELDS
    events = EVENTS
    later = ("bonus_points",)

    def sizes(self) -> dict[str, int]:
        """How many numbers a seat takes in a field, by what it has one for."""
        return observe.sizes(self.content, self.names)

    def switches(self) -> dict[str, bool]:
        """Which fields it has."""
        return observe.switches(self.settings)

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on: never."""
        return False

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


def _id(settings):
    parts = [NAME, str(settings["players"]), *(["powers"] if settings["powers"] else [])]
    others = [setting for setting in SETTINGS if setting.name not in ("players", "powers")]
    usual = {
        "block": DEFAULT_BLOCK if settings["players"] == 2 else None,
        "bonus_points": [0] * settings["players"],
    }
    return variant_id(parts, others, settings, usual)


def _settle_bonus_points(settings):
    """Points for each player, the first of those who begins; by default none."""
    players, points = settings["players"], settings["bonus_points"]
    if points is None:
        settings["bonus_points"] = [0] * players
    elif len(points) != players:
        raise ValueError(f"bonus_points={shown(points)}: must name {players} numbers, one for each player")


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
    settings["tables"] = named(whole_table(settings["tables"], "tables", (RECONSTRUCTED,)), (RECONSTRUCTED,))
    content = load_tables(settings["tables"])
    _settle_block(settings, content)
    _settle_bonus_points(settings)
    rules = np.zeros(1, RULES)
    record = rules[0]
    compile_tables(content, settings, record)
    actions = actions_of(content, settings)
    write_actions(actions, record, NAME)
    return Variant(
        id=_id(settings),
        settings=as_given(settings),
        names=content.names(settings["powers"]),
        actions=actions,
        rules=rules,
        state_dtype=STATE,
        content=content,
    ).sealed()


def list_variants() -> list[dict]:
    """Settings of every variant: each number of players with and without powers; then other settings away from their
    defaults."""
    plain = [{"players": n, "powers": powers} for n in range(2, MAX_SEATS + 1) for powers in (True, False)]
    away = [{"block": [4, 5, 8, 9]}, {"max_turns": 24, "at_limit": "score"}, {"bonus_points": [0, 3]}]
    return [*plain, *({"players": 2} | settings for settings in away)]
