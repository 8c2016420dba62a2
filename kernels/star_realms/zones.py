"""Moving cards between piles (rulebook: Drawing and shuffling in Draw Phase, Scrapping Cards).

Besides moving cards, these functions keep track of what everybody can know of a hand or deck: a ship put on top of a
deck was seen by all, and when a deck runs out, all that was in it must be in the hand. `resample_hidden` relies on it.
"""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.random import shuffle
from stardeck.kernels.star_realms.state import NO_CARD, Zone


@kernel
def put(player, zone, card):
    """Put a card on top of a pile of `player`."""
    count = player.count[zone]
    player.cards[zone, count] = card
    player.count[zone] = count + 1


@kernel
def put_on_deck(player, card):
    """Put a card that everybody sees on top of the deck."""
    put(player, Zone.DECK, card)
    player.known_on_deck += 1


@kernel
def find(player, zone, card):
    """Where in the pile the card is, or -1."""
    for i in range(player.count[zone]):
        if player.cards[zone, i] == card:
            return i
    return -1


@kernel
def take_from_discard_pile(player, card):
    """Take a card out of the discard pile."""
    last = player.count[Zone.DISCARD_PILE] - 1
    player.cards[Zone.DISCARD_PILE, find(player, Zone.DISCARD_PILE, card)] = player.cards[Zone.DISCARD_PILE, last]
    player.count[Zone.DISCARD_PILE] = last


@kernel
def take_from_hand(player, card):
    """Take a card out of the hand. One that everybody can name is at the front and goes first."""
    place = find(player, Zone.HAND, card)
    last = player.count[Zone.HAND] - 1
    if place < player.known_in_hand:
        last_known = player.known_in_hand - 1
        player.cards[Zone.HAND, place] = player.cards[Zone.HAND, last_known]
        player.known_in_hand = last_known
        place = last_known
    player.cards[Zone.HAND, place] = player.cards[Zone.HAND, last]
    player.count[Zone.HAND] = last


@kernel
def shuffle_discard_pile_into_deck(state, player):
    """The discard pile becomes the new deck. (Rulebook: Draw Phase, note)"""
    count = player.count[Zone.DISCARD_PILE]
    for i in range(count):
        player.cards[Zone.DECK, i] = player.cards[Zone.DISCARD_PILE, i]
    player.count[Zone.DECK] = count
    player.count[Zone.DISCARD_PILE] = 0
    shuffle(state, player.cards[Zone.DECK], count)


@kernel
def draw_card(state, player):
    """Draw the top card, reshuffling first only if the deck is empty.

    Nothing is drawn when deck and discard pile are empty. (Rulebook: Draw Phase)
    """
    if player.count[Zone.DECK] == 0:
        shuffle_discard_pile_into_deck(state, player)
        if player.count[Zone.DECK] == 0:
            return
    top = player.count[Zone.DECK] - 1
    held = player.count[Zone.HAND]
    player.count[Zone.DECK] = top
    player.count[Zone.HAND] = held + 1
    player.cards[Zone.HAND, held] = player.cards[Zone.DECK, top]
    if player.known_on_deck > 0:
        player.known_on_deck -= 1
        first_unknown = player.known_in_hand
        player.cards[Zone.HAND, held] = player.cards[Zone.HAND, first_unknown]
        player.cards[Zone.HAND, first_unknown] = player.cards[Zone.DECK, top]
        player.known_in_hand = first_unknown + 1
    if top == 0:
        player.known_in_hand = held + 1  # nothing is left that could be in the deck instead


@kernel
def draw_cards(state, player, count):
    """Draw cards one at a time."""
    for _ in range(count):
        draw_card(state, player)


@kernel
def scrap(rules, state, card):
    """Put a card on the Scrap Heap; an Explorer goes back to its pile instead. (Rulebook: Scrap Abilities, note)"""
    if card == rules.explorer:
        state.explorers += 1
    else:
        state.scrap_heap[card] += 1


@kernel
def discard_from_hand(player, card):
    """Discard a card of the hand."""
    take_from_hand(player, card)
    put(player, Zone.DISCARD_PILE, card)


@kernel
def put_into_play(player, card):
    """Put a card into play; returns its place among the cards in play."""
    place = player.in_play_count
    entry = player.in_play[place]
    entry.card = card
    entry.copying = NO_CARD
    entry.used = 0
    player.in_play_count = place + 1
    return place


@kernel
def take_out_of_play(player, place):
    """Take away the card at `place`; those played after it move up. Returns the card."""
    card = np.int64(player.in_play[place].card)
    last = player.in_play_count - 1
    for i in range(place, last):
        player.in_play[i] = player.in_play[i + 1]
    player.in_play_count = last
    return card
