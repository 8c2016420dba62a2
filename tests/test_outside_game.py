"""Faults in a game from outside: each error names the game, the member and what is wanted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import stardeck
from stardeck.commands import cli
from stardeck.game import catalogue
from stardeck.game.catalogue import GAMES, load_source
from stardeck.game.user_code import CannotImport
from stardeck.kernels.errors import GameError
from stardeck.web.app import app_for

SOURCE = (Path(__file__).parents[1] / "examples" / "new_game.py").read_text()


@pytest.fixture(autouse=True)
def _no_games_stay(monkeypatch):
    monkeypatch.setattr(GAMES, "_entries", dict(GAMES._entries))
    monkeypatch.setattr(catalogue, "_packages", {})
    monkeypatch.setattr(catalogue, "_load_errors", {})


@pytest.fixture
def write(tmp_path):
    """Write the example under another name, once changed: its path."""

    def call(name, *changes):
        text = SOURCE.replace('NAME = "beacons"', f'NAME = "{name}"')
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return path

    return call


def member(text):
    """Return the change that puts a member into the example."""
    return "def check_position(", f"{text}\n\n\ndef check_position("


MADE = {  # name of the game: (change, the error of stardeck.make)
    "no_verb": (("verbs.implement(verbs.observe, STATE, observe)\n", ""), "must implement the verb observe"),
    "no_variant": (("def make_variant(", "def make_varient("), "must have make_variant; did you mean make_varient?"),
    "raising": (
        ("    return build(", "    1 / 0\n    return build("),
        "make_variant in raising.py: ZeroDivisionError: division by zero, line 83",
    ),
    "returns_none": (("    return build(", "    build("), "make_variant returns None: must return a variant"),
    "two_names": (("    NAME = NAME\n", '    NAME = "else"\n'), "its variants have the game 'else'"),
    "nameless": (("    NAME = NAME\n", ""), "class Beacons: must have NAME, the name of the game"),
    "unknown_per": (
        ('Field.HAND, "card"', 'Field.HAND, "ship"'),
        "fields: HAND: per='ship': must be one of '', 'card'",
    ),
    "unknown_seats": (
        ('"card", "me"', '"card", "mine"'),
        "fields: HAND: seats='mine': must be one of '', 'me', 'all', 'others'",
    ),
    "unknown_when": (
        ('"ships in hand")', '"ships in hand", "often")'),
        "fields: HAND: when='often': must be one of ''",
    ),
    "plain_row": (("Row(Field.HAND", "(Field.HAND"), "must be a Row whose field is a member of an IntEnum"),
    "plain_members": (("[(kind,) for", "[kind for"), "blocks: SEND: member 0: must be a tuple of whole numbers"),
    "no_room": (("in range(KINDS)]),)", "in range(99)]),)"), "blocks: 99 actions: give rules_dtype actions=99 or more"),
    "no_players": (('Setting("players"', 'Setting("rounds"'), "settings: must have the setting players"),
    "few_seats": (("    SEATS,\n    [", "    1,\n    ["), "states have room for 1 seats: must be 2 or more"),
    "no_field": (
        ("state.decisions += 1", "state.decisons += 1"),
        "apply: state.decisons: there is no such field; did you mean decisions?",
    ),
    "no_field_of_rules": (
        ("(seat + 1) % rules.players", "(seat + 1) % rules.player"),
        "apply: rules.player: there is no such field; did you mean players?",
    ),
    "in_a_helper": (
        ("state.round += 1", "state.rounds += 1"),
        "end_round: state.rounds: there is no such field; did you mean round?",
    ),
    "no_function": (member('render = "table"'), "render: 'table': must be a function"),
    "few_arguments": (
        member("def render(variant, states): ..."),
        r"render\(variant, states\): must take \(variant, states, viewer\)",
    ),
}


PLAYED = {  # name of the game: (change, the error of stardeck.check_game)
    "sound": (("", ""), ""),
    "no_winner": (
        ("        state.to_act = winner", "        state.to_act = 7"),
        "apply: to_act is 7: must be from -1 to 1",
    ),
    "no_move": (
        ("state.hands[state.to_act, kind] > 0", "state.hands[state.to_act, kind] > 5"),
        "legal_actions: no action is legal, though player_0 is to act",
    ),
    "no_rank": (
        ("        state.placement[seat] = 1\n", "        state.placement[seat] = 0\n"),
        "apply: at the end state.placement is [",
    ),
    "uncounted": (("    state.decisions += 1\n", ""), "apply: state.decisions is 0: must count the actions"),
    "untagged": (("    state.variant = rules.variant\n", ""), "deal: must set state.variant = rules.variant"),
    "changing": (
        ("        if other != seat:\n            size", "        if other != 9:\n            size"),
        "resample_hidden: changes what player_0 observes",
    ),
    "mute": (('"send {card}"', '"send"'), "describe: two legal actions are called 'send'"),
    "endless": (
        ("    state.hands[seat, kind] -= 1\n", "    state.round = 0\n"),
        "apply: the game has not ended after 50 decisions (seed 0, decision 50)",
    ),
}
PLAY = """
import sys, stardeck
from stardeck.game.catalogue import load_source
for path in sys.argv[1:]:
    load_source(path)
    try:
        print(stardeck.check_game(path.rpartition("/")[2].removesuffix(".py"), 3, 50))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
"""


def test_a_game_that_breaks_the_contract_in_play_is_found(write):
    paths = [str(write(name, change)) for name, (change, _) in PLAYED.items()]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", PLAY, *paths], capture_output=True, text=True, env=plain)
    found = done.stdout.splitlines()
    wanted = [f"GameError: game {name}/2: {said}" if said else "None" for name, (_, said) in PLAYED.items()]
    assert len(found) == len(PLAYED), done.stderr
    assert [line[: len(start)] for line, start in zip(found, wanted, strict=True)] == wanted


@pytest.mark.parametrize(
    ("argument", "value"),
    [("games", 0), ("games", -1), ("games", 1.5), ("games", True), ("games", "3"), ("most_decisions", 0)],
)
def test_a_check_of_no_game_is_refused(argument, value):
    with pytest.raises(ValueError, match=f"^{argument}={value!r}: must be a whole number from 1 on$"):
        stardeck.check_game("interstellar_empire", **{argument: value})


@pytest.mark.parametrize("name", MADE)
def test_a_game_that_breaks_the_contract_is_refused(name, write):
    change, said = MADE[name]
    load_source(str(write(name, change)))
    with pytest.raises(GameError, match=f"^game {name}: .*{said}"):
        stardeck.make(name)


def test_settings_that_are_none_are_refused(write):
    load_source(str(write("one_setting", ("SETTINGS = (Setting(", "SETTINGS = [Setting("), ('"),)', '")]'))))
    with pytest.raises(GameError, match=r"^game one_setting: SETTINGS: \[Setting.*: must be a tuple of Setting"):
        stardeck.make("one_setting")


def test_states_of_a_dtype_without_the_common_fields_are_refused(write):
    begin, end = SOURCE.index("STATE = state_dtype("), SOURCE.index("RULES = ")
    dtype = 'STATE = np.dtype([("to_act", np.int8), ("mine", np.uint8)])\n'
    load_source(str(write("own_dtype", (SOURCE[begin:end], dtype))))
    with pytest.raises(GameError, match=r"^game own_dtype: state\.placement: there is no such field; state_dtype"):
        stardeck.make("own_dtype")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("verbs.implement(verbs.apply,", "verbs.implement(verbs.aply,"), "'aply', line 236"),
        (("def make_variant(", "def make_variant(:"), "SyntaxError: invalid syntax, line 81"),
        (('("round", np.uint8)', '("round", np.float64)'), "fields: round: float64: must be a dtype of whole numbers"),
        (('("round", np.uint8)', '("turn", np.uint8)'), "fields: turn: every state has a field of this name already"),
    ],
)
def test_a_file_that_cannot_be_imported_says_why(change, said, write):
    path = write("broken", change)
    with pytest.raises(CannotImport, match=f"^broken.py cannot be imported .*{said}"):
        load_source(str(path))


def test_a_verb_that_takes_other_arguments_is_refused(write):
    path = write("few", ("def deal(rules, state, seed)", "def deal(state, seed)"))
    with pytest.raises(
        CannotImport, match=r"verb deal: deal\(state, seed\) of few.*: must take \(rules, state, seed\)"
    ):
        load_source(str(path))


def test_a_file_that_registers_nothing_says_so(write, monkeypatch):
    path = write("silent", ("stardeck.register_game(NAME)\n", ""))
    monkeypatch.setattr(catalogue, "_plug_ins", lambda: [("", str(path), f"STARDECK_GAMES={path.name}")])
    with pytest.warns(RuntimeWarning, match=r"silent\.py registers no game: it must call stardeck\.register_game$"):
        assert "silent" not in GAMES


def test_a_name_that_is_nearly_a_member_is_mentioned(write):
    load_source(str(write("nearly", ("def check_position(", "def check_positions("))))
    with pytest.warns(RuntimeWarning, match="nearly: check_positions is no member of a game; did you mean check_pos"):
        stardeck.make("nearly")


@pytest.mark.parametrize(
    ("name", "changes", "call", "said"),
    [
        (
            "lost_words", [('"send {card}"', '"send {ship}"')],
            lambda game, variant, state: game.describe(variant, state, 0),
            r"blocks: words 'send \{ship\}': can name \{act\}, \{card\}, \{seat\}",
        ),
        (
            "raising_words", [member("def describe(variant, state, action):\n    return {}[action]")],
            lambda game, variant, state: game.describe(variant, state, 4), "describe in .*: KeyError: 4, line 87",
        ),
        (
            "raising_cards", [member("def cards(variant):\n    return None + 1")],
            lambda game, variant, state: game.cards(variant), "cards in .*: TypeError: unsupported.*, line 87",
        ),
    ],
)  # fmt: skip
def test_a_member_that_raises_is_named(name, changes, call, said, write):
    load_source(str(write(name, *changes)))
    package = catalogue.load(name)
    variant = package.make_variant()
    with pytest.raises(GameError, match=f"^game {name}: {said}"):
        call(package, variant, {"to_act": 0})


def test_agents_that_cannot_be_imported_are_refused(write):
    load_source(str(write("no_agents", ("register_game(NAME)", 'register_game(NAME, agents="no.such")'))))
    with pytest.raises(GameError, match="^game no_agents: agents='no.such': No module named 'no'"):
        stardeck.make("no_agents")


@pytest.mark.parametrize("version", [-1, "1", 1.5, True])
def test_a_version_that_is_none_is_refused(version):
    with pytest.raises(ValueError, match=f"^game nova: version={version!r}: must be a whole number from 0 on"):
        stardeck.register_game("nova", version=version)


def test_a_broken_game_leaves_the_others_in_the_list(write):
    load_source(str(write("wreck", ('Field.HAND, "card"', 'Field.HAND, "ship"'))))
    with pytest.warns(RuntimeWarning, match="^stardeck: game wreck: fields: HAND: .*; it is left out"):
        found = {each["game"] for each in stardeck.variants()}
    assert "star_realms" in found and "wreck" not in found


def test_a_broken_game_leaves_the_others_in_the_browser(write, tmp_path):
    load_source(str(write("ruin", ('Field.HAND, "card"', 'Field.HAND, "ship"'))))
    load_source(str(write("sound")))
    with (
        TestClient(app_for(tmp_path), base_url="http://localhost") as client,
        pytest.warns(RuntimeWarning, match="game ruin: "),
    ):
        page, known = client.get("/").text, client.get("/api/games").json()
    assert "Star Realms" in page and "Sound" in page and "Ruin" not in page
    assert known["usual"]["star_realms"] == "rules" and known["usual"]["sound"] == "random"
    assert "ruin" not in known["games"] and known["games"]["sound"][0]["name"] == "players"


@pytest.mark.parametrize("command", ["watch", "advantage", "list"])
def test_a_broken_game_is_one_line_in_commands(command, write, monkeypatch, capsys):
    name = f"torn_{command}"
    load_source(str(write(name, ("def make_variant(", "def make_varient("))))
    words = ["stardeck", command, *(["--settings"] if command == "list" else []), name]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    errors = capsys.readouterr().err
    assert stop.value.code == 2 and errors.startswith(f"stardeck: game {name}: its package {name}_")
    assert errors.count("\n") == 1
