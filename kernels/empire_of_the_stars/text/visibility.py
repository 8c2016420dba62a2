"""What a seat may see: asked by the picture in text and by the table alike, so that it is decided once.

viewer: a seat, or None, who sees everything; but nobody is shown the order of a deck. own: whether the viewer sees what
the player alone may see. state, player: one record.
"""

import numpy as np

from stardeck.kernels.empire_of_the_stars.state import Plan, Side, Step
from stardeck.kernels.empire_of_the_stars.text.positions import cards_of
from stardeck.kernels.empire_of_the_stars.text.words import seen_plans, word


def is_own(seat, viewer) -> bool:
    """Whether a viewer sees what this seat alone may see."""
    return viewer in (None, seat)


def hand(variant, player, own) -> list[str] | None:
    """The cards of a hand, or None."""
    names = [variant.content.technologies[card].name for card in cards_of(player["hand"])]
    return names if own else None


def backs(variant, player) -> list[int]:
    """What the backs of the cards of a hand show: their costs, the lowest first."""
    return sorted(variant.content.technologies[card].cost for card in cards_of(player["hand"]))


def power(state, entry, own) -> str | None:
    """The power of a player, or None; one that is being chosen is seen by its owner alone. entry: of a position."""
    return entry["power"] if own or state["step"] != Step.KEEP_POWER else None


def dealt(state, entry, own) -> list[str] | None:
    """The powers that a player chooses from, or None. entry: of a position."""
    return entry["dealt"] if own and state["step"] == Step.KEEP_POWER else None


def plans(variant, states, battle, viewer) -> dict[Side, dict[str, int]]:
    """The parts of the plans of a battle that are seen, with the shields where all are: the rest of the strength.

    states: array of one row; battle: of a position.
    """
    seen = np.ones((len(Side), len(Plan)), bool) if viewer is None else seen_plans(variant, states, viewer)
    return {side: _plan(battle, side, seen[side]) for side in Side}


def _plan(battle, side, seen):
    plan = battle["plans"][word(side)]
    shown = {word(part): plan[word(part)] for part in Plan if seen[part] and word(part) in plan}
    if len(shown) == len(Plan):
        shown["shields"] = battle["strength"][word(side)] - sum(shown.values())
    return shown
