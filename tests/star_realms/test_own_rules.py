"""Custom rules: tables travel with their content, formats are rows of a file, scores and errata are settings."""

import json
import pickle
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import stardeck
from helpers import pick, scaled
from stardeck.benchmarks.recordings import record
from stardeck.envs import star_realms_v1
from stardeck.kernels.contract.card_tables import TableError
from stardeck.kernels.star_realms.cards.loading import load_cards

KERNELS = Path(stardeck.__file__).parent / "kernels"
TUG = '{ name = "Tug", kind = "ship", cost = 2, copies = 5, primary = ["trade 1"] }'
FORMATS = """
[handicap]
like = "standard"
authority = [30, 60]
[slow]
like = "handicap"
hand_size = [4]
[crowd]
like = "hunter"
players = [2, 5]
"""


def file(folder, text, name="mine.toml"):
    path = folder / name
    path.write_text(text)
    return path


def is_the_same(game, again):
    return (again.id, again.settings, again.rules.tobytes()) == (game.id, game.settings, game.rules.tobytes())


@pytest.mark.parametrize(
    ("name", "settings", "text"),
    [
        ("star_realms", {}, f'like = "core"\ncards = [{TUG}]'),
        ("star_realms", {}, f'like = "base.toml"\ncards = [{TUG}]'),
        ("star_realms", {"scenario": 1}, 'like = "rise_of_empire"\ncampaign = "campaign.toml"'),
        ("rise_of_empire", {}, 'like = "rise_of_empire"\ncampaign = "campaign.toml"'),
        ("star_realms", {"format": "slow"}, FORMATS),
        ("interstellar_empire", {}, (KERNELS / "interstellar_empire" / "cards" / "cards.toml").read_text()),
        ("empire_of_the_stars", {}, "[tiles]\n" + (KERNELS / "empire_of_the_stars/cards/tiles.toml").read_text()),
    ],
    ids=["cards", "like a file", "scenario", "campaign", "format", "interstellar_empire", "empire_of_the_stars"],
)
def test_a_game_is_made_again_where_the_file_is_not(tmp_path, name, settings, text):
    of = {"interstellar_empire": "cards", "empire_of_the_stars": "tables"}.get(name, "set")
    of = "formats" if text is FORMATS else of
    files = [
        file(tmp_path, text),
        file(tmp_path, 'like = "core"\nexplorers = 3', "base.toml"),
        file(tmp_path, (KERNELS / "star_realms" / "cards" / "campaign.toml").read_text(), "campaign.toml"),
    ]
    game = stardeck.make(name, **settings, **{of: str(files[0])})
    pickled, written = pickle.dumps(game), json.dumps(game.settings)
    for each in files:
        each.unlink()
    assert is_the_same(game, pickle.loads(pickled))
    assert is_the_same(game, stardeck.make(name, **json.loads(written)))
    assert str(tmp_path) not in written


def test_environments_and_recorded_games_need_no_file(tmp_path):
    path = file(tmp_path, 'like = "core"\nstarting_deck = ["Scout x6", "Viper x4"]')
    pickled = pickle.dumps(star_realms_v1.raw_env(set=path))
    game = stardeck.make("star_realms", set=path, max_turns=4)
    written = json.dumps(record.play(game, ["simple"], 3))
    path.unlink()
    assert pickle.loads(pickled).game.id == "star_realms/mine/standard/2"
    record.replay(json.loads(written))
    changed = json.loads(written)
    changed["settings"]["set"]["explorers"] = 9
    with pytest.raises(record.RecordError, match="the tables of star_realms/mine/standard/2/max_turns=4 have changed"):
        record.replay(changed)


def test_content_is_told_apart_in_ids():
    def id_of(**table):
        return stardeck.make("star_realms", set={"like": "core"} | table).id.split("/")[1]

    assert id_of(name="mine") == "mine"
    assert id_of(explorers=3) == id_of(explorers=3) != id_of(explorers=4)
    assert id_of(name="core").startswith("core-")


def test_settings_hold_a_copy_of_what_was_given():
    table = {"like": "core", "explorers": 3}
    game = stardeck.make("star_realms", set=table)
    table["explorers"] = 4
    assert is_the_same(game, pickle.loads(pickle.dumps(game)))
    assert type(game.settings["set"]) is dict and game.settings["set"]["explorers"] == 3


def test_a_table_may_change_the_starting_deck_alone(tmp_path):
    game = stardeck.make("star_realms", set=file(tmp_path, 'like = "core"\nstarting_deck = ["Scout x6", "Viper x4"]'))
    player = game.position(game.deal(1)[0])["players"]["player_0"]
    assert sorted(player["hand"] + player["deck"]) == ["Scout"] * 6 + ["Viper"] * 4
    assert game.variant.provenance == "mine, like Star Realms, core set of 2014"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({}, "set: cards must be a list of rows"),
        ({"like": "core", "name": "a/b"}, r"set: name = 'a/b': must be a text of 1 to 100 letters that can name a"),
        ({"like": "core", 5: 6}, "set: 5: keys must be texts"),
        ({"like": "core", "sources": 2**63}, "set: 9223372036854775808: numbers must be below 2..63"),
        ({"like": "core", "sources": [{"x": -(16**5000)}]}, "set: a int: numbers must be below 2..63"),
        ({"like": "core", "cards": (object(),)}, "set: <object object at .*: must be a text, a number"),
        ({"like": "core", "sources": {"x": float}}, "set: <class 'float'>: must be a text, a number"),
        ({"like": {"like": "core", "cards": 3}}, "set: like: cards must be a list of rows"),
        ({"like": "core", "errata": 1}, "set: errata = 1: must be true or false"),
        ({"like": "core", "personal_decks": {"blob": 3}}, "set: personal_decks = {'blob': 3}: must be lists of texts"),
    ],
)
def test_malformed_content_is_named(table, message):
    with pytest.raises(TableError, match=message):
        stardeck.make("star_realms", set=table)


def test_content_without_end_is_refused():
    table = {}
    table["like"] = table
    with pytest.raises(TableError, match="at most 16 inside one another"):
        stardeck.make("star_realms", set=table)


# Authority by seat


@pytest.mark.parametrize(
    ("settings", "authority"),
    [
        ({}, [20, 90]),
        ({"format": "free_for_all"}, [20, 90, 1000]),
        ({"format": "two_headed_hydra"}, [20, 20, 90, 90]),
        ({"format": "emperor"}, [1, 2, 3, 4, 5, 6]),
        ({"format": "raid"}, [90, 20, 30]),
        ({"set": "box", "format": "nemesis_beast", "players": 2}, [30, 30]),
        ({"set": "box", "format": "pirates_of_the_dark_star", "players": 2}, [30, 40]),
    ],
)
def test_authority_at_the_start_is_a_setting_by_seat(settings, authority):
    game = stardeck.make("star_realms", authority=authority, **settings)
    assert game.deal(1)["players"]["authority"][0, : game.players].tolist() == authority
    assert game.id.endswith("authority=" + ",".join(map(str, authority)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"authority": [50]}, r"authority=\[50\]: must name 2 scores, one for each seat"),
        ({"authority": [0, 50]}, r"authority=\[0, 50\]: must be a list of whole numbers from 1 to 1000"),
        (
            {"authority": [50, 60, 70, 70], "format": "two_headed_hydra"},
            r"authority=\[50, 60, 70, 70\]: must be the same for those who share it: 0, 1 and 2, 3",
        ),
        (
            {"authority": [50, 60], "set": "rise_of_empire", "scenario": 1},
            r"authority=\[50, 60\]: a scenario is played with its own",
        ),
        ({"errata": True, "set": "box"}, "errata=true: the set 'box' has no cards with errata"),
        ({"errata": True, "set": "rise_of_empire"}, "errata=true: the set 'rise_of_empire' has no cards with errata"),
    ],
)
def test_impossible_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        stardeck.make("star_realms", **settings)


# First player and starting trade


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"first_player": 2}, "first_player=2: standard begins with seat 0 or 1"),
        ({"first_player": -1}, "first_player=-1: must be a whole number from 0 to 5"),
        ({"first_player": 4, "format": "emperor"}, "first_player=4: emperor begins with seat 0 or 3"),
        ({"first_player": 1, "format": "two_headed_hydra"}, "first_player=1: two_headed_hydra begins with seat 0 or 2"),
        ({"first_player": 3, "format": "free_for_all"}, "first_player=3: free_for_all begins with seat 0, 1 or 2"),
        (
            {"first_player": 1, "set": "box", "format": "nemesis_beast", "players": 2},
            "first_player=1: nemesis_beast begins with seat 0",
        ),
        ({"first_turn_trade": [1]}, r"first_turn_trade=\[1\]: must name 2 amounts, one for each seat"),
        ({"first_turn_trade": [-6, 0]}, r"first_turn_trade=\[-6, 0\]: must be a list of whole numbers from -5 to 20"),
    ],
)
def test_impossible_beginnings_are_named(settings, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        stardeck.make("star_realms", **settings)


HANDICAPS = [
    {"first_turn_trade": [-2, 3]},
    {"first_player": 1, "first_turn_trade": [-2, 3]},
    {"set": "box", "format": "two_headed_hydra", "first_player": 2, "first_turn_trade": [-1, 2, 1, -3]},
    {"set": "box", "format": "raid", "first_player": 1, "first_turn_trade": [1, -1, 2]},
    {"set": "rise_of_empire", "scenario": 8, "first_player": 1, "first_turn_trade": [1, -1]},
]


@pytest.mark.parametrize("settings", HANDICAPS)
def test_positions_of_the_first_turns_play_on_identically(settings):
    game = stardeck.make("star_realms", **settings)
    states = game.deal([1, 2, 3])
    for step in range(20):
        for number in range(len(states)):
            again = game.from_position(json.loads(json.dumps(game.position(states[number]))))
            assert game.position(again[0]) == game.position(states[number])
            assert again["first"] == states["first"][number] == game.first_seats(states)[number]
        actions = pick(game.legal_actions(states), step)
        game.apply(states, actions)


def test_what_is_missing_is_seen_by_all_and_only_where_it_can_be():
    plain, game = stardeck.make("star_realms"), stardeck.make("star_realms", first_turn_trade=[0, -2])
    fields = [{row["name"]: row for row in made.variant.observation_table()} for made in (plain, game)]
    assert list(fields[1]) == [*fields[0], "missing_trade"]
    at = fields[1]["missing_trade"]["offset"]
    states = game.deal(1)
    assert game.observe(states, seats=[0])[0, at : at + 2].tolist() == [0, 2]
    assert game.observe(states, seats=[1])[0, at : at + 2].tolist() == [2, 0]
    assert stardeck.make("star_realms", first_turn_trade=[0, 2]).observation_size == plain.observation_size


def test_a_position_has_no_less_trade_than_the_first_turn_can_bring():
    position = {"players": {"player_0": {"authority": 50, "trade": -2}, "player_1": {"authority": 50}}}
    stardeck.make("star_realms", first_turn_trade=[-2, 0]).from_position(position)
    with pytest.raises(ValueError, match="player_0: trade: -2: must be a whole number from -1 to"):
        stardeck.make("star_realms", first_turn_trade=[-1, 0]).from_position(position)
    with pytest.raises(ValueError, match="player_0: trade: -2: must be a whole number from 0 to"):
        stardeck.make("star_realms").from_position(position)


def test_settings_that_came_later_leave_tables_and_ids_as_they_were():
    plain = stardeck.make("star_realms")
    named = stardeck.make("star_realms", first_player=0, first_turn_trade=[0, 0])
    assert (named.id, named.variant.tables) == (plain.id, plain.variant.tables)
    assert plain.variant.tables == "57a1b3cfa618e6f5"
    others = [stardeck.make("star_realms", **away) for away in ({"first_player": 1}, {"first_turn_trade": [0, 1]})]
    assert len({game.variant.tables for game in (plain, *others)}) == 3
    assert {game.state_dtype for game in others} == {plain.state_dtype}


# Starting decks by seat

FEW, MANY = ["Scout x8", "Viper x2"], ["Scout x8", "Viper x5"]


def owned(game, states=None):
    """Count the cards that each seat owns after the deal."""
    states = game.deal([7]) if states is None else states
    players = game.position(states[0])["players"].values()
    return [dict(Counter(player.get("hand", []) + player.get("deck", []))) for player in players]


DECKS = [
    ({"starting_deck": MANY}, [MANY, MANY]),
    ({"starting_deck": [MANY, FEW]}, [MANY, FEW]),
    ({"starting_deck": [["Viper x2", "Blob Wheel", "Scout x3", "Viper"], ["Ram"]]},
     [["Scout x3", "Viper x3", "Blob Wheel"], ["Ram"]]),
    ({"set": "box", "format": "free_for_all", "players": 4, "starting_deck": [MANY, FEW, FEW, MANY]},
     [MANY, FEW, FEW, MANY]),
    ({"set": "box", "format": "two_headed_hydra", "starting_deck": [MANY, FEW, FEW, FEW]}, [MANY, FEW, FEW, FEW]),
    ({"set": "box", "format": "raid", "starting_deck": [MANY, FEW, FEW]}, [MANY, FEW, FEW]),
    ({"set": "box", "format": "emperor", "starting_deck": [MANY, *[FEW] * 5]}, [MANY, *[FEW] * 5]),
    ({"set": "box", "format": "nemesis_beast", "players": 2, "starting_deck": [FEW, MANY]}, [FEW, MANY]),
    ({"set": {"like": "core", "starting_deck": [FEW, MANY]}}, [FEW, MANY]),
    ({"set": {"like": "core", "starting_deck": MANY}}, [MANY, MANY]),
    ({"formats": {"mine": {"like": "standard", "starting_deck": [MANY, FEW]}}}, [MANY, FEW]),
    ({"formats": {"mine": {"like": "free_for_all", "starting_deck": [MANY, FEW]}}, "players": 3}, [MANY, FEW, FEW]),
    ({"formats": {"mine": {"like": "standard", "starting_deck": MANY}}, "starting_deck": [FEW, MANY]}, [FEW, MANY]),
    ({"set": "rise_of_empire", "starting_deck": [MANY, FEW]}, [MANY, FEW]),
    (
        {"set": "rise_of_empire", "sides": ["star_empire", "trade_federation"]},
        [["Scout x8", "Viper", "Imperial Fighter", "Smuggler"],
         ["Scout x8", "Viper", "Federation Shuttle", "System Police"]],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "decks"), DECKS)
def test_each_seat_owns_what_its_starting_deck_says(settings, decks):
    game = stardeck.make("star_realms", **settings)
    counted = [{name: int(copies or 1) for name, _, copies in (text.partition(" x") for text in d)} for d in decks]
    assert owned(game) == counted
    assert game.settings["starting_deck"] == decks
    assert is_the_same(game, stardeck.make("star_realms", **json.loads(json.dumps(game.settings))))
    assert is_the_same(game, pickle.loads(pickle.dumps(game)))


def test_the_order_of_a_written_deck_does_not_count():
    shuffled = [["Viper", "Scout x3", "Viper x4", "Scout x5"], FEW[::-1]]
    one, other = (stardeck.make("star_realms", starting_deck=decks) for decks in ([MANY, FEW], shuffled))
    assert is_the_same(one, other) and one.id == "star_realms/core/standard/2/starting_deck=2-60d6bdef"
    assert (one.deal([1, 2]) == other.deal([1, 2])).all()
    plain = stardeck.make("star_realms")
    assert is_the_same(plain, stardeck.make("star_realms", starting_deck=FEW[::-1]))
    assert is_the_same(plain, stardeck.make("star_realms", starting_deck=[FEW, FEW[::-1]]))
    assert plain.variant.tables == "57a1b3cfa618e6f5"
    mine = {"like": "core", "starting_deck": ["Viper x4", "Scout x6"]}
    assert stardeck.make("star_realms", set=mine).settings["starting_deck"] == [mine["starting_deck"]] * 2


def test_games_with_decks_by_seat_are_recorded_replayed_and_read_from_positions():
    game = stardeck.make("star_realms", starting_deck=[MANY, FEW], max_turns=4)
    record.replay(json.loads(json.dumps(record.play(game, ["simple"], 3))))
    game = stardeck.make("star_realms", starting_deck=[MANY, FEW])
    states = game.deal([1, 2])
    for step in range(30):
        again = game.from_position(json.loads(json.dumps(game.position(states[0]))))
        assert game.position(again[0]) == game.position(states[0])
        hidden = game.resample_hidden(states, game.to_act(states), step)
        assert (game.observe(hidden) == game.observe(states)).all()
        game.apply(states, pick(game.legal_actions(states), step))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"starting_deck": [FEW]}, "names 1 of 2 decks: must name one for each seat, or one for all"),
        ({"starting_deck": [FEW, FEW, FEW]}, "names 3 of 2 decks: must name one for each seat, or one for all"),
        ({"starting_deck": ["Scout", ["Viper"]]}, "must be a list of texts, or one such list for each seat"),
        ({"starting_deck": "Scout x8"}, "'Scout x8': must be a list of texts, or one such list for each seat"),
        ({"starting_deck": [[5], [6]]}, "must be a list of texts, or one such list for each seat"),
        ({"starting_deck": [FEW, ["Skout"]]}, "'Skout' is not a card of this set"),
        ({"starting_deck": [FEW, []]}, "0 cards in the starting deck: from 1 to 16"),
        ({"starting_deck": []}, "0 cards in the starting deck: from 1 to 16"),
        ({"starting_deck": [FEW, ["Scout x17"]]}, "17 cards in the starting deck: from 1 to 16"),
        (
            {"starting_deck": ["Scout x16"], "set": {"like": "core", "explorers": 20}, "format": "hunter"},
            "trade deck, Explorers and starting decks of 3 are 148 cards: at most 141",
        ),
        (
            {
                "set": {"like": "core", "explorers": 45, "starting_deck": ["Scout"]},
                "format": "raid",
                "players": 6,
                "starting_deck": [["Viper"], ["Scout x13"], *[["Scout"]] * 4],
            },
            "trade deck, Explorers and starting decks of 3 are 142 cards: at most 141",
        ),
        ({"starting_deck": FEW, "set": "rise_of_empire", "scenario": 1}, "a scenario is played with its own"),
        (
            {"starting_deck": FEW, "set": "rise_of_empire", "sides": ["star_empire", "trade_federation"]},
            "seat 0 has the personal deck of its side",
        ),
        (
            {"set": {"name": "mine", "like": "core", "starting_deck": [FEW, MANY]}, "format": "free_for_all"},
            "the set 'mine': starting_deck: names 2 of 3 decks: must name one for each seat, or one for all",
        ),
        ({"set": {"like": "core", "starting_deck": [FEW, 5]}}, "must be a list of texts, or one such list for each"),
        ({"formats": {"mine": {"like": "standard", "starting_deck": 5}}}, "mine: starting_deck = 5: must be a list of"),
        (
            {"formats": {"mine": {"like": "standard", "starting_deck": [FEW, FEW, FEW]}}},
            "formats: mine: starting_deck names 3 decks: at most 2, one for each seat",
        ),
        (
            {"formats": {"mine": {"like": "standard", "starting_deck": ["Skout"]}}},
            "format mine: starting_deck: 'Skout' is not a card of this set",
        ),
    ],
)
def test_impossible_starting_decks_are_one_line(settings, message):
    with pytest.raises(ValueError) as error:
        stardeck.make("star_realms", **settings)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_campaign_has_its_own_decks():
    with pytest.raises(ValueError, match="rise_of_empire has no such setting"):
        stardeck.make("rise_of_empire", starting_deck=FEW)


@pytest.mark.parametrize(
    "settings",
    [
        {"set": "box", "format": "hunter", "players": 4, "trade_row": "replaced"},
        {"set": "box", "format": "pirates_of_the_dark_star", "players": 4},
        {"set": "box", "format": "nemesis_beast", "players": 4},
    ],
)
def test_starting_decks_do_not_overflow_the_trade_deck_that_returns(settings):
    few, many = ["Scout x8", "Recycling Station"], ["Recycling Station x4", "Cutter x3", "Explorer x3"]
    game = stardeck.make("star_realms", **settings, starting_deck=few)
    again = game.from_position(game.position(game.deal(1)[0]))
    assert game.position(again[0]) == game.position(game.deal(1)[0])
    with pytest.raises(
        ValueError, match="^starting_deck: with those of starting decks there are [0-9]+ trade cards: at most 96"
    ):
        stardeck.make("star_realms", **settings, starting_deck=many)
    kept = {"trade_row": "kept"} if "trade_row" in settings else {"format": "standard", "players": 2}
    stardeck.make("star_realms", **settings | kept, starting_deck=many)


# Errata


def test_errata_change_three_cards_of_the_core_set_into_those_of_the_box():
    printed, corrected, box = load_cards("core"), load_cards("core", errata=True), load_cards("box")
    changed = [new for old, new in zip(printed.cards, corrected.cards, strict=True) if new != old]
    assert {card.name for card in changed} == {"Fleet HQ", "Command Ship", "Patrol Mech"}
    assert all(card in box.cards for card in corrected.cards)
    assert corrected.title == "Star Realms, core set of 2014, with errata"


def test_an_erratum_of_ones_own_is_read_where_it_is_asked_for():
    row = {"name": "Ram", "kind": "ship", "cost": 3, "copies": 2, "erratum": {"cost": 4}}
    for errata, cost in ((False, 3), (True, 4)):
        game = stardeck.make("star_realms", set={"like": "core", "cards": [row]}, errata=errata)
        assert game.variant.card_set.cards[game.variant.card_set.numbers["Ram"]].cost == cost
    for erratum, message in (
        (4, "set: Ram: erratum = 4: must be a table"),
        ({"name": "Tug"}, "set: Ram: erratum: 'name' is not known; an erratum has faction, cost"),
        ({"primary": ["combat x"]}, "set: Ram: erratum: primary: 'combat x' is not known"),
    ):
        with pytest.raises(TableError, match=message):
            stardeck.make("star_realms", set={"like": "core", "cards": [row | {"erratum": erratum}]})


# Custom formats


def test_formats_of_ones_own_stand_beside_those_of_the_package(tmp_path):
    path = file(tmp_path, FORMATS)

    def made(**settings):
        return stardeck.make("star_realms", formats=path, **settings)

    assert made().id == "star_realms/core/handicap/2", "without a name, the first of the file"
    assert made().settings["authority"] == [30, 60]
    slow = made(format="slow")
    assert slow.settings["formats"] == {"slow": {"like": "standard", "authority": [30, 60], "hand_size": [4]}}
    states = slow.deal(1)
    slow.play(states, "end turn")
    assert len(slow.position(states[0])["players"]["player_0"]["hand"]) == 4
    assert made(format="crowd", players=5).id == "star_realms/core/crowd/5"
    plain = made(format="standard")
    assert is_the_same(stardeck.make("star_realms"), plain), "a file that is not played leaves no trace"


@pytest.mark.parametrize(
    "row",
    [
        {"like": "standard", "players": [2, 6], "reach": "neighbours", "first_blood": True},
        {"like": "free_for_all", "players": [2, 3], "hand_size": [10, 1], "opening_hands": [0, 10]},
        {"like": "two_headed_hydra", "authority": [9], "team_outposts": False, "open_hands": True},
        {"like": "emperor", "reach": "anyone", "pass_card_cost": 2, "authority": [8, 9, 7]},
        {"like": "raid", "players": [4, 4], "first_authority": [9], "first_hand_size": [3], "hand_size": [6]},
        {"like": "nemesis_beast", "team_outposts": False, "hand_size": [7]},
    ],
    ids=lambda row: row["like"],
)
def test_games_of_an_own_format_run_to_their_end(row):
    for players in row.get("players", [None]):
        game = stardeck.make("star_realms", set="box", formats={"mine": row}, players=players, max_turns=30)
        states = game.deal(np.arange(scaled(50, 1)))
        for step in range(scaled(3000, 60)):
            states = states[~game.is_over(states)]
            if not len(states):
                break
            hidden = game.resample_hidden(states, game.to_act(states), step)
            assert (game.observe(hidden) == game.observe(states)).all()
            game.apply(states, pick(game.legal_actions(states), step))
        assert not len(states) or scaled(False, True)


@pytest.mark.parametrize(
    ("formats", "message"),
    [
        ({}, "formats: must have a section for each format"),
        ({"mine": 3}, "formats: mine: 3: must be a section of keys and values"),
        ({"standard": {"like": "standard"}}, "formats: standard: must have another name"),
        ({"a/b": {"like": "standard"}}, "formats: a/b: must have another name"),
        ({"mine": {}}, "formats: mine: like = None: must be one of standard, free_for_all"),
        ({"mine": {"like": "standard", "reech": 1}}, "mine: 'reech' is not known; a format like standard has like, pl"),
        ({"mine": {"like": "emperor", "first_blood": True}}, "mine: 'first_blood' is not known; a format like emperor"),
        ({"mine": {"like": "standard", "first_blood": 1}}, "mine: first_blood = 1: must be true or false"),
        ({"mine": {"like": "hunter", "reach": "facing"}}, "mine: reach = 'facing': must be one of anyone, neighbours"),
        ({"mine": {"like": "standard", "authority": 50}}, "mine: authority = 50: must be a list of 1 to 6 whole"),
        ({"mine": {"like": "standard", "players": [2]}}, r"mine: players = \[2\]: must be a list of 2 whole numbers"),
        (
            {"mine": {"like": "standard", "players": [3, 2]}},
            r"mine: players = \[3, 2\]: must be the fewest and the mos",
        ),
        ({"mine": {"like": "two_headed_hydra", "players": [4, 6]}}, "must be the fewest and the most, from 4 to 4"),
        ({"mine": {"like": "raid", "players": [4, 6]}}, "must have a number for each number of players, 4 to 6"),
        ({"mine": {"like": "raid", "first_opening_hand_fewer": 9}}, "fewer = 9: more than first_hand_size has"),
        ({"mine": {"like": "two_headed_hydra", "authority": [9, 8]}}, r"must be the same for the seats 0, 1 and 2, 3"),
    ],
)
def test_malformed_formats_are_named(formats, message):
    with pytest.raises(TableError, match=message):
        stardeck.make("star_realms", formats=formats)


def test_the_file_of_a_malformed_format_is_named(tmp_path):
    with pytest.raises(TableError, match=r"mine\.toml: handicap: authority = \[0\]: must be a list of 1 to 6 whole"):
        stardeck.make("star_realms", formats=file(tmp_path, '[handicap]\nlike = "standard"\nauthority = [0]'))
    with pytest.raises(ValueError, match="format='x': must be one of standard, .*, handicap, slow, crowd"):
        stardeck.make("star_realms", formats=file(tmp_path, FORMATS), format="x")
