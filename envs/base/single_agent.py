"""Any game as a Gymnasium environment for one learner; agents play the other seats inside the step."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from stardeck.envs.base.options import MASK_IN, ON_ILLEGAL, ResetAttributes, View, named_action, one_of, seed_of
from stardeck.envs.base.rendering import RENDER_MODES, mode_of, render_table
from stardeck.game.agent import Actions, Agent, AgentLike, decisions
from stardeck.game.game import Game
from stardeck.game.resolve import agent_of, agent_table_of
from stardeck.kernels.compile.jit import bound
from stardeck.kernels.errors import IllegalAction, shown, whole_number
from stardeck.kernels.loops import batch, playouts

SEAT_RANDOM = "random"
SEAT_ROTATE = "rotate"


class SingleAgentGame(ResetAttributes, gymnasium.Env):
    """One learning seat; subclasses name the game. See envs/star_realms_v1.py for the manual."""

    game_name = ""
    version: int | None = None  # an earlier version of the observations; None: the newest
    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
    illegal_action = ""  # the illegal action that ended the game, in words
    made_by_reset = ("seat", "_states", "_deciding", "_mask", "_observation")

    def __init__(
        self,
        seat: int | str = 0,
        opponents: AgentLike | Sequence[AgentLike] = "rules",
        render_mode: str | None = None,
        mask_in: str = "info",
        on_illegal: str = "lose",
        observation_dtype: str = "uint8",
        **settings: Any,
    ) -> None:
        self.game = Game.named(self.game_name, settings, self.version)
        self.render_mode = mode_of(render_mode)
        self._seat_option = one_of("seat", seat, (*range(self.game.players), SEAT_RANDOM, SEAT_ROTATE))
        self._mask_in = one_of("mask_in", mask_in, MASK_IN)
        self._on_illegal = one_of("on_illegal", on_illegal, ON_ILLEGAL)
        self._opponents = self._agents(opponents)
        self._cast = agent_table_of(self._opponents)
        self._play_until: Any = None  # compiled for the types of these arguments, which are always the same
        self._games = 0
        self._view = View(self.game, observation_dtype)
        self._agent = np.zeros(1, playouts.AGENT)  # scratch
        self._legal = np.empty(self.game.words, np.uint64)  # scratch
        self.action_space = Discrete(self.game.num_actions)
        self.observation_space = self._view.space(self._mask_in)

    def _agents(self, opponents: AgentLike | Sequence[AgentLike]) -> list[Agent]:
        listed: Sequence[AgentLike] | None = opponents if isinstance(opponents, list | tuple) else None
        if listed is not None and len(listed) != self.game.players - 1:
            raise ValueError(f"opponents={shown(opponents)}: must be one agent, or {self.game.players - 1} of them")
        if listed is None:
            return [agent_of(opponents, self.game) for _ in range(self.game.players - 1)]
        return [agent_of(agent, self.game) for agent in listed]

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a new game (with a seed: `game.deal(seed)`) and play up to the learner's first decision.

        Returns:
            Observation and info.
        """
        seed = seed_of(seed)
        super().reset(seed=seed)
        self._game_seed = int(self.np_random.integers(2**63)) if seed is None else seed
        self.seat = self._seat_option
        if self.seat == SEAT_RANDOM:
            self.seat = int(self.np_random.integers(self.game.players))
        if seed is not None:
            self._games = 0
        if self.seat == SEAT_ROTATE:
            self.seat = self._games % self.game.players
        self._games += 1
        distances = (np.arange(self.game.players) - self.seat) % self.game.players  # clockwise from the learner
        self._by_seat: list[Any] = [[None, *self._opponents][distance] for distance in distances]
        if self._cast:
            kinds = np.insert(self._cast.kinds, 0, -1)[distances]
            self._players = playouts.Players(self._agent, kinds, self._cast.networks)
        self.illegal_action = ""
        self._states = self.game.deal(self._game_seed)
        self._let_others_play()
        self._look()
        return self._shown(), self._info()

    def step(self, action: int | np.integer) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Let the learner act, then the others up to its next decision.

        The info has the same keys and types at every step: `action_mask`, the results of a finished game
        (`Game.outcomes`, `Game.results`), and `illegal`. `illegal` (int8) is 1 where an illegal action has ended the
        game, and `illegal_action` names that action.

        Returns:
            Observation, reward, terminated, truncated and info. The reward is 0 until the game ends.
        """
        action = whole_number(action)
        if not (0 <= action < self.game.num_actions and self._deciding and self._mask[action]):
            answer = self._answer_illegal(action)
            if answer is None:
                self.illegal_action = named_action(self.game, self._states, action)
                lost = self.game.info(self._states)
                lost["returns"][self.seat] = -1.0
                return self._shown(), -1.0, True, False, self._info(lost)
            action = answer
        batch.apply_all(self.game.rules, self._states, np.array([action], np.int64))
        self._let_others_play()
        self._look()
        over = not self._deciding
        truncated = over and bool(self.game.truncated(self._states)[0])
        results = self.game.info(self._states) if over else None
        reward = 0.0 if results is None else float(results["returns"][self.seat])
        if self.render_mode == "human":
            self.render()
        return self._shown(), reward, over and not truncated, truncated, self._info(results)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of the learner's legal actions for sb3-contrib's MaskablePPO: bool[num_actions]."""
        return self._mask.astype(bool)

    def advice(self, agent: AgentLike) -> int:
        """Return the action that an agent would take in the learner's place, to record or to imitate it.

        Raises:
            RuntimeError: The game is over.
        """
        if not self._deciding:
            raise RuntimeError("the game is over; call reset()")
        return int(self._decisions(agent_of(agent, self.game), self.seat)[0])

    def render(self) -> str | np.ndarray | None:
        """Return the table as the learner sees it: a text ("ansi"), printed ("human"), or pixels ("rgb_array")."""
        return render_table(self.game, self._states, self.seat, self.render_mode)

    def _let_others_play(self) -> None:
        if self._cast:
            seeds = np.uint64(self._game_seed), np.uint64(self._game_seed)
            arguments = self.game.rules, self._states, self._players, self.seat, *seeds
            if self._play_until is None:
                self._play_until = bound(playouts.play_until, *arguments)
            self._play_until(*arguments)
            return
        while (actor := int(self._states[0]["to_act"])) not in (-1, self.seat):
            batch.apply_all(self.game.rules, self._states, self._decisions(self._by_seat[actor], actor))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_play_until": None}

    def _decisions(self, agent: Agent, seat: int) -> Actions:
        """Return the decision of an agent in a seat, int64[1]; each seat has its own stream of chance."""
        game_seed = np.uint64(self._game_seed)
        seed = playouts.seed_one(game_seed, game_seed, seat, int(self._states[0]["decisions"]))
        return decisions(agent, self.game, self._states, np.array([seed], np.uint64))

    def _look(self) -> None:
        """Set mask and observation of the learner, in new arrays."""
        self._mask = np.empty(self.game.num_actions, np.int8)
        observation = np.empty(self.game.observation_size, np.uint8)
        seat = batch.show_one(self.game.rules, self._states, self._legal, self._mask, observation)
        self._deciding = seat == self.seat
        if self._deciding:
            self._observation = self._view.scaled(observation)
        else:
            self._mask = self._no_choice()
            self._observation = self._view.observe(self._states, self.seat)

    def _no_choice(self) -> NDArray[np.int8]:
        return np.ones(self.game.num_actions, np.int8)

    def _shown(self) -> Any:
        if self._mask_in == "info":
            return self._observation.copy()
        return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}

    def _info(self, results: dict[str, NDArray[Any]] | None = None) -> dict[str, Any]:
        """Return the info of a step, in new arrays. results: `Game.info` of a finished game."""
        mask = {} if self._mask_in == "obs" else {"action_mask": self._mask.copy()}
        told = self.game.blank_info() if results is None else results
        return mask | told | {"illegal": np.int8(bool(self.illegal_action))}

    def _answer_illegal(self, action: int) -> int | None:
        """Follow `on_illegal`: return a legal action to take instead, or None where the learner loses."""
        if not self._deciding:
            raise IllegalAction(f"{named_action(self.game, self._states, action)}: the game is over; call reset()")
        if self._on_illegal == "raise":
            legal = "; ".join(self.game.moves(self._states))
            raise IllegalAction(f"{named_action(self.game, self._states, action)} is not legal; legal: {legal}")
        if self._on_illegal == "random_legal":
            seed = int(self._states[0]["random"]) ^ int(self._states[0]["decisions"])
            return int(batch.pick_one(self._mask, np.uint64(seed)))
        self._deciding = False
        self._mask = self._no_choice()
        return None
