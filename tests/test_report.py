"""Reports: declared measurements run, appear on one page, and go into manuals."""

import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from helpers import scaled
from stardeck.benchmarks.report import declared, page, tables
from stardeck.benchmarks.report.cells import best_options
from stardeck.benchmarks.report.measured import TRIALS, at_most, cut_to
from stardeck.commands.cli import cli

ROOT = Path(__file__).parents[1]
GAMES = scaled(40, 2)
FEW = """
title = "Few <games>"
[[tables]]
name = "core"
title = "Core"
text = "A few."
kind = "advantage"
game = "star_realms"
games = 1_000_000
columns = ["wins", "first", "turns", "interval", "seats"]
rows = [{ agents = "simple" }, { agents = "nobody" }]
[[tables]]
name = "hands"
title = "Hands"
kind = "advantage"
game = "interstellar_empire"
agents = "random"
columns = ["wins_and_points"]
rows = [{ players = 2 }, { players = 3 }]
[tables.across]
first_player = ["agreed", "bid"]
[[tables]]
name = "boss"
title = "Boss"
kind = "advantage"
game = "star_realms"
set = "box"
format = "nemesis_beast"
agents = "simple"
columns = ["wins", "points"]
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in a folder with a small report."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "few.toml").write_text(FEW, encoding="utf-8")

    def report(*words):
        return CliRunner().invoke(cli, ["report", "few.toml", "--games", str(GAMES), "--out", "out", *words])

    return report


def test_a_report_tells_what_was_measured_and_what_failed(run, tmp_path):
    done = run()
    assert done.exit_code == 1 and "6 of 7 measurements" in done.output
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "Few &lt;games&gt;" in page and "failed: agent" in page and "data:image/png;base64," in page
    assert "stardeck advantage star_realms --agents simple" in page and re.search("<code>[0-9a-f]{64}</code>", page)
    assert not re.search(r'(src|href)="(?!data:|#)', page)  # nothing is loaded from elsewhere
    folders = re.findall(r"stardeck show &#39;(.+?)&#39; --game 0", page)
    assert folders and all((tmp_path / "out" / folder / "games.parquet").exists() for folder in folders)
    words = (tmp_path / "out" / "tables.md").read_text(encoding="utf-8")
    assert "| players | first player agreed | first player bid |" in words
    assert re.search(r"\| `simple` \| \d+\.\d+ % \[", words)


FAIR = """
title = "Fair"
[[tables]]
name = "hand"
title = "A first hand"
kind = "fair"
game = "star_realms"
agents = "simple"
knobs = "opening-hands.0=0:6"
within = 4.0
columns = ["fair_at"]
rows = [{ max_turns = 60 }, { max_turns = 70 }]
"""


@pytest.mark.once
def test_searches_of_a_table_are_drawn_in_one_picture(run, tmp_path):
    (tmp_path / "few.toml").write_text(FAIR, encoding="utf-8")
    run("--games", "500", "--figure", "pdf")
    assert (tmp_path / "out" / "hand" / "curves.pdf").read_bytes().startswith(b"%PDF")
    assert run("--figure", "own.pdf").exit_code == 2
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "hand" / "curves.png").exists() and page.count("data:image/png;base64,") == 1


def test_a_search_for_several_values_has_no_curve_in_the_picture_of_its_table():
    one, several = ({"found": True, "answer": answer} for answer in (["authority.1"], ["authority.1", "authority.2"]))
    measured = {name: SimpleNamespace(summary=summary) for name, summary in (("one", one), ("several", several))}
    rows = [SimpleNamespace(label={"format": "two_headed_hydra", "players": players, "agents": "my_agent"},
                            measurements=[SimpleNamespace(folder=name)])
            for players, name in ((4, "one"), (3, "several"))]  # fmt: skip
    found = page._answered(SimpleNamespace(rows=rows, title="Fair"), measured)
    assert found == [("two headed hydra, 4 players, my_agent", one)]


def test_what_is_finished_is_not_run_again(run, tmp_path):
    run("--only", "boss")
    (games,) = tmp_path.glob("out/boss/*/games.parquet")
    before = games.stat().st_mtime_ns
    again = run("--only", "boss")
    assert again.exit_code == 0 and games.stat().st_mtime_ns == before
    assert not (tmp_path / "out" / "core").exists()


def test_tables_are_put_where_a_manual_marks_them(run, tmp_path):
    marks = [f"{tables.BEGIN.format(name=name)}\nold\n{tables.END.format(name=name)}" for name in ("boss", "other")]
    (tmp_path / "manual.md").write_text("Before.\n\n" + "\n\nBetween.\n\n".join(marks), encoding="utf-8")
    assert run("--only", "boss", "--put-into", "manual.md").exit_code == 0
    text = (tmp_path / "manual.md").read_text(encoding="utf-8")
    assert text.startswith("Before.\n\n<!-- table boss") and "| first player wins | points |" in text
    assert text.endswith(marks[1]) and text.count("old") == 1


@pytest.mark.parametrize(
    ("was", "now", "says"),
    [
        ('title = "Few <games>"', "", "must have a title and [[tables]]"),
        ('name = "core"', 'name = "../core"', "name='../core': must be letters"),
        ('name = "hands"', 'name = "core"', "each table must have another one"),
        ('kind = "advantage"', 'kind = "guess"', "kind='guess': must be one of advantage, league, fair, worth"),
        ('game = "star_realms"', 'game = "chess"', "game='chess': must be one of star_realms"),
        ('"wins", "first"', '"wins", "luck"', "columns: 'luck': must be among wins"),
        ("rows = [{ players = 2 }", "rows = [{ players = 9 }", "players=9"),
        ('first_player = ["agreed", "bid"]', 'first_player = "bid"', "must be one setting with a list of values"),
        ("title = ", "title ", "is not TOML"),
    ],
)
def test_what_is_wrong_in_a_list_is_named(run, tmp_path, was, now, says):
    (tmp_path / "few.toml").write_text(FEW.replace(was, now, 1), encoding="utf-8")
    done = run()
    assert done.exit_code == 2 and says in done.output
    assert not (tmp_path / "out").exists()


def test_a_table_that_is_not_declared_is_refused(run):
    done = run("--only", "luck")
    assert done.exit_code == 2 and "--only luck: must be among core, hands, boss" in done.output


def test_fewer_games_are_known_less_well():
    search = declared.Measurement("fair", "star_realms", {"knobs": "authority.1=40:80", "games": 10**6}, "f")
    assert at_most(search, 10_000).given == {"knobs": "authority.1=40:80", "within": 0.98}
    games = declared.Measurement("advantage", "star_realms", {"games": 100}, "a")
    assert at_most(games, 10_000).given == {"games": 100} and at_most(games, None) is games
    trials = declared.Measurement("worth", "star_realms", {"games": 10**9}, "w")
    assert at_most(trials, 500).given == {"games": 500 * TRIALS}


def test_the_page_says_what_was_cut():
    assert cut_to(None, {"fair"}) == "" and cut_to(500, {"league"}) == "Cut short: at most 500 games each."
    assert cut_to(10_000, {"fair", "advantage"}).endswith("searches to within 0.98 points.")
    assert "at most 200,000 with trials" in cut_to(500, {"worth"})
    one = declared.Measurement("advantage", "star_realms", {"games": 500}, "core/agents=ppo-games=200000")
    assert one.name == "core/agents=ppo"
    assert best_options({"stages": ["early"], "cards": []}) == "too few games"


def test_the_tables_of_the_manual_are_those_of_the_report():
    """Every table that the manual marks is declared, and has its rows."""
    report = declared.read_report(declared.DEFAULT_REPORT)
    rows = {table.name: len(table.rows) for table in report.tables}
    text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    marked = {found["name"]: found[0].count("\n| ") - 2 for found in tables.MARKED.finditer(text)}
    assert set(marked) >= {"core", "formats", "bosses"}
    assert marked == {name: rows[name] for name in marked}
    assert "not measured" not in text and "failed:" not in text
    assert tomllib.loads(declared.DEFAULT_REPORT.read_text(encoding="utf-8"))["title"] == report.title
