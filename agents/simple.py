"""The simple player of Star Realms: plays everything, uses everything, buys at random, attacks with everything.

Other simulators call this policy random. It never looks ahead and never compares two cards.
"""

import numpy as np

from stardeck.agents.random_legal import random_legal
from stardeck.kernels.jit import kernel
from stardeck.kernels.random import below
from stardeck.kernels.star_realms.abilities import ally_usable, factions_in_play, primary_usable, scrap_usable
from stardeck.kernels.star_realms.combat import has_outpost, is_opponent
from stardeck.kernels.star_realms.rules import NO_ACTION, Act, Kind
from stardeck.kernels.star_realms.state import NO_CARD, Zone


@kernel
def use_something(rules, state, player, agent):
    """An ability of a card in play that can be used, or NO_ACTION. The side of an "or" is drawn."""
    once, twice = factions_in_play(rules, player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        card = rules.cards[entry.card]
        if primary_usable(rules, entry):
            return card.action[Act.USE] + below(agent.random, card.options)
        if ally_usable(rules, player, entry, once, twice):
            return np.int64(card.action[Act.USE_ALLY])
        if scrap_usable(rules, entry):
            return np.int64(card.action[Act.USE_SCRAP])
    return NO_ACTION


@kernel
def buy_something(rules, state, player, agent):
    """One of the cards that the trade pool can pay for, each as likely, or NO_ACTION."""
    explorer = state.explorers > 0 and rules.cards[rules.explorer].cost <= player.trade
    offers = np.int64(explorer)
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and rules.cards[card].cost <= player.trade:
            offers += 1
    if offers == 0:
        return NO_ACTION
    chosen = below(agent.random, offers)
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and rules.cards[card].cost <= player.trade:
            if chosen == 0:
                return np.int64(rules.cards[card].action[Act.BUY])
            chosen -= 1
    return np.int64(rules.cards[rules.explorer].action[Act.BUY])


@kernel
def attack_something(rules, state, seat):
    """The first opponent who can be attacked, or an outpost that can be destroyed, or NO_ACTION."""
    combat = state.players[seat].combat
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if not is_opponent(state, seat, target):
            continue
        opponent = state.players[target]
        if not has_outpost(rules, opponent):
            return np.int64(rules.first[Act.ATTACK_PLAYER] + distance - 1)
        for i in range(opponent.in_play_count):
            card = rules.cards[opponent.in_play[i].card]
            if card.kind == Kind.OUTPOST and card.defense <= combat:
                return card.action[Act.ATTACK_BASE] + (distance - 1) * rules.base_kinds
    return NO_ACTION


@kernel
def simple(rules, state, agent):
    """Play, use, buy, attack, end the turn; what is asked is answered at random."""
    if state.stack_count > 0:
        return random_legal(rules, state, agent)
    seat = np.int64(state.active)
    player = state.players[seat]
    if player.count[Zone.HAND] > 0:
        card = player.cards[Zone.HAND, player.count[Zone.HAND] - 1]
        return np.int64(rules.cards[card].action[Act.PLAY])
    action = use_something(rules, state, player, agent)
    if action == NO_ACTION and player.trade > 0:
        action = buy_something(rules, state, player, agent)
    if action == NO_ACTION and player.combat > 0:
        action = attack_something(rules, state, seat)
    return np.int64(rules.first[Act.END_TURN]) if action == NO_ACTION else action
