"""Advantage along skill: planted advantages, several sides, and games of people."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import stardeck
from stardeck.benchmarks.advantage import advantage
from stardeck.benchmarks.design import skill
from stardeck.benchmarks.design.part import Asked
from stardeck.benchmarks.design.turn_order import of_wins

EXAMPLES = Path(__file__).parents[2] / "examples"


def summary_of(found):
    return {"estimates": [one._replace(blocks=None)._asdict() for one in found.estimates], "details": found.details}


def test_a_seat_that_is_too_strong_is_said_in_the_findings(tmp_path):
    game = stardeck.make("star_realms", authority=[90, 50])
    found = skill.measure(Asked(game, tmp_path, 2_000, ladder=("random", "rules")))
    by_name = {one.name: one for one in found.estimates}
    assert by_name["first_rules"].low > 20
    usual = advantage("star_realms", "rules", 2_000, authority=[90, 50])["first_advantage"]
    assert by_name["first_rules"].value == pytest.approx(usual["points"], abs=0.1), "the same games as advantage"
    shown = skill.show(summary_of(found))
    assert "moving first clearly helps" in shown.findings[0] and "grows with skill" in shown.findings[1]
    assert [row[0] for row in shown.tables[0].rows] == ["`random`", "`rules`"]
    assert found.commands[1].startswith("stardeck advantage star_realms --agents rules")


def test_several_sides_have_a_row_by_order_of_turns(tmp_path):
    game = stardeck.make("star_realms", set="box", format="free_for_all", players=3)
    found = skill.measure(Asked(game, tmp_path, 600, ladder=("random", "simple")))
    places = [one for one in found.estimates if one.name.startswith("place_") and one.name.endswith("simple")]
    assert len(places) == 3 and sum(one.value for one in places) == pytest.approx(0, abs=1e-6)
    assert len(skill.show(summary_of(found)).tables[1].columns) == 4


def test_several_sides_are_lines_of_the_picture():
    agents, places = ("random", "rules"), (4.0, 0.0, -4.0)
    rungs = [{"agent": name, "games": 9, "turns": 20.0} for name in agents]
    known = [
        {"name": name, "label": "", "unit": "points", "value": value, "low": value - 1, "high": value + 1}
        for agent in agents
        for name, value in ((f"first_{agent}", 4.0), *((f"place_{n + 1}_{agent}", places[n]) for n in range(3)))
    ]
    shown = skill.show({"estimates": known, "details": {"rungs": rungs, "people": None, "sides": 3}})
    panel = shown.pictures[0][2].axes[0]
    assert panel.get_legend_handles_labels()[1][1:] == ["moves first", "moves second", "moves third"]
    lines = [container.lines[0] for container in panel.containers]
    assert [line.get_ydata().tolist() for line in lines] == [[value] * 2 for value in places]
    assert len({line.get_color() for line in lines}) == len({line.get_marker() for line in lines}) == 3


@pytest.mark.parametrize("share", [0.5, 0.9, 0.995])
def test_intervals_of_wins_cover(share):
    rng, trials, covered = np.random.default_rng(3), 4_000, 0
    for won in rng.random((trials, 500)) < share:
        found = of_wins("a", "a", won.astype(float), 0.5)
        covered += found.low <= 100 * (share - 0.5) <= found.high
    assert 0.93 <= covered / trials <= (0.97 if share < 0.99 else 1), covered / trials


@pytest.mark.parametrize(("won", "fair", "ends"), [(1.0, None, (99.24, 100)), (0.0, None, (0, 0.76)),
                                                   (1.0, 0.5, (49.24, 50))])  # fmt: skip
def test_a_side_that_always_or_never_wins_is_not_certain(won, fair, ends):
    found = of_wins("wins", "wins", np.full(500, won), fair)
    assert (found.low, found.high) == pytest.approx(ends, abs=0.01) and found.low <= found.value <= found.high
    assert found.unit == ("points" if fair else "%")


def test_a_game_against_the_boss_has_wins(tmp_path):
    game = stardeck.make("star_realms", set="box", format="nemesis_beast", players=2)
    shown = skill.show(summary_of(skill.measure(Asked(game, tmp_path, 400, ladder=("random", "rules")))))
    assert "beats the Boss" in shown.findings[0]


def test_games_of_people_stand_beside_the_agents(tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    shutil.copy(EXAMPLES / "app_log.txt", logs)
    (tmp_path / "out").mkdir()
    game = stardeck.make("star_realms")
    found = skill.measure(Asked(game, tmp_path / "out", 200, ladder=("random", "rules"), logs=logs))
    people = found.details["people"]
    assert (people["games"], people["left_out"], people["first"]["win_rate"]) == (1, 0, 0), "Ann began, and Bo won"
    assert {row["agent"] for row in people["agreement"]} == {"random", "rules"}
    shown = skill.show(summary_of(found))
    assert shown.tables[-1].title == "Where people stand"
    assert "The logs have 1 game of people. 30 or more would say which agent" in shown.findings[-1]
    assert [axes.get_ylabel() for axes in shown.pictures[0][2].axes][1] == "choices that agree\nwith people, %"


def test_people_are_described_by_enough_games_and_files_left_out_are_counted():
    agents = [{"agent": name, "agreement": share, "low": share - 0.02, "high": share + 0.02, "log_likelihood": share}
              for name, share in (("random", 0.2), ("rules", 0.61))]  # fmt: skip
    first = {"win_rate": 0.6, "low": 0.5, "high": 0.7}
    people = {"games": 120, "left_out": 24, "first": first, "agreement": agents}
    rungs = [{"agent": name, "games": 9, "turns": 20.0} for name in ("random", "rules")]
    known = [{"name": f"first_{name}", "label": "", "unit": "points", "value": 5.0, "low": 4.0, "high": 6.0}
             for name in ("random", "rules")]  # fmt: skip
    shown = skill.show({"estimates": known, "details": {"rungs": rungs, "people": people, "sides": 2}})
    assert shown.findings[-1].startswith(
        "In 120 games of people, `rules` is the agent that chooses most as they do: 61.0 [59.0, 63.0] % of choices"
    )
    panel = shown.pictures[0][2].axes[0]
    band = next(patch for patch in panel.patches if patch.get_label() == "people, moves first, 95 %")
    assert (band.get_y(), band.get_height()) == pytest.approx((0, 20)), "people win 50 to 70 %, and 50 % is fair"
    (of_agents,) = panel.collections[:1]
    assert of_agents.get_datalim(panel.transData).intervaly.tolist() == [4, 6], "the band of the agents' intervals"
    rows = dict(shown.tables[-1].rows)
    assert rows["files left out: no log of a game of this variant"] == "24"
    assert rows["choices that agree with `rules`"] == "61.0 [59.0, 63.0] %"


def test_a_search_has_a_share_of_the_progress_that_it_has_of_the_time(tmp_path):
    seen = []
    ladder = ("random", "search:2:prior=rules")
    skill.measure(
        Asked(stardeck.make("star_realms"), tmp_path, 400, ladder=ladder, progress=lambda *two: seen.append(two))
    )
    (total,) = {games for _, games in seen}
    random = [done for done, _ in seen if done <= 400]
    assert random[-1] == 400 and seen[-1] == (total, total) and total > 100 * 400
