"""Reader for positions as text: it turns a plain dict of names and numbers into a state (positions.py writes the dict).

It checks names, seats and regions, and that no card is in two places. Then the game advances to the next decision, as
it does after an action.
"""

import re

import numpy as np

from stardeck.kernels.compile.jit import entry
from stardeck.kernels.empire_of_the_stars.cards.tables import SHIPS
from stardeck.kernels.empire_of_the_stars.operations import Manner, Op, Tiles
from stardeck.kernels.empire_of_the_stars.play.battle.hits import hits_of
from stardeck.kernels.empire_of_the_stars.play.battle.sides import other_side, side_of
from stardeck.kernels.empire_of_the_stars.play.battle.tactics import lead_in_tactics
from stardeck.kernels.empire_of_the_stars.play.dealing import clear
from stardeck.kernels.empire_of_the_stars.play.effects import hits_needed
from stardeck.kernels.empire_of_the_stars.play.galaxy import tokens_of, total_on
from stardeck.kernels.empire_of_the_stars.play.questions import NOT_YET, put_question
from stardeck.kernels.empire_of_the_stars.play.turn import settle
from stardeck.kernels.empire_of_the_stars.rules import TileKind
from stardeck.kernels.empire_of_the_stars.state import (
    CLASSES,
    COLONY_TOKENS,
    COSTS,
    FAR_SPACE,
    GALAXY_TOKENS,
    HOME_WORLD,
    NO_TILE,
    NOBODY,
    NOTHING,
    PILE_LIMIT,
    REGIONS,
    SECTORS,
    SHIPS_IN_REGION,
    STACK_LIMIT,
    STATE,
    THRONE,
    Ask,
    FarSpace,
    Plan,
    Role,
    Ship,
    Side,
    Stage,
    Step,
)
from stardeck.kernels.empire_of_the_stars.text.positions import (
    LETTERS,
    SET_UP_STEPS,
    favour_slots,
    scores,
    side_in_use,
    step_word,
    use_words,
    usual_stage,
    work_effects,
)
from stardeck.kernels.empire_of_the_stars.text.words import word
from stardeck.kernels.errors import shown
from stardeck.kernels.primitives.action_set import population
from stardeck.kernels.text.moves import legal_numbers
from stardeck.kernels.text.position_parser import MOST_COUNTED, MOST_RANDOM, Reader

MOST = 30_000
MOST_ON_ROLE = 20_000  # each turn adds one credit, and no game has more than 10,000 turns
FEW = 60  # limit of resources and of a role's counts; twice this number still fits a byte
STATE_KEYS = (
    "scepter", "emperor", "edict", "monolith", "roles_left", "role_credits", "role", "step", "turn", "galaxy_supply",
    "flipped", "far_space", "display", "tile_stack", "tech_decks", "tech_discards", "blocked", "galaxy", "players",
    "used", "surging", "effect", "tile_in_hand", "last_placed", "new_wormholes", "market_tile", "sold", "bought",
    "favoured", "invested", "free_ships", "drawn", "purchases", "buyers", "moved", "fought", "in_battle", "ship",
    "battle", "influence_sold", "placed_influence", "stage", "tiles_placed", "extra_tile", "owed", "stack_known",
    "blocked_tiles", "turn_number", "decisions", "random", "first", "placement", "truncated", "scores",
)  # fmt: skip
PLAYER_KEYS = (
    "P", "M", "E", "credits", "tokens", "throne", "influence", "hand", "technologies", "power", "surged", "staging",
    "dealt",
)  # fmt: skip
BATTLE_KEYS = (
    "sector", "attacker", "defender", "invited", "attacker_allies", "defender_allies", "strength", "plans",
    "tactics_moves_left", "hits_left", "hits", "scored", "asked",
)  # fmt: skip
EFFECT_KEYS = ("name", "seat", "left", "opponent", "colonies", "number")
# The role that each step belongs to; `before` and `after` belong to all roles.
ROLE_STEPS = {
    Role.EXPLORER: (Step.TILE, Step.REGION, Step.COLONY, Step.EXTRA),
    Role.STEWARD: (Step.MARKET_TILE, Step.PRODUCE),
    Role.MERCHANT: (Step.TRADE, Step.INVEST),
    Role.ENGINEER: (Step.BUILD, Step.DEPLOY),
    Role.SCIENTIST: (Step.DRAW, Step.BUY, Step.DISCARD),
    Role.WARLORD: tuple(Step(number) for number in range(Step.MOVE, Step.INVADE + 1)),
    Role.REGENT: (Step.BUY_INFLUENCE, Step.PLACE, Step.THRONE, Step.EDICT),
}
BY_POWER = (Step.BEFORE, Step.AFTER, Step.PRODUCE, Step.THRONE, Step.READY)
FROM_THE_LEFT = (Step.MOVE, Step.BATTLE, Step.COLONIZE, Step.PLACE)


@entry
def clear_one(rules, states):
    """Set an empty table."""
    clear(rules[0], states[0])


@entry
def run_on(rules, states):
    """Advance to the next decision."""
    states[0].to_act = NOT_YET
    settle(rules[0], states[0])


@entry
def ask_destination(rules, states):
    """Ask for the destination of the ship picked: the seat at hand, or the winner of tactics."""
    state = states[0]
    seat = np.int64(state.active)
    if state.step == Step.TACTICS:
        side = Side.ATTACKER if lead_in_tactics(rules[0], state) > 0 else Side.DEFENDER
        seat = np.int64(state.mains[side])
    put_question(state, seat, Ask.DESTINATION)


@entry
def hits_to_assign(rules, states, side):
    """Return the hits of a side by the plans, minus those already assigned."""
    state = states[0]
    left = hits_of(rules[0], state, side)
    for seat in range(rules[0].players):
        if side_of(state, seat) == other_side(side):
            player = state.players[seat]
            for kind in range(CLASSES):
                left -= hits_needed(rules[0], player, kind) * total_on(player.hit, kind)
            left -= population(player.starbases & state.starbases_hit)
            left -= population(tokens_of(player) & state.colonies_hit)
    return left


def bit(number) -> np.uint64:
    """Return the set of one number."""
    return np.uint64(1 << number)


class _Reader(Reader):
    """A reader for the names of the game's components."""

    def __init__(self, variant):
        super().__init__(variant.players)
        self.variant = variant
        self.content = variant.content
        self.tiles = [tile.name for tile in self.content.tiles]
        self.technologies = [technology.name for technology in self.content.technologies]
        self.powers = [power.name for power in self.content.powers] if variant.settings["powers"] else []
        self.market = [tile["name"] for tile in self.content.market]

    def region(self, value, where):
        return self.number(value, where, 0, REGIONS - 1)

    def pile(self, value, where, names, most=STACK_LIMIT):
        """Return the numbers of listed names, with `name x3` expanded."""
        listed = self.named_pile(value, where, most, "names")
        for name in listed:
            if not isinstance(name, str) or name not in names:
                raise ValueError(f"{where}: {shown(name)} is not known; allowed: {', '.join(names)}")
        return [list(names).index(name) for name in listed]

    def by_seat(self, value, where):
        return [(self.seat(key, where), item) for key, item in self.mapping(value, where, self.seats).items()]

    def seats_listed(self, value, where):
        return [self.seat(item, where) for item in self.listed(value, where)]

    def letters(self, value, where):
        return {
            int(LETTERS[key]): self.number(item, f"{where}.{key}", 0, FEW)
            for key, item in self.mapping(value, where, LETTERS).items()
        }


# The board


def _read_tile(read, state, region, text):
    where = f"galaxy.{region}.tile"
    if isinstance(text, str) and text.startswith("home "):
        seat = read.seat(text.removeprefix("home "), where)
        if state["players"][seat]["home"] != NOTHING:
            raise ValueError(
                f"{where}: {shown(text)}: this home world is already in region {state['players'][seat]['home']}"
            )
        state["players"][seat]["home"] = region
        state["tiles"][region] = HOME_WORLD
        state["homes"] |= bit(region)
    else:
        tile = read.one_of(text, where, read.tiles)
        state["tiles"][region] = tile
        fields = {TileKind.PLANET: "planets", TileKind.ASTEROID: "asteroids", TileKind.WORMHOLE: "wormholes"}
        if read.content.tiles[tile].kind in fields:
            state[fields[read.content.tiles[tile].kind]] |= bit(region)
    state["tiled"] |= bit(region)


def _read_token(read, text, where):
    name, _, kind = text.partition(" ") if isinstance(text, str) else ("", "", "")
    if kind not in ("colony", "starbase"):
        raise ValueError(f"{where}: {shown(text)}: must read `player_N colony` or `player_N starbase`")
    return read.seat(name, where), kind


def _put_ships(read, value, where, board, region):
    """Put the ships of one seat in a region onto a board (uint64[3, 3]), and return their number."""
    ships = read.pile(value, where, SHIPS)
    for ship in ships:
        levels = [level for level in range(SHIPS_IN_REGION) if not int(board[ship][level]) >> region & 1]
        if not levels:
            raise ValueError(f"{where}: a region holds at most {SHIPS_IN_REGION} ships")
        board[ship][levels[0]] |= bit(region)
    return len(ships)


def _read_region(read, state, region, entry):
    where = f"galaxy.{region}"
    read.mapping(entry, where, ("tile", "token", "ships"))
    if not int(read.variant.rules[0]["open"]) >> region & 1:
        raise ValueError(f"{where}: lies in a blocked sector")
    if entry.get("tile", "none") != "none":
        _read_tile(read, state, region, entry["tile"])
    if entry.get("token", "none") != "none":
        seat, kind = _read_token(read, entry["token"], f"{where}.token")
        if not int(state["planets"] | state["asteroids"]) >> region & 1:
            raise ValueError(f"{where}.token: {entry['token']!r}: there is no planet")
        state["players"][seat]["colonies" if kind == "colony" else "starbases"] |= bit(region)
    count = 0
    for seat, ships in read.by_seat(entry.get("ships", {}), f"{where}.ships"):
        count += _put_ships(read, ships, f"{where}.ships", state["players"][seat]["fleet"], region)
    if count > SHIPS_IN_REGION:
        raise ValueError(f"{where}.ships: a region holds at most {SHIPS_IN_REGION} ships")
    for level in range(count):
        state["crowd"][level] |= bit(region)


def _read_far_space(read, state, value):
    for location, text in read.numbered(value, "far_space", 0, FAR_SPACE - 1):
        where = f"far_space.{location}"
        if text in ("galaxy", "none"):
            state["far_space"][location] = FarSpace.GALAXY if text == "galaxy" else FarSpace.EMPTY
        else:
            seat, kind = _read_token(read, text, where)
            state["far_space"][location] = FarSpace[kind.upper()] + 2 * seat


def _read_piles(read, position, state):
    stack = read.pile(position.get("tile_stack", []), "tile_stack", read.tiles)
    state["stack"][: len(stack)] = stack[::-1]
    state["stack_count"] = len(stack)
    state["stack_known"] = read.number(position.get("stack_known", 0), "stack_known", 0, len(stack))
    for key, field in (("display", "display"), ("blocked_tiles", "buried")):
        for tile in read.pile(position.get(key, []), key, read.tiles):
            state[field][tile] += 1
    tiles = len(stack) + int(state["display"].sum()) + int(state["buried"].sum())
    if tiles > STACK_LIMIT:
        raise ValueError(f"tile_stack, display, blocked_tiles: {tiles} tiles: at most {STACK_LIMIT}")
    seen = []
    for key, field, count in (("tech_decks", "decks", "deck_count"), ("tech_discards", "discards", "discard_count")):
        for cost, cards in read.numbered(position.get(key, {}), key, 1, COSTS):
            numbers = read.pile(cards, f"{key}.{cost}", read.technologies, PILE_LIMIT)
            wrong = [n for n in numbers if read.content.technologies[n].cost != cost]
            if wrong:
                raise ValueError(f"{key}.{cost}: {read.technologies[wrong[0]]!r} does not cost {cost}")
            state[field][cost - 1][: len(numbers)] = numbers[::-1]
            state[count][cost - 1] = len(numbers)
            seen += numbers
    return seen


# Players


def _cards(read, value, where, words, seen):
    for number in read.pile(value, where, read.technologies):
        seen.append(number)
        words[number // 64] |= bit(number % 64)


def _tokens_out(state, seat):
    """Return the number of colony tokens of a seat on planets and in far space."""
    player = state["players"][seat]
    far = sum((int(there) - FarSpace.COLONY) // 2 == seat for there in state["far_space"] if there >= FarSpace.COLONY)
    return int(player["colonies"] | player["starbases"]).bit_count() + far


def _read_supply(read, state, player, name):
    for ship in Ship:
        out = sum(int(player["fleet"][ship][level]).bit_count() for level in range(SHIPS_IN_REGION))
        out += int(player["staging"][ship])
        total = int(read.variant.rules[0]["ship_supply"][ship])
        if out > total:
            raise ValueError(f"{name}: {out} {word(ship)}s: a player has {total}")
        player["supply"][ship] = total - out


def _read_placed(read, state, value):
    targets = dict(read.mapping(value, "placed_influence"))
    throne = [(THRONE, targets.pop("throne"))] if "throne" in targets else []
    for place, tokens in throne + read.numbered(targets, "placed_influence", 0, REGIONS - 1):
        target = "throne" if place == THRONE else place
        if place != THRONE and not int(state["planets"] | state["asteroids"]) >> place & 1:
            raise ValueError(f"placed_influence.{target}: there is no planet")
        for seat, count in read.by_seat(tokens, f"placed_influence.{target}"):
            state["players"][seat]["placed"][place] = read.number(count, f"placed_influence.{target}", 0, FEW)


def _read_player(read, entry, state, seat, seen):
    name = read.seats[seat]
    read.mapping(entry, name, PLAYER_KEYS)
    player = state["players"][seat]
    for letter, resource in LETTERS.items():
        player["resources"][resource] = read.number(entry.get(letter, 0), f"{name}.{letter}", 0, FEW)
    for key in ("credits", "throne"):
        player[key] = read.number(entry.get(key, 0), f"{name}.{key}")
    out = _tokens_out(state, seat)
    player["influence"] = read.number(entry.get("influence", 0), f"{name}.influence", 0, COLONY_TOKENS)
    left = COLONY_TOKENS - out - int(player["influence"]) - int(player["placed"].sum())
    player["tokens"] = read.number(entry.get("tokens", max(left, 0)), f"{name}.tokens", 0, COLONY_TOKENS)
    if player["tokens"] > left:
        tokens = COLONY_TOKENS + int(player["tokens"]) - left
        raise ValueError(f"{name}: {tokens} colony tokens: a player has {COLONY_TOKENS}")
    _cards(read, entry.get("hand", []), f"{name}.hand", player["hand"], seen)
    _cards(read, entry.get("technologies", []), f"{name}.technologies", player["technologies"], seen)
    for ship in read.pile(entry.get("staging", []), f"{name}.staging", SHIPS):
        player["staging"][ship] += 1
    if entry.get("power") is not None:
        player["power"] = read.one_of(entry["power"], f"{name}.power", read.powers)
    player["surged"] = read.truth(entry.get("surged", False), f"{name}.surged")
    dealt = read.pile(entry.get("dealt", []), f"{name}.dealt", read.powers)
    if len(dealt) not in (0, len(player["dealt"])):
        raise ValueError(f"{name}.dealt: {len(dealt)} powers: must be {len(player['dealt'])}")
    player["dealt"][: len(dealt)] = dealt
    _read_supply(read, state, player, name)


def _order(read, state):
    """Return the seats by power number; without powers player_0 counts as the highest."""
    players = read.variant.players
    if not read.powers:
        return [(seat + 1) % players for seat in range(players)]
    powers = [int(state["players"][seat]["power"]) for seat in range(players)]
    return sorted(range(players), key=lambda seat: (powers[seat], seat))


def _check_dealt(read, state):
    """Check the powers dealt while players choose.

    Each player has three powers, no power is dealt twice, and each player has kept one of the three or none yet.
    """
    players = state["players"][: read.variant.players]
    dealt = players["dealt"].ravel().tolist()
    if NOTHING in dealt or len(set(dealt)) < len(dealt):
        raise ValueError("players: dealt: must be three powers for each player, none of them twice")
    for seat, player in enumerate(players):
        allowed = player["dealt"] if seat < state["active"] else (NOTHING,)
        if player["power"] not in allowed:
            raise ValueError(
                f"{read.seats[seat]}.power: must be one of the three powers dealt, kept in the order of the seats"
            )


def _check_homes(read, state):
    """Check that home worlds are placed in the order of the powers, each with its first planet before the next one."""
    if read.powers and NOTHING in state["players"]["power"][: read.variant.players]:
        raise ValueError("players: power: every player must have one before home worlds are placed")
    order = state["order"][: read.variant.players].tolist()
    placed = [seat for seat in order if state["players"][seat]["home"] != NOTHING]
    count = len(placed)
    at = count if state["step"] == Step.HOME else count - 1
    if placed != order[:count] or not 0 <= at < len(order) or state["active"] != order[at]:
        names = ", ".join(read.seats[seat] for seat in order)
        raise ValueError(f"galaxy: home worlds are placed in the order {names}, the last of them by the seat at hand")


def _check_cards(read, state, seen):
    doubled = [read.technologies[number] for number in set(seen) if seen.count(number) > 1]
    if doubled:
        raise ValueError(f"{doubled[0]!r} is in two places")
    powers = [int(state["players"][seat]["power"]) for seat in range(read.variant.players)]
    kept = [power for power in powers if power != NOTHING]
    if len(kept) != len(set(kept)):
        raise ValueError("players: two players have the same power")


# Data of a role


def _read_used(read, state, value):
    for seat, names in read.by_seat(value, "used"):
        player = state["players"][seat]
        own = []
        if player["power"] != NOTHING:
            effects = side_in_use(read.variant, player)
            own = use_words(read.powers[player["power"]], effects)
        for name in read.listed(names, "used"):
            if name in own:
                asking = [i for i, effect in enumerate(effects) if effect.manner == Manner.ASKING and own[i] == name]
                player["used_effects"] |= 1 << (asking[0] if asking else own.index(name))
            else:
                number = read.one_of(name, "used", [*read.technologies, *own])
                player["used"][number // 64] |= bit(number % 64)


def _read_effect(read, state, value):
    read.mapping(value, "effect", EFFECT_KEYS)
    seat = read.seat(value.get("seat"), "effect.seat")
    player = state["players"][seat]
    left = read.number(value.get("left", 1), "effect.left", 0, FEW)
    name = value.get("name")
    if isinstance(name, str) and name in read.powers:
        if player["power"] != read.powers.index(name):
            raise ValueError(f"effect.name: {name!r} is not the power of {read.seats[seat]}")
        surge = bool(player["surging"])
        power = read.content.powers[player["power"]]
        effects = power.surge if surge else power.core
        side = int(player["power"]) + (len(read.powers) if surge else 0)
    else:
        number = read.one_of(name, "effect.name", [*read.technologies, *read.powers])
        effects = read.content.technologies[number].effects
        side = 2 * len(read.powers) + number
    state["active"] = seat
    if state["step"] == Step.REGION:  # the tile in hand was turned up by the effect
        if not any(effect.op == Op.TILES and effect.values[Tiles.EXTRA] > 0 for effect in effects):
            raise ValueError(f"effect.name: {name!r} turns up no tiles")
        state["extra_tile"] = 1
        state["tiles_placed"] = max(1, state["tiles_placed"])
        return
    places = work_effects(effects)
    if not places:
        if not any(effect.op == Op.GAIN for effect in effects):
            raise ValueError(f"effect.name: {name!r} offers no choices")
        player["owed"] = left
        return
    state["work_side"] = side
    number = read.number(value.get("number", places[0]), "effect.number", 0, len(effects) - 1)
    if number not in places:
        raise ValueError(f"effect.number: {number}: must be one of {', '.join(map(str, places))}")
    state["work_effect"] = number
    state["work_left"] = left
    if "opponent" in value:
        state["work_opponent"] = read.seat(value["opponent"], "effect.opponent")
    state["work_colonies"] = read.truth(value.get("colonies", False), "effect.colonies")


def _unit(read, text, where, kinds):
    """Return kind, seat and region of a unit such as `fighter of player_1 in 17`."""
    found = re.match(r"(\w+) of (player_\d) in ([0-9]{1,2})\Z", text) if isinstance(text, str) else None
    if not found or found[1] not in kinds:
        raise ValueError(f"{where}: {shown(text)}: must read like `fighter of player_1 in 17`")
    return found[1], read.seat(found[2], where), read.region(int(found[3]), where)


def _read_hits(read, state, value):
    for _, units in read.mapping(value, "battle.hits", [word(side) for side in Side]).items():
        for text in read.listed(units, "battle.hits"):
            kind, seat, region = _unit(read, text, "battle.hits", (*SHIPS, "starbase", "colony"))
            if kind in SHIPS:
                _put_ships(read, [kind], "battle.hits", state["players"][seat]["hit"], region)
                fleet = state["players"][seat]["fleet"]
                if (state["players"][seat]["hit"] & ~fleet).any():
                    raise ValueError(f"battle.hits: {text!r}: there is no such ship")
            else:
                state["starbases_hit" if kind == "starbase" else "colonies_hit"] |= bit(region)


def _read_battle(read, state, value):
    read.mapping(value, "battle", BATTLE_KEYS)
    sides = [word(side) for side in Side]
    state["sector"] = read.number(value.get("sector"), "battle.sector", 0, SECTORS - 1)
    for side in Side:
        state["mains"][side] = read.seat(value.get(word(side)), f"battle.{word(side)}")
        for seat in read.seats_listed(value.get(f"{word(side)}_allies", []), f"battle.{word(side)}_allies"):
            state["players"][seat]["allied"] = side
    if state["mains"][0] == state["mains"][1]:
        raise ValueError("battle: attacker and defender are the same")
    for seat in state["mains"]:
        if state["players"][seat]["allied"] != NOTHING:
            raise ValueError(f"battle: {read.seats[seat]} is attacker or defender and cannot be an ally")
    for key, seats in read.mapping(value.get("invited", {}), "battle.invited", sides).items():
        for seat in read.seats_listed(seats, "battle.invited"):
            state["players"][seat]["invited"] |= 1 << sides.index(key)
    _read_plans(read, state, value, sides)
    state["tactics_left"] = read.number(value.get("tactics_moves_left", 0), "battle.tactics_moves_left", 0, FEW)
    for key, regions in read.mapping(value.get("scored", {}), "battle.scored", sides).items():
        for region in read.listed(regions, "battle.scored"):
            state["scored"][sides.index(key)] |= bit(read.region(region, "battle.scored"))
    _read_hits(read, state, value.get("hits", {}))
    asked = read.seat(value["asked"], "battle.asked") if "asked" in value else _asked(read, state)
    by_side = state["step"] in (Step.PLAN, Step.TACTICS)  # plans and tactics then determine who acts
    state["active"] = state["mains"][Side.ATTACKER] if by_side else asked


def _read_plans(read, state, value, sides):
    """Read how strong each side is, and how it divides its strength."""
    for key, strength in read.mapping(value.get("strength", {}), "battle.strength", sides).items():
        state["strength"][sides.index(key)] = read.number(strength, "battle.strength", 0, FEW)
    parts = [word(part) for part in Plan]
    for key, plan in read.mapping(value.get("plans", {}), "battle.plans", sides).items():
        for part, number in read.mapping(plan, "battle.plans", parts).items():
            most = int(state["strength"][sides.index(key)])
            state["plans"][sides.index(key), parts.index(part)] = read.number(number, "battle.plans", 0, most)


def _asked(read, state):
    """Return the default seat to decide: the attacker, or the ally who joined last and brings ships."""
    attacker = int(state["mains"][Side.ATTACKER])
    if state["step"] != Step.ALLY:
        return attacker
    clockwise = [(attacker + distance) % read.variant.players for distance in range(read.variant.players)]
    allies = [seat for seat in clockwise if state["players"][seat]["allied"] != NOTHING]
    if not allies:
        raise ValueError("battle: the step 'ally' needs attacker_allies or defender_allies")
    return allies[-1]


def _finish_hits(read, states, value):
    """Set the side that assigns hits, and the number of hits left."""
    state = states[0]
    side = Side.DEFENDER if state["active"] == state["mains"][Side.DEFENDER] else Side.ATTACKER
    state["hitting"] = side
    counted = hits_to_assign(read.variant.rules, states, int(side))
    state["hits_left"] = read.number(value.get("hits_left", int(counted)), "battle.hits_left", 0, FEW)
    state["active"] = state["mains"][Side.ATTACKER]


def _read_moved(read, state, value):
    for region, ships in read.numbered(value, "moved", 0, REGIONS - 1):
        where = f"moved.{region}"
        for text in read.listed(ships, where):
            name, _, ship = text.partition(" ") if isinstance(text, str) else ("", "", "")
            seat = read.seat(name, where)
            _put_ships(read, [ship], where, state["players"][seat]["moved"], region)


def _read_ship(read, state, text):
    found = re.match(r"(player_\d) (\w+) from ([0-9]{1,2})\Z", text) if isinstance(text, str) else None
    if not found:
        raise ValueError(f"ship: {shown(text)}: must read like `player_0 fighter from 12`")
    state["ship_owner"] = read.seat(found[1], "ship")
    state["ship"] = read.one_of(found[2], "ship", SHIPS)
    state["ship_from"] = read.region(int(found[3]), "ship")
    fleet = state["players"][state["ship_owner"]]["fleet"][state["ship"], 0]
    if not int(fleet) >> int(state["ship_from"]) & 1:
        raise ValueError(f"ship: {text!r}: there is no such ship")


def _read_counts(read, position, state):
    """Read the data of a role that are numbers or lists."""
    after_a_tile = state["step"] in (Step.COLONY, Step.EXTRA)
    usual = {"tiles_placed": int(after_a_tile)}
    for key in ("tiles_placed", "invested", "drawn", "purchases", "influence_sold"):
        state[key] = read.number(position.get(key, usual.get(key, 0)), key, 0, FEW)
    state["extra_tile"] = read.truth(position.get("extra_tile", False), "extra_tile")
    for key, field in (("new_wormholes", "wormholes"), ("owed", "owed")):
        for seat, count in read.by_seat(position.get(key, {}), key):
            state["players"][seat][field] = read.number(count, key, 0, FEW)
    for key, field in (("surging", "surging"), ("buyers", "buyer"), ("in_battle", "fights")):
        for seat in read.seats_listed(position.get(key, []), key):
            state["players"][seat][field] = 1
    for key in ("sold", "bought"):
        for seat, counts in read.by_seat(position.get(key, {}), key):
            for resource, count in read.letters(counts, key).items():
                state["players"][seat][key][resource] = count
    slots = favour_slots(read.variant)
    for seat, cards in read.by_seat(position.get("favoured", {}), "favoured"):
        for name, letter in read.mapping(cards, "favoured", slots).items():
            resource = list(LETTERS.values())[read.one_of(letter, f"favoured.{name}", list(LETTERS))]
            state["players"][seat]["favoured"][slots[name]] = resource
    for name, count in read.mapping(position.get("free_ships", {}), "free_ships", SHIPS).items():
        state["free_ships"][SHIPS.index(name)] = read.number(count, "free_ships", 0, FEW)
    for sector in read.listed(position.get("fought", []), "fought"):
        number = read.number(sector, "fought", 0, SECTORS - 1)
        if int(state["fought"]) >> number & 1:
            state["fought_again"] |= 1 << number
        state["fought"] |= 1 << number


def _read_memory(read, position, states):
    """Read the data of a role in progress."""
    state = states[0]
    _read_counts(read, position, state)
    _read_used(read, state, position.get("used", {}))
    if "tile_in_hand" in position:
        state["tile_in_hand"] = read.one_of(position["tile_in_hand"], "tile_in_hand", read.tiles)
    if position.get("last_placed") is not None:
        state["last_placed"] = read.region(position["last_placed"], "last_placed")
    if "market_tile" in position:
        state["market_tile"] = read.one_of(position["market_tile"], "market_tile", read.market)
    _read_moved(read, state, position.get("moved", {}))
    if "ship" in position:
        _read_ship(read, state, position["ship"])
    if "battle" in position:
        _read_battle(read, state, position["battle"])
        if state["step"] == Step.HITS:
            _finish_hits(read, states, position["battle"])
    if "effect" in position:
        _read_effect(read, state, position["effect"])


# Role and step


def _first_seat(read, state):
    """Return the first seat in the order of the step."""
    step = state["step"]
    order = [int(seat) for seat in state["order"][: read.variant.players]]
    if step == Step.KEEP_POWER:
        return next((seat for seat in range(read.variant.players) if state["players"][seat]["power"] == NOTHING), 0)
    if step in (Step.HOME, Step.FIRST_PLANET):
        at_home = [seat for seat in order if state["players"][seat]["home"] != NOTHING]
        waiting = [seat for seat in order if seat not in at_home]
        return next(iter(waiting if step == Step.HOME else at_home[::-1]), order[0])
    if step in BY_POWER:
        return order[0]
    if step == Step.EDICT:
        return int(state["emperor"])
    scepter = int(state["scepter"])
    return (scepter + 1) % read.variant.players if step in FROM_THE_LEFT else scepter


def _read_step(read, position, state):
    """Read role, step and seat at hand."""
    role = position.get("role")
    steps = {step_word(step): step for step in Step}
    given = position.get("step", "choose role" if role is None else None)
    state["step"] = steps[list(steps)[read.one_of(given, "step", steps)]]
    step = Step(int(state["step"]))
    if role is not None:
        state["role"] = Role[list(Role.__members__)[read.one_of(role, "role", list(Role.__members__))]]
        allowed = (Step.BEFORE, Step.AFTER, *ROLE_STEPS[Role(int(state["role"]))])
        if step not in allowed:
            raise ValueError(f"step: {step_word(step)!r}: {role} has {', '.join(map(step_word, allowed))}")
    elif step != Step.CHOOSE_ROLE and step not in SET_UP_STEPS:
        raise ValueError(f"role: must be given for the step {step_word(step)!r}")
    state["active"] = _first_seat(read, state)
    if "turn" in position:
        state["active"] = read.seat(position["turn"], "turn")
    if Step.INVITE <= step <= Step.INVADE and "battle" not in position:
        raise ValueError(f"battle: must be given for the step {step_word(step)!r}")
    stages = [word(stage) for stage in Stage]
    given = position.get("stage", word(usual_stage(position)))
    state["stage"] = read.one_of(given, "stage", stages)


def _read_round(read, position, state):
    """Read scepter, Emperor, Monolith and supplies."""
    for key in ("scepter", "emperor", "first"):
        state[key] = read.seat(position.get(key, "player_0"), key)
    edicts = [edict["name"] for edict in read.content.edicts]
    state["edict"] = read.one_of(position.get("edict", edicts[0]), "edict", edicts)
    roles = list(Role.__members__)
    monolith = position.get("monolith", position.get("role"))
    if monolith is not None:
        state["monolith"] = Role[roles[read.one_of(monolith, "monolith", roles)]]
    state["roles_left"] = read.number(position.get("roles_left", 1), "roles_left", 1, 2)
    for role, credits in read.mapping(position.get("role_credits", {}), "role_credits", roles).items():
        state["role_credits"][Role[role]] = read.number(credits, f"role_credits.{role}", 0, MOST_ON_ROLE)
    supply = position.get("galaxy_supply", GALAXY_TOKENS)
    state["galaxy_supply"] = read.number(supply, "galaxy_supply", 0, GALAXY_TOKENS)
    for tile in read.pile(position.get("flipped", []), "flipped", read.market):
        state["flipped"] |= 1 << tile
    blocked = read.variant.settings["block"] if read.variant.players == 2 else []
    listed = read.listed(position.get("blocked", blocked), "blocked")
    given = [read.number(sector, "blocked", 0, SECTORS - 1) for sector in listed]
    if sorted(given) != blocked:
        raise ValueError(f"blocked: {shown(given)}: must be {blocked}, as in the settings")
    state["turn"] = read.number(position.get("turn_number", 0), "turn_number", 0, MOST_COUNTED)
    state["decisions"] = read.number(position.get("decisions", 0), "decisions", 0, MOST_COUNTED)
    state["random"] = read.number(position.get("random", 0), "random", 0, MOST_RANDOM)


def _check_step(read, position, state):
    """Check the requirements of the present step."""
    for key in ("truncated", "scores"):
        if position.get(key):
            raise ValueError(f"{key}: only allowed in a finished game, with placement")
    if state["step"] == Step.KEEP_POWER:
        _check_dealt(read, state)
    if state["step"] in (Step.HOME, Step.FIRST_PLANET):
        _check_homes(read, state)
    if state["step"] == Step.REGION and state["tile_in_hand"] == NO_TILE:
        raise ValueError("tile_in_hand: must be given for the step 'region'")


def _truncated(read, position):
    """Return True if the limit ended the game without a winner."""
    truncated = read.truth(position.get("truncated", False), "truncated")
    if truncated and read.variant.settings["at_limit"] == "score":
        raise ValueError("truncated: must be false: with at_limit=score the final score decides a game at its limit")
    return truncated


def _read_placement(read, position, state):
    """Read the end of a game; its scores must match the board."""
    placed = read.mapping(position["placement"], "placement", read.seats)
    for seat, name in enumerate(read.seats):
        state["placement"][seat] = read.number(placed.get(name), f"placement.{name}", 1, len(read.seats))
    counted = scores(read.variant, state)
    if position.get("scores", counted) != counted:
        raise ValueError(f"scores: {shown(position['scores'])}: must be {counted} by the board and the throne")
    state["to_act"] = NOBODY


def from_position(variant, position: dict) -> np.ndarray:
    """Return the state that a position describes, at its next decision: array of one row.

    Raises:
        ValueError: The position is invalid. The message names the key and the value.
    """
    read = _Reader(variant)
    read.mapping(position, "position", STATE_KEYS)
    states = np.zeros(1, STATE)
    clear_one(variant.rules, states)
    state = states[0]
    _read_round(read, position, state)
    _read_far_space(read, state, position.get("far_space", {}))
    for region, region_entry in read.numbered(position.get("galaxy", {}), "galaxy", 0, REGIONS - 1):
        _read_region(read, state, region, region_entry)
    seen = _read_piles(read, position, state)
    _read_placed(read, state, position.get("placed_influence", {}))
    players = read.mapping(position.get("players", {}), "players", read.seats)
    for seat, name in enumerate(read.seats):
        _read_player(read, players.get(name, {}), state, seat, seen)
    _check_cards(read, state, seen)
    if position.get("step") != step_word(Step.KEEP_POWER):
        state["order"][: variant.players] = _order(read, state)
    _read_step(read, position, state)
    _read_memory(read, position, states)
    state["truncated"] = _truncated(read, position)
    if "placement" in position:
        _read_placement(read, position, state)
        return states
    _check_step(read, position, state)
    if state["ship"] != NOTHING:
        ask_destination(variant.rules, states)
    else:
        run_on(variant.rules, states)
    if state["to_act"] != NOBODY and not legal_numbers(variant, states):
        raise ValueError(f"step: {step_word(state['step'])!r}: {read.seats[state['to_act']]} has nothing to choose")
    return states
