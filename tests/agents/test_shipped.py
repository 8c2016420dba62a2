"""The trained agents that come with the package: whole, small, and as strong as they say."""

import json

import pytest

import stardeck
from helpers import ENTRIES, game_of
from stardeck import agents
from stardeck.agents import shipped
from stardeck.agents.network import NetworkError
from stardeck.benchmarks.arena import win_share


@pytest.mark.parametrize("variant", shipped.shipped())
def test_a_shipped_agent_says_how_it_was_made_and_is_that_strong(variant):
    game = game_of(variant)
    agent = agents.get("ppo", game)
    about = agent.network.about
    assert agent.name == "ppo" and about["variant"] == variant and len(agent.network.to_bytes()) <= 1_000_000
    assert stardeck.make(game.variant.game, **json.loads(about["settings"])).id == variant
    assert json.loads(about["recipe"])["steps"] > 0
    strength = json.loads(about["strength"])
    games = 2_000
    share = win_share(game, agent, agents.get("rules"), games, seed=11)
    assert abs(share - strength["win_rate"]) < 0.05  # more than four standard errors


def test_shipped_files_are_named_after_their_variants():
    for variant in shipped.shipped():
        assert variant in ENTRIES
        assert (shipped.FOLDER / f"{variant.replace('/', '-')}.safetensors").exists()


def test_a_shipped_agent_plays_variants_with_the_same_actions_and_observations():
    game = game_of("star_realms/core/standard/2/forced_discards=next_turn")
    assert agents.get("ppo", game).network is agents.get("ppo", game_of("star_realms/core/standard/2")).network


def test_a_game_without_a_shipped_agent_is_named():
    message = (
        "agent 'ppo': none was trained for star_realms/core/raid/6; there is one for .*star_realms/core/standard/2"
    )
    with pytest.raises(NetworkError, match=message):
        agents.get("ppo", game_of("star_realms/core/raid/6"))
    with pytest.raises(ValueError, match="agent 'ppo': must be one of"):
        agents.get("ppo")
