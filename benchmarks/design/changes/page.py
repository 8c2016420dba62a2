"""The page of the part `changes`: findings and tables."""

from typing import Any

from stardeck.benchmarks.design.changes.answers import (
    LEFT,
    as_text,
    is_little,
    is_small,
    is_surely_little,
    of_sides,
    rank,
)
from stardeck.benchmarks.design.comparison import NOT_OF_GAME
from stardeck.benchmarks.design.part import Shown, Table
from stardeck.benchmarks.design.words import amount, corrected_chance, with_interval
from stardeck.benchmarks.results.words import number_of

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
        [row["name"], as_text(row["printed"]), REASONS.get(row["why"], row["why"])]
        for row in details["rows"]
        if not row["found"]
    ]:
        tables.append(Table("Settings that do not make it fair", ["setting", "printed", "reason"], others))
    if bids := [_bid(row) for row in details["auctions"]]:
        title = f"Players set the price of the first turn; here it is the price that `{details['agent']}` knows"
        tables.append(Table(title, ["rule", "advantage of moving first, points"], bids))
    tables += [*_of_sides(details, found), *_between_others(details), *_what_else(details["compared"])]
    return Shown(_findings(details, found), [table for table in tables if table.rows])


def _of_sides(details: dict[str, Any], found: list[dict[str, Any]]) -> list[Table]:
    """Return the table of what every side of three or more wins, as printed and with the first changes."""
    if not (printed := details["printed"].get("sides")):
        return []
    changed = [row for row in found if "sides" in row["whole"]["left"]]
    columns = ["side", "printed", *(_at(row["name"], row["whole"]["value"]) for row in changed)]
    each = [printed, *(row["whole"]["left"]["sides"] for row in changed)]
    cells = [[of_one[0]["label"], *(with_interval(one, 1) for one in of_one)] for of_one in zip(*each, strict=True)]
    title = f"What each side wins above its fair share of {100 / len(printed):.1f} %, points"
    return [Table(title, columns, cells)]


def _between_others(details: dict[str, Any]) -> list[Table]:
    """Return the table of what the first change leaves between agents that the searches did not ask."""
    rows = [
        [f"`{one['agent']}`", _cell(one["printed"]), _cell(one["after"]), f"{one['games']:,}"]
        for one in details.get("elsewhere", [])
    ]
    if not rows:
        return []
    best = details["compared"][0]
    columns = ["agents", "printed", _at(best["name"], best["value"]), "games each"]
    many = "sides" in details["printed"]
    what = "The side that is farthest from its fair share" if many else "What moving first is worth"
    return [Table(f"{what} between other agents, points", columns, rows)]


def _cell(left: dict[str, Any]) -> str:
    """Return an advantage for a table; of three sides or more, that of the farthest side, with its name."""
    side = _farthest(left)
    return (f"{side['label']}: " if "sides" in left else "") + with_interval(side, 2)


def _answers(rows: list[dict[str, Any]], shown: list[int], title: str, goal: str) -> Table:
    """Return a table of some changes; each row leads to the command of its search."""
    many = any("sides" in rows[at]["whole"]["left"] for at in shown)
    left = "side farthest from its share" if many else "advantage left"
    columns = [
        "change", f"printed → {goal}", "size of the change", f"{left}, points", "on new deals", "exactly fair at"
    ]  # fmt: skip
    cells = [
        [
            row["name"],
            f"{as_text(row['printed'])} → {as_text(row['whole']['value'])}",
            _size(row),
            _cell(row["whole"]["left"]),
            "yes" if row["confirmed"] else "no",
            "; ".join(with_interval(one, 2) for one in row["answers"]),
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
    heads = [_at(one["name"], one["value"]) for one in compared]
    games = compared[0]["games"]
    title = f"What else changes: differences to the printed game, {number_of(games, 'game')} each; *: {KNOWN}"
    tables = [Table(title, ["number", "printed", *heads], rows)]
    for one in compared:
        clear = [row for row in one.get("cards", []) if row["q"] < CLEAR]
        cards = [[row["card"], row["stage"], with_interval(row, 1), corrected_chance(row["q"])] for row in clear]
        if clear:
            title = f"Card values that change with the first of these: {_at(one['name'], one['value'])}"
            tables.append(Table(title, ["card", "stage", "difference in points", "q"], cards))
    return tables


def _difference(row: dict[str, Any]) -> str:
    return with_interval(row, 2, True) + ("\N{NO-BREAK SPACE}*" if _is_clear(row) else "")


def _size(row: dict[str, Any]) -> str:
    if row["new"]:
        return "a new rule"
    return f"{100 * row['share']:.0f} %" + (" of the deck" if row["label"].partition(",")[0].count(".") > 1 else "")


def _bid(row: dict[str, Any]) -> list[str]:
    return [f"{row['setting'].replace('_', ' ')}: {row['value']}", row["why"] or with_interval(row["first"], 2)]


def _findings(details: dict[str, Any], found: list[dict[str, Any]]) -> list[str]:
    printed = details["printed"]
    worth_now = f"moving first is worth {with_interval(printed, 1)} points"
    if "sides" in printed:
        worth_now = _of_farthest(printed, " is farthest from its fair share with") + " points"
    worth_now += f" where `{details['agent']}` plays all seats"
    if is_surely_little(printed):
        return [f"The printed game is fair to within {LEFT:.0f} point: {worth_now}. No number needs to change."]
    if all(one["low"] <= 0 <= one["high"] for one in of_sides(printed)):
        return [f"These games do not show whether the printed game is fair: {worth_now}."]
    if not found:
        return [f"No single printed number in the ranges that were searched makes the game fair: {worth_now}."]
    best = found[0]
    change = _change(best)
    left = _worth(details["agent"], printed, best["whole"]["left"])
    if is_small(best):
        certain = "" if is_surely_little(best["whole"]["left"]) else f", {SHOWN}"
        sentences = [f"The smallest change that makes it fair{certain}: {change}. {left}"]
    else:
        sentences = [f"No whole number makes it fair; nearest comes {change}. {left}"]
    others = sorted(details.get("elsewhere", []), key=lambda one: -abs(one["after"]["value"]))
    sentences += [_worth(one["agent"], one["printed"], one["after"]) for one in others if not is_little(one["after"])][
        :MOST_NAMED
    ]
    if as_small := [row for row in found[1:] if is_small(row) and rank(row) == rank(best)]:
        listed = "; ".join(f"{_change(row)}, which leaves {_left(row)}" for row in as_small)
        sentences.append(f"As small is {listed}.")
    return sentences + [text for one in details["compared"][:1] for text in _of_the_rest(one, best)]


def _at(name: str, value: Any) -> str:
    return f"{name} at {as_text(value)}"


def _change(row: dict[str, Any]) -> str:
    return f"{row['name']} from {as_text(row['printed'])} to {as_text(row['whole']['value'])} ({_size(row)})"


def _left(row: dict[str, Any]) -> str:
    return with_interval(_farthest(row["whole"]["left"]), 1)


def _farthest(left: dict[str, Any]) -> dict[str, Any]:
    """Return the advantage of the side that is farthest from its fair share; of two sides, that of the first one."""
    return max(of_sides(left), key=lambda one: abs(one["value"]))


def _worth(agent: str, printed: dict[str, Any], after: dict[str, Any]) -> str:
    """Return a sentence on the advantage between players like an agent, as printed and with the first change."""
    if "sides" not in printed:
        before, then = with_interval(printed, 1), with_interval(after, 1)
        return f"Where `{agent}` plays all seats, moving first is worth {before} points, and {then} with this change."
    return (
        f"Where `{agent}` plays all seats, {_of_farthest(printed, ' is farthest from its fair share with')} points;"
        f" with this change, {_of_farthest(after, ' with')}."
    )


def _of_farthest(left: dict[str, Any], words: str) -> str:
    side = _farthest(left)
    return f"the {side['label']}{words} {with_interval(side, 1)}"


def _of_the_rest(one: dict[str, Any], best: dict[str, Any]) -> list[str]:
    """Return sentences on what else clearly changes with the first change."""
    clear = [row for row in one["differences"] if _is_clear(row) and _tells_something(row, best)]
    moved = sorted(clear, key=_relative, reverse=True)
    with_it = f"With {_at(one['name'], one['value'])}"
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
