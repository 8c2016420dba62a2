"""Card values: randomised trials of purchases and other choices."""

from stardeck.benchmarks.card_values.measure import worth

__all__ = ["worth"]
