"""Comparison of games on a GPU with the processor: `python tests/device_games.py 4096 VARIANT ...`, or all.

Without a GPU it runs in numba-cuda's simulator: NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1, a few games at a time.
"""

import os
import sys

import gymnasium
import numpy as np

import stardeck
from helpers import ENTRIES, EVERY_VARIANT, a_network
from stardeck import agents
from stardeck.agents.networks.agent import NetworkAgent
from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.envs.base.lanes import Lanes
from stardeck.game.catalogue import GAMES
from stardeck.kernels.cuda import compiler
from stardeck.kernels.loops import batch, playouts
from stardeck.kernels.loops.lanes import Autoreset

STEPS = int(os.environ.get("STEPS", "2000"))  # in a learner's games


def play(variant, games, decisions):
    """Play random games with their observations, then let agents finish; AssertionError if the two differ."""
    entry = ENTRIES[variant]
    device = stardeck.make(entry["game"], device="cuda", **entry["settings"])
    game = device.game
    seeds = np.arange(games, dtype=np.uint64) + np.uint64(2**63)
    theirs, ours = device.deal(seeds), game.deal(seeds)
    chance = np.random.default_rng(1)
    for _ in range(decisions):
        assert device.to_host(theirs).tobytes() == ours.tobytes()
        masks = game.legal_actions(ours)
        assert np.array_equal(device.legal_actions(theirs).copy_to_host(), masks)
        assert np.array_equal(device.observe(theirs).copy_to_host(), game.observe(ours))
        actions = (chance.random(masks.shape) * masks).argmax(axis=1)
        game.apply(ours, actions, skip_finished=True)
        before = device.to_host(theirs)
        for wrong in ([game.num_actions] * games, [0.5] * games, [0]):  # no effect
            try:
                device.apply(theirs, wrong)
            except ValueError:
                assert device.to_host(theirs).tobytes() == before.tobytes()
            else:
                raise AssertionError(f"{wrong} was taken")
        device.apply(theirs, actions, skip_finished=True)
    for seat in range(game.players):
        unseen = device.observe_hidden(theirs, seat).copy_to_host()
        assert np.array_equal(unseen, game.observe_hidden(ours, seat))
        redrawn = device.resample_hidden(theirs, seat, seeds)
        assert device.to_host(redrawn).tobytes() == game.resample_hidden(ours, seat, seeds).tobytes()
        assert device.to_host(redrawn).tobytes() != ours.tobytes()
    picked = np.empty(games, np.int64)
    batch.pick_all(game.legal_actions(ours), seeds, picked)
    masks, observations, actions = (array.copy_to_host() for array in device.show_and_pick(theirs, seeds))
    assert np.array_equal(masks, game.legal_actions(ours)) and np.array_equal(actions, picked)
    going_on = ~game.is_over(ours)
    assert np.array_equal(observations[going_on], game.observe(ours)[going_on])
    sets = device.legal_sets(theirs).copy_to_host()
    bits = np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, : game.num_actions]
    assert np.array_equal(bits, masks)
    go_on(device, theirs, ours, picked, seeds)
    for agent in ("random", "simple", "rules"):
        ended = game.playout(ours, agent, 7)
        assert game.is_over(ended).all()
        played = device.playout(theirs, agent, 7)
        assert device.to_host(played).tobytes() == ended.tobytes()
        assert device.counts(played) == (games, ended["decisions"].sum())
    assert device.deal_over(played, seeds) == games
    assert device.to_host(played).tobytes() == game.deal(seeds).tobytes()


def go_on(device, theirs, ours, actions, seeds):
    """Take a step in one launch, and several in one launch, in copies of the games; AssertionError if they differ."""
    game = device.game
    theirs, ours = device.copy(theirs), game.copy(ours)
    for sets in (False, True):
        legal, observations, drawn = (array.copy_to_host() for array in device.step(theirs, actions, seeds, sets=sets))
        game.apply(ours, actions, skip_finished=True)
        over = np.flatnonzero(game.is_over(ours))
        game.put(ours, over, game.deal(seeds[over]))
        assert device.to_host(theirs).tobytes() == ours.tobytes()
        masks = np.unpackbits(legal.view(np.uint8), axis=1, bitorder="little")[:, : game.num_actions] if sets else legal
        assert np.array_equal(masks, game.legal_actions(ours)) and np.array_equal(observations, game.observe(ours))
        batch.pick_all(game.legal_actions(ours), seeds, actions)
        assert np.array_equal(drawn, actions)
    dealt = [device.play_random(theirs, seeds, 30), device.play_random(theirs, seeds, 20, first=30)]
    assert sum(dealt) == game.play_random(ours, seeds, 50)
    assert device.to_host(theirs).tobytes() == ours.tobytes()
    draws = np.empty(len(seeds), np.uint64)
    for row, seed in enumerate(seeds):
        playouts.seed_blocks(seed, np.array([50]), draws[row : row + 1])
    device.deal_over(theirs, draws)
    actions = device.show_and_pick(theirs, draws)[2]
    for number in range(51, 56):
        _, _, actions = device.step(theirs, actions, seeds, number)
    device.apply(theirs, actions, check=False)
    game.play_random(ours, seeds, 6, first=50)
    assert device.to_host(theirs).tobytes() == ours.tobytes()


def learn(variant, games, steps):
    """Play a learner's games against agents, step by step; AssertionError if the two differ."""
    entry = ENTRIES[variant]
    device = stardeck.make(entry["game"], device="cuda", **entry["settings"])
    network = NetworkAgent(a_network(device.game, (8,)), "small")
    advisers = [agents.get("simple", device.game), agents.get("random", device.game), network]
    plain, mixed = (
        [[name] * (device.players - 1) for name in names] for names in (("simple", "rules"), ("rules", network))
    )
    for opponents, options, share in (
        (plain, {"skip_forced": True}, steps),
        (mixed, {"team": True}, steps // 5),  # a network takes long in the simulator
        (plain, {"seat": "all", "autoreset": Autoreset.NEXT_STEP}, steps),
    ):
        theirs, ours = DeviceLanes(device, games, opponents, **options), Lanes(device.game, games, opponents, **options)
        seeds = np.arange(games, dtype=np.uint64)
        for lanes in (theirs, ours):
            lanes.reset(seeds)
        if compiler.SIMULATED and steps:  # it is slow: go on from a position in which a game ends soon
            position = nearly_ended(ours, seeds)
            for lanes in (theirs, ours):
                lanes.restore(position)
        ended = 0
        for _ in range(share):
            actions = ours.random_actions(seeds)
            assert np.array_equal(theirs.random_actions(seeds).copy_to_host(), actions)
            if not ours.over.any():
                for agent in advisers:
                    assert np.array_equal(theirs.advice(agent).copy_to_host(), ours.advice(agent)), agent.name
            theirs.step(actions)
            ours.step(actions)
            for name in ("masks", "observations", "seats", "ended", "rewards", "terminated", "truncated"):
                assert np.array_equal(getattr(theirs, name).copy_to_host(), getattr(ours, name)), name
            assert theirs.any_cut_short() == ours.any_cut_short()
            assert np.array_equal(theirs.ended_rows, ours.ended_rows)
            assert np.array_equal(theirs.lengths(), ours.lengths())
            ended += len(ours.ended_rows)
            seeds += np.uint64(games)
        for name, rows in ours.snapshot().items():
            assert np.array_equal(theirs.snapshot()[name].tobytes(), rows.tobytes()), name
        assert ended or share < steps or not steps, "no game has ended"


def nearly_ended(lanes, seeds):
    """Play on until a game ends, and return a snapshot of at most ten steps before."""
    while True:
        position = lanes.snapshot()
        for _ in range(10):
            lanes.step(lanes.random_actions(seeds))
            seeds += np.uint64(len(seeds))
            if len(lanes.ended_rows):
                return position


def learn_by_gymnasium(variant, games, steps):
    """Play a vector environment step by step, with some illegal actions; AssertionError if the two differ."""
    entry = ENTRIES[variant]
    name = GAMES[entry["game"]].versions()[0].id
    for options in (
        {"on_illegal": "lose"},
        {"on_illegal": "random_legal", "autoreset_mode": "SameStep", "seat": "all"},
    ):
        theirs, ours = (
            gymnasium.make_vec(name, games, "vector_entry_point", device=device, **options, **entry["settings"])
            for device in ("cuda", "cpu")
        )
        assert_same(theirs.reset(seed=5), ours.reset(seed=5))
        seeds = np.arange(games, dtype=np.uint64)
        for step in range(steps):
            actions = ours.unwrapped.random_actions(seeds)
            if step % 20 == 7:
                actions[0] = -1
            assert_same(theirs.step(actions), ours.step(actions))
            seeds += np.uint64(games)


def assert_same(theirs, ours):
    """Check that a value on the device, or a dict or tuple of such values, equals that of the processor."""
    if isinstance(ours, dict):
        assert theirs.keys() == ours.keys()
        theirs, ours = tuple(theirs.values()), tuple(ours.values())
    if isinstance(ours, tuple):
        for pair in zip(theirs, ours, strict=True):
            assert_same(*pair)
    elif ours.dtype == object:
        assert_same(*(tuple(row for row in rows if row is not None) for rows in (theirs, ours)))
    else:
        there = theirs if isinstance(theirs, np.ndarray) else theirs.copy_to_host()
        assert there.dtype == ours.dtype and np.array_equal(there, ours)


if __name__ == "__main__":
    for name in sys.argv[2:] or EVERY_VARIANT:
        play(name, int(sys.argv[1]), 40)
        learn(name, int(sys.argv[1]), STEPS)
        learn_by_gymnasium(name, int(sys.argv[1]), STEPS // 3)
        print(f"{name}: {sys.argv[1]} games are the same")
