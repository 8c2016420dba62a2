"""The course of a turn: bid, declaration, and the phases draw, explore, war, build (rulebook: Sequence Of Play).

`apply` is the entry point: it carries out one move of the turn, or the answer to a question.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.play.asking import go_on, put_question
from stardeck.kernels.interstellar_empire.play.ending import concede, end_game, players_left
from stardeck.kernels.interstellar_empire.play.picks import keep_pick, keep_shown, next_pick, reveal_two
from stardeck.kernels.interstellar_empire.play.planets import (
    lose_planet,
    lose_ship,
    offer_picks,
    pass_reaction,
    pay,
    play_reaction,
)
from stardeck.kernels.interstellar_empire.play.war import (
    answer_number,
    answer_surprise,
    attackers_done,
    declare_war,
    defenders_done,
    leave_jungle,
    occupy,
    send_attacker,
    send_defender,
)
from stardeck.kernels.interstellar_empire.play.zones import clockwise, discard, draw, put_on_discard_pile, total
from stardeck.kernels.interstellar_empire.rules import Act, Op
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask, Government, Phase

MOST_DRAWS = 100  # optional draws in a phase; far more than a deck of real cards allows

# The first turn


@kernel
def lowest_tied(rules, state, highest):
    """Return the first seat whose bid has this number, and the number of such seats."""
    first = -1
    tied = 0
    for seat in range(rules.players - 1, -1, -1):
        if rules.cards[state.players[seat].bid].number == highest:
            first = seat
            tied += 1
    return first, tied


@kernel
def reveal_bids(rules, state):
    """Reveal the bids: the highest begins; a tie repeats the bid while all have a card (rulebook: Who goes first?)."""
    highest = 0
    can_repeat = True
    for seat in range(rules.players):
        player = state.players[seat]
        highest = max(highest, np.int64(rules.cards[player.bid].number))
        can_repeat = can_repeat and total(player.hand) > 0
    first, tied = lowest_tied(rules, state, highest)
    for seat in range(rules.players):
        put_on_discard_pile(state, state.players[seat].bid)
        state.players[seat].bid = NO_CARD
    if tied > 1 and can_repeat:
        state.to_act = 0
    else:
        begin_turn(rules, state, first)


@kernel
def bid(rules, state, card):
    """Lay a card from the hand face down as a bid."""
    seat = np.int64(state.to_act)
    state.players[seat].hand[card] -= 1
    state.players[seat].bid = card
    if seat + 1 < rules.players:
        state.to_act = seat + 1
    else:
        reveal_bids(rules, state)


# Turns


@long_kernel
def begin_turn(rules, state, seat):
    """Untap; a player without a government declares one before the first card (rulebook: Untap, Optional Rules)."""
    if state.turn == 0:
        state.first = seat
    state.turn += 1
    state.active = seat
    player = state.players[seat]
    for kind in range(rules.kinds):
        player.untapped[kind] += player.tapped[kind]
        player.tapped[kind] = 0
    state.phase = Phase.DECLARE
    state.extra_draws = 0
    if player.government == Government.UNDECIDED:
        put_question(state, seat, Ask.MOVE)
    else:
        begin_draw_phase(rules, state, 0)


@kernel
def begin_draw_phase(rules, state, extra):
    """Draw one card; Industrial Planets and a declaration allow more (rulebook: Draw, Industrial)."""
    player = state.players[state.active]
    state.phase = Phase.DRAW
    for kind in range(rules.kinds):
        if rules.cards[kind].op == Op.DRAW_EACH_TURN:
            extra += np.int64(player.empire[kind]) * rules.cards[kind].amount
    state.extra_draws = min(extra, MOST_DRAWS)
    draw(state, player, 1)
    go_on(rules, state)


@kernel
def declare(rules, state, government):
    """Declare a government; every one but emperor allows one more card (rulebook: Optional Rules)."""
    state.players[state.active].government = government
    begin_draw_phase(rules, state, 0 if government == Government.EMPEROR else 1)


@kernel
def begin_next_turn(rules, state):
    """Begin the turn of the next player clockwise who has not conceded."""
    seat = clockwise(rules, np.int64(state.active), 1)
    while state.players[seat].out:
        seat = clockwise(rules, seat, 1)
    begin_turn(rules, state, seat)


@kernel
def leave(rules, state):
    """Let the active player concede; a single player who is left has won."""
    concede(rules, state, np.int64(state.active))
    if players_left(rules, state) == 1:
        end_game(rules, state)
    else:
        begin_next_turn(rules, state)


@kernel
def close_phases(state, phase):
    """Close the phases before the one of a move for good; their unused draws are lost."""
    state.phase = max(np.int64(state.phase), np.int64(phase))
    if state.phase != Phase.DRAW:
        state.extra_draws = 0


@kernel
def move(rules, state, row):
    """Carry out a move of the turn."""
    seat = np.int64(state.active)
    player = state.players[seat]
    kind = row.act
    card = np.int64(row.card)
    if kind == Act.EXPLORE:
        close_phases(state, Phase.EXPLORE)
        player.hand[card] -= 1
        player.empire[card] += 1
        state.subject = card
        put_question(state, seat, Ask.SHIP)
    elif kind == Act.BUILD:
        close_phases(state, Phase.BUILD)
        player.hand[card] -= 1
        player.untapped[card] += 1
        state.subject = card
        state.paid = 0
        put_question(state, seat, Ask.PAY)
    elif kind == Act.ATTACK:
        close_phases(state, Phase.WAR)
        declare_war(state, clockwise(rules, seat, np.int64(row.detail)), card)
    elif kind == Act.PLAY_ON:
        play_on(rules, state, seat, card, clockwise(rules, seat, np.int64(row.detail)))
    elif kind == Act.DRAW:
        state.extra_draws -= 1
        draw(state, player, 1)
        go_on(rules, state)
    elif kind == Act.END_TURN:
        begin_next_turn(rules, state)
    elif kind == Act.DECLARE:
        declare(rules, state, np.int64(row.detail))
    elif kind == Act.BID:
        bid(rules, state, card)
    else:
        leave(rules, state)


@kernel
def play_on(rules, state, seat, card, opponent):
    """Play Trade Delegation or Ancient Artifact; the card goes to the discard pile before it takes effect."""
    discard(state, state.players[seat], card)
    if rules.cards[card].op == Op.PICK_SHARED:
        state.picks[0] = seat
        state.picks[1] = opponent
        state.picks[2] = seat
        state.picks_count = 3
        next_pick(rules, state)
    else:
        close_phases(state, Phase.EXPLORE)
        reveal_two(rules, state, seat, opponent)


# Answers


@kernel
def answer_discard(rules, state, card):
    """Use a card from the hand to answer a jungle, Resistance or Labor Unrest, or as the defender's number."""
    if state.ask == Ask.NUMBER:
        answer_number(rules, state, card)
        return
    discard(state, state.players[state.active], card)
    if state.ask == Ask.JUNGLE:
        occupy(rules, state)
    elif state.ask == Ask.RESISTANCE_ANSWER:
        offer_picks(rules, state)
    else:
        go_on(rules, state)


@kernel
def answer_decline(rules, state):
    """Refuse to discard: the player loses what was gained."""
    if state.ask == Ask.JUNGLE:
        leave_jungle(rules, state)
    elif state.ask == Ask.RESISTANCE_ANSWER:
        lose_planet(rules, state)
    else:
        lose_ship(rules, state)


@kernel
def answer_play(rules, state, card):
    """Play a special as a reaction."""
    seat = np.int64(state.to_act)
    if state.ask == Ask.SURPRISE:
        discard(state, state.players[seat], card)
        answer_surprise(rules, state, seat, np.int64(rules.cards[card].amount))
    else:
        play_reaction(rules, state, seat, card)


@kernel
def answer_with(state, card):
    """Tap a ship to acquire a card with it, and begin the payment."""
    player = state.players[state.active]
    player.untapped[card] -= 1
    player.tapped[card] += 1
    state.paid = 0
    put_question(state, state.active, Ask.PAY)


@kernel
def answer_send(rules, state, card, tapped):
    """Send a ship of the attacker or the defender into the war."""
    if state.ask == Ask.ATTACKERS:
        send_attacker(rules, state, card)
    else:
        send_defender(rules, state, card, tapped)


@kernel
def answer_done(rules, state):
    """Send no more ships."""
    if state.ask == Ask.ATTACKERS:
        attackers_done(rules, state)
    else:
        defenders_done(rules, state)


@kernel
def answer_pass(rules, state):
    """No special is played."""
    if state.ask == Ask.SURPRISE:
        answer_surprise(rules, state, np.int64(state.to_act), 0)
    else:
        pass_reaction(rules, state, np.int64(state.to_act))


@kernel
def answer(rules, state, row):
    """Carry out the answer to a question."""
    kind = row.act
    card = np.int64(row.card)
    if kind == Act.PAY:
        pay(rules, state, card)
    elif kind == Act.WITH:
        answer_with(state, card)
    elif kind == Act.SEND or kind == Act.SEND_TAPPED:
        answer_send(rules, state, card, kind == Act.SEND_TAPPED)
    elif kind == Act.DONE:
        answer_done(rules, state)
    elif kind == Act.PASS:
        answer_pass(rules, state)
    elif kind == Act.PLAY:
        answer_play(rules, state, card)
    elif kind == Act.DISCARD:
        answer_discard(rules, state, card)
    elif kind == Act.DECLINE:
        answer_decline(rules, state)
    elif state.ask == Ask.KEEP:
        keep_pick(rules, state, card)
    else:
        keep_shown(rules, state, card)


@kernel
def apply(rules, state, action):
    """Apply a legal action, in place."""
    state.decisions += 1
    row = rules.actions[action]
    if state.ask == Ask.MOVE:
        move(rules, state, row)
    else:
        answer(rules, state, row)
