"""The course of a turn: Main, Discard and Draw Phase, and the next player (rulebook: Play).

`apply` is the entry point: it applies one action of the Main Phase, or an answer to the decision on top of the stack.
"""

import numpy as np

from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.compile.stack_arrays import stack_array
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.action_set import WORD_LIMIT
from stardeck.kernels.star_realms.play.answers import answer, ask_amount, ask_damage
from stardeck.kernels.star_realms.play.board.decisions import pop, top
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.play.board.scenes import against_blob
from stardeck.kernels.star_realms.play.board.teams import (
    allow_handing_over,
    clockwise,
    give_combat,
    give_trade,
    is_in_game,
    left_neighbour,
    next_to_finish,
    pass_card,
)
from stardeck.kernels.star_realms.play.board.trade_row import mulligan_trade_row, replace_trade_row
from stardeck.kernels.star_realms.play.board.zones import (
    discard_hand,
    draw_cards,
    forget_the_turn,
    put_in_discard_pile,
    put_into_play,
    take_from_hand,
    take_out_of_play,
)
from stardeck.kernels.star_realms.play.boss.blob import blob_is_next, blob_turn
from stardeck.kernels.star_realms.play.boss.bosses import begin_boss_turn, continue_boss_turn
from stardeck.kernels.star_realms.play.campaign import go_on, is_between_games
from stardeck.kernels.star_realms.play.effects.abilities import (
    ability_card,
    find_usable,
    latch_allies,
)
from stardeck.kernels.star_realms.play.effects.acquiring import buy
from stardeck.kernels.star_realms.play.effects.combat import attack_base, attack_boss, attack_player
from stardeck.kernels.star_realms.play.effects.effects import (
    ask_to_discard,
    count_as_played,
    pay_for_ships,
    resolve,
    resolve_primary,
)
from stardeck.kernels.star_realms.play.effects.elimination import truncate
from stardeck.kernels.star_realms.play.effects.gambits import combat_each_turn, reveal_in_main_phase
from stardeck.kernels.star_realms.play.effects.questions import legal_answers
from stardeck.kernels.star_realms.play.effects.raid import repair_bases
from stardeck.kernels.star_realms.play.effects.scenarios import (
    add_to_primary,
    gain_by_destroying,
    scrap_own_card,
    start_turn,
)
from stardeck.kernels.star_realms.rules import Act, Kind
from stardeck.kernels.star_realms.state import NOBODY, Ability, Decision, Face, Goal, Part, Purpose


@kernel
def play_card(rules, state, seat, card):
    """Play a card from the hand (rulebook: Playing Cards)."""
    player = state.players[seat]
    put_into_play(rules, state, player, card)  # first, because it may raise an error
    take_from_hand(player, card)
    count_as_played(rules, state, player, card)
    pay_for_ships(rules, state, player, card)
    shown = face(rules, state, card)
    if shown.kind == Kind.SHIP:
        if shown.copies == 0:
            player.ships_played[card >> 6] |= np.uint64(1) << np.uint64(card & 63)
        if is_large(state):
            add_to_primary(rules, state, seat, card)
        resolve_primary(rules, state, seat, card)


@kernel
def use_primary(rules, state, seat, card, option):
    """Use one side of the primary ability of a base (rulebook: Primary Base Abilities)."""
    player = state.players[seat]
    player.in_play[find_usable(rules, state, player, card, Ability.PRIMARY)].used |= Ability.PRIMARY
    ability = face(rules, state, card).primary[option]
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def use_ally(rules, state, seat, card, box):
    """Use an ally ability of a card in play (rulebook: Ally Abilities)."""
    player = state.players[seat]
    bit = Ability.ALLY if box == 0 else Ability.SECOND_ALLY
    entry = player.in_play[find_usable(rules, state, player, card, bit)]
    entry.used |= bit
    ability = face(rules, state, ability_card(entry)).ally[box]
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def use_scrap(rules, state, seat, card):
    """Scrap a card in play for its scrap ability (rulebook: Scrap Abilities)."""
    player = state.players[seat]
    place = find_usable(rules, state, player, card, Ability.SCRAP)
    ability = face(rules, state, ability_card(player.in_play[place])).scrap
    latch_allies(rules, state, player)
    scrap_own_card(rules, state, seat, take_out_of_play(player, place))
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def use_gambit(rules, state, seat, kind):
    """Use the scrap ability of a revealed gambit, which leaves the game (rulebook: Gambits)."""
    state.players[seat].gambits[Face.REVEALED, kind] -= 1
    ability = rules.gambits[kind].scrap
    resolve(rules, state, seat, np.int64(ability[0]), np.int64(ability[1]))


@kernel
def discard_phase(rules, state, player):
    """Empty the pools and discard ships and hand; bases stay in play (rulebook: Discard Phase)."""
    player.trade = 0
    player.combat = 0
    bases = 0
    for i in range(player.in_play_count):
        card = np.int64(player.in_play[i].card)
        if face(rules, state, card).kind == Kind.SHIP:
            put_in_discard_pile(player, card)
        else:
            player.in_play[bases] = player.in_play[i]
            player.in_play[bases].used = 0
            bases += 1
    player.in_play_count = bases
    discard_hand(player)


@kernel
def begin_player_turn(rules, state, seat):
    """Do what happens at the start of a player's turn, including discards put off to it (facts: Forced discards)."""
    player = state.players[seat]
    repair_bases(rules, state, seat)
    combat_each_turn(rules, player)
    if is_large(state):
        start_turn(rules, state, seat)
    if state.stack_count == 0 or rules.shared_turn:
        pay_owed_discards(state, seat)


@kernel
def pay_owed_discards(state, seat):
    """Ask for the discards put off to this turn and return whether there are any."""
    player = state.players[seat]
    owed = np.int64(player.discards_owed)
    player.discards_owed = 0
    if owed > 0:
        ask_to_discard(state, seat, seat, owed, 0, 0)
    return owed > 0


@kernel
def begin_turn(rules, state, seat):
    """Begin a turn of a player, or of a whole team whose lowest seat has the move first."""
    state.active = seat
    state.to_act = seat
    state.turn += 1
    state.limit_used = 0
    if rules.shared_turn == 0:
        begin_player_turn(rules, state, seat)
        return
    for mate in range(rules.players - 1, -1, -1):  # the lowest seat is asked first
        if rules.side[mate] == rules.side[seat] and is_in_game(state, mate):
            begin_player_turn(rules, state, mate)


@kernel
def end_player_turn(rules, state, seat):
    """Carry out the Discard Phase and Draw Phase of a player."""
    player = state.players[seat]
    discard_phase(rules, state, player)
    forget_the_turn(player)
    draw_cards(state, player, rules.hand_size[seat])


@kernel
def next_seat(rules, state):
    """Return the seat that begins the next turn: the next player clockwise, or the next team's lowest seat."""
    if rules.shared_turn == 0:
        return left_neighbour(rules, state, np.int64(state.active))
    seat = np.int64(state.active)
    for _ in range(rules.players):
        seat = clockwise(rules, seat, 1)
        if rules.side[seat] != rules.side[state.active]:
            return seat
    return 0 if is_in_game(state, 0) else left_neighbour(rules, state, 0)


@kernel
def begin_next_turn(rules, state):
    """Begin the next turn, unless the limit on turns ends the game.

    The turn may begin with a new trade row. (Ruling: trade_row)
    """
    if state.turn >= rules.max_turns:
        truncate(rules, state)
        return
    if rules.row_replaced:
        replace_trade_row(rules, state)
    begin_turn(rules, state, next_seat(rules, state))


@kernel
def end_team_turn(rules, state, seat):
    """Finish a player's part of a shared turn and return whether the turn is over (rulebook: Hydra).

    When all teammates have finished, their Discard and Draw Phases follow together.
    """
    state.players[seat].finished = Part.FINISHED
    mate = next_to_finish(rules, state, seat)
    if mate >= 0:
        state.active = mate
        state.to_act = mate
        return False
    for other in range(rules.players):
        if rules.side[other] == rules.side[seat] and is_in_game(state, other):
            end_player_turn(rules, state, other)
    return True


@kernel
def end_turn(rules, state, seat):
    """Carry out the Discard Phase and Draw Phase, then begin the turn of the Boss or of the next player."""
    if rules.shared_turn == 0:
        end_player_turn(rules, state, seat)
    elif not end_team_turn(rules, state, seat):
        return
    if rules.challenge and state.boss_waits == 0:
        begin_boss_turn(rules, state)
        return
    if rules.challenge:
        state.boss_waits -= 1
    if against_blob(rules, state) and blob_is_next(rules, state, seat):
        blob_turn(rules, state)
    if state.to_act != NOBODY:
        begin_next_turn(rules, state)


@kernel
def act_among_players(rules, state, seat, row):
    """Apply a Main Phase action of special formats: with teammates, with gambits, against a Boss."""
    player = state.players[seat]
    kind = row.act
    card = np.int64(row.card)
    other = clockwise(rules, seat, np.int64(row.detail))
    if kind == Act.YIELD:
        state.active = other
        state.to_act = other
        player.finished = Part.HANDED_OVER
    elif kind == Act.GIVE_TRADE:
        give_trade(state, seat, other, player.trade)
    elif kind == Act.GIVE_TRADE_PART:
        ask_amount(state, seat, Purpose.GIVE_TRADE, other, player.trade - 1)
    elif kind == Act.GIVE_COMBAT:
        give_combat(state, seat, other, player.combat)
    elif kind == Act.GIVE_COMBAT_PART:
        ask_amount(state, seat, Purpose.GIVE_COMBAT, other, player.combat - 1)
    elif kind == Act.PASS:
        pass_card(rules, state, seat, other, card)
    elif kind == Act.DAMAGE_BASE:
        ask_damage(rules, state, seat, card)
    elif kind == Act.ATTACK_BOSS:
        attack_boss(rules, state, seat, np.int64(player.combat))
    elif kind == Act.ATTACK_BOSS_PART:
        ask_amount(state, seat, Purpose.ATTACK_BOSS, 0, player.combat - 1)
    elif kind == Act.REVEAL:
        reveal_in_main_phase(rules, player, card)
    elif kind == Act.USE_GAMBIT:
        use_gambit(rules, state, seat, card)
    else:
        mulligan_trade_row(rules, state)


@kernel
def only_hands_over(kind):
    """Return whether an action only passes the move, trade or combat between teammates."""
    return kind == Act.YIELD or Act.GIVE_TRADE <= kind <= Act.GIVE_COMBAT_PART


@kernel
def act(rules, state, row):
    """Apply one action of the Main Phase (rulebook: Main Phase)."""
    seat = np.int64(state.active)
    player = state.players[seat]
    kind = row.act
    card = np.int64(row.card)
    detail = np.int64(row.detail)
    if rules.shared_turn and not only_hands_over(kind):
        allow_handing_over(rules, state)
    if kind == Act.PLAY:
        play_card(rules, state, seat, card)
    elif kind == Act.BUY:
        buy(rules, state, seat, card, Goal.DISCARD_PILE)
    elif kind == Act.USE:
        use_primary(rules, state, seat, card, detail)
    elif kind == Act.USE_ALLY:
        use_ally(rules, state, seat, card, detail)
    elif kind == Act.USE_SCRAP:
        use_scrap(rules, state, seat, card)
    elif kind == Act.ATTACK_PLAYER:
        attack_player(rules, state, seat, clockwise(rules, seat, detail), np.int64(player.combat))
    elif kind == Act.ATTACK_BASE:
        attack_base(rules, state, seat, clockwise(rules, seat, detail), card)
        gain_by_destroying(rules, state, seat)
    elif kind == Act.END_TURN:
        end_turn(rules, state, seat)
    elif kind == Act.BUY_TO_DECK:
        buy(rules, state, seat, card, Goal.DECK)
    elif kind == Act.ATTACK_PART:
        ask_amount(state, seat, Purpose.ATTACK_PLAYER, clockwise(rules, seat, detail), player.combat - 1)
    else:
        act_among_players(rules, state, seat, row)


@kernel
def owes_discards(state):
    """Return whether discards put off to this turn wait behind a scenario's question (ruling: turn_start)."""
    return is_large(state) and state.to_act != NOBODY and state.players[state.active].discards_owed > 0


@kernel
def carry_on(rules, state):
    """Carry out the next automatic step, such as the Boss's turn or the first turn; return whether there was one."""
    if state.boss_turn:
        if continue_boss_turn(rules, state) and state.to_act != NOBODY:
            begin_next_turn(rules, state)
        return True
    if is_between_games(rules, state):
        go_on(rules, state)
        return True
    if state.turn == 0 and state.to_act != NOBODY:
        if rules.challenge and state.boss_waits < 0:  # Expert: the Boss goes first
            state.boss_waits = 0
            begin_boss_turn(rules, state)
        else:
            begin_turn(rules, state, np.int64(state.first))
        return True
    return owes_discards(state) and pay_owed_discards(state, np.int64(state.active))


@kernel
def settle(rules, state):
    """Advance the game until a decision has two or more answers.

    Effects left over from an interrupted ability resolve here. A question with a single answer is answered
    automatically. (Ruling)
    """
    while True:
        if state.stack_count == 0:
            if carry_on(rules, state):
                continue
            return
        frame = top(state)
        if frame.decision == Decision.REST:
            pop(state)
            resolve(rules, state, np.int64(frame.owner), np.int64(frame.rest), np.int64(frame.end))
            continue
        if frame.optional or frame.decision == Decision.FILL_UP:
            return
        legal = stack_array(WORD_LIMIT, np.uint64)[: (rules.num_actions + 63) >> 6]
        action_set.clear(legal)
        legal_answers(rules, state, legal)
        if action_set.size(legal) != 1:
            return
        answer(rules, state, rules.actions[action_set.member(legal, 0)])


@entry
def settle_one(rules, states):
    """Advance one game until a decision is pending. states: array of one row."""
    settle(rules[0], states[0])


@kernel
def apply(rules, state, action):
    """Apply a legal action in place."""
    row = rules.actions[action]
    if state.stack_count == 0:
        act(rules, state, row)
    else:
        answer(rules, state, row)
    comes_by_itself = state.boss_turn > 0 or state.turn == 0 or is_between_games(rules, state) or owes_discards(state)
    if state.stack_count > 0 or comes_by_itself:
        settle(rules, state)
    state.decisions += 1
