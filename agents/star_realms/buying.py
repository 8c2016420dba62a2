"""What a card is worth to whoever may buy it: to `rules`, and to two players who follow one idea in all they buy.

`velocity` wants damage soon: combat counts for more, and of two cards the cheaper one. `hare` keeps to the faction of
which it has most. In all else they play as `rules` does. They are yardsticks beside it: an agent that has learned to
beat one habit may fall to another. One more buys by a table of what cards are worth
(agents/star_realms/value_table.py).
"""

import numpy as np

from stardeck.agents.kinds import AgentKind
from stardeck.agents.star_realms.values import cards_of_faction, value, worth
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.star_realms.play.faces import face
from stardeck.kernels.star_realms.rules import Act, Kind, Op
from stardeck.kernels.star_realms.state import NO_CARD

COMBAT = (6, 6, 2)  # tenths that `velocity` adds for each combat, by stage of the game
ALLY = 2  # of combat that needs an ally, one part in so many counts
CHEAP = (3, 3, 2)  # tenths that it takes off for each trade that a card costs
FACTION = 20  # per cent that a card is worth more to `hare` for each card of its faction
MOST_OF_FACTION = 8  # that count


@kernel
def on_offer(rules, state, place):
    """The card at a place of the trade row, or an Explorer at the place after the last; NO_CARD where there is none."""
    if place < len(state.trade_row):
        return np.int64(state.trade_row[place])
    return np.int64(rules.explorer) if state.explorers > 0 else NO_CARD


@kernel
def purchase(rules, state, player, card):
    """The action that buys a card; ships go on top of the deck where they may."""
    if player.next_ship_on_top > 0 and face(rules, state, card).kind == Kind.SHIP:
        return np.int64(face(rules, state, card).action[Act.BUY_TO_DECK])
    return np.int64(face(rules, state, card).action[Act.BUY])


@kernel
def combat_of(rules, first, end):
    """The combat that effects [first, end) give."""
    total = 0
    for number in range(first, end):
        if rules.effects[number].op == Op.COMBAT:
            total += rules.effects[number].amount
    return total


@kernel
def combat_of_card(rules, card):
    """The combat of a card's best side, with its share of that of its ally ability. card: a row of the card table."""
    best = 0
    for option in range(card.options):
        best = max(best, combat_of(rules, card.primary[option, 0], card.primary[option, 1]))
    return best + combat_of(rules, card.ally[0, 0], card.ally[0, 1]) // ALLY


@kernel
def liking(rules, state, player, number, stage, kind):
    """What a card on offer is worth to a buyer of this kind."""
    card = face(rules, state, number)
    total = value(rules, state, player, number, stage) + worth(rules, card.acquired[0], card.acquired[1], stage) // 3
    if kind == AgentKind.VELOCITY:
        total += COMBAT[stage] * combat_of_card(rules, card) - CHEAP[stage] * card.cost
    elif kind == AgentKind.HARE and card.faction != 0:
        total += total * FACTION * min(cards_of_faction(rules, state, player, card.faction), MOST_OF_FACTION) // 100
    return total
