"""The rule-based player of Star Realms, at the level of a beginner after a few games.

It buys trade and scrapping early, combat and bases later, and no card that would only dilute the deck. It gets rid of
its starting cards. It destroys outposts when it can, and other bases when that pays. It computes whether it can win
this turn, scrap abilities included. Card values are in values.py.
"""

import numpy as np

from stardeck.agents.kinds import AgentKind
from stardeck.agents.star_realms.buying import liking, on_offer, purchase
from stardeck.agents.star_realms.upgrading import fill_up, upgrade_or_not
from stardeck.agents.star_realms.values import (
    DILUTION,
    JUNK,
    WORTH,
    has_junk,
    least_valuable,
    most_valuable,
    stage_of,
    value,
    worth,
    worth_of_choice,
    worth_of_primary,
)
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.decisions import top
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.play.board.scenes import against_boss
from stardeck.kernels.star_realms.play.board.teams import (
    clockwise,
    may_attack,
    may_attack_bases,
    may_pass_cards,
    next_to_finish,
)
from stardeck.kernels.star_realms.play.board.trade_row import is_ship_up_to, price
from stardeck.kernels.star_realms.play.board.zones import first_of, size_of
from stardeck.kernels.star_realms.play.effects.abilities import (
    ability_card,
    factions_in_play,
    primary_usable,
    usable_abilities,
)
from stardeck.kernels.star_realms.play.effects.combat import can_be_targeted, is_protected, opposing_base_in_play
from stardeck.kernels.star_realms.play.effects.first_turn import least_bid, lowest_bid, most_bid
from stardeck.kernels.star_realms.play.effects.gambits import unclaimed
from stardeck.kernels.star_realms.play.effects.questions import LARGEST_PIECE, may_be_copied
from stardeck.kernels.star_realms.play.effects.raid import defense_left
from stardeck.kernels.star_realms.rules import NO_ACTION, Act, Kind, Op
from stardeck.kernels.star_realms.state import NO_CARD, TYPE_LIMIT, Ability, Decision, Face, Zone

# Authority that one unit of a Boss effect costs the players, in the order of BossOp.
BOSS_TOLL = (3, 5, 3, 1, 4, 12, 3)
LARGEST_PIECE_NUMBER = LARGEST_PIECE.bit_length() - 1
NEAR_DEFEAT = 15  # authority at which an Admiral begins to pass cards to the Emperor
COMBAT_OF_GAMBIT = 8  # combat that a gambit can add to a winning attack
WORTH_OF_FIRST_TURN = 4  # authority, two players: with a price of 3 the first player wins more often, with 5 less often


# Main Phase


@kernel
def outposts_in_the_way(rules, state, target):
    """Return the combat needed to destroy all outposts that protect a player."""
    needed = 0
    for other in range(rules.players):
        if other == target or (rules.team_outposts != 0 and rules.side[other] == rules.side[target]):
            opponent = state.players[other]
            for i in range(opponent.in_play_count):
                if face(rules, state, np.int64(opponent.in_play[i].card)).kind == Kind.OUTPOST:
                    needed += defense_left(rules, state, opponent.in_play[i])
    return needed


@kernel
def outposts_and_authority(rules, state, seat):
    """Return the combat needed to defeat the weakest opponent within reach, outposts included."""
    if against_boss(rules, state):
        return np.int64(state.boss_authority)
    least = 1_000_000
    for other in range(rules.players):
        if may_attack(rules, state, seat, other):
            needed = np.int64(state.players[other].authority) + outposts_in_the_way(rules, state, other)
            least = min(least, needed)
    return least


@kernel
def combat_in(rules, ability):
    """Return the combat in a list of effects."""
    combat = 0
    for number in range(ability[0], ability[1]):
        if rules.effects[number].op == Op.COMBAT:
            combat += rules.effects[number].amount
    return combat


@kernel
def combat_to_scrap_for(rules, state, player):
    """Return the combat that scrap abilities of cards in play would give."""
    combat = 0
    for i in range(player.in_play_count):
        combat += combat_in(rules, face(rules, state, ability_card(player.in_play[i])).scrap)
    return combat


@kernel
def scrap_something(rules, state, player, lethal, stage):
    """Return a useful scrap ability: combat that wins the game, or an Explorer once the deck has outgrown it."""
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        combat = combat_in(rules, face(rules, state, ability_card(entry)).scrap)
        outgrown = entry.card == rules.explorer and stage > 0
        if combat > 0 and (lethal or outgrown):
            return np.int64(face(rules, state, np.int64(entry.card)).action[Act.USE_SCRAP])
    return NO_ACTION


@kernel
def play_rank(rules, state, card):
    """Return the priority of a card to play: bases, then cards that draw, then the rest; copies of ships last."""
    if face(rules, state, card).copies:
        return 0
    if face(rules, state, card).kind != Kind.SHIP:
        return 3
    side = face(rules, state, card).primary[0]
    for number in range(side[0], side[1]):
        if rules.effects[number].op == Op.DRAW:
            return 2
    return 1


@kernel
def play_something(rules, state, player):
    """Return the action that plays the next card of the hand, or NO_ACTION."""
    best = -1
    rank = -1
    first = first_of(player, Zone.HAND)
    for i in range(first, first + size_of(player, Zone.HAND)):
        card = np.int64(player.cards[i])
        if play_rank(rules, state, card) > rank:
            rank = play_rank(rules, state, card)
            best = card
    return NO_ACTION if best < 0 else np.int64(face(rules, state, best).action[Act.PLAY])


@kernel
def side_to_use(rules, state, player, card, stage):
    """Return the best side of a base's primary ability, or -1 if using it would do harm."""
    best = -1
    gain = -1
    for option in range(face(rules, state, card).options):
        side = face(rules, state, card).primary[option]
        here = worth(rules, side[0], side[1], stage)
        for number in range(side[0], side[1]):
            effect = rules.effects[number]
            if effect.op == Op.DRAW_PER_PLAYED:
                here = 24 * player.played[effect.detail]
            elif effect.op == Op.DISCARD:
                here = 30 if has_junk(rules, state, player, Zone.HAND, stage) else -1
            elif effect.op == Op.SCRAP_FROM_HAND and not has_junk(rules, state, player, Zone.HAND, stage):
                here = -1
            elif effect.op == Op.SCRAP_FROM_HAND_OR_DISCARD and not (
                has_junk(rules, state, player, Zone.DISCARD_PILE, stage)
                or has_junk(rules, state, player, Zone.HAND, stage)
            ):
                here = -1
        if here > gain:
            gain = here
            best = option
    return best


@kernel
def handles_hand(rules, state, card):
    """Check for a base that works on the hand; the agent uses it before it plays cards."""
    for option in range(face(rules, state, card).options):
        side = face(rules, state, card).primary[option]
        for number in range(side[0], side[1]):
            op = rules.effects[number].op
            if op == Op.SCRAP_FROM_HAND or op == Op.SCRAP_FROM_HAND_OR_DISCARD or op == Op.DISCARD:
                return True
    return False


@kernel
def use_base(rules, state, player, card, stage):
    """Use the best side of a base's primary ability, or return NO_ACTION if that would do harm."""
    option = side_to_use(rules, state, player, card, stage)
    return NO_ACTION if option < 0 else face(rules, state, card).action[Act.USE] + option


@kernel
def use_on_hand(rules, state, player, stage):
    """Use a base that works on the cards in hand, or return NO_ACTION."""
    action = NO_ACTION
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        card = np.int64(entry.card)
        if action == NO_ACTION and primary_usable(rules, state, entry) and handles_hand(rules, state, card):
            action = use_base(rules, state, player, card, stage)
    return action


@kernel
def use_something(rules, state, player, stage):
    """Use a primary or ally ability, or return NO_ACTION."""
    once, twice = factions_in_play(player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        card = np.int64(entry.card)
        usable = usable_abilities(rules, state, player, entry, once, twice)
        if usable & Ability.PRIMARY:
            action = use_base(rules, state, player, card, stage)
            if action != NO_ACTION:
                return np.int64(action)
        if usable & Ability.ALLY:
            return np.int64(face(rules, state, card).action[Act.USE_ALLY])
        if usable & Ability.SECOND_ALLY:
            return face(rules, state, card).action[Act.USE_ALLY] + 1
    return NO_ACTION


@kernel
def buy_something(rules, state, player, stage, kind):
    """Buy the affordable card of highest value that does not dilute the deck, or return NO_ACTION. Ships go on top."""
    best = -1
    gain = DILUTION[stage]
    for place in range(len(state.trade_row) + 1):
        card = on_offer(rules, state, place)
        if card != NO_CARD and price(rules, state, player, card) <= player.trade:
            here = liking(rules, state, player, card, stage, kind)
            if here > gain:
                gain = here
                best = card
    return NO_ACTION if best < 0 else purchase(rules, state, player, best)


@kernel
def buy_by_table(rules, state, player, stage, table):
    """Buy the affordable card of highest positive value in a table, or return NO_ACTION."""
    best = -1
    gain = np.float32(0)
    for place in range(len(state.trade_row) + 1):
        card = on_offer(rules, state, place)
        if card != NO_CARD and price(rules, state, player, card) <= player.trade:
            here = table[stage * TYPE_LIMIT + card]
            if here > gain:
                gain = here
                best = card
    return NO_ACTION if best < 0 else purchase(rules, state, player, best)


@kernel
def pays_to_destroy(rules, state, card, stage):
    """Check that a base is worth more than the combat to destroy it: it returns only after a reshuffle."""
    comes_to = (
        2 * worth_of_primary(rules, face(rules, state, card), stage)
        + 8 * WORTH[Op.COMBAT, stage] * face(rules, state, card).ship_combat
    )
    return comes_to > WORTH[Op.COMBAT, stage] * face(rules, state, card).defense


@kernel
def attack_base(rules, state, seat, distance, lethal, stage):
    """Attack an outpost of a player that can be destroyed, or another base that pays; else NO_ACTION."""
    target = clockwise(rules, seat, distance)
    opponent = state.players[target]
    protected = is_protected(rules, state, target)
    for i in range(opponent.in_play_count):
        card = np.int64(opponent.in_play[i].card)
        if defense_left(rules, state, opponent.in_play[i]) > state.players[seat].combat:
            continue
        outpost = face(rules, state, card).kind == Kind.OUTPOST
        if outpost and not may_attack(rules, state, seat, target) and not pays_to_destroy(rules, state, card, stage):
            continue  # it protects a player who cannot be attacked anyway
        pays = (
            not lethal and can_be_targeted(rules, state, protected, card) and pays_to_destroy(rules, state, card, stage)
        )
        if outpost or pays:
            return face(rules, state, card).action[Act.ATTACK_BASE] + (distance - 1) * rules.base_kinds
    return NO_ACTION


@kernel
def damage_something(rules, state, seat):
    """Begin to damage the outpost of the Boss that is closest to destruction, or return NO_ACTION (Raid)."""
    boss = rules.lasting_damage_seat
    if boss < 0 or boss == seat or not is_protected(rules, state, boss):
        return NO_ACTION
    best = NO_ACTION
    least = 1_000_000
    for i in range(state.players[boss].in_play_count):
        entry = state.players[boss].in_play[i]
        missing = defense_left(rules, state, entry)
        if face(rules, state, np.int64(entry.card)).kind == Kind.OUTPOST and 1 < missing < least:
            least = missing
            best = np.int64(face(rules, state, np.int64(entry.card)).action[Act.DAMAGE_BASE])
    return best


@kernel
def attack_something(rules, state, seat, lethal, stage):
    """Attack outposts first, then bases that pay, then the opponent with the least authority; else NO_ACTION."""
    if against_boss(rules, state):
        return np.int64(rules.first[Act.ATTACK_BOSS])
    best = NO_ACTION
    weakest = 1_000_000
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if not may_attack_bases(rules, state, seat, target):
            continue
        action = attack_base(rules, state, seat, distance, lethal, stage)
        if action != NO_ACTION:
            return np.int64(action)
        authority = np.int64(state.players[target].authority)
        if rules.leader[target]:
            authority //= 2  # a side falls with its leader
        if authority < weakest and may_attack(rules, state, seat, target) and not is_protected(rules, state, target):
            weakest = authority
            best = rules.first[Act.ATTACK_PLAYER] + distance - 1
    return damage_something(rules, state, seat) if best == NO_ACTION else np.int64(best)


@kernel
def hand_over(rules, state, seat):
    """Give the rest of the pools to the next head of the Hydra, which can still use them; else NO_ACTION."""
    mate = next_to_finish(rules, state, seat)
    if mate < 0:
        return NO_ACTION
    player = state.players[seat]
    place = np.int64(rules.mate_place[clockwise(rules, mate, rules.players - seat)])
    if player.trade > 0:
        return rules.first[Act.GIVE_TRADE] + place
    if player.combat > 0:
        return rules.first[Act.GIVE_COMBAT] + place
    return np.int64(rules.first[Act.END_TURN])


@kernel
def pass_something(rules, state, seat, stage):
    """Pass the best discarded card of an Admiral near defeat to the Emperor, or return NO_ACTION."""
    player = state.players[seat]
    if player.trade < rules.pass_card_cost or player.authority > NEAR_DEFEAT or rules.leader[seat]:
        return NO_ACTION
    best, gain = most_valuable(rules, state, player, Zone.DISCARD_PILE, stage)
    if gain <= DILUTION[stage]:
        return NO_ACTION
    for place in range(2):
        distance = 1 if place == 0 else rules.players - 1
        mate = clockwise(rules, seat, distance)
        if rules.leader[mate] and may_pass_cards(rules, state, seat, mate):
            return face(rules, state, best).action[Act.PASS] + place * rules.types
    return NO_ACTION


@kernel
def worth_using(rules, state, player, kind, lethal, stage):
    """Check that it is time to use the scrap ability of a gambit."""
    ability = rules.gambits[kind].scrap
    for number in range(ability[0], ability[1]):
        effect = rules.effects[number]
        if effect.op == Op.COMBAT:
            return lethal or stage == 2
        if effect.op == Op.DESTROY_BASE:
            return rules.challenge != 0 or opposing_base_in_play(rules, state, np.int64(state.active))
        if effect.op == Op.PUT_ON_DECK:
            _, gain = most_valuable(rules, state, player, Zone.DISCARD_PILE, stage)
            return gain > 2 * DILUTION[stage]
        if effect.op == Op.ACQUIRE_UP_TO:
            return best_to_acquire(rules, state, player, effect.amount, stage) >= 0
        if effect.op == Op.WILD_GAMBIT:
            return player.trade > 0
    return True


@kernel
def play_gambit(rules, state, player, lethal, stage):
    """Reveal gambits that work while revealed, and reveal and use the others in time; else NO_ACTION."""
    for kind in range(rules.gambit_kinds):
        gambit = rules.gambits[kind]
        usable = gambit.action[Act.USE_GAMBIT] >= 0 and gambit.shield == 0
        if usable and not worth_using(rules, state, player, kind, lethal, stage):
            continue
        if player.gambits[Face.HIDDEN, kind] > 0:
            return np.int64(gambit.action[Act.REVEAL])
        if usable and player.gambits[Face.REVEALED, kind] > 0:
            return np.int64(gambit.action[Act.USE_GAMBIT])
    return NO_ACTION


@kernel
def play_and_buy(rules, state, player, stage, agent):
    """Use what works on the hand, play all, use all, buy; or NO_ACTION."""
    action = use_on_hand(rules, state, player, stage)
    if action == NO_ACTION:
        action = play_something(rules, state, player)
    if action == NO_ACTION:
        action = use_something(rules, state, player, stage)
    if action == NO_ACTION:
        if agent.kind == AgentKind.WORTH:
            action = buy_by_table(rules, state, player, stage, agent.table)
        else:
            action = buy_something(rules, state, player, stage, np.int64(agent.kind))
    return action


@kernel
def scrap_and_attack(rules, state, player, stage):
    """Scrap for what it brings, hand over, attack; or NO_ACTION."""
    seat = np.int64(state.active)
    action = NO_ACTION
    needed = outposts_and_authority(rules, state, seat)
    lethal = needed <= player.combat + combat_to_scrap_for(rules, state, player)
    if rules.gambit_kinds:
        action = play_gambit(rules, state, player, needed <= player.combat + COMBAT_OF_GAMBIT, stage)
    if action == NO_ACTION and rules.pass_card_cost:
        action = np.int64(pass_something(rules, state, seat, stage))
    if action == NO_ACTION and (needed > player.combat or stage > 0):
        action = scrap_something(rules, state, player, lethal and needed > player.combat, stage)
    if action == NO_ACTION and rules.shared_turn:
        action = np.int64(hand_over(rules, state, seat))
    if action == NO_ACTION and player.combat > 0:
        action = attack_something(rules, state, seat, lethal, stage)
    return np.int64(action)


@kernel
def main_phase(rules, state, stage, agent):
    """Use what works on the hand, play all, use all, buy, scrap, attack, end the turn."""
    player = state.players[state.active]
    action = np.int64(play_and_buy(rules, state, player, stage, agent))
    if action == NO_ACTION:
        action = scrap_and_attack(rules, state, player, stage)
    return np.int64(rules.first[Act.END_TURN]) if action == NO_ACTION else action


# Decisions


@kernel
def scrap_a_card(rules, state, player, frame, stage):
    """Scrap the worst card of the hand (and discard pile, if allowed); decline if every card is worth keeping."""
    worst, least = least_valuable(rules, state, player, Zone.HAND, stage)
    act = Act.SCRAP_FROM_HAND
    if frame.decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        thrown, there = least_valuable(rules, state, player, Zone.DISCARD_PILE, stage)
        if there <= least:
            worst = thrown
            least = there
            act = Act.SCRAP_FROM_DISCARD
    if frame.optional and least >= JUNK[stage]:
        return np.int64(rules.first[Act.DECLINE])
    return np.int64(face(rules, state, worst).action[act])


@kernel
def discard_a_card(rules, state, player, frame, stage):
    """Discard the worst card; if declining is allowed, only a card worse than the one drawn for it."""
    worst, least = least_valuable(rules, state, player, Zone.HAND, stage)
    if frame.optional and least >= JUNK[stage]:
        return np.int64(rules.first[Act.DECLINE])
    return np.int64(face(rules, state, worst).action[Act.DISCARD])


@kernel
def least_wanted(rules, state, player, stage):
    """Return the card of the trade row with the lowest value to a player."""
    worst = -1
    least = 1_000_000
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card != NO_CARD and value(rules, state, player, card, stage) < least:
            least = value(rules, state, player, card, stage)
            worst = card
    return worst


@kernel
def scrap_from_trade_row(rules, state, player, frame, stage):
    """Scrap the best card that is too expensive this turn, before the opponent can buy it."""
    best = -1
    gain = 2 * DILUTION[stage]
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card != NO_CARD and (price(rules, state, player, card) > player.trade or not frame.optional):
            here = value(rules, state, player, card, stage)
            if here > gain or (best < 0 and not frame.optional):
                gain = here
                best = card
    if best < 0 and frame.then_combat + frame.then_authority > 0:
        best = least_wanted(rules, state, player, stage)
    if best < 0:
        return np.int64(rules.first[Act.DECLINE])
    return np.int64(face(rules, state, best).action[Act.SCRAP_FROM_TRADE_ROW])


@kernel
def destroy_a_base(rules, state, seat):
    """Destroy the most expensive base that can be targeted."""
    best = NO_ACTION
    dearest = -1
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if not may_attack_bases(rules, state, seat, target):
            continue
        opponent = state.players[target]
        protected = is_protected(rules, state, target)
        for i in range(opponent.in_play_count):
            number = np.int64(opponent.in_play[i].card)
            card = face(rules, state, number)
            if can_be_targeted(rules, state, protected, number) and card.cost > dearest:
                dearest = np.int64(card.cost)
                best = card.action[Act.DESTROY_BASE] + (distance - 1) * rules.base_kinds
    return best


@kernel
def acquire_a_ship(rules, state, player, stage):
    """Acquire the most valuable ship on offer."""
    best = np.int64(rules.explorer)
    gain = -1
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card != NO_CARD and face(rules, state, card).kind == Kind.SHIP:
            here = value(rules, state, player, card, stage)
            if here > gain:
                gain = here
                best = card
    return np.int64(face(rules, state, best).action[Act.ACQUIRE])


@kernel
def best_to_acquire(rules, state, player, most, stage):
    """Return the most valuable card on offer up to a cost that does not dilute the deck, or -1."""
    best = -1
    gain = DILUTION[stage]
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card != NO_CARD and face(rules, state, card).cost <= most:
            here = value(rules, state, player, card, stage)
            if here > gain:
                gain = here
                best = card
    return best


@kernel
def best_ship_of_row(rules, state, player, most, stage):
    """Return the most valuable ship of the trade row up to a cost that does not dilute the deck, or -1."""
    best = -1
    gain = DILUTION[stage]
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if is_ship_up_to(rules, state, card, most):
            here = value(rules, state, player, card, stage)
            if here > gain:
                gain = here
                best = card
    return best


@kernel
def acquire_up_to(rules, state, player, most, stage):
    """Acquire the most valuable card up to a cost, on top of the deck if that is allowed."""
    best = best_to_acquire(rules, state, player, most, stage)
    if best < 0:
        best = np.int64(rules.explorer)
        for place in range(len(state.trade_row)):
            card = np.int64(state.trade_row[place])
            if state.explorers == 0 and card != NO_CARD and face(rules, state, card).cost <= most:
                best = card
    if player.next_ship_on_top > 0 and face(rules, state, best).kind == Kind.SHIP:
        return np.int64(face(rules, state, best).action[Act.ACQUIRE_TO_DECK])
    return np.int64(face(rules, state, best).action[Act.ACQUIRE])


@kernel
def copy_a_ship(rules, state, player, stage):
    """Copy the ship with the best primary ability."""
    best = -1
    gain = -1
    for card in range(rules.types):
        if may_be_copied(rules, state, player, card):
            here = worth_of_primary(rules, face(rules, state, card), stage)
            if here > gain:
                gain = here
                best = card
    return np.int64(face(rules, state, best).action[Act.COPY])


@kernel
def choose_a_side(rules, choice, stage):
    """Choose the side of an "or" with the highest value."""
    best, _ = worth_of_choice(rules, choice, stage)
    return rules.first[Act.CHOOSE] + rules.choices[choice].words[best]


@kernel
def first_target(rules, state, seat):
    """Make the opponent with most cards in hand discard."""
    best = 1
    most = -1
    for distance in range(1, rules.players):
        target = clockwise(rules, seat, distance)
        if may_attack(rules, state, seat, target) and state.players[target].count[Zone.HAND] > most:
            most = np.int64(state.players[target].count[Zone.HAND])
            best = distance
    return rules.first[Act.TARGET] + best - 1


@kernel
def faction_to_name(rules, state, player):
    """Name the faction that triggers the ally abilities of most other cards in play."""
    best = 0
    most = -1
    for faction in range(rules.factions):
        glad = 0
        for i in range(player.in_play_count):
            card = face(rules, state, ability_card(player.in_play[i]))
            glad += card.ally[0, 0] != card.ally[0, 1] and (card.ally_faction[0] >> faction) & 1 != 0
        if glad > most:
            most = glad
            best = faction
    return rules.first[Act.CHOOSE] + rules.faction_words[best]


@kernel
def faction_for_boss(rules, bits):
    """Choose the least harmful ability of the Boss: the one with the lowest toll."""
    best = -1
    for ability in range(rules.boss_abilities_count):
        if (bits >> ability) & 1 and (best < 0 or boss_toll(rules, ability) < boss_toll(rules, best)):
            best = ability
    return rules.first[Act.CHOOSE] + rules.boss_words[best]


@kernel
def boss_toll(rules, ability):
    """Return the toll of a Boss ability on the players, roughly in authority."""
    toll = 0
    for number in range(rules.boss_abilities[ability, 0], rules.boss_abilities[ability, 1]):
        toll += BOSS_TOLL[rules.boss_effects[number].op] * rules.boss_effects[number].amount
    return toll


@kernel
def add_most(rules, frame):
    """Add the largest number that fits, until the amount is at its maximum."""
    piece = LARGEST_PIECE
    k = LARGEST_PIECE_NUMBER
    while piece > 0:
        if frame.done + piece < frame.left:
            return np.int64(rules.first[Act.ADD] + k)
        piece //= 2
        k -= 1
    return np.int64(rules.first[Act.DONE])


@kernel
def look_or_keep(rules, state, player, frame):
    """Pay for a look at some gambits; keep the first that is not a Wild Gambit."""
    if frame.decision == Decision.PAY:
        return rules.first[Act.PAY] + min(max(np.int64(player.trade), 0), unclaimed(rules, state))
    kept = -1
    for kind in range(rules.gambit_kinds):
        if state.looked_at[kind] > 0:
            kept = kind
            if rules.gambits[kind].shield or rules.gambits[kind].combat:
                break
    return np.int64(rules.gambits[kept].action[Act.KEEP])


@kernel
def reveal_lasting(rules, state, player):
    """Reveal gambits that work while revealed, before the first turn."""
    for kind in range(rules.gambit_kinds):
        gambit = rules.gambits[kind]
        if player.gambits[Face.HIDDEN, kind] > 0 and (gambit.shield or gambit.combat):
            return np.int64(gambit.action[Act.REVEAL])
    return np.int64(rules.first[Act.DECLINE])


@kernel
def bid_for_first_turn(rules, state, frame):
    """Bid one more than the highest bid, up to the value of the first turn; name that value as a price for both."""
    least, most = least_bid(rules, state, frame), most_bid(rules, state, frame)
    worth = WORTH_OF_FIRST_TURN if rules.players == 2 else 0  # opponents attack the lowest authority
    if frame.optional == 0:
        worth = min(worth, most)
        return rules.first[Act.BID] + worth - lowest_bid(rules)
    if least > min(worth, most):
        return np.int64(rules.first[Act.DECLINE])
    return rules.first[Act.BID] + least - lowest_bid(rules)


@kernel
def answer_of_format(rules, state, player, frame, stage):
    """Answer a decision that occurs only in some formats, sets or gambits."""
    decision = frame.decision
    if decision == Decision.FACTION:
        return np.int64(faction_to_name(rules, state, player))
    if decision == Decision.BOSS_FACTION:
        return np.int64(faction_for_boss(rules, np.int64(frame.detail)))
    if decision == Decision.LEAVE:
        best, _ = most_valuable(rules, state, player, Zone.DISCARD_PILE, stage)
        return np.int64(face(rules, state, best).action[Act.LEAVE])
    if decision == Decision.REVEAL:
        return reveal_lasting(rules, state, player)
    if decision == Decision.PUT_ON_DECK:
        best, _ = most_valuable(rules, state, player, Zone.DISCARD_PILE, stage)
        return np.int64(face(rules, state, best).action[Act.PUT_ON_DECK])
    if decision == Decision.ACQUIRE_UP_TO:
        return acquire_up_to(rules, state, player, frame.detail, stage)
    if decision == Decision.DRAW:
        return np.int64(rules.first[Act.DRAW])
    if decision == Decision.MODIFIER:
        return np.int64(rules.first[Act.MODIFIER])
    if decision == Decision.ACQUIRE_FROM_ROW:
        best = best_ship_of_row(rules, state, player, np.int64(frame.detail), stage)
        return (
            np.int64(rules.first[Act.DECLINE]) if best < 0 else np.int64(face(rules, state, best).action[Act.ACQUIRE])
        )
    if decision == Decision.BID:
        return bid_for_first_turn(rules, state, frame)
    if decision == Decision.FILL_UP:
        return np.int64(fill_up(rules, state, np.int64(frame.seat), stage))
    if decision == Decision.UPGRADE:
        return upgrade_or_not(rules, state, np.int64(frame.seat), np.int64(frame.detail), stage)
    return np.int64(look_or_keep(rules, state, player, frame))


@kernel
def answer(rules, state, stage):
    """Answer the decision on top of the stack. Damage to bases of a Boss is always the largest possible amount."""
    frame = top(state)
    seat = np.int64(frame.seat)
    player = state.players[seat]
    decision = frame.decision
    if decision == Decision.SCRAP_FROM_HAND or decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        return scrap_a_card(rules, state, player, frame, stage)
    if decision == Decision.DISCARD:
        return discard_a_card(rules, state, player, frame, stage)
    if decision == Decision.SCRAP_FROM_TRADE_ROW:
        return scrap_from_trade_row(rules, state, player, frame, stage)
    if decision == Decision.DESTROY_BASE:
        return np.int64(destroy_a_base(rules, state, seat))
    if decision == Decision.ACQUIRE:
        return acquire_a_ship(rules, state, player, stage)
    if decision == Decision.COPY:
        return copy_a_ship(rules, state, player, stage)
    if decision == Decision.OPTION:
        return np.int64(choose_a_side(rules, np.int64(frame.detail), stage))
    if decision == Decision.TARGET:
        return np.int64(first_target(rules, state, seat))
    if decision == Decision.AMOUNT:
        return add_most(rules, frame)
    return answer_of_format(rules, state, player, frame, stage)


@kernel
def rules_of_thumb(rules, state, agent):
    """Return the action of the rule-based player."""
    stage = stage_of(rules, state)
    if state.stack_count > 0:
        return answer(rules, state, stage)
    return main_phase(rules, state, stage, agent)
