"""The smallest change that makes a game fair: planted imbalances, and the rank of answers."""

import json
import shlex
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

import stardeck
from stardeck.benchmarks.advantage import advantage
from stardeck.benchmarks.design import changes
from stardeck.benchmarks.design.part import Asked
from stardeck.commands.cli import cli

GAMES = 20_000


def asked(tmp_path, **settings):
    return Asked(stardeck.make("star_realms", **settings), tmp_path, GAMES)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Return the part of a table in which the second seat has 20 authority too many."""
    wrong, seen = asked(tmp_path_factory.mktemp("changes"), authority=[50, 75]), []
    found = changes.measure(replace(wrong, progress=lambda *two: seen.append(two)))
    estimates = [one._replace(blocks=None)._asdict() for one in found.estimates]
    return {"estimates": estimates, "details": found.details, "commands": found.commands, "progress": seen}


def test_a_seat_that_is_too_strong_is_named_with_the_number_to_change(planted):
    by_label = {row["label"]: row for row in planted["details"]["rows"]}
    mended = by_label["authority.1"]
    assert mended["answer"]["value"] == pytest.approx(54.4, abs=1.5), "as from the printed game"
    assert mended["found"] and 52 <= mended["whole"]["value"] <= 57 and mended["printed"] == 75
    shown = changes.show(planted)
    good, others = shown.tables[:2]
    assert good.title == "Changes that leave 1 point or less, as far as these games show, the smallest first"
    assert others.title == "Changes that leave more, the best first" and others.rows
    for table in (good, others):
        for row in table.rows:
            low, high = map(float, row[3].partition("[")[2].rstrip("]").split(", "))
            assert (low <= 1 and high >= -1) == (table is good), row
    assert shown.findings[0].startswith(
        "The smallest change that makes it fair, as far as these games show: authority of the second seat from 75 to 54"
    )


def test_progress_goes_on_through_all_that_the_part_measures(planted):
    """A full report took half an hour between two steps of a bar that counted parameters."""
    *seen, last = planted["progress"]
    assert last == (1, 1) and len({total for _, total in seen}) == 1
    done = [now / seen[0][1] for now, _ in seen]
    assert done == sorted(done) and 0.99 < done[-1] <= 1
    assert max(after - before for before, after in pairwise([0, *done])) < 0.15, "no measurement is silent"


def test_what_a_change_leaves_is_known_from_deals_that_no_search_has_seen(planted):
    first = [row for row in planted["details"]["rows"] if row["found"]][: changes.COMPARED]
    assert all(row["confirmed"] for row in first)
    settings = {"authority": [50, first[0]["whole"]["value"]]}
    again = advantage("star_realms", "rules", GAMES // changes.SEARCHES, seed=changes.NEW_DEALS, **settings)
    assert again["first_advantage"]["points"] == pytest.approx(first[0]["whole"]["left"]["value"])


def test_the_command_for_new_deals_makes_what_the_change_leaves(planted, tmp_path):
    row = planted["details"]["rows"][0]
    command = shlex.split(planted["commands"][0].splitlines()[1])
    found = CliRunner().invoke(cli, [*command[1:], "--json", "--out", str(tmp_path / "again")])
    assert found.exit_code == 0, found.output
    again = json.loads((tmp_path / "again" / "summary.json").read_text())["first_advantage"]
    assert again["points"] == pytest.approx(row["whole"]["left"]["value"])


def test_the_curve_of_all_games_names_the_number_before_a_lucky_point_does():
    rows = [{"knobs": {"a": at}, "points": points, "low": points - 2, "high": points + 2, "curve": curve}
            for at, points, curve in ((52, 3.1, 3.0), (53, 0.1, 1.5), (54, -0.6, 0.1))]  # fmt: skip
    assert [one["value"] for one in changes._nearest(rows, "a", 50)] == [54, 53]
    assert [one["value"] for one in changes._nearest(rows, "a", 54)] == [53]
    assert changes._nearest(rows[:1], "a", 52) == []


def test_each_change_leads_to_the_command_of_its_search(planted):
    table, commands = changes.show(planted).tables[0], planted["commands"]
    for row, number in zip(table.rows, table.commands, strict=True):
        knob = planted["details"]["rows"][number]["knob"]
        assert planted["details"]["rows"][number]["name"] == row[0] and knob in commands[number]
        assert f"--games {4 * GAMES // changes.SEARCHES} --seed 0" in commands[number]


def test_what_else_changes_has_length_and_card_values(planted):
    compared = planted["details"]["compared"][0]
    assert any("turns" in row["label"] for row in compared["differences"])
    assert compared["cards"] and all(row["low"] <= row["value"] <= row["high"] for row in compared["cards"])


def test_the_rank_puts_small_changes_of_printed_numbers_first():
    def row(share, left=0.0, new=False, found=True):
        ends = {"value": left, "low": left - 0.5, "high": left + 0.5}
        change = {"share": None if new else share, "change": share, "whole": {"left": ends}}
        return {"found": found, "new": new} | (change if found else {})

    ordered = [row(0.05), row(0.3), row(1, new=True), row(0.5, left=-2.0), row(0.02, left=-8.0), row(0, found=False)]
    assert sorted(reversed(ordered), key=changes._rank) == ordered


def summary_of_printed(value, low, high, rows=()):
    """Return a made-up summary of a game in which moving first is worth this much."""
    printed = {"value": value, "low": low, "high": high, "unit": "points"}
    return {"details": {"agent": "rules", "printed": printed, "rows": list(rows), "auctions": [], "compared": []}}


def test_a_game_is_fair_only_if_that_is_known():
    answer = {"value": 50.2, "low": 45.9, "high": 54.4}
    left = {"value": 0.4, "low": -0.1, "high": 0.9, "unit": "points"}
    row = {"found": True, "name": "authority of the second seat", "printed": 50, "answer": answer, "new": False,
           "share": 0.02, "change": 1, "whole": {"value": 51, "left": left}}  # fmt: skip
    said = [changes.show(summary_of_printed(*ends, rows=[row])).findings[0] for ends in
            [(0.4, -0.1, 0.9), (0.4, -5.1, 5.9), (3.0, 1.5, 4.5)]]  # fmt: skip
    assert said[0].startswith("The printed game is fair to within 1 point: moving first is worth +0.4 [-0.1, +0.9]")
    assert said[1].startswith("These games do not show whether the printed game is fair: moving first is worth +0.4")
    assert said[2].startswith("The smallest change that makes it fair: authority of the second seat from 50 to 51")


def test_differences_that_may_be_chance_are_not_named():
    """Of 40 numbers that do not change, two have an interval without 0, and none is clear once all are corrected."""
    rows = [{"name": str(n), "label": f"number {n}", "unit": "", "printed": 1.0, "value": 0.0, "low": -1.0, "high": 1.0,
             "q": 0.9} for n in range(40)]  # fmt: skip
    rows[3] |= {"value": 1.2, "low": 0.1, "high": 2.3, "q": 0.4}
    rows[5] |= {"value": 9.0, "low": 8.0, "high": 10.0, "q": 1e-9}
    summary = summary_of_printed(3.0, 1.5, 4.5)
    left = {"value": 0.4, "low": -0.1, "high": 0.9, "unit": "points"}
    summary["details"] |= {
        "rows": [{"found": True, "name": "authority", "printed": 50, "answer": left, "new": False, "share": 0.02,
                  "change": 1, "whole": {"value": 51, "left": left}}],
        "compared": [{"label": "a", "name": "authority", "value": 51, "games": 500, "differences": rows}],
    }  # fmt: skip
    shown = changes.show(summary)
    assert "number 5" in shown.findings[1] and "number 3" not in shown.findings[1]
    cells = [row[2] for row in shown.tables[1].rows]
    assert [cell.endswith("*") for cell in cells] == [n == 5 for n in range(40)]
    assert "500 games each" in shown.tables[1].title


def test_one_side_has_nothing_to_make_fair():
    boss = stardeck.make("star_realms", set="box", format="nemesis_beast", players=2)
    assert "all players are one side" in changes.offers(boss)
