"""Recorded games, which play back exactly or name the reason why not."""

import json

import pytest

from helpers import KINDS, VARIANTS, game_of
from stardeck.benchmarks.recordings import record

CORE = VARIANTS[0]


@pytest.fixture(scope="module")
def played():
    return record.play(game_of(CORE), ["simple", "rules"], 11)


@pytest.mark.parametrize("variant", KINDS)
def test_a_record_plays_back_exactly(variant):
    written = record.play(game_of(variant), ["simple"], 5)
    game, states = record.replay(json.loads(json.dumps(written)))
    assert game.id == variant
    assert game.returns(states)[0].tolist() == written["returns"]


def test_a_record_names_what_was_played(played):
    assert set(played) == set(record.KEYS)
    assert played["agents"] == ["simple", "rules"] and played["seed"] == 11 and played["variant"] == CORE


def test_changed_tables_are_noticed(played):
    with pytest.raises(record.RecordError, match="tables of star_realms/core/standard/2 have changed"):
        record.replay(played | {"tables": "0" * 16})


def test_an_impossible_move_is_named(played):
    with pytest.raises(record.RecordError, match="move 1: 'buy Everything' is not legal"):
        record.replay(played | {"moves": ["buy Everything"]})


def test_other_returns_are_noticed(played):
    with pytest.raises(record.RecordError, match="were recorded"):
        record.replay(played | {"returns": [0.0, 0.0]})


def test_parts_of_another_kind_are_named(played):
    with pytest.raises(record.RecordError, match="settings = None: must be an object"):
        record.replay(played | {"settings": None})


def test_missing_parts_are_named():
    with pytest.raises(record.RecordError, match="a recorded game needs variant"):
        record.replay({})


def test_a_file_is_one_game_a_line(tmp_path, played):
    path = tmp_path / "games.jsonl"
    record.write(path, played)
    assert record.read(path) == [played]
    path.write_text(path.read_text() + "{")
    with pytest.raises(record.RecordError, match="line 2: is not JSON"):
        record.read(path)
    with pytest.raises(record.RecordError, match="cannot be read"):
        record.read(tmp_path / "none.jsonl")
    path.write_text("")
    with pytest.raises(record.RecordError, match="holds no recorded game"):
        record.read(path)


def test_a_game_that_is_stopped_leaves_no_empty_file(tmp_path):
    path = tmp_path / "game.jsonl"
    record.check_writable(path)
    assert not path.exists()
    path.write_text("kept")
    record.check_writable(path)
    assert path.read_text() == "kept"
    with pytest.raises(OSError, match="No such file or directory"):
        record.check_writable(tmp_path / "none" / "game.jsonl")


@pytest.mark.parametrize("name", ["a\u2028b", "a\u0085b", "a\u2029b"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_name_may_hold_line_breaks_of_other_kinds_and_a_file_a_byte_order_mark(tmp_path, played, name, mark):
    path = tmp_path / "games.jsonl"
    written = played | {"agents": [name, "rules"]}
    path.write_text(mark + (json.dumps(written, ensure_ascii=False) + "\r\n") * 2, encoding="utf-8")
    assert record.read(path) == [written, written]


def test_the_device_is_no_setting_of_a_record(played):
    with pytest.raises(ValueError, match="device='cuda': star_realms has no such setting"):
        record.replay(played | {"settings": played["settings"] | {"device": "cuda"}})
