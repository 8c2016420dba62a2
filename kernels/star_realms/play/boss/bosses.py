"""The automated Boss of a challenge: its turn and its attacks (rulebook: Challenge Cards).

The Boss's effects may ask the players for choices, so its turn advances step by step. Each revealed card gives the Boss
a list of effects. Each effect applies to one player after another.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives.random import random_below
from stardeck.kernels.star_realms.play.board.decisions import push
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.teams import is_in_game
from stardeck.kernels.star_realms.play.board.trade_row import draw_from_trade_deck, refill
from stardeck.kernels.star_realms.play.board.zones import first_of, put_on_deck, scrap, take_from_hand
from stardeck.kernels.star_realms.play.effects.combat import destroy_at, hit_player, is_protected
from stardeck.kernels.star_realms.play.effects.effects import ask_to_discard
from stardeck.kernels.star_realms.play.effects.gambits import shield
from stardeck.kernels.star_realms.rules import BossOp, Kind
from stardeck.kernels.star_realms.state import NO_CARD, NOBODY, Decision, Zone

ANY_COMBAT = 1 << 40  # exceeds any combat that is needed
COST_LIMIT = 128  # above any cost


# The Boss attacks


@kernel
def player_for_boss(rules, state, first, last, combat, sign):
    """Return the player of seats [first, last) that the Boss attacks, or -1 (rulebook: Boss Attacks).

    Among the players whom `combat` can defeat, it is the one with the highest authority (sign 1) or the lowest (sign
    -1). Ties are random. A team with one score is one player to the Boss.
    """
    best = -1
    best_rank = 0
    ties = 0
    for seat in range(first, last):
        if not is_in_game(state, seat) or (rules.shared_authority != 0 and seat > first):
            continue
        authority = np.int64(state.players[seat].authority)
        if authority + shield(rules, state, seat) > combat or is_protected(rules, state, seat):
            continue
        rank = sign * authority
        if best < 0 or rank > best_rank:
            best = seat
            best_rank = rank
            ties = 1
        elif rank == best_rank:
            ties += 1
            if random_below(state, ties) == 0:
                best = seat
    return best


@kernel
def base_of_kind_for_boss(rules, state, first, last, combat, kind):
    """Return seat and place of the base or outpost with the highest defense that `combat` can destroy, or -1, -1.

    Ties go to the higher cost, then to chance. (Rulebook: Boss Attacks)
    """
    best_seat = -1
    best_place = -1
    best_rank = -1
    ties = 0
    for seat in range(first, last):
        player = state.players[seat]
        if not is_in_game(state, seat) or (kind == Kind.BASE and is_protected(rules, state, seat)):
            continue
        for place in range(player.in_play_count):
            card = face(rules, state, np.int64(player.in_play[place].card))
            if card.kind != kind or card.defense > combat:
                continue
            rank = card.defense * COST_LIMIT + card.cost
            if rank < best_rank:
                continue
            ties = ties + 1 if rank == best_rank else 1
            if ties == 1 or random_below(state, ties) == 0:
                best_rank = rank
                best_seat = seat
                best_place = place
    return best_seat, best_place


@kernel
def base_for_boss(rules, state, first, last, combat):
    """Return seat and place of the base that the Boss attacks or destroys, or -1, -1; outposts come first."""
    seat, place = base_of_kind_for_boss(rules, state, first, last, combat, Kind.OUTPOST)
    if seat < 0:
        seat, place = base_of_kind_for_boss(rules, state, first, last, combat, Kind.BASE)
    return seat, place


@kernel
def boss_attacks(rules, state, first, last, combat):
    """Make a series of attacks on players [first, last) and their bases; combat without a use is lost.

    Each attack spends the least combat that defeats a player or destroys a base. The search then starts again.
    (Rulebook: Boss Attacks)
    """
    while combat > 0 and state.to_act != NOBODY:
        target = player_for_boss(rules, state, first, last, combat, 1)
        if target >= 0:
            spent = np.int64(state.players[target].authority) + shield(rules, state, target)
            combat -= spent
            hit_player(rules, state, target, spent)
            continue
        owner, place = base_for_boss(rules, state, first, last, combat)
        if owner >= 0:
            combat -= face(rules, state, np.int64(state.players[owner].in_play[place].card)).defense
            destroy_at(state, owner, place)
            continue
        target = player_for_boss(rules, state, first, last, ANY_COMBAT, -1)
        if target >= 0:
            hit_player(rules, state, target, combat)
        return


# The Boss's turn


@kernel
def put_before_boss(state, card):
    """Put a card face down before the Boss."""
    state.face_down[state.face_down_count] = card
    state.face_down_count += 1


@kernel
def deal_face_down(rules, state):
    """Deal unseen cards from the trade deck face down before the Boss (rulebook: Nemesis Beast)."""
    for _ in range(rules.boss_face_down):
        put_before_boss(state, draw_from_trade_deck(rules, state))
    state.face_down_unseen = rules.boss_face_down


@kernel
def clear_far_end(rules, state, count):
    """Take the cards furthest from the trade deck, move the others up, and return the first empty place."""
    taken = 0
    kept = 0
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        state.trade_row[place] = NO_CARD
        if card == NO_CARD:
            continue
        if taken < count:
            taken += 1
            if rules.boss_gathers:
                put_before_boss(state, card)
            else:
                scrap(rules, state, card)
        else:
            state.trade_row[kept] = card
            kept += 1
    return kept


@kernel
def begin_boss_turn(rules, state):
    """Remove cards from the far end of the trade row and reveal the new ones (rulebook: Boss Order of Play)."""
    count = 1
    if rules.boss_reveals_for_each:
        count = 0
        for seat in range(rules.players):
            count += is_in_game(state, seat)
    place = clear_far_end(rules, state, count)
    if rules.boss_gathers:
        state.boss_combat = state.face_down_count
    for empty in range(place, len(state.trade_row)):
        refill(rules, state, empty)
    state.boss_turn = 1
    state.boss_place = place - 1
    state.boss_first = 0
    state.boss_last = 0
    state.boss_seat = 0
    state.boss_effect = 0
    state.boss_end = 0


@kernel
def gain_ability(rules, state, ability):
    """Start the effects of one of the Boss's abilities."""
    state.boss_effect = rules.boss_abilities[ability, 0]
    state.boss_end = rules.boss_abilities[ability, 1]
    state.boss_seat = state.boss_first


@kernel
def abilities_of(rules, state, card):
    """Return bits of the abilities that a revealed card offers; an unaligned card offers all of them."""
    bits = np.int64(face(rules, state, card).boss_abilities)
    return bits if bits != 0 else (1 << rules.boss_abilities_count) - 1


@kernel
def reveal_for(rules, state, first, last):
    """Let the next revealed card act on players [first, last); ask a player if it has more than one faction."""
    state.boss_place += 1
    state.boss_first = first
    state.boss_last = last
    state.boss_seat = last
    if state.boss_place >= len(state.trade_row) or state.trade_row[state.boss_place] == NO_CARD:
        return
    bits = abilities_of(rules, state, np.int64(state.trade_row[state.boss_place]))
    for ability in range(rules.boss_abilities_count):
        if bits == 1 << ability:
            gain_ability(rules, state, ability)
            return
    push(state, Decision.BOSS_FACTION, first, first, 0, 0).detail = bits


@kernel
def cost_revealed(rules, state):
    """Return the cost of the revealed card."""
    return np.int64(face(rules, state, np.int64(state.trade_row[state.boss_place])).cost)


@kernel
def highest_cost(rules, state):
    """Return the highest cost in the trade row."""
    highest = 0
    for place in range(len(state.trade_row)):
        card = state.trade_row[place]
        if card != NO_CARD:
            highest = max(highest, np.int64(face(rules, state, np.int64(card)).cost))
    return highest


@kernel
def strike(rules, state, seat, combat):
    """Attack the one player whom the card affects, or save the combat for all players (setting)."""
    if rules.boss_strikes_together:
        state.boss_combat += combat
    else:
        boss_attacks(rules, state, seat, seat + 1, combat)


@kernel
def destroy_base_for_boss(rules, state, else_combat):
    """Destroy a base of any player, chosen as in an attack; without one the Boss gains combat."""
    owner, place = base_for_boss(rules, state, 0, np.int64(rules.players), ANY_COMBAT)
    if owner >= 0:
        destroy_at(state, owner, place)
    else:
        state.boss_combat += else_combat


@kernel
def random_card_to_deck(state, player):
    """Put a random card of the hand on top of the deck, in view of all players.

    The facts name no player who may not see it.
    """
    if player.count[Zone.HAND] > 0:
        place = first_of(player, Zone.HAND) + random_below(state, np.int64(player.count[Zone.HAND]))
        card = np.int64(player.cards[place])
        take_from_hand(player, card)
        put_on_deck(player, card)


@kernel
def is_gained(effect):
    """Return whether the Boss gains something for itself, which it does even for a player whom the card has defeated.

    A card is revealed only for players in the game, so players defeated earlier do not count. (Facts: rulings, Boss
    effects)
    """
    return effect.op == BossOp.AUTHORITY or effect.op == BossOp.AUTHORITY_PER_COST


@kernel
def carry_out_for_boss(rules, state, seat, effect):
    """Carry out one effect of the Boss's ability on one player (facts: challenges)."""
    amount = np.int64(effect.amount)
    if effect.op == BossOp.DISCARD:
        ask_to_discard(state, seat, seat, amount, 0, 0)
    elif effect.op == BossOp.DESTROY_BASE:
        destroy_base_for_boss(rules, state, np.int64(effect.else_combat))
    elif effect.op == BossOp.HAND_TO_DECK:
        random_card_to_deck(state, state.players[seat])
    elif effect.op == BossOp.AUTHORITY:
        state.boss_authority += amount
    elif effect.op == BossOp.ATTACK_PER_COST:
        strike(rules, state, seat, amount * cost_revealed(rules, state))
    elif effect.op == BossOp.ATTACK_PER_HIGHEST_COST:
        strike(rules, state, seat, amount * highest_cost(rules, state))
    else:
        state.boss_authority += amount * cost_revealed(rules, state)


@kernel
def next_concerned(rules, state):
    """Return the first of the players whom the next revealed card affects, or -1."""
    for seat in range(state.boss_last, rules.players):
        if is_in_game(state, seat):
            return seat
    return -1


@kernel
def continue_boss_turn(rules, state):
    """Carry out one more step of the Boss's turn; return whether the turn is over."""
    if state.boss_seat < state.boss_last:
        seat = np.int64(state.boss_seat)
        state.boss_seat += 1
        effect = rules.boss_effects[state.boss_effect]
        if is_in_game(state, seat) or is_gained(effect):
            carry_out_for_boss(rules, state, seat, effect)
        return False
    if state.boss_effect + 1 < state.boss_end:
        state.boss_effect += 1
        state.boss_seat = state.boss_first
        return False
    state.boss_effect = state.boss_end
    seat = next_concerned(rules, state)
    if seat >= 0:
        reveal_for(rules, state, seat, seat + 1 if rules.boss_reveals_for_each else np.int64(rules.players))
        return False
    boss_attacks(rules, state, 0, np.int64(rules.players), np.int64(state.boss_combat))
    state.boss_combat = 0
    state.boss_turn = 0
    return True
