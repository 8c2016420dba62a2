"""Starting decks: lists of texts become card numbers, one deck for all seats or one for each (rulebook: Setup)."""

import itertools
from collections.abc import Iterable, Mapping, Sequence

from stardeck.kernels.contract.settings import are_texts
from stardeck.kernels.errors import shown
from stardeck.kernels.star_realms.rules import STARTING_DECK_LIMIT
from stardeck.kernels.star_realms.state import PILE_LIMIT
from stardeck.kernels.text.position_parser import spelled_out

TEAM_LIMIT = 3  # players who can pass cards to each other (Emperor)
DECKS = "must be a list of texts, or one such list for each seat"
Deck = tuple[int, ...]  # card numbers
Decks = Deck | tuple[Deck, ...]  # one for all seats, or one for each


def pile(texts: Iterable[object], numbers: Mapping[str, int], where: str) -> Deck:
    """Return the card numbers of a written pile: `["Scout x8", "Viper"]`.

    Raises:
        ValueError: A name is unknown.
    """
    result: list[int] = []
    for text in texts:
        name, copies = spelled_out(text) if isinstance(text, str) else (text, 1)
        if not isinstance(name, str) or name not in numbers:
            raise ValueError(f"{where}: {shown(name)} is not a card of this set")
        result += [numbers[name]] * copies
    return tuple(result)


def written(deck: Deck, names: Sequence[str]) -> list[str]:
    """Return the texts that `pile` reads as this deck, in the same order."""
    texts = []
    for number, same in itertools.groupby(deck):
        name, copies = names[number], len(list(same))
        texts.append(name if copies == 1 and spelled_out(name) == (name, 1) else f"{name} x{copies}")
    return texts


def are_decks(value: object) -> bool:
    """Return whether a value is one deck for all seats, or a list of decks."""
    return are_texts(value) or (isinstance(value, list | tuple) and all(map(are_texts, value)))


def read_decks(value, numbers: Mapping[str, int], where: str) -> Decks:
    """Return the decks of a value that `are_decks` accepts."""
    if are_texts(value):
        return pile(value, numbers, where)
    return tuple(pile(deck, numbers, where) for deck in value)


def listed(decks: Decks) -> list[Deck]:
    """Return the decks as a list: one for all seats, or one for each."""
    return list(decks) if decks and isinstance(decks[0], tuple) else [decks]


def one_for_each(decks: Decks, players: int, where: str) -> list[Deck]:
    """Return a deck for each seat.

    Raises:
        ValueError: There are several decks, but not one for each seat.
    """
    if not (decks and isinstance(decks[0], tuple)):
        return [decks] * players
    if len(decks) != players:
        raise ValueError(f"{where}: names {len(decks)} of {players} decks: must name one for each seat, or one for all")
    return list(decks)


def check_decks(decks: Decks, others: int, where: str) -> None:
    """Check that decks are neither empty nor too large, and that teammates can hold all cards of a game.

    Args:
        decks: One deck for all seats, or one for each.
        others: Cards of trade deck and Explorer pile.
        where: The place that an error names.
    """
    by_seat = listed(decks)
    for deck in by_seat:
        if not 1 <= len(deck) <= STARTING_DECK_LIMIT:
            raise ValueError(f"{where}: {len(deck)} cards in the starting deck: from 1 to {STARTING_DECK_LIMIT}")
    largest = sorted(map(len, by_seat * (TEAM_LIMIT if len(by_seat) == 1 else 1)))[-TEAM_LIMIT:]
    with_legacies = largest[-1] + len(by_seat) - 2  # a defeated Raider may leave a card to each teammate
    total = others + max(sum(largest), with_legacies)
    if total > PILE_LIMIT:
        raise ValueError(
            f"{where}: trade deck, Explorers and starting decks of {TEAM_LIMIT} are {total} cards: at most {PILE_LIMIT}"
        )
