"""Players: `act(game, states, masks, seeds) -> actions` on whole batches.

`get(name, game)` finds an agent by name:

- `random`, `simple`, `rules`, and in Star Realms `cheap-combat` and `same-faction`, are compiled. They also play inside
  the loops of `kernels/loops/playouts.py`, through the verb `choose`.
- The trained networks `expert`, `ppo`, `expert-0.1` and `ppo-0.1` (agents/networks/pretrained.py) and network files
  (agents/networks/agent.py) do so too. So does `rules:values=FILE`, which buys by a table of card values
  (agents/star_realms/value_table.py).
- `search:400` is a tree search (agents/search/agent.py).
- `mine.py:Agent` is your own agent (agents/user_agents.py).
- `http://localhost:9000` and `exec:node bot.js` are programs elsewhere (agents/remote).

`from_sb3` and `from_torch` make an agent of a trained model, and `export` writes it to a file. `honest(agent)`, or
`honest:mine.py:Agent`, removes everything hidden from its seat from the states that an agent receives.
"""

from stardeck.agents.names import NAMES, CompiledAgent, get, honest
from stardeck.agents.networks.export import export
from stardeck.agents.networks.external_models import from_sb3, from_torch
from stardeck.game.resolve import provide

__all__ = ["NAMES", "CompiledAgent", "export", "from_sb3", "from_torch", "get", "honest"]

provide(get)
