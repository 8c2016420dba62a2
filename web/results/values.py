"""What pages of results are made of: values that pydantic checks, tables, marks of figures, numbers as text."""

from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, Field

from stardeck.kernels.errors import cut

LARGEST = 10**12
Text = Annotated[str, Field(max_length=10_000)]
Count = Annotated[int, Field(ge=0, le=LARGEST)]
Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Table = tuple[str, list[str], list[list[Any]]]  # title, columns, rows


class View(NamedTuple):
    """The page of one folder: its tables, and the games it can show."""

    tables: list[Table]
    games: bool = False  # games.parquet is in the same folder
    matches: tuple[str, ...] = ()  # in a league, as `rules vs simple`
    charts: tuple[dict[str, Any], ...] = ()  # data of web/static/result.js
    links: dict[int, list[dict[str, str]]] = {}  # by number of a table: which game each row shows


class Rate(BaseModel):
    """A win rate with its 95 % interval; None if no game was played."""

    win_rate: Share | None
    low: Share | None
    high: Share | None

    @property
    def words(self) -> str:
        """The rate in per cent."""
        return interval(self.win_rate, self.low, self.high, "{:.2f}", " %", 100)


class Interval(BaseModel):
    """Ends of an interval; None where it is open."""

    low: Number | None
    high: Number | None


def mark(name: str, rate: Rate, of: str | None = None) -> dict[str, Any]:
    """Return a mark of a figure: a rate with its interval in per cent, and the games that it shows."""
    scaled = {key: None if value is None else 100 * value for key, value in (
        ("value", rate.win_rate), ("low", rate.low), ("high", rate.high))}  # fmt: skip
    return {"name": cut(name, 100), **scaled} | ({"of": of} if of else {})


def interval(
    value: float | None, low: float | None, high: float | None, form: str, unit: str = "", scale: float = 1
) -> str:
    """Return a value with its interval as text. form: of str.format; an end that is None is open."""
    if value is None:
        return "not known"
    ends = [None if end is None else form.format(scale * end) for end in (low, high)]
    text = f"{form.format(scale * value)}{unit}"
    if ends == [None, None] or low == value == high:  # the interval is unknown, or this row is the reference
        return text
    if ends[0] is None:
        return f"at most {ends[1]}{unit}"
    return f"at least {ends[0]}{unit}" if ends[1] is None else f"{text} [{ends[0]}, {ends[1]}]"


def per_cent(share: float | None) -> str:
    """Return a share from 0 to 1 in per cent."""
    return "not known" if share is None else f"{100 * share:.2f} %"
