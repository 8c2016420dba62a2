"""Which abilities of cards in play may be used (rulebook: Using Abilities).

An ally ability is triggered as soon as another card of its faction is in play on its owner's side, and then stays
usable that turn even if the partner leaves (ruling, setting `ally_latch`). Since only the owner's own scrap abilities
take cards out of play on that turn, it is enough to note what is triggered just before one leaves.
"""

import numpy as np

from stardeck.kernels.jit import inline_kernel, kernel
from stardeck.kernels.star_realms.rules import AllyLatch
from stardeck.kernels.star_realms.state import NO_CARD, TRIGGERED, Ability


@inline_kernel
def ability_card(entry):
    """The card whose ally and scrap abilities a card in play has: a Stealth Needle has those of the ship it copies."""
    if entry.copying != NO_CARD:
        return np.int64(entry.copying)
    return np.int64(entry.card)


@inline_kernel
def factions_in_play(player):
    """Bits of the factions with at least one, and with at least two cards in play."""
    once = 0
    twice = 0
    for i in range(player.in_play_count):
        factions = np.int64(player.in_play[i].allies)
        twice |= once & factions
        once |= factions
    return once, twice


@inline_kernel
def is_triggered(rules, player, entry, once, twice):
    """Whether the ally ability of a card in play is triggered; `once`, `twice` as of `factions_in_play`."""
    needed = rules.cards[ability_card(entry)].ally_faction
    partners = (once & ~np.int64(entry.allies)) | twice
    return (((partners | player.latched) & needed) != 0) | ((entry.used & TRIGGERED) != 0)


@inline_kernel
def primary_usable(rules, entry):
    """Whether the primary ability of a base in play can be used now."""
    return rules.cards[entry.card].abilities & ~entry.used & Ability.PRIMARY != 0


@inline_kernel
def usable_abilities(rules, player, entry, once, twice):
    """Bits of the abilities of a card in play that can be used now; `once`, `twice` as of `factions_in_play`."""
    unused = rules.cards[ability_card(entry)].abilities & ~np.int64(entry.used)
    if unused & Ability.ALLY and not is_triggered(rules, player, entry, once, twice):
        return unused - Ability.ALLY
    return unused


@inline_kernel
def times_used(entry):
    """A measure of how much of a card in play has been used this turn."""
    return np.int64(entry.used) & (Ability.PRIMARY | Ability.ALLY | TRIGGERED)


@kernel
def find_usable(rules, player, card, ability):
    """The place of a card of this name with an ability that can be used, or -1.

    Of several copies the one of which more has been used; the others keep more for later.
    """
    once, twice = factions_in_play(player)
    best = -1
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if entry.card == card and usable_abilities(rules, player, entry, once, twice) & ability:
            if best < 0 or times_used(entry) > times_used(player.in_play[best]):
                best = i
    return best


@kernel
def latch_allies(rules, player):
    """Note what is triggered, before a card leaves play."""
    if rules.ally_latch == AllyLatch.NONE:
        return
    once, twice = factions_in_play(player)
    if rules.ally_latch == AllyLatch.FACTION:
        player.latched |= twice
        return
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if is_triggered(rules, player, entry, once, twice):
            entry.used |= TRIGGERED
