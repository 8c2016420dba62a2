"""Measurement of combinations of cards."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stardeck.benchmarks.design.card_use.measure import Player, slug
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.gifts.chosen import CLEAR, Stage, ends_of, shown_pairs
from stardeck.benchmarks.design.gifts.experiment import STAGES, GiftSeries
from stardeck.benchmarks.design.gifts.kinships import kinships
from stardeck.benchmarks.design.gifts.page_data import details_of, kinship_ends
from stardeck.benchmarks.design.gifts.pairs import Clear, clear_pairs, interactions, results
from stardeck.benchmarks.design.gifts.strengths import fit_cards, fit_groups
from stardeck.benchmarks.design.kept.rows import Counter, StoredChunks, Wanted, play_missing
from stardeck.benchmarks.design.part import Asked


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
    related = kinships(pairs, series.cells, _relations(series), seed)
    return Stage(series.stage, len(rows), found, pairs, start.main, related)


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
                label = f"{name} as a gift, {stage.name}, on average beside other gifts: win points between equals"
                ends = ends_of(stage.main.effects[number], stage.main.errors[number])
                found.append(Estimate(f"gift_{stage.name}_{slug(name)}", label, "points", *ends))
        for one in stage.kinships:
            label = f"odds of pairs that {one.name} rather than of others, {stage.name}, as win points between equals"
            found.append(Estimate(f"pairs_{stage.name}_{slug(one.name)}", label, "points", *kinship_ends(one)))
    for shown in shown_pairs(stages, clear):
        stage, (one, other) = stages[shown.stage], (names[card] for card in pairs[shown.pair])
        name = f"pair_{stage.name}_{slug(one)}_{slug(other)}"
        label = f"{one} with {other}, {stage.name}: win points between equals, less what adding odds would give"
        found.append(Estimate(name, label, "points", *shown.beyond))
    return found
