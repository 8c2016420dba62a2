"""The generator is splitmix64 as published, draws are unbiased, and shuffles are permutations."""

import numpy as np
import pytest

from helpers import game_of, scaled
from stardeck.kernels.loops import batch, playouts

GOLDEN = 0x9E3779B97F4A7C15
# First outputs of the public-domain reference implementation (Vigna) for the seed 1234567.
REFERENCE = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]


def test_splitmix64_gives_the_published_numbers():
    seeds = np.empty(5, np.uint64)
    playouts.seed_blocks(np.uint64(1234567), np.arange(5), seeds)
    assert seeds.tolist() == REFERENCE


def splitmix64(seed, k):
    """Return number k of the stream of a seed, in Python's own whole numbers, after the published generator."""
    return mixed((seed + (k + 1) * GOLDEN) % 2**64)


def mixed(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


@pytest.mark.parametrize("variant", ["star_realms/core/standard/2", "interstellar_empire/2"])
def test_random_play_draws_each_action_from_the_seed_and_the_number_of_the_decision(variant):
    game = game_of(variant)
    decisions = scaled(700, 100)
    seeds = [7, 2**63, 2**64 - 1]
    played = game.deal(range(3))
    states = game.copy(played)
    dealt = game.play_random(played, seeds, decisions - 40) + game.play_random(played, seeds, 40, first=decisions - 40)
    for row, seed in enumerate(seeds):
        state = states[row : row + 1]
        for k in range(decisions):
            chance = splitmix64(seed, k)
            if game.is_over(state)[0]:
                state, dealt = game.deal(chance), dealt - 1
            legal = np.flatnonzero(game.legal_actions(state)[0])
            game.apply(state, [legal[(mixed((chance + GOLDEN) % 2**64) >> 32) * len(legal) >> 32]])
        assert state.tobytes() == played[row : row + 1].tobytes()
    assert dealt == 0


@pytest.mark.parametrize("number", [-1, 2**31, 2**70, 1.5, None, "3", True])
def test_numbers_of_decisions_are_whole_and_not_too_large(number):
    game = game_of("interstellar_empire/2")
    states = game.deal(range(2))
    before = states.tobytes()
    for name, given in (("decisions", (number,)), ("first", (1, number))):
        with pytest.raises((TypeError, ValueError), match=f"^{name}.*: must be (a whole number|from 0 to 2147483647)"):
            game.play_random(states, [1, 2], *given)
    assert states.tobytes() == before


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
