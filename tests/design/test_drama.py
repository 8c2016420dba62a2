"""The part `drama`: numbers by hand, chances on made-up games, and whole measurements of several games."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import stardeck
from helpers import JIT, game_of
from stardeck.benchmarks.design.drama import DRAMA, kingmaking, numbers, suspense
from stardeck.benchmarks.design.drama.chances import BINS, FOLDS, calibration_error, chances, mean_square
from stardeck.benchmarks.design.drama.games import Watch, WatchedSeries, first_games
from stardeck.benchmarks.design.drama.intervals import count, percentage
from stardeck.benchmarks.design.drama.measure import of_kings
from stardeck.benchmarks.design.drama.suspense import OF_CHANCES, open_numbers
from stardeck.benchmarks.design.estimates import difference, ends_of_share, share_of
from stardeck.benchmarks.design.part import Asked
from stardeck.game.registry import GAMES

GAME = "interstellar_empire/2"


def watch_of(results, counts, chance=None, seen=None, out=None):
    """Return a Watch of made-up games; what is left out is blank."""
    results, total = np.array(results, np.float64), sum(counts)
    games, sides = results.shape
    mover = np.arange(total) % sides
    mover[np.cumsum(counts) - 1] = -1
    return Watch(
        results, np.zeros(games, bool), np.full(games, 10), np.zeros(games, np.int64), np.zeros(games, np.int64),
        np.zeros((games, sides), np.int64), np.array(counts),
        np.zeros((total, 0), np.float32) if chance is None else np.array(chance, np.float32),
        np.zeros((total, sides, 1), np.float32) if seen is None else np.array(seen, np.float32),
        mover.astype(np.int16), np.zeros((total, sides), bool) if out is None else out, np.full(total, 2, np.int32),
    )  # fmt: skip


def two_sides(*firsts):
    """Return chances of two sides from those of the first."""
    return np.array([(first, 1 - first) for first in firsts])


def test_numbers_of_three_games_by_hand():
    # the first side wins from behind; the second leads all the time; a draw
    chance = np.concatenate(
        [two_sides(0.5, 0.3, 0.52, 0.95, 1.0), two_sides(0.4, 0.05, 0.0), two_sides(0.6, 0.6, 0.6, 0.5)]
    )
    watch = watch_of([(1, 0), (0, 1), (0.5, 0.5)], [5, 3, 4])
    leader = numbers.leaders(chance)
    assert leader.tolist() == [-1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, -1]
    assert numbers.lead_changes(watch, leader).tolist() == [1, 0, 0]
    assert numbers.leaders(chance, numbers.CLEAR_LEAD)[:4].tolist() == [-1, 1, -1, 0]  # 52 to 48 is no clear lead
    half = numbers.snapshot_at(watch, 0.5)
    assert half.tolist() == [2, 6, 9] and numbers.result_of_leader(watch, leader, half).tolist() == [1, 1, 0.5]
    assert numbers.chance_of_leader(watch, chance, 0.25) == pytest.approx([0.7, 0.6, 0.6])
    decided = numbers.decided_at(watch, chance)
    assert decided[:2] == pytest.approx([3 / 4, 1 / 2]) and np.isnan(decided[2])
    assert numbers.lowest_of_winner(watch, chance)[:2] == pytest.approx([0.3, 0.6])
    assert numbers.open_late(watch, chance)[:2].tolist() == [0, 0]
    assert numbers.runaway(watch, chance).tolist() == [0, 1, 0]
    assert numbers.least_runaway(watch, chance) == pytest.approx([0.4, 0.2, 0.2])
    authority = np.array([(50, 40)] * 4 + [(30, 0)] + [(5, 9)] * 3 + [(1, 1)] * 4, float)
    assert numbers.margins_at_end(watch, authority)[:2].tolist() == [30, 4]
    assert numbers.spans(decided) == [0] * 5 + [50, 0, 50, 0, 0]
    course = numbers.course(watch, chance)
    assert course["winner"][0][0] == pytest.approx(55) and course["winner"][-1][0] == 100
    assert course["losers"][-1] == [0, 0, 0] and len(course["losers"]) == numbers.GRID


def moved_by(*turns, out=None):
    """Return games in which the sides move in this order, each list of turns a game."""
    counts = [len(game) + 1 for game in turns]
    sides = 1 + max(max(game) for game in turns)
    watch = watch_of(np.eye(sides)[[game[-1] for game in turns]], counts, out=out)
    return watch._replace(mover=np.array([side for game in turns for side in (*game, -1)], np.int16))


def test_moments_are_even_after_equally_many_turns():
    watch = moved_by([0, 1, 0, 1, 0], [1, 0, 1])
    assert numbers.turns_had(watch)[:6].tolist() == [[0, 0], [1, 0], [1, 1], [2, 1], [2, 2], [3, 2]]
    assert numbers.even_moments(watch).tolist() == [True, False, True, False, True, False] + [True, False, True, False]
    again = moved_by([0, 1, 0, 0, 1, 0, 1])  # a turn more: the first side stays ahead by one
    assert np.flatnonzero(numbers.even_moments(again)).tolist() == [0, 2, 5, 7]
    gone = np.zeros((9, 3), bool)
    gone[5:8, 0] = True  # the second side eliminates the first
    three = moved_by([0, 1, 2, 0, 1, 2, 1, 2], out=gone)
    assert np.flatnonzero(numbers.even_moments(three)).tolist() == [0, 3, 6]


def test_who_has_just_attacked_does_not_lead_by_that():
    """Two sides attack in turn, 5 points each. The second begins with 3 more and wins: it leads in each even moment."""
    first, second = [10, 10, 5, 5, 0], [13, 8, 8, 3, 3]
    watch = moved_by([0, 1, 0, 1])._replace(seen=np.array([*zip(first, second, strict=True)], np.float32)[:, :, None])
    found = {one.name: one for one in open_numbers(watch, ["authority"])}
    assert found["lead_changes_authority"].value == 0, "after each attack another side has more"
    assert found["halftime_leader_loses_authority"].value == 0 and found["margin_authority"].value == 3
    odd = watch._replace(snapshots=np.array([4]), mover=np.array([0, 1, 0, -1], np.int16), seen=watch.seen[:4],
                         out=watch.out[:4], result=np.array([[1.0, 0.0]]))  # fmt: skip
    half = numbers.even_at(odd, numbers.even_moments(odd), 0.5)
    assert half.tolist() == [0] and numbers.snapshot_at(odd, 0.5).tolist() == [1]


def test_a_fair_walk_in_small_steps_gives_the_least_runaways():
    rng = np.random.default_rng(3)
    steps, games = 400, 3_000
    walk = rng.normal(size=(games, steps)).cumsum(axis=1)
    left = np.sqrt(np.arange(steps - 1, -1, -1))
    from scipy.stats import norm

    with np.errstate(divide="ignore"):
        first = np.concatenate([np.full((games, 1), 0.5), norm.cdf(walk / np.maximum(left, 1e-12))], axis=1)
    watch = watch_of(np.stack([first[:, -1], 1 - first[:, -1]], axis=1), [steps + 1] * games)
    chance = np.stack([first.ravel(), 1 - first.ravel()], axis=1)
    runaway, least = numbers.runaway(watch, chance), numbers.least_runaway(watch, chance)
    assert 0 < np.nanmean(runaway - least) < 0.05  # steps are small, but not infinitely so
    quarter = numbers.snapshot_at(watch, 0.25)
    assert np.nanmean(numbers.result_of_leader(watch, numbers.leaders(chance), quarter)) == pytest.approx(
        np.nanmean(numbers.chance_of_leader(watch, chance, 0.25)), abs=0.03
    )


def points_games(games, turns, seed, informative=True):
    """Return games in which each side gains points by chance and the higher total wins, with the true chances."""
    from scipy.stats import norm

    rng = np.random.default_rng(seed)
    gains = rng.normal(size=(games, turns, 2))
    points = np.concatenate([np.zeros((games, 1, 2)), gains.cumsum(axis=1)], axis=1)
    lead = points[:, :, 0] - points[:, :, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        first = norm.cdf(lead / np.sqrt(2 * np.arange(turns, -1, -1)))
    won = lead[:, -1] > 0 if informative else rng.random(games) < 0.5
    result = np.stack([won, ~won], axis=1).astype(float)
    true = np.stack([first, 1 - first], axis=2).reshape(-1, 2)
    return watch_of(result, [turns + 1] * games, seen=points.reshape(-1, 2, 1)), true


def test_the_regression_finds_the_true_chances_from_open_numbers():
    watch, true = points_games(3_000, 8, seed=1)
    found = chances(watch, True)
    before_end = np.ones(len(true), bool)
    before_end[watch.ends] = False
    assert found.source == "open numbers"
    assert np.abs(found.of - true)[before_end].mean() < 0.03
    assert found.of[watch.ends].tolist() == watch.result.tolist()
    _, low, high = calibration_error(watch, found.of)
    assert low < 1 and high < 3


def test_no_game_is_predicted_from_itself():
    watch, _ = points_games(100, 3, seed=2, informative=False)
    noise = np.random.default_rng(0).normal(size=(100, 2, 60))[watch.game]  # recognises each game
    watch = watch._replace(seen=noise.astype(np.float32))
    found = chances(watch, False)
    assert found.source == "observations"
    inside = np.setdiff1d(np.arange(len(watch.mover)), watch.ends)
    fit_to_itself = (found.of * watch.result[watch.game])[inside].sum(axis=1).mean()
    assert fit_to_itself < 0.6
    from stardeck.benchmarks.design.drama import chances as module

    numbers_of = module._explaining(watch)(inside)
    slopes = module.fit(numbers_of, watch.out[inside], watch.result[watch.game[inside]], np.full(len(inside), 0.3))
    with_itself = module.predict(numbers_of, watch.out[inside], slopes)
    assert (with_itself * watch.result[watch.game[inside]]).sum(axis=1).mean() > 0.8


def test_a_network_is_calibrated_only_if_that_helps():
    watch, true = points_games(3_000, 8, seed=4)
    sharp = np.clip(true, 0.02, 0.98) ** 3
    sharp /= sharp.sum(axis=1, keepdims=True)
    too_sure = watch._replace(chance=sharp.astype(np.float32))
    found = chances(too_sure, True)
    assert found.source == "calibrated network"
    assert calibration_error(watch, sharp)[1] > 5 > 2 > calibration_error(watch, found.of)[0]
    few, true = points_games(FOLDS * 6, 3, seed=5)
    assert chances(few._replace(chance=true.astype(np.float32)), True).source == "network"


def distances(rng, trials, games, off):
    """Return sums and numbers of distances of chances by bins, of games of two sides with a chance that is off by some.

    Returns:
        float64[trials, games, BINS] each.
    """
    chance = rng.uniform(0.3, 0.5, (trials, games))
    apart = (rng.random((trials, games)) < chance + off) - chance
    sums, counts = (np.zeros((trials, games, BINS)) for _ in range(2))
    for one, distance in ((chance, apart), (1 - chance, -apart)):
        place = (one * BINS).astype(np.int64)[..., None]
        np.put_along_axis(sums, place, np.take_along_axis(sums, place, 2) + distance[..., None], 2)
        np.put_along_axis(counts, place, np.take_along_axis(counts, place, 2) + 1, 2)
    return sums, counts


@pytest.mark.parametrize(("off", "games"), [(0.15, 150), (0.03, 100), (0.0, 100)])
def test_the_interval_of_the_calibration_error_covers(off, games):
    """An error smaller than noise lies at the end of the scale: there, the interval may be too wide."""
    rng, trials = np.random.default_rng(7), 2_000
    covered = 0
    for _ in range(10):
        for sums, counts in zip(*distances(rng, trials // 10, games, off), strict=True):
            _, low, high = mean_square(sums, counts)
            covered += low <= off**2 <= high
    assert 0.93 <= covered / trials <= (0.97 if off == 0.15 else 1), covered / trials


def test_a_calibration_error_is_no_point_and_has_its_size():
    rng = np.random.default_rng(1)
    chance = rng.uniform(0.3, 0.5, 4_000)
    won = rng.random(4_000) < chance + 0.06
    watch = watch_of(np.stack([won, ~won], axis=1), [2] * 4_000)
    value, low, high = calibration_error(watch, np.repeat(np.stack([chance, 1 - chance], axis=1), 2, axis=0))
    assert value == pytest.approx(6, abs=2) and low < 6 < high < low + 6
    sure = np.repeat(watch.result, 2, axis=0)
    value, low, high = calibration_error(watch, sure)
    assert value == low == 0 < high < 5, "no distance in any game leaves room for one"


def test_intervals_of_numbers_on_fitted_chances_cover(monkeypatch):
    """They hold the mean over games and fits. A trial makes five fits, so trials are few, and bounds wider."""
    names = ("halftime_chance", "decided_at")
    monkeypatch.setattr("stardeck.benchmarks.design.drama.chances.DRAWS", 20)
    monkeypatch.setattr(suspense, "OF_CHANCES", {name: OF_CHANCES[name] for name in names})
    monkeypatch.setattr(suspense, "seen_by", lambda watch, chance: {
        names[0]: numbers.chance_of_leader(watch, chance, 0.5), names[1]: numbers.decided_at(watch, chance),
    })  # fmt: skip
    found, plain = [], []
    for seed in range(trials := 120):
        watch, _ = points_games(200, 2, seed)
        judged = chances(watch, True)
        found.append([(one.value, one.low, one.high) for one in suspense.suspense(watch, judged)[:2]])
        if seed < 20:
            taken_as_given = suspense.suspense(watch, judged._replace(fits=None))[:2]
            plain.append([one.high - one.low for one in taken_as_given])
    value, low, high = np.moveaxis(np.array(found), 2, 0)
    true = value.mean(axis=0)
    covered = ((low <= true) & (true <= high)).mean()
    assert 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / trials) <= covered <= 0.99, covered
    assert ((high - low).mean(axis=0) > 1.4 * np.mean(plain, axis=0)).all(), "another fit gives other chances"


def test_two_variants_compare_draw_by_draw():
    """Results that differ in 3 of 100 games have similar draws, so their difference has a smaller interval."""
    watch, _ = points_games(300, 3, seed=3)
    other = watch._replace(result=np.concatenate([watch.result[:291], watch.result[291:, ::-1]]))
    before, after = (suspense.suspense(one, chances(one, True)) for one in (watch, other))
    apart = {one.name: one for one in map(difference, before, after)}["halftime_chance"]
    single = {one.name: one for one in before}["halftime_chance"]
    assert 0 < apart.high - apart.low < 0.7 * (single.high - single.low)


def test_shares_have_wilsons_interval():
    found = share_of("a", "a", [0.0] * 20 + [np.nan])
    assert (found.value, found.low) == (0, 0) and found.high == pytest.approx(16.1, abs=0.1)
    found = share_of("a", "a", [1.0] * 5 + [0.0] * 5)
    assert (found.low, found.high) == pytest.approx((23.66, 76.34), abs=0.1)


@pytest.mark.parametrize("count_expected", [0.17, 0.5, 1, 2, 5, 20])
@pytest.mark.parametrize("games", [100, 5_000])
def test_intervals_of_rare_shares_cover(count_expected, games):
    """Exact coverage: Wilson's own interval holds a share of 0.17 / n in 84 % of the cases only."""
    counts = np.arange(80)
    weight = binom.pmf(counts, games, count_expected / games)
    ends = np.array([ends_of_share(found / games, games) for found in counts])
    held = (ends[:, 0] <= count_expected / games) & (count_expected / games <= ends[:, 1])
    covered = weight[held].sum()
    assert 0.93 <= covered <= (0.97 if count_expected > 3 else 1), covered
    mirrored = np.array([ends_of_share(1 - found / games, games) for found in counts])
    assert mirrored == pytest.approx(1 - ends[:, ::-1])


def test_values_that_are_all_alike_leave_room():
    none, all_of_it = percentage("a", "a", np.zeros(300)), percentage("a", "a", np.ones(300))
    assert (none.low, none.value, none.high) == pytest.approx((0, 0, 1))
    assert (all_of_it.low, all_of_it.value, all_of_it.high) == pytest.approx((99, 100, 100))
    nine = count("a", "a", np.full(300, 9.0))
    assert (nine.low, nine.high) == pytest.approx((8.99, 9.01))


def test_kingmaking_is_zero_on_average_where_choices_do_nothing():
    rng = np.random.default_rng(1)
    apart = rng.choice([-1.0, 0.0, 1.0], (4_000, 2, 16))[..., None] * np.array([1.0, -1.0, 0.0])
    points, large = kingmaking.measured_by_halves(apart, np.full(4_000, 2)).T
    assert abs(points.mean()) < 4 * points.std() / np.sqrt(4_000) and abs(large.mean()) < 0.03
    moved = apart + np.array([0.8, -0.8, 0.0])  # 80 points from the second side to the first
    points, large = kingmaking.measured_by_halves(moved, np.full(4_000, 2)).T
    assert points.mean() == pytest.approx(80, abs=1.5) and large.mean() > 0.95
    moved = apart + np.array([0.2, -0.2, 0.0])  # noise hides the direction of some: never too much on average
    assert 12 < kingmaking.measured_by_halves(moved, np.full(4_000, 2))[:, 0].mean() < 20
    own = apart + np.array([0.0, 0.0, 0.9])  # what the chooser itself gains does not count
    assert abs(kingmaking.measured_by_halves(own, np.full(4_000, 2))[:, 0].mean()) < 2


def measured_choices(rng, effects, half=8):
    """Return what playouts measure of choices of a third side that move these shares from the second side to the first.

    Returns:
        float64[choices, 2], as `kingmaking.measured_by_halves` returns them.
    """
    chance = rng.random((len(effects), 2, half))
    first = (chance < np.maximum(effects, 0.2)[:, None, None]).astype(float)
    second = chance > 1 - np.maximum(0.2 - effects, 0)[:, None, None]
    apart = first - second
    return kingmaking.measured_by_halves(np.stack([apart, -apart, 0 * apart], axis=-1), np.full(len(effects), 2))


def coverage_of_kings(share, moved, games):
    """Return how often the intervals of both numbers hold the expected values, for a share of choices that move some.

    Half of the games have a choice without hope.
    """
    rng, trials = np.random.default_rng(5), 2_000
    hopeless = [np.flatnonzero(one) for one in rng.random((trials, games)) < 0.5]
    effects = np.where(rng.random(sum(map(len, hopeless))) < share, moved, 0.0)
    measured = np.concatenate([measured_choices(rng, some) for some in np.array_split(effects, 50)])
    by_trial = np.split(measured, np.cumsum([len(one) for one in hopeless])[:-1])
    found = [
        of_kings(kingmaking.Positions(one, np.ones_like(one), games), of_choices)
        for one, of_choices in zip(hopeless, by_trial, strict=True)
    ]
    low, high = np.moveaxis(np.array([[(one.low, one.high) for one in two] for two in found]), 2, 0)
    points, large = np.maximum(measured.mean(axis=0), 0)  # without effect, the mean of all trials is 0 but for noise
    true = np.array([points, 100 * large / 2])
    return ((low <= true) & (true <= high)).mean(axis=0)


@pytest.mark.parametrize(("share", "moved", "games"), [(0.35, 1.0, 200), (0.05, 0.8, 100), (0.0, 0.0, 100)])
def test_intervals_of_kingmaking_cover(share, moved, games):
    """Few choices with an effect, or none, lie at the end of the scale: there, intervals may be too wide."""
    covered = coverage_of_kings(share, moved, games)
    assert (covered >= 0.93).all() and (share < 0.1 or (covered <= 0.97).all()), covered


def test_kingmaking_that_was_not_seen_is_not_excluded():
    places = kingmaking.Positions(np.arange(50), np.ones(50, np.int64), 200)
    points, large = of_kings(places, np.zeros((50, 2)))
    assert points.value == points.low == 0 and 3 < points.high < 10
    assert large.value == large.low == 0 and 1 < large.high < 3
    (one, _) = of_kings(places, np.concatenate([[[20.0, 1.0]], np.full((49, 2), np.nan)]))
    assert (one.low, one.value, one.high) == (0, 20, 100), "a single choice says nothing"


def test_a_search_for_positions_ends_before_the_next_one():
    """Half of the games have a position. Counting up to the last one found would make it more than half."""
    rng, shares = np.random.default_rng(0), []
    for _ in range(300):
        first = np.where(rng.random(60) < 0.5, 0.01, 0.5)
        chance = np.repeat(np.stack([first, 1 - first - 0.2, np.full(60, 0.2)], axis=1), 2, axis=0)
        watch = watch_of(np.eye(3)[np.zeros(60, int)], [2] * 60)._replace(mover=np.tile([0, -1], 60).astype(np.int16))
        places = kingmaking.hopeless_turns(watch, chance, 0, 5)
        shares.append(len(places.games) / places.looked)
    assert np.mean(shares) == pytest.approx(0.5, abs=0.04)


@pytest.fixture
def crowning(monkeypatch):
    """Return the variants of the made-up game by their setting `crown`."""
    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import crowning as module

    stardeck.register_game(module.NAME, module)
    yield {crown: stardeck.make(module.NAME, crown=crown) for crown in (True, False)}
    sys.modules.pop("crowning", None)


def measured(game, out, games=60, **options):
    """Return the estimates by name, and the whole measurement."""
    out.mkdir(parents=True, exist_ok=True)
    found = DRAMA.measure(Asked(game, out, games, **{"workers": 1} | options))
    return {one.name: one for one in found.estimates}, found


def page(found):
    """Return the page of a measurement, as the report reads it from JSON."""
    estimates = [{key: value for key, value in one._asdict().items() if key != "blocks"} for one in found.estimates]
    return DRAMA.show(json.loads(json.dumps({"estimates": estimates, "details": found.details})))


def test_a_planted_kingmaker_is_found(crowning, tmp_path):
    estimates, found = measured(crowning[True], tmp_path / "with", 1_500, agent="random", seed=3)
    assert found.details["chances"] == "observations" and found.details["sides"] == 3
    assert estimates["hopeless"].value == 100
    # only the last of three moves crowns: a third of the drawn decisions moves 100 points
    assert estimates["king_points"].low < 33 < estimates["king_points"].high and estimates["king_points"].low > 5
    assert page(found).findings[0].startswith("A side that cannot win itself often decides who does")
    estimates, found = measured(crowning[False], tmp_path / "without", 1_500, agent="random")
    assert estimates["king_points"].value == 0  # with the same chance both actions end alike
    assert not any("cannot win itself" in sentence for sentence in page(found).findings)


def test_the_part_measures_games_of_all_kinds(tmp_path):
    estimates, found = measured(game_of(GAME), tmp_path / "empire")
    assert DRAMA.offers(game_of(GAME)) == "" and found.details["chances"].endswith("network")
    for one in found.estimates:
        assert one.low is not None and one.low <= one.value <= one.high, one
    assert estimates["turns"].blocks.shape == (60,) and "lead_changes_planets" in estimates
    assert 0 < estimates["wait"].value < 100 and "sat_out" not in estimates and "king_points" not in estimates
    shown = page(found)
    assert len(shown.tables[0].rows) == len(found.estimates) and len(shown.pictures) == 2
    assert all(figure.axes for _, _, figure in shown.pictures)


@pytest.mark.skipif(not JIT, reason="whole games of Star Realms take minutes uncompiled")
def test_teams_bosses_and_elimination(tmp_path):
    for number, settings in enumerate((
        {"format": "free_for_all", "players": 3}, {"set": "box", "format": "two_headed_hydra", "players": 4},
        {"set": "box", "format": "nemesis_beast", "players": 1},
    )):  # fmt: skip
        estimates, found = measured(stardeck.make("star_realms", **settings), tmp_path / str(number), 40)
        assert found.details["sides"] == (3, 2, 2)[number]
        assert ("sat_out" in estimates) == (number == 0) and ("lead_changes_authority" in estimates) == (number < 2)
        assert all(one.low is None or one.low <= one.value <= one.high for one in found.estimates)


def test_games_go_on_where_they_stopped(tmp_path):
    game = game_of(GAME)
    whole, _ = measured(game, tmp_path / "whole", agent="random")
    stopped = []

    def stop(done, games):
        stopped.append(done)
        raise KeyboardInterrupt

    (tmp_path / "cut").mkdir()
    with pytest.raises(KeyboardInterrupt):
        DRAMA.measure(Asked(game, tmp_path / "cut", 40, "random", workers=1, progress=stop))
    assert stopped
    again, _ = measured(game, tmp_path / "cut", agent="random", workers=2)
    assert [one.value for one in again.values()] == [one.value for one in whole.values()]
    fewer, _ = measured(game, tmp_path / "cut", 40, agent="random")
    assert fewer["turns"].blocks.tolist() == whole["turns"].blocks[:40].tolist()
    with pytest.raises(ValueError, match="seed 0, not 1"):
        measured(game, tmp_path / "cut", agent="random", seed=1)
    with pytest.raises(ValueError, match="games=10: drama needs at least 20"):
        measured(game, tmp_path / "few", 10, agent="random")


class Slow:
    """An agent in Python that plays as `random` does not: the last legal action."""

    name = "slow"
    identity = "last"

    def act(self, game, states, masks, seeds):
        return (masks * np.arange(1, game.num_actions + 1)).argmax(axis=1)


def test_agents_in_python_are_watched_too():
    game = game_of(GAME)
    series = WatchedSeries(game, Slow(), 0)
    _, _, arrays = series.play(0, 6)
    watch = Watch(**arrays)
    plain = stardeck.benchmarks.arena.series.Series(game, [Slow()], 0).play(0, 6)
    assert watch.decisions.tolist() == plain.decisions.tolist()
    assert (watch.result == 1)[:, 0].tolist() == plain.winners[:, 0].tolist()
    compiled = WatchedSeries(game, "rules", 0)
    whole, parts = Watch(**compiled.play(0, 6)[2]), Watch(**compiled.play(0, 3)[2])
    assert all((mine == its).all() for mine, its in zip(first_games(whole, 3), parts, strict=True))
    played = stardeck.benchmarks.arena.series.Series(game, ["rules"], 0).play(0, 6)
    assert whole.decisions.tolist() == played.decisions.tolist()


def test_findings_stay_silent_where_nothing_stands_out():
    plain = {"label": "", "unit": "%", "value": 50.0, "low": 49.0, "high": 51.0}
    dull = {"decided_at": plain | {"value": 70.0, "low": 69.0, "high": 71.0}, "halftime_leader_loses": plain | {
        "value": 25.0, "low": 24.0, "high": 26.0}, "runaway": plain | {"low": 40.0}}  # fmt: skip
    from stardeck.benchmarks.design.drama.page import findings

    assert findings(dull, 2, True) == []
    loud = dull | {"runaway": plain | {"value": 60.0, "low": 58.0, "high": 62.0}}
    assert len(findings(loud, 2, True)) == 1 and "60.0 % [58.0, 62.0]" in findings(loud, 2, True)[0]


@pytest.mark.parametrize(
    ("most", "said"),
    [(82.2, "Chance alone makes 64 to 82 % of leads of this size last."), (55.0, "more than the 64 to 55 % of leads")],
)
def test_leaders_run_away_only_beyond_what_chance_makes_last(most, said):
    from stardeck.benchmarks.design.drama.page import findings

    plain = {"label": "", "unit": "%", "value": 71.0, "low": 67.5, "high": 74.2}
    bounds = {"runaway_least": plain | {"value": 64.4, "low": 62.0, "high": 66.0},
              "runaway_most": plain | {"value": most, "low": most - 1, "high": most + 1}}  # fmt: skip
    (found,) = findings({"runaway": plain} | bounds, 2, True)
    assert said in found and ("run away" in found) == (most < 67)


def test_options_of_asked_are_kept():
    asked = Asked(game_of(GAME), Path("."), 5)
    assert replace(asked, games=6).games == 6
