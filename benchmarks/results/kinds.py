"""Kinds of summaries that commands write."""

from collections.abc import Mapping
from typing import Any

KEYS = {  # keys that only a summary of this kind has; the first match counts
    "league": {"cross_table"},
    "worth of cards": {"trials"},
    "fair settings": {"knobs"},
    "exploitability": {"responses"},
    "agreement with players": {"left_out"},
    "value network": {"explained", "positions"},
    "opponent-hand model": {"choice", "positions"},
    "training": {"evaluations"},
    "Stardeck-8": {"benchmark", "overall"},
    "learning track": {"benchmark", "curve"},
    "part of a designer's report": {"part", "estimates"},
    "language model": {"opponents", "total", "unfinished"},
    "first-player advantage": {"seats", "agents"},
}
UNKNOWN = "unknown kind"


def kind_of(summary: Mapping[str, Any]) -> str:
    """Return the kind of a summary; UNKNOWN if this version knows none."""
    return next((kind for kind, keys in KEYS.items() if keys <= summary.keys()), UNKNOWN)
