"""Unchanged play: seeded games of every variant end as recorded in the signature."""

from pathlib import Path

from helpers import JIT
from stardeck.benchmarks.conformance.play_signature import signature

WRITTEN = Path(__file__).parent / "signature.txt"
RENEW = """the signature of play is {now}, not {then}.
Play has changed. If no rule was meant to change, this is a mistake; if one was, renew the file and say so:
    python -m stardeck.benchmarks.conformance.play_signature > tests/signature.txt
    (in the commit: which rule has changed and why, and a line "Signature: {now}"; in CHANGELOG.md too)"""


if JIT:  # uncompiled, these games take an hour; tests/test_playthroughs.py compares both modes

    def test_play_has_the_signature_that_was_written_down():
        now, then = signature(), WRITTEN.read_text(encoding="utf-8").strip()
        assert now == then, RENEW.format(now=now, then=then)
