"""A process that trains together with the one that started it: see ppo/process_group.py.

The leader writes one line of JSON to its standard input, and closes it at the end.
"""

import json
import os
import sys
import threading

from stardeck.game.registry import make
from stardeck.training.methods import without_checks
from stardeck.training.ppo.backend import learner_on
from stardeck.training.ppo.process_group import Follower
from stardeck.training.ppo.selfplay import SelfPlay
from stardeck.training.recipe import Recipe, with_changes
from stardeck.training.time_limit import TimeLimit
from stardeck.training.training_variant import practice_game


def follow() -> None:
    """Train as the line of standard input says."""
    job = json.loads(sys.stdin.readline())
    try:
        _train(job)
    except ValueError as error:
        sys.exit(f"stardeck: process {job['rank']}: {error}")


def _train(job):
    threading.Thread(target=_end_with_leader, daemon=True).start()
    game = make(job["game"], **job["settings"])
    recipe = with_changes(Recipe(), job["recipe"], "ppo")
    group = Follower(job["rank"], job["size"], job["port"])
    learner = learner_on(job["device"], practice_game(game, recipe.practice), recipe, group)
    training = SelfPlay(game, recipe, job["seed"], job["out"], lambda *_: None, learner, job["device"])
    with without_checks():
        training.run(TimeLimit(job["minutes"]))


def _end_with_leader():
    sys.stdin.read()  # returns when the leader has ended, even if it was killed
    os._exit(1)


if __name__ == "__main__":
    follow()
