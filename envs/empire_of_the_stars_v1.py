"""Empire of the Stars as environments: the manual.

    from stardeck.envs import empire_of_the_stars_v1
    env = empire_of_the_stars_v1.env(players=4, powers=False)
    gymnasium.make("stardeck/EmpireOfTheStars-v1", opponents="rules")   # after `import stardeck`

**Agents.** `player_0` … clockwise. The powers that players keep decide who begins: the highest number is the first
Emperor; without powers it is `player_0`. Every player decides in every role, and in other players' battles as defender
or ally. Decisions that the rules call simultaneous come one after the other; plans, powers and hands stay hidden as
long as the rules say.

**Content.** The rules follow the rulebook. The board, powers, technologies, edicts and some tiles and market cards were
never published in readable form. They are a labelled reconstruction (`kernels/empire_of_the_stars/cards/*.toml`), so
results are about the reconstruction. Owners of the game can pass their own tables of the same form as `tables`.

**Settings.** Keyword arguments are the settings of the game (`stardeck list --settings empire_of_the_stars`):
`players`, `powers`, `block`, `max_turns`, `at_limit`, `bonus_points`, `tables`.

**Options, observations, actions** work as in `star_realms_v1`: relative to the observing or acting seat, and fixed for
a variant. Questions share action numbers: the meaning of region 17 or of a ship depends on the current question (`STEP`
and `ASK` in the observation). `describe` puts it in words.

**Rewards.** 0 until the game ends; then +1 to the winner and -1 / (n - 1) to each other of n players. There is no draw.
The game ends when the Emperor receives the scepter, so a player who is behind can delay the end by taking the throne.
With two players, the leader ends the game by leaving the throne alone, and prolongs it only by taking the throne back.
After `max_turns` roles a game is truncated and every reward is 0. With `at_limit="score"` the final score decides at
that point, with the rulebook's tie-breaks; such a game is terminated, as after a regular end.

**Versions.** A change of rules, actions or observations raises the version. v0: the first. v1: observations
also hold discard piles, known tiles of the stack, and the public memory of the current role.
`empire_of_the_stars_v0` keeps the observations of v0; play is the same.
"""

from stardeck.envs.base.aec import AECGame, environments
from stardeck.envs.base.rendering import RENDER_MODES
from stardeck.envs.base.single_agent import SingleAgentGame
from stardeck.envs.base.vector import VectorGame


class EmpireOfTheStars(AECGame):
    """Empire of the Stars for PettingZoo; see the manual of this module."""

    game_name = "empire_of_the_stars"
    metadata = {
        "name": "empire_of_the_stars_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }


class SingleAgentEnv(SingleAgentGame):
    """Empire of the Stars for Gymnasium; see the manual of this module."""

    game_name = "empire_of_the_stars"


class VectorEnv(VectorGame):
    """Empire of the Stars as a Gymnasium vector environment; see the manual of this module."""

    game_name = "empire_of_the_stars"


env, raw_env, parallel_env = environments(EmpireOfTheStars)
