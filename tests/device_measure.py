"""Comparison of measurements on a GPU with the processor: `python tests/device_measure.py PART FOLDER`.

Without a GPU it runs in numba-cuda's simulator: NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1. `series` takes the number
of games instead of a folder, and variants after it: `python tests/device_measure.py series 200000 VARIANT ...`, or all.
"""

import os
import sys
from pathlib import Path

import pytest

from helpers import EVERY_VARIANT, game_of
from stardeck.agents.networks.agent import NetworkError
from stardeck.benchmarks.advantage import measure as advantages
from stardeck.benchmarks.arena import device_player
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.executors import executor_for
from stardeck.benchmarks.arena.options import silent
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.fairness.search import Search
from stardeck.benchmarks.league import sprt, tournament
from stardeck.game.device import DeviceGame

GAME = "interstellar_empire"  # the fastest in the simulator
ORIGIN = {"version": "1", "command": "test", "date": "today", "machine": "this one"}  # otherwise varies by run
COLLECTED = ["moves", "cards"]
AGENTS = ["rules", "random", "simple"]


def series(games, *variants):
    """Play series of these variants on both devices, with and without a record of the decisions."""
    for variant in variants or EVERY_VARIANT:
        game = game_of(variant)
        lineups = [["rules", "simple"][: game.players], ["random"], *_network(game)]
        for agents in lineups:
            for options in ({"record_actions": True}, {"by_side": True}):
                places = len(game.variant.sides) if "by_side" in options else game.players
                made = [Series(game, agents[:places], 5, device=device, **options) for device in ("cpu", "cuda")]
                same(*(one.play(3, 3 + int(games)) for one in made))
        print(f"{variant}: {games} games of each series are the same")


def _network(game):
    """Return line-ups with a network, if the package has one for this variant."""
    try:
        Series(game, ["ppo"])
    except (NetworkError, ValueError):
        return []
    return [["ppo"]]


def same(one, two):
    """Check that two chunks are equal, down to the dtypes."""
    assert one.start == two.start
    for name, ours, theirs in zip(one._fields[1:], one[1:], two[1:], strict=True):
        assert (ours.dtype, ours.shape, ours.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes()), name


def room(folder):
    """Record games that are longer than there is room for, on the GPU: those are played again."""
    game = game_of(f"{GAME}/2")
    ours = Series(game, ["simple", "rules"], 5, record_actions=True).play(0, 6)
    shortest, longest = int(ours.decisions.min()), int(ours.decisions.max())
    launched = []
    launch = device_player.DevicePlayer._launch

    def counted(player, seeds, seated, longest):
        launched.append((len(seeds), longest))
        return launch(player, seeds, seated, longest)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arena, "LAUNCH", 6)
        patch.setattr(device_player, "ROOM", shortest)
        patch.setattr(device_player.DevicePlayer, "_launch", counted)
        theirs = Series(game, ["simple", "rules"], 5, record_actions=True, device="cuda")
        same(ours, theirs.play(0, 6))
        assert launched == [(6, shortest), (int((ours.decisions > shortest).sum()), longest)]
        same(ours, theirs.play(0, 6))
    assert shortest < launched[2][1] <= longest, "the next launch has more room"


def unfinished(folder):
    """Name the deal of a game that the GPU has not played to its end."""
    run = DeviceGame.run
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DeviceGame, "run", lambda self, loop, *given: "play_out" in loop or run(self, loop, *given))
        one = Series(game_of(f"{GAME}/2"), ["rules"], 1234567, device="cuda")
        with pytest.raises(RuntimeError, match="the game of deal seed 6457827717110365317 stopped before its end"):
            one.play(0, 2)


def advantage(folder):
    """Measure an advantage on one device, on the other, and on one after the other: the same bytes."""
    for begun in ("cpu", "cuda"):
        ended = "cuda" if begun == "cpu" else "cpu"
        measured(folder / begun, begun)
        with pytest.raises(KeyboardInterrupt):
            measured(folder / f"{begun} first", begun, progress=stop_after(2))
        measured(folder / f"{begun} first", ended)
    content = [files(path) for path in sorted(folder.iterdir())]
    assert len(content) == 4 and all(one == content[0] for one in content)
    assert sorted(content[0]) == ["cards.parquet", "games.parquet", "moves.parquet"]


def measured(folder, device, **options):
    options = {"collect": COLLECTED, "workers": 2, "device": device} | options
    advantages.advantage(GAME, ["rules", "simple"], 7, 3, folder, **options)


def stop_after(games):
    def progress(done, _):
        if done >= games:
            raise KeyboardInterrupt

    return progress


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.parquet")}


def league(folder):
    """Play a league on both devices, and extend that of one device on the other; stop a match by a test on both."""
    for begun, ended in (("cpu", "cuda"), ("cuda", "cpu")):
        for games, device in ((4, begun), (6, ended)):
            tournament.league(GAME, AGENTS, games, out=folder / begun, device=device, collect=COLLECTED)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sprt, "FIRST_LOOK", 2)
            tested = folder / f"tested {begun}"
            summary = tournament.league(GAME, ["rules", "random"], 16, out=tested, sprt=(-200, 0), device=begun)
        assert summary["cross_table"][0]["sprt"] == "H1" and summary["games"] < 16
    for name in ("", "tested "):
        assert files(folder / f"{name}cpu") == files(folder / f"{name}cuda")


def fair(folder):
    """Play a round of a search on both devices: the same chunks, although a launch plays several at once."""
    held, played = {}, {"cpu": [], "cuda": []}
    play = Series.play

    def counted(one, start, stop):
        played[one.device].append((start, stop))
        return play(one, start, stop)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Series, "play", counted)
        for device in played:
            search = Search(GAME, {}, ["first_player=agreed:bid"], ["random", "simple"], 1, device)
            search.limits(1.0, 100, executor_for("local", 1), silent)
            search._play({(0,): 6, (1,): 3})
            search._play({(0,): 2})
            held[device] = [(*chunk[:4], chunk.sides.tolist(), chunk.products.tolist()) for chunk in search._held]
    assert held["cpu"] == held["cuda"] and [chunk[1] for chunk in held["cpu"]] == [2] * 6
    assert sorted(played["cpu"]) == [(0, 2), (0, 2), (2, 4), (2, 4), (4, 6), (6, 8)]
    assert sorted(played["cuda"]) == [(0, 4), (0, 4), (4, 6), (6, 8)]


def ray(folder):
    """Measure on a Ray cluster with a GPU: the same bytes, and one process keeps its GPU for all chunks."""
    import ray

    ray.init("local", num_cpus=2, num_gpus=1, include_dashboard=False, log_to_driver=False)
    measured(folder / "cpu", "cpu")
    measured(folder / "cuda", "cuda", on="ray")
    assert files(folder / "cpu") == files(folder / "cuda")
    for device, gpus in (("cuda", {"0"}), ("cpu", set())):
        played = Series(game_of(f"{GAME}/2"), ["random"], 1, device=device)
        played.chunk_writer = _where
        found = list(played.run([(0, 12)], on="ray"))
        assert len(found) >= 3 and {gpu for _, given in found for gpu in given} == gpus
        assert device == "cpu" or len({process for process, _ in found}) == 1
    ray.shutdown()


def _where(chunk):
    """Return the process that plays a chunk, and the GPUs that Ray gives it."""
    import ray

    return os.getpid(), [str(gpu) for gpu in ray.get_gpu_ids()]


def no_gpu(folder):
    """Refuse games on the GPUs of a Ray cluster that has none, without waiting for one."""
    import ray

    from stardeck.benchmarks.arena.ray_executor import ClusterError

    ray.init("local", num_cpus=1, num_gpus=0, include_dashboard=False, log_to_driver=False)
    with pytest.raises(ClusterError, match="^device='cuda': the Ray cluster has no GPU"):
        measured(folder / "cuda", "cuda", on="ray")
    ray.shutdown()


PARTS = {
    "room": room, "unfinished": unfinished, "advantage": advantage, "league": league, "fair": fair, "ray": ray,
    "no_gpu": no_gpu,
}  # fmt: skip
if __name__ == "__main__":
    part, *given = sys.argv[1:]
    if part == "series":
        series(*given)
    else:
        with pytest.MonkeyPatch.context() as small:
            small.setattr(arena, "CHUNK", 2)
            small.setattr(arena, "LAUNCH", 4)
            for module in (advantages, tournament):
                small.setattr(module, "origin", lambda: ORIGIN)
            PARTS[part](Path(given[0]))
        print(f"{part}: the same")
