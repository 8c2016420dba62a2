"""Strengths of sides with gifts, on the scale of log odds: by the cards, and by the groups of an experiment.

A side wins with the odds of its own strength against those of all other sides together (Bradley-Terry, and Luce's rule
with more sides). A side that plays alone wins with the odds of its strength. The gifts of the opponents thus count:
averaged over opponents, log odds would shrink the most where a side is strongest, and pairs of strong cards would seem
to give less than their sum.

Outcomes may be adjusted and so lie outside 0 and 1; the equations are those of the logistic model, and the standard
errors do not rely on it (sandwich estimates).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.benchmarks.design.gifts.experiment import NO_CARD, Cells

Array = NDArray[np.float64]
Numbers = NDArray[np.int64]
LEAST = 30  # results of a group for an estimate
STEPS, CLOSE = 60, 1e-5
LONGEST = 1.0  # step
MOST = 8.0  # log odds
AT_ONCE = 1 << 15  # games of which the design is in memory


class Groups(NamedTuple):
    """Strengths of the groups of an experiment; differences between them have a meaning.

    Attributes:
        counts: Number of results: float64[cells].
        odds: Log odds: float64[cells]; NaN where there are too few results.
        variances: Variance of the log odds.
    """

    counts: Array
    odds: Array
    variances: Array


class MainEffects(NamedTuple):
    """What each card gives whatever else the side gets, in log odds: float64[cards]."""

    effects: Array
    errors: Array


class Strengths(NamedTuple):
    """A fit of strengths.

    Attributes:
        cells: Strength of each group.
        sides: Strength that a side has by its seat.
        main: Main effects of the cards.
    """

    cells: Array
    sides: Array
    main: MainEffects


def expected(strengths: Array) -> tuple[Array, Array]:
    """Return the chance of each side, and the shares of the other sides' odds: float64[games, sides] each.

    Args:
        strengths: Log odds of all sides, float64[games, sides].
    """
    if strengths.shape[1] == 1:
        return 1 / (1 + np.exp(-strengths)), np.zeros_like(strengths)
    odds = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True), odds


def fit_cards(outcome: Array, drawn: Numbers, cells: Cells) -> Strengths:
    """Fit strengths that are sums over cards: a logistic regression without interactions.

    Args:
        outcome: Results, float64[games, sides].
        drawn: Group of each side, int64[games, sides].
        cells: The groups.
    """
    design = design_of(cells)
    alone = outcome.shape[1] == 1
    fitted, sides = np.zeros(design.shape[1]), np.zeros(outcome.shape[1])
    for _ in range(STEPS):
        chance, _ = expected((design @ fitted)[drawn] + sides)
        slope, curve = _by_group(outcome - chance, drawn, cells), _by_group(chance * (1 - chance), drawn, cells)
        step = np.linalg.pinv(design.T * curve @ design) @ design.T @ slope
        step[0] *= alone  # opponents have the same one
        fitted += step / max(1.0, np.abs(step).max() / LONGEST)
        moved = 0.0 if alone else _move_sides(sides, outcome, chance)
        if max(np.abs(step).max(), moved) < CLOSE:
            break
    main = _with_errors(fitted, sides, (outcome, drawn), design)
    known = design.T @ _by_group(np.ones_like(outcome), drawn, cells) >= LEAST
    kept = MainEffects(*(np.where(known, part, np.nan)[1:] for part in main))
    return Strengths(design @ fitted, sides, kept)


def design_of(cells: Cells) -> Array:
    """Return a constant and the copies of each card in each group: float64[cells, 1 + cards]."""
    design = np.zeros((len(cells), 1 + cells.cards))
    design[:, 0] = 1
    for place in range(2):
        members = cells.members[:, place]
        there = members != NO_CARD
        design[np.flatnonzero(there), 1 + members[there]] += 1
    return design


def _by_group(values, drawn, cells):
    return np.bincount(drawn.ravel(), values.ravel(), len(cells))


def _move_sides(sides, outcome, chance):
    """Improve the strengths of the sides' seats in place; return the largest change."""
    step = (outcome - chance).sum(axis=0) / (chance * (1 - chance)).sum(axis=0)
    step *= 1 - 1 / len(sides)  # the other sides move too
    step = np.clip(step - step.mean(), -LONGEST, LONGEST)
    sides += step
    return np.abs(step).max()


def _with_errors(fitted, sides, results, design):
    """Return the effects and their sandwich errors, with each game as a cluster."""
    outcome, drawn = results
    slopes, spread = np.zeros((2, len(fitted), len(fitted)))
    for start in range(0, len(outcome), AT_ONCE):
        rows = slice(start, start + AT_ONCE)
        own = design[drawn[rows]]
        chance, odds = expected((own @ fitted) + sides)
        others = odds.sum(axis=1, keepdims=True) - odds
        weighted = odds[..., None] * own
        rivals = weighted.sum(axis=1, keepdims=True) - weighted  # the mean design of the other sides, by their odds
        apart = own - np.divide(rivals, others[..., None], out=np.zeros_like(own), where=others[..., None] > 0)
        weight = (chance * (1 - chance))[..., None]
        slopes += own.reshape(-1, len(fitted)).T @ (weight * apart).reshape(-1, len(fitted))
        score = ((outcome[rows] - chance)[..., None] * own).sum(axis=1)
        spread += score.T @ score
    inverse = np.linalg.pinv(slopes)
    covariance = inverse @ spread @ inverse.T
    return MainEffects(fitted, np.sqrt(np.maximum(covariance.diagonal(), 0)))


def fit_groups(outcome: Array, drawn: Numbers, cells: Cells, start: Strengths) -> Groups:
    """Fit a strength of its own to each group with enough results; the others keep that of the start.

    A group meets hundreds of other groups, so the errors of their strengths do not count.

    Args:
        outcome: Results, float64[games, sides].
        drawn: Group of each side, int64[games, sides].
        cells: The groups.
        start: Strengths by cards.
    """
    counts = _by_group(np.ones_like(outcome), drawn, cells)
    strengths, sides, enough = start.cells.copy(), start.sides.copy(), counts >= LEAST
    for _ in range(STEPS):
        chance, _ = expected(strengths[drawn] + sides)
        weight = chance * (1 - chance)
        curve = _by_group(weight, drawn, cells)[enough]
        step = np.zeros_like(strengths)
        slope = _by_group(outcome - chance, drawn, cells)[enough]
        slope += _by_group(weight * (0.5 - chance), drawn, cells)[enough] / curve  # Firth: log odds without bias
        step[enough] = slope / curve
        if outcome.shape[1] > 1 and enough.any():  # what all have in common has no meaning
            step[enough] -= step[enough].mean()
        strengths = np.clip(strengths + np.clip(step, -LONGEST, LONGEST), -MOST, MOST)
        settled = np.abs(step) < CLOSE
        if (settled | (np.abs(strengths) >= MOST)).all():
            break
    chance, _ = expected(strengths[drawn] + sides)
    curve = _by_group(chance * (1 - chance), drawn, cells)
    within = _by_group((outcome - chance) ** 2, drawn, cells) + outcome.var()  # as if of one result more: never zero
    known = enough & (curve >= LEAST / 4)
    with np.errstate(invalid="ignore", divide="ignore"):
        variances = within / curve**2
    return Groups(counts, np.where(known, strengths, np.nan), np.where(known, variances, np.nan))
