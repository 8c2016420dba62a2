"""Nash averaging, alpha-rank and the test for transitivity: published examples, and figures worked out by hand."""

import math

import numpy as np
import pytest
from scipy.stats import chi2

from stardeck.benchmarks.league.meta_game import alpha_rank, equilibria, evaluate, nash_mixture
from stardeck.benchmarks.league.ratings import Table, compare, rate
from stardeck.benchmarks.league.standings import Result, standings
from stardeck.benchmarks.league.transitivity import transitivity

CYCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])  # the first beats the second, which beats the third
LADDER = np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
ROCK_PAPER_SCISSORS = 0.5 + CYCLE / 2
TRANSITIVE = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.3, 0.4, 0.5]])
BIASED = np.array([[0.5, 0.6, 0.1], [0.4, 0.5, 0.7], [0.9, 0.3, 0.5]])
FIVE = np.array([
    [0.5, 0.7, 0.4, 0.9, 0.5],
    [0.3, 0.5, 0.6, 0.8, 0.8],
    [0.6, 0.4, 0.5, 0.7, 0.4],
    [0.1, 0.2, 0.3, 0.5, 0.55],
    [0.5, 0.2, 0.6, 0.45, 0.5],
])  # fmt: skip


# Nash averaging


def test_in_rock_paper_scissors_all_weights_are_equal():
    assert nash_mixture(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("epsilon", [0, 0.1, 0.25, 0.45])
def test_the_published_mixture_of_a_cycle_and_a_ladder(epsilon):
    """Balduzzi et al., section 4: cycle + ε · ladder has ((1 + ε) / 3, (1 - 2 ε) / 3, (1 + ε) / 3) up to ε = 1/2."""
    weights = nash_mixture(0.5 + (CYCLE + epsilon * LADDER) / 10)
    assert weights == pytest.approx([(1 + epsilon) / 3, (1 - 2 * epsilon) / 3, (1 + epsilon) / 3], abs=1e-6)


@pytest.mark.parametrize("scores", [TRANSITIVE, 0.5 + (CYCLE + 0.6 * LADDER) / 10])
def test_an_agent_that_beats_all_others_is_alone_in_the_mixture(scores):
    """Also beyond ε = 1/2 in the published example, where the results still hold a cycle in part."""
    assert nash_mixture(scores) == pytest.approx([1, 0, 0], abs=1e-6)


def test_weights_of_a_biased_cycle():
    """Of three agents in a cycle, each has the weight of the margin between the other two: 0.2, 0.4 and 0.1 of 0.7."""
    assert nash_mixture(BIASED) == pytest.approx(np.array([2, 4, 1]) / 7, abs=1e-6)


@pytest.mark.parametrize("scores", [BIASED, FIVE])
def test_copies_share_the_weight_of_their_agent_and_change_no_rating(scores):
    alone = nash_mixture(scores)
    copied = [*range(len(scores)), 2, 2]
    weights = nash_mixture(scores[np.ix_(copied, copied)])
    assert weights[[2, -1, -2]] == pytest.approx([alone[2] / 3] * 3, abs=1e-6)
    assert np.delete(weights, [2, -1, -2]) == pytest.approx(np.delete(alone, 2), abs=1e-6)
    assert scores[:, copied] @ weights == pytest.approx(scores @ alone, abs=1e-6)


def test_equal_agents_share_the_weight():
    """The first two draw with each other and beat the third: every mixture of them is an equilibrium."""
    assert nash_mixture(np.full((4, 4), 0.5)) == pytest.approx([0.25] * 4, abs=1e-6)
    assert nash_mixture(np.array([[0.5, 0.5, 0.8], [0.5, 0.5, 0.7], [0.2, 0.3, 0.5]])) == pytest.approx([0.5, 0.5, 0])


def test_a_mixture_loses_to_nobody_and_has_the_largest_entropy():
    """Against a general search: no mixture of the corners of the equilibria has more entropy."""
    random = np.random.default_rng(0)
    for _ in range(20):
        margins = np.triu(random.integers(-1, 2, (5, 5)), 1) / 10  # with many ties
        scores = 0.5 + margins - margins.T
        weights = nash_mixture(scores)
        assert weights.sum() == pytest.approx(1) and (scores @ weights).max() <= 0.5 + 1e-6
        corners = equilibria(np.repeat(scores[None], 200, axis=0), random.normal(size=(200, 5)))
        others = np.concatenate([corners, random.dirichlet(np.ones(200) / 20, 500) @ corners])
        assert (scores @ others.T).max() <= 0.5 + 1e-6
        assert entropy(others).max() <= entropy(weights) + 1e-6


def entropy(weights):
    return -(weights * np.log(np.maximum(weights, 1e-300))).sum(axis=-1)


def test_every_table_has_an_equilibrium_of_its_own():
    tables = np.stack([ROCK_PAPER_SCISSORS, TRANSITIVE, BIASED, ROCK_PAPER_SCISSORS])
    found = equilibria(tables, np.zeros((4, 3)))
    assert found == pytest.approx(np.array([[1 / 3] * 3, [1, 0, 0], [2 / 7, 4 / 7, 1 / 7], [1 / 3] * 3]))


# Alpha-rank


def test_masses_are_those_of_openspiel():
    """OpenSpiel 2.0.2, sweep_pi_vs_epsilon of open_spiel.python.egt.alpharank."""
    expected = [0.30434757, 0.34782586, 0.17391312, 0.04347855, 0.1304349]
    assert alpha_rank(FIVE[None])[0] == pytest.approx(expected, abs=1e-6)
    assert alpha_rank(FIVE[None])[0] == pytest.approx(np.array([7, 8, 4, 1, 3]) / 23, abs=1e-6)


def test_each_table_has_masses_of_its_own():
    """A cycle of any margins is left by each agent as often as by the others; the best agent of a ladder stays."""
    masses = alpha_rank(np.stack([ROCK_PAPER_SCISSORS, TRANSITIVE, BIASED]))
    assert masses == pytest.approx(np.array([[1 / 3] * 3, [1, 0, 0], [1 / 3] * 3]), abs=1e-6)


def test_agents_that_draw_replace_each_other_half_the_time():
    """Two equal agents that beat a third; and a cycle through a draw: flows of 1 and 1/2 balance at 1 : 2 : 2."""
    assert alpha_rank(np.array([[[0.5, 0.5, 0.8], [0.5, 0.5, 0.7], [0.2, 0.3, 0.5]]]))[0] == pytest.approx(
        [0.5, 0.5, 0], abs=1e-6
    )
    drawn = np.array([[[0.5, 0.9, 0.1], [0.1, 0.5, 0.5], [0.9, 0.5, 0.5]]])
    # Of 0 to 2 flows m0, of 1 to 0 m1, of 1 to 2 and back m1 / 2 and m2 / 2: m0 = m1, m0 + m1 / 2 = m2 / 2.
    assert alpha_rank(drawn)[0] == pytest.approx([0.2, 0.2, 0.6], abs=1e-6)


# Test for transitivity, and intervals


def duels(shares, games):
    """Return the matches of agents that have these shares of points against each other, in blocks of one game."""
    matches = []
    for one, other in zip(*np.triu_indices(len(shares), 1), strict=True):
        won = np.arange(games) < round(games * shares[one, other])
        places = np.where(won[:, None], [1, 2], [2, 1])
        matches.append(compare((one, other), places, np.tile([0, 1], (games, 1)), 1))
    return matches


def rated(shares, games, resamples=1000):
    return rate(duels(np.asarray(shares), games), len(shares), resamples)


def by_elo(*ratings):
    return 1 / (1 + 10 ** ((np.array(ratings)[None] - np.array(ratings)[:, None]) / 400))


def test_results_by_elo_have_no_cyclic_rest():
    found = transitivity(rated(by_elo(0, 50, -100, -300), 10_000))
    assert found.elo_explains and found.p > 0.99 and found.freedom == 3 and found.cyclic[0] == 0
    assert found.chi2 == pytest.approx(0, abs=0.02) and np.abs(found.residuals).max() < 0.001


def test_a_cycle_is_a_rest_in_full():
    """60 % of 400 games each: log odds of log(1.5) with an error of 1 / √(400 · 0.6 · 0.4); no rating explains any."""
    found = transitivity(rated(0.5 + CYCLE / 10, 400, 4000))
    expected = 3 * math.log(1.5) ** 2 * 400 * 0.24
    assert found.chi2 == pytest.approx(expected, rel=0.06) and found.freedom == 1
    assert found.p == pytest.approx(chi2.sf(found.chi2, 1)) and not found.elo_explains
    assert found.cyclic[0] == 1 and found.cyclic[1] > 0.8
    assert found.residuals == pytest.approx(CYCLE / 10, abs=1e-6)


def test_the_cyclic_share_of_a_cycle_on_a_ladder():
    """Log odds ± 0.3 round a cycle, and ratings 0.5 apart: 3 · 0.09 of 0.8² + 0.8² + 0.7² for nearly equal weights."""
    odds = 0.3 * CYCLE + 0.5 * LADDER
    found = transitivity(rated(1 / (1 + np.exp(-odds)), 100_000))
    assert found.cyclic[0] == pytest.approx(3 * 0.09 / (2 * 0.64 + 0.49), rel=0.05)
    assert found.cyclic[1] < found.cyclic[0] < found.cyclic[2]


@pytest.mark.parametrize("strengths", [(0, 0.2, -0.1, 0.4), (0, 1, 2, 3)])
def test_chance_alone_is_taken_for_a_cycle_once_in_twenty(strengths):
    """Deals give both agents in turn a good hand: games of a deal differ less than others, and the test knows."""
    random = np.random.default_rng(3)
    odds = np.subtract.outer(strengths, strengths)
    ps, shares = [], []
    for _ in range(200):
        matches = []
        for one, other in zip(*np.triu_indices(len(odds), 1), strict=True):
            chances = 1 / (1 + np.exp(-odds[one, other] - 0.5 * np.tile([1, -1], 100)))  # of the first player
            won = random.random(200) < chances
            places = np.where(won[:, None], [1, 2], [2, 1])
            matches.append(compare((one, other), places, np.tile([0, 1], (200, 1)), 2))
        found = transitivity(rate(matches, len(odds), 200))
        ps.append(found.p)
        shares.append(found.cyclic[0])
    assert 0.01 <= np.mean(np.array(ps) < 0.05) <= 0.1 and 0.35 < np.mean(ps) < 0.65
    assert np.mean(shares) < 0.2


def test_intervals_hold_the_truth():
    """Weights 2/7, 4/7 and 1/7, scores of 1/2 and masses of 1/3 in the biased cycle; all by 400 games of each pair."""
    random = np.random.default_rng(1)
    held = []
    for _ in range(60):
        seen = np.triu(random.binomial(400, BIASED), 1) / 400
        seen += np.tril(1 - seen.T, -1)
        weights, scores, masses = evaluate(rated(seen, 400, 200))
        held.append((weights[1] <= np.array([2, 4, 1]) / 7) & (np.array([2, 4, 1]) / 7 <= weights[2]))
        assert scores[0] == pytest.approx([0.5] * 3) and masses[0] == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert 0.88 <= np.mean(held) <= 1


def test_an_agent_outside_the_mixture_is_rated_by_its_score():
    table = Table(
        np.array([[0, 60, 70.0], [40, 0, 60], [30, 40, 0]]), np.zeros(3), np.array([
            [[0, 65, 70.0], [35, 0, 60], [30, 40, 0]], [[0, 55, 70.0], [45, 0, 60], [30, 40, 0]],
        ]), np.zeros((2, 3)),
    )  # fmt: skip
    weights, scores, masses = evaluate(table)
    assert weights.tolist() == [[1, 0, 0]] * 3 and masses[0] == pytest.approx([1, 0, 0], abs=1e-6)
    assert scores[0] == pytest.approx([0.5, 0.4, 0.3]) and scores[1:, 1] == pytest.approx([0.3525, 0.4475])


# In the summary of a league


def summary_of(shares, games=100):
    names = ["a", "b", "c", "d"][: len(shares)]
    results = [
        Result([names[number] for number in match.members], games, match, np.array([games] * 2), np.zeros(2), None)
        for match in duels(np.asarray(shares), games)
    ]
    return names, results


def test_the_summary_names_the_pair_that_elo_gets_wrong_the_most():
    odds = np.array([[0, 0, 0], [0, 0, 1.5], [0, -1.5, 0]])  # 81.8 % of b against c, though both draw with a
    summary = standings(*summary_of(1 / (1 + np.exp(-odds)), 1000), None, 0)
    found = summary["transitivity"]
    assert not found["elo_explains"] and found["freedom"] == 1 and 0.2 < found["cyclic"]["share"] < 0.5
    assert found["worst"]["score"] - found["worst"]["score_by_elo"] > 0.1
    assert [row["agent"] for row in summary["agents"]] == ["a", "b", "c"]
    weights = [row["nash"]["weight"] for row in summary["agents"]]
    assert sum(weights) == pytest.approx(1) and weights[2] == pytest.approx(0, abs=1e-6)
    low, high = (summary["agents"][2]["nash"][key] for key in ("low", "high"))
    assert low < summary["agents"][2]["nash"]["score"] < high
    assert sum(row["alpha_rank"]["mass"] for row in summary["agents"]) == pytest.approx(1)


@pytest.mark.parametrize("left_out", [0, 1, 2])
def test_there_is_no_meta_game_unless_all_have_met(left_out):
    names, results = summary_of(ROCK_PAPER_SCISSORS)
    del results[left_out]
    summary = standings(names, results, None, 0)
    assert summary["transitivity"] is None
    assert all(row["nash"] is None and row["alpha_rank"] is None for row in summary["agents"])


def test_two_agents_have_nothing_to_be_transitive():
    summary = standings(*summary_of([[0.5, 0.6], [0.4, 0.5]]), None, 0)
    assert summary["transitivity"] is None and summary["agents"][0]["nash"] is None
