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

ATTACKER = 0  # sides, in the order of `state.bonus`
DEFENDER = 1


@kernel
def declare_war(state, defender, planet):
    """Declare war on a planet of an opponent; the ships follow."""
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
    """Send an untapped ship; the last one completes the fleet."""
    player = state.players[state.active]
    player.untapped[card] -= 1
    state.attackers[card] += 1
    if total(player.untapped) == 0:
        attackers_done(rules, state)


@kernel
def attackers_done(rules, state):
    """Let the defender send ships, if there are any."""
    if ships_of(state.players[state.defender]) > 0:
        put_question(state, state.defender, Ask.DEFENDERS)
    else:
        defenders_done(rules, state)


@kernel
def send_defender(rules, state, card, tapped):
    """Send a ship, tapped or not, to the defence."""
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
    """Let each side play a special before the random numbers, the attacker first (ruling)."""
    if has_special(rules, state.players[state.active], Op.BATTLE_BONUS):
        put_question(state, state.active, Ask.SURPRISE)
    else:
        surprise_defender(rules, state)


@kernel
def surprise_defender(rules, state):
    """Let the defender play a special."""
    if has_special(rules, state.players[state.defender], Op.BATTLE_BONUS):
        put_question(state, state.defender, Ask.SURPRISE)
    else:
        draw_numbers(rules, state)


@kernel
def answer_surprise(rules, state, seat, bonus):
    """Record the special of one side; a bonus of 0 means that it passed."""
    if seat == state.active:
        state.bonus[ATTACKER] = bonus
        surprise_defender(rules, state)
    else:
        state.bonus[DEFENDER] = bonus
        draw_numbers(rules, state)


@long_kernel
def draw_numbers(rules, state):
    """Draw the attacker's number, then the defender's; with an empty deck it is a card of the defender's hand."""
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
    """Use a card of the defender's hand as the random number."""
    discard(state, state.players[state.defender], card)
    decide(rules, state, np.int64(rules.cards[card].number))


@kernel
def decide(rules, state, number):
    """Compare the scores; a tie goes to the defender."""
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
    """Return all ships tapped; if the defence is beaten, its ships that were tapped before are destroyed."""
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
    """Take the planet from the defender; for a jungle the attacker has to discard a card (rulebook: Jungle)."""
    state.players[state.defender].empire[state.subject] -= 1
    if rules.cards[state.subject].op != Op.PRICE_OF_CONQUEST:
        occupy(rules, state)
    elif can_discard(rules, state.players[state.active]):
        put_question(state, state.active, Ask.JUNGLE)
    else:
        leave_jungle(rules, state)


@kernel
def occupy(rules, state):
    """Add the planet to the attacker's empire."""
    state.players[state.active].empire[state.subject] += 1
    planet_gained(rules, state, How.CONQUERED)


@kernel
def leave_jungle(rules, state):
    """Discard the planet: it is of no benefit to the victor."""
    put_on_discard_pile(state, state.subject)
    go_on(rules, state)
