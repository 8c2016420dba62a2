"""The simple player of Interstellar Empire: plays, explores, attacks and builds whenever it can.

It chooses cards, ships and targets at random.
"""

import numpy as np

from stardeck.agents.random_legal import random_legal
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.interstellar_empire.play.legal import legal_actions
from stardeck.kernels.interstellar_empire.rules import NO_ACTION, Act
from stardeck.kernels.interstellar_empire.state import Ask, Phase
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import below

EAGERNESS = (Act.DRAW, Act.PLAY_ON, Act.EXPLORE, Act.ATTACK, Act.BUILD)  # acts in order of preference


@kernel
def random_of_act(rules, agent, legal, act):
    """Return a random legal action of a block, or NO_ACTION."""
    count = 0
    for k in range(action_set.size(legal)):
        count += rules.actions[action_set.member(legal, k)].act == act
    if count == 0:
        return NO_ACTION
    chosen = below(agent.random, count)
    for k in range(action_set.size(legal)):
        action = action_set.member(legal, k)
        if rules.actions[action].act == act:
            if chosen == 0:
                return action
            chosen -= 1
    return NO_ACTION


@kernel
def simple_player(rules, state, agent):
    """Use every opportunity at random: send all ships, play all specials, pay every price."""
    if state.ask == Ask.MOVE and state.phase < Phase.DRAW:
        return random_legal(rules, state, agent)
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    if state.ask == Ask.MOVE:
        for place in range(len(EAGERNESS)):
            action = random_of_act(rules, agent, legal, EAGERNESS[place])
            if action != NO_ACTION:
                return action
        return np.int64(rules.first[Act.END_TURN])
    for refusal in (Act.DONE, Act.PASS, Act.DECLINE):
        if rules.first[refusal] >= 0 and action_set.size(legal) > 1:
            action = np.int64(rules.first[refusal])
            legal[action >> 6] &= ~(action_set.ONE << np.uint64(action & 63))
    return action_set.member(legal, below(agent.random, action_set.size(legal)))
