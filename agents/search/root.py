"""What is tried at the root, and what is made of it: halving in turns, and a policy that the returns have improved.

The actions that the guide likes best are tried equally often; then the worse half is left out, until two remain. The
k-th try of every action uses the k-th deal, so that actions are compared on the same deals. What is best depends on the
prior as well as on the returns, and the more so the less certain their means are. (Danihelka, Guez, Schrittwieser,
Silver: Policy improvement by planning with Gumbel, 2022; without their noise, which is for learning, and with a weight
of the returns that knows how far those of one action lie apart)
"""

import numpy as np

from stardeck.agents.search.tree import DEAL_LIMIT, NOBODY
from stardeck.kernels.compile.jit import kernel

FOUND = np.dtype(  # of one action at the root
    [
        ("policy", np.float32),  # how likely it should be
        ("prior", np.float32),  # how likely the guide would take it
        ("mean", np.float32),  # return of the seat to act, NaN: not tried
        ("tries", np.int32),
    ],
    align=True,
)
MOST_WEIGHT = 100.0  # of a mean that is known exactly, for each `certainty`: what is looked at can mislead, too
DRAWN = 0.3  # the same of a return that differs from try to try, for each of its tries, by its variance
BEFORE = 2.0  # the variance of the returns is estimated as if so many had been seen before, that differ by
USUAL_VARIANCE = 0.01  # so much where a network judges, and
FULL_VARIANCE = 0.5  # so much where games are won or lost


@kernel
def most_visits(tree):
    """How often the action was tried that was tried most often."""
    most = np.int64(0)
    child = np.int64(tree[0].child)
    while child != 0:
        most = max(most, np.int64(tree[child].visits))
        child = np.int64(tree[child].sibling)
    return most


@kernel
def value_here(tree):
    """What the root is worth by the actions that were tried, each as likely as the guide would take it."""
    total = 0.0
    priors = 0.0
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        if here.visits > 0:
            total += here.prior * here.total / here.visits
            priors += here.prior
        child = np.int64(here.sibling)
    return total / priors if priors > 0 else 0.0


@kernel
def variance(tree, search):
    """How far the returns of one action lie apart, but for what a deal does to all of them alike.

    By the returns of all actions at the root: what is left where each has the mean of its action and that of its deal.
    """
    squares = np.float64(search.squares)
    free = BEFORE
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        if here.visits > 0:
            tries = min(np.int64(here.visits), DEAL_LIMIT)
            squares -= tries * (here.total / here.visits) ** 2
            free += tries - 1.0
        child = np.int64(here.sibling)
    for deal in range(np.int64(search.deals)):
        squares -= of_the_deal(tree, search, deal)
        free -= np.float64(deal > 0)
    usual = FULL_VARIANCE if search.judge == NOBODY else USUAL_VARIANCE
    return (max(squares, 0.0) + BEFORE * usual) / max(free, BEFORE)


@kernel
def of_the_deal(tree, search, deal):
    """How much of the squares a deal explains, by how far its returns lie above or below the means of the actions."""
    above = np.float64(search.by_deal[deal])
    actions = 0
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        if here.visits > deal:
            above -= here.total / here.visits
            actions += 1
        child = np.int64(here.sibling)
    return above * above / max(actions, 1)


@kernel
def weight_of_means(tree, search):
    """How much a mean return counts beside the logarithm of a prior: the more the tries, and the less they differ."""
    if search.certainty <= 0.0:
        return 0.0
    tries = max(most_visits(tree), 1)
    return 1.0 / (1.0 / (search.certainty * MOST_WEIGHT) + variance(tree, search) / (DRAWN * tries))


@kernel
def score(tree, child, weight, untried):
    """How good an action at the root is: the logarithm of its prior, and what it returned."""
    here = tree[child]
    mean = here.total / here.visits if here.visits > 0 else untried
    return np.log(max(here.prior, 1e-12)) + weight * mean


@kernel
def plan(tree, search, simulations):
    """Consider the likeliest actions, and share `simulations` out among them."""
    search.planned = simulations
    search.goal = 0
    child = np.int64(tree[0].child)
    while child != 0:
        tree[child].considered = 1
        child = np.int64(tree[child].sibling)
    leave_out(tree, search, search.candidates)
    search.share = simulations // halvings_of(considered(tree))
    raise_goal(tree, search)


@kernel
def halvings_of(count):
    """How often `count` actions are halved until one remains; at least once."""
    halvings = 1
    while 1 << halvings < count:
        halvings += 1
    return halvings


@kernel
def considered(tree):
    """How many actions are still compared."""
    count = 0
    child = np.int64(tree[0].child)
    while child != 0:
        count += np.int64(tree[child].considered)
        child = np.int64(tree[child].sibling)
    return count


@kernel
def leave_out(tree, search, left):
    """Consider the best `left` of the actions and no more; of equal ones those with lower numbers."""
    weight = weight_of_means(tree, search)
    untried = value_here(tree)
    for _ in range(considered(tree) - left):
        worst = np.inf
        last = 0
        child = np.int64(tree[0].child)
        while child != 0:
            if tree[child].considered:
                here = score(tree, child, weight, untried)
                if here < worst:
                    worst = here
                    last = child
            child = np.int64(tree[child].sibling)
        tree[last].considered = 0


@kernel
def raise_goal(tree, search):
    """Share the simulations of one halving out among the actions that are considered."""
    search.goal += max(1, search.share // considered(tree))


@kernel
def next_at_root(tree, search):
    """The child that is to be tried next."""
    child = lagging(tree, search)
    while child == 0:
        if considered(tree) > 2:
            leave_out(tree, search, (considered(tree) + 1) // 2)
            raise_goal(tree, search)
        elif search.timed and search.simulated >= search.planned:
            plan(tree, search, 2 * search.planned)
        else:
            search.goal += 1
        child = lagging(tree, search)
    return child


@kernel
def lagging(tree, search):
    """Of the actions that are considered and were tried less often than they should, the likeliest; or 0."""
    likeliest = 0
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        if here.considered and here.visits < search.goal and (likeliest == 0 or here.prior >= tree[likeliest].prior):
            likeliest = child
        child = np.int64(here.sibling)
    return likeliest


@kernel
def best_at_root(tree, search):
    """The action to take: the best of those that were tried at least half as often as the most tried."""
    visits = most_visits(tree)
    weight = weight_of_means(tree, search)
    untried = value_here(tree)
    most = -np.inf
    best = NOBODY
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        if here.considered and 2 * here.visits >= visits:
            deserved = score(tree, child, weight, untried)
            if deserved > most:
                most = deserved
                best = np.int64(here.action)
        child = np.int64(here.sibling)
    return best


@kernel
def improved_policy(tree, search, found):
    """How likely each action should be, in the order of their numbers, after what was tried; returns the root's value.

    Actions that were never tried count as the root does. found: FOUND[children of the root], written.
    """
    weight = weight_of_means(tree, search)
    untried = value_here(tree)
    most = -np.inf
    child = np.int64(tree[0].child)
    while child != 0:
        most = max(most, score(tree, child, weight, untried))
        child = np.int64(tree[child].sibling)
    total = 0.0
    value = 0.0
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        likelihood = np.exp(score(tree, child, weight, untried) - most)
        total += likelihood
        value += likelihood * (here.total / here.visits if here.visits > 0 else untried)
        child = np.int64(here.sibling)
    k = len(found) - 1  # the child of the highest action was added last
    child = np.int64(tree[0].child)
    while child != 0:
        here = tree[child]
        found[k].policy = np.exp(score(tree, child, weight, untried) - most) / total
        found[k].prior = here.prior
        found[k].tries = here.visits
        found[k].mean = here.total / here.visits if here.visits > 0 else np.nan
        k -= 1
        child = np.int64(here.sibling)
    return value / total
