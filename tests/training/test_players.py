"""Background games: each counts once, the newest network plays, and errors reach the learner."""

import time

import pytest

import stardeck
from helpers import a_network
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.training import train
from stardeck.training.expert.ray_games import AHEAD, Players
from stardeck.training.expert.search_selfplay import Games
from stardeck.training.recipe import recipe_for

TINY = {"simulations": 2, "learned_share": 0.05}
CHUNK = 2


@pytest.fixture(autouse=True)
def short_chunks(monkeypatch):
    monkeypatch.setattr("stardeck.training.expert.search_selfplay.CHUNK", CHUNK)


def games_of(number):
    game = stardeck.make("star_realms", max_turns=12)
    recipe = recipe_for("star_realms", TINY, "expert")
    return Games(game, NetworkAgent(a_network(game), "network"), [], [], recipe, [5], number)


def test_each_game_is_played_once_and_the_newest_network_plays():
    with Players(ThreadExecutor(2), games_of(0), 10, 6) as players:
        first = players.take(6, lambda games: None)
        players.follow(games_of(1))
        later = [*players.take(6 * AHEAD, lambda games: None), *players.take(6, lambda games: None)]
    taken = first + later
    starts = [chunk.start for chunk in taken]
    assert len(set(starts)) == len(starts) and min(starts) == 10 and {chunk.games for chunk in taken} == {CHUNK}
    assert max(starts) < players.asked
    assert {chunk.network for chunk in first} == {0} and later[-1].network == 1


def test_players_wait_for_a_learner_that_is_slower():
    with Players(ThreadExecutor(2), games_of(0), 0, 6) as players:
        end = time.monotonic() + 300
        while players.asked < 6 * AHEAD and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.5)  # in which players that do not wait would go on
        assert players.asked == 6 * AHEAD
        players.take(6, lambda games: None)


def test_an_error_of_a_player_comes_to_who_learns(monkeypatch):
    def broken(self, start, stop):
        raise OSError("no such thing")

    monkeypatch.setattr(Games, "play", broken)
    with Players(ThreadExecutor(2), games_of(0), 0, 6) as players, pytest.raises(OSError, match="no such thing"):
        players.take(6, lambda games: None)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"on": "ray"}, "on='ray': must be local for method 'ppo'"),
        ({"device": "cuda:99"}, "device='cuda:99': must be cpu or cuda for method 'ppo'"),
        ({"device": "cuda:99", "method": "expert"}, "device='cuda:99': cannot be used here"),
        ({"device": "abacus", "method": "expert"}, "device='abacus': cannot be used here"),
        ({"on": "cloud", "method": "expert"}, "on='cloud': must be local, ray, or ray://host:port"),
    ],
)
def test_other_places_are_refused(tmp_path, given, told):
    with pytest.raises(ValueError, match=told):
        train("star_realms", tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()
