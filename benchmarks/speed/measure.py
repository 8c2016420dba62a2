"""Benchmarks of speed: `python -m stardeck.benchmarks.speed`, or `stardeck bench`.

| row | measurement |
| --- | --- |
| `random` | compiled games, every decision drawn uniformly from the legal actions |
| `simple`, `rules` | compiled games of that agent against itself |
| `batch` | the batch API: masks, observations, a random choice made in a kernel, applied; steps are decisions |
| `vector` | the Gymnasium vector environment, its learner deciding for all seats, with random legal actions |
| `search` | `search:400:prior=rules` against itself; steps are simulated decisions |
| `aec_raw`, `aec` | a Python loop of `agent_iter`, `last`, a compiled choice from the mask, `step` |
| `sb3` | the vector environment of Stable-Baselines3 with masks fetched as MaskablePPO does and random legal actions |
| `usual` | the same over PettingZoo's wrappers and DummyVecEnv (benchmarks/speed/sb3_baseline.py) |

The last two need `stardeck[train]` and are left out without it. The rows of benchmarks/speed/gpu.py need a GPU and
`stardeck[cuda]`, and are measured only on request.

Compiled rows are measured on one core and on all cores, the others on one. `compile_cold_s` is the time until the row
can run with an empty cache, and `compile_warm_s` with a filled one. Both are measured in fresh processes, with imports.
This takes minutes, so it is measured only on request.
"""

import importlib.util
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import click
import numpy as np
from gymnasium.vector import AutoresetMode

from stardeck import agents
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.game_name import GameName
from stardeck.benchmarks.results.provenance import machine
from stardeck.benchmarks.speed import gpu
from stardeck.benchmarks.speed.breakdown import parts as parts_of
from stardeck.game.catalogue import GAMES, VARIABLE, default_agent, environments_of
from stardeck.game.cores import available_cores
from stardeck.game.game import Game
from stardeck.game.registry import make, variants
from stardeck.kernels.errors import harmless
from stardeck.kernels.loops import batch

COMPILED = ("random", "simple", "rules")
WITH_SB3 = ("sb3", "usual") if importlib.util.find_spec("sb3_contrib") else ()
ROWS = (*COMPILED, "batch", "vector", "search", "aec_raw", "aec", *WITH_SB3)
USUAL_ENVS = 8  # environments of the baseline: more are no faster
SIMULATIONS = 400
BATCH = 512  # games side by side in the `batch` row
CORE = "star_realms", "standard"  # the default game and format
LANES = 4096  # in the `vector` and `sb3` rows


def play_series(game: Game, agent: str, seconds: float, workers: int) -> tuple[int, int, float]:
    """Play games of an agent against itself; return (games, steps, seconds).

    Args:
        game: The game.
        agent: Name of the agent.
        seconds: Time to measure for; 0 only compiles.
        workers: Number of threads.
    """
    series = Series(game, [agent], seed=1)
    series.warm_up()
    games = steps = chunks = 0
    began = time.perf_counter()
    if not seconds:
        return 0, 0, 0.0
    for chunk in series.run([(0, 2**62)], workers):
        games += len(chunk.seeds)
        steps += int(chunk.decisions.sum())
        chunks += 1
        took = time.perf_counter() - began  # before the loop ends: the end waits for games that do not count
        if took > seconds and chunks % workers == 0:  # long chunks end together: a partial set would distort the rate
            break
    return games, steps, took


def play_batch(game: Game, seconds: float) -> tuple[int, int, float]:
    """Play whole batches with masks, observations and choices; return (games, steps, seconds).

    Finished games are dealt again.
    """
    seeds = np.arange(BATCH, dtype=np.uint64)
    states = game.deal(seeds)
    blank = np.zeros(1, game.state_dtype)
    masks = np.empty((BATCH, game.num_actions), np.int8)
    observations = np.empty((BATCH, game.observation_size), np.uint8)
    legal = np.empty(game.words, np.uint64)
    actions = np.empty(BATCH, np.int64)

    def step():
        batch.show_and_pick_all(game.rules, states, legal, masks, observations, seeds, actions)
        batch.apply_all(game.rules, states, actions)
        np.add(seeds, np.uint64(BATCH), out=seeds)
        return batch.deal_over(game.rules, states, blank, seeds)

    step()  # compiles
    games = steps = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        games += step()
        steps += BATCH
    return games, steps, time.perf_counter() - began


def play_vector(game: Game, seconds: float) -> tuple[int, int, float]:
    """Step the Gymnasium vector environment, one decision a step; return (games, steps, seconds)."""
    module = environments_of(game.variant.game)
    env = module.VectorEnv(LANES, seat="all", autoreset_mode=AutoresetMode.SAME_STEP, copy=False, **game.settings)
    env.reset(seed=1)
    seeds = np.arange(LANES, dtype=np.uint64)
    env.step(env.random_actions(seeds))  # compiles
    games = steps = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        _, _, terminated, truncated, _ = env.step(env.random_actions(seeds))
        np.add(seeds, np.uint64(LANES), out=seeds)
        games += int((terminated | truncated).sum())
        steps += LANES
    return games, steps, time.perf_counter() - began


def play_search(game: Game, seconds: float) -> tuple[int, int, float]:
    """Play games of a search against itself; return (games, simulated decisions, seconds)."""
    agent = agents.get(f"search:{SIMULATIONS}:prior={default_agent(game.variant.game)}", game)
    assert isinstance(agent, SearchAgent)
    states = game.deal(0)
    agents.get("search:1", game).act(game, states, game.legal_actions(states), np.zeros(1, np.uint64))  # compiles
    games = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        if game.is_over(states)[0]:
            games += 1
            states = game.deal(games)
        seeds = states["decisions"].astype(np.uint64)
        game.apply(states, agent.act(game, states, game.legal_actions(states), seeds))
    return games, agent.simulated, time.perf_counter() - began


def play_sb3(game: Game, seconds: float, usual: bool) -> tuple[int, int, float]:
    """Step a vector environment of Stable-Baselines3 without a network; return (games, steps, seconds).

    Args:
        game: The game.
        seconds: Time to measure for.
        usual: Measure the baseline with PettingZoo's wrappers and DummyVecEnv.
    """
    from sb3_contrib.common.maskable.utils import get_action_masks

    from stardeck.benchmarks.speed.sb3_baseline import usual_route
    from stardeck.envs.sb3 import GameVecEnv

    env: Any  # a `VecEnv`, whose type has no `get_action_masks`
    if usual:
        module = environments_of(game.variant.game)
        env = usual_route(module.raw_env, game.settings, USUAL_ENVS)
    else:
        env = GameVecEnv(game, LANES, default_agent(game.variant.game), seat="all")
    env.seed(1)
    env.reset()
    actions = np.empty(env.num_envs, np.int64)
    seeds = np.arange(env.num_envs, dtype=np.uint64)
    games = steps = 0
    began = time.perf_counter()
    while steps == 0 or time.perf_counter() - began < seconds:
        batch.pick_all(get_action_masks(env).view(np.int8), seeds, actions)
        _, _, dones, _ = env.step(actions)
        if steps == 0:
            began = time.perf_counter()  # the first step compiles
        np.add(seeds, np.uint64(env.num_envs), out=seeds)
        games += int(dones.sum())
        steps += env.num_envs
    return games, steps, time.perf_counter() - began


def play_aec(game: Game, seconds: float, function: str) -> tuple[int, int, float]:
    """Run the loop of PettingZoo's documentation with a compiled random choice; return (games, steps, seconds).

    Args:
        game: The game.
        seconds: Time to measure for.
        function: `raw_env` or `env`.
    """
    module = environments_of(game.variant.game)
    env = getattr(module, function)(**game.settings)
    env.reset(seed=1)
    env.step(batch.pick_one(env.last()[0]["action_mask"], np.uint64(0)))  # compiles
    games = steps = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(batch.pick_one(observation["action_mask"], np.uint64(steps)))
            steps += 1
        games += 1
    return games, steps, time.perf_counter() - began


def measure(game: Game, row: str, seconds: float, workers: int = 1) -> tuple[int, int, float]:
    """Measure one row of the table; return (games, steps, seconds).

    Args:
        game: The game.
        row: Name of the row.
        seconds: Time to measure for.
        workers: Number of threads of a compiled row.
    """
    if row in COMPILED:
        return play_series(game, row, seconds, workers)
    if row == "batch":
        return play_batch(game, seconds)
    if row == "vector":
        return play_vector(game, seconds)
    if row == "search":
        return play_search(game, seconds)
    if row in ("sb3", "usual"):
        return play_sb3(game, seconds, row == "usual")
    return play_aec(game, seconds, {"aec_raw": "raw_env", "aec": "env"}[row])


def compile_times(game: Game, row: str) -> tuple[float, float]:
    """Measure the seconds until a row can run in a fresh process; return (with an empty cache, with a filled one).

    Args:
        game: The game.
        row: Name of the row.
    """
    code = (
        "import sys, json; from stardeck.benchmarks.speed import measure as speed; "
        "from stardeck.game.registry import make;"
        "speed.measure(make(sys.argv[1], **json.loads(sys.argv[2])), sys.argv[3], 0.0)"
    )
    command = [sys.executable, "-c", code, game.variant.game, json.dumps(game.settings), row]
    brings = {VARIABLE: source} if (source := GAMES[game.variant.game].source) else {}  # games from outside
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            began = time.perf_counter()
            subprocess.run(
                command, check=True, env=os.environ | brings | {"NUMBA_CACHE_DIR": folder}, capture_output=True
            )
            times.append(time.perf_counter() - began)
    return times[0], times[1]


def benchmark(
    game: Game, rows: Sequence[str] = ROWS, seconds: float = 3.0, compile_too: bool = True
) -> Iterator[dict[str, Any]]:
    """Measure rows of a game, and show the current row on a terminal.

    Args:
        game: The game.
        rows: Names of the rows.
        seconds: Time for each figure.
        compile_too: Measure compile times too.

    Yields:
        One dict for each row and number of processes.
    """
    for row in rows:
        if row in COMPILED[1:] and not GAMES[game.variant.game].agents:
            continue  # the game has no such agent
        _show_progress(f"measuring {game.id}/{row} ...")
        if row in gpu.ROWS:
            yield from _on_gpu(game, row, seconds)
            continue
        cold, warm = compile_times(game, row) if compile_too else (None, None)
        for workers in sorted({1, available_cores()}) if row in COMPILED else (1,):
            games, steps, took = measure(game, row, seconds, workers)
            _show_progress("")
            yield {
                "name": f"{game.id}/{row}",
                "processes": workers,
                "games_per_s": games / took,
                "steps_per_s": steps / took,
                "state_bytes": game.state_dtype.itemsize,
                "compile_cold_s": cold,
                "compile_warm_s": warm,
            }


def _on_gpu(game, row, seconds):
    """Yield a row for every batch size."""
    for size, games, steps, took in gpu.measure(game, row, seconds):
        yield {
            "name": f"{game.id}/{row}/{size}",
            "gpu": gpu.name(),
            "processes": 1,
            "games_per_s": games / took,
            "steps_per_s": steps / took,
            "state_bytes": game.state_dtype.itemsize,
            "compile_cold_s": None,
            "compile_warm_s": None,
        }


def _show_progress(text):
    """Show progress on a terminal, in the line that the next figures will take."""
    if sys.stderr.isatty():
        click.echo(f"\r{harmless(text):80}\r", nl=False, err=True)


def _print(text):
    """Print a line with control characters escaped."""
    click.echo(harmless(text))


def _variants_of(game, format):
    """Return the variants of a game with plain settings.

    These are all variants of the given format; without a format, the ones with the fewest and the most players of each.
    """
    plain = [entry for entry in variants() if "=" not in entry["id"] and game in (None, entry["game"])]
    if format is None:
        formats = {}
        for entry in plain:
            formats.setdefault((entry["game"], entry["settings"].get("format")), []).append(entry)
        return [entry for entries in formats.values() for entry in _fewest_and_most(entries)]
    chosen = [entry for entry in plain if entry["settings"].get("format") == format]
    if not chosen:
        names = sorted({entry["settings"]["format"] for entry in plain if "format" in entry["settings"]})
        allowed = f"must be one of {', '.join(names)}" if names else f"{game} has no formats"
        raise click.UsageError(f"--format {format}: {allowed}")
    return chosen


def _fewest_and_most(entries):
    """Return the first variant with the fewest players, and the first with the most."""
    by_players = {}
    for entry in entries:
        by_players.setdefault(entry["settings"].get("players", 0), entry)
    return [by_players[players] for players in sorted({min(by_players), max(by_players)})]


class Seconds(click.FloatRange):
    """A time within a range; NaN is in no range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the time, or refuse it; NaN passes comparisons, so it needs a check."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not in the range {self._describe_range()}.", param, ctx)
        return number


def _entries(game, format, every):
    """Return the variants to measure: by default the core set."""
    if not _is_core(game, format, every):
        return _variants_of(game, format)
    return [entry for entry in _variants_of(*CORE) if entry["settings"].get("set") == "core"]


def _is_core(game, format, every):
    return not (every or game or format is not None)


@click.command(name="bench", epilog="Example: stardeck bench --format standard --seconds 5")
@click.option("--all", "every", is_flag=True, help="Every game and format, with the fewest and the most players.")
@click.option(
    "--game", type=GameName(), help="Every format of one game.  [default: star_realms, standard format, core set]"
)
@click.option("--format", help="One format, with every set and every number of players.")
@click.option("--rows", default=",".join(ROWS), show_default=True, help="Rows to measure, with commas.")
@click.option(
    "--seconds", default=3.0, show_default=True, type=Seconds(0, 86_400, min_open=True), help="Time for each figure."
)
@click.option(
    "--compile-times/--no-compile-times",
    help="Measure compile times too, in fresh processes: about half a minute for each row.",
)
@click.option("--parts", is_flag=True, help="Measure the parts of a decision instead: apply, legal actions, observe.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on each line.")
def main(rows: str, seconds: float, compile_times: bool, parts: bool, as_json: bool, **wanted: Any) -> None:
    """Measure speed: games and decisions a second.

    The table also shows bytes per state and, with --compile-times, compile times. The rows random, simple and rules
    play compiled games of these agents; search plays a tree search. The rows batch and vector step many games at once.
    The rows aec, aec_raw, sb3 and usual step PettingZoo and Stable-Baselines3.
    """
    named = rows.split(",")
    for row in named:
        if row not in (*ROWS, *gpu.ROWS):
            raise click.UsageError(f"--rows {row}: must be among {', '.join((*ROWS, *gpu.ROWS))}")
    entries = _entries(**wanted)
    if parts:
        return _print_parts(entries, as_json)
    on_gpu = _gpu_name(named)
    if not as_json:
        _print(machine() + on_gpu)
        _print(f"{'name':54} {'cores':>5} {'games/s':>11} {'steps/s':>12} {'bytes':>6} {'cold s':>7} {'warm s':>7}")
    compiled: set[str] = set()  # the kernels of a game serve all its variants
    for entry in entries:
        compile_too = compile_times and entry["game"] not in compiled
        compiled.add(entry["game"])
        for result in benchmark(make(entry["game"], **entry["settings"]), named, seconds, compile_too):
            _print(json.dumps(result) if as_json else _line(result))
    if not as_json and _is_core(**wanted):
        _print("This is the core set; --game and --format measure others, --all everything.")


def _print_parts(entries, as_json):
    """Print the nanoseconds of each verb at a decision of `rules`."""
    for entry in entries:
        game = make(entry["game"], **entry["settings"])
        found = {"name": game.id, "state_bytes": game.state_dtype.itemsize, "nanoseconds": parts_of(game)}
        if as_json:
            _print(json.dumps(found))
            continue
        _print(f"{game.id}, {found['state_bytes']} bytes a state; nanoseconds a decision in games of rules")
        for name, took in found["nanoseconds"].items():
            _print(f"  {name:40} {took:7.0f}")


def _gpu_name(rows):
    """Return the name of the GPU for the line about the machine, or "" if no row needs one."""
    if not set(rows) & set(gpu.ROWS):
        return ""
    try:
        named = f", {gpu.name()}"
        if "gpu_train" in rows:
            gpu.check_training()
        return named
    except (RuntimeError, ValueError) as error:
        raise click.UsageError(f"--rows {','.join(rows)}: {error}") from None


def _line(result):
    times = [
        f"{result[key]:7.1f}" if result[key] is not None else "      -" for key in ("compile_cold_s", "compile_warm_s")
    ]
    counts = f"{result['processes']:5d} {result['games_per_s']:11,.0f} {result['steps_per_s']:12,.0f}"
    return f"{result['name']:54} {counts} {result['state_bytes']:6d} {times[0]} {times[1]}"


if __name__ == "__main__":
    main()
