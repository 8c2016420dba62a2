"""Pieces of a picture with a known size, and functions that arrange them in rows and columns."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Box(NamedTuple):
    """SVG elements that fill `width` x `height` from the origin."""

    width: float
    height: float
    svg: str


EMPTY = Box(0, 0, "")


def at(x: float, y: float, box: Box) -> str:
    """Return the elements of a box moved to (x, y)."""
    return f'<g transform="translate({x:g} {y:g})">{box.svg}</g>' if x or y else box.svg


def stacked(boxes: Iterable[Box], gap: float = 8) -> Box:
    """Stack boxes below each other; empty boxes take no room."""
    y, width = 0.0, 0.0
    parts = []
    for box in boxes:
        if box.svg:
            parts.append(at(0, y, box))
            y += box.height + gap
            width = max(width, box.width)
    return Box(width, max(y - gap, 0), "".join(parts))


def flow(boxes: Iterable[Box], width: float, gap: float = 8, below: float | None = None) -> Box:
    """Place boxes next to each other, in as many lines as `width` requires.

    Args:
        boxes: The boxes; empty ones take no room.
        width: The width of a line.
        gap: The gap between boxes.
        below: The gap between lines; by default the same.
    """
    below = gap if below is None else below
    lines: list[list[Box]] = [[]]
    room = width
    for box in boxes:
        if not box.svg:
            continue
        if lines[-1] and box.width > room:
            lines.append([])
            room = width
        lines[-1].append(box)
        room -= box.width + gap
    return stacked([_line(line, gap) for line in lines], below)


def _line(boxes: Sequence[Box], gap):
    x = 0.0
    parts = []
    for box in boxes:
        parts.append(at(x, 0, box))
        x += box.width + gap
    return Box(max(x - gap, 0), max((box.height for box in boxes), default=0), "".join(parts))


def padded(box: Box, left: float, top: float, right: float | None = None, bottom: float | None = None) -> Box:
    """Add room around a box. `right` and `bottom` default to `left` and `top`."""
    right, bottom = left if right is None else right, top if bottom is None else bottom
    return Box(box.width + left + right, box.height + top + bottom, at(left, top, box))


def framed(box: Box, name: str, width: float | None = None, pad: float = 10, radius: float = 10) -> Box:
    """Draw a frame around a box.

    Args:
        box: The box.
        name: The style class of the frame.
        width: The least width of the frame.
        pad: The room between frame and box.
        radius: The radius of the corners.
    """
    inner = padded(box, pad, pad)
    wide = max(inner.width, width or 0)
    frame = f'<rect class="{name}" width="{wide:g}" height="{inner.height:g}" rx="{radius:g}"/>'
    return Box(wide, inner.height, frame + inner.svg)
