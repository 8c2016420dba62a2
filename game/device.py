"""`DeviceGame`: a game whose states lie on a GPU, for batches of thousands; `stardeck.make(..., device="cuda")`.

Its arrays are those of numba-cuda, with `__cuda_array_interface__`: `torch.as_tensor(masks)` shares their memory.
Arguments may be arrays of PyTorch or CuPy; NumPy arrays and lists are copied to the GPU.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from stardeck.game.agent import AgentLike
from stardeck.game.game import Game, Number
from stardeck.game.playout import by_seat
from stardeck.game.resolve import agent_table_of
from stardeck.kernels.contract.variant import States
from stardeck.kernels.errors import IllegalAction, is_whole, shown, whole_number, whole_numbers
from stardeck.kernels.loops import playouts

DeviceArray = Any  # of numba-cuda, or any array with `__cuda_array_interface__`


class DeviceGame:
    """`Game` with states on the GPU: the same seeds and actions give the same bytes.

    `game` is the `Game` of the same variant, with all methods for single states: words, positions, outcomes. `to_host`
    and `to_device` copy states. Only `to_host`, `apply` with `check`, `deal_over` and `counts` wait for the GPU. States
    of another variant of the same game are not detected. Attributes are those of `Game`. `torch_device` is the device
    on which torch finds the arrays, and `shared(array)` is an array as torch takes it.
    """

    def __init__(self, game: Game) -> None:
        """Copy the tables of a game to the GPU.

        Raises:
            RuntimeError: There is no GPU, or numba-cuda is not installed.
        """
        from stardeck.kernels.cuda import compiler, loops

        compiler.check_device()
        self._cuda, self._loops = compiler.cuda, loops
        self._on_gpu, self._taken, self._launch = compiler.on_gpu, compiler.taken, compiler.launch
        self.shared = compiler.shared
        self.torch_device = "cpu" if compiler.SIMULATED else "cuda"  # where torch finds its arrays
        self.game = game
        self.variant, self.id, self.settings, self.players = game.variant, game.id, game.settings, game.players
        self.num_actions, self.observation_size, self.state_dtype = (
            game.num_actions, game.observation_size, game.state_dtype,
        )  # fmt: skip
        self.rules = self.put(game.rules)
        self._blank = self.put(np.zeros(1, self.state_dtype))

    def __repr__(self) -> str:
        return f'stardeck.DeviceGame({self.id!r}, device="cuda")'

    # Playing: see the methods of the same names of Game

    def deal(self, seeds: Any) -> DeviceArray:
        """Deal new games on the GPU: states[n].

        Args:
            seeds: One whole number (one game), or uint64[n].
        """
        seeds = self.seeds(seeds)
        states = self.empty(len(seeds), self.state_dtype)
        self.run("deal_all", len(states), self.rules, states, self._blank, seeds)
        return states

    def legal_actions(self, states: DeviceArray) -> DeviceArray:
        """Return masks of the seats to act: int8[n, num_actions], 1 where legal; all 0 when a game is over."""
        masks = self.empty((len(self._states(states)), self.num_actions), np.int8)
        self.run("mask_all", len(states), self.rules, states, masks)
        return masks

    def to_act(self, states: DeviceArray) -> DeviceArray:
        """Return the seat that decides now in each game: int64[n], -1 when it is over."""
        seats = self.empty(len(self._states(states)), np.int64)
        self.run("seats_all", len(states), states, seats)
        return seats

    def observe(self, states: DeviceArray, seats: Any = None) -> DeviceArray:
        """Return everything that a seat may know: uint8[n, observation_size].

        Args:
            states: The games.
            seats: One seat, int64[n], or None: the seat to act. Seats on the GPU are not checked. In a game that is
                over, None stands for seat 0.
        """
        observations = self.empty((len(self._states(states)), self.observation_size), np.uint8)
        if seats is None:
            self.run("lookers_all", len(states), states, seats := self.empty(len(states), np.int64))
        else:
            seats = self._seats(seats, len(states))
        self.run("observe_all", len(states), self.rules, states, seats, observations)
        return observations

    def apply(self, states: DeviceArray, actions: Any, skip_finished: bool = False, check: bool = True) -> None:
        """Apply one action to each game, in place.

        Args:
            states: The games.
            actions: int64[n], one for each game.
            skip_finished: Leave games that are over unchanged, whatever their action.
            check: Check that all actions are legal, which waits for the GPU. Without it, an illegal action leaves a
                meaningless state.

        Raises:
            IllegalAction: An action is not legal. The message names the first such row; no row has changed.
        """
        actions = self.rows(actions, "actions", np.int64, len(self._states(states)))
        if check:
            self._check(states, actions, skip_finished)
        self.run("apply_all", len(states), self.rules, states, actions)

    def show_and_pick(self, states: DeviceArray, seeds: Any) -> tuple[DeviceArray, DeviceArray, DeviceArray]:
        """Return masks and observations of the seats to act, and a random legal action for each.

        In a game that is over, the mask is all 0, the action is -1, and the observation has no meaning.

        Args:
            states: The games.
            seeds: As in `deal`.

        Returns:
            Masks, observations, and uniformly drawn actions (int64[n]).
        """
        masks = self.empty((len(self._states(states)), self.num_actions), np.int8)
        observations = self.empty((len(states), self.observation_size), np.uint8)
        actions = self.empty(len(states), np.int64)
        given = masks, observations, self.seeds(seeds, len(states)), actions
        self.run("show_and_pick_all", len(states), self.rules, states, *given)
        return masks, observations, actions

    def deal_over(self, states: DeviceArray, seeds: Any) -> int:
        """Deal a new game into every row that is over, and return their number.

        Args:
            states: The games.
            seeds: As in `deal`, one for every row.
        """
        dealt = self.put(np.zeros(1, np.int64))
        seeds = self.seeds(seeds, len(self._states(states)))
        self.run("deal_over", len(states), self.rules, states, self._blank, seeds, dealt)
        return int(dealt.copy_to_host()[0])

    def counts(self, states: DeviceArray) -> tuple[int, int]:
        """Return the number of games that are over, and the number of decisions in all games."""
        counts = self.put(np.zeros(2, np.int64))
        self.run("count_all", len(self._states(states)), states, counts)
        over, decisions = counts.copy_to_host()
        return int(over), int(decisions)

    def resample_hidden(self, states: DeviceArray, seats: Any, seeds: Any) -> DeviceArray:
        """Return copies in which everything that a seat cannot know is drawn again.

        Args:
            states: The games.
            seats: One seat, or int64[n].
            seeds: As in `deal`.
        """
        copies = self.copy(states)
        seats, seeds = self._seats(seats, len(states)), self.seeds(seeds, len(states))
        self.run("resample_all", len(states), self.rules, copies, seats, seeds)
        return copies

    def playout(self, states: DeviceArray, agents: AgentLike | Sequence[AgentLike], seed: Number) -> DeviceArray:
        """Return copies of the games, played to their end by compiled agents. See `Game.playout`.

        Args:
            states: The games.
            agents: One agent for all seats, or one for each seat.
            seed: The seed of the agents' randomness; every row has its own stream.

        Raises:
            ValueError: An agent is not compiled.
        """
        chosen = by_seat(self.game, agents)
        if (table := agent_table_of(chosen)) is None:
            raise ValueError(f"agents={shown(agents)}: on the GPU all must be compiled: rules, simple, a network ...")
        ended = self.copy(states)
        first = self.game.seeds(whole_number(seed, "seed"))
        series = np.empty(len(states), np.uint64)
        playouts.seed_blocks(first[0], np.arange(len(states)), series)
        kinds = np.tile(table.kinds, (len(states), 1))
        given = [
            self.put(each) for each in (kinds, at_least_one_row(table.weights), at_least_one_row(table.shapes), first)
        ]
        agent = self.empty(len(states), playouts.AGENT)
        notes = [self.put(np.zeros((len(states), 1), kind)) for kind in (np.uint16, np.uint8)]
        self.run(
            "play_out", len(states),
            self.rules, ended, agent, *given, self.put(series), *notes,
        )  # fmt: skip
        return ended

    def copy(self, states: DeviceArray) -> DeviceArray:
        """Return a copy of the games that shares no memory with them."""
        copies = self.empty(len(self._states(states)), self.state_dtype)
        self.run("copy_states", len(states), copies, states)
        return copies

    # Transfers

    def to_host(self, states: DeviceArray) -> States:
        """Copy the games to NumPy, as `game` takes them."""
        copied: States = self._states(states).copy_to_host()
        return copied

    def to_device(self, states: States) -> DeviceArray:
        """Copy games of `game` to the GPU."""
        return self.put(self.game.copy(states))

    def put(self, array: np.ndarray) -> DeviceArray:
        """Copy any array to the GPU."""
        return self._cuda.to_device(array)

    def empty(self, shape: int | tuple[int, int], dtype: Any) -> DeviceArray:
        """Return an array on the GPU without setting its contents."""
        return self._cuda.device_array(shape, dtype)

    def run(self, loop: str, count: int, *arrays: Any) -> None:
        """Run a loop of kernels/cuda/loops.py, by its name.

        Args:
            loop: The name of the loop.
            count: The number of rows.
            *arrays: The arguments of the loop.
        """
        self._launch(getattr(self._loops, loop), count, arrays)

    # Checks

    def _states(self, states: DeviceArray) -> DeviceArray:
        if not self._on_gpu(states) or states.dtype != self.state_dtype or states.ndim != 1:
            raise TypeError(f"states must be a 1-d array of {self.id} states on the GPU, as DeviceGame.deal gives them")
        return states

    def _check(self, states: DeviceArray, actions: DeviceArray, skip_finished: bool) -> None:
        skip, found = np.array([bool(skip_finished)], np.int64), self.put(np.array([len(states)]))
        given = self.rules, states, actions, self.put(skip), found
        self.run("first_illegal", len(states), *given)
        if (row := int(found.copy_to_host()[0])) < len(states):
            here, action = self.put(np.zeros(1, self.state_dtype)), actions.copy_to_host()[row]
            self.run("copy_states", 1, here, states[row : row + 1])
            try:
                self.game.check_actions(here.copy_to_host(), [int(action)])
            except IllegalAction as error:
                raise IllegalAction(str(error).replace("row 0", f"row {row}", 1)) from None

    def rows(self, values: Any, name: str, dtype: Any, length: int | None = None) -> DeviceArray:
        """Return an array of whole numbers on the GPU; values that are not there yet are copied.

        Args:
            values: The numbers.
            name: Their name, for errors.
            dtype: The dtype that they must have.
            length: The length that they must have; None: any.

        Raises:
            ValueError: The dtype, the shape or a number is wrong.
        """
        if self._on_gpu(values):
            array = self._taken(values)
        else:
            host = whole_numbers(values, name, length, "state") if length is not None and dtype == np.int64 else values
            array = self.put(np.ascontiguousarray(host, dtype))
        if array.dtype != dtype or array.ndim != 1 or length not in (None, len(array)):
            wanted = f"{np.dtype(dtype)}[{'n' if length is None else length}]"
            raise ValueError(f"{name}: {array.dtype}{list(array.shape)}: must be {wanted}")
        return array

    def _seats(self, seats: Any, length: int) -> DeviceArray:
        if not self._on_gpu(seats):
            seats = np.full(length, int(seats)) if is_whole(seats) else whole_numbers(seats, "seats", length, "state")
            if len(seats) and not (0 <= seats.min() and seats.max() < self.players):
                raise ValueError(f"seats: {shown(seats)}: must be from 0 to {self.players - 1}")
        return self.rows(seats, "seats", np.int64, length)

    def seeds(self, seeds: Any, length: int | None = None) -> DeviceArray:
        """Return seeds on the GPU: uint64[n]. See `Game.seeds`."""
        if not self._on_gpu(seeds):
            seeds = self.game.seeds(seeds, length)
        return self.rows(seeds, "seeds", np.uint64, length)


def at_least_one_row(table: np.ndarray) -> np.ndarray:
    """Return a table with at least one row, because the GPU takes no empty arrays."""
    return table if table.size else np.zeros((1, max(table.shape[1], 1)), table.dtype)


def on_device(game: Game, device: str) -> DeviceGame:
    """Return the game on a device other than the CPU.

    Args:
        game: The game on the CPU.
        device: "cuda".

    Raises:
        ValueError: There is no such device.
    """
    if device != "cuda":
        raise ValueError(f"device={shown(device)}: must be cpu or cuda")
    return DeviceGame(game)
