"""Card values by randomised trials of purchases and other decisions, instead of the choices that winners made.

An agent plays itself. Once in each game, chance decides what a player buys (agents/data/trials.py,
benchmarks/card_values/trial_series.py); the agent makes all other decisions. The value of a card is the difference
between the win rates of players that were given the card and of players that were given nothing. It is estimated
over all decisions at which the card could be bought, in each stage of the game
(benchmarks/card_values/treatment_effects.py). It holds for this agent and the way it plays.
"""

import hashlib
import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Unpack, overload

import numpy as np

from stardeck.agents.data.treatments import AUTHORITY
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.arena.executors import cut_ranges, executor_for
from stardeck.benchmarks.arena.options import PictureOptions, measure_options, silent
from stardeck.benchmarks.card_values.decision_points import decision_points_in
from stardeck.benchmarks.card_values.treatment_effects import Sums, Z, chances, corrected
from stardeck.benchmarks.card_values.treatments import games_with_treatments, treatments_of
from stardeck.benchmarks.card_values.trial_series import PRIZE, TrialSeries, TrialStore
from stardeck.benchmarks.results.arrow import pa
from stardeck.benchmarks.results.arrow_columns import numbers, texts
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import last_speed, last_summary, write_tables
from stardeck.benchmarks.results.words import number_of
from stardeck.game.agent import AgentLike
from stardeck.game.game import Game
from stardeck.kernels.errors import number_from, shown

PAIRS = pa.schema(
    [
        ("stage", pa.string()),
        ("card", pa.string()),  # or another option
        ("rather_than", pa.string()),  # the option that it is compared with: a card, nothing or authority
        ("trials", pa.int64()),  # trials in which the first was drawn, and the second could have been
        ("points", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("q", pa.float64()),  # corrected for all the pairs of the file
    ]
)


@overload
def worth(
    game: str, agent: AgentLike = "rules", games: int = 1_000_000, seed: int = 0, out: str | Path | None = None,
    what: str | None = None, *, occasions: str | Path | None = None, **options: Unpack[PictureOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def worth(
    game: str, agent: AgentLike = "rules", games: int = 1_000_000, seed: int = 0, out: str | Path | None = None,
    what: str | None = None, *, occasions: str | Path | None = None, **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def worth(
    game: str, agent: AgentLike = "rules", games: int = 1_000_000, seed: int = 0, out: str | Path | None = None,
    what: str | None = None, *, occasions: str | Path | None = None, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Measure card values: the difference that each option makes to the win rate of an agent.

    Args:
        game: Name of a game that has treatments (benchmarks/card_values/treatments.py).
        agent: A compiled agent, which plays all seats.
        games: Number of games.
        seed: Seed of all chance.
        out: Folder for `trials.parquet`, `pairs.parquet` (each option compared with each other), `summary.json`,
            `worth.png` and, for purchases, `worth.toml`. Interrupted trials continue there, and finished ones are
            extended. None writes nothing.
        what: Kind of decision that chance makes, by default the first treatment of the game.
        occasions: File of recorded games. Trials begin at their purchases and not in games of the agent.
        **options: Options of `PictureOptions`, and settings of the game.

    Returns:
        The summary.

    Raises:
        ValueError: An option or a setting is impossible, the agent is not compiled, the file has no such games, or the
            folder holds results of something else.
        KeyboardInterrupt: The measurement was stopped. The folder holds what is finished.
    """
    known = treatments_of(game)
    if not known:
        raise ValueError(
            f"worth: {game} has no treatments: its agents package must define treatments.TREATMENTS,"
            f" like {' and '.join(games_with_treatments())} (docs/add_a_game.md)"
        )
    what = next(iter(known)) if what is None else what
    if what not in known:
        raise ValueError(f"what={shown(what)}: of {game} it must be one of {', '.join(known)}")
    games = number_from(games, "games", 1)
    chosen, settings = measure_options("worth", game, options, PictureOptions.__optional_keys__)
    executor, progress = executor_for(chosen["on"], chosen["workers"]), chosen["progress"] or silent
    played = Game.named(game, settings)
    series = TrialSeries(played, agent, seed, what, _decision_points(occasions, played, what))
    if out is None:
        return _measure(series, games, None, executor, progress, picture=False)
    out = folder_here(out)
    with only_writer(out):
        return _measure(series, games, out, executor, progress, chosen["picture"])


def _decision_points(path, game, what):
    """Return the decision points of a file, or None without a file."""
    if path is None:
        return None
    treatments = treatments_of(game.variant.game)
    recorded = treatments[what].recorded
    if recorded is None:
        of = [name for name, tried in treatments.items() if tried.recorded]
        raise ValueError(f"occasions: are of {', '.join(of) or 'no decisions of this game'}, not of {what}")
    return decision_points_in(path, game, recorded)


def _measure(series, games, folder, executor, progress, picture):
    made = origin()
    store = None if folder is None else TrialStore(folder, identity(series), made)
    if store is not None and store.longest > games:
        raise ValueError(f"games={games}: {folder} already holds {store.longest} games; ask for at least as many")
    sums = Sums(len(series.tried.stages), len(series.options))
    missing = [(0, games)] if store is None else store.missing(games)
    played = done = games - sum(stop - start for start, stop in missing)
    for table in () if store is None else store.tables():
        sums.add(series.trials_of(table))
    executor.warm_up(series)
    began = time.perf_counter()
    try:
        with closing(executor.run(cut_ranges(executor, series, missing))) as finished:
            for _, played_now in finished:
                sums.add(series.trials_of(played_now.table))
                if store is not None:
                    store.add(played_now.table, played_now.start)
                done += len(played_now.table)
                progress(done, games)
    finally:
        if store is not None:
            store.put_together()
    speed = (done - played) / (time.perf_counter() - began) if done > played else None
    if store is not None:
        write_tables([pairs_of(series, sums)], folder / "pairs.parquet", PAIRS.with_metadata(store.metadata()))
    summary = _finished(series, sums, games, folder, made, speed)
    if picture:
        _draw(folder, summary)
    return summary


def identity(series: TrialSeries) -> dict[str, Any]:
    """Return what identifies a series of trials: two series with the same identity play the same games."""
    return {
        "variant": series.game.id,
        "settings": series.game.settings,
        "tables": series.game.variant.tables,
        "agents": [identity_of(agent) for agent in series.agents],
        "seed": int(series.seed),
        "trials": {
            "what": series.what,
            "cycle": list(series.tried.cycle),
            "hazard": series.tried.hazard,
            "authority": PRIZE if AUTHORITY in series.tried.others else None,
            "judge": identity_of(series.judge) if series.judge else None,
            **({} if series.occasions is None else {"occasions": _digest(series.occasions.states)}),
        },
    }


def _digest(states):
    """Return a hash of positions."""
    return hashlib.sha256(states.tobytes()).hexdigest()[:16]


def _finished(series, sums, games, folder, made, speed):
    """Return the summary, and write it to the folder unless that is None."""
    summary = summarize(series, sums, games)
    if folder is None:
        return summary | {"games_per_second": speed, "origin": made}
    before = last_summary(folder / "summary.json")
    summary |= {
        "games_per_second": speed or last_speed(folder / "summary.json"),
        "origin": made if speed else before.get("origin", made),
    }
    _write(folder, summary)
    return summary


def pairs_of(series: TrialSeries, sums: Sums) -> pa.Table:
    """Return the effect of each option compared with each other one, stage by stage, where it is known.

    Args:
        series: The series of trials.
        sums: Sums over the trials.
    """
    names = series.options
    effects, errors = sums.effects()
    q = corrected(np.triu(chances(effects, errors)) + np.tril(np.full(effects.shape[1:], np.nan)))
    q = np.fmax(q, q.transpose(0, 2, 1))  # each pair counts once
    known = ~np.isnan(effects) & ~np.eye(len(names), dtype=bool)
    stage, card, other = np.nonzero(known)
    points, half = 100 * effects[known], 100 * Z * errors[known]
    columns = [
        texts(series.tried.stages, stage),
        texts(names, card),
        texts(names, other),
        numbers(sums.count()[known], pa.int64()),
        *(numbers(column, pa.float64()) for column in (points, points - half, points + half, q[known])),
    ]
    return pa.Table.from_arrays(columns, schema=PAIRS)


def summarize(series: TrialSeries, sums: Sums, games: int) -> dict[str, Any]:
    """Return the summary: the value of each option in each stage, compared with nothing or with any option.

    Args:
        series: The series of trials.
        sums: Sums over the trials.
        games: Number of games.
    """
    names, stages, nothing = series.options, series.tried.stages, series.nothing
    effects, errors = (100 * part[:, :, nothing] for part in sums.effects())
    counts = sums.count()
    made = counts.diagonal(axis1=1, axis2=2)
    made = made[:, nothing] if not series.tried.others else made.sum(axis=1)
    scale = [_scale(series, effects[stage], errors[stage]) for stage in range(len(stages))]
    options = len(names) - max(len(series.tried.others), 1)
    return identity(series) | {
        "agents": [{"agent": agent.name} for agent in series.agents],
        "identities": [identity_of(agent) for agent in series.agents],
        "games": games,
        "options": names,
        "stages": list(stages),
        "rather_than": series.tried.rather_than,
        "trials_made": [int(count) for count in made],
        "explained": [float(slope) for slope in sums.slopes()],
        "authority": [
            {"stage": stage, "authority": PRIZE, "points": _measured(*points)}
            for stage, points in zip(stages, scale, strict=True)
            if points
        ],
        "cards": _rows(names[:options], stages, effects, errors, counts[:, :, nothing], scale),
    }


def _scale(series, effects, errors):
    """Return the value of PRIZE authority and its error, or None if authority is not an option."""
    if AUTHORITY not in series.tried.others:
        return None
    number = series.options.index(AUTHORITY)
    return effects[number], errors[number]


def _rows(names, stages, effects, errors, counts, scale):
    """Return a row for every option and stage with enough trials."""
    effects, errors, counts = (part[:, : len(names)] for part in (effects, errors, counts))
    p = chances(effects, errors)
    q = corrected(p)
    return [
        {
            "card": names[card],
            "stage": stages[stage],
            "trials": int(counts[stage, card]),
            "points": _measured(effects[stage, card], errors[stage, card]),
            "authority": _in_authority(effects[stage, card], errors[stage, card], scale[stage]),
            "p": float(p[stage, card]),
            "q": float(q[stage, card]),
        }
        for card, stage in np.argwhere(~np.isnan(effects.T)).tolist()
    ]


def _measured(value, error):
    """Return a value with its 95 % interval, or None if it is not known."""
    if np.isnan(value):
        return None
    return {"value": float(value), "low": float(value - Z * error), "high": float(value + Z * error)}


def _in_authority(effect, error, scale):
    """Return an effect in authority: its ratio to the effect of PRIZE authority, with both errors."""
    if scale is None or np.isnan(scale[0]) or abs(scale[0]) < Z * scale[1]:
        return None
    points, error_of_points = scale
    ratio = effect / points
    return _measured(PRIZE * ratio, PRIZE * np.hypot(error, ratio * error_of_points) / abs(points))


def _write(folder, summary):
    write_whole(folder / "summary.json", json.dumps(summary, indent=2) + "\n")
    if summary["trials"]["what"] == "purchases":  # an agent can play by these values
        write_whole(folder / "worth.toml", values_as_toml(summary))


def _draw(folder, summary):
    from stardeck.benchmarks import plots

    plots.save(plots.worth(summary), folder / "worth.png")


def values_as_toml(summary: dict[str, Any]) -> str:
    """Return the value of each card in points, stage by stage, as editable TOML; 0 where it is not known."""
    made = f"{summary['variant']}, {number_of(summary['games'], 'game')} of {summary['agents'][0]['agent']}"
    lines = [f"# Win points rather than nothing: {', '.join(summary['stages'])}. {made}.", "[worth]"]
    cards: dict[str, dict[str, float]] = {}
    for row in summary["cards"]:
        cards.setdefault(row["card"], {})[row["stage"]] = row["points"]["value"]
    for name, known in cards.items():
        values = ", ".join(f"{known.get(stage, 0.0):.2f}" for stage in summary["stages"])
        lines.append(f"{json.dumps(name, ensure_ascii=False)} = [{values}]")
    return "\n".join(lines) + "\n"
