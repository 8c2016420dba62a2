"""Texts of powers, technologies and edicts, generated from the tables."""

from stardeck.kernels.empire_of_the_stars.cards.tables import MOST, SHIP_NUMBERS, Power, Tile
from stardeck.kernels.empire_of_the_stars.cards.vocabulary import Effect
from stardeck.kernels.empire_of_the_stars.operations import (
    OPERATIONS,
    BattleSide,
    Class,
    Condition,
    Counted,
    Event,
    Flag,
    Goods,
    Manner,
    Op,
    Paid,
    Unit,
    WarpFrom,
)
from stardeck.kernels.empire_of_the_stars.rules import ROLES
from stardeck.kernels.empire_of_the_stars.state import Resource, Role, Ship

EVENTS = {
    Event.TILE_PLACED: "whenever you place a tile",
    Event.WORMHOLE_PLACED: "if you have placed a wormhole",
    Event.TECH_BOUGHT: "whenever you buy a technology",
    Event.OWN_SHIP_DESTROYED: "for each own ship destroyed",
    Event.SHIP_DESTROYED_BY_ME: "for each ship that you destroy",
    Event.COLONY_SCORED: "for each colony that you score",
    Event.WON_TACTICS: "if you have more tactics in a battle",
    Event.ALLY_IN_BATTLE: "if you are an ally in a battle",
}
CONDITIONS = {
    Condition.MOST_TECHNOLOGIES: "if you have most technologies",
    Condition.IS_EMPEROR: "if you are the Emperor",
    Condition.NOT_EMPEROR: "if you are not the Emperor",
    Condition.IN_BATTLE: "if you were in a battle",
    Condition.SOLD_5: "if you have sold five or more",
    Condition.TILE_ASTEROID: "if it is an asteroid field",
    Condition.COST_3: "if it costs 3",
}
COUNTED = {
    Counted.NOBODY: "nobody",
    Counted.RESOURCES: "resources",
    Counted.CREDITS: "credits",
    Counted.TECHNOLOGIES: "technologies",
    Counted.FLEET_STRENGTH: "strength of the fleet",
    Counted.PLANETS: "planets",
    Counted.STARBASES: "starbases",
    Counted.COLONIES: "colonies",
    Counted.ASTEROIDS_ON_BOARD: "asteroid fields on the board",
    Counted.FLEET: "ships",
    Counted.OPPONENTS_BOUGHT_TECH: "opponents who have bought a technology",
}
FLAGS = {
    Flag.ASTEROIDS_OK: "your ships pass asteroid fields",
    Flag.DEPLOY_COLONY: "your ships deploy at colonies too",
    Flag.CONTESTED_OK: "you may colonize where others have ships",
    Flag.REPLACE_COLONY: "a colony that you score may be replaced by yours at once",
    Flag.ASTEROID_COLONY: "you may colonize asteroid fields; each gives a metal",
    Flag.NO_BATTLE: "nobody may battle you",
    Flag.CLAIM_THRONE: "you become the Emperor",
}
WARPS = {
    WarpFrom.HOME: "your home world is a wormhole for the first step of your ships",
    WarpFrom.STARBASE: "your starbases are wormholes for the first step of your ships",
    WarpFrom.ANY: "every region is a wormhole for the first step of your ships",
}
BATTLE_SIDES = {
    BattleSide.ATTACKER: "as attacker",
    BattleSide.DEFENDER: "as defender",
    BattleSide.ANY: "in battles",
}


def _several(count, one, many=""):
    """Return a count with its noun, such as `a fighter` or `2 fighters`."""
    return f"{'an' if one[0] in 'aeiou' else 'a'} {one}" if count == 1 else f"{count} {many or one + 's'}"


def _goods(names, amounts):
    """Return amounts with their names, such as `1 polymer, 2 credits`, without zeros."""
    pairs = [(amount, name) for name, amount in zip(names, amounts, strict=False) if amount]
    return ", ".join(f"{amount} {ONE.get(name, name) if amount == 1 else name}" for amount, name in pairs)


RESOURCES = ("polymer", "metal", "energy")
GAINS = (*RESOURCES, "credits", "resources of your choice")
ONE = {"credits": "credit", "resources of your choice": "resource of your choice"}


def _thing(goods):
    return {Goods.ANY: "a resource of your choice", Goods.ALL: "every resource"}.get(goods, Goods(goods).name.lower())


def _ships(ship):
    return "ships" if ship == Class.ALL else f"{Class(ship).name.lower()}s"


def _units(unit):
    names = {Unit.COLONY: "colonies", Unit.STARBASE: "starbases", Unit.ALL: "ships"}
    return names.get(unit, f"{Unit(unit).name.lower()}s")


def _each(parts):
    """Return the texts with a nonzero amount, each filled in with its amount."""
    return ", ".join(text.format(amount) for text, amount in parts if amount)


def _gain_per(of, per, res, n, cap):
    most = f", {cap} at most" if cap else ""
    what = _goods([Paid(res).name.lower()], [n])
    return f"gain {what} for {'each' if per == 1 else f'every {per}'} of your {COUNTED[of]}{most}".replace(
        "of your opponents", "of the opponents"
    ).replace("of your asteroid", "of the asteroid")


def _score_per(of, per, n, cap):
    most = f", {cap} at most" if cap else ""
    return f"score {n} for {'each' if per == 1 else f'every {per}'} of your {COUNTED[of]}{most}".replace(
        "of your asteroid", "of the asteroid"
    )


def _produce(res, bonus, repeat, types):
    parts = [(f"each planet that yields {_thing(res)} yields {{}} more", bonus)]
    parts += [("your planets produce {} more time", repeat), ("produce {} more type of resource", types)]
    return _each(parts)


def _price(res, sell, buy):
    return _each([(f"sell {_thing(res)} for {{}} more", sell), (f"buy {_thing(res)} for {{}} less", buy)])


def _upgrade(n, *price):
    cost = _goods(GAINS, price)
    colonies = "turn a colony into a starbase" if n == 1 else f"turn up to {n} colonies into starbases"
    return f"{colonies} for {cost}{' each' if n > 1 else ''}" if cost else colonies


def _unit(unit, strength, armor, move):
    parts = [("{} strength", strength), (f"{{}} hit{'s' * (armor > 1)} to destroy", armor), ("{} movement", move)]
    return f"your {_units(unit)} have {_each(parts)} more"


def _battle(side, strength, tactics, weapons, shields):
    parts = [("+{} strength", strength), ("+{} tactics", tactics), ("+{} weapons", weapons), ("+{} shields", shields)]
    return f"{_each(parts)} {BATTLE_SIDES[side]}"


def _influence(extra, discount, guard, throne):
    return _each([
        ("take {} more influence", extra), ("the extra influence costs you {} less", discount),
        ("your planets have {} more influence", guard), ("{} more influence on the throne", throne),
    ])  # fmt: skip


def _destroy(ships, hits, colonies):
    parts = [
        (f"{{}} ship{'s' * (ships > 1)} that {hits} hits destroy", ships),
        (f"{{}} colon{'ies' if colonies > 1 else 'y'} or starbase{'s' * (colonies > 1)}", colonies),
    ]
    return f"destroy {_each(parts)} of each opponent"


def _price_of(credits):
    return f"for {_goods(['credits'], [credits])}" if credits else "for free"


WORDS = {
    Op.GAIN: lambda *amounts: f"gain {_goods(GAINS, amounts)}",
    Op.GAIN_PER: _gain_per,
    Op.SCORE: lambda n: f"score {_several(n, 'galaxy token')}",
    Op.SCORE_PER: _score_per,
    Op.PRODUCE: _produce,
    Op.TRACK: lambda n: f"you can store {n} more of each resource",
    Op.SWAP: lambda n: "swap resources for others" + ("" if n == MOST else f", {n} at most"),
    Op.PRICE: _price,
    Op.FAR: lambda discount, extra: _each(
        [("far space costs you {} less", discount), ("invest {} time more", extra)]
    ),
    Op.PASS: lambda n: f"the supply pays for {_several(n, 'role')} that the Monolith passes",
    Op.SHIP_COST: lambda ship, *amounts: f"your {_ships(ship)} cost {_goods(RESOURCES, amounts)} less",
    Op.FREE_SHIP: lambda ship, n: f"build {n} of your {_ships(ship)} for free",
    Op.UPGRADE: _upgrade,
    Op.TECH: lambda draw, hand, discount, buys: _each([
        ("draw {} more", draw), ("hold {} more cards", hand),
        ("technologies cost you {} less", discount), ("buy {} more", buys),
    ]),
    Op.TILES: lambda replace, extra: _each(
        [("replace tiles of the display, {} at most", replace), ("place {} more tile off the stack", extra)]
    ),
    Op.COLONIZE_PLACED: lambda c: f"colonize a planet that you place, {_price_of(c)}",
    Op.PLACE_COLONY: lambda n: f"place {_several(n, 'colony', 'colonies')} for free",
    Op.UNIT: _unit,
    Op.BATTLE: _battle,
    Op.FLAG: lambda flag: FLAGS[flag],
    Op.WARP: lambda of: WARPS[of],
    Op.MOVE_ENEMY: lambda n, steps: f"move {_several(n, 'ship')} of opponents by up to {steps}",
    Op.REVEAL: lambda parts: f"your opponent in a battle sets {_several(parts, 'part')} of the plan openly",
    Op.REINFORCE: lambda n, steps: f"move {_several(n, 'ship')} into a battle of yours, by up to {steps}",
    Op.EXTRA_BATTLE: lambda n: f"{n} more battle in a sector that has seen one",
    Op.TOLL: lambda c: f"whoever battles you pays {_goods(['credits'], [c])}",
    Op.INFLUENCE: _influence,
    Op.DESTROY: _destroy,
    Op.TAKE: lambda n, each: f"take {_several(n, 'resource')} from {'each opponent' if each else 'an opponent'}",
    Op.CONVERT: lambda n: f"turn {_several(n, 'colony', 'colonies')} of opponents into yours",
    Op.MATCH: lambda n: f"raise your resources by up to {n} in all, none above the highest of an opponent",
}  # fmt: skip


def effect_words(effect: Effect) -> str:
    """Return an effect in words, with its timing."""
    words = WORDS[effect.op](*effect.values)
    if effect.event != Event.NONE:
        words = f"{EVENTS[effect.event]}, {words}"
    if effect.condition != Condition.NONE:
        words = f"{words} {CONDITIONS[effect.condition]}"
    return f"{_when(effect)}{words}"


def _when(effect):
    """Return the timing of an effect: before or after a role, or the only role that it applies to."""
    roles = OPERATIONS[effect.op].roles
    if effect.event != Event.NONE:
        return ""
    if effect.manner != Manner.STANDING and effect.point < 2 * ROLES:
        return f"{'before' if effect.point < ROLES else 'after'} {Role(effect.point % ROLES).name}: "
    return f"{roles[0].name}: " if len(roles) == 1 else ""


def sentences(effects) -> list[str]:
    """Return effects in words, a sentence each."""
    return [words[0].upper() + words[1:] for words in map(effect_words, effects)]


def effects_words(effects) -> str:
    """Return effects in words as one text."""
    return ". ".join(sentences(effects))


def power_abilities(power: Power) -> list[str]:
    """Return the starting goods of a power and the effects of its sides, a sentence each."""
    ships = ", ".join(power.ships) or "no ships"
    start = "the highest of each among the opponents" if power.start is None else _goods(GAINS, power.start)
    sides = [f"Core: {effects_words(power.core)}", f"Surge: {effects_words(power.surge)}"]
    return [f"Starts with {start}; {ships}", *sides]


def edict_words(edict) -> str:
    """Return the score rule of an edict."""
    leader = COUNTED[edict["leader"]]
    return "All score a token" + (f"; who alone has most {leader} one more" if edict["leader"] else "")


def ship_words(ship: Ship) -> str:
    """Return the cost and the abilities of a ship."""
    cost, _, moves, strength, hits = SHIP_NUMBERS[ship]
    return f"Costs {_goods(RESOURCES, cost)}; strength {strength}, {_several(hits, 'hit')} to destroy, moves {moves}"


def tile_words(tile: Tile) -> str:
    """Return the yield of a tile."""
    return f"Yields {_goods(RESOURCES, tile.yields)}" if any(tile.yields) else ""


def _row(name, kind, text, cost=None, pays=""):
    return {"name": name, "kind": kind, "cost": cost, "pays": pays, "text": text}


def cards(variant) -> list[dict]:
    """Return technologies, powers, edicts and ships: name, kind, cost, pays (the resource that pays for it), text."""
    content = variant.content
    rows = [
        _row(each.name, "technology", effects_words(each.effects), each.cost, Resource(each.type).name.lower())
        for each in content.technologies
    ]
    powers = content.powers if variant.settings["powers"] else ()
    rows += [_row(power.name, "power", ". ".join(power_abilities(power))) for power in powers]
    rows += [_row(edict["name"], "edict", edict_words(edict)) for edict in content.edicts]
    for ship, (_, supply, _, _, _) in SHIP_NUMBERS.items():
        rows.append(_row(ship.name.title(), "ship", ship_words(ship)) | {"copies": supply})
    return [row | {"reconstructed": variant.reconstructed} for row in rows]
