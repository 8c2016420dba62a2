"""Invariants in every state of random games, with any settings."""

import functools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stardeck
from helpers import pick, scaled, starting_decks, tally, thorough
from stardeck import agents
from stardeck.kernels.loops import batch
from stardeck.kernels.star_realms.cards.formats import EACH_FOR_ITSELF, row_of, sides_of
from stardeck.kernels.star_realms.play.turn import only_hands_over
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.spaces.actions import NEEDS_TEAMMATE
from stardeck.kernels.star_realms.state import NO_CARD, PILE_LIMIT, Zone

SOME = thorough(1, 2)  # steps between two checks: errors persist
QUICK = settings(
    max_examples=scaled(30, 4),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)

FORMATS = {
    "standard": [2],
    "free_for_all": [3, 6],
    "hunter": [3, 5],
    "hunter_first_blood": [4],
    "two_headed_hydra": [4],
    "three_headed_hydra": [6],
    "emperor": [6],
    "raid": [3, 6],
    "nemesis_beast": [1, 2, 4],
    "pirates_of_the_dark_star": [1, 2, 4],
}
SWITCHES = (
    "needle_counts_for_blob_world", "copy_gone_ships", "gambit_round", "energy_shield_erratum", "pirates_pool_combat",
)  # fmt: skip
CHALLENGES = ("nemesis_beast", "pirates_of_the_dark_star")


@st.composite
def star_realms_settings(draw):
    """Draw any set and format with any settings."""
    chosen = {
        "set": draw(st.sampled_from(["core", "box", "rise_of_empire"])),
        "format": draw(st.sampled_from(list(FORMATS))),
        "forced_discards": draw(st.sampled_from(["immediate", "next_turn"])),
        "ally_latch": draw(st.sampled_from(["card", "faction", "none"])),
        "max_turns": draw(st.integers(1, 300)),
    }
    for switch in SWITCHES:
        chosen[switch] = draw(st.booleans())
    chosen["players"] = players = draw(st.sampled_from(FORMATS[chosen["format"]]))
    chosen["gambits"] = draw(st.integers(0, min(3, 13 // players)))
    if chosen["set"] == "rise_of_empire" and chosen["format"] in CHALLENGES:
        chosen["set"] = "box"
    if chosen["set"] == "rise_of_empire":
        chosen["trade_deck"] = draw(st.sampled_from(["standard", "post_campaign"]))
        leaders = {"standard": (0, 1), "emperor": (1, 4), "raid": (0,)}.get(chosen["format"], ())
        decks = draw(st.permutations(["star_empire", "trade_federation"])) if draw(st.booleans()) else ["none"] * 2
        dealt = dict(zip(leaders, decks, strict=False))
        chosen["sides"] = [dealt.get(seat, "none") for seat in range(players)]
    if chosen["format"] not in CHALLENGES:
        chosen |= draw(st.sampled_from([{}, {"trade_row": "replaced"}, {"trade_deck": "none"}]))
    if chosen["format"] in CHALLENGES:
        chosen["difficulty"] = draw(st.sampled_from(["beginner", "intermediate", "veteran", "expert"]))
    if draw(st.booleans()):
        chosen["opening_hands"] = draw(st.lists(st.integers(0, 10), min_size=players, max_size=players))
    if draw(st.booleans()):
        chosen["first_turn_trade"] = draw(st.lists(st.integers(-5, 20), min_size=players, max_size=players))
    if draw(st.booleans()) and set(chosen.get("sides", ())) <= {"none"}:
        decks = st.lists(st.tuples(st.sampled_from(DECK_CARDS), st.integers(1, 4)), min_size=1, max_size=3)
        written = [[f"{name} x{copies}" for name, copies in draw(decks)] for _ in range(players)]
        chosen["starting_deck"] = written if draw(st.booleans()) else written[0]
    sides = sides_of(row_of(chosen["format"], {}).get("sides", EACH_FOR_ITSELF), players)
    chosen["first_player"] = draw(st.sampled_from([seats[0] for seats in sides]))
    if max(map(len, sides)) == 1 and chosen["format"] not in CHALLENGES and "opening_hands" not in chosen:
        chosen["first_turn"] = draw(st.sampled_from(["agreed", "bid", "pie"][: 3 if players == 2 else 2]))
    if draw(st.booleans()):
        chosen["formats"] = {"own": {"like": chosen["format"]} | draw(changes_of(chosen["format"]))}
        chosen["format"] = "own"
    return chosen


DECK_CARDS = ("Scout", "Viper", "Explorer")


def changes_of(like):
    """Draw possible changes of a custom format compared with the package's own."""
    alone = like in ("standard", "free_for_all", "hunter", "hunter_first_blood")
    own = {"reach": st.sampled_from(["anyone", "neighbours"]), "first_blood": st.booleans()}
    with_mates = {"team_outposts": st.booleans(), "open_hands": st.booleans()}
    always = {
        "authority": st.lists(
            st.integers(1, 99), min_size=1, max_size=1 if "hydra" in like or like == "nemesis_beast" else 6
        ),
        "hand_size": st.lists(st.integers(1, 10), min_size=1, max_size=6),
        "starting_deck": st.just([["Scout x5", "Viper x2"], ["Viper x7"]]) if alone else st.just(["Scout x8"]),
    }
    return st.fixed_dictionaries({}, optional=always | (own if alone else with_mates))


def everywhere(game, states):
    """Count the cards of each kind in all places: int[n, cards], with the pile of Explorers."""
    cards = len(game.variant.card_set.cards)
    found = states["scrap_heap"][:, :cards].astype(np.int64)
    found[:, game.variant.card_set.explorer] += states["explorers"]

    add = functools.partial(tally, found)
    add(states["trade_row"], states["trade_row"] != NO_CARD)
    add(states["trade_deck"], np.arange(states["trade_deck"].shape[1]) < states["trade_deck_count"][:, None])
    add(states["face_down"], np.arange(states["face_down"].shape[1]) < states["face_down_count"][:, None])
    for seat in range(game.players):
        player = states["players"][:, seat]
        deck, hand, discarded = player["count"].astype(int).T
        place = np.arange(PILE_LIMIT)
        add(player["cards"], (place < (deck + hand)[:, None]) | (place >= (PILE_LIMIT - discarded)[:, None]))
        in_play = player["in_play"]["card"]
        add(in_play, np.arange(in_play.shape[1]) < player["in_play_count"][:, None])
    return found


def owned_at_the_start(game):
    """Return the number of cards of each kind in the box for this game."""
    card_set = game.variant.card_set
    counts = np.array([card.copies for card in card_set.cards])
    if game.settings["trade_deck"] == "none":
        counts[:] = 0
    for deck in starting_decks(game):
        np.add.at(counts, deck, 1)
    counts[card_set.explorer] += card_set.explorers
    return counts


def check(game, states):
    assert (everywhere(game, states) == owned_at_the_start(game)).all(), "every card is in exactly one place"
    settled = game.variant.format
    running = states["to_act"] >= 0
    players = states["players"][:, : game.players]
    for field in ("combat", "next_ship_on_top", "discards_owed", "in_play_count", "count"):
        assert (players[field] >= 0).all(), field
    started = states["turn"] > game.players  # after everybody's first turn
    assert (players["trade"] >= np.minimum(game.settings["first_turn_trade"], 0) * ~started[:, None]).all()
    assert (players["known_on_deck"] <= players["count"][:, :, Zone.DECK]).all()
    assert (players["known_in_hand"] <= players["count"][:, :, Zone.HAND]).all()
    alive = players["authority"] > 0
    for seat in range(game.players):
        team = settled.sides[settled.team_of[seat]] if settled.shared_turn else (seat,)
        waiting = ~np.isin(states["active"], team) & running
        for field in ("combat", "next_ship_on_top"):
            assert not players[field][waiting, seat].any(), "pools are lost at the end of the turn"
        pools, first = players["trade"][waiting, seat], game.settings["first_turn_trade"][seat]
        assert (pools[started[waiting]] == 0).all() and np.isin(pools, (0, first)).all(), "or wait for the first one"
        asked = (states["stack_count"] > 0) | (states["active"] != seat)
        assert (asked | ~running | alive[:, seat]).all(), "who is out has no turn"
        gone = ~alive[:, seat] & (states["to_act"] != seat) & running
        assert not players["count"][gone, seat].any() and not players["in_play_count"][gone, seat].any()
    for seats in settled.sides if settled.shared_authority else ():
        assert (players["authority"][:, seats] == players["authority"][:, seats[:1]]).all(), "a team has one score"
    over_sides = [~alive[:, [s for s in seats if s in settled.leaders] or seats].any(axis=1) for seats in settled.sides]
    assert (sum(~gone for gone in over_sides)[running] >= min(2, len(settled.sides))).all(), "the game goes on"
    if settled.boss:
        assert (states["boss_authority"][running] > 0).all()
        assert (states["trade_row"][running] != NO_CARD).all()
    gambits = players["gambits"].sum(axis=(1, 2)) + states["unclaimed_gambits"] + states["looked_at"]
    assert (gambits[:, : len(settled.gambits)] <= [gambit.copies for gambit in settled.gambits]).all()
    assert (game.legal_actions(states).any(axis=1) == running).all()
    assert (states["explorers"] >= 0).all()


@given(star_realms_settings(), st.integers(0, 2**64 - 1))
@QUICK
def test_invariants_hold_in_random_games(chosen, seed):
    game = stardeck.make("star_realms", **chosen)
    states = game.deal(np.arange(scaled(12, 1), dtype=np.uint64) + np.uint64(seed % 2**63))
    for step in range(scaled(500, 120)):
        if step % SOME == 0:
            check(game, states)
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            return
        some = game.copy(states[running])
        game.apply(some, pick(game.legal_actions(some), seed % 1000 + step))
        states[running] = some


@given(star_realms_settings(), st.sampled_from(["simple", "rules"]), st.integers(0, 2**32))
@QUICK
def test_invariants_hold_and_agents_are_legal_in_their_own_games(chosen, name, seed):
    game = stardeck.make("star_realms", **chosen)
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(12, 1)) + seed)
    for step in range(scaled(600, 150)):
        if step % SOME == 0:
            check(game, states)
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            return
        some = game.copy(states[running])
        seeds = np.arange(len(some), dtype=np.uint64) + np.uint64(1000 * step)
        game.apply(some, agent.act(game, some, game.legal_actions(some), seeds))
        states[running] = some


MANY = [
    {},
    {"set": "box", "format": "free_for_all", "players": 6, "gambits": 2},
    {"set": "box", "format": "emperor", "gambits": 1},
    {"set": "box", "format": "raid", "players": 5},
    {"set": "box", "format": "three_headed_hydra"},
    {"set": "box", "format": "pirates_of_the_dark_star", "players": 3, "gambits": 3},
]


@pytest.mark.parametrize("name", ["random", "simple", "rules"])
@pytest.mark.parametrize("chosen", MANY, ids=[one.get("format", "standard") for one in MANY])
def test_rare_cards_leave_no_trace_in_many_games(chosen, name):
    """Only a Stealth Needle copies, and no illegal action gets through where a mask has no place."""
    game = stardeck.make("star_realms", **chosen)
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(thorough(1000, 400), 2)))
    wide = np.empty((len(states), 64 * game.words), np.int8)
    for step in range(scaled(350, 40)):
        batch.mask_all(game.rules, states, np.empty(game.words, np.uint64), wide)
        assert not wide[:, game.num_actions :].any()
        in_play = states["players"]["in_play"]
        shown = np.arange(in_play.shape[2]) < states["players"]["in_play_count"][:, :, None]
        copying = shown & (in_play["copying"] != NO_CARD)
        assert (in_play["card"][copying] == game.variant.card_set.numbers["Stealth Needle"]).all()
        seeds = np.arange(len(states), dtype=np.uint64) + np.uint64(10_000 * step)
        batch.apply_all(game.rules, states, agent.act(game, states, None, seeds))
        batch.deal_over(game.rules, states, np.zeros(1, game.state_dtype), seeds)


@pytest.mark.parametrize(
    ("format", "players"), [("two_headed_hydra", 4), ("three_headed_hydra", 6), ("nemesis_beast", 3)]
)
def test_teammates_cannot_hand_the_move_to_and_fro_for_ever(format, players):
    game = stardeck.make("star_realms", set="box", format=format, players=players)
    handing = np.array([action.act in (*NEEDS_TEAMMATE, Act.ADD, Act.DONE) for action in game.variant.actions])
    handed = 0
    for seed in range(scaled(40, 3)):
        states = game.deal(seed)
        for step in range(scaled(60, 20)):  # somewhere in a turn
            if not game.is_over(states)[0]:
                game.apply(states, pick(game.legal_actions(states), seed + step))
        for step in range(200):
            legal = game.legal_actions(states) * handing
            if not legal.any():
                break
            game.apply(states, pick(legal, seed + step))
            handed += 1
        else:
            raise AssertionError(f"seed {seed}: nobody has to do anything else")
    assert handed > 0


def test_what_only_hands_over_are_the_actions_between_teammates():
    hands_over = getattr(only_hands_over, "py_func", only_hands_over)
    assert [act for act in Act if hands_over(act)] == sorted(NEEDS_TEAMMATE)
