"""`stardeck warmup`: compile ahead."""

import json
import time

import click

from stardeck.commands.options import AS_JSON
from stardeck.commands.saying import say
from stardeck.envs.registry import GAMES, make


@click.command(name="warmup", epilog="Example: stardeck warmup star_realms")
@click.argument("games", metavar="[GAME]...", nargs=-1, type=click.Choice(list(GAMES)))
@AS_JSON
def main(games, as_json):
    """Compile all that the games need, by default all four, so that no command has to.

    The machine code is kept in a folder on disk, for all variants of a game: about a minute a game, once.
    """
    from stardeck.benchmarks import warming
    from stardeck.commands.terminal import progress_bar
    from stardeck.kernels.jit import CACHE_FOLDER

    games = list(dict.fromkeys(games)) or list(GAMES)
    seconds, done = {}, 0
    with progress_bar("kinds of use") as progress:
        for name in games:
            began = time.monotonic()

            def before(use, name=name):
                nonlocal done
                progress(done, len(games) * len(warming.USES), f"{name}: {use.name}")
                done += 1

            warming.warm_up(make(name), before)
            seconds[name] = round(time.monotonic() - began, 1)
        progress(done, done, "")
    if as_json:
        say(json.dumps({"seconds": seconds, "folder": str(CACHE_FOLDER) if CACHE_FOLDER else None}))
        return
    for name, taken in seconds.items():
        say(f"{name}: ready ({taken:.0f} s)")
    where = f"kept in {CACHE_FOLDER}" if CACHE_FOLDER else "kernels stay plain Python here: NUMBA_DISABLE_JIT is set"
    say(where)
