"""The part `drama`: numbers by hand, chances on made-up games, and whole measurements of several games."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stardeck
from helpers import JIT, game_of
from stardeck.benchmarks.design.drama import DRAMA, kingmaking, numbers
from stardeck.benchmarks.design.drama.chances import FOLDS, calibration_error, chances
from stardeck.benchmarks.design.drama.games import Watch, WatchedSeries, first_games
from stardeck.benchmarks.design.estimates import share_of
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
    assert numbers.result_of_leader(watch, leader, 0.5).tolist() == [1, 1, 0.5]
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
    assert np.nanmean(numbers.result_of_leader(watch, numbers.leaders(chance), 0.25)) == pytest.approx(
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
    _, low, high = calibration_error(watch, found.of, 0)
    assert low < 1 and high < 2.5


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
    assert calibration_error(watch, sharp, 0)[1] > 5 > 1.5 > calibration_error(watch, found.of, 0)[0]
    few, true = points_games(FOLDS * 6, 3, seed=5)
    assert chances(few._replace(chance=true.astype(np.float32)), True).source == "network"


def test_the_interval_of_the_calibration_error_covers():
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(trials := 60):
        chance = rng.uniform(0.3, 0.5, 1_500)
        won = rng.random(1_500) < chance + 0.06
        watch = watch_of(np.stack([won, ~won], axis=1), [2] * 1_500)
        _, low, high = calibration_error(watch, np.repeat(np.stack([chance, 1 - chance], axis=1), 2, axis=0), 0)
        covered += low <= 6 <= high
    assert covered / trials >= 0.85


def test_shares_have_wilsons_interval():
    found = share_of("a", "a", [0.0] * 20 + [np.nan])
    assert (found.value, found.low) == (0, 0) and found.high == pytest.approx(16.1, abs=0.1)
    found = share_of("a", "a", [1.0] * 5 + [0.0] * 5)
    assert (found.low, found.high) == pytest.approx((23.66, 76.34), abs=0.1)


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
    estimates, found = measured(crowning[True], tmp_path / "with", 3_000, agent="random", seed=3)
    assert found.details["chances"] == "observations" and found.details["sides"] == 3
    assert estimates["hopeless"].value == 100
    # only the last of three moves crowns: a third of the drawn decisions moves 100 points
    assert estimates["king_points"].low < 33 < estimates["king_points"].high and estimates["king_points"].low > 5
    assert page(found).findings[0].startswith("A side that cannot win itself often decides who does")
    estimates, found = measured(crowning[False], tmp_path / "without", 3_000, agent="random")
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


@pytest.mark.parametrize(("most", "said"), [(82.2, "let expect 64 to 82 %."), (55.0, "more than the 64 to 55 %")])
def test_leaders_run_away_only_beyond_what_their_chances_let_expect(most, said):
    from stardeck.benchmarks.design.drama.page import findings

    plain = {"label": "", "unit": "%", "value": 71.0, "low": 67.5, "high": 74.2}
    bounds = {"runaway_least": plain | {"value": 64.4, "low": 62.0, "high": 66.0},
              "runaway_most": plain | {"value": most, "low": most - 1, "high": most + 1}}  # fmt: skip
    (found,) = findings({"runaway": plain} | bounds, 2, True)
    assert said in found and ("run away" in found) == (most < 67)


def test_options_of_asked_are_kept():
    asked = Asked(game_of(GAME), Path("."), 5)
    assert replace(asked, games=6).games == 6
