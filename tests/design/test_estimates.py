"""Estimates of the designer's report: by hand, and their coverage by simulation."""

import numpy as np
import pytest

from stardeck.benchmarks.design.estimates import Estimate, as_long, difference, differences, mean_of, share_of


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


@pytest.mark.parametrize(("before", "after"), [(20, 400), (400, 20), (60, 400)])
def test_intervals_of_differences_cover_where_one_game_has_more_blocks(before, after):
    """A part may look at more deals of one game, such as restricted play where effects vary more."""
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(trials := 1_000):
        deals = rng.normal(0, 2, max(before, after))
        own = deals[:before] + rng.normal(0, 1, before), deals[:after] + 0.3 + rng.normal(0, 1, after)
        printed, edited = (mean_of("a", "a", "", as_long(one, len(deals))) for one in own)
        apart = difference(printed, edited)
        covered += apart.low <= 0.3 <= apart.high
    assert 0.93 <= covered / trials <= 0.975, covered / trials
    apart_from_others = difference(printed._replace(blocks=None), edited)
    assert apart.high - apart.low < apart_from_others.high - apart_from_others.low, "the same deals make it smaller"


def test_lists_of_different_lengths_are_independent_unless_they_are_filled_up():
    deals = np.random.default_rng(3).normal(0, 10, 200)
    few, many = mean_of("a", "a", "", deals[:150]), mean_of("a", "a", "", deals)
    assert difference(few, many) == difference(few._replace(blocks=None), many)
    filled = few._replace(blocks=as_long(few.blocks, 200))
    assert difference(filled, many).high - few.value < difference(few, many).high - few.value


def test_a_difference_of_rare_results_has_an_interval():
    """Nothing in 1,000 games of both does not mean that nothing ever differs."""
    never = share_of("a", "a", np.zeros(1_000))
    apart = difference(never, never)
    assert apart.value == 0 and 0.3 < apart.high < 0.8 and apart.low == -apart.high
    often = share_of("a", "a", np.tile([0.0, 1.0], 500))
    plain = mean_of("a", "a", "%", 100 * np.tile([0.0, 1.0], 500))
    assert difference(often, never).high == pytest.approx(difference(plain, never).high, abs=0.05)


@pytest.mark.parametrize("chance", [0.0005, 0.002, 0.01])
def test_intervals_of_differences_of_rare_shares_cover(chance):
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(trials := 1_000):
        before, after = (share_of("a", "a", (rng.random(2_000) < one).astype(float)) for one in (chance, 2 * chance))
        apart = difference(before, after)
        covered += apart.low <= 100 * chance <= apart.high
    assert covered / trials >= 0.93, covered / trials
