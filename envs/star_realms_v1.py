"""Star Realms as environments: the manual.

    from stardeck.envs import star_realms_v1
    env = star_realms_v1.env(format="standard", players=2)
    gymnasium.make("stardeck/StarRealms-v1", opponents="rules")   # after `import stardeck`
    gymnasium.make_vec("stardeck/StarRealms-v1", num_envs=512, vectorization_mode="vector_entry_point")

**Agents.** `player_0` … in the order of the first turns; `player_0` moves first. A seat may decide several times in a
row, and a seat also decides outside its turn when it must discard. Teams are consecutive seats. In a Raid `player_0` is
the Boss; the Boss of a challenge is part of the environment. An eliminated seat decides no more, except about the cards
that it leaves to teammates, and its `infos[agent]["eliminated"]` is 1.

**Settings.** Keyword arguments are the settings of the game (`stardeck list --settings star_realms`): `set`, `format`, `players`,
`gambits`, `difficulty`, `forced_discards`, `max_turns`, `authority`, `opening_hands`, `first_player`, `first_turn`, `first_turn_trade`, `starting_deck`, `trade_deck`, `trade_row`, `ally_latch`, `errata`, …; `set` and
`formats` take your own tables, as a path or as their content; Rise of Empire has `scenario`, `sides`, `upgraded`; its rulebook advises against 5 or 6 players without `trade_deck="post_campaign"`.

**Options.**

| option | values (default first) |
| --- | --- |
| `render_mode` | None, `ansi`, `human`, `rgb_array` (needs `stardeck[picture]`) |
| `mask_in` | where the mask of legal actions goes: `obs`, `info`, `both`; AEC: both, Gymnasium: info; TorchRL's `PettingZooWrapper` needs `obs` |
| `on_illegal` | `lose`: the offender gets -1, the others 0, all terminate, the state is unchanged, `infos["illegal"]` is 1 and `illegal_action` (vector: `illegal_actions`) names the action; `random_legal`: a random legal action is taken instead; `raise`: IllegalAction |
| `observation_dtype` | `uint8`: counts and amounts as they are, clipped to 255; `float32`: scaled |
| `early_termination` | AEC: False, True: an eliminated seat ends and gets its reward as soon as its return is certain (its whole side is out); by default all seats end together |
| `seat`, `opponents` | Gymnasium: the learner's seat, 0 …, `random`, `rotate` (the next one in each game), vector also `all`: the learner decides for every seat, `infos["seat"]` names the seat, the reward goes to the seat that decided last, and `infos["returns"]` has the returns of all seats; an agent for the other seats, or a list of them by distance clockwise from the learner |
| `team` | vector: False; True: the learner decides for its teammates too |
| `autoreset_mode` | vector: Gymnasium's `NEXT_STEP`, `SAME_STEP`, `DISABLED` |
| `skip_forced` | vector: False; True: a single legal action is taken at once, so that every step is a choice |
| `copy` | vector: True; False: the environment returns two sets of arrays in turn; an observation stays as it is until the step after the next |
| `threads` | vector: 1; threads that share the games; the games are the same for any number; more threads than free cores make it slower |
| `device` | vector: `cpu`; `cuda`: the same games on a GPU, with arrays on that GPU and compiled opponents (docs/guides/gpu.md) |

The vector environment plays all its games in one compiled step (`stardeck.envs.sb3.GameVecEnv` is the same for Stable-Baselines3).
Its `opponents` may also be a list of such lists; each game draws one of them, and `set_opponents` changes them.

**Seeds.** `reset(seed=s)` deals `game.deal(s)`, for one whole number from 0 to 2**64 - 1; the vector environment deals s, s + 1, …,
or takes a list of one seed for each game. Any other seed is refused, and the current game continues.

**States.** `env.unwrapped.game` takes and returns games as rows of an array. Each row bears the tag of its variant, and rows of
another variant are refused. Invented or edited bytes are not checked, and can crash Python.

**Observations.** `{"observation": uint8[observation_size], "action_mask": int8[num_actions]}`, or the bare array where
the mask is in `info`. `env.unwrapped.game.observation_table()` lists name, offset, size, scale and meaning of each
field. Seats are counted from the observing seat, so one policy plays every seat. The mask is all 1 for a seat that does
not decide, and for every seat at the end.

**Actions.** `Discrete(num_actions)`; `game.action_table()` lists the blocks, `game.describe(state, action)` names one.

**Rewards.** 0 until the game ends; then +1 to the winning side and -1 to the losing one (with n sides, -1 / (n - 1)), the same
for all seats of a team; against an automated Boss +1 or -1 to all. When the limit on turns ends the game, rewards are 0 and
all seats are truncated; otherwise all are terminated.

**Infos.** All environments give the same keys with the same NumPy types at every step, from the reset on, so libraries can stack
them: `action_mask`; `returns` float32, `winners` bool and `placements` int64, a number for each seat, absolute (`Game.outcomes`),
0 until the game ends; `illegal`, an int8, 1 where an illegal action has ended the game. AEC environments add `eliminated`, an int8,
in games with elimination. Parallel ones also add `active`, an int8, 1 for the agent that decides. Vector environments add
`seat`; `_returns` is true where a game has ended. Self-play with `seat="all"` takes its credit from there, seat by seat. In
same-step mode they add `final_obs` and `final_info`. `GameVecEnv` leaves the masks to `action_masks()`, and adds the keys of
Stable-Baselines3 at the end of a game.

**Versions.** A change of rules, actions or observations raises the version. v0: the first. v1: observations
also hold the cards that opponents own and may hold, the cards known to everyone in a hand, and the history of a campaign.
`star_realms_v0` keeps the observations of v0; play is the same.
"""  # noqa: E501

from stardeck.envs.base.aec import AECGame, environments
from stardeck.envs.base.rendering import RENDER_MODES
from stardeck.envs.base.single_agent import SingleAgentGame
from stardeck.envs.base.vector import VectorGame


class StarRealms(AECGame):
    """Star Realms for PettingZoo; see the manual of this module."""

    game_name = "star_realms"
    metadata = {
        "name": "star_realms_v1",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }


class SingleAgentEnv(SingleAgentGame):
    """Star Realms for Gymnasium; see the module's manual."""

    game_name = "star_realms"


class VectorEnv(VectorGame):
    """Star Realms as a Gymnasium vector environment; see the module's manual."""

    game_name = "star_realms"


env, raw_env, parallel_env = environments(StarRealms)
