"""Scenarios under tests/scenarios: each must hold."""

from pathlib import Path

import pytest

from stardeck.benchmarks.conformance.scenario import ScenarioError, read_scenarios, run_file, run_scenario

FOLDER = Path(__file__).parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.yaml"))
CASES = [(file, scenario) for file in FILES for scenario in read_scenarios(file)]


@pytest.mark.parametrize(("file", "scenario"), CASES, ids=[f"{f.stem}: {s['name']}" for f, s in CASES])
def test_scenario_holds(file, scenario):
    assert run_scenario(scenario, file) == []


def test_every_card_of_the_core_set_is_named_by_a_scenario():
    from stardeck.kernels.star_realms.cards.loading import load_cards

    text = " ".join(file.read_text() for file in FILES)
    assert [card.name for card in load_cards("core").cards if card.name not in text] == []


def changed(**changes):
    scenario = next(
        scenario for _, scenario in CASES if scenario["name"].startswith("a base is destroyed for its full")
    )
    return scenario | {"expect": scenario["expect"] | changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"to_act": "player_1"},
        {"over": True},
        {"legal": ["attack player_1 with 4"]},
        {"illegal": ["attack player_1 with 3"]},
        {"players": {"player_0": {"combat": 4}}},
        {"players": {"player_1": {"discard": []}}},
        {"players": {"player_1": {"discard": 2}}},
        {"players": {"player_1": {"discard": ["Blob Wheel x2"]}}},
        {"players": {"player_1": {"discard": [{"card": "Blob Wheel", "used": ["ally"]}]}}},
        {"trade_deck_order": ["Scout"]},
        {"colour": "red"},
    ],
)
def test_a_wrong_expectation_is_told_with_what_is_actual(changes):
    differences = run_scenario(changed(**changes))
    assert len(differences) == 1
    assert "expected" in differences[0]
    assert "actual" in differences[0] or "legal are" in differences[0]


def test_mappings_of_one_name_are_matched_whatever_their_order():
    used = {"card": "Blob Wheel", "used": ["primary"]}
    scenario = {"name": "two", "game": "star_realms", "moves": []}
    both = {"player_0": {"authority": 50, "in_play": [used, "Blob Wheel"]}, "player_1": {"authority": 50}}
    for wanted in ([{"card": "Blob Wheel"}, used], [used, {"card": "Blob Wheel"}], ["Blob Wheel", used]):
        expect = {"players": {"player_0": {"in_play": wanted}}}
        assert run_scenario(scenario | {"position": {"players": both}, "expect": expect}) == []
    expect = {"players": {"player_0": {"in_play": [used, used]}}}
    assert len(run_scenario(scenario | {"position": {"players": both}, "expect": expect})) == 1


def test_moves_of_the_wrong_player_and_illegal_moves_are_told():
    assert "expected player_1 to decide" in run_scenario(changed() | {"moves": [{"player_1": "end turn"}]})[0]
    assert "'buy Ram' is not legal here" in run_scenario(changed() | {"moves": [{"player_0": "buy Ram"}]})[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is neither YAML nor JSON"),
        pytest.param("[" * 500 + "]" * 500, "is neither YAML nor JSON: nested deeper than 100 levels", id="nesting"),
        pytest.param("[" * 100_000, "is neither YAML nor JSON: ", id="abyss"),  # newer libyaml refuses too
        ("name: one", "must be a list of scenarios"),
        ("- game: star_realms", "scenario 1: has no name"),
        ("- {name: a, game: star_realms, expect: {}}", "a: needs either a position or a seed"),
        ("- {name: a, game: star_realms, seed: 1}", "a: needs game and expect"),
        ("- {name: a, game: star_realms, seed: 1, expect: {}, move: []}", "'move' is not known"),
        ("- {name: a, game: star_realms, seed: 1, expect: {}, moves: [end turn]}", "a move is written"),
        ("- {name: a, game: chess, seed: 1, expect: {}}", "game='chess': must be one of"),
        (
            "- {name: a, game: star_realms, settings: {players: 9}, seed: 1, expect: {}}",
            "players=9: must be a whole number from 1 to 6",
        ),
        ("- {name: a, game: star_realms, campaign: [1], expect: {}}", "campaign: [1]: must be a mapping"),
        ("- {name: a, game: chess, campaign: {scenario: 1}, expect: {}}", "game: 'chess': a campaign is one of"),
        (
            "- {name: a, game: star_realms, settings: {players: 3}, campaign: {scenario: 1}, expect: {}}",
            "players=3: is no setting of a campaign",
        ),
        (
            "- {name: a, game: star_realms, settings: {set: core}, campaign: {scenario: 1}, expect: {}}",
            "set='core': must be one of rise_of_empire",
        ),
        (
            "- {name: a, game: star_realms, position: {trade_row: [Ramm]}, expect: {}}",
            "trade_row: 'Ramm' is not a card",
        ),
    ],
)
def test_a_malformed_file_is_named(tmp_path, text, message):
    file = tmp_path / "broken.yaml"
    file.write_text(text)
    with pytest.raises(ScenarioError, match="broken.yaml") as error:
        run_file(file)
    assert message in str(error.value)
