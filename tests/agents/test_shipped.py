"""The trained agents that come with the package: whole, small, and as strong as they say."""

import json
from pathlib import Path

import pytest

import stardeck
from helpers import ENTRIES, game_of, thorough
from stardeck import agents
from stardeck.agents import shipped
from stardeck.agents.network import NetworkError
from stardeck.benchmarks.arena import Series, win_share
from stardeck.kernels.star_realms.cards import loading


@pytest.mark.parametrize("variant", shipped.shipped())
def test_a_shipped_agent_says_how_it_was_made_and_is_that_strong(variant):
    game = game_of(variant)
    agent = agents.get("ppo", game)
    about = agent.network.about
    assert agent.name == "ppo" and about["variant"] == variant and len(agent.trained.to_bytes()) <= 1_000_000
    assert stardeck.make(game.variant.game, **json.loads(about["settings"])).id == variant
    assert json.loads(about["recipe"])["steps"] > 0
    strength = json.loads(about["strength"])
    games = thorough(2_000, 1_000)
    share = win_share(game, agent, agents.get("rules"), games, seed=11)
    assert abs(share - strength["win_rate"]) < 2.2 / games**0.5  # more than four standard errors


def test_shipped_files_are_named_after_their_variants():
    for variant in shipped.shipped():
        assert variant in ENTRIES
        assert (shipped.FOLDER / f"{variant.replace('/', '-')}.safetensors").exists()


def test_a_shipped_agent_plays_variants_with_the_same_actions_and_observations():
    game = game_of("star_realms/core/standard/2/forced_discards=next_turn")
    assert agents.get("ppo", game).network is agents.get("ppo", game_of("star_realms/core/standard/2")).network


def test_a_shipped_agent_plays_other_cards_if_asked(tmp_path):
    core = Path(loading.__file__).with_name("core.toml").read_text(encoding="utf-8")
    renamed = core.replace("Blob Fighter", "My Fighter")
    (tmp_path / "mine.toml").write_text(renamed, encoding="utf-8")
    game = stardeck.make("star_realms", set=str(tmp_path / "mine.toml"))
    with pytest.raises(NetworkError, match="none was trained for star_realms/mine/.*; ppo:any_table plays it all the"):
        agents.get("ppo", game)
    with pytest.warns(UserWarning, match="was trained on star_realms/core/standard/2, not on star_realms/mine/"):
        agent = agents.get("ppo:any_table", game)
    assert agent.name == "ppo:any_table" and len(Series(game, [agent, "random"]).play(0, 2).seeds) == 2
    assert agents.get("ppo:any_table", game_of("star_realms/core/standard/2")).name == "ppo"
    with pytest.raises(NetworkError, match="agent 'ppo:any_table': none was trained for star_realms/box/standard/2"):
        agents.get("ppo:any_table", game_of("star_realms/box/standard/2"))


def test_a_game_without_a_shipped_agent_is_named():
    message = (
        "agent 'ppo': none was trained for star_realms/core/raid/6; there is one for .*star_realms/core/standard/2"
    )
    with pytest.raises(NetworkError, match=message):
        agents.get("ppo", game_of("star_realms/core/raid/6"))
    with pytest.raises(ValueError, match="agent 'ppo': must be one of"):
        agents.get("ppo")
