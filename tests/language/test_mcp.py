"""The server of the Model Context Protocol, asked by the client of the SDK: whole games, errors, and secrets."""

import asyncio
import contextlib
import json
import random
import re
import subprocess
import sys

import numpy as np
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import stardeck
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.language import sessions as module
from stardeck.language.mcp_server import server_of
from stardeck.language.sessions import Sessions, Wanted
from stardeck.web.choices import RequestError

SERVER = [sys.executable, "-m", "stardeck.commands.cli", "mcp"]
GAMES = [
    ("star_realms", {"set": "core"}, ["rules"], 1),
    ("star_realms", {"set": "box", "format": "free_for_all", "players": 3, "gambits": 2}, ["rules", "simple"], 1),
    ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 2}, ["rules"], 0),
    ("star_realms", {"set": "box", "format": "pirates_of_the_dark_star", "players": 1}, ["rules"], 0),
    ("rise_of_empire", {}, ["rules"], 0),
    ("interstellar_empire", {"players": 3}, ["rules", "random"], 2),
    ("empire_of_the_stars", {"players": 2}, ["rules"], 1),
]


async def told(client, tool, **arguments):
    """Return the text and the data of an answer."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, f"{tool} {arguments}: {answer.content[0].text}"
    return answer.content[0].text, answer.structured_content


async def refused(client, tool, **arguments):
    """Return the error of a tool, which is one line."""
    answer = await client.call_tool(tool, arguments)
    text = answer.content[0].text
    assert answer.is_error and "\n" not in text and "Traceback" not in text
    return text


async def whole_game(client, wanted, seed):
    """Play a game to its end: hints and whole turns of random moves in turn; return its result."""
    game, settings, opponents, seat = wanted
    chance = random.Random(seed)
    text, begun = await told(
        client, "start_game", game=game, settings=settings, opponents=opponents, seat=seat, seed=seed
    )
    game_id, over = begun["game_id"], begun["over"]
    assert f"player_{seat} is you" in text and len(begun["players"]) == stardeck.make(game, **settings).players
    for number in range(10_000):
        if over:
            break
        _, legal = await told(client, "legal_moves", game_id=game_id)
        if number % 3 == 0:
            _, advised = await told(client, "hint", game_id=game_id)
            text, played = await told(client, "play_move", game_id=game_id, move=advised["move"])
        else:
            moves = chance.sample(legal["moves"], min(3, len(legal["moves"])))
            text, played = await told(client, "play_turn", game_id=game_id, moves=moves)
            assert [*played["played"], *([played["left"]] if played["left"] else [])] == moves[
                : len(played["played"]) + 1
            ]
        over = played["over"]
        assert ("Your legal moves" in text) != over
    text, ended = await told(client, "result", game_id=game_id)
    assert ended["over"] and text.startswith("the game is over")
    return ended


def test_whole_games_over_standard_input_and_output():
    async def play():
        async with Client(StdioServerParameters(command=SERVER[0], args=SERVER[1:])) as client:
            listed, _ = await told(client, "list_games")
            for number, wanted in enumerate(GAMES):
                assert wanted[0] in listed
                ended = await whole_game(client, wanted, 10 + number)
                assert ended["seed"] == 10 + number and min(ended["placements"]) >= 1

    asyncio.run(play())


@contextlib.contextmanager
def over_http():
    """Start a server on a free port and yield its address."""
    with subprocess.Popen([*SERVER, "--http", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            yield re.match(r"(http://127\.0\.0\.1:\d+/mcp); Ctrl-C ends it\n", server.stdout.readline())[1]
        finally:
            server.terminate()


def test_whole_games_over_http_and_sessions_that_share_nothing():
    async def play(address):
        async with Client(address) as client:
            await whole_game(client, GAMES[0], 3)
        async with Client(address, mode="legacy") as one, Client(address, mode="legacy") as other:
            _, begun = await told(one, "start_game", game="star_realms")
            assert begun["seed"] is None
            await told(one, "observe", game_id=begun["game_id"])
            assert begun["game_id"] in await refused(other, "observe", game_id=begun["game_id"])

    with over_http() as address:
        asyncio.run(play(address))


def in_process(work, sessions=None):
    """Run work(client) with a client of a server in this process."""

    async def run():
        async with Client(server_of(sessions)) as client:
            return await work(client)

    return asyncio.run(run())


def test_tools_describe_themselves():
    async def work(client):
        return (await client.list_tools()).tools, client.instructions

    tools, instructions = in_process(work)
    assert {tool.name for tool in tools} == {
        "list_games", "describe_game", "rules", "start_game", "observe", "legal_moves", "play_move", "play_turn",
        "hint", "result", "analyse", "first_player_advantage",
    }  # fmt: skip
    for tool in tools:
        assert len(tool.description) > 40 and not tool.description.startswith(" ")
        assert all("description" in one for one in tool.input_schema["properties"].values()), tool.name
    assert "start_game" in instructions


def test_a_turn_ends_at_the_first_illegal_move_and_when_it_has_passed():
    async def work(client):
        _, begun = await told(client, "start_game", game="star_realms", seed=3)
        game = begun["game_id"]
        moves = ["play Scout", "play Scout", "buy Dreadnaught", "end turn"]
        text, played = await told(client, "play_turn", game_id=game, moves=moves)
        assert played["played"] == moves[:2] and played["left"] == "buy Dreadnaught"
        assert "not legal here; legal: " in played["reason"] and "Not played: buy Dreadnaught" in text
        text, played = await told(client, "play_turn", game_id=game, moves=["end turn", "play Viper"])
        assert played["played"] == ["end turn"] and played["reason"] == "the turn has passed"
        assert "- player_1: " in text, "the opponent has played"
        before = await told(client, "observe", game_id=game)
        error = await refused(client, "play_turn", game_id=game, moves=["fly", "end turn"])
        assert error == (await refused(client, "play_move", game_id=game, move="fly")) and "legal: end turn" in error
        assert await told(client, "observe", game_id=game) == before

    in_process(work)


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("start_game", {"game": "chess"}, "game 'chess': must be one of star_realms"),
        ("start_game", {}, "start_game: game: field required"),
        ("start_game", {"game": "star_realms", "settings": {"players": 9}}, "players=9: must be"),
        ("start_game", {"game": "star_realms", "settings": {"set": "/etc/passwd"}}, "reads no files"),
        ("start_game", {"game": "star_realms", "settings": {"wings": 2}}, "wings"),
        (
            "start_game",
            {"game": "star_realms", "opponents": ["mine.py:Agent"]},
            "agent 'mine.py:Agent': must be one of",
        ),
        ("start_game", {"game": "star_realms", "opponents": ["search:9999999"]}, "search"),
        ("start_game", {"game": "star_realms", "opponents": ["rules", "rules"]}, "opponents: 2 given: "),
        ("start_game", {"game": "star_realms", "seat": 2}, "seat=2: must be from 0 to 1"),
        ("start_game", {"game": "star_realms", "seed": -1}, "seed=-1: must be from 0"),
        ("start_game", {"game": "star_realms", "colour": "red"}, "unknown argument 'colour': it takes game, settings"),
        ("observe", {"game_id": "none"}, "game_id 'none': must be an id that start_game gave"),
        ("play_turn", {"game_id": "none", "moves": "end turn"}, "play_turn: moves: input should be a valid list"),
        ("rules", {"game": "star_realms", "settings": {"players": "two"}}, "players='two'"),
        ("first_player_advantage", {"game": "star_realms", "games": 0}, "games=0: must be from 1 to 20000"),
        (
            "first_player_advantage",
            {"game": "star_realms", "agent": "search:100"},
            "must be one that plays fast enough",
        ),
        ("conquer", {}, "tool 'conquer': must be one of list_games"),
    ],
)
def test_a_bad_argument_is_one_error(tool, arguments, error):
    assert error in in_process(lambda client: refused(client, tool, **arguments))


def test_bad_arguments_for_a_running_game_are_errors_too():
    async def work(client):
        _, begun = await told(client, "start_game", game="star_realms", seed=3)
        game = begun["game_id"]
        assert "text" in await refused(client, "observe", game_id=game, format="xml")
        assert "moves: 0 given" in await refused(client, "play_turn", game_id=game, moves=[])
        assert "agent 'nobody': must be" in await refused(client, "hint", game_id=game, agent="nobody")
        assert "most=0: must be from 1" in await refused(client, "analyse", game_id=game, most=0)

    in_process(work)


HIDDEN = [GAMES[1], GAMES[5], GAMES[6], ("star_realms", {}, ["rules"], 0)]


@pytest.mark.parametrize("wanted", HIDDEN, ids=[str(number) for number in range(len(HIDDEN))])
def test_no_tool_tells_what_the_seat_may_not_know(wanted):
    """What is hidden from the seat is dealt again in every position of the game: all tools answer the same."""
    sessions = Sessions()

    async def all_answers(client, game):
        asked = [
            ("observe", {}), ("observe", {"format": "json"}), ("legal_moves", {}), ("hint", {}),
            ("hint", {"agent": "search:20"}), ("result", {}), ("analyse", {"most": 20}),
        ]  # fmt: skip
        return [await told(client, tool, game_id=game, **more) for tool, more in asked]

    async def work(client):
        game, settings, opponents, seat = wanted
        _, begun = await told(
            client, "start_game", game=game, settings=settings, opponents=opponents, seat=seat, seed=5
        )
        table = sessions.find(None, begun["game_id"])
        match, chance, changed = table.match, random.Random(7), 0
        for _ in range(3):
            for _ in range(9):
                if not table.is_over:
                    _, legal = await told(client, "legal_moves", game_id=table.id)
                    await told(client, "play_move", game_id=table.id, move=chance.choice(legal["moves"]))
            if table.is_over:
                break
            before = await all_answers(client, table.id)
            true = match._courses
            match._courses = [match.game.resample_hidden(states, seat, 99) for states in true]
            match._tables.clear()
            assert await all_answers(client, table.id) == before
            changed += any(one.tobytes() != other.tobytes() for one, other in zip(true, match._courses, strict=True))
            match._courses = true
        assert changed

    in_process(work, sessions)


def test_news_of_others_hide_what_they_decide_in_secret():
    """A gambit is dealt in secret; the history of another seat does not name the cards of a hand."""

    async def work(client):
        text, _ = await told(client, "start_game", game="empire_of_the_stars", seat=1, seed=4)
        return text

    text = in_process(work)
    match = Sessions().begin(None, Wanted("empire_of_the_stars", {}, ["rules"], 1, 4)).match
    secret = [number for number in range(match.number) if match.is_secret(number, 1)]
    assert secret, "the opponent has kept a power in secret"
    for number in secret:
        assert match.game.describe(match.at(number), match.actions[number]) not in text
    assert "decides in secret" in text


def test_the_measurement_is_that_of_the_command(tmp_path):
    async def work(client):
        return await told(client, "first_player_advantage", game="star_realms", games=600, seed=3)

    text, found = in_process(work)
    measured = advantage("star_realms", "rules", games=600, seed=3, out=tmp_path)
    assert found["first_advantage"] == measured["first_advantage"] and found["games"] == 600
    first = measured["first_advantage"]
    assert (
        f"{first['points']:+.1f} percentage points" in text and f"{first['low']:+.1f} to {first['high']:+.1f}" in text
    )


def test_mistakes_are_found_and_named():
    """A player who never plays a card makes mistakes; rules would play all of them."""

    async def work(client):
        _, begun = await told(client, "start_game", game="star_realms", seed=3)
        for _ in range(6):
            await told(client, "play_move", game_id=begun["game_id"], move="end turn")
        return await told(client, "analyse", game_id=begun["game_id"], most=3)

    text, found = in_process(work)
    assert found["analysed"] == 6 and found["skipped"] == 0
    assert found["mistakes"] and all(row["played"] == "end turn" and row["lost"] > 0.03 for row in found["mistakes"])
    costs = [row["lost"] for row in found["mistakes"]]
    assert costs == sorted(costs, reverse=True) and "better: " in text


def test_games_of_a_session_are_bounded_in_number_and_age(monkeypatch):
    monkeypatch.setattr(module, "MOST_OF_SESSION", 3)
    monkeypatch.setattr(module, "MOST_GAMES", 5)
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    wanted = Wanted("star_realms", {}, ["rules"], 0, 1)
    first, second, third = (sessions.begin("a", wanted) for _ in range(3))
    sessions.find("a", first.id)  # now the second one has waited longest
    fourth = sessions.begin("a", wanted)
    with pytest.raises(RequestError, match="keeps its last 3 games"):
        sessions.find("a", second.id)
    assert sessions.find("a", third.id) is third and sessions.find("a", first.id) is first
    others = [sessions.begin(name, wanted) for name in "bcd"]
    with pytest.raises(RequestError):
        sessions.find("a", fourth.id)  # five games in all, of which it had waited longest
    assert sessions.find("b", others[0].id)
    now[0] = module.LONGEST_IDLE + 1
    with pytest.raises(RequestError):
        sessions.find("a", first.id)


def test_clients_without_sessions_are_not_one_session(monkeypatch):
    monkeypatch.setattr(module, "MOST_OF_SESSION", 1)
    sessions = Sessions()
    wanted = Wanted("star_realms", {}, ["rules"], 0, 1)
    one, _, _ = (sessions.begin(None, wanted) for _ in range(3))
    assert sessions.find(None, one.id) is one


def test_observation_as_json_is_the_table_without_moves():
    async def work(client):
        _, begun = await told(client, "start_game", game="interstellar_empire", seed=3)
        return await told(client, "observe", game_id=begun["game_id"], format="json")

    text, data = in_process(work)
    game = stardeck.make("interstellar_empire")
    table = game.table(game.deal(np.uint64(3)), 0)
    assert json.loads(text) == data["table"]
    assert data["table"] == {key: table[key] for key in table if key not in ("format", "game", "variant", "moves")}
