"""Cards in words, for the terminal."""

from collections.abc import Iterable
from typing import Any

from stardeck.game.catalogue import kernels_of
from stardeck.game.registry import make
from stardeck.kernels.text.lines import folded


def cards_of(name: str) -> list[dict]:
    """Return the cards of all sets of a game, each once, with `game` and the list of its `sets`."""
    found: dict[tuple, dict] = {}
    tables: Iterable[dict[str, Any]] = getattr(kernels_of(name), "EVERY_CARD", ({},))
    for settings in tables:
        for row in make(name, **settings).cards():
            row = found.setdefault((row["name"], row["text"], row["cost"] if "cost" in row else None), row)
            row.setdefault("sets", [])
            if settings.get("set") and settings["set"] not in row["sets"]:
                row["sets"].append(settings["set"])
    return [{"game": name} | row for row in found.values()]


def described(row: dict) -> str:
    """Return a card in words: its name, its facts, and what it does."""
    facts = [row["kind"]]
    if row.get("faction"):
        facts.insert(0, row["faction"])
    if row.get("cost") is not None:
        facts.append(f"cost {row['cost']}" + (f" {row['pays']}" if row.get("pays") else ""))
    if row.get("number") is not None:
        facts.append(f"number {row['number']}")
    if row.get("defense") is not None:
        facts.append(f"defense {row['defense']}")
    if row.get("copies"):
        facts.append(f"{row['copies']} copies" if row["copies"] > 1 else "1 copy")
    if row.get("sets"):
        facts.append(f"set {' and '.join(row['sets'])}")
    if row.get("reconstructed"):
        facts.append("reconstructed")
    return "\n".join(folded(f"{row['name']} ({', '.join(facts)}). {row['text']}"))
