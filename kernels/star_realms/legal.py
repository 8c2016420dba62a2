"""Which actions are legal: from the pools and cards in the Main Phase, or from the decision on top of the stack."""

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.abilities import ally_usable, factions_in_play, primary_usable, scrap_usable
from stardeck.kernels.star_realms.combat import can_be_targeted, has_outpost, is_opponent
from stardeck.kernels.star_realms.decisions import top
from stardeck.kernels.star_realms.effects import can_be_made_to_discard, may_be_copied
from stardeck.kernels.star_realms.rules import Act, Kind
from stardeck.kernels.star_realms.state import NO_CARD, Decision, Zone

LARGEST_PIECE = 64  # an amount is added up from 1, 2, 4 … 64


@kernel
def mark_pile(rules, player, zone, act, legal):
    """Every card of a pile may be chosen."""
    for i in range(player.count[zone]):
        actionset.mark(legal, np.int64(rules.cards[player.cards[zone, i]].action[act]))


@kernel
def mark_in_play(rules, player, legal):
    """Abilities of cards in play. (Rulebook: Using Abilities)"""
    once, twice = factions_in_play(rules, player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        card = rules.cards[entry.card]
        if primary_usable(rules, entry):
            for option in range(card.options):
                actionset.mark(legal, card.action[Act.USE] + option)
        ally = ally_usable(rules, player, entry, once, twice)
        actionset.mark_if(legal, np.int64(card.action[Act.USE_ALLY]), ally)
        actionset.mark_if(legal, np.int64(card.action[Act.USE_SCRAP]), scrap_usable(rules, entry))


@kernel
def mark_purchase(rules, player, number, legal):
    """A card on offer that the trade pool can pay for. (Rulebook: Acquiring Cards)"""
    card = rules.cards[number]
    actionset.mark_if(legal, np.int64(card.action[Act.BUY]), card.cost <= player.trade)
    if player.next_ship_on_top > 0:
        to_deck = card.cost <= player.trade and card.kind == Kind.SHIP
        actionset.mark_if(legal, np.int64(card.action[Act.BUY_TO_DECK]), to_deck)


@kernel
def mark_purchases(rules, state, player, legal):
    """Cards of the trade row and the Explorer pile."""
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            mark_purchase(rules, player, np.int64(state.trade_row[place]), legal)
    if state.explorers > 0:
        mark_purchase(rules, player, np.int64(rules.explorer), legal)


@kernel
def mark_attacks(rules, state, seat, legal):
    """Players and bases that the combat pool can attack. (Rulebook: Attacking)"""
    combat = state.players[seat].combat
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if not is_opponent(state, seat, target):
            continue
        opponent = state.players[target]
        protected = has_outpost(rules, opponent)
        if not protected:
            actionset.mark(legal, rules.first[Act.ATTACK_PLAYER] + distance - 1)
            if combat > 1:
                actionset.mark(legal, rules.first[Act.ATTACK_PART] + distance - 1)
        for i in range(opponent.in_play_count):
            card = np.int64(opponent.in_play[i].card)
            if can_be_targeted(rules, protected, card) and rules.cards[card].defense <= combat:
                mark_base(rules, Act.ATTACK_BASE, distance, card, legal)


@kernel
def mark_base(rules, act, distance, card, legal):
    """A base of the player so many seats on."""
    actionset.mark(legal, rules.cards[card].action[act] + (distance - 1) * rules.base_kinds)


@kernel
def mark_bases_to_destroy(rules, state, seat, legal):
    """Opposing bases that an ability may destroy; outposts come first. (Rulebook: Bases)"""
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if is_opponent(state, seat, target):
            opponent = state.players[target]
            protected = has_outpost(rules, opponent)
            for i in range(opponent.in_play_count):
                card = np.int64(opponent.in_play[i].card)
                if can_be_targeted(rules, protected, card):
                    mark_base(rules, Act.DESTROY_BASE, distance, card, legal)


@kernel
def mark_trade_row(rules, state, act, legal):
    """Every card of the trade row may be chosen, as far as the action exists for it."""
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and rules.cards[card].action[act] >= 0:
            actionset.mark(legal, np.int64(rules.cards[card].action[act]))


@kernel
def mark_ships_to_copy(rules, player, legal):
    """Ships played this turn."""
    for card in range(rules.types):
        if may_be_copied(rules, player, card):
            actionset.mark(legal, np.int64(rules.cards[card].action[Act.COPY]))


@kernel
def mark_targets(rules, state, seat, legal):
    """Opponents who can be made to discard."""
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if is_opponent(state, seat, target) and can_be_made_to_discard(rules, state, target):
            actionset.mark(legal, rules.first[Act.TARGET] + distance - 1)


@kernel
def mark_amounts(rules, frame, legal):
    """Numbers that keep an attack below the whole pool; it is complete at any sum above 0."""
    piece = 1
    k = 0
    while piece <= LARGEST_PIECE:
        if frame.done + piece < frame.left:
            actionset.mark(legal, rules.first[Act.ADD] + k)
        piece *= 2
        k += 1
    if frame.done > 0:
        actionset.mark(legal, np.int64(rules.first[Act.DONE]))


@kernel
def legal_answers(rules, state, legal):
    """The answers to the decision on top of the stack."""
    frame = top(state)
    seat = np.int64(frame.seat)
    player = state.players[seat]
    decision = frame.decision
    if frame.optional:
        actionset.mark(legal, np.int64(rules.first[Act.DECLINE]))
    if decision == Decision.SCRAP_FROM_HAND or decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        mark_pile(rules, player, Zone.HAND, Act.SCRAP_FROM_HAND, legal)
        if decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
            mark_pile(rules, player, Zone.DISCARD_PILE, Act.SCRAP_FROM_DISCARD, legal)
    elif decision == Decision.DISCARD:
        mark_pile(rules, player, Zone.HAND, Act.DISCARD, legal)
    elif decision == Decision.OPTION:
        for option in range(rules.cards[frame.detail].options):
            actionset.mark(legal, rules.first[Act.CHOOSE] + rules.cards[frame.detail].word[option])
    elif decision == Decision.SCRAP_FROM_TRADE_ROW:
        mark_trade_row(rules, state, Act.SCRAP_FROM_TRADE_ROW, legal)
    elif decision == Decision.DESTROY_BASE:
        mark_bases_to_destroy(rules, state, seat, legal)
    elif decision == Decision.ACQUIRE:
        mark_trade_row(rules, state, Act.ACQUIRE, legal)
        if state.explorers > 0:
            actionset.mark(legal, np.int64(rules.cards[rules.explorer].action[Act.ACQUIRE]))
    elif decision == Decision.COPY:
        mark_ships_to_copy(rules, player, legal)
    elif decision == Decision.TARGET:
        mark_targets(rules, state, seat, legal)
    elif decision == Decision.AMOUNT:
        mark_amounts(rules, frame, legal)


@kernel
def legal_actions(rules, state, legal):
    """The set of legal actions of the seat to act; empty when the game is over. legal: uint64[words]."""
    actionset.clear(legal)
    if state.to_act < 0:
        return
    if state.stack_count > 0:
        legal_answers(rules, state, legal)
        return
    seat = np.int64(state.active)
    player = state.players[seat]
    actionset.mark(legal, np.int64(rules.first[Act.END_TURN]))
    mark_pile(rules, player, Zone.HAND, Act.PLAY, legal)
    mark_in_play(rules, player, legal)
    mark_purchases(rules, state, player, legal)
    if player.combat > 0:
        mark_attacks(rules, state, seat, legal)
