"""How much can be won against an agent: a best response is trained and measured.

What a response wins on deals that it was not chosen by is a lower bound on how exploitable the agent is; one that wins
no more than its share says that nothing was found. (Timbers et al.: Approximate exploitability, 2022)
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import SUFFIX, NetworkAgent, read_network
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.advantage.measure import win_rate
from stardeck.benchmarks.arena.options import split_options
from stardeck.benchmarks.arena.series import win_share
from stardeck.benchmarks.progress import Wanted, progress_of_call
from stardeck.benchmarks.results.atomic_files import parse_json, write_whole
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.benchmarks.results.folder_lock import only_writer
from stardeck.benchmarks.results.provenance import origin
from stardeck.game.agent_table import is_compiled
from stardeck.game.registry import make
from stardeck.kernels.errors import shown
from stardeck.kernels.files import read_text
from stardeck.kernels.primitives.network import Shape
from stardeck.training.methods import check_seed, train
from stardeck.training.recipe import recipe_for

STEPS = 2_000_000
STRETCH = 100  # games between two that are written down
MOST_GAMES = 10**9
MOST_SIMULATIONS = 10**6
CHOICE, REPORT = 0, 1  # the deals that choose a response are not those that it is judged by
NAME = "response"


class ExploitOptions(TypedDict, total=False):
    """Options of `exploit`.

    Attributes:
        progress: Function, or one of None, True and False, as for `train`.
        honest: True redraws what is hidden from the seat of an agent of your own before it sees a state.
    """

    progress: Wanted
    honest: bool


@overload
def exploit(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    games: int = 2_000, simulations: int = 50, **options: Unpack[ExploitOptions],
) -> dict[str, Any]: ...  # fmt: skip
@overload
def exploit(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    games: int = 2_000, simulations: int = 50, **options: Any,
) -> dict[str, Any]: ...  # fmt: skip
def exploit(
    game: str, agent: str, out: str | Path | None = None, seed: int = 0, recipe: Mapping[str, Any] | None = None,
    games: int = 2_000, simulations: int = 50, **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Train a best response to one agent and measure its win rate.

    The response is a network that learns by self-play against this agent alone. Two searches respond too: one that the
    network guides and, where the agent is a network, one that the agent guides. The best of them over a quarter of
    `games` plays `games` new ones, with sides rotated on each deal. Where there are three or more sides, one responds
    and the agent plays the others.

    Args:
        game: Name of the game.
        agent: Name or file of the agent, or one of your own as `mine.py:NAME`.
        out: Folder of results, by default `results/exploit-<id>`. The response is `training/agent.safetensors` in it.
            The same call goes on where it was stopped.
        seed: Seed of all chance.
        recipe: Changes of the numbers in training/recipe.py, {name: value}. The default is two million decisions.
        games: Number of games that the response is judged by.
        simulations: Simulations of each decision of the searches; 0 leaves them out.
        **options: Options of `ExploitOptions`, and settings of the game.

    Returns:
        The summary, which is also written to `summary.json`. `responses` [{response, win_rate, low, high}] are those
            that `best` was chosen from. `win_rate`, `low` and `high` (95 %) are its figures over `games` new games.
            `at_least` is how many points `low` lies above `fair_share`, or 0 where it lies below.

    Raises:
        ValueError: An argument is impossible, the game is a challenge against a Boss, or the folder holds another
            training.
    """
    given, settings = split_options("exploit", game, options, ExploitOptions.__optional_keys__)
    played = make(game, **settings)
    agent = str(agents.honest(agent)) if given.get("honest") else agent
    _check(played, games, simulations)
    target = agents.get(agent, played)
    out = folder_here(out) if out else Path("results") / f"exploit-{played.id.replace('/', '-')}"
    numbers = _recipe(agent, target, recipe or {}) | dict(recipe or {})
    recipe_for(game, numbers, "ppo", settings)
    check_seed(seed)
    with only_writer(out), progress_of_call(given.get("progress"), "decisions or games") as tell:
        training = train(game, out / "training", seed, numbers, tell, "ppo", **settings)
        response = NetworkAgent(read_network(out / "training" / f"agent{SUFFIX}"), NAME)
        measure = _Measure(played, target, response, seed, out / "measured.json", tell)
        found = _found(measure, _responses(target, response, simulations), games)
        told = ("variant", "settings", "tables", "seed", "recipe", "decisions", "fair_share", "seconds")
        summary = {name: training[name] for name in told} | {
            "agent": target.name,
            "identities": measure.identities,
            **found,
            "at_least": max(0.0, 100 * found["low"] - training["fair_share"]),
            "origin": origin(),
        }
        write_whole(out / "summary.json", json.dumps(summary, indent=2) + "\n")
    return summary


def _recipe(agent, target, changes):
    """Of a response: it meets nobody but the agent, and begins as it.

    Of a network it takes over the layers, unless the recipe says what to begin with; of others it watches games, where
    the agent is quickly asked.
    """
    alone = {"steps": STEPS, "opponents": [str(agent)], "fixed_share": 1.0, "early": 1.0, "panel": [str(agent)]}
    takes_layers = isinstance(target, NetworkAgent) and not target.network.shape[Shape.TANH]
    if takes_layers and not {"units", "teacher", "imitation"} & set(changes):
        return alone | {"start": str(agent), "units": [len(bias) for _, bias in target.network.layers]}
    return alone | {"teacher": str(agent) if is_compiled(target) else "rules"}


def _found(measure, responses, games):
    """The responses with what they won while one was chosen, and what that one won on new deals."""
    chosen = {name: measure.rate(name, response, CHOICE, games / 4) for name, response in responses.items()}
    best = max(chosen, key=lambda name: chosen[name]["win_rate"])
    rows = [{"response": name} | rate for name, rate in chosen.items()]
    return {"responses": rows, "best": best} | measure.rate(best, responses[best], REPORT, games)


def _check(game, games, simulations):
    if len(game.variant.sides) == 1:
        raise ValueError(f"{game.id}: is played against a Boss, who is no agent: there is nobody to exploit")
    for name, value, most in (("games", games, MOST_GAMES), ("simulations", simulations, MOST_SIMULATIONS)):
        if type(value) is not int or not (value == 0 and name == "simulations") and not 2 <= value <= most:
            none = "0 or " if name == "simulations" else ""
            raise ValueError(f"{name}={shown(value)}: must be {none}a whole number from 2 to {most}")


def _responses(target, response, simulations):
    """Who may turn out to be the best response, by name."""
    found = {"network": response}
    if simulations:
        found[f"search:{simulations} guided by it"] = SearchAgent(simulations, prior=response, name=NAME)
        if isinstance(target, NetworkAgent):
            found[f"search:{simulations} guided by the agent"] = SearchAgent(simulations, prior=target, name=NAME)
    return found


class _Measure:
    """What responses win, in stretches that are written down: a measurement goes on where it was stopped."""

    def __init__(self, game, target, response, seed, path, tell):
        self._game, self._target, self._seed, self._path, self._tell = game, target, seed, path, tell
        self.identities = [identity_of(target), identity_of(response)]
        self._shares = self._read()

    def rate(self, name, response, deals, games) -> dict:
        """{games, win_rate, low, high} over so many games, rounded up to whole stretches."""
        stretches = math.ceil(games / STRETCH)
        done = self._shares.setdefault(f"{deals} {name}", [])
        while len(done) < stretches:
            seed = np.random.SeedSequence([self._seed, deals, len(done)]).generate_state(1, np.uint64)[0]
            done.append(win_share(self._game, response, self._target, STRETCH, int(seed)))
            write_whole(self._path, json.dumps({"identities": self.identities, "shares": self._shares}))
            self._tell(len(done) * STRETCH, stretches * STRETCH, f"games measured: {name}")
        total = stretches * STRETCH
        return {"games": total} | win_rate(STRETCH * sum(done[:stretches]), total)

    def _read(self):
        """The stretches of the same agents; none where there is no whole file of them."""
        try:
            saved = dict(parse_json(read_text(self._path)))
            shares = {name: list(map(float, stretches)) for name, stretches in dict(saved["shares"]).items()}
            whole = all(0 <= share <= 1 for stretches in shares.values() for share in stretches)
            return shares if whole and saved["identities"] == self.identities else {}
        except (OSError, LookupError, TypeError, ValueError):
            return {}
