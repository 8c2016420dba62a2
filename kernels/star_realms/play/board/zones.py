"""Moves of cards between piles (rulebook: Drawing and shuffling in Draw Phase, Scrapping Cards).

Besides moving cards, these functions track what every player can know of a hand or deck. All players saw a ship put on
top of a deck. When a deck runs out, all its cards must be in the hand. `resample_hidden` relies on this record.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import shuffle
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.state import IN_PLAY_LIMIT, NO_CARD, PILE_LIMIT, Part, Zone

BYTE = 255  # no count is larger


@kernel
def size_of(player, zone):
    """Return the number of cards in a pile.

    The mask changes no value. It tells the compiler that a count is never negative, which removes Python's checks for
    indices from the end.
    """
    return np.int64(player.count[zone]) & BYTE


@kernel
def first_of(player, zone):
    """Return where a pile begins in `player.cards`: the deck at 0, then the hand; the discard pile ends the buffer."""
    if zone == Zone.DECK:
        return 0
    if zone == Zone.HAND:
        return size_of(player, Zone.DECK)
    return (PILE_LIMIT - size_of(player, Zone.DISCARD_PILE)) & BYTE


@kernel
def put_in_discard_pile(player, card):
    """Put a card on the discard pile."""
    count = player.count[Zone.DISCARD_PILE] + 1
    player.count[Zone.DISCARD_PILE] = count
    player.cards[PILE_LIMIT - count] = card


@kernel
def put_on_deck(player, card):
    """Put a card that all players see on top of the deck.

    The hand makes room; the cards that all players can name stay at its front.
    """
    deck = player.count[Zone.DECK]
    behind_known = deck + player.known_in_hand
    player.cards[deck + player.count[Zone.HAND]] = player.cards[behind_known]
    player.cards[behind_known] = player.cards[deck]
    player.cards[deck] = card
    player.count[Zone.DECK] = deck + 1
    player.known_on_deck += 1


@kernel
def find(player, zone, card):
    """Return the index in `player.cards` of a card of this pile, or -1."""
    first = first_of(player, zone)
    for i in range(first, first + size_of(player, zone)):
        if player.cards[i] == card:
            return i
    return -1


@kernel
def take_from_discard_pile(player, card):
    """Take a card out of the discard pile."""
    first = first_of(player, Zone.DISCARD_PILE)
    player.cards[find(player, Zone.DISCARD_PILE, card)] = player.cards[first]
    player.count[Zone.DISCARD_PILE] -= 1


@kernel
def take_from_hand(player, card):
    """Take a card out of the hand.

    If all players can name a copy, that copy lies at the front and goes first.
    """
    place = find(player, Zone.HAND, card)
    first = first_of(player, Zone.HAND)
    last = first + player.count[Zone.HAND] - 1
    if place < first + player.known_in_hand:
        last_known = first + player.known_in_hand - 1
        player.cards[place] = player.cards[last_known]
        player.known_in_hand -= 1
        place = last_known
    player.cards[place] = player.cards[last]
    player.count[Zone.HAND] -= 1


@kernel
def reverse(cards, first, end):
    """Reverse the entries [first, end)."""
    for i in range((end - first) // 2):
        card = cards[first + i]
        cards[first + i] = cards[end - 1 - i]
        cards[end - 1 - i] = card


@kernel
def shuffle_discard_pile_into_deck(state, player):
    """Shuffle the discard pile into a new deck beneath the hand (rulebook: Draw Phase, note)."""
    count = size_of(player, Zone.DISCARD_PILE)
    held = size_of(player, Zone.HAND)
    for i in range(count):
        player.cards[held + i] = player.cards[PILE_LIMIT - count + i]
    if held > 0:  # move the hand above the new deck
        reverse(player.cards, 0, held + count)
        reverse(player.cards, count, held + count)
    player.count[Zone.DECK] = count
    player.count[Zone.DISCARD_PILE] = 0
    shuffle(state, player.cards, count)


@kernel
def draw_card(state, player):
    """Draw the top card, reshuffling first only if the deck is empty.

    Nothing is drawn when deck and discard pile are empty. (Rulebook: Draw Phase)
    """
    if player.count[Zone.DECK] == 0:
        shuffle_discard_pile_into_deck(state, player)
        if player.count[Zone.DECK] == 0:
            return
    top = player.count[Zone.DECK] - 1  # becomes the front of the hand
    player.count[Zone.DECK] = top
    player.count[Zone.HAND] += 1
    if player.known_on_deck > 0:
        player.known_on_deck -= 1
        player.known_in_hand += 1
    elif player.known_in_hand > 0:
        behind_known = top + player.known_in_hand
        card = player.cards[top]
        player.cards[top] = player.cards[behind_known]
        player.cards[behind_known] = card
    if top == 0:
        player.known_in_hand = player.count[Zone.HAND]  # the deck is empty: all players can name the whole hand


@kernel
def can_draw(player):
    """Return whether there is a card to draw, after a shuffle if necessary."""
    return player.count[Zone.DECK] > 0 or player.count[Zone.DISCARD_PILE] > 0


@kernel
def draw_cards(state, player, count):
    """Draw cards one at a time."""
    for _ in range(count):
        draw_card(state, player)


@kernel
def scrap(rules, state, card):
    """Put a card on the Scrap Heap; an Explorer returns to its pile instead (rulebook: Scrap Abilities, note)."""
    if card == rules.explorer:
        state.explorers += 1
    else:
        state.scrap_heap[card] += 1


@kernel
def discard_from_hand(player, card):
    """Discard a card of the hand."""
    take_from_hand(player, card)
    put_in_discard_pile(player, card)


@kernel
def discard_hand(player):
    """Put the whole hand into the discard pile, highest place first because the two may overlap."""
    held = size_of(player, Zone.HAND)
    source = first_of(player, Zone.HAND)
    target = first_of(player, Zone.DISCARD_PILE) - held
    for i in range(held - 1, -1, -1):
        player.cards[target + i] = player.cards[source + i]
    player.count[Zone.DISCARD_PILE] += held
    player.count[Zone.HAND] = 0
    player.known_in_hand = 0


@kernel
def put_into_play(rules, state, player, card):
    """Put a card into play and return its place among the cards in play."""
    place = player.in_play_count
    if place == IN_PLAY_LIMIT:
        raise OverflowError("a player has more cards in play than a state has places for, see IN_PLAY_LIMIT")
    entry = player.in_play[place]
    entry.card = card
    entry.copying = NO_CARD
    entry.used = 0
    entry.allies = face(rules, state, card).ally_for
    entry.damage = 0
    player.in_play_count = place + 1
    return place


@kernel
def take_out_of_play(player, place):
    """Remove the card at `place` and return it; cards played later move up."""
    card = np.int64(player.in_play[place].card)
    last = player.in_play_count - 1
    for i in range(place, last):
        player.in_play[i] = player.in_play[i + 1]
    player.in_play_count = last
    return card


@kernel
def forget_the_turn(player):
    """Reset the counters that last for one turn."""
    player.next_ship_on_top = 0
    player.discount = 0
    player.latched = 0
    player.finished = Part.OPEN
    for word in range(len(player.ships_played)):
        player.ships_played[word] = np.uint64(0)
    for faction in range(len(player.played)):
        player.played[faction] = 0
