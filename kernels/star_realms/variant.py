"""From settings to a variant: its rules record, its action table and its layout of observations."""

from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

import numpy as np

from stardeck.kernels.settings import Setting, settle
from stardeck.kernels.star_realms.actions import BLOCKS, Action, compile_actions, list_actions
from stardeck.kernels.star_realms.cards.vocabulary import PRINTED, CardSet, compile_cards, load_cards
from stardeck.kernels.star_realms.observe import FIELDS, HIGHEST, lengths
from stardeck.kernels.star_realms.rules import RULES, AllyLatch, ForcedDiscards
from stardeck.kernels.star_realms.state import STATE
from stardeck.kernels.tables import fingerprint, read_table

NAME = "star_realms"
FORMATS = read_table(Path(str(resources.files("stardeck.kernels.star_realms") / "formats.toml")))
MOST_TURNS = 100_000

# Random players can play games that never end; see the README for how long games are.
SETTINGS = (
    Setting("set", "core", PRINTED, "card table: one that comes with the package, or the path of a file", path=True),
    Setting("format", "standard", tuple(FORMATS), "format"),
    Setting("players", None, (1, 99), "number of players; by default the fewest that the format takes"),
    Setting("forced_discards", "immediate", ("immediate", "next_turn"), "when a forced discard is paid"),
    Setting("max_turns", 500, (1, MOST_TURNS), "turns after which a game is truncated"),
    Setting("opening_hands", None, [0, 10], "sizes of the opening hands by seat; by default the format's"),
    Setting("ally_latch", "card", ("card", "faction", "none"), "what stays triggered when the partner leaves play"),
    Setting("needle_counts_for_blob_world", True, (True, False), "a Stealth Needle counts as the ship it copies"),
    Setting("copy_gone_ships", True, (True, False), "a Stealth Needle may copy a ship that has left play"),
)


@dataclass(frozen=True)
class Variant:
    """A game with all its settings fixed. `rules` is a read-only array of one RULES record."""

    id: str
    settings: dict
    card_set: CardSet
    actions: list[Action]
    rules: np.ndarray

    game = NAME
    state_dtype = STATE
    observation_limit = HIGHEST

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.rules[0]["players"])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that wins or loses together."""
        return tuple((seat,) for seat in range(self.players))

    @property
    def reconstructed(self) -> bool:
        """Whether results are about stand-ins for cards that were never published as text."""
        return self.card_set.reconstructed

    @property
    def provenance(self) -> str:
        """Where the content comes from, in a few words."""
        return self.card_set.title + (" (partly reconstructed)" if self.reconstructed else "")

    @cached_property
    def tables(self) -> str:
        """A hash of everything that decides how the variant plays and how its actions are numbered."""
        return fingerprint(self.rules)

    @cached_property
    def action_numbers(self) -> dict[Action, int]:
        """The number of each action."""
        return {action: number for number, action in enumerate(self.actions)}

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
            per, seats = lengths(row, len(self.card_set.cards), len(self.card_set.factions), self.players)
            meaning = row.meaning + ("; by seat from the observer, clockwise" if row.seats == "all" else "")
            meaning += f"; by {row.per}" if row.per in ("card", "faction") else ""
            fields = {"name": row.field.name.lower(), "offset": offset, "size": per * seats}
            table.append(fields | {"scale": row.scale, "meaning": meaning})
            offset += per * seats
        return table


def _id(settings):
    table = settings["set"] if settings["set"] in PRINTED else Path(settings["set"]).stem
    name = f"{NAME}/{table}/{settings['format']}/{settings['players']}"
    own = [setting for setting in SETTINGS[3:] if settings[setting.name] != _default(setting, settings)]
    return "/".join([name, *(f"{setting.name}={_text(settings[setting.name])}" for setting in own)])


def _text(value):
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def _default(setting, settings):
    if setting.name == "opening_hands":
        return FORMATS[settings["format"]]["opening_hands"]
    return setting.default


def _complete(given):
    """All settings with their values; ValueError names the setting, the value and what is allowed."""
    settings = settle(NAME, SETTINGS, given)
    fewest, most = FORMATS[settings["format"]]["players"]
    if settings["players"] is None:
        settings["players"] = fewest
    if not fewest <= settings["players"] <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"players={settings['players']}: {settings['format']} takes {allowed}")
    if settings["opening_hands"] is None:
        settings["opening_hands"] = list(FORMATS[settings["format"]]["opening_hands"])
    hands = settings["opening_hands"]
    if len(hands) != settings["players"]:
        raise ValueError(f"opening_hands={hands}: must name {settings['players']} hands, one for each seat")
    return settings


def make_variant(**given) -> Variant:
    """The variant with these settings; those left out have their defaults. Raises ValueError."""
    settings = _complete(given)
    card_set = load_cards(settings["set"])
    rules = np.zeros(1, RULES)
    record = rules[0]
    compile_cards(card_set, record)
    actions = list_actions(card_set, settings["players"])
    compile_actions(card_set, actions, record)
    switches = FORMATS[settings["format"]]
    for name in ("authority", "hand_size"):
        record[name] = switches[name]
    for name in ("players", "max_turns", "needle_counts_for_blob_world", "copy_gone_ships"):
        record[name] = settings[name]
    record["forced_discards"] = ForcedDiscards[settings["forced_discards"].upper()]
    record["ally_latch"] = AllyLatch[settings["ally_latch"].upper()]
    record["opening_hands"][: settings["players"]] = settings["opening_hands"]
    variant = Variant(_id(settings), settings, card_set, actions, rules)
    for row, field in zip(variant.observation_table(), FIELDS, strict=True):
        record["offset"][field.field] = row["offset"]
    rules.setflags(write=False)
    return variant


def list_variants() -> list[dict]:
    """Settings of every variant: each set, format, number of players; each other setting away from its default."""
    plain = [
        {"set": name, "format": row, "players": players}
        for name in PRINTED
        for row, switches in FORMATS.items()
        for players in range(switches["players"][0], switches["players"][1] + 1)
    ]
    first = plain[0]
    away = [first | {setting.name: value} for setting in SETTINGS[3:] for value in _values_away_from_default(setting)]
    return plain + away


def _values_away_from_default(setting):
    if setting.name == "opening_hands":
        return [[5, 5]]
    if setting.name == "max_turns":
        return [100]
    return [value for value in setting.allowed if value != setting.default]
