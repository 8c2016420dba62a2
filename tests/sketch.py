"""Short text forms of `Game.table`, for tests of its contents."""

import stardeck


def table_of(name, position, seat=None, *played, **settings):
    """Return the table of a position of a game after some moves."""
    game = stardeck.make(name, **settings)
    states = game.from_position(position)
    for text in played:
        game.play(states, text)
    return game.table(states, seat)


def thing_text(thing):
    """Describe a thing with its owner, marks and numbers: `tapped Frigate`, `Trading Post (defense 4)`."""
    notes = [f"player_{thing['seat']}"] if "seat" in thing else []
    notes += thing.get("marks", []) + [f"{name} {amount}" for name, amount in thing.get("amounts", {}).items()]
    return (thing["name"] or "-") + (f" ({', '.join(notes)})" if notes else "")


def zone_text(zone):
    """List the things of a zone, and the number of unseen ones."""
    hidden = zone["count"] - sum(zone["kind"] != "row" or thing["name"] is not None for thing in zone["things"])
    texts = list(map(thing_text, zone["things"])) + [f"{hidden} more"] * (hidden > 0)
    return ", ".join(texts) + (f"; on top {', '.join(zone['top'])}" if "top" in zone else "")


def zones(table, *beginnings):
    """Return the zones with contents by id, filtered by prefix if any are given."""
    chosen = [zone for zone in table["zones"] if not beginnings or zone["id"].startswith(beginnings)]
    return {zone["id"]: zone_text(zone) for zone in chosen if zone["things"] or zone["count"]}


def pools(table, owner):
    """Return the non-empty pools of a player or the Boss by name."""
    (found,) = [each for each in [*table["players"], table["boss"]] if each and each["id"] == owner]
    return {pool["name"]: pool["amount"] for pool in found["pools"] if pool["amount"]}


def marks(table):
    """Return the marks of the players."""
    return [player["marks"] for player in table["players"]]


def places(table):
    """Return the place of each move by its words."""
    return {move["words"]: move["place"] for move in table["moves"]}
