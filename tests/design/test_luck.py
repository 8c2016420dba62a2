"""The part `luck`: on games of the package with few games, resumed, and what its page says."""

import json

import pytest

from stardeck.benchmarks.design import luck
from stardeck.benchmarks.design.kept.arrays_by_name import ABOUT
from stardeck.benchmarks.design.part import Asked
from stardeck.game.registry import make


def measured(out, game, games=2_000, **options):
    return luck.LUCK.measure(Asked(game, out, games, **options))


def summary_of(found):
    """Return the summary as the report keeps it."""
    kept = [{key: value for key, value in one._asdict().items() if key != "blocks"} for one in found.estimates]
    return json.loads(json.dumps({"estimates": kept, "details": found.details}))


def test_skill_decides_between_unequal_agents_and_luck_between_equals(tmp_path):
    found = measured(tmp_path, make("star_realms"))
    named = {one.name: one for one in found.estimates}
    parts = ("agent", "seat", "deal", "chance")
    assert sum(named[f"{part}_share"].value for part in parts) == pytest.approx(100, abs=1)
    assert named["agent_share"].low > 80 and named["equal_chance_share"].low > 50
    assert named["steps"].low > 20 and named["steps"].high < 50
    for one in found.estimates:
        assert one.low <= one.value <= one.high
    shown = luck.LUCK.show(summary_of(found))
    assert shown.findings[0].startswith("Among the agents `random`, `simple`, `rules`, skill explains 9")
    assert shown.findings[2].startswith("The game has 3") and "from `random` to `rules`" in shown.findings[2]
    assert [name for name, _, _ in shown.pictures] == ["variance_shares", "ladder_of_skill"]
    assert {table.title: table for table in shown.tables}["An agent against itself"].rows[2][0] == "rules"


def test_finished_games_are_not_played_again(tmp_path, monkeypatch):
    game = make("star_realms")
    first = measured(tmp_path, game, 400, ladder=("simple", "rules"))
    monkeypatch.setattr(luck.ReplaySeries, "play", None)
    again = measured(tmp_path, game, 400, ladder=("simple", "rules"), workers=1)
    assert summary_of(again) == summary_of(first)
    with pytest.raises(ValueError, match="seed 0, not 1; choose another folder"):
        measured(tmp_path, game, 400, seed=1)


def test_workers_do_not_change_the_numbers(tmp_path, monkeypatch):
    game = make("star_realms")
    first = measured(tmp_path / "a", game, 400, ladder=("simple", "rules"))
    monkeypatch.setattr("stardeck.benchmarks.design.variance.replays.CHUNK", 100)
    again = measured(tmp_path / "b", game, 400, ladder=("simple", "rules"), workers=1)
    assert summary_of(again) == summary_of(first)


@pytest.mark.parametrize(
    ("name", "settings", "missing"),
    [
        ("star_realms", {"set": "box", "format": "free_for_all", "players": 3}, set()),
        ("star_realms", {"set": "box", "format": "two_headed_hydra"}, set()),
        ("star_realms", {"set": "box", "format": "nemesis_beast"}, {"seat_share", "equal_seat_share", "steps"}),
    ],
)
def test_other_formats(tmp_path, name, settings, missing):
    found = measured(tmp_path, make(name, **settings), 400, ladder=("simple", "rules"))
    expected = {
        f"{part}_share" for part in ("agent", "seat", "deal", "chance", "equal_seat", "equal_deal", "equal_chance")
    }
    assert {one.name for one in found.estimates} == (expected | {"steps"}) - missing
    assert luck.LUCK.show(summary_of(found)).findings


def test_a_lone_agent_has_no_skill_to_compare(tmp_path):
    found = measured(tmp_path, make("star_realms"), 400, ladder=("rules",))
    assert {one.name for one in found.estimates} == {"equal_seat_share", "equal_deal_share", "equal_chance_share"}
    assert len(luck.LUCK.show(summary_of(found)).findings) == 1


def test_a_ladder_has_different_agents(tmp_path):
    with pytest.raises(ValueError, match="ladder=rules, medium: must be different agents"):
        measured(tmp_path, make("star_realms"), 400, ladder=("rules", "medium"))


def test_an_open_bound_is_said():
    sentence = luck._depth_finding({"value": 20.0, "low": 12.3, "high": None}, ["random", "rules"])
    assert sentence.startswith("The game has at least 12.3 steps of skill from `random` to `rules`")


def test_progress_ends_at_its_end(tmp_path):
    seen = []
    measured(tmp_path, make("star_realms"), 400, ladder=("simple", "rules"), progress=lambda *two: seen.append(two))
    assert seen[-1][0] == seen[-1][1] and all(done <= games for done, games in seen)
    assert len({games for _, games in seen[:-1]}) <= 2, "all games are announced before the first one ends"
    assert ABOUT in {path.name for path in (tmp_path / "replays").iterdir()}
