"""The part `restricted` of the designer's report: restricted play, after Jaffe et al. (2012).

An agent that may not do something plays against the same agent without restriction. What it loses is what the forbidden
thing is worth to this agent: cards, factions, kinds of actions, and manners of play. A search also plays against its
prior policy alone, which shows what looking ahead is worth: the first one of the ladder, or else a small one that the
agent guides.
"""

from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.agents.restricted import RestrictedAgent, restrictions_of
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.arena.executors import cut_ranges, executor_for
from stardeck.benchmarks.design.agent_pace import affordable, time_of
from stardeck.benchmarks.design.kept.arrays_by_name import KeptChunks
from stardeck.benchmarks.design.part import Asked, Measured, PartOf
from stardeck.benchmarks.design.restricted.games import RestrictedSeries
from stardeck.benchmarks.design.restricted.page import show
from stardeck.benchmarks.design.restricted.verdicts import blocks_wanted, effect_of, judged
from stardeck.game.agent import Agent
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

VERSION = 1  # of the arrays in the folder
FEWEST_BLOCKS = 16  # of a restriction
SEARCHED = 2  # parts of the budget: the search of the ladder gets one
SIMULATIONS = 20  # of a search that the ladder lacks
TIMES = 4  # the budget, for such a search
NO_LOOK_AHEAD = "no_look_ahead"


class Candidate(NamedTuple):
    """A restriction under measurement."""

    name: str
    label: str  # after the name of the agent
    group: str
    player: Agent


def offers(game: Game) -> str:
    """Return "" if the action space has something to leave out, else the reason why there is nothing."""
    return "" if restrictions_of(game) else "its action space has nothing that an agent could leave out"


def candidates(game: Game, agent: Agent) -> list[Candidate]:
    """Return the restrictions of an agent in a variant.

    A search also plays without look-ahead: its prior policy alone.
    """
    found = [Candidate(one.name, one.label, one.group, RestrictedAgent(agent, one)) for one in restrictions_of(game)]
    if isinstance(agent, SearchAgent):
        found.append(Candidate(NO_LOOK_AHEAD, "does not look ahead", "manner", agent.prior))
    return found


def measure(asked: Asked) -> Measured:
    """Play the agent with each restriction against itself without, and judge the restrictions.

    Args:
        asked: What is measured; `agent` plays all seats.

    Raises:
        ValueError: The agent cannot play the variant, it has no restrictions, or the folder holds other games.
    """
    game = asked.game
    if reason := offers(game):
        raise ValueError(f"{game.id}: restricted play: {reason}")
    agent = players.get(asked.agent, game)
    listed = candidates(game, agent)
    series = [RestrictedSeries(game, agent, one.player, asked.seed) for one in listed]
    each = series[0].rotations
    most = affordable(agent, asked.games) // each
    first = max(FEWEST_BLOCKS, most // (2 * len(series)))
    kept = _folders(asked, listed, series)
    effects, _ = _played(asked, series, kept, np.full(len(series), first))
    spread = np.array([float(found.std(ddof=1)) for found in effects])
    wanted = blocks_wanted(spread, first, most)
    effects, counts = _played(asked, series, kept, wanted)
    search, blocks = _search_of(asked, agent, each)
    if search:
        blind = [Candidate(NO_LOOK_AHEAD, "does not look ahead", "manner", search.prior)]
        slow = [RestrictedSeries(game, search, search.prior, asked.seed)]
        more, counted = _played(asked, slow, _folders(asked, blind, slow), np.full(1, blocks))
        listed, series, effects = listed + blind, series + slow, effects + more
        counts = np.concatenate([counts, counted])
    free = [one.agents[0].name for one in series]
    names = [
        (f"restricted_{one.name}", f"{name} that {one.label}: share won minus the fair share")
        for one, name in zip(listed, free, strict=True)
    ]
    found = [effect_of(*named, blocks, 100 / each) for named, blocks in zip(names, effects, strict=True)]
    verdicts = judged(found, np.where([isinstance(one.player, RestrictedAgent) for one in listed], counts[:, 1], 1))
    details = [
        {
            "name": estimate.name, "agent": name, "label": one.label, "group": one.group, "verdict": verdict, "p": p,
            "q": q, "games": int(len(blocks) * each), "decisions": int(count[0]), "offered": int(count[1]),
            "gave_way": int(count[2]),
        }
        for one, name, (estimate, p, q, verdict), blocks, count in zip(
            listed, free, verdicts, effects, counts, strict=True
        )
    ]  # fmt: skip
    return Measured([one.estimate for one in verdicts], {"agent": agent.name, "restrictions": _plain(details)}, [])


def _search_of(asked: Asked, agent: Agent, each: int) -> tuple[SearchAgent | None, int]:
    """Return the search that plays with and without look-ahead, and the number of its blocks.

    It is the first search of the ladder, or else a small one that the agent guides, if the budget is enough for it.
    None if the agent is a search itself, or a program in Python.
    """
    if isinstance(agent, SearchAgent):
        return None, 0
    ladder = (players.get(text, asked.game) for text in asked.ladder)
    if found := next((one for one in ladder if isinstance(one, SearchAgent)), None):
        return found, max(FEWEST_BLOCKS, affordable(found, asked.games) // (SEARCHED * each))
    if not is_compiled(agent):  # a search that it guides would take hours
        return None, 0
    own = players.get(f"search:{SIMULATIONS}:prior={asked.agent}", asked.game)
    assert isinstance(own, SearchAgent)
    blocks = TIMES * asked.games // (time_of(own) * each)
    return (own, blocks) if blocks >= FEWEST_BLOCKS else (None, 0)


def _folders(asked: Asked, listed: list[Candidate], series: list[RestrictedSeries]) -> list[KeptChunks]:
    """Return the folder of each restriction."""
    return [
        KeptChunks(asked.out / one.name, _identity(asked, each.agents[0], each))
        for one, each in zip(listed, series, strict=True)
    ]


def _plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows for JSON, which has no NaN."""
    return [{key: None if value != value else value for key, value in row.items()} for row in rows]


def _identity(asked, agent, series):
    """Return what identifies the games of a restriction."""
    return {
        "part": "restricted",
        "version": VERSION,
        "variant": asked.game.id,
        "settings": asked.game.settings,
        "tables": asked.game.variant.tables,
        "agent": identity_of(agent),
        "restricted": series.identity,
        "seed": asked.seed,
    }


def _played(
    asked: Asked, series: list[RestrictedSeries], kept: list[KeptChunks], wanted: NDArray[np.int64]
) -> tuple[list[NDArray[np.float64]], NDArray[np.int64]]:
    """Play the blocks that the folders lack; return the effects in points and the counts of each restriction."""
    executor = executor_for(asked.on, asked.workers)
    folders = {id(one): folder for one, folder in zip(series, kept, strict=True)}
    missing = [folder.missing(int(count)) for folder, count in zip(kept, wanted, strict=True)]
    rotations = series[0].rotations
    total = int(wanted.sum())
    done = total - sum(stop - start for ranges in missing for start, stop in ranges)

    def stretches() -> Iterator[tuple[Any, int, int]]:
        one: Any
        for one, ranges in zip(series, missing, strict=True):
            yield from cut_ranges(executor, one, ranges)

    with closing(executor.run(stretches())) as finished:
        for one, (start, stop, arrays) in finished:
            folders[id(one)].add(start, stop, arrays)
            done += stop - start
            asked.progress(rotations * done, rotations * total)
    effects, counts = [], []
    for folder, count in zip(kept, wanted, strict=True):
        chunks = [arrays for _, arrays in folder.read()]
        effects.append(100 * np.concatenate([arrays["effect"] for arrays in chunks])[:count])
        counts.append(np.concatenate([arrays["counted"] for arrays in chunks])[:count].sum(axis=0))
    return effects, np.array(counts)


RESTRICTED = PartOf(
    "restricted", "Restricted play", "What matters to an agent, what is a trap, and what is decoration?",
    measure, show, offers,
)  # fmt: skip
