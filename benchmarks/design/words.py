"""Numbers of the report as text."""

from collections.abc import Mapping
from typing import Any


def amount(value: float | None, places: int = 1, signed: bool = False) -> str:
    """Return a number as text; "not known" for None.

    Args:
        value: The number.
        places: Digits after the point.
        signed: True writes a plus sign too.
    """
    if value is None:
        return "not known"
    written = f"{value:{'+' if signed else ''},.{places}f}"
    return written.replace("-", "", 1) if float(written.replace(",", "")) == 0 and written[0] == "-" else written


def with_interval(row: Mapping[str, Any], places: int = 1, signed: bool | None = None) -> str:
    """Return an estimate with its 95 % interval, such as "+6.1 [+5.9, +6.3]".

    Args:
        row: Mapping with `value`, `low`, `high` and `unit`.
        places: Digits after the point.
        signed: True writes plus signs; None writes them for points.
    """
    plus = row.get("unit") == "points" if signed is None else signed
    value = amount(row["value"], places, plus)
    ends = [None if row[key] is None else amount(row[key], places, plus) for key in ("low", "high")]
    if ends == [None, None]:
        return value
    if ends[0] is None:
        return f"at most {ends[1]}"
    return f"at least {ends[0]}" if ends[1] is None else f"{value} [{ends[0]}, {ends[1]}]"


def corrected_chance(q: float) -> str:
    """Return a corrected p-value as text; "" for NaN."""
    return "" if q != q else "<0.001" if q < 0.001 else f"{q:.3f}"
