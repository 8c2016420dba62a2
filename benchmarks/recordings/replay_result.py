"""Replays of a game in a folder of results, from collected moves or by playing its series again."""

from pathlib import Path
from typing import Any

import numpy as np

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.agents.remote.address import mentions_remote
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.league.matches import BOSS, folder_of
from stardeck.benchmarks.results.arrow import pa, pq
from stardeck.benchmarks.results.artifacts import MovesStore
from stardeck.benchmarks.results.atomic_files import parse_json
from stardeck.benchmarks.results.compatibility import completed
from stardeck.benchmarks.results.filesystems import Place, open_file, place, read_file
from stardeck.benchmarks.results.store import KEY, ResultsError, Store, metadata_of, misnamed
from stardeck.game.game import Game
from stardeck.kernels.errors import IllegalAction, reason, shown


def game_of(results: str | Path, number: int, match: str | None = None) -> dict[str, Any]:
    """Return the record (benchmarks/recordings/record.py) of a game in a folder of `advantage` or `league`.

    Args:
        results: Folder, or its URL.
        number: Number of the game, its `index`.
        match: Match of a league, as in the column `match`.

    Raises:
        ResultsError: The folder is damaged, or the moves were not collected and the game cannot be played again.
    """
    folder = folder_of_series(place(results), match)
    written = completed(parse_json(metadata_of(folder / "games.parquet")[KEY]))
    game = Game.named(written["variant"].split("/")[0], written["settings"])
    if game.variant.tables != written["tables"]:
        raise ResultsError(f"{folder}: the tables of {game.id} have changed since its games were played")
    row = _row(Store, folder / "games.parquet", number, game.players)
    if row is None:
        raise ResultsError(f"game={number}: {folder} has games 0 to {_rows(folder / 'games.parquet') - 1}")
    moves = _moves(folder / "moves.parquet", written, number, game.players)
    actions = _play_again(folder, game, written, number) if moves is None else moves["actions"]
    states = game.deal(row["seed"])
    texts = []
    for action in actions:
        try:
            texts.append(game.describe(states, game.check_actions(states, [action])[0]))
        except IllegalAction as error:
            raise ResultsError(f"{folder}: game {number}: move {len(texts) + 1}: {error}") from error
        game.apply(states, [action])
    return {
        "variant": game.id,
        "settings": game.settings,
        "tables": game.variant.tables,
        "seed": row["seed"],
        "agents": row["agents"],
        "moves": texts,
        "returns": game.returns(states)[0].tolist(),
    }


def folder_of_series(folder: Path | Place, match: str | None) -> Path | Place:
    """Return the folder with the games: the folder itself, or the folder of a match of a league."""
    if not (folder / "league.json").exists():
        if not (folder / "games.parquet").exists():
            raise ResultsError(f"{folder}: holds no games of `stardeck advantage` or `stardeck league`")
        if match is not None:
            raise ResultsError(f"match={shown(match)}: {folder} is not a league")
        return folder
    try:
        rows = parse_json(read_file(folder / "league.json"))["cross_table"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ResultsError(f"{folder / 'league.json'}: cannot be read ({reason(error)})") from error
    found = [] if match is None else [name for name in match.split(" vs ") if name != BOSS]
    if not found or not (folder_of(folder, found) / "games.parquet").exists():
        some = " vs ".join(sorted(rows[0]["agents"])) if rows else "rules vs simple"
        raise ResultsError(f"match={shown(match)}: must name one of {folder}, such as {some!r}")
    return folder_of(folder, found)


def _rows(path):
    with open_file(path) as opened, pq.ParquetFile(opened) as file:
        return file.metadata.num_rows


def _row(kind: type[Store], path, number, seats) -> dict[str, Any] | None:
    """Return the row of a game in a file of this kind, checked; None if it is not in the file."""
    wanted = number
    try:
        with open_file(path) as opened, pq.ParquetFile(opened, page_checksum_verification=True) as file:
            for group in range(file.metadata.num_row_groups):
                length = file.metadata.row_group(group).num_rows
                if number < length:
                    rows = kind.checked(path, file.read_row_group(group).take([number]), seats)
                    if rows["index"][0].as_py() != wanted:
                        raise misnamed(path)
                    return rows.to_pylist()[0]
                number -= length
    except ResultsError:
        raise
    except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
        raise ResultsError(f"{path}: is not a whole file of results") from error
    return None


def _moves(path, written, number, seats) -> dict[str, Any] | None:
    """Return the moves of a game, or None if they were not collected. Raises ResultsError for moves of other games."""
    if not path.exists():
        return None
    if completed(parse_json(metadata_of(path)[KEY])) != written:
        raise ResultsError(f"{path}: holds another series than games.parquet in this folder")
    return _row(MovesStore, path, number, seats)


def _play_again(folder, game: Game, written, number) -> np.ndarray:
    """Return the actions of a game, played again by its agents if their names find them."""
    names = [identity.partition(" (")[0] for identity in written["agents"]]
    try:
        found = [players.get(name, game) for name in names if not mentions_remote(name)]  # a file starts no program
    except ValueError:
        found = []
    if [identity_of(agent) for agent in found] != written["agents"]:
        agents = ", ".join(written["agents"])
        hint = "repeat the command of the folder with --collect moves to collect them"
        raise ResultsError(f"{folder}: has no moves of game {number}, and {agents} cannot be found by name; {hint}")
    series = Series(game, names, written["seed"], by_side="sprt" in written, record_actions=True)
    return series.play(number, number + 1).actions
