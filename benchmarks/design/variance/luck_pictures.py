"""Pictures of the part `luck`: a stacked bar of the shares of the variance, and the ladder on the scale of steps."""

from typing import TYPE_CHECKING, Any

from stardeck.benchmarks.plots.style import BLUE, INK, OTHERS, RED, ROW, Look, draw_interval, name_rows, put_legend

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 5.5  # inches
PARTS = (
    ("agent", "skill", BLUE),
    ("seat", "seat", OTHERS[2]),
    ("deal", "deal", OTHERS[0]),
    ("chance", "after the deal", "#c9ced6"),
)


def pictures(known: dict[str, Any], details: dict[str, Any]) -> "list[tuple[str, str, Figure]]":
    """Return the figures by name, with the text that describes each.

    Args:
        known: Estimates by name.
        details: Details of the part.
    """
    bars = [("agents of the ladder", {key: known.get(f"{key}_share") for key, _, _ in PARTS})]
    for row in details["equals"]:
        given = {key: row.get(f"equal_{key}_share") for key, _, _ in PARTS}
        bars.append((f"{row['agent']} against itself", {key: _as_dict(value) for key, value in given.items()}))
    bars = [(name, shares) for name, shares in bars if any(shares.values())]
    found = []
    if bars:
        text = "; ".join(f"{name}: " + ", ".join(_words(shares)) for name, shares in bars)
        what = "Shares of the variance of the result; whiskers show 95 % intervals"
        found.append(("variance_shares", f"{what}\n{text}.", _bars(bars)))
    if rungs := details.get("rungs"):
        text = ", ".join(f"{rung['name']} {rung['steps']:.1f}" for rung in rungs)
        found.append(
            (
                "ladder_of_skill",
                f"Steps of skill above the weakest agent; each wins 60 % against the last\n{text}.",
                _ladder(rungs),
            )
        )
    return found


def _as_dict(value):
    return None if value is None else dict(zip(("value", "low", "high"), value, strict=True))


def _words(shares):
    return [f"{label} {shares[key]['value']:.1f} %" for key, label, _ in PARTS if shares[key]]


def _bars(bars):
    """Draw a stacked bar for each row; whiskers show the interval of each share at its right end."""
    with Look(WIDTH).applied():
        figure, panels = Look(WIDTH).panels([0.35 + 2.2 * ROW * len(bars)], "What decides a game")
        axes = panels[0, 0]
        for _, label, colour in PARTS:
            axes.barh(0, 0, color=colour, label=label)
        for place, (_, shares) in enumerate(bars):
            end = 0.0
            for number, (key, _, colour) in enumerate(PARTS):
                if share := shares[key]:
                    _draw_share(axes, (end, place), share, colour)
                    if key != "chance":  # the last share is the rest
                        at = (end + share["value"], place + 0.06 + 0.12 * number)  # below the numbers
                        ends = [[max(share["value"] - share["low"], 0)], [max(share["high"] - share["value"], 0)]]
                        axes.errorbar(*at, xerr=ends, color=INK, capsize=1.5, linewidth=0.8)
                    end += share["value"]
        name_rows(axes, [name for name, _ in bars])
        axes.set_xlim(0, 101)
        axes.set_xlabel("share of the variance of the result, %")
        put_legend(figure, [axes], columns=4)
    return figure


def _draw_share(axes, at, share, colour):
    """Draw a part of a bar, with its number where there is room."""
    left, place = at
    axes.barh(place, share["value"], 0.8, left, color=colour)
    if share["value"] >= 6:
        text = f"{share['value']:.0f} %"
        axes.text(left + share["value"] / 2, place - 0.2, text, ha="center", va="center", fontsize=6.5)


def _ladder(rungs):
    """Draw the agents of the ladder and the bridges between them on the scale of steps."""
    with Look(WIDTH).applied():
        figure, panels = Look(WIDTH).panels(
            [0.35 + ROW * len(rungs)], "Depth: steps of skill, each of which wins 60 % against the last"
        )
        axes = panels[0, 0]
        for place, rung in enumerate(reversed(rungs)):
            low = rung["steps"] if rung["low"] is None else rung["low"]
            high = rung["steps"] if rung["high"] is None else rung["high"]
            hollow = {"markerfacecolor": "white"} if rung["bridge"] else {}
            draw_interval(axes, place, rung["steps"], low, high, **hollow)
            for end, value, mark in ((rung["low"], low, "<"), (rung["high"], high, ">")):
                if end is None and rung["steps"]:
                    axes.plot(value, place, mark, color=RED, markersize=5)
        name_rows(axes, [rung["name"] for rung in reversed(rungs)])
        axes.set_xlabel("steps; hollow: an agent with random moves, arrow: no bound")
    return figure
