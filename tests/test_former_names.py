"""Names of agents and options of a search in version 0.1 (`guide`, `hare`): they are the same as their present names.

The folders of results are as version 0.1 wrote them: spelling, seeds and names of folders are its own.
"""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import stardeck
from stardeck import agents, training
from stardeck.agents.former_names import FORMER, FORMER_AGENTS, former, present
from stardeck.agents.identity import identity_of
from stardeck.agents.search import SearchAgent
from stardeck.agents.search.analysis import Analysis, looked_back
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import record, replay_result
from stardeck.benchmarks.results.citation import citation
from stardeck.commands.auxiliary_networks import train_belief, train_value
from stardeck.commands.cli import cli
from stardeck.kernels.deprecation import FormerNameWarning
from stardeck.training import recipe
from stardeck.training.auxiliary import belief, folder_for, value
from stardeck.training.checkpoints import CheckpointError, CheckpointFolder

GAME = "interstellar_empire"
OLD, NEW = "search:2:guide=rules:turns=1", "search:2:prior=rules:rollout_turns=1"
NUMBERS = "candidates=8, certainty=None, exploration=1.0, first_play=0.2, temperature=1.0, trust=0.9"
IDENTITY = f"{OLD} (search:2, algorithm=7, turns=1.0, {NUMBERS}, rules, rules)"
ADVANTAGE = {"seed": 3, "deals": [2092789425003139053, 12918135221727111561]}
LEAGUE = {"seed": 8221831604738431717, "deals": [3881405071803600783, 9668756248290666700]}
MATCH = "random-search_2_guide_rules_turns_1-9ec99dd3c2"


@pytest.fixture(scope="module")
def game():
    return stardeck.make(GAME)


def write(folder, game, series, names, **more):
    """Write the first two games of a series as version 0.1 wrote them. names: in the order of the series."""
    identities = [IDENTITY if name == OLD else name for name in names]
    identity = {"variant": game.id, "settings": game.settings, "tables": game.variant.tables, "agents": identities}
    rows = [
        {"index": k, "seed": series["deals"][0], "agents": seated, "first": 0, "winner": [seated.index(OLD)],
         "truncated": False, "turns": 17, "decisions": 111, "placements": [1, 2] if seated[0] == OLD else [2, 1]}
        for k, seated in enumerate([names, names[::-1]])
    ]  # fmt: skip
    whole, seats = pa.int32(), pa.list_(pa.int32())
    schema = pa.schema([
        ("index", pa.int64()), ("seed", pa.uint64()), ("agents", pa.list_(pa.string())), ("first", whole),
        ("winner", seats), ("truncated", pa.bool_()), ("turns", whole), ("decisions", whole), ("placements", seats),
    ])  # fmt: skip
    text = json.dumps(identity | {"seed": series["seed"]} | more, sort_keys=True).encode()
    table = pa.Table.from_pylist(rows, schema).replace_schema_metadata({b"stardeck": text, b"stardeck.origin": b"{}"})
    folder.mkdir(parents=True)
    pq.write_table(table, folder / "games.parquet", write_page_checksum=True)


def as_before(folder, game):
    """Write a league of version 0.1: one match, two games."""
    pool = {"variant": game.id, "settings": game.settings, "tables": game.variant.tables, "seed": 3}
    write(folder / "matches" / MATCH, game, LEAGUE, ["random", OLD], sprt=None)
    (folder / "pool.json").write_text(json.dumps(pool | {"agents": {OLD: IDENTITY, "random": "random"}}))
    (folder / "league.json").write_text(json.dumps({"cross_table": [{"agents": [OLD, "random"]}]}))


def test_both_spellings_name_the_same_agent_and_the_former_one_warns(game):
    new = agents.get("search:3:prior=rules:value=ppo:opponents=ppo:rollout_turns=2", game)
    with pytest.warns(FormerNameWarning) as warned:
        old = agents.get("search:3:guide=rules:judge=ppo:others=ppo:turns=2", game)
    assert identity_of(old) == identity_of(new) and old.name == new.name
    assert [str(each.message) for each in warned] == [
        "search: guide= is now prior=, judge= is now value=, others= is now opponents=, turns= is now rollout_turns=;"
        " the former name works until version 0.3"
    ]
    assert warned[0].filename == __file__ and issubclass(FormerNameWarning, DeprecationWarning)


def test_the_identity_of_a_search_is_that_of_version_0_1(game):
    assert identity_of(agents.get(NEW, game)) == present(IDENTITY)
    assert former(present(IDENTITY)) == IDENTITY and present(IDENTITY).startswith(
        f"{NEW} (search:2, algorithm=7, turns"
    )


@pytest.mark.parametrize("text", ["mine.py:A:guide=1", "guide=rules", "research:1:turns=2", "a search:1:turns=2"])
def test_only_texts_of_searches_are_respelled(text):
    assert present(text) == text and present({text: [text, 1, None]}) == {text: [text, 1, None]}


def test_keywords_are_taken_under_both_names(game):
    rules, ppo = agents.get("rules"), agents.get("ppo", game)
    new = SearchAgent(3, prior=rules, player=rules, value=ppo, opponents=ppo, rollout_turns=2)
    with pytest.warns(FormerNameWarning, match="guide= is now prior=, .*turns= is now rollout_turns=;") as warned:
        old = SearchAgent(3, guide=rules, player=rules, judge=ppo, others=ppo, turns=2)
    assert old.identity == new.identity and warned[0].filename == __file__
    states = game.deal(3)
    with pytest.warns(FormerNameWarning, match="guide= is now prior="):
        assert len(Analysis(game, states, guide=rules).estimates()) == 0
    over = game.playout(states, rules, 1)
    with pytest.warns(FormerNameWarning, match="guide= is now prior="), pytest.raises(ValueError, match="is over"):
        looked_back(game, over, 0, guide=rules)


@pytest.mark.parametrize("old", FORMER)
def test_an_option_under_both_names_is_refused(game, old):
    new, value = FORMER[old], "2" if old == "turns" else "ppo"
    with pytest.raises(ValueError, match=f"agent 'search:3:.*': {old} is the former name of {new}: give one of them"):
        agents.get(f"search:3:{new}={value}:{old}={value}", game)
    with pytest.raises(ValueError, match=f"^search: {old} is the former name of {new}: give one of them$"):
        SearchAgent(3, **{"prior": agents.get("rules"), old: 2, new: 2})


def test_a_series_of_version_0_1_goes_on_without_a_warning(game, tmp_path):
    write(tmp_path / "out", game, ADVANTAGE, [OLD, "random"])
    summary = advantage(GAME, [NEW, "random"], games=4, seed=3, out=tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "games.parquet").to_pylist()
    assert [row["seed"] for row in rows[::2]] == ADVANTAGE["deals"] and rows[0]["decisions"] == 111
    assert [row["agents"] for row in rows] == [[NEW, "random"], ["random", NEW]] * 2
    assert summary["agents"][0]["agent"] == NEW and summary["identities"][0].startswith(NEW)
    with pytest.warns(FormerNameWarning):
        again = advantage(GAME, [OLD, "random"], games=4, seed=3, out=tmp_path / "out")
    assert again["agents"] == summary["agents"]


def test_a_league_of_version_0_1_goes_on_without_a_warning(game, tmp_path):
    as_before(tmp_path / "out", game)
    summary = league(GAME, [NEW, "random"], games=4, seed=3, out=tmp_path / "out")
    assert [path.name for path in (tmp_path / "out" / "matches").iterdir()] == [MATCH]
    rows = pq.read_table(tmp_path / "out" / "games.parquet").to_pylist()
    assert [row["seed"] for row in rows[::2]] == LEAGUE["deals"] and rows[0]["decisions"] == 111
    assert {row["match"] for row in rows} == {f"random vs {NEW}"}
    assert [row["agents"] for row in rows] == [["random", NEW], [NEW, "random"]] * 2
    assert [row["agent"] for row in summary["agents"]] == [NEW, "random"]
    assert set(json.loads((tmp_path / "out" / "pool.json").read_text())["agents"]) == {NEW, "random"}


def test_a_new_league_plays_the_games_of_the_former_spelling_and_is_shown_by_both(game, tmp_path):
    league(GAME, [NEW, "random"], games=4, seed=3, out=tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "games.parquet").to_pylist()
    assert [row["seed"] for row in rows[::2]] == LEAGUE["deals"]
    assert [path.name for path in (tmp_path / "out" / "matches").iterdir()] == [
        "random-search_2_prior_rules_rollout_turns_1-9ec99dd3c2"
    ]
    shown = [replay_result.game_of(tmp_path / "out", 1, f"random vs {name}") for name in (NEW, OLD)]
    assert shown[0] == shown[1] and shown[0]["agents"] == [NEW, "random"]


def test_another_agent_is_still_refused(game, tmp_path):
    write(tmp_path / "out", game, ADVANTAGE, [OLD, "random"])
    with pytest.raises(ValueError, match="holds results with agents"):
        advantage(GAME, ["search:2:prior=rules:rollout_turns=2", "random"], games=4, seed=3, out=tmp_path / "out")


def test_results_and_games_of_version_0_1_are_shown_without_a_warning(game, tmp_path):
    as_before(tmp_path / "league", game)
    write(tmp_path / "advantage", game, ADVANTAGE, [OLD, "random"])
    assert replay_result.game_of(tmp_path / "advantage", 0)["agents"] == [NEW, "random"]
    assert replay_result.game_of(tmp_path / "league", 0, f"{OLD} vs random")["agents"] == ["random", NEW]
    summary = {"variant": game.id, "settings": game.settings, "tables": game.variant.tables, "seed": 3, "games": 4}
    summary |= {"agents": [{"agent": OLD}, {"agent": "random"}], "identities": [IDENTITY, "random"]}
    origin = {"version": "0.1.0", "command": "?", "date": "2026-01-01 00:00:00+00:00", "machine": "?"}
    (tmp_path / "advantage" / "summary.json").write_text(json.dumps(summary | {"origin": origin}))
    assert f"--agents {NEW},random" in citation(tmp_path / "advantage")["reproduce"]
    saved = record.written(game, game.deal(1), 1, [OLD, "random"], [])
    record.write(tmp_path / "game.jsonl", saved)
    assert record.read(tmp_path / "game.jsonl")[0]["agents"] == [NEW, "random"]


def stardeck_says(*words):
    """Run a command; returns its exit code, the lines of its output, and those of stderr but for what it compiles."""
    run = subprocess.run([sys.executable, "-m", "stardeck.commands.cli", *words], capture_output=True, text=True)
    told = [line for line in run.stderr.splitlines() if not line.startswith("stardeck: compiling")]
    return run.returncode, run.stdout.splitlines(), told


@pytest.mark.parametrize(("old", "new"), [("judge", train_value), ("belief", train_belief)])
def test_a_command_under_its_former_name_says_one_line_and_works(old, new):
    context = cli.make_context("stardeck", [])
    found = cli.get_command(context, old)
    assert found.callback is new.callback and found.params == new.params and new.deprecated is False
    assert old not in cli.list_commands(context) and new.name in cli.list_commands(context)
    said = CliRunner().invoke(cli, [old, GAME, "rules"])
    plain = CliRunner().invoke(cli, [new.name, GAME, "rules"])
    told, *rest = said.stderr.splitlines()
    assert f"'{old}' is deprecated" in told and f"`stardeck {new.name}`" in told
    assert said.stdout == plain.stdout == "" and "agent 'rules': must be a network" in rest[-1]
    assert rest[-1] == plain.stderr.splitlines()[-1] and len(rest) == len(plain.stderr.splitlines())


def test_a_command_says_one_line_of_former_options():
    words = "watch", GAME, "--seed", "1", "--agents"
    code, out, err = stardeck_says(*words, "search:1:guide=random,search:2:guide=random")
    assert code == 0 and err == ["stardeck: search: guide= is now prior=; the former name works until version 0.3"]
    assert (0, out, []) == stardeck_says(*words, "search:1:prior=random,search:2:prior=random")
    code, _, err = stardeck_says(*words, "search:1:guide=random:prior=random,random")
    assert code == 2 and len(err) == 1 and "guide is the former name of prior: give one of them" in err[0]


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        (training, "teach_judge", "train_value"),
        (training, "teach_belief", "train_belief"),
        (value, "teach_judge", "train_value"),
        (belief, "teach_belief", "train_belief"),
        (recipe, "JudgeRecipe", "ValueRecipe"),
    ],
)
def test_functions_and_classes_are_found_under_their_former_names(module, old, new):
    with pytest.warns(
        FormerNameWarning, match=f"^{module.__name__}.{old} is now {new}; .* until version 0.3$"
    ) as warned:
        assert getattr(module, old) is getattr(module, new)
    assert warned[0].filename == __file__
    with pytest.raises(AttributeError, match=f"module '{module.__name__}' has no attribute 'nothing'"):
        module.nothing  # noqa: B018


def test_a_training_of_version_0_1_goes_on_in_its_default_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert folder_for("judge", "star_realms/core") == Path("results/value-star_realms-core")
    Path("results/judge-star_realms-core").mkdir(parents=True)
    assert folder_for("judge", "star_realms/core") == Path("results/judge-star_realms-core")
    assert folder_for("belief", "star_realms/core") == Path("results/belief-star_realms-core")


def test_present_names_do_not_warn(game):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        agents.get(NEW, game), SearchAgent(2, prior=agents.get("rules"), rollout_turns=1)


@pytest.mark.parametrize(("old", "new"), FORMER_AGENTS.items())
def test_an_agent_is_found_under_its_former_name(old, new):
    core = stardeck.make("star_realms")
    with pytest.warns(FormerNameWarning, match=f"^agent {old} is now {new}; the former name works until") as warned:
        found = agents.get(old, core)
    assert found.name == new and identity_of(found) == identity_of(agents.get(new, core))
    assert warned[0].filename == __file__
    with pytest.warns(FormerNameWarning):
        search = agents.get(f"search:2:prior={old}:opponents={old}", core)
    assert search.name == f"search:2:prior={new}:opponents={new}"
    assert identity_of(search) == identity_of(agents.get(search.name, core)) == present(identity_of(search))
    assert old not in present(former(identity_of(search))) and old in former(identity_of(search))
    assert agents.honest(old) == old and present(f"honest:{old}") == f"honest:{new}"


@pytest.mark.parametrize("text", ["hares", "mine.py:hare", "search:1:prior=hare:A", "search:1:prior=a.py:hare"])
def test_only_names_of_agents_are_respelled(text):
    assert present(text) == present(former(text)) == text


def test_a_league_keeps_its_games_under_the_former_names_of_agents(tmp_path):
    """The seed of the match is blake2b of `[3, "hare", "velocity"]`, as before the agents were renamed."""
    summary = league("star_realms", ["same-faction", "cheap-combat"], games=2, seed=3, out=tmp_path / "new")
    with pytest.warns(FormerNameWarning):
        again = league("star_realms", ["hare", "velocity"], games=2, seed=3, out=tmp_path / "new")
    assert again["agents"] == summary["agents"]
    (match,) = (tmp_path / "new" / "matches").iterdir()
    text = pq.read_schema(match / "games.parquet").metadata[b"stardeck"]
    assert json.loads(text)["seed"] == 6541933221369380418


def test_a_training_of_version_0_1_goes_on(tmp_path):
    """Its folder names the former agents in its recipe and in its evaluations."""
    rate = {"win_rate": 0.5, "low": 0.4, "high": 0.6}
    written = {"recipe": {"opponents": ["rules", "velocity"], "panel": ["hare"]}}
    CheckpointFolder(tmp_path, written)
    folder = CheckpointFolder(tmp_path, {"recipe": {"opponents": ["rules", "cheap-combat"], "panel": ["same-faction"]}})
    notes = {"rollouts": 1, "copies": 1, "decisions": 1, "updates": 1, "numpy": [0, 0, 0, 0], "seconds": {}}
    evaluation = {"decisions": 1, "seconds": 1, "copies": 1, **rate, "panel": {"hare": rate}, "before": None}
    (tmp_path / "notes.json").write_text(json.dumps(notes | {"evaluations": [evaluation]}))
    assert list(folder.load_notes(tmp_path)["evaluations"][0]["panel"]) == ["same-faction"]
    with pytest.raises(CheckpointError, match="holds a training with recipe"):
        CheckpointFolder(tmp_path, {"recipe": {"opponents": ["rules", "same-faction"], "panel": ["same-faction"]}})
