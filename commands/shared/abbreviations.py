"""What somebody at the keyboard means: moves and names in any case and abbreviated, `b cut` for `buy Cutter`."""

from collections.abc import Iterable, Sequence


def _words(text: str) -> list[str]:
    return text.casefold().replace("player_", "player_ ").split()


def abbreviates(short: str, text: str) -> bool:
    """Whether the words typed begin words of a text, in order, the first of them its first word."""
    typed, words = _words(short), _words(text)
    if not typed or not words or not words[0].startswith(typed[0]):
        return False
    rest = iter(words[1:])
    return all(any(word.startswith(each) for word in rest) for each in typed[1:])


def meant(typed: str, texts: Iterable[str]) -> list[str]:
    """The texts that somebody may mean: the one that it says, in whatever case; else all that it abbreviates."""
    known = list(dict.fromkeys(texts))
    exact = [text for text in known if _words(text) == _words(typed)]
    return exact or [text for text in known if abbreviates(typed, text)]


def with_amounts(typed: str, moves: Sequence[str]) -> list[str]:
    """The moves, and those with the amount that was typed in the place of `all`: `attack player_1 with 5`."""
    numbers = [word for word in typed.split() if word.isdigit()]
    amounts = [
        " ".join(number if word == "all" else word for word in move.split())
        for move in moves for number in numbers if "all" in move.split()
    ]  # fmt: skip
    return [*moves, *amounts]


def named(typed: str, names: Iterable[str]) -> list[str]:
    """The names that somebody may mean: the one typed, in whatever case; else all with words that begin so."""
    known = list(dict.fromkeys(names))
    wanted = typed.casefold().split()
    exact = [name for name in known if name.casefold().split() == wanted]
    return exact or [name for name in known if _begin(wanted, name.casefold().split())]


def _begin(wanted, words):
    rest = iter(words)
    return bool(wanted) and all(any(word.startswith(each) for word in rest) for each in wanted)
