"""Tables as pictures in notebooks."""

from stardeck.viewer.sight import Table
from stardeck.viewer.table import draw


class Picture:
    """A picture of a table that a notebook displays; `str` returns the SVG."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def svg(self, theme: str = "auto", width: int = 1200) -> str:
        """Return the picture as SVG, see `stardeck.viewer.draw`."""
        return draw(self.table, theme=theme, width=width)

    def __str__(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.svg("light")}</div>'
