"""The pictures of one game, a file for each decision."""

from pathlib import Path

from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.viewer import draw


class Album:
    """A folder of pictures: `000000.svg` is the table before the first decision, the last one how the game ended.

    theme: as `stardeck.viewer.draw` has it. Raises FileExistsError for a folder with something in it.
    """

    def __init__(self, game: Game, folder: str | Path, theme: str = "auto") -> None:
        self._game, self._folder, self._theme = game, Path(folder), theme
        self._folder.mkdir(parents=True, exist_ok=True)
        if any(self._folder.iterdir()):
            raise FileExistsError(f"{folder}: is not empty; choose another folder")
        self._number = 0

    def __call__(self, states: States, action: int | None) -> None:
        """Draw the table before an action, or with None at the end."""
        picture = draw(self._game.table(states), theme=self._theme)
        (self._folder / f"{self._number:06}.svg").write_text(picture, encoding="utf-8")
        self._number += 1
