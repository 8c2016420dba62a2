"""Verification and measurement of the GPU path in one table: `python -m stardeck.benchmarks.speed.gpu_report`.

It takes at most nine minutes and no network. It compares games with those of the processor byte for byte, makes a rule
raise an error, and measures speeds at several batch sizes. It tries the numbers that only a GPU can settle: registers
a thread, and opponents' decisions a launch. It also times the first step of a fresh process. A part that fails is a
line of the table, and the others still run. docs/guides/gpu.md says how to read it.
"""

import json
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import numpy as np

import stardeck
from stardeck import agents
from stardeck.benchmarks.speed import gpu
from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.envs.base.lanes import Lanes
from stardeck.game.device import DeviceGame
from stardeck.kernels.cuda.codes import SHARES
from stardeck.kernels.errors import harmless, reason

GAMES = ("star_realms", "interstellar_empire", "empire_of_the_stars", "rise_of_empire")
LIMIT = 540.0  # seconds
LARGEST = 1 << 22  # games side by side: 12 GB of states
REGISTERS = (None, 128, 96, 80, 64, 48)  # a thread
SHARED_OUT = (SHARES, (1 << 40,), (1, 2, 4, 8, 1 << 40), (2, 2, 2, 4, 8, 1 << 40), (8, 8, 1 << 40), (12, 1 << 40))
FIRST_STEP = (
    "import time; began = time.perf_counter(); import numpy as np, stardeck;"
    "game = stardeck.make('star_realms', device='cuda'); seeds = np.arange(1024, dtype=np.uint64);"
    "states = game.deal(seeds); actions = game.show_and_pick(states, seeds)[2]; game.step(states, actions, seeds);"
    "game.to_host(states); print(time.perf_counter() - began)"
)
Row = tuple[str, str, str]  # part, figure, remark


def same_games(name: str, count: int = 512, decisions: int = 60) -> str:
    """Play games of the GPU and of the processor side by side; return what was compared.

    Args:
        name: The game.
        count: Number of games.
        decisions: Number of random decisions in each, before agents play them to their end.

    Raises:
        AssertionError: They differ.
    """
    device = stardeck.make(name, device="cuda")
    game = device.game
    seeds = np.arange(count, dtype=np.uint64) + np.uint64(2**63)
    theirs, ours = device.deal(seeds), game.deal(seeds)
    masks, observations, actions = device.show_and_pick(theirs, seeds)
    for number in range(decisions):
        going_on = ~game.is_over(ours)
        assert np.array_equal(masks.copy_to_host(), game.legal_actions(ours)), "masks differ"
        seen = observations.copy_to_host()
        assert np.array_equal(seen[going_on], game.observe(ours)[going_on]), "observations differ"
        game.apply(ours, actions.copy_to_host(), skip_finished=True)
        over = np.flatnonzero(game.is_over(ours))
        game.put(ours, over, game.deal(seeds[over]))
        masks, observations, actions = device.step(theirs, actions, seeds)
        assert device.to_host(theirs).tobytes() == ours.tobytes(), f"states differ after {number + 1} decisions"
    device.play_random(theirs, seeds, 300)
    game.play_random(ours, seeds, 300)
    assert device.to_host(theirs).tobytes() == ours.tobytes(), "random play differs"
    for agent in ("random", "simple", "rules"):
        ended = device.to_host(device.playout(theirs, agent, 7))
        assert ended.tobytes() == game.playout(ours, agent, 7).tobytes(), f"games of {agent} differ"
    return f"{count} games: states, masks, observations, playouts"


def same_lanes(name: str, count: int = 256, steps: int = 150) -> str:
    """Step lanes of the GPU and of the processor side by side; return what was compared. Raises AssertionError."""
    device = stardeck.make(name, device="cuda")
    theirs, ours = DeviceLanes(device, count, "rules"), Lanes(device.game, count, "rules")
    seeds, ended = np.arange(count, dtype=np.uint64), 0
    for lanes in (theirs, ours):
        lanes.reset(seeds)
    for _ in range(steps):
        actions = ours.random_actions(seeds)
        theirs.step(actions)
        ours.step(actions)
        for part in ("masks", "observations", "seats", "ended", "rewards", "terminated", "truncated"):
            assert np.array_equal(getattr(theirs, part).copy_to_host(), getattr(ours, part)), f"{part} differ"
        assert np.array_equal(theirs.ended_rows, ours.ended_rows), "other games have ended"
        ended += len(ours.ended_rows)
        seeds += np.uint64(count)
    assert ended, "no game has ended"
    return f"{count} lanes, {steps} steps, {ended} games ended"


def error_is_raised() -> str:
    """Make a rule raise an error in one row; return its message. Raises AssertionError if the GPU raises nothing."""
    device = stardeck.make("star_realms", device="cuda")
    states = device.game.deal(range(300))
    play = [device.game.parse(states[row : row + 1], "play Scout")[0] for row in range(300)]
    states["players"]["in_play_count"][257] = len(states["players"]["in_play"][0, 0])  # no place is left
    there = device.to_device(states)
    try:
        device.apply(there, play, check=False)
        device.to_host(there)
    except RuntimeError as error:
        assert "row 257" in str(error), f"it names another row: {error}"
        return str(error)
    raise AssertionError("nothing was raised")


def first_steps() -> Iterator[Row]:
    """Time the first step of fresh processes, without and with code on disk."""
    for what in ("first", "later"):
        done = subprocess.run([sys.executable, "-c", FIRST_STEP], capture_output=True, text=True, check=True)
        yield f"first step of the {what} process, seconds", f"{float(done.stdout):.1f}", "aim for a later one: 5"


def speeds(sizes: tuple[int, ...], seconds: float, train: bool) -> Iterator[Row]:
    """Measure the rows of speed/gpu.py for the core set."""
    device = DeviceGame(stardeck.make("star_realms"))
    aims = {"gpu_random": 200, "gpu_batch": 120, "gpu_train": 5}
    for name, play in gpu.ROWS.items():
        if name == "gpu_train" and not train:
            continue
        for size in sizes:
            _, decisions, took = play(device, size, seconds)
            aim = f"aim: {aims[name]}" if name in aims else ""
            yield f"{name}, {size:,} games, M decisions/s", f"{decisions / took / 1e6:.2f}", aim


def registers(size: int, seconds: float) -> Iterator[Row]:
    """Measure two loops with different limits on the registers of a thread."""
    from stardeck.kernels.cuda import compiler

    for loop, row, warps in (("play_random", "gpu_random", False), ("step_all", "gpu_batch", True)):
        for limit in REGISTERS:
            device = DeviceGame(stardeck.make("star_realms"))
            function = device._loops[loop].fn if compiler.SIMULATED else device._loops[loop].py_func
            device._loops[loop] = compiler.launched(function, warps=warps, registers=limit)
            _, decisions, took = gpu.ROWS[row](device, size, seconds)
            yield f"{loop}, {limit or 'any'} registers, {size:,} games", f"{decisions / took / 1e6:.2f}", ""


def _steps_a_second(lanes: DeviceLanes, seeds: Any, seconds: float) -> float:
    """Step lanes with random actions; return the decisions a second after the first step, which may compile."""
    lanes.step(lanes.random_actions(seeds))
    began, number = time.perf_counter(), 0
    while number < 3 or time.perf_counter() - began < seconds:
        lanes.step(lanes.random_actions(seeds))
        number += 1
    return number * lanes.num_envs / (time.perf_counter() - began)


def shares(size: int, seconds: float) -> Iterator[Row]:
    """Measure steps of lanes with different numbers of opponents' decisions a launch."""
    device = DeviceGame(stardeck.make("star_realms"))
    seeds = device.seeds(np.arange(size, dtype=np.uint64))
    for chosen in SHARED_OUT:
        lanes = DeviceLanes(device, size, "rules", team=True, skip_forced=True)
        lanes._shares = chosen
        lanes.reset(np.arange(size, dtype=np.uint64))
        rate = _steps_a_second(lanes, seeds, seconds)
        text = ", ".join("rest" if share > 1_000 else str(share) for share in chosen)
        yield f"steps of {size:,} lanes, launches of {text}", f"{rate / 1e6:.2f}", "M decisions/s"


def orders(size: int, repeats: int = 9) -> Iterator[Row]:
    """Time `apply` with its rows as they are, ordered by kind of action, and ordered by action."""
    from stardeck.benchmarks.speed.gpu_trials import apply_in_order
    from stardeck.kernels.cuda import compiler

    device = DeviceGame(stardeck.make("star_realms"))
    seeds = device.seeds(np.arange(size, dtype=np.uint64))
    states = device.deal(seeds)
    device.play_random(states, seeds, 100)
    actions = device.show_and_pick(states, seeds)[2]
    chosen = actions.copy_to_host()
    kinds = np.array([int(action.act) for action in device.game.variant.actions])[chosen]
    orders = {
        "as they are": np.arange(size),
        "by kind": np.argsort(kinds, kind="stable"),
        "by action": np.argsort(chosen),
    }

    def took(rows: Any) -> float:
        times = []
        for _ in range(repeats):
            copies = device.copy(states)
            compiler.cuda.synchronize()
            began = time.perf_counter()
            if rows is not None:
                compiler.launch(apply_in_order, size, (device.rules, copies, actions, rows))
            compiler.cuda.synchronize()
            times.append(time.perf_counter() - began)
        return 1e3 * float(np.median(times[1:]))

    nothing = took(None)
    for name, order in orders.items():
        yield f"apply, {size:,} rows {name}, ms", f"{took(device.put(order)) - nothing:.3f}", ""


def networks(size: int, seconds: float) -> Iterator[Row]:
    """Measure lanes against a network in each thread, and torch on as many observations: what batches could gain."""
    import torch

    device = DeviceGame(stardeck.make("star_realms"))
    opponent: Any = agents.get("ppo", device.game)
    lanes = DeviceLanes(device, size, [opponent], team=True, skip_forced=True)
    lanes.reset(np.arange(size, dtype=np.uint64))
    seeds = device.seeds(np.arange(size, dtype=np.uint64))
    rate = _steps_a_second(lanes, seeds, seconds)
    yield f"steps of {size:,} lanes against a network", f"{rate / 1e6:.2f}", "M decisions/s"
    parts = [torch.as_tensor(matrix, device=device.torch_device) for matrix, _ in opponent.network.layers]
    seen = torch.as_tensor(device.shared(lanes.observations), device=device.torch_device).float()
    times = []
    for _ in range(9):
        lanes.device_game.check_errors()
        began, hidden = time.perf_counter(), seen
        for matrix in parts:
            hidden = torch.relu(hidden @ matrix)
        float(hidden.sum())  # waits
        times.append(time.perf_counter() - began)
    yield f"the layers of that network in torch, {size:,} rows, ms", f"{1e3 * float(np.median(times)):.2f}", ""


def sanitizer() -> str:
    """Play a few games under compute-sanitizer; return its last line."""
    if (tool := shutil.which("compute-sanitizer")) is None:
        return "not on the path"
    code = (
        "import numpy as np, stardeck; game = stardeck.make('interstellar_empire', device='cuda');"
        "seeds = np.arange(64, dtype=np.uint64); states = game.deal(seeds); game.play_random(states, seeds, 20);"
        "actions = game.show_and_pick(states, seeds)[2]; game.step(states, actions, seeds); game.to_host(states)"
    )
    done = subprocess.run([tool, sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    return (done.stdout or done.stderr).strip().splitlines()[-1]


def _said(part: str, check: Callable[[], str]) -> Callable[[], Iterator[Row]]:
    """Return a part of the report that says what a check returns."""

    def run() -> Iterator[Row]:
        yield part, "passed", check()

    return run


class _Sizes(click.ParamType):
    """Batch sizes, with commas."""

    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        """Return the sizes."""
        if isinstance(value, tuple):
            return value
        parts = str(value).split(",")
        if not all(part.isascii() and part.isdecimal() and 0 < int(part) <= LARGEST for part in parts):
            self.fail(f"{value}: must be whole numbers from 1 to {LARGEST}, with commas between them")
        return tuple(map(int, parts))


@click.command()
@click.option(
    "--sizes", type=_Sizes(), default="8192,65536,262144", show_default=True, help="Batch sizes, with commas."
)
@click.option(
    "--seconds", type=click.FloatRange(0, 60, min_open=True), default=2.0, show_default=True,
    help="Time for each figure.",
)  # fmt: skip
@click.option("--train/--no-train", default=True, show_default=True, help="Measure a learner, too; it needs torch.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file for the table as JSON.")
def main(sizes: tuple[int, ...], seconds: float, train: bool, out: Path | None) -> None:
    """Verify and measure the GPU path."""
    began = time.perf_counter()
    try:
        device = "the simulator" if _simulated() else gpu.name()
    except RuntimeError as error:
        raise click.UsageError(harmless(str(error))) from error
    packages = ", ".join(f"{name} {version(name)}" for name in ("numba", "numba-cuda", "numpy"))
    about = f"{device}; Python {platform.python_version()}, {packages}"
    rows: list[Row] = []
    _keep(out, about, rows)
    click.echo(harmless(f"{about}\n\n| part | figure | remark |\n| --- | --- | --- |"))
    for row in _run(_parts(sizes, seconds, train), began):
        rows.append(row)
        _keep(out, about, rows)
    click.echo(harmless(f"\n{time.perf_counter() - began:.0f} seconds"))
    sys.exit(any(figure == "FAILED" for _, figure, _ in rows))


def _keep(out: Path | None, about: str, rows: list[Row]) -> None:
    """Write the table so far, so that an interruption loses one row."""
    if out is None:
        return
    try:
        out.write_text(json.dumps({"about": about, "rows": rows}, indent=1) + "\n")
    except OSError as error:
        raise click.UsageError(harmless(f"--out {out}: {reason(error)}")) from error


def _parts(sizes: tuple[int, ...], seconds: float, train: bool) -> list[Callable[[], Iterator[Row]]]:
    """Return the parts of the report, in order."""
    return [
        *(_said(f"same games: {name}", partial(same_games, name)) for name in GAMES),
        *(_said(f"same lanes: {name}", partial(same_lanes, name)) for name in GAMES[:2]),
        _said("an error of the rules is raised", error_is_raised),
        first_steps,
        partial(speeds, sizes, seconds, train),
        partial(shares, sizes[-1], seconds),
        partial(registers, sizes[-1], seconds),
        partial(orders, sizes[-1]),
        *([partial(networks, sizes[0], seconds)] if train else []),
        _said("compute-sanitizer", sanitizer),
    ]


def _simulated() -> bool:
    from stardeck.kernels.cuda import compiler

    return compiler.SIMULATED


def _run(parts: list[Callable[[], Iterator[Row]]], began: float) -> Iterator[Row]:
    """Run the parts and print their rows, until the time is over."""
    for number, part in enumerate(parts):
        if time.perf_counter() - began > LIMIT - 20:
            yield _shown(("time", "over", f"{len(parts) - number} parts were left out"))
            return
        try:
            for row in part():
                yield _shown(row)
                if time.perf_counter() - began > LIMIT - 10:
                    break
        except Exception as error:  # the other parts still tell something
            yield _shown((f"part {number + 1}", "FAILED", f"{type(error).__name__}: {error}"[:300]))


def _shown(row: Row) -> Row:
    click.echo(harmless("| " + " | ".join(str(each).replace("\n", " ") for each in row) + " |"))
    return row


if __name__ == "__main__":
    main()
