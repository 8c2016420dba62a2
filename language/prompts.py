"""The messages to a model: the rules once, then the table at each decision."""

from collections.abc import Sequence
from typing import NamedTuple

from stardeck.game.game import Game
from stardeck.language.renamed_cards import CardNames
from stardeck.language.rules_text import moves_in_brief, rules_in_brief

WHOLE_TURN = (
    'Answer with all moves of your turn in order, as one JSON object at the end: {"moves": ["...", "..."]}. They are'
    " played one after the other until one is illegal or the turn has passed. You are asked again if your turn goes on,"
    " so you may stop early to see what happens."
)
ONE_MOVE = 'Answer with one move, as one JSON object at the end: {"move": "..."}. You are asked again for the next one.'
LEGAL = " Copy the moves from the list of legal moves; moves that only become legal during your turn are written alike."
LONGEST_ECHO = 2_000  # characters of an answer that the model sees again when it has to think again


class Prompting(NamedTuple):
    """The form of the messages.

    Attributes:
        observation: "text" or "json".
        legal: True lists the legal moves.
        turns: True asks for a whole turn, and False for one move.
        history: Lines of history in a message, at most.
    """

    observation: str = "text"
    legal: bool = True
    turns: bool = True
    history: int = 40


class Scene(NamedTuple):
    """What a message tells.

    Attributes:
        seat: Seat that decides.
        observed: The table as this seat sees it.
        moves: Its legal moves.
        history: What has happened since its last decision.
        note: What became of its last answer; "" if there was none.
    """

    seat: int
    observed: str
    moves: Sequence[str]
    history: Sequence[str]
    note: str = ""


def system_message(game: Game, form: Prompting, names: CardNames) -> str:
    """Return the first message of every conversation: rules in brief, and how to answer."""
    parts = [
        "You play a game against other players, and want to win. Each message shows the table as you see it.",
        f"# Rules in brief\n\n{rules_in_brief(game)}",
        f"# How moves are written\n\n{moves_in_brief(game)}",
        f"# How to answer\n\n{WHOLE_TURN if form.turns else ONE_MOVE}{LEGAL if form.legal else ''}",
    ]
    return names.shown("\n\n".join(parts))


def turn_message(scene: Scene, form: Prompting, names: CardNames) -> str:
    """Return the message that asks for a decision."""
    parts = [f"You are player_{scene.seat}."]
    parts += [scene.note] if scene.note else []
    lines = list(scene.history[-form.history :]) if form.history else []
    if lines:
        left_out = len(scene.history) - len(lines)
        earlier = f" (the last {len(lines)} of {len(scene.history)} decisions)" if left_out else ""
        parts.append(f"What has happened{earlier}:\n" + "\n".join(f"- {line}" for line in lines))
    parts.append(f"The table:\n{scene.observed}")
    parts += [_legal(scene.moves)] if form.legal else []
    return names.shown("\n\n".join([*parts, _ending(form)]))


def rethink_message(reason: str, scene: Scene, form: Prompting, names: CardNames) -> str:
    """Return the message after an answer that could not be used.

    Args:
        reason: Why it could not be used.
        scene: What the last message told.
        form: The form of the messages.
        names: The names of the cards.
    """
    parts = [f"That answer cannot be used. {reason}", *([_legal(scene.moves)] if form.legal else [])]
    return names.shown("\n\n".join([*parts, f"Think again. {_ending(form)}"]))


def _ending(form: Prompting) -> str:
    return 'End with {"moves": [...]}.' if form.turns else 'End with {"move": "..."}.'


def _legal(moves: Sequence[str]) -> str:
    return "Legal moves:\n" + "\n".join(f"- {move}" for move in moves)
