"""The labelled lines of which every game's terminal picture is made."""

import textwrap
from collections import Counter

WIDTH = 100  # characters of a line


def folded(text, indent="") -> list[str]:
    """A line broken between words so that it fits a terminal; what follows its first line stands further in."""
    own = text[: len(text) - len(text.lstrip())] + indent
    return textwrap.wrap(
        text.strip(), WIDTH, initial_indent=own, subsequent_indent=own + "    ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def labelled(label, text):
    """A labelled line, broken between words so that it fits a terminal: list of str."""
    indents = {"initial_indent": f"  {label:<9} ", "subsequent_indent": " " * 12}
    return textwrap.wrap(text or "-", WIDTH, **indents, break_long_words=False, break_on_hyphens=False)


def counted(names):
    """Names in a row, in the order in which they come first, several of one counted; ``-`` where there is none."""
    return ", ".join(name + (f" x{count}" if count > 1 else "") for name, count in Counter(names).items()) or "-"
