"""Stardeck-8: eight frozen tasks on which any agent can be compared with others."""

from stardeck.benchmarks.suite.measure import benchmark
from stardeck.benchmarks.suite.tasks import TASKS, Task

__all__ = ["TASKS", "Task", "benchmark"]
