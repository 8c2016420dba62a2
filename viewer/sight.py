"""The input of a picture: a table, with its moves by place."""

from html import escape
from typing import Any

from stardeck.viewer.boxes import Box

Table = dict[str, Any]


class TableView:
    """A table to draw `wide` units wide; `small` means a phone."""

    def __init__(self, table: Table, wide: int) -> None:
        self.table = table
        self.wide = wide
        self.small = wide < 700
        self.moves: dict[str, list[dict[str, Any]]] = {}
        for move in table["moves"]:
            for place in move["place"]:
                self.moves.setdefault(place, []).append(move)
        self.marked = set(table["battle"]["place"]) if table["battle"] else set()

    def card(self, name: str | None) -> dict[str, Any] | None:
        """Return the printed data of a card; None for things without any, or face down."""
        return self.table["cards"].get(name) if name else None

    def moves_of(self, ids: list[str]) -> list[dict[str, Any]]:
        """Return the moves that name any of these places."""
        return [move for place in ids for move in self.moves.get(place, ())]

    def place(
        self, ids: list[str], label: str, box: Box, radius: float = 8, outline: str | None = None,
        moved: list[str] | None = None,
    ) -> Box:  # fmt: skip
        """Make a box clickable: outlined, with a marked corner, if it has moves.

        Args:
            ids: The ids of the thing and of all identical ones.
            label: The text for screen readers and tooltips.
            box: The drawing.
            radius: The radius of the outline's corners.
            outline: A shape to draw instead of the default outline.
            moved: The places whose moves count, if not `ids`.

        Returns:
            The box as a group with its attributes.
        """
        moves = self.moves_of(moved or ids)
        attributes = f' data-id="{escape(ids[0])}"'
        if len(ids) > 1:
            attributes += f' data-alike="{escape(" ".join(place.replace(" ", "%20") for place in ids[1:]))}"'
        if not moves:
            return Box(box.width, box.height, f"<g{attributes}>{box.svg}{_title(label)}</g>")
        numbers = " ".join(str(move["action"]) for move in moves)
        said = f"{label}: {'; '.join(move['words'] for move in moves)}"
        attributes += f' class="can" data-moves="{numbers}" tabindex="0" role="button" aria-label="{escape(said)}"'
        around = outline or _around(box, radius)
        return Box(box.width, box.height, f"<g{attributes}>{box.svg}{around}{_title(said)}</g>")


def _around(box, radius):
    return (
        f'<rect class="sd-here" x="-1.5" y="-1.5" width="{box.width + 3:g}" height="{box.height + 3:g}"'
        f' rx="{radius + 1.5:g}" stroke-width="3"/><path class="sd-here-ink" d="M-1.5 12V4Q-1.5 -1.5 4 -1.5H12z"/>'
    )


def _title(words):
    return f"<title>{escape(words)}</title>"
