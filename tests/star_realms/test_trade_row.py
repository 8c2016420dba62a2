"""Games without a trade deck, or with a trade row replaced every turn: effects and refusals of these settings.

The reference model reads only positions: cards by name, and a turn by the table before it.
"""

import json
from collections import Counter

import numpy as np
import pytest

import stardeck
from helpers import pick, scaled
from stardeck import agents
from stardeck.agents.networks.input_layout import layout_of
from stardeck.kernels.star_realms.spaces.variant import list_variants

ARENA = [
    {},
    {"set": "box", "gambits": 3},
    {"set": "box", "format": "emperor"},
    {"set": "box", "format": "three_headed_hydra", "gambits": 1},
    {"set": "rise_of_empire", "format": "raid", "trade_deck": "post_campaign"},
    {"format": "free_for_all", "players": 6, "forced_discards": "next_turn"},
    {"set": {"like": "core", "starting_deck": ["Scout x9", "Viper"]}, "authority": [200, 200]},
]
EXPLORERS_ONLY = [
    {},
    {"set": "box", "gambits": 3},
    {"set": "box", "format": "hunter", "players": 5},
    {"set": "box", "format": "two_headed_hydra"},
    {"set": "rise_of_empire", "sides": ["star_empire", "trade_federation"]},
    {"set": {"like": "core", "explorers": 0}},
]


def cards_of(game, seat):
    """Return all cards of a seat by name, with those in play."""
    in_play = [entry if isinstance(entry, str) else entry["card"] for entry in seat["in_play"]]
    return Counter([*seat["hand"], *seat["deck"], *seat["discard"], *in_play])


def new_row(game, before):
    """Predict row, trade deck and Scrap Heap at the start of a turn as positions; None if they are random."""
    in_deck = {card.name for card in game.variant.card_set.cards if card.copies}
    heap = Counter(before["scrap_heap"]) + Counter(name for name in before["trade_row"] if name)
    deck = list(before["trade_deck"])
    row = [deck.pop(0) for _ in range(min(5, len(deck)))]
    if len(row) < 5:
        return row, None, Counter({name: count for name, count in heap.items() if name not in in_deck})
    return row, deck, heap


@pytest.mark.parametrize("settings", ARENA, ids=str)
def test_every_turn_but_the_first_begins_with_a_new_trade_row(settings):
    game = stardeck.make("star_realms", trade_row="replaced", **settings)
    turns, ran_out = 0, 0
    for seed in range(scaled(6, 2)):
        states = game.deal(seed)
        assert game.position(states[0])["scrap_heap"] == []
        for step in range(scaled(2000, 700)):
            earlier = game.copy(states)
            game.apply(states, pick(game.legal_actions(states), step))
            if game.is_over(states)[0]:
                break
            if states["turn"] == earlier["turn"]:  # a position takes longer to write than many turns to play
                continue
            before, after = game.position(earlier[0]), game.position(states[0])
            turns += 1
            row, deck, heap = new_row(game, before)
            assert after["trade_row"][: len(row)] == row
            if deck is not None:
                assert (after["trade_deck"], Counter(after["scrap_heap"])) == (deck, heap)
            else:
                ran_out += 1
                assert Counter(after["scrap_heap"]) == heap
                lay = Counter([*before["trade_row"], *before["trade_deck"], *before["scrap_heap"]]) - Counter([None])
                lies = Counter([*after["trade_row"], *after["trade_deck"], *after["scrap_heap"]]) - Counter([None])
                assert lies == lay
    assert turns > 20 and ran_out


@pytest.mark.parametrize("settings", EXPLORERS_ONLY, ids=str)
def test_without_a_trade_deck_nobody_ever_owns_a_card_of_it(settings):
    game = stardeck.make("star_realms", trade_deck="none", **settings)
    states = game.deal(np.arange(scaled(6, 2)))
    first = [game.position(state) for state in states]
    own = {name for position in first for seat in position["players"].values() for name in cards_of(game, seat)}
    for step in range(scaled(800, 300)):
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            break
        some = game.copy(states[running])
        game.apply(some, pick(game.legal_actions(some), step))
        states[running] = some
    for state in states:
        position = game.position(state)
        assert (position["trade_row"], position["trade_deck"]) == ([None] * 5, [])
        assert set(position["scrap_heap"]) <= own
        for seat in position["players"].values():
            assert set(cards_of(game, seat)) <= own | {"Explorer"}


@pytest.mark.parametrize("settings", [{"trade_deck": "none"}, {"trade_row": "replaced"}], ids=str)
@pytest.mark.parametrize("name", ["random", "simple", "rules"])
def test_agents_end_their_games(settings, name):
    game = stardeck.make("star_realms", max_turns=100_000, **settings)
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(40, 2)))
    for step in range(100_000):
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            break
        some = game.copy(states[running])
        seeds = np.arange(len(some), dtype=np.uint64) + np.uint64(1000 * step)
        game.apply(some, agent.act(game, some, game.legal_actions(some), seeds))
        states[running] = some
    assert game.is_over(states).all() and not states["truncated"].any()


@pytest.mark.parametrize("settings", [{"trade_deck": "none"}, {"trade_row": "replaced"}], ids=str)
def test_positions_play_on_identically(settings):
    game = stardeck.make("star_realms", **settings)
    states = game.deal([1, 2])
    for step in range(scaled(600, 300)):
        if game.is_over(states).any():
            break
        if step % 10 == 0:
            again = np.concatenate([game.from_position(json.loads(json.dumps(game.position(s)))) for s in states])
            assert [game.position(state) for state in again] == [game.position(state) for state in states]
        game.apply(again, pick(game.legal_actions(states), step))
        game.apply(states, pick(game.legal_actions(states), step))
        assert [game.position(state) for state in again] == [game.position(state) for state in states]


@pytest.mark.parametrize("settings", [{"trade_deck": "none"}, {"trade_row": "replaced"}], ids=str)
def test_a_network_of_the_plain_game_sees_the_same_fields_and_moves(settings):
    plain, game = stardeck.make("star_realms"), stardeck.make("star_realms", **settings)
    assert (layout_of(game), game.spaces) == (layout_of(plain), plain.spaces)


def test_a_position_has_room_for_what_comes_back_from_the_scrap_heap():
    position = {
        "scrap_heap": ["Cutter"] * 130, "players": {f"player_{seat}": {"authority": 50} for seat in range(2)},
    }  # fmt: skip
    stardeck.make("star_realms").from_position(position)
    with pytest.raises(ValueError, match="130 cards of the trade deck: at most"):
        stardeck.make("star_realms", trade_row="replaced").from_position(position)


UPGRADED = ["Hunter (SE 1-3)", "Watchtower (TF 1-3)", "Lancer Wing (SE 2-3)"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"trade_row": "new"}, "trade_row='new': must be one of kept, replaced"),
        ({"trade_row": True}, "trade_row=True: must be one of kept, replaced"),
        ({"trade_deck": "no"}, "trade_deck='no': must be one of standard, post_campaign, none"),
        ({"trade_deck": "post_campaign"}, "trade_deck='post_campaign': the set 'core' has no campaign"),
        (
            {"trade_deck": "none", "trade_row": "replaced"},
            "trade_row='replaced': there is no trade row with trade_deck='none'",
        ),
        (
            {"trade_deck": "none", "set": "box", "format": "nemesis_beast"},
            "trade_deck='none': the Boss of nemesis_beast takes its turns from the trade row",
        ),
        (
            {"trade_row": "replaced", "formats": {"own": {"like": "pirates_of_the_dark_star"}}},
            "trade_row='replaced': the Boss of own takes its turns from the trade row",
        ),
        (
            {"trade_deck": "none", "set": "rise_of_empire", "scenario": 2},
            "trade_deck='none': a scenario is played with its own trade row",
        ),
        (
            {"trade_row": "replaced", "set": "rise_of_empire", "scenario": 12},
            "trade_row='replaced': a scenario is played with its own trade row",
        ),
        (
            {"trade_deck": "none", "set": "rise_of_empire", "upgraded": UPGRADED},
            r"upgraded=\[.*\]: changes cards of a trade deck, and trade_deck='none' has none",
        ),
    ],
)
def test_impossible_trade_rows_are_named(settings, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        stardeck.make("star_realms", **settings)


def test_settings_of_the_trade_row_leave_tables_and_ids_as_they_were():
    plain = stardeck.make("star_realms")
    named = stardeck.make("star_realms", trade_row="kept", trade_deck="standard")
    assert (named.id, named.variant.tables) == (plain.id, plain.variant.tables)
    assert plain.variant.tables == "57a1b3cfa618e6f5"
    others = [stardeck.make("star_realms", **away) for away in ({"trade_row": "replaced"}, {"trade_deck": "none"})]
    assert len({game.variant.tables for game in (plain, *others)}) == 3
    assert {game.state_dtype for game in others} == {plain.state_dtype}


def test_both_are_among_the_variants():
    listed = [entry for entry in list_variants() if entry["set"] == "core"]
    assert sum(entry.get("trade_deck") == "none" for entry in listed) == 1
    assert sum(entry.get("trade_row") == "replaced" for entry in listed) == 1
