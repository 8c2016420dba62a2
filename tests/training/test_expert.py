"""Expert iteration: it learns what the search found, resumes to the same end, and refuses invalid input."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import load

import stardeck
from helpers import a_network, game_of, thorough
from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent, read_network
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.training import train
from stardeck.training.checkpoints import AVERAGED, WEIGHTS, CheckpointError
from stardeck.training.expert.search_selfplay import Games, SearchedDecisions, concatenate, draw_actions, play
from stardeck.training.expert.targets import average_of, choices, evaluate, explained_variance, learn
from stardeck.training.policy import export, make_policy, take_over
from stardeck.training.promotion import is_better
from stardeck.training.recipe import recipe_for

CORE = "star_realms/core/standard/2"
TINY = {
    "rounds": 3, "games": 6, "simulations": 8, "quick_simulations": 2, "learned_share": 0.25, "imitation": 0,
    "value_rounds": 0,
    "units": [16, 8], "window": 2, "batch": 32, "promotion_games": 64, "evaluate_every": 2, "evaluation_games": 20,
    "panel": ["rules", "random"],
}  # fmt: skip
SHORT = {"max_turns": 12}


class Stop:
    """A progress function that interrupts after a number of games."""

    def __init__(self, at):
        self.at = at

    def __call__(self, done, total, note):
        if done >= self.at:
            raise KeyboardInterrupt


def test_a_training_goes_on_to_the_same_end_after_interruptions(tmp_path):
    whole = train("star_realms", tmp_path / "whole", seed=3, method="expert", recipe=TINY, **SHORT)
    for at in (6, 12, 18):
        with pytest.raises(KeyboardInterrupt):
            train("star_realms", tmp_path / "broken", 3, TINY, Stop(at), "expert", **SHORT)
    broken = train("star_realms", tmp_path / "broken", seed=3, method="expert", recipe=TINY, **SHORT)
    files = [tmp_path / name / "agent.safetensors" for name in ("whole", "broken")]
    assert np.array_equal(*(read_network(file).weights for file in files))
    assert whole["course"] == broken["course"] and len(whole["course"]) == 3
    for told in ("panel", "before", "copies"):
        assert [entry[told] for entry in whole["evaluations"]] == [entry[told] for entry in broken["evaluations"]]
    assert whole["evaluations"][0]["before"] is None and whole["evaluations"][1]["before"]["win_rate"] is not None
    assert len(whole["evaluations"]) == 3 and set(whole["evaluations"][0]["panel"]) == {"rules", "random"}
    assert json.loads((tmp_path / "broken" / "summary.json").read_text())["decisions"] == whole["decisions"] > 0
    assert len(list((tmp_path / "whole" / "rounds").glob("*.npz"))) == TINY["window"]


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 1} | SHORT),
        ("star_realms", {"set": "box", "format": "two_headed_hydra"} | SHORT),
        ("interstellar_empire", {"players": 3}),
    ],
)
def test_every_number_of_sides_can_be_trained(tmp_path, game, settings):
    recipe = TINY | {"rounds": 1, "panel": ["random"]}
    summary = train(game, tmp_path / "out", recipe=recipe, method="expert", **settings)
    agent = agents.get(str(tmp_path / "out" / "agent.safetensors"), stardeck.make(game, **settings))
    assert agent.network.about["variant"] == summary["variant"] and agent.network.about["method"] == "expert"
    assert (tmp_path / "out" / "learning_curve.png").stat().st_size > 0


def searched(game, games=4, fixed=(), workers=None, **changes):
    recipe = recipe_for("star_realms", TINY | {"games": games} | changes, "expert")
    network = NetworkAgent(a_network(game), "network")
    played = Games(game, network, [network], list(fixed), recipe, [5])
    return concatenate([chunk.rows for chunk in play(played, games, ThreadExecutor(workers), lambda done: None)])


def test_what_is_learned_from_is_what_was_searched():
    game = game_of(CORE)
    rows = searched(game, learned_share=1.0)
    counts = np.diff(rows.offsets)
    assert rows.size > 100 and counts.min() >= 2 and rows.offsets[-1] == len(rows.actions) == len(rows.policy)
    assert np.allclose(np.add.reduceat(rows.policy, rows.offsets[:-1]), 1, atol=1e-4)
    assert set(np.unique(rows.results)) <= {-1, 0, 1} and np.isfinite(rows.values).all()
    some = searched(game, learned_share=0.25)
    assert 0 < some.size < 0.5 * rows.size
    twice = concatenate([rows, some])
    assert twice.size == rows.size + some.size
    last = slice(twice.offsets[-2], twice.offsets[-1])
    assert (twice.actions[last] == some.actions[some.offsets[-2] :]).all()


class Counted:
    """The agent `random`, with a count of its decisions."""

    def __init__(self):
        self.asked = 0

    def act(self, game, states, masks, seeds):
        self.asked += len(states)
        return agents.get("random").act(game, states, masks, seeds)


def test_fixed_agents_play_the_other_sides_of_their_share_of_the_games():
    game = game_of(CORE)
    counts = []
    for share in (0.0, 0.5, 1.0):
        fixed = Counted()
        given = {"fixed_share": share, "opponents": ["random"], "pool_share": 0.0, "simulations": 2}
        rows = searched(game, games=thorough(40, 20), fixed=[fixed], **given)
        counts.append(fixed.asked)
        assert rows.size > 0
    assert counts[0] == 0 < 1.4 * counts[1] < counts[2]


def test_games_depend_on_the_seed_alone(monkeypatch):
    game = game_of(CORE)
    monkeypatch.setattr("stardeck.training.expert.search_selfplay.CHUNK", 2)
    first = searched(game)
    assert all((a == b).all() for a, b in zip(first, searched(game, workers=1), strict=True))


def test_actions_are_drawn_from_the_policy():
    game = game_of(CORE)
    states = game.copy(game.deal(4).repeat(2_000))
    thoughts = SearchAgent(2, prior=agents.get("rules"), player=agents.get("rules")).think(
        game, states[:1], np.zeros(1, np.uint64)
    )
    legal = thoughts.actions
    policy = np.linspace(1, 2, len(legal), dtype=np.float32)
    policy /= policy.sum()
    offsets = np.arange(2_001) * len(legal)
    many = thoughts._replace(offsets=offsets, actions=np.tile(legal, 2_000), policy=np.tile(policy, 2_000))
    actions = draw_actions(many, np.random.default_rng(0))
    shares = [(actions == action).mean() for action in legal]
    assert np.abs(np.array(shares) - policy).max() < 0.04 and sum(shares) == pytest.approx(1)


def wanting(game, count=64):
    """Return positions in which the search wants the last legal action, and the game is won."""
    states = game.deal(np.arange(count))
    rows, actions = np.nonzero(game.legal_actions(states))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows))])
    policy = np.zeros(len(actions), np.float32)
    policy[offsets[1:] - 1] = 1
    ones = np.ones(count, np.float32)
    return SearchedDecisions(game.observe(states), offsets, actions.astype(np.int32), policy, ones, ones)


@pytest.mark.parametrize(("closeness", "learns"), [(0.0, True), (1000.0, False)])
def test_a_policy_comes_to_what_the_search_wanted_unless_it_must_stay(closeness, learns):
    game = game_of(CORE)
    rows = wanting(game)
    policy = make_policy(game, (16, 8), seed=1)
    recipe = recipe_for("star_realms", TINY | {"closeness": closeness, "value_weight": 1.0}, "expert")
    averaged = average_of(policy, 0.98)
    learn(policy, averaged, rows, 300, 3e-3, recipe, [0])
    actions, legal, target = choices(rows, np.arange(rows.size))
    with torch.no_grad():
        likely, values = evaluate(averaged.module, torch.as_tensor(rows.observations), actions, legal)
    share = float((likely.exp() * target).sum(dim=1).mean())
    assert (share > 0.9) == learns and ((values - 1).abs().max() < 0.2 or not learns)


def test_explained_variance_is_that_of_the_results():
    game = game_of(CORE)
    rows = wanting(game)
    policy = make_policy(game, (16, 8), seed=1)
    assert explained_variance(policy, rows) is None, "all results are equal"
    with torch.no_grad():
        values = policy.value_net(policy.extract_features(torch.as_tensor(rows.observations)))[:, 0].numpy()
    assert explained_variance(policy, rows._replace(results=values)) == pytest.approx(1)
    assert explained_variance(policy, rows._replace(results=-values)) == pytest.approx(-3, abs=1e-4)


def test_a_network_is_taken_over_as_it_plays():
    game = game_of(CORE)
    network = a_network(game)
    policy = make_policy(game, (16, 8), seed=2)
    take_over(policy, network, game)
    assert np.allclose(export(policy, game).weights, network.weights, atol=2e-3)
    with pytest.raises(ValueError, match=r"start: has layers of \[16, 8\] units; must have rectified ones of \[8, 8\]"):
        take_over(make_policy(game, (8, 8), seed=2), network, game)


def test_only_the_stronger_network_is_promoted():
    game = game_of(CORE)
    recipe = recipe_for("star_realms", TINY | {"promotion_games": 400}, "expert")
    strong, weak = agents.get("ppo", game), NetworkAgent(a_network(game), "weak")
    assert is_better(game, strong, weak, recipe, 1)
    twin = NetworkAgent(strong.network, "twin")
    assert not is_better(game, weak, strong, recipe, 1) and not is_better(game, twin, strong, recipe, 1)


@pytest.mark.parametrize(
    ("method", "recipe", "message"),
    [
        ("exprt", {}, "method='exprt': must be one of ppo, expert"),
        ("expert", {"steps": 5}, "steps=5: must be left out with method expert; ppo has it"),
        ("expert", {"start": "rules"}, "start='rules': must be a trained agent"),
        ("ppo", {"start": "rules"}, "start='rules': must be a trained agent"),
        ("expert", {"start": "ppo", "units": [8]}, "start: has layers of .256, 128. units"),
        ("expert", {"panel": ["nobody"]}, "agent 'nobody': must be one of"),
        ("expert", {"simulations": 1}, "simulations=1: must be from 2 to 1000000"),
        ("expert", {"units": [12]}, "units=.*: must be multiples of 8"),
        ("expert", {"fixed_share": 0.5}, "opponents=.*: must be at least one agent, or fixed_share 0"),
        (
            "expert",
            {"opponents": ["rules"], "fixed_share": 0.9},
            "fixed_share=0.9: must be at most 1 together with poo",
        ),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, method, recipe, message):
    with pytest.raises(ValueError, match=message):
        train("star_realms", tmp_path / "out", recipe=TINY | recipe if method == "expert" else recipe, method=method)


def test_a_folder_of_another_training_or_a_damaged_round_is_refused(tmp_path):
    recipe = TINY | {"rounds": 1, "games": 2}
    out = tmp_path / "out"
    train("star_realms", out, recipe=recipe, method="expert", **SHORT)
    with pytest.raises(CheckpointError, match="holds a training with"):
        train("star_realms", out, seed=1, recipe=recipe, method="expert", **SHORT)
    with pytest.raises(CheckpointError, match="holds a training with"):
        train("star_realms", out, **SHORT)
    (out / "rounds" / "000000.npz").write_bytes(b"PK")
    with pytest.raises(CheckpointError, match="000000.npz: is not a whole file of a round"):
        train("star_realms", out, recipe=recipe, method="expert", **SHORT)


def test_the_average_follows_the_weights_and_is_what_plays(tmp_path):
    game = game_of(CORE)
    policy = make_policy(game, (16, 8), seed=1)
    first = policy.value_net.weight.detach().clone()
    averaged = average_of(policy, 0.9)
    with torch.no_grad():
        policy.value_net.weight += 1
    averaged.update_parameters(policy)
    assert torch.allclose(averaged.module.value_net.weight, first + 0.1, atol=1e-6)
    train(
        "star_realms",
        tmp_path,
        recipe=TINY | {"rounds": 1, "averaging": 0.5, "learning_rate": 0.01},
        method="expert",
        **SHORT,
    )
    (checkpoint,) = [path for path in (tmp_path / "checkpoints").iterdir() if path.name.endswith("1")]
    plays, learned = (load((checkpoint / name).read_bytes()) for name in (AVERAGED, WEIGHTS))
    newest = read_network(sorted((tmp_path / "pool").iterdir())[-1])
    promoted = json.loads((tmp_path / "summary.json").read_text())["course"][0]["promoted"]
    kept = {name: torch.allclose(tensors["value_net.weight"].half().float(), torch.tensor(newest.value[0].T))
            for name, tensors in (("plays", plays), ("learned", learned))}  # fmt: skip
    assert not torch.equal(plays["value_net.weight"], learned["value_net.weight"]) and not kept["learned"]
    assert kept["plays"] == promoted
