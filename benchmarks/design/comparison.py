"""An edited variant and the printed one: every number with its difference, on the same deals where possible.

Numbers that only one variant has, for example on a new card, are listed too. Some numbers of the part `drama` need
a judge of chances to win. They are compared only if both variants have the same one: a network sees more than a
regression.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from stardeck.agents.identity import identity_of
from stardeck.benchmarks.card_values.treatment_effects import chances, corrected
from stardeck.benchmarks.design.drama.games import judge_of
from stardeck.benchmarks.design.drama.page import SOURCES
from stardeck.benchmarks.design.drama.suspense import OF_CHANCES
from stardeck.benchmarks.design.estimates import Estimate, as_long, difference
from stardeck.benchmarks.design.part import Shown, Table
from stardeck.benchmarks.design.words import amount, corrected_chance, with_interval

if TYPE_CHECKING:
    from stardeck.benchmarks.design.report import Compared
    from stardeck.game.game import Game

Z = 1.96
NOT_OF_GAME = ("calibration_error", "runaway_least", "runaway_most")  # what other numbers are compared with
CLEAR = 0.05  # of q
NAMED = 5  # most differences that are sentences
DRAMA = "drama"
RESTRICTED = "restricted"
KINGS = ("king_points", "king_large")  # a value for each game in which a side without hope has a choice
JUDGED = frozenset({*OF_CHANCES, *KINGS, "calibration_error"})  # numbers of drama that come from chances to win
PAIRED = (
    "A mean over deals is compared deal by deal, so its interval is that of the differences. Numbers of cards, fair"
    " values, steps of skill and the calibration error are compared as if their games were independent."
)
UNPAIRED = "The games have different seats, so their numbers are compared as if all games were independent."


class Difference(NamedTuple):
    """A number of both variants.

    Attributes:
        part: Name of its part.
        printed: In the printed variant.
        edited: In the edited one.
        apart: The edited one less the printed one.
        q: Chance that a difference this clear is none, corrected for all numbers (Benjamini and Hochberg); NaN where
            the interval is unknown.
    """

    part: str
    printed: Estimate
    edited: Estimate
    apart: Estimate
    q: float


class Comparison(NamedTuple):
    """All numbers of two variants.

    Attributes:
        differences: Numbers that both have, the clearest difference first.
        only_printed: Numbers that only the printed variant has, without parts that the edited one has not at all.
        only_edited: Numbers that only the edited variant has.
        judged_apart: Numbers that both have and whose judges differ: pairs of printed and edited.
        judges: The two judges in words; "" if they are the same.
        paired: True if means over deals are compared deal by deal.
    """

    differences: list[Difference]
    only_printed: list[Estimate]
    only_edited: list[Estimate]
    judged_apart: list[tuple[Estimate, Estimate]]
    judges: str
    paired: bool


def compared(printed: "Compared", edited: "Compared") -> Comparison:
    """Compare the numbers of two variants.

    Args:
        printed: Printed variant, with its parts.
        edited: Edited variant, with its parts.
    """
    judges = other_judges(printed, edited)
    seated_alike = printed.game.variant.sides == edited.game.variant.sides
    rows, judged_apart = [], []
    for part, before, after in _in_both(printed, edited):
        if judges and part == DRAMA and before.name in JUDGED:
            judged_apart.append((before, after))
        else:
            apart = _apart(part, before, after) if seated_alike else _independent(before, after)
            rows.append((part, before, after, apart))
    q = chances_of_none([row[3] for row in rows])
    found = [Difference(*row, one) for row, one in zip(rows, q, strict=True)]
    in_both = {name: part for name, part in printed.parts.items() if _by_name(edited, name)}
    only_printed, only_edited = _only_in(printed._replace(parts=in_both), edited), _only_in(edited, printed)
    return Comparison(sorted(found, key=_place), only_printed, only_edited, judged_apart, judges, seated_alike)


def _in_both(printed: "Compared", edited: "Compared") -> Iterator[tuple[str, Estimate, Estimate]]:
    """Yield (name of the part, printed, edited) for the numbers that both variants have."""
    for name, part in printed.parts.items():
        others = _by_name(edited, name)
        for one in part.estimates:
            if one.name in others:
                yield name, one, others[one.name]


def _only_in(variant: "Compared", other: "Compared") -> list[Estimate]:
    """Return the numbers that the other variant lacks."""
    parts = variant.parts.values()
    return [one for part in parts for one in part.estimates if one.name not in _by_name(other, part.name)]


def _by_name(variant: "Compared", part: str) -> dict[str, Estimate]:
    return {one.name: one for one in variant.parts[part].estimates} if part in variant.parts else {}


def _apart(part: str, before: Estimate, after: Estimate) -> Estimate:
    """Return the difference of two numbers whose games have the same seats.

    Restricted play keeps a value for each deal, and kingmaking one for each game, so a longer list goes on where the
    other one ends. Other lists hold means of groups of games, or draws of a bootstrap. These have the same deals only
    if they are equally long: the size of a group depends on the number of games.
    """
    goes_on = part == RESTRICTED or before.name in KINGS
    if goes_on and before.blocks is not None and after.blocks is not None:
        count = max(len(before.blocks), len(after.blocks))
        before = before._replace(blocks=as_long(before.blocks, count))
        after = after._replace(blocks=as_long(after.blocks, count))
    return difference(before, after)


def _independent(before: Estimate, after: Estimate) -> Estimate:
    """Return the difference of two numbers whose games have nothing in common."""
    return difference(before._replace(blocks=None), after)


def chances_of_none(differences: Sequence[Estimate]) -> list[float]:
    """Return the chance that differences this clear are none, corrected for all of them (Benjamini and Hochberg).

    Args:
        differences: The differences; the chance is NaN where the interval is unknown.
    """
    if not differences:
        return []
    values, errors = (np.array(each) for each in zip(*((one.value, _error(one)) for one in differences), strict=True))
    return corrected(chances(values, errors)).tolist()


def _error(estimate: Estimate) -> float:
    if estimate.low is None or estimate.high is None:
        return float("nan")
    return (estimate.high - estimate.low) / (2 * Z)


def _place(one: Difference) -> tuple[bool, float, float]:
    """Return the place in a list: the smallest q first, then the largest relative to its error; unknown ones last."""
    if one.q != one.q:
        return True, 0.0, 0.0
    return False, one.q, -abs(one.apart.value) / max(_error(one.apart), 1e-12)


def other_judges(printed: "Compared", edited: "Compared") -> str:
    """Return the two judges of chances to win in words, if the games of the part `drama` have different ones, else "".

    Args:
        printed: Printed variant, with its parts.
        edited: Edited variant, with its parts.
    """
    measured = [one for one in (printed, edited) if DRAMA in one.parts and one.parts[DRAMA].estimates]
    if len(measured) < 2:
        return ""
    return different_judges([one.game for one in measured], [one.parts[DRAMA].summary["details"] for one in measured])


def different_judges(games: "Sequence[Game]", details: Sequence[dict[str, Any]]) -> str:
    """Return the judges of two variants in words, or "" if they are the same.

    Judges are the same if both are one network, or regressions of the same kind, which are fitted to each game.

    Args:
        games: The two variants.
        details: Details of the part `drama` of each.
    """
    first, second = map(_judge, games, details)
    if first == second:
        return ""
    words = [_judge_in_words(one) for one in details]
    return f"two networks of one name, {words[0]}" if words[0] == words[1] else " and ".join(words)


def _judge(game: "Game", details: dict[str, Any]) -> tuple[str, ...]:
    """Return what identifies the method of the chances: a network, or the kind of a regression and its numbers."""
    if details.get("judge"):
        network = judge_of(game)
        return ("network", details["judge"] if network is None else identity_of(network))
    return (str(details.get("chances")), *details.get("numbers", ()))


def _judge_in_words(details: dict[str, Any]) -> str:
    source = "network" if details.get("judge") else details["chances"]
    return SOURCES[source].format(judge=f"`{details['judge']}`", numbers=" and ".join(details["numbers"]))


def clearest(found: list[Difference], most: int) -> list[Difference]:
    """Return differences of the game with q below 0.05, the clearest first."""
    return [one for one in found if one.q < CLEAR and one.printed.name not in NOT_OF_GAME][:most]


def as_row(one: Difference) -> dict[str, Any]:
    """Return a difference as a row of plain data."""
    return {
        "part": one.part, "name": one.printed.name, "label": one.printed.label, "unit": one.printed.unit,
        "printed": one.printed.value, "edited": one.edited.value, "difference": one.apart.value,
        "low": one.apart.low, "high": one.apart.high, "q": one.q,
    }  # fmt: skip


def show(found: Comparison, problems: Sequence[str] = ()) -> Shown:
    """Return what the page shows of a comparison.

    Args:
        found: The comparison.
        problems: Sentences on parts that only one of the games has.
    """
    texts = [_change_in_words(one) for one in clearest(found.differences, NAMED)]
    if not found.differences:
        texts = ["No number of the two games could be compared."]
    elif not texts:
        texts = ["No number of the edited game differs from the printed one so that it can be distinguished."]
    if found.judged_apart:
        count = len(found.judged_apart)
        texts.append(
            f"The games have different judges of chances to win, so {count} numbers of drama are not compared."
        )
    tables = [
        _differences(found.differences),
        _own("Only in the edited game", found.only_edited),
        _own("Only in the printed game", found.only_printed),
        _judged_apart(found),
    ]
    return Shown([*texts, *problems], [table for table in tables if table.rows])


def _change_in_words(one: Difference) -> str:
    before, after = (amount(estimate.value, 2) for estimate in (one.printed, one.edited))
    apart = with_interval(one.apart._asdict(), 2, True)
    unit = f" {one.printed.unit}" if one.printed.unit else ""
    return f"In the edited game, {one.printed.label}: {after}{unit}, not {before} ({apart})."


def _differences(found: list[Difference]) -> Table:
    rows = [
        [one.printed.label, one.printed.unit, amount(one.printed.value, 2), amount(one.edited.value, 2),
         with_interval(one.apart._asdict(), 2, True), corrected_chance(one.q)]
        for one in found
    ]  # fmt: skip
    columns = ["number", "unit", "printed", "edited", "difference", "q"]
    return Table("Printed and edited, the clearest differences first", columns, rows)


def _own(title: str, estimates: Sequence[Estimate]) -> Table:
    rows = [[one.label, one.unit, with_interval(one._asdict(), 2)] for one in estimates]
    return Table(title, ["number", "unit", "value"], rows)


def _judged_apart(found: Comparison) -> Table:
    rows = [
        [before.label, before.unit, *(with_interval(one._asdict(), 2) for one in (before, after))]
        for before, after in found.judged_apart
    ]
    title = f"Not compared, since the judges of chances to win differ: {found.judges}"
    return Table(title, ["number", "unit", "printed", "edited"], rows)


def notes(found: Comparison) -> list[str]:
    """Return sentences that say how the numbers were compared."""
    sentences = [PAIRED if found.paired else UNPAIRED, "Column q is corrected for all rows (Benjamini and Hochberg)."]
    if any(one.name.startswith("pair_") for one in (*found.only_printed, *found.only_edited)):
        sentences.append("A pair of cards has a number only where it stands out, so it may be in one list alone.")
    return sentences
