"""Compilation of settings into a variant: its rules record, action table and observation layout."""

from dataclasses import dataclass

import numpy as np

from stardeck.kernels.contract.card_tables import TableError, as_given, named, whole_table
from stardeck.kernels.contract.settings import Setting, settle, variant_id
from stardeck.kernels.contract.variant import BaseVariant
from stardeck.kernels.interstellar_empire.cards.table import RECONSTRUCTED, CardSet, compile_cards, load_cards
from stardeck.kernels.interstellar_empire.play.dealing import FIRST_HAND
from stardeck.kernels.interstellar_empire.rules import RULES, Family
from stardeck.kernels.interstellar_empire.spaces import observe
from stardeck.kernels.interstellar_empire.spaces.actions import BLOCKS, Action, actions_of, compile_actions
from stardeck.kernels.interstellar_empire.spaces.events import EVENTS
from stardeck.kernels.interstellar_empire.state import KIND_LIMIT, MAX_SEATS, STATE

NAME = "interstellar_empire"

SETTINGS = (
    Setting("players", 2, (2, MAX_SEATS), "number of players"),
    Setting("first_player", "agreed", ("agreed", "bid"), "first player: seat 0, or the highest card in a bid"),
    Setting("governments", False, (False, True), "the optional Liberal and Tyrannical States"),
    Setting("concede", False, (False, True), "conceding is offered"),
    Setting("cards", RECONSTRUCTED, (RECONSTRUCTED,), "card table: the package's, or a file of your own", path=True),
)


@dataclass(frozen=True, kw_only=True)
class Variant(BaseVariant[Action]):
    """A game with all its settings fixed."""

    game: str = NAME
    version: str = f"{NAME}_v1"
    card_set: CardSet

    blocks = BLOCKS
    fields = observe.FIELDS
    events = EVENTS
    kinds_held = KIND_LIMIT

    def sizes(self) -> dict[str, int]:
        """Return the length of a field per seat, by the unit that the field counts."""
        return observe.sizes(self.card_set)

    def switches(self) -> dict[str, bool]:
        """Return the optional groups of fields that this variant has."""
        return observe.switches(self.settings)

    def hidden_scale(self) -> np.ndarray:
        """Return the factors that turn the numbers of `observe_hidden` into float32: float32[hidden_size]."""
        return np.full(self.players * len(self.card_set.cards), 0.5, np.float32)

    @property
    def seats_go_out(self) -> bool:
        """True if a seat can leave the game while others play on."""
        return self.settings["concede"] and self.players > 2

    def eliminated(self, states) -> np.ndarray:
        """Return the seats that are out of the game: bool[n, players]."""
        return states["players"]["out"][:, : self.players] != 0

    @property
    def reconstructed(self) -> bool:
        """True if some cards are reconstructions, because their text was never published."""
        return self.card_set.reconstructed

    @property
    def provenance(self) -> str:
        """The source of the content, in a few words."""
        return self.card_set.title + (" (card list reconstructed)" if self.reconstructed else "")


def _id(settings):
    others = [setting for setting in SETTINGS if setting.name != "players"]
    return variant_id([NAME, str(settings["players"])], others, settings)


def make_variant(**given) -> Variant:
    """Return the variant with these settings; missing ones take their defaults.

    Raises:
        ValueError: A setting is unknown or has a value that is not allowed.
    """
    settings = settle(NAME, SETTINGS, given)
    settings["cards"] = named(whole_table(settings["cards"], "cards", (RECONSTRUCTED,)), (RECONSTRUCTED,))
    card_set = load_cards(settings["cards"])
    if sum(card.copies for card in card_set.cards) <= FIRST_HAND * settings["players"]:
        raise TableError(f"{card_set.title}: must have more than {FIRST_HAND} cards for each player")
    for family in Family:
        if not card_set.of(family):
            raise TableError(f"{card_set.title}: has no {family.name.lower()}")
    rules = np.zeros(1, RULES)
    record = rules[0]
    compile_cards(card_set, record)
    actions = actions_of(card_set, settings)
    compile_actions(card_set, actions, record)
    for name in ("players", "governments", "concede"):
        record[name] = settings[name]
    record["bid"] = settings["first_player"] == "bid"
    return Variant(
        id=_id(settings),
        settings=as_given(settings),
        names=[card.name for card in card_set.cards],
        actions=actions,
        rules=rules,
        state_dtype=STATE,
        card_set=card_set,
    ).sealed()


def list_variants() -> list[dict]:
    """Return the settings of every variant: each number of players, plain and with each option switched on."""
    plain = [{"players": players} for players in range(2, MAX_SEATS + 1)]
    away = ({"first_player": "bid"}, {"governments": True}, {"concede": True})
    return plain + [settings | switch for switch in away for settings in plain]
