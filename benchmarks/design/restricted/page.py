"""The page of the part `restricted`: findings, a table and a picture."""

from typing import TYPE_CHECKING, Any

from stardeck.benchmarks.design.part import Shown, Table
from stardeck.benchmarks.design.restricted.verdicts import DECORATION, MATTERS, TRAP
from stardeck.benchmarks.design.words import corrected_chance, estimate_in_words, interval_of, value_with_unit
from stardeck.benchmarks.plots.style import BLUE, COLUMN, ROW, Look, draw_interval, draw_reference, name_rows, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_NAMED = 3  # in sentences on the summary page
MOST_DRAWN = 40
COLUMNS = ("restriction", "points", "95 % interval", "verdict", "q", "on offer", "gave way", "games")


def show(summary: dict[str, Any]) -> Shown:
    """Return what the page shows. summary: `estimates` (dicts of the fields but `blocks`) and `details`."""
    agent = summary["details"]["agent"]
    estimates = {one["name"]: one for one in summary["estimates"]}
    rows = sorted(
        (estimates[one["name"]] | one for one in summary["details"]["restrictions"]), key=lambda one: one["value"]
    )
    title = f"{agent} with a restriction against {agent} without: share won less the fair share, in points"
    table = Table(title, COLUMNS, [_row(one, agent) for one in rows])
    text = "Points that the restricted agent wins more than its share, with 95 % intervals; what matters most on top"
    return Shown(findings(rows, agent), [table], [("restrictions", text, restrictions_figure(rows, agent))])


def _named(one, agent):
    """Return what a restriction forbids, with the name of its agent where that is another one."""
    return one["label"] if one["agent"] == agent else f"{one['agent']} {one['label']}"


def _row(one, agent):
    offered = 100 * one["offered"] / one["decisions"] if one["decisions"] else 0.0
    return (
        _named(one, agent), value_with_unit(one).removesuffix(" points"), interval_of(one), one["verdict"],
        "" if one["q"] is None else corrected_chance(one["q"]),
        f"{offered:.1f} %", f"{one['gave_way']:,}", f"{one['games']:,}",
    )  # fmt: skip


def findings(rows: list[dict[str, Any]], agent: str) -> list[str]:
    """Return sentences on what stands out.

    Args:
        rows: Restrictions with their estimates and verdicts, by value.
        agent: Name of the agent.
    """
    things = [one for one in rows if one["verdict"] == MATTERS and one["group"] in ("card", "faction")]
    deeds = [one for one in rows if one["verdict"] == MATTERS and one["group"] in ("action", "manner")]
    traps = [one for one in rows[::-1] if one["verdict"] == TRAP]
    found = [
        f"A trap: `{one['agent']}` that {one['label']} wins {estimate_in_words(one)} more than its share."
        for one in traps[:MOST_NAMED]
    ]
    for one in [*things[:MOST_NAMED], *deeds[:MOST_NAMED]]:
        lost = one | {"value": -one["value"], "low": -one["high"], "high": -one["low"]}
        found.append(
            f"It matters: `{one['agent']}` that {one['label']} wins {estimate_in_words(lost)} less than its share."
        )
    idle = [_named(one, agent) for one in rows if one["verdict"] == DECORATION]
    if idle:
        named = "; ".join(idle[:MOST_NAMED]) + ("; …" if len(idle) > MOST_NAMED else "")
        found.append(
            f"{len(idle)} of {len(rows)} restrictions are decoration: they change the share won by less than 1 point"
            f" (95 % interval): {named}."
        )
    return found


def restrictions_figure(rows: list[dict[str, Any]], agent: str) -> "Figure":
    """Draw the effects with their intervals; of many, those at both ends.

    Args:
        rows: Restrictions with their estimates, by value.
        agent: Name of the agent.
    """
    half = MOST_DRAWN // 2
    drawn = rows if len(rows) <= MOST_DRAWN else [*rows[:half], *rows[-half:]]
    look = Look(2 * COLUMN)
    with look.applied():
        figure, axes = look.panels([0.5 + ROW * len(drawn)], f"Points that {agent} wins with a restriction")
        panel = axes[0, 0]
        for place, one in enumerate(drawn):
            clear = one["verdict"] in (MATTERS, TRAP)
            face = {} if clear else {"mfc": "white"}
            draw_interval(panel, place, one["value"], one["low"], one["high"], markersize=2.6, color=BLUE, **face)
        draw_reference(panel, 0, "fair share")
        name_rows(panel, [shortened(_named(one, agent), 48) for one in drawn])
        panel.set_xlabel("points above the fair share")
    return figure
