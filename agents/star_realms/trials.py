"""Randomised trials in Star Realms: purchases, upgrades and scrapped cards.

Purchases: trials take place where the agent is about to buy, or to end its turn with trade left for a purchase. Each
kind of card that the player can pay for is equally likely, and so are buying nothing and authority instead. Openings
are the same in the first three turns of a player. Upgrades (Rise of Empire): where the acquired card may get a
sticker, the options are each sticker that fits, none, or none with some authority. In all of these the player loses the
rest of the trade pool, and outcomes therefore differ only by the treatment.

Scrapping: the player may scrap a card of its hand or discard pile. Each of these cards is equally likely, and so are no
card and some authority instead of a card.
"""

import numpy as np

from stardeck.agents.data.trials import MOST_OFFERED, PRIZE, note_option, take
from stardeck.agents.star_realms.buying import on_offer, purchase
from stardeck.agents.star_realms.values import rounds_of, stage_of
from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.primitives import action_set
from stardeck.kernels.star_realms.play.board.decisions import top
from stardeck.kernels.star_realms.play.board.teams import change_authority
from stardeck.kernels.star_realms.play.board.trade_row import price
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.state import LARGE_STATE, NO_CARD, STATE, STICKERS, Decision
from stardeck.kernels.verbs import apply, legal_actions

PURCHASES, OPENINGS, SCRAPPING, UPGRADES = range(4)  # treatments


@kernel
def note_purchases(rules, state, player, trial):
    """Note each kind of card that a player can pay for, once."""
    for place in range(len(state.trade_row) + 1):
        card = on_offer(rules, state, place)
        known = card == NO_CARD
        for i in range(trial.count):
            known = known or trial.offered[i] == card
        if not known and price(rules, state, player, card) <= player.trade:
            note_option(trial, card, purchase(rules, state, player, card))


@kernel
def note_answers(rules, state, agent, trial):
    """Note each card that may be scrapped, once from the hand and once from the discard pile, or each sticker."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    size = action_set.size(legal)
    if size > MOST_OFFERED:
        return
    side = np.int64(rules.seat_side[state.to_act])
    for k in range(size):
        action = action_set.member(legal, k)
        row = rules.actions[action]
        if row.act == Act.SCRAP_FROM_HAND or row.act == Act.SCRAP_FROM_DISCARD:
            note_option(trial, row.card + (rules.types if row.act == Act.SCRAP_FROM_DISCARD else 0), action)
        elif row.act == Act.UPGRADE:
            note_option(trial, side * STICKERS + row.detail, action)


@kernel
def is_purchase(rules, state, action):
    """Check for an action of the agent that buys from the trade row or the Explorers, or ends its turn."""
    if state.stack_count > 0 or state.to_act != state.active:
        return False
    act = rules.actions[action].act
    return act == Act.END_TURN or act == Act.BUY or act == Act.BUY_TO_DECK


@kernel
def is_answer(state, what):
    """Check for an optional scrap of the player's own card, or the choice of a sticker."""
    if state.stack_count == 0:
        return False
    decision = top(state).decision
    if what == UPGRADES:
        return decision == Decision.UPGRADE
    scraps = decision == Decision.SCRAP_FROM_HAND or decision == Decision.SCRAP_FROM_HAND_OR_DISCARD
    return scraps and top(state).optional != 0


@kernel
def stage(rules, state, what):
    """Return the stage of the game; for openings, the number of turns of the player."""
    return rounds_of(rules, state) if what == OPENINGS else stage_of(rules, state)


@kernel
def offer(rules, state, agent, trial):
    """Note the options of a trial at a decision, if there are any."""
    trial.others = 2
    if trial.what == PURCHASES or trial.what == OPENINGS:
        if is_purchase(rules, state, trial.action) and stage(rules, state, trial.what) == trial.wanted:
            note_purchases(rules, state, state.players[state.to_act], trial)
    elif is_answer(state, trial.what) and stage(rules, state, trial.what) == trial.wanted:
        note_answers(rules, state, agent, trial)


@kernel
def carry_out(rules, state, trial, chosen):
    """Apply the chosen option; except for scrapping, the player loses the rest of the trade pool."""
    seat = np.int64(state.to_act)
    answers = state.stack_count > 0
    if not take(rules, state, trial, chosen):
        if trial.arm == PRIZE:
            change_authority(rules, state, seat, trial.prize)
        if answers:
            apply(rules, state, np.int64(rules.first[Act.DECLINE]))
    if trial.what != SCRAPPING:
        state.players[seat].trade = 0


for dtype in (STATE, LARGE_STATE):
    verbs.implement(verbs.offer, dtype, offer)
    verbs.implement(verbs.carry_out, dtype, carry_out)
