"""Moves in words, applied one after another until one is illegal or the turn passes; the agents then answer."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from stardeck.kernels.errors import IllegalAction
from stardeck.web.match import Match

PASSED = "the turn has passed"
OVER = "the game is over"


class Applied(NamedTuple):
    """The result of a list of moves.

    Attributes:
        moves: The moves that were applied, as they were given.
        left: The first move that was not applied; None: all were.
        reason: Why it was not applied; "" if all were.
        illegal: True if that move is not legal here.
    """

    moves: list[str]
    left: str | None = None
    reason: str = ""
    illegal: bool = False


def let_agents_play(match: Match, own: Collection[int]) -> None:
    """Let agents decide until one of the seats `own` is to act or the game is over."""
    while match.to_act is not None and match.to_act not in own:
        match.apply(match.ask())


def apply_moves(match: Match, own: Collection[int], moves: Sequence[str]) -> Applied:
    """Apply moves in words of the seats `own`, one of which is to act.

    Agents answer whenever they are to act. The list ends early at an illegal move, at the end of the turn that it began
    in, and at the end of the game.

    Args:
        match: The game, which changes.
        own: Seats of the player.
        moves: The moves.
    """
    turn = match.game.paragraph(match.states)
    for number, words in enumerate(moves):
        if match.to_act is None:
            return Applied(list(moves[:number]), words, OVER)
        if match.game.paragraph(match.states) != turn:
            return Applied(list(moves[:number]), words, PASSED)
        try:
            actions = match.game.parse(match.states, words)
        except IllegalAction as error:
            return Applied(list(moves[:number]), words, str(error), True)
        for action in actions:
            match.apply(action)
        let_agents_play(match, own)
    return Applied(list(moves))


def history(match: Match, viewer: int, since: int) -> list[str]:
    """Return what has happened after `since` decisions, a line for each decision, as a seat may know it.

    Args:
        match: The game.
        viewer: The seat that reads.
        since: Number of decisions that the reader knows of.
    """
    entries = match.log(viewer)[since:]
    return [": ".join([f"player_{entry['seat']}", "; ".join([entry["words"], *entry["news"]])]) for entry in entries]
