"""Tree reuse: what a search leaves for the next decision of a turn, who finds it, and repeatable games."""

import copy
import pickle

import numpy as np
import pytest

import stardeck
from helpers import VARIANTS, Plain, a_network, deep_states, game_of
from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.agents.search import batch, tree, tree_reuse
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.arena.series import Series
from stardeck.kernels.compile.jit import entry

CORE = VARIANTS[0]


@entry
def hand_over(nodes, searches, child, left, others):
    """Leave the subtree of a child, and let a new tree, with that child's actions at its root, take it up."""
    search = searches[0]
    count = tree_reuse.leave_below(nodes, child, left)
    search.nodes = 1
    others[0].child = 0
    tree_reuse.take_up(others, search, left[:count])
    below = nodes[child].child
    while below != 0:
        tree.add_child(others, search, 0, nodes[below].action, nodes[below].actor, 0.5)
        below = nodes[below].sibling
    tree.add_child(others, search, 0, 99, 0, 0.5)
    tree_reuse.graft(others, search)
    return count


def a_tree(random, size):
    """Return a tree of so many nodes with its root, NODE[size], and the number of nodes that hand_over finds."""
    nodes, search = np.zeros(size, tree.NODE), np.zeros(1, tree.SEARCH)
    for child in range(1, size):
        parent = (0, 0, 0, 1, 1, 1)[child] if child < 6 else int(random.integers(1, child))
        nodes[child] = (random.random(), 0.1, child, 0, nodes[parent]["child"], child, child % 2, 0)
        nodes[parent]["child"] = child
    return nodes, search


def told(nodes, node, without=()):
    """Return the subtree of a node: {(action, actor): (visits, total, subtree)}."""
    below, child = {}, nodes[node]["child"]
    while child:
        here = nodes[child]
        if here["action"] not in without:
            below[int(here["action"]), int(here["actor"])] = (
                int(here["visits"]), float(here["total"]), told(nodes, child),
            )  # fmt: skip
        child = here["sibling"]
    return below


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_below_the_action_that_was_taken_goes_on_and_its_root_begins_anew(seed):
    nodes, search = a_tree(np.random.default_rng(seed), 60)
    others = np.zeros(200, tree.NODE)
    count = hand_over(nodes, search, 1, np.empty(60, tree.NODE), others)
    before, after = told(nodes, 1), told(others, 0, without=(99,))
    assert count > 5 and before.keys() == after.keys()
    for action, (visits, _, below) in before.items():
        assert visits and after[action] == (0, 0.0, below)
    assert told(others, 0)[99, 0] == (0, 0.0, {})


def test_where_there_is_little_room_the_nearest_nodes_are_left():
    nodes, search = a_tree(np.random.default_rng(1), 60)
    nearest = [1]  # and their descendants, generation by generation
    for node in nearest:
        child = nodes[node]["child"]
        while child:
            nearest.append(int(child))
            child = nodes[child]["sibling"]
    for room in range(len(nearest)):
        left = np.empty(room, tree.NODE)
        assert hand_over(nodes, search, 1, left, np.zeros(200, tree.NODE)) == room
        for name in ("action", "actor", "visits", "total", "prior"):
            assert left[name].tolist() == nodes[nearest[:room]][name].tolist()
        assert all(at < pointer < room or pointer == 0 for at in range(room) for pointer in (left[at]["child"],))
        assert (left["sibling"] < max(room, 1)).all()


def course(game, agent, deals, alone=False):
    """Return an agent's findings in every decision against itself, in parallel or one game after another: [[bytes]]."""
    if alone:
        return [found for deal in deals for found in course(game, agent, [deal])]
    states = game.deal(deals)
    found = [[] for _ in deals]
    while len(rows := np.flatnonzero(~game.is_over(states))) and max(map(len, found)) < 60:
        some = game.take(states, rows)
        seeds = (1000 * np.array(deals)[rows] + [len(found[row]) for row in rows]).astype(np.uint64)
        thoughts = agent.think(game, some, seeds)
        for row, here in zip(rows, np.split(thoughts.found, thoughts.offsets[1:-1]), strict=True):
            found[row].append(here.tobytes())
        game.apply(some, thoughts.chosen)
        game.put(states, rows, some)
    return found


@pytest.mark.once
@pytest.mark.parametrize("variant", [CORE, "star_realms/box/two_headed_hydra/4", "empire_of_the_stars/2/powers"])
def test_games_with_reuse_repeat_themselves_alone_or_side_by_side(variant):
    game = game_of(variant)
    guide = agents.get("ppo", game)
    agent, plain = SearchAgent(16, prior=guide, reuse=True), SearchAgent(16, prior=guide)
    together = course(game, agent, [3, 4, 5])
    assert together == course(game, agent, [3, 4, 5], alone=True)
    assert together == course(game, SearchAgent(16, prior=guide, reuse=True), [3, 4, 5])
    assert together != course(game, plain, [3, 4, 5])


@pytest.mark.once
def test_the_first_decision_of_a_turn_is_that_of_any_search_and_the_next_ones_go_on():
    game = game_of(CORE)
    guide = agents.get("ppo", game)
    agent, plain = SearchAgent(40, prior=guide, reuse=True), SearchAgent(40, prior=guide)
    states, went_on, before = game.deal([11]), 0, -1
    for number in range(80):
        turn, seeds = int(states[0]["turn"]), np.array([number], np.uint64)
        thoughts, usual = (searcher.think(game, states, seeds) for searcher in (agent, plain))
        if turn != before:
            assert thoughts.found.tobytes() == usual.found.tobytes()
        elif not thoughts.forced[0]:
            went_on += thoughts.found["mean"].tobytes() != usual.found["mean"].tobytes()
            assert thoughts.found["tries"].sum() == usual.found["tries"].sum() == 40
        before = turn
        game.apply(states, thoughts.chosen)
    assert went_on > 10


@pytest.mark.once
def test_what_was_left_is_found_after_a_forced_decision_and_not_in_another_game():
    game = game_of(CORE)
    guide = NetworkAgent(a_network(game), "net")
    states = deep_states(game, games=6, steps=60, every=7)
    memory = tree_reuse.Reuse()
    left = tree_reuse.nothing(len(states), 2)
    left.ends[:] += 2
    left.nodes["visits"] = np.arange(len(left.nodes))
    chosen = SearchAgent(1, prior=guide).act(game, states, None, np.zeros(len(states), np.uint64))
    forced = np.arange(len(states)) % 2 == 1
    memory.leave(game, states, chosen, forced, left, tree_reuse.nothing(len(states)))  # forced moves hand the tree on
    after = game.copy(states)
    game.apply(after, chosen)
    found = memory.before(game, after)
    goes_on = (after["to_act"] == states["to_act"]) & (after["turn"] == states["turn"])
    assert 0 < goes_on.sum() < len(states) and (goes_on & forced).any()
    for row in range(len(states)):
        expected = left.of(row) if goes_on[row] and forced[row] else tree_reuse.NONE
        assert found.of(row).tobytes() == expected.tobytes()
    assert len(memory.before(stardeck.make("star_realms", max_turns=90), after).nodes) == 0


@pytest.mark.parametrize("roles", [{}, {"open_cards": True}, {"prior": Plain(agents.get("rules"))}])
def test_a_search_that_goes_on_answers_legally_whoever_guides_it(roles):
    game = game_of(CORE)
    rules = agents.get("rules")
    agent = SearchAgent(3, **({"prior": rules, "player": rules, "reuse": True} | roles))
    states, found = game.deal([5]), 0
    for number in range(8):
        found += len(agent._reuse.before(game, states).nodes)
        actions = agent.act(game, states, None, np.array([number], np.uint64))
        assert game.legal_actions(states)[0, actions[0]]
        game.apply(states, actions)
    assert found


@pytest.mark.once
def test_a_tree_without_room_for_more_does_not_depend_on_its_neighbours(monkeypatch):
    monkeypatch.setattr(batch, "BRANCHES", 1)
    monkeypatch.setattr(batch, "ACTION_LIMIT", 60)
    game = game_of(CORE)
    agent = SearchAgent(24, prior=agents.get("ppo", game), reuse=True)
    assert course(game, agent, [3, 4, 5]) == course(game, agent, [3, 4, 5], alone=True)


@pytest.mark.once
def test_copies_remember_nothing_and_old_positions_are_forgotten():
    game = game_of(CORE)
    agent = agents.get("search:4:reuse=1", game)
    states = game.deal(range(200))
    agent.act(game, states, None, np.zeros(200, np.uint64))
    memory = agent._reuse
    assert len(memory._remembered()) > tree_reuse.REMEMBERED
    for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert not other._reuse._remembered() and other.identity == agent.identity
    agent.act(game, states[:1], None, np.zeros(1, np.uint64))
    assert len(memory._remembered()) <= tree_reuse.REMEMBERED + 1


@pytest.mark.once
def test_a_search_by_the_clock_goes_on_too():
    game = game_of(CORE)
    agent = agents.get("search:2ms:reuse=1:prior=rules", game)
    states, went_on = game.deal(range(3)), 0
    for _ in range(12):
        actions = agent.act(game, states, game.legal_actions(states), np.arange(3, dtype=np.uint64))
        assert game.legal_actions(states)[np.arange(3), actions].all()
        game.apply(states, actions)
        went_on += len(agent._reuse.before(game, states).nodes) > 0
    assert went_on > 3


@pytest.mark.once
def test_games_of_an_arena_are_the_same_on_any_number_of_threads():
    game = game_of(CORE)
    played = []
    for workers in (1, 3):
        series = Series(game, [agents.get("search:6:prior=ppo:reuse=1", game), "ppo"], seed=2, record_actions=True)
        chunks = sorted(series.run([(0, 80)], workers), key=lambda chunk: chunk.start)
        played.append(np.concatenate([chunk.actions for chunk in chunks]).tobytes())
    assert played[0] == played[1]


def test_reuse_is_named_and_is_no_other_than_0_or_1():
    game = game_of(CORE)
    plain, off, on = (agents.get(text, game) for text in ("search:5", "search:5:reuse=0", "search:5:reuse=1"))
    assert plain.identity == off.identity != on.identity
    with pytest.raises(ValueError, match=r"^agent 'search:5:reuse=2': reuse=2: must be 0 or 1$"):
        agents.get("search:5:reuse=2", game)
