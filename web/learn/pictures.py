"""The pictures on the pages of rules: `python -m stardeck.web.learn.pictures` draws them again.

`pictures.toml` lists them, each with a position and the zones that it shows. The files lie in `pictures/`, so a page
needs no game to be compiled.
"""

import tomllib
from pathlib import Path
from typing import Any

from stardeck.game.registry import make
from stardeck.viewer import draw_part

HERE = Path(__file__).parent
FOLDER = HERE / "pictures"


def listed() -> dict[str, dict[str, Any]]:
    """Return the descriptions of the pictures by name: game, settings, position, seat, zones, words, width."""
    return tomllib.loads((HERE / "pictures.toml").read_text(encoding="utf-8"))


def drawn(scene: dict[str, Any]) -> str:
    """Draw a picture as SVG."""
    game = make(scene["game"], **scene.get("settings", {}))
    states = game.from_position(_numbered(scene["position"])) if "position" in scene else game.deal(scene["seed"])
    table = game.table(states, scene.get("seat"))
    return draw_part(table, scene["zones"], scene["words"], width=scene.get("width", 600))


def _numbered(position):
    """Return a position with whole numbers as keys where a TOML file can only have texts."""
    if not isinstance(position, dict):
        return position
    return {int(key) if key.isdecimal() else key: _numbered(value) for key, value in position.items()}


def main() -> None:
    """Draw all pictures and write them."""
    FOLDER.mkdir(exist_ok=True)
    for name, scene in listed().items():
        (FOLDER / f"{name}.svg").write_text(drawn(scene), encoding="utf-8")


if __name__ == "__main__":
    main()
