"""A stopwatch for work on a device, which does not wait for the device at every start and stop."""

import time
from typing import Any

import torch


class Stopwatch:
    """Sum of the times between `start` and `stop`, on the clock of a device: `with watch: ...`.

    On a GPU, events mark the times in the queue of work; only `seconds` waits for them. On the processor, work is done
    when a call returns, so its own clock is enough.
    """

    def __init__(self, device: torch.device) -> None:
        self._on_gpu = device.type == "cuda"
        self._pairs: list[tuple[Any, Any]] = []  # made once, and used again after each `seconds`
        self._used = 0
        self._total = 0.0

    def __enter__(self) -> None:
        if not self._on_gpu:
            self._began = time.perf_counter()
            return
        if self._used == len(self._pairs):
            self._pairs.append((torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)))
        self._pairs[self._used][0].record()

    def __exit__(self, *error: object) -> None:
        if not self._on_gpu:
            self._total += time.perf_counter() - self._began
            return
        self._pairs[self._used][1].record()
        self._used += 1

    def seconds(self) -> float:
        """Return the sum, and begin again at 0. On a GPU it waits once, for the last event."""
        if self._used:
            used, self._used = self._pairs[: self._used], 0
            used[-1][1].synchronize()
            self._total = sum(began.elapsed_time(ended) for began, ended in used) / 1000
        total, self._total = self._total, 0.0
        return total
