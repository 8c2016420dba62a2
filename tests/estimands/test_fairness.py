"""Fair settings: curves and errors against known regressions, and the places of a search, worked out by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
import statsmodels.api as sm

from stardeck.benchmarks.fairness import adaptive_sampling as sampling
from stardeck.benchmarks.fairness import search as searches
from stardeck.benchmarks.fairness.aggregates import ChunkTally, TallyStore, combine, shares_of, tally
from stardeck.benchmarks.fairness.response_curve import Curve, Observations
from stardeck.benchmarks.results.store import ResultsError

Z95, Z98_33 = 1.959964, 2.393980  # of 0.975, and of 1 - 0.025 / 3


def curve_of(x, shares, **more):
    """Return a curve through games. x: [n], the parameter; shares: [n, groups], of each game."""
    points = np.unique(x)
    at = [shares[x == point] for point in points]
    seen = Observations(
        points[:, None],
        np.array([float(len(games)) for games in at]),
        np.array([games.sum(axis=0) for games in at]),
        np.array([games.T @ games for games in at]),
    )
    return Curve(seen, np.array([2.0]), np.array([4.0]), **more), seen


def drawn(groups, seed=2, draws=0.2):
    """Return games of some groups at six points, with a share of draws."""
    chance = np.random.default_rng(seed)
    x = chance.integers(0, 6, 3000).astype(float)
    odds = np.exp(np.outer(x, np.arange(groups)) * 0.15 - np.arange(groups) * 0.4)
    won = (odds.cumsum(axis=1) < chance.random((len(x), 1)) * odds.sum(axis=1, keepdims=True)).sum(axis=1)
    shares = np.eye(groups)[won]
    shares[chance.random(len(x)) < draws] = 1 / groups
    return x, shares


@pytest.mark.parametrize(("linear", "powers"), [(True, 1), (False, 2)])
def test_the_curve_is_a_logistic_regression_with_robust_errors(linear, powers):
    """Draws are outcomes of one half; statsmodels' HC0 errors are those of games, not of a binomial distribution."""
    x, shares = drawn(2)
    curve, _ = curve_of(x, shares, linear=linear)
    terms = sm.add_constant(np.stack([x**power for power in range(1, powers + 1)], axis=1))
    known = sm.GLM(shares[:, 1], terms, family=sm.families.Binomial()).fit(cov_type="HC0")
    for point in (0.0, 2.5, 5.0):
        at = np.array([[1, *(point**power for power in range(1, powers + 1))]])
        found, covariance = curve.mixed(np.array([[point]]), np.ones(1))
        assert found == pytest.approx([1 - known.predict(at)[0], known.predict(at)[0]], abs=1e-6)
        error = known.get_prediction(at).se_mean[0]
        assert np.sqrt(np.diagonal(covariance)) == pytest.approx([error, error], rel=1e-4)


def test_the_curve_of_three_groups_is_a_multinomial_regression():
    x, shares = drawn(3, draws=0)
    curve, _ = curve_of(x, shares, linear=True)
    known = sm.MNLogit(shares.argmax(axis=1), sm.add_constant(x)).fit(disp=False)
    assert curve.shares(np.array([[1.0], [4.0]])) == pytest.approx(known.predict([[1, 1.0], [1, 4.0]]), abs=1e-5)
    # Without draws the robust errors are near those of the distribution, which the curve does not use.
    gradient = np.array([change_of(known, 4.0, number) for number in range(4)])
    covariance = gradient.T @ known.cov_params() @ gradient
    _, robust = curve.mixed(np.array([[4.0]]), np.ones(1))
    assert np.sqrt(np.diagonal(robust)) == pytest.approx(np.sqrt(np.diagonal(covariance)), rel=0.05)


def change_of(known, point, number, step=1e-5):
    """Return the change of the shares at a point with a parameter of a multinomial regression."""
    rates = []
    for sign in (1, -1):
        params = known.params.copy().ravel(order="F")
        params[number] += sign * step
        rates.append(known.model.predict(params.reshape(known.params.shape, order="F"), np.array([[1, point]]))[0])
    return (rates[0] - rates[1]) / (2 * step)


def test_a_mixture_has_the_error_of_its_parts_together():
    """Two points with 400 and 100 games, and a curve that goes through both: errors of one half are independent."""
    x = np.repeat([0.0, 1.0], [400, 100])
    first = np.r_[np.ones(200), np.zeros(200), np.ones(20), np.zeros(80)]
    curve, _ = curve_of(x, np.stack([first, 1 - first], axis=1), linear=True)
    shares, covariance = curve.mixed(np.array([[0.0], [1.0]]), np.array([0.25, 0.75]))
    # 0.25 · 0.5 + 0.75 · 0.2, and 0.25² · 0.5 · 0.5 / 400 + 0.75² · 0.2 · 0.8 / 100
    assert shares == pytest.approx([0.275, 0.725], abs=1e-5)
    assert covariance == pytest.approx(np.array([[1, -1], [-1, 1]]) * 0.0009390625, rel=1e-4)


def test_slopes_are_those_of_the_curve():
    """At odds of one to one the logistic curve changes by a quarter of its coefficient."""
    x = np.repeat([0.0, 2.0, 4.0], 200)
    first = np.concatenate([np.arange(200) < count for count in (60, 100, 140)]).astype(float)
    curve, _ = curve_of(x, np.stack([first, 1 - first], axis=1), linear=True)
    coefficient = np.log(140 / 60) / 2  # symmetric about 2: the odds are 1 there
    slope = curve.slopes(np.array([2.0]))[:, 0]
    assert slope == pytest.approx([coefficient / 4, -coefficient / 4], rel=2e-4)


def test_a_curve_fits_what_differs_by_chance_alone():
    """Of three points with 1,000 games, the chi-squared of one degree of freedom may be 15.1 (1 in 10,000)."""

    def at(middle):
        x = np.repeat([0.0, 1.0, 2.0], 1000)
        first = np.concatenate([np.arange(1000) < count for count in (500, middle, 500)]).astype(float)
        return curve_of(x, np.stack([first, 1 - first], axis=1), linear=True)

    # All shares are (1000 + m) / 3000, near one half; the middle differs by 2/3 · (m - 500), the ends by half of that.
    # For m = 570 the chi-squared is (46.7² + 2 · 23.3²) · (1/523.3 + 1/476.7) = 13.1, for m = 580 it is 17.1.
    for middle, fits in ((500, True), (570, True), (580, False), (420, False)):
        curve, seen = at(middle)
        assert curve.fits(seen) == fits
        assert not curve.fits(seen.only(np.arange(3) < 2)), "two points for two terms have no chance to fail"


def test_the_fit_of_three_groups_has_two_degrees_of_freedom_for_a_point():
    """Shares of a third, but d games more and fewer at the middle of three points with 3,000 games each.

    The chi-squared is (4/9 + 2/9) · d² · 2 / 1000; of two degrees of freedom it may be 18.4, of one 15.1.
    """
    for more, fits in ((112, True), (120, False)):  # 16.7 and 19.2
        x = np.repeat([0.0, 1.0, 2.0], 3000)
        counts = [(1000, 1000, 1000), (1000 + more, 1000 - more, 1000), (1000, 1000, 1000)]
        won = np.concatenate([np.repeat([0, 1, 2], count) for count in counts])
        curve, seen = curve_of(x, np.eye(3)[won], linear=True)
        assert curve.fits(seen) == fits


def test_points_with_few_games_say_nothing_of_the_fit():
    x = np.repeat([0.0, 1.0, 2.0], [1000, 49, 1000])
    first = np.concatenate([np.arange(n) < k for n, k in ((1000, 500), (49, 49), (1000, 500))]).astype(float)
    curve, seen = curve_of(x, np.stack([first, 1 - first], axis=1), linear=True)
    assert not curve.fits(seen) and seen.games.tolist() == [1000, 49, 1000]
    more = seen._replace(games=seen.games + [0, 1, 0], sums=seen.sums + [[0, 0], [1, 0], [0, 0]])
    assert not curve.fits(more), "with fifty it says that the curve is wrong"
    three = Observations(*(np.concatenate([column, column[:1]]) for column in seen))._replace(
        points=np.array([[0.0], [1.0], [2.0], [3.0]])
    )
    assert curve.fits(three) and not curve.fits(three._replace(games=three.games + [0, 1, 0, 0]))


# Stretches


def test_shared_wins_count_for_their_part():
    sides = ((0,), (1, 2), (3,))
    winners = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]], bool)
    assert shares_of(sides, winners).tolist() == [[1, 0, 0], [0, 1, 0], [1 / 3] * 3]
    assert shares_of(((0,), (1,)), np.array([[0, 0], [0, 1]], bool)).tolist() == [[0.5, 0.5], [0, 1]]
    assert shares_of(((0, 1),), np.array([[1, 1], [0, 0]], bool)).tolist() == [[1], [0]]


def test_a_stretch_counts_what_the_side_that_moved_first_has_won():
    """Sides of two seats: won by the one that began, won by the other, drawn, and won by side 1, which began."""
    chunk = SimpleNamespace(
        winners=np.array([[1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0], [0, 0, 1, 1]], bool), first=np.array([0, 1, 0, 3])
    )
    found = tally((7,), ((0, 1), (2, 3)), chunk)
    # 1 + 0 + 1/2 + 1, and 1 + 0 + 1/4 + 1
    assert found[:4] == ((7,), 4, 2.5, 2.25) and found.sides.tolist() == [1.5, 2.5]
    assert found.products.tolist() == [[1.25, 0.25], [0.25, 2.25]]


def test_stretches_of_a_point_are_put_together():
    """The first side won 2 and drew 1 of 4 games, and won 1 of 2 games; 1 game is elsewhere."""
    products = np.array([[2.25, 0.25], [0.25, 1.25]])
    chunks = [
        ChunkTally((3,), 4, 2.5, 2.25, np.array([2.5, 1.5]), products),
        ChunkTally((1,), 1, 0.0, 0.0, np.array([0.0, 1.0]), np.diag([0.0, 1.0])),
        ChunkTally((3,), 2, 1.0, 1.0, np.array([1.0, 1.0]), np.eye(2)),
    ]
    seen = combine(chunks, by_side=False)
    assert seen.points.tolist() == [[1], [3]] and seen.games.tolist() == [1, 6]
    # Squares of the others: 1 + 1/4 (the game drawn) + 1
    assert seen.sums.tolist() == [[0, 1], [3.5, 2.5]] and seen.products[1].tolist() == [[3.25, 0.25], [0.25, 2.25]]
    assert combine(chunks, by_side=True).products[1].tolist() == [[3.25, 0.25], [0.25, 2.25]]


def test_stretches_are_read_as_they_were_kept(tmp_path):
    kept = [
        ChunkTally((3, 5), 4, 2.5, 2.25, np.array([2.5, 1.5]), np.array([[2.25, 0.25], [0.25, 1.25]])),
        ChunkTally((0, 1), 1, 0.0, 0.0, np.array([0.0, 1.0]), np.diag([0.0, 1.0])),
    ]
    store = TallyStore(tmp_path, {"seed": 1})
    for index, chunk in enumerate(kept):
        store.keep(index, chunk)
    again = TallyStore(tmp_path, {"seed": 1}).chunks()
    assert list(again) == [0, 1]
    for chunk, read in zip(kept, again.values(), strict=True):
        assert read[:4] == chunk[:4] and read.sides.tolist() == chunk.sides.tolist()
        assert read.products.tolist() == chunk.products.tolist()


@pytest.mark.parametrize(
    ("change", "column"),
    [
        ({"places": (-1,)}, "places"),
        ({"games": 0}, "games"),
        ({"first": -1.0}, "first"),
        ({"first_squared": -1.0}, "first_squared"),
        ({"sides": np.array([-1.0, 2.0])}, "sides"),
        ({"products": np.array([[1.0, 0.0], [0.0, -1.0]])}, "products"),
    ],
)
def test_aggregates_that_no_games_have_are_refused(change, column, tmp_path):
    sound = ChunkTally((0,), 1, 0.0, 0.0, np.array([0.0, 1.0]), np.diag([0.0, 1.0]))
    TallyStore(tmp_path / "sound", {"seed": 1}).keep(0, sound)
    assert list(TallyStore(tmp_path / "sound", {"seed": 1}).chunks()) == [0]
    TallyStore(tmp_path / "other", {"seed": 1}).keep(0, sound._replace(**change))
    with pytest.raises(ResultsError, match=rf"\b{column}\b"):
        TallyStore(tmp_path / "other", {"seed": 1}).chunks()


# Where a search plays


def test_the_first_round_plays_the_ends_the_quarters_and_the_middle():
    assert sampling._first_round([41]) == {(place,): 200 for place in (0, 10, 20, 30, 40)}
    assert sampling._first_round([2]) == {(0,): 200, (1,): 200}
    assert list(sampling._first_round([5, 9])) == [
        (0, 4), (1, 4), (2, 0), (2, 2), (2, 4), (2, 6), (2, 8), (3, 4), (4, 4),
    ]  # fmt: skip


def test_intervals_of_several_shares_hold_together():
    assert sampling._deviations(2) == pytest.approx(Z95, abs=1e-6), "two shares are one number"
    assert sampling._deviations(3) == pytest.approx(Z98_33, abs=1e-6)


def test_a_point_is_a_mixture_of_the_whole_places_around_it():
    vertices, weights = sampling._simplex(np.array([2.25, 5.75]), np.array([10.0, 10.0]))
    assert vertices.tolist() == [[2, 5], [2, 6], [3, 6]] and weights.tolist() == [0.25, 0.5, 0.25]
    vertices, weights = sampling._simplex(np.array([10.0]), np.array([10.0]))
    assert vertices.tolist() == [[9], [10]] and weights.tolist() == [0, 1]


def flat(*shares):
    """Return a curve with these shares at the places 0, 1, … of its parameter."""
    return SimpleNamespace(shares=lambda points: np.array([shares[int(place)] for place in points[:, 0]]))


def test_a_mixture_is_fair():
    """60 % at one place and 45 % at the next: one third and two thirds of the games make 50 %."""
    curve = flat((0.7, 0.3), (0.6, 0.4), (0.45, 0.55), (0.3, 0.7))
    half = np.array([0.5, 0.5])
    for start in (1.5, 0.2, 2.9):
        vertices, weights = sampling._mixture(curve, np.array([start]), np.array([3.0]), half)
        assert vertices.tolist() == [[1], [2]] and weights == pytest.approx([1 / 3, 2 / 3])
    corners = np.array([[0, 0], [1, 0], [1, 1]])
    three = SimpleNamespace(shares=lambda points: np.array([[0.5, 0.3, 0.2], [0.3, 0.3, 0.4], [0.1, 0.5, 0.4]]))
    # a · 0.3 + b · 0.3 + c · 0.5 = a · 0.2 + b · 0.4 + c · 0.4 = 1/3 and a + b + c = 1: c = 1/6, a = 1/3, b = 1/2
    assert sampling._solved(three, corners, np.full(3, 1 / 3)) == pytest.approx([1 / 3, 1 / 2, 1 / 6])


def test_where_nothing_is_fair_the_end_of_the_range_is_nearest():
    curve = flat((0.7, 0.3), (0.65, 0.35), (0.6, 0.4))
    vertices, weights = sampling._mixture(curve, np.array([1.0]), np.array([2.0]), np.array([0.5, 0.5]))
    assert (weights @ vertices).tolist() == [2]


def guess(**more):
    """Return a guess between the places 10 and 11 of 41, where the share changes by 1 point a place."""
    line = SimpleNamespace(slopes=lambda point: np.array([[-0.01], [0.01]]))
    made = {"vertices": np.array([[10], [11]]), "weights": np.array([0.25, 0.75]), "answer": np.array([10.75])}
    made |= {"low": None, "high": None, "shares": np.array([0.5, 0.5]), "error": np.full(2, 0.02), "inside": True}
    return sampling.Estimate(**made | {"curve": line, "window": np.ones(5, bool)} | more)


def test_three_quarters_of_a_round_are_played_at_the_guess():
    """An eighth is played on either side of it, where the share is three points off: 7.75 and 13.75, rounded away."""
    assert sampling._next_round(guess(), 1600, [41]) == {(7,): 200, (10,): 300, (11,): 900, (14,): 200}
    edge = guess(vertices=np.array([[39], [40]]), weights=np.array([0.0, 1.0]), answer=np.array([40.0]))
    assert sampling._next_round(edge, 1000, [41]) == {(37,): 125, (40,): 875}, "no place is beyond the end"
    start = guess(vertices=np.array([[0], [1]]), weights=np.array([0.5, 0.5]), answer=np.array([0.5]))
    assert sampling._next_round(start, 1600, [41]) == {(0,): 800, (1,): 600, (4,): 200}, "or before the beginning"


def test_what_is_within_reach_counts_and_more_where_it_is_too_little():
    seen = Observations(np.arange(11.0)[:, None], np.full(11, 100.0), np.zeros((11, 2)), np.zeros((11, 2, 2)))

    def near(centre, reach, enough):
        chosen = sampling._near(seen, np.array([centre]), np.array([reach]), enough)
        return seen.points[chosen, 0].tolist()

    assert near(5.0, 2.0, 0.3) == [3, 4, 5, 6, 7]
    # Five of eleven are less than half: twice as far there are nine. A line needs two points.
    assert near(5.0, 2.0, 0.5) == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert near(0.0, 0.5, 0.0) == [0, 1]


def test_a_corner_that_was_not_played_has_a_tenth_of_the_guess():
    unknown = guess(error=np.ones(2), weights=np.array([0.0, 1.0]))
    assert sampling._next_round(unknown, 1010, [41])[10,] == 76, "75.75, rounded up"


def test_a_step_is_no_more_than_a_quarter_of_the_range():
    gentle = SimpleNamespace(slopes=lambda point: np.array([[-0.001, 0.1], [0.001, -0.1]]))
    steps = sampling._steps(gentle, np.array([10.0, 1.0]), np.array([40.0, 2.0]))
    # 0.03 / 0.001 = 30 places, of which 10 are allowed; 0.03 / 0.1 = 0.3
    assert steps == pytest.approx([10, 0.3])


def test_a_guess_has_the_interval_of_its_curve():
    """The error of a place is that of the share there, by how much the share changes with a place."""
    x, shares = drawn(2, draws=0)
    curve, seen = curve_of(x, shares, linear=True)
    last, fair = np.array([5.0]), np.array([0.5, 0.5])
    crossing = sampling._crossing(curve, np.zeros(1), last, fair)
    known = sm.GLM(shares[:, 1], sm.add_constant(x), family=sm.families.Binomial()).fit(cov_type="HC0")
    assert crossing == pytest.approx([-known.params[0] / known.params[1]], abs=1e-4)
    vertices, weights = sampling._mixture(curve, crossing, last, fair)
    found = sampling._estimate(curve, np.ones(6, bool), vertices, weights, last, fair)
    # At odds of one to one the share changes by a quarter of the coefficient.
    error = known.get_prediction(np.array([[1, crossing[0]]])).se_mean[0]
    half = Z95 * error / (known.params[1] / 4)
    assert (found.low[0], found.high[0]) == pytest.approx((found.answer[0] - half, found.answer[0] + half), rel=5e-3)
    assert found.error == pytest.approx(Z95 * error, rel=5e-3) and found.inside and found.shares == pytest.approx(fair)


def searching(monkeypatch, guesses, within=0.01, games=10**6):
    """Run a search with given guesses; return the last one and the number of games in each round."""
    rounds = []

    def play(more):
        rounds.append(sum(more.values()))
        return SimpleNamespace(games=np.array(rounds))

    guesses = iter(guesses)
    monkeypatch.setattr(sampling, "best_guess", lambda seen, lengths, fair: next(guesses))
    found, _ = sampling.seek(play, [41], np.array([0.5, 0.5]), within, games)
    return found, rounds


def test_a_search_ends_after_eight_rounds_when_it_knows_enough(monkeypatch):
    known, unknown = guess(error=np.full(2, 0.01)), guess(error=np.full(2, 0.0101))
    _, rounds = searching(monkeypatch, [known] * 20)
    # Each has three tenths of all before, rounded up at each of four places: 300 is 57 + 169 + 38 + 38.
    assert len(rounds) == 8 and rounds[:3] == [1000, 302, 392]
    found, rounds = searching(monkeypatch, [unknown] * 9 + [known] * 9)
    assert len(rounds) == 10 and found is known
    _, rounds = searching(monkeypatch, [unknown] * 20, games=1300)
    assert rounds == [1000, 302], "or when its games are spent"


def test_a_search_ends_where_no_place_is_fair(monkeypatch):
    """Six standard deviations from fair in three rounds, one after the other; of 1.96 the error is made."""
    far = guess(inside=False, error=np.full(2, 0.0196), shares=np.array([0.56, 0.44]))
    near = far._replace(shares=np.array([0.549, 0.451]))
    _, rounds = searching(monkeypatch, [near] * 9 + [far, far, near] + [far] * 5)
    assert len(rounds) == 15
    assert not sampling._is_clear(far._replace(inside=True), np.array([0.5, 0.5]))


# Its report


def test_a_summary_counts_points_from_the_fair_share():
    found = guess(shares=np.array([0.35, 0.65]), error=np.array([0.02, 0.02]))
    row = searches._share("first", found, 0, 1 / 3)
    assert row == {"of": "first", "fair": pytest.approx(33.3333, abs=1e-4), "points": pytest.approx(1.6667, abs=1e-4),
                   "low": pytest.approx(-0.3333, abs=1e-4), "high": pytest.approx(3.6667, abs=1e-4)}  # fmt: skip
