"""What a part of the report is: a question about a variant, its measurement, and how its page shows the answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from stardeck.benchmarks.arena.executors import LOCAL, On
from stardeck.benchmarks.arena.options import Progress, silent
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.game.game import Game

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Asked:
    """What a part measures.

    Attributes:
        game: Variant.
        out: Folder of the part, in which it may keep what it has finished. It exists.
        games: Budget: about this number of games of a fast agent such as `rules`. Slower agents play fewer.
        agent: Text of the agent that plays all seats where a part does not compare agents.
        ladder: Texts of agents from the weakest to the strongest.
        seed: Seed of all chance.
        logs: Folder or file of logs of people's games, or None.
        workers: Number of chunks that are played at once; None: one for each core.
        on: Place where games are played.
        progress: Function that is called as `progress(done, games)`.
    """

    game: Game
    out: Path
    games: int
    agent: str = "rules"
    ladder: tuple[str, ...] = ("random", "simple", "rules")
    seed: int = 0
    logs: Path | None = None
    workers: int | None = None
    on: On = LOCAL
    progress: Progress = silent


class Measured(NamedTuple):
    """Result of a part.

    Attributes:
        estimates: Numbers that a comparison with an edited table compares by name.
        details: What else the page needs, as plain data for JSON.
        commands: Commands that make these numbers alone, if there are such commands.
    """

    estimates: list[Estimate]
    details: dict[str, Any]
    commands: list[str]


class Table(NamedTuple):
    """A table of a page.

    Attributes:
        title: Title.
        columns: Names of the columns.
        rows: Rows of texts.
        commands: Number of the command of each row among those of the part; empty if that of the part makes all rows.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    commands: Sequence[int] = ()


class Shown(NamedTuple):
    """How a page shows a part.

    Attributes:
        findings: Sentences for the summary, the most important first: what a designer would act on, in plain words,
            with the number and its interval. Empty if nothing stands out.
        tables: Tables.
        pictures: Figures by name, with the text that describes each.
    """

    findings: list[str]
    tables: list[Table]
    pictures: list[tuple[str, str, "Figure"]] = []


class Part(Protocol):
    """A part of the report: a module or object with these members."""

    @property
    def name(self) -> str:
        """Name in lower case, such as "drama"."""
        ...

    @property
    def title(self) -> str:
        """Heading."""
        ...

    @property
    def question(self) -> str:
        """The question that it answers, one sentence."""
        ...

    def offers(self, game: Game) -> str:
        """Return "" if the part can measure this variant, else the reason why it cannot, as one clause."""
        ...

    def measure(self, asked: Asked) -> Measured:
        """Measure; go on from what `asked.out` holds. Raises ValueError for an impossible request."""
        ...

    def show(self, summary: dict[str, Any]) -> Shown:
        """Return what the page shows. summary: `estimates` (dicts of the fields but `blocks`) and `details`."""
        ...


@dataclass(frozen=True)
class PartOf:
    """A part made of functions, the usual way to write one."""

    name: str
    title: str
    question: str
    measure: Callable[[Asked], Measured]
    show: Callable[[dict[str, Any]], Shown]
    offers: Callable[[Game], str] = field(default=lambda _game: "")
