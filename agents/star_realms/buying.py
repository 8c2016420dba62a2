"""Card values of the compiled buyers: `rules`, and two players with a single idea about what to buy.

`cheap-combat` wants early damage: combat counts for more, and so does a low price. `same-faction` prefers cards of
factions that it has most of. In everything else they play as `rules` does. They are additional yardsticks: an agent
that has learned to beat one habit may lose to another. A further player buys by a table of card values
(agents/star_realms/value_table.py).
"""

import numpy as np

from stardeck.agents.kinds import AgentKind
from stardeck.agents.star_realms.values import cards_of_faction, value, worth
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.board.faces import face
from stardeck.kernels.star_realms.rules import Act, Kind, Op
from stardeck.kernels.star_realms.state import NO_CARD

COMBAT = (6, 6, 2)  # tenths that `cheap-combat` adds for each combat, by stage of the game
ALLY = 2  # divisor of combat that needs an ally
CHEAP = (3, 3, 2)  # tenths that `cheap-combat` subtracts for each trade of the cost
FACTION = 20  # per cent that `same-faction` adds to a card for each card of its faction
MOST_OF_FACTION = 8  # at most so many cards count


@kernel
def on_offer(rules, state, place):
    """Return the card at a place of the trade row, or an Explorer after the last place; NO_CARD if there is none."""
    if place < len(state.trade_row):
        return np.int64(state.trade_row[place])
    return np.int64(rules.explorer) if state.explorers > 0 else NO_CARD


@kernel
def purchase(rules, state, player, card):
    """Return the action that buys a card; ships go on top of the deck if they may."""
    if player.next_ship_on_top > 0 and face(rules, state, card).kind == Kind.SHIP:
        return np.int64(face(rules, state, card).action[Act.BUY_TO_DECK])
    return np.int64(face(rules, state, card).action[Act.BUY])


@kernel
def combat_of(rules, first, end):
    """Return the combat of effects [first, end)."""
    total = 0
    for number in range(first, end):
        if rules.effects[number].op == Op.COMBAT:
            total += rules.effects[number].amount
    return total


@kernel
def combat_of_card(rules, card):
    """Return the combat of a card's best side and its share of the ally ability. card: a row of the card table."""
    best = 0
    for option in range(card.options):
        best = max(best, combat_of(rules, card.primary[option, 0], card.primary[option, 1]))
    return best + combat_of(rules, card.ally[0, 0], card.ally[0, 1]) // ALLY


@kernel
def liking(rules, state, player, number, stage, kind):
    """Return the value of a card on offer to a buyer of this kind."""
    card = face(rules, state, number)
    total = value(rules, state, player, number, stage) + worth(rules, card.acquired[0], card.acquired[1], stage) // 3
    if kind == AgentKind.CHEAP_COMBAT:
        total += COMBAT[stage] * combat_of_card(rules, card) - CHEAP[stage] * card.cost
    elif kind == AgentKind.SAME_FACTION and card.faction != 0:
        total += total * FACTION * min(cards_of_faction(rules, state, player, card.faction), MOST_OF_FACTION) // 100
    return total
