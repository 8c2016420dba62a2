"""Randomized trials of decisions: games in which chance decides once instead of a player.

Two verbs of a game define what can be tried: `offer` records the options at a decision, and `carry_out` executes the
drawn arm. All arms are equally likely. Before and after the trial the agent plays.
"""

import numpy as np

from stardeck.agents.search.evaluation import expected
from stardeck.kernels.compile.jit import entry, kernel
from stardeck.kernels.loops.playouts import agent_stream, decide
from stardeck.kernels.primitives.random import below, splitmix64
from stardeck.kernels.verbs import apply, carry_out, offer

MOST_OFFERED = 20  # with more options there is no trial
NOTHING = -1  # arm without an option
PRIZE = -2  # arm without an option but with a reward, such as authority
NO_TRIAL = -3
NO_JUDGE = -1
STREAM = 0x7472_6961_6C73  # seed offset that separates the chance of trials from that of agents

TRIAL = np.dtype(
    [
        ("what", np.int64),  # the kind of decision, as the game numbers it
        ("wanted", np.int64),  # the stage for the trial of this game
        ("prize", np.int64),  # the reward in the arm PRIZE
        ("action", np.int64),  # the agent's own action
        ("expected", np.float64),  # the value network's estimate for the seat just before, -1 to 1
        ("arm", np.int16),  # the drawn arm: one of `offered`, NOTHING, PRIZE; NO_TRIAL: there was no trial
        ("seat", np.int16),
        ("turn", np.int16),
        ("others", np.int16),  # number of arms among NOTHING and PRIZE
        ("count", np.int16),  # number of entries in the next two
        ("offered", np.int16, (MOST_OFFERED,)),  # options by their numbers
        ("actions", np.int16, (MOST_OFFERED,)),  # actions that take them
    ],
    align=True,
)


@kernel
def note_option(trial, option, action):
    """Add an option that chance may draw."""
    trial.offered[trial.count] = option
    trial.actions[trial.count] = action
    trial.count += 1


@kernel
def take(rules, state, trial, chosen):
    """Record the drawn arm and, if it is an option, take it; return true if it is."""
    if chosen < trial.count:
        trial.arm = trial.offered[chosen]
        apply(rules, state, np.int64(trial.actions[chosen]))
        return True
    trial.arm = NOTHING if chosen == trial.count else PRIZE
    return False


@entry
def play_trials(rules, states, players, agent_seed, game_seeds, judge, hazard, trials):
    """Play every row to its end with compiled agents, and make a trial in it where chance says so.

    Args:
        rules: The rules, one record.
        states: The games, one row each; they are played to their end.
        players: As for `play_out`, like the next two arguments.
        agent_seed: Seed of the agents.
        game_seeds: Seeds of the games.
        judge: Kind of the value network that estimates the position, or NO_JUDGE.
        hazard: Probability that an occasion in the wanted stage is taken, float64.
        trials: TRIAL[n] with `what`, `wanted` and `prize` filled in; the rest is written.
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
