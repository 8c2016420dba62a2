"""Part `skill`: how much each side's seat is worth, from random play to the strongest agent, and among people."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players
from stardeck.benchmarks.advantage.measure import advantage, win_rate
from stardeck.benchmarks.agreement.games import LeftOut, files_of, read_games
from stardeck.benchmarks.agreement.measure import agreement
from stardeck.benchmarks.arena.variant_options import command_for
from stardeck.benchmarks.design.agent_pace import affordable, time_of
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.part import Asked, Measured, PartOf, Shown, Table
from stardeck.benchmarks.design.stages import stages_of
from stardeck.benchmarks.design.turn_order import of_wins, ordinal, shares_by_turn
from stardeck.benchmarks.design.words import amount, with_interval
from stardeck.benchmarks.plots.style import BLUE, COLUMN, INK, OTHERS, RED, Look
from stardeck.benchmarks.results.words import number_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEWEST = 200  # games of an agent
CLEAR = 1.0  # points that a designer cares about
FEWEST_OF_PEOPLE = 30  # games of people that say something about them
COLOURS = (BLUE, RED, *OTHERS)  # of the places in the order of turns
MARKS = "os^DvP"
APART = 0.06  # between places, as a share of the distance between agents


def measure(asked: Asked) -> Measured:
    """Measure the advantage of each side with every agent of the ladder against itself.

    Args:
        asked: What to measure.
    """
    game = asked.game
    estimates, rungs, commands = [], [], []
    found = [players.get(agent, game) for agent in asked.ladder]
    budgets = [affordable(agent, asked.games, FEWEST) for agent in found]
    stages = stages_of(asked, [games * time_of(agent) for agent, games in zip(found, budgets, strict=True)])
    for number, (agent, games, stage) in enumerate(zip(asked.ladder, budgets, stages, strict=True)):
        folder = asked.out / f"{number}"
        summary = _played(stage, agent, games, folder)
        estimates += _of_sides(agent, shares_by_turn(folder, game))
        rung: dict[str, Any] = {"agent": agent, "games": games, "turns": summary["turns"]["mean"]}
        commands.append(command_for("advantage", game, agents=agent, games=games, seed=asked.seed))
        rungs.append(rung)
    people = None if asked.logs is None else _people(asked)
    return Measured(estimates, {"rungs": rungs, "people": people, "sides": len(game.variant.sides)}, commands)


def _played(asked: Asked, agent: str, games: int, folder: Path) -> dict[str, Any]:
    game = asked.game
    return advantage(
        game.variant.game, agent, games, asked.seed, folder, workers=asked.workers, on=asked.on,
        progress=asked.progress, picture=False, **game.settings,
    )  # fmt: skip


def _of_sides(agent: str, by_turn: NDArray[np.float64]) -> list[Estimate]:
    """Return the advantage of the side that moves first, and of each side where the sides differ by more."""
    count = by_turn.shape[1]
    if count == 1:
        return [of_wins(f"wins_{agent}", f"games that {agent} wins", by_turn[:, 0], None)]
    label = f"moving {{}}, {agent} against itself: wins above the fair share"
    found = [of_wins(f"first_{agent}", label.format("first"), by_turn[:, 0], 1 / count)]
    if count > 2:
        found += [
            of_wins(f"place_{place + 1}_{agent}", label.format(ordinal(place)), by_turn[:, place], 1 / count)
            for place in range(count)
        ]
    return found


def _people(asked: Asked) -> dict[str, Any]:
    """Return how often the first player won in games of people, and which agent chooses most as they do."""
    game, points, played, left_out = asked.game, 0.0, 0, []
    assert asked.logs is not None
    for path in files_of(asked.logs):
        for one in read_games(path, path.name, game):
            if isinstance(one, LeftOut):
                left_out.append(one.file)
            elif one.over:
                first = int(one.game.first_seats(one.states[:1])[0])
                points += (one.returns[first] + 1) / 2 if len(game.variant.sides) == 2 else one.returns[first] > 0
                played += 1
    alike = agreement(game.variant.game, asked.logs, list(asked.ladder), **game.settings)
    ranked = [
        {"agent": row["agent"]} | {key: row["kinds"][0][key] for key in ("agreement", "low", "high", "log_likelihood")}
        for row in alike["agents"]
    ]
    return {"games": played, "left_out": len(left_out), "first": win_rate(points, played), "agreement": ranked}


def show(summary: dict[str, Any]) -> Shown:
    """Return the page of the part.

    Args:
        summary: Summary.
    """
    details, found = summary["details"], {row["name"]: row for row in summary["estimates"]}
    kind = "first" if details["sides"] > 1 else "wins"
    main = [(rung, found[f"{kind}_{rung['agent']}"]) for rung in details["rungs"]]
    heading = "moving first, points above the fair share" if kind == "first" else "games won, %"
    rows = [
        [f"`{rung['agent']}`", with_interval(row, 2), amount(rung["turns"], 1), f"{rung['games']:,}"]
        for rung, row in main
    ]
    columns = ["agents, from the weakest", heading, "turns", "games"]
    each = range(len(rows))  # a command for each agent
    tables = [Table("Advantage along skill", columns, rows, each)]
    if details["sides"] > 2:
        places = [[f"`{rung['agent']}`", *(with_interval(found[f"place_{place + 1}_{rung['agent']}"], 2)
                  for place in range(details["sides"]))] for rung, _ in main]  # fmt: skip
        names = [f"{place + 1}. to move" for place in range(details["sides"])]
        tables.append(Table("Points above the fair share by order of turns", ["agents", *names], places, each))
    if details["people"]:
        tables.append(_people_table(details["people"]))
    return Shown(_findings(details, main, kind), tables, [("skill", _described(main, kind), drawn(details, found))])


def _people_table(people: dict[str, Any]) -> Table:
    first = people["first"]
    rows = [["games of people", f"{people['games']:,}"]]
    if people["left_out"]:
        rows.append(["files left out: no log of a game of this variant", f"{people['left_out']:,}"])
    if first["win_rate"] is not None:
        rows.append(["won by the first player", f"{with_interval(_in_percent(first, 'win_rate'), 1)} %"])
    rows += [
        [f"choices that agree with `{row['agent']}`", f"{with_interval(_in_percent(row, 'agreement'), 1)} %"]
        for row in people["agreement"]
    ]
    return Table("Where people stand", ["number", "value"], rows)


def _in_percent(row: dict[str, Any], key: str) -> dict[str, float | None]:
    """Return a share with its interval, in per cent."""
    ends = {"value": row[key], "low": row["low"], "high": row["high"]}
    return {name: None if value is None else 100 * value for name, value in ends.items()}


def _findings(details: dict[str, Any], main: list[Any], kind: str) -> list[str]:
    (weakest, at_first), (strongest, at_last) = main[0], main[-1]
    if kind == "wins":
        return [f"`{strongest['agent']}` beats the Boss in {with_interval(at_last, 1)} % of the games, "
                f"and `{weakest['agent']}` in {with_interval(at_first, 1)} %."]  # fmt: skip
    found = []
    low, high = at_last["low"], at_last["high"]
    who = f"Between the strongest agents of the ladder (`{strongest['agent']}`)"
    if low is not None and low > 0:
        size = "clearly" if low > CLEAR else "slightly"
        found.append(f"{who}, moving first {size} helps: {with_interval(at_last, 1)} points above the fair share.")
    elif high is not None and high < 0:
        found.append(f"{who}, the side that moves first is worse off: {with_interval(at_last, 1)} points.")
    else:
        found.append(f"{who}, no advantage of moving first can be distinguished: {with_interval(at_last, 1)} points.")
    if at_first["high"] is not None and low is not None and at_first["high"] < low:
        found.append(f"The advantage grows with skill: between two `{weakest['agent']}` it is "
                     f"{with_interval(at_first, 1)} points.")  # fmt: skip
    elif at_first["low"] is not None and high is not None and at_first["low"] > high:
        found.append(f"The advantage shrinks with skill: between two `{weakest['agent']}` it is "
                     f"{with_interval(at_first, 1)} points.")  # fmt: skip
    if details["people"] and details["people"]["agreement"]:
        found.append(_of_people(details["people"]))
    return found


def _of_people(people: dict[str, Any]) -> str:
    """Return a sentence on the agent that chooses most as people do, if there are enough games to say so."""
    count = number_of(people["games"], "game")
    if people["games"] < FEWEST_OF_PEOPLE:
        return f"The logs have {count} of people. {FEWEST_OF_PEOPLE} or more would say which agent chooses as they do."
    best = max(people["agreement"], key=lambda row: row["log_likelihood"])
    share = with_interval(_in_percent(best, "agreement"), 1)
    return f"In {count} of people, `{best['agent']}` is the agent that chooses most as they do: {share} % of choices."


def _described(main: list[Any], kind: str) -> str:
    what = "Advantage of moving first" if kind == "first" else "Games won"
    numbers = ", ".join(f"{rung['agent']} {row['value']:.1f}" for rung, row in main)
    return f"{what} between equal agents, with 95 % intervals\n{numbers}"


def drawn(details: dict[str, Any], found: dict[str, dict[str, Any]]) -> "Figure":
    """Draw what each agent of the ladder wins against itself, by place in the order of turns, and where people stand.

    Args:
        details: Details of the part.
        found: Estimates by name.
    """
    look = Look(2 * COLUMN)
    agents = [rung["agent"] for rung in details["rungs"]]
    agreement = (details["people"] or {}).get("agreement")
    versus = details["sides"] > 1
    with look.applied():
        heights = [2.4, 1.2] if agreement else [2.4]
        figure, axes = look.panels(heights, "Advantage along skill" if versus else "Games won along skill")
        panel = axes[0, 0]
        _draw_places(panel, _lines(details["sides"], agents, found))
        if versus:
            panel.axhline(0, color=INK, linestyle="--", linewidth=1, label="fair", zorder=0)
            _draw_people(panel, details)
            panel.legend(ncols=2 if details["sides"] > 2 else 1)
        panel.set_ylabel("points above the fair share" if versus else "games won, %")
        if agreement:
            by_agent = {row["agent"]: row for row in agreement}
            _draw_rungs(axes[1, 0], [_in_percent(by_agent[agent], "agreement") for agent in agents])
            axes[1, 0].set_ylabel("choices that agree\nwith people, %")
        for each in axes[:, 0]:
            each.set_xticks(range(len(agents)), [agent.split(":prior")[0] for agent in agents])
            each.set_xlim(-0.3, len(agents) - 0.7)
            each.grid(axis="y")
        axes[-1, 0].set_xlabel("agents against themselves, from the weakest to the strongest")
    return figure


def _lines(sides: int, agents: list[str], found: dict[str, dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return the numbers of all agents by what they are: a line for each place in the order of turns."""
    if sides == 1:
        return {"": [found[f"wins_{agent}"] for agent in agents]}
    if sides == 2:
        return {"moves first": [found[f"first_{agent}"] for agent in agents]}
    return {
        f"moves {ordinal(place)}": [found[f"place_{place + 1}_{agent}"] for agent in agents] for place in range(sides)
    }


def _draw_places(panel: Any, lines: dict[str, list[dict[str, Any]]]) -> None:
    """Draw a line for each place in the order of turns, with an offset each, since intervals would cover each other."""
    for number, (label, rows) in enumerate(lines.items()):
        style = {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)], "label": label or None}
        _draw_rungs(panel, rows, APART * (number - (len(lines) - 1) / 2), **style)


def _draw_rungs(panel: Any, rows: list[dict[str, Any]], shift: float = 0.0, **style: Any) -> None:
    """Draw a value for each agent of the ladder, with its interval as a band and as a bar."""
    places = np.arange(len(rows)) + shift
    values, low, high = (
        np.array([np.nan if row[key] is None else row[key] for row in rows], float) for key in ("value", "low", "high")
    )
    shown = {"color": BLUE, "marker": "o"} | style
    panel.fill_between(places, low, high, color=shown["color"], alpha=0.2, linewidth=0)
    panel.errorbar(places, values, yerr=[values - low, high - values], capsize=2, **shown)


def _draw_people(panel: Any, details: dict[str, Any]) -> None:
    first = (details["people"] or {}).get("first") or {}
    if first.get("win_rate") is not None and details["people"]["games"] >= FEWEST_OF_PEOPLE:
        fair = 1 / details["sides"]
        low, high = (100 * (first[key] - fair) for key in ("low", "high"))
        panel.axhspan(low, high, color=INK, alpha=0.12, linewidth=0, label="people, moves first, 95 %", zorder=0)


SKILL = PartOf(
    "skill",
    "First-player advantage along skill",
    "How much is each seat worth, and does that change with better players?",
    measure,
    show,
)
