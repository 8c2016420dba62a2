"""Shares of the variance and depth: by hand, by simulation with known shares and strengths, and from games."""

from functools import partial

import numpy as np
import pytest

from stardeck.benchmarks.design.kept.rows import Chunk, StoredChunks
from stardeck.benchmarks.design.variance import depth
from stardeck.benchmarks.design.variance.depth import Match, chain, points_of_second, rungs
from stardeck.benchmarks.design.variance.replays import Contender, ReplaySeries, contender, rows_of, shares_won
from stardeck.benchmarks.design.variance.shares import decompose, moments, shares
from stardeck.benchmarks.league.ratings import rate
from stardeck.game.registry import make

NAMED = [(name, name) for name in ("agents", "seat", "deal", "rest")]


def made_up(rng, agents, seats, deal, shape):
    """Return the moments of each pairing of a world in which agents, seats and deals move the chance to win."""
    deals, replays = shape
    places = seats * np.linspace(-1, 1, 2)
    chances = [one + places + deal * rng.choice([-1, 1], (deals, 2)) for one in agents]
    return [moments((rng.random((deals, 2, replays)) < chance[..., None]).astype(float)) for chance in chances]


def true_shares(agents, seats, deal):
    """Return the shares of that world in per cent."""
    chances = np.array(agents)[:, None, None] + seats * np.array([-1, 1])[:, None] + deal * np.array([-1, 1])
    parts = np.array([np.var(agents), seats**2, deal**2, (chances * (1 - chances)).mean()])
    return 100 * parts / parts.sum()


def test_components_by_hand():
    """Two deals that decide everything, four times over: no variance among agents and seats, none after the deal."""
    results = np.tile([[[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]], (4, 1, 1))
    found = decompose([moments(results)], 0.5)
    mean_of_products = (8 * 0.5**2 * 8 - 4) / (8 * 7)  # of two different deals: (4² - 4) / (8 · 7)
    assert found.components == pytest.approx([mean_of_products - 0.25, 0, 0.5 - mean_of_products, 0])
    with pytest.raises(ValueError, match="2 deals, 2 replays: shares of the variance need 4 deals"):
        moments(results[:2])


def test_what_decides_is_found():
    rng = np.random.default_rng(2)
    even = {"agents": [0.5, 0.5], "seats": 0.0, "deal": 0.0}
    for number, change in enumerate(({"agents": [0.1, 0.9]}, {"seats": 0.4}, {"deal": 0.4})):
        found = shares(decompose(made_up(rng, **(even | change), shape=(400, 4)), 0.5), NAMED)
        assert found[number].value == pytest.approx(64, abs=5) and found[3].value == pytest.approx(36, abs=5)
        assert sum(one.value for one in found[:3]) - found[number].value < 2


@pytest.mark.parametrize("mean", [0.5, None])
def test_intervals_of_shares_cover(mean):
    world = {"agents": [0.3, 0.5, 0.7], "seats": 0.06, "deal": 0.1}
    true = true_shares(*world.values())
    rng, covered, trials = np.random.default_rng(1), np.zeros(4), 1_500
    for _ in range(trials):
        found = shares(decompose(made_up(rng, **world, shape=(100, 4)), mean), NAMED)
        covered += [one.low <= value <= one.high for one, value in zip(found, true, strict=True)]
    assert (covered / trials >= 0.93).all() and (covered / trials <= 0.97).all(), covered / trials


def test_intervals_of_shares_that_are_zero_cover():
    rng, covered, trials = np.random.default_rng(1), np.zeros(4), 500
    true = true_shares([0.5, 0.5], 0, 0)
    for _ in range(trials):
        found = shares(decompose(made_up(rng, [0.5, 0.5], 0, 0, (60, 4)), 0.5), NAMED)
        covered += [one.low <= value <= one.high for one, value in zip(found, true, strict=True)]
    assert (covered / trials >= 0.93).all(), covered / trials


def test_results_that_are_all_alike_leave_no_certainty():
    """An agent that always wins explains everything, as far as these games say."""
    won, lost = np.ones((50, 2, 4)), np.zeros((50, 2, 4))
    found = shares(decompose([moments(won), moments(lost)], None), NAMED)
    assert [one.value for one in found] == pytest.approx([100, 0, 0, 0], abs=1e-9)
    assert 90 < found[0].low < 100 and 0 < found[1].high < 10


def test_no_interval_is_a_point_at_the_end_of_the_scale():
    rng = np.random.default_rng(4)
    for _ in range(200):
        found = shares(decompose(made_up(rng, [0.5, 0.5], 0, 0, (12, 4)), 0.5), NAMED)
        assert all(one.high - one.low > 1 for one in found)


# Replays


def test_replays_of_a_deal_share_the_deal_and_nothing_else():
    game = make("star_realms")
    rules, random = contender("rules", game), contender("random", game)
    series = ReplaySeries(game, (rules, random), 3, replays=4)
    assert series.block == 8 and series.seated(np.arange(8)).tolist() == [[0, 1]] * 4 + [[1, 0]] * 4
    assert ReplaySeries(game, (rules, rules), 3, 4).block == 4
    rows = series.play(0, 400).rows
    assert (rows[:, 0].reshape(-1, 2, 4) == np.array([0, 1])[:, None]).mean() > 0.99  # rules wins on either side
    part = series.play(100, 200).rows
    assert (part == rows[100:200]).all()


def test_a_deal_fixes_the_order_of_the_trade_deck():
    """The words of agents/star_realms say so: new cards of the trade row come in one order, whatever happens later."""
    game = make("star_realms")
    first = game.deal(np.full(2, 5, np.uint64))
    first["random"] = [1, 2]
    ended = game.playout(first, "rules", 1)
    assert ended["decisions"][0] != ended["decisions"][1] or (ended["players"] != ended["players"][0]).any()
    left = ended["trade_deck_count"].min()
    assert (ended["trade_deck"][0, :left] == ended["trade_deck"][1, :left]).all()


def test_more_random_moves_lose_more_and_python_plays_the_same_games():
    game = make("star_realms")
    agent = contender("rules", game).agent
    won = []
    for noise in (0.0, 0.1, 0.5):
        series = ReplaySeries(game, (Contender(agent, noise), Contender(agent)), 0, 1)
        rows = series.play(0, 300).rows
        won.append((rows[:, 0] == np.arange(300) % 2).mean())
    assert 0.4 < won[0] < 0.6 and won[0] > won[1] + 0.1 > won[2] + 0.2
    series._cast = None  # as for an agent that decides in Python
    assert (series.play(0, 40).rows == rows[:40]).all()


def test_results_of_games():
    game = make("star_realms")
    rows = rows_of(game, game.playout(game.deal(np.arange(20)), "rules", 0))
    assert (rows[np.arange(20), 1 + rows[:, 0]] == 1).all()
    assert shares_won(np.array([[1, 2, 1], [-1, 1, 1]], np.int8)).tolist() == [[0, 1], [0.5, 0.5]]
    assert shares_won(np.array([[0, 1], [-1, 2]], np.int8)).tolist() == [[1], [0]]


# Stored chunks


def test_chunks_are_kept_and_missing_ones_found(tmp_path):
    store = StoredChunks(tmp_path / "a", {"seed": 1})
    store.add("s", Chunk(0, np.arange(3)))
    store.add("s", Chunk(5, np.arange(5, 9)))
    again = StoredChunks(tmp_path / "a", {"seed": 1})
    assert again.missing("s", 12) == [(3, 5), (9, 12)] and again.missing("s", 4) == [(3, 4)]
    with pytest.raises(ValueError, match="rows 3 to 5 are missing"):
        again.load("s", 8)
    again.add("s", Chunk(3, np.arange(3, 5)))
    assert again.load("s", 8).tolist() == list(range(8)) and again.load("s", 2).tolist() == [0, 1]
    with pytest.raises(ValueError, match="seed 1, not 2"):
        StoredChunks(tmp_path / "a", {"seed": 2})


# Depth


class Player:
    """An agent of a made-up game with ratings in steps."""

    def __init__(self, steps):
        self.steps, self.name = steps, f"{steps} steps"


class MadeUpGame:
    """A game that a Bradley-Terry model describes: with random moves an agent falls towards 0 steps."""

    def __init__(self, seed, games=400):
        self.rng, self.games, self.known = np.random.default_rng(seed), games, {}

    def play(self, one, other):
        """Return the games of two contenders, in pairs that share a deal."""
        if (one, other) not in self.known:
            steps = [each.agent.steps * (1 - each.noise) for each in (one, other)]
            chance = 1 / (1 + 10 ** (-depth.STEP * (steps[1] - steps[0]) / 400))
            second = self.rng.random(self.games) < chance
            places = np.column_stack([1 + second, 2 - second])
            order = np.tile([0, 1], (self.games, 1))
            places[1::2], order[1::2] = places[1::2, ::-1], order[1::2, ::-1]
            self.known[one, other] = Match(places, order, 2)
        return self.known[one, other]

    def climb(self, ladder):
        """Return the rungs of a ladder, by name."""
        return {rung.name: rung for rung in self.rungs([ladder])}

    def rungs(self, ladders):
        """Return the rungs of some ladders that have the weakest agent in common, that agent's first."""
        longer = [one for ladder in ladders for one in chain(ladder, self.play)]
        members = list(dict.fromkeys([*longer, *(one for pair in self.known for one in pair)]))
        matches = [(members.index(one), members.index(other), match) for (one, other), match in self.known.items()]
        return rungs(matches, [one.name for one in members], 0)


def test_a_step_is_sixty_per_cent():
    assert pytest.approx(70.44, abs=0.01) == depth.STEP
    game = MadeUpGame(0, 20_000)
    one, two = Contender(Player(0)), Contender(Player(1))
    assert points_of_second(game.play(one, two)) == pytest.approx(0.6, abs=0.01)
    found = game.climb([one, two])["1 steps"]
    assert found.steps == pytest.approx(1, abs=0.1) and found.low < 1 < found.high


def test_bridges_make_a_hopeless_gap_finite():
    game = MadeUpGame(1, 2_000)
    ladder = [Contender(Player(0)), Contender(Player(5)), Contender(Player(40))]
    found = game.climb(ladder)
    assert any("random moves" in name for name in found)
    assert found["40 steps"].steps == pytest.approx(40, abs=4) and None not in found["40 steps"]
    assert found["40 steps"].low < 40 < found["40 steps"].high


def test_without_bridges_only_one_bound_is_known(monkeypatch):
    monkeypatch.setattr(depth, "BRIDGES", 0)
    found = MadeUpGame(1).climb([Contender(Player(0)), Contender(Player(60))])["60 steps"]
    assert found.high is None and 5 < found.low < 60


def test_the_pilot_does_not_count_for_ratings(monkeypatch):
    """The second contender wins all games of the pilot, and half of the others."""
    monkeypatch.setattr(depth, "PILOT", 100)
    second = np.arange(2_000) < 100
    second[100:] = np.arange(1_900) % 4 < 2
    match = Match(np.column_stack([1 + second, 2 - second]), np.tile([0, 1], (2_000, 1)), 2)
    assert points_of_second(match.first_pilot()) == 1 and points_of_second(match.after_pilot()) == 0.5
    assert rungs([(0, 1, match)], ["a", "b"], 0)[1].steps == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(("top", "trials", "together"), [(5, 2_000, 10), (9, 1_000, 5)])
def test_intervals_of_depth_cover(monkeypatch, top, trials, together):
    """Ladders of 5 steps need no bridge, those of 9 steps do. Some are rated together, for speed."""
    monkeypatch.setattr(depth, "rate", partial(rate, resamples=150))
    weakest, covered = Contender(Player(0)), 0
    for seed in range(trials // together):
        ladders = [[weakest, Contender(Player(top))] for _ in range(together)]
        found = [one for one in MadeUpGame(seed).rungs(ladders) if one.name == f"{top} steps"]
        covered += sum((one.low or 0) <= top and (one.high is None or top <= one.high) for one in found)
    assert 0.93 <= covered / trials <= 0.97, covered / trials
