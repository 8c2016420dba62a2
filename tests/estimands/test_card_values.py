"""Card values from listed trials: weights, effects and standard errors worked out by hand."""

import math

import numpy as np
import pytest
import statsmodels.api as sm

from stardeck.benchmarks.card_values.measure import pairs_of, summarize
from stardeck.benchmarks.card_values.treatment_effects import LEAST, Sums, Trials, chances
from stardeck.benchmarks.card_values.trial_series import TrialSeries
from stardeck.game.registry import make


def row(arm, options, games, wins, expected=0.5, group=0):
    """Return trials that differ only in their outcome."""
    return arm, options, games, wins, expected, group


def trials(*rows):
    """Return the trials of rows."""
    made = []
    for arm, options, games, wins, expected, group in (row(*given) for given in rows):
        padded = [*options, *[-1] * (4 - len(options))]
        made += [(group, arm, padded, float(number < wins), expected) for number in range(games)]
    group, arm, options, outcome, expected = zip(*made, strict=True)
    return Trials(np.array(group), np.array(arm), np.array(options), np.array(outcome), np.array(expected))


def effects_of(found, groups=1, options=4):
    sums = Sums(groups, options)
    sums.add(found)
    return *sums.effects(), sums


def test_an_effect_is_a_difference_of_two_win_rates():
    """30 of 40 games are won with option 0 and 20 of 40 with option 1."""
    effect, error, _ = effects_of(trials((0, [0, 1], 40, 30), (1, [0, 1], 40, 20)))
    assert effect[0, 0, 1] == pytest.approx(0.25) and effect[0, 1, 0] == pytest.approx(-0.25)
    # 3/4 · 1/4 / 40 + 1/2 · 1/2 / 40 = 0.0109375
    assert error[0, 0, 1] == error[0, 1, 0] == pytest.approx(math.sqrt(0.0109375))


def test_a_trial_counts_for_as_many_as_it_had_options():
    """Half of the trials have two options and half have four; without weights both win rates are 20 of 40."""
    effect, error, _ = effects_of(
        trials((0, [0, 1], 20, 15), (0, [0, 1, 2, 3], 20, 5), (1, [0, 1], 20, 10), (1, [0, 1, 2, 3], 20, 10))
    )
    # (2 · 15 + 4 · 5) / (2 · 20 + 4 · 20) - (2 · 10 + 4 · 10) / 120 = 5/12 - 1/2
    assert effect[0, 0, 1] == pytest.approx(-1 / 12)
    # Of option 0: 4 · (15 · (7/12)² + 5 · (5/12)²) + 16 · (5 · (7/12)² + 15 · (5/12)²) = 13360/144;
    # of option 1: 4 · 20 · (1/2)² + 16 · 20 · (1/2)² = 100; both over 120².
    assert error[0, 0, 1] == pytest.approx(math.sqrt((13360 / 144 + 100) / 14400))


def test_trials_without_the_other_option_tell_nothing_of_it():
    rows = [(0, [0, 1], 40, 30), (1, [0, 1], 40, 20), (0, [0, 2], 40, 40), (2, [0, 2], 40, 10), (2, [1, 2], 40, 20)]
    effect, _, sums = effects_of(trials(*rows, (1, [1, 2], 40, 4)))
    assert effect[0, 0, 1] == pytest.approx(30 / 40 - 20 / 40)
    assert effect[0, 0, 2] == pytest.approx(1 - 10 / 40)
    assert effect[0, 1, 2] == pytest.approx(4 / 40 - 20 / 40), "effects need not add up"
    assert sums.count()[0, :3, :3].tolist() == [[80, 40, 40], [40, 80, 40], [40, 40, 80]]


# Option 0 is won in 24 of 30 games that promise much and in 2 of 10 that promise nothing, option 1 in 6 of 10 and 9 of
# 30. Within option 0 outcomes and promises vary together by 24 - 26 · 30/40 = 4.5, within option 1 by 6 - 15 · 10/40 =
# 2.25; promises vary by 30 - 30²/40 = 7.5 = 10 - 10²/40 in either: the slope is 6.75 / 15 = 0.45.
PROMISING = [(0, [0, 1], 30, 24, 1.0), (0, [0, 1], 10, 2, 0.0), (1, [0, 1], 10, 6, 1.0), (1, [0, 1], 30, 9, 0.0)]


def test_what_was_expected_is_taken_off():
    effect, error, sums = effects_of(trials(*PROMISING))
    assert sums.slopes() == pytest.approx([0.45])
    # (26 - 0.45 · 30) / 40 - (15 - 0.45 · 10) / 40 = 0.3125 - 0.2625, where win rates differ by 0.275
    assert effect[0, 0, 1] == pytest.approx(0.05)
    one = 24 * 0.2375**2 + 6 * 0.7625**2 + 2 * 0.6875**2 + 8 * 0.3125**2
    two = 6 * 0.2875**2 + 4 * 0.7125**2 + 9 * 0.7375**2 + 21 * 0.2625**2
    assert error[0, 0, 1] == pytest.approx(math.sqrt(one / 40**2 + two / 40**2))


def test_it_does_not_matter_how_much_expectations_differ():
    """A hundredth of the promises has a slope a hundred times as steep."""
    small = [(*row[:4], row[4] / 100) for row in PROMISING]
    effect, _, sums = effects_of(trials(*small))
    assert sums.slopes() == pytest.approx([45]) and effect[0, 0, 1] == pytest.approx(0.05)


def test_the_slope_is_that_of_a_weighted_regression():
    chance = np.random.default_rng(3)
    count = 600
    some = np.where(chance.random((count, 1)) < 0.5, [[0, 1, -1, -1]], [[0, 1, 2, 3]])
    arm = chance.integers(0, (some >= 0).sum(axis=1))
    expected = chance.random(count)
    outcome = (chance.random(count) < 0.2 + 0.6 * expected).astype(float)
    _, _, sums = effects_of(Trials(np.zeros(count, int), arm, some, outcome, expected))
    options = (some >= 0).sum(axis=1)
    known = sm.WLS(outcome, np.c_[np.eye(4)[arm], expected], weights=options.astype(float) ** 2).fit()
    assert sums.slopes() == pytest.approx([known.params[-1]])


def test_groups_are_counted_apart():
    """The first stage is that above; in the second nothing was expected, and in the third nothing was tried."""
    second = [(0, [0, 1], 40, 10, 0.3, 1), (1, [0, 1], 40, 20, 0.3, 1)]
    effect, error, sums = effects_of(trials(*PROMISING, *second), groups=3)
    assert effect[:2, 0, 1] == pytest.approx([0.05, -0.25]) and sums.slopes() == pytest.approx([0.45, 0, 0])
    assert error[1, 0, 1] == pytest.approx(math.sqrt(0.0109375)) and np.isnan(effect[2]).all()


def test_an_option_is_compared_with_all_that_could_be_taken_instead():
    """With two options 0 and 1, or three; option 4 stands for any of them."""
    rows = [(0, [0, 1], 40, 30), (1, [0, 1], 40, 20)]
    rows += [(0, [0, 1, 2], 40, 10), (1, [0, 1, 2], 40, 20), (2, [0, 1, 2], 40, 20)]
    effect, error, sums = effects_of(trials(*rows).beside_any(4), options=5)
    # Option 0: (2 · 30 + 3 · 10) / (2 · 40 + 3 · 40) = 0.45; all trials in which it could be drawn: 100 of 200.
    assert effect[0, 0, 4] == pytest.approx(-0.05)
    # 4 · (30 · 0.55² + 10 · 0.45²) + 9 · (10 · 0.55² + 30 · 0.45²) = 126.3, over 200²; and 1/2 · 1/2 / 200
    assert error[0, 0, 4] == pytest.approx(math.sqrt(126.3 / 200**2 + 0.25 / 200))
    # Option 2: 20 of 40, and 50 of the 120 trials in which it could be drawn.
    assert effect[0, 2, 4] == pytest.approx(1 / 2 - 5 / 12)
    assert sums.count()[0, 4, [0, 2, 4]].tolist() == [200, 120, 200]


def test_an_effect_is_known_from_thirty_trials_of_each_option():
    assert LEAST == 30
    for few, known in (((30, 30), True), ((29, 30), False), ((30, 29), False)):
        effect, error, _ = effects_of(trials((0, [0, 1], few[0], 15), (1, [0, 1], few[1], 10)))
        assert np.isnan([effect[0, 0, 1], effect[0, 1, 0], error[0, 0, 1]]).tolist() == [not known] * 3


def test_chances_of_effects_without_error():
    """No effect is no surprise, whatever its error; an effect without any error cannot be chance."""
    assert chances(np.array([0.0, 0.0, 0.2]), np.array([0.0, 0.1, 0.0])).tolist() == [1, 1, 0]


# Of 400 trials each, 320 are won with the first card, 200 with nothing and 240 with authority: 30 and 10 points more
# than nothing. Errors in points: 100 · √(0.16/400 + 0.25/400) = 3.2016 and 100 · √(0.24/400 + 0.25/400) = 3.5.
@pytest.fixture(scope="module")
def measured():
    series = TrialSeries(make("star_realms"), "rules", 0)
    sums = Sums(3, len(series.options))
    card, nothing, authority = 0, len(series.options) - 2, len(series.options) - 1
    options = [card, nothing, authority]
    sums.add(trials((card, options, 400, 320), (nothing, options, 400, 200), (authority, options, 400, 240)))
    return series, sums


def test_a_summary_says_what_a_card_is_worth_in_points_and_in_authority(measured):
    series, sums = measured
    summary = summarize(series, sums, 5_000)
    (row,) = summary["cards"]
    assert (row["card"], row["stage"], row["trials"]) == (series.options[0], "early", 400)
    half = 1.959964 * 3.201562
    expected = {"value": 30, "low": 30 - half, "high": 30 + half}
    assert row["points"] == pytest.approx(expected)
    # Five authority are worth 10 points, so 30 points are worth 15; √(3.2016² + (3 · 3.5)²) = 10.9772 points, halved.
    assert row["authority"]["value"] == pytest.approx(15)
    assert row["authority"]["high"] - 15 == pytest.approx(1.959964 * 10.977249 / 2, rel=1e-5)
    assert row["p"] == row["q"] == pytest.approx(math.erfc(30 / 3.201562 / math.sqrt(2)), rel=1e-4)
    early, *others = summary["authority"]
    assert early["points"] == pytest.approx({"value": 10, "low": 10 - 1.959964 * 3.5, "high": 10 + 1.959964 * 3.5})
    assert early["authority"] == 5 and [other["points"] for other in others] == [None, None]
    assert summary["trials_made"] == [1200, 0, 0] and summary["explained"] == [0, 0, 0]


def test_authority_that_may_be_worth_nothing_is_no_measure():
    series = TrialSeries(make("star_realms"), "rules", 0)
    sums = Sums(3, len(series.options))
    card, nothing, authority = 0, len(series.options) - 2, len(series.options) - 1
    options = [card, nothing, authority]
    sums.add(trials((card, options, 40, 32), (nothing, options, 40, 20), (authority, options, 40, 24)))
    (row,) = summarize(series, sums, 120)["cards"]
    assert row["points"]["value"] == pytest.approx(30) and row["authority"] is None


def test_pairs_are_corrected_for_all_that_are_known(measured):
    series, sums = measured
    rows = {(row["card"], row["rather_than"]): row for row in pairs_of(series, sums).to_pylist()}
    card = series.options[0]
    assert len(rows) == 6 and all(row["trials"] == 400 and row["stage"] == "early" for row in rows.values())
    assert rows[card, "authority"]["points"] == pytest.approx(20)
    # √(0.16/400 + 0.24/400) = 0.0316228
    assert rows["authority", card]["low"] == pytest.approx(-20 - 1.959964 * 3.16228, rel=1e-6)
    # 10 / 3.5 = 2.857 standard deviations: the greatest of three p values stays as it is, the second counts 3/2 times.
    assert rows["authority", "nothing"]["q"] == pytest.approx(math.erfc(10 / 3.5 / math.sqrt(2)))
    second = 3 / 2 * math.erfc(20 / 3.162278 / math.sqrt(2))
    assert rows[card, "authority"]["q"] == rows["authority", card]["q"] == pytest.approx(second, rel=1e-4)
