"""The smallest change that makes a game fair: planted imbalances, and the rank of answers."""

import contextlib
import json
import re
import shlex
from itertools import pairwise

import pytest
from click.testing import CliRunner

import stardeck
from stardeck.benchmarks.advantage import advantage
from stardeck.benchmarks.design.changes import CHANGES, answers, measure, page
from stardeck.benchmarks.design.changes.candidates import candidates
from stardeck.benchmarks.design.part import Asked
from stardeck.benchmarks.design.report import design_report
from stardeck.commands.cli import cli
from stardeck.results import load

GAMES = 20_000


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Return the report on a game in which the second seat has 25 authority too many."""
    out, seen = tmp_path_factory.mktemp("changes"), []

    @contextlib.contextmanager
    def bar(title):
        yield lambda *two: seen.append(two)

    game = stardeck.make("star_realms", authority=[50, 75])
    design_report(game, out, bar, parts=["changes"], games=GAMES, ladder=["random", "simple", "rules"])
    summary = json.loads((out / "printed" / "changes" / "summary.json").read_text())
    return summary | {"progress": seen, "page": (out / "report.html").read_text()}


def test_a_seat_that_is_too_strong_is_named_with_the_number_to_change(planted):
    by_label = {row["label"]: row for row in planted["details"]["rows"]}
    mended = by_label["authority.1"]
    assert mended["answers"][0]["value"] == pytest.approx(54.4, abs=1.5), "as from the printed game"
    assert mended["found"] and 52 <= mended["whole"]["value"] <= 57 and mended["printed"] == 75
    shown = CHANGES.show(planted)
    good, others = shown.tables[:2]
    assert good.title == "Changes that may leave 1 point or less, the smallest first"
    assert others.title == "Changes that leave more, the best first" and others.rows
    for table in (good, others):
        for row in table.rows:
            low, high = map(float, row[3].partition("[")[2].rstrip("]").split(", "))
            assert (low <= 1 and high >= -1) == (table is good), row
    in_plain_words = re.sub("<[^>]*>", "", planted["page"].partition("In plain words")[2].partition("</ul>")[0])
    assert "authority of the second seat from 75 to 54" in in_plain_words
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
    first = [row for row in planted["details"]["rows"] if row["found"]][: measure.COMPARED]
    assert all(row["confirmed"] for row in first)
    settings = {"authority": [50, first[0]["whole"]["value"]]}
    again = advantage("star_realms", "rules", GAMES // measure.SEARCHES, seed=measure.NEW_DEALS, **settings)
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
    assert [one["value"] for one in answers.nearest(rows, "a", 50)] == [54, 53]
    assert [one["value"] for one in answers.nearest(rows, "a", 54)] == [53]
    assert answers.nearest(rows[:1], "a", 52) == []


def test_what_a_bid_leaves_can_be_compared_with_an_edited_game(planted):
    by_name = {one["name"]: one for one in planted["estimates"]}
    for row in planted["details"]["auctions"]:
        assert by_name[f"first_{row['setting']}_{row['value']}"]["value"] == row["first"]["value"]


def test_each_change_leads_to_the_command_of_its_search(planted):
    table, commands = CHANGES.show(planted).tables[0], planted["commands"]
    for row, number in zip(table.rows, table.commands, strict=True):
        knob = planted["details"]["rows"][number]["knobs"][0]
        assert planted["details"]["rows"][number]["name"] == row[0] and knob in commands[number]
        assert f"--games {4 * GAMES // measure.SEARCHES} --seed 0" in commands[number]


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
    assert sorted(reversed(ordered), key=answers.rank) == ordered


def points(value, low, high):
    """Return points with their interval."""
    return {"value": value, "low": low, "high": high, "unit": "points"}


def summary_of_printed(value, low, high, rows=(), **others):
    """Return a made-up summary of a game in which moving first is worth this much."""
    details = {"agent": "rules", "printed": points(value, low, high), "rows": list(rows), "auctions": [],
               "compared": []}  # fmt: skip
    return {"details": details | others}


def answer(label, whole, left):
    """Return a made-up answer of the search of a number that is printed as 50."""
    return {"found": True, "label": label, "name": label, "printed": 50, "answers": [points(50.2, 45.9, 54.4)],
            "new": False, "measured": 50, "share": abs(whole - 50) / 50, "change": abs(whole - 50), "confirmed": True,
            "whole": {"value": whole, "left": left}}  # fmt: skip


def test_a_game_is_fair_only_if_that_is_known():
    row = answer("authority of the second seat", 51, points(0.4, -0.1, 0.9))
    said = [CHANGES.show(summary_of_printed(*ends, rows=[row])).findings[0] for ends in
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
    rows[7] |= {"label": "lead changes, by authority", "value": 9.5, "low": 9, "high": 10, "q": 1e-9}  # mechanical
    summary = summary_of_printed(3.0, 1.5, 4.5)
    summary["details"] |= {
        "rows": [answer("authority.1", 51, points(0.4, -0.1, 0.9))],
        "compared": [{"label": "a", "name": "authority", "value": 51, "games": 500, "differences": rows}],
    }  # fmt: skip
    shown = CHANGES.show(summary)
    assert "number 5" in shown.findings[1] and "number 3" not in shown.findings[1]
    assert "by authority" not in shown.findings[1], "another authority at the start moves who leads in it"
    cells = [row[2] for row in shown.tables[1].rows]
    assert [cell.endswith("*") for cell in cells] == [n in (5, 7) for n in range(40)]
    assert "500 games each" in shown.tables[1].title


def test_one_side_has_nothing_to_make_fair():
    boss = stardeck.make("star_realms", set="box", format="nemesis_beast", players=2)
    assert "all players are one side" in CHANGES.offers(boss)


def test_findings_have_what_is_printed_and_every_smallest_change():
    rows = [answer("authority.0", 46, points(0.3, 0.2, 0.4)), answer("authority.1", 54, points(0.6, 0.5, 0.7)),
            answer("authority.1", 60, points(0.6, 0.5, 0.7))]  # fmt: skip
    said = CHANGES.show(summary_of_printed(6.1, 6.0, 6.2, rows)).findings
    worth = "Where `rules` plays all seats, moving first is worth +6.1 [+6.0, +6.2] points, and +0.3 [+0.2, +0.4] with"
    assert worth in said[0]
    assert said[1] == "As small is authority.1 from 50 to 54 (8 %), which leaves +0.6 [+0.5, +0.7]."


def test_other_agents_of_the_ladder_say_for_whom_a_change_is_fair(planted):
    of_simple = next(one for one in planted["details"]["elsewhere"] if one["agent"] == "simple")
    first = planted["details"]["rows"][0]
    settings = {"authority": [50, first["whole"]["value"]]}
    again = advantage("star_realms", "simple", GAMES // measure.OTHERS, **settings)["first_advantage"]
    assert again["points"] == pytest.approx(of_simple["after"]["value"])
    (table,) = (table for table in CHANGES.show(planted).tables if table.title.startswith("What moving first is worth"))
    assert [row[0] for row in table.rows] == ["`random`", "`simple`"]
    far = {"agent": "random", "games": 9, "printed": points(1.0, 0.5, 1.5), "after": points(-3.0, -3.5, -2.5)}
    near = {"agent": "simple", "games": 9, "printed": points(1.0, 0.5, 1.5), "after": points(-1.2, -1.7, -0.7)}
    compared = [{"label": "authority.0", "name": "authority.0", "value": 46, "games": 9, "differences": []}]
    rows = [answer("authority.0", 46, points(0.3, 0.2, 0.4))]
    said = CHANGES.show(summary_of_printed(6.1, 6.0, 6.2, rows, elsewhere=[near, far], compared=compared)).findings
    assert said[1].startswith(
        "Where `random` plays all seats, moving first is worth +1.0 [+0.5, +1.5] points, and -3.0"
    )
    assert not any("`simple`" in text for text in said)


def test_an_agent_that_cannot_play_the_change_is_left_out(tmp_path):
    """Less trade in the first turn is a number that no network has seen, and the part ended with an error."""
    game = stardeck.make("star_realms")
    row = {
        "knobs": ["first_turn_trade.0=-5:8"],
        "label": "first_turn_trade.0",
        "folder": "trade",
        "whole": {"value": -1},
    }
    asked = Asked(game, tmp_path, 400)
    assert measure._elsewhere(asked, "expert", row) == {}
    assert measure._elsewhere(asked, "simple", row)["agent"] == "simple"


def test_only_a_share_of_a_deck_is_called_so():
    share = {"new": False, "share": 0.1, "measured": 10, "printed": 8}
    sizes = [page._size(share | {"label": label}) for label in ("starting_deck.0.Scout", "first_player", "authority.0")]
    assert sizes == ["10 % of the deck", "10 %", "10 %"]


def of_three(*values):
    """Return the advantages of three sides with narrow intervals."""
    ordinals = ("first", "second", "third")
    sides = [points(one, one - 0.3, one + 0.3) | {"label": f"side that moves {ordinal}"}
             for one, ordinal in zip(values, ordinals, strict=True)]  # fmt: skip
    return sides[0] | {"sides": sides}


def test_a_change_that_mends_one_side_of_three_is_not_called_fair():
    """In a free-for-all of four, a deck that was fair to the first player gave the fourth one 41 % of the games."""
    rows = [answer("authority.1+2", 52, of_three(0.1, -6.0, 5.9)), answer("authority.0", 47, of_three(0.3, -0.4, 0.1))]
    rows.sort(key=answers.rank)
    assert [row["label"] for row in rows] == ["authority.0", "authority.1+2"]
    summary = summary_of_printed(6.1, 5.8, 6.4, rows)
    summary["details"]["printed"] = of_three(6.1, 1.0, -7.1)
    shown = CHANGES.show(summary)
    assert shown.findings[0] == (
        "The smallest change that makes it fair: authority.0 from 50 to 47 (6 %). Where `rules` plays all seats, the"
        " side that moves third is farthest from its fair share with -7.1 [-7.4, -6.8] points; with this change, the"
        " side that moves second with -0.4 [-0.7, -0.1]."
    )
    good, poor, sides = shown.tables
    assert good.rows[0][3] == "side that moves second: -0.40 [-0.70, -0.10]"
    assert poor.rows[0][3] == "side that moves second: -6.00 [-6.30, -5.70]"
    assert [row[0] for row in sides.rows] == [
        "side that moves first",
        "side that moves second",
        "side that moves third",
    ]
    assert sides.rows[2][1:] == ["-7.1 [-7.4, -6.8]", "+0.1 [-0.2, +0.4]", "+5.9 [+5.6, +6.2]"]


def test_one_number_for_all_seats_is_no_answer_of_several_parameters():
    parts = [([51, 51], 0.6), ([50, 50], 0.3), ([51, 50], 0.1)]
    mixture = [{"part": part, "knobs": dict(zip("ab", values, strict=True))} for values, part in parts]
    summary = {"mixture": mixture, "shares": [{"points": 0.0, "low": -1.0, "high": 1.0}]}
    assert [one["value"] for one in answers.likeliest(summary, [50, 50], 3)] == [[51, 50]]
    assert [one["value"] for one in answers.likeliest(summary, [50, 49], 2)] == [[51, 51], [50, 50]]


@pytest.mark.once
def test_a_planted_third_seat_of_three_is_mended_by_a_number_for_each_side(tmp_path):
    """Bonus points in the order of turns: by seats, every one of them is fair, for chance draws who begins."""
    game = stardeck.make("empire_of_the_stars", players=3, powers=False, bonus_points=[0, 0, 3])
    (joint,) = (one for one in candidates(game) if len(one.knobs) > 1)
    asked = Asked(game, tmp_path, 4 * 6_000, agent="simple")
    row = measure._searched(asked, joint, 3.0, 3_000)
    values = {one["knob"]: one["value"] for one in row["answers"]}
    assert row["found"] and values["bonus_points.2"] < 2, values
    searched = load(tmp_path / row["folder"])
    assert [one["of"] for one in searched.summary["shares"]] == ["place 0", "place 1", "place 2"]
    assert searched.chunks["place_0"].tolist() == searched.chunks["first"].tolist()
    assert searched.chunks.filter(like="place_").sum(axis=1).tolist() == pytest.approx(searched.chunks["games"])
    (row,) = measure._confirmed([asked] * 6, [row], 6_000)
    before = measure._first(asked, 6_000, "printed", game.settings)
    assert answers.largest(before) > 8 and before["sides"][2]["value"] == answers.largest(before)
    assert answers.largest(row["whole"]["left"]) < 4
    assert sum(one["value"] for one in before["sides"]) == pytest.approx(0)
