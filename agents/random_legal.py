"""The uniformly random player: every legal action is as likely. Serves every game."""

from stardeck.kernels import actionset
from stardeck.kernels.jit import kernel
from stardeck.kernels.random import below
from stardeck.kernels.verbs import legal_actions


@kernel
def random_legal(rules, state, agent):
    """A legal action, each as likely: the k-th smallest, as `pick` takes it from a mask."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    return actionset.member(legal, below(agent.random, actionset.size(legal)))
