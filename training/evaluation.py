"""Who an agent in training is measured against: a panel, and what it was itself at the evaluation before."""

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
    """The agents of a recipe's panel, by default those that play the game of the usual one."""

    def __init__(self, game: Game, names: Sequence[str]) -> None:
        self._game = game
        self.agents = [agents.get(name, game) for name in names or panel(game)]
        self._alone = len(game.variant.sides) == 1
        self.yardstick = BOSS if self._alone else self.agents[0].name

    def measure(self, learner: Agent, before: Agent | None, games: int, seed: int) -> dict:
        """How often a side of `learner` wins: {win_rate, low, high, panel: {name: {win_rate, low, high}}, before}.

        The first three are against the first of the panel, or the Boss; `before` is against that agent, None without.
        """
        seed += EVALUATION_SEED
        others = {BOSS: learner} if self._alone else {agent.name: agent for agent in self.agents}
        rates = {name: self._rate(learner, agent, games, seed) for name, agent in others.items()}
        met = None if self._alone or before is None else self._rate(learner, before, games, seed)
        return rates[self.yardstick] | {"panel": rates, "before": met}

    def _rate(self, learner, other, games, seed) -> Rate:
        return win_rate(games * win_share(self._game, learner, other, games, seed), games)


def told(entry: dict) -> str:
    """An evaluation in a line."""
    return ", ".join(f"{name} {100 * rate['win_rate']:.1f} %" for name, rate in entry["panel"].items())
