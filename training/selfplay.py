"""Training an agent: imitation of a teacher, then self-play with MaskablePPO against frozen copies and fixed agents."""

import json
import time
from pathlib import Path

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.network import SUFFIX, NetworkAgent, read_network, write_network
from stardeck.benchmarks.disk import write_whole
from stardeck.benchmarks.origin import origin
from stardeck.envs.sb3 import GameVecEnv
from stardeck.training.course import Course
from stardeck.training.imitation import imitate
from stardeck.training.opponents import Opponents
from stardeck.training.panel import Panel, told
from stardeck.training.policy import export, make_model
from stardeck.training.practice import practised


class SelfPlay(BaseCallback):
    """One training by self-play, called back by MaskablePPO around each rollout."""

    def __init__(self, game, recipe, seed, out, progress):
        super().__init__()
        self._game = game
        self._recipe = recipe
        self._progress = progress
        self._seed = seed
        self._out = Path(out)
        self._panel = Panel(game, recipe.panel)
        identity = {"variant": game.id, "settings": game.settings, "tables": game.variant.tables, "spaces": game.spaces}
        named = [agents.get(name, game) for name in (recipe.teacher, *recipe.opponents)]
        players = [identity_of(agent) for agent in (*named, *self._panel.agents)]
        self._identity = identity | {"seed": seed, "agents": players, "recipe": recipe.as_dict()}
        self._notes = {"rollouts": 0, "copies": 0, "seconds": {}, "evaluations": []}
        self._resumed = False
        self._practice = practised(game, recipe.practice)
        self._env = GameVecEnv(self._practice, recipe.num_envs, agents.get("random"), team=True, skip_forced=True)

    def run(self):
        """Train to the end of the recipe, from the last checkpoint if there is one; returns the summary."""
        self._course = Course(self._out, self._identity)
        self._opponents = Opponents(self._out / "pool", self._game, self._recipe, self._seed)
        checkpoint = self._course.newest()
        model = self._begin() if checkpoint is None else self._go_on(checkpoint)
        model.set_logger(configure(str(self._out / "logs"), ["tensorboard"]))
        left = self._recipe.steps - model.num_timesteps
        if left > 0:
            model.learn(left, callback=self, reset_num_timesteps=False)
            self._count("updating")
            self._take_stock(last=True)
        return self._finish(model)

    def _begin(self):
        self._opponents.keep_only(0)
        self._env.seed(self._seed)
        model = make_model(self._env, self._recipe, self._seed)
        self._clock = time.perf_counter()
        if self._recipe.imitation:
            imitate(model.policy, self._practice, self._recipe, self._seed, self._progress)
        self._count("imitating")
        return model

    def _go_on(self, checkpoint):
        self._notes = self._course.load_notes(checkpoint)
        self._opponents.keep_only(self._notes["copies"])
        self._env.set_opponents(self._opponents.lineups())
        self._resumed = True
        self._clock = time.perf_counter()
        return self._course.load_model(checkpoint, self._env, self._recipe)

    # Called by MaskablePPO

    def _on_training_start(self):
        self._env.stepping_seconds = 0.0

    def _on_rollout_start(self):
        if not self._resumed:
            self._count("updating" if self._notes["rollouts"] else "beginning")
            self._take_stock()
        self._resumed = False

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        stepping, self._env.stepping_seconds = self._env.stepping_seconds, 0.0
        self._count("choosing", stepping)
        self._add("stepping", stepping)
        self._notes["rollouts"] += 1

    # Between rollouts

    def _take_stock(self, last=False):
        """Freeze a copy, evaluate, and write a checkpoint, each in its turn."""
        rollouts = self._notes["rollouts"]
        if rollouts % self._recipe.freeze_every == 0 and not last:
            self._opponents.freeze(export(self.model.policy, self._game, {"variant": self._game.id}))
            self._notes["copies"] = len(self._opponents)
            self._env.set_opponents(self._opponents.lineups())
        if rollouts % self._recipe.evaluate_every == 0 or last:
            self._evaluate()
        if rollouts % self._recipe.checkpoint_every == 0 or last:
            self._course.save(self.model, self._env.lanes, self._notes)
        self._report()
        self._count("evaluating")

    def _evaluate(self):
        agent = NetworkAgent(export(self.model.policy, self._game), "learner")
        past = self._notes["evaluations"]
        copies = self._opponents.files()
        before = NetworkAgent(read_network(copies[past[-1]["copies"] - 1]), "before") if past else None
        rates = self._panel.measure(agent, before, self._recipe.evaluation_games, self._seed)
        entry = {"decisions": int(self.model.num_timesteps), "seconds": sum(self._notes["seconds"].values())}
        past.append(entry | {"copies": len(copies)} | rates)
        for name, rate in rates["panel"].items():
            self.logger.record(f"evaluation/{name}", rate["win_rate"])

    def _report(self):
        note = f"against {told(self._notes['evaluations'][-1])}"
        if self.model.ep_info_buffer:
            recent = np.mean([episode["r"] > 0 for episode in self.model.ep_info_buffer])
            note += f"; in training: {100 * recent:.0f} %"
        self._progress(int(self.model.num_timesteps), self._recipe.steps, note)

    def _count(self, name, without=0.0):
        """Book the time since the last call under a name."""
        now = time.perf_counter()
        self._add(name, now - self._clock - without)
        self._clock = now

    def _add(self, name, seconds):
        self._notes["seconds"][name] = self._notes["seconds"].get(name, 0.0) + seconds

    # At the end

    def _finish(self, model):
        summary = {
            "variant": self._game.id,
            "settings": self._game.settings,
            "tables": self._game.variant.tables,
            "method": "ppo",
            "identities": self._identity["agents"],
            "seed": self._seed,
            "recipe": self._recipe.as_dict(),
            "decisions": int(model.num_timesteps),
            "copies": len(self._opponents),
            "opponent": self._panel.yardstick,
            "fair_share": 100 / len(self._game.variant.sides),
            "seconds": self._notes["seconds"],
            "evaluations": self._notes["evaluations"],
            "origin": origin(),
        }
        kept = ("variant", "settings", "method", "seed", "recipe", "decisions", "opponent")
        about = {name: summary[name] for name in kept}
        about |= {"seconds": round(sum(self._notes["seconds"].values())), "strength": self._notes["evaluations"][-1]}
        write_network(self._out / f"agent{SUFFIX}", export(model.policy, self._game, about))
        write_whole(self._out / "summary.json", json.dumps(summary, indent=2) + "\n")
        from stardeck.benchmarks.pictures import draw_learning_curve

        draw_learning_curve(summary, self._out / "learning_curve.png")
        return summary
