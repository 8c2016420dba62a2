"""Spectators: a game with people shows what all its seats know, one between agents shows everything.

test_server.py checks that no byte tells a spectator more.
"""

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest
from starlette.testclient import TestClient

import stardeck
from stardeck.web import hub, match
from stardeck.web.app import app_for
from stardeck.web.match import Match, Player
from stardeck.web.public_view import PUBLIC, public_lines, public_table

log = Match.log
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((resources.files("stardeck.envs") / "table.schema.json").read_text())
)


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "PACE", 0.0)
    with TestClient(app_for(tmp_path), base_url="http://localhost") as client:
        yield client


def begin(client, seats, **settings):
    body = {"game": "star_realms", "settings": settings, "seats": seats, "seed": 5}
    return client.post("/api/games", json=body).json()


def watching(client, begun, view="page"):
    assert begun["watch"] == f"/games/{begun['id']}/watch"
    return client.websocket_connect(f"ws://localhost/api/watch/{begun['id']}/socket?view={view}")


def at_seat(client, begun, seat, **said):
    headers = {"authorization": f"Bearer {begun['seats'][seat]['token']}"}
    path = f"/api/games/{begun['id']}/{seat}"
    return client.post(path, json=said, headers=headers) if said else client.get(path, headers=headers)


def in_hands(table):
    return [thing["name"] for zone in table["zones"] if zone["kind"] in ("hand", "deck") for thing in zone["things"]]


def test_a_game_with_people_shows_no_hand_until_it_is_over(client):
    begun = begin(client, ["person", "person"], max_turns=1)
    with watching(client, begun) as line:
        seen = line.receive_json()
        assert seen["table"]["seat"] is None and not seen["open"] and not seen["controls"]
        assert in_hands(seen["table"]) == seen["table"]["moves"] == seen["play_all"] == seen["since"] == []
        counts = {zone["id"]: zone["count"] for zone in seen["table"]["zones"]}
        assert counts["player_0/hand"] == 3 and counts["player_1/hand"] == 5
        number = 0
        while not seen["table"]["over"]:
            assert in_hands(seen["table"]) == [] and seen["from"] == max(0, number - 1)
            seat = seen["table"]["to_act"]
            action = at_seat(client, begun, seat).json()["table"]["moves"][-1]["action"]
            assert at_seat(client, begun, seat, number=number, action=action).status_code == 200
            number += 1
            seen = line.receive_json()
            assert seen["number"] == number and seen["players"] == ["player 1", "player 2"]
        assert seen["open"] and in_hands(seen["table"]) and seen["end"]
        assert seen["from"] == 0 and len(seen["log"]) == number, "the log is told again with all cards"
    assert client.get(f"/api/watch/{begun['id']}/record").json()["agents"] == ["person", "person"]


def test_spectators_do_not_slow_people_down_and_learn_nothing_early(client):
    begun = begin(client, ["person", "rules"])
    with watching(client, begun, "table") as line:
        before = line.receive_json()
        for said in ({"paused": True}, {"pace": 9}, {"step": True}, {"resign": True}, {"number": 0, "action": 0}):
            line.send_json(said)
            error = {"type": "error", "error": "spectators change nothing in a game that people play"}
            assert line.receive_json() == error
    with watching(client, begun) as line:
        seen = line.receive_json()
        assert not seen["paused"] and seen["pace"] == 0 and seen["number"] == before["number"]
    for answer in (client.get(f"/api/watch/{begun['id']}/record"), client.post(f"/api/watch/{begun['id']}/replay")):
        assert answer.status_code == 400 and "the game is not over" in answer.json()["error"]
    assert client.get("/api/watch/nothing/record").status_code == 404


def test_a_game_that_its_last_person_left_stays_closed_but_can_be_paced(client, monkeypatch):
    monkeypatch.setattr(hub, "PACE", 10.0)
    begun = begin(client, ["person", "person"])
    with watching(client, begun) as line:
        line.receive_json()
        for seat in (0, 1):
            assert at_seat(client, begun, seat, resign=True).status_code == 200
        while not (seen := line.receive_json())["controls"]:
            pass
        assert not seen["open"] and in_hands(seen["table"]) == []
        line.send_json({"paused": True})
        while not (seen := line.receive_json())["paused"]:
            pass


def test_games_between_agents_have_open_cards(client):
    begun = begin(client, ["rules", "rules"])
    with watching(client, begun) as line:
        seen = line.receive_json()
        assert seen["open"] and seen["controls"] and in_hands(seen["table"])


def test_a_replay_is_not_watched(client):
    kept = client.post("/api/replays", json={"text": json.dumps(a_record())}).json()
    answer = client.get(f"/api/watch/{kept['id']}/record")
    assert answer.status_code == 404 and f"its page is /replays/{kept['id']}" in answer.json()["error"]


def a_record():
    """Return the record of a game that is played at random."""
    game, random = stardeck.make("star_realms"), np.random.default_rng(0)
    played = Match(game, 1, [Player(None, "a"), Player(None, "b")], [])
    while played.to_act is not None:
        played.apply(int(random.choice(np.flatnonzero(game.legal_actions(played.states)[0]))))
    return played.record()


def test_nobody_pays_for_spectators_who_are_not_there(client, monkeypatch):
    merged = []
    monkeypatch.setattr(match, "public_table", lambda tables: merged.append(0) or public_table(tables))
    begun = begin(client, ["person", "rules"])
    for number in range(3):
        moves = at_seat(client, begun, 0).json()["table"]["moves"]
        assert at_seat(client, begun, 0, number=number, action=moves[-2]["action"]).status_code == 200
    assert not merged
    with watching(client, begun) as line:
        line.receive_json()
    assert merged


def test_a_long_log_is_written_in_parts(client, monkeypatch):
    asked = []
    monkeypatch.setattr(Match, "log", lambda self, viewer, *most: asked.append(most) or log(self, viewer, *most))
    begun = begin(client, ["rules", "person"])
    for _ in range(25):
        while (seen := at_seat(client, begun, 1).json())["table"]["to_act"] != 1:
            pass
        if seen["number"] > 25:
            break
        move = seen["table"]["moves"][-1]["action"]
        assert at_seat(client, begun, 1, number=seen["number"], action=move).status_code == 200
    asked.clear()
    with watching(client, begun) as line:
        assert len(line.receive_json()["log"]) > 25
    assert [most for most in asked if most][:3] == [(0,), (10,), (20,)]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("star_realms", {"set": "box", "format": "raid", "players": 3, "gambits": 2}),
        ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 1}),
        ("rise_of_empire", {}),
        ("interstellar_empire", {"first_player": "bid", "players": 3}),
        ("empire_of_the_stars", {"players": 2}),
    ],
)
def test_a_public_table_is_a_table_that_names_no_more_than_every_seat_sees(name, settings):
    game = stardeck.make(name, **settings)
    played = Match(game, 3, [Player(None, str(seat)) for seat in range(game.players)], [])
    random = np.random.default_rng(1)
    while played.to_act is not None and played.number < 200:
        if played.number % 20 == 0:
            table = played.table(PUBLIC)
            SCHEMA.validate(table)
            tables = [played.table(seat) for seat in range(game.players)]
            assert table["cards"].keys() <= set.intersection(*(set(each["cards"]) for each in tables))
            counts = [[zone["count"] for zone in each["zones"]] for each in (table, *tables)]
            assert name == "empire_of_the_stars" or all(each == counts[0] for each in counts)
            if game.players == 1:
                assert table == tables[0] | {"seat": None, "moves": [], "cards": table["cards"]}
        played.apply(int(random.choice(np.flatnonzero(game.legal_actions(played.states)[0]))))


# What is common


def a_table(zones, question=None, cards=()):
    return {"seat": 0, "zones": zones, "question": question, "moves": [1], "cards": {name: {} for name in cards}}


def test_a_thing_is_named_if_every_seat_names_it():
    def hand(*names):
        things = [{"id": f"hand/{place}", "name": name} for place, name in enumerate(names)]
        return [{"id": "hand", "name": "hand", "count": len(names), "things": things}]

    seen = public_table([a_table(hand("Ram", "Scout"), cards=["Ram", "Scout"]), a_table(hand(None, "Scout"))])
    assert seen["zones"] == hand(None, "Scout") and seen["cards"].keys() == {"Scout"} and seen["moves"] == []
    others_see_it = public_table([a_table(hand(None)), a_table(hand("Ram"), cards=["Ram"])])
    assert others_see_it["zones"] == hand(None) and not others_see_it["cards"], "as its owner may be a spectator, too"


def test_a_zone_or_card_that_one_seat_knows_alone_is_left_out():
    own = [{"id": f"player_{seat}/hand", "things": [{"id": f"{seat}/Ram", "name": "Ram"}]} for seat in (0, 1)]
    assert public_table([a_table([zone], cards=["Ram"]) for zone in own]) == {
        "seat": None, "zones": [], "question": None, "moves": [], "cards": {}
    }  # fmt: skip


def test_a_question_is_shown_as_far_as_all_seats_read_it():
    texts = "keep one of two cards: Ram or Scout", "keep one of two cards"
    seen = public_table([a_table([], {"seat": 0, "words": words}) for words in texts])
    assert seen["question"] == {"seat": 0, "words": "keep one of two cards"}
    assert public_table([a_table([], {"seat": 0, "words": words}) for words in ("a", "b")])["question"] is None
    plans = [f"strength: 3; plans: attacker ({plan})" for plan in ("tactics 1", "face down")]
    assert public_table([a_table([{"id": "battle", "words": plan}]) for plan in plans])["zones"] == [
        {"id": "battle", "words": "strength: 3"}
    ]


def test_a_line_is_public_if_all_but_those_whom_it_is_about_are_told_it():
    both, apart, mates = [[0], [1]], [[0], [1], [2]], [[0, 1], [2]]
    assert public_lines([["player_0 draws Ram"], ["player_0 draws a card"]], [0, 1], both) == ["player_0 draws a card"]
    assert public_lines([["draws Ram", "trade 2"], ["draws a card"]], [0, 0], both) == ["draws a card"]
    assert public_lines([["draws a card"], ["draws Ram"]], [0, 1], both) == [], "it may be about either"
    assert public_lines([["x"], ["x"]], [0, 1], both) == ["x"] and public_lines([["x"]], [0], [[0]]) == ["x"]
    each = [["player_0 draws Ram"], ["player_0 draws Ram"], ["player_0 draws a card"]]
    assert public_lines(each, [0, 0], mates) == ["player_0 draws a card"]
    assert public_lines(each, [0, 0], apart) == []
    twice = [["player_1 loses a ship"] * 2] * 3
    assert public_lines(twice, [0, 0], apart) == twice[0]
