"""`DeviceGame`: a game whose states lie on a GPU, for batches of thousands; `stardeck.make(..., device="cuda")`.

Its arrays are those of numba-cuda, with `__cuda_array_interface__`: `torch.as_tensor(masks)` shares their memory.
Arguments may be arrays of PyTorch or CuPy; NumPy arrays and lists are copied to the GPU.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent import AgentLike
from stardeck.game.agent_table import AgentTable
from stardeck.game.game import Game, Number, count_of
from stardeck.game.playout import by_seat
from stardeck.game.resolve import agent_table_of
from stardeck.kernels.contract.variant import States
from stardeck.kernels.cuda.codes import Legal
from stardeck.kernels.errors import IllegalAction, is_whole, shown, whole_number, whole_numbers
from stardeck.kernels.loops import playouts

DeviceArray = Any  # of numba-cuda, or any array with `__cuda_array_interface__`


class DeviceGame:
    """`Game` with states on the GPU: the same seeds and actions give the same bytes.

    `game` is the `Game` of the same variant, with all methods for single states: words, positions, outcomes. `to_host`
    and `to_device` copy states. Only `to_host`, `apply` with `check`, `deal_over`, `play_random` and `counts` wait for
    the GPU. They also raise what went wrong there before, as a RuntimeError that names the row. States of another
    variant of the same game are not detected. Attributes are those of `Game`. `torch_device` is the device on which
    torch finds the arrays, and `shared(array)` is an array as torch takes it.

    Rows of masks and observations are padded to 16 bytes, so arrays of them are views with strides.
    """

    def __init__(self, game: Game) -> None:
        """Copy the tables of a game to the GPU.

        Raises:
            RuntimeError: There is no GPU, or numba-cuda is not installed.
        """
        from stardeck.kernels.cuda import compiler, loops, row_loops

        compiler.check_device()
        self._cuda = compiler.cuda
        writers = row_loops.row_loops(row_loops.size_of(game.observation_size))
        self._loops = {**vars(loops), "legal_all": row_loops.legal_all, **vars(writers)}
        self._on_gpu, self._taken, self._launch = compiler.on_gpu, compiler.taken, compiler.launch
        self._words, self._rows_of, self.check_errors = compiler.as_words, compiler.rows_of, compiler.check_errors
        self.shared = compiler.shared
        self.torch_device = "cpu" if compiler.SIMULATED else "cuda"  # where torch finds its arrays
        self.game = game
        self.variant, self.id, self.settings, self.players = game.variant, game.id, game.settings, game.players
        self.num_actions, self.observation_size, self.state_dtype = (
            game.num_actions, game.observation_size, game.state_dtype,
        )  # fmt: skip
        self.rules = self.put(game.rules)
        self.blank = self.put(np.zeros(1, self.state_dtype))
        self._none = self.empty((1, 4), np.uint32)  # for rows that a loop does not write

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
        self.run("deal_all", len(states), self.rules, states, self.blank, seeds)
        return states

    def legal_actions(self, states: DeviceArray) -> DeviceArray:
        """Return masks of the seats to act: int8[n, num_actions], 1 where legal; all 0 when a game is over."""
        masks = self.rows_for(len(self._states(states)), self.num_actions)
        self.run("legal_all", len(states), self.rules, states, masks, self._none, int(Legal.MASKS))
        return self.masks(masks)

    def legal_sets(self, states: DeviceArray) -> DeviceArray:
        """Return the legal actions of the seats to act as bits: action a is bit a % 32 of word a // 32.

        It is an eighth of the masks: uint32[n, words], where `words` is a multiple of 4 with room for all actions.
        """
        sets = self.rows_for(len(self._states(states)), 8 * self.game.words)
        self.run("legal_all", len(states), self.rules, states, self._none, sets, int(Legal.SETS))
        return sets

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
        observations = self.rows_for(len(self._states(states)), self.observation_size)
        seats = self._lookers(states, seats)
        self.run("observe_all", len(states), self.rules, states, seats, observations, self.observation_size)
        return self.observations(observations)

    def observe_hidden(self, states: DeviceArray, seats: Any = None) -> DeviceArray:
        """Return what a seat cannot know: uint8[n, hidden_size]. See `Game.observe_hidden`.

        Args:
            states: The games.
            seats: As in `observe`.
        """
        seats = self._lookers(states, seats)
        hidden = self.empty((len(states), self.game.hidden_size), np.uint8)
        self.run("observe_hidden_all", len(states), self.rules, states, seats, hidden)
        return hidden

    def _lookers(self, states: DeviceArray, seats: Any) -> DeviceArray:
        """Return the seat that looks at each game: int64[n]."""
        count = len(self._states(states))
        if seats is not None:
            return self._seats(seats, count)
        lookers = self.empty(count, np.int64)
        self.run("lookers_all", count, states, lookers)
        return lookers

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

        In a game that is over, the mask and the observation are all 0, and the action is -1.

        Args:
            states: The games.
            seeds: As in `deal`.

        Returns:
            Masks, observations, and uniformly drawn actions (int64[n]).
        """
        return self._step(states, None, seeds)

    def step(
        self, states: DeviceArray, actions: Any, seeds: Any, number: int | None = None, sets: bool = False
    ) -> tuple[DeviceArray, DeviceArray, DeviceArray]:
        """Apply one action to each game, deal a new game where one is over, and show all games: in one launch.

        It does what `apply` without a check, `deal_over` and `show_and_pick` do, with the same seeds for both.

        Args:
            states: The games, changed in place.
            actions: int64[n]. An illegal action leaves a meaningless state.
            seeds: As in `deal`, one for every row.
            number: Number of the step, from 0. Then the same seeds serve every step: deals and actions depend on the
                seed and the number, as in `play_random`.
            sets: True returns legal actions as `legal_sets` does, not as masks.

        Returns:
            Masks or sets, observations, and uniformly drawn legal actions (int64[n]).
        """
        return self._step(states, actions, seeds, -1 if number is None else count_of(number, "number"), sets)

    def _step(
        self, states: DeviceArray, actions: Any, seeds: Any, number: int = -1, sets: bool = False
    ) -> tuple[DeviceArray, ...]:
        count = len(self._states(states))
        form, width = (Legal.SETS, 8 * self.game.words) if sets else (Legal.MASKS, self.num_actions)
        legal = self.rows_for(count, width)
        observations = self.rows_for(count, self.observation_size)
        drawn, seeds = self.empty(count, np.int64), self.seeds(seeds, count)
        chosen = drawn if actions is None else self.rows(actions, "actions", np.int64, count)
        written = (self._none, legal) if sets else (legal, self._none)
        plan = self.observation_size, int(form), int(actions is not None), number
        self.run("step_all", count, self.rules, states, self.blank, chosen, seeds, *written, observations, drawn, plan)
        return legal if sets else self.masks(legal), self.observations(observations), drawn

    def play_random(self, states: DeviceArray, seeds: Any, decisions: int, first: int = 0) -> int:
        """Take random legal actions in each game, and deal a new game whenever one is over: in one launch.

        Decision k of a row depends on its seed and k alone, so that two calls may share the work of one.

        Args:
            states: The games, changed in place.
            seeds: uint64[n].
            decisions: Number of decisions in each row.
            first: Number of decisions that earlier calls have taken.

        Returns:
            The number of games dealt.
        """
        dealt = self.put(np.zeros(1, np.int64))
        seeds = self.seeds(seeds, len(self._states(states)))
        share = count_of(first, "first"), count_of(decisions, "decisions")
        self.run("play_random", len(states), self.rules, states, self.blank, seeds, dealt, share)
        self.check_errors()
        return int(dealt.copy_to_host()[0])

    def deal_over(self, states: DeviceArray, seeds: Any) -> int:
        """Deal a new game into every row that is over, and return their number.

        Args:
            states: The games.
            seeds: As in `deal`, one for every row.
        """
        dealt = self.put(np.zeros(1, np.int64))
        seeds = self.seeds(seeds, len(self._states(states)))
        self.run("deal_over", len(states), self.rules, states, self.blank, seeds, dealt)
        self.check_errors()
        return int(dealt.copy_to_host()[0])

    def counts(self, states: DeviceArray) -> tuple[int, int]:
        """Return the number of games that are over, and the number of decisions in all games."""
        counts = self.put(np.zeros(2, np.int64))
        self.run("count_all", len(self._states(states)), states, counts)
        self.check_errors()
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
        self.play_out(ended, table, kinds, first, series)
        return ended

    def play_out(
        self, states: DeviceArray, table: AgentTable, kinds: NDArray[np.int64], seed: NDArray[np.uint64], series: Any,
        longest: int = 1,
    ) -> tuple[DeviceArray, DeviceArray]:  # fmt: skip
        """Play games to their end in place, with compiled agents of a line-up for each game.

        Args:
            states: The games.
            table: The agents.
            kinds: int64[n, players], agents of each seat as `table.kinds` numbers them.
            seed: uint64[1], the seed of the agents' randomness.
            series: uint64[n], the seed of each game, from which its agents' randomness comes.
            longest: The number of decisions of each game to record, at least 1.

        Returns:
            The recorded actions uint16[n, longest], and their seats uint8[n, longest]; no meaning after a game's end.
        """
        notes = self.empty((len(states), longest), np.uint16), self.empty((len(states), longest), np.uint8)
        given = self.rules, states, self.put(kinds), self.put(seed), self.seeds(series, len(states)), *notes
        if len(table.weights):
            self.run("play_out", len(states), *given, self.put(table.weights), self.put(table.shapes))
        else:
            self.run("play_out_plainly", len(states), *given)
        return notes

    def copy(self, states: DeviceArray) -> DeviceArray:
        """Return a copy of the games that shares no memory with them."""
        copies = self.empty(len(self._states(states)), self.state_dtype)
        if not states.is_c_contiguous():
            self.run("take_rows", len(states), copies, states, self.put(np.arange(len(states))))
        elif len(states):
            words = self._words(copies)
            self.run("copy_words", len(words), words, self._words(states))
        return copies

    # Transfers

    def to_host(self, states: DeviceArray) -> States:
        """Copy the games to NumPy, as `game` takes them."""
        copied: States = self._states(states).copy_to_host()
        self.check_errors()
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

    def rows_for(self, count: int, size: int) -> DeviceArray:
        """Return rows of `size` bytes on the GPU, padded, without setting their contents: uint32[count, width]."""
        rows = self.empty((max(count, 1), -(-size // 16) * 4), np.uint32)
        return rows if count else rows[:0]

    def masks(self, rows: DeviceArray) -> DeviceArray:
        """Return padded rows as masks: int8[n, num_actions], a view."""
        return self._rows_of(rows, self.num_actions, np.int8)

    def observations(self, rows: DeviceArray) -> DeviceArray:
        """Return padded rows as observations: uint8[n, observation_size], a view."""
        return self._rows_of(rows, self.observation_size, np.uint8)

    def run(self, loop: str, count: int, *arrays: Any) -> None:
        """Run a loop of kernels/cuda/loops.py or row_loops.py, by its name.

        Args:
            loop: The name of the loop.
            count: The number of rows.
            *arrays: The arguments of the loop.
        """
        self._launch(self._loops[loop], count, arrays)

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
            action = actions.copy_to_host()[row]
            try:
                self.game.check_actions(self.copy(states[row : row + 1]).copy_to_host(), [int(action)])
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
