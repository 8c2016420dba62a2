"""Choice and evaluation of actions at the root: sequential halving, and a policy improved by the returns.

The actions with the highest prior are tried equally often; then the worse half is dropped, until two remain. The k-th
try of every action uses the k-th deal, so actions are compared on the same deals. The best action depends on the prior
as well as on the returns, and the prior weighs more when their means are less certain. (Danihelka, Guez, Schrittwieser,
Silver: Policy improvement by planning with Gumbel, 2022; without their noise, which serves learning, and with a weight
of the returns that depends on the variance of each action's returns)
"""

import numpy as np

from stardeck.agents.search.tree import DEAL_LIMIT, NOBODY
from stardeck.kernels.compile.jit import entry, kernel

FOUND = np.dtype(  # of one action at the root
    [
        ("policy", np.float32),  # recommended probability
        ("prior", np.float32),  # probability under the prior policy
        ("mean", np.float32),  # mean return of the acting seat, NaN: not tried
        ("tries", np.int32),
    ],
    align=True,
)
MOST_WEIGHT = 100.0  # of an exactly known mean, for each `certainty`, since the evaluation itself can be wrong
DRAWN = 0.3  # weight of a return that varies from try to try, for each of its tries, relative to its variance
BEFORE = 2.0  # number of pseudo-observations in the estimate of the variance
USUAL_VARIANCE = 0.01  # their variance where a value network evaluates
FULL_VARIANCE = 0.5  # their variance where games are played to the end


@kernel
def most_visits(tree):
    """Return the largest number of tries of an action."""
    most = np.int64(0)
    child = np.int64(tree[0].child)
    while child != 0:
        most = max(most, np.int64(tree[child].visits))
        child = np.int64(tree[child].sibling)
    return most


@kernel
def most_visits_considered(tree):
    """Return the largest number of tries of an action that is still compared."""
    most = np.int64(0)
    child = np.int64(tree[0].child)
    while child != 0:
        if tree[child].considered:
            most = max(most, np.int64(tree[child].visits))
        child = np.int64(tree[child].sibling)
    return most


@kernel
def value_here(tree):
    """Return the value of the root: the mean over the actions that were tried, weighted by their priors."""
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
def residuals(tree, search):
    """Return the squares of all returns of a tree that neither action nor deal explains, and their degrees of freedom.

    They are the residuals after the means of action and deal.
    """
    squares = np.float64(search.squares)
    free = 0.0
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
    return squares, free


@kernel
def variance(tree, search):
    """Return the variance of one action's returns, without the effect that a deal has on all actions alike.

    It is estimated from the returns of all root actions.
    """
    squares, free = np.float64(search.residual), np.float64(search.free)
    if not search.pooled:
        squares, free = residuals(tree, search)
    usual = FULL_VARIANCE if search.judge == NOBODY else USUAL_VARIANCE
    return (max(squares, 0.0) + BEFORE * usual) / (max(free, 0.0) + BEFORE)


@kernel
def of_the_deal(tree, search, deal):
    """Return the part of the squares that a deal explains: how far its returns deviate from the actions' means."""
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
    """Return the weight of a mean return relative to a log prior; more tries and less variance raise it."""
    if search.certainty <= 0.0:
        return 0.0
    tries = max(most_visits(tree), 1)
    return 1.0 / (1.0 / (search.certainty * MOST_WEIGHT) + variance(tree, search) / (DRAWN * tries))


@kernel
def score(tree, child, weight, untried):
    """Return the score of a root action: its log prior plus its weighted mean return."""
    here = tree[child]
    mean = here.total / here.visits if here.visits > 0 else untried
    return np.log(max(here.prior, 1e-12)) + weight * mean


@kernel
def plan(tree, search, simulations):
    """Consider the actions with the highest prior, and divide `simulations` among them."""
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
    """Return how often `count` actions are halved until one remains, at least once."""
    halvings = 1
    while 1 << halvings < count:
        halvings += 1
    return halvings


@kernel
def considered(tree):
    """Return the number of actions that are still compared."""
    count = 0
    child = np.int64(tree[0].child)
    while child != 0:
        count += np.int64(tree[child].considered)
        child = np.int64(tree[child].sibling)
    return count


@kernel
def leave_out(tree, search, left):
    """Keep only the best `left` actions; among equal ones those with lower numbers."""
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
    """Divide the simulations of one halving among the considered actions."""
    search.goal += max(1, search.share // considered(tree))


@kernel
def next_at_root(tree, search):
    """Return the child to try next."""
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
    """Return the considered action with the highest prior among those with fewer tries than the goal, or 0."""
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
    """Return the action to take: the best considered one with at least half as many tries as the most tried of them.

    An action that is no longer considered may have more tries: those of an earlier plan or of other trees.
    """
    visits = most_visits_considered(tree)
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
    """Write the recommended probability of each action, in the order of their numbers, and return the root's value.

    An action that was never tried has the value of the root. found: FOUND[children of the root], written.
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


@entry
def pool_roots(tree, searches, other, others):
    """Add the tries of the root of another tree of the same decision to the root of a tree.

    Both trees have the same actions at the root. The first tree keeps its priors.

    Args:
        tree: The tree, NODE[n].
        searches: Its SEARCH[1], which gets the residuals of both.
        other: The other tree, NODE[m].
        others: Its SEARCH[1].
    """
    search = searches[0]
    if not search.pooled:
        search.residual, search.free = residuals(tree, search)
        search.pooled = 1
    squares, free = residuals(other, others[0])
    search.residual += squares
    search.free += free
    child = np.int64(tree[0].child)
    added = np.int64(other[0].child)
    while child != 0:
        here = tree[child]
        here.visits += other[added].visits
        here.total += other[added].total
        if here.considered >= 0:
            here.considered = max(here.considered, other[added].considered)
        child = np.int64(here.sibling)
        added = np.int64(other[added].sibling)


@entry
def conclude(tree, searches, found, values, chosen):
    """Write the results of one decision from its root: FOUND[actions], float32[1] and int64[1]."""
    search = searches[0]
    values[0] = improved_policy(tree, search, found)
    chosen[0] = best_at_root(tree, search)
