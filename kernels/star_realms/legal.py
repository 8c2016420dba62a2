"""Which actions are legal: from the pools and cards in the Main Phase, or from the decision on top of the stack."""

import numpy as np

from stardeck.kernels import actionset
from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.abilities import factions_in_play, usable_abilities
from stardeck.kernels.star_realms.combat import can_be_targeted, is_protected
from stardeck.kernels.star_realms.decisions import top
from stardeck.kernels.star_realms.effects import can_be_made_to_discard, may_be_copied
from stardeck.kernels.star_realms.faces import face, is_large
from stardeck.kernels.star_realms.gambits import unclaimed
from stardeck.kernels.star_realms.raid import defense_left
from stardeck.kernels.star_realms.rules import Act, Kind
from stardeck.kernels.star_realms.state import NO_CARD, STICKERS, Ability, Decision, Face, Part, Zone
from stardeck.kernels.star_realms.teams import (
    can_pass_cards,
    can_take_over,
    clockwise,
    may_attack,
    may_attack_bases,
    may_pass_cards,
)
from stardeck.kernels.star_realms.trade_row import is_ship_up_to, may_be_acquired, price
from stardeck.kernels.star_realms.upgrades import has_plain_copy, sticker_fits, stickers_at_hand
from stardeck.kernels.star_realms.zones import first_of, size_of

LARGEST_PIECE = 64  # an amount is added up from 1, 2, 4 … 64


@kernel
def mark_pile(rules, player, zone, act, shift, legal):
    """Every card of a pile may be chosen; from `shift` on, the block of `act` has every card, in order."""
    first = first_of(player, zone)
    begin = np.int64(rules.first[act] + shift)
    words = len(player.ships_played)  # known to the compiler: 64 kinds of cards each
    for word in range(words):
        kinds = np.uint64(0)
        for i in range(first, first + size_of(player, zone)):
            if words == 1 or player.cards[i] >> 6 == word:
                kinds |= actionset.ONE << np.uint64(player.cards[i] & 63)
        actionset.mark_all(legal, begin + 64 * word, kinds)


@kernel
def mark_in_play(rules, state, player, legal):
    """Abilities of cards in play. (Rulebook: Using Abilities)"""
    once, twice = factions_in_play(player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        usable = usable_abilities(rules, state, player, entry, once, twice)
        if usable:
            card = face(rules, state, np.int64(entry.card))
            if usable & Ability.PRIMARY:
                for option in range(card.options):
                    actionset.mark(legal, card.action[Act.USE] + option)
            actionset.mark_if(legal, np.int64(card.action[Act.USE_ALLY]), usable & Ability.ALLY != 0)
            if is_large(state) and usable & Ability.SECOND_ALLY:
                actionset.mark(legal, card.action[Act.USE_ALLY] + 1)
            actionset.mark_if(legal, np.int64(card.action[Act.USE_SCRAP]), usable & Ability.SCRAP != 0)


@kernel
def mark_purchase(rules, state, player, number, legal):
    """A card on offer that the trade pool can pay for. (Rulebook: Acquiring Cards)"""
    card = face(rules, state, number)
    affordable = price(rules, state, player, number) <= player.trade
    actionset.mark_if(legal, np.int64(card.action[Act.BUY]), affordable)
    if player.next_ship_on_top > 0:
        to_deck = affordable and card.kind == Kind.SHIP
        actionset.mark_if(legal, np.int64(card.action[Act.BUY_TO_DECK]), to_deck)


@kernel
def mark_purchases(rules, state, player, legal):
    """Cards of the trade row and the Explorer pile."""
    for place in range(len(state.trade_row)):
        if state.trade_row[place] != NO_CARD:
            mark_purchase(rules, state, player, np.int64(state.trade_row[place]), legal)
    if state.explorers > 0:
        mark_purchase(rules, state, player, np.int64(rules.explorer), legal)


@kernel
def mark_attacks(rules, state, seat, legal):
    """Players and bases that the combat pool can attack. (Rulebook: Attacking)"""
    combat = state.players[seat].combat
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if not may_attack_bases(rules, state, seat, target):
            continue
        protected = is_protected(rules, state, target)
        if not protected and may_attack(rules, state, seat, target):
            actionset.mark(legal, rules.first[Act.ATTACK_PLAYER] + distance - 1)
            if combat > 1:
                actionset.mark(legal, rules.first[Act.ATTACK_PART] + distance - 1)
        opponent = state.players[target]
        for i in range(opponent.in_play_count):
            entry = opponent.in_play[i]
            card = np.int64(entry.card)
            if can_be_targeted(rules, state, protected, card):
                missing = defense_left(rules, state, entry)
                if missing <= combat:
                    mark_base(rules, state, Act.ATTACK_BASE, distance, card, legal)
                if target == rules.lasting_damage_seat and missing > 1:
                    actionset.mark(legal, np.int64(face(rules, state, card).action[Act.DAMAGE_BASE]))


@kernel
def mark_attacks_on_boss(rules, player, legal):
    """An automated Boss can always be attacked. (Rulebook: Challenge Cards)"""
    actionset.mark(legal, np.int64(rules.first[Act.ATTACK_BOSS]))
    if player.combat > 1:
        actionset.mark(legal, np.int64(rules.first[Act.ATTACK_BOSS_PART]))


@kernel
def mark_teammates(rules, state, seat, legal):
    """Handing over the move, and giving trade and combat, in a shared turn. (Rulebook: Hydra)"""
    player = state.players[seat]
    for distance in range(1, rules.players):
        if can_take_over(rules, state, seat, clockwise(rules, seat, distance)):
            place = np.int64(rules.mate_place[distance])
            actionset.mark_if(legal, rules.first[Act.YIELD] + place, player.finished == Part.OPEN)
            actionset.mark_if(legal, rules.first[Act.GIVE_TRADE] + place, player.trade > 0)
            actionset.mark_if(legal, rules.first[Act.GIVE_TRADE_PART] + place, player.trade > 1)
            actionset.mark_if(legal, rules.first[Act.GIVE_COMBAT] + place, player.combat > 0)
            actionset.mark_if(legal, rules.first[Act.GIVE_COMBAT_PART] + place, player.combat > 1)


@kernel
def mark_passes(rules, state, seat, legal):
    """Discarded cards that can be passed to a neighbouring teammate. (Rulebook: Emperor)"""
    player = state.players[seat]
    if not can_pass_cards(rules, player):
        return
    for place in range(2):
        distance = 1 if place == 0 else rules.players - 1
        if may_pass_cards(rules, state, seat, clockwise(rules, seat, distance)):
            mark_pile(rules, player, Zone.DISCARD_PILE, Act.PASS, place * rules.types, legal)


@kernel
def mark_gambits(rules, player, act, way_up, legal):
    """Gambits that lie this way up; one without a scrap ability cannot be used."""
    for kind in range(rules.gambit_kinds):
        gambit = rules.gambits[kind]
        if player.gambits[way_up, kind] > 0 and gambit.action[act] >= 0:
            actionset.mark(legal, np.int64(gambit.action[act]))


@kernel
def mark_base(rules, state, act, distance, card, legal):
    """A base of the player so many seats on."""
    actionset.mark(legal, face(rules, state, card).action[act] + (distance - 1) * rules.base_kinds)


@kernel
def mark_bases_to_destroy(rules, state, seat, legal):
    """Opposing bases that an ability may destroy; outposts come first. (Rulebook: Bases)"""
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if may_attack_bases(rules, state, seat, target):
            opponent = state.players[target]
            protected = is_protected(rules, state, target)
            for i in range(opponent.in_play_count):
                card = np.int64(opponent.in_play[i].card)
                if can_be_targeted(rules, state, protected, card):
                    mark_base(rules, state, Act.DESTROY_BASE, distance, card, legal)


@kernel
def mark_trade_row(rules, state, act, legal):
    """Every card of the trade row may be chosen, as far as the action exists for it."""
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD:
            actionset.mark(legal, np.int64(face(rules, state, np.int64(card)).action[act]))


@kernel
def mark_ships_to_acquire(rules, state, legal):
    """Ships on offer, whatever they cost. (Blob Carrier)"""
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and face(rules, state, np.int64(card)).kind == Kind.SHIP:
            actionset.mark(legal, np.int64(face(rules, state, np.int64(card)).action[Act.ACQUIRE]))
    if state.explorers > 0:
        actionset.mark(legal, np.int64(rules.cards[rules.explorer].action[Act.ACQUIRE]))


@kernel
def mark_acquisition(rules, state, player, card, most, legal):
    """A card of at most this cost, on top of the deck where an effect for the next ship offers it. (Smuggling Run)"""
    if may_be_acquired(rules, state, card, most):
        shown = face(rules, state, card)
        actionset.mark(legal, np.int64(shown.action[Act.ACQUIRE]))
        if player.next_ship_on_top > 0 and shown.kind == Kind.SHIP:
            actionset.mark(legal, np.int64(shown.action[Act.ACQUIRE_TO_DECK]))


@kernel
def mark_acquisitions(rules, state, player, most, legal):
    """Cards on offer of at most this cost."""
    for place in range(len(state.trade_row)):
        mark_acquisition(rules, state, player, np.int64(state.trade_row[place]), most, legal)
    if state.explorers > 0:
        mark_acquisition(rules, state, player, np.int64(rules.explorer), most, legal)


@kernel
def mark_ships_of_row(rules, state, most, legal):
    """Ships of the trade row of at most this cost. (Monopoly Carrier)"""
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if is_ship_up_to(rules, state, card, most):
            actionset.mark(legal, np.int64(face(rules, state, card).action[Act.ACQUIRE]))


@kernel
def mark_stickers(rules, state, seat, card, legal):
    """Stickers that fit the card just acquired. (Rulebook: Ability Upgrade Stickers)"""
    for sticker in range(stickers_at_hand(state)):
        if sticker_fits(rules, state, np.int64(rules.seat_side[seat]), sticker, card):
            actionset.mark(legal, rules.first[Act.UPGRADE] + sticker)


@kernel
def mark_fill_up(rules, state, side, legal):
    """Every card of the trade deck with every sticker that fits. (Rulebook: After the Campaign)"""
    for card in range(rules.slots_from):
        if has_plain_copy(rules, state, card):
            for sticker in range(STICKERS):
                if sticker_fits(rules, state, side, sticker, card):
                    actionset.mark(legal, np.int64(rules.fill_up[card, sticker]))


@kernel
def mark_ships_to_copy(rules, state, player, legal):
    """Ships played this turn."""
    for card in range(rules.types):
        if may_be_copied(rules, state, player, card):
            actionset.mark(legal, np.int64(face(rules, state, card).action[Act.COPY]))


@kernel
def mark_targets(rules, state, seat, legal):
    """Opponents who can be made to discard."""
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if may_attack(rules, state, seat, target) and can_be_made_to_discard(rules, state, target):
            actionset.mark(legal, rules.first[Act.TARGET] + distance - 1)


@kernel
def mark_amounts(rules, frame, legal):
    """Numbers that keep the sum below its limit; the amount is complete at any sum above 0."""
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
def mark_factions(rules, legal):
    """Factions that a Merc Cruiser can have."""
    for faction in range(rules.factions):
        actionset.mark(legal, rules.first[Act.CHOOSE] + rules.faction_words[faction])


@kernel
def mark_boss_factions(rules, bits, legal):
    """Factions of which the Boss can gain the ability."""
    for ability in range(rules.boss_abilities_count):
        chosen = (bits >> ability) & 1 != 0
        actionset.mark_if(legal, np.int64(rules.first[Act.CHOOSE] + rules.boss_words[ability]), chosen)


@kernel
def mark_payments(rules, state, player, legal):
    """Trade that buys a look at as many of the unclaimed gambits."""
    for amount in range(min(np.int64(player.trade), unclaimed(rules, state)) + 1):
        actionset.mark(legal, rules.first[Act.PAY] + amount)


@kernel
def mark_looked_at(rules, state, legal):
    """Gambits of which one may be kept."""
    for kind in range(rules.gambit_kinds):
        if state.looked_at[kind] > 0:
            actionset.mark(legal, np.int64(rules.gambits[kind].action[Act.KEEP]))


@kernel
def legal_choices_of_format(rules, state, frame, player, legal):
    """The answers to decisions that only some formats, sets or gambits ask for."""
    decision = frame.decision
    if decision == Decision.FACTION:
        mark_factions(rules, legal)
    elif decision == Decision.BOSS_FACTION:
        mark_boss_factions(rules, frame.detail, legal)
    elif decision == Decision.LEAVE:
        mark_pile(rules, player, Zone.DISCARD_PILE, Act.LEAVE, 0, legal)
    elif decision == Decision.REVEAL:
        mark_gambits(rules, player, Act.REVEAL, Face.HIDDEN, legal)
    elif decision == Decision.PUT_ON_DECK:
        mark_pile(rules, player, Zone.DISCARD_PILE, Act.PUT_ON_DECK, 0, legal)
    elif decision == Decision.ACQUIRE_UP_TO:
        mark_acquisitions(rules, state, player, frame.detail, legal)
    elif decision == Decision.PAY:
        mark_payments(rules, state, player, legal)
    elif decision == Decision.KEEP:
        mark_looked_at(rules, state, legal)
    elif decision == Decision.DRAW:
        actionset.mark(legal, np.int64(rules.first[Act.DRAW]))
    elif decision == Decision.ACQUIRE_FROM_ROW:
        mark_ships_of_row(rules, state, np.int64(frame.detail), legal)
    elif decision == Decision.UPGRADE:
        mark_stickers(rules, state, np.int64(frame.seat), np.int64(frame.detail), legal)
    elif decision == Decision.MODIFIER:
        actionset.mark(legal, np.int64(rules.first[Act.MODIFIER]))
        actionset.mark(legal, np.int64(rules.first[Act.MODIFIER]) + 1)
    elif decision == Decision.FILL_UP:
        mark_fill_up(rules, state, np.int64(frame.seat), legal)


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
        mark_pile(rules, player, Zone.HAND, Act.SCRAP_FROM_HAND, 0, legal)
        if decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
            mark_pile(rules, player, Zone.DISCARD_PILE, Act.SCRAP_FROM_DISCARD, 0, legal)
    elif decision == Decision.DISCARD:
        mark_pile(rules, player, Zone.HAND, Act.DISCARD, 0, legal)
    elif decision == Decision.OPTION:
        choice = rules.choices[frame.detail]
        for option in range(choice.count):
            actionset.mark(legal, rules.first[Act.CHOOSE] + choice.words[option])
    elif decision == Decision.SCRAP_FROM_TRADE_ROW:
        mark_trade_row(rules, state, Act.SCRAP_FROM_TRADE_ROW, legal)
    elif decision == Decision.DESTROY_BASE:
        mark_bases_to_destroy(rules, state, seat, legal)
    elif decision == Decision.ACQUIRE:
        mark_ships_to_acquire(rules, state, legal)
    elif decision == Decision.COPY:
        mark_ships_to_copy(rules, state, player, legal)
    elif decision == Decision.TARGET:
        mark_targets(rules, state, seat, legal)
    elif decision == Decision.AMOUNT:
        mark_amounts(rules, frame, legal)
    else:
        legal_choices_of_format(rules, state, frame, player, legal)


@kernel
def mark_more(rules, state, seat, legal):
    """What only some formats allow in the Main Phase."""
    player = state.players[seat]
    if rules.challenge:
        if player.combat > 0:
            mark_attacks_on_boss(rules, player, legal)
        if state.mulligan_used == 0:
            actionset.mark(legal, np.int64(rules.first[Act.MULLIGAN]))
    if rules.shared_turn:
        mark_teammates(rules, state, seat, legal)
    if rules.pass_card_cost:
        mark_passes(rules, state, seat, legal)
    if rules.gambit_kinds:
        mark_gambits(rules, player, Act.REVEAL, Face.HIDDEN, legal)
        mark_gambits(rules, player, Act.USE_GAMBIT, Face.REVEALED, legal)


@kernel
def main_phase(rules, state, legal):
    """Whatever may be done in the Main Phase, as often and in whatever order. (Rulebook: Main Phase)"""
    seat = np.int64(state.active)
    player = state.players[seat]
    actionset.mark(legal, np.int64(rules.first[Act.END_TURN]))
    mark_pile(rules, player, Zone.HAND, Act.PLAY, 0, legal)
    mark_in_play(rules, state, player, legal)
    mark_purchases(rules, state, player, legal)
    if player.combat > 0:
        mark_attacks(rules, state, seat, legal)
    if rules.more_to_do:
        mark_more(rules, state, seat, legal)


@kernel
def legal_actions(rules, state, legal):
    """The set of legal actions of the seat to act; empty when the game is over. legal: uint64[words]."""
    actionset.clear(legal)
    if state.to_act < 0:
        return
    if state.stack_count > 0:
        legal_answers(rules, state, legal)
    else:
        main_phase(rules, state, legal)
