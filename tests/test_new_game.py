"""A game from outside: examples/new_game.py has everything that the built-in games have, found by its name alone."""

import importlib.util
import inspect
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import cloudpickle
import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test
from starlette.testclient import TestClient

import helpers
import stardeck
from stardeck.commands import cli
from stardeck.game import catalogue
from stardeck.game.catalogue import GAMES
from stardeck.kernels import verbs
from stardeck.training.best_response import exploit
from stardeck.training.methods import train
from stardeck.training.recipe import METHODS, recipe_for
from stardeck.web import hub
from stardeck.web.app import app_for

EXAMPLE = Path(__file__).parents[1] / "examples" / "new_game.py"
NAME = "beacons"


def checks_of(name):
    """Return a module of tests in this folder; those of single games have modules of the same names."""
    spec = importlib.util.spec_from_file_location(f"{name}_of_every_game", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


test_table = checks_of("test_table")
VARIANTS = [f"{NAME}/2", f"{NAME}/4"]
OF_OUR_GAMES = (  # checks that look into the positions, observations or list of the shipped games
    "test_a_critic_sees_other_hands_and_the_next_cards",
    "test_face_down_cards_and_gambits_are_drawn_again",
    "test_observations_are_bytes_with_one_constant",
    "test_positions_read_back_as_they_were_written",
    "test_resampling_changes_nothing_that_a_seat_can_see",
)
CHECKS = [
    each
    for module in (*map(checks_of, ("test_contract", "test_hidden", "test_positions")), test_table)
    for name, each in vars(module).items()
    if name.startswith("test_") and list(inspect.signature(each).parameters) == ["variant"]
    if name not in OF_OUR_GAMES
]


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    """Register the game for one test."""
    monkeypatch.setattr(GAMES, "_entries", GAMES._entries | {NAME: helpers.entry_of_example()})


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in this process: (exit code, output, errors)."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["stardeck", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call


def test_the_example_is_short():
    assert len(EXAMPLE.read_text().splitlines()) <= 250


@pytest.mark.parametrize("check", CHECKS, ids=[each.__name__ for each in CHECKS])
@pytest.mark.parametrize("variant", VARIANTS)
def test_it_keeps_the_contract(check, variant, monkeypatch):
    settings = {"players": int(variant[-1])}
    monkeypatch.setitem(helpers.ENTRIES, variant, {"id": variant, "game": NAME, "settings": settings})
    check(variant)


def test_the_checks_of_the_contract_are_there():
    assert len(CHECKS) >= 14
    assert {"test_a_game_survives_pickling", "test_a_table_is_what_the_schema_says"} <= {
        each.__name__ for each in CHECKS
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_resampling_changes_nothing_that_a_seat_can_see(players):
    game = stardeck.make(NAME, players=players)
    for step, states in enumerate(helpers.random_steps(game, 12, 100, seed=5)):
        for seat in range(players):
            other = game.resample_hidden(states, seat, np.arange(len(states)) + step)
            assert (game.observe(states, seat) == game.observe(other, seat)).all()
            assert game.render(states[0], seat) == game.render(other[0], seat)
            assert game.table(states[0], seat) == game.table(other[0], seat)
            again = game.resample_hidden(other, seat, np.arange(len(states)) + step)
            assert again.tobytes() == other.tobytes()  # it does not depend on what is hidden
        if step == 0:
            assert (other["hands"] != states["hands"]).any() and (other["beacons"] != states["beacons"]).any()


@pytest.mark.parametrize("players", [2, 3])
def test_a_critic_sees_what_the_others_see(players):
    game = stardeck.make(NAME, players=players)
    states = game.deal(np.arange(4))
    hidden = game.observe_hidden(states, 1)
    others = [game.observe(states, (1 + distance) % players) for distance in range(1, players)]
    assert (hidden == np.concatenate(others, axis=1)).all() and hidden.any()
    assert (game.observe_hidden(states) == game.observe_hidden(states, game.to_act(states))).all()
    assert (game.variant.hidden_scale() == np.tile(game.observation_scale(), players - 1)).all()


def test_positions_read_back_as_they_were_written():
    game = stardeck.make(NAME, players=3)
    for states in helpers.random_steps(game, 3, 100, seed=4):
        position = json.loads(json.dumps(game.position(states[0])))
        assert game.from_position(position).tobytes() == states[:1].tobytes()
    for key, value, said in (
        ("to_act", 3, "^to_act: 3: must be a whole number from -1 to 2"),
        ("hands", [[1]], r"^hands: \[\[1\]\]: must be a list of 4"),
        ("sent", [1, 2, 300, 0], r"^sent\[2\]: 300: must be a whole number from 0 to 255"),
        ("moon", 1, "^position: 'moon' is not known"),
        ("played", [4] * 9, "^hands, sent, played: must be 3 ships of each number"),
    ):
        with pytest.raises(ValueError, match=said):
            game.from_position(position | {key: value})


# By its name


@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_and_gymnasium_accept_it():
    from stardeck.envs import beacons_v0

    api_test(beacons_v0.env(players=3), num_cycles=100)
    check_env(gymnasium.make("stardeck/Beacons-v0", players=3).unwrapped, skip_render_check=True)
    assert pettingzoo.make("aec", "stardeck/Beacons-v0").possible_agents == ["player_0", "player_1"]
    assert gymnasium.make_vec("stardeck/Beacons-v0", num_envs=3).reset(seed=1)[0].shape == (3, 40)
    assert beacons_v0.parallel_env().possible_agents == ["player_0", "player_1"]
    assert "Beacons: a whole game" in beacons_v0.__doc__


def test_a_search_beats_random_moves():
    game, wins = stardeck.make(NAME), 0
    for seat, agents in enumerate((["search:50", "random"], ["random", "search:50"])):
        ended = game.playout(game.deal(np.arange(100)), agents, seed=1)
        wins += int(game.winners(ended)[:, seat].sum())
    assert wins >= 115


TINY = {
    "units": [16, 8], "num_envs": 2, "rollout": 4, "batch": 4, "epochs": 1, "steps": 24, "evaluate_every": 3,
    "evaluation_games": 2, "checkpoint_every": 1, "freeze_every": 1, "value_rounds": 0,
}  # fmt: skip


def test_it_trains(tmp_path):
    summary = train(NAME, tmp_path, seed=3, recipe=TINY)
    assert summary["decisions"] >= 24
    game = stardeck.make(NAME)
    ended = game.playout(game.deal([1, 2]), str(tmp_path / "agent.safetensors"), seed=1)
    assert game.is_over(ended).all()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("quick", [False, True])
def test_a_training_imitates_only_a_teacher_that_plays_better_than_at_random(method, quick):
    usual = recipe_for(NAME, None, method, quick=quick)
    assert (usual.teacher, usual.imitation) == ("random", 0)
    taught = recipe_for(NAME, {"teacher": "mine.py:BEST"}, method, quick=quick)
    assert taught.imitation == recipe_for("star_realms", None, method, quick=quick).imitation > 0
    assert recipe_for(NAME, {"imitation": 7}, method, quick=quick).imitation == 7


def test_a_best_response_to_an_agent_that_is_not_compiled(tmp_path):
    """The game has no rule-based agent that the response could begin as."""
    summary = exploit(NAME, "search:2", tmp_path, 0, TINY, games=4, simulations=0)
    assert summary["agent"] == "search:2" and summary["recipe"]["imitation"] == 0


def test_it_shows_itself_in_the_browser(tmp_path, monkeypatch):
    monkeypatch.setattr(hub, "PACE", 0.0)
    with TestClient(app_for(tmp_path), base_url="http://localhost") as client:
        assert "Beacons" in client.get("/").text
        body = {"game": NAME, "settings": {}, "seats": ["person", "random"], "seed": 1}
        begun = client.post("/api/games", json=body).json()
        place = f"/api/games/{begun['id']}/0"
        token = begun["seats"][0]["token"]
        with client.websocket_connect(f"ws://localhost{place}/socket?view=table&token={token}") as socket:
            seen = socket.receive_json()
            test_table.VALID.validate(seen["table"])
            hands = [zone for zone in seen["table"]["zones"] if zone["kind"] == "hand"]
            assert [(zone["owner"], zone["count"]) for zone in hands] == [(0, 5)]
            assert seen["table"]["moves"][0]["place"] == [hands[0]["things"][0]["id"]]
            while not seen["table"]["over"]:
                if seen["table"]["to_act"] == 0:
                    socket.send_json({"number": seen["number"], "action": seen["table"]["moves"][-1]["action"]})
                seen = socket.receive_json()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("list", "--settings", NAME), "players"),
        (("cards", NAME), "ship 9 (card)."),
        (("watch", NAME, "--seed", 1), "player_0: send ship"),
        (("advantage", NAME, "--games", 20), "20 games, seed 0"),
        (("league", NAME, "--agents", "random,search:2", "--games", 20), "search:2"),
    ],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)
def test_commands_know_it(arguments, said, run):
    code, out, err = run(*arguments)
    assert code == 0 and said in out, err


def test_scenarios_test_its_rules(run, tmp_path):
    scenario = """
- name: the higher ship takes the beacon
  game: beacons
  position:
    to_act: 1
    beacons: [5, 1, 2, 3, 4]
    hands:
    - [1, 1, 1, 1, 0, 0, 0, 0, 0]
    - [1, 1, 1, 1, 1, 0, 0, 0, 0]
    - [0, 0, 0, 0, 0, 0, 0, 0, 0]
    - [0, 0, 0, 0, 0, 0, 0, 0, 0]
    sent: [9, 0, 0, 0]
    played: [0, 0, 0, 0, 0, 0, 0, 0, 1]
  moves: [player_1: send ship 5]
  expect: {points: [5, 0, 0, 0], to_act: 0}
"""
    (tmp_path / "rules.yaml").write_text(scenario)
    code, out, err = run("scenario", "rules.yaml")
    assert code == 0, out + err
    (tmp_path / "rules.yaml").write_text(scenario.replace("to_act: 0", "to_act: 1"))
    code, out, _ = run("scenario", "rules.yaml")
    assert code == 1 and "to_act: expected player_1, actual player_0" in out


def test_results_say_where_the_game_comes_from(run):
    assert run("advantage", NAME, "--games", 20, "--out", "results")[0] == 0
    _, out, _ = run("cite", "results")
    again = f"STARDECK_GAMES=new_game.py stardeck advantage {NAME} --agents random --games 20 --seed 0"
    assert again in out.splitlines()[3]


def test_card_values_say_what_the_game_would_have_to_say(run):
    code, _, err = run("worth", NAME)
    assert code == 2 and err.count("\n") == 1
    assert err.startswith("stardeck: worth: beacons has no treatments: its agents package must")


@pytest.mark.parametrize("agent", ["rules", "simple"])
def test_an_agent_that_it_lacks_is_refused_in_one_line(agent, run):
    code, _, err = run("watch", NAME, "--agents", agent)
    assert (code, err) == (2, f"stardeck: agent '{agent}': the game beacons has no such agent; it has random\n")


# In other processes

LISTENER = (
    "import pickle, sys; game = pickle.load(sys.stdin.buffer); print(game.id, game.deal([7])['beacons'].tolist())"
)


def python(code, *paths, given=b"", **environment):
    """Run Python elsewhere: (output, errors)."""
    kept = {key: value for key, value in os.environ.items() if key != "STARDECK_GAMES"}
    kept["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    done = subprocess.run(
        [sys.executable, "-c", code], input=given, capture_output=True, env=kept | environment, cwd="/"
    )
    return done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("dumps", [pickle.dumps, cloudpickle.dumps])
def test_another_process_learns_of_it(dumps):
    game = stardeck.make(NAME, players=3)
    out, err = python(LISTENER, given=dumps(game), NUMBA_DISABLE_JIT="1")
    assert out == f"{game.id} {game.deal([7])['beacons'].tolist()}\n", err


def test_a_process_that_cannot_learn_of_it_says_why():
    given = pickle.dumps(stardeck.make(NAME)).replace(b"new_game.py", b"no_games.py")
    _, err = python(LISTENER, given=given)
    assert "game beacons: this process cannot import the module that registers it: " in err.splitlines()[-1]
    assert "no_games.py cannot be read" in err.splitlines()[-1]


DEALT = "import stardeck; print(stardeck.make('beacons').deal([7])['beacons'].tolist())"


def test_an_edit_to_its_file_is_never_served_from_the_old_cache(tmp_path):
    file, cache = tmp_path / "mine.py", tmp_path / "cache"
    file.write_text(EXAMPLE.read_text())
    places = {"STARDECK_GAMES": str(file), "NUMBA_CACHE_DIR": str(cache)}
    first = python(DEALT, **places)
    again = python(DEALT, **places)
    file.write_text(file.read_text().replace("state.beacons[place] = place + 1", "state.beacons[place] = place + 2"))
    edited = python(DEALT, **places)
    assert again[0] == first[0] and "compiling beacons" in first[1] and not again[1]
    assert json.loads(edited[0])[0] == [points + 1 for points in json.loads(first[0])[0]]


def test_code_of_a_file_is_not_loaded_where_the_file_is_a_script_or_lies_elsewhere(tmp_path):
    script = (
        EXAMPLE.read_text().partition("if __name__")[0] + "print(stardeck.make(NAME).deal([7])['beacons'].tolist())\n"
    )
    first, second = tmp_path / "one" / "mine.py", tmp_path / "two" / "mine.py"
    for file in (first, second):
        file.parent.mkdir()
        file.write_text(script)
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    runs = [
        python("import stardeck; stardeck.make('beacons')", STARDECK_GAMES=str(first), **cache),
        python("import stardeck; stardeck.make('beacons')", STARDECK_GAMES=str(second), **cache),
        python(f"import runpy; runpy.run_path({str(first)!r}, run_name='__main__')", **cache),
    ]
    assert len({out for out, _ in runs}) == 1 and all(out.startswith("[[") for out, _ in runs), runs


# Plug-ins


def installed(folder, name, module, text):
    """Write a package with an entry point into a folder, as pip installs it."""
    about = folder / f"{module}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[stardeck.games]\n{name} = {module}\n")
    (folder / f"{module}.py").write_text(text)


def test_plug_ins_are_loaded_when_they_are_asked_for_and_break_nothing(tmp_path):
    installed(tmp_path, NAME, "their_beacons", EXAMPLE.read_text())
    installed(tmp_path, "wreck", "their_wreck", "raise ZeroDivisionError('no planets')")
    asked = """
import sys, warnings, stardeck
stardeck.make("interstellar_empire")
print("their_beacons" in sys.modules, "their_wreck" in sys.modules)
print(stardeck.make("beacons").id, "their_wreck" in sys.modules)
import pickle; print(pickle.loads(pickle.dumps(stardeck.make("beacons"))).id)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(len({entry["game"] for entry in stardeck.variants()}))
    stardeck.variants()
print(*[each.message for each in told], sep="\\n")
try:
    stardeck.make("wreck")
except ValueError as error:
    print(error)
"""
    out, err = python(asked, tmp_path, NUMBA_DISABLE_JIT="1")
    broken = "their_wreck cannot be imported (ZeroDivisionError: no planets, line 1)"
    assert out.splitlines() == [
        "False False",
        "beacons/2 False",
        "beacons/2",
        "5",
        f"stardeck: entry point wreck of their_wreck: registers no game: {broken}",
        "game='wreck': must be one of star_realms, rise_of_empire, interstellar_empire, empire_of_the_stars, beacons;"
        f" their_wreck: {broken}",
    ], err


# Refusals


@pytest.mark.parametrize("name", ["", "Beacons", "my game", "1st", None, "a/b"])
def test_a_name_that_is_none_is_refused(name):
    with pytest.raises(ValueError, match=r"^name=.*: must be lower-case letters, digits and _"):
        stardeck.register_game(name)


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(ValueError, match="^game star_realms: stardeck has registered a game of this name already"):
        stardeck.register_game("star_realms")
    assert stardeck.make("star_realms").id == "star_realms/core/standard/2"


class Empty:
    """A package without anything."""


class Borrowed:
    """A package whose variants are those of another game."""

    make_variant = staticmethod(lambda **given: stardeck.make(NAME, **given).variant)


@pytest.mark.parametrize(
    ("package", "said"),
    [
        (Empty, r"^game nova: its package Empty must have make_variant"),
        (Borrowed, r"^game nova: its variants have the game 'beacons'"),
        ("no.such.module", "^game nova: "),
    ],
)
def test_a_package_that_lacks_something_is_refused(package, said):
    stardeck.register_game("nova", package)
    with pytest.raises(ValueError, match=said):
        stardeck.make("nova")


def test_two_games_with_one_dtype_of_states_are_refused():
    dtype = stardeck.make(NAME).state_dtype

    def deal(rules, state, seed):
        state.turn = 3

    with pytest.raises(ValueError, match="^verb deal: deal of .*new_game.py implements it already"):
        verbs.implement(verbs.deal, dtype, deal)


def test_positions_are_refused_without_a_check(monkeypatch):
    monkeypatch.delitem(vars(GAMES[NAME].package), "check_position")
    monkeypatch.setattr(catalogue, "_packages", {})
    game = stardeck.make(NAME)
    with pytest.raises(ValueError, match="^game beacons: its package cannot read positions without check_position"):
        game.from_position(game.position(game.deal(1)[0]))
