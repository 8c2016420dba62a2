"""Kinds of results: the test that recognises each, the values that its page reads, and the tables it shows.

Anyone may have written a summary file: pydantic checks every value before a page shows it.
"""

from typing import Any

from pydantic import BaseModel, ValidationError

from stardeck.benchmarks.results.kinds import UNKNOWN, kind_of
from stardeck.benchmarks.results.words import number_of, parameter_in_words, seat_in_words
from stardeck.kernels.errors import cut, shown
from stardeck.web.results.benchmark_kinds import DesignPart, LanguageModel, LearningTrack, SuiteResult
from stardeck.web.results.values import (
    LARGEST,
    Count,
    Interval,
    Number,
    Rate,
    Share,
    Table,
    Text,
    View,
    interval,
    mark,
    per_cent,
)

MOST_ROWS = 1_000  # in one table


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
    teams: list[Any] = []

    def view(self) -> View:
        """Return the tables of agents, seats and scenarios."""
        tables: list[Table] = [
            ("agents", ["agent", "games", "wins"], [[row.agent, f"{row.games:,}", row.words] for row in self.agents]),
            ("seats", ["seat", "wins"], [[seat_in_words(row.seat), row.words] for row in self.seats]),
        ]
        if self.first_advantage and self.first_advantage.points is not None:
            first = self.first_advantage
            tables.append(("the side that moves first", ["", ""], [["points above its fair share", _signed(first)]]))
        if self.scenarios:
            rows = [[row.name, row.first.words, *(seat.words for seat in row.seats)] for row in self.scenarios]
            seats = [f"{seat_in_words(seat.seat)} wins" for seat in self.scenarios[0].seats]
            tables.append(("scenarios", ["scenario", "who moved first wins", *seats], rows))
        links = {
            0: [{"of": f"agent:{row.agent}"} for row in self.agents],
            1: [{"of": f"seat:{row.seat}"} for row in self.seats],
        }
        return View(tables, games=True, charts=self._charts(), links=links)

    def _charts(self):
        agents = [mark(row.agent, row, f"agent:{row.agent}") for row in self.agents]
        seats = [mark(seat_in_words(row.seat), row, f"seat:{row.seat}") for row in self.seats]
        reference = 100 / len(self.teams) if len(self.teams) > 1 else None
        chart = {"kind": "intervals", "x": "games won, %", "reference": reference, "named": "fair share"}
        charts = [chart | {"title": "Games won by seat", "rows": seats}]
        if len(agents) > 1:
            charts.insert(0, chart | {"title": "Games won by agent", "rows": agents})
        return tuple(charts)


class Nash(Interval):
    """Nash averaging of an agent: its score against the Nash mixture, with the interval, and its weight there."""

    weight: Share
    score: Share


class Mass(Interval):
    """Mass of an agent by alpha-rank."""

    mass: Share


class LeagueRow(Interval):
    """An agent of a league."""

    agent: Text
    games: Count
    rating: Number | None
    win_rate: Share | None
    nash: Nash | None = None
    alpha_rank: Mass | None = None


class Transitivity(BaseModel):
    """Result of the test if Elo explains a league."""

    elo_explains: bool
    p: Share


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
    transitivity: Transitivity | None = None

    def view(self) -> View:
        """Return the standings and the matches."""
        agents = [
            [row.agent, f"{row.games:,}", interval(row.rating, row.low, row.high, "{:+.0f}"), per_cent(row.win_rate)]
            for row in self.agents
        ]
        matches = [
            [" v ".join(row.agents), f"{row.games:,}", interval(row.score, row.low, row.high, "{:.2f}", " %", 100)]
            for row in self.cross_table
        ]
        tables = [
            ("agents", ["agent", "games", "rating", "wins"], agents),
            ("matches", ["match", "games", "wins of the first"], matches),
            *self._without_elo(),
        ]
        names = tuple(" vs ".join(row.agents) for row in self.cross_table)
        return View(tables, True, names, self._charts(), {1: [{"match": name} for name in names]})

    def _without_elo(self):
        """Return a table of ratings that need no transitive results, if the league has them."""
        if self.transitivity is None:
            return []
        rows = [
            [row.agent, f"{100 * row.nash.weight:.0f} %",
             interval(row.nash.score, row.nash.low, row.nash.high, "{:.1f}", " %", 100),
             interval(row.alpha_rank.mass, row.alpha_rank.low, row.alpha_rank.high, "{:.0f}", " %", 100)]
            for row in self.agents
            if row.nash and row.alpha_rank
        ]  # fmt: skip
        verdict = f"Elo {'explains' if self.transitivity.elo_explains else 'does not explain'} these results"
        names = ["agent", "weight in the Nash mixture", "score against it", "alpha-rank"]
        return [(f"Nash averaging and alpha-rank ({verdict}, p = {self.transitivity.p:.2g})", names, rows)]

    def _charts(self):
        ordered = sorted(self.agents, key=lambda row: -(row.rating or 0))
        ladder = [{"name": row.agent, "value": row.rating, "low": row.low, "high": row.high} for row in ordered]
        cells = []
        for row in self.cross_table:
            if len(row.agents) == 2:
                match, score = " vs ".join(row.agents), 100 * row.score
                shared = {"games": row.games, "match": match}
                cells.append({"row": row.agents[0], "column": row.agents[1], "value": score} | shared)
                cells.append({"row": row.agents[1], "column": row.agents[0], "value": 100 - score} | shared)
        return (
            {"kind": "intervals", "title": "Ratings", "x": "rating, Elo", "reference": 0, "rows": ladder,
             "named": "the first agent"},
            {"kind": "matrix", "title": "Cross table: score of row against column, %", "rows": cells,
             "order": [row.agent for row in ordered]},
        )  # fmt: skip


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
    curve: Number | None = None


class FairSettings(BaseModel):
    """`summary.json` of `stardeck fair`."""

    variant: Text = ""
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
        played = [["found" if self.found else f"not found: {self.why}", number_of(self.games, "game")]]
        answer = [[row.knob, interval(row.value, row.low, row.high, "{:.2f}")] for row in self.answer]
        mixture = [[_knobs(row.knobs), per_cent(row.part)] for row in self.mixture]
        shares = [[row.of, _signed(row)] for row in self.shares]
        seen = [[_knobs(row.knobs), f"{row.games:,}", _signed(row)] for row in self.seen]
        return View([
            ("the search for " + ", ".join(self.knobs), ["", ""], played),
            ("fair at", ["parameter", "value"], answer),
            ("as whole numbers", ["settings", "of the games"], mixture),
            ("at the answer", ["side", "points above its fair share"], shares),
            ("what was played", ["settings", "games", "points of the first side above its fair share"], seen),
        ], charts=self._charts())  # fmt: skip

    def _charts(self):
        charts = []
        for answer in self.answer:
            name = parameter_in_words(answer.knob, self.variant)
            rows = [
                {"at": row.knobs.get(answer.knob), "value": row.points, "low": row.low, "high": row.high,
                 "games": row.games, "curve": row.curve if len(self.answer) == 1 else None}
                for row in self.seen if isinstance(row.knobs.get(answer.knob), int | float | str)
            ]  # fmt: skip
            near = [row for row, point in zip(rows, self.seen, strict=False) if point.curve is not None]
            charts.append({
                "kind": "response", "title": f"Advantage of the first player by {name}",
                "x": name, "y": "points above the fair share", "rows": near or rows,
                "answer": [answer.value, answer.low, answer.high],
            })  # fmt: skip
        return tuple(charts)


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
            [row.card, row.stage, f"{row.trials:,}", _estimate(row.points, "{:+.2f}"),
             _estimate(row.authority, "{:+.1f}"), f"{row.q:.3f}"]
            for row in ordered
        ]  # fmt: skip
        columns = ["card", "stage", "trials", f"points, rather than {self.rather_than}", "in authority", "q"]
        few = "" if rows else ": too few to tell"
        chart = {"kind": "stages", "title": "Card values", "x": f"win points rather than {self.rather_than}",
                 "order": list(dict.fromkeys(row.stage for row in self.cards))}  # fmt: skip
        marks = [
            {"name": row.card, "stage": row.stage, "value": row.points.value, "low": row.points.low,
             "high": row.points.high, "clear": row.q < 0.05, "trials": row.trials, "of": f"card:{row.card}"}
            for row in ordered if row.points
        ]  # fmt: skip
        links = {0: [{"of": f"card:{row.card}"} for row in ordered]}
        tables: list[Table] = [(f"card values, from {number_of(self.games, 'game')}{few}", columns, rows)]
        return View(tables, charts=({**chart, "rows": marks},) if marks else (), links=links)


class Evaluation(Rate):
    """A measurement during training."""

    decisions: Count
    seconds: Number


class Training(BaseModel):
    """`summary.json` of `stardeck train`."""

    opponent: Text
    evaluations: list[Evaluation]
    fair_share: Number | None = None
    seeds: list[Count] = []

    def view(self) -> View:
        """Return the learning curve as a table."""
        mean = f" (interquartile mean of {len(self.seeds)} seeds)" if self.seeds else ""
        columns = ["decisions", "minutes", f"wins against {self.opponent}{mean}"]
        rows = [[f"{row.decisions:,}", f"{row.seconds / 60:.1f}", row.words] for row in self.evaluations]
        curve = [
            {"at": row.decisions / 1e6, "value": 100 * row.win_rate, "low": 100 * (row.low or 0),
             "high": 100 * (row.high or 0), "minutes": row.seconds / 60}
            for row in self.evaluations if row.win_rate is not None
        ]  # fmt: skip
        chart = {"kind": "curve", "title": f"Games won against {self.opponent}{mean}", "x": "decisions, millions",
                 "y": "games won, %", "reference": self.fair_share, "rows": curve}  # fmt: skip
        return View([("evaluations", columns, rows)], charts=(chart,) if curve else ())


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
            [f"wins against {self.agent}", self.words],
            ["games", f"{self.games:,}"],
            ["fair share", f"{self.fair_share:.2f} %"],
            ["exploitable by at least", f"{self.at_least:.2f} points"],
        ]
        rows = [[row.response, f"{row.games:,}", row.words] for row in self.responses]
        marks = [mark(row.response, row) for row in self.responses] + [mark(f"{self.best}, new deals", self)]
        chart = {"kind": "intervals", "title": f"Responses to {self.agent}", "x": "games won, %", "rows": marks,
                 "reference": self.fair_share, "named": "fair share"}  # fmt: skip
        tables: list[Table] = [("result", ["", ""], best), ("responses", ["response", "games", "wins"], rows)]
        return View(tables, charts=(chart,))


class AgreementRow(BaseModel):
    """Agreement of an agent with players in one kind of decision."""

    kind: Text
    decisions: Count
    games: Count
    agreement: Share
    low: Share | None
    high: Share | None
    by_chance: Share
    log_likelihood: Number
    log_likelihood_low: Number | None
    log_likelihood_high: Number | None
    perplexity: Number
    perplexity_by_chance: Number

    def cells(self) -> list[str]:
        """Return the row of a table."""
        likely = interval(self.log_likelihood, self.log_likelihood_low, self.log_likelihood_high, "{:.3f}")
        perplexity = f"{self.perplexity:.2f} ({self.perplexity_by_chance:.2f})"
        return [self.kind, f"{self.decisions:,}", f"{self.games:,}", self.rate.words, f"{100 * self.by_chance:.2f} %",
                likely, perplexity]  # fmt: skip

    @property
    def rate(self) -> Rate:
        """The agreement as a rate."""
        return Rate(win_rate=self.agreement, low=self.low, high=self.high)


class AgreeingAgent(BaseModel):
    """An agent of `stardeck agreement`."""

    agent: Text
    kinds: list[AgreementRow]


class LeftOutFile(BaseModel):
    """A file that does not count."""

    file: Text
    reason: Text


class Agreement(BaseModel):
    """`summary.json` of `stardeck agreement`."""

    agents: list[AgreeingAgent]
    left_out: list[LeftOutFile]

    def view(self) -> View:
        """Return the agreement by kind of decision, and the files that do not count."""
        columns = ["decision", "decisions", "games", "agrees", "a uniform choice", "log likelihood",
                   "perplexity (of a uniform choice)"]  # fmt: skip
        tables: list[Table] = [(agent.agent, columns, [row.cells() for row in agent.kinds]) for agent in self.agents]
        if self.left_out:
            rows = [[one.file, one.reason] for one in self.left_out]
            tables.append(("files that do not count", ["file", "reason"], rows))
        chart = {"kind": "intervals", "x": "choices that agree, %", "reference": None, "named": ""}
        charts = [
            chart
            | {
                "title": f"Choices of {agent.agent} that agree",
                "rows": [mark(row.kind, row.rate) for row in agent.kinds],
            }
            for agent in self.agents
        ]
        return View(tables, charts=tuple(charts))


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
        pairs = ["variance of the results explained", "before"], [self.explained, self.explained_before]
        return View([("result", ["", ""], [*self.rows(), *([a, per_cent(b)] for a, b in zip(*pairs, strict=True))])])


class BeliefTraining(AuxiliaryTraining):
    """`summary.json` of `stardeck train-belief`."""

    choice: Number | None
    choice_before: Number | None

    def view(self) -> View:
        """Return the number of cards among which the opponent-hand model is undecided."""
        rows = [("kinds of cards it chooses among", self.choice), ("by chance", self.choice_before)]
        return View([("result", ["", ""], [*self.rows(), *([words, _plain(value)] for words, value in rows)])])


KINDS: dict[str, Any] = {
    "league": League,
    "worth of cards": CardValues,
    "fair settings": FairSettings,
    "exploitability": Exploitability,
    "agreement with players": Agreement,
    "value network": ValueTraining,
    "opponent-hand model": BeliefTraining,
    "training": Training,
    "Stardeck-8": SuiteResult,
    "learning track": LearningTrack,
    "language model": LanguageModel,
    "part of a designer's report": DesignPart,
    "first-player advantage": Advantage,
}
UNREADABLE = "cannot be read"
REPORT = "report"
PICTURES = "pictures of a game"
__all__ = ["KINDS", "PICTURES", "REPORT", "UNKNOWN", "UNREADABLE", "Table", "View", "kind_of", "view_of"]


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
        view = KINDS[kind].model_validate(summary).view()
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ValueError(cut(f"{where}: {first['msg']}", 200)) from None
    return view._replace(tables=[_cut(table) for table in view.tables])


def _signed(row):
    return interval(row.points, row.low, row.high, "{:+.2f}")


def _estimate(measured, form):
    return "not known" if measured is None else interval(measured.value, measured.low, measured.high, form)


def _plain(value):
    return "not known" if value is None else f"{value:.2f}"


def _knobs(values):
    return ", ".join(f"{cut(str(name), 40)} = {shown(value, 40)}" for name, value in values.items())


def _cut(table):
    title, columns, rows = table
    more = f" (the first {MOST_ROWS:,} of {len(rows):,})" if len(rows) > MOST_ROWS else ""
    kept = [[cut(cell, 200) for cell in row] for row in rows[:MOST_ROWS]]
    return cut(title, 200) + more, [cut(column, 100) for column in columns], kept
