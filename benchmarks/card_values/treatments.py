"""What can be tried out in each game: the options of trials by name, and the stages of a game.

The options are those that agents/<game>/trials.py numbers.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from stardeck.agents.empire_of_the_stars import trials as of_empire
from stardeck.agents.star_realms import trials as of_realms

NOTHING, AUTHORITY, ANY = "nothing", "authority", "any"
STAGES = ("early", "middle", "late")
TURNS = ("first turn", "second turn", "third turn")


class Tried(NamedTuple):
    """One kind of decision that is tried out."""

    number: int  # as the kernel knows it
    options: Callable[[Any], list[str]]  # of a variant, by their numbers
    others: tuple[str, ...] = (NOTHING, AUTHORITY)  # what may be drawn beside options
    stages: tuple[str, ...] = STAGES
    cycle: tuple[int, ...] = (0, 1, 2, 2)  # in which stage games have their trials, in turn: many end before the last
    hazard: float = 0.15  # of an occasion, that chance takes it

    @property
    def rather_than(self) -> str:
        """What options are compared with: nothing, or, where one must be taken, any of them."""
        return NOTHING if NOTHING in self.others else ANY


def _cards(variant):
    return list(variant.card_set.names)  # with the numbers of a campaign's upgraded cards


def _from_piles(variant):
    return [f"{card} from {pile}" for pile in ("hand", "discard") for card in _cards(variant)]


def _stickers(variant):
    return [slot.name for slot in variant.card_set.slots]


def _names(variant):
    return list(variant.names)


WHATS: dict[str, dict[str, Tried]] = {
    "star_realms": {
        "purchases": Tried(of_realms.PURCHASES, _cards),
        "openings": Tried(of_realms.OPENINGS, _cards, stages=TURNS, cycle=(0, 1, 2), hazard=0.5),
        "scrapping": Tried(of_realms.SCRAPPING, _from_piles),
        "upgrades": Tried(of_realms.UPGRADES, _stickers, hazard=0.3),
    },
    "empire_of_the_stars": {
        "powers": Tried(of_empire.POWERS, _names, others=(), stages=("deal",), cycle=(0,), hazard=0.5),
        "technologies": Tried(of_empire.TECHNOLOGIES, _names, others=(NOTHING,), cycle=(0, 1, 2), hazard=0.3),
    },
}
