"""Entry point of `python -m stardeck.benchmarks.speed`, which measures speed."""

from stardeck.benchmarks.speed.measure import main

main()
