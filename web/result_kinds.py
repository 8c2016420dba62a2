"""Kinds of results: the test that recognises each, the values that its page reads, and the tables it shows.

Anyone may have written a summary file: pydantic checks every value before a page shows it.
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, Field, ValidationError

from stardeck.kernels.errors import cut, shown

MOST_ROWS = 1_000  # in one table
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


class Rate(BaseModel):
    """A win rate with its 95 % interval; None if no game was played."""

    win_rate: Share | None
    low: Share | None
    high: Share | None

    @property
    def told(self) -> str:
        """The rate in per cent."""
        return _interval(self.win_rate, self.low, self.high, "{:.2f}", " %", 100)


class Interval(BaseModel):
    """Ends of an interval; None where it is open."""

    low: Number | None
    high: Number | None


class AgentRate(Rate):
    """Win rate of an agent."""

    agent: Text
    games: Count


class SeatRate(Rate):
    """Win rate of a seat."""

    seat: Count


class AdvantagePoints(Interval):
    """Percentage points above the fair share."""

    points: Number | None


class ScenarioRow(BaseModel):
    """Results of a scenario of a campaign."""

    name: Text
    first: Rate
    seats: list[SeatRate]


class Advantage(BaseModel):
    """`summary.json` of `stardeck advantage`."""

    agents: list[AgentRate]
    seats: list[SeatRate]
    first_advantage: AdvantagePoints | None = None
    scenarios: list[ScenarioRow] = []

    def view(self) -> View:
        """Return the tables of agents, seats and scenarios."""
        tables: list[Table] = [
            ("agents", ["agent", "games", "wins"], [[row.agent, f"{row.games:,}", row.told] for row in self.agents]),
            ("seats", ["seat", "wins"], [[f"player_{row.seat}", row.told] for row in self.seats]),
        ]
        if self.first_advantage and self.first_advantage.points is not None:
            first = self.first_advantage
            tables.append(("the side that moves first", ["", ""], [["points above its fair share", _signed(first)]]))
        if self.scenarios:
            rows = [[row.name, row.first.told, *(seat.told for seat in row.seats)] for row in self.scenarios]
            seats = [f"player_{seat.seat} wins" for seat in self.scenarios[0].seats]
            tables.append(("scenarios", ["scenario", "who moved first wins", *seats], rows))
        return View(tables, games=True)


class LeagueRow(Interval):
    """An agent of a league."""

    agent: Text
    games: Count
    rating: Number | None
    win_rate: Share | None


class Match(BaseModel):
    """A match of a league."""

    agents: list[Text]
    games: Count
    score: Share
    low: Share | None
    high: Share | None


class League(BaseModel):
    """`league.json` of `stardeck league`."""

    agents: list[LeagueRow]
    cross_table: list[Match]

    def view(self) -> View:
        """Return the standings and the matches."""
        agents = [
            [row.agent, f"{row.games:,}", _interval(row.rating, row.low, row.high, "{:+.0f}"), _per_cent(row.win_rate)]
            for row in self.agents
        ]
        matches = [
            [" v ".join(row.agents), f"{row.games:,}", _interval(row.score, row.low, row.high, "{:.2f}", " %", 100)]
            for row in self.cross_table
        ]
        tables = [
            ("agents", ["agent", "games", "rating", "wins"], agents),
            ("matches", ["match", "games", "wins of the first"], matches),
        ]
        return View(tables, True, tuple(" vs ".join(row.agents) for row in self.cross_table))


class FairValue(Interval):
    """Value of a parameter at which the game is fair."""

    knob: Text
    value: Number


class PartRow(BaseModel):
    """Settings for a share of the games."""

    part: Share
    knobs: dict[str, Any]


class SideShare(AdvantagePoints):
    """Distance of a side from its fair share."""

    of: Text


class PlayedPoint(AdvantagePoints):
    """Games played at one point of the range."""

    knobs: dict[str, Any]
    games: Count


class FairSettings(BaseModel):
    """`summary.json` of `stardeck fair`."""

    knobs: list[Text]
    games: Count
    found: bool
    why: Text
    answer: list[FairValue]
    mixture: list[PartRow]
    shares: list[SideShare]
    seen: list[PlayedPoint]

    def view(self) -> View:
        """Return the answer, and the distance of each point from a fair game."""
        played = [["found" if self.found else f"not found: {self.why}", f"{self.games:,} games"]]
        answer = [[row.knob, _interval(row.value, row.low, row.high, "{:.2f}")] for row in self.answer]
        mixture = [[_knobs(row.knobs), _per_cent(row.part)] for row in self.mixture]
        shares = [[row.of, _signed(row)] for row in self.shares]
        seen = [[_knobs(row.knobs), f"{row.games:,}", _signed(row)] for row in self.seen]
        return View([
            ("the search for " + ", ".join(self.knobs), ["", ""], played),
            ("fair at", ["parameter", "value"], answer),
            ("as whole numbers", ["settings", "of the games"], mixture),
            ("at the answer", ["side", "points above its fair share"], shares),
            ("what was played", ["settings", "games", "points of the first side above its fair share"], seen),
        ])  # fmt: skip


class Estimate(Interval):
    """A value with its interval."""

    value: Number


class CardRow(BaseModel):
    """Card value in a stage of the game."""

    card: Text
    stage: Text
    trials: Count
    points: Estimate | None
    authority: Estimate | None = None
    q: Share


class CardValues(BaseModel):
    """`summary.json` of `stardeck worth`."""

    games: Count
    rather_than: Text
    cards: list[CardRow]

    def view(self) -> View:
        """Return a row for each card and stage, the highest value first."""
        ordered = sorted(self.cards, key=lambda row: row.points.value if row.points else -LARGEST, reverse=True)
        rows = [
            [row.card, row.stage, f"{row.trials:,}", _of(row.points, "{:+.2f}"), _of(row.authority, "{:+.1f}"),
             f"{row.q:.3f}"]
            for row in ordered
        ]  # fmt: skip
        columns = ["card", "stage", "trials", f"points, rather than {self.rather_than}", "in authority", "q"]
        few = "" if rows else ": too few to tell"
        return View([(f"card values, from {self.games:,} games{few}", columns, rows)])


class Evaluation(Rate):
    """A measurement during training."""

    decisions: Count
    seconds: Number


class Training(BaseModel):
    """`summary.json` of `stardeck train`."""

    opponent: Text
    evaluations: list[Evaluation]

    def view(self) -> View:
        """Return the learning curve as a table."""
        columns = ["decisions", "minutes", f"wins against {self.opponent}"]
        rows = [[f"{row.decisions:,}", f"{row.seconds / 60:.1f}", row.told] for row in self.evaluations]
        return View([("evaluations", columns, rows)])


class Response(Rate):
    """Win rate of a response."""

    response: Text
    games: Count


class Exploitability(Rate):
    """`summary.json` of `stardeck exploit`."""

    agent: Text
    responses: list[Response]
    best: Text
    games: Count
    fair_share: Number
    at_least: Number

    def view(self) -> View:
        """Return the win rate of the best response, and the candidate responses."""
        best = [
            ["best response", self.best],
            [f"wins against {self.agent}", self.told],
            ["games", f"{self.games:,}"],
            ["fair share", f"{self.fair_share:.2f} %"],
            ["exploitable by at least", f"{self.at_least:.2f} points"],
        ]
        rows = [[row.response, f"{row.games:,}", row.told] for row in self.responses]
        return View([("result", ["", ""], best), ("responses", ["response", "games", "wins"], rows)])


class AuxiliaryTraining(BaseModel):
    """Fields that `stardeck train-value` and `stardeck train-belief` share."""

    agent: Text
    games: Count
    positions: Count

    def rows(self) -> list[list[Any]]:
        """Return the training data in rows."""
        return [["agent", self.agent], ["games", f"{self.games:,}"], ["positions", f"{self.positions:,}"]]


class ValueTraining(AuxiliaryTraining):
    """`summary.json` of `stardeck train-value`."""

    explained: Number | None
    explained_before: Number | None

    def view(self) -> View:
        """Return the accuracy with which the value network predicts results."""
        told = ["variance of the results explained", "before"], [self.explained, self.explained_before]
        return View([("result", ["", ""], [*self.rows(), *([a, _per_cent(b)] for a, b in zip(*told, strict=True))])])


class BeliefTraining(AuxiliaryTraining):
    """`summary.json` of `stardeck train-belief`."""

    choice: Number | None
    choice_before: Number | None

    def view(self) -> View:
        """Return the number of cards among which the opponent-hand model is undecided."""
        told = [("kinds of cards it chooses among", self.choice), ("by chance", self.choice_before)]
        return View([("result", ["", ""], [*self.rows(), *([words, _plain(value)] for words, value in told)])])


KINDS: dict[str, tuple[Callable[[dict[str, Any]], bool], Any]] = {  # the first match counts
    "league": (lambda summary: "cross_table" in summary, League),
    "worth of cards": (lambda summary: "trials" in summary, CardValues),
    "fair settings": (lambda summary: "knobs" in summary, FairSettings),
    "exploitability": (lambda summary: "responses" in summary, Exploitability),
    "value network": (lambda summary: "explained" in summary and "positions" in summary, ValueTraining),
    "opponent-hand model": (lambda summary: "choice" in summary and "positions" in summary, BeliefTraining),
    "training": (lambda summary: "evaluations" in summary, Training),
    "first-player advantage": (lambda summary: "seats" in summary and "agents" in summary, Advantage),
}
UNKNOWN = "unknown kind"
UNREADABLE = "cannot be read"
REPORT = "report"
PICTURES = "pictures of a game"


def kind_of(summary: dict[str, Any]) -> str:
    """Return the kind of a summary; UNKNOWN if this version knows none."""
    return next((kind for kind, (holds, _) in KINDS.items() if holds(summary)), UNKNOWN)


def view_of(kind: str, summary: dict[str, Any]) -> View:
    """Return the page of a summary.

    Args:
        kind: A key of `KINDS`.
        summary: The content of the file.

    Returns:
        The page.

    Raises:
        ValueError: A value is missing or out of range; the message names it.
    """
    try:
        view = KINDS[kind][1].model_validate(summary).view()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(cut(f"{where}: {first['msg']}", 200)) from None
    return view._replace(tables=[_cut(table) for table in view.tables])


def _cut(table):
    title, columns, rows = table
    more = f" (the first {MOST_ROWS:,} of {len(rows):,})" if len(rows) > MOST_ROWS else ""
    kept = [[cut(cell, 200) for cell in row] for row in rows[:MOST_ROWS]]
    return cut(title, 200) + more, [cut(column, 100) for column in columns], kept


def _interval(value, low, high, form, unit="", scale=1):
    if value is None:
        return "not known"
    ends = [None if end is None else form.format(scale * end) for end in (low, high)]
    told = f"{form.format(scale * value)}{unit}"
    if ends == [None, None] or low == value == high:  # the interval is unknown, or this row is the reference
        return told
    if ends[0] is None:
        return f"at most {ends[1]}{unit}"
    return f"at least {ends[0]}{unit}" if ends[1] is None else f"{told} [{ends[0]}, {ends[1]}]"


def _signed(row):
    return _interval(row.points, row.low, row.high, "{:+.2f}")


def _of(measured, form):
    return "not known" if measured is None else _interval(measured.value, measured.low, measured.high, form)


def _per_cent(share):
    return "not known" if share is None else f"{100 * share:.2f} %"


def _plain(value):
    return "not known" if value is None else f"{value:.2f}"


def _knobs(values):
    return ", ".join(f"{cut(str(name), 40)} = {shown(value, 40)}" for name, value in values.items())
