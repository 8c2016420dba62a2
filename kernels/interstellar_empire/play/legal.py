"""Legal actions: the moves of the turn, or the answers to a question."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.asking import op_asked
from stardeck.kernels.interstellar_empire.play.picks import may_keep
from stardeck.kernels.interstellar_empire.play.zones import can_afford, clockwise, kinds_in, may_discard, purse, total
from stardeck.kernels.interstellar_empire.rules import Act, Family, Op
from stardeck.kernels.interstellar_empire.state import Ask, Government, Phase
from stardeck.kernels.primitives import action_set


@kernel
def mark_kinds(rules, counts, act, legal):
    """Mark every kind of card with a count above 0."""
    kinds = kinds_in(counts)
    while kinds != 0:
        action_set.mark(legal, np.int64(rules.cards[action_set.lowest(kinds)].action[act]))
        kinds &= kinds - action_set.ONE


@kernel
def mark_discards(rules, player, act, legal):
    """Mark the cards of a hand that may be discarded as payment or answer."""
    for kind in range(rules.kinds):
        if player.hand[kind] > 0 and may_discard(rules, player, kind):
            action_set.mark(legal, np.int64(rules.cards[kind].action[act]))


@kernel
def mark_specials(rules, player, op, legal):
    """Mark the specials of a hand that answer the question, and passing."""
    action_set.mark(legal, np.int64(rules.first[Act.PASS]))
    kinds = kinds_in(player.hand) & rules.with_op[op]
    while kinds != 0:
        action_set.mark(legal, np.int64(rules.cards[action_set.lowest(kinds)].action[Act.PLAY]))
        kinds &= kinds - action_set.ONE


@kernel
def mark_on_opponents(rules, state, seat, kind, legal):
    """Mark a special on each opponent who has not conceded."""
    for distance in range(1, rules.players):
        if state.players[clockwise(rules, seat, distance)].out == 0:
            first = np.int64(rules.cards[kind].action[Act.PLAY_ON])
            action_set.mark(legal, first + (distance - 1) * rules.opponent_specials)


@kernel
def mark_hand(rules, state, seat, can_travel, legal):
    """Mark planets to explore, ships to build, and specials for the present phase."""
    player = state.players[seat]
    worth = purse(rules, player)
    kinds = kinds_in(player.hand)
    while kinds != 0:
        kind = action_set.lowest(kinds)
        kinds &= kinds - action_set.ONE
        card = rules.cards[kind]
        if card.family == Family.SHIP:
            action_set.mark_if(legal, np.int64(card.action[Act.BUILD]), can_afford(rules, player, kind, worth))
        elif card.family == Family.PLANET:
            if can_travel and state.phase <= Phase.EXPLORE and can_afford(rules, player, kind, worth):
                action_set.mark(legal, np.int64(card.action[Act.EXPLORE]))
        elif (card.op == Op.PICK_SHARED and state.phase == Phase.DRAW) or (
            card.op == Op.ARTIFACT and state.phase <= Phase.EXPLORE
        ):
            mark_on_opponents(rules, state, seat, kind, legal)


@kernel
def mark_attacks(rules, state, seat, legal):
    """Mark every planet of every opponent."""
    for distance in range(1, rules.players):
        opponent = state.players[clockwise(rules, seat, distance)]
        planets = kinds_in(opponent.empire)
        while planets != 0:
            first = np.int64(rules.cards[action_set.lowest(planets)].action[Act.ATTACK])
            action_set.mark(legal, first + (distance - 1) * rules.planet_kinds)
            planets &= planets - action_set.ONE


@kernel
def mark_moves(rules, state, legal):
    """Mark the moves of the turn; one of a later phase closes the earlier ones (rulebook: Sequence Of Play)."""
    seat = np.int64(state.active)
    player = state.players[seat]
    action_set.mark(legal, np.int64(rules.first[Act.END_TURN]))
    if rules.concede:
        action_set.mark(legal, np.int64(rules.first[Act.CONCEDE]))
    if state.extra_draws > 0:
        action_set.mark(legal, np.int64(rules.first[Act.DRAW]))
    can_travel = state.phase <= Phase.WAR and total(player.untapped) > 0
    mark_hand(rules, state, seat, can_travel, legal)
    if can_travel and player.government != Government.PRIME_MINISTER:
        mark_attacks(rules, state, seat, legal)


@kernel
def mark_governments(rules, legal):
    """Mark the governments that may be declared."""
    first = np.int64(rules.first[Act.DECLARE])
    for government in range(3):
        action_set.mark(legal, first + government)


@kernel
def mark_fleet(rules, state, legal):
    """Mark the ships that may be sent, and stopping.

    The attacker may stop after sending one ship, the defender at any time.
    """
    player = state.players[state.to_act]
    mark_kinds(rules, player.untapped, Act.SEND, legal)
    if state.ask == Ask.DEFENDERS:
        mark_kinds(rules, player.tapped, Act.SEND_TAPPED, legal)
    if state.ask == Ask.DEFENDERS or total(state.attackers) > 0:
        action_set.mark(legal, np.int64(rules.first[Act.DONE]))


@kernel
def mark_kept(rules, state, legal):
    """Mark either of two cards, as far as a dictator is free to choose."""
    for place in range(2):
        card = np.int64(state.looked_at[place])
        if may_keep(rules, state, card):
            action_set.mark(legal, np.int64(rules.cards[card].action[Act.KEEP]))


@kernel
def mark_answers(rules, state, legal):
    """Mark the answers to the question."""
    player = state.players[state.to_act]
    ask = state.ask
    if ask == Ask.SHIP:
        mark_kinds(rules, player.untapped, Act.WITH, legal)
    elif ask == Ask.PAY:
        mark_discards(rules, player, Act.PAY, legal)
    elif ask == Ask.ATTACKERS or ask == Ask.DEFENDERS:
        mark_fleet(rules, state, legal)
    elif ask == Ask.KEEP or ask == Ask.ARTIFACT:
        mark_kept(rules, state, legal)
    elif op_asked(ask) != Op.NONE:
        mark_specials(rules, player, op_asked(ask), legal)
    else:
        mark_discards(rules, player, Act.DISCARD, legal)
        if ask != Ask.NUMBER:
            action_set.mark(legal, np.int64(rules.first[Act.DECLINE]))


@kernel
def legal_actions(rules, state, legal):
    """Write the set of legal actions of the seat to act; it is empty when the game is over. legal: uint64[words]."""
    action_set.clear(legal)
    if state.to_act < 0:
        return
    if state.ask != Ask.MOVE:
        mark_answers(rules, state, legal)
    elif state.phase == Phase.BID:
        mark_kinds(rules, state.players[state.to_act].hand, Act.BID, legal)
    elif state.phase == Phase.DECLARE:
        mark_governments(rules, legal)
    else:
        mark_moves(rules, state, legal)
