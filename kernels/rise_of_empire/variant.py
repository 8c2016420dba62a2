"""The variant of a campaign, built from settings: a scenario's variant that goes on with the next."""

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
    """A whole campaign with all its settings fixed.

    Each seat is one side, whichever side has the first turn of a game.
    """

    game: str = NAME
    version: str = f"{NAME}_v1"

    goes_on = True

    @property
    def seats_go_out(self) -> bool:
        """Always False: no seat is out of the game while others play on."""
        return False

    def eliminated(self, states) -> np.ndarray:
        """Return False for every seat, bool[n, 2]: a defeat ends a game of the campaign, not the campaign."""
        return np.zeros((len(states), self.players), bool)

    def results(self, states) -> dict[str, np.ndarray]:
        """Return the winner of each scenario and the victory points by seat.

        Returns:
            `scenarios`: int8[n, 12], -1 where it was not played; `victory_points`: uint8[n, 2].
        """
        return {"scenarios": states["won_by"] - np.int8(1), "victory_points": states["victory_points"].copy()}

    def first_turns(self, won) -> np.ndarray:
        """Return the seat with the first turn of each scenario of dealt campaigns.

        The last winner begins; before the first scenario, the side of seat 0 does. (Rulebook: Between Games)

        Args:
            won: int[n, 12], see `results`.
        """
        return np.concatenate([np.zeros((len(won), 1), won.dtype), won[:, :-1]], axis=1)


def make_variant(**given) -> CampaignVariant:
    """Return the variant with these settings; the others have their defaults.

    Raises:
        ValueError: a setting is unknown or out of range, or the set has no campaign.
    """
    settings = settle(NAME, SETTINGS, given)
    settings["set"] = own_set(settings["set"])
    if not load_cards(settings["set"]).campaign:
        raise ValueError(f"set={shown(name_of(settings['set']))}: has no campaign; its card table must name one")
    whole = complete_game(settings | {"scenario": 1})
    name = variant_id([NAME, str(whole["players"])], SETTINGS, settings)
    return build(whole, CampaignVariant, name, settings)


def list_variants() -> list[dict]:
    """Return the settings of every variant."""
    return [{}, {"finale": "duel"}]
