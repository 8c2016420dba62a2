"""Pictures as pixels, identical on every machine: resvg draws with a font of Matplotlib. Needs the extra `picture`."""

import io
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.viewer.sight import Table
from stardeck.viewer.table import draw

try:
    import matplotlib
    import resvg_py
    from PIL import Image
except ModuleNotFoundError as error:
    name = error.name
    raise ModuleNotFoundError(f"{name}: not installed; pip install 'stardeck[picture]'", name=name) from error

FAMILY = "DejaVu Sans"
FRAME = 1200, 900  # width and height of a frame
BEYOND = (233, 237, 242)  # the background below a low table: that of the light board


@cache
def _fonts():
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return [str(folder / f"{name}.ttf") for name in ("DejaVuSans", "DejaVuSans-Bold")]


def png(svg: str, zoom: float = 1.0) -> bytes:
    """Render a picture of `draw`, with the theme light or dark, as a PNG file at `zoom` times its size."""
    options: dict[str, Any] = {"font_files": _fonts(), "skip_system_fonts": True, "sans_serif_family": FAMILY}
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, font_family=FAMILY, **options))


def frame(table: Table) -> NDArray[np.uint8]:
    """Render a table as a video frame of fixed size: uint8[900, 1200, 3], red, green and blue."""
    picture = Image.open(io.BytesIO(png(draw(table, theme="light", width=FRAME[0])))).convert("RGB")
    picture.thumbnail(FRAME)
    canvas = Image.new("RGB", FRAME, BEYOND)
    canvas.paste(picture, ((FRAME[0] - picture.width) // 2, 0))
    return np.asarray(canvas)
