"""Check that a game keeps the contract, by playing it at random: `check_game`."""

from typing import Any

import numpy as np

from stardeck.game.game import Game
from stardeck.kernels.contract.variant import States
from stardeck.kernels.errors import GameError, IllegalAction, number_from

MOST_DECISIONS = 10_000  # of a game, by default


def check_game(name: str, games: int = 20, most_decisions: int = MOST_DECISIONS, **settings: Any) -> None:
    """Check that a game keeps the contract (docs/add_a_game.md), by playing it at random.

    With the environment variable `NUMBA_DISABLE_JIT=1` an index out of range is an error, too.

    Args:
        name: The name of the game.
        games: Number of games, from 1 on.
        most_decisions: Limit of decisions, from 1 on. A game that goes on beyond it is a fault.
        **settings: Settings of the game.

    Raises:
        GameError: The game breaks the contract. The error names the function, the seed and the decision.
        ValueError: There is no such game, or a number or a setting is impossible.
    """
    for argument, value in (("games", games), ("most_decisions", most_decisions)):
        number_from(value, argument, 1)
    game = Game.named(name, settings)
    for seed in range(games):
        _play(game, seed, most_decisions)


def _play(game: Game, seed: int, most: int) -> None:
    """Play one game at random. Raises GameError, which names the fault."""
    chance = np.random.default_rng(seed)
    states = game.deal(seed)

    def fault(verb: str, said: str) -> GameError:
        return GameError(f"game {game.id}: {verb}: {said} (seed {seed}, decision {decision})")

    decision = 0
    if game.deal(seed).tobytes() != states.tobytes():
        raise fault("deal", "deals two games from one seed")
    while True:
        to_act = int(states[0]["to_act"])
        if not -1 <= to_act < game.players:
            raise fault("apply" if decision else "deal", f"to_act is {to_act}: must be from -1 to {game.players - 1}")
        if int(states[0]["decisions"]) != decision:
            raise fault("apply", f"state.decisions is {int(states[0]['decisions'])}: must count the actions")
        legal = np.flatnonzero(game.legal_actions(states)[0])
        if said := _of_the_hidden(game, states, seed):
            raise fault("resample_hidden", said)
        if to_act < 0:
            break
        if not len(legal):
            raise fault("legal_actions", f"no action is legal, though player_{to_act} is to act")
        if decision == most:
            raise fault("apply", f"the game has not ended after {most:,} decisions")
        if said := _of_the_words(game, states, legal):
            raise fault("describe", said)
        game.apply(states, [int(chance.choice(legal))])
        decision += 1
    placement = states[0]["placement"][: game.players]
    if placement.min() < 1 or (placement.min() > 1 and not states[0]["truncated"]):
        raise fault("apply", f"at the end state.placement is {placement.tolist()}: must be ranks from 1 on")


def _of_the_hidden(game: Game, states: States, seed: int) -> str:
    """Return the fault of `resample_hidden`, or ""."""
    for seat in range(game.players):
        other = game.resample_hidden(states, seat, seed)
        if (game.observe(other, seat) != game.observe(states, seat)).any():
            return f"changes what player_{seat} observes"
        if (game.legal_actions(other) != game.legal_actions(states)).any() and int(states[0]["to_act"]) == seat:
            return f"changes what is legal for player_{seat}"
    return ""


def _of_the_words(game: Game, states: States, legal: np.ndarray[Any, Any]) -> str:
    """Return the fault in the words of the legal actions, or ""."""
    words = [game.describe(states[0], action) for action in legal]
    for action, text in zip(legal, words, strict=True):
        if words.count(text) > 1:
            return f"two legal actions are called {text!r}"
        try:
            meant = game.parse(states[0], text)
        except IllegalAction:
            meant = []
        if meant != [int(action)]:
            return f"parse does not find the action {int(action)} by its words {text!r}"
    return ""
