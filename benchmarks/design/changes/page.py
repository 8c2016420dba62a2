"""The page of the part `changes`: findings and tables."""

from typing import Any

from stardeck.benchmarks.design.changes.answers import LEFT, is_small, rank
from stardeck.benchmarks.design.comparison import NOT_OF_GAME
from stardeck.benchmarks.design.part import Shown, Table
from stardeck.benchmarks.design.words import amount, corrected_chance, with_interval

MOST_NAMED = 2  # other agents
CLEAR = 0.05  # of corrected p-values
SHOWN = "as far as these games show"
KNOWN = f"q < {CLEAR}, corrected for all rows"
REASONS = {
    "out of range": "the fair value lies outside the values that were searched",
    "limit of games": "this budget does not find the fair value well enough",
    "found": "no whole number next to the fair value is allowed",
}


def show(summary: dict[str, Any]) -> Shown:
    """Return the page of the part.

    Args:
        summary: Summary.
    """
    details = summary["details"]
    found = [row for row in details["rows"] if row["found"]]
    good = [number for number, row in enumerate(details["rows"]) if row["found"] and is_small(row)]
    poor = [number for number, row in enumerate(details["rows"]) if row["found"] and not is_small(row)]
    tables = [
        _answers(details["rows"], good, f"Changes that may leave {LEFT:.0f} point or less, the smallest first", "fair"),
        _answers(details["rows"], poor, "Changes that leave more, the best first", "nearest"),
    ]
    if others := [
        [row["name"], str(row["printed"]), REASONS.get(row["why"], row["why"])]
        for row in details["rows"]
        if not row["found"]
    ]:
        tables.append(Table("Settings that do not make it fair", ["setting", "printed", "reason"], others))
    if bids := [_bid(row) for row in details["auctions"]]:
        title = f"Players set the price of the first turn; here it is the price that `{details['agent']}` knows"
        tables.append(Table(title, ["rule", "advantage of moving first, points"], bids))
    tables += [*_between_others(details), *_what_else(details["compared"])]
    return Shown(_findings(details, found), [table for table in tables if table.rows])


def _between_others(details: dict[str, Any]) -> list[Table]:
    """Return the table of what the first change leaves between agents that the searches did not ask."""
    rows = [
        [f"`{one['agent']}`", with_interval(one["printed"], 2), with_interval(one["after"], 2), f"{one['games']:,}"]
        for one in details.get("elsewhere", [])
    ]
    if not rows:
        return []
    best = details["compared"][0]
    columns = ["agents", "printed", f"{best['name']} at {best['value']}", "games each"]
    return [Table("What moving first is worth between other agents, points", columns, rows)]


def _answers(rows: list[dict[str, Any]], shown: list[int], title: str, goal: str) -> Table:
    """Return a table of some changes; each row leads to the command of its search."""
    columns = [
        "change", f"printed → {goal}", "size of the change", "advantage left, points", "on new deals", "exactly fair at"
    ]  # fmt: skip
    cells = [
        [
            row["name"],
            f"{row['printed']} → {row['whole']['value']}",
            _size(row),
            with_interval(row["whole"]["left"], 2),
            "yes" if row["confirmed"] else "no",
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
            title = f"Card values that change with the first of these: {one['name']} at {one['value']}"
            tables.append(Table(title, ["card", "stage", "difference in points", "q"], cards))
    return tables


def _difference(row: dict[str, Any]) -> str:
    return with_interval(row, 2, True) + ("\N{NO-BREAK SPACE}*" if _is_clear(row) else "")


def _size(row: dict[str, Any]) -> str:
    if row["new"]:
        return "a new rule"
    return f"{100 * row['share']:.0f} %" + (" of the deck" if row["label"].count(".") > 1 else "")


def _bid(row: dict[str, Any]) -> list[str]:
    return [f"{row['setting'].replace('_', ' ')}: {row['value']}", row["why"] or with_interval(row["first"], 2)]


def _findings(details: dict[str, Any], found: list[dict[str, Any]]) -> list[str]:
    printed = details["printed"]
    worth_now = f"moving first is worth {with_interval(printed, 1)} points where `{details['agent']}` plays all seats"
    if max(abs(printed["low"]), abs(printed["high"])) <= LEFT:
        return [f"The printed game is fair to within {LEFT:.0f} point: {worth_now}. No number needs to change."]
    if printed["low"] <= 0 <= printed["high"]:
        return [f"These games do not show whether the printed game is fair: {worth_now}."]
    if not found:
        return [f"No single printed number in the ranges that were searched makes the game fair: {worth_now}."]
    best = found[0]
    change = _change(best)
    left = _worth(details["agent"], printed, best["whole"]["left"])
    whom = "fair" if details.get("sides", 2) == 2 else "fair for the side that moves first"
    if is_small(best):
        certain = max(abs(best["whole"]["left"][end]) for end in ("low", "high")) <= LEFT
        sentences = [f"The smallest change that makes it {whom}{'' if certain else f', {SHOWN}'}: {change}. {left}"]
    else:
        sentences = [f"No whole number makes it {whom}; nearest comes {change}. {left}"]
    others = sorted(details.get("elsewhere", []), key=lambda one: -abs(one["after"]["value"]))
    sentences += [_worth(one["agent"], one["printed"], one["after"]) for one in others if not _is_little(one)][
        :MOST_NAMED
    ]
    if as_small := [row for row in found[1:] if is_small(row) and rank(row) == rank(best)]:
        listed = "; ".join(f"{_change(row)}, which leaves {_left(row)}" for row in as_small)
        sentences.append(f"As small is {listed}.")
    return sentences + [text for one in details["compared"][:1] for text in _of_the_rest(one, best)]


def _change(row: dict[str, Any]) -> str:
    return f"{row['name']} from {row['printed']} to {row['whole']['value']} ({_size(row)})"


def _left(row: dict[str, Any]) -> str:
    return with_interval(row["whole"]["left"], 1)


def _worth(agent: str, printed: dict[str, Any], after: dict[str, Any]) -> str:
    """Return a sentence on what moving first is worth to an agent, as printed and with the first change."""
    before, then = with_interval(printed, 1), with_interval(after, 1)
    return f"Where `{agent}` plays all seats, moving first is worth {before} points, and {then} with this change."


def _is_little(one: dict[str, Any]) -> bool:
    """Return whether the change may leave little between two of an agent."""
    return one["after"]["low"] <= LEFT and one["after"]["high"] >= -LEFT


def _of_the_rest(one: dict[str, Any], best: dict[str, Any]) -> list[str]:
    """Return sentences on what else clearly changes with the first change."""
    clear = [row for row in one["differences"] if _is_clear(row) and _tells_something(row, best)]
    moved = sorted(clear, key=_relative, reverse=True)
    with_it = f"With {one['name']} at {one['value']}"
    listed = "; ".join(f"{row['label']} {with_interval(row, 2, True)} {_unit(row)}".strip() for row in moved[:3])
    sentences = [f"{with_it}, these change most: {listed}." if moved else f"{with_it}, nothing else clearly changes."]
    cards = one.get("cards")
    if cards is not None and not any(row["q"] < CLEAR for row in cards):
        sentences.append(f"{with_it}, no card value changes so that it can be distinguished.")
    return sentences


def _tells_something(row: dict[str, Any], best: dict[str, Any]) -> bool:
    """Return whether a number is more than the change itself: other authority at the start moves who leads in it."""
    setting = best["label"].partition(".")[0].replace("_", " ")
    return row["name"] not in NOT_OF_GAME and setting not in row["label"]


def _unit(row: dict[str, Any]) -> str:
    return "points" if row["unit"] == "%" else row["unit"]


def _is_clear(row: dict[str, Any]) -> bool:
    return row["q"] < CLEAR


def _relative(row: dict[str, Any]) -> float:
    """Return the size of a difference as a share of the printed number."""
    return abs(row["value"]) / max(abs(row["printed"]), 1e-9)
