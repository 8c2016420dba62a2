"""The command `warmup`: compilation ahead of use."""

import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import click

from stardeck.benchmarks.game_name import GameName
from stardeck.commands.shared.options import AS_JSON, File, refusing
from stardeck.commands.shared.printing import say
from stardeck.game.registry import make, playable
from stardeck.kernels.errors import shown


@click.command(name="warmup", epilog="Example: stardeck warmup star_realms --to /opt/stardeck-cache")
@click.argument("games", metavar="[GAME]...", nargs=-1, type=GameName())
@click.option(
    "--to",
    type=File(file_okay=False),
    help="Folder for the machine code; every user who sets NUMBA_CACHE_DIR to it can load it.  [default: the cache]",
)
@AS_JSON
def main(games: tuple[str, ...], to: str | None, as_json: bool) -> int:
    """Compile games ahead of use, by default all of them, so other commands start at once.

    The machine code is cached on disk and serves all variants of a game. It takes about a minute for each game, once.
    """
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.benchmarks.speed import precompile
    from stardeck.kernels.compile.jit import CACHE_FOLDER, NOTICE

    chosen = list(dict.fromkeys(games)) or playable()
    if to is not None:
        with refusing(ValueError):
            return _warm_to(Path(to).absolute(), chosen, as_json)
    seconds: dict[str, float] = {}
    done = 0
    with progress_bar("kinds of use") as progress:
        for name in chosen:
            began = time.monotonic()

            def before(use, name=name):
                nonlocal done
                NOTICE.follow = partial(
                    _show, progress, done, len(chosen) * len(precompile.USES), f"{name}: {use.name}"
                )
                NOTICE.follow()
                done += 1

            precompile.warm_up(make(name), before)
            seconds[name] = round(time.monotonic() - began, 1)
        NOTICE.follow = None
        progress(done, done, "")
    if as_json:
        say(json.dumps({"seconds": seconds, "folder": str(CACHE_FOLDER) if CACHE_FOLDER else None}))
        return 0
    for name, taken in seconds.items():
        say(f"{name}: ready ({taken:.0f} s)")
    where = f"kept in {CACHE_FOLDER}" if CACHE_FOLDER else "kernels stay plain Python here: NUMBA_DISABLE_JIT is set"
    say(where)
    return 0


def _show(progress, done, total, use, game="", step=""):
    progress(done, total, f"{use}: {step}" if step else use)
    return True


def _warm_to(folder, games, as_json):
    """Compile in a process whose cache is the folder, and return its exit code. Raise ValueError for a bad folder."""
    from stardeck.kernels.compile.cache_folders import open_to_all, refusal
    from stardeck.kernels.compile.jit import CACHE_NAME, CACHES

    if CACHES.write is None and not CACHES.refused:
        raise ValueError("--to: nothing is compiled where NUMBA_DISABLE_JIT is set")
    kept = folder / CACHE_NAME
    made = [place for place in (folder, *folder.parents) if not place.exists()]
    if why := refusal(kept):
        raise ValueError(f"--to {shown(str(folder))}: {why}")
    command = [sys.executable, "-m", "stardeck.commands.cli", "warmup", *games, *(["--json"] if as_json else [])]
    code = subprocess.run(command, env=os.environ | {"NUMBA_CACHE_DIR": str(folder)}).returncode
    open_to_all(kept, made)
    if code == 0 and not as_json:
        say(f"set NUMBA_CACHE_DIR={folder} to load it")
    return code
