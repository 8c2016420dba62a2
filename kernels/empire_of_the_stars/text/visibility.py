"""The visible information of a seat, decided once for the text and the data of the table.

viewer: a seat, or None, who sees everything except the order of a deck. own: True if the viewer sees the private
information of the player. state, player: one record.
"""

import numpy as np

from stardeck.kernels.empire_of_the_stars.state import Plan, Side, Step
from stardeck.kernels.empire_of_the_stars.text.positions import cards_of
from stardeck.kernels.empire_of_the_stars.text.words import seen_plans, word


def is_own(seat, viewer) -> bool:
    """Return True if a viewer sees the private information of this seat."""
    return viewer in (None, seat)


def hand(variant, player, own) -> list[str] | None:
    """Return the cards of a hand, or None if it is hidden."""
    names = [variant.content.technologies[card].name for card in cards_of(player["hand"])]
    return names if own else None


def backs(variant, player) -> list[int]:
    """Return the costs on the backs of the cards of a hand, the lowest first."""
    return sorted(variant.content.technologies[card].cost for card in cards_of(player["hand"]))


def power(state, entry, own) -> str | None:
    """Return the power of a player, or None; during the choice only its owner sees it. entry: from a position."""
    return entry["power"] if own or state["step"] != Step.KEEP_POWER else None


def dealt(state, entry, own) -> list[str] | None:
    """Return the powers that a player chooses from, or None. entry: from a position."""
    return entry["dealt"] if own and state["step"] == Step.KEEP_POWER else None


def plans(variant, states, battle, viewer) -> dict[Side, dict[str, int]]:
    """Return the visible parts of the plans of a battle.

    If all parts are visible, the shields follow: the rest of the strength.

    states: array of one row; battle: from a position.
    """
    seen = np.ones((len(Side), len(Plan)), bool) if viewer is None else seen_plans(variant, states, viewer)
    return {side: _plan(battle, side, seen[side]) for side in Side}


def _plan(battle, side, seen):
    plan = battle["plans"][word(side)]
    shown = {word(part): plan[word(part)] for part in Plan if seen[part] and word(part) in plan}
    if len(shown) == len(Plan):
        shown["shields"] = battle["strength"][word(side)] - sum(shown.values())
    return shown
