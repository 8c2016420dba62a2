"""Pictures as pixels, identical on every machine: resvg draws with a font of Matplotlib. Needs the extra `picture`."""

import io
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.kernels.errors import shown
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
ANIMATED = ("gif", "png")  # formats of animated pictures
LAST = 3  # times as long as the others, the last frame of an animated picture stays
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


def reduced(table: Table) -> Image.Image:
    """Render a table as a frame of at most 256 colours, which takes a third of the memory."""
    return Image.fromarray(frame(table)).quantize()


def animated(frames: Iterable[Image.Image], kind: str = "gif", seconds: float = 1.0) -> bytes:
    """Return frames as an animated picture that repeats.

    Args:
        frames: Frames of one size, as `reduced` returns them; at least one.
        kind: "gif", or "png" for an animated PNG.
        seconds: Time for which a frame is shown. The last one stays three times as long.

    Returns:
        The contents of the file.

    Raises:
        ValueError: There is no such format, or there are no frames.
    """
    if kind not in ANIMATED:
        raise ValueError(f"kind={shown(kind)}: must be one of {', '.join(ANIMATED)}")
    pictures = list(frames)
    if not pictures:
        raise ValueError("frames: there are none")
    times = [round(1000 * seconds)] * (len(pictures) - 1) + [round(1000 * seconds * LAST)]
    file = io.BytesIO()
    pictures[0].save(file, format=kind, save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return file.getvalue()
