"""One game between a model and an agent: who sits where, what the model is asked, and what came of it."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from stardeck.agents import get
from stardeck.benchmarks.recordings import record
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.kernels.loops import playouts
from stardeck.language.answers import Unreadable, moves_in
from stardeck.language.endpoint import Message, Reply
from stardeck.language.message_log import MessageLog
from stardeck.language.observation import observed
from stardeck.language.prompts import (
    LONGEST_ECHO,
    Prompting,
    Scene,
    rethink_message,
    system_message,
    turn_message,
)
from stardeck.language.renamed_cards import CardNames
from stardeck.language.turn_moves import Applied, apply_moves, history, let_agents_play
from stardeck.web.match import Match, Player

RETHINKS = 2  # prompts to think again after an answer that cannot be used
FALLBACKS = ("random_legal", "forfeit")
COUNTED = ("illegal", "unreadable", "rethinks", "fallbacks", "forced")


class Rules(NamedTuple):
    """How a model is asked.

    Attributes:
        form: The form of the messages.
        fallback: One of FALLBACKS: what happens after answers that cannot be used.
        names: The names of the cards.
    """

    form: Prompting
    fallback: str
    names: CardNames


class Pairing(NamedTuple):
    """A game to play: a deal, an opponent and a side.

    Attributes:
        opponent: Name of the opponent.
        number: Number of the game against this opponent, from 0.
        seed: Seed of the deal.
        side: Side of the model; the opponent plays all others.
    """

    opponent: str
    number: int
    seed: int
    side: int


class Forfeited(Exception):
    """The model has given no answer that can be used, and loses."""


def pairing(game: Game, opponent: str, number: int, seed: int) -> Pairing:
    """Return game `number` against an opponent: as many games share a deal as there are sides.

    Args:
        game: The variant.
        opponent: Name of the opponent.
        number: Number of the game.
        seed: Seed of the run.
    """
    sides = len(game.variant.sides)
    deals = np.empty(1, np.uint64)
    playouts.seed_blocks(np.uint64(seed), np.array([number // sides]), deals)
    return Pairing(opponent, number, int(deals[0]), number % sides)


class PlayedGame:
    """A game under way.

    Args:
        game: The variant.
        wanted: The game to play.
        opponent: The agent of the other sides.
        rules: How the model is asked.
        log: The messages of the game.
    """

    def __init__(self, game: Game, wanted: Pairing, opponent: Agent, rules: Rules, log: MessageLog) -> None:
        self._game, self._wanted, self._rules, self._log = game, wanted, rules, log
        self._own = frozenset(game.variant.sides[wanted.side])
        players = [Player(None, None) if seat in self._own else Player(opponent, None) for seat in range(game.players)]
        self._match = Match(game, wanted.seed, players, [])
        self._random = get("random", game)
        self._known = dict.fromkeys(self._own, 0)  # decisions that the model knows of, by seat
        self._counts = dict.fromkeys(COUNTED, 0)
        self._note = ""
        self._system = system_message(game, rules.form, rules.names)

    def play(self, ask: Callable[[Sequence[Message]], Reply]) -> dict[str, Any]:
        """Play the game to its end and return its result, which is recorded in the log too.

        Args:
            ask: Function that asks the model.

        Raises:
            Unreachable: The endpoint does not answer; the same call later goes on where the game stopped.
        """
        forfeited = False
        let_agents_play(self._match, self._own)
        try:
            while self._match.to_act is not None:
                self._decide(ask)
        except Forfeited:
            forfeited = True
        result = self._result(forfeited)
        self._log.finish(result)
        return result

    def _decide(self, ask: Callable[[Sequence[Message]], Reply]) -> None:
        """Let the model decide, unless it has no choice."""
        match = self._match
        legal = np.flatnonzero(self._game.legal_actions(match.states)[0])
        if len(legal) == 1:
            self._counts["forced"] += 1
            match.apply(int(legal[0]))
            let_agents_play(match, self._own)
            return
        scene = self._scene()
        form, names = self._rules.form, self._rules.names
        talk = [_said("system", self._system), _said("user", turn_message(scene, form, names))]
        for attempt in range(1 + RETHINKS):
            reply = self._log.ask(talk, ask)
            reason = self._use(reply.text)
            if not reason:
                return
            if attempt < RETHINKS:
                self._counts["rethinks"] += 1
                talk = talk[:2] + [
                    _said("assistant", reply.text[-LONGEST_ECHO:] or "(no answer)"),
                    _said("user", rethink_message(reason, scene, form, names)),
                ]
        self._fall_back()

    def _scene(self) -> Scene:
        match, seat = self._match, self._match.to_act
        assert seat is not None
        lines = history(match, seat, self._known[seat])
        self._known[seat] = match.number
        seen = observed(self._game, match.states, seat, self._rules.form.observation)
        scene = Scene(seat, seen, self._game.moves(match.states), lines, self._note)
        self._note = ""
        return scene

    def _use(self, text: str) -> str:
        """Play the moves of an answer; return why none could be played, or ""."""
        form, names = self._rules.form, self._rules.names
        try:
            moves = [names.understood(move) for move in moves_in(text, form.turns)]
        except Unreadable as error:
            self._counts["unreadable"] += 1
            return str(error)
        applied = apply_moves(self._match, self._own, moves)
        self._counts["illegal"] += applied.illegal
        if not applied.moves:
            return f"{shown(moves[0])} is not legal here."
        self._note = _note(applied)
        return ""

    def _fall_back(self) -> None:
        """Decide in place of the model: one move, or the rest of its turn if it was asked for a whole one."""
        self._counts["fallbacks"] += 1
        if self._rules.fallback == "forfeit":
            raise Forfeited
        match = self._match
        turn = self._game.paragraph(match.states)
        while match.to_act is not None and self._game.paragraph(match.states) == turn:
            match.apply(record.ask(self._game, match.states, self._random, self._wanted.seed))
            let_agents_play(match, self._own)
            if not self._rules.form.turns:
                break
        self._note = "Your last answers could not be used, so random legal moves were played."

    def _result(self, forfeited: bool) -> dict[str, Any]:
        """Return the result of the game: points of the model, places by side, and what the model used."""
        calls = self._log.calls
        known = [reply for reply in calls if reply.tokens_in is not None and reply.tokens_out is not None]
        return {
            **self._wanted._asdict(),
            **self._ending(forfeited),
            "turns": int(self._match.states[0]["turn"]),
            "decisions": self._match.number,
            "calls": len(calls),
            "retries": sum(reply.retries for reply in calls),
            "tokens_in": sum(reply.tokens_in or 0 for reply in known),
            "tokens_out": sum(reply.tokens_out or 0 for reply in known),
            "without_usage": len(calls) - len(known),
            "seconds": round(sum(reply.seconds for reply in calls), 3),
            **self._counts,
        }

    def _ending(self, forfeited: bool) -> dict[str, Any]:
        """Return points and places. Where all players are one side, the last place is the Boss's."""
        game, match, sides = self._game, self._match, self._game.variant.sides
        truncated = bool(game.truncated(match.states)[0])
        placements = game.placements(match.states)[0]
        places = [1 if truncated else int(placements[seats[0]]) for seats in sides]
        if len(sides) == 1:
            places += [places[0] if truncated else 3 - places[0]]
        if forfeited:
            places = [2 if side == self._wanted.side else 1 for side in range(len(places))]
            return {"points": 0.0, "places": places, "truncated": False, "forfeited": True}
        first = [side for side, place in enumerate(places) if place == 1]
        points = float(first[0] == self._wanted.side) if len(first) == 1 else 1 / len(places)
        return {"points": points, "places": places, "truncated": truncated, "forfeited": False}


def _said(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _note(applied: Applied) -> str:
    """Return what became of an answer that was not played to its end."""
    if applied.left is None or not applied.illegal:
        return ""
    played = "; ".join(applied.moves)
    return f"Of your last answer these moves were played: {played}. {shown(applied.left)} was not legal then."
