"""Moves as sentences for people: the words that all games share.

A sentence is an order to a player, without a full stop: `Buy Ram`. Its only verb is the first word. `told` turns it
into a report: `You buy Ram`. The kind of a move tells a page where to put it.
"""

import re
from collections.abc import Mapping, Sequence

# What a move does, in a word; `Game.table` gives one to each move. A later version may add kinds.
KINDS: Mapping[str, str] = {
    "play": "play a card from the hand",
    "use": "use an ability or a power",
    "buy": "buy or acquire a card, a resource or a token",
    "sell": "sell a resource",
    "invest": "invest in far space",
    "attack": "attack or destroy something of another player",
    "part": "begin an attack or a gift whose amount the next decisions give",
    "amount": "add to an amount, or give a number",
    "give": "give something to another player",
    "scrap": "scrap a card",
    "discard": "discard a card",
    "draw": "draw a card",
    "pay": "pay for something",
    "build": "build a ship",
    "explore": "lay down a planet or a tile",
    "colonize": "place or turn over a colony",
    "move": "move a ship, or send it to a war",
    "deploy": "deploy a ship",
    "choose": "answer another question",
    "bid": "bid for the first turn",
    "done": "end something that can be repeated",
    "pass": "decline an offer",
    "end_turn": "end the turn",
    "concede": "leave the game",
}
YOU = "you"
READER = "\x02"  # name of the reader in sentences for `told`: their "your" means the player who acts


def seat_names(names: Sequence[str] | None, players: int) -> list[str]:
    """Return the names of the players by seat, or `player 0` and so on if there are none."""
    return list(names) if names is not None else [f"player {seat}" for seat in range(players)]


def of(name: str) -> str:
    """Return the possessive form of a player's name: `your`, `Ann's`."""
    return "your" if name == YOU else f"{name}'" if name.endswith("s") else f"{name}'s"


def several(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: `1 card`, `2 cards`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """Return names joined as in a sentence: `Ram, Cutter and Viper`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def capital(words: str) -> str:
    """Return words with a capital letter at the beginning."""
    return words[:1].upper() + words[1:]


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def told(sentence: str, name: str) -> str:
    """Return what a player has done, from the sentence of the move.

    Args:
        sentence: The sentence of a move, which begins with a verb. It calls the reader READER.
        name: The name of the player; `you` is the reader.
    """
    verb = re.match(r"[A-Za-z]+", sentence)
    first, rest = (verb[0].lower(), sentence[verb.end() :]) if verb else ("", sentence)
    if name == YOU:
        words = f"You {first}{rest}"
    else:
        theirs = re.sub(r"\byou\b", "they", re.sub(r"\byour\b", "their", rest))
        words = capital(f"{name} {_third_person(first)}{theirs}" if verb else f"{name}: {rest}")
    return words.replace(of(READER), "your").replace(READER, YOU)
