"""Pictures of one game, one file for each decision."""

from pathlib import Path

from stardeck.game.agent import States
from stardeck.game.game import Game
from stardeck.viewer import draw


class Album:
    """A folder of pictures: `000000.svg` shows the table before the first decision, the last one the end of the game.

    Args:
        game: The game.
        folder: An empty or a new folder.
        theme: Theme of `stardeck.viewer.draw`.

    Raises:
        FileExistsError: The folder is not empty.
    """

    def __init__(self, game: Game, folder: str | Path, theme: str = "auto") -> None:
        self._game, self._folder, self._theme = game, Path(folder), theme
        self._folder.mkdir(parents=True, exist_ok=True)
        if any(self._folder.iterdir()):
            raise FileExistsError(f"{folder}: is not empty; choose another folder")
        self._number = 0

    def __call__(self, states: States, action: int | None) -> None:
        """Draw the table before an action; the action is None at the end."""
        picture = draw(self._game.table(states), theme=self._theme)
        (self._folder / f"{self._number:06}.svg").write_text(picture, encoding="utf-8")
        self._number += 1
