"""Games of a series on a GPU: tens of thousands in one launch, each with the result that the CPU gives.

A process uses one GPU, the first that CUDA_VISIBLE_DEVICES lists. Its threads take turns there: while one waits for the
GPU, the others count and store the games that have ended.
"""

import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stardeck.game.agent_table import AgentTable, is_compiled
from stardeck.game.device import DeviceGame
from stardeck.game.game import Game
from stardeck.kernels.contract.variant import States
from stardeck.kernels.errors import shown
from stardeck.kernels.loops.playouts import Moves

DEVICES = ("cpu", "cuda")
LAUNCH = 1 << 17  # games of a launch: more than a large GPU plays at once, so a long game delays few others
ROOM = 256  # recorded decisions of each game for which there is room at first
MOST_FIT = 0.95  # fraction of the games that should fit into the room of the next launch
_TURN = threading.Lock()


class DeviceResult(NamedTuple):
    """Games that have ended, and their decisions, game after game."""

    states: States
    actions: NDArray[np.uint16]
    seats: NDArray[np.uint8]


def check_device(device: str, agents: Iterable[Any], record_events: bool = False) -> None:
    """Check that a device can play games of these agents.

    Args:
        device: "cpu" or "cuda".
        agents: The agents.
        record_events: True if events are to be recorded.

    Raises:
        ValueError: There is no such device, or it cannot play these games.
    """
    if device not in DEVICES:
        raise ValueError(f"device={shown(device)}: must be {' or '.join(DEVICES)}")
    if device == "cpu":
        return
    others = [agent.name for agent in agents if not is_compiled(agent)]
    if others:
        raise ValueError(f"agents={shown(others)}: on the GPU all must be compiled: rules, simple, a network ...")
    if record_events:
        raise ValueError(f"device={device!r}: records no events; collect moves or cards, or use device='cpu'")


def require_gpu(device: str, away: bool = False) -> None:
    """Check that this machine has a GPU, if games are to be played on one.

    Args:
        device: "cpu" or "cuda".
        away: True if other machines play the games.

    Raises:
        ValueError: There is no GPU, or numba-cuda is not installed.
    """
    if device == "cpu" or away:
        return
    try:
        from stardeck.kernels.cuda import compiler

        compiler.check_device()
    except RuntimeError as error:
        raise ValueError(str(error)) from error


class DevicePlayer:
    """A player of the games of a series on the GPU of this process.

    Args:
        game: Game of the series.
        agents: Its agents.
        seed: Its seed.

    Raises:
        ValueError: There is no GPU, or numba-cuda is not installed.
    """

    def __init__(self, game: Game, agents: AgentTable, seed: np.uint64) -> None:
        require_gpu("cuda")
        with _TURN:
            self._gpu = DeviceGame(game)
        self._game, self._agents, self._seed = game, agents, seed
        self._room = ROOM

    def play(self, seeds: NDArray[np.uint64], seated: NDArray[np.int64], record_actions: bool) -> DeviceResult:
        """Deal games and play them to their end.

        Args:
            seeds: uint64[n], the deal seed of each game.
            seated: int64[n, seats], the number of the agent on each seat.
            record_actions: True records the decisions.
        """
        if record_actions:
            return self._play_recording(seeds, seated)
        states, _ = self._launch(seeds, seated, 0)
        return DeviceResult(states, np.empty(0, np.uint16), np.empty(0, np.uint8))

    def _play_recording(self, seeds, seated):
        """Play games and record them; games with more decisions than there was room for are played again."""
        room = self._room  # another thread may change it
        states, moves = self._launch(seeds, seated, room)
        decisions = states["decisions"].astype(np.int64)
        fits = decisions <= room
        recorded = [(fits, Moves(*(column[fits] for column in moves)))]
        if not fits.all():
            recorded.append((~fits, self._launch(seeds[~fits], seated[~fits], int(decisions.max()))[1]))
        self._room = max(ROOM, int(np.quantile(decisions, MOST_FIT)))
        joined = [np.empty(decisions.sum(), column.dtype) for column in moves]
        for rows, columns in recorded:
            places = np.repeat(rows, decisions)
            for whole, column in zip(joined, columns, strict=True):
                whole[places] = column[np.arange(column.shape[1]) < decisions[rows][:, None]]
        return DeviceResult(states, *joined)

    def _launch(self, seeds, seated, longest):
        """Deal games and play them to their end; return them, and their first `longest` decisions or more."""
        with _TURN:  # memory of the GPU is freed in here too, because numba-cuda keeps one list of it for all threads
            states, moves = self._on_gpu(seeds, self._agents.kinds[seated], longest)
        self._check_ended(states, seeds)
        return states, moves

    def _on_gpu(self, seeds, kinds, longest):
        gpu = self._gpu
        states = gpu.deal(seeds)
        moves = gpu.play_out(states, self._agents, kinds, np.array([self._seed], np.uint64), seeds, max(longest, 1))
        with suppress(RuntimeError):  # of the rules; the game whose thread it ended is not over
            gpu.check_errors()
        return gpu.to_host(states), Moves(*(column.copy_to_host() for column in moves))

    def _check_ended(self, states, seeds):
        """Check that all games are over: an error of the rules ends a thread."""
        unfinished = np.flatnonzero(~self._game.is_over(states))
        if len(unfinished):
            row = unfinished[0]
            raise RuntimeError(f"device='cuda': the game of deal seed {seeds[row]} stopped before its end")
