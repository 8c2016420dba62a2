"""The table as data: invariants of every table, in random games of one variant of each kind.

test_hidden.py checks for every variant that it shows a seat nothing hidden.
"""

import json
import re
from importlib import resources

import jsonschema
import numpy as np
import pytest

import stardeck
from helpers import KINDS, game_of, random_steps, thorough
from stardeck.kernels.text.sentences import KINDS as KINDS_OF_MOVES

pytestmark = pytest.mark.once  # tables are plain Python, compiled or not
SCHEMA = json.loads((resources.files("stardeck.envs") / "table.schema.json").read_text())
VALID = jsonschema.Draft202012Validator(SCHEMA)
STEPS = 300
LOOKS = thorough(6, 3)  # states of each kind to examine


def looks(variant):
    """Return some states from all stages of a random game, as (game, states of one row)."""
    game = game_of(variant)
    steps = [game.copy(states) for states in random_steps(game, 1, STEPS, seed=7)]
    return game, [steps[number] for number in np.linspace(0, len(steps) - 1, LOOKS).astype(int)]


def ended(variant):
    """Return a finished game of a variant."""
    settings = game_of(variant).settings
    game = stardeck.make(variant.split("/")[0], **settings | ({"max_turns": 6} if "max_turns" in settings else {}))
    states = game.deal(3)
    while not game.is_over(states)[0]:
        game.apply(states, [np.flatnonzero(game.legal_actions(states)[0])[0]])
    return game, states


def ids(value):
    """Return every id in a table, as often as it occurs."""
    if isinstance(value, list):
        return [found for each in value for found in ids(each)]
    if isinstance(value, dict):
        return [value[key] for key in value if key == "id"] + [found for each in value.values() for found in ids(each)]
    return []


def seen_names(table):
    """Return the names of things whose cards need texts."""
    zones = [zone for zone in table["zones"] if zone["id"] not in ("roles", "market", "prices", "far_space")]
    names = {thing["name"] for zone in zones for thing in zone["things"]}
    names |= {name for zone in zones for name in zone.get("top", [])}
    regions = table["map"]["regions"] if table["map"] else []
    names |= {region["tile"] for region in regions} | {ship["name"] for region in regions for ship in region["ships"]}
    return names - {None, "home world"}


@pytest.mark.parametrize("variant", KINDS)
def test_a_table_is_what_the_schema_says(variant):
    game, states = looks(variant)
    for state in states:
        for seat in (None, *range(min(game.players, 2))):
            table = game.table(state, seat)
            VALID.validate(table)
            assert json.loads(json.dumps(table)) == table
            assert (table["seat"], table["game"], table["variant"]) == (seat, game.variant.game, game.id)
            assert len(set(ids(table))) == len(ids(table))
            assert seen_names(table) <= set(table["cards"])
            assert all(len(zone["things"]) <= zone["count"] for zone in table["zones"] if zone["kind"] != "row")


@pytest.mark.parametrize("variant", KINDS)
def test_moves_are_those_of_the_seat_to_act_with_their_places(variant):
    game, states = looks(variant)
    for state in states:
        legal = np.flatnonzero(game.legal_actions(state)[0])
        seat = int(game.to_act(state)[0])
        for viewer in (None, seat):
            table = game.table(state, viewer)
            moves = table["moves"]
            assert [(move["action"], move["words"]) for move in moves] == [(n, game.describe(state, n)) for n in legal]
            assert {place for move in moves for place in move["place"]} <= set(ids(table))
            assert table["to_act"] == seat and table["over"] is None
            assert table["question"] is None or table["question"]["seat"] == seat
        for other in set(range(game.players)) - {seat}:
            assert game.table(state, other)["moves"] == []


@pytest.mark.parametrize("variant", KINDS)
def test_moves_have_sentences_and_kinds_and_shortcuts_are_moves(variant):
    game, states = looks(variant)
    names = [f"Ann {chr(ord('A') + seat)}" for seat in range(game.players)]
    for state in states:
        moves = game.table(state, None, names)["moves"]
        assert len({move["sentence"] for move in moves}) == len(moves)
        assert not any(re.search(r"player_\d|[{}]", move["sentence"]) for move in moves)
        assert {move["kind"] for move in moves} <= set(KINDS_OF_MOVES)
        legal = {move["action"] for move in moves}
        groups = game.grouped(state, names)
        assert {*game.play_all(state), *(group["actions"][0] for group in groups)} <= legal
        assert all(group["sentence"] and len(group["actions"]) > 1 for group in groups)
    for amounts in game.progress(game.copy(np.concatenate(states, dtype=states[0].dtype))).values():
        assert amounts.shape == (len(states), game.players)


@pytest.mark.parametrize("variant", KINDS)
def test_a_game_that_is_over_says_how(variant):
    game, states = ended(variant)
    table = game.table(states)
    VALID.validate(table)
    over = table["over"]
    assert over["truncated"] == game.truncated(states)[0]
    assert over["placements"] == game.placements(states)[0].tolist()
    assert over["winners"] == np.flatnonzero(game.winners(states)[0]).tolist()
    assert over["words"] == game.render(states).splitlines()[0]
    assert table["moves"] == [] and table["question"] is None and table["to_act"] is None


def test_a_table_shares_nothing_with_the_next_one():
    game = stardeck.make("star_realms")
    states = game.deal(1)
    before = json.dumps(game.table(states))
    changed = game.table(states)
    for face in changed["cards"].values():
        face["abilities"].clear()
        face["factions"].append("none")
    changed["zones"].clear()
    assert json.dumps(game.table(states)) == before


@pytest.mark.parametrize("seat", [9, -1, 2, "0", True, 0.5, [0]])
def test_a_seat_that_is_none_is_named(seat):
    game = stardeck.make("star_realms")
    states = game.deal(1)
    with pytest.raises((TypeError, ValueError), match=rf"^seat:? {re.escape(repr(seat))}: must be "):
        game.table(states, seat)


@pytest.mark.parametrize("one", [np.array(1), np.array([1]), np.int8(1)])
def test_a_seat_may_be_an_array_of_one_number(one):
    game = stardeck.make("star_realms")
    states = game.deal(1)
    assert game.table(states, one) == game.table(states, 1) and game.render(states, one) == game.render(states, 1)


@pytest.mark.parametrize("wrong", [None, "state", 3, [], {}])
def test_what_is_no_state_is_refused(wrong):
    game = stardeck.make("star_realms")
    with pytest.raises(TypeError, match="state"):
        game.table(wrong)


def test_one_game_has_one_table():
    game = stardeck.make("star_realms")
    with pytest.raises(TypeError, match="^state must be one row"):
        game.table(game.deal([1, 2]))
    with pytest.raises(TypeError, match="^row 0: is a state of star_realms/core/standard/2, not of"):
        stardeck.make("star_realms", set="box").table(game.deal(1))
