"""Several trees for one decision: what their roots hold together, and which cores they take."""

import os
import threading
import time

import numpy as np
import pytest

import stardeck
from helpers import Plain
from stardeck import agents
from stardeck.agents.search import batch, root
from stardeck.agents.search.agent import SearchAgent
from stardeck.agents.search.batch import SLICE, tree_seed
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.arena.thread_executor import ThreadExecutor
from stardeck.game import cores
from stardeck.game.cores import CORES, Cores

GAME = "interstellar_empire"
SEEDS = np.arange(3, dtype=np.uint64) + np.uint64(9)


@pytest.fixture(scope="module")
def game():
    return stardeck.make(GAME)


@pytest.fixture
def states(game):
    """Three positions: one forced, and two with a choice."""
    states = game.deal([3, 4, 5, 6, 7, 8])
    agent = agents.get("rules")
    kept = {}
    while len(kept) < 2 or sum(map(len, kept.values())) < 3:
        counts = game.legal_actions(states).sum(axis=1)
        for row, count in enumerate(counts):
            if len(kept.setdefault(count == 1, [])) < 2 - (count == 1):
                kept[count == 1].append(game.take(states, [row]))
        game.apply(states, agent.act(game, states, None, np.arange(6, dtype=np.uint64)))
    return np.concatenate([*kept[True], *kept[False]])


@pytest.fixture
def two_cores(monkeypatch):
    monkeypatch.setattr(cores, "available_cores", lambda: 2)
    monkeypatch.setattr(batch, "available_cores", lambda: 2)


def rows_of(thoughts, column):
    return [column[start:stop] for start, stop in zip(thoughts.offsets[:-1], thoughts.offsets[1:], strict=True)]


def assert_equal(some, others):
    assert some.found.tobytes() == others.found.tobytes() and some.chosen.tolist() == others.chosen.tolist()
    assert np.array_equal(some.values, others.values, equal_nan=True)


def weight_in(found):
    """Return the weight of mean returns that a recommended policy shows: log(policy / prior) rises by it."""
    tried = found["tries"] > 0
    logits = np.log(found["policy"][tried].astype(float) / found["prior"][tried])
    means = found["mean"][tried].astype(float)
    weight, level = np.polyfit(means, logits, 1)
    assert np.allclose(logits, weight * means + level, atol=1e-3), "one weight for all actions"
    return weight


def spread_of(found, usual):
    """Return the squares that neither action nor deal explains, and their degrees of freedom, from one tree's results.

    By the formula for the weight in root.py, solved for the variance.
    """
    tries = found["tries"].astype(float)
    variance = (1 / weight_in(found) - 1 / (4.0 * root.MOST_WEIGHT)) * root.DRAWN * tries.max()
    free = (tries[tries > 0] - 1).sum() - (tries.max() - 1)
    return variance * (free + root.BEFORE) - root.BEFORE * usual, free


@pytest.mark.parametrize(("prior", "usual"), [("rules", root.FULL_VARIANCE), ("expert", root.USUAL_VARIANCE)])
def test_trees_together_are_the_sum_of_both_by_hand(game, states, prior, usual):
    both = agents.get(f"search:121:threads=2:prior={prior}", game).think(game, states, SEEDS)
    first = agents.get(f"search:61:prior={prior}", game).think(game, states, SEEDS)
    seeds = np.concatenate([tree_seed(seed, 1) for seed in SEEDS])
    second = agents.get(f"search:60:prior={prior}", game).think(game, states, seeds)
    assert both.forced.tolist() == [True, False, False] and np.isnan(both.values[0])
    assert both.chosen[0] == first.chosen[0] and rows_of(both, both.found["tries"])[0].tolist() == [0]
    for row in (1, 2):
        whole, *parts = (rows_of(each, each.found)[row] for each in (both, first, second))
        tries = sum(part["tries"] for part in parts)
        assert whole["tries"].tolist() == tries.tolist() and tries.sum() == 121
        assert (whole["prior"] == parts[0]["prior"]).all()
        gained = sum(part["tries"] * np.nan_to_num(part["mean"]) for part in parts)
        means = np.divide(gained, tries, out=np.full(len(tries), np.nan), where=tries > 0)
        assert np.allclose(whole["mean"], means, equal_nan=True, atol=1e-6)
        squares, free = np.sum([spread_of(part, usual) for part in parts], axis=0)
        variance = (squares + root.BEFORE * usual) / (free + root.BEFORE)
        weight = 1 / (1 / (4.0 * root.MOST_WEIGHT) + variance / (root.DRAWN * tries.max()))
        assert weight_in(whole) == pytest.approx(weight, rel=0.01)
        enough = 2 * tries >= tries.max()
        best = np.where(enough, whole["policy"], -1).argmax()
        assert both.chosen[row] == rows_of(both, both.actions)[row][best]
        value = (whole["policy"] * np.where(tries > 0, means, 0)).sum()
        untried = whole["policy"][tries == 0].sum() * np.average(means[tries > 0], weights=whole["prior"][tries > 0])
        assert both.values[row] == pytest.approx(value + untried, abs=1e-4)


@pytest.mark.parametrize("threads", [2, 3])
def test_the_result_depends_on_the_number_of_trees_not_on_cores_or_rows(game, states, threads, monkeypatch):
    agent = agents.get(f"search:20:threads={threads}:prior=rules", game)
    found = []
    for count in (1, 2, 8):
        monkeypatch.setattr(cores, "available_cores", lambda count=count: count)
        found.append(agent.think(game, states, SEEDS))
        assert_equal(found[0], found[-1])
    alone = [agent.think(game, states[row : row + 1], SEEDS[row : row + 1]) for row in range(3)]
    assert [int(each.chosen[0]) for each in alone] == found[0].chosen.tolist()
    assert np.concatenate([each.found for each in alone]).tobytes() == found[0].found.tobytes()
    other = agents.get("search:20:prior=rules", game).think(game, states, SEEDS)
    assert other.found.tobytes() != found[0].found.tobytes()
    same = agents.get("search:20:threads=1:prior=rules", game).think(game, states, SEEDS)
    assert_equal(other, same)


def test_a_row_knows_nothing_of_the_row_before_when_opponents_are_known():
    game = stardeck.make(GAME)
    rules = agents.get("rules")
    search = SearchAgent(400, prior=rules, opponents=rules, threads=2)
    states, seeds = game.deal(np.arange(24)), np.arange(24, dtype=np.uint64)
    for _ in range(6):
        game.apply(states, rules.act(game, states, None, seeds))
    together = search.think(game, states, seeds)
    for row in range(len(states)):
        assert_equal(together.of(row), search.think(game, states[row : row + 1], seeds[row : row + 1]))


def test_there_are_no_more_trees_than_simulations(game, states):
    found = agents.get("search:2:threads=64:prior=rules", game).think(game, states[1:], SEEDS[1:])
    assert [row.sum() for row in rows_of(found, found.found["tries"])] == [2, 2]


class Clock:
    """A clock of each thread that a look at it advances by ten milliseconds."""

    def __init__(self):
        self._here = threading.local()

    def perf_counter(self):
        self._here.now = getattr(self._here, "now", 0.0) + 0.01
        return self._here.now


@pytest.mark.parametrize(("text", "rows", "trees"), [
    ("search:200ms", 1, 2), ("search:200ms:threads=1", 1, 1), ("search:200ms", 2, 1), ("search:200ms:threads=2", 2, 2),
    ("search:200ms:threads=8", 1, 2), ("search:200ms:reuse=1", 1, 1),
])  # fmt: skip
def test_a_time_limit_uses_idle_cores_for_a_single_game(game, states, two_cores, monkeypatch, text, rows, trees):
    monkeypatch.setattr(batch, "time", Clock())
    agent = agents.get(f"{text}:prior=rules", game)
    thoughts = agent.think(game, states[1 : 1 + rows], SEEDS[:rows])
    looks = 20  # the first look begins the 200 ms
    assert [row.sum() for row in rows_of(thoughts, thoughts.found["tries"])] == [trees * (looks - 1) * SLICE] * rows
    with CORES.reserved():
        alone = agents.get(f"{text}:prior=rules", game).think(game, states[1:2], SEEDS[:1])
    assert alone.found["tries"].sum() == (looks - 1) * SLICE, "all cores are busy"


def test_a_prior_policy_in_python_has_one_tree(game, states, two_cores, monkeypatch):
    monkeypatch.setattr(batch, "time", Clock())
    agent = SearchAgent(milliseconds=50, prior=Plain(agents.get("random")), player=agents.get("rules"))
    assert agent.think(game, states[1:2], SEEDS[:1]).found["tries"].sum() > 0
    with pytest.raises(ValueError, match="threads=2: not with the prior policy 'random', which Python evaluates"):
        SearchAgent(20, prior=Plain(agents.get("random")), player=agents.get("rules"), threads=2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search:9:threads=0", "search: threads=0: must be a whole number from 1 to 64"),
        ("search:9:threads=65", "search: threads=65: must be a whole number from 1 to 64"),
        ("search:9:threads=two", "agent 'search:9:threads=two': threads=two: must be a whole number from 1 to 64"),
        ("search:9:threads=2:reuse=1", "search: threads=2: not together with reuse, which keeps one tree"),
    ],
)
def test_threads_that_cannot_be_are_named(text, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        agents.get(text)
    with pytest.raises(ValueError, match="threads=1.5: must be a whole number"):
        SearchAgent(9, prior=agents.get("rules"), threads=1.5)


def test_threads_are_part_of_the_identity(game):
    texts = [agents.get(f"search:9{option}", game).identity for option in ("", ":threads=1", ":threads=2")]
    assert "threads" not in texts[0] and ", threads=1, " in texts[1] and ", threads=2, " in texts[2]


# Cores


@pytest.fixture
def four(monkeypatch):
    monkeypatch.setattr(cores, "available_cores", lambda: 4)
    return Cores()


def test_only_idle_cores_are_reserved(four):
    with four.working(), four.working(), four.reserved(2) as two, four.reserved(2) as one, four.reserved(2) as none:
        assert (two, one, none) == (2, 1, 0), "the calling thread counts once"
    with four.reserved() as all_of_them:
        assert all_of_them == 4
    with pytest.raises(OSError), four.working(), four.reserved(1):
        raise OSError
    with four.reserved() as again:
        assert again == 4


def test_jobs_run_on_helpers_and_on_the_calling_thread(four):
    met, ran = threading.Barrier(3, timeout=20), []
    jobs = [lambda number=number: (met.wait(), ran.append((number, threading.get_ident()))) for number in range(3)]
    four.run(jobs, 2, lambda: None)
    assert sorted(number for number, _ in ran) == [0, 1, 2] and len({thread for _, thread in ran}) == 3
    ran.clear()
    four.run([lambda number=number: ran.append((number, threading.get_ident())) for number in range(5)], 0, ran.clear)
    assert ran == [(number, threading.get_ident()) for number in range(5)]


@pytest.mark.parametrize("failing", [0, 1])
def test_an_error_of_a_job_stops_the_others_and_is_raised(four, failing):
    stopped, met = threading.Event(), threading.Barrier(2, timeout=20)

    def fail():
        met.wait()
        raise KeyboardInterrupt

    def go_on():
        met.wait()
        assert stopped.wait(20)

    jobs = [fail, go_on] if failing == 0 else [go_on, fail]
    with pytest.raises(KeyboardInterrupt):
        four.run([*jobs, stopped.clear], 1, stopped.set)
    assert stopped.is_set(), "the third job never began"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_has_cores_of_its_own(four):
    four.run([lambda: None, lambda: None], 1, lambda: None)  # starts a thread, which a fork does not copy
    with four.reserved():
        child = os.fork()
        if child == 0:
            done = []
            with four.reserved(1) as one:
                four.run([lambda: done.append(1), lambda: done.append(2)], one, lambda: None)
            os._exit(0 if len(done) == 2 and one == 1 else 1)
    deadline = time.monotonic() + 30
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended == (0, 0):
        os.kill(child, 9)
    assert ended[1] == 0


def test_games_on_all_cores_leave_none_for_a_decision(game, two_cores):
    seen = []

    class Watching:
        name, identity, thread_safe = "watching", "1", True

        def act(self, game, states, masks, seeds):
            with CORES.reserved() as idle:
                seen.append(idle)
            return masks.argmax(axis=1)

    series = Series(game, [Watching()], seed=1)
    for workers, most in ((2, 1), (1, 1)):
        seen.clear()
        list(series.run([(0, 4)], workers))
        assert seen and max(seen) <= most
    seen.clear()
    series.play_away(0, 2)
    assert max(seen) == 0, "a task of a cluster has one core"
    assert ThreadExecutor(3)._workers == 3
