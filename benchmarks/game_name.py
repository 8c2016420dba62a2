"""The names of games as a command takes them."""

from typing import Any

import click

from stardeck.game.catalogue import GAMES


class GameName(click.Choice):
    """The name of a game; games of plug-ins are looked for only when a name is unknown or all are listed."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of all games."""
        return tuple(GAMES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of a game, or refuse it."""
        return value if value in GAMES else super().convert(value, param, ctx)
