"""Card values of the rule-based player of Star Realms, computed from their effects for any card table.

The unit is a tenth of a trade on the first turn.
"""

import numpy as np

from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.faces import face, is_large
from stardeck.kernels.star_realms.play.board.zones import first_of, size_of
from stardeck.kernels.star_realms.rules import Kind, Op
from stardeck.kernels.star_realms.state import BOX_LIMIT, NO_CARD, Zone

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
        [5, 5, 5],  # name a faction
        [10, 15, 20],  # put a card of the discard pile on the deck
        [8, 10, 10],  # acquire a card of some cost, for each trade
        [20, 20, 20],  # look at gambits
        [0, 0, 0],  # choose: see `worth_of_choice`
        [24, 24, 24],  # draw, then discard
        [12, 10, 3],  # cards of the trade row cost less
        [8, 8, 6],  # acquire a ship of some cost, for each trade
    ]
)
FIRST_TURN_OF_STAGE = (0, 5, 10)  # full rounds of turns before each stage
DILUTION = (14, 24, 34)  # a card of a lower value makes a deck worse
JUNK = (21, 26, 26)  # a deck is better without a card of a lower value
BASE_STAYS = 16  # tenths: factor for an ability that returns every turn
DISCARDED = 12  # the value lost by discarding the worst card of a hand


@kernel
def rounds_of(rules, state):
    """Return the number of full rounds of turns so far."""
    return np.int64((state.turn - 1) // (rules.sides if rules.shared_turn else rules.players))


@kernel
def stage_of(rules, state):
    """Return the stage: 0 early, 1 middle, 2 late."""
    rounds = rounds_of(rules, state)
    return np.int64(rounds >= FIRST_TURN_OF_STAGE[1]) + np.int64(rounds >= FIRST_TURN_OF_STAGE[2])


@kernel
def worth_of_effect(effect, stage):
    """Return the value of one effect without a choice."""
    total = WORTH[effect.op, stage] * effect.amount
    total += WORTH[Op.COMBAT, stage] * effect.then_combat * effect.amount
    total += WORTH[Op.AUTHORITY, stage] * effect.then_authority * effect.amount
    if effect.op == Op.DRAW_THEN_DISCARD:
        total -= DISCARDED * effect.detail
    return total


@kernel
def worth_of_choice(rules, number, stage):
    """Return the side of an "or" with the highest value, and that value."""
    best = 0
    gain = -1
    choice = rules.choices[number]
    for option in range(choice.count):
        here = 0
        for place in range(choice.sides[option, 0], choice.sides[option, 1]):
            here += worth_of_effect(rules.effects[place], stage)
        if here > gain:
            gain = here
            best = option
    return best, gain


@kernel
def worth(rules, first, end, stage):
    """Return the value of effects [first, end)."""
    total = 0
    for number in range(first, end):
        effect = rules.effects[number]
        if effect.op == Op.CHOOSE:
            _, gain = worth_of_choice(rules, np.int64(effect.detail), stage)
            total += gain
        else:
            total += worth_of_effect(effect, stage)
    return total


@kernel
def worth_of_primary(rules, card, stage):
    """Return the value of the best side of a primary ability. card: a row of the card table."""
    best = 0
    for option in range(card.options):
        best = max(best, worth(rules, card.primary[option, 0], card.primary[option, 1], stage))
    return best


@kernel
def cards_of_faction(rules, state, player, factions):
    """Count the cards of a player that share a faction with `factions`."""
    owned = 0
    held = player.count[Zone.DECK] + player.count[Zone.HAND]
    for i in range(held):
        owned += (face(rules, state, np.int64(player.cards[i])).faction & factions) != 0
    discarded = first_of(player, Zone.DISCARD_PILE)
    for i in range(discarded, discarded + size_of(player, Zone.DISCARD_PILE)):
        owned += (face(rules, state, np.int64(player.cards[i])).faction & factions) != 0
    for i in range(player.in_play_count):
        owned += (face(rules, state, np.int64(player.in_play[i].card)).faction & factions) != 0
    return owned


@kernel
def value_of_face(rules, state, player, card, stage):
    """Return the value of a card to a player at this stage of the game. card: a row of the card table."""
    total = worth_of_primary(rules, card, stage)
    total += 3 * WORTH[Op.COMBAT, stage] * card.ship_combat
    if card.kind != Kind.SHIP:
        total = total * BASE_STAYS // 10 + card.defense * (3 if card.kind == Kind.BASE else 5)
    total += 3 * worth(rules, card.scrap[0], card.scrap[1], stage) // 10
    for box in range(BOX_LIMIT if is_large(state) else 1):
        if card.ally[box, 0] != card.ally[box, 1]:
            partners = min(cards_of_faction(rules, state, player, card.ally_faction[box]), 8)
            total += (2 + partners) * worth(rules, card.ally[box, 0], card.ally[box, 1], stage) // 10
    return total


@kernel
def value(rules, state, player, number, stage):
    """Return the value of a card of the game to a player at this stage."""
    return value_of_face(rules, state, player, face(rules, state, number), stage)


@kernel
def has_junk(rules, state, player, zone, stage):
    """Check for a card in a pile that the deck is better without."""
    first = first_of(player, zone)
    for i in range(first, first + size_of(player, zone)):
        if value(rules, state, player, np.int64(player.cards[i]), stage) < JUNK[stage]:
            return True
    return False


@kernel
def least_valuable(rules, state, player, zone, stage):
    """Return the card of a pile with the lowest value, and that value; NO_CARD for an empty pile."""
    worst = NO_CARD
    least = 1_000_000
    first = first_of(player, zone)
    for i in range(first, first + size_of(player, zone)):
        card = np.int64(player.cards[i])
        here = value(rules, state, player, card, stage)
        if here < least:
            least = here
            worst = card
    return worst, least


@kernel
def most_valuable(rules, state, player, zone, stage):
    """Return the card of a pile with the highest value, and that value; NO_CARD, -1 for an empty pile."""
    best = NO_CARD
    most = -1
    first = first_of(player, zone)
    for i in range(first, first + size_of(player, zone)):
        card = np.int64(player.cards[i])
        here = value(rules, state, player, card, stage)
        if here > most:
            most = here
            best = card
    return best, most
