"""From settings to the variant of a campaign: that of a scenario, which goes on with the next."""

from dataclasses import dataclass

import numpy as np

from stardeck.kernels.contract.card_tables import name_of
from stardeck.kernels.contract.settings import Setting, settle, variant_id
from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.cards.loading import load_cards, own_set
from stardeck.kernels.star_realms.spaces.variant import FINALE, MOST_TURNS, Variant, build
from stardeck.kernels.star_realms.spaces.variant import complete as complete_game

NAME = "rise_of_empire"
MAX_TURNS = 2000

SETTINGS = (
    Setting("set", NAME, (NAME,), "card table with a campaign", path=True),
    Setting("max_turns", MAX_TURNS, (1, MOST_TURNS), "turns of one game after which the campaign is truncated"),
    FINALE,
)


@dataclass(frozen=True, kw_only=True)
class CampaignVariant(Variant):
    """A whole campaign with all its settings fixed; seats are sides, whoever has the first turn of a game."""

    game: str = NAME
    version: str = f"{NAME}_v1"

    goes_on = True

    @property
    def seats_go_out(self) -> bool:
        """Whether a seat can be out of the game while others play on: never."""
        return False

    def eliminated(self, states) -> np.ndarray:
        """Which seats are out: bool[n, 2]; defeat ends a game of the campaign and not the campaign."""
        return np.zeros((len(states), self.players), bool)

    def results(self, states) -> dict[str, np.ndarray]:
        """Who has won each scenario, int8[n, 12], -1 where it was not played; victory points by seat, uint8[n, 2]."""
        return {"scenarios": states["won_by"] - np.int8(1), "victory_points": states["victory_points"].copy()}

    def first_turns(self, won) -> np.ndarray:
        """Who had the first turn of each scenario of dealt campaigns: the last winner, before the first the side of
        seat 0. won: int[n, 12], see `results`. (Rulebook: Between Games)"""
        return np.concatenate([np.zeros((len(won), 1), won.dtype), won[:, :-1]], axis=1)


def make_variant(**given) -> CampaignVariant:
    """The variant with these settings; those left out have their defaults. Raises ValueError."""
    settings = settle(NAME, SETTINGS, given)
    settings["set"] = own_set(settings["set"])
    if not load_cards(settings["set"]).campaign:
        raise ValueError(f"set={shown(name_of(settings['set']))}: has no campaign; its card table must name one")
    whole = complete_game(settings | {"scenario": 1})
    name = variant_id([NAME, str(whole["players"])], SETTINGS, settings)
    return build(whole, CampaignVariant, name, settings)


def list_variants() -> list[dict]:
    """Settings of every variant."""
    return [{}, {"finale": "duel"}]
