"""Counts of what agents buy, and of what they could have bought, turn by turn.

The verb `offer` of randomised trials (agents/data/trials.py) records the options at a decision. Here nothing is drawn:
the agent's own choice counts. An option counts once in each turn of a seat, and so does its purchase.
"""

import numpy as np

from stardeck.agents.data.trials import TRIAL
from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.loops.playouts import SEAT_LIMIT, agent_stream, decide
from stardeck.kernels.primitives.random import splitmix64
from stardeck.kernels.verbs import apply, offer

OFFERED, BOUGHT = range(2)
NO_OPTION = -1


@kernel
def note_turn(counts, last, stage, option, turn, what):
    """Count an option once in a turn. last: int64[options, 2], the last turn in which it counted."""
    if last[option, what] != turn:
        last[option, what] = turn
        counts[stage, option, what] += 1


@entry
def count_purchases(rules, states, players, agent_seed, game_seeds, trial, tally):
    """Play every row to its end with compiled agents, and count offers and purchases.

    Args:
        rules: The rules, one record.
        states: The games, one row each; they are played to their end.
        players: As for `play_out`, like the next two arguments.
        agent_seed: Seed of the agents.
        game_seeds: Seeds of the games.
        trial: TRIAL[1] with `what` filled in, scratch.
        tally: Tuple of option_of (int64[actions], the option that an action takes, or NO_OPTION), counts
            (int64[stages, options, 2], increased) and last (int64[options, 2], scratch).
    """
    agent, kinds, networks = players
    option_of, counts, last = tally
    for i in range(len(states)):
        state = states[i]
        last[:, :] = -1
        for seat in range(kinds.shape[1]):
            agent[0].stream[seat] = agent_stream(agent_seed, game_seeds[i], seat)
        while state.to_act >= 0:
            seat = np.int64(state.to_act)
            agent[0].kind = kinds[i, seat]
            agent[0].random = splitmix64(agent[0].stream[seat], state.decisions)
            action = decide(rules[0], state, agent[0], networks)
            turn = np.int64(state.turn) * SEAT_LIMIT + seat
            for stage in range(len(counts)):
                trial[0].action, trial[0].wanted, trial[0].count = action, stage, 0
                offer(rules[0], state, agent[0], trial[0])
                if trial[0].count > 0:
                    for k in range(trial[0].count):
                        option = np.int64(trial[0].offered[k])
                        note_turn(counts, last, stage, option, turn, OFFERED)
                        if trial[0].actions[k] == action or option_of[action] == option:
                            note_turn(counts, last, stage, option, turn, BOUGHT)
                    break
            apply(rules[0], state, action)


def blank_trial(what: int) -> np.ndarray:
    """Return the scratch record of `count_purchases`. what: the kind of decision, as the game numbers it."""
    trial = np.zeros(1, TRIAL)
    trial["what"] = what
    return trial
