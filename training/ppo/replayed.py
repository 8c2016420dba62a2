"""Functions on a GPU that are recorded once, as a CUDA graph, and replayed with one launch."""

from collections.abc import Callable
from typing import Generic, TypeVar

import torch

T = TypeVar("T")
WARM_CALLS = 3  # calls before the recording: libraries then have their work space, and an optimizer its state


class Replayed(Generic[T]):
    """A function that is recorded after some calls, and replayed from then on.

    It takes no arguments. It reads and writes the same tensors in each call, and never waits for the device. Every
    replay writes the same result, so a caller copies what it keeps.

    Args:
        function: The function.
        recorded: False calls it each time.
    """

    def __init__(self, function: Callable[[], T], recorded: bool) -> None:
        self._function, self._recorded = function, recorded
        self._calls = 0
        self._graph: torch.cuda.CUDAGraph | None = None
        self._result: T

    def __call__(self) -> T:
        """Return the result of the function."""
        if not self._recorded or self._calls < WARM_CALLS:
            self._calls += 1
            return self._function()
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):  # runs nothing
                self._result = self._function()
        self._graph.replay()
        return self._result
