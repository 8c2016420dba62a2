"""PyArrow, which holds results: all that measures imports it from here, where the extra `measure` is asked for."""

from stardeck.benchmarks.optional_dependencies import require

require("measure")

import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

__all__ = ["pa", "pq"]
