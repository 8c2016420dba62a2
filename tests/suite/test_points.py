"""Points of the suite: worked by hand, and the coverage of their intervals by simulation."""

import numpy as np
import pytest

from stardeck.benchmarks.suite.levels import Outcomes
from stardeck.benchmarks.suite.points import duel_rate, points, shares

LEVELS = 4


@pytest.mark.parametrize(
    ("share", "sides", "rate"),
    [(0.5, 2, 0.5), (0.3, 2, 0.3), (1 / 3, 3, 0.5), (0.25, 4, 0.5), (3 / 7, 3, 0.6), (1 / 3, 4, 0.6), (0.3, 1, 0.3),
     (0, 3, 0), (1, 3, 1)],
)  # fmt: skip
def test_a_share_of_wins_becomes_the_chance_in_a_game_of_two(share, sides, rate):
    assert duel_rate(share, sides) == pytest.approx(rate)


def test_an_undecided_game_is_shared_by_the_sides():
    outcomes = Outcomes(np.array([0, 1, 3]), np.array([3, 1, 0]), 3)
    assert shares(outcomes, 3) == pytest.approx([1 / 3, 4 / 9, 1])


def test_the_suite_has_the_mean_of_the_middle_half_of_its_tasks():
    tasks = [[(np.full(10, share), 2)] * LEVELS for share in (0.9, 0.1, 0.3, 0.2, 0.8, 0.4, 0.5, 0.6)]
    found = points(tasks)
    assert [task["points"] for task in found["tasks"]] == pytest.approx([90, 10, 30, 20, 80, 40, 50, 60])
    assert (found["points"], found["low"], found["high"]) == pytest.approx((45, 45, 45))


def test_a_task_has_the_mean_of_its_levels():
    levels = [(np.full(4, 1 / 3), 3), (np.full(4, 1.0), 3), (np.full(4, 0.0), 3), (np.full(4, 3 / 7), 3)]
    found = points([levels])
    assert found["tasks"][0]["points"] == pytest.approx(52.5)
    assert [level["points"] for level in found["tasks"][0]["levels"]] == pytest.approx([50, 100, 0, 60])


def drawn(rng, rates, blocks):
    """Return the shares of a simulated run: games of two sides, in pairs."""
    return [[(np.sort(rng.binomial(2, rate, blocks) / 2), 2) for rate in levels] for levels in rates]


def test_intervals_cover_the_true_points():
    rng = np.random.default_rng(3)
    rates = rng.uniform(0.1, 0.95, (8, LEVELS))
    truth = 100 * np.sort(rates.mean(axis=1))[2:6].mean()
    tasks = 100 * rates.mean(axis=1)
    covered, of_tasks = 0, 0
    for _ in range(trials := 200):
        found = points(drawn(rng, rates, 100))
        covered += found["low"] <= truth <= found["high"]
        of_tasks += sum(row["low"] <= at <= row["high"] for row, at in zip(found["tasks"], tasks, strict=True))
    assert 0.90 <= covered / trials <= 0.99  # four standard errors around 0.95, and a little for the trimming
    assert 0.93 <= of_tasks / trials / 8 <= 0.97
