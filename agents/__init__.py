"""Players: `act(game, states, masks, seeds) -> actions` on whole batches.

`get(name)` finds one; `random`, `simple` and `rules` are compiled and also play inside the loops of
`kernels/batch.py`, through the verb `choose`.
"""

from stardeck.agents.builtin import NAMES, CompiledAgent, get

__all__ = ["NAMES", "CompiledAgent", "get"]
