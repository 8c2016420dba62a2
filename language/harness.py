"""Series of games between a language model at a chat endpoint and agents of the package.

The folder gets `run.json` (the identity of the run), `messages/` (every message, a file for each game), `games.jsonl`
(a line for each finished game) and `summary.json`. The same call continues an interrupted run: no answered message is
asked again. More opponents and more games extend a run. Games against an opponent go in pairs: the same deal, the model
on each side in turn.

The summary: `variant`, `settings`, `tables`, `model`, `body`, `form`, `fallback`, `renamed`, `seed`, `games`, and

- `opponents`: {agent, games, points, win_rate, low, high} and sums of what the games took, by opponent;
- `agents`: {agent, rating, low, high}, in Elo with 95 % intervals; the first opponent has 0 (ladder.py);
- `total`: the sums over all games. `calls` counts answered requests and `retries` failed ones; `illegal` counts answers
  with an illegal move, `unreadable` those without moves, `rethinks` prompts to think again, `fallbacks` decisions that
  the model was not able to take, and `forced` decisions without a choice, which it was not asked for;
- `cost`: the price of all tokens in the unit of the given prices, or null without prices;
- `unfinished`: {opponent, number, reason}: games that the endpoint did not let finish; `origin` as in other summaries.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.benchmarks.league.matches import BOSS
from stardeck.benchmarks.league.ratings import Comparisons
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.benchmarks.results.compatibility import difference
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import ResultsError
from stardeck.game.agent import Agent
from stardeck.game.game import Game
from stardeck.kernels.errors import shown
from stardeck.kernels.files import read_text
from stardeck.language.endpoint import Endpoint, Message, Reply, Unreachable
from stardeck.language.ladder import panel_matches, standing
from stardeck.language.message_log import MessageLog
from stardeck.language.observation import FORMATS
from stardeck.language.played_game import FALLBACKS, Pairing, PlayedGame, Rules, pairing
from stardeck.language.prompts import Prompting, system_message
from stardeck.language.renamed_cards import CardNames

MOST_FAILURES = 3  # unfinished games in a row after which the rest is not tried
PANEL_SEED = 0  # the ladder of the opponents is the same in every run
Progress = Callable[[int, int], Any]


class Run(NamedTuple):
    """What a run consists of.

    Attributes:
        opponents: Agents to play against; the first has 0 Elo.
        games: Games against each, rounded up to whole pairs.
        seed: Seed of the deals, and of invented names.
        form: The form of the messages.
        fallback: One of FALLBACKS.
        renamed: True gives the cards invented names.
        panel_games: Games of each match of the opponents among themselves.
    """

    opponents: list[str]
    games: int = 20
    seed: int = 0
    form: Prompting = Prompting()
    fallback: str = "random_legal"
    renamed: bool = False
    panel_games: int = 400


class Use(NamedTuple):
    """How a run uses the endpoint; this may change from call to call.

    Attributes:
        parallel: Games that are played at once.
        price_in: Price of a million tokens of prompts; None: unknown.
        price_out: Price of a million tokens of answers; None: unknown.
    """

    parallel: int = 1
    price_in: float | None = None
    price_out: float | None = None


def play_model(
    game: Game, endpoint: Endpoint, run: Run, out: str | Path, use: Use | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """Play the missing games of a run and return its summary.

    Args:
        game: The variant.
        endpoint: The endpoint of the model.
        run: The run.
        out: Folder of the results.
        use: How the endpoint is used.
        progress: Function that is called with the number of finished games and of all games.

    Raises:
        ValueError: An option or an agent is invalid, or the folder holds another run.
        Refused: The endpoint refuses the requests.
        KeyboardInterrupt: The run was stopped. The folder holds everything that was answered until then.
    """
    use, folder = use or Use(), Path(out)
    opponents = _checked(game, endpoint.model, run)
    with only_writer(folder):
        return _Series(game, endpoint, run, opponents, folder).play(use, progress or _silent)


def _silent(done: int, total: int) -> None:
    """Report no progress."""


def _checked(game: Game, model: str, run: Run) -> list[Agent]:
    """Return the opponents. Raises ValueError for an invalid part of a run."""
    if run.form.observation not in FORMATS:
        raise ValueError(f"observation={shown(run.form.observation)}: must be one of {', '.join(FORMATS)}")
    if run.fallback not in FALLBACKS:
        raise ValueError(f"fallback={shown(run.fallback)}: must be one of {', '.join(FALLBACKS)}")
    if run.games < 1:
        raise ValueError(f"games={run.games}: must be at least 1")
    if not 0 <= run.seed < 2**63:
        raise ValueError(f"seed={run.seed}: must be from 0 to {2**63 - 1}")
    found = [players.get(text, game) for text in run.opponents]
    names = [agent.name for agent in found]
    if not found or len(set(names)) < len(names):
        raise ValueError(f"opponents: {', '.join(names) or 'none'}: must be one agent or more, each once")
    if not model or model in (*names, BOSS):
        raise ValueError(f"model {shown(model)}: must be a name that no opponent has")
    return found


class _Series:
    """A run in its folder."""

    def __init__(self, game: Game, endpoint: Endpoint, run: Run, opponents: list[Agent], folder: Path) -> None:
        self._game, self._endpoint, self._run, self._folder = game, endpoint, run, folder
        self._opponents = {agent.name: agent for agent in opponents}
        names = CardNames(game, run.seed if run.renamed else None)
        self._rules = Rules(run.form, run.fallback, names)
        self._identity = self._identified(opponents)
        self._keep_identity()
        sides = len(game.variant.sides)
        count = -(-run.games // sides) * sides
        against = [BOSS] if sides == 1 else list(self._opponents)
        self._wanted = [pairing(game, name, number, run.seed) for name in against for number in range(count)]
        self._results: dict[Pairing, dict[str, Any]] = {}
        self._unfinished: list[dict[str, Any]] = []
        self._stopped, self._files = threading.Event(), threading.Lock()
        self._panel: list[Comparisons] = []

    def _identified(self, opponents: Sequence[Agent]) -> dict[str, Any]:
        game, run = self._game, self._run
        return {
            "variant": game.id,
            "settings": game.settings,
            "tables": game.variant.tables,
            "model": self._endpoint.model,
            "body": self._endpoint.body,
            "identities": {agent.name: identity_of(agent) for agent in opponents},
            "seed": run.seed,
            "form": run.form._asdict(),
            "fallback": run.fallback,
            "renamed": run.renamed,
            "system": system_message(game, run.form, self._rules.names),
        }

    def _keep_identity(self) -> None:
        """Write the identity of the run with all opponents that it has had, or refuse a folder with another one."""
        path = self._folder / "run.json"
        if not path.exists() and (self._folder / "summary.json").exists():
            raise ResultsError(f"{self._folder}: holds other results; choose another folder (--out)")
        held = parse_json(read_text(path)) if path.exists() else self._identity
        opponents, before = self._identity["identities"], held["identities"]
        wanted = {**self._identity, "identities": before | opponents}
        known = {name: before.get(name, identity) for name, identity in opponents.items()}
        if other := difference({**held, "identities": before | known}, json.loads(json.dumps(wanted)), "run"):
            raise ResultsError(f"{self._folder}: holds a run with {other}; choose another folder (--out)")
        write_whole(path, json.dumps(wanted, indent=2) + "\n")

    def play(self, use: Use, progress: Progress) -> dict[str, Any]:
        """Play the missing games, several at once, and return the summary, which is written in any case."""
        made = origin()
        waiting = []
        for wanted in self._wanted:
            log = self._log(wanted)
            if log.result is None:
                waiting.append(wanted)
            else:
                self._results[wanted] = log.result
        agents = list(self._opponents.values())
        self._panel = panel_matches(self._game, agents, self._run.panel_games, PANEL_SEED, self._folder / "panel")
        record.warm_up(self._game, agents)
        progress(len(self._results), len(self._wanted))
        try:
            self._play_all(waiting, use.parallel, progress)
        finally:
            summary = self._write(use, made)
        return summary

    def _play_all(self, waiting: list[Pairing], parallel: int, progress: Progress) -> None:
        """Play games until all are over, or the endpoint has failed too often in a row."""
        failures, left, pool = 0, iter(waiting), ThreadPoolExecutor(parallel)
        try:
            running = {pool.submit(self._play, wanted): wanted for wanted in islice(left, parallel)}
            while running:
                for finished in _ended(running):
                    failures = 0 if finished else failures + 1
                    progress(len(self._results), len(self._wanted))
                if failures >= MOST_FAILURES:
                    self._unfinished += [_unfinished(wanted, "not tried after these failures") for wanted in left]
                for wanted in islice(left, parallel - len(running)):
                    running[pool.submit(self._play, wanted)] = wanted
        finally:
            self._stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            with self._files:
                pass  # a write that is under way ends

    def _play(self, wanted: Pairing) -> bool:
        """Play one game; return false if the endpoint did not let it finish."""
        opponent = self._opponents.get(wanted.opponent) or next(iter(self._opponents.values()))
        try:
            played = PlayedGame(self._game, wanted, opponent, self._rules, self._log(wanted))
            self._results[wanted] = played.play(self._ask)
        except Unreachable as error:
            self._unfinished.append(_unfinished(wanted, str(error)))
            return False
        return True

    def _ask(self, messages: Sequence[Message]) -> Reply:
        """Return the answer of the model, unless the run has been stopped."""
        return self._endpoint.ask(messages, self._stopped)

    def _log(self, wanted: Pairing) -> MessageLog:
        name = re.sub(r"[^\w.-]+", "_", wanted.opponent)
        return MessageLog(self._folder / "messages" / f"{name}-{wanted.number:05d}.jsonl", self._writing)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Keep the folder as it is once the run has stopped: another process may then write there."""
        with self._files:
            if self._stopped.is_set():
                raise Unreachable("the run was stopped")
            yield

    def _write(self, use: Use, made: dict[str, str]) -> dict[str, Any]:
        results = [self._results[wanted] for wanted in self._wanted if wanted in self._results]
        write_whole(self._folder / "games.jsonl", "".join(json.dumps(result) + "\n" for result in results))
        run, names = self._run, list(self._opponents)
        identity = {key: value for key, value in self._identity.items() if key != "system"}
        summary = {
            **identity,
            "identities": [*self._identity["identities"].values(), self._endpoint.model],
            "games": len(results),
            **standing(self._game, self._endpoint.model, names, results, self._panel, run.seed),
            "unfinished": sorted(self._unfinished, key=lambda one: (one["opponent"], one["number"])),
            "origin": made,
        }
        summary["cost"] = _cost(summary["total"], use)
        write_whole(self._folder / "summary.json", json.dumps(summary, indent=2) + "\n")
        return summary


def _ended(running: dict[Future[bool], Pairing]) -> Iterator[bool]:
    """Wait for one or more of the running games, take them out, and yield whether each is finished."""
    for future in wait(running, return_when=FIRST_COMPLETED).done:
        del running[future]
        yield future.result()


def _unfinished(wanted: Pairing, reason: str) -> dict[str, Any]:
    return {"opponent": wanted.opponent, "number": wanted.number, "reason": reason}


def _cost(total: dict[str, Any], use: Use) -> float | None:
    """Return the price of all tokens; None without prices."""
    if use.price_in is None or use.price_out is None:
        return None
    return round((total["tokens_in"] * use.price_in + total["tokens_out"] * use.price_out) / 1e6, 6)
