"""Gifts and pairs of cards: the gifts in real games, the statistics in made-up ones."""

import numpy as np
import pytest

from stardeck.agents.data.gifts import gifts_of
from stardeck.benchmarks.design.gifts import pairs as pairs_of_cards
from stardeck.benchmarks.design.gifts.experiment import NO_CARD, OVER, STAGES, Cells, GiftSeries
from stardeck.benchmarks.design.gifts.pairs import clear_pairs, interactions, kinships, points, results
from stardeck.benchmarks.design.gifts.strengths import expected, fit_cards, fit_groups
from stardeck.game.registry import make
from stardeck.kernels.star_realms.state import Zone, pile_of

# Gifts


def test_a_gift_lies_anywhere_among_the_cards_to_come():
    game = make("star_realms")
    gifts = gifts_of(game)
    card = gifts.names(game).index("Ram")
    dealt = game.deal(np.arange(3_000))
    states = game.copy(dealt)
    chance = np.random.default_rng(0).integers(0, 2**64, len(states), dtype=np.uint64)
    gifts.give(game, states, np.full(len(states), 1), np.full(len(states), card), chance)
    places = []
    for before, after in zip(dealt["players"][:200, 1], states["players"][:200, 1], strict=True):
        deck = pile_of(after, Zone.DECK).tolist()
        places.append(deck.index(card))
        assert [other for other in deck if other != card] == pile_of(before, Zone.DECK).tolist()
        assert pile_of(after, Zone.HAND).tolist() == pile_of(before, Zone.HAND).tolist()
    assert set(places) == set(range(6))  # five cards are left in the deck
    everywhere = (states["players"]["cards"][:, 1, :6] == card).mean(axis=0)
    assert everywhere == pytest.approx(np.full(6, 1 / 6), abs=0.03)
    assert (states["players"][:, 0] == dealt["players"][:, 0]).all()


def test_a_later_gift_may_lie_in_the_discard_pile():
    game = make("star_realms")
    series = GiftSeries(game, "rules", 0, "late")
    states = series._positions(np.arange(400))
    before = game.copy(states)
    assert np.unique(states["turn"][states["to_act"] >= 0]).tolist() == [11]  # the sixth round
    counts = states["players"]["count"][:, 0].astype(int)
    chance = np.random.default_rng(0).integers(0, 2**64, len(states), dtype=np.uint64)
    series.gifts.give(game, states, np.zeros(400, int), np.full(400, series.numbers[0]), chance)
    more = states["players"]["count"][:, 0] - counts
    assert (more.sum(axis=1) == 1).all() and not more[:, Zone.HAND].any()
    expected_share = ((counts[:, Zone.DECK] + 1) / (counts[:, Zone.DECK] + counts[:, Zone.DISCARD_PILE] + 1)).mean()
    assert more[:, Zone.DECK].mean() == pytest.approx(expected_share, abs=0.07)
    row = int(np.flatnonzero(more[:, Zone.DISCARD_PILE])[0])
    pile, old = (pile_of(each["players"][row, 0], Zone.DISCARD_PILE).tolist() for each in (states, before))
    assert sorted(pile) == sorted([*old, series.numbers[0]])


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("star_realms", {"set": "box", "format": "two_headed_hydra"}),
        ("star_realms", {"set": "box", "format": "nemesis_beast"}),
        ("star_realms", {"set": "rise_of_empire", "scenario": 1}),
        ("interstellar_empire", {"players": 3}),
        ("empire_of_the_stars", {}),
    ],
)
def test_every_game_gives_cards(name, settings):
    game = make(name, **settings)
    for stage in STAGES:
        series = GiftSeries(game, "rules", 1, stage)
        rows = series.play(0, 60).rows
        assert rows.shape == (60, 1 + len(game.variant.sides))
        assert (series.play(20, 40).rows == rows[20:40]).all()
        over = (rows[:, 0] == OVER).reshape(-1, series.uses)
        assert (over.all(axis=1) | ~over.any(axis=1)).all() and not over.all()
        relations = series.gifts.kinships(game)
        for relation in relations.values():
            assert (relation == relation.T).all() and relation[np.ix_(series.numbers, series.numbers)].any()


def test_given_technologies_are_in_play():
    game = make("empire_of_the_stars")
    gifts = gifts_of(game)
    states = game.deal(np.arange(4))
    card = gifts.names(game).index("Star Charts")
    gifts.give(game, states, np.array([0, 1, 0, 1]), np.array([card, card, NO_CARD, NO_CARD]), np.zeros(4, np.uint64))
    owned = ["Star Charts" in str(game.position(state)["players"]["player_0"]["technologies"]) for state in states]
    assert owned == [True, False, False, False]


def test_strong_gifts_win_games():
    series = GiftSeries(make("star_realms"), "rules", 2, "early")
    strong = [k for k, card in enumerate(series.numbers) if series.gifts.names(series.game)[card] == "Brain World"][0]
    rows = series.play(0, 6_000).rows
    has = (series.cells.members[rows[:, 1:].astype(int)] == strong).any(axis=2)
    ahead = has[:, 0] & ~has[:, 1]
    assert (rows[ahead, 0] == 0).mean() > 0.8


# Cells


def test_cells_are_drawn_with_their_probabilities():
    cells = Cells(4, twice=True)
    assert len(cells) == 1 + 4 + 10 and cells.members[0].tolist() == [NO_CARD, NO_CARD]
    assert cells.members[1 + 4].tolist() == [0, 0] and len(Cells(4, twice=False)) == 1 + 4 + 6
    rng = np.random.default_rng(0)
    drawn = cells.draw(*(rng.integers(0, 2**64, 60_000, dtype=np.uint64) for _ in range(2)))
    found = np.bincount(drawn, minlength=15) / 60_000
    nothing, single, pair = cells.chances
    assert found == pytest.approx([nothing, *[single / 4] * 4, *[pair / 10] * 10], abs=0.006)


# Statistics


def world(rng, cells, strengths, games, sides=2):
    """Return rows of an experiment in which sides win with the odds of the strengths of their groups."""
    chance = (rng.integers(0, 2**64, games, dtype=np.uint64) for _ in range(2 * sides))
    drawn = np.stack([cells.draw(one, next(chance)) for one in chance], axis=1)
    wins, _ = expected(strengths[drawn] + np.linspace(0, 0.3, sides))
    if sides == 1:
        winner = np.where(rng.random(games) < wins[:, 0], 0, -1)
    else:
        winner = np.minimum((rng.random(games)[:, None] > wins.cumsum(axis=1)).sum(axis=1), sides - 1)
    return np.column_stack([winner, drawn]).astype(np.int16)


def additive(cells, effects):
    """Return the strength of each group as the sum over its cards."""
    return np.append(effects, 0.0)[cells.members].sum(axis=1)


def estimated(rows, cells, uses=1):
    outcome, drawn = results(rows, uses)
    start = fit_cards(outcome, drawn, cells)
    found = fit_groups(outcome, drawn, cells, start)
    return found, interactions(found, cells), start.main


def number_of(cells, one, other):
    return int(np.flatnonzero((cells.pairs == [one, other]).all(axis=1))[0])


@pytest.mark.parametrize(("sides", "shift"), [(2, 0.0), (3, 0.0), (1, -1.0)])
def test_a_planted_synergy_is_found_and_nothing_else(sides, shift):
    rng, cells = np.random.default_rng(5), Cells(8, twice=True)
    effects = np.linspace(0, 2, 8)
    strengths = additive(cells, effects) + shift
    pair = number_of(cells, 1, 5)
    strengths[1 + 8 + pair] += 0.9
    _, found, main = estimated(world(rng, cells, strengths, 60_000, sides), cells)
    q = clear_pairs([found]).q[0]
    assert np.flatnonzero(q < 0.01).tolist() == [pair]
    assert found.extra[pair] == pytest.approx(0.9, abs=4 * found.extra_error[pair])
    assert found.together[pair] == pytest.approx(effects[1] + effects[5] + 0.9, abs=4 * found.together_error[pair])
    others = [card for card in range(8) if card not in (1, 5)]
    assert (np.abs(main.effects - effects) < 4 * main.errors)[others].all() and (main.errors < 0.1).all()


def test_intervals_of_interactions_and_of_cards_cover_and_false_pairs_are_rare():
    """Strong cards too: no ceiling makes pairs of them seem to give less than their sum."""
    rng, cells = np.random.default_rng(9), Cells(8, twice=True)
    effects = np.linspace(0, 2, 8)
    strengths, covered, of_cards, false, trials = additive(cells, effects), [], [], 0, 80
    for _ in range(trials):
        _, found, main = estimated(world(rng, cells, strengths, 12_000), cells)
        covered.append(np.abs(found.extra) <= 1.96 * found.extra_error)
        of_cards.append(np.abs(main.effects - effects) <= 1.96 * main.errors)
        false += (clear_pairs([found]).q < 0.05).any()
    assert 0.93 <= np.mean(covered) <= 0.97 and 0.93 <= np.mean(of_cards) <= 0.97
    assert np.mean(covered, axis=0).min() > 0.85  # of each pair: 95 % less 4 standard errors
    assert false / trials <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / trials)


def test_intervals_of_selected_pairs_cover():
    """The largest of many estimates are too large; the intervals of pairs picked out allow for it."""
    rng, cells = np.random.default_rng(2), Cells(8, twice=True)
    strengths = additive(cells, np.linspace(0, 1, 8))
    planted = rng.choice(len(cells.pairs), 12, replace=False) + 1 + 8
    strengths[planted] += 0.45
    wrong, picked = [], 0
    for _ in range(50):
        _, found, _ = estimated(world(rng, cells, strengths, 12_000), cells)
        clear = clear_pairs([found])
        chosen = np.flatnonzero(clear.q[0] < 0.05)
        true = np.isin(chosen + 1 + 8, planted) * 0.45
        misses = np.abs(found.extra[chosen] - true) > clear.wide * found.extra_error[chosen]
        wrong.append(misses.sum() / max(1, len(chosen)))
        picked += len(chosen)
    assert picked > 50 and np.mean(wrong) <= 0.07


def test_other_games_of_a_position_make_errors_smaller_and_add_no_bias():
    rng, cells = np.random.default_rng(3), Cells(5, twice=False)
    strengths = additive(cells, np.array([0.0, 0.5, 1.0, 0.5, 0.0]))
    rows = world(rng, cells, strengths, 40_000)
    lead = np.repeat(rng.normal(0, 3, 10_000), 4)  # of the first side, by position
    drawn = rows[:, 1:].astype(int)
    wins = 1 / (1 + np.exp(-(strengths[drawn[:, 0]] - strengths[drawn[:, 1]] + lead)))
    rows[:, 0] = rng.random(40_000) > wins
    rows[400:404, 0] = OVER
    plain, adjusted = (results(rows, uses)[0] for uses in (1, 4))
    assert adjusted.shape == (39_996, 2) and adjusted.var() < 0.65 * plain.var()
    singles = [adjusted[results(rows, 4)[1] == 1 + card].mean() for card in range(5)]
    errors = [plain[results(rows, 1)[1] == 1 + card].mean() - single for card, single in enumerate(singles)]
    assert np.abs(errors).max() < 0.02 and singles[2] > singles[1] + 0.02


def test_related_cards_are_told_from_unrelated_ones():
    rng, cells = np.random.default_rng(1), Cells(12, twice=True)
    faction = np.arange(12) % 3
    relation = faction[:, None] == faction
    strengths = additive(cells, np.linspace(0, 1, 12))
    first, second = cells.pairs.T
    strengths[13:] += 0.3 * (relation[first, second] & (first != second))
    found, pairs, _ = estimated(world(rng, cells, strengths, 60_000), cells)
    other = rng.permutation(12) % 2
    relations = {"share a faction": relation, "share a colour": other[:, None] == other, "all": np.ones((12, 12), bool)}
    tested = {one.name: one for one in kinships((found, pairs), cells, relations, 0)}
    assert set(tested) == {"share a faction", "share a colour"}
    one = tested["share a faction"]
    assert one.p < 0.005 and one.effect == pytest.approx(0.3, abs=4 * one.error) and one.pairs == 18
    assert tested["share a colour"].p > 0.05 and abs(tested["share a colour"].effect) < 0.2


def test_intervals_of_kinships_cover(monkeypatch):
    monkeypatch.setattr(pairs_of_cards, "PERMUTATIONS", 200)
    rng, cells = np.random.default_rng(4), Cells(8, twice=True)
    relation = np.arange(8)[:, None] % 2 == np.arange(8) % 2
    strengths, covered, low = additive(cells, np.linspace(0, 1, 8)), 0, 0
    for _ in range(trials := 100):
        found, pairs, _ = estimated(world(rng, cells, strengths, 6_000), cells)
        one = kinships((found, pairs), cells, {"alike": relation}, 0)[0]
        covered += abs(one.effect) <= 1.96 * one.error
        low += one.p < 0.05
    assert 0.9 <= covered / trials <= 0.99 and low / trials <= 0.09


def test_too_few_games_tell_nothing():
    cells = Cells(8, twice=True)
    _, found, main = estimated(world(np.random.default_rng(0), cells, np.zeros(len(cells)), 300), cells)
    assert np.isnan(found.extra).all() and not np.isnan(main.effects).all()
    assert np.isnan(clear_pairs([found]).q).all()


def test_points_are_those_between_equals():
    assert points(np.log(3)) == pytest.approx(25) and points(0) == 0 and points(-50) == pytest.approx(-50)
