"""Pictures of the part `cards`: values with intervals, and heat maps of pairs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from stardeck.benchmarks.plots.style import INK, ROW, Look, draw_interval, draw_reference, name_rows, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 6.5  # inches
CELL = 0.3  # inches of a cell of a heat map
HOLLOW = {"markerfacecolor": "white"}


def pictures(use: dict[str, Any] | None, combined: dict[str, Any] | None) -> "list[tuple[str, str, Figure]]":
    """Return the figures by name, with the text that describes each.

    Args:
        use: Details of values and use, or None.
        combined: Details of combinations, or None.
    """
    found = []
    if use:
        rows = [row for row in use["cards"] if row["value"]]
        rows.sort(key=lambda row: -(row["for_price"] or row["value"])[0])
        if rows:
            text = ", ".join(f"{row['card']} {row['value'][0]:+.1f}" for row in rows)
            title = "Win points of each card, best for its price first; hollow where it does not stand out"
            found.append(("card_values", f"{title}\n{text}.", _values(rows)))
    for one in combined["maps"] if combined else ():
        if np.any(one["clear"]):  # else all that it would show may be chance
            name = f"pairs_{one['stage']}"
            text = f"Win points of pairs beyond the sum of their odds, {one['stage']}\n{_strongest(one)}."
            found.append((name, text, _heat_map(one)))
    return found


def _strongest(one):
    """Return the strongest pairs of a heat map in words."""
    pairs = [
        (value, f"{one['cards'][row]} + {one['cards'][column]} {value:+.0f}")
        for row, line in enumerate(one["points"])
        for column, value in enumerate(line[: row + 1])
        if value is not None
    ]
    return ", ".join(words for _, words in sorted(pairs, key=lambda pair: -abs(pair[0]))[:6])


def _values(rows):
    """Draw the value of each card and, where cards have prices, its distance from the price line."""
    columns = {"value": "rather than nothing", "for_price": "above the price line"}
    columns = {key: name for key, name in columns.items() if any(row[key] for row in rows)}
    with Look(WIDTH).applied():
        height = 0.4 + 0.75 * ROW * len(rows)
        title = "Value of each card in win points (95 % intervals)"
        figure, panels = Look(WIDTH).panels([height], title, [1] * len(columns))
        for axes, (key, name) in zip(panels[0], columns.items(), strict=True):
            for place, row in enumerate(rows):
                if row[key]:
                    usual = key == "for_price" and not row["for_price_far"]
                    draw_interval(axes, place, *row[key], markersize=2.6, **(HOLLOW if usual else {}))
            draw_reference(axes, 0, "no difference")
            axes.set_title(name)
            name_rows(axes, [shortened(_named(row), 26) for row in rows])
            axes.tick_params(axis="y", labelsize=6)
        for axes in panels[0, 1:]:
            axes.set_yticklabels([])
    return figure


def _named(row):
    return row["card"] if row["price"] is None else f"{row['card']} ({row['price']:g})"


def _heat_map(one):
    """Draw the win points of pairs beyond the sum, among some cards; numbers stand where a pair is clear."""
    values = np.array([[np.nan if value is None else value for value in line] for line in one["points"]])
    size = len(one["cards"])
    with Look(WIDTH).applied():
        title = f"Pairs of cards given {one['stage']}: win points together, less what adding odds would give"
        figure, panels = Look(WIDTH).panels([0.9 + CELL * size], title)
        axes = panels[0, 0]
        most = max(5.0, float(np.nanmax(np.abs(values)))) if np.isfinite(values).any() else 5.0
        image = axes.imshow(values, cmap="PuOr", vmin=-most, vmax=most)
        for row, column in np.argwhere(np.array(one["clear"])):
            dark = abs(values[row, column]) > 0.65 * most
            text = f"{values[row, column]:+.0f}"
            axes.text(column, row, text, ha="center", va="center", fontsize=5.5, color="white" if dark else INK)
        names = [shortened(name, 20) for name in one["cards"]]
        axes.set_xticks(range(size), names, rotation=90, fontsize=6)
        axes.set_yticks(range(size), names, fontsize=6)
        axes.tick_params(length=0)
        figure.colorbar(image, ax=axes, shrink=0.6, label="win points between equals; numbers: q < 0.05")
    return figure
