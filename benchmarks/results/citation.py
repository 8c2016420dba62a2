"""Citations of results: their description, provenance, and the command that reproduces them."""

import shlex
from pathlib import Path
from typing import Any

from stardeck import agents as players
from stardeck.agents.former_names import present
from stardeck.agents.remote.address import mentions_remote
from stardeck.benchmarks.arena.variant_options import minimal_settings, option_text
from stardeck.benchmarks.results.filesystems import place
from stardeck.benchmarks.results.store import ResultsError, last_summary
from stardeck.benchmarks.results.summaries import FILES
from stardeck.benchmarks.results.words import number_of
from stardeck.game.catalogue import GAMES, VARIABLE
from stardeck.game.game import Game

AUTHORS = "The Stardeck authors"
TITLE = "Stardeck: space card and board games as fast reinforcement-learning environments"


def citation(folder: str | Path) -> dict[str, Any]:
    """Return the citation of the results in a folder of a command that measures or trains.

    It holds `text`, `bibtex`, `reproduce` (a command), and the inputs of that command: `version`, `variant`, `tables`,
    `identities`, `seed` and `games`. Raises ResultsError for a folder without results.
    """
    summary = next((found for name in FILES if (found := last_summary(place(folder) / name))), {})
    try:
        return _of_benchmark(summary) if "benchmark" in summary else _citation(summary)
    except (LookupError, TypeError, AttributeError) as error:
        raise ResultsError(f"{folder}: holds no results with their provenance") from error


def _citation(summary):
    made = summary["origin"]
    game = Game.named(summary["variant"].split("/")[0], summary["settings"])
    version, year = made["version"], made["date"][:4]
    what = f"{summary['variant']} ({game.variant.version}, tables {summary['tables']})"
    text = [
        f"{AUTHORS}. {TITLE}. Version {version}.",
        f"{what}: {_played(summary)}, {_seeded(summary)}.",
        f"Made on {made['date']} by `{made['command']}`, on {made['machine']}.",
        f"The same results again, with version {version} on any machine: {_command(summary, game)}",
    ]
    if game.variant.reconstructed:
        text.append(f"Results are about a reconstruction: {game.variant.provenance}.")
    if game.variant.tables != summary["tables"]:
        text.append(f"The tables have changed since: {game.variant.tables} now.")
    known = {key: summary.get(key) for key in ("variant", "settings", "tables", "identities", "seed", "games")}
    reproduce = _command(summary, game)
    return {
        "text": "\n".join(text),
        "bibtex": _bibtex(version, year),
        "reproduce": reproduce,
        "version": version,
    } | known


def _bibtex(version: str, year: str) -> str:
    return (
        f"@software{{stardeck,\n  author = {{{{{AUTHORS}}}}},\n  title = {{{{{TITLE}}}}},\n"
        f"  version = {{{version}}},\n  year = {{{year}}}\n}}"
    )


def _of_benchmark(summary: dict[str, Any]) -> dict[str, Any]:
    """Return the citation of a result of the suite, or of its learning track."""
    made = summary["origin"]
    version, year = made["version"], made["date"][:4]
    suite = f"{summary['benchmark']}, version {summary['version']}"
    if "trainer" in summary:
        seeds = f"{number_of(len(summary['seeds']), 'seed')} of {number_of(summary['decisions'], 'decision')}"
        what = f"{suite}, task {summary['task']}: {summary['trainer']}, {seeds}."
    else:
        what = f"{suite}: {summary['agent']}, {number_of(summary['games'], 'game')} of each level."
    text = [
        f"{AUTHORS}. {TITLE}. Version {version}.",
        what,
        f"Made on {made['date']} by `{made['command']}`, on {made['machine']}.",
    ]
    known = {key: summary.get(key) for key in ("agent", "task", "trainer", "games")}
    return {"text": "\n".join(text), "bibtex": _bibtex(version, year), "reproduce": made["command"],
            "version": version} | known  # fmt: skip


def _played(summary):
    agents = ", ".join(summary["identities"])
    if "recipe" in summary:
        return f"an agent trained on {number_of(summary['decisions'], 'decision')} of self-play, with {agents}"
    return f"{number_of(summary['games'], 'game')} of {agents}"


def _seeded(summary):
    seeds = summary.get("seeds")
    return f"seeds {seeds[0]} to {seeds[-1]}" if seeds else f"seed {summary['seed']}"


def _command(summary, game: Game) -> str:
    """Return the command that reproduces the results, or the original one if it cannot be derived."""
    names = [present(agent["agent"]) for agent in summary.get("agents", [])]
    of_a_file = "occasions" in summary.get("trials", {})
    if "recipe" in summary or of_a_file or not all(_is_known(name, game) for name in names):
        return summary["origin"]["command"]
    if "knobs" in summary:
        command = "fair"
        options = {"knob": summary["knobs"], "agents": ",".join(names), "within": f"{summary['within']:g}"}
    elif "trials" in summary:
        command = "worth"
        options = {"what": summary["trials"]["what"], "agents": ",".join(names), "games": summary["games"]}
    else:
        command = "league" if "cross_table" in summary else "advantage"
        options = {"agents": ",".join(names), "games": summary.get("games_per_match", summary["games"])}
    if summary.get("sprt"):
        options["sprt"] = f"{summary['sprt']['low']:g},{summary['sprt']['high']:g}"
    options |= {"seed": summary["seed"]} | {
        name.replace("_", "-"): value for name, value in minimal_settings(game).items()
    }
    knobs = options.pop("knob", [])
    named = [("knob", knob) for knob in knobs] + list(options.items())
    words = [word for name, value in named for word in (f"--{name}", option_text(value))]
    return shlex.join([*_brought(game), "stardeck", command, game.variant.game, *words])


def _brought(game: Game) -> list[str]:
    """Return the words before a command that let it find a game from outside."""
    source = GAMES[game.variant.game].source
    return [f"{VARIABLE}={Path(source).name if source.endswith('.py') else source}"] if source else []


def _is_known(name, game):
    if mentions_remote(name):  # a file starts no program
        return False
    try:
        players.get(name, game)
    except ValueError:
        return False
    return True
