"""Part `changes`: the smallest printed change that makes the game fair, and what else changes with it.

`stardeck fair` searches every parameter of the variant (candidates.py). The nearest whole number can be printed; what
it leaves of the advantage is measured. Changes that leave little are ranked by the share of the printed number that
they change, new rules after them. The first ones are played and compared with the printed game on the same deals:
length, comebacks and the other numbers of the part `drama`, and for the first one also card values.
"""

import math
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
from stardeck.benchmarks.design.drama import DRAMA
from stardeck.benchmarks.design.estimates import Estimate, differences
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.words import amount, corrected_chance, with_interval
from stardeck.benchmarks.fairness.parameters import independent_settings, read_parameters
from stardeck.benchmarks.fairness.search import fair
from stardeck.benchmarks.results.words import parameter_in_words
from stardeck.game.agent_table import is_compiled
from stardeck.game.game import Game

Z = 1.96
LEFT = 1.0  # points of advantage that a change may leave
SEARCHES = 4  # parts of the budget: a parameter gets one
COMPARED = 3  # answers that are played and compared with the printed game
SMALL = 0.3  # points: the smallest error that a search may have
CARDS = 8  # card values that are listed
CLEAR = 0.05  # of corrected p-values
REASONS = {
    "out of range": "the fair value lies outside the values that were searched",
    "limit of games": "this budget does not find the fair value well enough",
    "found": "no whole number next to the fair value is allowed",
}
NOT_OF_GAME = ("calibration_error",)  # of the chances, not of the game


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
    steps = len(listed) + len(auctions(game)) + 1
    rows = [_searched(asked, one, within, budget, (number, steps)) for number, one in enumerate(listed)]
    rows.sort(key=_rank)
    bids = [_auction(asked, name, value, budget) for name, value in auctions(game)]
    estimates = [_estimate(row) for row in rows if row["found"]]
    first = [row for row in rows if row["found"]][:COMPARED]
    cards = bool(treatments_of(game.variant.game)) and is_compiled(players.get(asked.agent, game))
    compared = [_compared(asked, row, cards and number == 0) for number, row in enumerate(first)]
    asked.progress(1, 1)
    commands = [command_for("fair", game, knob=[row["knob"]], agents=asked.agent, within=within) for row in rows]
    details = {"rows": rows, "auctions": bids, "compared": compared, "within": within}
    return Measured(estimates, details, commands)


def _searched(asked: Asked, candidate: Candidate, within: float, budget: int, at: tuple[int, int]) -> dict[str, Any]:
    """Return the answer of the search of a parameter."""
    asked.progress(*at)
    game = asked.game
    (parameter,) = read_parameters([candidate.knob], game)
    settings = independent_settings(game, [parameter])
    row: dict[str, Any] = {"knob": candidate.knob, "label": parameter.label, "printed": candidate.printed}
    row["name"] = parameter_in_words(parameter.label)
    try:
        summary = fair(
            game.variant.game, candidate.knob, asked.agent, within, 4 * budget, asked.seed,
            asked.out / _file_name(parameter.label), workers=asked.workers, on=asked.on, **settings,
        )  # fmt: skip
    except ValueError as error:
        return row | {"found": False, "why": str(error)}
    (answer,) = summary["answer"]
    whole = _nearest(summary["seen"], parameter.label, candidate.printed)
    change = abs(whole["value"] - candidate.printed) if whole else math.inf
    return row | {
        "found": summary["found"] and whole is not None, "why": summary["why"], "answer": answer, "whole": whole,
        "games": summary["games"], "new": not candidate.whole, "change": change,
        "share": change / candidate.whole if candidate.whole else None,
    }  # fmt: skip


def _nearest(seen: list[dict[str, Any]], label: str, printed: Any) -> dict[str, Any] | None:
    """Return the whole number that certainly leaves the least advantage: its value and the points that it leaves."""
    others = [row for row in seen if row["knobs"][label] != printed]
    if not others:
        return None
    best = min(others, key=lambda row: max(abs(row["low"]), abs(row["high"])))
    left = {"value": best["points"], "low": best["low"], "high": best["high"], "unit": "points"}
    return {"value": best["knobs"][label], "left": left}


def _file_name(label: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in label)


def _rank(row: dict[str, Any]) -> tuple[int, bool, float]:
    """Return the place of a change: those that leave little, printed numbers and the smallest change first.

    Those that leave more follow, the one that leaves least first.
    """
    if not row["found"]:
        return 2, True, math.inf
    left = abs(row["whole"]["left"]["value"])
    if left > LEFT:
        return 1, True, left
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
        summary = advantage(
            game.variant.game, asked.agent, budget, asked.seed, asked.out / f"{name}-{value}", workers=asked.workers,
            on=asked.on, **settings, **{name: value},
        )  # fmt: skip
    except ValueError as error:
        return row | {"why": str(error)}
    return row | {"why": "", "first": summary["first_advantage"]}


def _compared(asked: Asked, row: dict[str, Any], with_cards: bool) -> dict[str, Any]:
    """Return what else changes at the whole number next to an answer, compared on the same deals."""
    game = asked.game
    (parameter,) = read_parameters([row["knob"]], game)
    value = row["whole"]["value"]
    settings = parameter.settings_at(independent_settings(game, [parameter]), parameter.values.index(value))
    changed = Game.named(game.variant.game, settings)
    folder, name = asked.out / "compared", _file_name(parameter.label)
    before, after = (
        DRAMA.measure(_of(asked, played, folder / at)).estimates for at, played in (("printed", game), (name, changed))
    )
    printed = {one.name: one.value for one in before}
    apart = [one._replace(blocks=None)._asdict() | {"printed": printed[one.name]} for one in differences(before, after)]
    found = {"label": row["label"], "name": row["name"], "value": value, "differences": apart}
    return found | ({"cards": _card_values(asked, changed, folder, name)} if with_cards else {})


def _of(asked: Asked, game: Game, out: Path) -> Asked:
    """Return the request of another part: the same games of another variant."""
    out.mkdir(parents=True, exist_ok=True)
    games = max(1, asked.games // COMPARED)
    return Asked(game, out, games, asked.agent, (), asked.seed, None, asked.workers, asked.on)


def _card_values(asked: Asked, changed: Game, folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the card values that differ most between the printed game and a changed one, with corrected q."""
    summaries = [
        worth(
            game.variant.game, asked.agent, asked.games, asked.seed, folder / at / "worth", workers=asked.workers,
            on=asked.on, **game.settings,
        )
        for at, game in (("printed", asked.game), (name, changed))
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
    rows = [
        [
            row["name"],
            f"{row['printed']} → {row['whole']['value']}",
            _size(row),
            with_interval(row["whole"]["left"], 2),
            with_interval(row["answer"], 2),
        ]
        for row in found
    ]
    columns = ["change", "printed → fair", "size of the change", "advantage left, points", "exactly fair at"]
    tables = [Table("Changes that make it fair or nearly fair, the best first", columns, rows)]
    if others := [
        [row["name"], str(row["printed"]), REASONS.get(row["why"], row["why"])]
        for row in details["rows"]
        if not row["found"]
    ]:
        tables.append(Table("Settings that do not make it fair", ["setting", "printed", "reason"], others))
    if bids := [_bid(row) for row in details["auctions"]]:
        tables.append(Table("Players set the price of the first turn", ["rule", "advantage of moving first"], bids))
    tables += _what_else(details["compared"])
    return Shown(_findings(details, found), tables)


def _what_else(compared: list[dict[str, Any]]) -> list[Table]:
    """Return the table of all numbers that change, with a column for each change, and that of card values."""
    if not compared:
        return []
    by_name = [{row["name"]: row for row in one["differences"]} for one in compared]
    rows = []
    for row in compared[0]["differences"]:
        cells = [with_interval(each[row["name"]], 2, True) if row["name"] in each else "" for each in by_name]
        rows.append([row["label"], f"{amount(row['printed'], 2)} {row['unit']}".strip(), *cells])
    heads = [f"{one['name']} at {one['value']}" for one in compared]
    tables = [Table("What else changes: differences to the printed game", ["number", "printed", *heads], rows)]
    for one in compared:
        clear = [row for row in one.get("cards", []) if row["q"] < CLEAR]
        cards = [[row["card"], row["stage"], with_interval(row, 1), corrected_chance(row["q"])] for row in clear]
        if clear:
            title = f"Card values that change: {one['name']} at {one['value']}"
            tables.append(Table(title, ["card", "stage", "difference in points", "q"], cards))
    return tables


def _size(row: dict[str, Any]) -> str:
    return "a new rule" if row["new"] else f"{100 * row['share']:.0f} %"


def _bid(row: dict[str, Any]) -> list[str]:
    left = row["why"] or with_interval(
        {"value": row["first"]["points"], "unit": "points"} | {key: row["first"][key] for key in ("low", "high")}, 2
    )
    return [f"{row['setting'].replace('_', ' ')}: {row['value']}", left]


def _findings(details: dict[str, Any], found: list[dict[str, Any]]) -> list[str]:
    if not found:
        return ["No single printed number in the ranges that were searched makes the game fair."]
    best = found[0]
    if best["answer"]["low"] <= best["printed"] <= best["answer"]["high"]:
        return ["The printed game is fair, as far as these games can tell: no number needs to change."]
    size = "a new rule" if best["new"] else f"{100 * best['share']:.0f} % of what is printed"
    change = f"{best['name']} from {best['printed']} to {best['whole']['value']} ({size})"
    left = f"It leaves {with_interval(best['whole']['left'], 1)} points to the first player."
    if abs(best["whole"]["left"]["value"]) > LEFT:
        sentences = [f"No whole number makes it fair; nearest comes {change}. {left}"]
    else:
        sentences = [f"The smallest change that makes it fair: {change}. {left}"]
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
    return row["low"] is not None and row["high"] is not None and (row["low"] > 0 or row["high"] < 0)


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
