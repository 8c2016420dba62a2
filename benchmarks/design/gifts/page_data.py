"""Combinations of cards as plain data for the page: pairs, relations, single cards, and heat maps."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stardeck.benchmarks.card_values.treatment_effects import Z, corrected
from stardeck.benchmarks.design.gifts.chosen import CLEAR, Stage, ends_of, shown_pairs
from stardeck.benchmarks.design.gifts.experiment import GiftSeries
from stardeck.benchmarks.design.gifts.kinships import Kinship
from stardeck.benchmarks.design.gifts.pairs import Clear
from stardeck.benchmarks.design.gifts.win_points import points

IN_PICTURE = 16  # cards of the heat map


def details_of(
    stages: Sequence[Stage], clear: Clear, names: Sequence[str], relations: dict[str, Any], series: GiftSeries
) -> dict[str, Any]:
    """Return what the page needs, as plain data.

    Args:
        stages: Estimates of each stage.
        clear: Correction of all pairs together.
        names: Names of the cards that were given.
        relations: Relations between the cards by their words.
        series: A series of the experiment.
    """
    pairs = series.cells.pairs
    return {
        "place": series.gifts.place,
        "games": [stage.games for stage in stages],
        "tested": int((~np.isnan(clear.q)).sum()),
        "all": int(clear.q.size),
        "clear": [int((clear.q[number] < CLEAR).sum()) for number in range(len(stages))],
        "error": [_typical(stage) for stage in stages],
        "pairs": _pairs(stages, clear, names, relations, pairs),
        "kinships": _kinships(stages),
        "main": [_main(stage, names) for stage in stages],
        "maps": [_map(stage, clear.q[number], names, pairs) for number, stage in enumerate(stages)],
    }


def _pairs(stages, clear, names, relations, pairs):
    """Return the pairs that are shown."""
    rows = []
    for shown in shown_pairs(stages, clear):
        one, other = pairs[shown.pair]
        stage = stages[shown.stage]
        rows.append({
            "stage": stage.name,
            "cards": [names[one], names[other]],
            "alone": [stage.alone(card)[0] for card in (one, other)],
            "added": shown.added,
            "together": shown.together,
            "beyond": shown.beyond,
            "q": shown.q,
            "clear": shown.clear,
            "why": [words for words, relation in relations.items() if one != other and relation[one, other]],
        })  # fmt: skip
    return rows


def _typical(stage):
    """Return half the 95 % interval of the median pair, in win points; None if no pair is known."""
    low, high = stage.pairs.beyond.ends(Z)
    known = ~np.isnan(low)
    return float(np.median((high - low)[known]) / 2) if known.any() else None


def kinship_ends(one: Kinship) -> tuple[float, float | None, float | None]:
    """Return the difference that a relation makes, as win points between equals, with its interval."""
    low, high = (None if end is None else float(points(end)) for end in (one.low, one.high))
    return float(points(one.effect)), low, high


def _kinships(stages):
    """Return the differences by relation and stage, corrected together."""
    found = [(stage.name, one) for stage in stages for one in stage.kinships]
    chances = corrected(np.array([one.p for _, one in found], np.float64))
    return [
        {
            "stage": stage, "relation": one.name, "pairs": one.pairs, "extra": kinship_ends(one),
            "ratio": float(np.exp(one.effect)), "p": one.p, "least": one.least, "q": float(q),
        }
        for (stage, one), q in zip(found, chances, strict=True)
    ]  # fmt: skip


def _main(stage, names):
    """Return what each card gives, the largest mean first: together with other gifts, and alone."""
    known = np.flatnonzero(~np.isnan(stage.main.effects))
    order = known[np.argsort(-stage.main.effects[known], kind="stable")]
    rows = []
    for card in order:
        alone = stage.alone(card)
        among = ends_of(stage.main.effects[card], stage.main.errors[card])
        rows.append({"card": names[card], "among": among, "alone": None if np.isnan(alone[0]) else alone})
    return {"stage": stage.name, "cards": rows}


def _map(stage, q, names, pairs):
    """Return the win points of pairs beyond the sum, among the cards of the largest clear ones: a heat map."""
    value = stage.pairs.beyond.value
    cards = _in_picture(np.where(q < CLEAR, value, 0.0), pairs)
    place = {card: number for number, card in enumerate(cards)}
    values: list[list[float | None]] = [[None] * len(cards) for _ in cards]
    marks = [[False] * len(cards) for _ in cards]
    for pair, (one, other) in enumerate(pairs.tolist()):
        if one in place and other in place and not np.isnan(value[pair]):
            for row, column in ((place[one], place[other]), (place[other], place[one])):
                values[row][column] = float(value[pair])
                marks[row][column] = bool(q[pair] < CLEAR)
    return {"stage": stage.name, "cards": [names[card] for card in cards], "points": values, "clear": marks}


def _in_picture(clear, pairs):
    """Return the cards of the pairs with the largest clear values, the best and the worst in turn."""
    best, worst = np.argsort(-clear, kind="stable"), np.argsort(clear, kind="stable")
    chosen: list[int] = []
    for pair in np.stack([best, worst], axis=1).ravel():
        new = [card for card in dict.fromkeys(pairs[pair].tolist()) if card not in chosen]
        if len(chosen) + len(new) > IN_PICTURE:
            break
        chosen += new if clear[pair] else []
    return sorted(chosen)
