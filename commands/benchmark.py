"""The commands `benchmark`, `verify` and `leaderboard`: Stardeck-8, frozen tasks for any agent."""

import json
import re
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from stardeck.commands.shared.options import AGENTS, AS_JSON, ON, WORKERS, File, keeping, refusing
from stardeck.commands.shared.printing import say


def _names(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str] | None:
    return None if given is None else given.split(",")


@click.command(epilog="Example: stardeck benchmark mine.py:Agent --quick")
@click.argument("agent", metavar="AGENT", required=False)
@click.option("--quick", is_flag=True, help="60 games of each level: some minutes with a fast agent.")
@click.option("--games", type=click.IntRange(1, 100_000), help="Games of each level.  [default: 250, a full run]")
@click.option("--tasks", metavar="LIST", callback=_names, help="Names of tasks to play, with commas.  [default: all]")
@click.option("--list", "listed", is_flag=True, help="List the tasks, and exit.")
@click.option(
    "--exploitability",
    is_flag=True,
    help="Train a best response to the agent on the tasks of two sides, two million decisions each.",
)
@click.option(
    "--train-budget",
    metavar="DECISIONS",
    type=click.IntRange(1_000, 10**10),
    help="The learning track: AGENT is a way to train, ppo, expert or a function as mine.py:train, which may learn from"
    " this number of decisions.",
)
@click.option("--seeds", type=click.IntRange(1, 1_000), help="Seeds of the learning track.  [default: 5]")
@click.option(
    "--out",
    type=File(file_okay=False),
    help="Folder of results.  [default: results/benchmark-<agent>, or results/learning-<trainer>]",
)
@WORKERS
@ON
@AS_JSON
def benchmark(
    agent: str | None, listed: bool, quick: bool, out: str | None, as_json: bool, **options: Any
) -> None:  # fmt: skip
    """Measure an agent on the eight frozen tasks of Stardeck-8.

    The command writes result.json, which others can verify, and the games. The same command continues an interrupted
    run; with more --games it extends a finished one.
    """
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.benchmarks.suite.measure import benchmark as measure
    from stardeck.benchmarks.suite.tasks import SUITE
    from stardeck.commands.shared.suite_tables import print_result, print_tasks

    if listed:
        print_tasks()
        return
    if agent is None:
        raise click.UsageError("Missing argument 'AGENT'.")
    if quick and options["games"] is not None:
        raise click.UsageError(f"--quick --games {options['games']}: must be one of them")
    if quick:
        options["games"] = SUITE.quick
    budget, seeds, exploitability = (options.pop(name) for name in ("train_budget", "seeds", "exploitability"))
    if budget is None and seeds is not None:
        raise click.UsageError(f"--seeds {seeds}: needs --train-budget")
    if budget is not None:
        _refuse_unused()
        _learning_track(agent, budget, seeds or 5, out, as_json, options)
        return
    out = out or f"results/benchmark-{_file_name(agent)}"
    with keeping(f"the finished part is in {out}"), refusing(), progress_bar("games") as progress:
        result = measure(agent, out, progress=progress, **options)
    if exploitability:
        with keeping(f"the finished part is in {out}"), refusing():
            result = _with_exploitability(result, agent, Path(out))
    say(json.dumps(result)) if as_json else print_result(result, out)


def _refuse_unused() -> None:
    """Refuse the options that the learning track does not use."""
    context = click.get_current_context()
    for name in ("quick", "games", "exploitability", "workers", "on"):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name}: --train-budget does not use it")


def _learning_track(
    trainer: str, budget: int, seeds: int, out: str | None, as_json: bool, options: dict[str, Any]
) -> None:
    """Measure a way to train on each task that is named, by default the core set."""
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.commands.shared.suite_tables import print_learning
    from stardeck.training.learning_track import learning_track

    results = []
    tasks = options["tasks"] or ["core-duel"]
    for task in tasks:
        place = Path(out or f"results/learning-{_file_name(trainer)}") / task
        with keeping(f"the finished part is in {place}"), refusing(), progress_bar("seeds") as bar:
            results.append(learning_track(trainer, task, place, budget, range(seeds), bar))
        if not as_json:
            print_learning(results[-1], str(place))
    if as_json:
        say(json.dumps(results))


def _file_name(agent: str) -> str:
    """Return the name of an agent as part of a folder's name."""
    return re.sub(r"[^A-Za-z0-9_.=-]+", "-", agent).strip("-.")[:100]


def _with_exploitability(result: dict[str, Any], agent: str, out: Path) -> dict[str, Any]:
    """Return a result with the exploitability of the agent in its tasks of two sides; it is written too."""
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.benchmarks.suite.result_file import task_of, write_result
    from stardeck.training.best_response import exploit

    rows = []
    for row in result["tasks"]:
        task = task_of(row)
        if len(task.played(task.levels[0]).variant.sides) == 2:
            at = out / "exploitability" / task.name
            with progress_bar("decisions or games") as progress:
                found = exploit(task.game, agent, at, honest=True, progress=progress, **task.settings)
            row = row | {"exploitability": {name: found[name] for name in ("win_rate", "low", "high", "decisions")}}
        rows.append(row)
    result = result | {"tasks": rows}
    write_result(out / "result.json", result)
    return result


@click.command(epilog="Example: stardeck verify results/benchmark-rules --agent rules")
@click.argument("path", metavar="FILE", type=File(exists=True))
@click.option("--agent", help=f"The agent of the result, whose decisions are compared too. {AGENTS}.")
@click.option("--tasks", metavar="LIST", callback=_names, help="Tasks whose games are played again, with commas.")
@AS_JSON
def verify(path: str, agent: str | None, tasks: list[str] | None, as_json: bool) -> None:
    """Verify a result of Stardeck-8 by playing its games again.

    FILE is a result file, or the folder of a run. A file holds the first games of each level; a folder has all of them.
    The exit code is 1 if the result does not follow from its games.
    """
    from stardeck.benchmarks.progress import progress_bar
    from stardeck.benchmarks.suite.verify import Disagreement
    from stardeck.benchmarks.suite.verify import verify as check

    found: dict[str, Any] = {"file": path, "ok": True, "difference": None}
    with refusing():
        try:
            with progress_bar("games") as progress:
                found |= check(path, agent, tasks, progress)
        except Disagreement as error:
            found |= {"ok": False, "difference": str(error)}
    if as_json:
        say(json.dumps(found))
    elif found["ok"]:
        which = "all games" if found["all_games"] else "the first games of each level"
        asked = ", and the agent decides like this" if found["asked"] else ""
        say(
            f"{path}: the result of {found['agent']} follows from its games; {which} were played again "
            f"({found['games']:,}){asked}"
        )
    else:
        say(f"{path}: {found['difference']}")
    if not found["ok"]:
        raise click.exceptions.Exit(1)


@click.command(epilog="Example: stardeck leaderboard leaderboard --put-into docs")
@click.argument("folder", metavar="FOLDER", type=File(exists=True, file_okay=False))
@click.option(
    "--put-into",
    metavar="PAGES",
    type=File(exists=True),
    help="Write the tables into a page of Markdown, or into the pages of a folder, between the marks"
    " <!-- leaderboard: stardeck leaderboard --> and <!-- end of leaderboard -->.",
)
@AS_JSON
def leaderboard(folder: str, put_into: str | None, as_json: bool) -> None:
    """Make the leaderboard of Stardeck-8 from a folder of result files.

    Without --put-into the table is printed as Markdown. The numbers of each file are checked; `stardeck verify` plays
    its games again.
    """
    from stardeck.benchmarks.suite import leaderboard as made
    from stardeck.kernels.files import read_text

    with refusing():
        entries = made.read_entries(folder)
        for page in made.pages_of(put_into) if put_into else ():
            page.write_text(made.put_into(read_text(page), entries), encoding="utf-8")
    if as_json:
        rows = [{"file": entry.file, "agent": entry.result["agent"], "overall": entry.overall} for entry in entries]
        say(json.dumps(rows))
    elif put_into:
        say(f"{len(entries)} results are in {put_into}")
    else:
        say("\n".join(made.board(entries)))
