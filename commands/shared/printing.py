"""The one way by which commands print text: whatever files or agents put into it, no terminal obeys it."""

import click

from stardeck.kernels.errors import harmless


def say(text: str = "", nl: bool = True, err: bool = False) -> None:
    """Print a text with its control characters spelled. err: to standard error."""
    click.echo(harmless(str(text)), nl=nl, err=err)
