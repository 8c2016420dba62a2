"""Pictures of tables: `draw(game.table(state, seat))` returns an SVG element, `draw_part` some zones alone.

From the whole to its parts: table.py, seats.py and zones.py, galaxy.py, card.py. boxes.py arranges pieces, letters.py
measures text, and palette.py holds the colours. png.py renders a picture to pixels.
"""

from stardeck.viewer.table import draw, draw_map, draw_part

__all__ = ["draw", "draw_map", "draw_part"]
