"""`DeviceLanes`: many games side by side for one learner, kept on a GPU together with the learner's view of them.

A step waits for the GPU once, for a few numbers (`Mark`). Games that ended are copied back when somebody asks for them;
NumPy then computes their results, as for any other game. Opponents are compiled agents.
"""

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from stardeck.envs.base.lanes import Lanes
from stardeck.envs.base.options import DeviceLaneOptions
from stardeck.game.agent import Agent, Opponents, Seeds
from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.device import DeviceArray, DeviceGame, at_least_one_row
from stardeck.kernels.cuda.codes import MARKS, SHARES, Legal, Mark
from stardeck.kernels.errors import check_keywords, shown
from stardeck.kernels.loops.lanes import LANE, Autoreset

RESULTS = {"seats": np.int64, "ended": np.bool_, "rewards": np.float32, "terminated": np.bool_, "truncated": np.bool_}


class DeviceLanes(Lanes):
    """`Lanes` on a GPU: `masks`, `observations`, `seats`, `ended`, `rewards`, `terminated` and `truncated` are there.

    It has the arguments and methods of `Lanes`. Observations are bytes, and every step makes new arrays; rows of masks
    and observations are padded to 16 bytes. `ended_rows`, `lengths`, `cut_short`, `final_results`,
    `final_observations` and `final_hidden` of ended games are NumPy arrays, which are copied when they are asked for.

    Raises:
        ValueError: An opponent is not compiled.
    """

    made_by_reset = ("masks", "observations", "_rows", *RESULTS)

    def __init__(
        self, game: DeviceGame, num_envs: int, opponents: Opponents = "rules", seat: int | str = "rotate",
        team: bool = False, autoreset: Autoreset = Autoreset.SAME_STEP, skip_forced: bool = False,
        **options: Unpack[DeviceLaneOptions],
    ) -> None:  # fmt: skip
        check_keywords("lanes on the GPU", options, DeviceLaneOptions.__annotations__)
        self.device_game = game
        self.device = game.torch_device
        self._there: dict[str, DeviceArray] = {}  # arrays on the GPU; states and lanes are fetched on demand
        self._adviser: tuple[Agent, int, tuple[DeviceArray, ...]] | None = None  # the last agent asked, and its tables
        super().__init__(game.game, num_envs, opponents, seat, team, autoreset, skip_forced, **options)
        unused = np.zeros((2, MARKS), np.int64)
        unused[:, Mark.REFUSED] = self.num_envs
        marks = game.put(unused)
        self._marks = [marks[0], marks[1]]  # of this step and of the next, in turn
        self._shares: tuple[int, ...] = SHARES
        self._seen_ends = True  # whether the games that ended in the last step have been copied
        self._there |= {
            "finals": game.put(self._finals),
            "listed": game.put(np.zeros((2, self.num_envs), np.int64)),
            "plan": game.put(self._plan),
        }
        self._send()

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats: see `Lanes.set_opponents`."""
        self._fetch()
        super().set_opponents(opponents)
        if self._outsiders:
            raise ValueError(f"opponents={shown(opponents)}: on the GPU all must be compiled: rules, simple, a network")
        self._plain = not len(self._networks.weights)  # no opponent has a network or a table
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
            RuntimeError: The rules raised an error in a lane; games must be reset.
        """
        self._check_dealt()
        actions = self._answer(self.device_game.rows(actions, "actions", np.int64, self.num_envs))
        if self._on_illegal == "raise":
            there = self.device_game.rules, self._there["lanes"], actions, self._marks[0]
            self.device_game.run("first_refused", self.num_envs, *there)
        self._dealt = False
        before = self._results()
        self._turn_over()
        marks = self._go_on("begin_steps", actions)
        if (row := int(marks[Mark.REFUSED])) < self.num_envs:
            self.__dict__ |= before
            self._dealt = True
            self._fetch()
            self._refuse(row, int(actions.copy_to_host()[row]))
        self._end_step(marks)

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
            networks = (table.weights, table.shapes) if len(table.weights) else ()
            self._adviser = agent, int(table.kinds[0]), tuple(game.put(each) for each in networks)
        _, kind, there = self._adviser
        actions = game.empty(self.num_envs, np.int64)
        given = game.rules, self._there["states"], self._there["lanes"], kind, actions
        game.run("choose_lanes" if there else "choose_lanes_plainly", self.num_envs, *given, *there)
        return actions

    def snapshot(self) -> dict[str, Any]:
        """Return everything that `restore` needs, in NumPy; snapshots of `Lanes` and of `DeviceLanes` are the same."""
        self._fetch()
        return super().snapshot()

    def hidden(self) -> DeviceArray:
        """Return what the seat that decides cannot know in each lane, on the GPU: uint8[n, hidden_size]."""
        return self.device_game.observe_hidden(self._there["states"])

    # Games that ended in the last step

    @property
    def ended_rows(self) -> NDArray[np.int64]:
        """Lanes of the games that ended in the last step: int64[k]."""
        self._look_at_ends()
        return self._rows

    @ended_rows.setter
    def ended_rows(self, rows: NDArray[np.int64]) -> None:
        self._rows = rows

    def cut_short(self) -> NDArray[np.bool_]:
        """Return true for each game of `ended_rows` that was truncated: bool[k]."""
        self._look_at_ends()
        return super().cut_short()

    def any_cut_short(self) -> bool:
        """Return whether the limit on turns has ended a game in the last step; nothing is copied for it."""
        return self._number_cut > 0

    def final_results(self) -> dict[str, np.ndarray]:
        """Return the results of games that ended in the last step: see `Lanes.final_results`."""
        self._look_at_ends()
        return super().final_results()

    def _look_at_ends(self) -> None:
        """Copy the games that ended, and their lanes, and compute their results."""
        if self._seen_ends:
            return
        self._seen_ends = True
        rewards = self.rewards
        flags: DeviceArray = self.ended
        rows: NDArray[np.int64] = np.flatnonzero(flags.copy_to_host())
        self._tally["ended"] = len(rows)
        self._ended_rows[: len(rows)] = rows
        if len(rows):
            self._finals[: len(rows)] = self._taken("finals", rows, self.game.state_dtype)
            self._lanes[rows] = self._taken("lanes", rows, LANE)
        given = self._results()
        super()._note_ends()
        self._computed = self.rewards
        self.__dict__ |= given | {"rewards": rewards}

    def _taken(self, name: str, rows: NDArray[np.int64], dtype: Any) -> NDArray[Any]:
        taken = self.device_game.empty(len(rows), dtype)
        self.device_game.run("take_rows", len(rows), taken, self._there[name], self.device_game.put(rows))
        copied: NDArray[Any] = taken.copy_to_host()
        return copied

    # Copies to and from the GPU

    def _fetch(self) -> None:
        """Copy states and lanes to the processor, where methods of `Lanes` read and change them."""
        if "states" in self._there:
            self._look_at_ends()
            self._there["states"].copy_to_host(self._states)
            self._there["lanes"].copy_to_host(self._lanes)

    def _send(self) -> None:
        self._there |= {"states": self.device_game.put(self._states), "lanes": self.device_game.put(self._lanes)}

    # A step

    def _results(self) -> dict[str, DeviceArray]:
        """Return the arrays that a step makes."""
        return {name: self.__dict__[name] for name in ("masks", "_seen", *RESULTS) if name in self.__dict__}

    def _turn_over(self) -> None:
        game = self.device_game
        sizes = self.game.num_actions, self.game.observation_size
        self._shown = tuple(game.rows_for(self.num_envs, size) for size in sizes)
        self.masks, self._seen = game.masks(self._shown[0]), game.observations(self._shown[1])
        for name, dtype in RESULTS.items():
            self.__dict__[name] = game.empty(self.num_envs, dtype)

    def _run(self, kernel: Any, *given: NDArray[Any]) -> None:
        """Deal the chosen lanes: `Lanes.reset` and `Lanes.restore` call it."""
        self._send()
        self._end_step(self._go_on("begin_deals", *map(self.device_game.put, given)))

    def _go_on(self, beginning: str, given: DeviceArray) -> NDArray[np.int64]:
        """Begin a step in every lane, let the opponents act, show the lanes, and return the marks of the step."""
        there, run = self._there, self.device_game.run
        rules, number = self.device_game.rules, self.num_envs
        marks, later = self._marks
        self._marks.reverse()
        held = rules, there["states"], there["lanes"]
        setup = self.device_game.blank, there["plan"], there["pool"]
        run(beginning, number, *held, given, there["finals"], (marks, later), there["listed"], *setup)
        networks = () if self._plain else (there["weights"], there["shapes"])
        loop = "run_listed_plainly" if self._plain else "run_listed"
        for share in enumerate(self._shares):
            run(loop, number, *held, there["finals"], marks, there["listed"], *setup, share, *networks)
        masks, observations = self._shown
        results = tuple(self.__dict__[name] for name in RESULTS)
        form = self.game.observation_size, int(Legal.MASKS)
        shown_rows = masks, masks, observations
        run("show_lanes", number, *held, *shown_rows, results, there["finals"], there["plan"], marks, form)
        self._seen_ends = False
        self.device_game.check_errors()
        copied: NDArray[np.int64] = marks.copy_to_host()
        return copied

    def _end_step(self, marks: NDArray[np.int64]) -> None:
        """Raise what went wrong in a step, and complete its results."""
        self.observations = self._seen
        self._tally["stuck"] = marks[Mark.STUCK]
        self._number_cut = int(marks[Mark.CUT])
        if marks[Mark.STUCK]:
            self._fetch()
            self._check_asked()
        if self._on_illegal != "raise" or marks[Mark.UNCLEAR]:
            self._look_at_ends()
        if marks[Mark.UNCLEAR]:
            self.rewards = self.device_game.put(self._computed)
        self._dealt = True

    def _note_ends(self) -> None:
        """Do nothing: a step computes the results on the GPU, and the rest when somebody asks for it."""

    def _answer(self, actions: DeviceArray) -> DeviceArray:
        """Return the actions, with illegal ones replaced as `on_illegal` says."""
        if self._on_illegal == "raise":
            return actions
        game = self.device_game
        answered, illegal = game.empty(self.num_envs, np.int64), game.empty(self.num_envs, np.int8)
        answered.copy_to_device(actions)
        redraw = game.put(np.array([self._on_illegal == "random_legal"], np.int64))
        there = self._there["states"], self._there["lanes"]
        game.run("answer_illegal", self.num_envs, game.rules, *there, answered, redraw, illegal)
        self.illegal = illegal.copy_to_host()
        if self.illegal.any():
            self._asked = actions.copy_to_host()
        return answered
