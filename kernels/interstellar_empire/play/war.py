"""War over a planet (rulebook: War; Ship Cards, Planet Cards)."""

import numpy as np

from stardeck.kernels.compile.jit import kernel, long_kernel
from stardeck.kernels.interstellar_empire.play.asking import go_on, put_question
from stardeck.kernels.interstellar_empire.play.planets import planet_gained
from stardeck.kernels.interstellar_empire.play.zones import (
    can_discard,
    discard,
    has_special,
    put_on_discard_pile,
    ships_of,
    total,
    turn_over,
)
from stardeck.kernels.interstellar_empire.rules import Op
from stardeck.kernels.interstellar_empire.state import KIND_LIMIT, Ask, How, Phase

ATTACKER = 0  # sides, as `state.bonus` has them
DEFENDER = 1


@kernel
def declare_war(state, defender, planet):
    """War on a planet of an opponent; the ships follow."""
    state.phase = Phase.WAR
    state.subject = planet
    state.defender = defender
    state.bonus[ATTACKER] = 0
    state.bonus[DEFENDER] = 0
    state.attack_score = 0
    state.sent_count = 0
    for kind in range(KIND_LIMIT):
        state.attackers[kind] = 0
    put_question(state, state.active, Ask.ATTACKERS)


@kernel
def send_attacker(rules, state, card):
    """Send an untapped ship; with the last of them the fleet is complete."""
    player = state.players[state.active]
    player.untapped[card] -= 1
    state.attackers[card] += 1
    if total(player.untapped) == 0:
        attackers_done(rules, state)


@kernel
def attackers_done(rules, state):
    """The defender may send ships, if there are any."""
    if ships_of(state.players[state.defender]) > 0:
        put_question(state, state.defender, Ask.DEFENDERS)
    else:
        defenders_done(rules, state)


@kernel
def send_defender(rules, state, card, tapped):
    """Send a ship, tapped or not, into the defence."""
    player = state.players[state.defender]
    if tapped:
        player.tapped[card] -= 1
    else:
        player.untapped[card] -= 1
    state.defenders[state.sent_count].card = card
    state.defenders[state.sent_count].tapped = tapped
    state.sent_count += 1
    if ships_of(player) == 0:
        defenders_done(rules, state)


@kernel
def defenders_done(rules, state):
    """Before the random numbers each side may play a special, the attacker first. (Ruling)"""
    if has_special(rules, state.players[state.active], Op.BATTLE_BONUS):
        put_question(state, state.active, Ask.SURPRISE)
    else:
        surprise_defender(rules, state)


@kernel
def surprise_defender(rules, state):
    """The defender's turn to play a special."""
    if has_special(rules, state.players[state.defender], Op.BATTLE_BONUS):
        put_question(state, state.defender, Ask.SURPRISE)
    else:
        draw_numbers(rules, state)


@kernel
def answer_surprise(rules, state, seat, bonus):
    """One side has played its special, or passed (bonus 0)."""
    if seat == state.active:
        state.bonus[ATTACKER] = bonus
        surprise_defender(rules, state)
    else:
        state.bonus[DEFENDER] = bonus
        draw_numbers(rules, state)


@long_kernel
def draw_numbers(rules, state):
    """The attacker's number, then the defender's; with the deck used up that is a card of the defender's hand."""
    score = np.int64(state.bonus[ATTACKER])
    for kind in range(rules.kinds):
        score += np.int64(state.attackers[kind]) * rules.cards[kind].number
    if state.deck_count > 0:
        score += turn_over(rules, state)
    state.attack_score = score
    if state.deck_count > 0:
        decide(rules, state, turn_over(rules, state))
    elif can_discard(rules, state.players[state.defender]):
        put_question(state, state.defender, Ask.NUMBER)
    else:
        decide(rules, state, 0)


@kernel
def answer_number(rules, state, card):
    """The defender's random number comes from the hand."""
    discard(state, state.players[state.defender], card)
    decide(rules, state, np.int64(rules.cards[card].number))


@kernel
def decide(rules, state, number):
    """Compare the scores; a tie is the defender's."""
    defence = number + state.bonus[DEFENDER]
    for i in range(state.sent_count):
        defence += rules.cards[state.defenders[i].card].number
    conquered = state.attack_score > defence
    return_ships(rules, state, conquered)
    if conquered:
        conquer(rules, state)
    else:
        go_on(rules, state)


@long_kernel
def return_ships(rules, state, conquered):
    """All who fought are tapped; of a beaten defence those who were tapped before are destroyed."""
    attacker = state.players[state.active]
    defender = state.players[state.defender]
    for kind in range(rules.kinds):
        attacker.tapped[kind] += state.attackers[kind]
        state.attackers[kind] = 0
    for i in range(state.sent_count):
        ship = state.defenders[i]
        if conquered and ship.tapped:
            put_on_discard_pile(state, ship.card)
        else:
            defender.tapped[ship.card] += 1
        ship.card = 0
        ship.tapped = 0
    state.sent_count = 0


@kernel
def conquer(rules, state):
    """The planet moves over; for a jungle the attacker has to discard a card. (Rulebook: Jungle)"""
    state.players[state.defender].empire[state.subject] -= 1
    if rules.cards[state.subject].op != Op.PRICE_OF_CONQUEST:
        occupy(rules, state)
    elif can_discard(rules, state.players[state.active]):
        put_question(state, state.active, Ask.JUNGLE)
    else:
        leave_jungle(rules, state)


@kernel
def occupy(rules, state):
    """The planet joins the attacker's empire."""
    state.players[state.active].empire[state.subject] += 1
    planet_gained(rules, state, How.CONQUERED)


@kernel
def leave_jungle(rules, state):
    """The planet is of no benefit to the victor and goes to the discard pile."""
    put_on_discard_pile(state, state.subject)
    go_on(rules, state)
