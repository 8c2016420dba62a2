"""Agreement of agents with the players of a folder of games, by kind of decision.

Chess programs that imitate people are measured in the same way: by move-matching accuracy, and by the likelihood of the
players' moves. (McIlroy-Young, Sen, Kleinberg, Anderson: Aligning superhuman AI with human behavior, 2020)

Decisions of one game resemble each other, so intervals come from a bootstrap over games.
"""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from stardeck import agents as players_by_name
from stardeck.agents.identity import identity_of
from stardeck.agents.kinds import AgentKind
from stardeck.agents.search.advice import policies
from stardeck.benchmarks import plots
from stardeck.benchmarks.agreement.games import LeftOut, PlayedGame, choices_of, files_of, read_games
from stardeck.benchmarks.arena.options import split_options
from stardeck.benchmarks.progress import Wanted, progress_of_call
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.kinds import kind_of
from stardeck.benchmarks.results.provenance import origin
from stardeck.benchmarks.results.store import last_summary
from stardeck.game.agent import Agent, AgentLike, States, decisions
from stardeck.game.game import Game
from stardeck.game.registry import make
from stardeck.kernels.errors import shown
from stardeck.kernels.loops import playouts

KIND = "agreement with players"
ALL = "all"  # name of the row of all decisions
ASKED = 25  # times that an agent without a policy is asked for each decision
MOST_ASKED = 10_000
SMOOTHING = 0.1  # share of its likelihood that such an agent gives to all legal actions evenly
LEAST = 1e-6  # a smaller probability counts as this one
RESAMPLES = 2_000
REASONS = 3  # that an error names
AT_ONCE = 1_000_000  # most numbers of resamples in memory at once


class AgreementOptions(TypedDict, total=False):
    """Options of `agreement`.

    Attributes:
        of: Names of the players whose decisions count; by default all.
        exclude: Names of players whose decisions do not count, such as those of a program.
        asked: Times that an agent without a policy is asked for each decision, by default 25.
        progress: Function that is called as `progress(done, files, note)`. None shows a bar on a terminal and lines in
            a notebook, True shows lines elsewhere too, False shows nothing.
    """

    of: Collection[str] | None
    exclude: Collection[str]
    asked: int
    progress: Wanted


class Compared(NamedTuple):
    """Decisions of one game, compared with an agent's."""

    agreed: NDArray[np.float64]  # [n]: probability that the agent takes the player's action
    likelihood: NDArray[np.float64]  # [n]: natural logarithm of the probability under its policy


@overload
def agreement(
    game: str, folder: str | Path, agents: AgentLike | Sequence[AgentLike] = "rules", out: str | Path | None = None,
    **options: Unpack[AgreementOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def agreement(
    game: str, folder: str | Path, agents: AgentLike | Sequence[AgentLike] = "rules", out: str | Path | None = None,
    **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def agreement(
    game: str, folder: str | Path, agents: AgentLike | Sequence[AgentLike] = "rules", out: str | Path | None = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Measure how often agents choose as the players of a folder of games did.

    Forced decisions are left out. Cards that can be played in any order with the same result are one choice
    (`Game.play_all`), because logs do not give that order. An agent decides in the positions of the games, from what
    the player could know.

    A network has its policy, and a search the policy that it recommends. Any other agent is asked several times: its
    policy is how often it takes an action, with a weight of 0.9, and a uniform choice with the rest. `random` has the
    uniform policy. A probability below 1e-6 counts as 1e-6.

    Args:
        game: Name of the game.
        folder: Folder with text logs of the Star Realms app and recorded games (`*.jsonl`), also in folders of it.
        agents: An agent or several.
        out: Folder that gets `summary.json` and `agreement.png`; None writes nothing.
        **options: Options of `AgreementOptions`, and settings of the game. A file counts if its game has the
            observations and actions of this variant.

    Returns:
        The summary. `agents` [{agent, kinds}] has a row for all decisions and for each kind: {kind, decisions, games,
        agreement, low, high, by_chance, log_likelihood, log_likelihood_low, log_likelihood_high, perplexity,
        perplexity_by_chance}. Bounds enclose 95 % and are None with fewer than two games. `by_chance` is what a uniform
        choice among the legal actions reaches. `left_out` and `contradicted` [{file, reason}] name the files that do
        not count, and those that contradict the rules and count as far as they can be followed.

    Raises:
        ValueError: An option or a setting is impossible, or no game of the folder counts; the message gives the
            first reasons.
    """
    given, settings = split_options("agreement", game, options, AgreementOptions.__optional_keys__)
    asked = given.get("asked", ASKED)
    if type(asked) is not int or not 1 <= asked <= MOST_ASKED:
        raise ValueError(f"asked={shown(asked)}: must be from 1 to {MOST_ASKED:,}")
    of, exclude = (_names(given.get(name), name) for name in ("of", "exclude"))
    wanted = make(game, **settings)
    _check_free(out)
    measured = _Agreement(wanted, agents, asked)
    files = files_of(folder)
    try:
        with progress_of_call(given.get("progress"), "files") as report:
            for number, path in enumerate(files):
                name = path.relative_to(folder_here(folder)).as_posix()
                for played in read_games(path, name, wanted):
                    measured.add(played, of, exclude or ())
                report(number + 1, len(files), "")
    except KeyboardInterrupt:
        if out and measured.games:
            measured.left_out += [LeftOut(str(path), "interrupted") for path in files[number:]]
            _write(measured.summary(), out)
        raise
    summary = measured.summary()
    if out:
        _write(summary, out)
    return summary


def _names(given, option):
    """Return names of players, or None. A text would be searched for names within it. Raises ValueError."""
    if given is not None and (isinstance(given, str) or not all(isinstance(name, str) for name in given)):
        raise ValueError(f"{option}={shown(given)}: must be a list of names")
    return given


def _check_free(out):
    """Raise ValueError for a folder with results of another measurement."""
    held = last_summary(folder_here(out) / "summary.json") if out else {}
    if held and kind_of(held) != KIND:
        raise ValueError(f"{out}: holds results of another kind ({kind_of(held)}); choose another folder")


def _write(summary, out):
    path = folder_here(out)
    path.mkdir(parents=True, exist_ok=True)
    write_whole(path / "summary.json", json.dumps(summary, indent=2) + "\n")
    plots.save(plots.agreement(summary), path / "agreement.png")


class _Agreement:
    """Decisions of players, compared with what agents decide."""

    def __init__(self, game: Game, agents: AgentLike | Sequence[AgentLike], asked: int) -> None:
        given = [agents] if isinstance(agents, str) or not isinstance(agents, Sequence) else list(agents)
        if not given:
            raise ValueError("agents: none given; give one or several")
        self._game, self._asked = game, asked
        self._given = [players_by_name.honest(agent) for agent in given]  # hidden cards of a log know the future
        self._agents = {game.id: self._agents_for(game)}
        self._rows: list[tuple[NDArray[Any], ...]] = []  # of a game: numbers of kinds, and `by_chance`
        self._compared: list[list[Compared]] = []  # of a game, by agent
        self._kinds: list[str] = []
        self.left_out: list[LeftOut] = []
        self._met: dict[tuple[Any, ...], str] = {}  # files, by content
        self._contradicted: list[LeftOut] = []
        self._forced = self._guessed = 0

    def _agents_for(self, game) -> list[Agent]:
        return [players_by_name.get(agent, game) for agent in self._given]

    @property
    def games(self) -> int:
        """Number of games that count."""
        return len(self._rows)

    def add(self, played: PlayedGame | LeftOut, of: Collection[str] | None, exclude: Collection[str]) -> None:
        """Compare the decisions of a game.

        Args:
            played: The game, or the reason why there is none.
            of: Names of the players whose decisions count, or None for all.
            exclude: Names of players whose decisions do not count.
        """
        if isinstance(played, LeftOut):
            self.left_out.append(played)
            return
        game, content = played.game, (played.game.id, tuple(played.players), played.actions.tobytes())
        if content in self._met:
            self.left_out.append(LeftOut(played.file, f"is the game of {self._met[content]} again"))
            return
        self._met[content] = played.file
        counts = [(of is None or name in of) and name not in exclude for name in played.players]
        choices = choices_of(played)
        of_players = np.array(counts)[game.to_act(played.states)]
        real = of_players & choices.real
        if not real.any():
            self.left_out.append(LeftOut(played.file, "has no decisions of these players, or forced ones only"))
            return
        states, actions, same = played.states[real], played.actions[real], choices.same[real]
        uniform = same.sum(axis=1) / choices.legal[real].sum(axis=1)
        if game.id not in self._agents:
            self._agents[game.id] = self._agents_for(game)
        compared = [self._compare(game, agent, states, same, uniform) for agent in self._agents[game.id]]
        self._forced += int((of_players & ~real).sum())
        self._guessed += played.guessed
        if played.remark:
            self._contradicted.append(LeftOut(played.file, played.remark))
        kinds = [self._number_of(game.kind(state, action)) for state, action in zip(states, actions, strict=True)]
        self._rows.append((np.array(kinds), uniform))
        self._compared.append(compared)

    def _number_of(self, kind):
        if kind not in self._kinds:
            self._kinds.append(kind)
        return self._kinds.index(kind)

    def _compare(self, game, agent, states, same, uniform) -> Compared:
        """Compare the decisions of a game. same: bool[n, actions]; uniform: their share of the legal actions."""
        seats, numbers, deal = game.to_act(states), states["decisions"], np.uint64(self.games)

        def chance(time):
            pairs = zip(seats, numbers, strict=True)
            one = (playouts.seed_one(np.uint64(time), deal, int(seat), int(number)) for seat, number in pairs)
            return np.fromiter(one, np.uint64, len(seats))

        known = policies(game, states, agent, chance(0))
        if known is not None:
            agreed = same[np.arange(len(same)), known.chosen].astype(float)
            rows = np.repeat(np.arange(len(same)), np.diff(known.offsets))
            likely = np.bincount(rows, known.probabilities * same[rows, known.actions], len(same))
        else:
            agreed = _share_of(game, agent, states, same, [chance(time) for time in range(self._asked)])
            draws = getattr(agent, "kind", None) == AgentKind.RANDOM
            likely = uniform if draws else (1 - SMOOTHING) * agreed + SMOOTHING * uniform
        return Compared(agreed, np.log(np.maximum(likely, LEAST)))

    def summary(self) -> dict[str, Any]:
        """Return the summary. Raises ValueError if no game counts."""
        if not self._rows:
            files: dict[str, str] = {}
            for one in self.left_out:
                files.setdefault(one.reason, one.file)
            first = "; ".join(f"{file}: {reason}" for reason, file in list(files.items())[:REASONS])
            raise ValueError(f"no game counts, {len(self.left_out):,} are left out: {first}")
        of_game = np.repeat(np.arange(self.games), [len(kinds) for kinds, _ in self._rows])
        kinds, uniform = (np.concatenate(parts) for parts in zip(*self._rows, strict=True))
        order = sorted(range(len(self._kinds)), key=lambda kind: -int((kinds == kind).sum()))
        groups = [(ALL, np.ones(len(kinds), bool)), *((self._kinds[kind], kinds == kind) for kind in order)]
        agents = self._agents[self._game.id]
        rows = []
        for number, agent in enumerate(agents):
            parts = [compared[number] for compared in self._compared]
            whole = Compared(*(np.concatenate(each) for each in zip(*parts, strict=True)))
            rows.append({"agent": agent.name, "kinds": [_row(*group, of_game, uniform, whole) for group in groups]})
        return {
            "variant": self._game.id,
            "settings": self._game.settings,
            "tables": self._game.variant.tables,
            "games": self.games,
            "decisions": len(kinds),
            "forced": self._forced,
            "guessed": self._guessed,
            "asked": self._asked,
            "agents": rows,
            "identities": [identity_of(agent) for agent in agents],
            "left_out": [one._asdict() for one in self.left_out],
            "contradicted": [one._asdict() for one in self._contradicted],
            "origin": origin(),
        }


def _share_of(game: Game, agent: Agent, states: States, same, chances) -> NDArray[np.float64]:
    """Return how often an agent chooses as the players did: float64[n]."""
    rows = np.arange(len(same))
    return np.mean([same[rows, decisions(agent, game, states, seeds)] for seeds in chances], axis=0)


def _row(kind, where, of_game, uniform, compared: Compared) -> dict[str, Any]:
    """Return the figures of one kind of decision. where: bool[n], its decisions among all."""
    games, uniform = of_game[where], uniform[where]
    agreed = _estimate(compared.agreed[where], games)
    likely = _estimate(compared.likelihood[where], games)
    return {
        "kind": kind,
        "decisions": len(games),
        "games": len(np.unique(games)),
        "agreement": agreed[0],
        "low": agreed[1],
        "high": agreed[2],
        "by_chance": float(uniform.mean()),
        "log_likelihood": likely[0],
        "log_likelihood_low": likely[1],
        "log_likelihood_high": likely[2],
        "perplexity": float(np.exp(-likely[0])),
        "perplexity_by_chance": float(np.exp(-np.log(uniform).mean())),
    }


def _estimate(values, games) -> tuple[float, float | None, float | None]:
    """Return the mean over decisions and its 95 % interval, from a bootstrap over games.

    Args:
        values: float64[n], a value for each decision.
        games: int64[n], the number of its game.
    """
    from scipy.stats import bootstrap

    mean = float(values.mean())
    counts, sums = np.bincount(games), np.bincount(games, values)
    sums, counts = sums[counts > 0], counts[counts > 0]
    if len(counts) < 2:
        return mean, None, None
    found = bootstrap(
        (sums, counts), _ratio, paired=True, vectorized=True, n_resamples=RESAMPLES, method="percentile",
        batch=max(1, AT_ONCE // len(counts)), random_state=np.random.default_rng(0),
    )  # fmt: skip
    return mean, float(found.confidence_interval.low), float(found.confidence_interval.high)


def _ratio(sums, counts, axis):
    return sums.sum(axis=axis) / counts.sum(axis=axis)
