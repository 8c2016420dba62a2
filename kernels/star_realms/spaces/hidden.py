"""What is hidden from a seat, and its redealing.

Every player can track which cards a player owns: all are acquired, discarded and scrapped face up, and the hand is
shown at the end of every turn. Four things are hidden: the order of the decks; which of the unseen cards are in an
opponent's hand; face-down gambits; and cards dealt face down before a Boss. They are dealt again, each arrangement with
equal probability.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives.random import mix, shuffle
from stardeck.kernels.star_realms.play.board.teams import clockwise
from stardeck.kernels.star_realms.play.effects.gambits import claim_at_random
from stardeck.kernels.star_realms.spaces.observe import sees_hand
from stardeck.kernels.star_realms.state import PILE_LIMIT, ROW_SIZE, TYPE_LIMIT, Decision, Face, Zone


@kernel
def unknown_in_deck(player):
    """Count the cards of a deck whose order no player knows; they come first in the buffer."""
    return np.int64(player.count[Zone.DECK] - player.known_on_deck)


@kernel
def count_kinds(cards, first, end, counts):
    """Count the cards at places [first, end) by kind."""
    for i in range(first, end):
        counts[cards[i]] += 1


@kernel
def shuffle_kinds(state, counts, pool):
    """Lay out cards counted by kind, and shuffle them.

    A fixed starting order makes the new deal depend on the cards and not on their former places.
    """
    laid = 0
    for card in range(len(counts)):
        for _ in range(counts[card]):
            pool[laid] = card
            laid += 1
        counts[card] = 0
    shuffle(state, pool, laid)


@kernel
def redeal_unknown(state, player, in_hand, counts, pool):
    """Redeal the unknown cards; every order and every split between deck and hand has equal probability.

    in_hand: the number of unknown cards in the hand, which are its last; counts, pool: scratch arrays.
    """
    in_deck = unknown_in_deck(player)
    end = np.int64(player.count[Zone.DECK] + player.count[Zone.HAND])
    count_kinds(player.cards, 0, in_deck, counts)
    count_kinds(player.cards, end - in_hand, end, counts)
    shuffle_kinds(state, counts, pool)
    for i in range(in_deck):
        player.cards[i] = pool[i]
    for i in range(in_hand):
        player.cards[end - in_hand + i] = pool[in_deck + i]


@kernel
def clear_free_places(player):
    """Erase the cards left between hand and discard pile, which could reveal what was drawn."""
    for i in range(player.count[Zone.DECK] + player.count[Zone.HAND], PILE_LIMIT - player.count[Zone.DISCARD_PILE]):
        player.cards[i] = 0


@kernel
def resample_trade_deck(state, counts, pool):
    """Redeal the trade deck together with the unseen cards face down before the Boss."""
    unseen = np.int64(state.face_down_unseen)
    count = np.int64(state.trade_deck_count)
    count_kinds(state.trade_deck, 0, count, counts)
    count_kinds(state.face_down, 0, unseen, counts)
    shuffle_kinds(state, counts, pool)
    for i in range(count):
        state.trade_deck[i] = pool[i]
    for i in range(unseen):
        state.face_down[i] = pool[count + i]
    for i in range(count, len(state.trade_deck)):
        state.trade_deck[i] = 0


@kernel
def resample_gambits(rules, state, seat):
    """Redeal the face-down gambits of other players, and the gambits that another player is looking at."""
    own_look = False
    if state.stack_count > 0:
        frame = state.stack[state.stack_count - 1]
        own_look = frame.decision == Decision.KEEP and frame.seat == seat
    looked_at = 0
    for kind in range(rules.gambit_kinds):
        for other in range(rules.players):
            if other != seat:
                state.unclaimed_gambits[kind] += state.players[other].gambits[Face.HIDDEN, kind]
        if not own_look:
            looked_at += np.int64(state.looked_at[kind])
            state.unclaimed_gambits[kind] += state.looked_at[kind]
            state.looked_at[kind] = 0
    for _ in range(looked_at):
        claim_at_random(rules, state, state.looked_at)
    for other in range(rules.players):
        if other != seat:
            hidden = state.players[other].gambits[Face.HIDDEN]
            count = 0
            for kind in range(rules.gambit_kinds):
                count += np.int64(hidden[kind])
                hidden[kind] = 0
            for _ in range(count):
                claim_at_random(rules, state, hidden)


@kernel
def count_top(cards, size, most, counts):
    """Count the top cards of a deck by kind, as many as there are up to `most`; the top card is the last."""
    count_kinds(cards, max(size - most, 0), size, counts)


@kernel
def observe_hidden(rules, state, seat, hidden):
    """Write the other hands, the top cards of each player's deck, and those of the trade deck, all by kind.

    Of a player's deck they are as many as the player draws (rulebook: Draw Phase), of the trade deck as many as the
    trade row has. hidden: uint8[2 * players * kinds], players clockwise from `seat`.
    """
    for i in range(len(hidden)):
        hidden[i] = 0
    kinds, players = np.int64(rules.types), np.int64(rules.players)
    for place in range(players):
        other = clockwise(rules, seat, place)
        player = state.players[other]
        deck = np.int64(player.count[Zone.DECK])
        if place > 0:
            count_kinds(player.cards, deck, deck + player.count[Zone.HAND], hidden[(place - 1) * kinds :])
        count_top(player.cards, deck, np.int64(rules.hand_size[other]), hidden[(players - 1 + place) * kinds :])
    count_top(state.trade_deck, np.int64(state.trade_deck_count), ROW_SIZE, hidden[(2 * players - 1) * kinds :])


@kernel
def resample_hidden(rules, state, seat, seed):
    """Redeal from `seed` all that `seat` cannot know: opponents' hands, the decks, the random stream.

    Two states that look the same to `seat` become the same state under the same seed.
    """
    state.random = mix(np.uint64(seed))
    counts = stack_array(TYPE_LIMIT, np.uint8)
    pool = stack_array(PILE_LIMIT, np.uint8)  # larger than a trade deck
    counts = counts[: len(state.scrap_heap)]
    for card in range(len(counts)):
        counts[card] = 0
    for other in range(rules.players):
        player = state.players[other]
        unknown = np.int64(player.count[Zone.HAND] - player.known_in_hand)
        in_hand = 0 if sees_hand(rules, state, seat, other) else unknown
        redeal_unknown(state, player, in_hand, counts, pool)
        clear_free_places(player)
    resample_trade_deck(state, counts, pool)
    if rules.gambit_kinds:
        resample_gambits(rules, state, seat)


@kernel
def resample_weighted(rules, state, seat, seed, weights):
    """Call `resample_hidden`: hands are drawn, and players rarely choose what stays in one."""
    resample_hidden(rules, state, seat, seed)
