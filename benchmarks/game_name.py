"""The type of a command's argument that names a game."""

from typing import Any

import click

from stardeck.game.catalogue import GAMES


class GameName(click.Choice):
    """The name of a game; plug-ins are searched only for an unknown name or for a list of all games."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of all games."""
        return tuple(GAMES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of a game, or refuse it."""
        return value if value in GAMES else super().convert(value, param, ctx)
