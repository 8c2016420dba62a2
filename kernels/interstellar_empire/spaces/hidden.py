"""Resampling of information that a seat cannot know (rulings: what may a seat see).

Hidden are the deck, the other hands, the bids, and cards that another player looks at alone. All cards of the discard
pile have been shown. A question reveals something about the hand of the player asked: it holds a fitting special, a
card that may be discarded, or enough to pay. New hands satisfy this condition, and each arrangement is equally likely.
"""

import numpy as np

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.interstellar_empire.play.asking import op_asked
from stardeck.kernels.interstellar_empire.play.zones import can_discard, clockwise, has_special, purse, total
from stardeck.kernels.interstellar_empire.rules import Op
from stardeck.kernels.interstellar_empire.spaces.observe import sees_cards
from stardeck.kernels.interstellar_empire.state import DECK_LIMIT, KIND_LIMIT, NO_CARD, Ask
from stardeck.kernels.primitives.random import mix, random_below

NEXT_CARDS = 5  # of the deck in `observe_hidden`: about as many as the players draw in a round


@kernel
def could_be_asked(rules, state, player):
    """Return True if this hand fits the question that its owner faces."""
    ask = state.ask
    if op_asked(ask) != Op.NONE:
        return has_special(rules, player, op_asked(ask))
    if ask == Ask.SHIP:
        return purse(rules, player) >= rules.cards[state.subject].number
    if ask == Ask.PAY:
        return purse(rules, player) >= rules.cards[state.subject].number - state.paid
    if ask == Ask.NUMBER or ask == Ask.JUNGLE or ask == Ask.RESISTANCE_ANSWER or ask == Ask.UNREST_ANSWER:
        return can_discard(rules, player)
    return True


@entry
def question_fits(rules, states):
    """Return True if the hand of the seat to act fits the question in one game. states: one row, not over."""
    return could_be_asked(rules[0], states[0], states[0].players[states[0].to_act])


@kernel
def take_hand(player, pool, count):
    """Put a hand into the pool and return the new number of cards in the pool."""
    for kind in range(KIND_LIMIT):
        for _ in range(np.int64(player.hand[kind])):
            pool[count] = kind
            count += 1
    return count


@kernel
def deal_hand(state, player, pool, count, size):
    """Draw a hand of this size uniformly (Fisher-Yates), and move its cards to the end of the pool."""
    for kind in range(KIND_LIMIT):
        player.hand[kind] = 0
    for last in range(count - 1, count - 1 - size, -1):
        other = random_below(state, last + 1)
        card = pool[other]
        pool[other] = pool[last]
        pool[last] = card
        player.hand[card] += 1


@kernel
def sort_pool(pool, count):
    """Sort the pool: the new deal then depends on its cards, not on where they lay."""
    counts = stack_array(KIND_LIMIT, np.uint8)
    for kind in range(KIND_LIMIT):
        counts[kind] = 0
    for i in range(count):
        counts[pool[i]] += 1
    laid = 0
    for kind in range(KIND_LIMIT):
        for _ in range(counts[kind]):
            pool[laid] = kind
            laid += 1


@kernel
def gather(rules, state, seat, pool, sizes):
    """Collect all cards that `seat` does not see, and return their number. sizes: uint8[seats], hand sizes."""
    count = 0
    for i in range(state.deck_count):
        pool[count] = state.deck[i]
        count += 1
    for other in range(rules.players):
        player = state.players[other]
        sizes[other] = total(player.hand)
        if other != seat:
            count = take_hand(player, pool, count)
            if player.bid != NO_CARD:
                pool[count] = player.bid
                count += 1
    if state.looked_at[0] != NO_CARD and not sees_cards(state, seat):
        pool[count] = state.looked_at[0]
        pool[count + 1] = state.looked_at[1]
        count += 2
    sort_pool(pool, count)
    return count


@kernel
def deal_fitting_hand(rules, state, asked, pool, count, size):
    """Draw a hand that fits the question that its owner faces."""
    player = state.players[asked]
    deal_hand(state, player, pool, count, size)
    while not could_be_asked(rules, state, player):
        deal_hand(state, player, pool, count, size)


@kernel
def lay_bid(state, player, pool, count):
    """Draw a new bid card for a player who has bid, and return the number of cards left."""
    if player.bid == NO_CARD:
        return count
    player.bid = draw_one(state, pool, count)
    return count - 1


@kernel
def deal_rest(state, seat, pool, count):
    """Draw the cards looked at, if `seat` does not see them; the rest of the pool becomes the deck."""
    if state.looked_at[0] != NO_CARD and not sees_cards(state, seat):
        for place in range(2):
            state.looked_at[place] = draw_one(state, pool, count)
            count -= 1
    state.deck_count = count
    for i in range(len(state.deck)):
        state.deck[i] = 0
    for i in range(state.deck_count):
        state.deck[i] = draw_one(state, pool, count)
        count -= 1


@kernel
def draw_one(state, pool, count):
    """Take a random card out of the pool."""
    other = random_below(state, count)
    card = pool[other]
    pool[other] = pool[count - 1]
    return card


@kernel
def observe_hidden(rules, state, seat, hidden):
    """Write the other hands, clockwise from `seat`, then the top cards of the deck, all by kind.

    hidden: uint8[players * kinds].
    """
    for i in range(len(hidden)):
        hidden[i] = 0
    kinds, players = np.int64(rules.kinds), np.int64(rules.players)
    for place in range(1, players):
        hand = state.players[clockwise(rules, seat, place)].hand
        for kind in range(kinds):
            hidden[(place - 1) * kinds + kind] = hand[kind]
    for i in range(max(np.int64(state.deck_count) - NEXT_CARDS, 0), state.deck_count):
        hidden[(players - 1) * kinds + state.deck[i]] += 1


@kernel
def resample_hidden(rules, state, seat, seed):
    """Deal again, from `seed`, all that `seat` cannot know. States that look the same to it become the same."""
    state.random = mix(np.uint64(seed))
    pool = stack_array(DECK_LIMIT, np.uint8)
    sizes = stack_array(8, np.uint8)
    count = gather(rules, state, seat, pool, sizes)
    asked = np.int64(state.to_act)
    if asked >= 0 and asked != seat:  # this hand has a condition to satisfy, so it is dealt first
        deal_fitting_hand(rules, state, asked, pool, count, np.int64(sizes[asked]))
        count -= np.int64(sizes[asked])
    for other in range(rules.players):
        if other != seat and other != asked:
            deal_hand(state, state.players[other], pool, count, np.int64(sizes[other]))
            count -= np.int64(sizes[other])
        if other != seat:
            count = lay_bid(state, state.players[other], pool, count)
    deal_rest(state, seat, pool, count)
