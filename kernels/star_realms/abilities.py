"""Which abilities of cards in play may be used (rulebook: Using Abilities).

An ally ability is triggered as soon as another card of its faction is in play on its owner's side, and then stays
usable that turn even if the partner leaves (ruling, setting `ally_latch`). Since only the owner's own scrap abilities
take cards out of play on that turn, it is enough to note what is triggered just before one leaves.
"""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.rules import AllyLatch, Kind
from stardeck.kernels.star_realms.state import NO_CARD, Used


@kernel
def ability_card(entry):
    """The card whose ally and scrap abilities a card in play has: a Stealth Needle has those of the ship it copies."""
    if entry.copying != NO_CARD:
        return np.int64(entry.copying)
    return np.int64(entry.card)


@kernel
def ally_for(rules, entry):
    """Bits of the factions that a card in play is an ally for."""
    factions = np.int64(rules.cards[entry.card].ally_for)
    if entry.copying != NO_CARD:
        factions |= np.int64(rules.cards[entry.copying].ally_for)
    return factions


@kernel
def factions_in_play(rules, player):
    """Bits of the factions with at least one, and with at least two cards in play."""
    once = 0
    twice = 0
    for i in range(player.in_play_count):
        factions = ally_for(rules, player.in_play[i])
        twice |= once & factions
        once |= factions
    return once, twice


@kernel
def is_triggered(rules, player, entry, once, twice):
    """Whether the ally ability of a card in play is triggered; `once`, `twice` as of `factions_in_play`."""
    needed = rules.cards[ability_card(entry)].ally_faction
    own = ally_for(rules, entry)
    partners = (once & ~own) | twice
    return (((partners | player.latched) & needed) != 0) | ((entry.used & Used.TRIGGERED) != 0)


@kernel
def ally_usable(rules, player, entry, once, twice):
    """Whether the ally ability of a card in play can be used now."""
    ability = rules.cards[ability_card(entry)].ally
    unused = (ability[0] != ability[1]) & ((entry.used & Used.ALLY) == 0)
    return unused & is_triggered(rules, player, entry, once, twice)


@kernel
def primary_usable(rules, entry):
    """Whether the primary ability of a base in play can be used now; a ship's happened when it was played."""
    card = rules.cards[entry.card]
    return card.kind != Kind.SHIP and card.options > 0 and (entry.used & Used.PRIMARY) == 0


@kernel
def scrap_usable(rules, entry):
    """Whether a card in play has a scrap ability."""
    ability = rules.cards[ability_card(entry)].scrap
    return ability[0] != ability[1]


@kernel
def most_used(player, best, i):
    """Of two copies in play the one of which more has been used; the other keeps more for later."""
    if best < 0 or player.in_play[i].used > player.in_play[best].used:
        return i
    return best


@kernel
def find_primary(rules, player, card):
    """The place of a base of this name whose primary ability can be used, or -1."""
    best = -1
    for i in range(player.in_play_count):
        if player.in_play[i].card == card and primary_usable(rules, player.in_play[i]):
            best = most_used(player, best, i)
    return best


@kernel
def find_ally(rules, player, card):
    """The place of a card of this name whose ally ability can be used, or -1."""
    once, twice = factions_in_play(rules, player)
    best = -1
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if entry.card == card and ally_usable(rules, player, entry, once, twice):
            best = most_used(player, best, i)
    return best


@kernel
def find_scrap(rules, player, card):
    """The place of a card of this name whose scrap ability can be used, or -1."""
    best = -1
    for i in range(player.in_play_count):
        if player.in_play[i].card == card and scrap_usable(rules, player.in_play[i]):
            best = most_used(player, best, i)
    return best


@kernel
def latch_allies(rules, player):
    """Note what is triggered, before a card leaves play."""
    if rules.ally_latch == AllyLatch.NONE:
        return
    once, twice = factions_in_play(rules, player)
    if rules.ally_latch == AllyLatch.FACTION:
        player.latched |= twice
        return
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        if is_triggered(rules, player, entry, once, twice):
            entry.used |= Used.TRIGGERED
