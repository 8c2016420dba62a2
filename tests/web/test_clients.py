"""Client programs at a server in a thread: the bot of `examples/`, and many clients at once."""

import runpy
import socket
import sys
import threading
import time
from pathlib import Path

import pytest
import uvicorn
from click.testing import CliRunner

from stardeck.benchmarks.speed.server_load import load, main
from stardeck.web.app import app_for

BOT = Path(__file__).parents[2] / "examples" / "web_bot.py"


@pytest.fixture
def address(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as door:
        server = uvicorn.Server(uvicorn.Config(app_for(tmp_path), log_level="warning"))
        thread = threading.Thread(target=server.run, args=([door],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
        server.should_exit = True
        thread.join(20)


def test_the_bot_of_the_examples_plays_a_game(address, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["web_bot.py", address])
    runpy.run_path(str(BOT), run_name="__main__")
    assert "game over" in capsys.readouterr().out


def test_no_decision_of_many_clients_is_lost(address):
    found = load(address, clients=20, think=0.0, decisions=15)
    assert found.lost == 0 and found.decisions == 20 * 15 == len(found.waits)


def test_a_server_that_is_not_there_is_named():
    answer = CliRunner().invoke(main, ["http://127.0.0.1:9", "--clients", "1"])
    assert answer.exit_code == 1 and "http://127.0.0.1:9: " in answer.output and "Traceback" not in answer.output
