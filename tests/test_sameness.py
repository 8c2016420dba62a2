"""Folders of results: the first difference is named, and version 0.1.0's folders can be continued."""

import json

import pyarrow.parquet as pq
import pytest

from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings.replay_result import game_of
from stardeck.benchmarks.results import compatibility
from stardeck.benchmarks.results.compatibility import difference
from stardeck.benchmarks.results.store import KEY, ORIGIN, ResultsError
from stardeck.game.registry import settings_of

LATER = set().union(*compatibility.LATER["star_realms"])
CARDS = {"name": "mine", "like": "core", "cards": [{"name": "Scout", "cost": 1}, {"name": "Ram", "cost": 3}] * 40}


def test_the_first_difference_is_named():
    other = json.loads(json.dumps(CARDS))
    other["cards"][5]["cost"] = 4
    before, now = {"set": CARDS, "players": 2}, {"set": other, "players": 2}
    assert difference(before, before, "settings") is None
    assert difference(before, now, "settings") == "settings.set.cards[5].cost 3, not 4"
    assert difference(before, now | {"set": "core"}, "settings").endswith("}, not 'core'")
    assert len(difference(before, now | {"set": "core"}, "settings")) < 150
    assert difference({"a": 1}, {"a": 1, "b": 2}, "settings") == "settings {'a': 1}, not {'a': 1, 'b': 2}"
    assert difference("x" * 1000, "y", "tables").startswith("tables 'xxx")
    assert len(difference("x" * 1000, "y", "tables")) < 350


def as_of_0_1_0(folder, drop=LATER):
    """Rewrite the results in a folder as version 0.1.0 wrote them: without later settings."""

    def older(identity):
        return identity | {"settings": {name: v for name, v in identity["settings"].items() if name not in drop}}

    for path in folder.rglob("*.parquet"):
        table = pq.read_table(path)
        metadata = {**table.schema.metadata, KEY: json.dumps(older(json.loads(table.schema.metadata[KEY]))).encode()}
        del metadata[ORIGIN]
        pq.write_table(table.replace_schema_metadata(metadata), path)
    for path in folder.rglob("pool.json"):
        path.write_text(json.dumps(older(json.loads(path.read_text()))))


def rows(folder):
    return pq.read_table(folder / "games.parquet").to_pylist()


def test_results_of_version_0_1_0_go_on(tmp_path):
    """Regression: three new settings made all its folders belong to another variant."""
    advantage("star_realms", "random", 4, out=tmp_path / "new")
    advantage("star_realms", "random", 2, out=tmp_path / "old")
    as_of_0_1_0(tmp_path / "old")
    advantage("star_realms", "random", 4, out=tmp_path / "old")
    assert rows(tmp_path / "old") == rows(tmp_path / "new")
    as_of_0_1_0(tmp_path / "old")
    advantage("star_realms", "random", 4, out=tmp_path / "old", collect="moves")
    assert game_of(tmp_path / "old", 1) == game_of(tmp_path / "new", 1)


def test_what_came_later_is_added_in_every_game(tmp_path):
    short = {"powers": False, "max_turns": 3}
    advantage("empire_of_the_stars", "random", 2, out=tmp_path, **short)
    as_of_0_1_0(tmp_path, set().union(*compatibility.LATER["empire_of_the_stars"]))
    with pytest.raises(ResultsError, match="holds results with variant "):
        advantage("empire_of_the_stars", "random", 4, out=tmp_path, at_limit="score", **short)
    advantage("empire_of_the_stars", "random", 4, out=tmp_path, **short)
    assert len(rows(tmp_path)) == 4


@pytest.mark.parametrize("name", compatibility.LATER)
def test_results_from_between_two_versions_go_on(tmp_path, name):
    advantage(name, "random", 2, out=tmp_path, max_turns=3)
    as_of_0_1_0(tmp_path, compatibility.LATER[name][0])
    advantage(name, "random", 4, out=tmp_path, max_turns=3)
    assert len(rows(tmp_path)) == 4


def test_every_setting_that_came_later_is_one_of_its_game():
    for name, later in compatibility.LATER.items():
        assert set().union(*later) <= {setting.name for setting in settings_of(name)}


def test_a_league_of_version_0_1_0_goes_on(tmp_path):
    for folder in ("new", "old"):
        league("star_realms", ["random", "simple"], 2, out=tmp_path / folder)
    as_of_0_1_0(tmp_path / "old")
    for folder in ("new", "old"):
        league("star_realms", ["random", "simple"], 4, out=tmp_path / folder)
    assert rows(tmp_path / "old") == rows(tmp_path / "new")


@pytest.mark.parametrize(
    ("made", "drop", "asked", "message"),
    [
        ({}, LATER, {"errata": True}, "holds results with variant "),
        ({"errata": True}, LATER, {"errata": True}, "holds results with settings.errata False, not True"),
        ({}, {"players", *LATER}, {}, "holds results with settings {"),
        ({}, {"errata"}, {}, "holds results with settings {"),
        ({"format": "pirates_of_the_dark_star", "set": "box"}, LATER, None, "holds results with settings {"),
    ],
)
def test_nothing_else_goes_on(tmp_path, made, drop, asked, message):
    """A rule of the Pirates has changed since, and no version wrote only some of these settings."""
    advantage("star_realms", "random", 2, out=tmp_path, **made)
    as_of_0_1_0(tmp_path, drop)
    with pytest.raises(ResultsError, match=message):
        advantage("star_realms", "random", 4, out=tmp_path, **(made if asked is None else asked))
