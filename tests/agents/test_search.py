"""Search: legal, deterministic, blind to information hidden from its seat, and stronger than its prior policy."""

import numpy as np
import pytest

from helpers import FEW, KINDS, VARIANTS, Plain, a_network, deep_states, game_of, random_steps, scaled, thorough
from stardeck import agents
from stardeck.agents.networks.agent import Network, NetworkAgent
from stardeck.agents.search import batch, evaluation, prior, root, tree
from stardeck.agents.search.agent import SearchAgent
from stardeck.agents.search.batch import MOST
from stardeck.agents.search.belief import believe, draw_hidden
from stardeck.agents.search.information_sets import no_sights, node_of_sight
from stardeck.benchmarks.arena.series import Series
from stardeck.kernels.compile.jit import entry
from stardeck.kernels.errors import IllegalAction
from stardeck.kernels.verbs import legal_actions

CORE = VARIANTS[0]


def decide(agent, game, states, seed=7):
    seeds = np.arange(len(states), dtype=np.uint64) + np.uint64(seed)
    return agent.act(game, states, game.legal_actions(states), seeds)


@pytest.mark.once
def test_a_search_by_the_clock_has_an_answer_for_every_position_of_many_games():
    """Each new plan compares all actions again, so that the most tried one may be no longer considered at the end."""
    series = Series(game_of(CORE), [agents.get("search:1ms:prior=rules", game_of(CORE))], seed=0)
    assert series.play(0, 20).winners.any(axis=1).all()


@pytest.mark.parametrize("variant", scaled(VARIANTS, FEW))
def test_search_answers_legally_and_leaves_the_states_alone(variant):
    game = game_of(variant)
    states = deep_states(game, games=scaled(thorough(2, 1), 2), steps=scaled(120, 6), every=scaled(20, 3))
    before = states.tobytes()
    actions = decide(agents.get(f"search:{scaled(12, 2)}", game), game, states)
    assert states.tobytes() == before
    assert game.legal_actions(states)[np.arange(len(states)), actions].all()


@pytest.mark.once
@pytest.mark.parametrize(
    "variant",
    [
        "star_realms/core/standard/2",
        "star_realms/rise_of_empire/standard/2/scenario=1",
        "interstellar_empire/2",
        "empire_of_the_stars/2/powers",
    ],
)
def test_search_does_not_see_what_is_hidden_and_repeats_itself(variant):
    game = game_of(variant)
    agent = agents.get("search:40", game)
    states = deep_states(game, games=3, steps=80, every=4)
    seats = game.to_act(states)
    again = game.resample_hidden(states, seats, np.arange(len(states), dtype=np.uint64))
    assert (decide(agent, game, states) == decide(agent, game, states)).all()
    assert (decide(agent, game, states) == decide(agent, game, again)).all()
    alone = [decide(agent, game, states[k : k + 1], 7 + k)[0] for k in range(len(states))]
    assert decide(agent, game, states).tolist() == alone


def test_search_wins_this_turn_when_it_can():
    game = game_of(CORE)
    players = {
        "player_0": {"authority": 1, "combat": 6, "trade": 8, "deck": ["Scout x9"]},
        "player_1": {"authority": 6, "hand": ["Viper x5"], "deck": ["Viper x9"]},
    }
    states = game.from_position({"trade_row": ["Cutter", "Ram"], "players": players})
    agent = agents.get(f"search:{scaled(200, 30)}", game)
    while not game.is_over(states)[0]:
        assert game.to_act(states)[0] == 0
        game.apply(states, decide(agent, game, states))
    assert game.returns(states)[0].tolist() == [1.0, -1.0]


@pytest.mark.once
@pytest.mark.parametrize(("variant", "opponent"), [(CORE, "simple"), ("interstellar_empire/2", "simple")])
def test_search_is_stronger_than_simple(variant, opponent):
    games = thorough(60, 30)
    agent = agents.get("search:60", game_of(variant))
    series = Series(game_of(variant), [agent, opponent], seed=3)
    chunk = series.play(0, games)
    mine = np.array([[seated is agent for seated in lineup] for lineup in series.lineups])[chunk.rotations]
    assert (chunk.winners & mine).any(axis=1).sum() >= 2 * games / 3  # 44 to 60 of 60 are within four standard errors


@entry
def returns_all(search, states, returns):
    for i in range(len(states)):
        for seat in range(returns.shape[1]):
            returns[i, seat] = evaluation.return_of(search[0], states[i], seat)


@pytest.mark.once
@pytest.mark.parametrize("variant", KINDS)
def test_search_counts_returns_as_the_game_does(variant):
    game = game_of(variant)
    ended = [s[game.is_over(s)] for s in finished(game)]
    states = np.concatenate(ended)
    returns = np.empty((len(states), game.players))
    _, search = agents.get("search:1", game).settings(game)
    returns_all(search, states, returns)
    decided = game.winners(states).any(axis=1) | (len(game.variant.sides) == 1)
    assert len(states)
    assert np.allclose(returns[decided], game.returns(states)[decided])
    assert not returns[game.truncated(states)].any()


def finished(game):
    """Return the last states of a few games of `simple`."""
    states = game.deal(np.arange(20))
    agent = agents.get("simple")
    while not game.is_over(states).all():
        rows = np.flatnonzero(~game.is_over(states))
        running = np.ascontiguousarray(states[rows])
        game.apply(running, agent.act(game, running, None, np.arange(len(rows), dtype=np.uint64)))
        states[rows] = running
    yield states


@pytest.mark.once
def test_search_takes_networks_as_guide_player_and_judge():
    game = game_of(CORE)
    network, rules = NetworkAgent(a_network(game), "net"), agents.get("rules")
    states = next(iter(random_steps(game, 3, 1)))
    for roles in (
        {"prior": network, "rollout_turns": 0},
        {"player": network},
        {"value": network},
        {"value": network, "rollout_turns": 2},
    ):
        agent = SearchAgent(20, **({"prior": rules, "player": rules} | roles))
        actions = decide(agent, game, states)
        assert game.legal_actions(states)[np.arange(3), actions].all()
        assert agent.simulated >= 3 * 20


@pytest.mark.once
@pytest.mark.parametrize("variant", ["interstellar_empire/2", CORE])
def test_a_guide_that_is_not_compiled_leads_to_the_same_choices(variant):
    game = game_of(variant)
    states = deep_states(game, games=4, steps=30, every=10)
    rules = agents.get("rules")
    inside, outside = (SearchAgent(50, prior=guide, player=rules) for guide in (rules, Plain(rules)))
    assert (decide(inside, game, states) == decide(outside, game, states)).all()
    assert inside.thread_safe and not outside.thread_safe and inside.identity != outside.identity


@pytest.mark.once
def test_the_network_that_guides_is_player_and_judge_unless_others_are_named():
    game = game_of(CORE)
    states = deep_states(game, games=4, steps=60, every=20)
    network, rules = NetworkAgent(a_network(game), "net"), agents.get("rules")
    seeds = np.arange(len(states), dtype=np.uint64)
    named, alone, other = (
        SearchAgent(20, prior=network, **roles)
        for roles in ({"player": network, "value": network}, {}, {"player": rules})
    )
    thoughts = [agent.think(game, states, seeds) for agent in (named, alone, other)]
    assert (thoughts[0].policy == thoughts[1].policy).all() and (thoughts[0].chosen == thoughts[1].chosen).all()
    assert named.simulated == alone.simulated != other.simulated


@pytest.mark.once
def test_simulations_break_off_where_the_judge_is_asked():
    game = game_of(CORE)
    states = deep_states(game, games=4, steps=60, every=20)
    network = NetworkAgent(a_network(game), "net")
    simulated = []
    for turns in (1, 3, np.inf):
        agent = SearchAgent(20, prior=network, rollout_turns=turns)
        decide(agent, game, states)
        simulated.append(agent.simulated)
    assert simulated == sorted(simulated) and len(set(simulated)) == 3


@pytest.mark.parametrize(
    ("variant", "turns", "judged"),
    [
        (CORE, 1, False),
        (CORE, 2, True),
        ("star_realms/box/free_for_all/3", 3, False),
        ("star_realms/box/nemesis_beast/2/veteran", 2, False),
        ("interstellar_empire/2", 3, False),
        ("interstellar_empire/2", 3, True),
        ("interstellar_empire/4", 4, False),
    ],
)
def test_the_judge_is_asked_when_all_have_moved(variant, turns, judged):
    game = game_of(variant)
    guide = NetworkAgent(a_network(game, judged=judged), "net")
    for given, expected in ((None, turns), (2, 2), (np.inf, MOST)):
        assert SearchAgent(20, prior=guide, rollout_turns=given).settings(game)[1]["turns"][0] == expected


@pytest.mark.once
def test_the_judge_of_a_network_is_asked_by_the_searches_that_it_guides_or_judges():
    game = game_of(CORE)
    alone, judged = (NetworkAgent(a_network(game, judged=judged), "net") for judged in (False, True))
    states = deep_states(game, games=4, steps=60, every=20)
    seeds = np.arange(len(states), dtype=np.uint64)

    def means(**agents):
        return SearchAgent(10, rollout_turns=1, **agents).think(game, states, seeds).found["mean"]

    assert np.array_equal(means(prior=judged), means(prior=alone, value=judged), equal_nan=True)
    assert not np.array_equal(means(prior=judged), means(prior=alone), equal_nan=True)


@pytest.mark.parametrize(
    ("variant", "certainty"),
    [
        (CORE, 4),
        ("star_realms/box/free_for_all/3", 4),
        ("star_realms/box/two_headed_hydra/4", 1),
        ("star_realms/box/nemesis_beast/1/veteran", 4),
        ("star_realms/box/pirates_of_the_dark_star/2/veteran", 1),
    ],
)
def test_returns_count_for_less_in_teams(variant, certainty):
    game = game_of(variant)
    for given, expected in ((None, certainty), (2.5, 2.5)):
        search = SearchAgent(20, prior=agents.get("rules", game), certainty=given).settings(game)[1]
        assert search["certainty"][0] == expected


def test_a_forced_decision_costs_nothing():
    game = game_of(CORE)
    players = {f"player_{seat}": {"authority": 50, "deck": ["Scout x9"]} for seat in range(2)}
    states = game.from_position({"trade_row": ["Cutter", "Ram"], "players": players})
    assert game.legal_actions(states).sum() == 1
    agent = agents.get("search:30", game)
    thoughts = agent.think(game, states, np.array([1], np.uint64))
    assert agent.simulated == 0 and thoughts.forced.tolist() == [True]
    assert thoughts.policy.tolist() == [1.0] and np.isnan(thoughts.values[0])
    assert (
        thoughts.chosen.tolist() == thoughts.actions.tolist() == np.flatnonzero(game.legal_actions(states)[0]).tolist()
    )


@pytest.mark.once
@pytest.mark.parametrize("variant", scaled(["star_realms/box/free_for_all/3", CORE], [CORE]))
def test_thoughts_are_policies_over_the_legal_actions(variant):
    game = game_of(variant)
    states = deep_states(game, games=scaled(6, 2), steps=scaled(120, 6), every=scaled(15, 3))
    agent = agents.get(f"search:{scaled(20, 3)}", game)
    seeds = np.arange(len(states), dtype=np.uint64)
    thoughts = agent.think(game, states, seeds)
    masks = game.legal_actions(states)
    rows, actions = np.nonzero(masks)
    assert (thoughts.actions == actions).all() and (np.diff(thoughts.offsets) == masks.sum(axis=1)).all()
    assert np.allclose(np.add.reduceat(thoughts.policy, thoughts.offsets[:-1]), 1, atol=1e-5)
    assert (thoughts.policy >= 0).all()
    assert (thoughts.forced == (masks.sum(axis=1) == 1)).all()
    assert (np.isnan(thoughts.values) == thoughts.forced).all()
    assert (np.abs(thoughts.values[~thoughts.forced]) <= 1).all()
    assert (thoughts.chosen == agent.act(game, states, masks, seeds)).all()


@pytest.mark.once
def test_a_tree_without_room_for_more_still_answers(monkeypatch):
    game = game_of(CORE)
    states = deep_states(game, games=4, steps=60, every=20)
    monkeypatch.setattr(batch, "BRANCHES", 0)
    monkeypatch.setattr(batch, "ACTION_LIMIT", 1 + int(game.legal_actions(states).sum(axis=1).max()))
    actions = decide(agents.get("search:30", game), game, states)
    assert game.legal_actions(states)[np.arange(len(states)), actions].all()


@entry
def a_policy(rules, states, legal, weights, shape, temperature, policy):
    legal_actions(rules[0], states[0], legal)
    prior.policy_of(rules[0], states[0], legal, weights, shape, temperature, policy)


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_the_prior_of_a_network_is_its_policy(temperature):
    game = game_of("interstellar_empire/2")
    network = a_network(game)
    states = deep_states(game, games=1, steps=scaled(40, 4))[-1:]
    legal = np.flatnonzero(game.legal_actions(states)[0])
    policy = np.zeros(len(legal))
    a_policy(game.rules, states, np.zeros(game.words, np.uint64), network.weights, network.shape, temperature, policy)
    hidden = game.observe(states)[0].astype(np.float64)
    for matrix, bias in network.layers:
        hidden = np.maximum(hidden @ matrix + bias, 0)
    logits = (hidden @ network.policy[0] + network.policy[1])[legal] / temperature
    expected = np.exp(logits - logits.max())
    assert np.allclose(policy, expected / expected.sum(), atol=1e-4)


@entry
def pull(nodes, searches, priors, returns, spread, alike, simulations, found):
    """Search a root where every second simulation of an action returns more and the others less, by the spread.

    alike: use the same deals for all actions, otherwise alternate.
    """
    search = searches[0]
    search.nodes = 1
    nodes[0].child = 0
    for action in range(len(priors)):
        tree.add_child(nodes, search, 0, action, 0, priors[action])
    root.plan(nodes, search, 16 if search.timed else simulations)
    for _ in range(simulations):
        child = root.next_at_root(nodes, search)
        sign = 1 - 2 * ((nodes[child].visits + (0 if alike else nodes[child].action)) % 2)
        gained = returns[nodes[child].action] + sign * spread
        tree.note_return(search, np.int64(nodes[child].visits), gained)
        nodes[child].visits += 1
        nodes[child].total += gained
        search.simulated += 1
    return root.best_at_root(nodes, search), root.improved_policy(nodes, search, found)


def bandit(priors, returns, simulations=64, candidates=8, certainty=0.3, timed=0, spread=0.0, alike=False, judge=0):
    """Return the chosen action, the root's value, the policy, and the visit counts."""
    search, nodes = np.zeros(1, tree.SEARCH), np.zeros(len(priors) + 1, tree.NODE)
    search[0]["candidates"], search[0]["certainty"], search[0]["timed"] = candidates, certainty, timed
    search[0]["judge"] = judge
    found = np.zeros(len(priors), root.FOUND)
    best, value = pull(nodes, search, np.array(priors), np.array(returns), spread, alike, simulations, found)
    visits = nodes["visits"][1:].tolist()
    assert found["tries"].tolist() == visits and np.allclose(found["prior"], priors)
    assert np.allclose(found["mean"], np.where(found["tries"], returns, np.nan), equal_nan=True)
    return best, value, found["policy"], visits


def weight_of(certainty, visits, squares=0.0, usual=root.USUAL_VARIANCE):
    """Return the weight of a mean return relative to a log prior. squares: variance unexplained by action and deal."""
    free = sum(visits) - sum(map(bool, visits)) - (max(visits) - 1)
    variance = (squares + root.BEFORE * usual) / (root.BEFORE + free)
    return 1 / (1 / (certainty * root.MOST_WEIGHT) + variance / (root.DRAWN * max(visits)))


def test_actions_that_the_guide_likes_are_halved_until_two_are_left():
    best, _, _, visits = bandit(
        [0.3, 0.25, 0.2, 0.1, 0.1, 0.05], [0.0, 0.1, 0.5, 0.4, 0.9, 0.9], candidates=4, certainty=1
    )
    assert visits == [8, 8, 24, 24, 0, 0] and best == 2


@pytest.mark.parametrize("timed", [0, 1])
@pytest.mark.parametrize("simulations", [1, 5, 64, 200])
def test_whatever_the_budget_it_is_used_up_and_the_best_is_found(simulations, timed):
    priors, returns = [0.2, 0.5, 0.3], [0.8, -0.5, 0.1]
    best, _, _, visits = bandit(priors, returns, simulations, timed=timed)
    assert sum(visits) == simulations
    assert best == (0 if simulations > 3 else 1)


def test_the_improved_policy_is_the_prior_where_nothing_was_learnt_and_moves_to_what_returns_more():
    priors = [0.2, 0.5, 0.3]
    _, value, policy, _ = bandit(priors, [0.25, 0.25, 0.25])
    assert np.allclose(policy, priors) and np.isclose(value, 0.25)
    _, value, policy, visits = bandit(priors, [0.2, 0.0, 0.1], certainty=0.1)
    expected = np.array(priors) * np.exp(weight_of(0.1, visits) * np.array([0.2, 0.0, 0.1]))
    expected /= expected.sum()
    assert np.allclose(policy, expected) and np.isclose(value, expected @ [0.2, 0.0, 0.1])


def test_actions_that_were_not_tried_count_as_the_root_does():
    priors, returns = [0.6, 0.3, 0.1], np.array([0.5, -0.1, 0.9])
    _, value, policy, visits = bandit(priors, returns, candidates=2, certainty=0.1)
    assert visits[2] == 0
    means = np.array([0.5, -0.1, (0.6 * 0.5 - 0.3 * 0.1) / 0.9])
    expected = np.array(priors) * np.exp(weight_of(0.1, visits) * means)
    expected /= expected.sum()
    assert np.allclose(policy, expected) and np.isclose(value, expected @ means)


@pytest.mark.parametrize(("judge", "usual"), [(0, root.USUAL_VARIANCE), (tree.NOBODY, root.FULL_VARIANCE)])
def test_the_further_the_returns_of_an_action_lie_apart_the_less_its_mean_counts(judge, usual):
    priors, returns = [0.6, 0.4], np.array([-0.05, 0.05])
    for spread, alike in ((0.0, False), (0.3, False), (2.0, False), (2.0, True)):
        best, _, policy, visits = bandit(priors, returns, certainty=4, spread=spread, alike=alike, judge=judge)
        assert visits == [32, 32]
        weight = weight_of(4, visits, 0 if alike else sum(visits) * spread**2, usual)
        assert np.isclose(np.log(policy[1] / policy[0]), np.log(0.4 / 0.6) + weight * 0.1, rtol=1e-4)
        assert best == (0 if spread == 2 and not alike else 1)


def test_what_the_first_deals_did_is_enough_to_know_how_far_returns_lie_apart():
    priors, returns = [0.6, 0.4], np.array([-0.05, 0.05])
    _, _, policy, visits = bandit(priors, returns, simulations=1200, certainty=4, spread=0.5)
    noted = [tree.DEAL_LIMIT] * 2
    variance = (sum(noted) * 0.25 + root.BEFORE * root.USUAL_VARIANCE) / (root.BEFORE + tree.DEAL_LIMIT - 1)
    weight = 1 / (1 / (4 * root.MOST_WEIGHT) + variance / (root.DRAWN * 600))
    assert visits == [600, 600]
    assert np.isclose(np.log(policy[1] / policy[0]), np.log(0.4 / 0.6) + weight * 0.1, rtol=1e-4)


@pytest.mark.once
def test_a_guide_that_is_believed_wholly_leads_nowhere_else():
    """Actions the prior rules out stay unlikely; one is taken only if another deal leaves nothing else."""
    game, rules = game_of(CORE), agents.get("rules")
    states = deep_states(game, games=4, steps=60, every=15)
    actions = decide(agents.get("search:40:prior=rules:trust=1", game), game, states)
    assert game.legal_actions(states)[np.arange(len(states)), actions].all()
    assert (actions == decide(rules, game, states)).all()


@entry
def a_way_down(nodes, searches, legal):
    search = searches[0]
    search.nodes = 1
    for action in range(3):
        tree.add_child(nodes, search, 0, action, 0, 0.0)
    return tree.select(nodes, search, 0, legal, 0)


def test_there_is_a_way_down_where_no_action_is_likely():
    search, nodes = np.zeros(1, tree.SEARCH), np.zeros(4, tree.NODE)
    search[0]["exploration"], search[0]["first_play"] = 1.0, 0.2
    assert nodes[a_way_down(nodes, search, np.array([0b110], np.uint64))]["action"] in (1, 2)


def test_returns_that_count_nothing_leave_the_choice_to_the_guide():
    best, _, policy, _ = bandit([0.6, 0.4], [-1.0, 1.0], certainty=0)
    assert best == 0 and np.allclose(policy, [0.6, 0.4])


@pytest.mark.once
def test_only_with_open_cards_a_search_knows_what_is_hidden():
    """A search treats two deals that the seat cannot tell apart as one, unless it sees all cards."""
    game, rules = game_of(CORE), agents.get("rules")
    states = game.deal(range(20))
    others = game.resample_hidden(states, game.to_act(states), 1000)
    seeds = np.arange(20, dtype=np.uint64)

    def found(states, open_cards):
        return SearchAgent(20, prior=rules, open_cards=open_cards).think(game, states, seeds).found.tobytes()

    assert found(states, False) == found(others, False)
    assert found(states, True) != found(others, True)
    assert SearchAgent(20, prior=rules).identity != SearchAgent(20, prior=rules, open_cards=True).identity


def played(game, states, first, mine, others):
    """Return the results of games that begin this way for those to act: float64[n]. Own side plays `mine`."""
    sides = np.array(game.side_of)
    seats = game.to_act(states)
    states = game.copy(states)
    game.apply(states, first)
    while len(rows := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, rows)
        own = sides[game.to_act(some)] == sides[seats[rows]]
        actions = np.where(own, decide(mine, game, some), decide(others, game, some))
        game.apply(some, actions)
        game.put(states, rows, some)
    return game.returns(states)[np.arange(len(states)), seats]


@pytest.mark.once
@pytest.mark.parametrize(
    ("variant", "mine", "theirs"),
    [
        (CORE, "ppo", "expert"),
        ("star_realms/box/two_headed_hydra/4", "ppo", None),
        ("interstellar_empire/3", "expert", "ppo"),
        ("empire_of_the_stars/2/powers", "ppo", None),
    ],
)
def test_others_that_are_known_play_as_they_do(variant, mine, theirs):
    """With all cards open, the first simulation is the game that would be played."""
    game = game_of(variant)
    guide = agents.get(mine, game)
    others = agents.get(theirs, game) if theirs else NetworkAgent(a_network(game), "net")
    states = deep_states(game, games=4, steps=60, every=15)
    states = game.take(states, np.flatnonzero(game.legal_actions(states).sum(axis=1) > 1))
    first = decide(guide, game, states)

    def returned(**roles):
        search = SearchAgent(1, prior=guide, rollout_turns=np.inf, open_cards=True, **roles)
        found = search.think(game, states, np.arange(len(states), dtype=np.uint64)).found
        return found["mean"][found["tries"] > 0]

    assert len(states) > 3
    assert returned(opponents=others).tolist() == pytest.approx(played(game, states, first, guide, others))
    assert returned(opponents=guide).tolist() == returned().tolist()
    assert returned(opponents=others).tolist() != returned().tolist()


@pytest.mark.once
def test_who_is_known_is_not_in_the_tree(monkeypatch):
    game = game_of(CORE)
    guide = agents.get("ppo", game)
    seen = []
    search_rows = batch._BatchSearch.search_all_rows

    def looking(self, *arguments):
        search_rows(self, *arguments)
        tree = self._buffers.tree
        seen.append(set(tree["actor"][tree["visits"] > 0].tolist()))

    monkeypatch.setattr(batch._BatchSearch, "search_all_rows", looking)
    monkeypatch.setattr(batch.np, "empty", np.zeros)  # unused nodes then have no visits
    states = game.deal([5])
    for roles in ({}, {"opponents": agents.get("ppo-0.1", game)}):
        SearchAgent(200, prior=guide, rollout_turns=4, **roles).think(game, states, np.zeros(1, np.uint64))
    assert seen == [{0, 1}, {0}]


@entry
def nodes_of_sights(rules, states, trees, searches, sights):
    """Return the node of each row, one after the other."""
    found = np.empty(len(states), np.int64)
    for i in range(len(states)):
        found[i] = node_of_sight(rules[0], states[i], trees, searches[0], sights)
    return found


def nodes_of(game, states, sights, room=10_000, row=0, nodes=1):
    search = np.zeros(1, tree.SEARCH)
    search[0]["seen"], search[0]["row"], search[0]["nodes"] = game.observation_size, row, nodes
    return nodes_of_sights(game.rules, states, np.zeros(room, tree.NODE), search, sights).tolist()


@pytest.mark.parametrize("variant", ["interstellar_empire/3", CORE, "empire_of_the_stars/2/powers"])
def test_one_node_is_for_all_that_looks_alike(variant):
    game = game_of(variant)
    states = deep_states(game, games=6, steps=scaled(60, 12), every=2)
    again = game.resample_hidden(states, game.to_act(states), np.arange(len(states)))
    sights = no_sights(2 * len(states))
    found = nodes_of(game, np.concatenate([states, again, states]), sights)
    first, second, third = np.split(np.array(found), 3)
    assert (first == second).all() and (first == third).all()
    looks = {(seat, seen.tobytes()) for seat, seen in zip(game.to_act(states), game.observe(states), strict=True)}
    assert len(set(found)) == len(looks) == max(found)
    later = nodes_of(game, states, sights, row=1, nodes=max(found) + 1)
    assert set(later).isdisjoint(found)


def test_nodes_of_sights_end_with_the_room_for_them():
    game = game_of(CORE)
    states = deep_states(game, games=6, steps=scaled(60, 12), every=2)
    found = nodes_of(game, states, no_sights(len(states)), room=6)
    assert found[:5] == [1, 2, 3, 4, 5] and set(found[5:]) <= {-1, 1, 2, 3, 4, 5} and -1 in found
    few = nodes_of(game, states, no_sights(1))  # full tables forget old entries
    assert len(few) == len(states) and min(few) >= 1


@pytest.mark.once
@pytest.mark.parametrize("simulations", [1, 30])
def test_a_search_of_known_others_repeats_itself_in_every_batch(simulations):
    game = game_of("interstellar_empire/3")
    net = agents.get("expert", game)
    states = deep_states(game, games=4, steps=60, every=4)
    agent = SearchAgent(simulations, prior=net, opponents=net)
    together = decide(agent, game, states)
    alone = [decide(agent, game, states[k : k + 1], 7 + k)[0] for k in range(len(states))]
    assert together.tolist() == alone == decide(agent, game, states).tolist()
    again = game.resample_hidden(states, game.to_act(states), np.arange(len(states), dtype=np.uint64))
    assert decide(agent, game, again).tolist() == alone


@pytest.mark.once
def test_searches_that_know_others_are_told_apart():
    game = game_of(CORE)
    texts = ["", ":opponents=rules", ":opponents=ppo", ":opponents=expert", ":value=ppo", ":value=expert"]
    identities = {agents.get("search:12:prior=ppo:player=rules" + text, game).identity for text in texts}
    assert len(identities) == len(texts) - 1  # a guiding network is also the default judge


def believing(agent, game):
    """Return a network with the same decisions and an opponent-hand model of random weights."""
    net = agent.trained
    belief = a_network(game, believes=True).belief
    return NetworkAgent(Network(net.layers, net.policy, net.value, net.spaces, belief=belief), agent.name)


@pytest.mark.once
@pytest.mark.parametrize("players", [2, 3])
def test_a_belief_is_asked_by_searches_whose_others_hold_it_alone(players):
    game = game_of(f"interstellar_empire/{players}")
    net = agents.get("expert", game).trained
    plain = NetworkAgent(Network(net.layers, net.policy, net.value, net.spaces), "plain")
    taught = believing(plain, game)
    states = deep_states(game, games=4, steps=20, every=5)
    seeds = np.arange(len(states), dtype=np.uint64)

    def means(**options):
        return SearchAgent(10, **options).think(game, states, seeds).found["mean"]

    known = means(prior=plain, opponents=plain)
    assert not np.array_equal(means(prior=plain, opponents=taught), known, equal_nan=True)
    assert np.array_equal(means(prior=taught, player=taught, value=taught, opponents=plain), known, equal_nan=True)
    assert np.array_equal(means(prior=taught), means(prior=plain), equal_nan=True)
    opened = [means(prior=plain, opponents=others, open_cards=True) for others in (plain, taught)]
    assert np.array_equal(*opened, equal_nan=True)
    identities = {SearchAgent(10, prior=plain, opponents=others).identity for others in (None, plain, taught)}
    assert len(identities) == 3


@entry
def deals_of(rules, states, searches, networks, seeds):
    """Each row as a simulation of this seed would begin, in place; and the weights of each row."""
    told = np.zeros((len(states), tree.BELIEF_LIMIT))
    for i in range(len(states)):
        believe(rules[0], states[i], searches[0], networks)
        told[i] = searches[0].weights
        draw_hidden(rules[0], states[i], searches[0], np.int64(states[i].to_act), seeds[i])
    return told


@pytest.mark.once
@pytest.mark.parametrize("variant", ["interstellar_empire/3", "interstellar_empire/2/concede=true", CORE])
def test_deals_are_by_what_the_belief_says_of_what_the_searcher_sees(variant):
    game = game_of(variant)
    agent = NetworkAgent(a_network(game), "net")
    if game.belief_size:
        agent = believing(agent, game)
    states = deep_states(game, games=8, steps=60, every=4)
    seeds = np.arange(len(states), dtype=np.uint64)
    search = SearchAgent(10, prior=agent, opponents=agent)
    search.check(game)
    cast, settings = search.settings(game)
    dealt = game.copy(states)
    told = deals_of(game.rules, dealt, settings, cast.networks, seeds)
    if game.belief_size:
        seen = game.observe(states)
        for matrix, bias in agent.belief.layers:
            seen = np.maximum(seen @ matrix + bias, 0)
        expected = np.exp(np.clip(seen @ agent.belief.policy[0] + agent.belief.policy[1], -10, 10))
        assert np.allclose(told[:, : game.belief_size], expected, rtol=1e-3)
        assert len(np.unique(expected)) > 50
    for seat in range(game.players):
        mine = game.to_act(states) == seat
        assert (game.observe(dealt, seat)[mine] == game.observe(states, seat)[mine]).all()
    by_chance = game.resample_hidden(states, game.to_act(states), seeds)
    assert (dealt.tobytes() == by_chance.tobytes()) == (game.belief_size == 0)


@pytest.mark.once
def test_a_guide_that_answers_what_is_not_legal_is_named():
    game = game_of(CORE)
    guide = Plain(agents.get("random"))
    guide.act = lambda game, states, masks, seeds: masks.argmin(axis=1)
    with pytest.raises(IllegalAction, match="agent 'random': row 0"):
        decide(SearchAgent(5, prior=guide, player=agents.get("rules")), game, game.deal(1))


@pytest.mark.once
def test_a_budget_in_milliseconds():
    game = game_of(CORE)
    agent = agents.get("search:30ms", game)
    states = game.deal(5)
    assert game.legal_actions(states)[0, decide(agent, game, states)[0]]
    assert agent.simulated > 0 and agent.name == "search:30ms"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:", "must be search:N or search:Nms"),
        ("search:0", "simulations=0: must be from 1 to 1,000,000"),
        ("search:12:gide=rules", "must be search:N or search:Nms"),
        ("search:12:prior=nobody", "agent 'nobody': must be one of"),
        ("search:12:prior=search:5", "search: prior 'search:5': must be an agent that does not search itself"),
        ("search:12:player=mine.py:Agent", "agent 'mine.py:Agent': mine.py cannot be read"),
        ("search:12:value=rules", "search: value 'rules': must be a network"),
        ("search:12:opponents=search:5", "search: opponents 'search:5': must be a compiled agent or a network"),
        ("search:12:opponents=rules:reuse=1", "search: reuse: not together with opponents, whose play is known"),
        ("search:12:opponents=nobody", "agent 'nobody': must be one of"),
        ("search:12:trust=2", "trust=2.0: must be from 0 to 1"),
        ("search:12:trust=much", "trust=much: must be a number from 0 to 1"),
        ("search:12:rollout_turns=0.5", "rollout_turns=0.5: must be a whole number from 0 to 1,000,000"),
        ("search:12:rollout_turns=-1", "rollout_turns=-1.0: must be a whole number from 0"),
        ("search:12:candidates=0", "candidates=0.0: must be a whole number from 1"),
        ("search:12:temperature=0", "temperature=0.0: must be from 0.001 to 1,000"),
        ("search:12:certainty=nan", "certainty=nan: must be from 0 to 1,000"),
    ],
)
def test_what_is_no_search_is_named(text, message):
    with pytest.raises(ValueError, match=message):
        agents.get(text)
