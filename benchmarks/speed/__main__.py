"""`python -m stardeck.benchmarks.speed` measures how fast everything is."""

from stardeck.benchmarks.speed.measure import main

main()
