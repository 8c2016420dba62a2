"""Chunks of games on a Ray cluster: tasks of several seconds each, on every core or GPU that the cluster has then.

A task of a series with device "cuda" asks for a GPU, and Ray sets CUDA_VISIBLE_DEVICES for it. Its process is kept for
later tasks, so it compiles once.

A series is sent once, by content: its game with custom tables, its agents with their weights, and the code of agents of
your own. Each process of the cluster builds the series once. The first process of a node compiles, and others wait.

If a process or node is lost, Ray plays its chunk again. An error of an agent ends the run. Only chunks that the driver
has received count, each of them once.
"""

import hashlib
import logging
import math
import os
import platform
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import ray
from ray import cloudpickle, exceptions

import stardeck
from stardeck.agents.identity import is_library
from stardeck.game.catalogue import GAMES
from stardeck.game.cores import available_cores
from stardeck.game.user_code import module_named
from stardeck.kernels.errors import cut, said, shown

SECONDS = 10.0  # duration of a chunk: much longer than sending it, and short enough to lose
FIRST = 8  # games of the first chunk of agents that decide in Python
FASTER = 8  # a chunk is at most this many times longer than the one before
RETRIES = 5  # of a chunk whose process or node was lost
SERIES = 32  # series that a cluster holds at once; the oldest ones leave first
SPARE = 1.25  # running chunks for each core or GPU, so none waits for the driver
LOOK = 2.0  # seconds between two counts of the cores and GPUs of the cluster
PLAYING_FOLDERS = ("kernels", "game", "agents", "envs", "benchmarks", "training")  # that games depend on


class ClusterError(ValueError):
    """Games cannot be played on the cluster; the message says why."""


class RayExecutor:
    """An executor that plays chunks as tasks of Ray (see `Executor`).

    Args:
        address: None for the Ray of this machine, which is joined or started, or that of RAY_ADDRESS; else
            ray://host:port.
        workers: Number of tasks at once, by default as many as the cluster has cores, or GPUs for series on GPUs.
    """

    away = True

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address, self._workers = address, workers
        self._pace: dict[int, tuple[float, int]] = {}  # id of a series -> (seconds a game, games of the last chunk)
        self._resources, self._looked = {"CPU": 1.0}, -math.inf
        self._sent: dict[int, tuple[Any, tuple[str, list[Any], str]]] | None = None  # by id; it keeps the series alive

    def warm_up(self, series: Any) -> None:
        """Do nothing: each node compiles for itself."""

    def size(self, series: Any, left: int) -> int:
        """Return the number of games that take some seconds, judged by the last chunk; fewer near the end of the run.

        Longer chunks are whole multiples of the number of games between two looks at the clock.
        """
        if id(series) not in self._pace:
            return series.chunk if series.compiled else FIRST
        seconds, last = self._pace[id(series)]
        wanted = max(1, int(min(SECONDS / seconds, FASTER * last, left / (2 * self._room(series)))))
        if series.compiled:
            wanted = max(wanted, series.chunk)
        return wanted - wanted % series.chunk if wanted > series.chunk else wanted

    def run(self, stretches: Iterable[tuple[Any, int, int]]) -> Generator[tuple[Any, Any]]:
        """Play chunks (series, start, stop); closing the generator ends their tasks. Raises ClusterError."""
        with self.connected():
            yield from self._run(stretches)

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Connect with the cluster, which keeps all series until the end of the context. Raises ClusterError."""
        if self._sent is not None:
            yield
            return
        with _connected(self._address, self._workers):
            self._sent = {}
            try:
                yield
            finally:
                self._sent = None

    def _run(self, stretches):
        pending: dict[Any, tuple[Any, int, int]] = {}
        tasks: dict[str, Any] = {}  # resource -> the task that asks for it
        try:
            for series, start, stop in stretches:
                resource = _resource(series)
                play = tasks[resource] = tasks.get(resource) or self._task(resource)
                pending[play.remote(*self._held(series), _code(), start, stop)] = series, start, stop
                while len(pending) > self._room(series):
                    yield from self._finished(pending)
            while pending:
                yield from self._finished(pending)
        finally:
            for task in pending:
                with suppress(Exception):  # the task has ended, or the cluster is gone
                    ray.cancel(task, force=True)

    def _task(self, resource):
        """Return the task that plays a chunk on a core or a GPU, with what it asks of Ray."""
        asked = {"max_retries": RETRIES, "retry_exceptions": False, "num_cpus": 1}
        if resource == "GPU":
            if not self._count("GPU"):
                raise ClusterError("device='cuda': the Ray cluster has no GPU; add one, or use device='cpu'")
            asked |= {"num_gpus": 1, "max_calls": 0}  # by default, Ray ends the process of a task with a GPU
        return ray.remote(**asked)(_play)

    def _held(self, series):
        """Return the reference to a series in the cluster; it is sent there first."""
        if id(series) not in self._sent:
            if len(self._sent) >= SERIES:
                self._pace.pop(first := next(iter(self._sent)), None)
                del self._sent[first]
            self._sent[id(series)] = series, _sent(series)
        return self._sent[id(series)][1]

    def _room(self, series):
        """Return the number of chunks of a series that may run at once; it grows when a node joins."""
        return self._workers or math.ceil(SPARE * max(1, self._count(_resource(series))))

    def _count(self, resource):
        """Return the number of cores or GPUs of the cluster."""
        if time.monotonic() - self._looked > LOOK:
            self._resources = ray.cluster_resources() if ray.is_initialized() else self._resources
            self._looked = time.monotonic()
        return int(self._resources.get(resource, 0))

    def _finished(self, pending):
        """Wait for one of the running chunks, and take it out."""
        (task, *_), _ = ray.wait(list(pending), num_returns=1)
        series, start, stop = pending.pop(task)
        chunk, seconds = _received(task, start, stop)
        self._pace[id(series)] = max(seconds, 1e-6) / (stop - start), stop - start
        yield series, chunk


def _resource(series):
    """Return the resource of Ray that a chunk of a series takes: "CPU" or "GPU"."""
    return "GPU" if getattr(series, "device", "cpu") == "cuda" else "CPU"


def _received(task, start, stop):
    """Return the chunk that a task has played. Errors of agents are raised as they were there."""
    try:
        return ray.get(task)
    except exceptions.RayTaskError as error:
        if isinstance(error.cause, ValueError):
            raise error.cause from None
        reason = f"{type(error.cause).__name__}: {cut(said(error.cause))}"
        raise ClusterError(f"games {start} to {stop - 1} cannot be played on the cluster: {reason}") from error
    except exceptions.RayError as error:
        lost = f"games {start} to {stop - 1} were lost {RETRIES + 1} times with the process or node that played them"
        raise ClusterError(f"{lost}: {cut(said(error))}; the same command continues from finished chunks") from error


@contextmanager
def _connected(address, workers):
    """Connect with the cluster. A connection that exists already stays open."""
    if ray.is_initialized():
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage statistics
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address or os.environ.get("RAY_ADDRESS"):
            ray.init(address, **quiet)
        else:
            _join_or_start(workers, quiet)
    except Exception as error:
        where = address or os.environ.get("RAY_ADDRESS") or "this machine"
        raise ClusterError(f"on: the Ray cluster of {where} cannot be reached ({cut(said(error))})") from error
    try:
        yield
    finally:
        ray.shutdown()


def _join_or_start(workers, quiet):
    try:
        ray.init("auto", **quiet)
    except ConnectionError:
        ray.init(num_cpus=workers or available_cores(), include_dashboard=False, **quiet)


# Sending a series


def _sent(series):
    """Return a series by content, for tasks: (hash, [reference to it]).

    The reference is in a list, so Ray fetches the series only where a task needs it.
    """
    with _own_modules_by_value():
        for agent in series.agents:
            _content(agent)
        content = _content(series)
    return hashlib.sha256(content).hexdigest(), [ray.put(content)], _game_code(series.game)


def _content(value):
    try:
        return cloudpickle.dumps(value)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an agent of the user may raise anything
        other = "play on this machine (--on local), or give it a `__reduce__` that rebuilds it"
        name = shown(getattr(value, "name", value))
        raise ClusterError(f"agent {name}: cannot be sent to other machines ({cut(said(error))}); {other}") from error


@contextmanager
def _own_modules_by_value():
    """Pickle code of the user's own files by value, for nodes do not have these files."""
    own = [module for name, module in list(sys.modules.items()) if _is_own(name, module)]
    registered = set(cloudpickle.list_registry_pickle_by_value())
    added = [module for module in own if module.__name__ not in registered]
    for module in added:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in added:
            cloudpickle.unregister_pickle_by_value(module)


def _is_own(name, module):
    is_file = getattr(module, "__file__", None) is not None and getattr(module, "__name__", None) == name
    return is_file and name != "__main__" and not is_library(name)


@cache
def _code() -> str:
    """Return the version, and a hash of all files that games depend on."""
    root = Path(stardeck.__file__).parent
    paths = [path for folder in PLAYING_FOLDERS for path in (root / folder).rglob("*")]
    return f"{stardeck.__version__} ({_hash_of(paths, root)})"


def _game_code(game):
    """Return a hash of the files that an outside game may depend on; "" for a game of the package.

    They are the modules of its package, or the modules in the folder of its file.
    """
    source = GAMES[game.variant.game].source
    if not source:
        return ""
    if source.endswith(".py"):
        folder = Path(source).parent
        return _hash_of(folder.glob("*.py"), folder)
    top = module_named(source.partition(".")[0])
    if not hasattr(top, "__path__"):
        return _hash_of([Path(top.__file__)], Path(top.__file__).parent)
    return " ".join(_hash_of(Path(folder).rglob("*.py"), folder) for folder in top.__path__)


def _hash_of(paths, root):
    digest = hashlib.sha256()
    for path in sorted(paths):
        if path.suffix in (".py", ".toml") and path.is_file():
            digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


# Running on a node


def _play(content, held, game_code, code, start, stop):
    """Play games [start, stop) of a series as a task; return their chunk and the seconds that they took."""
    if code != _code():
        node = f"node {platform.node()} has stardeck {_code()}"
        raise ClusterError(f"{node}, the driver {code}: install the same on all")
    series = _series(content, held[0], game_code)
    began = time.perf_counter()
    chunk = series.play_away(start, stop)
    return chunk, time.perf_counter() - began


@lru_cache(maxsize=SERIES)
def _series(content, held, game_code):
    """Build the series of a task, once in each process, and compile it before the clock starts."""
    series = cloudpickle.loads(ray.get(held))
    if _game_code(series.game) != game_code:
        differs = f"node {platform.node()} has other files of the game {series.game.variant.game} than the driver"
        raise ClusterError(f"{differs}: install the same on all")
    series.warm_up()
    return series
