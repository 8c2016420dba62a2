"""Use and price of cards: by hand, with known effects, and against a count in plain Python."""

import numpy as np
import pytest

from stardeck.benchmarks.card_values.treatment_effects import Sums, Trials
from stardeck.benchmarks.design.card_use import rates as counting
from stardeck.benchmarks.design.card_use.advantage import Effects, advantages, over_stages
from stardeck.benchmarks.design.card_use.measure import details_of, estimates_by_stage, evaluate
from stardeck.benchmarks.design.card_use.price import for_price, misused
from stardeck.benchmarks.design.card_use.rates import PurchaseSeries, Rates, interval, purchases_of, rates
from stardeck.game.registry import make
from stardeck.kernels.loops import playouts

# Buy rates


def counted_in_python(game, seed, games):
    """Return offers and purchases of `rules`, from the words of its moves: {card: [turns offered, turns bought]}."""
    from stardeck.agents import get

    agent, found = get("rules", game), {}
    seeds = np.empty(games, np.uint64)
    playouts.seed_blocks(np.uint64(seed), np.arange(games), seeds)
    for game_seed in seeds:
        state, turns = game.deal([game_seed]), {}
        while not game.is_over(state)[0]:
            seat = game.to_act(state)
            chance = np.empty(1, np.uint64)
            playouts.seed_all(np.uint64(seed), np.array([game_seed]), seat, state["decisions"].astype(np.int64), chance)
            action = agent.act(game, state, None, chance)
            word = game.describe(state, action[0])
            if word == "end turn" or word.startswith("buy "):
                legal = [game.describe(state, move) for move in np.flatnonzero(game.legal_actions(state)[0])]
                word = word.removesuffix(" to deck")
                turn = turns.setdefault((int(state["turn"][0]), int(seat[0])), (set(), set()))
                turn[0].update(move.removeprefix("buy ").removesuffix(" to deck") for move in legal if "buy " in move)
                turn[1].update([word.removeprefix("buy ")] if word != "end turn" else [])
            game.apply(state, action)
        for offered, bought in turns.values():
            for card in offered:
                row = found.setdefault(card, [0, 0])
                row[0] += 1
                row[1] += card in bought
    return found


def test_purchases_are_counted_as_their_words_say(monkeypatch):
    monkeypatch.setattr(counting, "GAMES", 6)
    game = make("star_realms")
    series = PurchaseSeries(game, "rules", 3)
    rows = series.play(0, 1).rows[0].sum(axis=0)
    known = counted_in_python(game, 3, 6)
    for card, (offered, bought) in known.items():
        assert rows[series.options.index(card)].tolist() == [offered, bought], card
    assert rows[:, 0].sum() == sum(offered for offered, _ in known.values())


def test_rates_by_hand_and_their_intervals_cover():
    rows = np.array([[[[4, 1], [0, 0]]], [[[6, 4], [2, 2]]]], np.int32)  # two blocks, one stage, two options
    found = rates(rows)
    assert found.rate.tolist() == [0.5, 1.0] and found.offered.tolist() == [[10, 2]]
    assert found.average == pytest.approx(7 / 12)
    rng, covered, trials = np.random.default_rng(0), 0, 1_000
    for _ in range(trials):
        offered = rng.poisson(6, (60, 1, 1))
        bought = rng.binomial(offered, np.clip(rng.normal(0.3, 0.1, (60, 1, 1)), 0, 1))  # blocks differ
        found = rates(np.stack([offered, bought], axis=-1).astype(np.int32))
        low, high = interval(found.rate[0], found.error[0])
        covered += low <= 0.3 <= high
    assert 0.93 <= covered / trials <= 0.97


def test_a_card_that_nobody_buys_has_an_interval():
    low, high = interval(0.0, rates(np.array([[[[30, 0]]], [[[30, 0]]]], np.int32)).error[0])
    assert low == 0 and 0.01 < high < 0.15


def test_only_games_with_purchases_are_counted():
    assert purchases_of(make("star_realms"))[0] == "purchases"
    assert purchases_of(make("empire_of_the_stars"))[0] == "technologies"
    assert purchases_of(make("interstellar_empire")) is None
    with pytest.raises(ValueError, match="has no purchases that can be declined"):
        PurchaseSeries(make("interstellar_empire"), "rules", 0)


# Advantages


def made_up_trials(rng, count):
    """Return trials of three cards that give 0.2, 0.1 and 0, rather than nothing (3) or authority (4)."""
    offered = np.where(rng.random((count, 3)) < [0.4, 0.6, 0.8], np.arange(3), -1)
    options = np.column_stack([np.full(count, 3), np.full(count, 4), offered])
    arm = options[np.arange(count), np.argmax(np.where(options >= 0, rng.random(options.shape), -1), axis=1)]
    some = (offered >= 0).any(axis=1)
    base = 0.3 + 0.2 * (offered[:, 0] >= 0)  # a decision with the first card is a better one anyway
    won = (rng.random(count) < base + np.array([0.2, 0.1, 0.0, 0.0, 0.1])[arm]).astype(float)
    columns = np.zeros(count, np.int64), arm, options, won, np.full(count, 0.5)
    return Trials(*(column[some] for column in columns))


def test_advantages_compare_with_the_other_cards_on_offer():
    rng = np.random.default_rng(4)
    found = advantages((made_up_trials(rng, 50_000) for _ in range(8)), 3, 1, nothing=3)
    chances = np.array([0.4, 0.6, 0.8])
    gains = np.array([0.2, 0.1, 0.0])
    for card in range(3):
        others = [k for k in range(3) if k != card]
        expected = 0.0
        for first in (False, True):
            for second in (False, True):
                there = [k for k, on in zip(others, (first, second), strict=True) if on]
                share = np.prod(
                    [chances[k] if on else 1 - chances[k] for k, on in zip(others, (first, second), strict=True)]
                )
                expected += share * (gains[card] - (gains[there].mean() if there else 0))
        error = found.errors[0, card]
        assert error < 0.5 and abs(found.points[0, card] - 100 * expected) < 3.5 * error


def advantages_of_made_up_trials():
    """Return the true advantages of the made-up trials, in win points."""
    chances, gains, found = np.array([0.4, 0.6, 0.8]), np.array([0.2, 0.1, 0.0]), []
    for card in range(3):
        one, other = (k for k in range(3) if k != card)
        both = chances[one] * chances[other]
        only = {one: chances[one] * (1 - chances[other]), other: chances[other] * (1 - chances[one])}
        alone = both * (gains[one] + gains[other]) / 2 + sum(share * gains[k] for k, share in only.items())
        found.append(100 * (gains[card] - alone))
    return np.array(found)


def test_intervals_of_advantages_and_of_values_cover():
    rng, better, value, trials = np.random.default_rng(2), [], [], 1_500
    true_advantage, true_value = advantages_of_made_up_trials(), np.array([20.0, 10.0, 0.0])
    for _ in range(trials):
        table = made_up_trials(rng, 1_000)
        found = advantages([table], 3, 1, nothing=3)
        better.append(np.abs(found.points[0] - true_advantage) <= 1.96 * found.errors[0])
        sums = Sums(1, 5)
        sums.add(table)
        effects, errors = (100 * part[0, :3, 3] for part in sums.effects())
        value.append(np.abs(effects - true_value) <= 1.96 * errors)
    for covered in (np.mean(each, axis=0) for each in (better, value)):
        assert 0.93 <= covered.min() <= covered.max() <= 0.97, covered


def test_stages_are_weighted_by_opportunities():
    effects = Effects(np.array([[1.0, np.nan], [3.0, 2.0]]), np.array([[0.3, np.nan], [0.4, 0.5]]))
    found = over_stages(effects, np.array([[3.0, 5.0], [1.0, 5.0]]))
    assert found.points.tolist() == [1.5, 2.0]
    assert found.errors == pytest.approx([np.hypot(0.75 * 0.3, 0.25 * 0.4), 0.5])
    assert np.isnan(over_stages(effects, np.zeros((2, 2))).points).all()


# Prices


def test_a_cheap_card_lies_above_the_line_of_the_others():
    rng = np.random.default_rng(0)
    prices = np.tile(np.arange(1.0, 9.0), 5)
    values = 2 * prices + rng.normal(0, 1, 40)
    values[7] += 15
    found = for_price(values, np.full(40, 0.5), prices)
    assert np.nanargmax(found.above) == 7 and found.above[7] == pytest.approx(15, abs=3) and found.q[7] < 1e-6
    without = for_price(np.delete(values, 7), np.full(39, 0.5), np.delete(prices, 7))
    assert without.line[1] == pytest.approx(2, abs=0.2) and without.scatter == pytest.approx(0.9, abs=0.4)
    assert np.isnan(for_price(values, np.full(40, 0.5), np.full(40, np.nan)).above).all()


def test_intervals_of_values_for_the_price_cover():
    """The line is of the other cards, whose true values scatter around it."""
    rng, covered, trials = np.random.default_rng(3), 0, 400
    prices = np.tile(np.arange(1.0, 9.0), 3)
    for _ in range(trials):
        truth = 2 * prices + rng.normal(0, 1, 24)
        truth[0] = 2 + 4  # 4 above the line
        found = for_price(truth + rng.normal(0, 1.5, 24), np.full(24, 1.5), prices)
        covered += abs(found.above[0] - 4) <= 1.96 * found.error[0]
    assert 0.93 <= covered / trials <= 0.97, covered / trials


def test_significance_alone_does_not_make_a_card_too_strong():
    """Ordinary cards scatter around the line by more than their errors; one card is far from it."""
    rng, prices, named, others = np.random.default_rng(5), np.tile(np.arange(1.0, 9.0), 6), 0, []
    for _ in range(100):
        values = 2 * prices + rng.normal(0, 4, 48)
        values[20] = 2 * prices[20] + 16
        found = for_price(values + rng.normal(0, 0.8, 48), np.full(48, 0.8), prices)
        named += found.stands_out[20]
        others.append([(found.q < 0.05).sum(), found.stands_out.sum() - found.stands_out[20]])
    significant, far = np.mean(others, axis=0)
    assert named == 100 and significant > 20 and far < 3.5, "5 % of the others are beyond twice a normal scatter"


def test_the_usual_scatter_is_that_of_most_cards():
    rng, prices = np.random.default_rng(6), np.tile(np.arange(1.0, 9.0), 50)
    values = 2 * prices + rng.normal(0, 4, 400)
    values[::50] += 60
    values[25::50] -= 60
    found = for_price(values + rng.normal(0, 2, 400), np.full(400, 2.0), prices)
    assert found.scatter == pytest.approx(4.4, abs=0.7), "a moment estimate would be 14"
    exact = for_price(2 * prices + rng.normal(0, 2, 400), np.full(400, 2.0), prices)
    assert exact.scatter < 0.8


def test_only_the_use_by_the_first_agent_is_judged():
    counted = [Rates(np.full((1, 6), 1000.0), rate, np.full(6, 0.01), 0.5) for rate in
               (np.full(6, 0.5), np.array([0.9, 0.1, 0.5, 0.5, 0.5, 0.5]))]  # fmt: skip
    better = Effects(np.array([[-9.0, 9.0, 0, 0, 0, 0]]), np.ones((1, 6)))
    use = evaluate(list("abcdef"), better, better, counted, np.full(6, np.nan))
    assert not use.misused.over.any() and not use.misused.under.any()
    other = evaluate(list("abcdef"), better, better, counted[::-1], np.full(6, np.nan))
    assert other.misused.over.tolist() == [True] + [False] * 5 and other.misused.under[1]
    rows = details_of(other, ["a", "b"], np.full(6, np.nan))["cards"]
    assert [row["over"] for row in rows] == [True] + [False] * 5 and len(rows[0]["rates"]) == 2


def test_a_card_is_dead_or_a_must_only_if_that_is_known_of_both_agents():
    """One agent alone once ended in a page that could not be written."""
    often = np.array([0.97, 0.01] + [0.5] * 4)
    met = [Rates(np.full((1, 6), count), often, np.full(6, 0.001), 0.5) for count in (1000.0, 1000.0, 1.0)]
    nothing = Effects(np.zeros((1, 6)), np.ones((1, 6)))

    def flags(pair):
        use = evaluate(list("abcdef"), nothing, nothing, pair, np.full(6, np.nan))
        rows = details_of(use, ["a", "b"], np.full(6, np.nan))["cards"]
        return [(row["must"], row["dead"]) for row in rows[:2]]

    assert flags(met[:2]) == [(True, False), (False, True)]
    assert flags(met[1:]) == flags(met[:0:-1]) == [(False, False)] * 2


def test_values_by_stage_are_estimates():
    rows = [{"card": "Blob Fighter", "stage": "early", "value": 5.0, "low": 4.0, "high": 6.0, "q": 0.1}]
    (one,) = estimates_by_stage(rows)
    assert one[:6] == (
        "value_blob_fighter_early",
        "value of Blob Fighter rather than nothing, early",
        "points",
        5,
        4,
        6,
    )


def test_misused_cards_are_found_and_false_ones_are_rare():
    rng, false, named = np.random.default_rng(1), [], 0
    for _ in range(400):
        rate = np.full(40, 0.3)
        rate[:4] = 0.6
        good = np.zeros(40)
        good[0], good[1], good[4] = -5, 4, 5  # 0 is over-used, 1 is bought often and good, 4 is average
        rate[5], good[5] = 0.1, 5  # under-used
        found = misused(
            (rate + rng.normal(0, 0.02, 40), np.full(40, 0.02), 0.3), (good + rng.normal(0, 1, 40), np.full(40, 1.0))
        )
        named += found.over[0] and found.under[5]
        wrong = found.over.sum() - found.over[0] + found.under.sum() - found.under[5]
        false.append(wrong / max(1, found.over.sum() + found.under.sum()))
    assert named > 380 and np.mean(false) < 0.06
