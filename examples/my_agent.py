"""An agent of your own: any object with a name and `act`. It works wherever Stardeck takes an agent."""

import numpy as np

import stardeck
from stardeck.benchmarks.arena import Series
from stardeck.game.agent import Actions, Masks, Seeds, States
from stardeck.game.game import Game

GAMES = 20


class Buyer:
    """A player that plays, uses and attacks with everything, then buys, and ends its turn when nothing is left."""

    name = "buyer"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Return an action for each game: int64[n]."""
        return np.array([self._choose(game, state) for state in states], np.int64)

    def _choose(self, game: Game, state: np.void) -> int:
        def wish(move: str) -> int:
            return next(rank for rank, word in enumerate(("play", "use", "attack", "buy", "")) if move.startswith(word))

        moves = [move for move in game.moves(state) if move not in ("end turn", "decline")]
        return game.parse(state, min(moves, key=wish) if moves else game.moves(state)[0])[0]


if __name__ == "__main__":  # not when another program imports the agent from this file
    series = Series(stardeck.make("star_realms"), [Buyer(), "random"], seed=7)
    results = series.play(0, GAMES)
    mine = [[agent.name for agent in series.lineups[rotation]].index("buyer") for rotation in results.rotations]
    print(f"buyer wins {results.winners[np.arange(GAMES), mine].sum()} of {GAMES} games against random")
