"""Results behind a URL: written by the nodes themselves, with the same bytes as in a local folder."""

import json
import time
import urllib.request

import pytest
from moto.server import ThreadedMotoServer
from pyarrow import fs

from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.results import artifacts, folder_lock
from stardeck.benchmarks.results.event_store import FILE
from stardeck.benchmarks.results.filesystems import Place, PlaceError, place
from stardeck.benchmarks.results.folder_lock import FolderError, only_writer
from stardeck.benchmarks.results.store import ResultsError, part_name

SERIES = {
    "game": "star_realms",
    "agents": ["simple", "rules"],
    "games": 20_000,
    "seed": 3,
    "collect": ["moves", "events"],
}


def cut(games):
    """Return the games of each file of events."""
    return [(start, min(start + FILE, games)) for start in range(0, games, FILE)]


FILES = ("games.parquet", "moves.parquet", *(f"events/{part_name(*games)}" for games in cut(SERIES["games"])))


@pytest.fixture(scope="module")
def s3():
    """Return the address of a server that speaks S3, with a bucket."""
    server = ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    options = f"endpoint_override={host}:{port}&scheme=http&region=us-east-1"
    urllib.request.urlopen(urllib.request.Request(f"http://{host}:{port}/bucket", method="PUT"))
    yield lambda folder: f"s3://bucket/{folder}?{options}"
    server.stop()


@pytest.fixture(params=["file", "s3"])
def url(request, tmp_path):
    """Return a folder behind a URL of each kind."""
    if request.param == "file":
        return f"file://{tmp_path}/shared"
    return request.getfixturevalue("s3")(f"{tmp_path.name}/out")


@pytest.fixture(scope="module")
def on_threads(tmp_path_factory):
    folder = tmp_path_factory.mktemp("threads")
    advantage(**SERIES, out=folder)
    return {name: (folder / name).read_bytes() for name in FILES}


def content(url):
    found = {}
    for name in FILES:
        with (place(url) / name).open() as file:
            found[name] = file.read()
    return found


def listed(url):
    files, path = fs.FileSystem.from_uri(url)
    found = files.get_file_info(fs.FileSelector(path, recursive=True))
    return {info.base_name for info in found if info.is_file}


def test_nodes_write_their_parts_themselves_and_the_driver_joins_them(cluster, url, on_threads, monkeypatch):
    def not_here(*_):
        raise AssertionError("a stretch came to the driver")

    monkeypatch.setattr(artifacts.SeriesStore, "add", not_here)
    summary = advantage(**SERIES, out=url, on="ray")
    assert content(url) == on_threads
    assert listed(url) == {*(name.rpartition("/")[2] for name in FILES), "summary.json", "advantage.png"}
    assert json.loads((place(url) / "summary.json").read_text()) == summary


def test_what_was_broken_off_is_gone_on_with(cluster, url, on_threads):
    def stop(done, games):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        advantage(**SERIES, out=url, on="ray", progress=stop)
    started = []
    advantage(**SERIES, out=url, progress=lambda done, games: started.append(done))
    assert 0 < started[0] < SERIES["games"] and content(url) == on_threads
    with pytest.raises(ResultsError, match="seed 3, not 4; choose another folder"):
        advantage(**SERIES | {"seed": 4}, out=url)


def test_a_league_has_its_folder_there_too(url):
    first, second = (league("interstellar_empire", ["simple", "random"], games, out=url) for games in (20, 40))
    assert (first["games"], second["games"]) == (20, 40)
    assert {"games.parquet", "league.json", "league.png", "pool.json"} <= listed(url)


def test_a_second_writer_is_refused_until_the_first_is_gone(url, monkeypatch):
    monkeypatch.setattr(folder_lock, "SETTLED", 0.0)
    with only_writer(url):
        with (
            pytest.raises(FolderError, match="process .* is writing to it since 20.* where it was killed"),
            only_writer(url),
        ):
            pass
        monkeypatch.setattr(folder_lock, "STALE", 0.05)  # as if it had been killed
        time.sleep(0.1)
        with only_writer(url):
            pass
    with only_writer(url):
        assert listed(url) == {folder_lock.WRITER}
    assert not listed(url)


def test_a_marker_is_renewed(url, monkeypatch):
    monkeypatch.setattr(folder_lock, "RENEWED", 0.05)
    with only_writer(url):
        seen = {json.loads((place(url) / folder_lock.WRITER).read_text())["seen"], time.sleep(0.5)}
        assert json.loads((place(url) / folder_lock.WRITER).read_text())["seen"] > max(filter(None, seen))


def test_every_marker_is_as_long_as_that_before_it(url, monkeypatch):
    """The length and the bytes of an object are two requests, and the marker may be renewed between them."""
    monkeypatch.setattr(folder_lock, "SETTLED", 0.0)
    lengths = set()
    for command in ("stardeck", "\N{ROCKET}" * 500):
        monkeypatch.setattr(folder_lock, "command", lambda command=command: command)
        for now in (1.0, 1.0000001):
            monkeypatch.setattr(folder_lock.time, "time", lambda now=now: now)
            with only_writer(url):
                lengths.add(len((place(url) / folder_lock.WRITER).read_text()))
    assert len(lengths) == 1


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("cloud://bucket/folder", "cannot be opened"),
        ("http://host/folder", "cannot be opened"),
        ("s3://", "must name a folder"),
    ],
)
def test_a_url_of_no_place_is_named(wrong, why):
    with pytest.raises(PlaceError, match=f"'{wrong}': {why}"):
        advantage("star_realms", "simple", 2, out=wrong)


def test_paths_stay_paths(tmp_path):
    assert place(tmp_path) == tmp_path and place("a:b") and not isinstance(place("results/a"), Place)
