"""Expert iteration: a search plays better than its network, and the network learns to play like the search.

A round consists of games of the search (search_selfplay.py), learning from the last rounds (targets.py), and a test of
the new network against the playing one (promotion.py). Only a network that passes provides the prior policy of the next
rounds. (Anthony, Tian, Barber: Thinking fast and slow with deep learning and tree search, 2017; Silver et al.:
Mastering the game of Go without human knowledge, 2017)
"""

import json
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import SUFFIX, NetworkAgent, read_network, write_network
from stardeck.benchmarks.arena.executors import Executor
from stardeck.benchmarks.progress import Report
from stardeck.benchmarks.results.atomic_files import to_disk, whole, write_whole
from stardeck.benchmarks.results.provenance import origin
from stardeck.game.game import Game
from stardeck.kernels.errors import reason
from stardeck.kernels.files import in_order_of_numbers, regular_file
from stardeck.training.checkpoints import CheckpointError, CheckpointFolder
from stardeck.training.evaluation import Panel, evaluation_text
from stardeck.training.expert.ray_games import Players
from stardeck.training.expert.search_selfplay import Games, SearchedDecisions, concatenate, play
from stardeck.training.expert.targets import average_of, explained_variance, learn
from stardeck.training.imitation import InPieces, initial_agent, start_from
from stardeck.training.policy import LOWEST_RATE, export, make_policy
from stardeck.training.promotion import is_better
from stardeck.training.recipe import ExpertRecipe
from stardeck.training.time_limit import NO_LIMIT, OutOfTime, TimeLimit
from stardeck.training.training_variant import practice_game

PLAYING, LEARNING, TESTING, AWAY = range(4)  # streams of chance, all but the last of a round


class Expert:
    """One training by expert iteration. Everything in a round depends only on its number and the seed.

    On a cluster it also depends on which games arrive first (ray_games.py).

    Args:
        game: The target variant.
        recipe: The recipe.
        seed: Seed of all chance.
        out: Folder of the training.
        progress: As in `train`.
        executor: Executor of the games.
        device: Device of the network.
    """

    def __init__(
        self,
        game: Game,
        recipe: ExpertRecipe,
        seed: int,
        out: str | Path,
        progress: Report,
        executor: Executor,
        device: str = "cpu",
    ) -> None:
        self._executor, self._device = executor, device
        self._players: Players | None = None
        self._game, self._recipe, self._seed, self._out, self._progress = game, recipe, seed, Path(out), progress
        self._practice = practice_game(game, recipe.practice)
        self._panel = Panel(game, recipe.panel)
        self._known = initial_agent(recipe, game)
        self._fixed = [agents.get(agent, game) for agent in recipe.opponents]
        identity = {"variant": game.id, "settings": game.settings, "tables": game.variant.tables, "spaces": game.spaces}
        players = [identity_of(agent) for agent in (self._known, *self._fixed, *self._panel.agents)]
        self._identity = identity | {
            "method": "expert", "seed": seed, "agents": players, "recipe": recipe.of_policy(),
        }  # fmt: skip
        self._notes: dict[str, Any] = {
            "rounds": 0, "copies": 0, "decisions": 0, "seconds": {}, "evaluations": [], "course": [],
        }  # fmt: skip
        self._window: list[SearchedDecisions] = []
        self._begun = True  # False: out of time before the imitation has ended

    def run(self, limit: TimeLimit = NO_LIMIT) -> dict[str, Any]:
        """Train to the end of the recipe, from the last checkpoint if there is one, and return the summary.

        limit: Time after which the training stops after a round.
        """
        self._course = CheckpointFolder(self._out, self._identity)
        self._policy = make_policy(self._game, self._recipe.units, self._seed, self._device)
        self._clock = time.perf_counter()
        checkpoint = self._course.newest()
        self._begin(limit) if checkpoint is None else self._go_on(checkpoint)
        with self._playing():
            while self._begun and self._notes["rounds"] < self._recipe.rounds and not limit.is_up():
                self._round()
        return self._finish()

    @contextmanager
    def _playing(self):
        """Keep games running all the time on a cluster; on this machine they are played when their round comes."""
        if not self._begun or not self._executor.away or self._notes["rounds"] == self._recipe.rounds:
            yield
            return
        first = self._notes.get("asked", 0)
        with Players(self._executor, self._games([self._seed, AWAY]), first, self._recipe.games) as self._players:
            yield
        self._players = None

    def _games(self, chance):
        """Return games of the playing network, against earlier ones and fixed agents."""
        earlier = [self._agent_of(path) for path in self._pool()[:-1]]
        number = self._notes["copies"] - 1
        return Games(self._practice, self._player, earlier, self._fixed, self._recipe, chance, number)

    # Beginning

    def _begin(self, limit):
        for folder in ("pool", "rounds"):
            (self._out / folder).mkdir(parents=True, exist_ok=True)
        self._keep_only(0, 0)
        pieces = InPieces(self._course, limit)
        chance = self._seed, self._progress
        try:
            cloned = start_from(self._policy, self._known, self._practice, self._recipe, *chance, pieces)
            self._notes |= {"imitation": cloned} if cloned else {}
        except OutOfTime:
            self._begun = False
        self._averaged = average_of(self._policy, self._recipe.averaging)
        self._count("imitating")
        self._promote()
        self._evaluate()
        if self._begun:
            self._save()
            limit.skip()  # the first evaluation is no round

    def _go_on(self, checkpoint):
        self._averaged = average_of(self._policy, self._recipe.averaging)
        self._notes = self._course.load_policy(checkpoint, self._policy, self._averaged.module)
        self._keep_only(self._notes["copies"], self._notes["rounds"])
        if len(self._pool()) != self._notes["copies"] or not self._notes["copies"]:
            raise CheckpointError(
                f"{self._out / 'pool'}: holds {len(self._pool())} of {self._notes['copies']} networks"
            )
        self._player = self._agent_of(self._pool()[-1])
        self._window = [_read(path) for path in self._rounds()[-self._recipe.window :]]

    def _keep_only(self, copies, rounds):
        """Delete files that are newer than a checkpoint, and rounds that are no longer learned from."""
        for path in [*self._pool()[copies:], *(path for path in self._rounds() if int(path.stem) >= rounds)]:
            path.unlink()
        for path in self._rounds()[: -self._recipe.window]:
            path.unlink()

    def _pool(self):
        return in_order_of_numbers((self._out / "pool").glob(f"*{SUFFIX}"))

    def _rounds(self):
        return in_order_of_numbers((self._out / "rounds").glob("*.npz"))

    # A round

    def _round(self):
        number = self._notes["rounds"]
        chunks = self._play(number)
        new = concatenate([chunk.rows for chunk in chunks])
        self._keep(number, new)
        entry = {"decisions": new.size, "explained_variance": explained_variance(self._averaged.module, new)}
        if self._players is not None:
            entry["networks"] = _by_network(chunks)
        self._window = [*self._window, new][-self._recipe.window :]
        self._learn(number)
        self._notes["rounds"] += 1
        self._notes["decisions"] += new.size
        learner = self._learner()
        entry["promoted"] = is_better(self._game, learner, self._player, self._recipe, self._seed + number)
        self._notes["course"].append(entry)
        if entry["promoted"]:
            self._promote()
        self._count("testing")
        if self._notes["rounds"] % self._recipe.evaluate_every == 0 or self._notes["rounds"] == self._recipe.rounds:
            self._evaluate()
        self._save()

    def _play(self, number):
        """Play the games of a round, and return them chunk by chunk."""

        def tell(games):
            self._progress(number * self._recipe.games + games, self._recipe.rounds * self._recipe.games, self._note())

        if self._players is not None:
            return self._players.take(self._recipe.games, tell)
        return play(self._games([self._seed, number, PLAYING]), self._recipe.games, self._executor, tell)

    def _keep(self, number, new):
        """Write the games of a round to disk, for a later continuation."""
        path = self._out / "rounds" / f"{number:06}.npz"
        with whole(path) as unfinished, unfinished.open("wb") as file:
            np.savez_compressed(file, **new._asdict())
        self._keep_only(self._notes["copies"], number + 1)
        self._count("playing")

    def _learn(self, number):
        rows = concatenate(self._window)
        if not rows.size:
            return
        steps = round(self._recipe.reuse * self._window[-1].size / self._recipe.batch) or 1
        done = number / self._recipe.rounds
        rate = self._recipe.learning_rate * (1 + (LOWEST_RATE - 1) * done)
        learn(self._policy, self._averaged, rows, steps, rate, self._recipe, [self._seed, number, LEARNING])
        self._count("learning")

    def _promote(self):
        """Let the current network provide the prior policy of the games."""
        path = self._out / "pool" / f"{self._notes['copies']:04}{SUFFIX}"
        write_network(path, export(self._averaged.module, self._game, {"variant": self._game.id}))
        to_disk(path)  # a checkpoint relies on it
        self._player = self._agent_of(path)
        self._notes["copies"] += 1
        if self._players is not None:
            self._players.follow(self._games([self._seed, AWAY]))

    def _learner(self):
        return NetworkAgent(export(self._averaged.module, self._game), "learner")

    def _agent_of(self, path):
        return NetworkAgent(read_network(path), path.stem)

    def _evaluate(self):
        learner = self._learner()
        past = self._notes["evaluations"]
        before = self._agent_of(self._pool()[past[-1]["copies"] - 1]) if past else None
        rates = self._panel.measure(learner, before, self._recipe.evaluation_games, self._seed)
        self._count("evaluating")
        entry = {"decisions": self._notes["decisions"], "seconds": sum(self._notes["seconds"].values())}
        past.append(entry | {"copies": self._notes["copies"]} | rates)

    def _save(self):
        if self._players is not None:
            self._notes["asked"] = self._players.asked
        self._course.save_policy(self._policy, self._averaged.module, self._notes["rounds"], self._notes)

    def _note(self):
        against = evaluation_text(self._notes["evaluations"][-1])
        return f"round {self._notes['rounds']}, network {self._notes['copies']}; against {against}"

    def _count(self, name):
        """Add the time since the last call to a named total."""
        now = time.perf_counter()
        self._notes["seconds"][name] = self._notes["seconds"].get(name, 0.0) + now - self._clock
        self._clock = now

    # At the end

    def _finish(self):
        summary = {
            "variant": self._game.id,
            "settings": self._game.settings,
            "tables": self._game.variant.tables,
            "method": "expert",
            "identities": self._identity["agents"],
            "seed": self._seed,
            "recipe": self._recipe.as_dict(),
            "decisions": self._notes["decisions"],
            "finished": self._begun and self._notes["rounds"] == self._recipe.rounds,
            "copies": self._notes["copies"],
            "opponent": self._panel.yardstick,
            "fair_share": 100 / len(self._game.variant.sides),
            "seconds": self._notes["seconds"],
            "evaluations": self._notes["evaluations"],
            "course": self._notes["course"],
            "origin": origin(),
        }
        summary |= {"imitation": self._notes["imitation"]} if "imitation" in self._notes else {}
        kept = ("variant", "settings", "method", "seed", "recipe", "decisions", "opponent")
        about = {name: summary[name] for name in kept}
        about |= {"seconds": round(sum(self._notes["seconds"].values())), "strength": self._notes["evaluations"][-1]}
        network = read_network(self._pool()[-1])
        network.about = about
        write_network(self._out / f"agent{SUFFIX}", network)
        write_whole(self._out / "summary.json", json.dumps(summary, indent=2) + "\n")
        from stardeck.benchmarks import plots

        plots.save(plots.training(summary), self._out / "learning_curve.png")
        return summary


def _by_network(chunks):
    """Return the number of games by network: {its number: games}."""
    counts: dict[str, int] = {}
    for chunk in chunks:
        counts[str(chunk.network)] = counts.get(str(chunk.network), 0) + chunk.games
    return counts


def _read(path):
    """Return the decisions of a round. Raises CheckpointError for a file that is not one."""
    try:
        with regular_file(path).open("rb") as file, np.load(file, allow_pickle=False) as saved:
            return SearchedDecisions(**{name: saved[name] for name in SearchedDecisions._fields})
    except Exception as error:  # NumPy and zipfile each raise their own
        why = reason(error)
        raise CheckpointError(f"{path}: is not a whole file of a round ({why}); choose another folder") from error
