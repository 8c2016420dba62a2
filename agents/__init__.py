"""Players: `act(game, states, masks, seeds) -> actions` on whole batches.

`get(name, game)` finds one: `random`, `simple` and `rules` are compiled and also play inside the loops of
`kernels/playing.py`, through the verb `choose`; so do trained networks, `ppo` and files (agents/network.py);
`search:400` looks ahead (agents/search.py).
"""

from stardeck.agents.builtin import NAMES, CompiledAgent, get

__all__ = ["NAMES", "CompiledAgent", "get"]
