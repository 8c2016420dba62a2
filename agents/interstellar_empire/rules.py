"""The rule-based player of Interstellar Empire.

Opponents can take a planet on the table. The player therefore keeps planets in hand until the end is near or its fleet
is the strongest. It builds ships that can win wars, lets opponents explore, and pays with the cards it needs least.
"""

import numpy as np

from stardeck.agents.interstellar_empire.values import (
    EARLY,
    cheapest_discard,
    fleet_strength,
    lead_in_fleet,
    payment,
    price,
    strength,
    worth_keeping,
)
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.asking import op_asked
from stardeck.kernels.interstellar_empire.play.ending import rank
from stardeck.kernels.interstellar_empire.play.picks import may_keep
from stardeck.kernels.interstellar_empire.play.war import ATTACKER, DEFENDER
from stardeck.kernels.interstellar_empire.play.zones import can_afford, clockwise, purse, total
from stardeck.kernels.interstellar_empire.rules import NO_ACTION, Act, Family, Op
from stardeck.kernels.interstellar_empire.state import Ask, Government, Phase

DIE = 6  # the largest random number
RISK = 2  # lead of the attack from which tapped ships stay at home
SURE = 5  # lead that random numbers almost never overturn
LATE = 12  # cards in the deck
END_ROUNDS = 3  # last turns of each player, in which it plays all it can: ties go by ships, then cards
END_CARDS = 2
FIREPOWER = 10  # value of a point of firepower: won wars bring planets without payment
HULL = -17  # base value of a ship, negative to make small ships better as payment
SHIP_IN_TIME = 2  # added value of a ship for each late card drawn: ships break ties
SAFETY = 4  # value of a point of lead in the fleet for a new planet, which opponents then cannot take
MOST_SAFETY = 10  # points of the lead that count
PLANET_IN_TIME = 1  # added value of a planet for each late card drawn: fewer wars remain
AT_END = 100  # more than any cost
WINS = 1_000  # the value of the game
BRINGS_CARD = 5  # an Agricultural Planet, while the deck lasts


@kernel
def action_of(rules, kind, act):
    """Return the action of a kind of card."""
    return np.int64(rules.cards[kind].action[act])


# Moves of the turn


@kernel
def is_ahead(rules, state, seat):
    """Check that the player would win if the game ended now."""
    for other in range(rules.players):
        if other != seat and state.players[other].out == 0 and rank(state, other) >= rank(state, seat):
            return False
    return True


@kernel
def play_on_richest(rules, state, seat, op):
    """Play a special with this effect on the opponent with most cards, or return NO_ACTION."""
    richest = -1
    most = 0
    for distance in range(1, rules.players):
        other = state.players[clockwise(rules, seat, distance)]
        if other.out == 0 and total(other.hand) > most:
            most = total(other.hand)
            richest = distance
    if richest < 0:
        return NO_ACTION
    for kind in range(rules.kinds):
        if state.players[seat].hand[kind] > 0 and rules.cards[kind].op == op:
            return action_of(rules, kind, Act.PLAY_ON) + (richest - 1) * rules.opponent_specials
    return NO_ACTION


@kernel
def is_near_end(rules, state):
    """Check that only a few turns are left, in which the player no longer holds back planets."""
    return state.deck_count <= END_ROUNDS * rules.players + END_CARDS


@kernel
def drawn_late(state):
    """Count the cards drawn since the deck shrank to EARLY."""
    return max(0, EARLY - np.int64(state.deck_count))


@kernel
def draws_when_discovered(rules, state, seat, kind):
    """Return the value of the card that a planet draws: the last one of the deck wins or loses the game at once."""
    if rules.cards[kind].op != Op.DRAW_WHEN_DISCOVERED:
        return 0
    if state.deck_count > 1:
        return BRINGS_CARD
    return WINS if is_ahead(rules, state, seat) else -WINS


@kernel
def worth_of_planet(rules, state, seat):
    """Return the value of any planet on the table: higher if it is safe, or if the game is nearly over."""
    lead = max(-MOST_SAFETY, min(MOST_SAFETY, lead_in_fleet(rules, state, seat)))
    return SAFETY * lead + PLANET_IN_TIME * drawn_late(state) + (AT_END if is_near_end(rules, state) else 0)


@kernel
def planet_to_explore(rules, state, seat):
    """Return the planet with the highest value above its price; -1 if there is none."""
    player = state.players[seat]
    if total(player.untapped) == 0 or state.phase > Phase.EXPLORE:
        return -1
    held = purse(rules, player)
    any_planet = worth_of_planet(rules, state, seat)
    best = -1
    most = 0
    for kind in range(rules.kinds):
        if player.hand[kind] == 0 or rules.cards[kind].family != Family.PLANET:
            continue
        worth = any_planet + draws_when_discovered(rules, state, seat, kind)
        if worth > most and can_afford(rules, player, kind, held):
            worth -= price(rules, state, player, kind)
            if worth > most:
                most = worth
                best = kind
    return best


@kernel
def attack(rules, state, seat):
    """Attack the opponent with planets whose untapped ships are weakest, if they are no stronger; else NO_ACTION.

    Tapped ships do not count: they are destroyed if the defence fails, which is as good as the planet. A planet that
    costs the conqueror a card comes last.
    """
    player = state.players[seat]
    own = strength(rules, player.untapped)
    if own == 0 or state.phase > Phase.WAR or player.government == Government.PRIME_MINISTER:
        return NO_ACTION
    best = NO_ACTION
    most = 0
    for distance in range(1, rules.players):
        other = state.players[clockwise(rules, seat, distance)]
        lead = own - strength(rules, other.untapped)
        for kind in range(rules.kinds):
            if other.empire[kind] > 0:
                gain = 2 * (min(lead, DIE) + 1) - (rules.cards[kind].op == Op.PRICE_OF_CONQUEST)
                if gain > most:
                    most = gain
                    best = action_of(rules, kind, Act.ATTACK) + (distance - 1) * rules.planet_kinds
    return best


@kernel
def ship_to_build(rules, state, player):
    """Return the ship with the highest value above its price, or -1. The strongest fleet takes the planets."""
    held = purse(rules, player)
    any_ship = HULL + SHIP_IN_TIME * drawn_late(state) + (AT_END if is_near_end(rules, state) else 0)
    best = -1
    most = 0
    for kind in range(rules.kinds - 1, -1, -1):  # large ships first: fewer prices to compute
        if player.hand[kind] == 0 or rules.cards[kind].family != Family.SHIP:
            continue
        worth = any_ship + FIREPOWER * np.int64(rules.cards[kind].number)
        if worth > most and can_afford(rules, player, kind, held):
            worth -= price(rules, state, player, kind)
            if worth > most:
                most = worth
                best = kind
    return best


@kernel
def move(rules, state, seat):
    """Draw, play, explore, attack, build, or end the turn."""
    player = state.players[seat]
    if state.extra_draws > 0 and (state.deck_count > 1 or is_ahead(rules, state, seat)):
        return np.int64(rules.first[Act.DRAW])
    if state.phase == Phase.DRAW:
        action = play_on_richest(rules, state, seat, Op.PICK_SHARED)
        if action != NO_ACTION:
            return action
    if state.phase <= Phase.EXPLORE:
        action = play_on_richest(rules, state, seat, Op.ARTIFACT)
        if action != NO_ACTION:
            return action
    planet = planet_to_explore(rules, state, seat)
    if planet >= 0:
        return action_of(rules, planet, Act.EXPLORE)
    action = attack(rules, state, seat)
    if action != NO_ACTION:
        return action
    ship = ship_to_build(rules, state, player)
    return np.int64(rules.first[Act.END_TURN]) if ship < 0 else action_of(rules, ship, Act.BUILD)


# Answers


@kernel
def extreme_ship(rules, counts, sign):
    """Return the strongest (sign 1) or weakest (sign -1) of some ships, or -1."""
    best = -1
    for kind in range(rules.kinds):
        if counts[kind] > 0 and (best < 0 or sign * rules.cards[kind].number > sign * rules.cards[best].number):
            best = kind
    return best


@kernel
def defence_so_far(rules, state):
    """Return the firepower of the defenders sent so far, and of a special."""
    sent = np.int64(state.bonus[DEFENDER])
    for i in range(state.sent_count):
        sent += rules.cards[state.defenders[i].card].number
    return sent


@kernel
def send_to_attack(rules, state, seat):
    """Send the strongest ships first, until the whole fleet of the defender is unlikely to win."""
    defender = state.players[state.defender]
    needed = fleet_strength(rules, defender) + SURE
    sent = strength(rules, state.attackers)
    if sent >= needed and sent > 0:
        return np.int64(rules.first[Act.DONE])
    return action_of(rules, extreme_ship(rules, state.players[seat].untapped, 1), Act.SEND)


@kernel
def send_to_defend(rules, state, seat):
    """Send untapped ships, then tapped ones, until the attack is unlikely to win; none if defeat is certain."""
    player = state.players[seat]
    attacking = strength(rules, state.attackers)
    sent = defence_so_far(rules, state)
    all_of_them = sent + fleet_strength(rules, player)
    if sent >= attacking + SURE or all_of_them + SURE < attacking:
        return np.int64(rules.first[Act.DONE])
    ship = extreme_ship(rules, player.untapped, 1)
    if ship >= 0:
        return action_of(rules, ship, Act.SEND)
    if all_of_them + RISK < attacking:
        return np.int64(rules.first[Act.DONE])
    return action_of(rules, extreme_ship(rules, player.tapped, 1), Act.SEND_TAPPED)


@kernel
def surprise_pays(rules, state, seat):
    """Check that a special can still decide the war."""
    lead = strength(rules, state.attackers) + state.bonus[ATTACKER] - defence_so_far(rules, state)
    if seat == state.active:
        return -2 * DIE < lead < DIE
    return -DIE < lead < 2 * DIE


@kernel
def play_special(rules, state, seat):
    """Play the requested special, or pass if it is too valuable for this war."""
    player = state.players[seat]
    number = rules.cards[state.subject].number
    early = state.deck_count > LATE
    if state.ask == Ask.SURPRISE and not surprise_pays(rules, state, seat):
        return np.int64(rules.first[Act.PASS])
    if early and (state.ask == Ask.UNREST or (state.ask == Ask.PIRACY and number < 3)):
        return np.int64(rules.first[Act.PASS])
    for kind in range(rules.kinds):
        if player.hand[kind] > 0 and rules.cards[kind].op == op_asked(state.ask):
            return action_of(rules, kind, Act.PLAY)
    return np.int64(rules.first[Act.PASS])


@kernel
def keep_better(rules, state):
    """Keep the card of higher value."""
    best = np.int64(state.looked_at[0])
    other = np.int64(state.looked_at[1])
    if not may_keep(rules, state, best) or (
        may_keep(rules, state, other) and worth_keeping(rules, state, other) > worth_keeping(rules, state, best)
    ):
        best = other
    return action_of(rules, best, Act.KEEP)


@kernel
def pay(rules, state, player):
    """Pay with the first card of the cheapest payment for the rest."""
    _, kind = payment(rules, state, player, np.int64(rules.cards[state.subject].number - state.paid))
    return action_of(rules, kind, Act.PAY)


@kernel
def discard(rules, state, player):
    """Discard the card of lowest value, unless losing a ship costs less."""
    if state.ask == Ask.NUMBER:
        kind = cheapest_discard(rules, state, player, state.attack_score - defence_so_far(rules, state))
        if kind >= 0:
            return action_of(rules, kind, Act.DISCARD)
    kind = cheapest_discard(rules, state, player, 0)
    if state.ask == Ask.UNREST_ANSWER and rules.cards[kind].number >= 2 * rules.cards[state.subject].number:
        return np.int64(rules.first[Act.DECLINE])
    return action_of(rules, kind, Act.DISCARD)


@kernel
def bid(rules, player):
    """Bid the ship with the highest number, else the card of lowest value."""
    best = extreme_ship(rules, player.hand, 1)
    for kind in range(rules.kinds):
        if best >= 0 and rules.cards[best].family != Family.SHIP and rules.cards[kind].family == Family.SHIP:
            best = kind if player.hand[kind] > 0 else best
    return action_of(rules, best, Act.BID)


@kernel
def rules_of_thumb(rules, state, agent):
    """Return the action of the rule-based player."""
    seat = np.int64(state.to_act)
    player = state.players[seat]
    ask = state.ask
    if ask == Ask.MOVE and state.phase == Phase.BID:
        return bid(rules, player)
    if ask == Ask.MOVE and state.phase == Phase.DECLARE:
        return rules.first[Act.DECLARE] + Government.DICTATOR - Government.EMPEROR
    if ask == Ask.MOVE:
        return np.int64(move(rules, state, seat))
    if ask == Ask.SHIP:
        return action_of(rules, extreme_ship(rules, player.untapped, -1), Act.WITH)
    if ask == Ask.PAY:
        return pay(rules, state, player)
    if ask == Ask.ATTACKERS:
        return send_to_attack(rules, state, seat)
    if ask == Ask.DEFENDERS:
        return send_to_defend(rules, state, seat)
    if ask == Ask.KEEP or ask == Ask.ARTIFACT:
        return keep_better(rules, state)
    if op_asked(ask) != Op.NONE:
        return play_special(rules, state, seat)
    return discard(rules, state, player)
