"""Agents elsewhere: programs over HTTP and on standard input and output, good ones, broken ones, and their ends."""

import contextlib
import json
import os
import pickle
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path

import gymnasium
import jsonschema
import numpy as np
import pytest
from click.testing import CliRunner
from referencing import Registry, Resource
from starlette.testclient import TestClient

from helpers import EVERY_VARIANT, PROGRAMS, game_of, thorough
from stardeck import agents
from stardeck.agents.honest_agent import HonestAgent
from stardeck.agents.identity import identity_of
from stardeck.agents.remote import agent as remote
from stardeck.agents.remote import protocol
from stardeck.agents.remote.address import address_of
from stardeck.agents.remote.http import HttpTransport
from stardeck.agents.remote.process import _RUNNING, ProcessTransport
from stardeck.agents.remote.transport import MOST_BYTES, RemoteError
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.recordings.replay_result import game_of as game_of_results
from stardeck.benchmarks.results.citation import citation
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands.cli import cli
from stardeck.game.agent import AgentError, IllegalAnswer, decisions
from stardeck.web import hub
from stardeck.web.app import app_for

ROOT = Path(__file__).parents[2]
GAME = "interstellar_empire"
VARIANT = f"{GAME}/2"
BOT = ROOT / "examples" / "remote_bot.py"
PAGE = (ROOT / "docs" / "notation" / "remote_agents.md").read_text(encoding="utf-8")
TABLE = json.loads((resources.files("stardeck.envs") / "table.schema.json").read_text())
SCHEMA = json.loads((resources.files("stardeck.agents.remote") / "protocol.schema.json").read_text())
KNOWN = Registry().with_resource("table.schema.json", Resource.from_contents(TABLE))
VALID = jsonschema.Draft202012Validator(SCHEMA, registry=KNOWN)
STARDECK = Path(sys.executable).with_name("stardeck")
PYTHON = f"{sys.executable} -S -E"  # starts at once

# A program whose answers have the fault that its first argument names.
FAULTY = '''
import json, os, signal, sys, time

def good(request):
    said = {"stardeck": 1, "id": request["id"]}
    if request["type"] == "hello":
        return said | {"name": "faulty", "wants": ["moves"], "batch": 3}
    return said | {"actions": [{"id": one["id"], "action": one["legal"][0]} for one in request["decisions"]]}

def answer(fault, request):
    """Return the answer to a request as text, with a fault in answers to `decide`."""
    said = good(request)
    if request["type"] == "hello":
        known = fault == "no games" and request["game"] is None
        return json.dumps(said | ({} if known else HELLO.get(fault, {})))
    return FAULTS[fault](said)

HELLO = {
    "no name": {"name": ""}, "a long name": {"name": "x" * 201}, "a broken name": {"name": "two\\nlines"},
    "a number as its name": {"name": 5}, "a strange wish": {"wants": ["table", "cards"]}, "a batch of 0": {"batch": 0},
    "a batch of many": {"batch": 10**30}, "a truth in words": {"thread_safe": "yes"},
    "a strange identity": {"identity": []},
    "no games": {"error": "plays nothing"}, "an error that is no text": {"error": 5},
}

def changed(said, **new):
    return json.dumps(said | new)

def first(said, **new):
    said["actions"][0].update(new)
    return json.dumps(said)

FAULTS = {
    "none": json.dumps,
    "words": lambda said: "I would rather not",
    "nothing": lambda said: "",
    "a list": lambda said: "[1]",
    "NaN": lambda said: json.dumps(said).replace(str(said["id"]), "NaN"),
    "deep": lambda said: "[" * 100_000,
    "many digits": lambda said: "1" * 5000,
    "a surrogate": lambda said: first(said, action="\\ud800"),
    "another version": lambda said: changed(said, stardeck=2),
    "true for 1": lambda said: changed(said, stardeck=True),
    "another request": lambda said: changed(said, id=said["id"] - 1),
    "no actions": lambda said: changed(said, actions=None),
    "actions as a dict": lambda said: changed(said, actions={"0": 1}),
    "a bare number": lambda said: changed(said, actions=[1]),
    "too few": lambda said: changed(said, actions=[]),
    "twice": lambda said: changed(said, actions=said["actions"] * 2),
    "an unknown id": lambda said: first(said, id=77),
    "an id in words": lambda said: first(said, id="0"),
    "a fraction": lambda said: first(said, action=0.5),
    "a truth": lambda said: first(said, action=True),
    "null": lambda said: first(said, action=None),
    "a huge number": lambda said: first(said, action=2**70),
    "long words": lambda said: first(said, action="x" * 2000),
    "no action": lambda said: first(said, action=-1),
    "an illegal action": lambda said: first(said, action=92),
    "illegal words": lambda said: first(said, action="buy the moon"),
    "an error": lambda said: json.dumps({"stardeck": 1, "id": said["id"], "error": "weights are missing"}),
    "too long": lambda said: json.dumps(said | {"pad": "x" * (5 * 2**20)}),
}

def exits(said):
    sys.stderr.write("Traceback\\nKeyError: 'ship'\\n")
    sys.exit(3)

PROCESS = {
    "exits": exits,
    "is killed": lambda said: os.kill(os.getpid(), signal.SIGKILL),
    "closes its output": lambda said: (os.close(1), time.sleep(100)),
    "says nothing": lambda said: time.sleep(100),
    "debugging text": lambda said: "thinking\\n" + json.dumps(said),
    "answers twice": lambda said: json.dumps(said) + "\\n" + json.dumps(said),
    "text afterwards": lambda said: json.dumps(said) + "\\ndone",
}
FAULTS |= PROCESS | dict.fromkeys(HELLO, json.dumps)

if __name__ == "__main__":
    if sys.argv[1] == "never reads":
        time.sleep(100)
    for line in sys.stdin:
        print(answer(sys.argv[1], json.loads(line)), flush=True)
'''
PARTS: dict = {"__name__": "faulty"}
exec(FAULTY, PARTS)

IN_HELLO = {  # the fault, and the error of agents.get
    "no name": "name='': must be a text of up to 200 printable characters, the name in results",
    "a long name": "name='xxx.*: must be a text of up to 200 printable",
    "a broken name": r"name='two\\nlines': must be a text",
    "a number as its name": "name=5: must be a text",
    "a strange wish": r"wants=\['table', 'cards'\]: must be a list of table, moves, observation",
    "a batch of 0": "batch=0: must be a whole number from 1 to 1024",
    "a batch of many": "batch=1000.*: must be a whole number from 1 to 1024",
    "a truth in words": "thread_safe='yes': must be true or false",
    "a strange identity": r"identity=\[\]: must be a text",
    "no games": "cannot play interstellar_empire/2: plays nothing",
    "an error that is no text": "error=5: must be a text",
}
IN_DECISION = {
    "words": "answer 'I would rather not': must be one JSON object",
    "nothing": "answer '': must be one JSON object",
    "a list": r"answer \[1\]: must be a JSON object",
    "NaN": r"must be one JSON object \(NaN is not JSON\)",
    "deep": r"must be (one|a) JSON object",
    "many digits": r"must be (one|a) JSON object",
    "a surrogate": r"'\\ud800'.* is not legal|\\ud800",
    "another version": "answer: stardeck=2: must be 1",
    "true for 1": "answer: stardeck=True: must be 1",
    "another request": r"answer: id=\d+: must be \d+, as in the request",
    "no actions": r"actions=None: must be a list of \{id, action\}, one for each decision",
    "actions as a dict": r"actions=\{'0': 1\}: must be a list",
    "a bare number": "actions: 1: must be an object with id and action",
    "too few": r"actions: 0 given: must be [123]; id \d is missing",
    "twice": r"actions: id \d is answered twice",
    "an unknown id": r"actions: id 77: must be from \d+ to \d",
    "an id in words": r"actions: id '0': must be from",
    "a fraction": r"id \d: action 0.5: must be the number of a legal action, or its words",
    "a truth": "action True: must be the number",
    "null": "action None: must be the number",
    "a huge number": r"action 1180591620717411303424: must be the number",
    "long words": "action 'xxx.*: must be the number",
    "no action": r"row \d: action -1: must be from 0 to 92",
    "an illegal action": r"row \d: action 92 .* is not legal here; legal: ",
    "illegal words": r"row \d: .*buy the moon.*legal",
    "an error": r": weights are missing",
    "too long": "the answer is too long: at most 4,194,304 bytes are allowed",
}
IN_PROCESS = {
    "exits": r"the program has ended with exit code 3; on standard error: Traceback \| KeyError: 'ship'",
    "is killed": "the program was ended by signal 9",
    "closes its output": "the program has closed its standard output",
    "says nothing": r"no answer within 0.5 s; `timeout=SECONDS:` before the text of the agent sets another limit",
    "debugging text": "answer 'thinking': must be one JSON object",
    "answers twice": r"wrote '\{.*' on standard output without a request|answer: id=",
    "text afterwards": r"wrote 'done' on standard output without a request: it holds one line for each answer",
}
ILLEGAL = {"no action", "an illegal action", "illegal words", "a surrogate"}


@pytest.fixture(autouse=True)
def _nothing_stays():
    """Check after each test that no program is left, and none as a zombie."""
    yield
    import gc

    gc.collect()
    assert not _RUNNING
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@pytest.fixture
def faulty(tmp_path):
    """Return the text of the agent with a fault."""
    (tmp_path / "faulty.py").write_text(FAULTY)
    return lambda fault, timeout=5.0: f"timeout={timeout}:exec:{PYTHON} {tmp_path / 'faulty.py'} {shlex.quote(fault)}"


@contextmanager
def serving(answer, version="HTTP/1.1"):
    """Serve answers over HTTP: `answer` gets the handler and the request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = version
        disable_nagle_algorithm = True

        def do_POST(self):
            self.body = self.rfile.read(int(self.headers["Content-Length"]))
            answer(self, json.loads(self.body))

        do_GET = do_POST

        def say(self, text, status=200, **headers):
            body = text.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words): ...

    class Server(ThreadingHTTPServer):
        def handle_error(self, request, address): ...  # the other side has gone, which is what is tested

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def well(handler, request):
    handler.say(json.dumps(PARTS["good"](request)))


def one_game(text, number=2):
    return Series(game_of(VARIANT), [text, "random"]).play(0, number)


# The specification


def test_messages_of_the_page_are_what_the_schema_and_the_code_say():
    messages = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.S)]
    for message in messages:
        VALID.validate(message)
    requests = {message["id"]: message for message in messages if "type" in message}
    replies = [message for message in messages if "type" not in message]
    assert [message["type"] for message in requests.values()] == ["hello", "hello", "decide"]
    for reply in replies:
        read = protocol.read(protocol.written(reply), reply["id"])
        if "name" in reply:
            assert protocol.greeting(read) == protocol.Greeting("my-bot", "2026-11-28", ("table",), False, 64)
        elif "actions" in reply:
            assert protocol.answers(read, range(2)) == {0: 1, 1: "buy Ram"}
        else:
            assert protocol.refusal(read) == reply["error"]
    assert len(replies) == 4


def test_the_schema_refuses_what_the_code_refuses():
    good = {"stardeck": 1, "id": 1}
    wrong = [{"name": "x"} | new for fault, new in PARTS["HELLO"].items() if fault not in ("no games", "a broken name")]
    wrong += [{"actions": {}}, {"actions": [1]}, {"actions": [{"id": -1, "action": 1}]}, {}, {"error": 5}]
    wrong += [{"actions": [{"id": 1, "action": action}]} for action in (1.5, -1, None, True, "", "x" * 1001)]
    for bad in wrong:
        assert not VALID.is_valid(good | bad), bad
    assert not VALID.is_valid({"id": 1, "name": "x"}) and VALID.is_valid(good | {"name": "x", "more": 1})


def some(variant, number=6):
    """Return a game and states from several moments of it."""
    game = game_of(variant)
    states = game.deal(np.arange(number))
    for row in range(number):
        one = states[row : row + 1]
        game.play_random(one, 5, 12 * row)
    return game, states[~game.is_over(states)]


@pytest.mark.parametrize("variant", PROGRAMS)
def test_requests_are_what_the_schema_says(variant):
    game, states = some(variant)
    seeds = np.arange(len(states), dtype=np.uint64)
    batch = protocol.Batch(5, states, game.legal_actions(states), seeds)
    for wants in (protocol.WANTS, ("moves",), ()):
        listed = protocol.decisions_of(game, batch, wants)
        for message in (protocol.hello(1, None), protocol.hello(2, game), protocol.decide(3, game, listed)):
            VALID.validate(message)
            assert json.loads(protocol.written(message)) == message
        assert [one["id"] for one in listed] == list(range(5, 5 + len(states)))
        assert all(set(one) == {"id", "seat", "seed", "legal", *wants} for one in listed)
    full = protocol.decisions_of(game, batch, protocol.WANTS)
    for one, state, mask in zip(full, states, batch.masks, strict=True):
        assert one["table"] == game.table(state, one["seat"]) and one["seat"] == int(state["to_act"])
        assert one["legal"] == np.flatnonzero(mask).tolist() == [move["action"] for move in one["moves"]]
        assert {move["action"]: move["words"] for move in one["moves"]} == {
            move["action"]: move["words"] for move in one["table"]["moves"]
        }
    assert np.array_equal([one["observation"] for one in full], game.observe(states))


@pytest.mark.parametrize("variant", thorough(EVERY_VARIANT, PROGRAMS))
def test_a_request_holds_nothing_that_is_hidden_from_the_seat(variant):
    game, states = some(variant)
    seeds = np.arange(len(states), dtype=np.uint64)
    masks = game.legal_actions(states)
    sent = [
        protocol.decisions_of(game, protocol.Batch(0, truth, masks, seeds), protocol.WANTS)
        for truth in (game.resample_hidden(states, game.to_act(states), seeds + np.uint64(each)) for each in (7, 10**6))
    ]
    assert sent[0] == sent[1]
    assert {one["seed"] for one in sent[0]}.isdisjoint(map(str, seeds))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exec:", "must go on with a command, exec:COMMAND"),
        ("exec:  ", "must go on with a command"),
        ("exec:''", "must go on with a command"),
        ("exec:node 'bot.js", "is not a command line .No closing quotation."),
        ("exec:a\0b", "a command line has no null character"),
        ("http://", "must name a host, such as http://localhost:9000"),
        ("http://a b", "a URL has neither spaces nor control characters"),
        ("http://a:99999", "is not a URL .Port out of range"),
        ("http://[::1", "is not a URL"),
        ("https://me:secret@a", "must have neither a password nor a fragment"),
        ("http://a/#b", "must have neither a password nor a fragment"),
        ("timeout=0:http://a", "timeout=0: must be above 0 and at most 3600 seconds"),
        ("timeout=nan:http://a", "timeout=nan: must be above 0"),
        ("timeout=:exec:a", "timeout=: must be above 0"),
        ("timeout=5:rules", "must be one of random, simple.*or a program elsewhere"),
    ],
)
def test_a_text_that_is_no_address_is_refused_in_one_line(text, message):
    with pytest.raises(ValueError, match=f"^agent .*{message}") as error:
        agents.get(text)
    assert "\n" not in str(error.value)


def test_a_command_line_is_split_as_a_shell_would_without_one():
    assert address_of("timeout=2.5:exec:node 'my bot.js' $HOME|x").command == ["node", "my bot.js", "$HOME|x"]
    assert address_of("timeout=2.5:exec:node x").timeout == 2.5 and address_of("http://a:9/x?y").timeout == 30


# The example


@pytest.fixture(scope="module")
def of_the_example(tmp_path_factory):
    """Return a function that plays whole games of the example, and returns the summary."""

    def play(text, variant):
        game, settings = game_of(variant).variant.game, game_of(variant).settings
        return advantage(game, [text, "rules"], 2, seed=3, out=tmp_path_factory.mktemp("out"), **settings)

    return play


@pytest.mark.parametrize("variant", PROGRAMS)
def test_the_example_plays_whole_games_of_every_game_either_way(variant, of_the_example):
    program = subprocess.Popen([sys.executable, BOT, "0"], stdout=subprocess.PIPE, text=True)
    try:
        url = program.stdout.readline().strip()
        by_http = of_the_example(url, variant)
        by_pipe = of_the_example(f"exec:{sys.executable} {BOT}", variant)
    finally:
        program.kill()
        program.wait()
        program.stdout.close()
    assert by_http["games"] == by_pipe["games"] == 2 and by_http["truncated"] == 0
    assert [row["agent"] for row in by_pipe["agents"]] == ["remote-bot", "rules"]
    for key in ("agents", "seats", "decisions_mean", "turns"):
        assert by_http[key] == by_pipe[key]
    assert by_http["identities"][0] == f"remote-bot ({url}, 1)"
    assert by_pipe["identities"][0].startswith(f"remote-bot (exec:{sys.executable} {BOT}, files ")


def test_commands_take_it_among_others(tmp_path):
    bot = f"exec:{PYTHON} {BOT}"
    measured = ["--games", "2", "--out"]
    for words in (
        ["league", GAME, "--agents", f"rules,{bot}", *measured, str(tmp_path / "league")],
        ["watch", GAME, "--agents", f"{bot},random", "--seed", "1"],
        ["advantage", GAME, "--agents", f"search:2:prior={bot}", *measured, str(tmp_path / "guided")],
    ):
        result = CliRunner().invoke(cli, [*words, "--json"])
        assert result.exit_code == 0, result.output
    assert [row["agent"] for row in json.loads((tmp_path / "league" / "league.json").read_text())["agents"]] == [
        "rules", "remote-bot",
    ]  # fmt: skip


def test_environments_take_it_as_an_opponent():
    env = gymnasium.make("stardeck/InterstellarEmpire-v1", opponents=f"exec:{PYTHON} {BOT}", seat=1)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, reward, ended, cut_off, info = env.step(int(info["action_mask"].argmax()))
        over = ended or cut_off
    assert reward in (-1, 0, 1)
    env.close()


# Answers that are wrong


@pytest.mark.parametrize("way", ["exec", "http"])
@pytest.mark.parametrize("fault", IN_HELLO)
def test_what_is_wrong_with_a_greeting_is_said_in_one_line(fault, way, faulty):
    def answer(handler, request):
        handler.say(PARTS["answer"](fault, request))

    with serving(answer) as url:
        text = faulty(fault) if way == "exec" else url
        with pytest.raises(ValueError, match=f"^agent .*: .*{IN_HELLO[fault]}") as error:
            agents.get(text, game_of(VARIANT))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("way", ["exec", "http"])
@pytest.mark.parametrize("fault", IN_DECISION)
def test_what_is_wrong_with_an_answer_is_said_with_the_agent_and_the_game(fault, way, faulty):
    def answer(handler, request):
        handler.say(PARTS["answer"](fault, request))

    with serving(answer) as url, pytest.raises(AgentError, match=IN_DECISION[fault]) as error:
        one_game(faulty(fault) if way == "exec" else url)
    said = str(error.value)
    assert said.startswith("agent 'faulty'") and "\n" not in said
    assert re.search(r"in game 0 \(deal seed \d+, decision \d+, seat 0\); `stardeck watch .*` plays it again", said)
    assert isinstance(error.value, IllegalAnswer) == (fault in ILLEGAL)


@pytest.mark.parametrize("fault", IN_PROCESS)
def test_what_a_program_does_wrong_is_said_and_ends_it(fault, faulty):
    with pytest.raises(AgentError, match=f"^agent 'faulty' .*{IN_PROCESS[fault]}") as error:
        one_game(faulty(fault, timeout=0.5))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program -x", "cannot be started .No such file or directory: no-such-program"),
        ("/", "cannot be started .Permission denied"),
        ("true", "the program has ended with exit code 0"),
        ("sh -c 'echo no weights >&2; exit 4'", "has ended with exit code 4; on standard error: no weights"),
        ("cat", "name=None: must be a text of up to 200 printable characters"),
        ("yes", "answer 'y': must be one JSON object|wrote 'y y .* without a request"),
        ("sh -c 'exec <&-; sleep 9'", "no answer within 0.5 s"),
        ("sh -c 'head -c 9000000 /dev/zero; sleep 9'", "the answer is too long"),
        ("sh -c 'while :; do echo noise >&2; done'", "no answer within 0.5 s"),
    ],
)
def test_a_program_that_is_no_agent_is_refused(command, message):
    with pytest.raises(AgentError, match=f"^agent .*({message})"):
        agents.get(f"timeout=0.5:exec:{command}")
    assert not _RUNNING


def test_a_program_that_never_reads_is_given_up():
    transport = ProcessTransport(["sleep", "100"])
    with pytest.raises(RemoteError, match=r"no answer within 0.3 s; .* it has not read [\d,]+ bytes of the request"):
        transport.exchange(b"x" * 10**6, 0.3)
    assert not _RUNNING


def test_a_program_that_complains_a_lot_plays(tmp_path):
    (tmp_path / "loud.py").write_text(
        FAULTY.replace(
            "    for line in sys.stdin:\n", "    for line in sys.stdin:\n        sys.stderr.write('x' * 200_000)\n"
        )
    )
    one_game(f"exec:{PYTHON} {tmp_path / 'loud.py'} none", 1)


@pytest.mark.parametrize("fault", ["an illegal action", "exits", "no games"])
def test_a_command_ends_with_one_line_and_keeps_finished_games(fault, tmp_path, faulty):
    text = faulty(fault)
    done = subprocess.run(
        [STARDECK, "advantage", GAME, "--agents", f"{text},random", "--games", "4"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2 and "Traceback (" not in done.stderr, done.stderr
    assert "faulty" in done.stderr


def test_finished_games_are_kept_and_the_same_command_continues(tmp_path, monkeypatch, faulty):
    monkeypatch.setattr("stardeck.benchmarks.arena.series.LONE_CHUNK", 2)
    place = tmp_path / "asked"
    program = FAULTY.replace(
        "FAULTS[fault](said)", f'FAULTS["exits" if os.path.exists({str(place)!r}) else "none"](said)'
    )  # fmt: skip
    (tmp_path / "faulty.py").write_text(program)
    text = f"exec:{PYTHON} {tmp_path / 'faulty.py'} none"

    def stop_later(done, all_games):
        if done >= 2:
            place.touch()

    with pytest.raises(AgentError, match="exit code 3"):
        advantage(GAME, [text, "random"], 8, out=tmp_path / "out", progress=stop_later)
    place.unlink()
    kept = list((tmp_path / "out").rglob("*.parquet"))
    assert kept and advantage(GAME, [text, "random"], 8, out=tmp_path / "out")["games"] == 8


# HTTP


def refused(url, message, timeout=5):
    with pytest.raises(AgentError, match=f"^agent .*{message}") as error:
        agents.get(f"timeout={timeout}:{url}")
    assert "\n" not in str(error.value)


def test_a_server_that_is_not_there_is_named():
    refused("http://127.0.0.1:9", "no connection .Connection refused.")
    refused("http://no.such.host.invalid", "no connection")


def test_redirects_and_other_statuses_are_errors_with_what_they_say():
    with serving(lambda handler, request: handler.say("", 302, Location="http://127.0.0.1:9/x")) as url:
        refused(url, "status 302: redirects to http://127.0.0.1:9/x; redirects are not followed, so give that URL")
    with serving(lambda handler, request: handler.say("out of\nmemory", 503)) as url:
        refused(url, "status 503: must be 200; it says: out of memory")


def test_what_is_slow_or_too_long_is_given_up():
    def trickle(handler, request):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        for _ in range(30):
            handler.wfile.write(b" ")
            time.sleep(0.1)

    def flood(handler, request):
        handler.send_response(200)
        handler.end_headers()
        for _ in range(2 * MOST_BYTES // 2**16):
            handler.wfile.write(b" " * 2**16)

    with serving(lambda handler, request: time.sleep(1)) as url:
        refused(url, "no answer within 0.3 s", 0.3)
    with serving(trickle) as url:
        refused(url, "no answer within 0.5 s", 0.5)
    with serving(flood) as url:
        refused(url, "the answer is too long: at most 4,194,304 bytes are allowed")


def test_a_connection_that_was_closed_is_opened_again_once():
    asked, dropped = [], []

    def answer(handler, request):
        asked.append(request["id"])
        if request["id"] in dropped:
            dropped.remove(request["id"])
            handler.close_connection = True
            handler.connection.shutdown(socket.SHUT_RDWR)
        else:
            well(handler, request)

    with serving(answer) as url:
        agent = agents.get(url, game_of(VARIANT))
        dropped += [3]
        one_game(agent, 1)
        assert asked[:4] == [1, 2, 3, 3]
        dropped += [asked[-1] + 1] * 2
        with pytest.raises(AgentError, match="the connection was closed before an answer"):
            agent.check(game_of("star_realms/core/standard/2"))
        agent.close()


def test_old_and_chunked_http_is_read():
    def chunked(handler, request):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for part in re.findall(r".{1,7}", json.dumps(PARTS["good"](request))):
            handler.wfile.write(f"{len(part):x}\r\n{part}\r\n".encode())
        handler.wfile.write(b"0\r\n\r\n")

    with serving(chunked) as url, serving(well, "HTTP/1.0") as old:
        chunks = [one_game(each) for each in (url, old)]
    assert all(np.array_equal(*columns) for columns in zip(*chunks, strict=True))


def test_without_urllib3_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "urllib3", None)
    with pytest.raises(ValueError, match=r"agent 'http://a': urllib3: not installed; pip install 'stardeck\[remote\]'"):
        agents.get("http://a")


def test_only_a_program_that_says_so_is_asked_by_several_threads():
    inside, most, both = [], [], threading.Event()

    def answer(safe):
        def each(handler, request):
            inside.append(1)
            most.append(len(inside))
            if request["type"] == "decide" and safe:
                both.set() if len(inside) > 1 else both.wait(10)
            handler.say(
                json.dumps(PARTS["good"](request) | ({"thread_safe": safe} if request["type"] == "hello" else {}))
            )
            inside.pop()

        return each

    games = []
    for safe in (False, True):
        with serving(answer(safe)) as url, pytest.MonkeyPatch.context() as patch:
            patch.setattr("stardeck.benchmarks.arena.series.SLOW_CHUNK", 2)
            patch.setattr("stardeck.benchmarks.arena.series.LONE_CHUNK", 2)
            series = Series(game_of(VARIANT), [url, "random"])
            assert series.thread_safe == safe
            games.append(sorted((chunk.start, chunk.turns.tolist()) for chunk in series.run([(0, 8)], workers=2)))
            assert (max(most) > 1) == safe
    assert games[0] == games[1]


# What is asked


class Written:
    """A server that answers well and keeps all requests."""

    def __init__(self, **greeting):
        self.greeting, self.requests = greeting, []

    def __call__(self, handler, request):
        self.requests.append(request)
        said = PARTS["good"](request)
        handler.say(json.dumps(said | (self.greeting if request["type"] == "hello" else {})))


def test_batches_are_as_large_as_the_program_wants_and_ids_run_on():
    game, states = some(VARIANT, 7)
    server = Written(batch=3, wants=["observation"])
    seeds = np.arange(len(states), dtype=np.uint64)
    with serving(server) as url:
        agent = agents.get(url, game)
        actions = decisions(agent, game, states, seeds)
        again = decisions(agent, game, states, seeds)
    asked = [request for request in server.requests if request["type"] == "decide"]
    assert [[one["id"] for one in request["decisions"]] for request in asked[:3]] == [[0, 1, 2], [3, 4, 5], [6]]
    assert (actions == game.legal_actions(states).argmax(axis=1)).all() and (again == actions).all()
    assert [request["game"] and request["game"]["id"] for request in server.requests[:2]] == [None, game.id]
    assert len(server.requests) == 8 and asked[0]["decisions"] == asked[3]["decisions"]
    for request in server.requests:
        VALID.validate(request)


def test_words_are_answers_too():
    def in_words(handler, request):
        said = PARTS["good"](request)
        for one, decision in zip(said.get("actions", ()), request.get("decisions", ()), strict=True):
            one["action"] = decision["moves"][0]["words"]
        handler.say(json.dumps(said))

    with serving(well) as numbers, serving(in_words) as words:
        chunks = [one_game(each, 4) for each in (numbers, words)]
    assert all(np.array_equal(*columns) for columns in zip(*chunks, strict=True))


def test_words_for_several_actions_are_refused(monkeypatch):
    def all_of_it(handler, request):
        said = PARTS["good"](request)
        for one in said.get("actions", ()):
            one["action"] = "attack player_1 with all"
        handler.say(json.dumps(said))

    game, states = some("star_realms/core/standard/2", 1)
    monkeypatch.setattr(type(game), "parse", lambda self, state, text: [1, 2])
    with serving(all_of_it) as url, pytest.raises(IllegalAnswer, match="row 0: 'attack .*must be one action, not 2"):
        decisions(agents.get(url, game), game, states, np.zeros(1, np.uint64))


# Who it is


def test_its_identity_is_its_text_its_files_and_what_it_says(tmp_path, faulty):
    texts = [faulty("none"), faulty("none", timeout=9.0)]
    found = [identity_of(agents.get(text)) for text in texts]
    assert found[0] == found[1] and "timeout" not in found[0]
    (tmp_path / "faulty.py").write_text(FAULTY + "\n# changed")
    assert identity_of(agents.get(texts[0])) != found[0]
    with serving(Written(identity="v2")) as url:
        assert identity_of(agents.get(url)) == f"faulty ({url}, v2)"


def test_results_are_those_of_the_program_that_played(tmp_path, faulty):
    text = faulty("none")
    advantage(GAME, [text, "random"], 2, out=tmp_path / "out")
    (tmp_path / "faulty.py").write_text(FAULTY + "\n# changed")
    with pytest.raises(ResultsError, match="faulty"):
        advantage(GAME, [text, "random"], 4, out=tmp_path / "out")


def test_a_program_that_says_something_else_of_itself_is_refused():
    server = Written(identity="1")
    with serving(server) as url:
        agent = agents.get(url)
        server.greeting = {"identity": "2"}
        for _ in range(2):
            with pytest.raises(
                AgentError, match=r"says \('faulty', '2'.* must always say the same; it said \('faulty', '1'"
            ):
                agent.check(game_of(VARIANT))


def test_a_program_that_failed_is_started_again_and_greeted_again(faulty, tmp_path):
    agent = agents.get(faulty("exits"), game_of(VARIANT))
    game, states = some(VARIANT, 2)
    for _ in range(2):
        with pytest.raises(AgentError, match="exit code 3"):
            decisions(agent, game, states, np.zeros(2, np.uint64))
    (tmp_path / "faulty.py").write_text(FAULTY + "\n# changed")
    with pytest.raises(AgentError, match="files of its command have changed"):
        decisions(agent, game, states, np.zeros(2, np.uint64))
    agent.close()


def test_agents_of_one_text_share_a_program(faulty):
    first, second = agents.get(faulty("none")), agents.get(faulty("none", 9.0))
    assert first._connection is second._connection and len(_RUNNING) == 1


def test_it_sees_nothing_hidden_so_honest_leaves_it_as_it_is(faulty):
    text = faulty("none")
    agent = agents.get(text)
    assert agents.honest(text) == text and agents.honest(agent) is agent
    assert not isinstance(agents.get(f"honest:{text}"), HonestAgent)


def test_a_pickled_agent_connects_again_and_must_be_the_same(tmp_path, faulty):
    agent = agents.get(faulty("none"), game_of(VARIANT))
    (tmp_path / "agent.pickle").write_bytes(pickle.dumps(agent))
    code = (
        "import pickle, pathlib; import stardeck; from stardeck.benchmarks.arena.series import Series; "
        f"agent = pickle.loads(pathlib.Path({str(tmp_path / 'agent.pickle')!r}).read_bytes()); "
        "print(agent.name, Series(stardeck.make('interstellar_empire'), [agent, 'random']).play(0, 2).turns.tolist())"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True)
    assert done.stdout == f"faulty {one_game(agent).turns.tolist()}\n", done.stderr
    (tmp_path / "faulty.py").write_text(FAULTY + "\n# changed")
    done = subprocess.run(run, capture_output=True, text=True)
    assert "files of its command have changed" in done.stderr and done.returncode == 1
    series = pickle.loads(pickle.dumps(Series(game_of(VARIANT), [agent, "random"])))
    assert identity_of(series.agents[0]) == identity_of(agent)


# Ends of programs

# Answers well, ignores the end of its input, Ctrl-C and a request to end, and starts a child that does so too.
STUBBORN = """
signal.signal(signal.SIGINT, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
with open(sys.argv[2], "a") as file:
    file.write(f"{os.getpid()}\\\\n")
if child == 0:
    time.sleep(1000)
for line in sys.stdin:
    print(answer("none", json.loads(line)), flush=True)
    time.sleep(SLOW)
time.sleep(1000)
"""


@pytest.fixture
def stubborn(tmp_path):
    """Return the text of an agent that never ends by itself, and the path of the file with its processes."""

    def written(slow=0.0):
        program = FAULTY.split('if __name__ == "__main__"')[0] + STUBBORN.replace("SLOW", str(slow)).replace(
            "\\\\n", "\\n"
        )
        (tmp_path / "stubborn.py").write_text(program)
        return f"exec:{PYTHON} {tmp_path / 'stubborn.py'} none {tmp_path / 'processes'}"

    return written, tmp_path / "processes"


def assert_gone(path):
    """Check that the processes of a file are gone, within a few seconds."""
    numbers = [int(line) for line in path.read_text().split()]
    assert len(numbers) >= 2
    deadline = time.monotonic() + 5
    while alive := [number for number in numbers if _is_alive(number)]:
        assert time.monotonic() < deadline, alive
        time.sleep(0.02)


def _is_alive(number):
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{number}/stat")
    return not (
        state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z"
    )  # a container's first process reaps


def test_a_program_ends_with_its_last_agent_or_when_closed(stubborn):
    write, path = stubborn
    agent = agents.get(write())
    agent.close()
    assert_gone(path)
    assert agents.get(write()).name == "faulty"
    import gc

    gc.collect()
    assert_gone(path)


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)", "1 / 0", "interrupt.leave(0)"])
def test_a_program_ends_with_python(stubborn, ending):
    write, path = stubborn
    code = (
        "from stardeck import agents; from stardeck.benchmarks import interrupt; "
        f"agent = agents.get({write()!r}); import sys; sys.modules['kept'] = agent\n{ending}"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert_gone(path)


@pytest.mark.parametrize("presses", [1, 2])
def test_ctrl_c_ends_the_command_and_its_programs(stubborn, tmp_path, presses):
    write, path = stubborn
    command = [STARDECK, "advantage", GAME, "--agents", f"{write(0.05)},random"]
    process = subprocess.Popen(
        [*command, "--games", "100000", "--out", tmp_path / "out"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not path.exists():
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(1)
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
        time.sleep(0.6)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "Traceback" not in errors, errors
    assert_gone(path)


@pytest.mark.parametrize("then", ["press()", "interrupt.leave(0)"])
def test_ctrl_c_while_a_program_has_time_to_end_leaves_none(stubborn, then):
    """Regression: a program that was ending already was forgotten."""
    write, path = stubborn
    code = f"""
import os, signal, threading, time
from stardeck import agents
from stardeck.benchmarks import interrupt
interrupt.watch()
press = lambda: os.kill(os.getpid(), signal.SIGINT)
agent = agents.get({write()!r})
interrupt._Presses.first = time.monotonic() - 10  # one press is past, so the next one ends Python at once
threading.Timer(0.3, lambda: {then}).start()
agent.close()
time.sleep(30)
"""
    subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert_gone(path)


def test_a_copy_of_a_process_leaves_its_programs_alone(stubborn):
    write, path = stubborn
    code = f"""
import os, warnings
warnings.simplefilter("ignore")
from stardeck import agents
agent = agents.get({write()!r})
child = os.fork()
if child == 0:
    from stardeck.agents.remote.process import end_all
    end_all()
    os._exit(0)
os.waitpid(child, 0)
assert agent._connection.greet(None, 5).name == "faulty"
print(len(open({str(path)!r}).read().split()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "2\n", done.stderr  # the program was not started again
    assert_gone(path)


def test_a_program_ends_at_the_end_of_its_input_before_it_is_killed(tmp_path):
    program = (
        f"import sys\nfor line in sys.stdin: print('[]', flush=True)\nopen({str(tmp_path / 'left')!r}, 'w').close()"
    )
    transport = ProcessTransport([sys.executable, "-S", "-c", program])
    assert transport.exchange(b"{}", 5) == b"[]"
    transport.close()
    assert (tmp_path / "left").exists()


# Results and the browser


@pytest.mark.parametrize("evil", ["exec:touch {}", "timeout=5:exec:touch {}", "search:1:prior=exec:touch {}"])
def test_names_in_results_start_no_programs(tmp_path, evil):
    made = tmp_path / "made"
    server = Written(name=evil.format(made))
    with serving(server) as url:
        agent = agents.get(url, game_of(VARIANT))
        advantage(GAME, [agent, "random"], 2, out=tmp_path / "out")
        with pytest.raises(ResultsError, match="cannot be found by name"):
            game_of_results(tmp_path / "out", 0)
        citation(tmp_path / "out")
        game, states = some(VARIANT, 1)
        server.greeting["batch"] = 0  # it fails from now on
        agent._connection._transport.reset()
        with pytest.raises(AgentError):
            Series(game, [agent, "random"]).play(0, 1)
    assert not made.exists()


@pytest.mark.parametrize("text", ["exec:touch owned", "http://localhost:9", "https://a", "timeout=1:exec:true",
                                  "search:1:prior=exec:true", "honest:exec:true"])  # fmt: skip
def test_visitors_name_no_programs(tmp_path, text):
    with TestClient(app_for(tmp_path, offered={"mine": "rules"}), base_url="http://localhost") as client:
        answer = client.post("/api/games", json={"game": GAME, "settings": {}, "seats": [text, "rules"]})
        assert answer.status_code == 400 and "must be one of mine" in answer.json()["error"]


def test_it_plays_in_the_browser_and_a_failure_is_shown(tmp_path, monkeypatch, faulty):
    monkeypatch.setattr(hub, "PACE", 0.0)
    offered = {"good": faulty("none"), "bad": faulty("exits")}
    ws = "ws://localhost/api/games/{}/0/socket?token={}"
    with TestClient(app_for(tmp_path, offered=offered), base_url="http://localhost") as client:
        assert {"good", "bad"} <= set(client.get("/api/games").json()["agents"])
        for name in ("bad", "good"):
            seats = ["person", name]
            begun = client.post("/api/games", json={"game": GAME, "settings": {}, "seats": seats, "seed": 1}).json()
            with client.websocket_connect(ws.format(begun["id"], begun["seats"][0]["token"])) as seat:
                answered = False
                for _ in range(200):
                    seen = seat.receive_json()
                    table = seen["table"]
                    answered = answered or any(entry["seat"] == 1 for entry in seen["log"])
                    if seen.get("trouble") or answered:
                        break
                    if table["to_act"] == 0:
                        seat.send_json({"number": seen["number"], "action": table["moves"][0]["action"]})
            if name == "bad":
                assert "agent 'faulty'" in seen["trouble"]
            else:
                assert answered and not seen.get("trouble")


def test_ctrl_c_ends_a_server_although_a_program_hangs(tmp_path, faulty):
    """Regression: the program was started again, and waited for until its timeout."""
    command = [STARDECK, "serve", "--port", "0", "--no-warm", "--folder", tmp_path / "games"]
    command += ["--agent", f"bot={faulty('says nothing', timeout=600.0)}"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+:\d+", server.stdout.readline())[0]
    body = json.dumps({"game": GAME, "settings": {}, "seats": ["bot", "person"]}).encode()
    request = urllib.request.Request(f"{address}/api/games", body, {"content-type": "application/json"})
    waiting = threading.Thread(target=_opened, args=(request,))
    waiting.start()
    time.sleep(3)
    assert waiting.is_alive()  # for the first decision
    server.send_signal(signal.SIGINT)
    _, errors = server.communicate(timeout=120)
    waiting.join()
    assert server.returncode == 130 and "Traceback" not in errors, errors


def _opened(request):
    """Send a request, whatever becomes of it."""
    with contextlib.suppress(OSError):
        urllib.request.urlopen(request).close()


def test_the_server_refuses_a_broken_address_at_once():
    result = CliRunner().invoke(cli, ["serve", "--agent", "mine=exec:'a", "--no-warm"])
    assert result.exit_code == 2 and "is not a command line" in result.output


def test_every_transport_has_the_same_members():
    wanted = {name for name in vars(remote.Transport) if not name.startswith("_")}
    assert all(wanted <= set(dir(kind)) for kind in (HttpTransport, ProcessTransport))
