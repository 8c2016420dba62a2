"""Estimates in words: a number with its interval and its unit."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from stardeck.benchmarks.design.estimates import Estimate, mean_of

Z = 1.96


def share_of(name: str, label: str, blocks: ArrayLike) -> Estimate:
    """Return a share in per cent with Wilson's interval, which also holds where all blocks are alike.

    Args:
        name: Name of the estimate.
        label: What it is, in words.
        blocks: Share of each block, 0 to 1: float64[blocks]. NaN marks a block that says nothing.

    Raises:
        ValueError: No block says anything.
    """
    plain = mean_of(name, label, "%", 100 * np.asarray(blocks, np.float64))
    assert plain.blocks is not None
    count = int((~np.isnan(plain.blocks)).sum())
    share = plain.value / 100
    middle = (share + Z**2 / (2 * count)) / (1 + Z**2 / count)
    half = Z / (1 + Z**2 / count) * np.sqrt(share * (1 - share) / count + Z**2 / (4 * count**2))
    ends = sorted(min(max(100 * (middle + sign * half), 0.0), 100.0) for sign in (-1, 1))
    return plain._replace(low=float(min(ends[0], plain.value)), high=float(max(ends[1], plain.value)))


def digits(value: float) -> str:
    """Return a number with one digit after the point, or two below 10."""
    return f"{value:.2f}" if abs(value) < 10 else f"{value:,.1f}"


def value_words(estimate: Mapping[str, Any]) -> str:
    """Return the value of an estimate with its unit: "61.2 %"."""
    return f"{digits(estimate['value'])} {estimate['unit']}".strip()


def interval_words(estimate: Mapping[str, Any]) -> str:
    """Return the interval of an estimate: "[60.1, 62.3]"; "unknown" if it is open."""
    if estimate["low"] is None or estimate["high"] is None:
        return "unknown"
    return f"[{digits(estimate['low'])}, {digits(estimate['high'])}]"


def words(estimate: Mapping[str, Any]) -> str:
    """Return an estimate with its unit and its interval: "61.2 % [60.1, 62.3]"."""
    return f"{value_words(estimate)} {interval_words(estimate)}"
