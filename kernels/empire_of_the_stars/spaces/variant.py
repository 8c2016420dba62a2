"""Compilation of settings into a variant: its rules record, action table and observation layout."""

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
MOST_POINTS = 30  # far more than the usual margin of victory
MAX_TURNS = 200  # roles: five times the length of a game between random players

SETTINGS = (
    Setting("players", 2, (2, MAX_SEATS), "number of players"),
    Setting("powers", True, (True, False), "play with player powers; otherwise the set-up for first-time players"),
    Setting("block", None, [0, SECTORS - 1], "the four blocked sectors of a two-player game"),
    Setting("max_turns", MAX_TURNS, (1, 10_000), "roles after which a game ends at its limit"),
    Setting("at_limit", "nobody", ("nobody", "score"), "winner at the limit: nobody (truncated), or the best score"),
    Setting(
        "bonus_points",
        None,
        [0, MOST_POINTS],
        "bonus points in turn order from the first player; default 0",
        by_turn=True,
    ),
    Setting(
        "tables",
        RECONSTRUCTED,
        (RECONSTRUCTED,),
        "board, tiles, market, edicts, powers, technologies: the package's, or a file of your own for some",
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
        """Return the length of a field per seat, by the unit that the field counts."""
        return observe.sizes(self.content, self.names)

    def switches(self) -> dict[str, bool]:
        """Return the optional groups of fields that this variant has."""
        return observe.switches(self.settings)

    def hidden_scale(self) -> np.ndarray:
        """Return the factors that turn the numbers of `observe_hidden` into float32: float32[hidden_size]."""
        rules = self.rules[0]
        seen = int(self.players * rules["technology_count"] + rules["tile_kinds"])
        return np.concatenate([np.ones(seen, np.float32), np.full(4, 0.1, np.float32)])

    @property
    def seats_go_out(self) -> bool:
        """True if a seat can leave the game while others play on: never."""
        return False

    def eliminated(self, states) -> np.ndarray:
        """Return the seats that are out of the game: bool[n, players], always False."""
        return np.zeros((len(states), self.players), bool)

    @property
    def reconstructed(self) -> bool:
        """True if some content is a reconstruction, because it was never published as text."""
        return self.content.reconstructed

    @property
    def provenance(self) -> str:
        """The source of the content, in a few words."""
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
    """Set the bonus points of each player in turn order; the default is 0 for all."""
    players, points = settings["players"], settings["bonus_points"]
    if points is None:
        settings["bonus_points"] = [0] * players
    elif len(points) != players:
        raise ValueError(f"bonus_points={shown(points)}: must name {players} numbers, one for each player")


def _settle_block(settings, content):
    """Check and set the blocked sectors.

    Only two players block sectors, in a group that leaves the other sectors connected.
    """
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
    """Return the variant with these settings; missing ones take their defaults.

    Raises:
        ValueError: A setting is unknown or has a value that is not allowed.
    """
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
    """Return the settings of every variant.

    These are each number of players with and without powers, then other settings with values other than the default.
    """
    plain = [{"players": n, "powers": powers} for n in range(2, MAX_SEATS + 1) for powers in (True, False)]
    away = [{"block": [4, 5, 8, 9]}, {"max_turns": 24, "at_limit": "score"}, {"bonus_points": [0, 3]}]
    return [*plain, *({"players": 2} | settings for settings in away)]
