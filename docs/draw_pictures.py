"""Tables drawn for the manual: `make pictures` draws them again, and a test compares them."""

from pathlib import Path

import numpy as np

import stardeck
from stardeck import agents
from stardeck.viewer import draw

FOLDER = Path(__file__).parent / "pictures"
# name, game and settings, agent, seed, decisions so far, viewer (None sees everything)
SCENES: list[tuple[str, str, dict, str, int, int, int | None]] = [
    ("star_realms", "star_realms", {}, "rules", 7, 124, 1),
    ("nemesis_beast", "star_realms", {"set": "box", "format": "nemesis_beast", "players": 2}, "rules", 3, 165, 0),
    ("galaxy", "empire_of_the_stars", {"players": 3}, "rules", 4, 230, 0),
]


def table(name: str, settings: dict, agent: str, seed: int, decisions: int, seat: int | None) -> dict:
    """Return the table of a game after some decisions of one agent in all seats."""
    game = stardeck.make(name, **settings)
    player = agents.get(agent, game)
    states = game.deal(seed)
    for number in range(decisions):
        game.apply(states, player.act(game, states, game.legal_actions(states), np.array([number], np.uint64)))
    return game.table(states[0], seat)


def pictures() -> dict[str, str]:
    """Return the pictures of the manual, by name."""
    return {name: draw(table(*scene)) for name, *scene in SCENES}


if __name__ == "__main__":
    for name, svg in pictures().items():
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
