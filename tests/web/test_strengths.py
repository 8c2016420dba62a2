"""The home page's formats and the agents behind its strengths, compared with what the games accept."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import stardeck
from helpers import entry_of_example
from stardeck.agents.strengths import STRENGTHS, by_strength
from stardeck.game.catalogue import GAMES
from stardeck.game.registry import playable, settings_of
from stardeck.kernels.star_realms.cards.formats import FORMATS
from stardeck.web.app import app_for
from stardeck.web.choices import agent_from, game_from
from stardeck.web.home import catalogue

ROOT = Path(stardeck.__file__).parent
FORMATS_SHOWN = [(tile.name, each) for tile in catalogue.tiles() for each in tile.formats]
NAMES = [f"{name}: {each.title}" for name, each in FORMATS_SHOWN]


def with_players(each, players):
    """Return the settings of a format with a number of players; a campaign has no such setting."""
    has = any(setting.name == "players" for setting in settings_of(each.game))
    return each.settings | ({"players": players} if has else {})


def games_of(each):
    fewest, most = each.players
    return [game_from(each.game, with_players(each, players)) for players in range(fewest, most + 1)]


@pytest.mark.parametrize(("tile", "each"), FORMATS_SHOWN, ids=NAMES)
def test_each_strength_can_play_each_format(tile, each):
    for game in games_of(each):
        found = by_strength(game)
        assert tuple(found) == STRENGTHS
        for text in found.values():
            agent_from(text, game, {})  # raises for an agent that the server does not allow, or that cannot play
        assert len(set(found.values())) == len(STRENGTHS), "the strengths are different agents"


@pytest.mark.parametrize(("tile", "each"), FORMATS_SHOWN, ids=NAMES)
def test_players_of_a_format_are_those_that_the_game_accepts(tile, each):
    accepted = []
    for players in range(10):
        try:
            accepted.append(stardeck.make(each.game, **with_players(each, players)).players)
        except ValueError:
            continue
    assert sorted(set(accepted)) == list(range(each.players[0], each.players[1] + 1))


def test_every_format_of_the_box_set_has_a_card():
    shown = {each.settings.get("format", "standard") for _, each in FORMATS_SHOWN if each.game == "star_realms"}
    assert shown == set(FORMATS)


def test_values_of_an_option_are_those_of_its_setting():
    for _, each in FORMATS_SHOWN:
        if each.option:
            for value in catalogue._texts()["options"][each.option]:
                game_from(each.game, each.settings | {each.option: value})


def test_every_setting_of_a_game_of_the_package_has_a_label():
    names = {setting.name for game in ("star_realms", "rise_of_empire", "interstellar_empire", "empire_of_the_stars")
             for setting in settings_of(game)}  # fmt: skip
    of_files = {"formats", "cards", "tables"}  # which a server never reads
    assert names - of_files - {"format"} == set(catalogue._texts()["labels"])


def test_a_game_from_outside_gets_a_tile_and_agents(monkeypatch):
    monkeypatch.setattr(GAMES, "_entries", GAMES._entries | {"beacons": entry_of_example()})
    (tile,) = (tile for tile in catalogue.tiles() if tile.name == "beacons")
    assert (tile.title, tile.players, tile.picture) == ("Beacons", "2 to 4", "/static/tile_other.svg")
    assert [each.players for each in tile.formats] == [[2, 4]]


def test_the_number_of_players_has_a_true_range():
    for name in playable():
        for setting in settings_of(name):
            if setting.name == "players":
                fewest, most = setting.allowed
                formats = FORMATS if name == "star_realms" else {"": None}
                made = []
                for each in formats:
                    for players in range(fewest, most + 1):
                        given = {"players": players} | ({"format": each, "set": "box"} if each else {})
                        try:
                            made.append(stardeck.make(name, **given).players)
                        except ValueError:
                            continue
                assert {fewest, most} <= set(made), f"{name}: {setting.allowed}"


def choices(settings, game="star_realms"):
    return {row["name"]: row for row in catalogue.fitting(game, settings)}


def test_choices_hold_only_what_fits_the_other_settings():
    duel = choices({})
    assert "difficulty" not in duel and "scenario" not in duel and "players" not in duel
    hunters = choices({"set": "box", "format": "hunter", "players": 5})
    assert hunters["players"]["allowed"] == [3, 4, 5, 6] and hunters["players"]["value"] == 5
    assert hunters["gambits"]["allowed"] == [0, 1, 2], "13 gambits for five players"
    assert hunters["first_player"]["allowed"] == [0, 1, 2, 3, 4]
    beast = choices({"set": "box", "format": "nemesis_beast"})
    assert beast["difficulty"]["allowed"] == ["veteran", "beginner", "intermediate", "expert"]
    assert "trade_row" not in beast, "the Boss takes its turns from the trade row"


# Endpoints


@pytest.fixture
def client(tmp_path):
    with TestClient(app_for(tmp_path), base_url="http://localhost") as client:
        yield client


def test_the_catalogue_lists_all_games(client):
    found = client.get("/api/catalogue").json()
    assert [tile["name"] for tile in found["games"]] == playable()
    for tile in found["games"]:
        assert client.get(tile["picture"]).headers["content-type"].startswith("image/svg")
    assert "cheap-combat" in found["agents"] and set(STRENGTHS) < set(found["agents"])
    assert tuple(found["strengths"]) == STRENGTHS


def test_a_set_up_names_seats_sides_and_agents(client):
    hydra = client.get(
        "/api/setup", params={"game": "star_realms", "settings": '{"set":"box","format":"two_headed_hydra"}'}
    )
    assert hydra.json()["players"] == 4 and len(hydra.json()["sides"]) == 2
    assert hydra.json()["strengths"]["hard"] == "ppo"
    refused = client.get("/api/setup", params={"game": "star_realms", "settings": '{"players":3}'})
    assert refused.status_code == 400 and refused.json()["error"].startswith("players=3: standard takes 2")
    refused = client.get("/api/choices", params={"game": "chess"})
    assert refused.status_code == 400 and refused.json()["error"].startswith("game 'chess': must be one of")


def test_a_game_keeps_the_strength_of_its_agents(tmp_path):
    three = {"game": "interstellar_empire", "settings": {"players": 3}}
    with TestClient(app_for(tmp_path), base_url="http://localhost") as client:
        setup = client.get("/api/setup", params=three | {"settings": json.dumps(three["settings"])}).json()
        seats = ["person", setup["strengths"]["medium"], "search:7"]
        begun = client.post("/api/games", json=three | {"seats": seats}).json()
        path = f"/api/games/{begun['id']}/0/socket?view=page&token={begun['seats'][0]['token']}"
        with client.websocket_connect(f"ws://localhost{path}") as line:
            found = line.receive_json()["seats"]
    assert [seat["kind"] for seat in found] == ["person", "agent", "agent"]
    assert [seat["strength"] for seat in found] == [None, "medium", None]


def test_a_seat_may_be_given_by_its_strength(client):
    body = {"game": "interstellar_empire", "seats": ["hard", "strongest"]}
    begun = client.post("/api/games", json=body).json()
    with client.websocket_connect(f"ws://localhost/api/watch/{begun['id']}/socket?view=page") as line:
        found = line.receive_json()["seats"]
    assert [seat["strength"] for seat in found] == ["hard", "strongest"]
    listed = by_strength(game_from("interstellar_empire", {}))
    saved = client.app.state.hub._store.get(begun["id"])
    assert [player["agent"] for player in saved.players] == [listed["hard"], listed["strongest"]]


def test_a_browser_learns_how_its_games_stand(client):
    begun = client.post(
        "/api/games", json={"game": "interstellar_empire", "seats": ["person", "person"], "seed": 5}
    ).json()
    seats = [{"id": begun["id"], "seat": each["seat"], "token": each["token"]} for each in begun["seats"]]
    wrong = [seats[0] | {"token": "x"}, {"id": "none"}, {"id": begun["id"], "seat": 7, "token": "x"}]
    states = [each["state"] for each in client.post("/api/continue", json=[*seats, *wrong]).json()]
    assert sorted(states[:2]) == ["waiting", "your turn"] and states[2:] == ["gone"] * 3
    answer = client.post("/api/continue", json=seats * 26)
    assert answer.status_code == 400 and answer.json()["error"] == "52 games: at most 50"


def test_a_game_that_people_play_goes_on_for_its_spectators(client):
    begun = client.post("/api/games", json={"game": "interstellar_empire", "seats": ["person", "rules"]}).json()
    watched = [{"id": begun["id"], "seat": None}, {"id": begun["id"], "seat": 0}]
    assert [each["state"] for each in client.post("/api/continue", json=watched).json()] == ["waiting", "gone"]
