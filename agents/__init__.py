"""Players: `act(game, states, masks, seeds) -> actions` on whole batches.

`get(name, game)` finds one: `random`, `simple` and `rules`, in Star Realms `velocity` and `hare`, are compiled and also
play inside the loops of `kernels/loops/playouts.py`, through the verb `choose`; so do trained networks, `expert`, `ppo`
and `ppo-0.1` (agents/networks/pretrained.py), and files (agents/networks/agent.py), and `rules:values=FILE`, which buys
by a table (agents/star_realms/value_table.py). `search:400` looks ahead (agents/search/agent.py). `mine.py:Agent` is
one of your own (agents/user_agents.py); `from_sb3` and `from_torch` make one of a trained model, and `export` writes it
to a file. `honest(agent)`, or `honest:mine.py:Agent`, keeps what is hidden from its seat out of the states that it is
given.
"""

from stardeck.agents.names import NAMES, CompiledAgent, get, honest
from stardeck.agents.networks.export import export
from stardeck.agents.networks.external_models import from_sb3, from_torch
from stardeck.game.resolve import provide

__all__ = ["NAMES", "CompiledAgent", "export", "from_sb3", "from_torch", "get", "honest"]

provide(get)
