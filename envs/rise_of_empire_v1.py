"""The campaign of Star Realms: Rise of Empire as environments: the manual.

    from stardeck.envs import rise_of_empire_v1
    env = rise_of_empire_v1.env()
    gymnasium.make("stardeck/RiseOfEmpire-v1", opponents="rules")   # after `import stardeck`
    gymnasium.make_vec("stardeck/RiseOfEmpire-v1", num_envs=512, vectorization_mode="vector_entry_point")

An episode is a whole campaign: twelve scenarios in a row. The trade deck keeps its stickers from scenario to scenario;
afterwards each side fills up to 20 upgrades. `star_realms_v1.env(set="rise_of_empire", scenario=3)` plays one scenario
alone. Its actions and observations have the same numbers.
**Cards, stickers, scenarios and points are a reconstruction.**

**Agents.** `player_0` is the Star Empire and `player_1` the Trade Federation in every scenario. The Star Empire has the
first turn of the campaign, later the winner of the previous scenario, so the first seat changes from game to game.

**Settings.** `set`: a card table with a campaign; `max_turns`: turns of one game after which the campaign is truncated;
`finale`: by default both sides fight the automated Blob in scenario 12; "duel" gives the duel of earlier versions.

**Rewards.** 0 until the campaign ends; then +1 to the side with more victory points and -1 to the other.

**Infos.** At the end `infos[agent]["scenarios"]` lists the seat that won each of the 12 scenarios (-1: not played), and
`infos[agent]["victory_points"]` the points of the 2 seats. The vector environment has both as arrays, int8[n, 12] and
uint8[n, 2]. Until the end they are -1 and 0.

Everything else works as in `star_realms_v1`. `game.position(state)` saves a campaign, and
`game.from_position(position)` resumes it.

**Versions.** A change of rules, actions or observations raises the version. v0: the first. v1: observations
also hold the cards that the other side owns and may hold, the cards known to everyone in a hand, and the winner of each
scenario. `rise_of_empire_v0` keeps the observations of v0; play is the same. Scenario 12 has changed since:
`finale="duel"` has the actions, observations and rules that v1 had before.
"""

from stardeck.envs.base.aec import AECGame, environments
from stardeck.envs.base.rendering import RENDER_MODES
from stardeck.envs.base.single_agent import SingleAgentGame
from stardeck.envs.base.vector import VectorGame


class RiseOfEmpire(AECGame):
    """A campaign of Rise of Empire for PettingZoo; see the manual of this module."""

    game_name = "rise_of_empire"
    metadata = {
        "name": "rise_of_empire_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }


class SingleAgentEnv(SingleAgentGame):
    """A campaign of Rise of Empire for Gymnasium; see the module's manual."""

    game_name = "rise_of_empire"


class VectorEnv(VectorGame):
    """Campaigns of Rise of Empire as a Gymnasium vector environment; see the module's manual."""

    game_name = "rise_of_empire"


env, raw_env, parallel_env = environments(RiseOfEmpire)
