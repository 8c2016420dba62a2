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
from threadpoolctl import threadpool_info, threadpool_limits

import stardeck
from helpers import entry_of_example
from stardeck.benchmarks.design import page, report
from stardeck.benchmarks.design.comparison import JUDGED, compared, notes
from stardeck.benchmarks.design.drama import DRAMA
from stardeck.benchmarks.design.drama import games as drama_games
from stardeck.benchmarks.design.estimates import Estimate, mean_of
from stardeck.benchmarks.design.ladder import usual_ladder
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.report import Compared, PartResult
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
        self.measured, self.ladders, self.threads = [], {}, set()
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
            self.threads.update(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")
            self.ladders[asked.game.id] = asked.ladder
            longer = 3.0 if asked.game.settings.get("authority", (0, 0))[1] > 50 else 0.0
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
    monkeypatch.setattr(page, "write_pdf", lambda folder: None)  # slow; tests/browser reads one
    return made


def run(out, **options):
    return report.design_report(stardeck.make("star_realms"), out, no_bar, games=100, **options)


def test_the_page_has_findings_numbers_reasons_and_commands(made, tmp_path):
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    assert "What is &lt;length&gt;?" in text and "&lt;b&gt;" in text, "texts are escaped"
    assert "A game of <code>rules</code> has" in text and "turns &amp; more." in text
    assert "Not measured: the game has no Boss." in text
    number = r'<a class="number" href="#how-length"><span>[\d.]+</span></a>'
    assert re.search(number, text) and 'id="how-length"' in text
    assert "stardeck report design star_realms --only length --games 100" in text and "stardeck advantage x" in text
    assert (tmp_path / "pictures" / "length.svg").read_text().lstrip().startswith("<?xml")
    sources = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert all(source.startswith(("#", "data:")) or (tmp_path / source).is_file() for source in sources), sources


def test_a_part_has_one_thread_of_linear_algebra(made, tmp_path):
    with threadpool_limits(2, "blas"):
        run(tmp_path)
        assert all(one["num_threads"] == 2 for one in threadpool_info() if one["user_api"] == "blas"), "as before"
    assert made.threads == {1}


def test_every_number_leads_to_its_command(made, tmp_path):
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    words = r"A game of <code>rules</code> has <span>[\d.]+</span> turns &amp; more."
    sentence = rf'<a class="number" href="#how-length">{words}</a>'
    assert len(re.findall(sentence, text)) == 2, "in the summary and in the part"
    own = r'<a class="number" href="#how-wins-0"><span>[\d.]+</span></a>'
    assert re.search(own, text), "a row with a command of its own"
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
    assert found["printed"].parts["length"].summary | {"digest": before["digest"]} == before
    assert len(found["printed"].parts["length"].estimates[0].blocks) == 200
    with pytest.raises(ResultsError, match=r"holds length with seed 0, not 1; choose another folder"):
        run(tmp_path, seed=1)


def test_a_part_of_an_older_version_is_evaluated_anew(made, tmp_path):
    """Its numbers may mean something else; the games that it has played lie beside it."""
    run(tmp_path, parts=["length"])
    path = tmp_path / "printed" / "length" / "summary.json"
    now = json.loads(path.read_text())
    for version, times in ((report.VERSION - 1, 2), (report.VERSION, 2)):
        path.write_text(json.dumps(now | {"asked": now["asked"] | {"version": version}}))
        run(tmp_path, parts=["length"])
        assert len(made.measured) == times and json.loads(path.read_text())["asked"] == now["asked"]
    for version in (report.VERSION + 1, None, "1"):
        path.write_text(json.dumps(now | {"asked": now["asked"] | {"version": version}}))
        with pytest.raises(ResultsError, match="holds length with version"):
            run(tmp_path, parts=["length"])


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

    (tmp_path / "report.pdf").write_text("of another time")
    with pytest.raises(KeyboardInterrupt):
        report.design_report(stardeck.make("star_realms"), tmp_path, stopping, games=100)
    assert "Not measured yet: wins." in (tmp_path / "report.html").read_text()
    assert not (tmp_path / "report.pdf").exists(), "it comes at the end, and is never older than the page"
    run(tmp_path)
    assert [name for name, _ in made.measured] == ["length", "wins"]


def test_an_edited_game_is_compared_on_the_same_deals(made, tmp_path):
    run(tmp_path, edited={"authority": [50, 60]})
    (row, _) = list(csv.DictReader((tmp_path / "data" / "differences.csv").read_text().splitlines()))
    assert float(row["difference"]) == pytest.approx(3) and float(row["high"]) - float(row["low"]) < 1e-6
    text = (tmp_path / "report.html").read_text()
    assert "What if: Star Realms: core, standard, 2 players, authority 50, 60" in text
    words = r"In the edited game, turns in a game: <span>[\d.]+</span> turns, not <span>[\d.]+</span>"
    assert re.search(words, text)


def test_the_comparison_leads_to_its_command(made, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("out", edited={"authority": [50, 60]}, ladder=["random", "rules"], parts=["length", "wins"])
    text = Path("out/report.html").read_text()
    assert '<a class="number" href="#how-edited">In the edited game, turns in a game' in text
    (command,) = re.findall(r'id="how-edited">How this was measured</h3>\s*<pre>(.*)</pre>', text)
    before = len(made.measured)
    again = CliRunner().invoke(cli, [*shlex.split(html.unescape(command))[1:], "--out", "out"])
    assert again.exit_code == 0, again.output
    assert len(made.measured) == before and "--what-if authority=50,60" in command


def test_both_games_have_one_ladder(made, tmp_path):
    """No network plays the new card, so the printed game is measured without them too."""
    run(tmp_path / "new", quick=True, edited={"set": str(EXAMPLES / "new_card.toml")})
    assert len(made.ladders) == 2 and {*made.ladders.values()} == {("random", "simple", "rules")}
    assert "the same ladder: random, simple, rules." in (tmp_path / "new" / "report.html").read_text()
    made.ladders.clear()
    run(tmp_path / "more", quick=True, edited={"authority": [50, 60]})
    assert {*made.ladders.values()} == {("random", "simple", "rules", "ppo", "expert")}, "they play both"


def test_a_ladder_has_only_agents_that_are_the_same_in_all_games():
    core, box = stardeck.make("star_realms"), stardeck.make("star_realms", set="box")
    assert usual_ladder(core, False)[-1] == "search:400:prior=expert"
    searches = ("search:50:prior=rules", "search:400:prior=rules")
    assert usual_ladder(core, False, box) == usual_ladder(box, False, core) == ("random", "simple", "rules", *searches)
    two, three = (stardeck.make("empire_of_the_stars", players=players) for players in (2, 3))
    assert "ppo" in usual_ladder(two, True) and "ppo" in usual_ladder(three, True)
    assert usual_ladder(two, True, three) == ("random", "simple", "rules"), "one name, and two networks"


def test_the_page_says_which_agents_of_the_given_ladder_differ(made, tmp_path):
    three = stardeck.make("empire_of_the_stars", players=3)
    report.design_report(three, tmp_path, no_bar, games=100, ladder=["rules", "ppo"], edited={"players": 2})
    text = (tmp_path / "report.html").read_text()
    assert "ppo is not the same agent in both." in text and "rules is not the same" not in text


def test_an_edited_game_is_what_its_settings_make(made, tmp_path):
    """A table has its own starting deck, and another number of players its own numbers for each."""
    found = run(tmp_path / "new", quick=True, edited={"set": str(EXAMPLES / "new_card.toml")})
    assert found["edited"].game.settings["starting_deck"][0] == ["Scout x7", "Viper x3"]
    assert found["edited"].game.id == "star_realms/salvage/standard/2"
    found = run(tmp_path / "two", quick=True, edited={"format": "two_headed_hydra"})
    assert found["edited"].game.players == 4


def test_a_comparison_of_nothing_says_so(made, tmp_path):
    made.failing = "length"
    run(tmp_path, edited={"authority": [50, 60]}, parts=["length"])
    text = (tmp_path / "report.html").read_text()
    assert "No number of the two games could be compared." in text and "differs from the printed one" not in text


def test_an_agent_that_cannot_play_the_edited_game_is_one_error(made, tmp_path):
    edited = {"set": str(EXAMPLES / "new_card.toml")}
    with pytest.raises(ValueError, match="agent 'expert': no network was trained for star_realms/salvage"):
        run(tmp_path / "out", ladder=["random", "expert"], edited=edited)
    assert not (tmp_path / "out").exists()


def variant(parts, **settings):
    """Return a variant with some estimates. parts: (estimates, details) by the name of the part."""
    found = {
        name: PartResult(name, {"estimates": [], "details": details}, estimates, "")
        for name, (estimates, details) in parts.items()
    }
    return Compared(stardeck.make("star_realms", **settings), found)


def test_only_one_judge_compares_chances_to_win():
    """A network sees more than a regression, so the chances of the two are not the same number."""
    numbers = {"judge": None, "chances": "open numbers", "numbers": ["authority"]}
    network = {"judge": "expert", "chances": "network", "numbers": ["authority"]}
    found = [Estimate(name, name, "%", 40.0, 39.0, 41.0) for name in ("decided_at", "turns")]
    by_network, by_numbers = variant({"drama": (found, network)}), variant({"drama": (found, numbers)}, set="box")
    apart = compared(by_network, by_numbers)
    assert [one.printed.name for one in apart.differences] == ["turns"]
    assert [one.name for one, _ in apart.judged_apart] == ["decided_at"]
    assert apart.judges.startswith("the network `expert` and a regression of results on authority")
    calibrated = variant({"drama": (found, network | {"chances": "calibrated network"})}, authority=[50, 54])
    assert len(compared(by_network, calibrated).differences) == 2, "the same network"
    two, three = (
        Compared(stardeck.make("empire_of_the_stars", players=players), by_network.parts) for players in (2, 3)
    )
    assert "two networks of one name" in compared(two, three).judges


def test_the_page_says_which_numbers_have_different_judges(made, tmp_path, monkeypatch):
    def measured(asked):
        by_network = asked.game.settings["authority"][1] == 50
        details = {"judge": "expert" if by_network else None, "chances": "network" if by_network else "open numbers"}
        found = [Estimate("decided_at", "when it is decided", "%", 70.0 + by_network, 60.0, 80.0)]
        return Measured([*found, Estimate("turns", "turns", "", 9.0, 8.0, 10.0)], details | {"numbers": ["health"]}, [])

    made.parts["drama"] = PartOf("drama", "Drama", "When?", measured, made._show)
    run(tmp_path, edited={"authority": [50, 60]})
    text = (tmp_path / "report.html").read_text()
    assert "Not compared, since the judges of chances to win differ: the network <code>expert</code> and a regr" in text
    names = [row["name"] for row in csv.DictReader((tmp_path / "data" / "differences.csv").read_text().splitlines())]
    assert "turns" in names and "decided_at" not in names
    assert "71.00 [60.00, 80.00]" in text and "70.00 [60.00, 80.00]" in text, "both numbers are there"


@pytest.mark.parametrize("players", [2, 3])
def test_numbers_of_drama_need_a_judge_or_do_not(players, tmp_path, monkeypatch):
    """Without the network, the numbers that need none stay the same to the last digit."""
    game = stardeck.make("interstellar_empire", players=players)

    def numbers(folder):
        (tmp_path / folder).mkdir()
        measured = DRAMA.measure(Asked(game, tmp_path / folder, 200, workers=1))
        return measured.details["judge"], {one.name: one.value for one in measured.estimates}

    judge, with_network = numbers("network")
    monkeypatch.setattr(drama_games, "judge_of", lambda game: None)
    no_judge, without = numbers("numbers")
    assert judge and not no_judge
    assert {name for name in with_network if with_network[name] != without.get(name)} <= JUDGED
    assert (JUDGED - {"hopeless", "king_points", "king_large"}) <= set(with_network)


def test_numbers_that_only_one_game_has_are_on_the_page(made, tmp_path):
    """A new card has no printed number to compare with, and yet it is what the designer asks about."""
    measure = made.parts["length"].measure

    def with_cards(asked):
        new = asked.game.settings["authority"][1] > 50
        card = Estimate(
            f"value_{new}", "value of Salvager" if new else "value of Dreadnaught", "points", 7.25, 6.0, 8.5
        )
        found = measure(asked)
        return found._replace(estimates=[*found.estimates, card])

    made.parts["length"] = replace(made.parts["length"], measure=with_cards)
    run(tmp_path, edited={"authority": [50, 60]})
    text = (tmp_path / "report.html").read_text()
    edited, printed = text.index("Only in the edited game"), text.index("Only in the printed game")
    assert edited < text.index("value of Salvager") < printed < text.index("value of Dreadnaught")
    assert "+7.25 [+6.00, +8.50]" in text[edited:printed]


def test_numbers_of_a_part_that_only_the_edited_game_has_are_on_the_page(made, tmp_path):
    part = made.parts["length"]
    made.parts["length"] = replace(part, offers=lambda game: "" if game.settings["authority"][1] > 50 else "too dull")
    run(tmp_path, edited={"authority": [50, 60]})
    text = (tmp_path / "report.html").read_text()
    assert "turns in a game" in text[text.index("Only in the edited game") : text.index("Not measured: too dull")]
    assert "Only in the printed game" not in text


def test_the_clearest_differences_come_first():
    def numbers(shift):
        sizes = {"none": 0.0, "small": 1.0, "large": 9.0, "wide": 9.5}
        found = [
            Estimate(name, name, "", shift * size, shift * size - 1 - (name == "wide"), shift * size + 1)
            for name, size in sizes.items()
        ]
        return variant({"length": ([Estimate("open", "open", "", shift, None, None), *found], {})})

    rows = compared(numbers(0), numbers(1)).differences
    assert [one.printed.name for one in rows] == ["large", "wide", "small", "none", "open"]
    assert rows[0].q < 0.001 < rows[2].q < 1 == rows[3].q


def test_only_blocks_of_the_same_deals_are_paired():
    deals = np.random.default_rng(2).normal(0, 10, 400)

    def width(part, name="a", **settings):
        before, after = mean_of(name, "a", "", deals[:300]), mean_of(name, "a", "", deals + 1)
        found = compared(variant({part: ([before], {})}), variant({part: ([after], {})}, **settings))
        assert ("deal by deal" in notes(found)[0]) == (not settings)
        (one,) = found.differences
        return one.apart.high - one.apart.low

    assert width("restricted") < 2 < width("luck"), "blocks of luck hold more deals where there are fewer blocks"
    assert width("drama", "king_points") < 2 < width("drama"), "a bootstrap has fewer draws than there are games"
    assert width("restricted", format="free_for_all", players=3) > 2, "a deal of three is another one"


def test_all_rows_of_a_table_are_on_the_page(made, tmp_path):
    rows = [[f"card {number}", f"{number}.5"] for number in range(130)]

    def show(summary):
        few = [Table("Few", ["card", "points"], rows[:30]), Table("Some", ["card", "points"], rows[:65])]
        return Shown([], [*few, Table("Many", ["card", "points"], rows)], [])

    made.parts["length"] = replace(made.parts["length"], show=show)
    run(tmp_path, parts=["length"])
    text = (tmp_path / "report.html").read_text()
    few, some, many = (text[text.index(f"<h3>{title}") :] for title in ("Few", "Some", "Many"))
    assert "<details>" not in few[: few.index("<h3>Some")] and few.count("<span>29.5</span>") == 3
    unfolded, folded = some[: some.index("<h3>Many")].split("<summary>40 more rows</summary>")
    assert unfolded.count("<span>24.5</span>") == folded.count("<span>25.5</span>") == folded.count("64.5") == 1
    assert many.count("<summary>105 more rows</summary>") == 1 and many.count('<tr class="beyond">') == 30
    assert "The first 100 of 130 rows; data/length-3.csv has the others." in many
    assert len((tmp_path / "data" / "length-3.csv").read_text().splitlines()) == 131


def test_the_page_explains_points_and_the_agents_of_its_ladder(made, tmp_path):
    run(tmp_path, ladder=["simple", "rules", "search:5:prior=rules"])
    (words,) = re.findall(r'<p class="soft" id="words">(.*)</p>', (tmp_path / "report.html").read_text())
    assert words.startswith("Points are percentage points of games won.")
    assert "<code>rules</code> follows written rules of good play." in words and "expert" not in words
    assert "<code>search:5:prior=rules</code> tries out 5 continuations before each decision" in words


def test_the_summary_has_the_first_sentences_of_each_part_and_no_gaps(made, tmp_path):
    def showing(*findings):
        return lambda summary: Shown(list(findings), [], [])

    made.parts["length"] = replace(made.parts["length"], show=showing("One.", "Two.", "Three."))
    made.parts["boss_only"] = replace(made.parts["boss_only"], show=showing(), offers=lambda game: "")
    made.parts["wins"] = replace(made.parts["wins"], show=showing("Four."))
    run(tmp_path)
    text = (tmp_path / "report.html").read_text()
    summary = text[text.index('id="summary"') : text.index('id="words"')]
    assert re.findall(r"<li>(.*?) <a", summary) == ["One.", "Two.", "Four."]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("won +6.1 [+5.9, +6.3] points", "won <span>+6.1 [+5.9, +6.3]</span> points"),
        ("[1.0, 2.0]", "<span>[1.0, 2.0]</span>"),
        ("4 of 1,234 'a' <b>", "<span>4</span> of <span>1,234</span> &#x27;a&#x27; &lt;b&gt;"),
        ("<0.001", "<span>&lt;0.001</span>"),
        ("1.2e-05", "<span>1.2e-05</span>"),
        ("`a1` 61.2 %", "<code>a1</code> <span>61.2 %</span>"),
    ],
)
def test_numbers_of_a_text_are_underlined(text, written):
    assert page.marked(text, "how") == f'<a class="number" href="#how">{written}</a>'


@pytest.mark.parametrize("text", ["95 % interval", "`ppo-0.1`", "x2", ""])
def test_a_text_without_a_measured_number_leads_nowhere(text):
    assert "<a" not in page.marked(text, "how") and "<span" not in page.marked(text)


def test_the_same_game_differs_in_nothing(made, tmp_path):
    run(tmp_path, edited={"authority": [50, 50]})
    assert "No number of the edited game differs" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [({"parts": ["luck", "drums"]}, "part 'luck': must be among length, boss_only, wins"),
     ({"ladder": ["rules"]}, "ladder=rules: must be two agents or more, all different"),
     ({"agent": "nobody"}, "nobody"), ({"logs": "no_folder"}, "'no_folder': must be a folder of logs"),
     ({"edited": {"authority": [0, 1]}}, "authority")],
)  # fmt: skip
def test_bad_options_are_refused_before_anything_is_written(options, words, made, tmp_path):
    with pytest.raises(ValueError, match=re.escape(words)):
        run(tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_the_command_says_why_there_is_no_pdf(made, monkeypatch, tmp_path):
    monkeypatch.setattr(page, "find_spec", lambda name: None)
    found = CliRunner().invoke(cli, ["report", "design", "star_realms", "--quick", "--out", str(tmp_path)])
    assert found.exit_code == 0
    assert "no report.pdf: weasyprint: not installed; pip install 'stardeck[pdf]'" in found.stderr


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
     ("no_file.toml", "no_file.toml: no such file"), ("players=x", "players=x: 'x' is not a valid integer"),
     ("copy_gone_ships=maybe", "copy_gone_ships=maybe: 'maybe' is not one of")],
)  # fmt: skip
def test_a_bad_edit_is_one_line(change, words, made, tmp_path):
    found = CliRunner().invoke(
        cli, ["report", "design", "star_realms", "--out", str(tmp_path / "o"), "--what-if", change]
    )
    assert found.exit_code == 2 and words in found.output and "Traceback" not in found.output
    assert not (tmp_path / "o").exists()


def test_an_edit_is_given_once(made, tmp_path):
    edits = ["--what-if", "authority=50,51", "--what-if", "authority=50,52"]
    found = CliRunner().invoke(cli, ["report", "design", "star_realms", "--out", str(tmp_path / "o"), *edits])
    assert found.exit_code == 2 and "--what-if authority=50,52: authority is given twice" in found.output
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(("given", "words"), [
    ({"typo": 3}, "typo"), ({"where": {"foo": 1}}, "'foo': must be among on, progress, workers"),
    ({"where": 5}, "where=5: must be a mapping"), ({"seed": 1.5}, "seed=1.5: must be a whole number"),
    ({"seed": True}, "seed=True"), ({"seed": -1}, "seed=-1"), ({"seed": 2**64}, "seed=18446744073709551616: must be"),
    ({"parts": "length"}, "parts='length': must be a list"), ({"parts": []}, "parts="), ({"parts": 7}, "parts=7"),
    ({"ladder": "random"}, "ladder='random': must be a list"), ({"edited": "x"}, "edited='x': must be a mapping"),
    ({"games": 0}, "games=0"), ({"agent": ""}, "agent"), ({"logs": 5}, "logs=5"), ({"out": ""}, "out=''"),
])  # fmt: skip
def test_a_bad_call_is_one_error_that_names_the_value(given, words, made, tmp_path):
    call = {"out": tmp_path / "o", "games": 100} | given
    with pytest.raises(ValueError, match=re.escape(words)):
        report.design_report(stardeck.make("star_realms"), call.pop("out"), no_bar, **call)
    assert not made.measured and not list(tmp_path.iterdir())


def test_other_logs_are_another_request(made, tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.txt").write_text("a")
    run(tmp_path / "out", logs=tmp_path / "logs")
    run(tmp_path / "out", logs=f"{tmp_path}/out/../logs")
    assert len(made.measured) == 2, "the same files"
    (tmp_path / "logs" / "b.txt").write_text("a")
    with pytest.raises(ResultsError, match="holds length with logs '1 files, .*', not '2 files, .*'"):
        run(tmp_path / "out", logs=tmp_path / "logs")


def test_files_of_an_earlier_comparison_go(made, tmp_path):
    run(tmp_path, edited={"authority": [50, 60]})
    (tmp_path / "data" / "notes.txt").write_text("of the user")
    held = {path.name for path in (tmp_path / "data").iterdir()}
    assert {"differences.csv", "differences.parquet", "edited-1.csv"} <= held
    run(tmp_path)
    left = {path.name for path in (tmp_path / "data").iterdir()}
    assert held - left == {"differences.csv", "differences.parquet", *(one for one in held if "edited" in one)}


def test_a_page_that_cannot_be_written_leaves_the_pdf(made, tmp_path):
    run(tmp_path)
    (tmp_path / "report.pdf").write_text("of this page")
    (tmp_path / "report.html").unlink()
    (tmp_path / "report.html").mkdir()
    with pytest.raises(OSError, match=r"report\.html"):
        run(tmp_path)
    assert (tmp_path / "report.pdf").read_text() == "of this page"


@pytest.mark.parametrize("change", [
    lambda summary: summary["estimates"][0].update(value=None), lambda summary: summary.pop("details"),
    lambda summary: summary.update(details={}), lambda summary: summary.update(commands=[]),
    lambda summary: summary.update(asked=[]), lambda summary: summary.update(asked="x"),
    lambda summary: summary.pop("origin"), lambda summary: summary.update(seconds="long"),
    lambda summary: summary.update(estimates=[]),
])  # fmt: skip
def test_an_edited_summary_is_refused(change, made, tmp_path):
    run(tmp_path)
    path = tmp_path / "printed" / "length" / "summary.json"
    summary = json.loads(path.read_text())
    change(summary)
    path.write_text(json.dumps(summary))
    with pytest.raises(ResultsError, match=r"printed/length: is not a whole part .*; remove its summary\.json"):
        run(tmp_path)
    path.unlink()
    run(tmp_path)
    assert [name for name, _ in made.measured].count("wins") == 1


def test_other_blocks_are_refused(made, tmp_path):
    run(tmp_path)
    path = tmp_path / "printed" / "length" / "blocks.npz"
    with np.load(path) as held:
        np.savez(path, **{name: held[name][:-3] for name in held.files})
    with pytest.raises(ResultsError, match="the numbers are not those that were written"):
        run(tmp_path)


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [("summary.json", "{", "summary.json: "), ("summary.json", "[]", "it does not say what was asked"),
     ("summary.json", "null", "it does not say what was asked"),
     ("summary.json", '{"asked": []}', "it does not say what was asked"),
     ("blocks.npz", "", "the numbers are not those"), ("blocks.npz", "PK", "the numbers are not those"),
     ("blocks.npz", None, "blocks.npz: No such file")],
)  # fmt: skip
def test_a_damaged_part_is_one_error_that_names_its_folder(file, content, why, made, tmp_path):
    run(tmp_path)
    path = tmp_path / "printed" / "length" / file
    path.unlink() if content is None else path.write_text(content)
    wanted = rf"printed/length: is not a whole part of a report \(.*{why}.*\); remove its sum"
    with pytest.raises(ResultsError, match=wanted):
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
