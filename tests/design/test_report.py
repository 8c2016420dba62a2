"""The designer's report: its folder, its page, an edited game beside the printed one, and interruptions."""

import contextlib
import csv
import html
import json
import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import stardeck
from helpers import entry_of_example
from stardeck.benchmarks.design import page, report
from stardeck.benchmarks.design.estimates import mean_of
from stardeck.benchmarks.design.part import Measured, PartOf, Shown, Table
from stardeck.benchmarks.results.arrow import pq
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands.cli import cli
from stardeck.game.registry import GAMES

EXAMPLES = Path(__file__).parents[2] / "examples"


@contextlib.contextmanager
def no_bar(title):
    yield lambda done, games: None


class Made:
    """Parts of a made-up report, which count how often each was measured."""

    def __init__(self):
        self.measured = []
        self.failing = ""
        names = ("length", "boss_only", "wins")
        self.parts = {
            name: PartOf(name, name, f"What is <{name}>?", self._measure(name), self._show, self._offers(name))
            for name in names
        }

    def _measure(self, name):
        def measure(asked):
            if self.failing == name:
                raise ValueError("a bad day")
            self.measured.append((name, asked.game.id))
            longer = 3.0 if asked.game.settings["authority"][1] > 50 else 0.0
            blocks = np.random.default_rng(1).normal(20 + longer, 5, 200)
            (asked.out / "kept").write_text("x")
            return Measured([mean_of("turns", "turns in a game", "turns", blocks)], {"n": 1}, ["stardeck advantage x"])

        return measure

    @staticmethod
    def _show(summary):
        from matplotlib.figure import Figure

        figure = Figure()
        figure.subplots().plot([0, 1], [0, 1])
        value = summary["estimates"][0]["value"]
        rows = [["turns", f"{value:.1f}"], ["<b>", "`ppo-0.1`"]]
        table = Table("Lengths", ["number", "`agent`"], rows, [0, 0] if summary["part"] == "wins" else [])
        return Shown([f"A game of `rules` has {value:.1f} turns & more."], [table], [("length", "a line", figure)])

    @staticmethod
    def _offers(name):
        return lambda game: "the game has no Boss" if name == "boss_only" else ""


@pytest.fixture
def made(monkeypatch):
    made = Made()
    monkeypatch.setattr(report, "PARTS", made.parts)
    monkeypatch.setattr(page, "PARTS", made.parts)
    return made


def run(out, **options):
    return report.design_report(stardeck.make("star_realms"), out, no_bar, games=100, **options)


def test_the_page_has_findings_numbers_reasons_and_commands(made, tmp_path):
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "What is &lt;length&gt;?" in text and "&lt;b&gt;" in text, "texts are escaped"
    assert "A game of <code>rules</code> has" in text and "turns &amp; more." in text
    assert "Not measured: the game has no Boss." in text
    assert re.search(r'<a class="number" href="#how-length">[\d.]+</a>', text) and 'id="how-length"' in text
    assert "stardeck report design star_realms --only length --games 100" in text and "stardeck advantage x" in text
    assert (tmp_path / "pictures" / "length.svg").read_text().lstrip().startswith("<?xml")
    sources = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert all(source.startswith(("#", "data:")) or (tmp_path / source).is_file() for source in sources), sources


def test_every_number_leads_to_its_command(made, tmp_path):
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    sentence = r'<a class="number" href="#how-length">A game of <code>rules</code> has [\d.]+ turns &amp; more.</a>'
    assert len(re.findall(sentence, text)) == 2, "in the summary and in the part"
    assert re.search(r'<a class="number" href="#how-wins-0">[\d.]+</a>', text), "a row with a command of its own"
    assert '<pre id="how-wins-0">stardeck advantage x</pre>' in text
    assert "<td><code>ppo-0.1</code></td>" in text, "the digits of a name are no number"
    places = re.findall(r'href="#([^"]+)"', text)
    assert all(f'id="{place}"' in text for place in places), places


def test_the_printed_command_measures_the_same_again(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my cards.toml").write_text('like = "core"\nstarting_deck = ["Scout x7", "Viper x3"]\n')
    shutil.copytree(EXAMPLES, tmp_path / "logs", ignore=lambda _, names: [n for n in names if n != "app_log.txt"])
    given = [
        "report",
        "design",
        "star_realms",
        "--games",
        "100",
        "--seed",
        "7",
        "--logs",
        "logs",
        "--authority",
        "50,52",
    ]
    edits = ["--what-if", "my cards.toml", "--what-if", "authority=50,53"]
    assert CliRunner().invoke(cli, [*given, *edits, "--out", "out"]).exit_code == 0
    (command,) = re.findall(
        "<pre>(stardeck report design .*--only length.*)</pre>", (tmp_path / "out/report.html").read_text()
    )
    before = len(made.measured)
    again = CliRunner().invoke(cli, [*shlex.split(html.unescape(command))[1:], "--out", "out"])
    assert again.exit_code == 0, again.output
    assert len(made.measured) == before, "the folder holds the same request"


def test_the_page_says_what_is_missing_of_the_edited_game(made, tmp_path, monkeypatch):
    measure = made.parts["wins"].measure

    def fails(asked):
        if asked.game.settings["authority"][1] > 50:
            raise ValueError("too long")
        return measure(asked)

    made.parts["wins"] = replace(made.parts["wins"], measure=fails)
    found = run(tmp_path, edited={"authority": [50, 60]})
    assert found["edited"].parts["wins"].failed
    text = (tmp_path / "report.html").read_text()
    assert "Part wins of the edited game is not measured: too long." in text
    assert "Part boss_only of the edited game" not in text, "the printed game has none either"


def test_a_picture_has_its_numbers_for_those_who_do_not_see_it(made, tmp_path):
    made.parts["length"] = replace(made.parts["length"], show=lambda summary: made._show(summary)._replace(
        pictures=[(name, "a line\n1, 2", figure) for name, _, figure in made._show(summary).pictures]))  # fmt: skip
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert 'alt="a line\n1, 2"' in text and "<figcaption>a line (<a" in text


def test_data_are_in_csv_and_parquet(made, tmp_path):
    run(tmp_path)
    rows = list(csv.DictReader((tmp_path / "data" / "estimates.csv").read_text().splitlines()))
    assert [row["part"] for row in rows] == ["length", "wins"] and float(rows[0]["low"]) < float(rows[0]["value"])
    assert pq.read_table(tmp_path / "data" / "estimates.parquet").num_rows == 2
    assert (tmp_path / "data" / "length-1.csv").read_text().startswith("number,agent\n")


def test_a_finished_part_is_not_measured_again(made, tmp_path):
    run(tmp_path)
    before = json.loads((tmp_path / "printed" / "length" / "summary.json").read_text())
    found = run(tmp_path)
    assert made.measured == [("length", "star_realms/core/standard/2"), ("wins", "star_realms/core/standard/2")]
    assert found["printed"].parts["length"].summary == before
    assert len(found["printed"].parts["length"].estimates[0].blocks) == 200
    with pytest.raises(ResultsError, match=r"holds length with seed 0, not 1; choose another folder"):
        run(tmp_path, seed=1)


def test_a_part_that_fails_stops_no_other_and_is_tried_again(made, tmp_path):
    made.failing = "length"
    found = run(tmp_path)
    assert found["printed"].parts["length"].problem == "a bad day" and not found["printed"].parts["wins"].problem
    command = CliRunner().invoke(cli, ["report", "design", "star_realms", "--games", "100", "--out", str(tmp_path)])
    assert command.exit_code == 1 and "length (printed): not measured: a bad day" in command.output
    assert "Not measured: a bad day." in (tmp_path / "report.html").read_text()
    made.failing = ""
    assert not run(tmp_path)["printed"].parts["length"].problem


def test_an_interruption_keeps_what_is_finished(made, tmp_path):
    def stopping(title):
        if title == "wins":
            raise KeyboardInterrupt
        return no_bar(title)

    with pytest.raises(KeyboardInterrupt):
        report.design_report(stardeck.make("star_realms"), tmp_path, stopping, games=100)
    assert "Not measured yet: wins." in (tmp_path / "report.html").read_text()
    run(tmp_path)
    assert [name for name, _ in made.measured] == ["length", "wins"]


def test_an_edited_game_is_compared_on_the_same_deals(made, tmp_path):
    run(tmp_path, edited={"authority": [50, 60]})
    (row, _) = list(csv.DictReader((tmp_path / "data" / "differences.csv").read_text().splitlines()))
    assert float(row["difference"]) == pytest.approx(3) and float(row["high"]) - float(row["low"]) < 1e-6
    text = (tmp_path / "report.html").read_text()
    assert "What if: Star Realms: core, standard, 2 players, authority 50, 60" in text
    assert re.search(r"In the edited game, turns in a game: [\d.]+ turns, not [\d.]+", text)


def test_the_same_game_differs_in_nothing(made, tmp_path):
    run(tmp_path, edited={"authority": [50, 50]})
    assert "No number of the edited game differs" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [({"parts": ["luck", "drums"]}, "parts: 'luck': must be among length, boss_only, wins"),
     ({"ladder": ["rules"]}, "ladder=rules: must be two agents or more, all different"),
     ({"agent": "nobody"}, "nobody"), ({"logs": "no_folder"}, "'no_folder': must be a folder of logs"),
     ({"edited": {"authority": [0, 1]}}, "authority")],
)  # fmt: skip
def test_bad_options_are_refused_before_anything_is_written(options, words, made, tmp_path):
    with pytest.raises(ValueError, match=re.escape(words)):
        run(tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_the_command_writes_the_page_and_takes_edits(made, tmp_path):
    (tmp_path / "mine.toml").write_text('like = "core"\nstarting_deck = ["Scout x7", "Viper x3"]\n')
    given = ["report", "design", "star_realms", "--quick", "--out", str(tmp_path / "out")]
    found = CliRunner().invoke(cli, [*given, "--what-if", str(tmp_path / "mine.toml"), "--what-if", "authority=50,53"])
    assert found.exit_code == 0, found.output
    assert f"the page is {tmp_path / 'out'}/report.html" in found.output
    assert "boss_only (printed): not measured: the game has no Boss" in found.output
    ids = {game for _, game in made.measured}
    assert any("own" in one or "mine" in one for one in ids) and any("authority=50,53" in one for one in ids)


@pytest.mark.parametrize(
    ("change", "words"),
    [("nothing=3", "has no setting 'nothing'"), ("authority=many", "must be whole numbers with commas"),
     ("no_file.toml", "no_file.toml"), ("players=x", "not a valid integer")],
)  # fmt: skip
def test_a_bad_edit_is_one_line(change, words, made, tmp_path):
    found = CliRunner().invoke(
        cli, ["report", "design", "star_realms", "--out", str(tmp_path / "o"), "--what-if", change]
    )
    assert found.exit_code == 2 and words in found.output and "Traceback" not in found.output
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("file", "content"),
    [("summary.json", "{"), ("summary.json", "[]"), ("summary.json", '{"asked": []}'), ("blocks.npz", ""),
     ("blocks.npz", "PK"), ("blocks.npz", None)],
)  # fmt: skip
def test_a_damaged_part_is_one_error_that_names_its_folder(file, content, made, tmp_path):
    run(tmp_path)
    path = tmp_path / "printed" / "length" / file
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(ResultsError, match="printed/length: is not a whole part of a report .*; remove the folder"):
        run(tmp_path)
    assert (path.read_text() if path.exists() else None) == content, "nothing changes"


def test_a_game_from_outside_gets_the_parts_that_it_offers(monkeypatch, tmp_path):
    monkeypatch.setattr(GAMES, "_entries", GAMES._entries | {"beacons": entry_of_example()})
    found = report.design_report(stardeck.make("beacons"), tmp_path, no_bar, games=1_000, quick=True)
    parts = found["printed"].parts
    assert [name for name, part in parts.items() if part.estimates] == ["skill", "drama", "luck", "restricted"]
    assert not any(part.failed for part in parts.values())
    rungs = parts["skill"].summary["details"]["rungs"]
    assert [rung["agent"] for rung in rungs] == ["random", "search:20:prior=random"]  # it has no agents of its own
