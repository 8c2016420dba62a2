"""Exploitability of an agent: a best response is trained and measured.

The gain of a response, on deals that did not choose it, is a lower bound on how exploitable the agent is. A response
that wins no more than its share means that nothing was found. (Timbers et al.: Approximate exploitability, 2022)
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
from stardeck.training.methods import train
from stardeck.training.recipe import check_seed, recipe_for

STEPS = 2_000_000
CHUNK = 100  # games of a chunk, whose result is written to disk
MOST_GAMES = 10**9
MOST_SIMULATIONS = 10**6
CHOICE, REPORT = 0, 1  # deals that choose a response, and other deals that measure it
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

    The response is a network that learns by self-play against this agent alone. Two searches respond too: one with the
    network as its prior policy and, where the agent is a network, one with the agent as its prior policy. The best of
    them over a quarter of `games` plays `games` new ones, with sides rotated on each deal. With three or more sides,
    one side responds and the agent plays the others.

    Args:
        game: Name of the game.
        agent: Name or file of the agent, or one of your own as `mine.py:NAME`.
        out: Folder of results, by default `results/exploit-<id>`. The response is `training/agent.safetensors` in it.
            The same call continues an interrupted run.
        seed: Seed of all chance.
        recipe: Changes of the numbers in training/recipe.py, {name: value}. The default is two million decisions.
        games: Number of games that measure the response.
        simulations: Simulations of each decision of the searches; 0 leaves them out.
        **options: Options of `ExploitOptions`, and settings of the game.

    Returns:
        The summary, which is also written to `summary.json`. `responses` [{response, win_rate, low, high}] are the
            candidates for `best`. `win_rate`, `low` and `high` (95 %) are its figures over `games` new games.
            `at_least` is the number of points by which `low` exceeds `fair_share`, or 0 where it does not.

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
        measure = _Measurement(played, target, response, seed, out / "measured.json", tell)
        found = _measured_responses(measure, _responses(target, response, simulations), games)
        told = ("variant", "settings", "tables", "seed", "recipe", "decisions", "fair_share", "seconds")
        summary = {name: training[name] for name in told} | {
            "agent": target.name,
            "identities": measure.identities,
            **found,
            "at_least": max(0.0, 100 * found["low"] - training["fair_share"]),
            "origin": origin(),
        }
        write_whole(out / "summary.json", json.dumps(summary, indent=2) + "\n")
        from stardeck.benchmarks import plots

        plots.save(plots.exploit(summary), out / "exploit.png")
    return summary


def _recipe(agent, target, changes):
    """Return the recipe of a response: it meets only the agent, and begins as the agent.

    It takes over the layers of a network, unless the recipe says where to begin. It imitates compiled agents, which
    answer quickly. Against others it begins like any training of the game.
    """
    alone = {"steps": STEPS, "opponents": [str(agent)], "fixed_share": 1.0, "early": 1.0, "panel": [str(agent)]}
    alone["value_rounds"] = 0
    takes_layers = isinstance(target, NetworkAgent) and not target.network.shape[Shape.TANH]
    if takes_layers and not {"units", "teacher", "imitation"} & set(changes):
        return alone | {"start": str(agent), "units": [len(bias) for _, bias in target.network.layers]}
    return alone | ({"teacher": str(agent)} if is_compiled(target) else {})


def _measured_responses(measure, responses, games):
    """Return the responses with their win rates on the deals of choice, and the best one's on new deals."""
    chosen = {name: measure.rate(name, response, CHOICE, games / 4) for name, response in responses.items()}
    best = max(chosen, key=lambda name: chosen[name]["win_rate"])
    rows = [{"response": name} | rate for name, rate in chosen.items()]
    return {"responses": rows, "best": best} | measure.rate(best, responses[best], REPORT, games)


def _check(game, games, simulations):
    if len(game.variant.sides) == 1:
        raise ValueError(f"{game.id}: is played against a Boss, which is not an agent: there is no agent to exploit")
    for name, value, most in (("games", games, MOST_GAMES), ("simulations", simulations, MOST_SIMULATIONS)):
        if type(value) is not int or not (value == 0 and name == "simulations") and not 2 <= value <= most:
            none = "0 or " if name == "simulations" else ""
            raise ValueError(f"{name}={shown(value)}: must be {none}a whole number from 2 to {most}")


def _responses(target, response, simulations):
    """Return the candidates for the best response, by name."""
    found = {"network": response}
    if simulations:
        found[f"search:{simulations} guided by it"] = SearchAgent(simulations, prior=response, name=NAME)
        if isinstance(target, NetworkAgent):
            found[f"search:{simulations} guided by the agent"] = SearchAgent(simulations, prior=target, name=NAME)
    return found


class _Measurement:
    """Win rates of responses, in chunks that are written to disk, so an interrupted measurement can continue."""

    def __init__(self, game, target, response, seed, path, tell):
        self._game, self._target, self._seed, self._path, self._tell = game, target, seed, path, tell
        self.identities = [identity_of(target), identity_of(response)]
        self._shares = self._read()

    def rate(self, name, response, deals, games) -> dict:
        """Return {games, win_rate, low, high} over that many games, rounded up to whole chunks."""
        chunks = math.ceil(games / CHUNK)
        done = self._shares.setdefault(f"{deals} {name}", [])
        while len(done) < chunks:
            seed = np.random.SeedSequence([self._seed, deals, len(done)]).generate_state(1, np.uint64)[0]
            done.append(win_share(self._game, response, self._target, CHUNK, int(seed)))
            write_whole(self._path, json.dumps({"identities": self.identities, "shares": self._shares}))
            self._tell(len(done) * CHUNK, chunks * CHUNK, f"games measured: {name}")
        total = chunks * CHUNK
        return {"games": total} | win_rate(CHUNK * sum(done[:chunks]), total)

    def _read(self):
        """Return the chunks of the same agents; none where there is no whole file of them."""
        try:
            saved = dict(parse_json(read_text(self._path)))
            shares = {name: list(map(float, chunks)) for name, chunks in dict(saved["shares"]).items()}
            whole = all(0 <= share <= 1 for chunks in shares.values() for share in chunks)
            return shares if whole and saved["identities"] == self.identities else {}
        except (OSError, LookupError, TypeError, ValueError):
            return {}
