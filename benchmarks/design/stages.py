"""Progress of a part that measures several things, one after the other."""

from collections.abc import Sequence
from dataclasses import replace

from stardeck.benchmarks.arena.options import Progress
from stardeck.benchmarks.design.part import Asked


def stages_of(asked: Asked, times: Sequence[float]) -> list[Asked]:
    """Return the request of each stage of a part: what it reports fills its share of the part's progress.

    Args:
        asked: What the part measures.
        times: The time that each stage will take about, in any unit.
    """
    return [replace(asked, progress=_within(asked.progress, times, number)) for number in range(len(times))]


def _within(progress: Progress, times: Sequence[float], number: int) -> Progress:
    before, own, total = sum(times[:number]), times[number], int(sum(times))

    def report(done: int, games: int) -> None:
        progress(int(before + own * min(done / max(games, 1), 1.0)), total)

    return report
