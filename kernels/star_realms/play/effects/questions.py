"""Questions: their words, whether there is anything to choose from, and their legal answers.

QUESTIONS has a row for each question. The module `answers` applies answers; it stands above the effects that ask.
"""

from typing import NamedTuple

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives import action_set
from stardeck.kernels.star_realms.play.board.decisions import top
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.teams import clockwise, may_attack, may_attack_bases
from stardeck.kernels.star_realms.play.board.trade_row import (
    any_to_acquire,
    is_ship_up_to,
    may_be_acquired,
    row_is_empty,
    ship_in_row,
    ship_on_offer,
)
from stardeck.kernels.star_realms.play.board.upgrades import has_plain_copy, sticker_fits, stickers_at_hand
from stardeck.kernels.star_realms.play.board.zones import can_draw, first_of, size_of
from stardeck.kernels.star_realms.play.effects.combat import can_be_targeted, is_protected, opposing_base_in_play
from stardeck.kernels.star_realms.play.effects.first_turn import least_bid, lowest_bid, most_bid
from stardeck.kernels.star_realms.play.effects.gambits import unclaimed
from stardeck.kernels.star_realms.rules import Act, ForcedDiscards, Kind, Op
from stardeck.kernels.star_realms.state import NO_CARD, STICKERS, Decision, Face, Purpose, Zone

LARGEST_PIECE = 64  # an amount is the sum of pieces 1, 2, 4 … 64


class Question(NamedTuple):
    """A question's words for people, and the block of actions that answers it.

    A game without that block never asks the question.
    """

    words: str
    answered_by: Act


QUESTIONS = {
    Decision.OPTION: Question("choose one side", Act.CHOOSE),
    Decision.SCRAP_FROM_HAND: Question("scrap from hand", Act.SCRAP_FROM_HAND),
    Decision.SCRAP_FROM_HAND_OR_DISCARD: Question("scrap from hand or discard pile", Act.SCRAP_FROM_DISCARD),
    Decision.SCRAP_FROM_TRADE_ROW: Question("scrap from the trade row", Act.SCRAP_FROM_TRADE_ROW),
    Decision.DESTROY_BASE: Question("destroy a base", Act.DESTROY_BASE),
    Decision.DISCARD: Question("discard", Act.DISCARD),
    Decision.ACQUIRE: Question("acquire for free", Act.ACQUIRE),
    Decision.COPY: Question("copy a ship", Act.COPY),
    Decision.TARGET: Question("name who must discard", Act.TARGET),
    Decision.AMOUNT: Question("put together the amount", Act.ADD),
    Decision.FACTION: Question("name a faction", Act.CHOOSE),
    Decision.BOSS_FACTION: Question("choose what the Boss gains", Act.CHOOSE),
    Decision.LEAVE: Question("leave a card to a teammate", Act.LEAVE),
    Decision.REVEAL: Question("reveal gambits", Act.REVEAL),
    Decision.PUT_ON_DECK: Question("put a card on the deck", Act.PUT_ON_DECK),
    Decision.ACQUIRE_UP_TO: Question("acquire for free", Act.ACQUIRE),
    Decision.PAY: Question("pay for a look at gambits", Act.PAY),
    Decision.KEEP: Question("keep a gambit", Act.KEEP),
    Decision.DRAW: Question("draw?", Act.DRAW),
    Decision.UPGRADE: Question("upgrade the card?", Act.UPGRADE),
    Decision.MODIFIER: Question("choose a modifier", Act.MODIFIER),
    Decision.FILL_UP: Question("upgrade a card of the trade deck", Act.FILL_UP),
    Decision.ACQUIRE_FROM_ROW: Question("acquire a ship of the trade row", Act.ACQUIRE),
    Decision.BID: Question("bid for the first turn", Act.BID),
}
# The act that begins an amount of each purpose.
OPENED_BY = {
    Purpose.ATTACK_PLAYER: Act.ATTACK_PART,
    Purpose.ATTACK_BOSS: Act.ATTACK_BOSS_PART,
    Purpose.GIVE_TRADE: Act.GIVE_TRADE_PART,
    Purpose.GIVE_COMBAT: Act.GIVE_COMBAT_PART,
    Purpose.DAMAGE_BASE: Act.DAMAGE_BASE,
}


@kernel
def can_copy(rules, state, card):
    """Return whether a Stealth Needle may copy this ship.

    A copy of another copier would name no ability.
    """
    shown = face(rules, state, card)
    return shown.kind == Kind.SHIP and shown.copies == 0


@kernel
def was_played(player, card):
    """Return whether a ship of this name was played this turn."""
    return (player.ships_played[card >> 6] >> np.uint64(card & 63)) & np.uint64(1) != 0


@kernel
def may_be_copied(rules, state, player, card):
    """Return whether a ship of this name was played this turn and may be copied (setting `copy_gone_ships`)."""
    if not was_played(player, card) or not can_copy(rules, state, card):
        return False
    if rules.copy_gone_ships:
        return True
    for i in range(player.in_play_count):
        if player.in_play[i].card == card:
            return True
    return False


@kernel
def any_ship_to_copy(rules, state, player):
    """Return whether a Stealth Needle has anything to copy."""
    for card in range(rules.types):
        if may_be_copied(rules, state, player, card):
            return True
    return False


@kernel
def can_be_made_to_discard(rules, state, seat):
    """Return whether this player can be made to discard.

    A discard put off to the next turn is paid from the next hand.
    """
    return rules.forced_discards == ForcedDiscards.NEXT_TURN or state.players[seat].count[Zone.HAND] > 0


@kernel
def decision_about_own_cards(player, op):
    """Return the decision of an effect on its owner's own cards, or Decision.REST."""
    in_hand = player.count[Zone.HAND] > 0
    in_discard_pile = player.count[Zone.DISCARD_PILE] > 0
    if op == Op.SCRAP_FROM_HAND and in_hand:
        return Decision.SCRAP_FROM_HAND
    if op == Op.SCRAP_FROM_HAND_OR_DISCARD and (in_hand or in_discard_pile):
        return Decision.SCRAP_FROM_HAND_OR_DISCARD
    if op == Op.DISCARD and in_hand:
        return Decision.DISCARD
    if op == Op.PUT_ON_DECK and in_discard_pile:
        return Decision.PUT_ON_DECK
    if (op == Op.DRAW or op == Op.DRAW_THEN_DISCARD) and can_draw(player):
        return Decision.DRAW
    return Decision.REST


@kernel
def decision_about_offer(rules, state, op, amount):
    """Return the decision of an effect on the cards on offer, or Decision.REST."""
    if op == Op.SCRAP_FROM_TRADE_ROW and not row_is_empty(state):
        return Decision.SCRAP_FROM_TRADE_ROW
    if op == Op.ACQUIRE_SHIP_TO_DECK and ship_on_offer(rules, state):
        return Decision.ACQUIRE
    if op == Op.ACQUIRE_SHIP_FROM_ROW and ship_in_row(rules, state, amount):
        return Decision.ACQUIRE_FROM_ROW
    if op == Op.ACQUIRE_UP_TO and any_to_acquire(rules, state, amount):
        return Decision.ACQUIRE_UP_TO
    return Decision.REST


@kernel
def decision_of(rules, state, seat, op, amount):
    """Return the question of an effect for its owner, or Decision.REST if there is nothing to choose from."""
    player = state.players[seat]
    decision = decision_about_own_cards(player, op)
    if decision == Decision.REST:
        decision = decision_about_offer(rules, state, op, amount)
    if decision != Decision.REST:
        return decision
    if op == Op.DESTROY_BASE and opposing_base_in_play(rules, state, seat):
        return Decision.DESTROY_BASE
    if op == Op.COPY_SHIP and any_ship_to_copy(rules, state, player):
        return Decision.COPY
    if op == Op.NAME_FACTION:
        return Decision.FACTION
    if op == Op.WILD_GAMBIT:
        return Decision.PAY
    return Decision.REST


@kernel
def mark_pile(rules, player, zone, act, shift, legal):
    """Mark every card of a pile; the block of `act` has every card, in order, starting at `shift`."""
    first = first_of(player, zone)
    begin = np.int64(rules.first[act] + shift)
    words = len(player.ships_played)  # the compiler knows this number: 64 kinds of cards per word
    for word in range(words):
        kinds = np.uint64(0)
        for i in range(first, first + size_of(player, zone)):
            if words == 1 or player.cards[i] >> 6 == word:
                kinds |= action_set.ONE << np.uint64(player.cards[i] & 63)
        action_set.mark_all(legal, begin + 64 * word, kinds)


@kernel
def mark_gambits(rules, player, act, way_up, legal):
    """Mark the gambits that lie this way up; a gambit without a scrap ability cannot be used."""
    for kind in range(rules.gambit_kinds):
        gambit = rules.gambits[kind]
        if player.gambits[way_up, kind] > 0 and gambit.action[act] >= 0:
            action_set.mark(legal, np.int64(gambit.action[act]))


@kernel
def mark_base(rules, state, act, distance, card, legal):
    """Mark a base of the player at this distance."""
    action_set.mark(legal, face(rules, state, card).action[act] + (distance - 1) * rules.base_kinds)


@kernel
def mark_bases_to_destroy(rules, state, seat, legal):
    """Mark the opposing bases that an ability may destroy; outposts come first (rulebook: Bases)."""
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
    """Mark every card of the trade row that has an action of this block."""
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD:
            action_set.mark(legal, np.int64(face(rules, state, np.int64(card)).action[act]))


@kernel
def mark_ships_to_acquire(rules, state, legal):
    """Mark the ships on offer at any cost (Blob Carrier)."""
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD and face(rules, state, np.int64(card)).kind == Kind.SHIP:
            action_set.mark(legal, np.int64(face(rules, state, np.int64(card)).action[Act.ACQUIRE]))
    if state.explorers > 0:
        action_set.mark(legal, np.int64(rules.cards[rules.explorer].action[Act.ACQUIRE]))


@kernel
def mark_acquisition(rules, state, player, card, most, legal):
    """Mark the acquisition of a card up to this cost.

    Where an effect for the next ship applies, the card may also go on top of the deck. (Smuggling Run)
    """
    if may_be_acquired(rules, state, card, most):
        shown = face(rules, state, card)
        action_set.mark(legal, np.int64(shown.action[Act.ACQUIRE]))
        if player.next_ship_on_top > 0 and shown.kind == Kind.SHIP:
            action_set.mark(legal, np.int64(shown.action[Act.ACQUIRE_TO_DECK]))


@kernel
def mark_acquisitions(rules, state, player, most, legal):
    """Mark the cards on offer up to this cost."""
    for place in range(len(state.trade_row)):
        mark_acquisition(rules, state, player, np.int64(state.trade_row[place]), most, legal)
    if state.explorers > 0:
        mark_acquisition(rules, state, player, np.int64(rules.explorer), most, legal)


@kernel
def mark_ships_of_row(rules, state, most, legal):
    """Mark the ships of the trade row up to this cost (Monopoly Carrier)."""
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if is_ship_up_to(rules, state, card, most):
            action_set.mark(legal, np.int64(face(rules, state, card).action[Act.ACQUIRE]))


@kernel
def mark_stickers(rules, state, seat, card, legal):
    """Mark the stickers that fit the card just acquired (rulebook: Ability Upgrade Stickers)."""
    for sticker in range(stickers_at_hand(state)):
        if sticker_fits(rules, state, np.int64(rules.seat_side[seat]), sticker, card):
            action_set.mark(legal, rules.first[Act.UPGRADE] + sticker)


@kernel
def mark_fill_up(rules, state, side, legal):
    """Mark every card of the trade deck with every sticker that fits (rulebook: After the Campaign)."""
    for card in range(rules.slots_from):
        if has_plain_copy(rules, state, card):
            for sticker in range(STICKERS):
                if sticker_fits(rules, state, side, sticker, card):
                    action_set.mark(legal, np.int64(rules.fill_up[card, sticker]))


@kernel
def mark_ships_to_copy(rules, state, player, legal):
    """Mark the played ships that a Stealth Needle may copy."""
    for card in range(rules.types):
        if may_be_copied(rules, state, player, card):
            action_set.mark(legal, np.int64(face(rules, state, card).action[Act.COPY]))


@kernel
def mark_targets(rules, state, seat, legal):
    """Mark the opponents who can be made to discard."""
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if may_attack(rules, state, seat, target) and can_be_made_to_discard(rules, state, target):
            action_set.mark(legal, rules.first[Act.TARGET] + distance - 1)


@kernel
def mark_amounts(rules, frame, legal):
    """Mark the numbers that keep the sum below its limit; any sum above 0 may be final."""
    piece = 1
    k = 0
    while piece <= LARGEST_PIECE:
        if frame.done + piece < frame.left:
            action_set.mark(legal, rules.first[Act.ADD] + k)
        piece *= 2
        k += 1
    if frame.done > 0:
        action_set.mark(legal, np.int64(rules.first[Act.DONE]))


@kernel
def mark_factions(rules, legal):
    """Mark the factions that a Merc Cruiser can have."""
    for faction in range(rules.factions):
        action_set.mark(legal, rules.first[Act.CHOOSE] + rules.faction_words[faction])


@kernel
def mark_boss_factions(rules, bits, legal):
    """Mark the factions whose ability the Boss can gain."""
    for ability in range(rules.boss_abilities_count):
        chosen = (bits >> ability) & 1 != 0
        action_set.mark_if(legal, np.int64(rules.first[Act.CHOOSE] + rules.boss_words[ability]), chosen)


@kernel
def mark_payments(rules, state, player, legal):
    """Mark the trade amounts that buy a look at the same number of unclaimed gambits."""
    for amount in range(min(max(np.int64(player.trade), 0), unclaimed(rules, state)) + 1):
        action_set.mark(legal, rules.first[Act.PAY] + amount)


@kernel
def mark_bids(rules, state, frame, legal):
    """Mark the bids that are allowed for the first turn."""
    for amount in range(least_bid(rules, state, frame), most_bid(rules, state, frame) + 1):
        action_set.mark(legal, rules.first[Act.BID] + amount - lowest_bid(rules))


@kernel
def mark_looked_at(rules, state, legal):
    """Mark the gambits looked at, one of which may be kept."""
    for kind in range(rules.gambit_kinds):
        if state.looked_at[kind] > 0:
            action_set.mark(legal, np.int64(rules.gambits[kind].action[Act.KEEP]))


@kernel
def legal_choices_of_format(rules, state, frame, player, legal):
    """Mark the answers to decisions that only some formats, sets or gambits use."""
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
        action_set.mark(legal, np.int64(rules.first[Act.DRAW]))
    elif decision == Decision.ACQUIRE_FROM_ROW:
        mark_ships_of_row(rules, state, np.int64(frame.detail), legal)
    elif decision == Decision.UPGRADE:
        mark_stickers(rules, state, np.int64(frame.seat), np.int64(frame.detail), legal)
    elif decision == Decision.MODIFIER:
        action_set.mark(legal, np.int64(rules.first[Act.MODIFIER]))
        action_set.mark(legal, np.int64(rules.first[Act.MODIFIER]) + 1)
    elif decision == Decision.BID:
        mark_bids(rules, state, frame, legal)
    elif decision == Decision.FILL_UP:
        mark_fill_up(rules, state, np.int64(frame.seat), legal)


@kernel
def legal_answers(rules, state, legal):
    """Mark the answers to the decision on top of the stack."""
    frame = top(state)
    seat = np.int64(frame.seat)
    player = state.players[seat]
    decision = frame.decision
    if frame.optional:
        action_set.mark(legal, np.int64(rules.first[Act.DECLINE]))
    if decision == Decision.SCRAP_FROM_HAND or decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        mark_pile(rules, player, Zone.HAND, Act.SCRAP_FROM_HAND, 0, legal)
        if decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
            mark_pile(rules, player, Zone.DISCARD_PILE, Act.SCRAP_FROM_DISCARD, 0, legal)
    elif decision == Decision.DISCARD:
        mark_pile(rules, player, Zone.HAND, Act.DISCARD, 0, legal)
    elif decision == Decision.OPTION:
        choice = rules.choices[frame.detail]
        for option in range(choice.count):
            action_set.mark(legal, rules.first[Act.CHOOSE] + choice.words[option])
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
