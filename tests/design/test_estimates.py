"""Estimates of the designer's report: by hand, and their coverage by simulation."""

import numpy as np
import pytest

from stardeck.benchmarks.design.estimates import Estimate, difference, differences, mean_of


def test_a_mean_over_blocks_has_the_t_interval():
    found = mean_of("wins", "games won", "%", [1.0, 2.0, 3.0, np.nan])
    assert found.value == 2 and (found.low, found.high) == pytest.approx((2 - 2.48414, 2 + 2.48414), abs=1e-4)
    assert mean_of("wins", "games won", "%", [4.0])[3:6] == (4.0, None, None)
    with pytest.raises(ValueError, match="wins: no block of games has a value"):
        mean_of("wins", "games won", "%", [np.nan])


def test_the_same_deals_make_a_difference_exact():
    deals = np.random.default_rng(0).normal(0, 10, 50)
    printed, edited = mean_of("a", "a", "", deals), mean_of("a", "a", "", deals + 1)
    apart = difference(printed, edited)
    assert apart.value == pytest.approx(1) and apart.high - apart.low == pytest.approx(0, abs=1e-9)
    other = difference(printed._replace(blocks=None), edited)
    assert other.value == pytest.approx(1) and other.high - other.low > 5


def test_only_what_both_have_is_compared_and_open_intervals_stay_open():
    one, two = Estimate("a", "a", "", 1.0, None, 2.0), Estimate("b", "b", "", 1.0, 0.0, 2.0)
    assert [row.name for row in differences([one, two], [two, one._replace(name="c")])] == ["b"]
    assert difference(one, one)[3:6] == (0.0, None, None)


def test_intervals_of_paired_differences_cover():
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(trials := 2_000):
        deals = rng.normal(0, 2, 40)
        printed = mean_of("a", "a", "", deals + rng.normal(0, 1, 40))
        apart = difference(printed, mean_of("a", "a", "", deals + 0.3 + rng.normal(0, 1, 40)))
        covered += apart.low <= 0.3 <= apart.high
    assert 0.935 <= covered / trials <= 0.965


def test_a_difference_is_that_of_the_values_on_the_page():
    """Shares of the variance are cut at 0, and their blocks are not; means may lack some blocks in one table."""
    deals = np.random.default_rng(0).normal(0, 10, 50)
    cut = mean_of("a", "a", "%", deals - 2)._replace(value=0.0)
    other = mean_of("a", "a", "%", deals)._replace(value=1.5)
    apart = difference(cut, other)
    assert apart.value == 1.5 and apart.low <= 1.5 <= apart.high
    lacking = deals.copy()
    lacking[:10] = np.nan
    printed, edited = mean_of("a", "a", "", deals), mean_of("a", "a", "", lacking)
    assert difference(printed, edited).value == pytest.approx(edited.value - printed.value)


def test_intervals_of_differences_cover_where_blocks_are_missing():
    rng = np.random.default_rng(6)
    covered = 0
    for _ in range(trials := 2_000):
        deals = rng.normal(0, 2, 60)
        before, after = deals + rng.normal(0, 1, 60), deals + 0.3 + rng.normal(0, 1, 60)
        before[rng.random(60) < 0.2], after[rng.random(60) < 0.3] = np.nan, np.nan
        apart = difference(mean_of("a", "a", "", before), mean_of("a", "a", "", after))
        covered += apart.low <= 0.3 <= apart.high
    assert 0.935 <= covered / trials <= 0.965, covered / trials
