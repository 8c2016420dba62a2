"""Answers to the decision on top of the stack: the effect of each choice, and what follows it."""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import pop, push, top
from stardeck.kernels.star_realms.play.board.teams import change_authority, clockwise, give_combat, give_trade
from stardeck.kernels.star_realms.play.board.trade_row import row_is_empty, scrap_from_trade_row
from stardeck.kernels.star_realms.play.board.zones import (
    discard_from_hand,
    draw_cards,
    put_on_deck,
    take_from_discard_pile,
    take_from_hand,
)
from stardeck.kernels.star_realms.play.boss.bosses import gain_ability
from stardeck.kernels.star_realms.play.campaign import answer_fill_up
from stardeck.kernels.star_realms.play.effects.acquiring import acquire_for_nothing, answer_upgrade
from stardeck.kernels.star_realms.play.effects.combat import attack_boss, attack_player, destroy_base
from stardeck.kernels.star_realms.play.effects.effects import (
    ask_to_discard,
    copy_ship,
    must_discard,
    name_faction,
    resolve,
)
from stardeck.kernels.star_realms.play.effects.elimination import answer_leave
from stardeck.kernels.star_realms.play.effects.gambits import answer_reveal, keep_gambit, look_at_gambits
from stardeck.kernels.star_realms.play.effects.raid import damage_base, defense_left, to_wear_down
from stardeck.kernels.star_realms.play.effects.scenarios import gain_by_destroying, scrap_own_card
from stardeck.kernels.star_realms.play.opening import answer_bid, lay_out
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import Decision, Goal, Purpose, Zone


@kernel
def has_more_to_choose(state, frame):
    """Return whether the same question can be asked again; only choices of cards can be repeated."""
    player = state.players[frame.seat]
    in_hand = player.count[Zone.HAND] > 0
    if frame.decision == Decision.PUT_ON_DECK:
        return player.count[Zone.DISCARD_PILE] > 0
    if frame.decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        return in_hand or player.count[Zone.DISCARD_PILE] > 0
    if frame.decision == Decision.SCRAP_FROM_TRADE_ROW:
        return not row_is_empty(state)
    return in_hand


@kernel
def finish(rules, state):
    """Finish the decision on top: give its gains and draws, then carry out the effects after it."""
    frame = top(state)
    owner = np.int64(frame.owner)
    done = np.int64(frame.done)
    drawn = done * frame.then_draw
    combat = done * frame.then_combat
    authority = done * frame.then_authority
    rest = np.int64(frame.rest)
    end = np.int64(frame.end)
    pop(state)
    state.players[owner].combat += combat
    if authority > 0:
        change_authority(rules, state, owner, authority)
    draw_cards(state, state.players[owner], drawn)
    resolve(rules, state, owner, rest, end)


@kernel
def one_chosen(rules, state):
    """Count one choice as made; ask again while choices are left."""
    frame = top(state)
    frame.done += 1
    frame.left -= 1
    if frame.left == 0 or not has_more_to_choose(state, frame):
        finish(rules, state)


@kernel
def answer_option(rules, state, option):
    """Resolve the chosen side of an "or", then the effects after it."""
    frame = top(state)
    seat = np.int64(frame.seat)
    side = rules.choices[frame.detail].sides[option]
    if frame.rest < frame.end:
        frame.decision = Decision.REST
    else:
        pop(state)
    resolve(rules, state, seat, np.int64(side[0]), np.int64(side[1]))


@kernel
def answer_copy(rules, state, card):
    """Let a Stealth Needle copy a ship; the copied ability's questions come before the rest of the Needle's own."""
    frame = top(state)
    seat = np.int64(frame.seat)
    if frame.rest < frame.end:
        frame.decision = Decision.REST
        frame.optional = 0
    else:
        pop(state)
    copy_ship(rules, state, seat, card)


@kernel
def answer_target(rules, state, target):
    """Make the named opponent discard, then carry out the effects after it."""
    frame = top(state)
    owner = np.int64(frame.owner)
    count = np.int64(frame.left)
    rest = np.int64(frame.rest)
    end = np.int64(frame.end)
    pop(state)
    if not must_discard(rules, state, owner, target, count, rest, end):
        resolve(rules, state, owner, rest, end)


@kernel
def ask_amount(state, seat, purpose, detail, most):
    """Begin an action whose amount, 1 to `most`, is the sum of the numbers added."""
    frame = push(state, Decision.AMOUNT, seat, seat, 0, 0)
    frame.purpose = purpose
    frame.detail = detail
    frame.left = most + 1


@kernel
def ask_damage(rules, state, seat, card):
    """Begin an attack on a base of the Boss without destroying it (rulebook: Raid)."""
    boss = state.players[rules.lasting_damage_seat]
    missing = defense_left(rules, state, boss.in_play[to_wear_down(rules, state, boss, card)])
    most = min(np.int64(state.players[seat].combat), missing - 1)
    ask_amount(state, seat, Purpose.DAMAGE_BASE, card, most)


@kernel
def answer_done(rules, state):
    """Carry out the action with its complete amount."""
    frame = top(state)
    seat = np.int64(frame.seat)
    detail = np.int64(frame.detail)
    amount = np.int64(frame.done)
    purpose = frame.purpose
    pop(state)
    if purpose == Purpose.ATTACK_PLAYER:
        attack_player(rules, state, seat, detail, amount)
    elif purpose == Purpose.ATTACK_BOSS:
        attack_boss(rules, state, seat, amount)
    elif purpose == Purpose.GIVE_TRADE:
        give_trade(state, seat, detail, amount)
    elif purpose == Purpose.GIVE_COMBAT:
        give_combat(state, seat, detail, amount)
    else:
        damage_base(rules, state, seat, detail, amount)


@kernel
def answer_faction(rules, state, word):
    """Give a Merc Cruiser the faction of this word."""
    seat = np.int64(top(state).seat)
    for faction in range(rules.factions):
        if rules.faction_words[faction] == word:
            name_faction(rules, state, state.players[seat], faction)
    finish(rules, state)


@kernel
def answer_boss_faction(rules, state, word):
    """Give the Boss the ability of this word's faction."""
    pop(state)
    for ability in range(rules.boss_abilities_count):
        if rules.boss_words[ability] == word:
            gain_ability(rules, state, ability)


@kernel
def answer_choose(rules, state, word):
    """Apply the word for a side of an "or", or for a faction."""
    frame = top(state)
    if frame.decision == Decision.FACTION:
        answer_faction(rules, state, word)
    elif frame.decision == Decision.BOSS_FACTION:
        answer_boss_faction(rules, state, word)
    else:
        answer_option(rules, state, option_named(rules, np.int64(frame.detail), word))


@kernel
def answer_pay(rules, state, amount):
    """Pay trade for a Wild Gambit; a player who pays nothing keeps nothing."""
    frame = top(state)
    seat = np.int64(frame.seat)
    state.players[seat].trade -= amount
    frame.decision = Decision.KEEP
    if not look_at_gambits(rules, state, seat, amount):
        finish(rules, state)


@kernel
def answer_draw(rules, state):
    """Draw cards, followed by a discard if the effect has one."""
    frame = top(state)
    owner = np.int64(frame.owner)
    amount = np.int64(frame.detail)
    discards = np.int64(frame.then_discard)
    rest = np.int64(frame.rest)
    end = np.int64(frame.end)
    pop(state)
    draw_cards(state, state.players[owner], amount)
    if discards == 0 or not ask_to_discard(state, owner, owner, discards, rest, end):
        resolve(rules, state, owner, rest, end)


@kernel
def answer_modifier(rules, state, number):
    """Record the first player's choice for the scenario, then lay out the cards (rulebook: Campaign Setup)."""
    state.modifier = number
    pop(state)
    lay_out(rules, state)


@kernel
def answer_acquire(rules, state, seat, kind, card):
    """Acquire a card for free to the effect's destination, or on top of the deck if another effect allows it."""
    if kind == Act.ACQUIRE_TO_DECK:
        state.players[seat].next_ship_on_top -= 1
        acquire_for_nothing(rules, state, seat, card, Goal.DECK)
    elif top(state).decision == Decision.ACQUIRE_UP_TO:
        acquire_for_nothing(rules, state, seat, card, Goal.DISCARD_PILE)
    else:
        acquire_for_nothing(rules, state, seat, card, Goal.DECK)


@kernel
def answer_with_card(rules, state, row, seat):
    """Apply an answer that chooses a card; the same question may ask for several."""
    player = state.players[seat]
    kind = row.act
    card = np.int64(row.card)
    if kind == Act.SCRAP_FROM_HAND:
        take_from_hand(player, card)
        scrap_own_card(rules, state, seat, card)
    elif kind == Act.SCRAP_FROM_DISCARD:
        take_from_discard_pile(player, card)
        scrap_own_card(rules, state, seat, card)
    elif kind == Act.SCRAP_FROM_TRADE_ROW:
        scrap_from_trade_row(rules, state, card)
    elif kind == Act.DISCARD:
        discard_from_hand(player, card)
    elif kind == Act.DESTROY_BASE:
        destroy_base(rules, state, clockwise(rules, seat, np.int64(row.detail)), card)
        gain_by_destroying(rules, state, seat)
    else:
        take_from_discard_pile(player, card)
        put_on_deck(player, card)
    one_chosen(rules, state)


@kernel
def decline(rules, state, decision):
    """Decline all answers; four kinds of questions have a step that follows."""
    if decision == Decision.LEAVE:
        answer_leave(rules, state, -1)
    elif decision == Decision.REVEAL:
        answer_reveal(rules, state, -1)
    elif decision == Decision.UPGRADE:
        answer_upgrade(rules, state, -1)
    elif decision == Decision.BID:
        answer_bid(rules, state, -1)
    else:
        finish(rules, state)


@kernel
def answer_in_setup(rules, state, row, seat):
    """Answer a question asked outside play; return whether it is one."""
    kind = row.act
    if kind == Act.KEEP:
        keep_gambit(rules, state, seat, np.int64(row.card))
        finish(rules, state)
    elif kind == Act.MODIFIER:
        answer_modifier(rules, state, np.int64(row.detail))
    elif kind == Act.BID:
        answer_bid(rules, state, np.int64(row.detail))
    elif kind == Act.FILL_UP:
        answer_fill_up(rules, state, np.int64(row.card), np.int64(row.detail))
    else:
        return False
    return True


@kernel
def answer(rules, state, row):
    """Apply the answer to the decision on top of the stack."""
    frame = top(state)
    seat = np.int64(frame.seat)
    kind = row.act
    card = np.int64(row.card)
    detail = np.int64(row.detail)
    if kind == Act.DECLINE:
        decline(rules, state, frame.decision)
    elif kind == Act.CHOOSE:
        answer_choose(rules, state, detail)
    elif kind == Act.COPY:
        answer_copy(rules, state, card)
    elif kind == Act.TARGET:
        answer_target(rules, state, clockwise(rules, seat, detail))
    elif kind == Act.ADD:
        frame.done += detail
    elif kind == Act.DONE:
        answer_done(rules, state)
    elif kind == Act.LEAVE:
        answer_leave(rules, state, card)
    elif kind == Act.REVEAL:
        answer_reveal(rules, state, card)
    elif kind == Act.PAY:
        answer_pay(rules, state, detail)
    elif kind == Act.ACQUIRE or kind == Act.ACQUIRE_TO_DECK:
        answer_acquire(rules, state, seat, kind, card)
    elif kind == Act.DRAW:
        answer_draw(rules, state)
    elif kind == Act.UPGRADE:
        answer_upgrade(rules, state, detail)
    elif not answer_in_setup(rules, state, row, seat):
        answer_with_card(rules, state, row, seat)


@kernel
def option_named(rules, number, word):
    """Return the side of an "or" that a word names."""
    choice = rules.choices[number]
    for option in range(choice.count):
        if choice.words[option] == word:
            return option
    return 0
