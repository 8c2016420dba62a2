"""Agents that may not do something: what they never do, what they do instead, and that nothing else changes."""

import pickle

import numpy as np
import pytest

import stardeck
from helpers import JIT, PROGRAMS, entry_of_example, game_of
from stardeck import agents
from stardeck.agents.restricted import RestrictedAgent, Restriction, restrictions_of
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.design.restricted.games import RestrictedSeries, restricted_series
from stardeck.game.agent import decisions
from stardeck.game.registry import GAMES
from stardeck.kernels.star_realms.rules import Act

DUEL, EMPIRE = "star_realms/core/standard/2", "interstellar_empire/2"


def named(game, name):
    """Return the restriction of this name."""
    return next(one for one in restrictions_of(game) if one.name == name)


class Last:
    """An agent in Python that takes the last action of its mask, or of all legal ones if it is stubborn."""

    name = "last"

    def __init__(self, stubborn=False):
        self.stubborn = stubborn

    def act(self, game, states, masks, seeds):
        masks = game.legal_actions(states) if self.stubborn else masks
        return (masks * np.arange(1, game.num_actions + 1)).argmax(axis=1)


def forbidden_taken(game, agent, restriction, games=24):
    """Play games of an agent; return how often it took a forbidden action though others were legal, and decisions."""
    series = Series(game, [agent], 3)
    seeds = series.deals(np.arange(games))[1]
    states, wrong, count = game.deal(seeds), 0, 0
    while len(running := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, running)
        masks = game.legal_actions(some)
        chance = series.decision_seeds(seeds[running], game.to_act(some), some)
        actions = decisions(agent, game, some, chance)
        allowed = restriction.allowed(masks)
        wrong += int((allowed[np.arange(len(some)), actions] == 0).sum())
        count += len(some)
        game.apply(some, actions)
        game.put(states, running, some)
    return wrong, count


@pytest.mark.skipif(not JIT, reason="whole games take minutes uncompiled")
@pytest.mark.parametrize("variant", [name for name in PROGRAMS if "rise_of_empire" not in name])
def test_no_agent_takes_what_it_may_not_take(variant):
    game = game_of(variant)
    listed = restrictions_of(game)
    assert len({one.name for one in listed}) == len(listed) > 20
    plays = ["rules", "simple", "random", "ppo"]
    for number, restriction in enumerate(listed[:: max(1, len(listed) // 12)] + listed[-1:]):
        agent = agents.get(plays[number % len(plays)], game)
        limited = RestrictedAgent(agent, restriction)
        wrong, count = forbidden_taken(game, limited, restriction, 12)
        assert wrong == 0 and limited.counted["decisions"][0] == count, (agent, restriction.label)
    free, _ = forbidden_taken(game, agents.get("rules", game), listed[-1])
    assert free > 0


@pytest.mark.parametrize("stubborn", [False, True])
def test_agents_in_python_obey_too(stubborn):
    game = game_of(EMPIRE)
    restriction = named(game, "never_explores_planets")
    limited = RestrictedAgent(Last(stubborn), restriction)
    wrong, count = forbidden_taken(game, limited, restriction, 6)
    assert wrong == 0 and limited.counted["decisions"][0] == count > limited.counted["offered"][0] > 0


def position(**sides):
    """Return a game of the core set in a position: a row of cheap ships, and what is given."""
    game = game_of(DUEL)
    row = sides.pop("trade_row", ["Blob Fighter", "Cutter", "Imperial Fighter", "Trade Pod", "Survey Ship"])
    players = {"player_0": {"authority": 50} | sides, "player_1": {"authority": 50} | sides.pop("opponent", {})}
    players["player_0"].pop("opponent", None)
    return game, game.from_position({"turn": "player_0", "players": players, "trade_row": row, "explorers": 5})


def words_of(game, agent, states):
    """Return the action of an agent in words."""
    return game.describe(states, int(decisions(agent, game, states, np.zeros(1, np.uint64))[0]))


def test_a_buyer_takes_the_second_best_by_its_own_values():
    game, states = position(trade=2)
    rules = agents.get("rules", game)
    order = []
    forbidden = ()
    for _ in range(3):
        restriction = Restriction("x", "x", "card", forbidden or (0,), (0,) if not forbidden else ())
        order.append(words_of(game, RestrictedAgent(rules, restriction), states))
        card = order[-1].removeprefix("buy ")
        forbidden += named(game, f"never_{card.lower().replace(' ', '_')}").forbidden
    assert order[0] == words_of(game, rules, states) and len(set(order)) == 3
    assert all(text.startswith("buy ") for text in order)
    without = [card for card in ("Blob Fighter", "Cutter", "Imperial Fighter", "Trade Pod", "Survey Ship")
               if f"buy {card}" != order[0]]  # fmt: skip
    assert order[1] == words_of(game, rules, position(trade=2, trade_row=without)[1])


def test_who_never_attacks_bases_attacks_the_player():
    limited = RestrictedAgent(agents.get("rules", game_of(DUEL)), named(game_of(DUEL), "never_attacks_bases"))
    game, states = position(combat=9, opponent={"in_play": [{"card": "The Hive"}]})
    assert words_of(game, limited.agent, states).startswith("attack The Hive")
    assert words_of(game, limited, states) == "attack player_1 with all"
    game, states = position(combat=9, opponent={"in_play": [{"card": "Trading Post"}]})
    assert words_of(game, limited, states) == "end turn"  # an outpost leaves nothing to attack


def test_who_must_buy_buys_what_nobody_wants():
    dear = ["Brain World", "Mech World", "Blob World", "Dreadnaught", "Command Ship"]
    game, late = position(trade=2, trade_row=dear)
    must = named(game, "must_buy")
    rules = agents.get("rules", game)
    late["turn"] = 41
    assert words_of(game, rules, late) == "end turn"
    assert words_of(game, RestrictedAgent(rules, must), late) == "buy Explorer"
    assert must.allowed(game.legal_actions(late)).sum() < game.legal_actions(late).sum()


def test_a_restriction_gives_way_where_nothing_else_is_legal():
    game = game_of(EMPIRE)
    everything = Restriction("all", "never does anything", "action", tuple(range(game.num_actions)))
    rules = agents.get("rules", game)
    limited = RestrictedAgent(rules, everything)
    states = game.deal(np.arange(20))
    seeds = np.zeros(20, np.uint64)
    masks = game.legal_actions(states)
    assert limited.act(game, states, masks, seeds).tolist() == rules.act(game, states, masks, seeds).tolist()
    assert limited.counted["gave_way"][0] == limited.counted["offered"][0] == 20


def test_a_restricted_agent_is_an_ordinary_agent():
    game = game_of(EMPIRE)
    never, other = named(game, "never_attacks"), named(game, "never_builds_ships")
    rules = agents.get("rules", game)
    limited = RestrictedAgent(rules, never)
    assert limited.name == "rules that never attacks" and limited.thread_safe and isinstance(limited, stardeck.Agent)
    assert limited.identity != RestrictedAgent(rules, other).identity != rules.name
    copy = pickle.loads(pickle.dumps(limited))
    chunks = [Series(game, [one, "rules"], 5).play(0, 20) for one in (limited, copy)]
    assert chunks[0].decisions.tolist() == chunks[1].decisions.tolist()
    assert chunks[0].decisions.tolist() != Series(game, ["rules"], 5).play(0, 20).decisions.tolist()
    with pytest.raises(ValueError, match="restriction 'far': action 99999: interstellar_empire/2 has"):
        RestrictedAgent(rules, Restriction("far", "", "card", (99_999,))).check(game)
    with pytest.raises(ValueError, match="forbids nothing"):
        RestrictedAgent(rules, Restriction("none", "", "card", ())).check(game)


def test_the_compiled_loop_and_single_decisions_play_the_same_games():
    game = game_of(EMPIRE)
    for name in ("rules", "ppo"):
        series = restricted_series(game, RestrictedAgent(agents.get(name, game), named(game, "never_attacks")), 7)
        assert series.in_loops
        inside = series.play(0, 12)[2]
        series.in_loops = False
        outside = series.play(0, 12)[2]
        assert inside["effect"].tolist() == outside["effect"].tolist()
        assert inside["counted"].sum(axis=0).tolist() == outside["counted"].sum(axis=0).tolist()
        copy = pickle.loads(pickle.dumps(series))
        assert copy.in_loops or name != "rules"


def test_games_in_which_nothing_was_forbidden_cancel():
    for variant in (EMPIRE, "interstellar_empire/3"):
        game = game_of(variant)
        never = Restriction("x", "x", "card", (0,), (game.num_actions - 1,))
        quiet = RestrictedSeries(game, agents.get("rules", game), agents.get("rules", game), 1)
        assert quiet.play(0, 4)[2]["effect"] == pytest.approx([0] * 4)
        loops = restricted_series(game, RestrictedAgent(agents.get("rules", game), never), 1).play(0, 20)[2]
        untouched = loops["counted"][:, 1] == 0
        assert untouched.any() and loops["effect"][untouched] == pytest.approx([0] * untouched.sum())


def test_a_search_takes_the_allowed_action_that_it_recommends_most():
    game = game_of(EMPIRE)
    restriction = named(game, "never_builds_ships")
    search = agents.get("search:8:prior=rules", game)
    wrong, _ = forbidden_taken(game, RestrictedAgent(search, restriction), restriction, 2)
    assert wrong == 0 and search.prior.name == "rules"


def test_a_game_from_outside_has_restrictions_by_block_and_card(monkeypatch):
    entry = entry_of_example()
    monkeypatch.setattr(GAMES, "_entries", GAMES._entries | {"beacons": entry})
    game = stardeck.make("beacons")
    listed = restrictions_of(game)
    assert [one.label for one in listed] == [f'never does "send ship {number}"' for number in range(1, 10)]
    limited = RestrictedAgent(agents.get("random", game), listed[8])
    wrong, _ = forbidden_taken(game, limited, listed[8])
    assert wrong == 0 and limited.counted["gave_way"][0] > 0


def test_upgraded_cards_of_a_campaign_have_restrictions_too():
    for variant in ("star_realms/rise_of_empire/standard/2/scenario=1", "rise_of_empire/2"):
        listed = restrictions_of(game_of(variant))
        assert {"never_upgrades_cards", "must_buy", "never_bases"} <= {one.name for one in listed}


def test_what_star_realms_forbids():
    game = game_of(DUEL)
    ram = named(game, "never_ram")
    acts = {game.variant.actions[number].act for number in ram.forbidden}
    assert acts == {Act.BUY, Act.BUY_TO_DECK, Act.ACQUIRE} and ram.label == "never buys Ram"
    assert not any(one.name == "never_scout" for one in restrictions_of(game))  # nobody sells Scouts
    blob = named(game, "never_faction_blob")
    assert set(ram.forbidden) < set(blob.forbidden) and named(game, "must_buy").condition
