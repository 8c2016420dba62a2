"""Properties of Interstellar Empire beyond its scenarios.

Cards are conserved, every question has an answer, hidden cards are resampled consistently, and errors name their cause.
"""

import numpy as np
import pytest

import stardeck
from helpers import VARIANTS, game_of, pick, random_steps, scaled, tally, thorough
from stardeck import agents
from stardeck.kernels.contract.card_tables import TableError
from stardeck.kernels.interstellar_empire.cards.table import load_cards
from stardeck.kernels.interstellar_empire.rules import Family
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask

MINE = [variant for variant in VARIANTS if variant.startswith("interstellar_empire")]
TWO = "interstellar_empire/2"


def everywhere(game, states):
    """Count the cards of each kind in all places: int[n, kinds]."""
    kinds = len(game.variant.card_set.cards)
    zones = ("hand", "untapped", "tapped", "empire")
    found = sum(states["players"][zone].sum(axis=1, dtype=np.int64) for zone in zones) + states["attackers"]

    for pile, count in (("deck", "deck_count"), ("discard_pile", "discard_count")):
        tally(found, states[pile], np.arange(states[pile].shape[1]) < states[count][:, None])
    sent = states["defenders"]["card"]
    tally(found, sent, np.arange(sent.shape[1]) < states["sent_count"][:, None])
    for loose in (states["looked_at"], states["players"]["bid"][:, : game.players]):
        tally(found, loose, loose != NO_CARD)
    found[np.arange(len(states)), states["subject"]] += (states["to_act"] >= 0) & (states["ask"] == Ask.JUNGLE)
    return found[:, :kinds]


def check(game, states):
    owned = [card.copies for card in game.variant.card_set.cards]
    assert (everywhere(game, states) == owned).all(), "every card is in exactly one place"
    running = ~game.is_over(states)
    assert (game.legal_actions(states).any(axis=1) == running).all()
    families = np.array([card.family for card in game.variant.card_set.cards])
    players = states["players"][:, : game.players]
    for zone, family in (("untapped", Family.SHIP), ("tapped", Family.SHIP), ("empire", Family.PLANET)):
        assert not players[zone][..., : len(families)][..., families != family].any(), zone
    at_war = (states["ask"] >= Ask.ATTACKERS) & (states["ask"] <= Ask.NUMBER)
    assert not states["attackers"][~at_war].any() and not states["sent_count"][~at_war].any()
    assert not states["attack_score"][at_war & (states["ask"] != Ask.NUMBER)].any(), "no number has been drawn"
    sent = states["defenders"][~at_war]
    assert not sent["card"].any() and not sent["tapped"].any(), "ships of a war leave no trace"
    out = players["out"] != 0
    assert not players["hand"][out].any() and not players["empire"][out].any()


@pytest.mark.parametrize("variant", MINE)
def test_every_card_is_in_one_place_and_every_question_has_an_answer(variant):
    game = game_of(variant)
    asked = set()
    for states in random_steps(game, scaled(300, 4), 1000, seed=2):
        check(game, states)
        asked |= set(states["ask"].tolist())
    if scaled(True, False) and "concede" not in variant:
        assert asked == {ask.value for ask in Ask}


@pytest.mark.parametrize("name", ["simple", "rules"])
@pytest.mark.parametrize("variant", MINE)
def test_agents_are_legal_and_lose_no_card(variant, name):
    game = game_of(variant)
    agent = agents.get(name)
    states = game.deal(np.arange(scaled(100, 2)))
    while len(states := states[~game.is_over(states)]):
        check(game, states)
        seeds = np.arange(len(states), dtype=np.uint64) + states["decisions"].astype(np.uint64)
        game.apply(states, agent.act(game, states, game.legal_actions(states), seeds))


@pytest.mark.parametrize("variant", MINE)
def test_any_position_can_be_written_down_and_set_up(variant):
    game = game_of(variant)
    for step, states in enumerate(random_steps(game, scaled(thorough(40, 10), 3), 1000, seed=3)):
        for row in range(step % 5, len(states), 5):
            position = game.position(states[row])
            assert game.position(game.from_position(position)[0]) == position


def test_the_hand_of_whoever_is_asked_explains_the_question():
    """The game asks only a player with a fitting special; resampling keeps one and redraws the rest."""
    game = game_of(TWO)
    players = {
        "player_0": {"hand": ["Cruiser", "Frigate"], "empire": ["Barren Planet"]},
        "player_1": {"hand": ["Resistance", "Destroyer"]},
    }
    pending = {"ask": "resistance", "seat": "player_1", "planet": "Barren Planet", "how": "discovered"}
    deck = ["Frigate x3", "Battleship x2", "Resistance", "Slavery"]
    states = game.from_position({"deck": deck, "pending": pending, "players": players})
    copies = game.resample_hidden(states.repeat(500), 0, np.arange(500))
    resistance = game.variant.card_set.numbers["Resistance"]
    held = copies["players"][:, 1]["hand"]
    assert (held[:, resistance] >= 1).all()
    both = (held[:, resistance] == 2).mean()
    # 9 unseen cards, 2 of them Resistance: 1 pair of 15 with at least one
    assert abs(both - 1 / 15) < 0.05
    assert len({hand.tobytes() for hand in held}) >= 5


def test_a_draw_pays_nobody_and_has_no_winner():
    game = game_of(TWO)
    even = {"fleet": ["Frigate"], "empire": ["Barren Planet"]}
    position = {"deck": ["Frigate"], "players": {"player_0": even | {"hand": ["Cruiser"]}, "player_1": even}}
    states = game.from_position(position)
    game.play(states, "end turn")
    assert game.is_over(states)[0] and not game.winners(states).any()
    assert game.placements(states).tolist() == [[1, 1]] and game.returns(states).tolist() == [[0, 0]]


def test_the_table_that_comes_along_is_the_reconstruction_and_says_so():
    """Facts: 60 cards, ten of each number from 1 to 6; 26 ships, 20 planets, 14 specials of seven kinds."""
    card_set = load_cards("reconstructed")
    assert sum(card.copies for card in card_set.cards) == 60
    for number in range(1, 7):
        assert sum(card.copies for card in card_set.cards if card.number == number) == 10
    for family, count in ((Family.SHIP, 26), (Family.PLANET, 20), (Family.SPECIAL, 14)):
        assert sum(card_set.cards[card].copies for card in card_set.of(family)) == count
    assert len(card_set.of(Family.SPECIAL)) == 7
    assert card_set.reconstructed and "reconstructed" in game_of(TWO).variant.provenance


def test_a_table_of_ones_own_is_played(tmp_path):
    file = tmp_path / "printed.toml"
    file.write_text(
        'title = "Printed"\ncards = [{ name = "Scout", family = "ship", number = 1, copies = 20 },'
        '{ name = "Moon", family = "planet", number = 2, copies = 20 },'
        '{ name = "Storm", family = "special", number = 6, copies = 4, effect = "2 more in a war" }]'
    )
    game = stardeck.make("interstellar_empire", cards=file, players=3)
    assert not game.variant.reconstructed and game.id == "interstellar_empire/3/cards=printed"
    for states in random_steps(game, 20, 500):
        check(game, states)
    with pytest.raises(TableError, match="must have more than 10 cards for each player"):
        stardeck.make("interstellar_empire", cards=shorter(file), players=3)


def shorter(file):
    file.write_text(file.read_text().replace("copies = 20", "copies = 13"))
    return file


ROW = '{ name = "Scout", family = "ship", number = 1, copies = 20 }'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cards = [", "is not TOML"),
        (f"cards = [{ROW}]", "title = None: must be a text"),
        (f'titel = "A"\ncards = [{ROW}]', "'titel' is not known; a card table has name, title"),
        (
            f'title = "A"\ncards = [{ROW.replace("ship", "boat")}]',
            "family = 'boat': must be one of ship, planet, special",
        ),
        (f'title = "A"\ncards = [{ROW.replace("number = 1", "number = 7")}]', "must be a whole number from 1 to 6"),
        (f'title = "A"\ncards = [{ROW.replace("copies", "effect = 3, copies")}]', "effect: 3 is not known for a ship"),
        (f'title = "A"\ncards = [{ROW.replace("20", "60")}]', "60 ships: at most 40"),
        (f'title = "A"\ncards = [{ROW}]', "A: has no planet"),
        ('title = "A"\ncards = [{ name = "S", family = "special", number = 1, copies = 1 }]', "a special needs one"),
    ],
)
def test_a_malformed_table_is_named(tmp_path, text, message):
    file = tmp_path / "mine.toml"
    file.write_text(text.replace("copies = 20", "copies = 30") if "no planet" in message else text)
    with pytest.raises(TableError) as error:
        stardeck.make("interstellar_empire", cards=str(file))
    assert message in str(error.value)


DECK = {"deck": ["Frigate x4"]}
AT_WAR = {"planet": "Barren Planet", "defender": "player_1", "attackers": ["Cruiser"]}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"cards": []}, "position: 'cards' is not known; allowed: turn, phase"),
        ({"deck": ["Fregate"]}, "deck: 'Fregate' is not a card of Interstellar Empire"),
        ({}, "deck: is empty"),
        (DECK | {"turn": "player_2"}, "turn: 'player_2': must be one of player_0, player_1"),
        (DECK | {"phase": "party"}, "phase: 'party': must be one of bid, declare, draw, explore, war, build"),
        (DECK | {"phase": "bid"}, "has no bid for the first turn"),
        (DECK | {"phase": "declare"}, "player_0 has declared already"),
        (DECK | {"bids": {"player_0": "Frigate"}}, "bids: only in phase bid"),
        (DECK | {"players": {"player_0": {"fleet": ["Barren Planet"]}}}, "fleet: 'Barren Planet' is not a ship"),
        (DECK | {"players": {"player_0": {"empire": ["tapped Frigate"]}}}, "empire: 'tapped Frigate' is not a card"),
        (
            DECK | {"players": {"player_0": {"government": "dictator"}}},
            "government: 'dictator': must be one of emperor",
        ),
        (DECK | {"players": {"player_0": {"out": True}}}, "conceding is not offered"),
        (DECK | {"players": {"player_0": {"hand": ["Frigate x99"]}}}, "hand: 99 cards: at most 80"),
        (DECK | {"players": {"player_0": {"hand": ["Slavery x78"]}}}, "position: 82 cards: at most 80"),
        (DECK | {"players": {"player_0": {"hand": ["Frigate x40"]}}}, "position: 44 ships: at most 40"),
        (DECK | {"pending": {"ask": "song"}}, "pending: ask: 'song': must be one of ship, pay"),
        (
            DECK | {"pending": {"ask": "ship", "planet": "Barren Planet"}},
            "Barren Planet is not in the empire of player_0",
        ),
        (DECK | {"pending": {"ask": "pay", "card": "Cruiser"}}, "Cruiser is not untapped in the fleet of player_0"),
        (DECK | {"pending": {"ask": "pay", "card": "Slavery"}}, "Slavery is neither planet nor ship"),
        (DECK | {"pending": {"ask": "keep", "seat": "player_0", "cards": ["Frigate"]}}, "must be two cards"),
        (DECK | {"pending": {"ask": "defenders"}}, "pending: war is missing"),
        (DECK | {"war": AT_WAR}, "war: a war needs a pending question"),
        (DECK | {"war": AT_WAR, "pending": {"ask": "defenders"}}, "Barren Planet is not in the empire of player_1"),
        (DECK | {"war": AT_WAR, "pending": {"ask": "jungle"}}, "Barren Planet has no price of conquest"),
        (
            DECK | {"war": AT_WAR | {"planet": "Jungle Planet"}, "pending": {"ask": "jungle"}},
            "ships return to their fleets before the question of a jungle",
        ),
        (
            DECK | {"pending": {"ask": "pay", "card": "Cruiser"}, "players": {"player_0": {"fleet": ["Cruiser"]}}},
            "pending: pay: player_0 cannot be asked this",
        ),
        (
            DECK
            | {"pending": {"ask": "piracy", "seat": "player_1", "ship": "Cruiser"}}
            | {"players": {"player_0": {"fleet": ["Cruiser"]}, "player_1": {"hand": ["Frigate"]}}},
            "pending: piracy: player_1 cannot be asked this",
        ),
        (DECK | {"extra_draws": 2}, "extra_draws: 2: only in phase draw"),
        (DECK | {"placement": {"player_0": 2}}, "placement: a seat with a place is still in the game"),
    ],
)
def test_a_malformed_position_is_named(position, message):
    with pytest.raises(ValueError) as error:
        game_of(TWO).from_position(position)
    assert message in str(error.value)


def test_who_concedes_is_out_and_the_last_one_left_wins():
    game = stardeck.make("interstellar_empire", players=3, concede=True)
    states = game.deal(1)
    game.play(states, "concede")
    assert game.eliminated(states).tolist() == [[True, False, False]]
    assert game.certain_returns(states)[0, 0] == -0.5
    game.play(states, "concede")
    assert game.is_over(states)[0] and game.returns(states).tolist() == [[-0.5, -0.5, 1]]
    assert game.placements(states).tolist() == [[3, 2, 1]]


def test_a_draw_of_the_others_is_lost_for_who_conceded():
    game = stardeck.make("interstellar_empire", players=3, concede=True)
    hand = {"hand": ["Frigate"]}
    players = {"player_0": hand, "player_1": hand, "player_2": hand}
    states = game.from_position({"deck": ["Cruiser x2"], "players": players})
    game.play(states, "concede")
    game.play(states, "end turn")
    assert game.placements(states).tolist() == [[3, 1, 1]]
    assert game.returns(states).tolist() == [[-0.5, 0, 0]]


def test_who_has_conceded_in_a_position_holds_the_last_place():
    game = stardeck.make("interstellar_empire", players=3, concede=True)
    states = game.from_position({"deck": ["Cruiser x2"], "players": {"player_2": {"out": True}}})
    assert game.certain_returns(states)[0, 2] == -0.5
    game.play(states, "concede")
    assert game.placements(states).tolist() == [[2, 1, 3]]
    assert game.position(game.from_position(game.position(states[0]))[0]) == game.position(states[0])


def test_who_wins_the_bid_of_a_position_has_the_first_turn():
    game = stardeck.make("interstellar_empire", first_player="bid")
    players = {"player_0": {"hand": ["Frigate"]}, "player_1": {"hand": ["Cruiser"]}}
    states = game.from_position({"phase": "bid", "deck": ["Frigate x3"], "players": players})
    game.play(states, "bid Frigate")
    game.play(states, "bid Cruiser")
    assert game.first_seats(states).tolist() == [1] and game.position(states[0])["first"] == "player_1"
    assert states["turn"].tolist() == [1]


def test_random_games_of_four_with_everything_on_end():
    game = stardeck.make("interstellar_empire", players=4, first_player="bid", governments=True, concede=True)
    states = game.deal(np.arange(scaled(200, 3)))
    assert game.num_actions == 128
    for step in range(2000):
        running = np.flatnonzero(~game.is_over(states))
        if not len(running):
            return
        some = game.copy(states[running])
        check(game, some)
        game.apply(some, pick(game.legal_actions(some), step))
        states[running] = some
    raise AssertionError("some game goes on for ever")
