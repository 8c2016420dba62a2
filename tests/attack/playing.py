"""Checks of accepted inputs and of refusals."""

import linecache
import traceback
from pathlib import Path

import numpy as np

import stardeck
from helpers import scaled

ROOT = str(Path(__file__).parents[2])
OURS = str(Path(stardeck.__file__).parent), str(Path(__file__).parent)  # code that may raise errors on purpose
REFUSALS = (ValueError, TypeError, RuntimeError, AttributeError, AssertionError)
PETTINGZOO = "env_logger.py", "order_enforcing.py"  # its own wrappers, which object to calls before reset
LONGEST = 6000  # characters of an error, which may list the legal values
STEPS = scaled(40, 2)


class Broken(AssertionError):
    """Failure: an accepted input is unplayable, or a refused one changed something."""


def is_refusal(error) -> bool:
    """Check that our own code raised an error on purpose, with one line of text."""
    if not isinstance(error, REFUSALS) or isinstance(error, Broken):
        return False
    text = str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    if frame.filename.endswith(PETTINGZOO):
        return True
    line = linecache.getline(frame.filename, frame.lineno).strip()
    ours = frame.filename.startswith(OURS) and "-packages/" not in frame.filename[len(OURS[0]) :]
    return ours and line.startswith("raise ") and 8 < len(text) < LONGEST and "\n" not in text


def unchanged(states, call):
    """Make a call; if it is refused the states must not have changed."""
    before = states.tobytes()
    try:
        return call()
    except Exception as error:
        if states.tobytes() != before:
            raise Broken(f"refused, but the states have changed: {error}") from error
        raise


def play_on(game, states, seed):
    """Play an accepted game for a while; raise Broken if anything goes wrong."""
    try:
        _play_on(game, game.copy(states[:1]), seed)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        text = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}: {error}"
        raise Broken(f"accepted, then {text}") from error


def _play_on(game, states, seed):
    for step in range(STEPS):
        masks = game.legal_actions(states)
        if step in (0, 7, STEPS - 1):
            _look(game, states, seed + step)
        if game.is_over(states)[0]:
            assert not masks.any(), "a game that is over has legal actions"
            return
        legal = np.flatnonzero(masks[0])
        assert len(legal), "nothing is legal"
        game.apply(states, [int(legal[(seed + 7919 * step) % len(legal)])])


def _look(game, states, seed):
    """Query everything about a state."""
    game.render(states)
    game.moves(states)
    game.returns(states), game.placements(states), game.results(states)
    for seat in range(game.players):
        observation = game.observe(states, seat)
        again = game.resample_hidden(states, seat, seed)
        assert (game.observe(again, seat) == observation).all(), f"seat {seat} sees something else after resampling"
        game.legal_actions(again)
        game.render(states, seat)
        assert game.table(again, seat) == game.table(states, seat), f"seat {seat} is shown something else"
    position = game.position(states[0])
    assert game.position(game.from_position(position)[0]) == position, "the position does not read back"
