"""What holds in every state of random games, whatever the settings."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stardeck
from helpers import pick, scaled
from stardeck import agents
from stardeck.kernels import batch
from stardeck.kernels.star_realms.state import NO_CARD, Zone

QUICK = settings(
    max_examples=scaled(30, 4),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

star_realms_settings = st.fixed_dictionaries(
    {
        "forced_discards": st.sampled_from(["immediate", "next_turn"]),
        "ally_latch": st.sampled_from(["card", "faction", "none"]),
        "needle_counts_for_blob_world": st.booleans(),
        "copy_gone_ships": st.booleans(),
        "max_turns": st.integers(1, 200),
        "opening_hands": st.lists(st.integers(0, 10), min_size=2, max_size=2),
    }
)


def everywhere(game, states):
    """How many of each card lie anywhere: int[n, cards]. Explorers in their pile count."""
    cards = len(game.variant.card_set.cards)
    found = states["scrap_heap"][:, :cards].astype(np.int64)
    found[:, game.variant.card_set.explorer] += states["explorers"]

    def add(numbers, valid):
        for row in range(len(states)):
            np.add.at(found[row], numbers[row][valid[row]], 1)

    add(states["trade_row"], states["trade_row"] != NO_CARD)
    add(states["trade_deck"], np.arange(states["trade_deck"].shape[1]) < states["trade_deck_count"][:, None])
    for seat in range(game.players):
        player = states["players"][:, seat]
        for zone in Zone:
            pile = player["cards"][:, zone]
            add(pile, np.arange(pile.shape[1]) < player["count"][:, zone][:, None])
        in_play = player["in_play"]["card"]
        add(in_play, np.arange(in_play.shape[1]) < player["in_play_count"][:, None])
    return found


def owned_at_the_start(game):
    """How many of each card the box holds for this game."""
    card_set = game.variant.card_set
    counts = np.array([card.copies for card in card_set.cards])
    for card in card_set.starting_deck:
        counts[card] += game.players
    counts[card_set.explorer] += card_set.explorers
    return counts


def check(game, states):
    assert (everywhere(game, states) == owned_at_the_start(game)).all(), "every card is in exactly one place"
    players = states["players"][:, : game.players]
    for field in ("trade", "combat", "next_ship_on_top", "discards_owed", "in_play_count", "count"):
        assert (players[field] >= 0).all(), field
    assert (players["known_on_deck"] <= players["count"][:, :, Zone.DECK]).all()
    assert (players["known_in_hand"] <= players["count"][:, :, Zone.HAND]).all()
    for seat in range(game.players):
        waiting = states["active"] != seat
        for field in ("trade", "combat", "next_ship_on_top"):
            assert not players[field][waiting, seat].any(), "pools are lost at the end of the turn"
    running = states["to_act"] >= 0
    assert (players["authority"][running] > 0).all()
    assert (game.legal_actions(states).any(axis=1) == running).all()
    assert (states["explorers"] >= 0).all()


@given(star_realms_settings, st.integers(0, 2**64 - 1))
@QUICK
def test_invariants_hold_in_random_games(chosen, seed):
    game = stardeck.make("star_realms", **chosen)
    states = game.deal(np.arange(scaled(12, 1), dtype=np.uint64) + np.uint64(seed % 2**63))
    for step in range(scaled(500, 120)):
        check(game, states)
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            return
        some = game.copy(states[running])
        game.apply(some, pick(game.legal_actions(some), seed % 1000 + step))
        states[running] = some


@given(star_realms_settings, st.sampled_from(["simple", "rules"]), st.integers(0, 2**32))
@QUICK
def test_invariants_hold_and_agents_are_legal_in_their_own_games(chosen, name, seed):
    game = stardeck.make("star_realms", **chosen)
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(12, 1)) + seed)
    for step in range(scaled(600, 150)):
        check(game, states)
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            return
        some = game.copy(states[running])
        seeds = np.arange(len(some), dtype=np.uint64) + np.uint64(1000 * step)
        game.apply(some, agent.act(game, some, game.legal_actions(some), seeds))
        states[running] = some


@pytest.mark.parametrize("name", ["random", "simple", "rules"])
def test_rare_cards_leave_no_trace_in_many_games(name):
    """Only a Stealth Needle copies, and no action is legal for which a mask has no place."""
    game = stardeck.make("star_realms")
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(3000, 4)))
    wide = np.empty((len(states), 64 * game.words), np.int8)
    for step in range(scaled(350, 60)):
        batch.mask_all(game.rules, states, np.empty(game.words, np.uint64), wide)
        assert not wide[:, game.num_actions :].any()
        in_play = states["players"]["in_play"]
        shown = np.arange(in_play.shape[2]) < states["players"]["in_play_count"][:, :, None]
        copying = shown & (in_play["copying"] != NO_CARD)
        assert (in_play["card"][copying] == game.variant.card_set.numbers["Stealth Needle"]).all()
        seeds = np.arange(len(states), dtype=np.uint64) + np.uint64(10_000 * step)
        batch.apply_all(game.rules, states, agent.act(game, states, None, seeds))
        batch.deal_over(game.rules, states, np.zeros(1, game.state_dtype), seeds)
