"""`DeviceLanes`: many games side by side for one learner, kept on a GPU together with the learner's view of them.

A step copies back only the flags of ended games and the games that ended; NumPy computes their results, as for any
other game. Opponents are compiled agents.
"""

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from stardeck.envs.base.lanes import Lanes
from stardeck.envs.base.options import DeviceLaneOptions
from stardeck.game.agent import Agent, Opponents, Seeds
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.device import DeviceArray, DeviceGame, at_least_one_row
from stardeck.kernels.errors import check_keywords, shown
from stardeck.kernels.loops import lanes as kernels
from stardeck.kernels.loops.lanes import LANE, Autoreset
from stardeck.kernels.loops.playouts import AGENT


class DeviceLanes(Lanes):
    """`Lanes` on a GPU: `masks`, `observations`, `seats`, `ended`, `rewards` and the other arrays of a step are there.

    It has the arguments and methods of `Lanes`. Observations are bytes, and every step makes new arrays. `ended_rows`,
    `lengths`, `cut_short`, `final_results` and `final_observations` of ended games are NumPy arrays.

    Raises:
        ValueError: An opponent is not compiled.
    """

    def __init__(
        self, game: DeviceGame, num_envs: int, opponents: Opponents = "rules", seat: int | str = "rotate",
        team: bool = False, autoreset: Autoreset = Autoreset.SAME_STEP, skip_forced: bool = False,
        **options: Unpack[DeviceLaneOptions],
    ) -> None:  # fmt: skip
        check_keywords("lanes on the GPU", options, DeviceLaneOptions.__annotations__)
        self.device_game = game
        self.device = game.torch_device
        self._there: dict[str, DeviceArray] = {}  # arrays on the GPU; states and lanes are fetched on demand
        self._adviser: tuple[Agent, tuple[DeviceArray, ...]] | None = None  # the last agent asked, and its tables
        super().__init__(game.game, num_envs, opponents, seat, team, autoreset, skip_forced, **options)
        self._there |= {
            "finals": game.put(self._finals),
            "rows": game.put(self._ended_rows),
            "tally": game.put(np.zeros(self.num_envs, kernels.TALLY)),
            "agents": game.put(np.zeros(self.num_envs, AGENT)),
            "blank": game.put(self._blank),
            "plan": game.put(self._plan),
        }
        self._send()

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats: see `Lanes.set_opponents`."""
        self._fetch()
        super().set_opponents(opponents)
        if self._outsiders:
            raise ValueError(f"opponents={shown(opponents)}: on the GPU all must be compiled: rules, simple, a network")
        for name, table in {**self._networks._asdict(), "pool": self._pool}.items():
            self._there[name] = self.device_game.put(at_least_one_row(table))
        self._send()

    def reset(self, seeds: Seeds, chosen: NDArray[np.bool_] | None = None, anew: bool = True) -> None:
        """Deal new games: see `Lanes.reset`; seeds and chosen are NumPy arrays."""
        self._fetch()
        super().reset(seeds, chosen, anew)

    def step(self, actions: Any) -> None:
        """Let the learner act in every lane.

        Args:
            actions: Array int64[n], on the GPU or not.

        Raises:
            IllegalAction: The learner's action is illegal; nothing has changed.
        """
        self._check_dealt()
        actions = self._legal(self.device_game.rows(actions, "actions", np.int64, self.num_envs))
        self._dealt = False
        self._turn_over()
        self._run(kernels.step_lanes, actions)
        self._check_asked()
        self._note_ends()
        self._dealt = True

    def random_actions(self, seeds: Any) -> DeviceArray:
        """Return a uniformly random legal action for every lane, int64[num_envs]. seeds: uint64[num_envs]."""
        self._check_dealt()
        actions = self.device_game.empty(self.num_envs, np.int64)
        given = self._there["lanes"], self.device_game.seeds(seeds, self.num_envs), actions
        self.device_game.run("pick_lanes", self.num_envs, self.device_game.rules, *given)
        return actions

    def shared(self, array: DeviceArray) -> Any:
        """Return an array on the GPU as `torch.as_tensor` takes it: see `Lanes.shared`."""
        return self.device_game.shared(array)

    @property
    def over(self) -> np.ndarray:
        """Lanes that stand at the end of a game: bool[num_envs], in NumPy."""
        self._fetch()
        return super().over

    def render(self, row: int, mode: str = "ansi") -> Any:
        """Return the table of a lane: see `Lanes.render`."""
        self._fetch()
        return super().render(row, mode)

    def advice(self, agent: Agent) -> DeviceArray:
        """Return an agent's action in the learner's place, int64[num_envs], on the GPU. See `Lanes.advice`."""
        game = self.device_game
        if not is_compiled(agent):
            self._fetch()
            return game.put(super().advice(agent))
        if self._adviser is None or self._adviser[0] is not agent:
            table = AgentTable([agent])
            tables = table.kinds, at_least_one_row(table.weights), at_least_one_row(table.shapes)
            self._adviser = agent, tuple(game.put(each) for each in tables)
        actions = game.empty(self.num_envs, np.int64)
        there = (self._there[name] for name in ("states", "lanes", "agents"))
        game.run("choose_lanes", self.num_envs, game.rules, *there, *self._adviser[1], actions)
        return actions

    def snapshot(self) -> dict[str, Any]:
        """Return everything that `restore` needs, in NumPy; snapshots of `Lanes` and of `DeviceLanes` are the same."""
        self._fetch()
        return super().snapshot()

    # Copies to and from the GPU

    def _fetch(self) -> None:
        """Copy states and lanes to the processor, where methods of `Lanes` read and change them."""
        if "states" in self._there:
            self._there["states"].copy_to_host(self._states)
            self._there["lanes"].copy_to_host(self._lanes)

    def _send(self) -> None:
        self._there |= {"states": self.device_game.put(self._states), "lanes": self.device_game.put(self._lanes)}

    def _turn_over(self) -> None:
        empty = self.device_game.empty
        self.seats, self.ended = empty(self.num_envs, np.int64), empty(self.num_envs, np.bool_)
        self.masks = empty((self.num_envs, self.game.num_actions), np.int8)
        self._seen = empty((self.num_envs, self.game.observation_size), np.uint8)

    def _run(self, kernel: Any, *given: NDArray[Any]) -> None:
        """Run a loop over all lanes, and fetch its data about ended games."""
        there, game = self._there, self.device_game
        if kernel is kernels.deal_lanes:
            self._send()
            given = tuple(game.put(each) for each in given)
        stuck = game.put(np.zeros(1, np.int64))
        shown = self.masks, self._seen, self.seats, self.ended
        book = there["finals"], there["rows"], there["tally"]
        rest = (there[name] for name in ("blank", "agents", "weights", "shapes", "plan", "pool"))
        arrays = game.rules, there["states"], there["lanes"], *given, shown, book, stuck, *rest
        game.run(kernel.__name__, self.num_envs, *arrays)
        self._tally["stuck"] = stuck.copy_to_host()
        if self._tally["stuck"].any():
            self._fetch()
        self._fetch_ended()

    def _fetch_ended(self) -> None:
        """Copy the games that ended, and their lanes, to the arrays that `Lanes` reads."""
        ended: DeviceArray = self.ended
        rows = np.flatnonzero(ended.copy_to_host())
        self._tally["ended"] = len(rows)
        self._ended_rows[: len(rows)] = rows
        if not len(rows):
            return
        self._finals[: len(rows)] = self._taken("finals", rows, self.game.state_dtype)
        self._lanes[rows] = self._taken("lanes", rows, LANE)

    def _taken(self, name: str, rows: NDArray[np.int64], dtype: Any) -> NDArray[Any]:
        taken = self.device_game.empty(len(rows), dtype)
        self.device_game.run("take_rows", len(rows), taken, self._there[name], self.device_game.put(rows))
        copied: NDArray[Any] = taken.copy_to_host()
        return copied

    def _note_ends(self) -> None:
        super()._note_ends()
        for name in ("rewards", "terminated", "truncated"):
            setattr(self, name, self.device_game.put(getattr(self, name)))

    def _legal(self, actions: DeviceArray) -> DeviceArray:
        """Return the actions, with illegal ones replaced as `on_illegal` says."""
        game = self.device_game
        if self._on_illegal == "raise":
            found = game.put(np.array([self.num_envs]))
            game.run("first_refused", self.num_envs, game.rules, self._there["lanes"], actions, found)
            if (row := int(found.copy_to_host()[0])) < self.num_envs:
                self._fetch()
                self._refuse(row, int(actions.copy_to_host()[row]))
            self.illegal = np.zeros(self.num_envs, np.int8)
            return actions
        answered, illegal = game.empty(self.num_envs, np.int64), game.empty(self.num_envs, np.int8)
        answered.copy_to_device(actions)
        redraw = game.put(np.array([self._on_illegal == "random_legal"], np.int64))
        there = self._there["states"], self._there["lanes"]
        game.run("answer_illegal", self.num_envs, game.rules, *there, answered, redraw, illegal)
        self.illegal = illegal.copy_to_host()
        if self.illegal.any():
            self._asked = actions.copy_to_host()
        return answered
