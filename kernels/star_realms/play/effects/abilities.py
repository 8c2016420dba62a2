"""Usable abilities of cards in play (rulebook: Using Abilities).

Another card of its faction on its owner's side triggers an ally ability. The ability then stays usable that turn even
if the partner leaves (ruling, setting `ally_latch`). Only the owner's own scrap abilities take cards out of play on
that turn. It is therefore enough to record the triggered abilities just before a card leaves.
"""

import numpy as np

from stardeck.kernels.compile.jit import inline_kernel, kernel
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.rules import AllyLatch
from stardeck.kernels.star_realms.state import BOX_LIMIT, NAMED_SHIFT, NO_CARD, SECOND_TRIGGERED, TRIGGERED, Ability


@inline_kernel
def ability_card(entry):
    """Return the card whose ally and scrap abilities a card in play has; a Stealth Needle has those of its copy."""
    if entry.copying != NO_CARD:
        return np.int64(entry.copying)
    return np.int64(entry.card)


@inline_kernel
def factions_in_play(player):
    """Return bits of the factions with at least one, and with at least two cards in play."""
    once = 0
    twice = 0
    for i in range(player.in_play_count):
        factions = np.int64(player.in_play[i].allies)
        twice |= once & factions
        once |= factions
    return once, twice


@inline_kernel
def triggered_bit(box):
    """Return the bit of `in_play.used` that marks an ally box as triggered."""
    return TRIGGERED if box == 0 else SECOND_TRIGGERED


@inline_kernel
def is_triggered(card, player, entry, box, once, twice):
    """Return whether an ally box of a card in play is triggered.

    card: the row of the card table whose abilities the card has; once, twice: see `factions_in_play`.
    """
    partners = (once & ~np.int64(entry.allies)) | twice
    triggered = (partners | player.latched) & card.ally_faction[box]
    return (triggered != 0) | ((entry.used & triggered_bit(box)) != 0)


@inline_kernel
def primary_usable(rules, state, entry):
    """Return whether the primary ability of a base in play can be used now."""
    return face(rules, state, np.int64(entry.card)).abilities & ~entry.used & Ability.PRIMARY != 0


@inline_kernel
def usable_abilities(rules, state, player, entry, once, twice):
    """Return bits of the abilities of a card in play that can be used now.

    once, twice: see `factions_in_play`.
    """
    card = face(rules, state, ability_card(entry))
    unused = card.abilities & ~np.int64(entry.used)
    if unused & Ability.ALLY and not is_triggered(card, player, entry, 0, once, twice):
        unused -= Ability.ALLY
    if is_large(state) and unused & Ability.SECOND_ALLY and not is_triggered(card, player, entry, 1, once, twice):
        unused -= Ability.SECOND_ALLY
    return unused


@inline_kernel
def times_used(entry):
    """Return a measure of how much of a card in play has been used this turn."""
    return np.int64(entry.used) & ((1 << NAMED_SHIFT) - 1)


@kernel
def find_usable(rules, state, player, card, ability):
    """Return the place of a card of this name with a usable ability, or -1.

    The copy with the most used abilities comes first; the other copies keep more for later.
    """
    once, twice = factions_in_play(player)
    best = -1
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if entry.card == card and usable_abilities(rules, state, player, entry, once, twice) & ability:
            if best < 0 or times_used(entry) > times_used(player.in_play[best]):
                best = i
    return best


@kernel
def latch_allies(rules, state, player):
    """Record the triggered ally abilities before a card leaves play."""
    if rules.ally_latch == AllyLatch.NONE:
        return
    once, twice = factions_in_play(player)
    if rules.ally_latch == AllyLatch.FACTION:
        player.latched |= twice
        return
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        card = face(rules, state, ability_card(entry))
        for box in range(BOX_LIMIT if is_large(state) else 1):
            if is_triggered(card, player, entry, box, once, twice):
                entry.used |= triggered_bit(box)
