"""Agents by strength, and the prior policy of a search that names none: both choose among the shipped agents."""

from pathlib import Path

import gymnasium
import pytest

import stardeck
from helpers import entry_of_example, game_of
from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks import pretrained
from stardeck.agents.strengths import STRENGTHS, by_strength, resolved
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import replay_result
from stardeck.game.catalogue import GAMES
from stardeck.kernels.star_realms.cards import loading

CORE, EMPIRE = "star_realms/core/standard/2", "interstellar_empire"


def fingerprint(game, name):
    return agents.get(name, game).identity


# The prior policy


@pytest.mark.parametrize(
    ("variant", "prior"),
    [
        (CORE, "expert"),
        ("star_realms/box/two_headed_hydra/4", "ppo"),
        ("interstellar_empire/2", "expert"),
        ("interstellar_empire/4", "rules"),
        ("rise_of_empire/2", "rules"),
        ("empire_of_the_stars/2/powers", "ppo"),
    ],
)
def test_a_search_without_a_prior_takes_the_best_shipped_network(variant, prior):
    game = game_of(variant)
    plain, named = agents.get("search:5", game), agents.get(f"search:5:prior={prior}", game)
    assert plain.name == "search:5" and plain.identity == named.identity
    network = prior != "rules"
    found = fingerprint(game, prior) if network else prior
    assert repr(plain) == f"SearchAgent('search:5', prior={found!r})"
    assert plain.identity.split(", ")[-3 if network else -2 :] == [found] * (3 if network else 2)
    assert pretrained.best(game) == (prior if network else None)


def test_rules_by_name_are_the_prior_that_version_0_1_had():
    game = game_of(CORE)
    numbers = "candidates=8, certainty=None, exploration=1.0, first_play=0.2, temperature=1.0, trust=0.9"
    assert agents.get("search:5:prior=rules", game).identity.endswith(f"turns=None, {numbers}, rules, rules")


def test_the_player_of_a_prior_that_is_no_network_is_still_rules():
    game = game_of(CORE)
    names = [agent.name for agent in agents.get("search:5:prior=random", game)._agents.values()]
    assert names == ["random", "rules"]
    assert [agent.name for agent in agents.get("search:5", game)._agents.values()] == ["expert"] * 3
    assert repr(agents.get("search:5")) == "SearchAgent('search:5', prior='rules')", "no game is given"


def test_other_cards_have_no_network_so_rules_guide(tmp_path):
    core = Path(loading.__file__).with_name("core.toml").read_text(encoding="utf-8")
    (tmp_path / "mine.toml").write_text(core.replace("Blob Fighter", "My Fighter"), encoding="utf-8")
    game = stardeck.make("star_realms", set=str(tmp_path / "mine.toml"))
    assert repr(agents.get("search:5", game)) == "SearchAgent('search:5', prior='rules')"
    found = by_strength(game)
    assert found["hard"] == "search:100:prior=rules" and ":prior=rules" in found["strongest"]


# Strengths


@pytest.mark.parametrize(
    ("variant", "hard"),
    [
        (CORE, "expert"),
        ("star_realms/box/two_headed_hydra/4", "ppo"),
        ("star_realms/box/emperor/6", "ppo"),
        ("interstellar_empire/3", "expert"),
        ("interstellar_empire/4", "search:100:prior=rules"),
    ],
)
def test_the_trained_agent_is_hard_and_guides_the_strongest(variant, hard):
    game = game_of(variant)
    found = by_strength(game)
    assert tuple(found) == STRENGTHS
    assert (found["easy"], found["medium"], found["hard"]) == ("simple", "rules", hard)
    prior = hard if hard in pretrained.NAMES else "rules"
    assert found["strongest"].startswith("search:") and f":prior={prior}" in found["strongest"]
    assert len(set(found.values())) == len(STRENGTHS), "the strengths are different agents"


def test_the_strongest_is_not_guided_by_a_network_that_rules_exploits():
    """In Empire of the Stars of two, a search that `ppo` guides wins half of its games against `rules`."""
    for players, simulations in ((2, 100), (3, 100), (4, 50)):
        found = by_strength(game_of(f"empire_of_the_stars/{players}/powers"))
        assert found["hard"] == "ppo" and found["strongest"] == f"search:{simulations}:prior=rules"


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_strength_is_the_agent_that_it_stands_for(strength):
    game = game_of(CORE)
    text = by_strength(game)[strength]
    for given in (strength, f"honest:{strength}"):
        agent = agents.get(given, game)
        assert agent.name == text and identity_of(agent) == identity_of(agents.get(text, game))
    assert resolved(strength, game) == text and resolved(text, game) == text
    agent = agents.get("rules")
    assert resolved(agent, game) is agent
    with pytest.raises(ValueError, match=f"^agent '{strength}': stands for another agent in each variant: give the"):
        agents.get(strength)


def test_a_strength_may_be_the_prior_policy_of_a_search():
    game = game_of(CORE)
    assert agents.get("search:5:prior=hard", game).identity == agents.get("search:5:prior=expert", game).identity
    with pytest.raises(ValueError, match="must be an agent that does not search itself"):
        agents.get("search:5:prior=strongest", game)


def test_a_game_from_outside_has_all_strengths(monkeypatch):
    monkeypatch.setattr(GAMES, "_entries", GAMES._entries | {"beacons": entry_of_example()})
    game = stardeck.make("beacons", players=3)
    found = by_strength(game)
    assert found["easy"] == "random" and found["hard"] == "search:100:prior=random"
    assert len(set(found.values())) == len(STRENGTHS)
    for strength in STRENGTHS:
        assert agents.get(strength, game).name == found[strength]


def test_an_error_lists_the_strengths():
    with pytest.raises(ValueError, match="ppo-0.1, easy, medium, hard, strongest, search:N"):
        agents.get("hardest")


def test_environments_and_playouts_take_strengths():
    env = gymnasium.make("stardeck/InterstellarEmpire-v1", opponents="hard")
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    game = stardeck.make(EMPIRE)
    hard = game.playout(game.deal([1, 2]), ["hard", "easy"], seed=1)
    assert hard.tobytes() == game.playout(game.deal([1, 2]), ["expert", "simple"], seed=1).tobytes()


def test_results_hold_the_agent_that_a_strength_stands_for(tmp_path):
    first = advantage(EMPIRE, ["hard", "easy"], games=4, seed=3, out=tmp_path / "hard")
    assert [row["agent"] for row in first["agents"]] == ["expert", "simple"]
    assert first["identities"] == [f"expert ({fingerprint(stardeck.make(EMPIRE), 'expert')})", "simple"]
    again = advantage(EMPIRE, ["expert", "simple"], games=4, seed=3, out=tmp_path / "hard")
    assert again["agents"] == first["agents"], "the same series under either name"
    assert replay_result.game_of(tmp_path / "hard", 0)["agents"] == ["expert", "simple"]
    rated = league(EMPIRE, ["medium", "easy"], games=2, out=tmp_path / "league")
    assert [row["agent"] for row in rated["agents"]] == ["rules", "simple"]
    with pytest.raises(ValueError, match="agents: 'rules' is given twice"):
        league(EMPIRE, ["medium", "rules"], games=2)


def test_a_strength_and_its_agent_are_one_agent_of_a_series():
    series = Series(stardeck.make(EMPIRE), ["medium", "rules"], seed=1)
    assert series.agents[0] is series.agents[1] and series.block == 1, "a mirror match"
    assert series.texts == ["rules", "rules"]


def test_results_of_the_former_prior_are_refused(tmp_path, monkeypatch):
    """`search:2` had `rules` as prior policy in version 0.1, also where a network plays."""
    monkeypatch.setattr(pretrained, "best", lambda game: None)
    advantage(EMPIRE, ["search:2", "random"], games=2, seed=3, out=tmp_path)
    monkeypatch.undo()
    with pytest.raises(ValueError, match=r"holds results with agents\[0\] .*rules, rules\).*, not .*expert:"):
        advantage(EMPIRE, ["search:2", "random"], games=2, seed=3, out=tmp_path)
    kept = advantage(EMPIRE, ["search:2:prior=rules", "random"], games=2, seed=3, out=tmp_path / "named")
    assert kept["games"] == 2
