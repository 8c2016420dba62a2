"""Drawing again what a seat cannot know.

Everybody can keep track of which cards a player owns: all are acquired, discarded and scrapped in the open, and the
hand is shown at the end of every turn. Hidden are only the order of the decks and which of the cards that lie neither
open nor known by everybody are in an opponent's hand. Those are dealt again, each arrangement exactly as likely.
"""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.random import mix, random_below, shuffle
from stardeck.kernels.star_realms.state import Zone


@kernel
def reshuffle_unknown_deck(state, player):
    """Shuffle the part of a deck whose order nobody knows."""
    shuffle(state, player.cards[Zone.DECK], np.int64(player.count[Zone.DECK] - player.known_on_deck))


@kernel
def redeal_unknown_hand(state, player):
    """Exchange the unknown cards of a hand with those of the deck, so that every split is as likely."""
    in_deck = np.int64(player.count[Zone.DECK] - player.known_on_deck)
    first = np.int64(player.known_in_hand)
    in_hand = np.int64(player.count[Zone.HAND]) - first
    for i in range(in_hand):
        other = i + random_below(state, in_hand - i + in_deck)
        card = player.cards[Zone.HAND, first + i]
        if other < in_hand:
            player.cards[Zone.HAND, first + i] = player.cards[Zone.HAND, first + other]
            player.cards[Zone.HAND, first + other] = card
        else:
            player.cards[Zone.HAND, first + i] = player.cards[Zone.DECK, other - in_hand]
            player.cards[Zone.DECK, other - in_hand] = card


@kernel
def sort_unknown(player):
    """Bring unknown cards into one order, so that the new deal depends on what they are and not on where they lay."""
    in_deck = np.int64(player.count[Zone.DECK] - player.known_on_deck)
    first = np.int64(player.known_in_hand)
    in_hand = np.int64(player.count[Zone.HAND]) - first
    pool = np.empty(in_deck + in_hand, np.uint8)
    for i in range(in_hand):
        pool[i] = player.cards[Zone.HAND, first + i]
    for i in range(in_deck):
        pool[in_hand + i] = player.cards[Zone.DECK, i]
    pool.sort()
    for i in range(in_hand):
        player.cards[Zone.HAND, first + i] = pool[i]
    for i in range(in_deck):
        player.cards[Zone.DECK, i] = pool[in_hand + i]


@kernel
def clear_behind(pile, count):
    """Wipe what earlier cards have left behind the end of a pile: it may tell what has been drawn."""
    for i in range(count, len(pile)):
        pile[i] = 0


@kernel
def resample_hidden(rules, state, seat, seed):
    """Deal again, from `seed`, all that `seat` cannot know: opponents' hands, the decks, the stream of chance.

    Two states that look the same to `seat` become the same state under the same seed.
    """
    state.random = mix(np.uint64(seed))
    for other in range(rules.players):
        player = state.players[other]
        if other == seat:
            player.cards[Zone.DECK, : player.count[Zone.DECK] - player.known_on_deck].sort()
        else:
            sort_unknown(player)
            redeal_unknown_hand(state, player)
        reshuffle_unknown_deck(state, player)
        for zone in range(len(player.count)):
            clear_behind(player.cards[zone], player.count[zone])
    clear_behind(state.trade_deck, state.trade_deck_count)
    state.trade_deck[: state.trade_deck_count].sort()
    shuffle(state, state.trade_deck, np.int64(state.trade_deck_count))
