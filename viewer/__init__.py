"""Pictures of tables: `draw(game.table(state, seat))` is an SVG element.

From the whole to its parts: table.py, seats.py and zones.py, galaxy.py, card.py; boxes.py puts pieces beside each
other, letters.py knows how wide text is, palette.py has the colours. png.py makes pixels of a picture.
"""

from stardeck.viewer.table import draw

__all__ = ["draw"]
