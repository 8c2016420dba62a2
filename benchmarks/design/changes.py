"""Part `changes`: the smallest printed change that makes the game fair, and what else changes with it.

`stardeck fair` searches every parameter of the variant (candidates.py). The nearest whole number can be printed; what
it leaves of the advantage is measured. Changes that leave little are ranked by the share of the printed number that
they change, new rules after them. What the first ones leave is measured again on new deals, for the best of many points
looks better than it is. They are compared with the printed game on the same deals: length, comebacks and the other
numbers of the part `drama`, and for the first one also card values.
"""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from stardeck import agents as players
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena.variant_options import command_for
from stardeck.benchmarks.card_values.measure import worth
from stardeck.benchmarks.card_values.treatment_effects import chances, corrected
from stardeck.benchmarks.card_values.treatments import treatments_of
from stardeck.benchmarks.design.agent_pace import affordable
from stardeck.benchmarks.design.candidates import Candidate, auctions, candidates
from stardeck.benchmarks.design.comparison import NOT_OF_GAME, chances_of_none
from stardeck.benchmarks.design.drama import DRAMA
from stardeck.benchmarks.design.estimates import Estimate, differences
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.stages import stages_of
from stardeck.benchmarks.design.words import amount, corrected_chance, with_interval
from stardeck.benchmarks.fairness.parameters import independent_settings, read_parameters
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.results.words import parameter_in_words
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

Z = 1.96
LEFT = 1.0  # points of advantage that a change may leave
SEARCHES = 4  # parts of the budget: a parameter gets one
NEW_DEALS = 1 << 32  # distance of the seed of deals that no search has seen
COMPARED = 3  # answers that are played and compared with the printed game
SMALL = 0.3  # points: the smallest error that a search may have
CARDS = 8  # card values that are listed
CLEAR = 0.05  # of corrected p-values
SHOWN = "as far as these games show"
KNOWN = f"q < {CLEAR}, corrected for all rows"
REASONS = {
    "out of range": "the fair value lies outside the values that were searched",
    "limit of games": "this budget does not find the fair value well enough",
    "found": "no whole number next to the fair value is allowed",
}


def offers(game: Game) -> str:
    """Return the reason why a variant has no parameters to search, or ""."""
    if len(game.variant.sides) < 2:
        return "all players are one side, so no side has an advantage"
    return "" if candidates(game) or auctions(game) else "the game has no setting that favours a side"


def measure(asked: Asked) -> Measured:
    """Search every parameter, rank the answers, and compare the first ones with the printed game.

    Args:
        asked: What to measure.
    """
    game = asked.game
    budget = affordable(players.get(asked.agent, game), max(1, asked.games // SEARCHES))
    within = max(SMALL, round(50 * Z / math.sqrt(budget), 2))
    listed = candidates(game)
    prices = auctions(game)
    cards = bool(treatments_of(game.variant.game)) and is_compiled(players.get(asked.agent, game))
    plain, cards_of_both = asked.games // COMPARED, 2 * asked.games if cards else 0
    times = [budget] * (len(listed) + 2 * COMPARED + 1 + len(prices)) + [plain, cards_of_both]
    stages = iter(stages_of(asked, times))
    rows = [_searched(next(stages), one, within, budget) for one in listed]
    rows = _confirmed([next(stages) for _ in range(2 * COMPARED)], rows, budget)
    printed = _first(next(stages), budget, "printed", game.settings)
    bids = [_auction(next(stages), name, value, budget) for name, value in prices]
    estimates = [_estimate(row) for row in rows if row["found"]]
    first = [row for row in rows if row["found"]][:COMPARED]
    compared = [
        _compared(stage, row) for stage, row in zip(stages_of(next(stages), [1] * len(first)), first, strict=True)
    ]
    if cards and first:
        compared[0]["cards"] = _card_values(next(stages), first[0])
    asked.progress(1, 1)
    commands = [_commands(asked, row, within, budget) for row in rows]
    details = {
        "agent": asked.agent, "printed": printed, "rows": rows, "auctions": bids, "compared": compared,
        "within": within,
    }  # fmt: skip
    return Measured(estimates, details, commands)


def _searched(asked: Asked, candidate: Candidate, within: float, budget: int) -> dict[str, Any]:
    """Return the answer of the search of a parameter."""
    game = asked.game
    (parameter,) = read_parameters([candidate.knob], game)
    settings = independent_settings(game, [parameter])
    row: dict[str, Any] = {"knob": candidate.knob, "label": parameter.label, "printed": candidate.printed}
    row["name"] = parameter_in_words(parameter.label)
    try:
        summary = fair(
            game.variant.game, candidate.knob, asked.agent, within, 4 * budget, asked.seed,
            asked.out / _file_name(parameter.label), workers=asked.workers, on=asked.on, progress=asked.progress,
            **settings,
        )  # fmt: skip
    except ValueError as error:
        return row | {"found": False, "why": str(error)}
    (answer,) = summary["answer"]
    near = _nearest(summary["seen"], parameter.label, candidate.printed)
    row |= {
        "found": summary["found"] and bool(near), "why": summary["why"], "answer": answer, "near": near,
        "games": summary["games"], "confirmed": False, "measured": candidate.whole,
    }  # fmt: skip
    return _at(row, near[0]) if near else row


def _at(row: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """Return the row of a parameter with a whole number as its answer, and how large this change is."""
    change = abs(whole["value"] - row["printed"])
    share = change / row["measured"] if row["measured"] else None
    return row | {"whole": whole, "new": not row["measured"], "change": change, "share": share}


def _nearest(seen: list[dict[str, Any]], label: str, printed: Any) -> list[dict[str, Any]]:
    """Return the whole numbers that may leave the least advantage: each with the points that it left in the search.

    The first is best by the fitted curve, which uses the games of all numbers. The second, where it is another one,
    left the least for certain; it is better where the advantage jumps.
    """
    others = [row for row in seen if row["knobs"][label] != printed]
    if not others:
        return []
    fitted = min(others, key=lambda row: abs(row.get("curve", row["points"])))
    surest = min(others, key=lambda row: max(abs(row["low"]), abs(row["high"])))
    return [
        {"value": row["knobs"][label],
         "left": {"value": row["points"], "low": row["low"], "high": row["high"], "unit": "points"}}
        for row in ([fitted] if fitted is surest else [fitted, surest])
    ]  # fmt: skip


def _confirmed(stages: list[Asked], rows: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """Return the answers by rank; what the first ones leave is measured on deals that no search has seen."""
    rows, ahead = sorted(rows, key=_rank), iter(stages)
    while unseen := [place for place, row in enumerate(rows[:COMPARED]) if row["found"] and not row["confirmed"]]:
        for place in unseen:
            rows[place] = _seen_anew(next(ahead, stages[-1]), rows[place], budget)
        rows.sort(key=_rank)
    return rows


def _seen_anew(asked: Asked, row: dict[str, Any], budget: int) -> dict[str, Any]:
    """Return a row whose answer is the first whole number that leaves little on new deals, else the best one."""
    tried = []
    for stage, whole in zip(stages_of(asked, [1] * len(row["near"])), row["near"], strict=True):
        settings = _settings_at(asked.game, row["knob"], whole["value"])
        folder = f"{_file_name(row['label'])}-{whole['value']}"
        tried.append(_at(row, whole | {"left": _first(stage, budget, folder, settings, NEW_DEALS)}))
        if _is_small(tried[-1]):
            return tried[-1] | {"confirmed": True}
    return min(tried, key=lambda one: abs(one["whole"]["left"]["value"])) | {"confirmed": True}


def _commands(asked: Asked, row: dict[str, Any], within: float, budget: int) -> str:
    """Return the command of a search, and in a second line that of the games on new deals, if there are any."""
    game, agents = asked.game, asked.agent
    search = command_for(
        "fair", game, knob=[row["knob"]], agents=agents, within=within, games=4 * budget, seed=asked.seed
    )
    if not search or not row.get("confirmed"):
        return search
    changed = Game.named(game.variant.game, _settings_at(game, row["knob"], row["whole"]["value"]))
    anew = command_for("advantage", changed, agents=agents, games=budget, seed=_later(asked, NEW_DEALS))
    return f"{search}\n{anew}"


def _later(asked: Asked, distance: int) -> int:
    """Return a seed at a distance from that of the report."""
    return (asked.seed + distance) % 2**64


def _settings_at(game: Game, knob: str, value: Any) -> dict[str, Any]:
    """Return the settings of a variant in which a parameter has another value."""
    (parameter,) = read_parameters([knob], game)
    return parameter.settings_at(independent_settings(game, [parameter]), parameter.values.index(value))


def _first(asked: Asked, games: int, folder: str, settings: dict[str, Any], later: int = 0) -> dict[str, Any]:
    """Return what moving first is worth with some settings, in points with the interval.

    Args:
        asked: What the part measures.
        games: Number of games.
        folder: Name of the folder of these games.
        settings: Settings of the variant.
        later: Distance of the seed from that of the report.
    """
    found = advantage(
        asked.game.variant.game, asked.agent, games, _later(asked, later), asked.out / folder,
        workers=asked.workers, on=asked.on, progress=asked.progress, **settings,
    )["first_advantage"]  # fmt: skip
    return {"value": found["points"], "low": found["low"], "high": found["high"], "unit": "points"}


def _file_name(label: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in label)


def _rank(row: dict[str, Any]) -> tuple[int, bool, float]:
    """Return the place of a change: those that leave little, printed numbers and the smallest change first.

    Those that leave more follow, the one that leaves least first.
    """
    if not row["found"]:
        return 2, True, math.inf
    if not _is_small(row):
        return 1, True, abs(row["whole"]["left"]["value"])
    return 0, row["new"], row["share"] if row["share"] is not None else row["change"]


def _estimate(row: dict[str, Any]) -> Estimate:
    answer = row["answer"]
    return Estimate(
        f"fair_{row['label']}", f"fair value: {row['name']}", "", *(answer[k] for k in ("value", "low", "high"))
    )


def _auction(asked: Asked, name: str, value: str, budget: int) -> dict[str, Any]:
    """Return the advantage of moving first that is left when players set its price."""
    game = asked.game
    settings = {key: held for key, held in game.settings.items() if key != name}
    row: dict[str, Any] = {"setting": name, "value": value}
    try:
        return row | {"why": "", "first": _first(asked, budget, f"{name}-{value}", settings | {name: value})}
    except ValueError as error:
        return row | {"why": str(error)}


def _both(asked: Asked, row: dict[str, Any]) -> list[tuple[Game, Path]]:
    """Return the printed game and the game with the answer of a row, each with a folder for its measurements."""
    game, folder = asked.game, asked.out / "compared"
    changed = Game.named(game.variant.game, _settings_at(game, row["knob"], row["whole"]["value"]))
    return [(game, folder / "printed"), (changed, folder / _file_name(row["label"]))]


def _compared(asked: Asked, row: dict[str, Any]) -> dict[str, Any]:
    """Return what else changes at the whole number next to an answer, compared on the same deals."""
    stages = stages_of(asked, [1, 1])
    before, after = (DRAMA.measure(_of(stage, *one)) for stage, one in zip(stages, _both(asked, row), strict=True))
    printed = {one.name: one.value for one in before.estimates}
    between = differences(before.estimates, after.estimates)
    apart = [
        one._replace(blocks=None)._asdict() | {"printed": printed[one.name], "q": q}
        for one, q in zip(between, chances_of_none(between), strict=True)
    ]
    return {
        "label": row["label"], "name": row["name"], "value": row["whole"]["value"], "games": before.details["games"],
        "differences": apart,
    }  # fmt: skip


def _of(asked: Asked, game: Game, out: Path) -> Asked:
    """Return the request of another part: the same games of another variant."""
    out.mkdir(parents=True, exist_ok=True)
    games = max(1, asked.games // COMPARED)
    return replace(asked, game=game, out=out, games=games, ladder=(), logs=None)


def _card_values(asked: Asked, row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the card values that differ most between the printed game and a changed one, with corrected q."""
    summaries = [
        worth(
            game.variant.game, asked.agent, asked.games, asked.seed, folder / "worth", workers=asked.workers,
            on=asked.on, progress=stage.progress, **game.settings,
        )
        for stage, (game, folder) in zip(stages_of(asked, [1, 1]), _both(asked, row), strict=True)
    ]  # fmt: skip
    before, after = ({(row["card"], row["stage"]): row["points"] for row in one["cards"]} for one in summaries)
    both = [key for key in before if after.get(key) and before[key]]
    apart = np.array([after[key]["value"] - before[key]["value"] for key in both])
    errors = np.array([math.hypot(_error(before[key]), _error(after[key])) for key in both])
    q = corrected(chances(apart, errors))
    return [
        {"card": both[at][0], "stage": both[at][1], "value": float(apart[at]), "low": float(apart[at] - Z * errors[at]),
         "high": float(apart[at] + Z * errors[at]), "unit": "points", "q": float(q[at])}
        for at in np.argsort(q, kind="stable")[:CARDS].tolist()
    ]  # fmt: skip


def _error(points: dict[str, float]) -> float:
    return (points["high"] - points["low"]) / (2 * Z)


def show(summary: dict[str, Any]) -> Shown:
    """Return the page of the part.

    Args:
        summary: Summary.
    """
    details = summary["details"]
    found = [row for row in details["rows"] if row["found"]]
    good = [number for number, row in enumerate(details["rows"]) if row["found"] and _is_small(row)]
    poor = [number for number, row in enumerate(details["rows"]) if row["found"] and not _is_small(row)]
    tables = [
        _answers(
            details["rows"], good, f"Changes that leave {LEFT:.0f} point or less, {SHOWN}, the smallest first", "fair"
        ),
        _answers(details["rows"], poor, "Changes that leave more, the best first", "nearest"),
    ]
    if others := [
        [row["name"], str(row["printed"]), REASONS.get(row["why"], row["why"])]
        for row in details["rows"]
        if not row["found"]
    ]:
        tables.append(Table("Settings that do not make it fair", ["setting", "printed", "reason"], others))
    if bids := [_bid(row) for row in details["auctions"]]:
        tables.append(Table("Players set the price of the first turn", ["rule", "advantage of moving first"], bids))
    tables += _what_else(details["compared"])
    return Shown(_findings(details, found), [table for table in tables if table.rows])


def _is_small(row: dict[str, Any]) -> bool:
    """Return whether a change leaves little of the advantage, as far as the games show."""
    left = row["whole"]["left"]
    return left["low"] <= LEFT and left["high"] >= -LEFT


def _answers(rows: list[dict[str, Any]], shown: list[int], title: str, goal: str) -> Table:
    """Return a table of some changes; each row leads to the command of its search."""
    columns = ["change", f"printed → {goal}", "size of the change", "advantage left, points", "exactly fair at"]
    cells = [
        [
            row["name"],
            f"{row['printed']} → {row['whole']['value']}",
            _size(row),
            with_interval(row["whole"]["left"], 2),
            with_interval(row["answer"], 2),
        ]
        for row in map(rows.__getitem__, shown)
    ]
    return Table(title, columns, cells, shown)


def _what_else(compared: list[dict[str, Any]]) -> list[Table]:
    """Return the table of all numbers that change, with a column for each change, and that of card values."""
    if not compared:
        return []
    by_name = [{row["name"]: row for row in one["differences"]} for one in compared]
    rows = []
    for row in compared[0]["differences"]:
        cells = [_difference(each[row["name"]]) if row["name"] in each else "" for each in by_name]
        rows.append([row["label"], f"{amount(row['printed'], 2)} {row['unit']}".strip(), *cells])
    heads = [f"{one['name']} at {one['value']}" for one in compared]
    games = compared[0]["games"]
    title = f"What else changes: differences to the printed game, {games:,} games each; *: {KNOWN}"
    tables = [Table(title, ["number", "printed", *heads], rows)]
    for one in compared:
        clear = [row for row in one.get("cards", []) if row["q"] < CLEAR]
        cards = [[row["card"], row["stage"], with_interval(row, 1), corrected_chance(row["q"])] for row in clear]
        if clear:
            title = f"Card values that change: {one['name']} at {one['value']}"
            tables.append(Table(title, ["card", "stage", "difference in points", "q"], cards))
    return tables


def _difference(row: dict[str, Any]) -> str:
    return with_interval(row, 2, True) + (" *" if _is_clear(row) else "")


def _size(row: dict[str, Any]) -> str:
    return "a new rule" if row["new"] else f"{100 * row['share']:.0f} %"


def _bid(row: dict[str, Any]) -> list[str]:
    return [f"{row['setting'].replace('_', ' ')}: {row['value']}", row["why"] or with_interval(row["first"], 2)]


def _findings(details: dict[str, Any], found: list[dict[str, Any]]) -> list[str]:
    printed = details["printed"]
    worth_now = f"moving first is worth {with_interval(printed, 1)} points between two `{details['agent']}`"
    if max(abs(printed["low"]), abs(printed["high"])) <= LEFT:
        return [f"The printed game is fair to within {LEFT:.0f} point: {worth_now}. No number needs to change."]
    if printed["low"] <= 0 <= printed["high"]:
        return [f"These games do not show whether the printed game is fair: {worth_now}."]
    if not found:
        return [f"No single printed number in the ranges that were searched makes the game fair: {worth_now}."]
    best = found[0]
    size = "a new rule" if best["new"] else f"{100 * best['share']:.0f} % of what is printed"
    change = f"{best['name']} from {best['printed']} to {best['whole']['value']} ({size})"
    left = f"It leaves {with_interval(best['whole']['left'], 1)} points to the first player."
    if _is_small(best):
        certain = max(abs(best["whole"]["left"][end]) for end in ("low", "high")) <= LEFT
        sentences = [f"The smallest change that makes it fair{'' if certain else f', {SHOWN}'}: {change}. {left}"]
    else:
        sentences = [f"No whole number makes it fair; nearest comes {change}. {left}"]
    for one in details["compared"][:1]:
        clear = [row for row in one["differences"] if _is_clear(row) and row["name"] not in NOT_OF_GAME]
        moved = sorted(clear, key=_relative, reverse=True)
        with_it = f"With {one['name']} at {one['value']}"
        listed = "; ".join(f"{row['label']} {with_interval(row, 2, True)} {row['unit']}".strip() for row in moved[:3])
        sentences.append(
            f"{with_it}, these change most: {listed}." if moved else f"{with_it}, nothing else clearly changes."
        )
        cards = one.get("cards")
        if cards is not None and not any(row["q"] < CLEAR for row in cards):
            sentences.append(f"{with_it}, no card value changes so that it can be distinguished.")
    return sentences


def _is_clear(row: dict[str, Any]) -> bool:
    return row["q"] < CLEAR


def _relative(row: dict[str, Any]) -> float:
    """Return the size of a difference as a share of the printed number."""
    return abs(row["value"]) / max(abs(row["printed"]), 1e-9)


CHANGES = PartOf(
    "changes",
    "The smallest change that makes it fair",
    "Which printed number would have to change, by how little, and what else would change with it?",
    measure,
    show,
    offers,
)
