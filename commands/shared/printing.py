"""Printing for all commands: control characters in texts from files or agents do not reach the terminal."""

import click

from stardeck.kernels.errors import harmless


def say(text: str = "", nl: bool = True, err: bool = False) -> None:
    """Print a text with its control characters escaped.

    Args:
        text: The text.
        nl: End with a line break.
        err: Print to standard error.
    """
    click.echo(harmless(str(text)), nl=nl, err=err)
