"""Means over games with 95 % intervals that are never a point, and allow for fitted chances and rare values."""

import numpy as np
from scipy import special

from stardeck.benchmarks.design.drama.chances import UNSEEN
from stardeck.benchmarks.design.drama.games import Floats
from stardeck.benchmarks.design.estimates import Estimate, ends_of_share, mean_of, share_of

ALIKE = 1e-9  # width of an interval, relative to its value, that is none


def mean_over_games(name: str, label: str, unit: str, by_game: Floats, lowest: float = 0.0) -> Estimate | None:
    """Return a mean over games, or None if no game says anything.

    Values that are all alike have no certain mean: by the rule of three, three in all games may be otherwise, by one or
    by the whole of a percentage.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        unit: Unit.
        by_game: Value of each game: float64[games]; NaN where a game says nothing.
        lowest: Lowest possible value.
    """
    if np.isnan(by_game).all():
        return None
    found = mean_of(name, label, unit, by_game)
    if found.low is None or found.high is None or found.high - found.low > ALIKE * max(1.0, abs(found.value)):
        return found
    scale, most = (100.0, 100.0) if unit == "%" else (1.0, np.inf)
    half = scale * min(1.0, UNSEEN / np.count_nonzero(~np.isnan(by_game)))
    return found._replace(low=max(found.value - half, lowest), high=min(found.value + half, most))


def percentage(name: str, label: str, shares: Floats) -> Estimate | None:
    """Return the mean of shares of each game, in per cent; None if no game says anything.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        shares: Share of each game, from 0 to 1: float64[games]; NaN where it says nothing.
    """
    return mean_over_games(name, label, "%", 100 * shares)


def count(name: str, label: str, by_game: Floats) -> Estimate | None:
    """Return a mean number a game, or None if no game says anything.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        by_game: Number of each game: float64[games]; NaN where it says nothing.
    """
    return mean_over_games(name, label, "", by_game)


def share(name: str, label: str, games: Floats) -> Estimate | None:
    """Return a share of games, or None if no game says anything.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        games: 1 for each of these games, 0 for others, and shares of draws: float64[games]; NaN where it says nothing.
    """
    return None if np.isnan(games).all() else share_of(name, label, games)


def refitted(plain: Estimate, drawn: Floats, no_surer: bool) -> Estimate:
    """Return an estimate with the interval of a bootstrap that fits the chances again.

    Its blocks are the draws, so far apart that their mean has the error of the estimate. Draws of all variants have the
    same weights of games, so that two variants compare draw by draw.

    Args:
        plain: Estimate whose interval takes the chances as given.
        drawn: Mean in each draw, from 0 to 1 for numbers in per cent: float64[draws].
        no_surer: True for a share: its interval is at least the plain one.
    """
    draws, scale = len(drawn), 100 if plain.unit == "%" else 1
    if np.isnan(drawn).any() or np.ptp(drawn) < ALIKE or plain.low is None or plain.high is None:
        return plain
    half = float(special.stdtrit(draws - 1, 0.975) * scale * drawn.std(ddof=1))
    low, high = plain.value - half, plain.value + half
    if no_surer:
        low, high = min(low, plain.low), max(high, plain.high)
    blocks = plain.value + np.sqrt(draws) * scale * (drawn - drawn.mean())
    return plain._replace(low=_within(plain, low), high=_within(plain, high), blocks=blocks)


def _within(estimate: Estimate, end: float) -> float:
    """Return the end of an interval within the scale of an estimate."""
    return float(np.clip(end, 0, 100)) if estimate.unit == "%" else max(end, 0.0)


def rarely_all(found: Estimate) -> Estimate:
    """Return a mean on a scale of 100 whose upper end allows for rare values of 100 that were not drawn.

    If a share of the values were 100, it would move the mean and add to the spread. The upper end is the mean that is
    then just not refuted, as in Wilson's interval. It is too wide for few values, and for many nearly the t interval.

    Args:
        found: The mean, with its blocks.
    """
    assert found.blocks is not None
    known = found.blocks[~np.isnan(found.blocks)]
    if len(known) < 2:
        return found._replace(value=max(found.value, 0.0), low=0.0, high=100.0)
    square = special.stdtrit(len(known) - 1, 0.975) ** 2 / len(known)
    rare = square * (100 - found.value)
    above = (rare + np.sqrt(rare**2 + 4 * square * known.var(ddof=1))) / 2
    below = np.sqrt(square * known.var(ddof=1))
    return _on_scale(found, found.value - below, found.value + above)


def no_surer_than_a_share(found: Estimate) -> Estimate:
    """Return a mean in per cent whose interval is at least that of a share of the same size.

    Args:
        found: The mean, with its blocks.
    """
    assert found.blocks is not None
    values = int(np.count_nonzero(~np.isnan(found.blocks)))
    low, high = (100 * end for end in ends_of_share(float(np.clip(found.value / 100, 0, 1)), values))
    if found.low is not None and found.high is not None:
        low, high = min(low, found.low), max(high, found.high)
    return _on_scale(found, low, high)


def _on_scale(found: Estimate, low: float, high: float) -> Estimate:
    """Return an estimate within 0 to 100: chance may take it below, but its interval reaches inside."""
    value, low, high = (float(np.clip(one, 0, 100)) for one in (found.value, low, high))
    return found._replace(value=value, low=min(low, value), high=max(high, value))
