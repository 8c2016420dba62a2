"""The harness for chat endpoints, against scripted models that answer well, badly, slowly or not at all."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from fake_endpoint import endpoint, late, planner, scripted
from stardeck import make
from stardeck.benchmarks import interrupt
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands import cli
from stardeck.language.endpoint import MOST_BYTES, Endpoint, Limits, Refused, Unreachable
from stardeck.language.harness import Run, Use, play_model
from stardeck.language.ladder import standing
from stardeck.language.played_game import pairing
from stardeck.language.prompts import Prompting

GAME = make("star_realms")
SHORT = make("star_realms", max_turns=6)  # three turns of each player
QUICK = Limits(timeout=20.0, retries=2, pause=0.001)
RULES = Run(["rules"], games=2, panel_games=0)


def play(address, out, game=SHORT, run=RULES, limits=QUICK, **use):
    """Return the summary of a run."""
    with Endpoint(address, "scripted", limits=limits) as model:
        return play_model(game, model, run, out, Use(**use))


def lasting(summary):
    """Return a summary without what differs from run to run: the time, and tries that failed."""

    def without(value):
        if isinstance(value, dict):
            return {key: without(held) for key, held in value.items() if key not in ("seconds", "retries", "origin")}
        return [without(held) for held in value] if isinstance(value, list) else value

    return without(summary)


def games_of(out):
    return [json.loads(line) for line in (out / "games.jsonl").read_text().splitlines()]


def always(text):
    return lambda number, messages: text


# Counts


def test_a_model_that_answers_well_is_asked_and_counted_exactly(tmp_path):
    with endpoint(planner) as (address, asked):
        summary = play(address, tmp_path, GAME, price_in=2.0, price_out=10.0)
    total = summary["total"]
    assert total["games"] == 2 and total["calls"] == len(asked) > 20 and total["without_usage"] == 0
    assert (total["tokens_in"], total["tokens_out"]) == (asked.words_in, asked.words_out)
    assert summary["cost"] == pytest.approx((asked.words_in * 2 + asked.words_out * 10) / 1e6)
    assert total["retries"] == total["fallbacks"] == total["rethinks"] == total["unreadable"] == 0
    assert summary["unfinished"] == [] and json.loads((tmp_path / "summary.json").read_text()) == summary
    logged = [line for path in sorted((tmp_path / "messages").iterdir()) for line in path.read_text().splitlines()]
    kept = [json.loads(line) for line in logged]
    assert [line["message"] for line in kept if "message" in line] == [talk[-1]["content"] for talk in asked]
    games = games_of(tmp_path)
    assert [game["side"] for game in games] == [0, 1] and games[0]["seed"] == games[1]["seed"]
    assert all(len(talk) == 2 and len(talk[1]["content"]) < 8_000 for talk in asked), "context is bounded"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ('{"moves": ["fly"]}', "illegal"),
        ("It is a beautiful game, is it not?", "unreadable"),
        ("", "unreadable"),
        ('{"moves": 3}', "unreadable"),
        ('{"moves": []}', "unreadable"),
        ('{"moves": ["end turn", 4]}', "unreadable"),
        ('["end turn"]', "unreadable"),
        ('{"moves": ["end turn"]} {"thought": "no"}', "unreadable"),
        ("{" * 5_000, "unreadable"),
        ((200, b'{"choices": [{"message": {"content": null}}]}', {}), "unreadable"),
        ((200, b"x" * (MOST_BYTES + 1), {}), "unreadable"),
    ],
    ids=["illegal", "nonsense", "empty", "number", "none", "mixed", "list", "last", "braces", "null", "huge"],
)
def test_bad_answers_are_asked_for_three_times_and_replaced(tmp_path, answer, kind):
    """Three turns in each of two games: three calls, two rethinks and one fallback each."""
    with endpoint(always(answer)) as (address, asked):
        total = play(address, tmp_path)["total"]
    assert len(asked) == total["calls"] == 18 and total["fallbacks"] == 6 and total["rethinks"] == 12
    assert total[kind] == 18 and total["illegal"] + total["unreadable"] == 18
    assert total["truncated"] == 2 and total["without_usage"] == (18 if isinstance(answer, tuple) else 0)
    assert [len(talk) for talk in asked[:4]] == [2, 4, 4, 2] and "Think again" in asked[1][-1]["content"]
    assert "random legal moves were played" in asked[3][-1]["content"]


def test_a_lost_game_follows_bad_answers_with_forfeit(tmp_path):
    run = RULES._replace(fallback="forfeit", games=4)
    with endpoint(always("no")) as (address, asked):
        summary = play(address, tmp_path, GAME, run)
    assert len(asked) == 12 and summary["total"]["fallbacks"] == summary["total"]["forfeited"] == 4
    assert summary["opponents"][0]["points"] == 0 and summary["opponents"][0]["win_rate"] == 0
    assert [game["places"] for game in games_of(tmp_path)] == [[2, 1], [1, 2], [2, 1], [1, 2]]


def test_one_bad_answer_of_three_is_a_rethink_and_no_fallback(tmp_path):
    answers = ["hm", '{"moves": ["fly"]}', None]

    def behave(number, messages):
        return answers[number % 3] or planner(number, messages)

    with endpoint(behave) as (address, asked):
        total = play(address, tmp_path, run=RULES._replace(games=1))["total"]
    good = len(asked) // 3
    assert len(asked) == total["calls"] == 3 * good and total["rethinks"] == 2 * good and total["fallbacks"] == 0
    assert total["unreadable"] == good and total["illegal"] >= good


def test_a_turn_is_cut_at_an_illegal_move_and_goes_on_in_the_next_message(tmp_path):
    def behave(number, messages):
        moves = [move for move in scripted.legal_moves(messages) if move != "end turn"][:1] + ["fly", "end turn"]
        return json.dumps({"moves": moves if len(moves) == 3 else ["end turn"]})

    with endpoint(behave) as (address, asked):
        total = play(address, tmp_path, run=RULES._replace(games=1))["total"]
    told = sum("'fly' was not legal then" in talk[-1]["content"] for talk in asked)
    assert told > 3 and 0 <= total["illegal"] - told <= 2, "the last answer of a game may be cut too"
    assert total["rethinks"] == total["fallbacks"] == 0


@pytest.mark.parametrize("answer", ["nonsense", '{"move": "fly"}'])
def test_random_fallback_of_single_moves_plays_as_the_agent_random_does(tmp_path, answer):
    """A second way to the same games: `record.play` between the agents."""
    run = RULES._replace(form=Prompting(turns=False, history=0), games=2)
    with endpoint(always(answer)) as (address, _):
        play(address, tmp_path, SHORT, run)
    for game in games_of(tmp_path):
        agents = ["random", "rules"] if game["side"] == 0 else ["rules", "random"]
        played = record.play(SHORT, agents, game["seed"])
        assert game["decisions"] == len(played["moves"])
        assert game["calls"] == 3 * game["fallbacks"] and game["fallbacks"] > 6


def test_a_choice_of_one_is_not_asked_for(tmp_path):
    def behave(number, messages):
        return json.dumps({"move": scripted.planner(messages)[0]})

    with endpoint(behave) as (address, asked):
        total = play(address, tmp_path, GAME, RULES._replace(form=Prompting(turns=False)))["total"]
    assert total["forced"] > 0 and total["unreadable"] == 0
    assert all(len(scripted.legal_moves(talk)) > 1 for talk in asked)


def test_the_scripted_models_of_the_example_do_what_the_guide_says(tmp_path):
    command = [sys.executable, scripted.__file__, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline().strip()
        found = {}
        try:
            for name in ("planner", "careless", "chatter"):
                for turns in (True, False):
                    run = RULES._replace(form=Prompting(turns=turns))
                    with Endpoint(address, f"scripted-{name}", limits=QUICK) as model:
                        found[name, turns] = play_model(SHORT, model, run, tmp_path / f"{name}-{turns}")["total"]
        finally:
            server.terminate()
    assert all(total["games"] == 2 for total in found.values())
    assert found["planner", False]["calls"] > 2 * found["planner", True]["calls"]
    for turns in (True, False):
        planned, careless, chatted = (found[name, turns] for name in ("planner", "careless", "chatter"))
        assert planned["unreadable"] == planned["fallbacks"] == 0
        assert careless["illegal"] > planned["illegal"] and careless["rethinks"] > 0
        assert chatted["unreadable"] == chatted["calls"] == 3 * chatted["fallbacks"]


# Failures of the endpoint


def test_a_busy_endpoint_is_asked_again(tmp_path):
    def behave(number, messages):
        return (429, b"slow down", {"Retry-After": "0"}) if number in (0, 1, 5) else planner(number, messages)

    with endpoint(planner) as (address, asked):
        plain = play(address, tmp_path / "plain")
    with endpoint(behave) as (address, again):
        busy = play(address, tmp_path / "busy")
    assert busy["total"]["retries"] == 3 and len(again) == len(asked) + 3
    assert lasting(busy) == lasting(plain)


@pytest.mark.parametrize(
    ("behave", "reason"),
    [
        (always((500, b"broken", {})), "status 500: broken; 3 tries"),
        (always((200, b"<html>", {})), "the answer is no chat completion; 3 tries"),
        (always((200, b'{"choices": []}', {})), "the answer is no chat completion; 3 tries"),
        (always(None), "3 tries"),
    ],
    ids=["status", "page", "no choice", "closed"],
)
def test_games_of_a_broken_endpoint_are_unfinished_and_the_rest_is_not_tried(tmp_path, behave, reason):
    with endpoint(behave) as (address, asked):
        summary = play(address, tmp_path, run=RULES._replace(games=6))
    assert len(asked) == 9, "three games in a row, with three tries each"
    assert [one["number"] for one in summary["unfinished"]] == list(range(6))
    assert reason in summary["unfinished"][0]["reason"] and "not tried" in summary["unfinished"][5]["reason"]
    assert summary["total"]["games"] == summary["total"]["calls"] == 0 and summary["opponents"][0]["win_rate"] is None


def test_a_slow_endpoint_is_given_up_after_the_time_and_asked_again(tmp_path):
    held = threading.Event()

    with endpoint(late(1, held)) as (address, asked):
        summary = play(address, tmp_path, limits=Limits(timeout=1.0, retries=1, pause=0.001))
        held.set()
    assert summary["unfinished"] == [] and summary["total"]["retries"] == 1
    assert summary["total"]["calls"] == len(asked) - 1


def test_a_drip_of_bytes_is_given_up_too():
    class Drip:
        status_code, headers = 200, {}

        def iter_bytes(self):
            while True:
                time.sleep(0.01)
                yield b" "

    with Endpoint("http://localhost:1", "m", limits=Limits(0.1, 0, 0)) as model:
        with pytest.raises(Exception, match="no whole answer within 0.1 seconds"):
            model._read(Drip(), time.monotonic() + 0.1)


def test_pauses_grow_and_follow_the_server_within_a_bound():
    pauses = []

    class Clock(threading.Event):
        def wait(self, timeout=None):
            pauses.append(timeout)

    with endpoint(lambda number, _: (503, b"", {"Retry-After": "0" if number else "500"})) as (address, _):
        with Endpoint(address, "m", limits=Limits(5, 4, 1.0)) as model:
            with pytest.raises(Unreachable, match="5 tries"):
                model.ask([{"role": "user", "content": "hello"}], Clock())
    assert pauses == [60, 2, 4, 8]


@pytest.mark.parametrize("status", [400, 401, 404])
def test_a_refusal_ends_the_run_at_once(tmp_path, status):
    with endpoint(always((status, b"wrong key", {}))) as (address, asked):
        with pytest.raises(Refused, match=f"refuses the request with status {status}: wrong key"):
            play(address, tmp_path)
    assert len(asked) == 1 and json.loads((tmp_path / "summary.json").read_text())["total"]["games"] == 0


def test_a_refusal_stops_the_games_beside_it_too(tmp_path):
    """A game that waits for its next try gives up, so the command ends at once."""

    def behave(number, messages):
        return (401, b"wrong key", {}) if number == 3 else (503, b"", {"Retry-After": "60"})

    with endpoint(behave) as (address, asked):
        with pytest.raises(Refused):
            play(address, tmp_path, run=RULES._replace(games=8), parallel=4)
        time.sleep(0.2)
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPoolExecutor")]
    assert len(asked) == 4


def test_an_interrupted_command_says_what_it_keeps(tmp_path):
    held = threading.Event()

    def behave(number, messages):
        if number == 5:
            process.send_signal(signal.SIGINT)
            held.wait(60)
        return planner(number, messages)

    command = [
        sys.executable,
        "-m",
        "stardeck.commands.cli",
        "llm",
        "star_realms",
        "--model",
        "m",
        "--panel-games",
        "0",
    ]
    with endpoint(behave) as (address, _):
        process = subprocess.Popen(
            [*command, "--endpoint", address, "--out", "kept"], cwd=tmp_path, stderr=subprocess.PIPE
        )
        _, err = process.communicate()
        held.set()
    assert process.returncode == 130 and b"what was answered is in kept; the same command continues" in err
    assert len((tmp_path / "kept" / "messages" / "rules-00000.jsonl").read_text().splitlines()) == 5


def test_an_answer_after_the_end_of_a_run_changes_nothing(tmp_path):
    """Another process may write into the folder by then."""
    held = threading.Event()

    def stop(done, total):
        if done:  # the other game is over
            raise KeyboardInterrupt

    def files():
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    with endpoint(late(0, held)) as (address, _), Endpoint(address, "m") as model:
        with pytest.raises(KeyboardInterrupt):
            play_model(SHORT, model, RULES, tmp_path, Use(parallel=2), stop)
        before = files()
        held.set()
        for thread in threading.enumerate():
            if thread.name.startswith("ThreadPoolExecutor"):
                thread.join(60)
        assert files() == before


def test_the_key_is_sent_and_never_stored(tmp_path):
    with endpoint(planner) as (address, asked):
        with Endpoint(address, "m", key="secret-key", body={"temperature": 0}) as model:
            play_model(SHORT, model, RULES, tmp_path)
    assert all(headers["Authorization"] == "Bearer secret-key" for headers in asked.headers)
    assert not any(b"secret-key" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


# Going on


def test_an_interrupted_run_goes_on_and_asks_for_nothing_twice(tmp_path):
    with endpoint(planner) as (address, asked):
        whole = play(address, tmp_path / "whole", GAME)
    down = [True]

    def behave(number, messages):
        return (500, b"", {}) if down[0] and number >= 30 else planner(number, messages)

    with endpoint(behave) as (address, again):
        broken = play(address, tmp_path / "broken", GAME, limits=Limits(20, 0, 0))
        assert broken["unfinished"] and broken["total"]["games"] < 2
        failed, down[0] = len(again) - 30, False
        mended = play(address, tmp_path / "broken", GAME)
        assert len(again) == len(asked) + failed
        assert lasting(mended) == lasting(whole)
        assert lasting(play(address, tmp_path / "broken", GAME)) == lasting(whole) and len(again) == len(asked) + failed
    assert games_of(tmp_path / "broken")[0]["calls"] == games_of(tmp_path / "whole")[0]["calls"]


def test_a_killed_command_goes_on(tmp_path):
    """SIGKILL while a call is open: only that call is asked twice."""
    victim = []

    def behave(number, messages):
        if number == 12 and victim:
            os.kill(victim[0], signal.SIGKILL)
            return None
        return planner(number, messages)

    def start(address, out):
        command = [sys.executable, "-m", "stardeck.commands.cli", "llm", "star_realms", "--max-turns", "20"]
        options = ["--endpoint", address, "--model", "m", "--games", "2", "--panel-games", "0", "--json"]
        return subprocess.Popen([*command, *options, "--out", str(out)], stdout=subprocess.PIPE, text=True)

    with endpoint(behave) as (address, asked):
        with start(address, tmp_path / "killed") as process:
            victim.append(process.pid)
            process.wait()
        assert process.returncode == -signal.SIGKILL and not (tmp_path / "killed" / "summary.json").exists()
        victim.clear()
        with start(address, tmp_path / "killed") as process:
            told = json.loads(process.stdout.read())
        calls = len(asked)
        with start(address, tmp_path / "whole") as process:
            whole = json.loads(process.stdout.read())
    assert process.returncode == 0 and lasting(told) == lasting(whole)
    assert calls == whole["total"]["calls"] + 1


def test_a_line_that_was_being_written_is_asked_again(tmp_path):
    with endpoint(planner) as (address, asked):
        whole = play(address, tmp_path)
        path = tmp_path / "messages" / "rules-00000.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join(lines[:2]) + lines[2][:40])
        before = len(asked)
        assert lasting(play(address, tmp_path)) == lasting(whole)
        assert len(asked) - before == len(lines) - 3  # without the two whole lines, and the result


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 1}, "run.seed 0, not 1"),
        ({"fallback": "forfeit"}, "run.fallback 'random_legal', not 'forfeit'"),
        ({"form": Prompting(legal=False)}, "run.form.legal True, not False"),
        ({"renamed": True}, "run.renamed False, not True"),
    ],
)
def test_a_folder_of_another_run_is_refused(tmp_path, change, difference):
    with endpoint(planner) as (address, asked):
        play(address, tmp_path)
        before = len(asked)
        with pytest.raises(ResultsError, match=re.escape(difference)):
            play(address, tmp_path, run=RULES._replace(**change))
        assert len(asked) == before
        assert play(address, tmp_path, run=RULES._replace(games=4))["total"]["games"] == 4


def test_opponents_may_be_added_and_not_exchanged(tmp_path):
    with endpoint(planner) as (address, asked):
        play(address, tmp_path)
        before = len(asked)
        summary = play(address, tmp_path, run=RULES._replace(opponents=["simple", "rules"]))
        assert [row["agent"] for row in summary["opponents"]] == ["simple", "rules"]
        assert summary["opponents"][1]["calls"] == before and len(asked) == before + summary["opponents"][0]["calls"]
        held = json.loads((tmp_path / "run.json").read_text())
        held["identities"]["rules"] = "rules of another version"
        (tmp_path / "run.json").write_text(json.dumps(held))
        with pytest.raises(ResultsError, match="run.identities.rules 'rules of another version', not 'rules'"):
            play(address, tmp_path)


def test_several_games_at_once_give_the_same_summary(tmp_path):
    run = RULES._replace(opponents=["rules", "random"], games=4)
    with endpoint(planner) as (address, _):
        one = play(address, tmp_path / "one", run=run)
        several = play(address, tmp_path / "several", run=run, parallel=4)
    assert lasting(one) == lasting(several) and one["total"]["games"] == 8


def test_deals_are_those_of_a_series():
    seeds = Series(GAME, ["rules", "random"], 7).play(0, 6).seeds
    found = [pairing(GAME, "rules", number, 7) for number in range(6)]
    assert [one.seed for one in found] == [int(seed) for seed in seeds]
    assert [one.side for one in found] == [0, 1] * 3


# Messages


def test_no_real_name_of_a_card_reaches_a_model_with_renamed_cards_and_its_games_are_the_same(tmp_path):
    games = [make("star_realms", set="box", gambits=2, max_turns=14), make("interstellar_empire")]
    for number, game in enumerate(games):
        with endpoint(planner) as (address, asked):
            real = play(address, tmp_path / f"{number}-real", game)
        with endpoint(planner) as (address, renamed):
            hidden = play(address, tmp_path / f"{number}-renamed", game, RULES._replace(renamed=True))
        names = {card["name"] for card in game.cards()} | set(game.variant.names)
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})s?\b")
        assert any(pattern.search(message["content"]) for talk in asked for message in talk)
        for talk in renamed:
            for message in talk:
                assert not pattern.search(message["content"])
                assert "Star Realms" not in message["content"] and "core" not in message["content"].split()
        same = ("points", "decisions", "calls", "illegal", "unreadable", "fallbacks")
        kept = [[[game[name] for name in same] for game in games_of(tmp_path / f"{number}-{kind}")]
                for kind in ("real", "renamed")]  # fmt: skip
        assert kept[0] == kept[1] and real["total"]["calls"] == hidden["total"]["calls"]


def test_memory_of_real_names_does_not_help(tmp_path):
    with endpoint(always('{"moves": ["play Scout"]}')) as (address, asked):
        total = play(address, tmp_path, run=RULES._replace(renamed=True, games=1))["total"]
    assert total["illegal"] == total["calls"] == 18 and total["fallbacks"] == 6, "a pair of games"
    assert "play unknown card" in asked[1][-1]["content"]


def test_forms_of_messages(tmp_path):
    seen = {}
    for name, form in {
        "json": Prompting("json"), "silent": Prompting(legal=False), "moves": Prompting(turns=False, history=3),
    }.items():  # fmt: skip
        with endpoint(always('{"move": "end turn"}')) as (address, asked):
            play(address, tmp_path / name, run=RULES._replace(form=form))
        seen[name] = asked
    table = json.loads(seen["json"][0][-1]["content"].partition("The table:\n")[2].partition("\n\n")[0])
    assert {"zones", "players", "cards"} <= set(table) and "moves" not in table
    assert not any("Legal moves:" in message["content"] for talk in seen["silent"] for message in talk)
    assert '{"move": "..."}' in seen["moves"][0][0]["content"] and '"moves"' not in seen["moves"][0][0]["content"]
    for talk in seen["moves"]:
        assert talk[-1]["content"].count("\n- player_") <= 3
    system = seen["json"][0][0]["content"]
    assert "The last one left wins" in system.replace("the last one left wins", "The last one left wins")
    assert "attack {seat} with all" in system and "](" not in system and "{#" not in system


# Formats with more or fewer sides


def test_a_game_of_three_turns_the_model_round_the_table(tmp_path):
    game = make("star_realms", format="free_for_all", players=3, max_turns=9)
    with endpoint(planner) as (address, _):
        summary = play(address, tmp_path, game, RULES._replace(games=4))
    games = games_of(tmp_path)
    assert [one["side"] for one in games] == [0, 1, 2, 0, 1, 2], "rounded up to whole deals"
    assert [one["seed"] == games[0]["seed"] for one in games] == [True] * 3 + [False] * 3
    assert summary["opponents"][0]["games"] == 6 and all(len(one["places"]) == 3 for one in games)


def test_players_of_one_side_play_the_boss(tmp_path):
    game = make("star_realms", set="box", format="nemesis_beast", players=2)
    with endpoint(planner) as (address, asked):
        summary = play(address, tmp_path, game, RULES._replace(panel_games=20))
    assert [row["agent"] for row in summary["opponents"]] == ["Boss"]
    assert [agent["agent"] for agent in summary["agents"]] == ["rules", "Boss", "scripted"]
    assert summary["agents"][0]["rating"] == 0 and summary["agents"][2]["rating"] is not None
    seats = {re.search(r"You are player_(\d)", talk[1]["content"])[1] for talk in asked}
    assert seats == {"0", "1"}, "the model plays the whole side"


# The command


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `stardeck llm` in this process: (exit code, output, errors)."""
    monkeypatch.setattr(interrupt, "watch", lambda: None)
    monkeypatch.setattr(interrupt, "leave", sys.exit)

    def call(address, out, *options):
        command = ["stardeck", "llm", "star_realms", "--endpoint", address, "--out", str(out)]
        options = ["--max-turns", "6", "--games", "2", "--panel-games", "0", "--pause", "0", *options]
        monkeypatch.setattr(sys, "argv", [*command, *options])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call


def test_the_command_prints_tables(run, tmp_path, monkeypatch):
    monkeypatch.setenv("STARDECK_API_KEY", "from-the-environment")
    with endpoint(planner) as (address, asked):
        code, out, err = run(address, tmp_path, "--model", "evil\x1b[2J", "--price-in", "1", "--price-out", "2")
        assert code == 0 and not err
        assert run(address, tmp_path, "--model", "evil\x1b[2J", "--json")[0] == 0
    told = " ".join(out.split())
    assert r"evil\x1b[2J in star_realms" in told and "\x1b" not in out
    assert "Elo [95 % interval]" in told and "calls a game" in told and "cost: " in told
    assert "2 games of rules" in citation(tmp_path)["text"]
    assert asked.headers[0]["Authorization"] == "Bearer from-the-environment"
    assert len(asked) == sum(game["calls"] for game in games_of(tmp_path))


def test_the_command_says_what_is_unfinished(run, tmp_path):
    with endpoint(always((500, b"", {}))) as (address, _):
        code, out, err = run(address, tmp_path, "--model", "m", "--retries", "0")
    assert code == 1 and "2 games are unfinished: " in err and "the same command continues" in err
    assert len(err.splitlines()) == 1 and "0 games" in out


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--model", "rules"], "model 'rules': must be a name that no opponent has"),
        (["--model", "m", "--body", "[]"], "--body '[]': must be a JSON object"),
        (["--model", "m", "--body", '{"stream": true}'], "without model, messages and stream"),
        (["--model", "m", "--against", "nobody"], "agent 'nobody': must be one of"),
        ([], "Missing option '--model'"),
    ],
)
def test_mistakes_of_the_command_are_one_line(run, tmp_path, options, error):
    code, out, err = run("http://localhost:1/v1", tmp_path / "out", *options)
    assert code == 2 and not out and error in err and len(err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


# The ladder


def test_the_ladder_is_that_of_a_league(tmp_path):
    """Games of a league, given to the harness as those of a model, give the rating of the league."""
    import pyarrow.parquet as pq

    told = league("star_realms", ["rules", "simple"], games=200, seed=5, out=tmp_path)
    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    results = []
    for row in rows:
        side = row["agents"].index("simple")
        won = row["winner"] == [side]
        blank = dict.fromkeys(
            ("calls", "retries", "tokens_in", "tokens_out", "without_usage", "seconds", "illegal", "unreadable",
             "rethinks", "fallbacks", "forced", "forfeited", "truncated"), 0,
        )  # fmt: skip
        results.append(
            {"opponent": "rules", "number": row["index"], "side": side, "places": row["placements"]}
            | {"points": float(won)}
            | blank
        )
    found = standing(GAME, "model", ["rules"], results, [], 5)
    ours, theirs = found["agents"][1], next(agent for agent in told["agents"] if agent["agent"] == "simple")
    assert ours["rating"] == pytest.approx(theirs["rating"], abs=0.01) and found["agents"][0]["rating"] == 0
    assert ours["low"] == pytest.approx(theirs["low"], abs=15) and ours["high"] == pytest.approx(theirs["high"], abs=15)
    assert found["opponents"][0]["win_rate"] == pytest.approx(theirs["win_rate"])


def test_matches_of_the_opponents_join_the_ladder(tmp_path):
    run = RULES._replace(opponents=["rules", "random"], games=2, panel_games=50)
    with endpoint(planner) as (address, _):
        summary = play(address, tmp_path, GAME, run)
    ratings = {agent["agent"]: agent for agent in summary["agents"]}
    assert ratings["rules"]["rating"] == 0 and ratings["random"]["rating"] < ratings["scripted"]["rating"]
    assert (tmp_path / "panel" / "league.json").exists()


# Bad input


@pytest.mark.parametrize(
    ("run", "error"),
    [
        (RULES._replace(games=0), "games=0: must be at least 1"),
        (RULES._replace(seed=-1), "seed=-1: must be from 0"),
        (RULES._replace(fallback="guess"), "fallback='guess': must be one of random_legal, forfeit"),
        (RULES._replace(form=Prompting("picture")), "observation='picture': must be one of text, json"),
        (RULES._replace(opponents=["rules", "rules"]), "each once"),
        (RULES._replace(opponents=["nobody"]), "agent 'nobody': must be one of"),
    ],
)
def test_bad_parts_of_a_run_are_named(tmp_path, run, error):
    with pytest.raises(ValueError, match=re.escape(error)):
        play("http://localhost:1/v1", tmp_path, run=run)
    assert not any(tmp_path.iterdir())


def test_a_model_needs_a_name_of_its_own(tmp_path):
    with Endpoint("http://localhost:1", "rules") as model, pytest.raises(ValueError, match="that no opponent has"):
        play_model(SHORT, model, RULES, tmp_path)
    with pytest.raises(ValueError, match="endpoint 'localhost:1': must be an address"):
        Endpoint("localhost:1", "m")


def test_counts_are_plain_numbers(tmp_path):
    with endpoint(planner) as (address, _):
        summary = play(address, tmp_path)
    assert not any(isinstance(value, np.generic) for value in summary["total"].values())
