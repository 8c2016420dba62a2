"""Results in the browser: every kind that commands write, kinds of a later version, and files of other origin."""

import json
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from made_results import CYCLE, EVERY, NAMES, ONLY_PAGES
from starlette.testclient import TestClient

from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.recordings.examples import an_example
from stardeck.commands.cli import cli
from stardeck.results import load
from stardeck.training import best_response
from stardeck.web.app import app_for
from stardeck.web.results import kinds

README = Path(__file__).parents[2] / "README.md"
REPORT = """
title = "A few"
[[tables]]
name = "core"
title = "Core"
kind = "advantage"
game = "star_realms"
games = 20
columns = ["wins"]
rows = [{ agents = "random" }, { agents = "simple" }]
"""
LEARNING = "--imitation 512 --units 8,8 --evaluation-games 2 --value-rounds 0"
ROUND = "--rounds 1 --games 20 --units 16,8 --batch 64"
SMALL = {  # options that make each command of the README fast; those that write a folder of results
    "advantage": ("--games 20", "first-player advantage", ["first seat", "how it was made"]),
    "league": ("--games 2", "league", ["rules v simple", "rating"]),
    "fair": ("--within 20", "fair settings", ["authority.1", "fair at"]),
    "worth": ("--games 2000", "worth of cards", ["rather than nothing", "Explorer"]),
    "benchmark": ("--tasks nemesis-beast-2", "Stardeck-8", ["nemesis-beast-2", "veteran", "Boss"]),
    "report": ("few.toml --games 20", "report", ["Open the report", "core/"]),
    "train": (f"--steps 2048 {LEARNING}", "training", ["wins against"]),
    "train-value": (ROUND, "value network", ["variance of the results explained"]),
    "train-belief": (ROUND, "opponent-hand model", ["kinds of cards it chooses among"]),
    "agreement": ("", "agreement with players", ["log likelihood", "files that do not count", "rules"]),
    "exploit": ("--steps 512 --games 2 --simulations 0", "exploitability", ["exploitable by at least"]),
}
TINY = {
    "units": [16, 8],
    "num_envs": 8,
    "rollout": 32,
    "batch": 64,
    "epochs": 1,
    "imitation": 0,
    "value_rounds": 0,
    "evaluation_games": 20,
}
NONE = {
    "verify",
    "leaderboard",
    "dataset",
    "list",
    "cards",
    "play",
    "serve",
    "watch",
    "replay",
    "import-log",
    "show",
    "cite",
    "scenario",
    "bench",
    "warmup",
}


def commands():
    """Return the commands of the README's table, with their arguments."""
    lines = re.findall(r"^stardeck ([a-z-]+)([^#\n]*)", README.read_text(encoding="utf-8"), re.MULTILINE)
    return [(name, shlex.split(words)) for name, words in lines]


def opened(root):
    return TestClient(app_for(root.parent / "games", measured=root), base_url="http://localhost")


def written(folder, **summary):
    folder.mkdir(parents=True)
    (folder / "summary.json").write_text(json.dumps(summary))
    return folder


def test_every_command_of_the_readme_is_known_here():
    assert {name for name, _ in commands()} == set(SMALL) | NONE


@pytest.mark.parametrize("name", SMALL)
def test_what_a_command_of_the_readme_writes_opens_as_a_page_of_its_kind(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("few.toml").write_text(REPORT)
    shutil.copytree(README.parent / "examples", "examples")
    small, kind, words = SMALL[name]
    given = [words for each, words in commands() if each == name][-1]
    usual = best_response._recipe  # the commands have no option for it
    monkeypatch.setattr(best_response, "_recipe", lambda *given: usual(*given) | TINY)
    found = CliRunner().invoke(cli, [name, *given, *small.split()])
    assert found.exit_code == 0, found.output
    with opened(tmp_path / "results") as client:
        listed = client.get("/results").text
        links = re.findall(r'href="(/results/[^"]+)"', listed)
        assert len(links) == 1 and f"<td>{kind}</td>" in listed
        page = client.get(links[0])
        assert page.status_code == 200 and all(word in page.text for word in words), page.text
        for picture in re.findall(r'src="(/api/pictures/[^"]+)"', page.text):
            assert client.get(picture).content.startswith(b"\x89PNG")
        for part in re.findall(r'href="(/results/[^"]+|/api/reports/[^"]+)"', page.text):
            assert client.get(part).status_code == 200


def test_the_row_of_a_report_says_what_its_measurements_are_of(tmp_path):
    report = tmp_path / "results" / "report"
    for number, (variant, agent) in enumerate(
        [("star_realms/2", "rules"), ("star_realms/3", "rules"), ("x", "simple")]
    ):
        origin = {"date": f"2026-01-0{3 - number} 10:00:00+00:00"}
        agents = [{"agent": agent, "win_rate": 0.5}]
        written(report / "core" / str(number), variant=variant, agents=agents, seats=[], origin=origin)
    (report / "report.html").write_text("x")
    written(tmp_path / "results" / "match", variant="y", agents=[], seats=[], origin={"date": "2026-01-02"})
    with opened(tmp_path / "results") as client:
        listed = client.get("/results").text
        row = re.search(r'/results/report".*?</tr>', listed, re.S)[0]
        for words in ("star_realms/2, star_realms/3, x", "rules, simple", "2026-01-03"):
            assert f"<td>{words}" in row, row
        assert listed.index('"/results/report"') < listed.index('"/results/match"'), "the newest first"
        written(report / "core" / "more", variant="z", agents=[], seats=[])
        assert "<td>4 variants</td>" in client.get("/results").text


def test_a_report_is_one_row_and_its_page_runs_nothing(tmp_path):
    root = tmp_path / "results"
    for number in range(35):
        written(root / "report" / "core" / f"part-{number}", variant="x", agents=[], seats=[])
    (root / "report" / "report.html").write_text("<h1>Mine</h1><script>steal()</script>")
    with opened(root) as client:
        listed = client.get("/results").text
        assert listed.count('href="/results/') == 1 and 'href="/results/report"' in listed
        page = client.get("/results/report").text
        assert page.count('href="/results/report/core/part-') == 35 and 'href="/api/reports/report"' in page
        report = client.get("/api/reports/report")
        assert "Mine" in report.text and report.headers.get_list("content-security-policy") == [
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        ]
        assert client.get("/results/report/core/part-3").status_code == 200
        assert client.get("/api/reports/report/core/part-3").status_code == 404


def test_pictures_of_a_game_are_shown_in_their_order(tmp_path):
    root = tmp_path / "results"
    (root / "album").mkdir(parents=True)
    for number in range(3):
        (root / "album" / f"{number:06}.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    with opened(root) as client:
        pictures = re.findall(r'src="(/api/pictures/[^"]+)"', client.get("/results/album").text)
        assert pictures == [f"/api/pictures/album/{number:06}.svg" for number in range(3)]
        assert client.get(pictures[0]).headers["content-type"].startswith("image/svg")


def test_a_kind_of_a_later_version_says_so(tmp_path):
    root = tmp_path / "results"
    written(root / "later", variant="star_realms/core", origin={"version": "9.0"}, tournaments=[{"agents": 3}])
    with opened(root) as client:
        assert "<td>unknown kind</td>" in client.get("/results").text
        page = client.get("/results/later")
        assert page.status_code == 200 and "does not know results of this kind" in page.text and "9.0" in page.text


GOOD = {
    "variant": "star_realms/core",
    "agents": [{"agent": "rules", "games": 2, "rating": 0.0, "low": None, "high": 3.0, "win_rate": 1.0}],
    "cross_table": [{"agents": ["rules", "simple"], "games": 2, "score": 1.0, "low": 0.0, "high": 1.0}],
}


def changed(part, name, value):
    row = GOOD[part][0] | {name: value}
    return json.dumps(GOOD | {part: [row]})


DEEP = "[" * 900 + "]" * 900
BAD = {
    "no agents": json.dumps(GOOD | {"agents": None}),
    "agents of another type": json.dumps(GOOD | {"agents": 7}),
    "rows of another type": json.dumps(GOOD | {"agents": ["rules", None]}),
    "a text for a rating": changed("agents", "rating", "many"),
    "a huge win rate": changed("agents", "win_rate", 1e308),
    "a huge whole number": changed("agents", "games", 10**300),
    "not a number": changed("agents", "rating", float("nan")),
    "infinite": changed("agents", "low", float("-inf")),
    "agents of a match of another type": changed("cross_table", "agents", {"a": 1}),
    "deep": json.dumps(GOOD | {"agents": "deep"}).replace('"deep"', DEEP),
    "too deep": json.dumps(GOOD | {"agents": "deep"}).replace('"deep"', "[" * 100_000 + "]" * 100_000),
    "thousands of digits": json.dumps(GOOD | {"agents": "long"}).replace('"long"', "9" * 10_000),
    "half a character": json.dumps(GOOD | {"agents": "\ud800"}),
    "no object": "[1, 2]",
    "no JSON": "{",
    "no text": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("name", BAD)
def test_a_summary_that_was_spoiled_is_one_sentence_and_the_others_stay_listed(name, tmp_path):
    root = tmp_path / "results"
    for folder, content in {"bad": BAD[name], "good": json.dumps(GOOD)}.items():
        (root / folder).mkdir(parents=True)
        content = content if isinstance(content, bytes) else content.encode()
        (root / folder / "league.json").write_bytes(content)
    with opened(root) as client:
        listed = client.get("/results")
        assert listed.status_code == 200 and 'href="/results/good"' in listed.text
        assert 'href="/results/bad"' in listed.text and client.get("/results/good").status_code == 200
        page = client.get("/results/bad")
        assert page.status_code == 400
        (sentence,) = re.findall(r'role="alert">([^<]*)<', page.text)
        assert sentence.startswith("bad: ") and len(sentence) < 300 and "\n" not in sentence


def test_a_variant_and_an_origin_of_other_types_do_no_harm(tmp_path):
    root = tmp_path / "results"
    (root / "odd").mkdir(parents=True)
    text = json.dumps(GOOD | {"variant": 0, "origin": {"date": 1, "version": {}}}).replace(
        '"variant": 0', f'"variant": {DEEP}'
    )
    (root / "odd" / "league.json").write_text(text)
    written(root / "listed", variant=GOOD["variant"], origin=[1])
    with opened(root) as client:
        assert client.get("/results").text.count('href="/results/') == 2
        assert client.get("/results/odd").status_code == 200 and client.get("/results/listed").status_code == 200


def test_nothing_outside_of_a_folder_of_results_is_sent(tmp_path):
    root = tmp_path / "results"
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    for folder in ("match", "other"):
        written(root / folder, variant="x", agents=[], seats=[])
    (root / "other" / "own.png").write_bytes(b"other")
    (root / "match" / "real.png").write_bytes(b"real")
    (root / "match" / "same.png").symlink_to("real.png")
    (root / "match" / "secret.png").symlink_to(secret)
    (root / "match" / "beside.png").symlink_to("../other/own.png")
    (root / "match" / "circle.png").symlink_to("circle.png")
    (root / "match" / "folder.png").mkdir()
    os.mkfifo(root / "match" / "pipe.png")
    (root / "match" / "games.parquet").symlink_to(secret)
    (root / "elsewhere").symlink_to(tmp_path, target_is_directory=True)
    (root / "linked").mkdir()
    (root / "linked" / "summary.json").symlink_to(root / "match" / "summary.json")
    (root / "piped").mkdir()
    os.mkfifo(root / "piped" / "summary.json")
    (root / "paper").mkdir()
    (root / "paper" / "report.html").symlink_to(secret)
    with opened(root) as client:
        page = client.get("/results/match").text
        assert re.findall(r'src="/api/pictures/match/([^"]+)"', page) == ["real.png", "same.png"]
        assert client.get("/api/pictures/match/same.png").content == b"real"
        for name in ("secret", "beside", "circle", "folder", "pipe"):
            assert client.get(f"/api/pictures/match/{name}.png").status_code == 404, name
        assert client.get("/api/pictures/elsewhere/secret.png").status_code == 404
        assert client.get("/api/reports/paper").status_code == 404
        for name in ("linked", "piped"):
            assert "is no file of this folder" in client.get(f"/results/{name}").text
        refused = client.post("/api/results?name=match&game=0")
        assert refused.status_code == 400 and "links to files elsewhere" in refused.json()["error"]


def test_the_root_itself_and_odd_names_can_be_opened(tmp_path):
    root = tmp_path / "results"
    written(root / "50 % #1?", variant="x", agents=[], seats=[])
    written(root / "<b>", variant="x", agents=[], seats=[])
    os.mkdir(os.fsencode(root) + b"/\xff")
    (root / os.fsdecode(b"\xff") / "summary.json").write_text("{}")
    with opened(root) as client:
        links = re.findall(r'href="(/results/[^"]+)"', client.get("/results").text)
        assert len(links) == 2 and all(client.get(link).status_code == 200 for link in links)
    (root / "summary.json").write_text(json.dumps({"variant": "x", "agents": [], "seats": []}))
    (root / "a.png").write_bytes(b"a")
    with opened(root) as client:
        assert 'href="/results/"' in client.get("/results").text
        page = client.get("/results/").text
        assert 'src="/api/pictures/a.png"' in page and client.get("/api/pictures/a.png").content == b"a"


def test_a_long_table_says_how_much_of_it_is_shown():
    rows = [{"seat": number, "win_rate": None, "low": None, "high": None} for number in range(kinds.MOST_ROWS + 1)]
    view = kinds.view_of("first-player advantage", {"agents": [], "seats": rows})
    title, _, shown = view.tables[1]
    assert title == "seats (the first 1,000 of 1,001)" and len(shown) == kinds.MOST_ROWS


def test_a_league_has_a_table_of_ratings_without_elo():
    *_, (title, names, rows) = kinds.view_of("league", CYCLE).tables
    assert title == "Nash averaging and alpha-rank (Elo does not explain these results, p = 0.001)"
    assert names[1:] == ["weight in the Nash mixture", "score against it", "alpha-rank"]
    assert [row[1:] for row in rows] == [["25 %", "45.0 % [40.0, 50.0]", "30 % [20, 50]"]] * 3
    assert len(kinds.view_of("league", EVERY["league"]).tables) == 2, "version 0.1 had none"


CHARTS = {  # of each kind: how its figures are drawn, and a value in them
    "advantage": (["intervals", "intervals"], {"name": "second seat", "value": 49.0, "low": 46.0, "high": 52.0}),
    "league": (["intervals", "matrix"], {"row": "rules", "column": "random", "value": 100.0}),
    "fair": (["response"], {"at": 53, "value": 0.5, "games": 400}),
    "worth": (["stages"], {"name": "Cutter", "stage": "late", "clear": False}),
    "training": (["curve"], {"at": 1.0, "value": 55.0}),
    "agreement": (["intervals"], {"name": "all", "value": 60.0, "low": 50.0, "high": 70.0}),
    "benchmark": (["intervals"], {"name": "core-duel", "value": 46.0, "low": 43.0}),
    "learning": (["curve"], {"at": 1.0, "value": 42.0, "high": 44.0}),
    "design": (["intervals"], {"name": "turns in a game, turns", "value": 23.4, "high": 23.7}),
    "llm": (["intervals"], {"name": "mine", "value": -190.0, "low": -400.0, "high": None}),
    "exploit": (["intervals"], {"name": "network, new deals", "value": 60.0}),
}


@pytest.mark.parametrize("name", EVERY | ONLY_PAGES)
def test_every_kind_has_figures_with_its_values_and_loads_nothing_from_elsewhere(name, tmp_path):
    root = tmp_path / "results"
    (root / name).mkdir(parents=True)
    (root / name / NAMES.get(name, "summary.json")).write_text(json.dumps((EVERY | ONLY_PAGES)[name]))
    with opened(root) as client:
        page = client.get(f"/results/{name}")
        charts = json.loads(re.search(r'id="charts">(.*?)</script>', page.text, re.S)[1])
        kinds, value = CHARTS[name]
        assert [chart["kind"] for chart in charts] == kinds
        rows = [row for chart in charts for row in chart["rows"]]
        assert any({key: row.get(key) for key in value} == pytest.approx(value) for row in rows), rows
        sources = re.findall(r'(?:src|href)="([^"#]+)"', page.text)
        assert all(source.startswith("/") for source in sources)
        for script in (source for source in sources if source.endswith(".js")):
            answer = client.get(script)
            assert answer.status_code == 200 and "javascript" in answer.headers["content-type"]
        assert "unsafe-eval" not in page.headers["content-security-policy"]
        assert "script-src" not in page.headers["content-security-policy"], "scripts come from this server alone"


def test_a_name_cannot_leave_the_data_of_the_figures(tmp_path):
    root = tmp_path / "results"
    (root / "ladder").mkdir(parents=True)
    (root / "ladder" / "league.json").write_text(changed("agents", "agent", "</script><script>steal()</script>"))
    with opened(root) as client:
        assert "<script>steal" not in client.get("/results/ladder").text


def test_figures_lead_to_a_game_of_theirs(tmp_path):
    root = tmp_path / "results"
    advantage("star_realms", ["random", "simple"], games=4, out=root / "match", collect="cards", authority=[8, 8])
    (root / "worth").mkdir()
    variant = {"variant": json.loads((root / "match" / "summary.json").read_text())["variant"]}
    (root / "worth" / "summary.json").write_text(json.dumps(EVERY["worth"] | variant))
    (root / "alone").mkdir()
    (root / "alone" / "summary.json").write_text(json.dumps(EVERY["worth"]))
    games = load(root / "match").games
    won = set(games.query("seat == 1 and result == 'won'")["game"])
    bought = load(root / "match").cards_played.query("move.str.startswith('buy')")
    card = bought["card"].iloc[0]
    assert {an_example(root / "match", None, "seat:1") for _ in range(9)} <= won
    found = set(bought.loc[bought["card"] == card, "index"])
    assert {an_example(root / "match", None, f"card:{card}") for _ in range(9)} <= found
    with opened(root) as client:
        assert client.post("/api/results?name=match&of=seat:1").status_code == 201
        assert client.post("/api/results?name=match&of=agent:simple").status_code == 201
        assert client.post("/api/results", params={"name": "worth", "of": f"card:{card}"}).status_code == 201
        for name, of, why in (
            ("match", "seat:one", "must be agent:NAME, seat:NUMBER or card:NAME"),
            ("match", "seat:7", "has no game of"),
            ("match", "card:Nothing", "has no game of"),
            ("alone", "card:Cutter", "say which cards were bought"),
        ):
            answer = client.post("/api/results", params={"name": name, "of": of})
            assert answer.status_code == 400 and why in answer.json()["error"]


def test_an_error_names_the_results_and_not_a_folder_of_the_server(tmp_path):
    root = tmp_path / "results"
    (root / "match").mkdir(parents=True)
    (root / "match" / "summary.json").write_text(json.dumps(EVERY["advantage"]))
    with opened(root) as client:
        answer = client.post("/api/results", params={"name": "match", "game": 0})
    assert answer.status_code == 400 and answer.json()["error"].startswith("match: holds no games")
    assert str(tmp_path) not in answer.text
