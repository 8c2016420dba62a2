"""The rule-based player of Interstellar Empire.

It builds the strongest fleet it can pay for, adds up what a war can bring, and pays with what it needs least.
"""

import numpy as np

from stardeck.agents.interstellar_empire.values import cheapest_discard, price_of_ship, prize, strength, worth_keeping
from stardeck.kernels.interstellar_empire.play.asking import op_asked
from stardeck.kernels.interstellar_empire.play.ending import rank
from stardeck.kernels.interstellar_empire.play.picks import may_keep
from stardeck.kernels.interstellar_empire.play.war import ATTACKER, DEFENDER
from stardeck.kernels.interstellar_empire.play.zones import can_afford, clockwise, purse, total
from stardeck.kernels.interstellar_empire.rules import NO_ACTION, Act, Family, Op
from stardeck.kernels.interstellar_empire.state import Ask, Government, Phase
from stardeck.kernels.jit import kernel

DIE = 6  # the largest random number
RISK = 2  # a lead of the attack at which tapped ships are better kept at home
SURE = 5  # a lead that hardly any random numbers can turn
LEAD = -3  # with so much less firepower an attack may still be lucky
LATE = 12  # cards in the deck
FIREPOWER = 20  # what a point of it is worth beside cards


@kernel
def action_of(rules, kind, act):
    """The action that does this with a card."""
    return np.int64(rules.cards[kind].action[act])


# Moves of the turn


@kernel
def is_ahead(rules, state, seat):
    """Whether the game would be won if it ended now."""
    for other in range(rules.players):
        if other != seat and state.players[other].out == 0 and rank(state, other) >= rank(state, seat):
            return False
    return True


@kernel
def play_on_richest(rules, state, seat, op):
    """Play a special that does this on the opponent with most cards, or NO_ACTION."""
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
def planet_to_explore(rules, state, player):
    """Early planets that draw cards, then the cheapest one; -1 where none can be explored."""
    if total(player.untapped) == 0 or state.phase > Phase.EXPLORE:
        return -1
    worth = purse(rules, player)
    best = -1
    least = 1_000
    for kind in range(rules.kinds):
        card = rules.cards[kind]
        if player.hand[kind] > 0 and card.family == Family.PLANET and can_afford(rules, player, kind, worth):
            price = np.int64(card.number)
            if card.op == Op.DRAW_WHEN_DISCOVERED and state.deck_count > 1:
                price -= 2
            if card.op == Op.DRAW_EACH_TURN and state.deck_count > LATE:
                price -= 3
            if price < least:
                least = price
                best = kind
    return best


@kernel
def attack(rules, state, seat):
    """Attack the best planet of the opponent beside whom the untapped fleet is strongest, or NO_ACTION."""
    player = state.players[seat]
    own = strength(rules, player.untapped)
    if own == 0 or state.phase > Phase.WAR or player.government == Government.PRIME_MINISTER:
        return NO_ACTION
    best = NO_ACTION
    most = 0
    for distance in range(1, rules.players):
        other = state.players[clockwise(rules, seat, distance)]
        lead = own - strength(rules, other.untapped) - strength(rules, other.tapped)
        if lead < LEAD:
            continue
        for kind in range(rules.kinds):
            if other.empire[kind] > 0:
                gain = 10 * (min(lead, DIE) - LEAD + 1) + prize(rules, kind)
                if gain > most:
                    most = gain
                    best = action_of(rules, kind, Act.ATTACK) + (distance - 1) * rules.planet_kinds
    return best


@kernel
def ship_to_build(rules, player):
    """The ship with most firepower for what it costs, or -1: whoever has the strongest fleet takes the planets."""
    worth = purse(rules, player)
    best = -1
    most = -1_000
    for kind in range(rules.kinds):
        card = rules.cards[kind]
        if player.hand[kind] > 0 and card.family == Family.SHIP and can_afford(rules, player, kind, worth):
            gain = FIREPOWER * card.number - price_of_ship(rules, player, kind)
            if gain > most:
                most = gain
                best = kind
    return best


@kernel
def move(rules, state, seat):
    """Draw, play, explore, attack, build, end the turn."""
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
    planet = planet_to_explore(rules, state, player)
    if planet >= 0:
        return action_of(rules, planet, Act.EXPLORE)
    action = attack(rules, state, seat)
    if action != NO_ACTION:
        return action
    ship = ship_to_build(rules, player)
    return np.int64(rules.first[Act.END_TURN]) if ship < 0 else action_of(rules, ship, Act.BUILD)


# Answers


@kernel
def extreme_ship(rules, counts, sign):
    """The strongest (sign 1) or weakest (sign -1) of some ships, or -1."""
    best = -1
    for kind in range(rules.kinds):
        if counts[kind] > 0 and (best < 0 or sign * rules.cards[kind].number > sign * rules.cards[best].number):
            best = kind
    return best


@kernel
def defence_so_far(rules, state):
    """The firepower of the ships that have been sent to defend, and what a special adds."""
    sent = np.int64(state.bonus[DEFENDER])
    for i in range(state.sent_count):
        sent += rules.cards[state.defenders[i].card].number
    return sent


@kernel
def send_to_attack(rules, state, seat):
    """The strongest ships first, until the whole fleet of the defender can hardly win."""
    defender = state.players[state.defender]
    needed = strength(rules, defender.untapped) + strength(rules, defender.tapped) + SURE
    sent = strength(rules, state.attackers)
    if sent >= needed and sent > 0:
        return np.int64(rules.first[Act.DONE])
    return action_of(rules, extreme_ship(rules, state.players[seat].untapped, 1), Act.SEND)


@kernel
def send_to_defend(rules, state, seat):
    """Untapped ships, then tapped ones, until the attack can hardly win; none where all is lost."""
    player = state.players[seat]
    attacking = strength(rules, state.attackers)
    sent = defence_so_far(rules, state)
    all_of_them = sent + strength(rules, player.untapped) + strength(rules, player.tapped)
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
    """Whether a special can turn the war: it is neither won nor lost already."""
    lead = strength(rules, state.attackers) + state.bonus[ATTACKER] - defence_so_far(rules, state)
    if seat == state.active:
        return -2 * DIE < lead < DIE
    return -DIE < lead < 2 * DIE


@kernel
def play_special(rules, state, seat):
    """Play the special that is asked for, or pass where it is too good for the moment."""
    player = state.players[seat]
    number = rules.cards[state.subject].number
    small = state.deck_count > LATE and number < 3
    if state.ask == Ask.SURPRISE and not surprise_pays(rules, state, seat):
        return np.int64(rules.first[Act.PASS])
    if (state.ask == Ask.PIRACY or state.ask == Ask.UNREST) and small:
        return np.int64(rules.first[Act.PASS])
    for kind in range(rules.kinds):
        if player.hand[kind] > 0 and rules.cards[kind].op == op_asked(state.ask):
            return action_of(rules, kind, Act.PLAY)
    return np.int64(rules.first[Act.PASS])


@kernel
def keep_better(rules, state):
    """Keep the card that is worth more."""
    best = np.int64(state.looked_at[0])
    other = np.int64(state.looked_at[1])
    if not may_keep(rules, state, best) or (
        may_keep(rules, state, other) and worth_keeping(rules, other) > worth_keeping(rules, best)
    ):
        best = other
    return action_of(rules, best, Act.KEEP)


@kernel
def pay(rules, state, player):
    """The cheapest card that pays all that is missing, else the least valuable one."""
    missing = rules.cards[state.subject].number - state.paid
    kind = cheapest_discard(rules, player, missing)
    for number in range(missing - 1, 0, -1):
        if kind < 0:
            kind = cheapest_discard(rules, player, number)
    return action_of(rules, kind, Act.PAY)


@kernel
def discard(rules, state, player):
    """Answer with the card that is worth least, unless a ship is worth less than that."""
    if state.ask == Ask.NUMBER:
        kind = cheapest_discard(rules, player, state.attack_score - defence_so_far(rules, state))
        if kind >= 0:
            return action_of(rules, kind, Act.DISCARD)
    kind = cheapest_discard(rules, player, 0)
    if state.ask == Ask.UNREST_ANSWER and rules.cards[kind].number >= 2 * rules.cards[state.subject].number:
        return np.int64(rules.first[Act.DECLINE])
    return action_of(rules, kind, Act.DISCARD)


@kernel
def bid(rules, player):
    """The ship with the highest number, else the card that is worth least."""
    best = extreme_ship(rules, player.hand, 1)
    for kind in range(rules.kinds):
        if best >= 0 and rules.cards[best].family != Family.SHIP and rules.cards[kind].family == Family.SHIP:
            best = kind if player.hand[kind] > 0 else best
    return action_of(rules, best, Act.BID)


@kernel
def rules_of_thumb(rules, state, agent):
    """The action of the rule-based player."""
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
