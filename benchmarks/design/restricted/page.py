"""The page of the part `restricted`: findings, a table and a picture."""

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from stardeck.benchmarks.design.part import Shown, Table
from stardeck.benchmarks.design.restricted.verdicts import DECORATION, MATTERS, SMALL_EFFECT, TRAP
from stardeck.benchmarks.design.words import corrected_chance, estimate_in_words, interval_of, value_with_unit
from stardeck.benchmarks.plots.style import BLUE, COLUMN, ROW, Look, draw_interval, draw_reference, name_rows, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NAMED = 3  # in sentences on the summary page
MOST_DRAWN = 40
ALL_PURCHASES = "never buys anything"  # says nothing of the game: who does so loses
COLUMNS = ("restriction", "points", "95 % interval", "verdict", "q", "decisions with a choice of it",
           "times that nothing else was legal", "games")  # fmt: skip


def show(summary: dict[str, Any]) -> Shown:
    """Return what the page shows. summary: `estimates` (dicts of the fields but `blocks`) and `details`."""
    agent = summary["details"]["agent"]
    estimates = {one["name"]: one for one in summary["estimates"]}
    rows = sorted(
        (estimates[one["name"]] | one for one in summary["details"]["restrictions"]), key=lambda one: one["value"]
    )
    title = f"`{agent}` with a restriction against `{agent}` without: share won minus the fair share, in points"
    table = Table(title, COLUMNS, [_row(one, agent) for one in rows])
    text = "Points that the restricted agent wins more than its share, with 95 % intervals; what matters most on top"
    return Shown(findings(rows, agent), [table], [("restrictions", text, restrictions_figure(rows, agent))])


def _named(one, agent):
    """Return what a restriction forbids, with the name of its agent where that is another one."""
    return one["label"] if one["agent"] == agent else f"{one['agent']} {one['label']}"


def _row(one, agent):
    offered = f"{100 * one['offered'] / one['decisions']:.1f} %" if one["decisions"] else "not counted"
    return (
        _named(one, agent), value_with_unit(one).removesuffix(" points"), interval_of(one), one["verdict"],
        "" if one["q"] is None else corrected_chance(one["q"]),
        offered, f"{one['gave_way']:,}" if one["decisions"] else "", f"{one['games']:,}",
    )  # fmt: skip


def findings(rows: list[dict[str, Any]], agent: str) -> list[str]:
    """Return sentences on what stands out.

    Args:
        rows: Restrictions with their estimates and verdicts, by value.
        agent: Name of the agent.
    """
    traps = [one for one in rows[::-1] if one["verdict"] == TRAP]
    named = _by_turns(traps, _that_matter(rows))
    rest = sorted(named[MOST_NAMED:], key=lambda one: -abs(one["value"]))
    found = [_said(one) for one in named[:MOST_NAMED] + rest]
    idle = sorted((one for one in rows if one["verdict"] == DECORATION), key=lambda one: abs(one["value"]))
    if idle:
        examples = "; ".join(_named(one, agent) for one in idle[:MOST_NAMED]) + (
            "; …" if len(idle) > MOST_NAMED else ""
        )
        found.append(
            f"{len(idle)} of {len(rows)} restrictions are decoration: no effect can be distinguished from 0,"
            f" and the whole 95 % interval lies within 1 point: {examples}."
        )
    if small := sum(one["verdict"] == SMALL_EFFECT for one in rows):
        found.append(
            f"{small} of {len(rows)} restrictions have an effect below 1 point over a whole game; a card that is"
            " rarely on offer can have no more."
        )
    return found


def _that_matter(rows):
    """Return the restrictions that cost most: deeds and things by turns, without the one that costs every game."""
    clear = [one for one in rows if one["verdict"] == MATTERS and one["label"] != ALL_PURCHASES]
    deeds = [one for one in clear if one["group"] in ("action", "manner")]
    return _by_turns(deeds, [one for one in clear if one["group"] in ("card", "faction")])


def _by_turns(some, others):
    """Return the first entries of two lists, one of each by turns."""
    pairs = zip_longest(some[:MOST_NAMED], others[: 2 * MOST_NAMED])
    return [one for pair in pairs for one in pair if one is not None]


def _said(one):
    if one["verdict"] == TRAP:
        return f"A trap: `{one['agent']}` that {one['label']} wins {estimate_in_words(one)} more than its share."
    lost = one | {"value": -one["value"], "low": -one["high"], "high": -one["low"]}
    return f"It matters: `{one['agent']}` that {one['label']} wins {estimate_in_words(lost)} less than its share."


def restrictions_figure(rows: list[dict[str, Any]], agent: str) -> "Figure":
    """Draw the effects with their intervals; of many, those at both ends.

    Args:
        rows: Restrictions with their estimates, by value.
        agent: Name of the agent.
    """
    half = MOST_DRAWN // 2
    drawn: list[dict[str, Any] | None] = [*rows]
    if len(rows) > MOST_DRAWN:
        drawn = [*rows[:half], None, *rows[-half:]]
    look = Look(2 * COLUMN)
    with look.applied():
        figure, axes = look.panels([0.5 + ROW * len(drawn)], f"Points that {agent} wins with a restriction")
        panel = axes[0, 0]
        for place, one in enumerate(drawn):
            if one is None:
                continue
            clear = one["verdict"] in (MATTERS, TRAP)
            face = {} if clear else {"mfc": "white"}
            draw_interval(panel, place, one["value"], one["low"], one["high"], markersize=2.6, color=BLUE, **face)
        draw_reference(panel, 0, "fair share")
        left_out = f"… {len(rows) - MOST_DRAWN} more, in the table …"
        name_rows(panel, [left_out if one is None else shortened(_named(one, agent), 48) for one in drawn])
        panel.set_xlabel("points above the fair share")
    return figure
