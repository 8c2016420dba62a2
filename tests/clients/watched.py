"""Games for the tests of clients, in environments that record the client's actions on the game's side."""

from typing import NamedTuple

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils import BaseWrapper

from stardeck.envs import empire_of_the_stars_v1, interstellar_empire_v1, rise_of_empire_v1, star_realms_v1

# Two players; more players, some out before the end; a truncated campaign; other games.
every_game = pytest.mark.parametrize(
    ("module", "settings"),
    [
        pytest.param(star_realms_v1, {"set": "core", "format": "standard", "players": 2}, id="standard"),
        pytest.param(star_realms_v1, {"set": "box", "format": "free_for_all", "players": 3}, id="free_for_all"),
        pytest.param(rise_of_empire_v1, {"max_turns": 20}, id="rise_of_empire"),
        pytest.param(interstellar_empire_v1, {"players": 3}, id="interstellar_empire"),
        pytest.param(empire_of_the_stars_v1, {"players": 3}, id="empire_of_the_stars"),
    ],
)


class Decision(NamedTuple):
    """A decision of one seat, and the legal actions at the time."""

    agent: str
    mask: np.ndarray  # int8[num_actions]
    action: int


class _Watch:
    """A mixin for wrappers: `decisions` in order, `results` (returns by seat) of finished games, and two counts."""

    def begin_watch(self):
        self.decisions, self.results = [], []
        self.abandoned = 0  # unfinished games
        self.decisions_without = 0  # decisions after a seat was already out of the game
        self._running = False

    def note_reset(self):
        self.abandoned += self._running
        self._running = False

    def note_decision(self, agent, action):
        game, states = self.unwrapped.game, self.unwrapped._states
        self.decisions.append(Decision(agent, game.legal_actions(states)[0], int(action)))
        self.decisions_without += bool(game.eliminated(states).any())
        self._running = True

    def note_end(self):
        """Check for a game that has just ended, and record it."""
        game, states = self.unwrapped.game, self.unwrapped._states
        ended = self._running and bool(game.is_over(states)[0])
        if ended:
            self.results.append(game.returns(states)[0])
            self._running = False
        return ended


class WatchedAEC(_Watch, BaseWrapper):
    """A watched PettingZoo environment."""

    def __init__(self, env):
        super().__init__(env)
        self.begin_watch()

    def reset(self, seed=None, options=None):
        self.note_reset()
        super().reset(seed, options)

    def step(self, action):
        if action is not None:
            self.note_decision(self.agent_selection, action)
        super().step(action)
        self.note_end()


class WatchedSolo(_Watch, gymnasium.Wrapper):
    """A watched Gymnasium environment. `won`: the learner's return in every finished game."""

    def __init__(self, env):
        super().__init__(env)
        self.begin_watch()
        self.won = []

    def reset(self, **options):
        self.note_reset()
        return super().reset(**options)

    def step(self, action):
        self.note_decision("learner", action)
        stepped = super().step(action)
        if self.note_end():
            self.won.append(float(self.results[-1][self.unwrapped.seat]))
        return stepped


def check(*envs, games=1):
    """Check: no illegal action, no abandoned game, at least so many finished, and returns that add up to 0."""
    for env in envs:
        assert all(mask[action] for _, mask, action in env.decisions)
        assert env.abandoned == 0
        assert all(abs(result.sum()) < 1e-6 for result in env.results)
    assert sum(len(env.results) for env in envs) >= games


def check_games_go_on(*envs):
    """Check that the others played on after a seat was out."""
    game = envs[0].unwrapped.game
    if game.seats_go_out and game.players > 2:
        assert any(env.decisions_without for env in envs)
