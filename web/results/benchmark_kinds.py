"""Pages of results of Stardeck-8 and its learning track, of a language model, and of the designer's report."""

from typing import Annotated

from pydantic import BaseModel, Field

from stardeck.web.results.values import Count, Interval, Number, Rate, Share, Table, Text, View, interval

Score = Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]


class Points(BaseModel):
    """Points from 0 to 100 with their 95 % interval."""

    points: Score
    low: Score
    high: Score

    @property
    def text(self) -> str:
        """The points with their interval."""
        return interval(self.points, self.low, self.high, "{:.1f}")


class SuiteLevel(Rate):
    """A level of a task."""

    level: Text
    opponent: Text
    games: Count
    points: Score


class Exploited(Rate):
    """Win rate of a best response."""

    decisions: Count


class SuiteTask(Points):
    """A task."""

    task: Text
    agent: Text
    decisions_per_second: Number
    levels: list[SuiteLevel]
    exploitability: Exploited | None = None


class SuiteResult(BaseModel):
    """`result.json` of `stardeck benchmark`."""

    agent: Text
    games: Count
    overall: Points | None
    tasks: list[SuiteTask]
    not_played: dict[Text, Text]

    def view(self) -> View:
        """Return the points of the tasks, and the games of each level."""
        rows = [[row.task, row.text, f"{row.decisions_per_second:,.0f}"] for row in self.tasks]
        if self.overall is not None:
            rows.append(["all tasks (interquartile mean)", self.overall.text, ""])
        levels = [
            [row.task, level.level, level.opponent.split(" (")[0], f"{level.games:,}", level.words,
             f"{level.points:.1f}"]
            for row in self.tasks for level in row.levels
        ]  # fmt: skip
        tables: list[Table] = [
            ("tasks", ["task", "points", "decisions a second"], rows),
            ("levels", ["task", "level", "opponent", "games", f"wins of {self.agent}", "points"], levels),
        ]
        if exploited := [[row.task, row.exploitability.words] for row in self.tasks if row.exploitability]:
            tables.append(("best responses", ["task", f"wins against {self.agent}"], exploited))
        if self.not_played:
            tables.append(
                ("tasks that were not played", ["task", "reason"], [[*row] for row in self.not_played.items()])
            )
        marks = [{"name": row.task, "value": row.points, "low": row.low, "high": row.high} for row in self.tasks]
        chart = {"kind": "intervals", "title": f"Points of {self.agent}", "x": "points", "rows": marks,
                 "reference": 50, "named": "as strong as the opponents"}  # fmt: skip
        return View(tables, charts=(chart,) if marks else ())


class LearningPoint(Points):
    """A point of a learning curve."""

    decisions: Count


class LearningTrack(BaseModel):
    """`learning.json` of `stardeck benchmark --train-budget`."""

    task: Text
    trainer: Text
    decisions: Count
    curve: list[LearningPoint]
    seeds: list[dict[str, object]]

    def view(self) -> View:
        """Return the curve."""
        rows = [[f"{row.decisions:,}", row.text] for row in self.curve]
        curve = [{"at": row.decisions / 1e6, "value": row.points, "low": row.low, "high": row.high}
                 for row in self.curve]  # fmt: skip
        title = f"{self.trainer} on {self.task}, interquartile mean of {len(self.seeds)} seeds"
        chart = {"kind": "curve", "title": title, "x": "decisions, millions", "y": "points", "unit": "points",
                 "rows": curve}  # fmt: skip
        return View([("learning curve", ["decisions", "points"], rows)], charts=(chart,) if curve else ())


class Questions(BaseModel):
    """How a model was asked, and how it answered."""

    games: Count
    calls: Count
    tokens_in: Count
    tokens_out: Count
    seconds: Number
    illegal: Count
    unreadable: Count
    fallbacks: Count
    forfeited: Count


class ModelMatch(Questions):
    """Games of a model against an opponent."""

    agent: Text
    win_rate: Share | None
    low: Share | None
    high: Share | None


class ModelRating(Interval):
    """A place on the ladder."""

    agent: Text
    rating: Number | None


class LanguageModel(BaseModel):
    """`summary.json` of `stardeck llm`."""

    opponents: list[ModelMatch]
    agents: list[ModelRating]
    total: Questions
    cost: Number | None = None

    def view(self) -> View:
        """Return the ladder, the games by opponent, and what the answers were like."""
        ladder = [[row.agent, interval(row.rating, row.low, row.high, "{:+.0f}")] for row in self.agents]
        matches = [
            [row.agent, f"{row.games:,}", interval(row.win_rate, row.low, row.high, "{:.1f}", " %", 100),
             f"{row.calls:,}", f"{row.illegal:,}", f"{row.unreadable:,}"]
            for row in self.opponents
        ]  # fmt: skip
        total = self.total
        each = max(total.games, 1)
        answers = [
            ["questions in a game", f"{total.calls / each:.1f}"],
            [
                "tokens of questions and answers in a game",
                f"{total.tokens_in / each:,.0f}, {total.tokens_out / each:,.0f}",
            ],
            ["seconds in a game", f"{total.seconds / each:.1f}"],
            ["illegal and unreadable answers", f"{total.illegal:,}, {total.unreadable:,}"],
            ["random moves in place of an answer", f"{total.fallbacks:,}"],
            ["games that were forfeited", f"{total.forfeited:,}"],
            ["cost of all tokens", "not known" if self.cost is None else f"{self.cost:.4f}"],
        ]
        marks = [{"name": row.agent, "value": row.rating, "low": row.low, "high": row.high} for row in self.agents]
        chart = {"kind": "intervals", "title": "Ratings", "x": "rating, Elo", "reference": 0, "rows": marks,
                 "named": "the first opponent"}  # fmt: skip
        columns = ["opponent", "games", "wins of the model", "questions", "illegal answers", "unreadable answers"]
        return View([("ladder", ["agent", "rating"], ladder), ("opponents", columns, matches),
                     ("answers", ["", ""], answers)], charts=(chart,))  # fmt: skip


class DesignNumber(Interval):
    """A number of a part of the designer's report."""

    label: Text
    unit: Text
    value: Number


class DesignPart(BaseModel):
    """`summary.json` of a part of `stardeck report design`."""

    part: Text
    estimates: list[DesignNumber]

    def view(self) -> View:
        """Return the numbers of the part; the report shows them with their meaning."""
        rows = [[row.label, interval(row.value, row.low, row.high, "{:.2f}"), row.unit] for row in self.estimates]
        marks = [{"name": f"{row.label}, {row.unit}".rstrip(", "), "value": row.value, "low": row.low, "high": row.high}
                 for row in self.estimates if row.low is not None and row.high is not None]  # fmt: skip
        chart = {"kind": "intervals", "title": f"Numbers of the part {self.part}", "x": "value", "rows": marks}
        tables: list[Table] = [("numbers", ["number", "value", "unit"], rows)]
        return View(tables, charts=(chart,) if 0 < len(marks) <= 40 else ())
