"""Replays: uploaded as text, taken from results or played here; their analysis; playing on."""

import io
import json
import sys
import xml.etree.ElementTree as ET
import zipfile
from functools import cache

import pytest
import yaml
from app_writer import NAMES, Hasty, Writer
from PIL import Image
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import stardeck
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.recordings import record
from stardeck.web import fair_queue
from stardeck.web.app import app_for

IE = "interstellar_empire"
BASE, WS = "http://localhost", "ws://localhost"


def server(folder, **options):
    return TestClient(app_for(folder, **options), base_url=BASE)


@cache
def a_record(game=IE, seed=4, **settings):
    return record.play(stardeck.make(game, **settings), ["rules", "simple"], seed)


def bring(client, text):
    return client.post("/api/replays", json={"text": text})


def socket(client, kept):
    return client.websocket_connect(f"{WS}/api/replays/{kept['id']}/socket")


def hands_of(scene):
    """Return the visible cards in the hand of each of two players."""
    zones = {zone["id"]: zone["things"] for zone in scene["table"]["zones"]}
    return [zones[f"player_{seat}/hand"] for seat in (0, 1)]


def until(line, kind, holds=lambda message: True):
    while not ((message := line.receive_json())["type"] == kind and holds(message)):
        assert message["type"] != "error", message
    return message


def test_a_recorded_game_is_stepped_through(tmp_path):
    written = a_record()
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(written) + "\n").json()
        assert kept["page"] == f"/replays/{kept['id']}" and client.get(kept["page"]).status_code == 200
        with socket(client, kept) as line:
            scene = line.receive_json()
            assert scene["at"] == scene["of"] and scene["over"] and scene["players"] == ["rules", "simple"]
            assert len(scene["log"]) == scene["of"] and scene["played"] is None
            line.send_json({"at": 3})
            scene = line.receive_json()
            assert scene["at"] == 3 and scene["played"] and scene["table"]["seat"] is None and "log" not in scene
            assert all(hands_of(scene))
            line.send_json({"seat": 1})
            scene = line.receive_json()
            hands = hands_of(scene)
            assert scene["table"]["seat"] == 1 and hands[1] and not hands[0] and "log" in scene


def test_the_things_that_the_next_decision_concerns_are_named(tmp_path):
    text = yaml.safe_dump(POSITION | {"moves": [{"player_0": "play Blob Fighter"}]})
    with server(tmp_path) as client:
        kept = bring(client, text).json()
        with socket(client, kept) as line:
            assert line.receive_json()["places"] == []
            line.send_json({"at": 0})
            scene = line.receive_json()
            things = {thing["id"]: thing["name"] for zone in scene["table"]["zones"] for thing in zone["things"]}
            assert [things[place] for place in scene["places"]] == ["Blob Fighter"]


def test_a_view_of_a_seat_does_not_say_what_another_decides_in_secret(tmp_path):
    written = a_record("empire_of_the_stars", 1, max_turns=2, at_limit="score")
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(written)).json()
        with socket(client, kept) as line:
            line.receive_json()
            line.send_json({"seat": 1})
            log = line.receive_json()["log"]
            secret = next(entry["number"] for entry in log if entry["words"] == "decides in secret")
            line.send_json({"at": secret})
            scene = line.receive_json()
            assert scene["galaxy"].startswith("<svg") and scene["played"] == "decides in secret"
            assert scene["places"] == []
            line.send_json({"seat": None})
            scene = line.receive_json()
            assert scene["played"] == written["moves"][secret] and scene["places"]


def test_a_replay_is_nobodys_to_play_and_outlives_the_server(tmp_path):
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record())).json()
    with server(tmp_path) as client:
        for door in (f"/api/games/{kept['id']}/0", f"/api/watch/{kept['id']}/record"):
            assert client.get(door, headers={"authorization": "Bearer x"}).status_code == 404
        with socket(client, kept) as line:
            assert line.receive_json()["over"]


POSITION = {
    "game": "star_realms",
    "position": {
        "turn": "player_0",
        "trade_row": ["Cutter", "Ram", "Corvette", "Trade Bot", "Blob Wheel"],
        "trade_deck": ["Freighter x3"],
        "players": {
            "player_0": {"authority": 3, "hand": ["Blob Fighter", "Trade Pod"], "deck": ["Scout x5"]},
            "player_1": {"authority": 3, "hand": ["Viper x5"], "deck": ["Viper x2"]},
        },
    },
}


def test_a_position_is_analysed_and_played_on(tmp_path):
    """Only Blob Fighter has the combat to win at once; without its attack the game is lost."""
    text = yaml.safe_dump([POSITION | {"name": "a win", "moves": [{"player_0": "play Blob Fighter"}]}])
    with server(tmp_path) as client:
        kept = bring(client, text).json()
        with socket(client, kept) as line:
            assert line.receive_json()["of"] == 1
            line.send_json({"analyse": True, "prior": "rules"})
            thoughts = until(line, "thoughts")
            wins = {move["words"]: move["win"] for move in thoughts["moves"]}
            assert wins["attack player_1 with all"] == 1 and wins["end turn"] == 0
            assert thoughts["seat"] == 0 and thoughts["win"] > 0.9
            line.send_json({"analyse": False})
            until(line, "scene")
        begun = client.post(
            f"/api/replays/{kept['id']}/branch", json={"number": 1, "seats": ["person", "rules"]}
        ).json()
        own = {"authorization": f"Bearer {begun['seats'][0]['token']}"}
        door = f"/api/games/{begun['id']}/0"
        said = {"number": 1, "move": "attack player_1 with all"}
        assert client.post(door, json=said, headers=own).status_code == 200
        assert client.get(door, headers=own).json()["table"]["over"]
        assert "began from a position" in client.get(f"{door}/record", headers=own).json()["error"]
        again = client.post(f"{door}/replay", headers=own).json()
        with socket(client, again) as line:
            assert line.receive_json()["players"] == ["person", "rules"]


def test_the_whole_game_is_thought_about_once_and_mistakes_are_named(tmp_path):
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record("star_realms", 2))).json()
        seen = []
        for _ in range(2):
            with socket(client, kept) as line:
                of = line.receive_json()["of"]
                line.send_json({"course": True, "prior": "expert"})
                turns = []
                while len(turns) < of:
                    message = until(line, "course")
                    assert message["from"] == len(turns)
                    turns += message["turns"]
                seen.append(turns)
        assert seen[0] == seen[1] and [turn["number"] for turn in seen[0]] == list(range(of))
        chances = [turn["win"] for turn in seen[0] if turn["win"] is not None]
        assert all(0 <= chance <= 1 for chance in chances)
        worst = max(seen[0], key=lambda turn: turn["lost"])
        assert worst["lost"] > 0.05 and worst["played"] != worst["better"]


def test_closed_and_open_cards_are_told_apart(tmp_path):
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record("star_realms", 2))).json()

        def chances(line, open_cards):
            line.send_json({"at": 20, "analyse": True, "prior": "rules", "open": open_cards})
            until(line, "scene", lambda scene: scene["at"] == 20)
            return [move["win"] for move in until(line, "thoughts")["moves"]]

        with socket(client, kept) as line:
            assert chances(line, False) != chances(line, True)


def test_the_choices_of_two_agents_are_compared_here_and_in_the_whole_game(tmp_path):
    """In seat 0 of the record `rules` played, which looks at nothing hidden: its choice is what it played."""
    written = a_record()
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(written)).json()
        with socket(client, kept) as line:
            of = line.receive_json()["of"]
            line.send_json({"at": 0, "compare": ["rules", "random"]})
            rules, chance = until(line, "choices")["agents"]
            assert [move["words"] for move in rules["moves"]] == [written["moves"][0]]
            assert rules["moves"][0]["share"] == 1 and rules["action"] == rules["moves"][0]["action"]
            assert len(chance["moves"]) > 1
            assert sum(move["share"] for move in chance["moves"]) == pytest.approx(1, abs=1e-3)
            turns, message = [], {"to": 0}
            while message["to"] < of:
                message = until(line, "differences")
                turns += message["turns"]
    assert 20 < len(turns) < of  # some decisions are forced
    own = [turn for turn in turns if turn["seat"] == 0]
    assert own and all(turn["actions"][0] == turn["played"] for turn in own)
    differing = [turn for turn in turns if turn["actions"][0] != turn["actions"][1]]
    assert 0 < len(differing) < len(turns)
    for turn in turns:
        assert ("words" in turn) == (turn in differing)
    for turn in differing:
        assert turn["words"][2] == written["moves"][turn["number"]] and turn["words"][0] != turn["words"][1]


def test_a_comparison_is_told_once_and_begins_anew_with_other_agents(tmp_path):
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record("star_realms", 2))).json()
        with socket(client, kept) as line:
            of = line.receive_json()["of"]
            line.send_json({"at": 1, "compare": ["rules", "rules"]})
            turns = []
            message = {"to": 0}
            while message["to"] < of:
                before, message = message["to"], until(line, "differences")
                assert message["from"] == before
                turns += message["turns"]
            assert turns and all(turn["actions"][0] == turn["actions"][1] and "words" not in turn for turn in turns)
            line.send_json({"at": 2})
            assert until(line, "choices")["at"] == 2  # with nothing of the whole game after it
            line.send_json({"compare": ["rules", "simple"]})
            while line.receive_json()["type"] != "choices":
                pass
            assert until(line, "differences")["from"] == 0
            line.send_json({"compare": []})
            while line.receive_json()["type"] != "scene":
                pass
            line.send_json({"at": 0})
            assert line.receive_json()["at"] == 0


def test_the_agents_of_the_game_are_listed(tmp_path):
    with server(tmp_path, offered={"mine": "rules"}) as client:
        short = a_record("empire_of_the_stars", 1, max_turns=2, at_limit="score")
        for played, there in ((a_record("star_realms", 2), True), (short, False)):
            kept = bring(client, json.dumps(played)).json()
            with socket(client, kept) as line:
                scene = line.receive_json()
                agents = scene["agents"]
                assert scene["prior"] in agents and (scene["prior"] == "expert") == there
                assert {"mine", "rules", "simple", "random"} <= set(agents)
                assert {"same-faction", "expert"} & set(agents) == ({"same-faction", "expert"} if there else set())


@pytest.mark.parametrize("wish", ["analyse", "course"])
def test_an_analysis_waits_in_the_lines_of_hints_and_is_refused_when_they_are_too_many(tmp_path, monkeypatch, wish):
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record())).json()
        with socket(client, kept) as line:
            line.receive_json()
            monkeypatch.setattr(fair_queue, "MOST_LINES", 0)
            line.send_json({"at": 3, wish: True})
            until(line, "scene")
            assert line.receive_json()["error"] == "the server searches for 0 others already; try again later"
            monkeypatch.undo()
            line.send_json({"at": 4})
            until(line, "thoughts" if wish == "analyse" else "course")


def test_games_that_are_not_over_are_not_shown_open(tmp_path):
    with server(tmp_path) as client:
        begun = client.post("/api/games", json={"game": IE, "seats": ["person", "person"]}).json()
        own = {"authorization": f"Bearer {begun['seats'][0]['token']}"}
        answer = client.post(f"/api/games/{begun['id']}/0/replay", headers=own)
        assert answer.status_code == 400 and "not over" in answer.json()["error"]
        assert client.post(f"/api/games/{begun['id']}/0/replay").status_code == 404
        with pytest.raises(WebSocketDisconnect) as closed, socket(client, begun) as line:
            line.receive_json()
        assert closed.value.code == 4404 and closed.value.reason == "there is no such replay"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must be a recorded game, or YAML with game, settings, position, moves"),
        ("\0", "neither a recorded game nor YAML"),
        ("[" * 5_000, "neither a recorded game nor YAML"),
        ("a: &a [1]\nb: [*a]", "references are not read"),
        ("position: {}", "a position needs game"),
        ("game: chess\nposition: {}", "'chess': must be one of"),
        ("game: star_realms\nposition: {turn: nobody}", "nobody"),
        ("game: interstellar_empire\nsettings: {cards: /etc/passwd}\nposition: {}", "a server reads no files"),
        (yaml.safe_dump(POSITION | {"moves": ["fly to the moon"]}), "fly to the moon"),
        (yaml.safe_dump(POSITION | {"moves": [1]}), "1: must be a text"),
        (yaml.safe_dump(POSITION | {"settings": {"formats": "/etc/passwd"}}), "a server reads no files"),
        (json.dumps(a_record() | {"returns": [0.0, 0.0]}), "were recorded, but it ends with"),
        (json.dumps(a_record() | {"moves": ["x"]}), "move 1:"),
        (json.dumps(a_record() | {"settings": {"cards": "/etc/passwd"}}), "a server reads no files"),
        (json.dumps(a_record() | {"seed": "1"}), "seed = '1'"),
        (json.dumps(a_record() | {"variant": "chess/2"}), "'chess': must be one of"),
    ],
)
def test_what_cannot_be_looked_at_is_named_in_one_line(tmp_path, text, message):
    with server(tmp_path) as client:
        answer = bring(client, text)
        assert answer.status_code == 400 and message in answer.json()["error"], answer.text
        assert len(answer.json()["error"]) < 800 and "\n" not in answer.json()["error"]


def test_a_reader_is_answered_what_cannot_be_and_goes_on(tmp_path):
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record())).json()
        with socket(client, kept) as line:
            of = line.receive_json()["of"]
            for said, message in [
                ({"at": -1}, f"at=-1: must be from 0 to {of}"),
                ({"at": of + 1}, "must be from 0 to"),
                ({"seat": 2}, "seat=2: must be from 0 to 1"),
                ({"prior": "mine.py:Agent"}, "must be one of"),
                ({"compare": ["rules"]}, "compare: 1 given: must be two agents, or none"),
                ({"compare": ["rules", "mine.py:Agent"]}, "must be one of"),
                ({"nothing": 1}, "nothing"),
            ]:
                line.send_json(said)
                assert message in line.receive_json()["error"]
            line.send_text("x" * 20_000)
            assert "at most 10,000 characters" in line.receive_json()["error"]
            line.send_json({"at": 0})
            assert line.receive_json()["at"] == 0
        answer = client.post(f"/api/replays/{kept['id']}/branch", json={"number": of, "seats": ["person", "rules"]})
        assert answer.status_code == 400 and f"number={of}: is no decision" in answer.json()["error"]
        assert client.post("/api/replays/none/branch", json={"number": 0, "seats": []}).status_code == 404


# Pictures


@pytest.fixture
def pictured(tmp_path):
    """Return a function that asks for a picture of a replay."""
    with server(tmp_path) as client:
        kept = bring(client, json.dumps(a_record())).json()
        yield lambda name: client.get(f"/api/replays/{kept['id']}/{name}")


def test_a_position_is_drawn_as_svg_and_as_png(pictured):
    first = pictured("picture.svg?at=0")
    assert first.headers["content-type"] == "image/svg+xml" and ET.fromstring(first.text).get("width") == "1200"
    assert first.headers["content-disposition"] == 'attachment; filename="interstellar_empire-0.svg"'
    assert len({first.text, *(pictured(f"picture.svg?{more}").text for more in ("at=9", "at=0&seat=1", ""))}) == 4
    narrow = ET.fromstring(pictured("picture.svg?at=0&theme=dark&width=400").text)
    assert narrow.get("width") == "400"
    png = Image.open(io.BytesIO(pictured("picture.png?at=0").content))
    assert png.format == "PNG" and png.width == 1200


def test_a_range_of_positions_is_an_animated_picture(pictured):
    for kind, form in (("gif", "GIF"), ("png", "PNG")):
        answer = pictured(f"animation.{kind}?first=0&last=3&seconds=0.5")
        picture = Image.open(io.BytesIO(answer.content))
        assert (picture.format, picture.n_frames, picture.size) == (form, 4, (1200, 900))
        shown = []
        for number in range(4):
            picture.seek(number)
            picture.load()
            shown.append(picture.info["duration"])
        assert shown == [500, 500, 500, 1500]
    archive = zipfile.ZipFile(io.BytesIO(pictured("animation.zip?first=2&last=4&seat=1").content))
    assert archive.namelist() == ["000002.svg", "000003.svg", "000004.svg"]
    assert len({archive.read(name) for name in archive.namelist()}) == 3
    assert all(ET.fromstring(archive.read(name)).get("class") == "sd" for name in archive.namelist())


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("picture.svg?at=-1", 400, "at=-1: must be from 0 to"),
        ("picture.svg?at=100000", 400, "at=100000: must be from 0 to"),
        ("picture.svg?seat=2", 400, "seat=2: must be from 0 to 1"),
        ("picture.svg?width=10", 422, "width"),
        ("picture.svg?theme=pink", 422, "'light' or 'dark'"),
        ("picture.bmp", 422, "'svg' or 'png'"),
        ("animation.gif?first=3&last=2", 400, "first=3, last=2: must be a range of at most 120 positions"),
        ("animation.zip?first=0&last=120", 400, "first=0, last=120: must be a range of at most 120 positions"),
        ("animation.gif?first=0&last=1&seconds=0", 422, "seconds"),
        ("animation.gif?first=0", 422, "last"),
    ],
)
def test_a_picture_that_cannot_be_drawn_is_refused_in_one_line(pictured, name, code, message):
    answer = pictured(name)
    assert answer.status_code == code and message in answer.json()["error"] and "\n" not in answer.json()["error"]


def test_without_the_extra_for_pixels_there_are_vectors(pictured, monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.delitem(sys.modules, "stardeck.viewer.png", raising=False)
    monkeypatch.delattr("stardeck.viewer.png", raising=False)
    for name in ("picture.png", "animation.gif?first=0&last=1"):
        answer = pictured(name)
        assert answer.status_code == 400
        assert answer.json()["error"] == "resvg_py: not installed; pip install 'stardeck[picture]'"
    assert pictured("animation.zip?first=0&last=1").status_code == pictured("picture.svg").status_code == 200


def test_pictures_are_of_replays_only(tmp_path):
    with server(tmp_path) as client:
        begun = client.post("/api/games", json={"game": IE, "seats": ["person", "person"]}).json()
        for name in ("picture.svg", "animation.zip?first=0&last=0"):
            assert client.get(f"/api/replays/{begun['id']}/{name}").status_code == 404


# Results


def test_results_are_shown_with_their_games(tmp_path):
    advantage(IE, ["rules", "simple"], games=20, out=tmp_path / "results" / "match")
    (tmp_path / "results" / "broken").mkdir()
    (tmp_path / "results" / "broken" / "summary.json").write_text("{")
    (tmp_path / "results" / "odd").mkdir()
    (tmp_path / "results" / "odd" / "summary.json").write_text('{"variant": "x", "agents": [{}], "seats": []}')
    with server(tmp_path / "games", measured=tmp_path / "results") as client:
        page = client.get("/results").text
        assert 'href="/results/match"' in page and 'href="/results/broken"' in page
        broken = client.get("/results/broken")
        assert broken.status_code == 400 and "broken: summary.json is no JSON" in broken.text
        page = client.get("/results/match").text
        assert "wins" in page and "/api/pictures/match/advantage.png" in page
        assert client.get("/api/pictures/match/advantage.png").content.startswith(b"\x89PNG")
        kept = client.post("/api/results?name=match&game=17").json()
        with socket(client, kept) as line:
            assert line.receive_json()["over"]
        assert "games 0 to 19" in client.post("/api/results?name=match&game=20").json()["error"]
        odd = client.get("/results/odd")
        assert odd.status_code == 400 and "summary cannot be read" in odd.text
        for wrong in (
            "results/nothing",
            "results/%2E%2E",
            "results/match/..%2Fmatch",
            "api/pictures/match/games.parquet",
            "api/pictures/match/..%2F..%2Fgames%2Fgames.sqlite",
            "api/pictures/../games/games.sqlite",
        ):
            assert client.get(f"/{wrong}").status_code == 404, wrong
        assert client.post("/api/results?name=..&game=1").status_code == 404


def test_a_log_of_the_app_is_a_game_to_look_at(tmp_path):
    game = stardeck.make("star_realms", errata=True, forced_discards="next_turn")
    writer = Writer(game, 2)
    record.play(game, [Hasty(agent) for agent in record.seated(game, ["rules"])], 2, writer)
    with server(tmp_path) as client:
        kept = bring(client, writer.text).json()
    with server(tmp_path) as client, socket(client, kept) as line:  # as stored on disk
        scene = line.receive_json()
        assert scene["over"] and scene["players"] == NAMES and scene["of"] > len(writer.turns)
        line.send_json({"at": 5, "analyse": True})
        assert until(line, "thoughts")["moves"]
        wrong = bring(client, writer.text.replace("New Authority:4", "New Authority:9", 1))
        assert wrong.status_code == 201 and "contradicts the rules: line " in wrong.json()["note"]
        assert "turns were followed" in wrong.json()["note"] and bring(client, writer.text).json()["note"] == ""
        wrong = bring(client, "Play all\nAnn > Gunship +5 Combat (Combat:5)\nAnn ends turn 1\n")
        assert wrong.status_code == 400 and "Gunship" in wrong.json()["error"]
        wrong = bring(client, "Play all\n" + " > > >" * 3_000)
        assert wrong.status_code == 400 and "line 2 has 18,000 characters" in wrong.json()["error"]
