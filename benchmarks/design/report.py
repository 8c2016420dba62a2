"""The designer's report on a variant: its parts, one after the other, in a folder that a later call continues.

The folder gets:

- `report.html`: the page, written again after each part. `report.pdf`: the same, once all parts are measured.
- `printed/PART/`: `summary.json` and `blocks.npz` of each part, and what it has played; `edited/PART/` for another
  variant.
- `data/`: all estimates and tables as CSV and Parquet. `pictures/`: the pictures as SVG.
"""

import hashlib
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from threadpoolctl import threadpool_limits

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.agreement.games import files_of
from stardeck.benchmarks.arena.executors import executor_for
from stardeck.benchmarks.arena.options import DEFAULTS, PlayOptions, Progress
from stardeck.benchmarks.arena.variant_options import minimal_settings
from stardeck.benchmarks.design.catalogue import PARTS
from stardeck.benchmarks.design.estimates import Estimate
from stardeck.benchmarks.design.ladder import usual_ladder
from stardeck.benchmarks.design.part import Asked, Part
from stardeck.benchmarks.results.atomic_files import parse_json, whole, write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import ResultsError
from stardeck.game.catalogue import default_agent
from stardeck.game.game import Game
from stardeck.kernels.errors import MOST_SEED, number_from, reason, shown
from stardeck.kernels.files import read_text, regular_file

GAMES, QUICK = 4_000_000, 100_000
VERSION = 5  # of the summaries of parts
DIGEST = "digest"  # key of a hash of the rest, by which a damaged summary is found
Bar = Callable[[str], Any]  # returns a context manager for a function progress(done, games)


class DesignOptions(TypedDict, total=False):
    """Options of a report.

    Attributes:
        parts: Names of the parts; None takes all.
        games: Budget of each part, in games of a rule-based agent; slower agents play fewer.
        quick: True takes a small budget and leaves searches out: minutes instead of hours.
        agent: Agent that plays all seats where a part does not compare agents; None takes the usual one of the game.
        ladder: Agents from the weakest to the strongest; None takes those of the package that play all variants.
        edited: Settings of another variant, which is compared with the printed one: `{"set": "mine.toml"}`.
        logs: Folder of logs of people's games.
        seed: Seed of all chance.
    """

    parts: Sequence[str] | None
    games: int | None
    quick: bool
    agent: str | None
    ladder: Sequence[str] | None
    edited: Mapping[str, Any] | None
    logs: str | Path | None
    seed: int


class PartResult(NamedTuple):
    """A part of one variant: its summary, or the reason why there is none."""

    name: str
    summary: dict[str, Any]  # empty where it failed or was not offered
    estimates: list[Estimate]
    problem: str
    failed: bool = False  # False also where the variant does not offer the part


class Compared(NamedTuple):
    """A variant of a report.

    Attributes:
        game: The variant.
        parts: The parts that are measured so far.
        changes: Settings that were asked to differ from the printed variant.
    """

    game: Game
    parts: dict[str, PartResult]
    changes: Mapping[str, Any] = {}


def design_report(
    game: Game, out: str | Path, bar: Bar, where: PlayOptions | None = None, **options: Unpack[DesignOptions]
) -> dict[str, Compared]:
    """Measure the parts of a report, and write its page after each.

    Args:
        game: Printed variant.
        out: Folder. Finished parts are not measured again, and interrupted ones continue.
        bar: Function that opens a progress bar for the name of a part.
        where: Options of `PlayOptions`.
        **options: Options of `DesignOptions`.

    Returns:
        The variants by name: `printed`, and `edited` if there is one.

    Raises:
        ValueError: An option is impossible, or the folder holds another report.
        KeyboardInterrupt: The report was stopped. The folder holds what is finished.
    """
    from stardeck.benchmarks.design.page import write_page, write_pdf

    _check(out, where or {}, options)
    folder = folder_here(out)
    chosen = _parts(options.get("parts"))
    variants = {"printed": Compared(game, {})}
    if edited := options.get("edited"):
        variants["edited"] = Compared(_edited(game, edited), {}, dict(edited))
    ladder = _ladder([one.game for one in variants.values()], options)
    requests = {name: _asked(one.game, ladder, options, where) for name, one in variants.items()}
    with only_writer(folder):
        for part in chosen:
            for name, variant in variants.items():
                title = part.name if len(variants) == 1 else f"{part.name} ({name})"
                with bar(title) as progress:
                    variant.parts[part.name] = _measured(part, requests[name], folder / name / part.name, progress)
            write_page(folder, variants, requests["printed"])
        write_pdf(folder)
    return variants


def _check(out: Any, where: Any, options: Mapping[str, Any]) -> None:
    """Raise ValueError for options that nobody knows, and for values of another type."""
    for given, known in ((options, DesignOptions.__optional_keys__), (where, PlayOptions.__optional_keys__)):
        if not isinstance(given, Mapping):
            raise ValueError(f"where={shown(given)}: must be a mapping of options")
        for name in given:
            if name not in known:
                raise ValueError(f"{shown(name)}: must be among {', '.join(sorted(known))}")
    seed, edited = options.get("seed", 0), options.get("edited")
    number_from(seed, "seed", 0, MOST_SEED)
    for name in ("parts", "ladder"):
        value = options.get(name)
        if value is not None and (isinstance(value, str) or not isinstance(value, Sequence) or not value):
            raise ValueError(f"{name}={shown(value)}: must be a list of names")
    if edited is not None and not isinstance(edited, Mapping):
        raise ValueError(f"edited={shown(edited)}: must be a mapping of settings")
    if not isinstance(out, str | Path) or out == "":
        raise ValueError(f"out={shown(str(out))}: must be a folder")
    logs = options.get("logs")
    if logs is not None and not isinstance(logs, str | Path):
        raise ValueError(f"logs={shown(logs)}: must be a folder of logs")


def _edited(game: Game, changes: Mapping[str, Any]) -> Game:
    """Return a game with other settings. Those that follow from others do so here too: a set has its own decks."""
    return Game.named(game.variant.game, minimal_settings(game) | dict(changes))


def _parts(names: Sequence[str] | None) -> list[Part]:
    if unknown := [name for name in names or () if name not in PARTS]:
        raise ValueError(f"part {shown(unknown[0])}: must be among {', '.join(PARTS)}")
    return [part for name, part in PARTS.items() if names is None or name in names]


def _ladder(games: Sequence[Game], options: DesignOptions) -> tuple[str, ...]:
    """Return the ladder of all variants of a report: those that are compared have one ladder."""
    ladder = tuple(options.get("ladder") or usual_ladder(games[0], options.get("quick", False), *games[1:]))
    if len(ladder) < 2 or len(set(ladder)) < len(ladder):
        raise ValueError(f"ladder={','.join(ladder)}: must be two agents or more, all different")
    return ladder


def _asked(game: Game, ladder: tuple[str, ...], options: DesignOptions, where: PlayOptions | None) -> Asked:
    """Return the request that all parts get, but for the folder."""
    quick = options.get("quick", False)
    games = options.get("games")
    games = (QUICK if quick else GAMES) if games is None else games
    games = number_from(games, "games", 1)
    agent = options.get("agent")
    agent = default_agent(game.variant.game) if agent is None else agent
    for one in (agent, *ladder):
        players.get(one, game)  # raises the error before anything is played
    play = DEFAULTS | (where or {})
    executor_for(play["on"], play["workers"])  # the same
    logs = options.get("logs")
    if logs is not None:
        files_of(logs)  # the same
    return Asked(
        game, Path(), games, agent, ladder, options.get("seed", 0), None if logs is None else Path(logs),
        play["workers"], play["on"],
    )  # fmt: skip


def _measured(part: Part, asked: Asked, folder: Path, progress: Progress) -> PartResult:
    """Return a part, from its folder if it has been measured."""
    if reason := part.offers(asked.game):
        return PartResult(part.name, {}, [], reason)
    identity = _identity(asked)
    path = folder / "summary.json"
    if path.exists() and (held_part := _held(part, folder, identity)):
        return held_part
    folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    try:
        with threadpool_limits(1, "blas"):  # more threads wait for each other where cores have other work
            found = part.measure(replace(asked, out=folder, progress=progress))
    except (ValueError, OSError, RuntimeError) as error:
        return PartResult(part.name, {}, [], " ".join(str(error).split()), True)
    blocks: dict[str, Any] = {
        str(number): one.blocks for number, one in enumerate(found.estimates) if one.blocks is not None
    }
    opened = io.BytesIO()
    np.savez_compressed(opened, **blocks)
    with whole(folder / "blocks.npz") as path_of_blocks:
        path_of_blocks.write_bytes(opened.getvalue())
    summary: dict[str, Any] = {
        "part": part.name, "asked": identity, "estimates": [_plain(one) for one in found.estimates],
        "details": found.details, "commands": found.commands, "seconds": time.perf_counter() - began,
        "origin": origin(),
    }  # fmt: skip
    summary = json.loads(json.dumps(summary))
    write_whole(path, json.dumps(summary | {DIGEST: _digest(summary, opened.getvalue())}, indent=2) + "\n")
    return PartResult(part.name, summary, found.estimates, "")


def _digest(summary: dict[str, Any], blocks: bytes) -> str:
    """Return a hash of a summary and its file of blocks."""
    return hashlib.sha256(json.dumps(summary, sort_keys=True).encode() + blocks).hexdigest()[:16]


def _held(part: Part, folder: Path, identity: dict[str, Any]) -> PartResult | None:
    """Return a part that has been measured. Raises ResultsError if it was another request.

    None if an older version of the package has evaluated it. The caller evaluates the stored games again.
    """
    try:
        summary = parse_json(read_text(folder / "summary.json"))
        held = summary.get("asked") if isinstance(summary, dict) else None
        if not isinstance(held, dict):
            raise ValueError("it does not say what was asked")
    except (OSError, ValueError) as error:
        raise _not_whole(folder, f"summary.json: {reason(error)}") from error
    is_older = type(held.get("version")) is int and held["version"] < VERSION
    for key, value in json.loads(json.dumps(identity)).items():
        if held.get(key) != value and not (key == "version" and is_older):
            raise ResultsError(
                f"{folder}: holds {part.name} with {key} {shown(held.get(key))}, not {shown(value)};"
                " choose another folder (--out)"
            )
    if is_older:
        return None
    try:
        blocks = regular_file(folder / "blocks.npz").read_bytes()
    except OSError as error:
        raise _not_whole(folder, f"blocks.npz: {reason(error)}") from error
    if summary.pop(DIGEST, "") != _digest(summary, blocks):
        raise _not_whole(folder, "the numbers are not those that were written")
    with np.load(io.BytesIO(blocks), allow_pickle=False) as of_estimate:
        estimates = [Estimate(**row, blocks=of_estimate[str(number)] if str(number) in of_estimate else None)
                     for number, row in enumerate(summary["estimates"])]  # fmt: skip
    return PartResult(part.name, summary, estimates, "")


def _not_whole(folder: Path, why: str) -> ResultsError:
    advice = "remove its summary.json, and the games in it are evaluated again"
    return ResultsError(f"{folder}: is not a whole part of a report ({why}); {advice}")


def _identity(asked: Asked) -> dict[str, Any]:
    """Return what identifies the numbers of a part: equal identities have equal numbers."""
    game = asked.game
    return {
        "version": VERSION, "variant": game.id, "settings": game.settings, "tables": game.variant.tables,
        "games": asked.games,
        "agent": identity_of(players.get(asked.agent, game)),
        "ladder": [identity_of(players.get(agent, game)) for agent in asked.ladder],
        "logs": None if asked.logs is None else _digest_of_files(asked.logs), "seed": asked.seed,
    }  # fmt: skip


def _digest_of_files(folder: Path) -> str:
    """Return the number of the files in a folder, and a hash of their names and contents."""
    digest, files = hashlib.sha256(), files_of(folder)
    for path in files:
        content = hashlib.sha256(regular_file(path).read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(folder_here(folder))} {content} ".encode(errors="surrogateescape"))
    return f"{len(files)} files, {digest.hexdigest()[:8]}"


def _plain(estimate: Estimate) -> dict[str, Any]:
    row = estimate._asdict()
    del row["blocks"]
    return row


def results_of(variants: Mapping[str, Compared]) -> Iterator[tuple[str, PartResult]]:
    """Yield (name of the variant, part) for all parts."""
    for name, variant in variants.items():
        for part in variant.parts.values():
            yield name, part
