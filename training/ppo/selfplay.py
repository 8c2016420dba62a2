"""Training by imitation of a teacher, then self-play by PPO against frozen copies and fixed agents.

This module holds the parts that all learners share: copies, evaluations, checkpoints and the summary.
"""

import json
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from stable_baselines3.common.logger import Logger, configure

from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import SUFFIX, NetworkAgent, read_network, write_network
from stardeck.benchmarks.progress import Report
from stardeck.benchmarks.results.atomic_files import write_whole
from stardeck.benchmarks.results.provenance import origin
from stardeck.envs.base.device_lanes import DeviceLanes
from stardeck.envs.base.lanes import Lanes
from stardeck.game.game import Game
from stardeck.training.checkpoints import CheckpointFolder
from stardeck.training.evaluation import Evaluations, Panel, evaluation_text
from stardeck.training.imitation import InPieces, initial_agent, start_from
from stardeck.training.policy import export
from stardeck.training.ppo.opponents import Opponents
from stardeck.training.ppo.process_group import Group
from stardeck.training.recipe import Recipe
from stardeck.training.time_limit import NO_LIMIT, OutOfTime, TimeLimit


class Learner(Protocol):
    """A learner from rollouts of its own games: MaskablePPO (sb3_learner.py), or the loop of learner.py."""

    group: Group

    @property
    def decisions(self) -> int:
        """Number of decisions so far, of all processes of the group."""

    @property
    def lanes(self) -> Lanes:
        """The games, dealt by `learn`."""

    @property
    def policy(self) -> Any:
        """The network with its optimizer."""

    def begin(self, seed: int) -> None:
        """Draw the weights. Game i will be `game.deal(first_deal(seed) + i)`."""

    def learn(self, course: "SelfPlay", logger: Logger) -> None:
        """Play rollouts, with an update after each, until the decisions of the recipe are made.

        It calls `course.before_rollout()`, and before the update `course.after_rollout(seconds)` with the time that the
        games took.
        """

    def recent(self) -> float | None:
        """Return the share of the last games that were won, from 0 to 1; None before any game has ended."""

    def memory(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return the state that `recall` needs besides network and processor's chance: arrays, and JSON notes."""

    def recall(self, arrays: dict[str, np.ndarray], notes: dict[str, Any]) -> None:
        """Continue from the state that `memory` returned."""


class SelfPlay:
    """One training by self-play. device: the requested device; a training continues on the device it began on."""

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        seed: int,
        out: str | Path,
        progress: Report,
        learner: Learner,
        device: str = "cpu",
    ) -> None:
        self._game = game
        self._recipe = recipe
        self._progress = progress
        self._seed = seed
        self._out = Path(out)
        self._learner = learner
        self._panel = Panel(game, recipe.panel)
        self._beside = device != "cpu"  # the processor is idle while a GPU plays and learns
        identity = {"variant": game.id, "settings": game.settings, "tables": game.variant.tables, "spaces": game.spaces}
        self._known = initial_agent(recipe, game)
        fixed = [agents.get(name, game) for name in recipe.opponents]
        players = [identity_of(agent) for agent in (self._known, *fixed, *self._panel.agents)]
        self._identity = identity | {"seed": seed, "agents": players, "recipe": recipe.of_policy(), "device": device}
        self._identity["processes"] = learner.group.size
        self._notes: dict[str, Any] = {"rollouts": 0, "copies": 0, "seconds": {}, "evaluations": []}
        self._resumed = False
        self._begun = True  # False: out of time before the imitation has ended

    def run(self, limit: TimeLimit = NO_LIMIT) -> dict[str, Any]:
        """Train to the end of the recipe, from the last checkpoint if there is one, and return the summary.

        Only the leading process writes files and returns a summary.

        Args:
            limit: Time after which the training stops with a checkpoint; the leader's counts.
        """
        self._limit = limit
        group = self._learner.group
        with group.connected(), closing(Evaluations(self._panel, self._beside)) as self._evaluations:
            checkpoint = group.share(self._open() if group.leads else None)
            if not group.leads:
                self._open(checkpoint)
            self._logger = configure(str(self._out / "logs"), ["tensorboard"]) if group.leads else Logger(None, [])
            self._evaluation_log = Logger(None, self._logger.output_formats)
            try:
                self._begin() if checkpoint is None else self._go_on(checkpoint)
            except OutOfTime:
                self._evaluate(waiting=True)
                return self._finish() if group.leads else {}
            if self._notes.pop("evaluating", False):  # the checkpoint was written before the result came
                self._evaluate()
            if self._learner.decisions < self._recipe.steps:
                self._learn()
            elif not self._notes["evaluations"]:  # nothing but imitation
                self._evaluate(waiting=True)
                self._count("evaluating")
        return self._finish() if group.leads else {}

    def _learn(self):
        try:
            self._learner.learn(self, self._logger)
        except OutOfTime:
            self._note_evaluation()
            return
        self._count("updating")
        self._take_stock(last=True)

    def _open(self, checkpoint=None):
        """Open the folder, and return its newest checkpoint. checkpoint: what the leader has found."""
        self._course = CheckpointFolder(self._out, self._identity)
        if self._learner.group.leads:
            checkpoint = self._course.newest()
        if checkpoint is not None:
            self._notes = self._course.load_notes(checkpoint)
        self._opponents = Opponents(self._out / "pool", self._game, self._recipe, self._seed)
        self._opponents.keep_only(self._notes["copies"])
        return checkpoint

    def _begin(self):
        self._learner.begin(self._seed)
        self._clock = time.perf_counter()
        lanes, group, policy = self._learner.lanes, self._learner.group, self._learner.policy
        practice = lanes.device_game if isinstance(lanes, DeviceLanes) else lanes.game
        if group.leads:
            pieces = InPieces(self._course, self._limit)
            try:
                cloned = start_from(policy, self._known, practice, self._recipe, self._seed, self._progress, pieces)
            except OutOfTime:
                self._begun = False
            else:
                self._notes |= {"imitation": cloned} if cloned else {}
                policy.begin_helpers()
        self._begun = group.share(self._begun)
        self._count("imitating")
        if not self._begun:
            raise OutOfTime
        group.copy_weights(policy.parameters())

    def _go_on(self, checkpoint):
        self._learner.lanes.set_opponents(self._opponents.lineups())
        self._resumed = True
        self._clock = time.perf_counter()
        self._course.load(checkpoint, self._learner)

    # Called by the learner

    def before_rollout(self) -> None:
        """Freeze, evaluate and save where due, unless a checkpoint was just loaded."""
        if not self._resumed:
            self._count("updating" if self._notes["rollouts"] else "beginning")
            self._take_stock()
            if not self._notes["rollouts"]:
                self._limit.skip()  # a first evaluation may take longer than any rollout
            self._stop_in_time()
        self._resumed = False

    def after_rollout(self, stepping: float) -> None:
        """Add the time of a rollout to the totals. stepping: seconds of it that the games took."""
        self._count("choosing", stepping)
        self._add("stepping", stepping)
        self._notes["rollouts"] += 1

    # Between rollouts

    def _take_stock(self, last=False):
        """Freeze a copy, evaluate, and write a checkpoint, each at its own interval."""
        rollouts, group = self._notes["rollouts"], self._learner.group
        evaluates = rollouts % self._recipe.evaluate_every == 0 or last
        saves = rollouts % self._recipe.checkpoint_every == 0 or last
        if evaluates or saves:
            self._note_evaluation()
            self._count("evaluating")
        if rollouts % self._recipe.freeze_every == 0 and not last:
            if group.leads:
                self._opponents.freeze(export(self._learner.policy, self._game, {"variant": self._game.id}))
            group.wait()
            self._opponents.read_new()
            self._notes["copies"] = len(self._opponents)
            self._learner.lanes.set_opponents(self._opponents.lineups())
            self._count("freezing")
        if evaluates:
            self._evaluate(waiting=last)
            self._count("evaluating")
        if saves:
            self._save()
        if group.leads:
            self._report()

    def _save(self):
        pending = {"evaluating": True} if self._evaluations.pending else {}
        self._course.save(self._learner, self._notes | pending)
        self._count("saving")

    def _stop_in_time(self):
        """Save and raise OutOfTime before the limit is passed, in all processes together."""
        if self._limit.minutes is not None and self._learner.group.share(self._limit.is_up()):
            if self._notes["rollouts"] % self._recipe.checkpoint_every:  # else there is one
                self._save()
            raise OutOfTime

    def _evaluate(self, waiting=False):
        """Begin to evaluate the network as it is, in the leading process. waiting: True also notes the result."""
        if not self._learner.group.leads:
            return
        agent = NetworkAgent(export(self._learner.policy, self._game), "learner")
        past = self._notes["evaluations"]
        copies = self._opponents.files()
        before = NetworkAgent(read_network(copies[past[-1]["copies"] - 1]), "before") if past else None
        entry = {"decisions": self._learner.decisions, "seconds": sum(self._notes["seconds"].values())}
        entry |= {"copies": len(copies)}
        games = self._recipe.evaluation_games
        self._evaluations.begin(lambda: entry | self._panel.measure(agent, before, games, self._seed))
        if waiting or not self._evaluations.beside:
            self._note_evaluation()

    def _note_evaluation(self):
        """Wait for the evaluation under way, if there is one, and note its result."""
        entry = self._evaluations.result()
        if entry is None:
            return
        self._notes["evaluations"].append(entry)
        for name, rate in entry["panel"].items():
            self._evaluation_log.record(f"evaluation/{name}", rate["win_rate"])
        self._evaluation_log.dump(entry["decisions"])

    def _report(self):
        past = self._notes["evaluations"]
        notes = [f"against {evaluation_text(past[-1])}"] if past else []
        if (recent := self._learner.recent()) is not None:
            notes.append(f"in training: {100 * recent:.0f} %")
        self._progress(self._learner.decisions, self._recipe.steps, "; ".join(notes))

    def _count(self, name, without=0.0):
        """Add the time since the last call to a named total."""
        now = time.perf_counter()
        self._add(name, now - self._clock - without)
        self._clock = now

    def _add(self, name, seconds):
        self._notes["seconds"][name] = self._notes["seconds"].get(name, 0.0) + seconds

    # At the end

    def _finish(self):
        policy = self._learner.policy
        summary = {
            "variant": self._game.id,
            "settings": self._game.settings,
            "tables": self._game.variant.tables,
            "method": "ppo",
            "device": self._identity["device"],
            "processes": self._identity["processes"],
            "identities": self._identity["agents"],
            "seed": self._seed,
            "recipe": self._recipe.as_dict(),
            "decisions": self._learner.decisions,
            "finished": self._begun and self._learner.decisions >= self._recipe.steps,
            "copies": len(self._opponents),
            "opponent": self._panel.yardstick,
            "fair_share": 100 / len(self._game.variant.sides),
            "seconds": self._notes["seconds"],
            "evaluations": self._notes["evaluations"],
            "origin": origin(),
        }
        summary |= {"imitation": self._notes["imitation"]} if "imitation" in self._notes else {}
        kept = ("variant", "settings", "method", "device", "seed", "recipe", "decisions", "opponent")
        about = {name: summary[name] for name in kept}
        about |= {"seconds": round(sum(self._notes["seconds"].values())), "strength": self._notes["evaluations"][-1]}
        write_network(self._out / f"agent{SUFFIX}", export(policy, self._game, about))
        write_whole(self._out / "summary.json", json.dumps(summary, indent=2) + "\n")
        from stardeck.benchmarks import plots

        plots.save(plots.training(summary), self._out / "learning_curve.png")
        return summary
