"""The trained agents of the package: complete, small, and as strong as stated."""

import json
from pathlib import Path

import pytest

import stardeck
from helpers import ENTRIES, game_of, thorough
from stardeck import agents
from stardeck.agents.networks import pretrained
from stardeck.agents.networks.agent import NetworkError, read_network
from stardeck.benchmarks.arena.series import Series, win_share
from stardeck.kernels.star_realms.cards import loading

# Agents of release 0.1.0, by variant.
DIGESTS_0_1 = {
    "empire_of_the_stars/2/powers": "df8b9faf2051c0b4",
    "interstellar_empire/2": "6d48e8b538e18a1d",
    "star_realms/box/free_for_all/3": "ba2dcaa3cb1b445c",
    "star_realms/box/nemesis_beast/2/veteran": "f88d28dce03458f1",
    "star_realms/box/two_headed_hydra/4": "c9aea8f438556588",
    "star_realms/core/standard/2": "f5f497d30eda801d",
    "star_realms/rise_of_empire/standard/2/scenario=1": "417f5360fc4b519b",
}


@pytest.mark.parametrize(
    ("name", "variant"), [(name, variant) for name in ("expert", "ppo") for variant in pretrained.shipped(name)]
)
def test_a_shipped_agent_says_how_it_was_made_and_is_that_strong(name, variant):
    game = game_of(variant)
    agent = agents.get(name, game)
    about = agent.network.about
    assert agent.name == name and about["variant"] == variant
    assert len(agent.trained.to_bytes()) <= (2_000_000 if agent.trained.judge else 1_000_000)
    assert stardeck.make(game.variant.game, **json.loads(about["settings"])).id == variant
    assert json.loads(about["recipe"])[{"expert": "rounds", "ppo": "steps"}[about.get("method", "ppo")]] > 0
    strength = json.loads(about["strength"])
    games = thorough(2_000, 1_000)
    share = win_share(game, agent, agents.get("rules"), games, seed=11)
    assert abs(share - strength["win_rate"]) < 2.2 / games**0.5  # more than four standard errors


def test_shipped_files_are_named_after_their_variants():
    folders = {folder for found in pretrained.FOLDERS.values() for folder in found}
    assert {path.name for path in pretrained.FOLDER.iterdir()} == folders
    for path in pretrained.FOLDER.glob("*/*"):
        variant = read_network(path).about["variant"]
        assert variant in ENTRIES and path.name == f"{variant.replace('/', '-')}.safetensors"
    assert sum(path.stat().st_size for path in pretrained.FOLDER.glob("*/*")) <= 25_000_000


def test_agents_of_a_release_stay_as_they_were():
    """Agents of a release serve as a yardstick."""
    digests = {variant: network.digest for variant, network in pretrained.shipped("ppo-0.1").items()}
    assert digests == DIGESTS_0_1


def test_the_first_expert_stays_as_it_was():
    digests = {variant: network.digest for variant, network in pretrained.shipped("expert-0.1").items()}
    assert digests == {"star_realms/core/standard/2": "e3de32257523349e"}


def test_the_newest_agent_of_a_name_plays():
    for variant in DIGESTS_0_1:
        game = game_of(variant)
        newest, first = agents.get("ppo", game), agents.get("ppo-0.1", game)
        assert first.name == "ppo-0.1" and newest.name == "ppo" and first.trained.digest != newest.trained.digest


def test_a_shipped_agent_plays_variants_with_the_same_actions_and_observations():
    game = game_of("star_realms/core/standard/2/forced_discards=next_turn")
    assert agents.get("ppo", game).network is agents.get("ppo", game_of("star_realms/core/standard/2")).network


def test_a_shipped_agent_plays_other_cards_if_asked(tmp_path):
    core = Path(loading.__file__).with_name("core.toml").read_text(encoding="utf-8")
    renamed = core.replace("Blob Fighter", "My Fighter")
    (tmp_path / "mine.toml").write_text(renamed, encoding="utf-8")
    game = stardeck.make("star_realms", set=str(tmp_path / "mine.toml"))
    with pytest.raises(
        NetworkError, match="no network was trained for star_realms/mine/.*; ppo:any_table plays it anyway"
    ):
        agents.get("ppo", game)
    with pytest.warns(UserWarning, match="was trained on star_realms/core/standard/2, not on star_realms/mine/"):
        agent = agents.get("ppo:any_table", game)
    assert agent.name == "ppo:any_table" and len(Series(game, [agent, "random"]).play(0, 2).seeds) == 2
    assert agents.get("ppo:any_table", game_of("star_realms/core/standard/2")).name == "ppo"
    with pytest.raises(
        NetworkError, match="agent 'ppo:any_table': no network was trained for star_realms/box/standard/2"
    ):
        agents.get("ppo:any_table", game_of("star_realms/box/standard/2"))


def test_a_game_without_a_shipped_agent_is_named():
    named = "agent 'ppo': no network was trained for star_realms/core/raid/6"
    message = f"{named}; there are networks for .*star_realms/core/standard/2"
    with pytest.raises(NetworkError, match=message):
        agents.get("ppo", game_of("star_realms/core/raid/6"))
    with pytest.raises(ValueError, match="agent 'ppo': must be one of"):
        agents.get("ppo")
