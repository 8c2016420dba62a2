"""Size, colours and layout of figures, which fit a column of a paper."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from stardeck.benchmarks.optional_dependencies import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN = 3.4  # inches: a column of a paper
INK = "#1b2a41"
BLUE, RED = "#0072b2", "#d55e00"  # Okabe and Ito's colours, which the colour-blind tell apart
OTHERS = ("#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5d5d5d")
DASHES = ("--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
LETTERS_PER_INCH = 15  # of a title
ROW = 0.19  # inches of a row with a mark
ON_WHITE = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.3}  # a text over lines
STYLE = {
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "figure.titlesize": 8.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.title_fontsize": 8,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "grid.alpha": 0.3,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "lines.markersize": 3.5,
    "text.parse_math": False,  # a dollar in the name of an agent or a card is a dollar
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}
SAVED: dict[Any, Any] = {"pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "stardeck"}


class Look(NamedTuple):
    """Look of a figure.

    Attributes:
        width: Width in inches.
        style: Name, path or settings of a Matplotlib style that is laid over that of the package.
    """

    width: float = COLUMN
    style: str | Mapping[str, Any] | None = None

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Draw in this style."""
        import matplotlib.style

        if not 1 <= self.width <= 40:
            raise ValueError(f"width={self.width}: must be from 1 to 40 inches")
        styles: list[Any] = [STYLE] if self.style is None else [STYLE, self.style]
        try:
            context = matplotlib.style.context(styles)
            context.__enter__()
        except OSError as error:
            raise ValueError(f"style={self.style!r}: is no style that Matplotlib knows") from error
        try:
            yield
        finally:
            context.__exit__(None, None, None)

    def panels(self, heights: Sequence[float], title: str, columns: Sequence[float] = (1,)) -> "tuple[Figure, Any]":
        """Return a figure with a title and its panels below each other: (figure, axes[rows, columns]).

        Args:
            heights: Height of each row in inches.
            title: Title of the figure, which is broken into lines.
            columns: Relative widths of panels side by side.
        """
        require("measure")
        from matplotlib.figure import Figure

        wrapped = textwrap.fill(title, max(20, round(self.width * LETTERS_PER_INCH)))
        room = 0.2 + 0.14 * (1 + wrapped.count("\n")) + 0.42 * len(heights)
        figure = Figure(figsize=(self.width, sum(heights) + room), layout="constrained")
        figure.suptitle(wrapped)
        axes = figure.subplots(
            len(heights), len(columns), squeeze=False, height_ratios=heights, width_ratios=list(columns)
        )
        return figure, axes


def draw_intervals(axes: "Axes", rows: Sequence[tuple[str, Sequence[float]]], reference: float | None) -> None:
    """Draw values with their intervals, one below the other, and a reference line.

    Args:
        axes: Where to draw.
        rows: Name of each row, and its value, lower and upper end.
        reference: Value of the line, or None for no line.
    """
    for place, (_, (value, low, high)) in enumerate(rows):
        draw_interval(axes, place, value, low, high)
        axes.annotate(
            f"{value:.2f}", (value, place), (0, 3), textcoords="offset points", ha="center", va="bottom", fontsize=6,
            bbox=ON_WHITE,
        )  # fmt: skip
    if reference is not None:
        draw_reference(axes, reference, f"fair share, {reference:.4g} %")
    name_rows(axes, [shortened(name) for name, _ in rows])
    axes.margins(x=0.08)


def draw_interval(axes: "Axes", place: float, value: float, low: float, high: float, **options: Any) -> None:
    """Draw a value with its interval in a row.

    Args:
        axes: Where to draw.
        place: Row, from the top.
        value: The value.
        low: Lower end.
        high: Upper end.
        **options: Options of `Axes.errorbar`.
    """
    ends = [[max(value - low, 0)], [max(high - value, 0)]]
    axes.errorbar(value, place, xerr=ends, **dict[str, Any](fmt="o", color=BLUE, ecolor=INK, capsize=2) | options)


def draw_reference(axes: "Axes", value: float, label: str, upright: bool = True) -> None:
    """Draw a dashed reference line with a label for the legend.

    Args:
        axes: Where to draw.
        value: Its value.
        label: Its label.
        upright: Whether the values lie on the x axis.
    """
    line = axes.axvline if upright else axes.axhline
    line(value, color=RED, linestyle="--", linewidth=1, label=label, zorder=0)


def name_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Write the names of rows at the y axis, the first on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.7)
    axes.tick_params(axis="y", length=0)
    axes.locator_params(axis="x", nbins=6)
    axes.grid(axis="x")


def put_legend(figure: "Figure", axes: Sequence["Axes"], columns: int = 2, title: str | None = None) -> None:
    """Write one legend below the panels; equal labels appear once.

    Args:
        figure: The figure.
        axes: Its panels.
        columns: Most entries in a line.
        title: What the x axes of all panels show, above the legend.
    """
    found: dict[str, Any] = {}
    for each in axes:
        for handle, label in zip(*each.get_legend_handles_labels(), strict=True):
            found.setdefault(label, handle)
    if found:
        figure.legend(found.values(), found, loc="outside lower center", ncols=min(columns, len(found)), title=title)


def shortened(name: str, width: int = 28) -> str:
    """Return a name cut to a number of characters; a long name keeps its beginning and its end.

    Args:
        name: The name.
        width: Most characters.
    """
    return name if len(name) <= width else f"{name[: width // 4]}…{name[width // 4 + 1 - width :]}"
