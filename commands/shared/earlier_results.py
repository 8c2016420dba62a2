"""What a command says if an earlier one has made its results: that it has played nothing."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import click

from stardeck.commands.shared.printing import say

BEGAN = "stardeck.began"  # key of the start of a command in its context


def note_start(context: click.Context) -> None:
    """Keep the time at which a command begins.

    Args:
        context: Context of the command.
    """
    context.meta[BEGAN] = datetime.now().astimezone().replace(microsecond=0)


def made_earlier(origin: Mapping[str, Any]) -> str:
    """Return the date of results if they were made before this command began, else "".

    Args:
        origin: Provenance of the results, as `origin` of benchmarks/results/provenance.py returns it.
    """
    try:
        made = datetime.fromisoformat(str(origin.get("date")))
        is_earlier = made < click.get_current_context().meta[BEGAN]
    except (ValueError, TypeError):  # a file that somebody has edited
        return ""
    return f"{made:%Y-%m-%d %H:%M}" if is_earlier else ""


def say_if_made_earlier(summary: Mapping[str, Any], out: str) -> None:
    """Print on standard error that nothing was played, if so.

    Args:
        summary: Summary of the results.
        out: Folder of the results.
    """
    if date := made_earlier(summary.get("origin", {})):
        say(f"nothing was played: {out} holds these results since {date}", err=True)
