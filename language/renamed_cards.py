"""Invented names for cards, so that a model cannot play from memory of the real ones.

The same words stand for the same cards in rules, observations and moves of one seed. Only names as they are printed
change: words in lower case, such as "fighter", stay, and so do the names of factions.
"""

import re

import numpy as np

from stardeck.game.game import Game

ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gl",
    "h",
    "j",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "r",
    "s",
    "t",
    "tr",
    "v",
    "z",
)
VOWELS = ("a", "e", "i", "o", "u")
CODAS = ("", "k", "l", "m", "n", "r", "x")
FEWEST, MOST = 2, 3  # syllables
UNKNOWN = "unknown card"


class CardNames:
    """The names of the cards of a variant, real or invented.

    Args:
        game: The variant.
        seed: Seed of the invented names; None leaves the cards their own.
    """

    def __init__(self, game: Game, seed: int | None) -> None:
        real = sorted({*game.variant.names, *(card["name"] for card in game.cards())}) if seed is not None else []
        invented = _invented(len(real), {word.lower() for name in real for word in re.findall(r"\w+", name)}, seed or 0)
        self.invented = dict(zip(real, invented, strict=True))
        self._real = {new.lower(): old for old, new in self.invented.items()}
        self._there = _pattern(self.invented, r"s?")
        self._back = _pattern(self.invented.values(), "", re.IGNORECASE)

    def shown(self, text: str) -> str:
        """Return a text with the invented names."""
        if not self.invented:
            return text
        return self._there.sub(self._replaced, text)

    def understood(self, text: str) -> str:
        """Return a move with the real names. Real names in it become unknown ones: a model cannot use its memory."""
        if not self.invented:
            return text
        return self._back.sub(lambda found: self._real[found[0].lower()], self._there.sub(UNKNOWN, text))

    def _replaced(self, found: re.Match[str]) -> str:
        name = found[0]
        return self.invented[name] if name in self.invented else f"{self.invented[name[:-1]]}s"


def _pattern(names, ending: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern of whole names, the longest first."""
    alternatives = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<!\w)(?:{alternatives}){ending}(?!\w)", flags)


def _invented(count: int, taken: set[str], seed: int) -> list[str]:
    random = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        syllables = (
            random.choice(ONSETS) + random.choice(VOWELS) + random.choice(CODAS)
            for _ in range(random.integers(FEWEST, MOST + 1))
        )
        word = "".join(syllables)
        if word not in taken and f"{word}s" not in taken and word[-1] != "s":
            found[word.capitalize()] = None
    return list(found)
