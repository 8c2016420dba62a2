"""Card tables: the core set equals the printed one, custom tables are playable, and errors name their cause."""

import numpy as np
import pytest

import stardeck
from helpers import pick, scaled
from stardeck.kernels.contract.card_tables import TableError
from stardeck.kernels.star_realms.cards.loading import load_cards
from stardeck.kernels.star_realms.rules import Kind

TINY = """
title = "Tiny"
factions = ["blob"]
explorers = 10
starting_deck = ["Scout x8", "Viper x2"]
cards = [
  { name = "Scout", kind = "ship", cost = 0, copies = 0, primary = ["trade 1"] },
  { name = "Viper", kind = "ship", cost = 0, copies = 0, primary = ["combat 1"] },
  { name = "Explorer", kind = "ship", cost = 2, copies = 0, primary = ["trade 2"] },
  { name = "Blob Fighter", kind = "ship", cost = 1, copies = 6, faction = "blob", primary = ["combat 3"] },
]
"""
ROW = '{ name = "Explorer", kind = "ship", cost = 2, copies = 0 }'


def test_the_core_set_has_the_printed_number_of_cards():
    """Facts: 80 cards in the trade deck, 20 of each faction; 8 Scouts and 2 Vipers; 10 Explorers."""
    card_set = load_cards("core")
    assert sum(card.copies for card in card_set.cards) == 80
    for faction in range(4):
        assert sum(card.copies for card in card_set.cards if faction in card.factions) == 20
    names = [card_set.cards[number].name for number in card_set.starting_deck]
    assert (names.count("Scout"), names.count("Viper"), len(names)) == (8, 2, 10)
    assert card_set.explorers == 10
    assert not card_set.reconstructed


def test_every_row_of_the_core_set_names_its_source():
    assert all(card.source in ("sheet", "gallery", "print") for card in load_cards("core").cards)


def test_bases_and_outposts_have_their_defense():
    for card in load_cards("core").cards:
        assert (card.defense > 0) == (card.kind != Kind.SHIP), card.name


def table(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def test_a_table_of_ones_own_replaces_rows_of_a_printed_one(tmp_path):
    path = table(
        tmp_path,
        'title = "Mine"\nlike = "core"\nexplorers = 3\n'
        'cards = [{ name = "Ram", faction = "blob", kind = "ship", cost = 1, copies = 9, primary = ["combat 9"] },\n'
        '{ name = "Tug", kind = "ship", cost = 2, copies = 5,'
        ' primary = ["trade 1", "or", "draw 1", "or", "combat 2"] }]',
    )
    game = stardeck.make("star_realms", set=path)
    assert game.id == "star_realms/mine/standard/2"
    states = game.from_position(
        {"players": {"player_0": {"authority": 50, "hand": ["Ram", "Tug"]}, "player_1": {"authority": 50}}}
    )
    game.play(states, "play Ram")
    game.play(states, "play Tug")
    assert set(game.moves(states[0])) == {"choose trade", "choose draw", "choose combat"}
    game.play(states, "choose combat")
    assert game.position(states[0])["players"]["player_0"]["combat"] == 11
    assert (game.deal(1)["trade_deck_count"], game.deal(1)["explorers"]) == (80 - 2 + 9 + 5 - 5, 3)


def test_an_effect_for_several_cards_stops_when_none_is_left(tmp_path):
    row = (
        '{ name = "Ram", faction = "blob", kind = "ship", cost = 1, copies = 2, primary = ["scrap 3 from trade row"] }'
    )
    game = stardeck.make("star_realms", set=table(tmp_path, f'like = "core"\ncards = [{row}]'))
    players = {"player_0": {"authority": 50, "hand": ["Ram"]}, "player_1": {"authority": 50}}
    states = game.from_position({"trade_row": ["Cutter", "Corvette"], "players": players})
    game.play(states, "play Ram")
    game.play(states, "scrap Cutter from trade row")
    assert sorted(game.position(states[0])["scrap_heap"]) == ["Corvette", "Cutter"]
    assert game.moves(states[0]) == ["end turn"]


def test_a_table_like_another_file_is_found_beside_it(tmp_path):
    table(tmp_path, 'like = "core"\nexplorers = 4\ncards = [' + ROW + "]")
    (tmp_path / "second.toml").write_text('like = "mine.toml"\ncards = [' + ROW + "]")
    assert stardeck.make("star_realms", set=tmp_path / "second.toml").variant.card_set.explorers == 4


def test_a_table_that_was_edited_is_read_again(tmp_path):
    for copies in (2, 5):
        row = f'{{ name = "Ram", faction = "blob", kind = "ship", cost = 1, copies = {copies} }}'
        game = stardeck.make("star_realms", set=table(tmp_path, f'like = "core"\ncards = [{row}]'))
        assert game.variant.card_set.cards[game.variant.card_set.numbers["Ram"]].copies == copies
    assert load_cards("core") is load_cards("core")


def test_a_reconstructed_row_is_shown(tmp_path):
    row = '{ name = "Ram", faction = "blob", kind = "ship", cost = 1, copies = 2, reconstructed = true }'
    game = stardeck.make("star_realms", set=table(tmp_path, f'like = "core"\ncards = [{row}]'))
    assert game.variant.reconstructed
    assert "reconstructed" in game.variant.provenance


def card(**columns):
    values = {"name": '"Ram"', "kind": '"ship"', "cost": "1", "copies": "2"} | columns
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items() if value) + " }"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (card(kind='"shipp"'), "Ram: kind = 'shipp': must be one of ship, base, outpost"),
        (card(cost="-1"), "Ram: cost = -1: must be a whole number from 0 to 99"),
        (card(cost=""), "Ram: cost is missing"),
        (card(faction='"blobs"'), "Ram: faction 'blobs': must be one of blob, trade_federation"),
        (card(primary='["combat five"]'), "Ram: primary: 'combat five' is not known; the words are: trade N"),
        (card(primary='["combat 0"]'), "the amount must be from 1 to 99"),
        (card(primary='["draw 1 with 99999 bases"]'), "the amount must be from 1 to 99"),
        (card(primary='"combat 5"'), "Ram: primary = 'combat 5': must be a list of texts"),
        (card(primary='["or", "combat 5"]'), '"or" stands between two abilities'),
        (card(primary='["trade 1", "or", "trade 2"]'), "would both be called 'trade'"),
        (card(primary='["trade 1", "or", "draw 2", "or", "combat 1", "or", "authority 1"]'), "at most 3 alternatives"),
        (card(ally='["draw 1"]'), "Ram: ally: must go by one faction"),
        (card(faction="5"), "Ram: faction = 5: must be a list of texts"),
        (card(faction="[5]"), "Ram: faction = [5]: must be a list of texts"),
        (card(defense="3"), "Ram: defense: only bases and outposts have one"),
        (card(kind='"base"'), "Ram: defense is missing"),
        (card(colour='"red"'), "Ram: 'colour' is not known; a row has name, faction"),
        (card(continuous='["wins"]'), "Ram: continuous: 'wins' is not known"),
        (card(primary='["copy ship"]', scrap='["draw 1"]'), '"copy ship" is for ships with no other choice'),
        (card(copies="90"), "cards in the trade deck: must be from 5 to 96"),
        ("{ cost = 1 }", "row 1 of cards has no name"),
        (card() + ", " + card(), "row 2 of cards: 'Ram' appears twice"),
    ],
)
def test_a_malformed_row_is_named_with_file_row_and_word(tmp_path, row, message):
    path = table(tmp_path, f'like = "core"\ncards = [{row}]')
    with pytest.raises(TableError, match="mine.toml") as error:
        stardeck.make("star_realms", set=path)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cards = [", "is not TOML"),
        ("cards = 3", "cards must be a list of rows"),
        (f"cards = [{ROW}]", "must name 1 to 7 factions"),
        (f'like = "core"\nfaktions = []\ncards = [{ROW}]', "'faktions' is not known"),
        (f'like = "core"\nexplorers = -1\ncards = [{ROW}]', "explorers = -1: must be a whole number from 0 to 99"),
        (f'like = "core"\nstarting_deck = ["Skout"]\ncards = [{ROW}]', "starting_deck: 'Skout' is not a card"),
        (f'like = "core"\nstarting_deck = []\ncards = [{ROW}]', "0 cards in the starting deck"),
        (f'like = "core"\nexplorers = 50\ncards = [{ROW}]', "are 160 cards: at most 141"),
        (f'like = "core"\nstarting_deck = 5\ncards = [{ROW}]', "starting_deck = 5: must be a list of texts"),
        (f'like = "core"\nstarting_deck = ["Scout x99999999999"]\ncards = [{ROW}]', "is not a card of this set"),
        (f'like = "core"\nfactions = [1, 2]\ncards = [{ROW}]', "must name 1 to 7 factions"),
        (f'like = "core"\nsources = 5\ncards = [{ROW}]', "sources = 5: must be a table"),
        (f"like = 5\ncards = [{ROW}]", "like = 5: must be a text"),
        (
            f'like = "core"\ncards = [{ROW.replace("copies = 0", "copies = 5")}]',
            "Explorer: must be a ship with copies = 0",
        ),
        (f'like = "gone.toml"\ncards = [{ROW}]', "gone.toml: cannot be read"),
        (f'like = "mine.toml"\ncards = [{ROW}]', "goes round in a circle"),
        (f'factions = ["blob"]\ncards = [{card()}]', "a row for Explorer is missing"),
    ],
)
def test_a_malformed_table_is_named(tmp_path, text, message):
    with pytest.raises(TableError) as error:
        stardeck.make("star_realms", set=table(tmp_path, text))
    assert message in str(error.value)


def without(*names, **table):
    """Return the core set without these cards."""
    return {"like": "core", "cards": [{"name": name, "copies": 0} for name in names]} | table


def test_copies_0_drops_a_card_from_the_set():
    core = load_cards("core")
    game = stardeck.make("star_realms", set=without("Cutter", "Brain World"))
    assert set(core.numbers) - set(game.variant.card_set.numbers) == {"Cutter", "Brain World"}
    assert game.deal(1)["trade_deck_count"] == 80 - 3 - 1 - 5
    assert not any("Cutter" in game.describe(game.deal(1)[0], number) for number in range(game.num_actions))
    assert stardeck.make("star_realms", **game.settings).variant.tables == game.variant.tables
    states = game.deal(np.arange(scaled(50, 2)))
    for step in range(scaled(200, 40)):
        states = states[~game.is_over(states)]
        game.apply(states, pick(game.legal_actions(states), step))


def test_a_row_that_says_more_keeps_its_card_and_a_dropped_card_may_come_back():
    kept = {"name": "Cutter", "faction": "trade_federation", "kind": "ship", "cost": 2, "copies": 0}
    for table in (
        {"like": "core", "cards": [kept], "starting_deck": ["Scout x8", "Cutter"]},
        {"like": without("Cutter"), "cards": [kept | {"copies": 1}]},
    ):
        assert "Cutter" in stardeck.make("star_realms", set=table).variant.card_set.numbers


def test_a_trade_deck_that_just_fills_the_row_is_enough():
    game = stardeck.make("star_realms", set=without(*CARDS_OF_CORE[2:]))
    assert set(game.position(game.deal(1)[0])["trade_row"]) == {"Blob Fighter", "Battle Pod"}


CARDS_OF_CORE = [card.name for card in load_cards("core").cards if card.copies]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (without("Cuter"), "set: Cuter: copies = 0 drops a card, and 'core' has none of this name"),
        (
            without("Cutter", like=without("Cutter", name="mine")),
            "Cutter: copies = 0 drops a card, and 'mine' has none",
        ),
        (without("Explorer"), "set: a row for Explorer is missing"),
        (without("Viper"), "set: starting_deck: 'Viper' is not a card of this set"),
        (without(*CARDS_OF_CORE), "set: 0 cards in the trade deck: must be from 5 to 96"),
        (without(*CARDS_OF_CORE[1:]), "set: 3 cards in the trade deck: must be from 5 to 96"),
        (
            {"factions": ["blob"], "cards": [{"name": "Cutter", "copies": 0}]},
            "Cutter: kind = None: must be one of ship",
        ),
        ({"like": "core", "cards": [{"name": "Cutter", "copies": False}]}, "Cutter: kind = None: must be one of ship"),
    ],
)
def test_cards_that_cannot_be_dropped_are_named(table, message):
    with pytest.raises(TableError) as error:
        stardeck.make("star_realms", set=table)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_a_trade_deck_must_fill_the_row_and_what_lies_before_a_boss(tmp_path):
    file = tmp_path / "tiny.toml"
    file.write_text(TINY)
    assert stardeck.make("star_realms", set=file).deal(0)[0]["trade_deck_count"] == 1
    with pytest.raises(TableError, match="6 cards in the trade deck: nemesis_beast needs 9"):
        stardeck.make("star_realms", set=file, format="nemesis_beast", players=4)
