"""The rule-based player of Star Realms: what a beginner soon learns.

It buys trade and scrapping early, combat and bases later, and leaves alone what would only dilute the deck; gets rid of
its starting cards; destroys outposts when it can and other bases when that pays; adds up whether it can win this turn,
scrap abilities included. Cards are valued from their effects, so that it plays any card table.

Values are in tenths of a trade on the first turn.
"""

import numpy as np

from stardeck.kernels.jit import kernel
from stardeck.kernels.star_realms.abilities import ability_card, ally_usable, factions_in_play, primary_usable
from stardeck.kernels.star_realms.combat import can_be_targeted, has_outpost, is_opponent
from stardeck.kernels.star_realms.decisions import top
from stardeck.kernels.star_realms.effects import may_be_copied
from stardeck.kernels.star_realms.rules import NO_ACTION, Act, Kind, Op
from stardeck.kernels.star_realms.state import NO_CARD, Decision, Zone

# Value of one unit of an effect in the three stages of a game, in the order of Op.
WORTH = np.array(
    [
        [20, 11, 3],  # trade
        [9, 12, 16],  # combat
        [4, 6, 7],  # authority
        [24, 24, 24],  # draw
        [20, 20, 20],  # draw for each card of a faction played
        [14, 16, 18],  # opponent discards
        [10, 8, 3],  # next ship on top
        [10, 8, 0],  # scrap from hand
        [26, 22, 8],  # scrap from hand or discard pile
        [3, 3, 3],  # scrap from the trade row
        [6, 12, 20],  # destroy base
        [50, 45, 30],  # acquire a ship
        [8, 10, 12],  # discard, then draw
        [40, 40, 40],  # copy a ship
    ]
)
FIRST_TURN_OF_STAGE = (0, 11, 21)  # both players' turns counted
DILUTION = (14, 24, 34)  # a card worth less than this makes a deck worse
JUNK = (21, 26, 26)  # a card worth less than this is better out of the deck
BASE_STAYS = 16  # tenths: how much more an ability is worth that comes back turn after turn


@kernel
def stage_of(state):
    """0 early, 1 middle, 2 late."""
    return np.int64(state.turn >= FIRST_TURN_OF_STAGE[1]) + np.int64(state.turn >= FIRST_TURN_OF_STAGE[2])


@kernel
def worth(rules, first, end, stage):
    """The value of effects [first, end)."""
    total = 0
    for number in range(first, end):
        effect = rules.effects[number]
        total += WORTH[effect.op, stage] * effect.amount
    return total


@kernel
def worth_of_primary(rules, card, stage):
    """The value of the best side of a primary ability."""
    best = 0
    for option in range(rules.cards[card].options):
        side = rules.cards[card].primary[option]
        best = max(best, worth(rules, side[0], side[1], stage))
    return best


@kernel
def cards_of_faction(rules, player, factions):
    """How many cards a player owns that share a faction with `factions`."""
    owned = 0
    for zone in range(len(player.count)):
        for i in range(player.count[zone]):
            owned += (rules.cards[player.cards[zone, i]].faction & factions) != 0
    for i in range(player.in_play_count):
        owned += (rules.cards[player.in_play[i].card].faction & factions) != 0
    return owned


@kernel
def value(rules, player, number, stage):
    """What a card is worth to a player at this stage of the game."""
    card = rules.cards[number]
    total = worth_of_primary(rules, number, stage)
    total += 3 * WORTH[Op.COMBAT, stage] * card.ship_combat
    if card.kind != Kind.SHIP:
        total = total * BASE_STAYS // 10 + card.defense * (3 if card.kind == Kind.BASE else 5)
    total += 3 * worth(rules, card.scrap[0], card.scrap[1], stage) // 10
    if card.ally[0] != card.ally[1]:
        partners = min(cards_of_faction(rules, player, card.ally_faction), 8)
        total += (2 + partners) * worth(rules, card.ally[0], card.ally[1], stage) // 10
    return total


# Main Phase


@kernel
def outposts_and_authority(rules, state, seat):
    """The combat it takes to defeat the weakest opponent, outposts included."""
    least = 1_000_000
    for other in range(rules.players):
        if is_opponent(state, seat, other):
            opponent = state.players[other]
            needed = np.int64(opponent.authority)
            for i in range(opponent.in_play_count):
                card = rules.cards[opponent.in_play[i].card]
                if card.kind == Kind.OUTPOST:
                    needed += card.defense
            least = min(least, needed)
    return least


@kernel
def combat_in(rules, ability):
    """The combat that a list of effects gives."""
    combat = 0
    for number in range(ability[0], ability[1]):
        if rules.effects[number].op == Op.COMBAT:
            combat += rules.effects[number].amount
    return combat


@kernel
def combat_to_scrap_for(rules, player):
    """The combat that scrap abilities of cards in play would give."""
    combat = 0
    for i in range(player.in_play_count):
        combat += combat_in(rules, rules.cards[ability_card(player.in_play[i])].scrap)
    return combat


@kernel
def scrap_something(rules, state, player, lethal, stage):
    """A scrap ability worth using: combat that wins the game, and Explorers once the deck has outgrown them."""
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        combat = combat_in(rules, rules.cards[ability_card(entry)].scrap)
        outgrown = entry.card == rules.explorer and stage > 0
        if combat > 0 and (lethal or outgrown):
            return np.int64(rules.cards[entry.card].action[Act.USE_SCRAP])
    return NO_ACTION


@kernel
def play_rank(rules, card):
    """In which order to play: bases, then cards that draw, then the rest; copies of ships last."""
    if rules.cards[card].copies:
        return 0
    if rules.cards[card].kind != Kind.SHIP:
        return 3
    side = rules.cards[card].primary[0]
    for number in range(side[0], side[1]):
        if rules.effects[number].op == Op.DRAW:
            return 2
    return 1


@kernel
def play_something(rules, player):
    """The card of the hand to play next, or NO_ACTION."""
    best = -1
    rank = -1
    for i in range(player.count[Zone.HAND]):
        card = np.int64(player.cards[Zone.HAND, i])
        if play_rank(rules, card) > rank:
            rank = play_rank(rules, card)
            best = card
    return NO_ACTION if best < 0 else np.int64(rules.cards[best].action[Act.PLAY])


@kernel
def has_junk(rules, player, zone, stage):
    """Whether a pile has a card that the deck is better without."""
    for i in range(player.count[zone]):
        if value(rules, player, np.int64(player.cards[zone, i]), stage) < JUNK[stage]:
            return True
    return False


@kernel
def side_to_use(rules, player, card, stage):
    """The best side of a base's primary ability, or -1 where using it would do harm."""
    best = -1
    gain = -1
    for option in range(rules.cards[card].options):
        side = rules.cards[card].primary[option]
        here = worth(rules, side[0], side[1], stage)
        for number in range(side[0], side[1]):
            effect = rules.effects[number]
            if effect.op == Op.DRAW_PER_PLAYED:
                here = 24 * player.played[effect.faction]
            elif effect.op == Op.DISCARD:
                here = 30 if has_junk(rules, player, Zone.HAND, stage) else -1
            elif effect.op == Op.SCRAP_FROM_HAND and not has_junk(rules, player, Zone.HAND, stage):
                here = -1
            elif effect.op == Op.SCRAP_FROM_HAND_OR_DISCARD and not (
                has_junk(rules, player, Zone.DISCARD_PILE, stage) or has_junk(rules, player, Zone.HAND, stage)
            ):
                here = -1
        if here > gain:
            gain = here
            best = option
    return best


@kernel
def handles_hand(rules, card):
    """Whether a base works on the cards in hand, and so is used before they are played."""
    for option in range(rules.cards[card].options):
        side = rules.cards[card].primary[option]
        for number in range(side[0], side[1]):
            op = rules.effects[number].op
            if op == Op.SCRAP_FROM_HAND or op == Op.SCRAP_FROM_HAND_OR_DISCARD or op == Op.DISCARD:
                return True
    return False


@kernel
def use_something(rules, player, stage, only_on_hand):
    """A primary or ally ability worth using, or NO_ACTION."""
    once, twice = factions_in_play(rules, player)
    for i in range(player.in_play_count):
        entry = player.in_play[i]
        card = np.int64(entry.card)
        if primary_usable(rules, entry) and (not only_on_hand or handles_hand(rules, card)):
            option = side_to_use(rules, player, card, stage)
            if option >= 0:
                return rules.cards[card].action[Act.USE] + option
        if not only_on_hand and ally_usable(rules, player, entry, once, twice):
            return np.int64(rules.cards[card].action[Act.USE_ALLY])
    return NO_ACTION


@kernel
def buy_something(rules, state, player, stage):
    """The most valuable card that can be paid for and does not dilute the deck, or NO_ACTION. Ships go on top."""
    best = -1
    gain = DILUTION[stage]
    for place in range(len(state.trade_row) + 1):
        if place < len(state.trade_row):
            card = np.int64(state.trade_row[place])
        else:
            card = np.int64(rules.explorer) if state.explorers > 0 else NO_CARD
        if card != NO_CARD and rules.cards[card].cost <= player.trade:
            here = value(rules, player, card, stage)
            if here > gain:
                gain = here
                best = card
    if best < 0:
        return NO_ACTION
    if player.next_ship_on_top > 0 and rules.cards[best].kind == Kind.SHIP:
        return np.int64(rules.cards[best].action[Act.BUY_TO_DECK])
    return np.int64(rules.cards[best].action[Act.BUY])


@kernel
def pays_to_destroy(rules, card, stage):
    """Whether a base is worth more than the combat it takes: it comes back only after a reshuffle."""
    comes_to = 2 * worth_of_primary(rules, card, stage) + 8 * WORTH[Op.COMBAT, stage] * rules.cards[card].ship_combat
    return comes_to > WORTH[Op.COMBAT, stage] * rules.cards[card].defense


@kernel
def attack_something(rules, state, seat, lethal, stage):
    """Outposts first, then bases that pay, then the opponent with least authority; or NO_ACTION."""
    combat = state.players[seat].combat
    best = NO_ACTION
    weakest = 1_000_000
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if not is_opponent(state, seat, target):
            continue
        opponent = state.players[target]
        protected = has_outpost(rules, opponent)
        for i in range(opponent.in_play_count):
            card = np.int64(opponent.in_play[i].card)
            if rules.cards[card].defense > combat:
                continue
            outpost = rules.cards[card].kind == Kind.OUTPOST
            if outpost or (not protected and not lethal and pays_to_destroy(rules, card, stage)):
                return rules.cards[card].action[Act.ATTACK_BASE] + (distance - 1) * rules.base_kinds
        if not protected and opponent.authority < weakest:
            weakest = opponent.authority
            best = rules.first[Act.ATTACK_PLAYER] + distance - 1
    return best


@kernel
def main_phase(rules, state, stage):
    """Use what works on the hand, play all, use all, buy, scrap, attack, end the turn."""
    seat = np.int64(state.active)
    player = state.players[seat]
    action = use_something(rules, player, stage, True)
    if action == NO_ACTION:
        action = play_something(rules, player)
    if action == NO_ACTION:
        action = use_something(rules, player, stage, False)
    if action == NO_ACTION:
        action = buy_something(rules, state, player, stage)
    if action != NO_ACTION:
        return action
    needed = outposts_and_authority(rules, state, seat)
    lethal = needed <= player.combat + combat_to_scrap_for(rules, player)
    if needed > player.combat or stage > 0:
        action = scrap_something(rules, state, player, lethal and needed > player.combat, stage)
    if action == NO_ACTION and player.combat > 0:
        action = attack_something(rules, state, seat, lethal, stage)
    return np.int64(rules.first[Act.END_TURN]) if action == NO_ACTION else np.int64(action)


# Decisions


@kernel
def least_valuable(rules, player, zone, stage):
    """The card of a pile that is worth least, and its value; NO_CARD for an empty pile."""
    worst = NO_CARD
    least = 1_000_000
    for i in range(player.count[zone]):
        card = np.int64(player.cards[zone, i])
        here = value(rules, player, card, stage)
        if here < least:
            least = here
            worst = card
    return worst, least


@kernel
def scrap_a_card(rules, player, frame, stage):
    """Scrap the worst card, from the discard pile if it lies there too; decline when all are worth keeping."""
    worst, least = least_valuable(rules, player, Zone.HAND, stage)
    act = Act.SCRAP_FROM_HAND
    if frame.decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        thrown, there = least_valuable(rules, player, Zone.DISCARD_PILE, stage)
        if there <= least:
            worst = thrown
            least = there
            act = Act.SCRAP_FROM_DISCARD
    if frame.optional and least >= JUNK[stage]:
        return np.int64(rules.first[Act.DECLINE])
    return np.int64(rules.cards[worst].action[act])


@kernel
def discard_a_card(rules, player, frame, stage):
    """Discard the worst card; where it may be declined, only what is worse than the card drawn for it."""
    worst, least = least_valuable(rules, player, Zone.HAND, stage)
    if frame.optional and least >= JUNK[stage]:
        return np.int64(rules.first[Act.DECLINE])
    return np.int64(rules.cards[worst].action[Act.DISCARD])


@kernel
def scrap_from_trade_row(rules, state, player, frame, stage):
    """Keep from the opponent the best card that is too dear this turn."""
    best = -1
    gain = 2 * DILUTION[stage]
    for place in range(len(state.trade_row)):
        card = np.int64(state.trade_row[place])
        if card != NO_CARD and (rules.cards[card].cost > player.trade or not frame.optional):
            here = value(rules, player, card, stage)
            if here > gain or (best < 0 and not frame.optional):
                gain = here
                best = card
    if best < 0:
        return np.int64(rules.first[Act.DECLINE])
    return np.int64(rules.cards[best].action[Act.SCRAP_FROM_TRADE_ROW])


@kernel
def destroy_a_base(rules, state, seat):
    """Destroy the dearest base that can be targeted."""
    best = NO_ACTION
    dearest = -1
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if not is_opponent(state, seat, target):
            continue
        opponent = state.players[target]
        protected = has_outpost(rules, opponent)
        for i in range(opponent.in_play_count):
            number = np.int64(opponent.in_play[i].card)
            card = rules.cards[number]
            if can_be_targeted(rules, protected, number) and card.cost > dearest:
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
        if card != NO_CARD and rules.cards[card].kind == Kind.SHIP:
            here = value(rules, player, card, stage)
            if here > gain:
                gain = here
                best = card
    return np.int64(rules.cards[best].action[Act.ACQUIRE])


@kernel
def copy_a_ship(rules, player, stage):
    """Copy the ship with the best primary ability."""
    best = -1
    gain = -1
    for card in range(rules.types):
        if may_be_copied(rules, player, card):
            here = worth_of_primary(rules, card, stage)
            if here > gain:
                gain = here
                best = card
    return np.int64(rules.cards[best].action[Act.COPY])


@kernel
def choose_a_side(rules, card, stage):
    """The side of a ship's "or" that is worth most."""
    best = 0
    gain = -1
    for option in range(rules.cards[card].options):
        side = rules.cards[card].primary[option]
        here = worth(rules, side[0], side[1], stage)
        if here > gain:
            gain = here
            best = option
    return rules.first[Act.CHOOSE] + rules.cards[card].word[best]


@kernel
def first_target(rules, state, seat):
    """The opponent with most cards in hand must discard."""
    best = 1
    most = -1
    for distance in range(1, rules.players):
        target = (seat + distance) % rules.players
        if is_opponent(state, seat, target) and state.players[target].count[Zone.HAND] > most:
            most = np.int64(state.players[target].count[Zone.HAND])
            best = distance
    return rules.first[Act.TARGET] + best - 1


@kernel
def answer(rules, state, stage):
    """Answer the decision on top of the stack. An attack with part of the combat is never begun."""
    frame = top(state)
    seat = np.int64(frame.seat)
    player = state.players[seat]
    decision = frame.decision
    if decision == Decision.SCRAP_FROM_HAND or decision == Decision.SCRAP_FROM_HAND_OR_DISCARD:
        return scrap_a_card(rules, player, frame, stage)
    if decision == Decision.DISCARD:
        return discard_a_card(rules, player, frame, stage)
    if decision == Decision.SCRAP_FROM_TRADE_ROW:
        return scrap_from_trade_row(rules, state, player, frame, stage)
    if decision == Decision.DESTROY_BASE:
        return np.int64(destroy_a_base(rules, state, seat))
    if decision == Decision.ACQUIRE:
        return acquire_a_ship(rules, state, player, stage)
    if decision == Decision.COPY:
        return copy_a_ship(rules, player, stage)
    if decision == Decision.OPTION:
        return np.int64(choose_a_side(rules, np.int64(frame.detail), stage))
    if decision == Decision.TARGET:
        return np.int64(first_target(rules, state, seat))
    return np.int64(rules.first[Act.DONE] if frame.done > 0 else rules.first[Act.ADD])


@kernel
def rules_of_thumb(rules, state, agent):
    """The action of the rule-based player."""
    stage = stage_of(state)
    if state.stack_count > 0:
        return answer(rules, state, stage)
    return main_phase(rules, state, stage)
