"""The simple player of Star Realms: plays everything, uses everything, buys at random, attacks with everything.

Other simulators call this policy random. It never looks ahead and never compares two cards. Among several opponents it
attacks a random one.
"""

import numpy as np

from stardeck.agents.random_legal import random_legal
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import below
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.scenes import against_boss
from stardeck.kernels.star_realms.play.board.teams import clockwise, may_attack, may_attack_bases
from stardeck.kernels.star_realms.play.board.trade_row import price
from stardeck.kernels.star_realms.play.board.zones import first_of
from stardeck.kernels.star_realms.play.effects.abilities import factions_in_play, usable_abilities
from stardeck.kernels.star_realms.play.effects.combat import can_be_targeted, is_base, is_protected
from stardeck.kernels.star_realms.play.effects.raid import defense_left
from stardeck.kernels.star_realms.rules import NO_ACTION, Act
from stardeck.kernels.star_realms.state import NO_CARD, Ability, Face, Zone


@kernel
def use_something(rules, state, player, agent):
    """Use an ability of a card in play, or return NO_ACTION. The side of an "or" is random."""
    once, twice = factions_in_play(player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        usable = usable_abilities(rules, state, player, entry, once, twice)
        if usable:
            card = face(rules, state, np.int64(entry.card))
            if usable & Ability.PRIMARY:
                return card.action[Act.USE] + below(agent.random, card.options)
            if usable & Ability.ALLY:
                return np.int64(card.action[Act.USE_ALLY])
            if usable & Ability.SECOND_ALLY:
                return card.action[Act.USE_ALLY] + 1
            return np.int64(card.action[Act.USE_SCRAP])
    return NO_ACTION


@kernel
def buy_something(rules, state, player, agent):
    """Buy a uniformly random card among those that the trade pool can pay for, or return NO_ACTION."""
    explorer = state.explorers > 0 and face(rules, state, np.int64(rules.explorer)).cost <= player.trade
    offers = np.int64(explorer)
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and price(rules, state, player, np.int64(card)) <= player.trade:
            offers += 1
    if offers == 0:
        return NO_ACTION
    chosen = below(agent.random, offers)
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and price(rules, state, player, np.int64(card)) <= player.trade:
            if chosen == 0:
                return np.int64(face(rules, state, np.int64(card)).action[Act.BUY])
            chosen -= 1
    return np.int64(face(rules, state, np.int64(rules.explorer)).action[Act.BUY])


@kernel
def attack_one(rules, state, seat, distance):
    """Attack the player `distance` seats on with all combat, or an outpost in the way; else NO_ACTION."""
    combat = state.players[seat].combat
    target = clockwise(rules, seat, distance)
    protected = is_protected(rules, state, target)
    if not protected and may_attack(rules, state, seat, target):
        return np.int64(rules.first[Act.ATTACK_PLAYER] + distance - 1)
    if not may_attack_bases(rules, state, seat, target):
        return NO_ACTION
    opponent = state.players[target]
    for i in range(opponent.in_play_count):
        card = np.int64(opponent.in_play[i].card)
        if not can_be_targeted(rules, state, protected, card):
            continue
        if defense_left(rules, state, opponent.in_play[i]) <= combat:
            return face(rules, state, card).action[Act.ATTACK_BASE] + (distance - 1) * rules.base_kinds
        if target == rules.lasting_damage_seat and is_base(rules, state, card):
            return np.int64(face(rules, state, card).action[Act.DAMAGE_BASE])
    return NO_ACTION


@kernel
def attack_something(rules, state, seat, agent):
    """Attack a random opponent within reach, or the Boss; else NO_ACTION."""
    if against_boss(rules, state):
        return np.int64(rules.first[Act.ATTACK_BOSS])
    others = rules.players - 1
    distance = 1 + (below(agent.random, others) if others > 1 else 0)
    for _ in range(others):
        action = attack_one(rules, state, seat, distance)
        if action != NO_ACTION:
            return action
        distance = distance + 1 if distance < others else 1
    return NO_ACTION


@kernel
def play_gambits(rules, player):
    """Reveal every gambit and use every usable one, or return NO_ACTION."""
    for kind in range(rules.gambit_kinds):
        if player.gambits[Face.HIDDEN, kind] > 0:
            return np.int64(rules.gambits[kind].action[Act.REVEAL])
        if player.gambits[Face.REVEALED, kind] > 0 and rules.gambits[kind].action[Act.USE_GAMBIT] >= 0:
            return np.int64(rules.gambits[kind].action[Act.USE_GAMBIT])
    return NO_ACTION


@kernel
def simple_player(rules, state, agent):
    """Play, use, buy, attack, end the turn; answer decisions at random."""
    if state.stack_count > 0:
        return random_legal(rules, state, agent)
    seat = np.int64(state.active)
    player = state.players[seat]
    if player.count[Zone.HAND] > 0:
        card = np.int64(player.cards[first_of(player, Zone.HAND) + player.count[Zone.HAND] - 1])
        return np.int64(face(rules, state, card).action[Act.PLAY])
    action = use_something(rules, state, player, agent)
    if action == NO_ACTION and rules.gambit_kinds > 0:
        action = play_gambits(rules, player)
    if action == NO_ACTION and player.trade > 0:
        action = buy_something(rules, state, player, agent)
    if action == NO_ACTION and player.combat > 0:
        action = attack_something(rules, state, seat, agent)
    return np.int64(rules.first[Act.END_TURN]) if action == NO_ACTION else action
