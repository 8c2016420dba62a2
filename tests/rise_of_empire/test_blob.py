"""The Blob of scenario 12 outside positions: its combat, agents that meet it, and unchanged older play."""

import numpy as np
import pytest

import stardeck
from helpers import game_of, random_steps, scaled
from stardeck import agents
from stardeck.benchmarks.arena.series import Series
from stardeck.kernels.star_realms.state import NO_CARD

BLOB = "star_realms/rise_of_empire/standard/2/scenario=12"
DUEL = f"{BLOB}/finale=duel"
CAMPAIGN = "rise_of_empire/2"
OF_DUELS = {  # hashes of tables from before the Blob
    DUEL: "604f111700faccd1",
    "star_realms/rise_of_empire/standard/2/scenario=1": "be35a217d1b34813",
    f"{CAMPAIGN}/finale=duel": "1e82ecf51cc1e74f",
    "star_realms/core/standard/2": "57a1b3cfa618e6f5",
}


@pytest.mark.parametrize("variant", OF_DUELS)
def test_results_of_other_scenarios_and_of_the_duel_stay_valid(variant):
    assert game_of(variant).variant.tables == OF_DUELS[variant]
    assert all("boss" not in row["name"] for row in game_of(variant).variant.action_table())


def test_results_of_the_blob_and_of_the_duel_are_told_apart():
    assert game_of(BLOB).variant.tables != game_of(DUEL).variant.tables
    assert game_of(CAMPAIGN).variant.tables != game_of(f"{CAMPAIGN}/finale=duel").variant.tables


@pytest.mark.parametrize("agent", ["random", "simple", "rules", *scaled(["search:2"], [])])
def test_agents_play_against_the_blob_to_the_end(agent):
    game = game_of(BLOB)
    opponent = "rules" if agent.startswith("search") else agent
    played = Series(game, [agent, opponent], seed=2).play(0, scaled(20, 2))
    assert not played.truncated.any()
    assert played.winners.any(axis=1).sum() + (played.placements == 1).all(axis=1).sum() == len(played.winners)


def test_rules_beats_the_blob_in_some_games_and_dies_in_others():
    game = game_of(BLOB)
    ended = game.playout(game.deal(np.arange(scaled(200, 12))), "rules", 1)
    beaten = (ended["boss_authority"] <= 0).mean()
    assert 0.2 <= beaten <= 0.95
    killed = ended["boss_authority"] > 0
    assert (ended["players"]["authority"][killed][:, :2] <= 0).any(axis=1).all()


def test_a_seat_sees_the_authority_of_the_blob_and_it_is_hidden_from_nobody():
    game = game_of(BLOB)
    row = next(row for row in game.observation_table() if row["name"] == "blob_authority")
    for states in random_steps(game, 4, scaled(300, 60), seed=4, agent=agents.get("simple")):
        for seat in range(2):
            seen = game.observe(states, seat)[:, row["offset"]]
            assert (seen == np.clip(states["boss_authority"], 0, 255)).all()
            again = game.resample_hidden(states, seat, np.arange(len(states)))
            assert (game.observe(again, seat) == game.observe(states, seat)).all()


def test_nobody_loses_authority_but_by_the_blob():
    """Scores drop only at the end of the second player's turn, by at most the Blob's combat."""
    game = game_of(BLOB)
    costs = np.array([card.cost for card in game.variant.card_set.cards])
    for states in random_steps(game, 4, scaled(400, 80), seed=6, agent=agents.get("simple")):
        before = states.copy()
        actions = agents.get("simple").act(game, states, game.legal_actions(states), np.zeros(len(states), np.uint64))
        after = game.copy(states)
        game.apply(after, actions)
        lost = before["players"]["authority"][:, :2] - after["players"]["authority"][:, :2]
        rows = [row[row != NO_CARD] for row in before["trade_row"]]
        plain = [row[row < len(costs)] for row in rows]
        combat = before["turn"] // 2 + np.array([costs[row].max(initial=0) for row in plain])
        ends = (before["active"] == 1) & (before["turn"] != after["turn"]) | game.is_over(after)
        assert (lost.max(axis=1) <= np.where(ends, combat, 0)).all()


def test_texts_and_tables_show_the_blob():
    game = game_of(BLOB)
    states = game.deal([3])
    assert "The Blob  authority 120" in game.render(states, 0)
    boss = game.table(states, 1)["boss"]
    assert (boss["id"], boss["name"], boss["words"]) == ("boss", "The Blob", "acts after both players")
    assert "120" in str(boss["pools"])
    assert game.position(states[0])["boss"] == {"authority": 120}
    assert "[50 : 50 : 120]" in game.headline(states, ["a", "b"])
    with pytest.raises(ValueError, match="boss: authority: 0: must be more than 0"):
        game.from_position(game.position(states[0]) | {"boss": {"authority": 0}})
    with pytest.raises(ValueError, match="boss: .* has no automated Boss"):
        duel = game_of(DUEL)
        duel.from_position(duel.position(duel.deal([3])[0]) | {"boss": {"authority": 9}})


def test_events_tell_who_was_hit_by_the_blob():
    game = game_of(BLOB)
    played = Series(game, ["rules"], seed=2, record_events=True).play(0, scaled(20, 2))
    assert len(played.events)


@pytest.mark.parametrize("finale", ["blob", "duel"])
def test_the_finale_is_a_setting_of_the_campaign(finale):
    campaign = stardeck.make("rise_of_empire", finale=finale)
    assert campaign.variant.campaign.scenarios[-1].name == {"blob": "The Blob", "duel": "Verdict of the Stars"}[finale]
