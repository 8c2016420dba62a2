"""Entry points for the output of other programs: special files, escape codes, other dtypes, headers, links.

An entry point makes one attempt, like those of `library`.
"""

import json
import os
import struct
import unicodedata
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from starlette.testclient import TestClient

from attack.commands import Refused, command
from attack.inputs import plain
from attack.library import game
from attack.playing import Broken
from helpers import a_network, scaled
from stardeck import agents
from stardeck.kernels.errors import shown

GAMES = scaled(60, 2)
CODES = ("\x1b[31m", "\x1b]0;title\x07", "\x9b2J", "\b\b\b", "\r", "\x00", "\u202e", "\x7f", "\u2028", "\x85")
LONGEST_LINE = 4000  # in a log


def special_files(rng, folder):
    """Try pipes, devices, folders and circular links where a command reads a file."""
    path = Path(folder, f"special{rng.randrange(10**9)}{rng.choice(('', '.jsonl', '.py', '.safetensors', '.toml'))}")
    kind = rng.choice(("pipe", "/dev/zero", "/dev/random", "folder", "circle"))
    given = rng.choice(
        (
            ["scenario", path],
            ["replay", path],
            ["import-log", path],
            ["advantage", "star_realms", "--agents", f"rules:values={path}", "--games", "2"],
            ["advantage", "star_realms", "--agents", path, "--games", "2"],
            ["cards", "star_realms", "--cards", path],
        )
    )

    def call():
        if kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        else:
            path.symlink_to(path if kind == "circle" else kind)
        command(*given)
        raise Broken(f"{kind} was read")

    return f"{kind}: {shown(list(map(str, given)))}", call


def escape_codes(rng, folder):
    """Try control characters in the texts of files that a command prints."""
    text = f"a{rng.choice(CODES)}b"
    record = {
        "variant": "star_realms/core/standard/2", "settings": game(0).settings, "tables": game(0).variant.tables,
        "seed": 1, "agents": [text, "b"], "moves": [], "returns": [0.0, 0.0],
    }  # fmt: skip
    if rng.random() < 0.5:
        record[rng.choice(("variant", "tables"))] = text
    if rng.random() < 0.3:
        record["settings"] = {text: text}
    path = Path(folder, "codes.json")
    kind, content = rng.choice((("replay", json.dumps(record)), ("scenario", json.dumps([_scenario(rng, text)]))))

    def call():
        path.write_text(content)
        try:
            printed = command(kind, path)
        except Refused as refusal:
            _check_harmless(str(refusal))
            raise
        _check_harmless(printed)

    return f"{kind} {text!r}", call


def _scenario(rng, text):
    scenario = {"name": text, "game": "star_realms", "seed": 1, "moves": [], "expect": {}}
    if rng.random() < 0.7:
        scenario[rng.choice(("game", "moves", "expect", "seed", "x"))] = rng.choice((text, [text], {text: text}))
    return scenario


def _check_harmless(printed):
    """Raise Broken for text that a terminal would interpret."""
    obeyed = {each for each in printed if unicodedata.category(each) == "Cc" and each not in "\n\t"}
    if obeyed:
        raise Broken(f"{obeyed} reach the terminal")


DTYPES = {"F64": 64, "F32": 32, "F16": 16, "BF16": 16, "F8_E4M3": 8, "F8_E5M2": 8, "F4": 4, "C64": 64, "I64": 64,
          "I32": 32, "U8": 8, "BOOL": 8, "x": 8}  # fmt: skip
LAYOUTS = (
    "[" * 50_000, '{"cards": 1e999}', '{"cards": "x", "fields": [["a", 1e999, 1]], "actions": []}',
    '{"cards": "x", "fields": [["a", 1, 1e999]], "actions": []}', "null", "", '{"cards": "x", "fields": 3}',
)  # fmt: skip


def dtypes(rng, folder):
    """Try agent files that their format allows, with numbers and layouts of any kind."""
    path, network = Path(folder, "dtypes.safetensors"), a_network(game(0))
    header, data = {}, b""
    layers = (("layer.0", network.layers[0]), ("policy", network.policy), ("value", network.value))
    one = rng.choice(list(DTYPES))
    for name, layer in layers:
        for part, array in zip(("weight", "bias"), layer, strict=True):
            dtype = one if rng.random() < 0.8 else rng.choice(list(DTYPES))
            size = int(np.prod(array.shape)) * DTYPES[dtype] // 8
            header[f"{name}.{part}"] = {
                "dtype": dtype, "shape": list(array.shape), "data_offsets": [len(data), len(data) + size]
            }  # fmt: skip
            data += rng.randbytes(size) if rng.random() < 0.3 else bytes(size)
    header["__metadata__"] = {"format": "stardeck network 1", "spaces": network.spaces}
    if rng.random() < 0.5:
        header["__metadata__"]["layout"] = rng.choice(LAYOUTS)
    text = json.dumps(header).encode()

    def call():
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)
        agents.get(str(path), game(0)).check(game(0))

    return f"{one}: {header['__metadata__'].get('layout', 'no layout')[:80]}", call


_COLUMNS = {
    "winner": [[99], [-1], [0, 0], [1, 0], [2**31 - 1]], "first": [2, -1, 99], "placements": [[0, 1], [1, 4], [1], []],
    "turns": [-1, -(2**31)], "decisions": [-1], "scenarios": [[2], [-2]], "agents": [[], ["x"], ["x"] * 3],
}  # fmt: skip


def values_of_results(rng, folder):
    """Try results rewritten by another program, with a value that no game can have."""
    good = Path(folder, f"values{rng.randrange(10**9)}")
    column = rng.choice(list(_COLUMNS))
    value = rng.choice(_COLUMNS[column])
    series = ("advantage", "star_realms", "--agents", "simple", "--max-turns", scaled(500, 3), "--out", good, "--games")

    def call():
        command(*series, GAMES)
        path = good / "games.parquet"
        table = pq.read_table(path)
        metadata = {key: text for key, text in table.schema.metadata.items() if key != b"stardeck.sums"}
        values = table[column].to_pylist()
        values[rng.randrange(GAMES)] = value
        field = table.schema.field(column)
        table = table.set_column(table.column_names.index(column), field, pa.array(values, field.type))
        pq.write_table(table.replace_schema_metadata(metadata), path, write_page_checksum=True)
        command(*series, GAMES)
        raise Broken("taken for results")

    return f"{column}={value}", call


_HEADERS = ("[", "]", "http://[", "[::1", "a b", "%00", "localhost:x", "localhost:99999", "é", "", "//", "@", "\x7f")
_PATHS = ("/static/%00", "/%00", "/games/%00/0", "/results/%00", "/api/pictures/%00/x", "/replays/%ff", "/static/..%2f",
          "/results/..%2f..%2fetc", "/api/pictures/../../x", "/games/x/0", "/api/games/x/-1", "//", "/%5b")  # fmt: skip


def requests(rng, folder):
    """Try requests with any headers, paths and settings: answers stay below 500, and other files stay private."""
    from stardeck.web.app import app_for

    headers = {rng.choice(("host", "origin", "referer", "authorization")): rng.choice(_HEADERS)}
    method, path = rng.choice(("GET", "POST", "PUT", "HEAD")), rng.choice((*_PATHS, "/", "/api/games", "/results"))
    name = rng.choice(("device", "x", "players", "set", "self", "name"))
    body = {"game": "star_realms", "settings": {name: plain(rng)}, "seats": ["person", "person"]}

    def call():
        results = Path(folder, "results")
        (results / "match").mkdir(parents=True, exist_ok=True)
        secret, link = Path(folder, "secret.png"), results / "match" / "link.png"
        secret.write_bytes(b"secret")
        if not link.is_symlink():
            link.symlink_to(secret)
        sent = {key: value.encode("latin-1") for key, value in headers.items()}
        with TestClient(
            app_for(folder, measured=results), base_url="http://localhost", raise_server_exceptions=False
        ) as client:
            answers = [
                client.request(method, path, headers=sent),
                client.get("/api/pictures/match/link.png"),
                client.post("/api/games", json=body),
            ]
        for answer in answers:
            if answer.status_code >= 500 or answer.content == b"secret":
                raise Broken(f"{answer.status_code}: {answer.content[:100]!r}")
        if answers[0].status_code >= 400:
            raise Refused(f"answered with {answers[0].status_code}")

    return f"{method} {path} {headers} {shown(body['settings'])}", call


def slow_texts(rng, folder):
    """Try logs whose lines would restart a search at every place."""
    path = Path(folder, "slow.txt")
    piece = rng.choice((" > ", " < ", "> >", "<color=#", "=== ", " - -", " \t", "P > C +1 "))
    line = piece * rng.choice((100, LONGEST_LINE // len(piece), LONGEST_LINE, 50 * LONGEST_LINE))

    def call():
        path.write_text(f"Play all\n{line}\nAnn ends turn 1\n")
        command("import-log", path)
        if len(line) > LONGEST_LINE:
            raise Broken(f"a line of {len(line)} characters was read")

    return f"{len(line)} characters of {piece!r}", call


DOORS = {
    each.__name__.replace("_", " "): each
    for each in (special_files, escape_codes, dtypes, values_of_results, requests, slow_texts)
}
