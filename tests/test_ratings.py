"""Ratings: known strengths are found again, with intervals that hold them, from games of any number of sides."""

from itertools import combinations

import choix
import numpy as np
import pytest

from stardeck.benchmarks.league import ratings
from stardeck.benchmarks.league.ratings import ELO, Comparisons, compare, rate


def games_between(strengths, members, games, random):
    """Places and players by side of Plackett-Luce games, agents rotated: two int[games, sides]."""
    sides = len(members)
    order = (np.arange(games)[:, None] + np.arange(sides)) % sides
    speed = strengths[np.array(members)][order] + random.gumbel(size=order.shape)
    return (-speed).argsort(axis=1).argsort(axis=1) + 1, order


def league_of(strengths, sides, games, random):
    lineups = combinations(range(len(strengths)), sides)
    return [compare(members, *games_between(strengths, members, games, random), sides) for members in lineups]


@pytest.mark.parametrize(
    ("strengths", "sides", "games"),
    [([0, 0.2, -0.3], 2, 100), ([0, 3, 6], 2, 200), ([0, 0.3, 0.6, 1], 3, 60), ([0, 0.5, 1, 1.5, 2, 3], 6, 120)],
)
def test_intervals_hold_the_true_strengths(strengths, sides, games):
    strengths = np.array(strengths, float)
    truth = ELO * (strengths - strengths[0])
    random = np.random.default_rng(1)
    held, errors = [], []
    for league in range(40):
        table = rate(league_of(strengths, sides, games, random), len(strengths), 100, league)
        low, high = table.rating_intervals()
        held += ((low <= truth) & (truth <= high))[1:].tolist()
        errors.append(table.ratings - truth)
    assert np.mean(held) >= 0.86
    assert np.abs(np.mean(errors, axis=0)).max() < 25, "no bias to speak of"


def test_public_figures():
    """The match of tests/test_sprt.py: OpenBench gives 2.95 ± 2.18 Elo."""
    half_points = np.arange(5) / 2
    outcomes = np.zeros((5, 2, 2))
    outcomes[:, 0, 1], outcomes[:, 1, 0] = half_points, 2 - half_points
    table = rate([Comparisons((0, 1), outcomes, np.array([398, 4112, 7672, 4336, 430]))], 2, 3000)
    low, high = table.rating_intervals()[:, 1]
    assert round(-table.ratings[1], 2) == 2.95
    assert (high - low) / 2 == pytest.approx(2.18, rel=0.04)


def test_the_scale_is_elos():
    """75 % is 191 points, 91 % is 400."""
    places = np.where(np.arange(1_100_000)[:, None] % 11 > 0, [1, 2], [2, 1])
    match = compare((0, 1), places, np.tile([0, 1], (len(places), 1)), 1)
    assert rate([match], 2, 2).ratings.tolist() == pytest.approx([0, -400], abs=0.1)
    match = match._replace(counts=np.array([250_000, 750_000]))
    assert rate([match], 2, 2).ratings.tolist() == pytest.approx([0, -190.85], abs=0.1)


def test_free_for_alls_agree_with_the_likeliest_rankings():
    """Against the maximum likelihood of whole rankings (choix)."""
    strengths = np.array([0, 0.4, 0.8, 1.5])
    places, order = games_between(strengths, range(4), 4000, np.random.default_rng(2))
    best = choix.ilsr_rankings(4, [row[place.argsort()] for place, row in zip(places, order, strict=True)])
    found = rate([compare(range(4), places, order, 4)], 4, 2).ratings
    assert found == pytest.approx(ELO * (best - best[0]), abs=8)


@pytest.mark.parametrize("games", [1, 100, 1e5])
@pytest.mark.parametrize("agents", [2, 3, 8])
def test_fits_are_those_of_choix(agents, games):
    """Lopsided tables, sparse ones too: Newton's steps reach the maximum from anywhere."""
    points = np.random.default_rng(5).gamma(0.3, games, (20, agents, agents)) * (1 - np.eye(agents))
    points += ratings.prior_of(np.ones((agents, agents)) > np.eye(agents))
    best = ELO * np.array([choix.ilsr_pairwise_dense(table, max_iter=10_000) for table in points])
    assert ratings.fit(points) == pytest.approx(best - best[:, :1], abs=1e-4)


def test_full_placements_rate_better_than_winners():
    strengths = np.array([0, 0.2, 0.4, 0.6, 0.8, 1])
    truth = ELO * strengths
    random = np.random.default_rng(3)
    errors = {"full": [], "winners": []}
    for _ in range(30):
        places, order = games_between(strengths, range(6), 120, random)
        for name, known in (("full", places), ("winners", np.minimum(places, 2))):
            found = rate([compare(range(6), known, order, 6)], 6, 1).ratings
            errors[name].append(np.corrcoef(found, truth)[0, 1])
    assert np.mean(errors["full"]) > np.mean(errors["winners"]) + 0.02


def test_places_are_compared_side_by_side():
    places = np.array([[1, 2, 2], [3, 1, 1]])
    order = np.array([[0, 1, 2], [1, 2, 0]])
    (points,) = compare((5, 7, 9), places, order, 2).outcomes
    # 0 beats 1 and 2, and 1 ties 2; then 2 and 0 tie and beat 1
    assert points.tolist() == [[0, 2, 1.5], [0, 0, 0.5], [0.5, 1.5, 0]]


def test_two_sides_of_one_agent_are_not_compared():
    (points,) = compare((0, 1), np.array([[1, 2, 3]]), np.array([[0, 1, 0]]), 1).outcomes
    assert points.tolist() == [[0, 1], [1, 0]]


def test_the_last_block_may_be_short():
    places, order = np.array([[1, 2]] * 5), np.array([[0, 1]] * 5)
    match = compare((0, 1), places, order, 2)
    assert match.counts.tolist() == [1, 2] and match.outcomes[:, 0, 1].tolist() == [1, 2]
    assert rate([match], 2, 2).points.tolist() == [[0, 5], [0, 0]]


def all_won(games):
    return [compare((0, 1), np.array([[1, 2]] * games), np.array([[0, 1]] * games), 2)]


def test_all_games_won_is_finite_and_more_certain_with_more_games():
    few, many = (rate(all_won(games), 2) for games in (20, 2000))
    assert -800 < few.ratings[1] < -400 and -1600 < many.ratings[1] < -1200
    assert few.rating_intervals()[1, 1] > few.ratings[1] + 100, "it may have been luck"
    assert many.rating_intervals()[1, 1] < few.rating_intervals()[1, 1]
    score, low, high = few.scores()[:, 0, 1]
    assert score == 1 and 0.75 < low < 0.95 and high == 1


def test_an_interval_is_open_where_the_games_set_no_bound():
    """An agent without a win can be as weak as one likes; the first agent is the one that others are measured by."""
    low, high = rate(all_won(100), 2).rating_intervals()
    assert (low[1], low[0], high[0]) == (-np.inf, 0, 0) and -1000 < high[1] < -300
    turned = [match._replace(outcomes=np.swapaxes(match.outcomes, 1, 2)) for match in all_won(100)]
    low, high = rate(turned, 2).rating_intervals()
    assert high[1] == np.inf and 300 < low[1] < 1000
    # 1 and 2 have each won against the other, and neither against 0; 0 and 3 have not met
    both = compare((1, 2), np.array([[1, 2], [2, 1]] * 20), np.array([[0, 1]] * 40), 2)
    low, high = rate([*all_won(20), both], 4).rating_intervals()
    assert (
        low[1:3].tolist() == [-np.inf, -np.inf] and np.isfinite(high[1:3]).all() and np.isnan([low[3], high[3]]).all()
    )


def test_blocks_are_drawn_whole():
    """Where the deal decides both games of a pair there are half as many independent results."""
    random = np.random.default_rng(4)
    deals = random.random(500) < 0.5
    order = np.tile([0, 1], (1000, 1))
    alone = np.where((random.random(1000) < 0.5)[:, None], [1, 2], [2, 1])
    shared = np.where(deals.repeat(2)[:, None], [1, 2], [2, 1])
    swapped = np.where((deals.repeat(2) ^ (np.arange(1000) % 2 == 0))[:, None], [1, 2], [2, 1])
    widths = [
        np.ptp(rate([compare((0, 1), places, order, 2)], 2).rating_intervals()[:, 1])
        for places in (swapped, alone, shared)
    ]
    assert widths[0] < 0.2 * widths[1] and widths[2] == pytest.approx(np.sqrt(2) * widths[1], rel=0.15)


def test_agents_that_no_games_lead_to_have_no_rating():
    first, last = all_won(20)[0], all_won(20)[0]._replace(members=(2, 3))
    table = rate([first, last], 4, 10)
    assert np.isnan(table.ratings).tolist() == [False, False, True, True]
    assert np.isnan(table.rating_intervals()).tolist() == [[False, False, True, True]] * 2
    assert np.isnan(table.scores()[:, 0, 2]).all() and not np.isnan(table.scores()[:, 2, 3]).any()
    assert np.isnan(rate([], 2, 10).ratings).tolist() == [False, True]


def test_equal_seeds_give_equal_intervals(monkeypatch):
    strengths = np.array([0, 0.5, 1])
    whole = rate(league_of(strengths, 3, 90, np.random.default_rng(5)), 3, 50, 1)
    monkeypatch.setattr(ratings, "DRAWS_AT_ONCE", 100)
    pieces = rate(league_of(strengths, 3, 90, np.random.default_rng(5)), 3, 50, 1)
    assert np.array_equal(whole.resampled_ratings, pieces.resampled_ratings)
    tables = [rate(league_of(strengths, 2, 50, np.random.default_rng(5)), 3, 50, seed) for seed in (1, 1, 2)]
    assert np.array_equal(tables[0].resampled_ratings, tables[1].resampled_ratings)
    assert not np.array_equal(tables[0].resampled_ratings, tables[2].resampled_ratings)
