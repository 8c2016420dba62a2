"""PyArrow, which stores results. Measurements import it from here, which checks for the extra `measure`."""

from stardeck.benchmarks.optional_dependencies import require

require("measure")

import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

__all__ = ["pa", "pq"]
