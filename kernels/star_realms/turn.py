"""The course of a turn: Main, Discard and Draw Phase, and whose turn is next (rulebook: Play).

`apply` is the verb: it carries out one action of the Main Phase, or an answer to the decision on top of the stack.
"""

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.abilities import (
    ability_card,
    find_ally,
    find_primary,
    find_scrap,
    latch_allies,
)
from stardeck.kernels.star_realms.answers import answer, open_part_attack
from stardeck.kernels.star_realms.combat import attack_base, attack_player
from stardeck.kernels.star_realms.decisions import pop, top
from stardeck.kernels.star_realms.effects import (
    ask_to_discard,
    count_as_played,
    pay_for_ships,
    resolve,
    resolve_primary,
)
from stardeck.kernels.star_realms.elimination import truncate
from stardeck.kernels.star_realms.legal import legal_answers
from stardeck.kernels.star_realms.rules import Act, Kind
from stardeck.kernels.star_realms.state import Decision, Used, Zone
from stardeck.kernels.star_realms.trade_row import buy, buy_to_deck
from stardeck.kernels.star_realms.zones import draw_cards, put, put_into_play, scrap, take_from_hand, take_out_of_play


@kernel
def play_card(rules, state, seat, card):
    """Play a card from the hand. (Rulebook: Playing Cards)"""
    player = state.players[seat]
    take_from_hand(player, card)
    put_into_play(player, card)
    count_as_played(rules, player, card)
    pay_for_ships(rules, player, card)
    if rules.cards[card].kind == Kind.SHIP:
        if rules.cards[card].copies == 0:
            player.ships_played[card >> 6] |= np.uint64(1) << np.uint64(card & 63)
        resolve_primary(rules, state, seat, card)


@kernel
def use_primary(rules, state, seat, card, option):
    """Use one side of the primary ability of a base. (Rulebook: Primary Base Abilities)"""
    player = state.players[seat]
    player.in_play[find_primary(rules, player, card)].used |= Used.PRIMARY
    ability = rules.cards[card].primary[option]
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def use_ally(rules, state, seat, card):
    """Use the ally ability of a card in play. (Rulebook: Ally Abilities)"""
    player = state.players[seat]
    entry = player.in_play[find_ally(rules, player, card)]
    entry.used |= Used.ALLY
    ability = rules.cards[ability_card(entry)].ally
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def use_scrap(rules, state, seat, card):
    """Scrap a card in play for its scrap ability. (Rulebook: Scrap Abilities)"""
    player = state.players[seat]
    place = find_scrap(rules, player, card)
    ability = rules.cards[ability_card(player.in_play[place])].scrap
    latch_allies(rules, player)
    scrap(rules, state, take_out_of_play(player, place))
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def discard_phase(rules, player):
    """Pools are lost, ships and hand go to the discard pile, bases stay. (Rulebook: Discard Phase)"""
    player.trade = 0
    player.combat = 0
    bases = 0
    for i in range(player.in_play_count):
        card = np.int64(player.in_play[i].card)
        if rules.cards[card].kind == Kind.SHIP:
            put(player, Zone.DISCARD_PILE, card)
        else:
            player.in_play[bases] = player.in_play[i]
            player.in_play[bases].used = 0
            bases += 1
    player.in_play_count = bases
    for i in range(player.count[Zone.HAND]):
        put(player, Zone.DISCARD_PILE, np.int64(player.cards[Zone.HAND, i]))
    player.count[Zone.HAND] = 0
    player.known_in_hand = 0


@kernel
def forget_the_turn(player):
    """What was counted for this turn only expires."""
    player.next_ship_on_top = 0
    player.latched = 0
    for word in range(len(player.ships_played)):
        player.ships_played[word] = np.uint64(0)
    for faction in range(len(player.played)):
        player.played[faction] = 0


@kernel
def next_seat(rules, state):
    """The next player clockwise who is still in the game."""
    seat = (state.active + 1) % rules.players
    while state.players[seat].authority <= 0:
        seat = (seat + 1) % rules.players
    return seat


@kernel
def begin_turn(rules, state, seat):
    """A player's turn begins; discards put off to it are paid first. (Facts: Forced discards)"""
    state.active = seat
    state.to_act = seat
    state.turn += 1
    owed = np.int64(state.players[seat].discards_owed)
    state.players[seat].discards_owed = 0
    if owed > 0:
        ask_to_discard(state, seat, seat, owed, 0, 0)


@kernel
def end_turn(rules, state, seat):
    """Discard Phase and Draw Phase, then the next player's turn."""
    player = state.players[seat]
    discard_phase(rules, player)
    forget_the_turn(player)
    draw_cards(state, player, rules.hand_size)
    if state.turn >= rules.max_turns:
        truncate(rules, state)
    else:
        begin_turn(rules, state, next_seat(rules, state))


@kernel
def act(rules, state, row):
    """One action of the Main Phase. (Rulebook: Main Phase)"""
    seat = np.int64(state.active)
    player = state.players[seat]
    kind = row.act
    card = np.int64(row.card)
    detail = np.int64(row.detail)
    if kind == Act.PLAY:
        play_card(rules, state, seat, card)
    elif kind == Act.BUY:
        buy(rules, state, player, card)
    elif kind == Act.USE:
        use_primary(rules, state, seat, card, detail)
    elif kind == Act.USE_ALLY:
        use_ally(rules, state, seat, card)
    elif kind == Act.USE_SCRAP:
        use_scrap(rules, state, seat, card)
    elif kind == Act.ATTACK_PLAYER:
        attack_player(rules, state, seat, (seat + detail) % rules.players, np.int64(player.combat))
    elif kind == Act.ATTACK_BASE:
        attack_base(rules, state, seat, (seat + detail) % rules.players, card)
    elif kind == Act.END_TURN:
        end_turn(rules, state, seat)
    elif kind == Act.BUY_TO_DECK:
        buy_to_deck(rules, state, player, card)
    else:
        open_part_attack(state, seat, (seat + detail) % rules.players)


@kernel
def settle(rules, state):
    """Go on until something must be asked that has two answers or more.

    Effects left over from an interrupted ability are carried out; what leaves no choice is not asked. (Ruling)
    """
    while state.stack_count > 0:
        frame = top(state)
        if frame.decision == Decision.REST:
            pop(state)
            resolve(rules, state, np.int64(frame.owner), np.int64(frame.rest), np.int64(frame.end))
            continue
        if frame.optional:
            return
        legal = np.zeros((rules.num_actions + 63) >> 6, np.uint64)
        legal_answers(rules, state, legal)
        if actionset.size(legal) != 1:
            return
        answer(rules, state, rules.actions[actionset.member(legal, 0)])


@kernel
def apply(rules, state, action):
    """Apply a legal action, in place."""
    state.decisions += 1
    row = rules.actions[action]
    if state.stack_count == 0:
        act(rules, state, row)
    else:
        answer(rules, state, row)
    settle(rules, state)
