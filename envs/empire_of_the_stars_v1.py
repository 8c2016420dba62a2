"""Empire of the Stars as environments: the manual.

    from stardeck.envs import empire_of_the_stars_v1
    env = empire_of_the_stars_v1.env(players=4, powers=False)
    gymnasium.make("stardeck/EmpireOfTheStars-v1", opponents="rules")   # after `import stardeck`

**Agents.** `player_0` … clockwise. Who begins depends on the powers kept: the highest number is the first Emperor;
without powers it is `player_0`. All decide in every role, and in the battles of others as defenders and allies. What
the rules call simultaneous is asked one after the other; plans, powers and hands stay hidden as long as the rules say.

**Content.** The rules are those of the rulebook; board, powers, technologies, edicts and parts of tiles and market were
never published in a form that could be read, and are a labelled reconstruction
(`kernels/empire_of_the_stars/cards/*.toml`): results are about the stand-in. An owner of the game gives a file with
tables of the same form as `tables`.

**Settings.** Those of the game by keyword (`stardeck list --settings empire_of_the_stars`): `players`, `powers`,
`block`, `max_turns`, `at_limit`, `bonus_points`, `tables`.

**Options, observations, actions** are as in `star_realms_v1`: relative to the seat that looks or acts, and fixed for a
variant. Questions share action numbers: what region 17 or a ship stands for depends on what is asked (`STEP`, `ASK` in
the observation); `describe` says it in words.

**Rewards.** 0 until the game ends; then +1 to the winner and -1 / (n - 1) to each other of n players; there is no draw.
The end waits for the Emperor to receive the scepter: whoever is behind can put it off by taking the throne. Of two
players the leader ends the game by leaving the throne alone, and goes on only by taking it back. After `max_turns`
roles a game is truncated and pays nobody. With `at_limit="score"` the final score decides it there, with the tie-breaks
of the rulebook; such a game is terminated, as one that has come to its end by the rules.

**Versions.** A change of rules, actions or observations raises the version. v0: the first. v1: observations
also hold discard piles, known tiles of the stack, and what everybody remembers of the role under way.
`empire_of_the_stars_v0` stays, with the observations of v0; play is the same.
"""

from stardeck.envs.base.aec import AECGame, environments
from stardeck.envs.base.rendering import RENDER_MODES
from stardeck.envs.base.single_agent import SingleAgentGame
from stardeck.envs.base.vector import VectorGame


class EmpireOfTheStars(AECGame):
    """Empire of the Stars for PettingZoo; see the module's manual."""

    game_name = "empire_of_the_stars"
    metadata = {
        "name": "empire_of_the_stars_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }


class SingleAgentEnv(SingleAgentGame):
    """Empire of the Stars for Gymnasium; see the module's manual."""

    game_name = "empire_of_the_stars"


class VectorEnv(VectorGame):
    """Empire of the Stars as a Gymnasium vector environment; see the module's manual."""

    game_name = "empire_of_the_stars"


env, raw_env, parallel_env = environments(EmpireOfTheStars)
