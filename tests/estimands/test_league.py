"""Sequential tests, ratings and tables of a league: figures from published formulas or worked out by hand."""

import math
from itertools import pairwise

import choix
import numpy as np
import pyarrow as pa
import pytest
from scipy.optimize import minimize

from helpers import game_of
from stardeck import agents
from stardeck.benchmarks.arena.series import Chunk
from stardeck.benchmarks.league import ratings, sprt
from stardeck.benchmarks.league.matches import Match, Plan
from stardeck.benchmarks.league.ratings import Table, compare, fit, prior_of, rate, resample
from stardeck.benchmarks.league.sprt import Sprt, llr, looks, pairs_of
from stardeck.benchmarks.league.standings import result_of, standings
from stardeck.benchmarks.results.store import SCHEMA

CORE, HYDRA = "star_realms/core/standard/2", "star_realms/box/two_headed_hydra/4"
SEEN = [[398, 4112, 7672, 4336, 430], [13, 37, 50, 25, 3], [5, 21, 70, 33, 9], [0, 3, 4, 20, 11]]


# Sequential tests


def test_half_points_are_added_two_games_at_a_time():
    # 2 + 1, 0 + 0, 1 + 1, 2 + 2 and 1 + 2; the last game has no second one
    assert pairs_of(np.array([2, 1, 0, 0, 1, 1, 2, 2, 1, 2, 2])).tolist() == [1, 0, 1, 2, 1]
    assert pairs_of(np.array([1])).tolist() == [0] * 5


def generalised(pairs, low, high):
    """Return the log-likelihood ratio of a general optimiser over the probabilities that each strength allows.

    A pair's score has the mean 1/2 + t · s, where s is its standard deviation times √2, that of one game; t is the
    strength times ln(10) / 800 (Van den Bergh, "Comments on Normalized Elo").
    """
    scores, seen = np.array([0, 0.25, 0.5, 0.75, 1]), np.maximum(pairs, 1e-3)
    seen = seen / seen.sum()

    def best(strength):
        t = strength * math.log(10) / 800

        def excess(p):
            mean = p @ scores
            return mean - 0.5 - t * math.sqrt(2 * (p @ (scores - mean) ** 2))

        rules = [{"type": "eq", "fun": excess}, {"type": "eq", "fun": lambda p: p.sum() - 1}]
        found = minimize(
            lambda p: -seen @ np.log(p), seen, bounds=[(1e-9, 1)] * 5, constraints=rules, options={"ftol": 1e-15}
        )
        return -found.fun

    return sum(pairs) * (best(high) - best(low))


@pytest.mark.parametrize("bounds", [(0, 3), (-5, 5), (0, 60)])
@pytest.mark.parametrize("pairs", SEEN)
def test_the_likelihood_ratio_is_that_of_a_general_optimiser(pairs, bounds):
    assert llr(pairs, *bounds) == pytest.approx(generalised(pairs, *bounds), rel=2e-3, abs=2e-3)


@pytest.mark.parametrize("bounds", [(0, 3), (-5, 5), (2, 10)])
@pytest.mark.parametrize("pairs", SEEN[:3])
def test_the_likelihood_ratio_is_near_that_of_the_published_approximation(pairs, bounds):
    """N · log((1 + (t - t0)²) / (1 + (t - t1)²)) of N pairs, in standard deviations of a game (section 4.1)."""
    scores, count = np.array([0, 0.25, 0.5, 0.75, 1]), sum(pairs)
    mean = np.dot(pairs, scores) / count
    deviation = math.sqrt(2 * (np.dot(pairs, scores**2) / count - mean**2))
    t, low, high = (mean - 0.5) / deviation, *(bound * math.log(10) / 800 for bound in bounds)
    expected = count * math.log((1 + (t - low) ** 2) / (1 + (t - high) ** 2))
    assert llr(pairs, *bounds) == pytest.approx(expected, rel=0.03, abs=0.03)


@pytest.mark.parametrize(("low", "high"), [(0, 5), (-200, 200), (-200, -199), (199.5, 200)])
def test_bounds_reach_from_minus_200_to_200(low, high):
    assert Sprt.of((low, high)) == (low, high, 0.05, 0.05)


@pytest.mark.parametrize(("low", "high"), [(-200.5, 0), (0, 200.5), (5, 5), (5, 0), (math.nan, 5), (0, math.inf)])
def test_bounds_beyond_200_or_in_the_wrong_order_are_named(low, high):
    with pytest.raises(ValueError, match=f"^sprt={low:g},{high:g}: LOW must be below HIGH, both from -200 to 200 "):
        Sprt.of((low, high))


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    # log(0.9 / 0.05) = 2.890 and log(0.1 / 0.95) = -2.251
    [(2.891, "H1"), (2.889, "undecided"), (0, "undecided"), (-2.250, "undecided"), (-2.252, "H0")],
)
def test_each_risk_sets_a_bound_of_its_own(ratio, verdict, monkeypatch):
    monkeypatch.setattr(sprt, "llr", lambda pairs, low, high: ratio)
    assert Sprt(0, 5, alpha=0.05, beta=0.1).verdict([1] * 5) == verdict


def test_looks_come_every_64_games_and_later_every_thirty_second_part():
    assert list(looks(63)) == [] and list(looks(64)) == [64] and list(looks(200)) == [64, 128, 192]
    late = list(looks(5000))
    # 2112 / 32 = 66, and 2178 / 32 = 68.06; a whole number of pairs
    assert [look for look in late if look > 2000][:4] == [2048, 2112, 2178, 2246]
    for look, following in pairwise(looks(100_000)):
        step = following - look
        assert step == 64 if look < 2112 else step % 2 == 0 and step <= look / 32 < step + 2


def match(folder, variant, games, test, *names):
    return Match(folder, game_of(variant), [agents.get(name) for name in names], Plan(games, 1, test))


def rows_of(variant, places, truncated=()):
    """Rows of games with these places by seat."""
    seats = game_of(variant).players
    return pa.Table.from_pylist(
        [
            {
                "index": index, "seed": 0, "agents": [""] * seats, "first": 0, "winner": [],
                "truncated": index in truncated, "turns": 9, "decisions": 9, "placements": row, "scenarios": [],
            }
            for index, row in enumerate(places)
        ],
        SCHEMA,
    )  # fmt: skip


def test_pairs_are_those_of_the_agent_listed_first(tmp_path):
    """By name rules is first at the table, and simple, which is tested, has the other side of each deal first."""
    tested = match(tmp_path, HYDRA, 8, Sprt(0, 5), "simple", "rules")
    first, second, shared = [1, 1, 2, 2], [2, 2, 1, 1], [1, 1, 1, 1]
    # lost and won; won twice; lost twice; drawn and won
    table = rows_of(HYDRA, [first, first, second, first, first, second, shared, first])
    assert tested.pairs(table).tolist() == [1, 0, 1, 1, 1]
    assert match(tmp_path, HYDRA, 8, Sprt(0, 6), "rules", "simple").pairs(table).tolist() == [1, 1, 1, 0, 1]


def chunk(start, won):
    """Games of a match of two seats in which `rules` won (1), lost (0) or drew."""
    index = np.arange(start, start + len(won))
    seat = index % 2  # of rules
    winners = np.zeros((len(won), 2), bool)
    places = np.ones((len(won), 2), np.int64)
    for row, result in enumerate(won):
        if result in (0, 1):
            winner = seat[row] if result else 1 - seat[row]
            winners[row, winner], places[row, 1 - winner] = True, 2
    many = np.full(len(won), 9)
    empty = np.empty(0, np.uint16), np.empty(0, np.uint8), np.empty(0, np.int64), np.empty((0, 0), np.int32)
    return Chunk(
        start, index.astype(np.uint64) // 2, seat, many * 0, winners, winners.sum(axis=1) == 0, many, many, places,
        np.empty((len(won), 0), np.int8), *empty,
    )  # fmt: skip


def test_a_match_stops_at_the_first_look_that_decides(tmp_path):
    """64 games of even pairs decide nothing; after 64 more that are all won it is clear."""
    tested = match(tmp_path, CORE, 640, Sprt(-200, 200), "rules", "simple")
    tested.add(chunk(0, [1, 0] * 32))
    assert tested.end is None
    tested.add(chunk(64, [1] * 63))
    assert tested.end is None, "one game is missing"
    tested.add(chunk(127, [1] * 65))
    assert tested.end == 128 and tested.missing() == [] and len(tested.join()) == 128


def test_games_after_a_gap_are_not_looked_at(tmp_path):
    tested = match(tmp_path, CORE, 640, Sprt(-200, 200), "rules", "simple")
    tested.add(chunk(64, [0] * 128))
    assert tested.end is None and tested.missing() == [(0, 64), (192, 640)]
    tested.add(chunk(0, [1] * 64))
    assert tested.end == 64, "what came first in the match decides"
    assert tested.pairs(tested.join()).tolist() == [0, 0, 0, 0, 32]


def test_a_match_goes_on_with_what_was_kept(tmp_path):
    match(tmp_path, CORE, 640, Sprt(-200, 200), "rules", "simple").add(chunk(64, [1] * 64))
    again = match(tmp_path, CORE, 640, Sprt(-200, 200), "rules", "simple")
    assert again.done == 64 and again.missing() == [(0, 64), (128, 640)]
    again.add(chunk(0, [1, 0] * 32))
    assert again.end == 128, "the games that were kept are looked at"


def test_a_match_of_draws_goes_on_to_its_end(tmp_path):
    tested = match(tmp_path, CORE, 128, Sprt(-5, 5), "rules", "simple")
    tested.add(chunk(0, [None] * 128))
    assert tested.end is None and tested.missing() == [] and tested.done == 128
    assert llr([0, 0, 64, 0, 0], -5, 5) == pytest.approx(0, abs=1e-6)


# Ratings


def duel(*results):
    """Return a match of agents 0 and 1, one game a block: 1 for a win of agent 0, 0 for a loss, 0.5 for a draw."""
    places = np.array([{1: [1, 2], 0: [2, 1], 0.5: [1, 1]}[result] for result in results])
    return compare((0, 1), places, np.tile([0, 1], (len(results), 1)), 1)


def test_a_rating_is_four_hundred_times_the_logarithm_of_the_odds():
    """Three wins and a loss, with half a point more for each: 400 · log10(3.5 / 1.5) = 147.19."""
    assert rate([duel(1, 1, 1, 0)], 2, 2).ratings == pytest.approx([0, -147.19], abs=0.005)
    # Two wins and two draws of four are as much.
    assert rate([duel(1, 0.5, 1, 0.5)], 2, 2).ratings == pytest.approx([0, -147.19], abs=0.005)
    # Without the prior 75 % is 400 · log10(3) = 190.85.
    assert fit(np.array([[[0, 3.0], [1, 0]]])).tolist() == [pytest.approx([0, -190.85], abs=0.005)]


def test_the_prior_is_one_drawn_game_of_an_agent_shared_out_among_its_opponents():
    everyone = prior_of(np.ones((4, 4)) > np.eye(4))
    # A third of a game with each of three opponents: a sixth of a point for either.
    assert everyone == pytest.approx((1 - np.eye(4)) / 6)
    # 0 has met 1, 2 and 3, who have met nobody else: each of them draws a whole game.
    star = np.zeros((4, 4), bool)
    star[0, 1:] = star[1:, 0] = True
    assert prior_of(star)[0].tolist() == [0, 0.5, 0.5, 0.5] and prior_of(star)[1].tolist() == [0.5, 0, 0, 0]


def test_strengths_add_up_along_a_chain():
    """0 wins 3 of 4 against 1, and 1 wins 3 of 4 against 2: 2 is 2 · 190.85 below 0."""
    chain = np.array([[[0, 3.0, 0], [1, 0, 3], [0, 1, 0]]])
    assert fit(chain)[0] == pytest.approx([0, -190.85, -381.70], abs=0.01)
    assert fit(chain)[0] == pytest.approx(
        400 / math.log(10) * (lambda s: s - s[0])(choix.ilsr_pairwise_dense(chain[0]))
    )


def test_the_interval_is_that_of_games_drawn_again():
    """100 games, 75 won, and half a game won and half lost: a share with √(0.75 · 0.25 / 100), 0.0433, as its error.

    Elo changes by 400 / ln(10) / (0.75 · 0.25) = 926 with the share: half of the interval is 1.96 · 40.1.
    """
    table = rate([duel(*[1] * 75, *[0] * 25)], 2, 20_000)
    low, high = table.rating_intervals()[:, 1]
    assert (high - low) / 2 == pytest.approx(1.96 * 40.1, rel=0.05)
    score, below, above = table.scores()[:, 0, 1]
    assert score == 0.75 and (above - below) / 2 == pytest.approx(1.96 * 0.0433, rel=0.05)


def test_an_interval_goes_from_the_25th_to_the_975th_of_a_thousand_steps():
    """Of 1,001 resamples in equal steps, 2.5 % are below the 25th step, and 2.5 % above the 975th."""
    steps = np.random.default_rng(0).permutation(1001)
    points = np.zeros((1001, 2, 2))
    points[:, 0, 1], points[:, 1, 0] = steps, 1000 - steps
    table = Table(np.array([[0.0, 7], [3, 0]]), np.array([0.0, 5]), points, np.stack([0 * steps, steps], axis=1))
    assert table.rating_intervals().tolist() == [[0, 25], [0, 975]]
    scores = table.scores()
    assert scores[:, 0, 1] == pytest.approx([0.7, 0.025, 0.975])
    assert scores[:, 1, 0] == pytest.approx([0.3, 0.025, 0.975])
    assert np.isnan(scores[:, [0, 1], [0, 1]]).all(), "no agent meets itself"


def test_sides_of_one_agent_make_no_comparison():
    """Against itself an agent has nothing; as the first and the last of three it has won and lost against the other."""
    mirror = compare((0,), np.array([[1, 2], [2, 1], [1, 1]]), np.zeros((3, 2), int), 1)
    assert not mirror.outcomes.any() and mirror.counts.tolist() == [3]
    # The agent 0 beats the agent 1 from both of its sides in game 0, from one in game 1.
    match = compare((0, 1), np.array([[1, 3, 2], [1, 2, 3]]), np.array([[0, 1, 0]] * 2), 1)
    table = rate([mirror, match], 2, 2)
    assert table.points.tolist() == [[0, 3], [1, 0]]
    assert np.isnan(table.scores()[:, 0, 0]).all()
    assert table.ratings == pytest.approx([0, -147.19], abs=0.005)


def test_blocks_of_one_result_are_counted_together():
    """Five games in blocks of two: won twice, won and lost, and one that is won; the last block is short."""
    match = compare((0, 1), np.array([[1, 2], [1, 2], [1, 2], [2, 1], [1, 2]]), np.tile([0, 1], (5, 1)), 2)
    counted = dict(zip(map(str, match.outcomes.tolist()), match.counts.tolist(), strict=True))
    assert counted == {"[[0.0, 2.0], [0.0, 0.0]]": 1, "[[0.0, 1.0], [1.0, 0.0]]": 1, "[[0.0, 1.0], [0.0, 0.0]]": 1}
    (only,) = compare((0, 1), np.tile([1, 2], (4, 1)), np.tile([0, 1], (4, 1)), 2).counts
    assert only == 2


def test_a_half_block_is_worth_the_games_of_a_block():
    """Ten blocks of two games, all won: on the average 20 + 1/2 · 1 points for the winner and 1/2 · 1 for the loser."""
    match = compare((0, 1), np.tile([1, 2], (20, 1)), np.tile([0, 1], (20, 1)), 2)
    points = resample(match, 200_000, np.random.default_rng(0))
    assert points.mean(axis=0) == pytest.approx(np.array([[0, 20.5], [0.5, 0]]), abs=0.01)


def test_a_resample_adds_half_a_block_won_and_half_a_block_lost():
    """Of 20 games won: 20 + 1/2 · 1/2 points for the winner and 1/2 · 1/2 for the loser, on the average."""
    points = resample(duel(*[1] * 20), 200_000, np.random.default_rng(0))
    assert points.mean(axis=0) == pytest.approx(np.array([[0, 20.25], [0.25, 0]]), abs=0.005)
    # Of 21 draws each is such a half with the chance 1/21: the loser's points vary by 21 · 1/42 · 41/42 · 1/4.
    assert points[:, 1, 0].var() == pytest.approx(21 * 41 / 42**2 / 4, rel=0.02)


def test_every_resample_has_the_rating_of_its_points():
    """The points of both agents with half a point more for each: -400 · log10 of their quotient."""
    table = rate([duel(1, 1, 0, 0.5)], 2, 7)
    won, lost = table.resampled_points[:, 0, 1], table.resampled_points[:, 1, 0]
    expected = [[0, -400 * math.log10((own + 0.5) / (other + 0.5))] for own, other in zip(won, lost, strict=True)]
    assert table.resampled_ratings.tolist() == [pytest.approx(row, abs=1e-6) for row in expected]
    assert len(expected) == 7


def test_a_fit_ends_after_few_steps(monkeypatch):
    """Newton's method doubles the digits with each step near the maximum: 20 steps are enough."""
    steps, solve = [], np.linalg.solve

    def counted(*given):
        steps.append(given)
        return solve(*given)

    monkeypatch.setattr(np.linalg, "solve", counted)
    assert fit(np.array([[[0, 3.0], [1, 0]], [[0, 1000.5], [0.5, 0]]])).shape == (2, 2)
    assert 4 <= len(steps) <= 20


def test_resamples_are_drawn_in_parts_of_limited_size(monkeypatch):
    """Two results and two halves of a block are four numbers of a resample: ten hold two resamples."""
    monkeypatch.setattr(ratings, "DRAWS_AT_ONCE", 10)
    random, sizes = np.random.default_rng(0), []

    class Recorder:
        def multinomial(self, blocks, chances, size):
            sizes.append((blocks, len(chances), size))
            return random.multinomial(blocks, chances, size)

    assert resample(duel(1, 0, 1), 5, Recorder()).shape == (5, 2, 2)
    assert sizes == [(4, 4, 2), (4, 4, 2), (4, 4, 1)]
    monkeypatch.setattr(ratings, "DRAWS_AT_ONCE", 1)
    assert len(resample(duel(1, 0, 1), 3, Recorder())) == 3, "one at a time at least"


@pytest.mark.parametrize(
    ("results", "bounded"),
    [((1, 1, 0), (True, True)), ((1, 0.5), (True, True)), ((1, 1), (False, True)), ((0, 0), (True, False))],
)
def test_a_single_point_or_a_half_bounds_a_rating(results, bounded):
    """Agent 1, without a point, can be as weak as one likes; where it has lost none, as strong."""
    assert np.isfinite(rate([duel(*results)], 2, 100).rating_intervals()[:, 1]).tolist() == list(bounded)


# Tables


def test_the_table_of_a_match_of_teams(tmp_path):
    """Four games of two deals. rules has side 0 in games 0 and 2, side 1 in games 1 and 3."""
    played = match(tmp_path, HYDRA, 4, None, "rules", "simple")
    first, second, shared = [1, 1, 2, 2], [2, 2, 1, 1], [1, 1, 1, 1]
    names = ["simple", "rules"]
    result = result_of(played, rows_of(HYDRA, [first, second, second, shared]), names, None)
    assert result.names == ["rules", "simple"] and result.played.tolist() == [4, 4]
    assert result.won.tolist() == [2.5, 1.5], "won, won, lost, drawn"
    table = standings(names, [result], None, 0)
    (pair,) = table["cross_table"]
    assert (pair["agents"], pair["games"], pair["points"], pair["score"]) == (names, 4, 1.5, 0.375)
    assert [(row["agent"], row["games"], row["win_rate"]) for row in table["agents"]] == [
        ("simple", 4, 1.5 / 4), ("rules", 4, 2.5 / 4),
    ]  # fmt: skip
    # 400 · log10((2.5 + 0.5) / (1.5 + 0.5)) = 400 · 0.17609
    assert [row["rating"] for row in table["agents"]] == pytest.approx([0, 70.44], abs=0.005)


def test_the_table_of_a_match_of_three(tmp_path):
    """The agents sit as a b c, b c a and c a b in games 0 to 2, then as a c b, c b a and b a c."""
    variant = "star_realms/box/free_for_all/3"
    played = match(tmp_path, variant, 6, None, "random", "rules", "simple")  # a, b, c
    places = [[1, 2, 3], [1, 2, 3], [1, 1, 3], [1, 1, 1], [2, 1, 3], [1, 2, 2]]
    names = ["random", "rules", "simple"]
    result = result_of(played, rows_of(variant, places), names, None)
    # a wins game 0, and a third of game 3; b wins 1, 4 and 5; in game 2, a and c share the first place, so no one
    # has won it alone, and each of the three has a third.
    assert result.won == pytest.approx([1 + 2 / 3, 3 + 2 / 3, 2 / 3]) and result.played.tolist() == [6] * 3
    rows = {tuple(row["agents"]): row["points"] for row in standings(names, [result], None, 0)["cross_table"]}
    # a over b: games 0 and 2, half of 3, none of 1, 4 and 5. a over c: game 0, half of 2, 3 and 5, none of 1 and 4.
    # b over c: games 0, 1, 4 and 5, half of 3, none of 2.
    assert rows == {("random", "rules"): 2.5, ("random", "simple"): 2.5, ("rules", "simple"): 4.5}


def test_a_boss_wins_what_is_lost_and_shares_what_is_truncated(tmp_path):
    variant = "star_realms/box/nemesis_beast/2/veteran"
    played = match(tmp_path, variant, 4, None, "rules")
    table = rows_of(variant, [[1, 1], [2, 2], [2, 2], [1, 1]], truncated=[3])
    result = result_of(played, table, ["rules", "Boss"], None)
    assert result.won.tolist() == [1.5, 2.5], "won, lost, lost, truncated"
    (pair,) = standings(["rules", "Boss"], [result], None, 0)["cross_table"]
    assert pair["points"] == 1.5 and pair["games"] == 4


def test_a_tested_pair_says_its_verdict(tmp_path):
    test = Sprt(-200, 200)
    played = match(tmp_path, CORE, 64, test, "simple", "rules")
    result = result_of(played, rows_of(CORE, [[2, 1], [1, 2]] * 32), ["simple", "rules"], test)
    (pair,) = standings(["simple", "rules"], [result], test, 0)["cross_table"]
    assert result.pairs.tolist() == [0, 0, 0, 0, 32] and pair["sprt"] == "H1" and pair["score"] == 1
    assert pair["llr"] == pytest.approx(llr([0, 0, 0, 0, 32], -200, 200))


def test_agents_that_have_not_met_are_left_out_and_rated_over_others(tmp_path):
    """The first by name has side 0 in games 0 and 2: random wins 1 of 4 from rules, and rules 1 of 4 from simple."""
    names = ["random", "simple", "rules"]
    won, lost = [1, 2], [2, 1]  # for side 0
    rows = rows_of(CORE, [lost, won, lost, lost])
    results = [
        result_of(match(tmp_path / other, CORE, 4, None, "rules", other), rows, names, None)
        for other in ("random", "simple")
    ]
    unplayed = result_of(match(tmp_path / "none", CORE, 4, None, "random", "simple"), rows_of(CORE, []), names, None)
    assert unplayed.games == 0 and unplayed.comparisons is None and unplayed.played.tolist() == [0, 0]
    table = standings(names, [unplayed, *results], None, 0)
    assert [(row["agents"], row["games"], row["points"]) for row in table["cross_table"]] == [
        (["random", "rules"], 4, 1), (["simple", "rules"], 4, 3),
    ]  # fmt: skip
    assert [row["games"] for row in table["agents"]] == [4, 4, 8]
    assert [row["win_rate"] for row in table["agents"]] == [0.25, 0.75, 0.5]
    # 147.19 for 3.5 to 1.5, once and twice
    assert [row["rating"] for row in table["agents"]] == pytest.approx([0, 294.38, 147.19], abs=0.01)
    # Without the games of rules and random no games lead to rules.
    (first, *others) = standings(names, [unplayed, results[1]], None, 0)["agents"]
    assert (first["games"], first["win_rate"], first["rating"]) == (0, None, 0)
    assert [row["rating"] for row in others] == [None, None]
