"""A quick measurement of the first-player advantage of a variant, bounded in games and in time."""

import time
from typing import Any

from stardeck.benchmarks.advantage.aggregates import Tally
from stardeck.benchmarks.advantage.measure import summary_of
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.results.store import table_of
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.web.choices import RequestError, agent_from

MOST_GAMES = 20_000
MOST_SECONDS = 20.0
CHUNK = 250  # games between two looks at the clock


def quick_advantage(game: Game, agent: str, games: int, seed: int, seconds: float = MOST_SECONDS) -> dict[str, Any]:
    """Return the summary of a mirror match, as `stardeck advantage` writes it, of as many games as the time allows.

    Args:
        game: The variant.
        agent: Name of the agent of all seats, which must play inside the compiled loops.
        games: Number of games.
        seed: Seed of all chance.
        seconds: Seconds after which the measurement ends early.

    Raises:
        RequestError: The agent or a number is not allowed.
    """
    player = agent_from(agent, game, {})
    if not is_compiled(player):
        raise RequestError(f"agent {shown(agent)}: must be one that plays fast enough, such as rules, simple or random")
    if not 1 <= games <= MOST_GAMES:
        raise RequestError(f"games={games}: must be from 1 to {MOST_GAMES}")
    if not 0 <= seed < 2**63:
        raise RequestError(f"seed={seed}: must be from 0 to {2**63 - 1}")
    series = Series(game, [player], seed)
    series.warm_up()
    began, tally = time.perf_counter(), Tally(series)
    for start in range(0, games, CHUNK):
        if start and time.perf_counter() - began > seconds:
            break
        tally.add(table_of(series.play(start, min(start + CHUNK, games)), series.names))
    return summary_of(series, tally, tally.games / (time.perf_counter() - began))
