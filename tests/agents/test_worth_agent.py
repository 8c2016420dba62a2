"""The agent that buys by a table of card values."""

import numpy as np
import pytest

import stardeck
from helpers import scaled
from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.kinds import AgentKind
from stardeck.agents.star_realms.value_table import STAGES, WorthAgent, read_worth
from stardeck.benchmarks.arena.series import Series
from stardeck.kernels.loops import playouts
from stardeck.kernels.star_realms.state import TYPE_LIMIT

EXPLORERS = {"Explorer": (1.0, 1.0, 1.0)}
LATE = {
    "Explorer": (2.0, 0.0, 0.0),
    "Cutter": (1.0, 0.0, 0.0),
    "Corvette": (0.0, 0.0, 3.0),
    "Battle Pod": (-1.0, 9.0, -1.0),
}


@pytest.fixture
def table(tmp_path):
    def write(text):
        path = tmp_path / "worth.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def bought(game, agent, games, seed=0):
    """Return the purchases in games of an agent against itself: (turn, card)."""
    found = []
    states = game.deal(np.arange(seed, seed + games, dtype=np.uint64))
    while len(running := np.flatnonzero(~game.is_over(states))):
        chosen = game.take(states, running)
        actions = agent.act(game, chosen, game.legal_actions(chosen), np.zeros(len(running), np.uint64))
        told = [game.describe(chosen[row : row + 1], action) for row, action in enumerate(actions)]
        found += [
            (int(turn), text[4:]) for turn, text in zip(chosen["turn"], told, strict=True) if text.startswith("buy ")
        ]
        game.apply(chosen, actions)
        game.put(states, running, chosen)
    return found


def test_it_buys_what_is_worth_most_and_nothing_that_is_worth_nothing():
    game = stardeck.make("star_realms", max_turns=40)
    assert {card for _, card in bought(game, WorthAgent("explorers", EXPLORERS), 3)} == {"Explorer"}
    found = bought(game, WorthAgent("late", LATE), scaled(20, 3))
    assert found
    for turn, card in found:
        stage = int((turn - 1) // 2 >= 5) + int((turn - 1) // 2 >= 10)
        assert LATE[card][stage] > 0, (turn, card)


def test_it_plays_the_same_compiled_and_asked(table):
    path = table(
        '[worth]\n"Explorer" = [5.2, -0.4, -0.8]\n"Cutter" = [26.9, 7.9, 0.9]\n"Battle Pod" = [10.5, 6, 0.6]\n'
    )
    game = stardeck.make("star_realms", max_turns=30)
    agent = agents.get(f"rules:values={path}", game)
    series = Series(game, [agent, "rules"], 5, record_actions=True)
    assert series.compiled
    chunk = series.play(0, 4)
    states = game.deal(chunk.seeds)
    ends = np.cumsum(game_lengths := chunk.decisions)
    for number, (start, end) in enumerate(zip(ends - game_lengths, ends, strict=True)):
        row = states[number : number + 1]
        for action, seat in zip(chunk.actions[start:end], chunk.seats[start:end], strict=True):
            player = series.lineups[chunk.rotations[number]][seat]
            asked = player.act(game, row, game.legal_actions(row), np.zeros(1, np.uint64))
            assert asked[0] == action
            game.apply(row, [action])


def test_kernels_and_agents_mean_the_same():
    assert playouts.BY_TABLE == AgentKind.WORTH and playouts.TABLE_LIMIT == STAGES * TYPE_LIMIT


def test_two_tables_meet_in_one_game():
    game = stardeck.make("star_realms", max_turns=200)
    series = Series(game, [WorthAgent("explorers", EXPLORERS), WorthAgent("nothing", {"Cutter": (0.0, 0.0, 0.0)})], 0)
    chunk = series.play(0, scaled(200, 4))
    first = np.where(chunk.rotations == 0, 0, 1)
    assert chunk.winners[np.arange(len(first)), first].mean() > 0.8


def test_it_is_known_by_its_numbers_and_called_by_its_folder(table, tmp_path):
    path = table("[worth]\nExplorer = [1, 1, 1]\n")
    agent = agents.get(f"rules:values={path}")
    assert agent.name == f"rules:values={tmp_path.name}"
    assert identity_of(agent) == identity_of(WorthAgent(agent.name, EXPLORERS))
    assert identity_of(agent) != identity_of(WorthAgent(agent.name, {"Explorer": (1.0, 1.0, 2.0)}))
    (tmp_path / "mine.toml").write_text(path.read_text())
    assert agents.get(f"rules:values={tmp_path / 'mine.toml'}").name == "rules:values=mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"needs a section \[worth\]"),
        ("worth = 3", r"needs a section \[worth\]"),
        ("[worth", "cannot be read"),
        ("[worth]\nCutter = 3", "'Cutter' = 3: must be three numbers"),
        ("[worth]\nCutter = [1, 2]", "must be three numbers"),
        ("[worth]\nCutter = [1, 2, true]", "must be three numbers"),
        ("[worth]\nCutter = [1, 2, nan]", "must be three numbers"),
        ("[worth]\nCutter = [1, 2, 1e9]", "must be three numbers from -1000 to 1000"),
    ],
)
def test_a_file_of_something_else_is_refused(table, text, message):
    with pytest.raises(ValueError, match=message):
        read_worth(table(text))


def test_it_plays_games_with_its_cards():
    with pytest.raises(ValueError, match="plays star_realms and rise_of_empire, not interstellar_empire/2"):
        agents.get(WorthAgent("mine", EXPLORERS), stardeck.make("interstellar_empire"))
    with pytest.raises(ValueError, match="has none of the cards of star_realms/core/standard/2"):
        agents.get(WorthAgent("mine", {"Cuttter": (1.0, 1.0, 1.0)}), stardeck.make("star_realms"))
    with pytest.raises(ValueError, match="none.toml: cannot be read"):
        agents.get("rules:values=none.toml")
