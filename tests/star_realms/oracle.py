"""An oracle for the legal moves of a position: slow, in plain Python, from names and printed texts.

It shares no code with the kernel. It reads positions (dicts of names) and the card table source.
"""

import tomllib
from pathlib import Path

TABLE = tomllib.loads((Path(__file__).parents[2] / "kernels/star_realms/cards/core.toml").read_text())
CARDS = {row["name"]: row for row in TABLE["cards"]}
FACTIONS = set(TABLE["factions"])


def name_of(entry):
    return entry["card"] if isinstance(entry, dict) else entry


def used(entry, what):
    return isinstance(entry, dict) and what in entry.get("used", [])


def text_card(entry):
    """Return the card whose ally and scrap texts an entry has."""
    return CARDS[entry["copying"]] if isinstance(entry, dict) and "copying" in entry else CARDS[name_of(entry)]


def is_ship(name):
    return CARDS[name]["kind"] == "ship"


def ally_of(entry):
    """Return the factions for which an entry in play is an ally."""
    if "ally for every faction" in CARDS[name_of(entry)].get("continuous", []):
        return FACTIONS
    return {card["faction"] for card in (CARDS[name_of(entry)], text_card(entry)) if "faction" in card}


def sides(card):
    """Return the word of each side of an "or"; one empty word without "or"."""
    texts = card.get("primary", [])
    if "or" not in texts:
        return [""] if texts else []
    words = [text.split()[0] for text in " ".join(texts).split(" or ")]
    return [f": {word}" for word in words]


def targets(position, seat):
    """Return the opponent, its outpost protection, and the bases that can be attacked."""
    other = "player_1" if seat == "player_0" else "player_0"
    bases = [name_of(entry) for entry in position["players"][other]["in_play"] if not is_ship(name_of(entry))]
    outposts = [name for name in bases if CARDS[name]["kind"] == "outpost"]
    return other, bool(outposts), outposts or bases


def main_phase(position, combat_parts=False):
    """Return all moves of the Main Phase; an attack with an amount appears as "… with all"."""
    seat = position["turn"]
    player = position["players"][seat]
    moves = {"end turn"} | {f"play {name}" for name in player["hand"]}
    for place, entry in enumerate(player["in_play"]):
        name, card = name_of(entry), text_card(entry)
        if not is_ship(name) and not used(entry, "primary"):
            moves |= {f"use {name}{side}" for side in sides(CARDS[name])}
        others = [other for number, other in enumerate(player["in_play"]) if number != place]
        triggered = any(card.get("faction") in ally_of(other) for other in others) or used(entry, "triggered")
        triggered = triggered or card.get("faction") in player.get("latched", [])
        if card.get("ally") and triggered and not used(entry, "ally"):
            moves.add(f"use ally {name}")
        if card.get("scrap"):
            moves.add(f"use scrap {name}")
    offers = [name for name in position["trade_row"] if name] + ["Explorer"] * (position["explorers"] > 0)
    for name in offers:
        if CARDS[name]["cost"] <= player["trade"]:
            moves.add(f"buy {name}")
            if player.get("next_ship_on_top") and is_ship(name):
                moves.add(f"buy {name} to deck")
    other, protected, bases = targets(position, seat)
    if player["combat"]:
        moves |= {f"attack {name} of {other}" for name in bases if CARDS[name]["defense"] <= player["combat"]}
        if not protected:
            moves.add(f"attack {other} with all")
    return moves


def answers(position):
    """Return all answers to the pending decision."""
    asked = position["pending"][-1]
    seat, decision = asked["seat"], asked["decision"]
    player = position["players"][seat]
    moves = {"decline"} if asked["optional"] else set()
    if decision in ("scrap_from_hand", "scrap_from_hand_or_discard"):
        moves |= {f"scrap {name} from hand" for name in player["hand"]}
    if decision == "scrap_from_hand_or_discard":
        moves |= {f"scrap {name} from discard" for name in player["discard"]}
    if decision == "scrap_from_trade_row":
        moves |= {f"scrap {name} from trade row" for name in position["trade_row"] if name}
    if decision == "discard":
        moves |= {f"discard {name}" for name in player["hand"]}
    if decision == "destroy_base":
        other, _, bases = targets(position, seat)
        moves |= {f"destroy {name} of {other}" for name in bases}
    if decision == "acquire":
        ships = {name for name in position["trade_row"] if name and is_ship(name)}
        moves |= {f"acquire {name}" for name in ships | ({"Explorer"} if position["explorers"] else set())}
    if decision == "copy":
        played = [name_of(entry) for entry in player["in_play"]] + player.get("ships_played", [])
        moves |= {f"copy {name}" for name in played if is_ship(name) and name != "Stealth Needle"}
    if decision == "option":
        moves |= {"choose trade", "choose combat"}  # Patrol Mech, the only ship with "or"
    if decision == "amount":
        left = asked["left"] - asked["done"]
        moves |= {f"add {piece}" for piece in (1, 2, 4, 8, 16, 32, 64) if piece < left}
        moves |= {"done"} if asked["done"] else set()
    return moves


def legal_moves(position):
    """Return every legal move of a position, without divided attacks."""
    return answers(position) if "pending" in position else main_phase(position)
