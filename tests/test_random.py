"""The generator is splitmix64 as published, draws are unbiased, and shuffles are permutations."""

import numpy as np

from helpers import game_of, scaled
from stardeck.kernels.loops import batch, playouts

# First outputs of the public-domain reference implementation (Vigna) for the seed 1234567.
REFERENCE = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


def test_splitmix64_gives_the_published_numbers():
    seeds = np.empty(5, np.uint64)
    playouts.seed_blocks(np.uint64(1234567), np.arange(5), seeds)
    assert seeds.tolist() == REFERENCE


def test_every_card_is_as_likely_on_top_of_the_trade_deck():
    game = game_of("star_realms/core/standard/2")
    n = scaled(80_000, 800)
    states = game.deal(np.arange(n))
    first = states["trade_row"][:, 0]
    expected = np.array([card.copies for card in game.variant.card_set.cards]) * n / 80
    observed = np.bincount(first, minlength=len(expected))[: len(expected)]
    some = expected > 0
    chi_square = ((observed[some] - expected[some]) ** 2 / expected[some]).sum()
    assert chi_square < 90  # 45 degrees of freedom: exceeded by chance once in 10,000
    assert observed[~some].sum() == 0


def test_a_deal_is_a_permutation_of_the_trade_deck():
    game = game_of("star_realms/core/standard/2")
    for state in game.deal(np.arange(50)):
        cards = [*state["trade_row"], *state["trade_deck"][: state["trade_deck_count"]]]
        assert sorted(cards) == sorted(game.rules[0]["trade_deck"][:80])


def test_seeds_next_to_each_other_deal_different_games():
    game = game_of("star_realms/core/standard/2")
    states = game.deal(np.arange(1000))
    assert len({state["trade_deck"].tobytes() for state in states}) == 1000


def test_pick_draws_every_legal_action_as_often():
    mask = np.zeros((1, 200), np.int8)
    legal = [0, 3, 31, 32, 64, 100, 199]
    mask[0, legal] = 1
    n = scaled(70_000, 700)
    actions = np.empty(n, np.int64)
    batch.pick_all(np.repeat(mask, n, axis=0), np.arange(n, dtype=np.uint64), actions)
    counts = np.bincount(actions, minlength=200)
    assert counts.sum() == counts[legal].sum()
    assert ((counts[legal] - n / 7) ** 2 / (n / 7)).sum() < 30  # 6 degrees of freedom


def test_pick_says_so_where_nothing_is_legal():
    actions = np.zeros(1, np.int64)
    batch.pick_all(np.zeros((1, 200), np.int8), np.zeros(1, np.uint64), actions)
    assert actions[0] == -1
