"""Honest states: a user's agent cannot use information hidden from its seat, and the game stays unchanged."""

import json
from zlib import crc32

import numpy as np
import pytest
from click.testing import CliRunner

from helpers import EVERY_VARIANT, PROGRAMS, deep_states, game_of, scaled
from stardeck import agents
from stardeck.agents.honest_agent import HonestAgent
from stardeck.agents.identity import identity_of
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.series import Series, win_share
from stardeck.benchmarks.fairness.search import Search, fair
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands.cli import cli
from stardeck.game.agent import AgentError, decisions

GAME = "interstellar_empire"
WITH_OTHERS = [name for name in EVERY_VARIANT if name in PROGRAMS] + ["star_realms/core/nemesis_beast/2/beginner"]
MINE = """
class Mine:
    name = "mine"
    def act(self, game, states, masks, seeds):
        return masks.argmax(axis=1)

class Broken(Mine):
    def act(self, game, states, masks, seeds):
        return 1 / 0
"""


def pick(masks, numbers):
    """Return the legal action with a number, modulo their count."""
    return np.array([np.flatnonzero(mask)[number % mask.sum()] for mask, number in zip(masks, numbers, strict=True)])


class Peeker:
    """An agent that decides by everything in a state, hidden or not."""

    name = "peeker"

    def act(self, game, states, masks, seeds):
        return pick(masks, [crc32(state.tobytes()) for state in states])


class Blind:
    """An agent that decides by its seat's view and its own random stream, and records how it is called."""

    name = "blind"
    identity = "1"

    def __init__(self):
        self.batches = []

    def act(self, game, states, masks, seeds):
        self.batches.append(len(states))
        views = game.observe(states)
        return pick(masks, [crc32(view.tobytes() + seed.tobytes()) for view, seed in zip(views, seeds, strict=True)])


class Prophet:
    """An agent that plays every legal action to the end, with the real cards and random stream.

    It acts as `rules` does, unless another action ends better.
    """

    name = "prophet"

    def act(self, game, states, masks, seeds):
        rows, actions = np.nonzero(masks)
        seats = game.to_act(states)
        after = game.take(states, rows)
        game.apply(after, actions)
        returns = game.returns(game.playout(after, "rules", 1))[np.arange(len(rows)), seats[rows]]
        usual = agents.get("rules").act(game, states, masks, seeds)
        returns[actions == usual[rows]] += 0.5  # breaks ties
        best = [int(actions[rows == row][returns[rows == row].argmax()]) for row in range(len(states))]
        return np.array(best)


class Redrawing(Prophet):
    """A hand-written honest version of the prophet."""

    name = "redrawing"

    def act(self, game, states, masks, seeds):
        return super().act(game, game.resample_hidden(states, game.to_act(states), seeds), masks, seeds)


@pytest.mark.parametrize("variant", WITH_OTHERS)
def test_an_honest_agent_decides_the_same_whatever_is_hidden(variant):
    game = game_of(variant)
    states = deep_states(game, 4, scaled(300, 30), every=5)
    states = states[~game.is_over(states)]
    seeds = np.arange(len(states), dtype=np.uint64)
    truths = [game.resample_hidden(states, game.to_act(states), seeds + np.uint64(shift)) for shift in (0, 10**6)]
    peeked = [decisions(Peeker(), game, truth, seeds) for truth in truths]
    assert (peeked[0] != peeked[1]).any()
    honest = [decisions(agents.honest(Peeker()), game, truth, seeds) for truth in truths]
    assert (honest[0] == honest[1]).all()


@pytest.mark.once
@pytest.mark.parametrize("variant", WITH_OTHERS)
def test_an_agent_that_ignores_hidden_information_plays_the_same_games(variant):
    game = game_of(variant)
    plain, asked = Blind(), Blind()
    games = 12
    chunks = [
        Series(game, [agent, "random"][: max(2, game.players)], 3, record_actions=True, honest=honest).play(0, games)
        for agent, honest in ((plain, False), (asked, True))
    ]
    assert all(np.array_equal(*columns) for columns in zip(*chunks, strict=True))
    assert plain.batches == asked.batches  # batches are as large as before


@pytest.mark.once
@pytest.mark.parametrize("variant", PROGRAMS)
def test_a_cheat_wins_no_more_than_its_honest_twin(variant):
    game = game_of(variant)
    games = scaled(24, 2)
    cheat = win_share(game, Prophet(), "rules", games, 1, workers=1)
    honest = win_share(game, Prophet(), "rules", games, 1, workers=1, honest=True)
    twin = win_share(game, Redrawing(), "rules", games, 1, workers=1)
    assert cheat - honest >= scaled(0.15, 0.0)
    assert abs(honest - twin) <= scaled(0.25, 1.0)


@pytest.mark.parametrize("place", ["mine.py:Mine", "mine:Mine"])
def test_the_text_of_an_own_agent_becomes_an_honest_one(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "mine.py").write_text(MINE)
    text = agents.honest(place)
    agent = agents.get(text)
    assert text == f"honest:{place}" == agents.honest(text)
    assert isinstance(agent, HonestAgent) and agent.name == "honest:mine"
    assert identity_of(agent).startswith("honest:mine (mine (source and state")
    with pytest.raises(ValueError, match="agent 'nobody': must be one of random"):
        agents.get(agents.honest("nobody"))


def test_agents_of_the_package_stay_as_they_are():
    rules = agents.get("rules")
    texts = ["rules", "same-faction", "ppo", "ppo:any_table", "search:10:prior=mine.py:Mine", "mine.safetensors"]
    assert [agents.honest(text) for text in texts] == texts
    search = SearchAgent(3, prior=rules)
    assert agents.honest(rules) is rules and agents.honest(search) is search
    assert agents.get("honest:rules").name == "rules"
    assert isinstance(agents.honest(SearchAgent(3, prior=rules, open_cards=True)), HonestAgent)
    once = agents.honest(Peeker())
    assert agents.honest(once) is once and agents.honest(once.agent) == once != agents.honest(Peeker())


def test_honest_results_are_never_mixed_with_others(tmp_path, monkeypatch):
    agent = Blind()
    honest = advantage(GAME, [agent, "random"], 2, out=tmp_path / "honest", honest=True)
    assert honest["identities"] == ["honest:blind (blind (1))", "random"]
    assert [row["agent"] for row in honest["agents"]] == ["honest:blind", "random"]
    with pytest.raises(ResultsError, match="honest:blind"):
        advantage(GAME, [agent, "random"], 4, out=tmp_path / "honest")
    assert advantage(GAME, [agents.honest(agent), "random"], 4, out=tmp_path / "honest")["games"] == 4
    assert advantage(GAME, agents.honest(agent), 2)["identities"] == ["honest:blind (blind (1))"]
    summary = league(GAME, [agent, agents.honest(agent)], 2, out=tmp_path / "league")
    assert [row["agent"] for row in summary["agents"]] == ["blind", "honest:blind"]
    assert league(GAME, [agent, "random"], 2, honest=True)["agents"][0]["agent"] == "honest:blind"
    monkeypatch.setattr(Search, "run", lambda search, folder: search.described())  # it plays thousands of games
    searched = fair("star_realms", "authority.1=49:51", agent, honest=True)
    assert searched["identities"] == ["honest:blind (blind (1))"]
    game = game_of(f"{GAME}/2")
    played = record.play(game, [agent, "random"], 1, honest=True)
    assert played["agents"] == ["honest:blind", "random"]
    assert played["moves"] == record.play(game, [agent, "random"], 1)["moves"]


def test_an_error_of_an_honest_agent_names_the_line_of_its_file(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    agent = agents.get(f"honest:{tmp_path / 'mine.py'}:Broken")
    with pytest.raises(AgentError, match="agent 'honest:mine': ZeroDivisionError in act, line 9 of mine.py: division"):
        Series(game_of(f"{GAME}/2"), [agent, "random"]).play(0, 2)


@pytest.mark.parametrize("command", ["advantage", "league", "watch"])
def test_commands_give_own_agents_honest_states(tmp_path, command):
    (tmp_path / "mine.py").write_text(MINE)
    words = [command, GAME, "--agents", f"{tmp_path / 'mine.py'}:Mine,random", "--honest", "--json"]
    words += [] if command == "watch" else ["--games", "2", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    names = told["agents"] if command == "watch" else [row["agent"] for row in told["agents"]]
    assert names == ["honest:mine", "random"]
