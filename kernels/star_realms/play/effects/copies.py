"""Entry points that tell which of several copies in play a move affects (rulebook: Using Abilities, Attacking)."""

from stardeck.kernels.compile.jit import entry
from stardeck.kernels.star_realms.play.effects.abilities import find_usable
from stardeck.kernels.star_realms.play.effects.raid import least_damaged, most_damaged, to_wear_down
from stardeck.kernels.star_realms.rules import Act


@entry
def usable_copy(rules, states, seat, card, ability):
    """Return the place in play of the card whose ability a move uses, or -1. states: one row."""
    return find_usable(rules[0], states[0], states[0].players[seat], card, ability)


@entry
def targeted_copy(rules, states, seat, card, act):
    """Return the place in play of the base that a move attacks, damages or destroys, or -1. states: one row."""
    player = states[0].players[seat]
    if act == Act.ATTACK_BASE:
        return most_damaged(rules[0], player, card)
    if act == Act.DAMAGE_BASE:
        return to_wear_down(rules[0], states[0], player, card)
    return least_damaged(rules[0], player, card)
