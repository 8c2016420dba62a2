"""From settings to a variant: its rules record, its action table and its layout of observations."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from stardeck.kernels.settings import Setting, settle
from stardeck.kernels.star_realms.actions import BLOCKS, Action, compile_actions, list_actions
from stardeck.kernels.star_realms.cards.vocabulary import (
    PRINTED,
    CardSet,
    compile_cards,
    load_cards,
    load_gambits,
)
from stardeck.kernels.star_realms.formats import FORMATS, Format, make_format, players_of, write_format
from stardeck.kernels.star_realms.observe import FIELDS, HIGHEST, Field, applies, lengths
from stardeck.kernels.star_realms.rules import RULES, AllyLatch, ForcedDiscards
from stardeck.kernels.star_realms.state import ROW_SIZE, STATE
from stardeck.kernels.tables import TableError, fingerprint

NAME = "star_realms"
MOST_TURNS = 100_000
ROUNDS = 250
DIFFICULTIES = ("veteran", "beginner", "intermediate", "expert")
GAMBITS = sum(gambit.copies for gambit in load_gambits(False))

# Random players can play games that never end; see the README for how long games are.
SETTINGS = (
    Setting("set", "core", PRINTED, "card table: one that comes with the package, or the path of a file", path=True),
    Setting("format", "standard", tuple(FORMATS), "format"),
    Setting("players", None, (1, 99), "number of players; by default the fewest that the format takes"),
    Setting("gambits", 0, (0, GAMBITS), f"gambits dealt to each player, {GAMBITS} in all"),
    Setting("difficulty", "veteran", DIFFICULTIES, "challenges only: how many turns the players have before the Boss"),
    Setting("forced_discards", "immediate", ("immediate", "next_turn"), "when a forced discard is paid"),
    Setting("max_turns", None, (1, MOST_TURNS), f"turns after which a game is truncated; by default {ROUNDS} rounds"),
    Setting("opening_hands", None, [0, 10], "sizes of the opening hands by seat; by default the format's"),
    Setting("ally_latch", "card", ("card", "faction", "none"), "what stays triggered when the partner leaves play"),
    Setting("needle_counts_for_blob_world", True, (True, False), "a Stealth Needle counts as the ship it copies"),
    Setting("copy_gone_ships", True, (True, False), "a Stealth Needle may copy a ship that has left play"),
    Setting("gambit_round", False, (False, True), "gambits may be revealed before the first turn too"),
    Setting("energy_shield_erratum", False, (False, True), "an Energy Shield may be scrapped to draw a card"),
    Setting("pirates_pool_combat", False, (False, True), "the Pirates' cards add up to one series of attacks on all"),
)


@dataclass(frozen=True)
class Variant:
    """A game with all its settings fixed. `rules` is a read-only array of one RULES record."""

    id: str
    settings: dict
    card_set: CardSet
    format: Format
    actions: list[Action]
    rules: np.ndarray

    game = NAME
    version = f"{NAME}_v0"  # of rules, actions and observations; the environments are named after it
    state_dtype = STATE
    observation_limit = HIGHEST

    @property
    def players(self) -> int:
        """Number of seats."""
        return int(self.rules[0]["players"])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that wins or loses together."""
        return self.format.sides

    @property
    def names(self) -> list[str]:
        """The cards that actions and observations name."""
        return [card.name for card in self.card_set.cards]

    def first_seats(self, states) -> np.ndarray:
        """The seat that had the first turn: int64[n]; the cards say nothing of who begins, so it is always 0."""
        return np.zeros(len(states), np.int64)

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on."""
        return len(self.sides) > 2 or (self.format.has_teams and not self.format.shared_authority)

    def eliminated(self, states) -> np.ndarray:
        """Which seats are out of the game: bool[n, players]."""
        return states["players"]["authority"][:, : self.players] <= 0

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
            per, seats = lengths(row, self.card_set, self.format)
            meaning = row.meaning + ("; by seat from the observer, clockwise" if row.seats == "all" else "")
            meaning += f"; by {row.per}" if row.per in ("card", "faction", "gambit") else ""
            fields = {"name": row.field.name.lower(), "offset": offset, "size": per * seats}
            if per:
                table.append(fields | {"scale": row.scale, "meaning": meaning})
            offset += per * seats
        return table


def _is_challenge(settings):
    return "boss" in FORMATS[settings["format"]]


def _id(settings):
    table = settings["set"] if settings["set"] in PRINTED else Path(settings["set"]).stem
    name = f"{NAME}/{table}/{settings['format']}/{settings['players']}"
    if _is_challenge(settings):
        name += f"/{settings['difficulty']}"
    named = ("set", "format", "players", "difficulty")
    own = [s for s in SETTINGS if s.name not in named and settings[s.name] != _default(s, settings)]
    return "/".join([name, *(f"{setting.name}={_text(settings[setting.name])}" for setting in own)])


def _text(value):
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()


def _default(setting, settings):
    if setting.name == "opening_hands":
        return list(_format(settings).opening_hands)
    if setting.name == "max_turns":
        return ROUNDS * _format(settings).turns_a_round
    return setting.default


def _format(settings):
    return make_format(
        settings["format"],
        settings["players"],
        settings["difficulty"],
        settings["gambits"],
        settings["energy_shield_erratum"],
    )


def _complete(given):
    """All settings with their values; ValueError names the setting, the value and what is allowed."""
    settings = settle(NAME, SETTINGS, given)
    fewest, most = players_of(settings["format"])
    if settings["players"] is None:
        settings["players"] = fewest
    players = settings["players"]
    if not fewest <= players <= most:
        allowed = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ValueError(f"players={players}: {settings['format']} takes {allowed}")
    if settings["gambits"] * players > GAMBITS:
        raise ValueError(f"gambits={settings['gambits']}: {players} players can have {GAMBITS // players} each at most")
    if settings["difficulty"] != "veteran" and not _is_challenge(settings):
        challenges = ", ".join(name for name, row in FORMATS.items() if "boss" in row)
        raise ValueError(f"difficulty={settings['difficulty']!r}: {settings['format']} has none, only {challenges}")
    for setting in SETTINGS:
        if settings[setting.name] is None:
            settings[setting.name] = _default(setting, settings)
    hands = settings["opening_hands"]
    if len(hands) != players:
        raise ValueError(f"opening_hands={hands}: must name {players} hands, one for each seat")
    return settings


def make_variant(**given) -> Variant:
    """The variant with these settings; those left out have their defaults. Raises ValueError."""
    settings = _complete(given)
    card_set = load_cards(settings["set"])
    settled = _format(settings)
    rules = np.zeros(1, RULES)
    record = rules[0]
    _check_deck(card_set, settled)
    compile_cards(card_set, settled.gambits, settled.boss, record)
    actions = list_actions(card_set, settled)
    compile_actions(card_set, settled, actions, record)
    write_format(settled, record)
    for name in ("max_turns", "needle_counts_for_blob_world", "copy_gone_ships", "gambit_round"):
        record[name] = settings[name]
    record["boss_strikes_together"] = settings["pirates_pool_combat"]
    record["forced_discards"] = ForcedDiscards[settings["forced_discards"].upper()]
    record["ally_latch"] = AllyLatch[settings["ally_latch"].upper()]
    record["opening_hands"][: settled.players] = settings["opening_hands"]
    record["more_to_see"] = any(row.when and applies(row, card_set, settled) for row in FIELDS)
    variant = Variant(_id(settings), settings, card_set, settled, actions, rules)
    for row in variant.observation_table():
        record["offset"][Field[row["name"].upper()]] = row["offset"]
    rules.setflags(write=False)
    return variant


def _check_deck(card_set, settled):
    """A trade deck must at least fill the trade row and what lies face down before a Boss."""
    needed = ROW_SIZE + settled.boss_face_down
    held = sum(card.copies for card in card_set.cards)
    if held < needed:
        raise TableError(f"{card_set.title}: {held} cards in the trade deck: {settled.name} needs {needed}")


def list_variants() -> list[dict]:
    """Settings of every variant: each set, format, number of players and difficulty; then two gambits, and each other
    setting away from its default."""
    plain = [
        {"set": name, "format": row, "players": players} | difficulty
        for name in PRINTED
        for row, switches in FORMATS.items()
        for players in range(switches["players"][0], switches["players"][1] + 1)
        for difficulty in ([{"difficulty": d} for d in DIFFICULTIES] if "boss" in switches else [{}])
    ]
    first = plain[0]
    away = [
        first | _where_it_matters(setting) | {setting.name: value}
        for setting in SETTINGS
        if setting.name not in ("set", "format", "players", "difficulty")
        for value in _values_away_from_default(setting)
    ]
    return plain + away


def _where_it_matters(setting):
    """The settings beside which a setting makes a difference."""
    if setting.name in ("gambits", "gambit_round", "energy_shield_erratum"):
        return {"set": "box"} | ({} if setting.name == "gambits" else {"gambits": 2})
    if setting.name == "pirates_pool_combat":
        return {"set": "box", "format": "pirates_of_the_dark_star", "players": 3, "difficulty": "veteran"}
    return {}


def _values_away_from_default(setting):
    if setting.name == "opening_hands":
        return [[5, 5]]
    if setting.name == "max_turns":
        return [100]
    if setting.name == "gambits":
        return [2]
    return [value for value in setting.allowed if value != setting.default]
