"""Legal actions: those of the Main Phase (rulebook: Main Phase), or answers to the decision on top of the stack."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives import action_set
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.play.board.scenes import against_blob
from stardeck.kernels.star_realms.play.board.teams import (
    can_pass_cards,
    can_take_over,
    clockwise,
    may_attack,
    may_attack_bases,
    may_pass_cards,
)
from stardeck.kernels.star_realms.play.board.trade_row import price
from stardeck.kernels.star_realms.play.effects.abilities import factions_in_play, usable_abilities
from stardeck.kernels.star_realms.play.effects.combat import can_be_targeted, is_protected
from stardeck.kernels.star_realms.play.effects.questions import legal_answers, mark_base, mark_gambits, mark_pile
from stardeck.kernels.star_realms.play.effects.raid import defense_left
from stardeck.kernels.star_realms.rules import Act, Kind
from stardeck.kernels.star_realms.state import NO_CARD, Ability, Face, Part, Zone


@kernel
def mark_in_play(rules, state, player, legal):
    """Mark the usable abilities of cards in play (rulebook: Using Abilities)."""
    once, twice = factions_in_play(player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        usable = usable_abilities(rules, state, player, entry, once, twice)
        if usable:
            card = face(rules, state, np.int64(entry.card))
            if usable & Ability.PRIMARY:
                for option in range(card.options):
                    action_set.mark(legal, card.action[Act.USE] + option)
            action_set.mark_if(legal, np.int64(card.action[Act.USE_ALLY]), usable & Ability.ALLY != 0)
            if is_large(state) and usable & Ability.SECOND_ALLY:
                action_set.mark(legal, card.action[Act.USE_ALLY] + 1)
            action_set.mark_if(legal, np.int64(card.action[Act.USE_SCRAP]), usable & Ability.SCRAP != 0)


@kernel
def mark_purchase(rules, state, player, number, legal):
    """Mark the purchase of a card on offer if the trade pool can pay for it (rulebook: Acquiring Cards)."""
    card = face(rules, state, number)
    affordable = price(rules, state, player, number) <= player.trade
    action_set.mark_if(legal, np.int64(card.action[Act.BUY]), affordable)
    if player.next_ship_on_top > 0:
        to_deck = affordable and card.kind == Kind.SHIP
        action_set.mark_if(legal, np.int64(card.action[Act.BUY_TO_DECK]), to_deck)


@kernel
def mark_purchases(rules, state, player, legal):
    """Mark the purchases from the trade row and the Explorer pile."""
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            mark_purchase(rules, state, player, np.int64(state.trade_row[place]), legal)
    if state.explorers > 0:
        mark_purchase(rules, state, player, np.int64(rules.explorer), legal)


@kernel
def mark_attacks(rules, state, seat, legal):
    """Mark the players and bases that the combat pool can attack (rulebook: Attacking)."""
    combat = state.players[seat].combat
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if not may_attack_bases(rules, state, seat, target):
            continue
        protected = is_protected(rules, state, target)
        if not protected and may_attack(rules, state, seat, target):
            action_set.mark(legal, rules.first[Act.ATTACK_PLAYER] + distance - 1)
            if combat > 1:
                action_set.mark(legal, rules.first[Act.ATTACK_PART] + distance - 1)
        opponent = state.players[target]
        for i in range(opponent.in_play_count):
            entry = opponent.in_play[i]
            card = np.int64(entry.card)
            if can_be_targeted(rules, state, protected, card):
                missing = defense_left(rules, state, entry)
                if missing <= combat:
                    mark_base(rules, state, Act.ATTACK_BASE, distance, card, legal)
                if target == rules.lasting_damage_seat and missing > 1:
                    action_set.mark(legal, np.int64(face(rules, state, card).action[Act.DAMAGE_BASE]))


@kernel
def mark_attacks_on_boss(rules, player, legal):
    """Mark the attacks on an automated Boss, which are always allowed (rulebook: Challenge Cards)."""
    action_set.mark(legal, np.int64(rules.first[Act.ATTACK_BOSS]))
    if player.combat > 1:
        action_set.mark(legal, np.int64(rules.first[Act.ATTACK_BOSS_PART]))


@kernel
def mark_teammates(rules, state, seat, legal):
    """Mark passing the move, and giving trade and combat, in a shared turn (rulebook: Hydra)."""
    player = state.players[seat]
    for distance in range(1, rules.players):
        if can_take_over(rules, state, seat, clockwise(rules, seat, distance)):
            place = np.int64(rules.mate_place[distance])
            action_set.mark_if(legal, rules.first[Act.YIELD] + place, player.finished == Part.OPEN)
            action_set.mark_if(legal, rules.first[Act.GIVE_TRADE] + place, player.trade > 0)
            action_set.mark_if(legal, rules.first[Act.GIVE_TRADE_PART] + place, player.trade > 1)
            action_set.mark_if(legal, rules.first[Act.GIVE_COMBAT] + place, player.combat > 0)
            action_set.mark_if(legal, rules.first[Act.GIVE_COMBAT_PART] + place, player.combat > 1)


@kernel
def mark_passes(rules, state, seat, legal):
    """Mark the discarded cards that can be passed to a neighbouring teammate (rulebook: Emperor)."""
    player = state.players[seat]
    if not can_pass_cards(rules, player):
        return
    for place in range(2):
        distance = 1 if place == 0 else rules.players - 1
        if may_pass_cards(rules, state, seat, clockwise(rules, seat, distance)):
            mark_pile(rules, player, Zone.DISCARD_PILE, Act.PASS, place * rules.types, legal)


@kernel
def mark_more(rules, state, seat, legal):
    """Mark the Main Phase actions that only some formats allow."""
    player = state.players[seat]
    if rules.challenge:
        if player.combat > 0:
            mark_attacks_on_boss(rules, player, legal)
        if state.mulligan_used == 0:
            action_set.mark(legal, np.int64(rules.first[Act.MULLIGAN]))
    if against_blob(rules, state) and player.combat > 0:
        mark_attacks_on_boss(rules, player, legal)
    if rules.shared_turn:
        mark_teammates(rules, state, seat, legal)
    if rules.pass_card_cost:
        mark_passes(rules, state, seat, legal)
    if rules.gambit_kinds:
        mark_gambits(rules, player, Act.REVEAL, Face.HIDDEN, legal)
        mark_gambits(rules, player, Act.USE_GAMBIT, Face.REVEALED, legal)


@kernel
def main_phase(rules, state, legal):
    """Mark all Main Phase actions, which players may take in any order and number (rulebook: Main Phase)."""
    seat = np.int64(state.active)
    player = state.players[seat]
    action_set.mark(legal, np.int64(rules.first[Act.END_TURN]))
    mark_pile(rules, player, Zone.HAND, Act.PLAY, 0, legal)
    mark_in_play(rules, state, player, legal)
    mark_purchases(rules, state, player, legal)
    if player.combat > 0:
        mark_attacks(rules, state, seat, legal)
    if rules.more_to_do:
        mark_more(rules, state, seat, legal)


@kernel
def legal_actions(rules, state, legal):
    """Compute the set of legal actions of the seat to act; empty when the game is over. legal: uint64[words]."""
    action_set.clear(legal)
    if state.to_act < 0:
        return
    if state.stack_count > 0:
        legal_answers(rules, state, legal)
    else:
        main_phase(rules, state, legal)
