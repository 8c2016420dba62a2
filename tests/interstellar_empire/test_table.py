"""The table of hand-made positions: every zone from each seat, and the place of each move."""

from functools import partial

from sketch import marks, places, table_of, zones
from stardeck.kernels.interstellar_empire.rules import Act
from stardeck.kernels.interstellar_empire.text.table import PLACES

WAR = {
    "turn": "player_0",
    "phase": "war",
    "deck": ["Frigate x9"],
    "discard_pile": ["Resistance", "Cruiser"],
    "players": {
        "player_0": {"hand": ["Frigate", "Surprise Attack"], "fleet": ["Frigate", "tapped Battleship"]},
        "player_1": {"hand": ["Cruiser x2"], "fleet": ["Destroyer", "tapped Destroyer"], "empire": ["Barren Planet"]},
    },
    "war": {"planet": "Barren Planet", "defender": "player_1", "attackers": ["Cruiser x2"],
            "defenders": ["tapped Battleship", "Frigate"]},
    "pending": {"ask": "defenders"},
}  # fmt: skip


table = partial(table_of, "interstellar_empire")


def test_a_war_with_ships_on_both_sides():
    seen = table(WAR, 1)
    assert zones(seen) == {
        "deck": "9 more",
        "discard": "Resistance, 1 more",
        "war/attackers": "Cruiser, Cruiser",
        "war/defenders": "Frigate, Battleship (tapped)",
        "player_0/fleet": "Frigate, Battleship (tapped)",
        "player_0/hand": "2 more",
        "player_1/fleet": "Destroyer, Destroyer (tapped)",
        "player_1/empire": "Barren Planet",
        "player_1/hand": "Cruiser, Cruiser",
    }
    assert seen["battle"] == {
        "name": "war",
        "words": "over Barren Planet of player_1",
        "place": ["player_1/empire/Barren Planet/1"],
        "sides": [
            {"name": "attacker", "seats": [0], "amounts": {}},
            {"name": "defender", "seats": [1], "amounts": {}},
        ],
    }
    assert seen["question"] == {"seat": 1, "words": "send ships to defend"}
    assert places(seen) == {
        "send Destroyer": ["player_1/fleet/Destroyer/1"],
        "send tapped Destroyer": ["player_1/fleet/tapped/Destroyer/1"],
        "done": [],
    }
    assert (seen["turn"]["seat"], seen["turn"]["phase"], marks(seen)) == (0, "war", [["turn"], []])


def test_moves_of_a_turn_and_where_they_belong():
    position = {
        "deck": ["Frigate x9"],
        "phase": "explore",
        "players": {
            "player_0": {"hand": ["Frigate x4", "Barren Planet", "Ancient Artifact"], "fleet": ["Cruiser"]},
            "player_1": {"empire": ["Jungle Planet"], "hand": ["Cruiser x2"]},
        },
    }
    found = places(table(position, 0))
    assert found == {
        "end turn": [],
        "explore Barren Planet": ["player_0/hand/Barren Planet/1"],
        "build Frigate": ["player_0/hand/Frigate/1"],
        "attack Jungle Planet of player_1": ["player_1/empire/Jungle Planet/1"],
        "play Ancient Artifact on player_1": ["player_0/hand/Ancient Artifact/1", "player_1"],
    }


def test_a_payment_names_what_it_is_for():
    position = {
        "deck": ["Frigate x9"],
        "players": {
            "player_0": {"hand": ["Frigate x2", "Cruiser"], "fleet": ["Cruiser"], "empire": ["Barren Planet"]},
            "player_1": {},
        },
        "pending": {"ask": "pay", "card": "Barren Planet", "paid": 0},
    }
    seen = table(position, 0)
    assert seen["question"] == {"seat": 0, "words": "pay for Barren Planet: 0 of 1"}
    assert places(seen) == {
        "pay Frigate": ["player_0/hand/Frigate/1"],
        "pay Cruiser": ["player_0/hand/Cruiser/1"],
    }


def test_a_bid_lies_face_down_for_the_others():
    hand = {"hand": ["Frigate", "Cruiser"]}
    position = {"phase": "bid", "deck": ["Frigate x9"], "bids": {"player_0": "Battleship"},
                "players": {f"player_{seat}": hand for seat in range(3)}}  # fmt: skip
    own, other = (table(position, seat, players=3, first_player="bid") for seat in (0, 1))
    assert zones(own, "player_0/bid") == {"player_0/bid": "Battleship"}
    assert zones(other, "player_0/bid") == {"player_0/bid": "1 more"} and "Battleship" not in other["cards"]
    assert places(other) == {"bid Frigate": ["player_1/hand/Frigate/1"], "bid Cruiser": ["player_1/hand/Cruiser/1"]}
    assert (other["turn"]["seat"], other["turn"]["phase"]) == (None, "bid")


def test_cards_looked_at_are_seen_by_who_picks():
    position = {"deck": ["Frigate x9"], "players": {"player_0": {}, "player_1": {}},
                "pending": {"ask": "keep", "seat": "player_1", "cards": ["Cruiser", "Slavery"]}}  # fmt: skip
    own, other = (table(position, seat) for seat in (1, 0))
    assert zones(own, "looked_at") == {"looked_at": "Cruiser, Slavery"}
    assert zones(other, "looked_at") == {"looked_at": "2 more"}
    assert places(own) == {"keep Cruiser": ["looked_at/Cruiser/1"], "keep Slavery": ["looked_at/Slavery/1"]}
    assert own["question"]["words"] == "keep one of two cards: Cruiser or Slavery"
    assert other["question"]["words"] == "keep one of two cards"


def test_cards_shown_for_an_artifact_are_seen_by_all():
    pending = {"ask": "artifact", "seat": "player_1", "caster": "player_0", "cards": ["Cruiser", "Slavery"]}
    position = {"deck": ["Frigate x9"], "players": {"player_0": {}, "player_1": {}}, "pending": pending}
    assert zones(table(position, 0), "looked_at") == {"looked_at": "Cruiser, Slavery"}


def test_governments_and_who_has_conceded_are_marks():
    position = {
        "deck": ["Frigate x9"],
        "players": {"player_0": {"government": "dictator"}, "player_1": {"out": True}, "player_2": {}},
    }
    seen = table(position, 2, players=3, governments=True, concede=True)
    assert marks(seen) == [["dictator", "turn"], ["has conceded"], ["emperor"]]
    assert [player["out"] for player in seen["players"]] == [False, True, False]
    assert zones(seen, "player_1") == {}


def test_cards_say_what_they_are_worth_and_do():
    card = table(WAR, 1)["cards"]["Destroyer"]
    assert card["abilities"] == ["2 in a war; costs 2 to build"]
    assert (card["kind"], card["cost"], card["number"], card["reconstructed"]) == ("ship", 2, 2, True)


def test_what_has_no_place_is_a_button():
    buttons = {Act.END_TURN, Act.DONE, Act.PASS, Act.DECLINE, Act.DECLARE, Act.CONCEDE}
    assert set(Act) - set(PLACES) == buttons
