"""Evaluation of an agent in training: against a panel, and against itself at the previous evaluation."""

from collections.abc import Sequence

from stardeck import agents
from stardeck.benchmarks.advantage.measure import win_rate
from stardeck.benchmarks.arena.series import win_share
from stardeck.benchmarks.league.panel import panel
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.training.promotion import EVALUATION_SEED

Rate = dict[str, float | None]  # win_rate, low, high
BOSS = "the Boss"


class Panel:
    """The agents of a recipe's panel, by default the members of the usual panel that play the game."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self._game = game
        self.agents = [agents.get(name, game) for name in names or panel(game)]
        self._alone = len(game.variant.sides) == 1
        self.yardstick = BOSS if self._alone else self.agents[0].name

    def measure(self, learner: Agent, before: Agent | None, games: int, seed: int) -> dict:
        """Return the win rates of a side of `learner`: {win_rate, low, high, panel: {name: rate}, before}.

        The first three are against the first agent of the panel, or the Boss. `before` is the rate against that agent,
        or None without one. Each rate is {win_rate, low, high}.
        """
        seed += EVALUATION_SEED
        others = {BOSS: learner} if self._alone else {agent.name: agent for agent in self.agents}
        rates = {name: self._rate(learner, agent, games, seed) for name, agent in others.items()}
        met = None if self._alone or before is None else self._rate(learner, before, games, seed)
        return rates[self.yardstick] | {"panel": rates, "before": met}

    def _rate(self, learner, other, games, seed) -> Rate:
        return win_rate(games * win_share(self._game, learner, other, games, seed), games)


def evaluation_text(entry: dict) -> str:
    """Return an evaluation in one line."""
    return ", ".join(f"{name} {100 * rate['win_rate']:.1f} %" for name, rate in entry["panel"].items())
