"""The server: whole games over its socket, each seat's view, restarts, and every invalid request."""

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import stardeck
from helpers import entry_of_example, thorough
from stardeck import agents
from stardeck.agents.former_names import FORMER
from stardeck.agents.search.agent import ROLES, SearchAgent
from stardeck.benchmarks.recordings import record
from stardeck.game.catalogue import GAMES
from stardeck.kernels.errors import IllegalAction
from stardeck.web import app, fair_queue, hub
from stardeck.web.api import _ViewSocket
from stardeck.web.app import app_for
from stardeck.web.choices import RequestError, agent_from, game_from
from stardeck.web.hub import LiveGame
from stardeck.web.match import Match, Player
from stardeck.web.page_view import decisions, since, with_places
from stardeck.web.public_view import PUBLIC
from stardeck.web.store import Store, StoredGame, StoreError

IE = "interstellar_empire"
BASE = "http://localhost"
WS = "ws://localhost"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    monkeypatch.setattr(hub, "PACE", 0.0)


def server(folder, **options):
    return TestClient(app_for(folder, **options), base_url=BASE)


def begin(client, seats, game=IE, seed=None, **settings):
    body = {"game": game, "settings": settings, "seats": seats} | ({} if seed is None else {"seed": seed})
    answer = client.post("/api/games", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


def path(begun, seat=0):
    return f"/api/games/{begun['id']}/{seat}"


def token(begun, seat=0):
    return {"authorization": f"Bearer {begun['seats'][seat]['token']}"}


def socket(client, begun, seat=0, view="table"):
    return client.websocket_connect(f"{WS}{path(begun, seat)}/socket?view={view}&token={begun['seats'][seat]['token']}")


def play_on(socket, seat, most=100_000):
    """Take the last legal move whenever it is the seat's turn; return the last view."""
    seen = socket.receive_json()
    for _ in range(most):
        table = seen["table"]
        if table["over"]:
            break
        if table["to_act"] == seat:
            socket.send_json({"number": seen["number"], "action": table["moves"][-1]["action"]})
        seen = socket.receive_json()
        assert seen["type"] == "sight", seen
    return seen


def test_a_bot_plays_a_whole_game(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "rules"], seed=5)
        assert client.get(f"{path(begun)}/record", headers=token(begun)).status_code == 400, "it is not over"
        with socket(client, begun) as line:
            seen = play_on(line, 0)
        assert seen["table"]["over"] and seen["table"]["seat"] == 0
        written = client.get(f"{path(begun)}/record", headers=token(begun)).json()
        game, states = record.replay(written)
        assert game.id == begun["variant"] and game.is_over(states)[0] and written["agents"] == ["person", "rules"]
        log = client.get(path(begun), headers=token(begun)).json()["log"]
        assert len(log) == seen["number"] and [entry["number"] for entry in log] == list(range(len(log)))


def test_the_log_of_a_page_comes_once_and_its_entries_have_their_places(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "person"], seed=1)
        with socket(client, begun, 0, "page") as one:
            seen = one.receive_json()
            assert seen["log"] == [] and seen["since"] == [] and seen["end"] is None
            assert seen["players"] == ["player 1", "player 2"]
            assert seen["seats"] == [{"kind": "person", "agent": None, "strength": None}] * 2
            sent = []
            for number in range(4):
                seat = seen["table"]["to_act"]
                moves = client.get(path(begun, seat), headers=token(begun, seat)).json()["table"]["moves"]
                said = {"number": number, "move": moves[0]["words"]}
                assert client.post(path(begun, seat), json=said, headers=token(begun, seat)).status_code == 200
                seen = one.receive_json()
                sent += seen["log"]
            assert [entry["number"] for entry in sent] == [0, 1, 2, 3]
            assert all(isinstance(entry["places"], list) and entry["turn_number"] >= 0 for entry in sent)
            assert all(entry["sentence"].startswith(("You ", "Player 2 ")) for entry in sent)


def test_a_page_says_where_things_are_now_and_what_has_happened():
    game = stardeck.make("star_realms")
    players = {
        "player_0": {"authority": 50, "hand": ["Scout x2"], "trade": 2, "combat": 3},
        "player_1": {"authority": 50, "hand": ["Viper x3"]},
    }
    position = {"turn": "player_0", "trade_row": ["Ram", "Cutter"], "players": players}
    match = Match(game, 1, [Player(None, "a"), Player(agents.get("rules"), None)], [], position)
    for words in ("play Scout", "buy Cutter", "attack player_1 with all", "end turn"):
        match.apply(game.parse(match.states, words)[0])
    own, bought, attacked, ended = with_places(match, 1, match.log(1))
    assert own["sentence"] == "Player 1 plays Scout" and bought["sentence"] == "Player 1 buys Cutter"
    assert attacked["sentence"] == "Player 1 attacks you with all 3 combat"
    assert own["places"] == ["player_0/in_play/Scout/1"] and ended["places"] == []
    assert bought["places"] == ["player_0/discard/Cutter/1"] and attacked["places"] == ["player_1"]
    (first, second) = since(match, 1)
    assert first["seat"] == 0 and first["lines"][0] == "Player 1 plays Scout"
    assert second == {"seat": 1, "lines": [], "pools": {"authority": [50, 47]}}
    assert since(match, 0) == [] and since(match, None) == []
    assert match.log(0)[2]["sentence"] == "You attack rules with all 3 combat"


def test_a_page_offers_its_shortcuts_to_the_seat_to_act_alone():
    game = stardeck.make("star_realms")
    match = Match(game, 4, [Player(None, "a"), Player(None, "b")], [])
    seat = match.to_act
    assert decisions(match, seat)["play_all"] == game.play_all(match.states) != []
    assert decisions(match, 1 - seat) == decisions(match, None) == {"play_all": [], "grouped": []}


def test_several_actions_are_applied_together_or_not_at_all(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "person"], game="star_realms", seed=3)
        say = {"headers": token(begun)}
        with socket(client, begun, 0, "page") as line:
            safe = line.receive_json()["play_all"]
        assert len(safe) > 1
        table = client.get(path(begun), **say).json()["table"]
        end = next(move["action"] for move in table["moves"] if move["kind"] == "end_turn")
        for actions, message in [
            ([*safe, *safe], "is not legal here"), ([end, *safe], "does not decide any more"), ([10**9], "10"),
            ([], "actions"), ([True], "actions"), ([0] * 1000, "actions"), (safe[0], "actions"),
        ]:  # fmt: skip
            answer = client.post(path(begun), json={"number": 0, "actions": actions}, **say)
            assert answer.status_code in (400, 422) and message in answer.json()["error"], answer.text
            assert client.get(path(begun), **say).json()["number"] == 0
        both = client.post(path(begun), json={"number": 0, "actions": safe, "action": end}, **say)
        assert both.status_code == 400 and "either an action or a move" in both.json()["error"]
        assert client.post(path(begun), json={"number": 0, "actions": safe}, **say).json() == {"number": len(safe)}
    with server(tmp_path) as client:
        assert client.get(path(begun), **say).json()["number"] == len(safe), "they are stored"


def test_a_rematch_has_the_same_players_and_tokens(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "rules"], seed=5, governments=True)
        refused = client.post(f"{path(begun)}/rematch", json={}, headers=token(begun))
        assert refused.status_code == 400 and "not over" in refused.json()["error"]
        with socket(client, begun, 0, "page") as line:
            seen = play_on(line, 0)
        end = seen["end"]
        assert end["winners"] == seen["table"]["over"]["winners"] and end["words"].endswith((" won", "draw"))
        assert sorted(row["seat"] for row in end["standings"]) == [0, 1]
        assert [row["place"] for row in end["standings"]] == sorted(seen["table"]["over"]["placements"])
        assert [len(amounts) for amounts in end["pools"]["planets"]] == [seen["number"] + 1] * 2
        for swap, own in ((False, 0), (True, 1)):
            answer = client.post(f"{path(begun)}/rematch", json={"swap": swap}, headers=token(begun))
            assert answer.status_code == 201
            again = answer.json()
            assert again["variant"] == begun["variant"] and again["id"] != begun["id"]
            assert [seat["player"] for seat in again["seats"]][own] == "person"
            assert (
                again["seats"][own]["token"] == begun["seats"][0]["token"] and again["seats"][1 - own]["token"] is None
            )
            assert again["seats"][own]["page"].startswith(f"/games/{again['id']}/{own}#")
            assert client.get(path(again, own), headers=token(begun)).json()["table"]["over"] is None
            assert client.get(path(again, 1 - own), headers=token(begun)).status_code == 404
            same = client.post(f"{path(begun)}/rematch", json={"swap": swap}, headers=token(begun)).json()
            assert same["id"] == again["id"], "all who ask get the same game"
        for body in ({"swap": 1}, {"turn": True}, []):
            assert client.post(f"{path(begun)}/rematch", json=body, headers=token(begun)).status_code == 422
        assert client.post(f"{path(begun)}/rematch", json={}).status_code == 404


def test_a_game_goes_on_after_a_restart(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "rules"], seed=5)
        with socket(client, begun) as line:
            before = play_on(line, 0, most=30)
    with server(tmp_path) as client:
        after = client.get(path(begun), headers=token(begun)).json()
        assert after["number"] >= before["number"] > 0
        with socket(client, begun) as line:
            assert play_on(line, 0)["table"]["over"]


def test_the_last_choice_can_be_taken_back_against_agents_alone(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "rules"], game="star_realms", seed=3)
        say = {"headers": token(begun)}
        assert "nothing to take back" in client.post(path(begun), json={"back": True}, **say).json()["error"]
        first = client.get(path(begun), **say).json()
        client.post(path(begun), json={"number": 0, "action": first["table"]["moves"][1]["action"]}, **say)
        assert client.get(path(begun), **say).json()["number"] == 1
        assert client.post(path(begun), json={"back": True}, **say).json() == {"number": 0}
        again = client.get(path(begun), **say).json()
        assert again == first
        two = begin(client, ["person", "person"], game="star_realms")
        answer = client.post(path(two), json={"back": True}, headers=token(two))
        assert answer.status_code == 400 and "against agents alone" in answer.json()["error"]


def test_who_gives_up_is_played_on_by_an_agent_and_hints_know_no_more(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "rules"], seed=5)
        hint = client.post(path(begun), json={"hint": "rules"}, headers=token(begun)).json()["hint"]
        table = client.get(path(begun), headers=token(begun)).json()["table"]
        assert hint["action"] in [move["action"] for move in table["moves"]]
        with socket(client, begun) as line:
            line.receive_json()
            line.send_json({"resign": True})
            while not (seen := line.receive_json())["table"]["over"]:
                pass
            line.send_json({"resign": True})
            assert line.receive_json()["error"] == "the game is over"
        assert seen["number"] > 5


def test_who_has_given_up_sees_the_end_and_plays_again(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "person"], seed=5)
        assert client.post(path(begun), json={"resign": True}, headers=token(begun)).status_code == 200
        for said in {"resign": True}, {"hint": "rules"}, {"move": "end turn"}:
            answer = client.post(path(begun), json=said, headers=token(begun))
            assert answer.status_code == 400 and "given up" in answer.json()["error"]
        assert client.post(path(begun, 1), json={"resign": True}, headers=token(begun, 1)).status_code == 200
    with server(tmp_path) as client:  # which is started again
        with socket(client, begun) as line:
            while not line.receive_json()["table"]["over"]:
                pass
        for asked in (
            client.get(f"{path(begun)}/record", headers=token(begun)),
            client.post(f"{path(begun)}/replay", headers=token(begun)),
        ):
            assert asked.status_code in (200, 201)
        again = client.post(f"{path(begun)}/rematch", json={"swap": True}, headers=token(begun)).json()
        assert [bool(seat["token"]) for seat in again["seats"]] == [False, True], "the token of who asks alone"
        for seat, own in ((1, 0), (0, 1)):
            seen = client.get(path(again, seat), headers=token(begun, own))
            assert seen.status_code == 200 and seen.json()["number"] == 0


def test_agents_play_while_somebody_looks_and_stop_when_told(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "PACE", 10.0)
    with server(tmp_path) as client:
        begun = begin(client, ["rules", "simple"])
        assert begun["watch"] == f"/games/{begun['id']}/watch" and begun["seats"][0]["token"] is None
        line = f"{WS}/api/watch/{begun['id']}/socket"
        with client.websocket_connect(line) as one:
            assert one.receive_json()["table"]["seat"] is None
            one.send_json({"paused": True})
        with client.websocket_connect(line) as one:
            before = one.receive_json()["number"]
            for number in range(before, before + 3):
                one.send_json({"step": True})
                while one.receive_json()["number"] == number:
                    pass
            one.send_json({"paused": False, "pace": 0})
            while not (seen := one.receive_json())["table"]["over"]:
                pass
        assert seen["number"] > 10
        assert client.get(f"/api/watch/{begun['id']}/record").json()["agents"] == ["rules", "simple"]


def test_whoever_looks_is_told_that_an_agent_failed(tmp_path, monkeypatch):
    def failing(*given):
        raise RuntimeError("no move comes to mind")

    monkeypatch.setattr(Match, "ask", failing)
    with server(tmp_path) as client:
        begun = begin(client, ["rules", "simple"])
        with client.websocket_connect(f"{WS}/api/watch/{begun['id']}/socket") as one:
            while not (seen := one.receive_json())["trouble"]:
                pass
        assert seen["trouble"] == "an agent failed: no move comes to mind" and seen["number"] == 0


# Hidden information


def told(match, seat, view):
    """Return every byte that a viewer at this seat receives about a match."""
    live = LiveGame.__new__(LiveGame)
    live.match, live.paused, live.pace, live.trouble = match, False, 0.0, ""
    live.saved = StoredGame("", "", {}, "", 0, [{"person": "a"}] * len(match.players), [])
    looker = _ViewSocket(None, None, live, seat, view)
    return json.dumps(looker._sight())


KINDS = [
    ("star_realms", {}, 1),
    ("star_realms", {"set": "box", "format": "two_headed_hydra"}, 1),
    ("star_realms", {"set": "box", "format": "raid", "players": 3, "gambits": 2}, 1),
    ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 2}, 1),
    ("interstellar_empire", {"first_player": "bid", "players": 3}, 1),
    ("empire_of_the_stars", {"players": 2}, 1),
    ("rise_of_empire", {}, 1),
    ("beacons", {"players": 3}, 24),
]


def dealt_again(match, seat):
    """Return the match with its last decision in another deal of the seat's unknown cards; None if impossible.

    If the decision is secret to the seat, it may be another one too.
    """
    game, before, action = match.game, match.at(match.number - 1), match.actions[-1]
    again = game.resample_hidden(game.copy(before), seat, np.array([match.number], np.uint64))
    legal = game.legal_actions(again)[0]
    if int(before[0]["to_act"]) != seat and game.is_secret(before, action):
        action = int(np.flatnonzero(legal)[-1])
    if not legal[action]:
        return None
    other = Match(game, 11, match.players, [])
    other._courses, other.actions = [*match._courses[:-2], again], match.actions[:-1]
    other._logs = {viewer: match.log(viewer)[:-1] for viewer in (seat, PUBLIC)}
    other._tables = {key: table for key, table in match._tables.items() if key[0] < match.number - 1}
    other.apply(action)
    return other


def turned_up(match):
    """Check for face-down cards that were revealed to all and put away, and are on no table."""
    return any(line.startswith(("attack:", "bids:")) for line in match.log(None)[-1]["news"])


@pytest.mark.parametrize(("name", "settings", "games"), KINDS)
def test_no_byte_tells_a_viewer_what_it_cannot_know(name, settings, games, monkeypatch):
    """Wherever a seat's table is the same after a decision in two deals, so is every byte sent to it.

    A spectator knows no more than any seat, and is sent the same bytes, too.
    """
    monkeypatch.setattr(GAMES, "_entries", GAMES._entries | {"beacons": entry_of_example()})
    monkeypatch.setattr("stardeck.web.match.MOST_TABLES", 500)
    game = stardeck.make(name, **settings)
    random = np.random.default_rng(0)
    compared = 0
    for seed in range(11, 11 + games):
        match = Match(game, seed, [Player(None, str(seat)) for seat in range(game.players)], [])
        while match.to_act is not None and match.number < 450:
            match.apply(int(random.choice(np.flatnonzero(game.legal_actions(match.states)[0]))))
            public = None
            for seat in range(game.players) if match.number % thorough(3, 9) == 0 else ():
                other = dealt_again(match, seat)
                if other is None or match.table(seat) != other.table(seat) or turned_up(match):
                    continue
                compared += bool((other.states != match.states).any())
                for view in ("table", "page"):
                    assert told(match, seat, view) == told(other, seat, view)
                if match.to_act is not None:  # a page tells all that a table does
                    public = told(match, None, "page") if public is None else public
                    assert public == told(other, None, "page")
    assert compared > 8


def test_others_secret_decisions_are_not_in_the_log():
    game = stardeck.make(IE, first_player="bid")
    match = Match(game, 1, [Player(None, "a"), Player(None, "b")], [])
    match.apply(int(np.flatnonzero(game.legal_actions(match.states)[0])[0]))
    seat = match.log(None)[0]["seat"]
    assert match.log(1 - seat)[0]["words"] == "decides in secret" and match.log(seat)[0]["words"].startswith("bid")


# Invalid requests


def test_wrong_seats_tokens_and_moves_change_nothing(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "person"], seed=2)
        other = begin(client, ["person", "person"], seed=2)
        seat = client.get(path(begun), headers=token(begun)).json()["table"]["to_act"]
        before = client.get(path(begun, seat), headers=token(begun, seat)).json()
        action = before["table"]["moves"][0]["action"]
        good = {"number": 0, "action": action}
        for at, headers, code in [
            (path(begun, seat), {}, 404),
            (path(begun, seat), token(other, seat), 404),
            (path(begun, seat), token(begun, 1 - seat), 404),
            (path(begun, seat), {"authorization": "Basic x"}, 404),
            (path(begun, 7), token(begun, seat), 404),
            (path(begun, -1), token(begun, seat), 404),
            (f"/api/games/nothing/{seat}", token(begun, seat), 404),
            (f"/api/games/..%2F..%2Fetc/{seat}", token(begun, seat), 404),
            (path(begun, 1 - seat), token(begun, 1 - seat), 400),
        ]:
            answer = client.post(at, json=good, headers=headers)
            assert answer.status_code == code and len(answer.text) < 500, answer.text
        for said, message in [
            ({"action": action}, "number=-1: 0 decisions have been taken"),
            ({"number": 1, "action": action}, "number=1: 0 decisions"),
            ({"number": 0, "action": 10**9}, "10"),
            ({"number": 0, "action": -1}, "-1"),
            ({"number": 0, "move": "fly to the moon"}, "fly to the moon"),
            ({"number": 0, "move": "x", "action": 1}, "either an action or a move"),
            ({"number": "0", "action": action}, "number"),
            ({"number": 0, "action": True}, "action"),
            ({"moves": 1}, "moves"),
            ({"move": "x" * 1000}, "move"),
            ({"hint": "mine.py:Agent"}, "agent 'mine.py:Agent': must be one of"),
            ({"pace": -1}, "pace=-1"),
            ({"pace": "x"}, "pace"),
        ]:
            answer = client.post(path(begun, seat), json=said, headers=token(begun, seat))
            assert answer.status_code in (400, 422) and message in answer.json()["error"], answer.text
        assert client.get(path(begun, seat), headers=token(begun, seat)).json() == before


def test_a_socket_answers_what_it_cannot_take_and_goes_on(tmp_path):
    with server(tmp_path) as client:
        begun = begin(client, ["person", "person"], seed=2)
        with socket(client, begun) as line:
            line.receive_json()
            for text in ("", "{", "[]", "null", "1", '{"action": 1e99}', "[" * 5000, "x" * 20_000, '{"number": 0}x'):
                line.send_text(text)
                answer = line.receive_json()
                assert answer["type"] == "error" and 0 < len(answer["error"]) < 400
            line.send_json({"hint": "nobody"})
            assert "nobody" in line.receive_json()["error"]
        for at in (f"{path(begun)}/socket?token=wrong", f"{path(begun)}/socket", "/api/games/nothing/0/socket",
                   "/api/watch/nothing/socket"):  # fmt: skip
            with client.websocket_connect(WS + at) as line:  # else browsers get no reason
                with pytest.raises(WebSocketDisconnect) as closed:
                    line.receive_json()
            assert closed.value.code == 4404 and closed.value.reason
        for at in (
            f"{path(begun)}/socket?view=wide",
            f"/api/games/{begun['id']}/x/socket",
        ):
            with client.websocket_connect(WS + at) as line:
                with pytest.raises(WebSocketDisconnect) as closed:
                    line.receive_json()
            assert closed.value.code == 4422 and ("view" in closed.value.reason or "seat" in closed.value.reason)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"game": "chess", "seats": []}, "game 'chess': must be one of star_realms"),
        ({"game": IE, "seats": ["person"]}, "seats: 1 given: interstellar_empire/2 has 2"),
        ({"game": IE, "seats": ["person"] * 9}, "seats"),
        ({"game": IE, "seats": ["person", "nobody"]}, "agent 'nobody': must be one of"),
        ({"game": IE, "seats": ["person", "search:9999999"]}, "agent 'search:9999999'"),
        ({"game": IE, "seats": ["person", "search:5000"]}, "a search here has from 1 to 2,000"),
        *(
            ({"game": IE, "seats": ["person", f"search:10:{role}=mine.py"]}, f"{role} must be one of rules")
            for role in ROLES
        ),
        *(
            ({"game": IE, "seats": ["person", f"search:10:{role}=mine.py"]}, f"{FORMER[role]} must be one of rules")
            for role in ("guide", "judge", "others")
        ),
        ({"game": IE, "seats": ["person", "search:10:reuse=1"]}, "reuse is for games that are played in one go"),
        ({"game": IE, "seats": ["person", "search:10:threads=2"]}, "threads is for games that are played in one go"),
        ({"game": IE, "seats": ["person", "/etc/passwd"]}, "agent '/etc/passwd'"),
        ({"game": IE, "seats": ["person", "results/agent.safetensors"]}, "must be one of"),
        ({"game": IE, "seats": ["person", "rules"], "seed": -1}, "seed=-1"),
        ({"game": IE, "seats": ["person", "rules"], "seed": 2**64}, "seed"),
        ({"game": IE, "seats": ["person", "rules"], "settings": {"players": 9}}, "players=9"),
        ({"game": IE, "seats": ["person", "rules"], "settings": {"colour": 1}}, "colour"),
        ({"game": IE, "seats": ["person", "rules"], "settings": {"cards": "/etc/passwd"}}, "reads no files"),
        ({"game": "star_realms", "seats": ["person", "rules"], "settings": {"set": "../core.toml"}}, "reads no files"),
        (
            {"game": "star_realms", "seats": ["person", "rules"], "settings": {"set": {"like": "core"}}},
            "reads no files",
        ),
        ({"game": IE}, "seats: Field required"),
        ({"game": IE, "seats": ["rules", "rules"], "more": 1}, "more"),
        ([], "valid dictionary"),
    ],
)
def test_games_that_cannot_be_are_refused(tmp_path, body, message):
    with server(tmp_path) as client:
        answer = client.post("/api/games", json=body)
        assert answer.status_code in (400, 422) and message in answer.json()["error"], answer.text


def test_only_pages_of_this_server_may_change_anything(tmp_path):
    with server(tmp_path) as client:
        body = {"game": IE, "seats": ["person", "person"]}
        strange = {"origin": "http://elsewhere.example"}
        assert client.post("/api/games", json=body, headers=strange).status_code == 403
        assert client.post("/api/games", json=body, headers={"origin": BASE}).status_code == 201
        assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 403
        begun = begin(client, ["person", "person"])
        at = f"{path(begun)}/socket?token={begun['seats'][0]['token']}"
        with client.websocket_connect(WS + at, headers=strange) as line:  # else browsers get no reason
            with pytest.raises(WebSocketDisconnect) as closed:
                line.receive_json()
        assert closed.value.code == 4403 and "pages of other servers" in closed.value.reason
        large = client.post("/api/games", content=b"x" * 1_000_001, headers={"content-type": "application/json"})
        assert large.status_code == 413
        streamed = client.post("/api/games", content=(b"x" * 100_000 for _ in range(11)))
        assert streamed.status_code == 413
        assert client.post("/api/games", content=b"{").status_code == 422


def addresses(page):
    """Return the addresses of other servers in a page; names of XML vocabularies, as in SVG, load nothing."""
    named = re.sub(r"""\sxmlns(:\w+)?=(["'])http://www\.w3\.org/[^"']*\2""", "", page)
    return re.findall(r"""(?:https?:|["'(=\s])//[\w.\[-][^\s"')>]*""", named)


def test_addresses_of_other_servers_are_found_beside_the_names_of_svg():
    assert addresses('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><a href="/learn"/></svg>') == []
    for outside in ("https://elsewhere.example/x.js", "http://www.w3.org/x.svg", "//elsewhere.example/x.js"):
        assert addresses(f'<svg xmlns="http://www.w3.org/2000/svg"><image href="{outside}"/></svg>'), outside


def test_pages_and_their_files_are_there_and_load_nothing_from_elsewhere(tmp_path):
    with server(tmp_path) as client:
        for page in ("/", "/games/x/watch", "/games/x/1"):
            answer = client.get(page)
            assert answer.status_code == 200 and not addresses(answer.text)
            assert "default-src 'self'" in answer.headers["content-security-policy"]
        for name in ("style.css", "theme.js", "home.js", "table.js", "icon.svg"):
            assert client.get(f"/static/{name}").status_code == 200
        assert client.get("/static/../app.py").status_code == 404
        listed = client.get("/api/games").json()
        assert set(listed["games"]) == {"star_realms", "rise_of_empire", IE, "empire_of_the_stars"}
        found = client.get("/api/variant", params={"game": IE, "settings": '{"players": 3}'}).json()
        assert found["players"] == 3 and found["variant"] == "interstellar_empire/3"
        for settings in ("[]", "{", "[" * 2000):
            assert client.get("/api/variant", params={"game": IE, "settings": settings}).status_code == 400
        assert "/api/games/{game}/{seat}" in client.get("/openapi.json").json()["paths"]


def test_a_name_of_an_element_is_of_one_kind_on_all_pages(tmp_path):
    """The pages share a style sheet: a rule for an id of one page would also apply to another."""
    kinds = {}
    for template in sorted((Path(app.__file__).parent / "templates").glob("*.html")):
        for tag, name in re.findall(r'<([a-z]+)[^>]*? id="([a-z-]+)"', template.read_text(encoding="utf-8")):
            kinds.setdefault(name, {}).setdefault(tag, []).append(template.name)
    assert len(kinds) > 15 and not {name: tags for name, tags in kinds.items() if len(tags) > 1}


def test_an_address_that_cannot_be_read_is_refused_in_the_reader_s_form(tmp_path):
    with server(tmp_path) as client:
        page = client.get("/games/x/first")
        assert page.status_code == 422 and page.headers["content-type"].startswith("text/html") and "seat" in page.text
        assert "seat" in client.get("/api/games/x/first").json()["error"]


def test_agents_of_the_owner_are_offered_by_name(tmp_path):
    game = game_from(IE, {})
    assert agent_from("mine", game, {"mine": "search:2:prior=rules"}).name == "search:2:prior=rules"
    with pytest.raises(RequestError, match="agent 'mine'"):
        agent_from("mine", game, {})


def test_half_a_character_is_refused_like_any_name(tmp_path):
    with server(tmp_path) as client:
        for path, body in (
            ("/api/games", {"game": IE, "seats": [], "settings": {"\ud800": 1}}),
            ("/api/replays", {"text": json.dumps({"variant": IE, "settings": {"\ud800": 1}, "moves": []})}),
        ):
            answer = client.post(path, content=json.dumps(body), headers={"Content-Type": "application/json"})
            assert answer.status_code == 400 and answer.json()["error"]


@pytest.mark.parametrize("text", ["search:1" + ":a=1" * 40 + "!", "search:1" + ":a=1" * 1_000])
def test_no_text_of_an_agent_takes_long_to_refuse(text):
    """In another process: a pattern that tries too much would hold this one for ever."""
    code = f"from stardeck.web.choices import agent_from; agent_from({text!r}, None, {{}})"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert "must be one of" in found.stderr


def test_games_that_nobody_looks_at_leave_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "MOST_LIVE", 3)

    async def play():
        games = hub.Hub(Store(tmp_path / "games.sqlite"))
        begun = []
        for seats in [["rules", "person"], ["rules", "rules"], ["person", "person"]] * 3:
            live, _ = await games.begin(IE, {}, seats, 1)
            begun.append(live)
            live.pace = 0
            while "person" in seats and seats[0] == "rules" and live.match.to_act == 0:
                await live.changed.wait()
        watched = begun[-1]
        watched.lookers = 1
        for seed in range(5):
            await games.begin(IE, {}, ["person", "person"], seed)
        kept = len(games._live), watched.id in games._live
        number = begun[0].match.number
        again = await games.find(begun[0].id)
        same = again is not begun[0] and again.match.number == number
        await games.close()
        return kept, same

    assert asyncio.run(play()) == ((3, True), True)


def test_a_move_in_words_is_played_whole_or_not_at_all(monkeypatch):
    """A part of an amount takes several actions; if one of them fails, none counts."""
    game = stardeck.make(IE)
    match = Match(game, 1, [Player(None, "a"), Player(None, "b")], [])
    legal = int(np.flatnonzero(game.legal_actions(match.states)[0])[0])
    with pytest.raises(IllegalAction):
        match.apply(game.num_actions - 1)
    assert match.number == 0
    match.apply(legal)
    match.go_back(0)
    assert match.number == 0 and match.log(None) == []


def test_a_store_belongs_to_one_server(tmp_path):
    saved = StoredGame("a", IE, {}, "t", 2**63 - 1, [{"agent": "rules"}], [1, 2])
    store = Store(tmp_path / "games.sqlite")
    store.add(saved)
    store.append("a", 2, [3, 4])
    store.cut("a", 3)
    assert store.get("a") == saved._replace(actions=[1, 2, 3]) and store.get("b") is None
    with pytest.raises(StoreError, match="another server may have it open"):
        Store(tmp_path / "games.sqlite")
    store.close()
    (tmp_path / "bad.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(StoreError, match="cannot be used"):
        Store(tmp_path / "bad.sqlite")
    newer = sqlite3.connect(tmp_path / "newer.sqlite")
    newer.execute("PRAGMA user_version=9")
    newer.close()
    with pytest.raises(StoreError, match="another version"):
        Store(tmp_path / "newer.sqlite")


@pytest.mark.parametrize(
    ("method", "where", "headers"),
    [
        ("GET", "/", {"host": "["}),
        ("GET", "/", {"host": "localhost:x"}),
        ("GET", "/", {"host": "[::1"}),
        ("POST", "/api/games", {"origin": "http://["}),
        ("POST", "/api/games", {"origin": "http://localhost:99999"}),
        ("GET", "/static/%00", {}),
        ("GET", "/games/%00/watch", {}),
        ("GET", "/results/%00", {}),
        ("GET", "/api/games/%00/0", {}),
    ],
)
def test_malformed_headers_and_paths_are_bad_requests(tmp_path, method, where, headers):
    with server(tmp_path) as client:
        assert client.request(method, where, headers=headers).status_code == 400


@pytest.mark.parametrize("headers", [{"host": "["}, {"origin": "http://["}])
def test_a_socket_with_malformed_headers_is_closed(tmp_path, headers):
    with (
        server(tmp_path) as client,
        pytest.raises(WebSocketDisconnect) as closed,
        client.websocket_connect(f"{WS}/api/watch/x/socket", headers=headers) as socket,
    ):
        socket.receive_json()
    assert closed.value.code == 4400


@pytest.mark.parametrize("name", ["device", "version", "copy", "render_mode"])
def test_options_that_are_no_settings_are_refused_by_name(tmp_path, name):
    body = {"game": IE, "seats": ["person", "rules"], "settings": {name: "cuda"}}
    with server(tmp_path) as client:
        answer = client.post("/api/games", json=body)
        assert answer.status_code == 400 and f"{name}='cuda': {IE} has no such setting" in answer.json()["error"]
        assert client.get("/api/variant", params={"game": IE, "settings": json.dumps({name: 1})}).status_code == 400


def test_starting_decks_are_settings_of_a_request_and_of_the_game_that_is_kept(tmp_path):
    decks = [["Scout x8", "Viper x5"], ["Scout x8", "Viper x2"]]
    with server(tmp_path) as client:
        listed = client.get("/api/games").json()["games"]["star_realms"]
        assert next(setting for setting in listed if setting["name"] == "starting_deck")["kind"] == "decks"
        asked = {"game": "star_realms", "settings": json.dumps({"starting_deck": decks})}
        found = client.get("/api/variant", params=asked).json()
        assert found["settings"]["starting_deck"] == decks and "starting_deck=2-" in found["variant"]
        begun = begin(client, ["person", "person"], "star_realms", 3, starting_deck=decks)
    with server(tmp_path) as client:
        assert client.get(path(begun), headers=token(begun)).status_code == 200, "a server reads it again"
        own = client.get(path(begun), headers=token(begun)).json()["table"]
        assert "starting_deck=2-" in own["variant"]
        bad = {"game": "star_realms", "seats": ["person", "rules"], "settings": {"starting_deck": [["Skout"], []]}}
        answer = client.post("/api/games", json=bad)
        assert answer.status_code == 400 and "'Skout' is not a card of this set" in answer.json()["error"]


def test_seats_take_turns_at_hints_and_no_decision_waits_for_them(tmp_path, monkeypatch):
    order, first = [], threading.Event()

    def advice(game, states, agent, seat):
        first.wait()
        order.append(id_of[states.tobytes()])
        return 0

    monkeypatch.setattr(hub, "advice", advice)
    id_of = {}

    async def ask():
        games = hub.Hub(Store(tmp_path / "games.sqlite"))
        lives = [(await games.begin(IE, {}, ["person", "person"], seed))[0] for seed in (1, 2)]
        id_of.update({live.match.states.tobytes(): number for number, live in enumerate(lives)})
        seats = [live.match.to_act for live in lives]
        many = [asyncio.create_task(games.hint(lives[0], seats[0], "rules")) for _ in range(40)]
        await asyncio.sleep(0)
        one = asyncio.create_task(games.hint(lives[1], seats[1], "rules"))
        await asyncio.sleep(0)
        assert await games.elsewhere(lambda: "decided") == "decided", "while every hint waits"
        first.set()
        found = await asyncio.gather(*many, one, return_exceptions=True)
        await games.close()
        return found

    found = asyncio.run(ask())
    refused = [each for each in found if isinstance(each, RequestError)]
    assert len(refused) == 40 - fair_queue.MOST_WAITING and {each.status_code for each in refused} == {429}
    assert len(order) == fair_queue.MOST_WAITING + 1 and 1 in order[:2], "one seat waits for one hint of another"


def test_lines_go_in_turn_whatever_one_of_them_asks_for_or_gives_up():
    async def ask():
        line, order, gate = fair_queue.SearchQueue("test", 1), [], threading.Event()

        async def asks(who, pieces):
            with line.place(who) as think:
                for _ in range(pieces):
                    await think(lambda: (gate.wait(), order.append(who)))

        gives_up = asyncio.create_task(asks("gave up", 1))
        await asyncio.sleep(0)
        tasks = [asyncio.create_task(asks(who, pieces)) for who, pieces in (("many", 4), ("many", 4), ("few", 2))]
        tasks.append(asyncio.create_task(asks("gave up", 1)))
        await asyncio.sleep(0)
        gives_up.cancel()  # its work is already on the thread, and its line waits for it
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(*tasks)
        line.close()
        return order

    order = asyncio.run(ask())
    assert order[:6] == ["gave up", "many", "few", "gave up", "many", "few"] and order[6:] == ["many"] * 6


def test_a_server_that_searches_for_many_refuses_more_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(fair_queue, "MOST_LINES", 0)
    with server(tmp_path) as client:
        begun = begin(client, ["person", "person"], IE)
        seat = client.get(path(begun), headers=token(begun)).json()["table"]["to_act"]
        answers = [
            client.post(path(begun, seat), json={"hint": "rules"}, headers=token(begun, seat)),
            client.post("/api/games", json={"game": IE, "seats": ["person", "search:2000ms"]}),
        ]
        for answer in answers:
            assert answer.status_code == 503
            assert answer.json()["error"] == "the server searches for 0 others already; try again later"
        assert begin(client, ["person", "rules"], IE), "nobody waits for searches"


def test_a_quick_agent_waits_for_no_agent_that_searches(tmp_path, monkeypatch):
    first, thinking = threading.Event(), threading.Semaphore(0)

    def act(self, game, states, masks, seeds):
        thinking.release()
        first.wait()
        return masks.argmax(axis=1)

    async def play():
        games = hub.Hub(Store(tmp_path / "games.sqlite"))
        monkeypatch.setattr(hub.record, "warm_up", lambda game, agents: None)
        monkeypatch.setattr(SearchAgent, "act", act)
        for seed in range(3 * hub.available_cores()):
            await games.begin(IE, {}, ["search:2000ms:prior=rules", "search:2000ms:prior=rules"], seed)
        lives = list(games._live.values())
        for live in lives:
            live.lookers = 1
            games.wake(live)
        await asyncio.to_thread(thinking.acquire)
        quick, _ = await games.begin(IE, {}, ["rules", "rules"], 1)
        quick.lookers = 1
        games.wake(quick)
        while quick.match.to_act is not None:
            await asyncio.wait_for(quick.changed.wait(), 60)
        decided = [live.match.number for live in lives]
        first.set()
        await games.close()
        return decided

    assert set(asyncio.run(play())) == {0}
