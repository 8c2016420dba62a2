"""Events of a game of Star Realms for statistics: acquisitions, scrapped and destroyed cards, damage and defeats."""

from enum import IntEnum

import numpy as np

from stardeck.kernels.compile.jit import inline_kernel, kernel
from stardeck.kernels.loops.event_log import NO_CARD as NONE
from stardeck.kernels.loops.event_log import NOBODY, THE_BOSS, note, note_of
from stardeck.kernels.star_realms.play.board.decisions import top
from stardeck.kernels.star_realms.play.board.scenes import against_blob
from stardeck.kernels.star_realms.play.board.teams import clockwise
from stardeck.kernels.star_realms.rules import Act, Kind
from stardeck.kernels.star_realms.state import MAX_SEATS, NO_CARD, PILE_LIMIT, Decision, Zone

BASES_SEEN = 9  # bases of each seat; more have never been in play together
BOSS, TRADE, OWNED, GAME = range(2 * MAX_SEATS, 2 * MAX_SEATS + 4)  # indices into `eye.before`, after two for each seat


class Event(IntEnum):
    """Kinds of events; `EVENTS` describes them."""

    ACQUIRE = 0
    SCRAP = 1
    SCRAP_FROM_ROW = 2
    DISCARD = 3
    UPGRADE = 4
    DAMAGE = 5
    GAIN = 6
    DESTROY = 7
    DEFEAT = 8


EVENTS = {
    Event.ACQUIRE: "a card is acquired; amount: the trade that it cost",
    Event.SCRAP: "a player's own card is scrapped from the hand, the discard pile or play",
    Event.SCRAP_FROM_ROW: "a card of the trade row is scrapped",
    Event.DISCARD: "an effect makes a player discard a card",
    Event.UPGRADE: "an acquired card is upgraded (Rise of Empire); amount: the number of the sticker",
    Event.DAMAGE: "the target loses authority; left: its authority then. A team with one score is its first seat",
    Event.GAIN: "the target gains authority; left: its authority then",
    Event.DESTROY: "a base of the target is destroyed",
    Event.DEFEAT: "the target is out of the game",
}


@kernel
def is_base(rules, card):
    """Return whether a card stays in play."""
    return card != NO_CARD and rules.cards[card].kind != Kind.SHIP


@inline_kernel
def strikes(rules, state):
    """Return whether an automated opponent attacks the players, and no player does."""
    return rules.boss_authority > 0 or against_blob(rules, state)


@kernel
def compares_bases(rules, state, eye):
    """Return whether an action may destroy a base that it does not name: in the Boss's turn, or by partial damage."""
    return strikes(rules, state) or rules.actions[eye.action].act == Act.DAMAGE_BASE


@inline_kernel
def watch(rules, state, eye):
    """Record scores, and the bases in play if `compares_bases` needs them."""
    for seat in range(rules.players):
        eye.before[2 * seat] = state.players[seat].authority
    if compares_bases(rules, state, eye):
        for seat in range(rules.players):
            watch_bases(rules, state.players[seat], eye, seat)
    eye.before[BOSS] = state.boss_authority
    eye.before[TRADE] = state.players[eye.seat].trade
    eye.before[OWNED] = owned(state.players[eye.seat])
    eye.before[GAME] = state.turns_before


@kernel
def watch_bases(rules, player, eye, seat):
    """Record the bases of a player."""
    seen = 0
    for k in range(player.in_play_count):
        card = player.in_play[k].card
        if seen < BASES_SEEN and is_base(rules, card):
            eye.cards[seat * BASES_SEEN + seen] = card
            seen += 1
    eye.before[2 * seat + 1] = seen


@inline_kernel
def tell(rules, state, eye):
    """Report the events of an action: first those that it names, then those seen in changed scores and bases."""
    row = rules.actions[eye.action]
    tell_card(rules, state, eye, np.int64(row.act), np.int64(row.card), np.int64(row.detail))
    if state.turns_before != eye.before[GAME]:
        return  # the next game of a campaign has new scores and bases
    tell_cards_not_named(rules, state, eye, np.int64(row.act))
    doer = THE_BOSS if strikes(rules, state) else eye.seat  # no player attacks another in a challenge
    if compares_bases(rules, state, eye):
        for seat in range(rules.players):
            tell_bases(rules, state, eye, seat, doer)
    for seat in range(rules.players):
        now = np.int64(state.players[seat].authority)
        if now != eye.before[2 * seat] and has_score(rules, seat):
            tell_score(eye, doer, seat, eye.before[2 * seat], now)
    if state.boss_authority != eye.before[BOSS]:
        tell_score(eye, eye.seat, THE_BOSS, eye.before[BOSS], np.int64(state.boss_authority))


@kernel
def tell_card(rules, state, eye, act, card, detail):
    """Report the event of a card that an action names."""
    if act == Act.BUY or act == Act.BUY_TO_DECK or act == Act.ACQUIRE or act == Act.ACQUIRE_TO_DECK:
        note(eye, Event.ACQUIRE, NOBODY, card, max(0, eye.before[TRADE] - state.players[eye.seat].trade), 0)
    elif act == Act.SCRAP_FROM_HAND or act == Act.SCRAP_FROM_DISCARD or act == Act.USE_SCRAP:
        note(eye, Event.SCRAP, NOBODY, card, 0, 0)
    elif act == Act.ATTACK_BASE or act == Act.DESTROY_BASE:
        note(eye, Event.DESTROY, clockwise(rules, eye.seat, detail), card, 0, 0)
    elif act == Act.SCRAP_FROM_TRADE_ROW:
        note(eye, Event.SCRAP_FROM_ROW, NOBODY, card, 0, 0)
    elif act == Act.DISCARD:
        note(eye, Event.DISCARD, NOBODY, card, 0, 0)
    elif act == Act.UPGRADE:
        note(eye, Event.UPGRADE, NOBODY, NONE, detail, 0)


@kernel
def owned(player):
    """Count the cards that a player owns."""
    piles = np.int64(player.count[Zone.DECK]) + np.int64(player.count[Zone.HAND])
    return piles + np.int64(player.count[Zone.DISCARD_PILE]) + np.int64(player.in_play_count)


@kernel
def tell_cards_not_named(rules, state, eye, act):
    """Report a card that came or went by an action that does not name it because there was no choice."""
    player = state.players[eye.seat]
    more = owned(player) - eye.before[OWNED] - change_by(act)
    if more == 0 or waits_for_sticker(state, act):
        return
    if more > 0:
        deck, pile = np.int64(player.count[Zone.DECK]), np.int64(player.count[Zone.DISCARD_PILE])
        place = deck - 1 if player.known_on_deck > 0 else PILE_LIMIT - pile
        note(eye, Event.ACQUIRE, NOBODY, np.int64(player.cards[place]), 0, 0)
    else:
        note(eye, Event.SCRAP, NOBODY, NONE, 0, 0)


@kernel
def change_by(act):
    """Return the change in owned cards by an action that names a card."""
    if act == Act.BUY or act == Act.BUY_TO_DECK or act == Act.ACQUIRE or act == Act.ACQUIRE_TO_DECK:
        return 1
    return -1 if act == Act.SCRAP_FROM_HAND or act == Act.SCRAP_FROM_DISCARD or act == Act.USE_SCRAP else 0


@kernel
def waits_for_sticker(state, act):
    """Return whether an acquisition already reported arrives only with the choice of its sticker."""
    return act == Act.UPGRADE or act == Act.LEAVE or state.stack_count > 0 and top(state).decision == Decision.UPGRADE


@kernel
def has_score(rules, seat):
    """Return whether to report the score of a seat: of a team with one score, only its first seat's."""
    return rules.shared_authority == 0 or seat == 0 or rules.side[seat] != rules.side[seat - 1]


@kernel
def tell_score(eye, doer, target, before, now):
    """Report damage, authority gained, and a defeat."""
    if now < before:
        note_of(eye, Event.DAMAGE, doer, target, NONE, before - now, now)
    else:
        note_of(eye, Event.GAIN, target, target, NONE, now - before, now)
    if before > 0 and now <= 0:
        note_of(eye, Event.DEFEAT, doer, target, NONE, 0, now)


@kernel
def tell_bases(rules, state, eye, seat, doer):
    """Report each base that has left play, of a player who is still in the game."""
    player = state.players[seat]
    if player.authority <= 0:
        return
    for k in range(eye.before[2 * seat + 1]):
        card = eye.cards[seat * BASES_SEEN + k]
        if missing(eye, player, seat, k, card):
            note_of(eye, Event.DESTROY, doer, seat, np.int64(card), 0, 0)


@kernel
def missing(eye, player, seat, k, card):
    """Return whether fewer copies of a card are in play than among the recorded bases 0 … k."""
    wanted = 0
    for other in range(k + 1):
        wanted += np.int64(eye.cards[seat * BASES_SEEN + other] == card)
    for other in range(player.in_play_count):
        wanted -= np.int64(player.in_play[other].card == card)
    return wanted > 0
