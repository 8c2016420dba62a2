"""Abbreviations of moves and names, in any case: `b cut` is `buy Cutter`."""

from collections.abc import Iterable, Sequence


def _words(text: str) -> list[str]:
    return text.casefold().replace("player_", "player_ ").split()


def abbreviates(short: str, text: str) -> bool:
    """Return True if the typed words begin words of a text in the same order, and the first begins its first word.

    Args:
        short: The typed words.
        text: The text.
    """
    typed, words = _words(short), _words(text)
    if not typed or not words or not words[0].startswith(typed[0]):
        return False
    rest = iter(words[1:])
    return all(any(word.startswith(each) for word in rest) for each in typed[1:])


def meant(typed: str, texts: Iterable[str]) -> list[str]:
    """Return the texts that typed words may mean: an exact match in any case, else all that they abbreviate.

    Args:
        typed: The typed words.
        texts: All texts.
    """
    known = list(dict.fromkeys(texts))
    exact = [text for text in known if _words(text) == _words(typed)]
    return exact or [text for text in known if abbreviates(typed, text)]


def with_amounts(typed: str, moves: Sequence[str]) -> list[str]:
    """Return the moves, and the same moves with a typed amount in place of `all`: `attack player_1 with 5`.

    Args:
        typed: The typed words.
        moves: Legal moves.
    """
    numbers = [word for word in typed.split() if word.isdigit()]
    amounts = [
        " ".join(number if word == "all" else word for word in move.split())
        for move in moves for number in numbers if "all" in move.split()
    ]  # fmt: skip
    return [*moves, *amounts]


def named(typed: str, names: Iterable[str]) -> list[str]:
    """Return the names that typed words may mean: an exact match in any case, else all with words that begin so.

    Args:
        typed: The typed words.
        names: All names.
    """
    known = list(dict.fromkeys(names))
    wanted = typed.casefold().split()
    exact = [name for name in known if name.casefold().split() == wanted]
    return exact or [name for name in known if _begin(wanted, name.casefold().split())]


def _begin(wanted, words):
    rest = iter(words)
    return bool(wanted) and all(any(word.startswith(each) for word in rest) for each in wanted)
