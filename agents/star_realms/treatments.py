"""What trials try out in Star Realms, by name, the default first; agents/star_realms/trials.py numbers the options."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.agents.data.treatments import RecordedTrials, Treatment
from stardeck.agents.star_realms import trials
from stardeck.agents.star_realms.values import FIRST_TURN_OF_STAGE
from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.kernels.star_realms.rules import Act

BUYING = Act.BUY, Act.BUY_TO_DECK, Act.END_TURN
TURNS = ("first turn", "second turn", "third turn")


def _cards(variant: Any) -> list[str]:
    return list(variant.card_set.names)  # with the numbers of a campaign's upgraded cards


def _from_piles(variant: Any) -> list[str]:
    return [f"{card} from {pile}" for pile in ("hand", "discard") for card in _cards(variant)]


def _stickers(variant: Any) -> list[str]:
    return [slot.name for slot in variant.card_set.slots]


def _buys(game: Game, states: States, action: int) -> bool:
    """Check whether a player buys, or ends a turn, with no decision pending."""
    return game.variant.actions[action].act in BUYING and not states[0]["stack_count"]


def _stages(game: Game, states: States) -> NDArray[np.int64]:
    rules = game.rules[0]
    rounds = (states["turn"].astype(np.int64) - 1) // int(rules["sides"] if rules["shared_turn"] else rules["players"])
    return np.searchsorted(FIRST_TURN_OF_STAGE[1:], rounds, side="right").astype(np.int64)


def _bought(variant: Any) -> NDArray[np.int64]:
    """Return the card that each action buys, or -1: int64[actions]."""
    return np.array([action.card if action.act in (Act.BUY, Act.BUY_TO_DECK) else -1 for action in variant.actions])


TREATMENTS = {
    "star_realms": {
        "purchases": Treatment(trials.PURCHASES, _cards, recorded=RecordedTrials(_buys, _stages), taken=_bought),
        "openings": Treatment(trials.OPENINGS, _cards, stages=TURNS, cycle=(0, 1, 2), hazard=0.5),
        "scrapping": Treatment(trials.SCRAPPING, _from_piles),
        "upgrades": Treatment(trials.UPGRADES, _stickers, hazard=0.3),
    }
}
