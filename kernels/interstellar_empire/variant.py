"""From settings to a variant: its rules record, its action table and its layout of observations."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from stardeck.kernels.interstellar_empire.actions import BLOCKS, Action, compile_actions, list_actions
from stardeck.kernels.interstellar_empire.cards import RECONSTRUCTED, CardSet, compile_cards, load_cards
from stardeck.kernels.interstellar_empire.dealing import FIRST_HAND
from stardeck.kernels.interstellar_empire.observe import FIELDS, HIGHEST, Field, lengths
from stardeck.kernels.interstellar_empire.rules import RULES, Family
from stardeck.kernels.interstellar_empire.state import MAX_SEATS, STATE
from stardeck.kernels.settings import Setting, settle
from stardeck.kernels.tables import TableError, fingerprint

NAME = "interstellar_empire"

SETTINGS = (
    Setting("players", 2, (2, MAX_SEATS), "number of players"),
    Setting("first_player", "agreed", ("agreed", "bid"), "who begins: seat 0, or whoever lays down the highest card"),
    Setting("governments", False, (False, True), "the optional Liberal and Tyrannical States"),
    Setting("concede", False, (False, True), "conceding is offered"),
    Setting(
        "cards", RECONSTRUCTED, (RECONSTRUCTED,), "card table: the one of the package, or the path of a file", path=True
    ),
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
    version = f"{NAME}_v0"  # of rules, actions and observations; the environments are named after it
    state_dtype = STATE
    observation_limit = HIGHEST

    @property
    def players(self) -> int:
        """Number of seats."""
        return self.settings["players"]

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side that wins or loses together: everybody plays alone."""
        return tuple((seat,) for seat in range(self.players))

    @property
    def names(self) -> list[str]:
        """The cards that actions and observations name."""
        return [card.name for card in self.card_set.cards]

    def first_seats(self, states) -> np.ndarray:
        """The seat that had the first turn: int64[n]."""
        return states["first"].astype(np.int64)

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on."""
        return self.settings["concede"] and self.players > 2

    def results(self, states) -> dict[str, np.ndarray]:
        """What is told of games that are over beside who has won: nothing."""
        return {}

    def eliminated(self, states) -> np.ndarray:
        """Which seats are out of the game: bool[n, players]."""
        return states["players"]["out"][:, : self.players] != 0

    @property
    def reconstructed(self) -> bool:
        """Whether results are about stand-ins for cards that were never published as text."""
        return self.card_set.reconstructed

    @property
    def provenance(self) -> str:
        """Where the content comes from, in a few words."""
        return self.card_set.title + (" (card list reconstructed)" if self.reconstructed else "")

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
            per, seats = lengths(row, self.card_set, self.settings)
            meaning = row.meaning + ("; by seat from the observer, clockwise" if row.seats == "all" else "")
            meaning += "; by card" if row.per == "card" else ""
            fields = {"name": row.field.name.lower(), "offset": offset, "size": per * seats}
            if per:
                table.append(fields | {"scale": row.scale, "meaning": meaning})
            offset += per * seats
        return table


def _text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def _id(settings):
    own = [s for s in SETTINGS if s.name != "players" and settings[s.name] != s.default]
    named = {**settings, "cards": Path(settings["cards"]).stem}
    return "/".join([NAME, str(settings["players"]), *(f"{s.name}={_text(named[s.name])}" for s in own)])


def make_variant(**given) -> Variant:
    """The variant with these settings; those left out have their defaults. Raises ValueError."""
    settings = settle(NAME, SETTINGS, given)
    card_set = load_cards(settings["cards"])
    if sum(card.copies for card in card_set.cards) <= FIRST_HAND * settings["players"]:
        raise TableError(f"{card_set.title}: must have more than {FIRST_HAND} cards for each player")
    for family in Family:
        if not card_set.of(family):
            raise TableError(f"{card_set.title}: has no {family.name.lower()}")
    rules = np.zeros(1, RULES)
    record = rules[0]
    compile_cards(card_set, record)
    actions = list_actions(card_set, settings)
    compile_actions(card_set, actions, record)
    for name in ("players", "governments", "concede"):
        record[name] = settings[name]
    record["bid"] = settings["first_player"] == "bid"
    variant = Variant(_id(settings), settings, card_set, actions, rules)
    for row in variant.observation_table():
        record["offset"][Field[row["name"].upper()]] = row["offset"]
    rules.setflags(write=False)
    return variant


def list_variants() -> list[dict]:
    """Settings of every variant: each number of players with the bid, governments and conceding off and on."""
    plain = [{"players": players} for players in range(2, MAX_SEATS + 1)]
    switches = ({"first_player": "bid"}, {"governments": True}, {"concede": True})
    return plain + [settings | switch for switch in switches for settings in plain]
