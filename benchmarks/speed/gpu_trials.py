"""GPU loops that gpu_report.py tries, and nothing else uses. Only imported if numba-cuda is installed."""

from typing import Any

from stardeck.kernels.cuda.compiler import cuda, launched, seen
from stardeck.kernels.loops import batch


@launched
def apply_in_order(count: int, arrays: tuple[Any, ...]) -> None:
    """Apply actions, row by row of an order. arrays: rules, states, actions, int64[n] (a permutation of the rows)."""
    i: Any = cuda.grid(1)  # type: ignore[call-arg]
    if i < count:
        rules, states, actions, rows = seen(arrays)
        row = rows[i]
        batch.apply_all(rules, states[row : row + 1], actions[row : row + 1])
