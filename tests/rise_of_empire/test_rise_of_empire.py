"""Properties of Rise of Empire beyond its scenarios.

Whole campaigns conserve cards and stickers, positions can be written and resumed, results are reported, and errors name
their cause.
"""

import functools
import json
from pathlib import Path

import numpy as np
import pytest

import stardeck
from helpers import game_of, pick, random_steps, scaled, thorough
from stardeck import agents
from stardeck.benchmarks.arena.series import Series
from stardeck.envs import rise_of_empire_v1
from stardeck.kernels.contract.card_tables import TableError
from stardeck.kernels.star_realms.cards.campaign import load_campaign
from stardeck.kernels.star_realms.cards.loading import load_cards
from stardeck.kernels.star_realms.state import NO_CARD, Zone, pile_of

CAMPAIGN = "rise_of_empire/2"
SCENARIO = "star_realms/rise_of_empire/standard/2/scenario=1"
BLOB = "star_realms/rise_of_empire/standard/2/scenario=12"
STICKERS = 20  # of one side


def cards_anywhere(state):
    """Count the cards of each number: int64[256]."""
    piles = [state["trade_deck"][: state["trade_deck_count"]], state["trade_row"][state["trade_row"] != NO_CARD]]
    piles.append(np.repeat(np.arange(len(state["scrap_heap"])), state["scrap_heap"]))
    for player in state["players"][:2]:
        piles += [pile_of(player, zone) for zone in Zone]
        piles.append(player["in_play"]["card"][: player["in_play_count"]])
    return np.bincount(np.concatenate(piles).astype(int), minlength=256)


def check(game, state):
    """Check that every card of the box exists once, and every sticker is on one card of its cost."""
    card_set, campaign = game.variant.card_set, game.variant.campaign
    found = cards_anywhere(state)
    printed = len(card_set.cards)
    upgraded = np.flatnonzero(state["upgraded"] != NO_CARD)
    plain = np.array([card.copies for card in card_set.cards])
    for slot in upgraded:
        card = int(state["upgraded"][slot])
        plain[card] -= 1
        assert card_set.cards[card].cost == campaign.slots[slot].cost
    assert (plain >= 0).all(), "more copies have stickers than there are"
    if state["scenario"]:
        starting = sum(np.bincount(card_set.personal_decks[side], minlength=printed) for side in campaign.sides)
        owned = plain + starting
        owned[card_set.explorer] += card_set.explorers - state["explorers"]
        assert (found[:printed] == owned).all()
        assert sorted(np.repeat(np.arange(40), found[printed : printed + 40])) == sorted(upgraded)
    for side in range(2):
        used = [slot - STICKERS * side for slot in upgraded if slot // STICKERS == side]
        assert int(state["rows_used"][side]) == sum(1 << sticker for sticker in used)


@pytest.mark.parametrize("variant", [SCENARIO, BLOB, CAMPAIGN])
@pytest.mark.parametrize("agent", ["random", "rules"])
def test_no_card_and_no_sticker_is_lost(variant, agent):
    game = game_of(variant)
    begun = set()
    for step, states in enumerate(random_steps(game, scaled(20, 1), scaled(4_000, 700), 3, agents.get(agent))):
        begun |= set(states["scenario"].tolist())
        if step % thorough(7, 21) == 0:
            for state in states:
                check(game, state)
    if variant == CAMPAIGN and agent == "rules":
        assert begun >= scaled(set(range(13)), {1, 2}), "upgrading to twenty comes last, as scenario 0"


def test_whole_campaigns_run_to_their_end():
    game = game_of(CAMPAIGN)
    played = Series(game, ["rules"], seed=5).play(0, scaled(1_000, 1))
    assert played.winners.sum(axis=1).tolist() == [1] * len(played.winners), "an odd sum before the last: no draw"
    assert not played.truncated.any()


@functools.cache
def end_of_campaign(seed):
    """Return the final states of a campaign of `rules` against itself."""
    game = game_of(CAMPAIGN)
    states = game.deal([seed])
    agent = agents.get("rules")
    while not game.is_over(states)[0]:
        game.apply(states, agent.act(game, states, game.legal_actions(states), np.zeros(1, np.uint64)))
    return game, states


@pytest.mark.once
def test_after_a_campaign_each_side_has_twenty_upgrades():
    game, states = end_of_campaign(4)
    for side in range(2):
        assert (states["upgraded"][0, STICKERS * side : STICKERS * (side + 1)] != NO_CARD).sum() == 20
    results = game.results(states)
    points = [scenario.points for scenario in game.variant.campaign.scenarios]
    earned = results["victory_points"][0].tolist()
    beaten = sum(earned) == 29  # with the Blob, both sides have its points
    for side in range(2):
        won = results["scenarios"][0] == side
        assert earned[side] == np.dot(won, points) + points[-1] * (beaten and not won[-1])
    assert sum(earned) in (25, 29)
    winner = int(results["victory_points"][0].argmax())
    assert game.returns(states)[0, winner] == 1 and game.returns(states)[0, 1 - winner] == -1


@pytest.mark.parametrize("variant", [SCENARIO, BLOB, CAMPAIGN])
def test_a_campaign_can_be_written_down_and_taken_up_again(variant):
    game = game_of(variant)
    for step, states in enumerate(random_steps(game, scaled(6, 1), scaled(2_000, 150), seed=8)):
        if step % 13:
            continue
        for row in range(len(states)):
            one = states[row : row + 1]
            written = game.position(one[0])
            again = game.from_position(json.loads(json.dumps(written)))
            assert game.position(again[0]) == written
            assert (game.legal_actions(again) == game.legal_actions(one)).all()
            for seat in range(2):
                assert (game.observe(again, seat) == game.observe(one, seat)).all()


def test_filling_up_can_be_written_down_and_taken_up_again():
    """The sides alternate, whichever has more to fill up; the table is cleared of the last game."""
    game = game_of(CAMPAIGN)
    points = {"star_empire": 13, "trade_federation": 12}
    states = game.from_position({"campaign": {"first": "star_empire", "victory_points": points}})
    asked = []
    for step in range(scaled(40, 8)):
        written = game.position(states[0])
        again = game.from_position(json.loads(json.dumps(written)))
        assert game.position(again[0]) == written
        assert (game.legal_actions(again) == game.legal_actions(states)).all()
        for seat in range(2):
            assert (game.observe(again, seat) == game.observe(states, seat)).all()
        asked.append(int(game.to_act(states)[0]))
        game.apply(states, pick(game.legal_actions(states), step))
    assert asked == [0, 1] * (len(asked) // 2)
    assert game.is_over(states).all() == (len(asked) == 40)


def test_the_next_game_begins_as_one_that_is_set_up():
    """Nothing of a game carries over: the next one follows from its campaign position and random stream."""
    game = game_of(CAMPAIGN)
    agent = agents.get("rules")
    states = game.deal([11])
    found = 0
    while found < scaled(12, 2):
        before = states.copy()
        game.apply(states, agent.act(game, states, game.legal_actions(states), np.zeros(1, np.uint64)))
        if game.is_over(states)[0] or not states["scenario"][0]:
            break
        if states["scenario"][0] == before["scenario"][0]:
            continue
        found += 1
        written = game.position(states[0])
        start = {"campaign": written["campaign"], "decisions": written["decisions"], "seed": int(before["random"][0])}
        dealt = game.from_position(start)
        assert game.position(dealt[0]) == written
        assert all((game.observe(dealt, seat) == game.observe(states, seat)).all() for seat in range(2))
    assert found == scaled(11, 2)


def test_what_holds_in_a_scenario_can_be_seen():
    """From scenario 4 on, the first player's side decides the changes of a scenario."""
    game = game_of(CAMPAIGN)
    seen = {}
    for first in ("star_empire", "trade_federation"):
        states = game.from_position({"campaign": {"scenario": 6, "first": first}, "seed": 3})
        row = next(row for row in game.observation_table() if row["name"] == "modifier")
        for seat in range(2):
            observed = game.observe(states, seat)[0, row["offset"] : row["offset"] + 2].tolist()
            assert seen.setdefault(first, observed) == observed
    assert seen == {"star_empire": [1, 0], "trade_federation": [0, 1]}


@pytest.mark.once
@pytest.mark.parametrize(("format", "players"), [("standard", 2), ("emperor", 6), ("raid", 6), ("free_for_all", 6)])
def test_all_that_a_campaign_has_made_of_the_trade_deck_can_be_played(format, players):
    upgraded = end_of_campaign(4)[0].position(end_of_campaign(4)[1][0])["campaign"]["upgraded"]
    game = stardeck.make(
        "star_realms", set="rise_of_empire", format=format, players=players,
        trade_deck="post_campaign", upgraded=upgraded,
    )  # fmt: skip
    assert len(upgraded) == 40 and sum(card.copies for card in game.variant.card_set.cards) == 84
    assert len(game.id) < 100 and " " not in game.id
    for states in random_steps(game, 2, 200):
        assert (game.legal_actions(states).sum(axis=1) > 0).all()


@pytest.mark.once
def test_the_end_of_a_campaign_can_be_written_down_too():
    game, states = end_of_campaign(6)
    written = game.position(states[0])
    assert game.position(game.from_position(written)[0]) == written


@pytest.mark.once
def test_the_environment_tells_who_has_won_each_scenario():
    env = rise_of_empire_v1.env()
    env.reset(seed=1)
    game = env.unwrapped.game
    agent = agents.get("rules")
    for _ in env.agent_iter():
        _, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        states = env.unwrapped._states
        env.step(int(agent.act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))[0]))
    info = env.infos["player_0"]
    assert len(info["scenarios"]) == 12 and set(info["scenarios"][:11]) <= {0, 1}
    assert sum(info["victory_points"]) in (25, 29), "both sides have the points of a Blob that is beaten"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scenario": 13}, "scenario=13: must be a whole number from 0 to 12"),
        ({"scenario": 1, "format": "raid"}, "scenario=1: is played in the format standard, not raid"),
        ({"scenario": 1, "sides": ["none", "none"]}, "a scenario is played by star_empire and trade_federation"),
        ({"scenario": 1, "trade_deck": "post_campaign"}, "trade_deck='post_campaign': comes after the campaign"),
        ({"scenario": 1, "finale": "duel"}, "finale='duel': is a way to play scenario 12, not 1"),
        ({"scenario": 12, "finale": "truce"}, "finale='truce': must be one of blob, duel"),
        ({"set": "core", "finale": "duel"}, "finale='duel': is a way to play scenario 12, not 0"),
        ({"scenario": 1, "gambits": 2}, "gambits=2: a scenario is played without"),
        ({"scenario": 1, "upgraded": ["Lifter (SE 2-3)"]}, "SE 2-3: scenario 1 comes before sheet 2"),
        ({"sides": ["star_empire", "none"]}, "personal decks are for seats 0, 1, each another"),
        ({"sides": ["star_empire", "star_empire"]}, "personal decks are for seats 0, 1, each another"),
        ({"format": "free_for_all", "players": 3, "sides": ["star_empire", "none", "none"]}, "decks are for nobody"),
        ({"format": "raid", "players": 3, "sides": ["none", "star_empire", "none"]}, "personal decks are for seats 0,"),
        ({"sides": ["star_empire"]}, "must name 2 of none, star_empire, trade_federation"),
        ({"sides": ["blob", "none"]}, "must name 2 of none, star_empire, trade_federation"),
        ({"upgraded": ["Lifter"]}, "upgraded: 'Lifter': must be a card with a sticker that fits it"),
        ({"upgraded": ["Lifter (SE 1-2)"]}, r"'Lifter \(SE 1-2\)': must be a card with a sticker that fits"),
        ({"upgraded": ["Lifter (SE 1-3)", "Hunter (SE 1-3)"]}, "the sticker SE 1-3 is used twice"),
        ({"upgraded": ["Lifter (SE 1-3)", "Lifter (SE 2-3)"]}, "there are 1 copies of it"),
        ({"set": "core", "scenario": 1}, "scenario=1: the set 'core' has no campaign"),
        ({"format": "nemesis_beast"}, "the set 'rise_of_empire' has none of the factions"),
    ],
)
def test_impossible_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        stardeck.make("star_realms", **{"set": "rise_of_empire"} | settings)


@pytest.mark.parametrize(
    ("campaign", "message"),
    [
        ({"scenario": 13}, "scenario: 13: must be a whole number from 1 to 12"),
        ({"scenario": 1, "first": "blob"}, "first: 'blob': must be one of star_empire, trade_federation"),
        ({"scenario": 1, "victory_points": {"star_empire": -1}}, "victory_points: star_empire: -1"),
        ({"scenario": 1, "won": []}, "campaign: 'won' is not known"),
        ({"scenario": True}, "scenario: True: must be a whole number from 1 to 12"),
        ({"scenario": 1, "victory_points": [1, 2]}, r"victory_points: \[1, 2\]: must be a mapping"),
        ({"scenario": 1, "turns_before": "x"}, "turns_before: 'x': must be a whole number from 0"),
        ({"scenario": 1, "over": True}, "over: True: it is False by scenario and victory points"),
        ({"winner": "star_empire"}, "winner: 'star_empire': it is None by scenario and victory points"),
        ({"scenario": 1, "upgraded": ["Lifter (SE 1-3)", "Hunter (SE 1-3)"]}, "the sticker SE 1-3 is used twice"),
        ({"scenario": 1, "upgraded": ["Lifter (SE 1-3)", "Lifter (SE 2-3)"]}, "there are 1 copies of it"),
        ({"scenario": 1, "upgraded": ["Lifter"]}, "'Lifter': must be a card with a sticker that fits it"),
        ({"scenario": 1, "upgraded": "Lifter"}, "upgraded: 'Lifter': must be a list of cards"),
        ({"scenario": 1, "upgraded": ["Lifter (SE 2-3)"]}, "SE 2-3: scenario 1 comes before sheet 2"),
        ({"scenario": 2, "won_by": ["star_empire"] * 2}, "must be a list of at most 1 sides"),
        ({"scenario": 1, "victory_points": {"star_empire": 231}}, "must be a whole number from 0 to 230"),
    ],
)
def test_malformed_campaigns_are_named(campaign, message):
    with pytest.raises(ValueError, match=message):
        game_of(CAMPAIGN).from_position({"campaign": campaign})


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"campaign": {"scenario": 1}, "seed": -1}, "seed: -1: must be a whole number from 0"),
        ({"campaign": {"scenario": 1}, "seed": 1.5}, "seed: 1.5: must be a whole number from 0"),
        ({"campaign": {"scenario": 1}, "upgraded": []}, "'upgraded' is not known"),
        ({"campaign": {"scenario": 1}, "trade_row": ["Lifter"]}, "'trade_row' is not known"),
        ({"campaign": {"scenario": 1}, "players": {}, "seed": 4}, "'seed' is not known"),
        ({"players": {}}, "campaign: scenario: is missing"),
        ({"placement": {"player_0": 1, "player_1": 2}}, "placement: .* must be {'player_0': 1, 'player_1': 1}"),
    ],
)
def test_positions_say_all_and_nothing_beside(position, message):
    with pytest.raises(ValueError, match=message):
        game_of(CAMPAIGN).from_position(position)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"pending": [{"decision": "modifier", "seat": "player_0", "owner": "player_0"}]}, "modifier: is never asked"),
        ({"pending": [{"decision": "fill_up", "seat": "player_0", "owner": "player_0"}]}, "fill_up: is never asked"),
        (
            {"players": {"player_0": {"authority": 50, "sheets": {1: 3}}}},
            "sheets: 3: must be a list of rows of sheet 1",
        ),
        ({"players": {"player_0": {"authority": 50, "latched": 3}}}, "latched: 3: must be a list of factions"),
        ({"trade_deck": ["Lifter (SE 1-3)", "Lifter (SE 2-3)"]}, "there are 1 copies of it"),
    ],
)
def test_malformed_positions_of_a_scenario_are_named(more, message):
    players = {"player_0": {"authority": 50}, "player_1": {"authority": 50}}
    with pytest.raises(ValueError, match=message):
        game_of(SCENARIO).from_position({"players": players} | more)


TABLES = Path(stardeck.__file__).parent / "kernels" / "star_realms" / "cards"
PRINTED_CAMPAIGN = (TABLES / "campaign.toml").read_text()


def with_a_table_of_its_own(folder, old="", new="", more=""):
    """Write a card table that equals the printed one except for one text in a campaign."""
    assert old in PRINTED_CAMPAIGN
    scout = '{ name = "Scout", kind = "ship", cost = 0, copies = 0, primary = ["trade 1"] }'
    (folder / "mine.toml").write_text(f'like = "rise_of_empire"\ncampaign = "campaign.toml"\ncards = [{scout}]\n{more}')
    (folder / "campaign.toml").write_text(PRINTED_CAMPAIGN.replace(old, new, 1))
    return str(folder / "mine.toml")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "star_empire"', 'name = "blob"', "sides: must be two factions of consortium"),
        ('name = "star_empire", short', 'name = "kingdom", short', "kingdom and trade_federation need a personal deck"),
        ('short = "SE"', 'shrt = "SE"', "'shrt' is not known; a row has name, short"),
        ("{ ship = 2, base = 3 }", "{ ship = 2 }", "upgrade_cost = {'ship': 2}: must give numbers for ship and base"),
        ("upgrades_in_all", "upgrades", "'upgrades' is not known; a row has reconstructed"),
        ("stickers = [", "stickers = [5,", "sticker 1: 5: must be a table of keys and values"),
        ("choices = [{ upgrade_cost = { ship = -1 } }", "choices = [3", "3: must be a table of keys and values"),
        ('bonus_card = "Viper"', "bonus_card = []", r"bonus_card = \[\] is not a card of this set"),
        ('"The Blob"', "5", "blob: name = 5: must be a text"),
        ("combat_per_turn = 1", "combat_per_turn = -1", "blob: combat_per_turn = -1: must be a whole number from 0"),
        ("points = 4", "points = 240", "261 victory points in all: at most 255"),
    ],
)
def test_a_malformed_campaign_table_is_named(tmp_path, old, new, message):
    with pytest.raises(TableError, match=message):
        stardeck.make("star_realms", set=with_a_table_of_its_own(tmp_path, old, new), scenario=1)


TO_DECK = "put 1 from discard on deck"  # no card of the set has this text


@pytest.mark.parametrize(
    ("scenario", "old", "new", "moves"),
    [
        (1, 'ally = ["combat 2"]', f'and = ["{TO_DECK}"]', ["play Digger (SE 1-2)"]),
        (7, "scrap up to 1 from trade row then combat 1 each", TO_DECK, ["end turn"]),
    ],
)
def test_stickers_and_scenarios_may_do_what_no_card_does(tmp_path, scenario, old, new, moves):
    game = stardeck.make("star_realms", set=with_a_table_of_its_own(tmp_path, old, new), scenario=scenario)
    players = {
        "player_0": {"authority": 50, "hand": ["Digger (SE 1-2)"], "discard": ["Scout", "Viper"]},
        "player_1": {"authority": 50, "discard": ["Scout", "Viper"]},
    }
    states = game.from_position({"players": players})
    for move in moves:
        game.play(states, move)
    assert game.moves(states[0]) == ["put Scout on deck", "put Viper on deck"]


def test_sides_are_those_of_the_table(tmp_path):
    decks = '[personal_decks]\nkingdom = ["Scout x8", "Viper x2"]\ntrade_federation = ["Scout x8", "Viper x2"]\n'
    table = with_a_table_of_its_own(tmp_path, more=decks)
    text = (tmp_path / "campaign.toml").read_text().replace("star_empire", "kingdom")
    (tmp_path / "campaign.toml").write_text(text)
    assert stardeck.make("star_realms", set=table, scenario=1).settings["sides"] == ["kingdom", "trade_federation"]
    assert stardeck.make("rise_of_empire", set=table).variant.campaign.sides == ("kingdom", "trade_federation")
    with pytest.raises(ValueError, match="has no campaign; its card table must name one"):
        stardeck.make("rise_of_empire", set=TABLES / "core.toml")


def test_the_campaign_is_a_reconstruction_and_says_so():
    card_set = load_cards("rise_of_empire")
    campaign = load_campaign(card_set)
    assert campaign.reconstructed and card_set.reconstructed
    assert sum(card.copies for card in card_set.cards) == 60
    assert len(campaign.slots) == 40 and sum(scenario.points for scenario in campaign.scenarios) == 25
    both = load_cards("rise_of_empire", ("trade_deck", "post_campaign"))
    assert sum(card.copies for card in both.cards) == 84
