"""Measurement of combinations of cards, and the pairs that a page shows."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from stardeck.benchmarks.card_values.treatment_effects import Z, corrected
from stardeck.benchmarks.design.card_use.measure import Player, slug
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.gifts.experiment import STAGES, GiftSeries
from stardeck.benchmarks.design.gifts.pairs import (
    Clear,
    Interactions,
    Kinship,
    clear_pairs,
    interactions,
    kinships,
    points,
    results,
)
from stardeck.benchmarks.design.gifts.strengths import Groups, MainEffects, fit_cards, fit_groups
from stardeck.benchmarks.design.kept.rows import Counter, StoredChunks, Wanted, play_missing
from stardeck.benchmarks.design.part import Asked

CLEAR = 0.05  # q of the pairs that are picked out
FEW = 5  # pairs that are shown in any case
MOST = 40  # pairs of each kind that a page shows
IN_PICTURE = 16  # cards of the heat map


class Stage(NamedTuple):
    """Estimates of a stage of the experiment."""

    name: str
    games: int
    found: Groups
    pairs: Interactions
    main: MainEffects
    kinships: list[Kinship]


def measure_combinations(asked: Asked, agent: Player, games: Sequence[float], counter: Counter) -> Any:
    """Play games with gifts, and estimate main effects and interactions.

    Args:
        asked: What the part measures.
        agent: The agent on all seats, a compiled one.
        games: Games of each stage, of a fast agent.
        counter: Progress.

    Returns:
        Estimates, and details for the page.
    """
    identity = {"variant": asked.game.id, "settings": asked.game.settings, "tables": asked.game.variant.tables}
    store = StoredChunks(asked.out / "gifts", identity | {"seed": asked.seed, "agent": agent.name})
    stages = []
    for name, wanted in zip(STAGES, games, strict=True):
        series = GiftSeries(asked.game, agent.text, asked.seed, name)
        number = max(int(wanted * agent.speed) // series.uses, 1) * series.uses
        play_missing(store, [Wanted(name, series, number)], asked, counter)
        stages.append(_estimated(series, store.load(name, number), asked.seed))
    names = [series.gifts.names(asked.game)[card] for card in series.numbers]
    clear = clear_pairs([stage.pairs for stage in stages], CLEAR)
    relations = _relations(series)
    details = details_of(stages, clear, names, relations, series)
    return estimates_of(stages, clear, names, series.cells.pairs), details | {"agent": agent.name}


def _relations(series: GiftSeries) -> dict[str, Any]:
    place = np.ix_(series.numbers, series.numbers)
    return {name: relation[place] for name, relation in series.gifts.kinships(series.game).items()}


def _estimated(series, rows, seed):
    outcome, drawn = results(rows, series.uses)
    start = fit_cards(outcome, drawn, series.cells)
    found = fit_groups(outcome, drawn, series.cells, start)
    pairs = interactions(found, series.cells)
    related = kinships((found, pairs), series.cells, _relations(series), seed)
    return Stage(series.stage, len(rows), found, pairs, start.main, related)


def _ends(effect: float, error: float, width: float = Z) -> tuple[float, float, float]:
    """Return an effect in points between equals, with an interval of some standard errors on each side."""
    middle, low, high = (float(points(effect + sign * width * error)) for sign in (0, -1, 1))
    return middle, low, high


def shown_pairs(stages: Sequence[Stage], clear: Clear) -> list[tuple[int, int]]:
    """Return the pairs that a page shows, as (stage, pair): the clear ones and a few more, the largest first.

    Args:
        stages: Estimates of each stage.
        clear: Correction of all pairs together.
    """
    chosen = []
    for number, stage in enumerate(stages):
        for sign in (1, -1):
            sure = np.nan_to_num(sign * stage.pairs.extra / stage.pairs.extra_error, nan=-np.inf)
            ranked = [int(pair) for pair in np.argsort(-sure, kind="stable") if sure[pair] > 0]
            picked = [pair for pair in ranked if clear.q[number, pair] < CLEAR]
            kept = sorted(picked, key=lambda pair: -abs(stage.pairs.extra[pair]))[:MOST] or ranked[:FEW]
            chosen += [(number, pair) for pair in kept]
    return sorted(chosen, key=lambda one: -stages[one[0]].pairs.extra[one[1]])


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
    cells, rows = series.cells, []
    for number, pair in shown_pairs(stages, clear):
        one, other = cells.pairs[pair]
        stage, picked = stages[number], bool(clear.q[number, pair] < CLEAR)
        width = clear.wide if picked else Z
        rows.append({
            "stage": stage.name,
            "cards": [names[one], names[other]],
            "extra": _ends(stage.pairs.extra[pair], stage.pairs.extra_error[pair], width),
            "together": _ends(stage.pairs.together[pair], stage.pairs.together_error[pair], width),
            "alone": [float(points(stage.found.odds[1 + card] - stage.found.odds[0])) for card in (one, other)],
            "q": float(clear.q[number, pair]),
            "clear": picked,
            "why": [words for words, relation in relations.items() if one != other and relation[one, other]],
        })  # fmt: skip
    chances = corrected(np.array([relation.p for stage in stages for relation in stage.kinships], np.float64))
    related = [
        {
            "stage": stage.name,
            "relation": one.name,
            "pairs": one.pairs,
            "extra": _ends(one.effect, one.error),
            "p": one.p,
        }
        for stage in stages
        for one in stage.kinships
    ]
    return {
        "place": series.gifts.place,
        "games": [stage.games for stage in stages],
        "tested": int((~np.isnan(clear.q)).sum()),
        "all": int(clear.q.size),
        "clear": [int((clear.q[number] < CLEAR).sum()) for number in range(len(stages))],
        "error": [_typical(stage.pairs.extra_error) for stage in stages],
        "pairs": rows,
        "kinships": [row | {"q": float(q)} for row, q in zip(related, chances, strict=True)],
        "main": [_main(stage, names) for stage in stages],
        "maps": [_map(stage, clear.q[number], names, cells.pairs) for number, stage in enumerate(stages)],
    }


def _typical(errors):
    """Return half the 95 % interval of the median pair, in points; None if no pair is known."""
    known = errors[~np.isnan(errors)]
    return float(points(Z * np.median(known))) if len(known) else None


def _main(stage, names):
    """Return the effect of each card, the largest first."""
    known = np.flatnonzero(~np.isnan(stage.main.effects))
    order = known[np.argsort(-stage.main.effects[known], kind="stable")]
    rows = [{"card": names[k], "points": _ends(stage.main.effects[k], stage.main.errors[k])} for k in order]
    return {"stage": stage.name, "cards": rows}


def _map(stage, q, names, pairs):
    """Return the interactions among the cards of the surest pairs: a heat map."""
    sure = np.nan_to_num(stage.pairs.extra / stage.pairs.extra_error)
    best, worst = np.argsort(-sure, kind="stable"), np.argsort(sure, kind="stable")
    chosen: list[int] = []
    for pair in np.stack([best, worst], axis=1).ravel():  # the best and the worst in turn
        new = [card for card in dict.fromkeys(pairs[pair].tolist()) if card not in chosen]
        if sure[pair] == 0 or len(chosen) + len(new) > IN_PICTURE:
            break
        chosen += new
    cards = sorted(chosen)
    values: list[list[float | None]] = [[None] * len(cards) for _ in cards]
    marks = [[False] * len(cards) for _ in cards]
    place = {card: number for number, card in enumerate(cards)}
    for pair, (one, other) in enumerate(pairs.tolist()):
        if one in place and other in place and not np.isnan(stage.pairs.extra[pair]):
            for row, column in ((place[one], place[other]), (place[other], place[one])):
                values[row][column] = float(points(stage.pairs.extra[pair]))
                marks[row][column] = bool(q[pair] < CLEAR)
    return {"stage": stage.name, "cards": [names[card] for card in cards], "points": values, "clear": marks}


def estimates_of(stages: Sequence[Stage], clear: Clear, names: Sequence[str], pairs: Any) -> list[Estimate]:
    """Return the effects of given cards, the pairs that are shown, and the differences by relation.

    Args:
        stages: Estimates of each stage.
        clear: Correction of all pairs together.
        names: Names of the cards that were given.
        pairs: Cards of each pair: int64[pairs, 2].
    """
    found = []
    for stage in stages:
        for number, name in enumerate(names):
            if not np.isnan(stage.main.effects[number]):
                label = f"{name} as a gift, {stage.name}: win points between equals"
                ends = _ends(stage.main.effects[number], stage.main.errors[number])
                found.append(Estimate(f"gift_{stage.name}_{slug(name)}", label, "points", *ends))
        for one in stage.kinships:
            label = f"interaction of pairs that {one.name} rather than of others, {stage.name}"
            found.append(
                Estimate(f"pairs_{stage.name}_{slug(one.name)}", label, "points", *_ends(one.effect, one.error))
            )
    for number, pair in shown_pairs(stages, clear):
        stage, (one, other) = stages[number], pairs[pair]
        name = f"pair_{stage.name}_{slug(names[one])}_{slug(names[other])}"
        label = f"{names[one]} with {names[other]}, {stage.name}: points between equals, as odds beyond the sum of both"
        found.append(Estimate(name, label, "points", *_ends(stage.pairs.extra[pair], stage.pairs.extra_error[pair])))
    return found
