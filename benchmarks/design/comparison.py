"""An edited variant and the printed one: every number with its difference, on the same deals where possible."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from stardeck.benchmarks.card_values.treatment_effects import chances, corrected
from stardeck.benchmarks.design.estimates import Estimate, differences

Z = 1.96
NOT_OF_GAME = ("calibration_error", "runaway_least", "runaway_most")  # what other numbers are compared with


class Difference(NamedTuple):
    """A number of both variants.

    Attributes:
        part: Name of its part.
        printed: In the printed variant.
        edited: In the edited one.
        apart: The edited one less the printed one.
        q: Chance that a difference this clear is none, corrected for all numbers (Benjamini and Hochberg); NaN where
            the interval is unknown.
    """

    part: str
    printed: Estimate
    edited: Estimate
    apart: Estimate
    q: float


def compared(printed: dict[str, list[Estimate]], edited: dict[str, list[Estimate]]) -> list[Difference]:
    """Return the numbers that both variants have, in their order.

    Args:
        printed: Estimates by part.
        edited: The same of the edited variant.
    """
    rows = []
    for part, estimates in printed.items():
        before = {one.name: one for one in estimates}
        after = {one.name: one for one in edited.get(part, [])}
        rows += [(part, before[one.name], after[one.name], one)
                 for one in differences(estimates, edited.get(part, []))]  # fmt: skip
    q = chances_of_none([row[3] for row in rows])
    return [Difference(*row, one) for row, one in zip(rows, q, strict=True)]


def chances_of_none(differences: Sequence[Estimate]) -> list[float]:
    """Return the chance that differences this clear are none, corrected for all of them (Benjamini and Hochberg).

    Args:
        differences: The differences; the chance is NaN where the interval is unknown.
    """
    if not differences:
        return []
    values, errors = (np.array(each) for each in zip(*((one.value, _error(one)) for one in differences), strict=True))
    return corrected(chances(values, errors)).tolist()


def _error(estimate: Estimate) -> float:
    if estimate.low is None or estimate.high is None:
        return float("nan")
    return (estimate.high - estimate.low) / (2 * Z)


def clearest(found: list[Difference], most: int) -> list[Difference]:
    """Return differences of the game with q below 0.05, the clearest first."""
    clear = [one for one in found if one.q < 0.05 and one.printed.name not in NOT_OF_GAME]
    return sorted(clear, key=lambda one: -abs(one.apart.value) / max(_error(one.apart), 1e-12))[:most]


def as_row(one: Difference) -> dict[str, Any]:
    """Return a difference as a row of plain data."""
    return {
        "part": one.part, "name": one.printed.name, "label": one.printed.label, "unit": one.printed.unit,
        "printed": one.printed.value, "edited": one.edited.value, "difference": one.apart.value,
        "low": one.apart.low, "high": one.apart.high, "q": one.q,
    }  # fmt: skip
