"""Text in a picture: its width, its line breaks, and its SVG.

Pictures do not require a particular font. Widths are those of DejaVu Sans, which is wider than the usual `sans-serif`
font of a system.
"""

from functools import lru_cache
from html import escape

# Widths of the characters from space to tilde, in hundredths of the font size.
_REGULAR = (
    32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84,
    84, 84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63, 61, 73, 68, 99, 69, 61,
    69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59,
    82, 59, 59, 52, 64, 34, 64, 84,
)  # fmt: skip
_BOLD = (
    35, 46, 52, 84, 70, 100, 87, 31, 46, 46, 52, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84,
    84, 84, 58, 100, 77, 76, 73, 83, 68, 68, 82, 84, 37, 37, 77, 64, 100, 84, 85, 73, 85, 77, 72, 68, 81, 77, 110, 77,
    72, 73, 46, 37, 46, 84, 50, 50, 67, 72, 59, 72, 68, 44, 72, 71, 34, 34, 67, 34, 104, 71, 69, 72, 72, 49, 60, 48, 71,
    65, 92, 65, 65, 58, 71, 37, 71, 84,
)  # fmt: skip
_OTHER = 100  # any other character


@lru_cache(4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of text."""
    widths = _BOLD if bold else _REGULAR
    hundredths = sum(widths[ord(char) - 32] if 32 <= ord(char) < 127 else _OTHER for char in text)
    return hundredths * size / 100


@lru_cache(4096)
def cut(text: str, size: float, room: float, bold: bool = False) -> str:
    """Cut a text to the available width, with an ellipsis."""
    if width(text, size, bold) <= room:
        return text
    while text and width(text + "…", size, bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"


@lru_cache(4096)
def wrapped(text: str, size: float, room: float, most: int = 99, bold: bool = False) -> tuple[str, ...]:
    """Break a text into lines no wider than `room`, and cut it after `most` lines."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and width(longer, size, bold) > room:
            lines.append(line)
            longer = word
        line = longer
    lines.append(line)
    if len(lines) > most:
        lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return tuple(cut(line, size, room, bold) for line in lines)


def text(x: float, y: float, words: str, size: float, name: str = "sd-ink", **more: object) -> str:
    """Return a line of text whose baseline begins at (x, y).

    Args:
        x: The left end, or the anchor.
        y: The baseline.
        words: The text.
        size: The font size.
        name: The style class.
        **more: `bold=True` and `anchor="middle"` or `"end"`.
    """
    attributes = ' font-weight="700"' if more.get("bold") else ""
    if anchor := more.get("anchor"):
        attributes += f' text-anchor="{anchor}"'
    return f'<text class="{name}" x="{x:g}" y="{y:g}" font-size="{size:g}"{attributes}>{escape(words)}</text>'


def colored(x: float, y: float, words: str, size: float, ink: str, anchor: str = "start") -> str:
    """Return a bold line of text in a colour that is the same on light and dark pages."""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text fill="{ink}" {place} font-weight="700">{escape(words)}</text>'
