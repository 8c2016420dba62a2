"""Gifts and pairs of cards: the gifts in real games, the statistics in made-up ones."""

import numpy as np
import pytest

from stardeck.agents.data.gifts import gifts_of
from stardeck.benchmarks.design.gifts import kinships as relations_of_cards
from stardeck.benchmarks.design.gifts.chosen import Stage, shown_pairs
from stardeck.benchmarks.design.gifts.experiment import NO_CARD, OVER, STAGES, Cells, GiftSeries
from stardeck.benchmarks.design.gifts.kinships import Kinship, kinships
from stardeck.benchmarks.design.gifts.measure import estimates_of
from stardeck.benchmarks.design.gifts.page_data import details_of
from stardeck.benchmarks.design.gifts.pairs import Interactions, clear_pairs, interactions, results
from stardeck.benchmarks.design.gifts.strengths import expected, fit_cards, fit_groups
from stardeck.benchmarks.design.gifts.win_points import Beyond, points
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
    together, error = found.beyond.together[pair], found.beyond.together_error[pair]
    assert together == pytest.approx(effects[1] + effects[5] + 0.9, abs=4 * error)
    assert found.beyond.added[pair] == pytest.approx(effects[1] + effects[5], abs=4 * found.beyond.added_error[pair])
    others = [card for card in range(8) if card not in (1, 5)]
    assert (np.abs(main.effects - effects) < 4 * main.errors)[others].all() and (main.errors < 0.1).all()


def test_intervals_of_pairs_and_of_cards_cover_and_false_pairs_are_rare():
    """Strong cards too: no ceiling makes pairs of them seem to give less than their sum."""
    rng, cells = np.random.default_rng(9), Cells(8, twice=True)
    effects = np.linspace(0, 2, 8)
    strengths, covered, in_points, of_cards, false, trials = additive(cells, effects), [], [], [], 0, 80
    for _ in range(trials):
        _, found, main = estimated(world(rng, cells, strengths, 12_000), cells)
        covered.append(np.abs(found.extra) <= 1.96 * found.extra_error)
        low, high = found.beyond.ends(1.96)
        in_points.append((low <= 0) & (high >= 0))
        of_cards.append(np.abs(main.effects - effects) <= 1.96 * main.errors)
        false += (clear_pairs([found]).q < 0.05).any()
    assert all(0.93 <= np.mean(each) <= 0.97 for each in (covered, in_points, of_cards))
    assert np.mean(in_points, axis=0).min() > 0.85  # of each pair: 95 % less 4 standard errors
    assert false / trials <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / trials)


def test_intervals_of_selected_pairs_cover():
    """The largest of many estimates are too large; the intervals of pairs picked out allow for it."""
    rng, cells = np.random.default_rng(2), Cells(8, twice=True)
    strengths = additive(cells, np.linspace(0, 1, 8))
    planted = rng.choice(len(cells.pairs), 12, replace=False) + 1 + 8
    added = strengths[1 + 8 :].copy()
    strengths[planted] += 0.45
    true = points(strengths[1 + 8 :]) - points(added)
    wrong, picked = [], 0
    for _ in range(50):
        _, found, _ = estimated(world(rng, cells, strengths, 12_000), cells)
        clear = clear_pairs([found])
        chosen = np.flatnonzero(clear.q[0] < 0.05)
        low, high = (end[chosen] for end in found.beyond.ends(clear.wide))
        assert ((low > 0) | (high < 0)).all(), "a pair is picked out exactly if its interval leaves zero out"
        misses = (low > true[chosen]) | (high < true[chosen])
        wrong.append(misses.sum() / max(1, len(chosen)))
        picked += len(chosen)
    assert picked > 50 and np.mean(wrong) <= 0.07


@pytest.mark.parametrize("errors", [(0.15, 0.06), (0.5, 0.2)], ids=["many games", "few games"])
def test_intervals_in_win_points_cover_up_to_nearly_sure_wins(errors):
    """Weak and strong cards, which help or hinder each other; both effects share the error of no gift."""
    rng, trials = np.random.default_rng(12), 4_000
    together, added = (
        each.ravel() for each in np.meshgrid([-2.0, 0.0, 1.0, 2.5, 4.0, 6.0], [-1.0, 0.5, 2.0, 3.5, 6.0])
    )
    shared = 0.2 * errors[1]
    noise = [rng.normal(0, error, (trials, len(together))) for error in (*errors, shared)]
    total = [
        np.full_like(noise[0], np.hypot(error, more)) for error, more in zip(errors, (shared, 2 * shared), strict=True)
    ]
    found = Beyond(together + noise[0] + noise[2], total[0], added + noise[1] + 2 * noise[2], total[1],
                   np.full_like(noise[0], 2 * shared**2))  # fmt: skip
    low, high = found.ends(1.96)
    truth = points(together) - points(added)
    covered = ((low <= truth) & (truth <= high)).mean(axis=0)
    assert 0.93 <= covered.min() <= covered.max() <= 0.97, covered


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
    _, pairs, _ = estimated(world(rng, cells, strengths, 60_000), cells)
    other = rng.permutation(12) % 2
    relations = {"share a faction": relation, "share a colour": other[:, None] == other, "all": np.ones((12, 12), bool)}
    tested = {one.name: one for one in kinships(pairs, cells, relations, 0)}
    assert set(tested) == {"share a faction", "share a colour"}
    one = tested["share a faction"]
    assert one.p < 0.005 and one.low < 0.3 < one.high and one.low > 0 and one.pairs == 18
    assert tested["share a colour"].p > 0.05 and abs(tested["share a colour"].effect) < 0.2


def interactions_of(cells, extra):
    """Return made-up interactions of pairs, as the test of relations reads them."""
    unknown = np.full(len(extra), np.nan)
    return Interactions(None, extra, unknown, unknown)


def of_random_cards(rng, cells, relation, difference, spread):
    """Return interactions with card effects and noise; the difference by relation varies between cards by `spread`."""
    first, second = cells.pairs.T
    card, own = rng.normal(0, 0.15, cells.cards), rng.normal(0, spread, cells.cards)
    extra = card[first] + card[second] + rng.normal(0, 0.2, len(first))
    extra += relation[first, second] * (difference + own[first] + own[second])
    return interactions_of(cells, np.where(first == second, np.nan, extra))


@pytest.mark.parametrize("spread", [0.0, 0.15], ids=["the same for all cards", "another one for each card"])
@pytest.mark.parametrize("kind", ["faction", "both"])
def test_intervals_of_relations_cover_over_cards(monkeypatch, kind, spread):
    """Pairs share cards: intervals that count pairs as independent would hold in half of the trials."""
    monkeypatch.setattr(relations_of_cards, "PERMUTATIONS", 200)
    rng, cells, covered, trials = np.random.default_rng(4), Cells(24, twice=True), 0, 1_000
    faction, having = np.arange(24) % 4, np.arange(24) < 9
    relation = faction[:, None] == faction if kind == "faction" else having[:, None] & having
    for trial in range(trials):
        found = of_random_cards(rng, cells, relation, 0.3, spread)
        covered += chance_of(found, cells, relation, 0.3, trial) >= 0.05
    assert 0.93 <= covered / trials <= 0.97, covered / trials


def chance_of(found, cells, relation, difference, seed):
    """Return the p-value of a difference, without the search for the ends of the interval."""
    extra, known = relations_of_cards._square(found, cells)
    return relations_of_cards._dealt(extra, known, relation, seed).chance_of(difference)


def test_the_interval_of_a_relation_has_the_differences_that_are_not_rejected():
    rng, cells = np.random.default_rng(6), Cells(16, twice=True)
    faction = np.arange(16) % 4
    relation = faction[:, None] == faction
    for difference in (0.0, 0.1, 0.3):
        found = of_random_cards(rng, cells, relation, difference, 0.05)
        (one,) = kinships(found, cells, {"alike": relation}, 0)
        assert one.low < one.effect < one.high
        assert (one.p < 0.05) == (one.low > 0 or one.high < 0)
        for end in (one.low, one.high):
            inside, outside = (chance_of(found, cells, relation, end + step, 0) for step in
                               np.array([-1e-3, 1e-3]) * np.sign(end - one.effect))  # fmt: skip
            assert inside >= 0.05 > outside


def test_a_relation_of_few_cards_contradicts_no_interval():
    """Eight cards that go badly with all others: the pairs among them say little, however many games there are."""
    rng, cells = np.random.default_rng(8), Cells(47, twice=True)
    having, first, second = np.arange(47) < 8, *cells.pairs.T
    card = np.where(having, rng.normal(-0.08, 0.15, 47), rng.normal(0, 0.15, 47))
    extra = card[first] + card[second] + rng.normal(0, 0.03, len(first))
    (one,) = kinships(interactions_of(cells, extra), cells, {"both scrap": having[:, None] & having}, 0)
    assert (one.p < 0.05) == (one.low > 0 or one.high < 0) and one.high - one.low > 0.2


def test_the_strongest_relation_is_as_sure_as_permutations_can_tell():
    cells = Cells(16, twice=True)
    faction = np.arange(16) % 4
    relation = faction[:, None] == faction
    rng = np.random.default_rng(0)
    strong, none = (kinships(of_random_cards(rng, cells, relation, difference, 0), cells, {"alike": relation}, 0)[0]
                    for difference in (2.0, 0.0))  # fmt: skip
    assert strong.least and strong.p == pytest.approx(1 / 2001) and not none.least


# Pairs that are shown


def a_stage(cells, odds, games=2_000.0):
    """Return a stage with known log odds of the groups."""
    from stardeck.benchmarks.design.gifts.strengths import Groups, MainEffects

    found = Groups(np.full(len(cells), games), odds, np.full(len(cells), 4 / games))
    main = MainEffects(odds[1 : 1 + cells.cards] / 2, np.full(cells.cards, 0.01))
    return Stage("early", 1_000, found, interactions(found, cells), main, [Kinship("are kin", 3, 0.3, 0.1, 0.5, 0.01)])


def shown_stage():
    """Return a stage with a sure pair whose odds fall far below the sum, and a pair that loses the most win points."""
    cells = Cells(6, twice=True)
    odds = additive(cells, np.array([5.0, 1.0, 0.8, 0.6, 0.4, 0.2]))
    odds[1 + 6 + number_of(cells, 0, 0)] -= 3.0  # 49.9 instead of 50.0 win points
    odds[1 + 6 + number_of(cells, 1, 2)] -= 0.6
    odds[1 + 6 + number_of(cells, 4, 5)] += 0.7
    return cells, a_stage(cells, odds)


def test_pairs_are_chosen_and_sorted_by_win_points():
    cells, stage = shown_stage()
    shown = shown_pairs([stage], clear_pairs([stage.pairs]))
    named = [cells.pairs[one.pair].tolist() for one in shown if one.clear]
    assert named == [[4, 5], [0, 0], [1, 2]], "the most points first; what loses 0.05 points is near the middle"
    assert [one.beyond[0] for one in shown] == sorted((one.beyond[0] for one in shown), reverse=True)
    worst = shown[-1]
    assert worst.beyond[0] == pytest.approx(points(1.2) - points(1.8)) and worst.added == pytest.approx(points(1.8))


def test_the_page_and_the_estimates_have_the_same_intervals():
    cells, stage = shown_stage()
    clear, names = clear_pairs([stage.pairs]), list("abcdef")
    series = type("Series", (), {"cells": cells, "gifts": gifts_of(make("star_realms"))})()
    page = details_of([stage], clear, names, {}, series)
    estimates = {one.name: (one.value, one.low, one.high) for one in estimates_of([stage], clear, names, cells.pairs)}
    for row in page["pairs"]:
        assert estimates[f"pair_early_{'_'.join(row['cards'])}"] == row["beyond"]
        alone = dict(zip(row["cards"], row["alone"], strict=True))
        table = {one["card"]: one["alone"][0] for one in page["main"][0]["cards"]}
        assert all(table[card] == value for card, value in alone.items()), "a card alone has one value"
    assert clear.wide > 1.96 and all(
        row["beyond"][1] > 0 or row["beyond"][2] < 0 for row in page["pairs"] if row["clear"]
    )
    assert estimates["pairs_early_are_kin"] == page["kinships"][0]["extra"]
    colours = np.array(page["maps"][0]["points"], float)
    assert np.nanmin(colours) == pytest.approx(points(1.2) - points(1.8)), "the heat map shows win points too"


def test_too_few_games_tell_nothing():
    cells = Cells(8, twice=True)
    _, found, main = estimated(world(np.random.default_rng(0), cells, np.zeros(len(cells)), 300), cells)
    assert np.isnan(found.extra).all() and np.isnan(found.p).all() and not np.isnan(main.effects).all()
    assert np.isnan(clear_pairs([found]).q).all()


def test_points_are_those_between_equals():
    assert points(np.log(3)) == pytest.approx(25) and points(0) == 0 and points(-50) == pytest.approx(-50)
