"""The uniformly random player: all legal actions are equally likely. It serves every game."""

from stardeck.kernels import verbs
from stardeck.kernels.compile.jit import kernel
from stardeck.kernels.contract.variant import Variant
from stardeck.kernels.primitives import action_set
from stardeck.kernels.primitives.random import below
from stardeck.kernels.verbs import legal_actions


@kernel
def random_legal(rules, state, agent):
    """Return a uniformly random legal action: the k-th smallest, as `pick` takes it from a mask."""
    legal = agent.legal[: (rules.num_actions + 63) >> 6]
    legal_actions(rules, state, legal)
    return action_set.member(legal, below(agent.random, action_set.size(legal)))


def implement(variant: Variant) -> None:
    """Let this player answer the verb `choose` for a game without agents of its own."""
    if not verbs.is_implemented(verbs.choose, variant.state_dtype):
        verbs.implement(verbs.choose, variant.state_dtype, random_legal)
