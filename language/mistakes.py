"""The mistakes of a player in a game: decisions for which a search finds a much better move.

The search has the knowledge that the player had at the time, so it tells nothing about a running game that the player
could not work out.
"""

import time
from typing import Any, NamedTuple

from stardeck.agents import get
from stardeck.agents.networks.pretrained import best
from stardeck.agents.search.analysis import Turn, looked_back
from stardeck.game.catalogue import GAMES, default_agent
from stardeck.game.game import Game
from stardeck.web.match import Match

DOUBTED = 0.03  # loss of winning probability that makes a decision a mistake
CHECKED = 6  # searches of a suspected mistake after the first
MOST_SECONDS = 30.0  # of one analysis


class Mistakes(NamedTuple):
    """The analysis of the decisions of a seat.

    Attributes:
        analysed: Number of decisions with a choice that the search has looked at.
        skipped: Number of earlier ones for which there was no time.
        mistakes: {decision, turn, played, better, lost}, the most costly first. `lost` is in winning probability.
        prior: Name of the agent whose policy and values the search has.
    """

    analysed: int
    skipped: int
    mistakes: list[dict[str, Any]]
    prior: str


def mistakes_of(match: Match, seat: int, most: int, seconds: float = MOST_SECONDS) -> Mistakes:
    """Return the mistakes of a seat, from the last decision backwards as far as the time allows.

    Args:
        match: The game.
        seat: The seat.
        most: Number of mistakes to return, at most.
        seconds: Seconds after which no further decision is looked at.
    """
    game, until = match.game, time.monotonic() + seconds
    name = best(game) or (default_agent(game.variant.game) if game.variant.game in GAMES else "rules")
    prior = get(name, game)
    own = [number for number in range(match.number) if _had_a_choice(game, match, number, seat)]
    found: list[tuple[float, dict[str, Any]]] = []
    analysed = 0
    for number in reversed(own):
        if time.monotonic() > until:
            break
        analysed += 1
        states, action = game.copy(match.at(number)), match.actions[number]
        turn = looked_back(game, states, action, prior)
        if _lost(turn) > DOUBTED:
            turn = looked_back(game, states, action, prior, CHECKED)
        if _lost(turn) > DOUBTED:
            found.append((_lost(turn), _described(match, number, turn)))
    found.sort(key=lambda pair: (-pair[0], pair[1]["decision"]))
    return Mistakes(analysed, len(own) - analysed, [mistake for _, mistake in found[:most]], name)


def _had_a_choice(game: Game, match: Match, number: int, seat: int) -> bool:
    states = match.at(number)
    return int(states[0]["to_act"]) == seat and int(game.legal_actions(states)[0].sum()) > 1


def _lost(turn: Turn) -> float:
    return 0.0 if turn.played is None or turn.better is None else turn.better.win - turn.played.win


def _described(match: Match, number: int, turn: Turn) -> dict[str, Any]:
    game, states = match.game, match.at(number)
    assert turn.better is not None
    return {
        "decision": number,
        "turn": game.paragraph(states),
        "played": game.describe(states, match.actions[number]),
        "better": game.describe(states, turn.better.action),
        "lost": round(_lost(turn), 3),
    }
