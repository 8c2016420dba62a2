"""Any game as a PettingZoo AEC environment.

It is written for loops of `agent_iter`, `last` and `step`: one compiled call a step, no wrapper but `OrderEnforcing`.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from stardeck.envs.base.options import MASK_IN, ON_ILLEGAL, ResetAttributes, View, named_action, one_of, seed_of
from stardeck.envs.base.order import OrderEnforcing
from stardeck.envs.base.rendering import RENDER_MODES, mode_of, render_table
from stardeck.game.game import Game
from stardeck.kernels.compile.jit import bound
from stardeck.kernels.errors import IllegalAction, shown, whole_number
from stardeck.kernels.loops import batch
from stardeck.kernels.loops.batch import REFUSED

V = TypeVar("V")
Maker = Callable[..., AECEnv]
_MASK, _OBSERVATION = np.dtype(np.int8), np.dtype(np.uint8)
_ACTIVE = np.int8(0), np.int8(1)


class AECGame(ResetAttributes, AECEnv):
    """One game at a time, seat by seat; subclasses name the game. See envs/star_realms_v1.py for the manual."""

    game_name = ""
    version: int | None = None  # an earlier version of the observations; None: the newest
    agent_selection: str
    _chance: np.random.Generator | None
    metadata = {"name": "", "render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1}
    made_by_reset = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "_states")
    illegal_action = ""  # the illegal action that ended the game, in words

    def __init__(
        self,
        render_mode: str | None = None,
        mask_in: str = "both",
        on_illegal: str = "lose",
        observation_dtype: str = "uint8",
        early_termination: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__()
        self.render_mode = mode_of(render_mode)
        self._mask_in = one_of("mask_in", mask_in, MASK_IN)
        self._on_illegal = one_of("on_illegal", on_illegal, ON_ILLEGAL)
        self._early_termination = one_of("early_termination", early_termination, (False, True))
        self.game = Game.named(self.game_name, settings, self.version)
        self._view = View(self.game, observation_dtype)
        self._scaled = observation_dtype != "uint8"  # kept as attributes, since every step needs them
        self._num_actions = self.game.num_actions
        self._observation_size = self.game.observation_size
        self._seats_go_out = self.game.seats_go_out
        self._legal = np.empty(self.game.words, np.uint64)
        self._free = np.ones(self.game.num_actions, np.int8)  # mask of a seat that does not decide
        self._free.setflags(write=False)
        self._chance = None  # drawn at the first reset: copies of a new environment then deal different games
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: Discrete(self.game.num_actions) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.state_space = self._view.box(self.game.players)

    def _observation_space(self) -> Space[Any]:
        return self._view.space(self._mask_in)

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the observation space of a seat, always the same object."""
        return self._of(self.observation_spaces, agent)

    def action_space(self, agent: str) -> Discrete:
        """Return the action space of a seat, always the same object."""
        return self._of(self.action_spaces, agent)

    @staticmethod
    def _of(table: Mapping[str, V], agent: str) -> V:
        try:
            return table[agent]
        except (KeyError, TypeError):
            raise ValueError(f"agent={shown(agent)}: must be one of {', '.join(table)}") from None

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game, `game.deal(seed)`. Without a seed, continue the stream of the last seed given."""
        seed = seed_of(seed)
        if seed is not None or self._chance is None:
            self._chance = np.random.default_rng(seed)
        if seed is None:
            seed = int(self._chance.integers(2**63))
        self._states = self.game.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.illegal_action = ""
        self.infos: dict[str, dict[str, Any]] = {agent: self._first_info() for agent in self.agents}
        self._skip_agent_selection = None
        self._refresh()

    def _first_info(self) -> dict[str, Any]:
        """Return the info of an agent at the start of a game, with the keys and types of every step."""
        info: dict[str, Any] = {} if self._mask_in == "obs" else {"action_mask": self._free}
        info |= self.game.blank_info() | {"illegal": np.int8(0)}
        return info | {"eliminated": np.int8(0)} if self._seats_go_out else info

    def step(self, action: int | np.integer | None) -> None:
        """Let the selected agent act; a finished agent steps with None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        action = whole_number(action)
        seat = self._carry_out(action)
        if seat == REFUSED:
            action = self._answer_illegal(agent, action)
            if action is None:
                return
            seat = self._carry_out(action)
        if seat < 0:
            self._end()
            return
        selected = self.possible_agents[seat]
        if self._mask_in != "obs":
            if selected != agent:
                self.infos[agent]["action_mask"] = self._free
            self.infos[selected]["action_mask"] = self._mask
        self.agent_selection = selected
        if self._seats_go_out:
            self._note_eliminated()
        if self.render_mode == "human":
            self.render()

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last move, termination, truncation and info of the selected agent.

        It does the same as PettingZoo's method, but computes nothing twice for the agent that decides.
        """
        agent = self.agent_selection
        terminated, truncated = self.terminations[agent], self.truncations[agent]
        if not observe:
            observation = None
        elif terminated or truncated:
            observation = self.observe(agent)
        else:
            observation = self._shown(self._observation, self._mask)
        return observation, self._cumulative_rewards[agent], terminated, truncated, self.infos[agent]

    def observe(self, agent: str) -> np.ndarray | dict[str, np.ndarray]:
        """Return the view of a seat; the mask of a seat that does not decide is all 1."""
        deciding = agent == self.agent_selection and not self.terminations[agent] and not self.truncations[agent]
        if deciding:
            return self._shown(self._observation, self._mask)
        observation = np.empty(self._observation_size, _OBSERVATION)
        self._observe_one(self.game.rules, self._states, self._of(self._seat, agent), observation)
        return self._shown(observation, self._free.copy())

    def _shown(self, observation: np.ndarray, mask: NDArray[np.int8]) -> np.ndarray | dict[str, np.ndarray]:
        """Return an observation in the form that the options ask for."""
        if self._scaled:
            observation = self._view.scaled(observation)
        return observation if self._mask_in == "info" else {"observation": observation, "action_mask": mask}

    def state(self) -> np.ndarray:
        """Return the observations of all seats in a row."""
        seats = range(self.game.players)
        return np.concatenate([self._view.observe(self._states, seat) for seat in seats])

    def render(self) -> str | np.ndarray | None:
        """Return the selected agent's view of the table: a text ("ansi"), printed ("human") or pixels ("rgb_array")."""
        over = bool(self.game.is_over(self._states)[0])
        seat = None if over else self._seat[self.agent_selection]
        return render_table(self.game, self._states, seat, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def _refresh(self) -> None:
        """Look at the state again: the deciding agent, its mask and its observation."""
        self._mask, self._observation = self._blank()
        seat = batch.show_one(self.game.rules, self._states, self._legal, self._mask, self._observation)
        self.agent_selection = self.possible_agents[seat]
        if self._mask_in != "obs":
            self.infos[self.agent_selection]["action_mask"] = self._mask

    def _blank(self) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
        return np.empty(self._num_actions, _MASK), np.empty(self._observation_size, _OBSERVATION)

    def _carry_out(self, action: int) -> int:
        """Take a legal action and return the seat that decides next, or REFUSED with nothing changed.

        The kernel's own set says what is legal, since the caller of `last` holds the mask and may change it.
        """
        if not 0 <= action < self._num_actions:
            return REFUSED
        mask, observation = self._blank()
        seat = self._step_one(self.game.rules, self._states, action, self._legal, mask, observation)
        if seat != REFUSED:
            self._mask, self._observation = mask, observation
        return seat

    @cached_property
    def _step_one(self) -> Callable[..., int]:
        step: Callable[..., int] = bound(batch.step_one, self.game.rules, self._states, 0, self._legal, *self._blank())
        return step

    @cached_property
    def _observe_one(self) -> Callable[..., None]:
        given = self.game.rules, self._states, 0, self._blank()[1]
        observe: Callable[..., None] = bound(batch.observe_one, *given)
        return observe

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_step_one", "_observe_one")}

    def _answer_illegal(self, agent: str, action: int) -> int | None:
        """Follow `on_illegal`: return a legal action to take instead, or None if the game has ended."""
        if self._on_illegal == "raise":
            legal = "; ".join(self.game.moves(self._states))
            raise IllegalAction(
                f"{agent}: {named_action(self.game, self._states, action)} is not legal; legal: {legal}"
            )
        if self._on_illegal == "random_legal":
            seed = int(self._states[0]["random"]) ^ int(self._states[0]["decisions"])
            return int(batch.pick_one(self.game.legal_actions(self._states)[0], np.uint64(seed)))
        self.illegal_action = f"{agent}: {named_action(self.game, self._states, action)}"
        for other in self.agents:
            self.infos[other]["illegal"] = np.int8(1)
            self.rewards[other] = -1.0 if other == agent else 0.0
            self.terminations[other] = True
        self._report_results(np.array([self.rewards.get(each, 0.0) for each in self.possible_agents], np.float32))
        self._finish()
        return None

    def _note_eliminated(self) -> None:
        """Mark eliminated seats in `infos`; with `early_termination` such a seat ends once its return is certain."""
        eliminated = self.game.eliminated(self._states)[0]
        ended = []
        for agent in self.agents:
            if not eliminated[self._seat[agent]] or agent == self.agent_selection:
                continue
            self.infos[agent]["eliminated"] = np.int8(1)
            reward = self.game.certain_returns(self._states)[0, self._seat[agent]]
            if self._early_termination and not np.isnan(reward):
                self.rewards[agent] = float(reward)
                self.terminations[agent] = True
                ended.append(agent)
        if ended:
            self._accumulate_rewards()
            for agent in ended:
                if self._mask_in != "obs":
                    self.infos[agent]["action_mask"] = self._free
            self._deads_step_first()

    def _end(self) -> None:
        """End the game: pay every seat, and truncate all of them if the limit on turns ended it."""
        truncated = bool(self.game.truncated(self._states)[0])
        returns = self._report_results()
        for agent in self.agents:
            self.rewards[agent] = float(returns[self._seat[agent]])
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
        self._finish()

    def _report_results(self, returns: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Write the results into `infos`. returns: the returns of a game that an illegal action ended."""
        info = self.game.info(self._states)
        if returns is not None:
            info["returns"] = returns
        for agent in self.agents:
            self.infos[agent] |= info
        return info["returns"]

    def _finish(self) -> None:
        self._accumulate_rewards()
        if self._mask_in != "obs":
            for agent in self.agents:
                self.infos[agent]["action_mask"] = self._free
        self._deads_step_first()
        if self.render_mode == "human":
            self.render()


class ParallelGame(turn_based_aec_to_parallel_wrapper):
    """PettingZoo's own turn-based conversion, which takes the action of the agent that decides.

    The info of an agent says at every step whether it decides now: `active`, an int8. PettingZoo names the agent in
    `active_agent`, but not after a reset or at the end, and no library can stack texts. `aec_env.agent_selection` also
    names it.
    """

    def __init__(self, aec_env: OrderEnforcing) -> None:
        super().__init__(aec_env)
        self._raw: AECGame = aec_env.unwrapped  # whose attributes take no wrapper's checks

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """Deal a new game, as `AECGame.reset` does, and return (observations, infos)."""
        observations, _ = super().reset(seed, options)
        return observations, self._infos()

    def step(self, actions: Mapping[str, Any]) -> Any:
        """Let the agent that decides act; the actions of the others are ignored.

        It does what PettingZoo's conversion does, which asks the wrapper for twenty attributes a step.

        Returns:
            Observations, rewards, terminations, truncations and infos, each empty once all agents are done.
        """
        if not self.aec_env.agents:
            return {}, {}, {}, {}, {}
        raw = self._raw
        deciding = raw.agent_selection
        if not isinstance(actions, Mapping) or deciding not in actions:
            raise ValueError(
                f"actions={shown(actions)}: must be a dict with the action of {deciding}, the agent that decides"
            )
        self.aec_env.step(actions[deciding])
        observations = {agent: raw.observe(agent) for agent in raw.agents}
        stepped = observations, raw.rewards.copy(), raw.terminations.copy(), raw.truncations.copy()
        before = raw.infos.copy()
        while raw.agents and (raw.terminations[raw.agent_selection] or raw.truncations[raw.agent_selection]):
            self.aec_env.step(None)
        self.agents = raw.agents
        return *stepped, self._infos(before)

    def _infos(self, infos: Mapping[str, dict[str, Any]] | None = None) -> dict[str, dict[str, Any]]:
        """Return copies of the infos, with `active` for each agent."""
        raw = self._raw
        deciding = raw.agent_selection if raw.agents else None
        copies = {}
        for agent, info in (raw.infos if infos is None else infos).items():
            copies[agent] = info.copy()
            copies[agent]["active"] = _ACTIVE[agent == deciding]
        return copies


Raw = TypeVar("Raw", bound=AECGame)


def environments(
    raw_class: type[Raw],
) -> tuple[Callable[..., OrderEnforcing], Callable[..., Raw], Callable[..., ParallelEnv]]:
    """Return `env`, `raw_env` and `parallel_env` of a game, as in PettingZoo's modules."""

    def env(**options: Any) -> OrderEnforcing:
        """Return the environment with one cheap wrapper, which complains about calls in the wrong order."""
        return OrderEnforcing(raw_class(**options))

    def raw_env(**options: Any) -> Raw:
        """Return the bare environment."""
        return raw_class(**options)

    def parallel_env(**options: Any) -> ParallelEnv:
        """Return PettingZoo's own turn-based conversion of `env`."""
        return ParallelGame(env(**options))

    return env, raw_env, parallel_env
