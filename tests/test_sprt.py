"""Sequential testing: public figures of chess engine tests, and the promised risks of error."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from stardeck.benchmarks.league.sprt import ELO, LIMIT, SCORES, UNSEEN, Sprt, llr, most_likely


@pytest.mark.parametrize(
    ("pairs", "bounds", "expected", "digits"),
    [
        ([398, 4112, 7672, 4336, 430], (0, 3), 2.96, 2),  # OpenBench, official-clockwork/Clockwork #364
        ([13, 37, 50, 25, 3], (0, 4), -0.54912, 5),  # montytest.muzhen.org, test 69d3c8dc7c5b3724e29d2712
    ],
)
def test_public_figures(pairs, bounds, expected, digits):
    assert round(llr(pairs, *bounds), digits) == expected


def test_the_bounds_are_walds():
    """At 5 % each they are ±2.944, as OpenBench prints them."""
    assert Sprt(0, 3).verdict([398, 4112, 7672, 4336, 430]) == "H1"
    assert Sprt(0, 3, alpha=0.01).verdict([398, 4112, 7672, 4336, 430]) == "undecided"
    assert Sprt(-3, 0).verdict([430, 4336, 7672, 4112, 398]) == "H0"


@pytest.mark.parametrize("strength", [-LIMIT, -30, 0, 5, LIMIT])
@pytest.mark.parametrize("pairs", [[9, 30, 41, 35, 12], [0, 0, 3, 40, 900], [1, 0, 0, 0, 0], [50, 0, 0, 0, 70]])
def test_the_likeliest_probabilities_are_those_of_a_general_optimiser(pairs, strength):
    counts = np.maximum(np.array(pairs, float), UNSEEN)
    seen = counts / counts.sum()
    t = math.sqrt(2) * strength / ELO

    def excess(p):
        return p @ SCORES - 0.5 - t * math.sqrt(p @ SCORES**2 - (p @ SCORES) ** 2)

    found = most_likely(seen, strength)
    assert found.min() > 0 and found.sum() == pytest.approx(1) and excess(found) == pytest.approx(0, abs=1e-9)
    constraints = [{"type": "eq", "fun": excess}, {"type": "eq", "fun": lambda p: p.sum() - 1}]
    best = minimize(
        lambda p: -seen @ np.log(p), found, method="SLSQP", bounds=[(1e-12, 1)] * 5, constraints=constraints
    )
    assert -seen @ np.log(found) <= best.fun + 1e-6


def test_nothing_seen_shows_nothing_and_sides_mirror():
    assert llr([0] * 5, 0, 10) == 0 and Sprt(0, 10).verdict([0] * 5) == "undecided"
    assert llr([2, 5, 9, 7, 3], 0, 10) == pytest.approx(-llr([3, 7, 9, 5, 2], -10, 0))
    assert Sprt(-5, 5).verdict([0, 0, 0, 0, 200]) == "H1" and Sprt(-5, 5).verdict([200, 0, 0, 0, 0]) == "H0"


@pytest.mark.parametrize("bounds", [(5, 5), (10, 0), (0, 201), (float("nan"), 1)])
def test_bounds_that_are_none_are_named(bounds):
    with pytest.raises(ValueError, match="LOW must be below HIGH, both from -200 to 200"):
        Sprt.of(bounds)


@pytest.mark.parametrize(("strength", "wrong"), [(0, "H1"), (60, "H0")])
def test_the_risks_of_error_are_kept(strength, wrong):
    """400 tests of agents exactly as strong as a hypothesis says: about 5 % go wrong, and all of them end."""
    test = Sprt(0, 60)
    truth = most_likely(np.array([0.05, 0.2, 0.5, 0.2, 0.05]), strength)
    random = np.random.default_rng(1)
    verdicts = []
    for _ in range(400):
        pairs = np.zeros(5)
        while (verdict := test.verdict(pairs)) == "undecided":
            pairs += random.multinomial(16, truth)
        verdicts.append(verdict)
    assert 2 <= verdicts.count(wrong) <= 30
