"""Interstellar Empire as environments: the manual.

    from stardeck.envs import interstellar_empire_v1
    env = interstellar_empire_v1.env(players=3, governments=True)
    gymnasium.make("stardeck/InterstellarEmpire-v1", opponents="rules")   # after `import stardeck`

**Agents.** `player_0` … clockwise. `player_0` moves first, unless players bid for the first turn. Opponents also decide
during another player's turn: they defend planets, and play specials against a planet or ship just gained. With
`concede=True` a seat can leave the game. It takes no further decision, and its `infos[agent]["eliminated"]` is 1.

**Cards.** The rules follow the rulebook. No readable text of the card list was published, so the 60 cards are a
labelled reconstruction (`kernels/interstellar_empire/cards/cards.toml`), and results are about the reconstruction.
Owners of the printed list can pass their own table of the same form as `cards`.

**Settings.** Keyword arguments are the settings of the game (`stardeck list --settings interstellar_empire`):
`players`, `first_player`, `governments`, `concede`, `cards`.

**Options, observations, actions** work as in `star_realms_v1`: relative to the observing or acting seat, and fixed for
a variant.

**Rewards.** 0 until the game ends; then +1 to the winner and -1 / (n - 1) to each other of n players; 0 to all in a
draw. Every turn takes a card from the deck, so no game needs a limit on turns.

**Versions.** A change of rules, actions or observations raises the version. v0: the first. v1: observations
also hold the cards of the discard pile.
`interstellar_empire_v0` keeps the observations of v0; play is the same.
"""

from stardeck.envs.base.aec import AECGame, environments
from stardeck.envs.base.rendering import RENDER_MODES
from stardeck.envs.base.single_agent import SingleAgentGame
from stardeck.envs.base.vector import VectorGame


class InterstellarEmpire(AECGame):
    """Interstellar Empire for PettingZoo; see the manual of this module."""

    game_name = "interstellar_empire"
    metadata = {
        "name": "interstellar_empire_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }


class SingleAgentEnv(SingleAgentGame):
    """Interstellar Empire for Gymnasium; see the manual of this module."""

    game_name = "interstellar_empire"


class VectorEnv(VectorGame):
    """Interstellar Empire as a Gymnasium vector environment; see the manual of this module."""

    game_name = "interstellar_empire"


env, raw_env, parallel_env = environments(InterstellarEmpire)
