"""What a seat sees of a game, as text or as JSON; nothing that the seat may not know."""

import json
from typing import Any

from stardeck.game.agent import States
from stardeck.game.game import Game

FORMATS = ("text", "json")
MOVES = "\n  moves "  # the last block of a rendered table
LEFT_OUT = ("format", "game", "variant", "moves")  # of a table as data


def observed(game: Game, states: States, seat: int, form: str = "text") -> str:
    """Return the table as a seat sees it, without the legal moves.

    Args:
        game: The variant.
        states: One row.
        seat: The viewer.
        form: One of FORMATS.
    """
    table = game.table(states, seat)
    if form == "json":
        shown = {key: value for key, value in table.items() if key not in LEFT_OUT}
        return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    text = game.render(states, seat).rpartition(MOVES)[0] or game.render(states, seat)
    lines = [f"  {name} ({_print(face)}): {'; '.join(face['abilities'])}" for name, face in table["cards"].items()]
    return "\n".join([text, *(["Cards in sight:", *lines] if lines else [])])


def _print(face: dict[str, Any]) -> str:
    """Return the kind, cost, defense and factions of a card that is in sight."""
    numbers = [f"{name} {face[name]}" for name in ("cost", "defense") if face[name] is not None]
    return ", ".join([face["kind"], *numbers, *face["factions"]])
