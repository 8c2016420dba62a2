"""Labelled lines for the terminal pictures of all games."""

import textwrap
from collections import Counter
from collections.abc import Iterable

WIDTH = 100  # characters of a line


def folded(text: str, indent: str = "") -> list[str]:
    """Wrap a line between words to fit a terminal; indent the continuation lines further."""
    own = text[: len(text) - len(text.lstrip())] + indent
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=own, subsequent_indent=own + "    ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def labelled(label: str, text: str) -> list[str]:
    """Return a labelled line, wrapped between words to fit a terminal: list of str."""
    return textwrap.wrap(
        text or "-", WIDTH, initial_indent=f"  {label:<9} ", subsequent_indent=" " * 12,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def counted(names: Iterable[str]) -> str:
    """Join names in order of first appearance, with the count of repeated ones; ``-`` if there are none."""
    return ", ".join(name + (f" x{count}" if count > 1 else "") for name, count in Counter(names).items()) or "-"
