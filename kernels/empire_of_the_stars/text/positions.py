"""Writer for positions as text: any state as a plain dict of names and numbers (position_reader.py reads it back).

People write the keys of the notation. The others complete a state: `stage` (the stage of the seat at hand at a point
for powers and technologies), `tiles_placed`, `extra_tile`, `owed`, `stack_known` (tiles at the bottom that all players
have seen), `blocked_tiles`, `turn_number`, `decisions`, `random`, `first`, `placement`, `truncated`. Keys with default
values are left out.
"""

from stardeck.kernels.empire_of_the_stars.operations import Goods, Manner, Op, Price
from stardeck.kernels.empire_of_the_stars.state import (
    COSTS,
    HOME_WORLD,
    NO_TILE,
    NOBODY,
    NOTHING,
    REGIONS,
    SHIPS_IN_REGION,
    THRONE,
    WORDS,
    Ask,
    FarSpace,
    Plan,
    Resource,
    Role,
    Ship,
    Side,
    Stage,
    Step,
)
from stardeck.kernels.empire_of_the_stars.text.words import seat_name, word

LETTERS = {resource.name[0]: resource for resource in Resource}
# Keys which show that the seat at hand has begun its own part of a step.
BEGUN = ("effect", "tiles_placed", "invested", "free_ships", "drawn", "purchases", "moved", "ship")
SET_UP_STEPS = (Step.KEEP_POWER, Step.HOME, Step.FIRST_PLANET)


def usual_stage(position) -> Stage:
    """Return the default stage of a position."""
    if position.get("step") == step_word(Step.EXTRA):
        return Stage.USES
    return Stage.OWN if any(key in position for key in BEGUN) else Stage.SURGE


def step_word(step) -> str:
    """Return a step in words."""
    return Step(int(step)).name.lower().replace("_", " ")


def members_of(bits) -> list[int]:
    """Return the numbers whose bits are set."""
    bits = int(bits)
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def cards_of(words) -> list[int]:
    """Return the technologies of a set of bits (uint64[WORDS])."""
    return [64 * place + number for place in range(WORDS) for number in members_of(words[place])]


def ships_on(board, region) -> list[str]:
    """Return the ships of a board in a region, by name."""
    return [word(ship) for ship in Ship for level in range(SHIPS_IN_REGION) if int(board[ship][level]) >> region & 1]


def ships_of(board) -> dict[int, list[str]]:
    """Return the ships of a board by region, by name."""
    found: dict[int, list[str]] = {}
    for ship, levels in zip(Ship, board.tolist(), strict=True):
        for bits in levels:
            for region in members_of(bits):
                found.setdefault(region, []).append(word(ship))
    return found


def far_space_word(there) -> str:
    """Return the contents of a far-space location in words."""
    if there <= FarSpace.EMPTY:
        return ("galaxy", "none")[there]
    return f"{seat_name((there - FarSpace.COLONY) // 2)} {('colony', 'starbase')[there % 2]}"


def side_in_use(variant, player):
    """Return the effects that `used_effects` refers to: of the surge side once announced, else of the core side."""
    power = variant.content.powers[player["power"]]
    return power.surge if player["surging"] else power.core


def use_words(name, effects) -> list[str]:
    """Return the name of each effect of a power after its use."""
    asking = [effect for effect in effects if effect.manner == Manner.ASKING]
    kinds = {Op.TILES: "tile", Op.COLONIZE_PLACED: "colony"}
    if len(asking) < 2:
        return [name] * len(effects)
    return [f"{name} {kinds.get(effect.op, effect.op.name.lower())}" for effect in effects]


def work_effects(effects) -> list[int]:
    """Return the effects of a card that can be in progress."""
    return [place for place, effect in enumerate(effects) if effect.manner == Manner.ASKING and effect.op != Op.GAIN]


def favour_slots(variant) -> dict[str, int]:
    """Return the cards that favour a resource of choice, by name, with their slots."""
    slots = {}
    powers = variant.content.powers if variant.settings["powers"] else ()
    sides = [(power.name, side) for power in powers for side in (power.core, power.surge)]
    sides += [(technology.name, technology.effects) for technology in variant.content.technologies]
    for name, effects in sides:
        if any(effect.op == Op.PRICE and effect.values[Price.RES] == Goods.ANY for effect in effects):
            slots.setdefault(name, len(slots))
    return slots


def side_name(variant, side) -> tuple[str, tuple]:
    """Return the name and the effects of a side of a card, given by its number."""
    powers = variant.content.powers if variant.settings["powers"] else ()
    if side < len(powers):
        return powers[side].name, powers[side].core
    if side < 2 * len(powers):
        return powers[side - len(powers)].name, powers[side - len(powers)].surge
    technology = variant.content.technologies[side - 2 * len(powers)]
    return technology.name, technology.effects


def _names(variant, cards):
    return [variant.content.technologies[card].name for card in cards]


def _tiles(variant, kinds):
    return [variant.content.tiles[kind].name for kind in kinds]


def _counted(variant, counts):
    return [name for kind, name in enumerate(tile.name for tile in variant.content.tiles) for _ in range(counts[kind])]


def _region(variant, state, region, boards):
    """Return the contents of a region. boards: by seat the bits of colonies and starbases, and ships by region."""
    players = state["players"][: variant.players]
    entry = {}
    tile = state["tiles"][region]
    if tile == HOME_WORLD:
        homes = [seat for seat, player in enumerate(players) if player["home"] == region]
        entry["tile"] = f"home {seat_name(homes[0])}"
    elif tile != NO_TILE:
        entry["tile"] = variant.content.tiles[tile].name
    for seat, (colonies, starbases, _) in enumerate(boards):
        for kind, regions in (("colony", colonies), ("starbase", starbases)):
            if regions >> region & 1:
                entry["token"] = f"{seat_name(seat)} {kind}"
    ships = {seat_name(seat): fleet[region] for seat, (_, _, fleet) in enumerate(boards) if region in fleet}
    if ships:
        entry["ships"] = ships
    return entry


def _player(variant, state, player):
    entry = {letter: int(player["resources"][resource]) for letter, resource in LETTERS.items()}
    entry |= {key: int(player[key]) for key in ("credits", "tokens", "throne", "influence")}
    entry["hand"] = _names(variant, cards_of(player["hand"]))
    entry["technologies"] = _names(variant, cards_of(player["technologies"]))
    entry["staging"] = [word(ship) for ship in Ship for _ in range(player["staging"][ship])]
    if variant.settings["powers"]:
        power = player["power"]
        entry["power"] = variant.content.powers[power].name if power != NOTHING else None
        entry["surged"] = bool(player["surged"])
        entry["dealt"] = [variant.content.powers[power].name for power in player["dealt"] if power != NOTHING]
    return entry


def _by_seat(players, value):
    """Return the nonempty values by seat."""
    values = {seat_name(seat): value(player) for seat, player in enumerate(players)}
    return {seat: found for seat, found in values.items() if found}


def _used(variant, player):
    names = []
    if player["power"] != NOTHING and player["used_effects"]:
        words = use_words(variant.content.powers[player["power"]].name, side_in_use(variant, player))
        names += [words[place] for place in members_of(player["used_effects"])]
    return names + _names(variant, cards_of(player["used"]))


def _letters(counts):
    return {letter: int(counts[resource]) for letter, resource in LETTERS.items() if counts[resource]}


def _favoured(variant, player):
    if (player["favoured"] == NOTHING).all():
        return {}
    letters = {int(resource): letter for letter, resource in LETTERS.items()}
    slots = favour_slots(variant).items()
    return {name: letters[int(player["favoured"][slot])] for name, slot in slots if player["favoured"][slot] != NOTHING}


def _effect(variant, state):
    name, effects = side_name(variant, int(state["work_side"]))
    entry = {"name": name, "seat": seat_name(state["active"]), "left": int(state["work_left"])}
    if work_effects(effects)[0] != state["work_effect"]:
        entry["number"] = int(state["work_effect"])
    if state["work_opponent"] != NOBODY:
        entry["opponent"] = seat_name(state["work_opponent"])
    if state["work_colonies"]:
        entry["colonies"] = True
    return entry


def _hits(variant, state, side):
    """Return the units that a side has hit."""
    hits = []
    for seat, player in enumerate(state["players"][: variant.players]):
        against = [other for other in Side if state["mains"][other] == seat] or [player["allied"]]
        if against[0] != 1 - side:
            continue
        for region in range(REGIONS):
            names = ships_on(player["hit"], region)
            if int(player["starbases"] & state["starbases_hit"]) >> region & 1:
                names.append("starbase")
            if int((player["colonies"] | player["starbases"]) & state["colonies_hit"]) >> region & 1:
                names.append("colony")
            hits += [f"{name} of {seat_name(seat)} in {region}" for name in names]
    return hits


def _sides(state, players):
    """Who is in a battle, and who may still join which side."""
    result = {word(side): seat_name(state["mains"][side]) for side in Side}
    for side in Side:
        allies = [seat_name(seat) for seat, player in enumerate(players) if player["allied"] == side]
        if allies:
            result[f"{word(side)}_allies"] = allies
    invited = {
        word(side): [seat_name(seat) for seat, player in enumerate(players) if player["invited"] >> side & 1]
        for side in Side
    }
    return result | {"invited": invited}


def _battle(variant, state):
    players = state["players"][: variant.players]
    battle = {"sector": int(state["sector"])}
    battle |= _sides(state, players)
    if state["strength"].any():
        battle["strength"] = {word(side): int(state["strength"][side]) for side in Side}
    battle["plans"] = {
        word(side): {word(part): int(state["plans"][side, part]) for part in Plan if state["plans"][side, part] >= 0}
        for side in Side
    }
    if state["tactics_left"]:
        battle["tactics_moves_left"] = int(state["tactics_left"])
    if state["step"] == Step.HITS:
        battle["hits_left"] = int(state["hits_left"])
        battle["hits"] = {word(side): _hits(variant, state, side) for side in Side}
    if state["scored"].any():
        battle["scored"] = {word(side): members_of(state["scored"][side]) for side in Side}
    asked = state["mains"][state["hitting"]] if state["step"] == Step.HITS else state["active"]
    if state["step"] in (Step.PLAN, Step.TACTICS) and state["to_act"] >= 0:
        asked = state["to_act"]
    return battle | {"asked": seat_name(asked)}


def _placed(variant, state):
    placed = {}
    boards = state["players"]["placed"][: variant.players].tolist()
    for target in range(REGIONS + 1):
        tokens = _by_seat(boards, lambda board, at=target: board[at])
        if tokens:
            placed["throne" if target == THRONE else target] = tokens
    return placed


def _moved(players):
    """Return the ships that have moved, by region."""
    boards = [ships_of(player["moved"]) for player in players]
    moved = {
        region: [f"{seat_name(seat)} {name}" for seat, board in enumerate(boards) for name in board.get(region, ())]
        for region in range(REGIONS)
    }
    return {region: ships for region, ships in moved.items() if ships}


def _at_hand(variant, state):
    """Return the tile, effect, ship or battle that a role is handling."""
    result = {}
    if state["tile_in_hand"] != NO_TILE:
        result["tile_in_hand"] = variant.content.tiles[state["tile_in_hand"]].name
    if state["market_tile"] != NOTHING:
        result["market_tile"] = variant.content.market[state["market_tile"]]["name"]
    if state["work_side"] != NOTHING:
        result["effect"] = _effect(variant, state)
    if state["ship"] != NOTHING:
        ship = word(Ship(int(state["ship"])))
        result["ship"] = f"{seat_name(state['ship_owner'])} {ship} from {state['ship_from']}"
    if state["sector"] != NOTHING:
        result["battle"] = _battle(variant, state)
    return result


def _memory(variant, state):
    """Return the memory of a running role, without empty entries."""
    players = state["players"][: variant.players]
    memory = {
        "used": _by_seat(players, lambda player: _used(variant, player)),
        "surging": [seat_name(seat) for seat, player in enumerate(players) if player["surging"]],
        "new_wormholes": _by_seat(players, lambda player: int(player["wormholes"])),
        "sold": _by_seat(players, lambda player: _letters(player["sold"])),
        "bought": _by_seat(players, lambda player: _letters(player["bought"])),
        "favoured": _by_seat(players, lambda player: _favoured(variant, player)),
        "owed": _by_seat(players, lambda player: int(player["owed"])),
        "free_ships": {word(ship): int(state["free_ships"][ship]) for ship in Ship if state["free_ships"][ship]},
        "buyers": [seat_name(seat) for seat, player in enumerate(players) if player["buyer"]],
        "moved": _moved(players),
        "fought": sorted(members_of(state["fought"]) + members_of(state["fought_again"])),
        "in_battle": [seat_name(seat) for seat, player in enumerate(players) if player["fights"]],
        "placed_influence": _placed(variant, state),
        "extra_tile": bool(state["extra_tile"]),
    }
    for key in ("tiles_placed", "invested", "drawn", "purchases", "influence_sold"):
        memory[key] = int(state[key])
    memory |= _at_hand(variant, state)
    memory = {key: value for key, value in memory.items() if value}
    if state["last_placed"] != NOTHING:
        memory["last_placed"] = int(state["last_placed"])
    return memory


def _stage(state):
    """Return the stage; a question about a surge belongs to the stage before the one stored."""
    return Stage.SURGE if state["ask"] == Ask.SURGE else Stage(int(state["stage"]))


def scores(variant, state) -> dict[str, int]:
    """Return tokens in the throne and on the board by seat; a starbase counts 2 (rulebook: The Emperor 2).

    Bonus points count from the first round on, because the first seat is unknown before.
    """
    totals = {}
    bonus = variant.settings["bonus_points"]
    if state["step"] in SET_UP_STEPS:
        bonus = [0] * variant.players
    far_space = state["far_space"].tolist()
    for seat, player in enumerate(state["players"][: variant.players]):
        bases = int(player["starbases"]).bit_count() + far_space.count(FarSpace.STARBASE + 2 * seat)
        colonies = int(player["colonies"]).bit_count() + far_space.count(FarSpace.COLONY + 2 * seat)
        place = (seat - int(state["first"])) % variant.players
        totals[seat_name(seat)] = bonus[place] + int(player["throne"]) + colonies + 2 * bases
    return totals


def position(variant, state) -> dict:
    """Return the position of one record."""
    content = variant.content
    players = state["players"][: variant.players]
    boards = [(int(player["colonies"]), int(player["starbases"]), ships_of(player["fleet"])) for player in players]
    regions = {region: _region(variant, state, region, boards) for region in range(REGIONS)}
    result = {
        "scepter": seat_name(state["scepter"]),
        "emperor": seat_name(state["emperor"]),
        "edict": content.edicts[state["edict"]]["name"],
        "monolith": Role(int(state["monolith"])).name if state["monolith"] != NOTHING else None,
        "roles_left": int(state["roles_left"]),
        "role_credits": {role.name: int(state["role_credits"][role]) for role in Role if state["role_credits"][role]},
        "role": Role(int(state["role"])).name if state["role"] != NOTHING else None,
        "step": step_word(state["step"]),
        "turn": seat_name(state["mains"][Side.ATTACKER] if state["sector"] != NOTHING else state["active"]),
        "galaxy_supply": int(state["galaxy_supply"]),
        "flipped": [content.market[tile]["name"] for tile in members_of(state["flipped"])],
        "far_space": {location: far_space_word(int(there)) for location, there in enumerate(state["far_space"])},
        "display": _counted(variant, state["display"]),
        "tile_stack": _tiles(variant, state["stack"][: state["stack_count"]][::-1]),
        "tech_decks": _by_cost(variant, state["decks"], state["deck_count"]),
        "tech_discards": _by_cost(variant, state["discards"], state["discard_count"]),
        "galaxy": {region: entry for region, entry in regions.items() if entry},
        "players": {seat_name(seat): _player(variant, state, player) for seat, player in enumerate(players)},
    }
    if variant.players == 2:
        result["blocked"] = list(variant.settings["block"])
    result |= _memory(variant, state)
    result |= _extras(variant, state, usual_stage(result))
    return result | _end(variant, state) if state["to_act"] == NOBODY else result


def _extras(variant, state, usual):
    """Return values that differ from the usual. usual: the stage that follows from the rest."""
    extras = {
        "stage": word(_stage(state)) if _stage(state) != usual else None,
        "stack_known": int(state["stack_known"]),
        "blocked_tiles": _counted(variant, state["buried"]),
        "turn_number": int(state["turn"]),
        "decisions": int(state["decisions"]),
        "random": int(state["random"]),
        "first": seat_name(state["first"]) if state["first"] else None,
    }
    return {key: value for key, value in extras.items() if value}


def _by_cost(variant, piles, counts):
    """Return piles of technologies by their costs, the top card first."""
    return {cost + 1: _names(variant, piles[cost][: counts[cost]][::-1]) for cost in range(COSTS)}


def _end(variant, state):
    """How a game has ended."""
    placement = {seat_name(seat): int(state["placement"][seat]) for seat in range(variant.players)}
    truncated = {"truncated": True} if state["truncated"] else {}
    return truncated | {"placement": placement, "scores": scores(variant, state)}
