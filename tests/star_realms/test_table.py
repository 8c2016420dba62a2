"""The table of hand-made positions: every zone from each seat, and the place of each move."""

from functools import partial

import stardeck
from sketch import marks, places, pools, table_of, zones
from stardeck.kernels.star_realms.rules import Act
from stardeck.kernels.star_realms.text.table import PLACES

table = partial(table_of, "star_realms")


OPENING = {
    "trade_row": ["Ram", "Cutter", None, "Blob Wheel", "Cutter"],
    "trade_deck": ["Freighter x7"],
    "explorers": 2,
    "scrap_heap": ["Viper", "Scout x2"],
    "players": {
        "player_0": {
            "authority": 48,
            "trade": 3,
            "combat": 6,
            "hand": ["Viper", "Scout x2"],
            "deck": ["Scout", "Viper", "Corvette"],
            "discard": ["Explorer"],
            "in_play": [{"card": "Barter World", "used": ["primary"]}, "Barter World", "Cutter"],
        },
        "player_1": {"authority": 31, "hand": ["Scout x4"], "deck": ["Ram", "Viper x5"], "known_on_deck": 1,
                     "in_play": ["War World", "Blob Wheel"]},
    },
}  # fmt: skip


def test_a_duel_as_the_player_to_act_sees_it():
    seen = table(OPENING, 0)
    assert zones(seen) == {
        "trade_row": "Ram, Cutter, -, Blob Wheel, Cutter",
        "trade_deck": "7 more",
        "explorers": "Explorer, Explorer",
        "scrap_heap": "Scout, Scout, Viper",
        "player_0/in_play": "Barter World (primary used, defense 4), Barter World (defense 4), Cutter",
        "player_0/hand": "Scout, Scout, Viper",
        "player_0/deck": "Corvette, Scout, Viper",
        "player_0/discard": "Explorer",
        "player_1/in_play": "War World (defense 4), Blob Wheel (defense 5)",
        "player_1/hand": "4 more",
        "player_1/deck": "6 more; on top Ram",
    }
    assert pools(seen, "player_0") == {"authority": 48, "trade": 3, "combat": 6}
    assert (seen["turn"]["seat"], seen["to_act"], seen["question"]) == (0, 0, None)
    assert marks(seen) == [["turn"], []]


def test_moves_of_a_duel_and_where_they_belong():
    assert places(table(OPENING, 0)) == {
        "end turn": [],
        "play Scout": ["player_0/hand/Scout/1"],
        "play Viper": ["player_0/hand/Viper/1"],
        "use Barter World: authority": ["player_0/in_play/Barter World/2"],
        "use Barter World: trade": ["player_0/in_play/Barter World/2"],
        "use ally Cutter": ["player_0/in_play/Cutter/1"],
        "use scrap Barter World": ["player_0/in_play/Barter World/1"],  # the one with more abilities used
        "buy Ram": ["trade_row/1"],
        "buy Cutter": ["trade_row/2"],
        "buy Blob Wheel": ["trade_row/4"],
        "buy Explorer": ["explorers/Explorer/1"],
        "attack War World of player_1": ["player_1/in_play/War World/1"],
    }


def test_the_other_seat_sees_its_own_hand_and_no_moves():
    seen = table(OPENING, 1)
    assert zones(seen, "player_0/hand", "player_0/deck", "player_1/hand", "player_1/deck") == {
        "player_0/hand": "3 more",
        "player_0/deck": "3 more",
        "player_1/hand": "Scout, Scout, Scout, Scout",
        "player_1/deck": "Ram, Viper, Viper, Viper, Viper, Viper; on top Ram",
    }
    assert seen["moves"] == [] and seen["to_act"] == 0
    assert "Corvette" not in seen["cards"]


def test_cards_say_what_they_do():
    cards = table(OPENING, 0)["cards"]
    assert cards["Barter World"] == {
        "kind": "base",
        "cost": 4,
        "defense": 4,
        "factions": ["trade federation"],
        "abilities": ["+2 authority OR +2 trade", "Scrap it: +5 combat"],
        "reconstructed": False,
    }
    assert cards["Scout"]["abilities"] == ["+1 trade"] and cards["Scout"]["factions"] == []


def test_a_question_is_asked_with_its_answers():
    players = {"player_0": {"authority": 50, "hand": ["Missile Bot", "Viper"], "discard": ["Scout"]}}
    seen = table({"players": players | {"player_1": {"authority": 50}}}, 0, "play Missile Bot")
    assert seen["question"] == {"seat": 0, "words": "scrap from hand or discard pile"}
    assert places(seen) == {
        "scrap Viper from hand": ["player_0/hand/Viper/1"],
        "scrap Scout from discard": ["player_0/discard/Scout/1"],
        "decline": [],
    }


def test_a_boss_has_its_authority_and_may_be_attacked():
    position = {
        "trade_row": ["Ram"],
        "boss": {"authority": 40, "face_down": ["Cutter x3"], "unseen": 3, "waits": 2},
        "teams": {"team_0": {"authority": 75}},
        "players": {"player_0": {"combat": 2}, "player_1": {}},
    }
    seen = table(position, 0, set="box", format="nemesis_beast", players=2)
    assert seen["boss"]["id"] == "boss" and seen["boss"]["words"] == "acts after 2 more turns of the players"
    assert seen["boss"]["name"] == "Nemesis Beast" and seen["cards"]["Nemesis Beast"]["kind"] == "boss"
    assert pools(seen, "boss") == {"authority": 40}
    assert zones(seen, "boss") == {"boss/face_down": "3 more"}
    assert places(seen)["attack boss with all"] == places(seen)["attack boss with part"] == ["boss"]
    assert places(seen)["mulligan trade row"] == ["trade_row"]
    assert seen["sides"] == [[0, 1]]


def test_teammates_of_a_hydra_give_to_each_other():
    position = {
        "teams": {"team_0": {"authority": 75}, "team_1": {"authority": 60}},
        "players": {"player_0": {"trade": 2, "combat": 1}, "player_1": {}, "player_2": {}, "player_3": {}},
    }
    seen = table(position, 0, set="box", format="two_headed_hydra", players=4)
    assert seen["sides"] == [[0, 1], [2, 3]]
    assert marks(seen) == [["team_0", "turn"], ["team_0"], ["team_1"], ["team_1"]]
    assert pools(seen, "player_1") == {"authority": 75} and pools(seen, "player_2") == {"authority": 60}
    found = places(seen)
    assert found["give all trade to player_1"] == ["player_0/trade", "player_1"]
    assert found["give all combat to player_1"] == ["player_0/combat", "player_1"]
    assert found["yield to player_1"] == ["player_1"]


def test_emperors_are_marked_and_cards_are_passed():
    players = {f"player_{seat}": {"authority": 50} for seat in range(6)}
    players["player_0"] |= {"trade": 1, "discard": ["Ram"]}
    seen = table({"players": players}, 0, set="box", format="emperor", players=6)
    assert [("Emperor" in words) for words in marks(seen)] == [False, True, False, False, True, False]
    assert places(seen)["pass Ram to player_1"] == ["player_0/discard/Ram/1", "player_1"]


def test_in_a_raid_raiders_see_hands_of_raiders_and_damage_stays():
    players = {f"player_{seat}": {"authority": 50, "hand": ["Scout"]} for seat in range(3)}
    players["player_0"]["in_play"] = [{"card": "Blob Wheel", "damage": 2}, {"card": "Blob Wheel", "damage": 3}]
    players["player_1"]["combat"] = 2
    position = {"turn": "player_1", "players": players}
    raider, boss = (table(position, seat, set="box", format="raid", players=3) for seat in (1, 0))
    assert zones(raider, "player_0/hand", "player_2/hand") == {"player_0/hand": "1 more", "player_2/hand": "Scout"}
    assert zones(boss, "player_0/hand", "player_2/hand") == {"player_0/hand": "Scout", "player_2/hand": "1 more"}
    assert marks(raider)[0] == ["Boss", "team_0"]
    worn = "Blob Wheel (defense 5, damage 2), Blob Wheel (defense 5, damage 3)"
    assert zones(raider, "player_0/in_play") == {"player_0/in_play": worn}
    assert places(raider)["attack Blob Wheel of player_0"] == ["player_0/in_play/Blob Wheel/2"]


def test_gambits_lie_face_down_for_the_others():
    gambits = {"hidden": ["Bold Raid", "Salvage Operation"], "revealed": ["Energy Shield"]}
    players = {"player_0": {"authority": 50, "gambits": gambits}, "player_1": {"authority": 50}}
    own, other = (table({"players": players}, seat, set="box", gambits=2) for seat in (0, 1))
    face_down = "Bold Raid (face down), Salvage Operation (face down)"
    assert set(zones(own)["player_0/gambits"].split(", ")) == {"Energy Shield", *face_down.split(", ")}
    assert zones(other)["player_0/gambits"] == "Energy Shield, 2 more"
    assert places(own)["reveal Bold Raid"] == ["player_0/gambits/Bold Raid/1"]
    assert own["cards"]["Bold Raid"]["kind"] == "gambit" and "Bold Raid" not in other["cards"]


def test_a_campaign_says_where_it_stands():
    game = stardeck.make("rise_of_empire")
    campaign = {"scenario": 3, "victory_points": {"star_empire": 4, "trade_federation": 2}, "first": "star_empire",
                "won_by": ["star_empire", "trade_federation"], "upgraded": ["Lifter (SE 1-3)"]}  # fmt: skip
    players = {"player_0": {"authority": 50, "trade": 3}, "player_1": {"authority": 50}}
    position = {"campaign": campaign, "modifier": 1, "trade_row": ["Lifter (SE 1-3)"], "players": players}
    seen = game.table(game.from_position(position), 0)
    standing = seen["campaign"]
    assert standing["scenario"] == 3 and standing["modifier"] == 1
    assert standing["victory_points"] == {"Star Empire": 4, "Trade Federation": 2}
    assert standing["won_by"] == ["Star Empire", "Trade Federation"] + [None] * 10
    assert standing["upgraded"] == ["Lifter (SE 1-3)"] and seen["cards"]["Lifter (SE 1-3)"]["reconstructed"]
    assert places(seen)["buy Lifter (SE 1-3)"] == ["trade_row/1"]
    assert marks(seen) == [["Star Empire", "turn"], ["Trade Federation"]]


def test_a_card_that_may_be_upgraded_still_lies_on_offer():
    players = {"player_0": {"authority": 50, "trade": 9, "discard": ["Lifter"]}, "player_1": {"authority": 50}}
    position = {"trade_row": ["Lifter"], "trade_deck": ["Lifter"], "players": players}
    seen = table(position, 0, "buy Lifter", set="rise_of_empire", scenario=1)
    assert seen["question"]["words"] == "upgrade the card?"
    upgrades = {tuple(place) for words, place in places(seen).items() if words.startswith("upgrade with")}
    assert upgrades == {("trade_row/1",)}


def test_after_a_campaign_nothing_lies_before_the_players():
    game = stardeck.make("rise_of_empire")
    seen = game.table(game.from_position({"campaign": {"victory_points": {"star_empire": 9}}}))
    assert seen["campaign"]["scenario"] is None and seen["campaign"]["words"].startswith("after the last scenario")
    assert [zone for zone in seen["zones"] if zone["owner"] is not None] == []
    assert marks(seen) == [["Star Empire"], ["Trade Federation"]] and seen["moves"]


def test_a_gambit_is_chosen_by_who_has_paid_for_the_look():
    position = {
        "looked_at": ["Bold Raid", "Salvage Operation"],
        "pending": [{"decision": "keep", "seat": "player_0", "owner": "player_0"}],
        "players": {"player_0": {"authority": 50}, "player_1": {"authority": 50}},
    }
    own, other = (table(position, seat, set="box", gambits=2) for seat in (0, 1))
    looked_at = "player_0/looked_at"
    assert places(own) == {f"keep {name}": [f"{looked_at}/{name}/1"] for name in position["looked_at"]}
    assert zones(other, looked_at) == {looked_at: "2 more"} and "Bold Raid" not in other["cards"]


def test_an_ability_that_was_used_is_a_mark():
    seen = table(OPENING, 0, "use ally Cutter")
    assert zones(seen)["player_0/in_play"].endswith("Cutter (ally used)")
    assert pools(seen, "player_0")["combat"] == 10


def test_what_has_no_place_is_a_button():
    buttons = {Act.END_TURN, Act.CHOOSE, Act.ADD, Act.DONE, Act.DECLINE, Act.MODIFIER, Act.FILL_UP}
    assert set(Act) - set(PLACES) == buttons
