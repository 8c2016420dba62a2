"""Trials of decisions: games in which, once, chance decides instead of a player.

A game says by two verbs what can be tried: `offer` notes the options at a decision, `carry_out` does what chance has
chosen. Each option is as likely. Before and after, the agent plays.
"""

import numpy as np

from stardeck.agents.search.evaluation import expected
from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.loops.playouts import agent_stream, decide
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, carry_out, offer

MOST_OFFERED = 20  # where there is more to choose from, there is no trial
NOTHING = -1  # instead of an option
PRIZE = -2  # nothing, but something that is counted, such as authority
NO_TRIAL = -3
NO_JUDGE = -1
STREAM = 0x7472_6961_6C73  # where the chance of trials begins, apart from that of agents

TRIAL = np.dtype(
    [
        ("what", np.int64),  # what is tried, as the game counts it
        ("wanted", np.int64),  # the stage in which the game is to have its trial
        ("prize", np.int64),  # how much is given instead of nothing, in that arm
        ("action", np.int64),  # what the agent would do
        ("expected", np.float64),  # what a network expected for the seat just before, -1 to 1
        ("arm", np.int16),  # what chance has chosen: one of `offered`, NOTHING, PRIZE; NO_TRIAL: there was none
        ("seat", np.int16),
        ("turn", np.int16),
        ("others", np.int16),  # of NOTHING and PRIZE, how many may be chosen too
        ("count", np.int16),  # how many of the next two there are
        ("offered", np.int16, (MOST_OFFERED,)),  # options by their numbers
        ("actions", np.int16, (MOST_OFFERED,)),  # what takes them
    ],
    align=True,
)


@kernel
def note_option(trial, option, action):
    """One thing more that chance may choose."""
    trial.offered[trial.count] = option
    trial.actions[trial.count] = action
    trial.count += 1


@kernel
def take(rules, state, trial, chosen):
    """Note what chance has chosen and, if it is an option, take it; returns whether it is."""
    if chosen < trial.count:
        trial.arm = trial.offered[chosen]
        apply(rules, state, np.int64(trial.actions[chosen]))
        return True
    trial.arm = NOTHING if chosen == trial.count else PRIZE
    return False


@entry
def play_trials(rules, states, players, agent_seed, game_seeds, judge, hazard, trials):
    """Play every row to its end with compiled agents, and make a trial in it where chance will have it.

    players, agent_seed, game_seeds: as for `play_out`; judge: the kind of the network that is asked what it expects, or
    NO_JUDGE; hazard: float64, how likely each occasion in the stage wanted is taken; trials: TRIAL[n], of which `what`,
    `wanted` and `prize` are filled in.
    """
    agent, kinds, networks = players
    for i in range(len(states)):
        state, trial = states[i], trials[i]
        trial.arm = NO_TRIAL
        chance = splitmix64(np.uint64(agent_seed) ^ np.uint64(STREAM), np.int64(game_seeds[i] >> np.uint64(1)))
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0:
            seat = np.int64(state.to_act)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            action = decide(rules[0], state, agent[0], networks)
            if trial.arm == NO_TRIAL:
                trial.action = action
                trial.count = 0
                offer(rules[0], state, agent[0], trial)
                draw = splitmix64(chance, state.decisions)
                if trial.count > 0 and below(draw, 1 << 20) < hazard * (1 << 20):
                    trial.seat, trial.turn = seat, state.turn
                    if judge != NO_JUDGE:
                        trial.expected = expected(rules[0], state, judge, seat, networks)
                    carry_out(rules[0], state, trial, below(splitmix64(draw, 0), trial.count + trial.others))
                    continue
            apply(rules[0], state, action)
