"""The table as data (docs/notation/table.md): galaxy, zones and cards as one seat sees them, and places of moves.

The data comes from the position (positions.py); this module leaves out what a seat must not know.
"""

from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import (
    COSTS,
    HOME_WORLD,
    NOBODY,
    REGIONS,
    Resource,
    Role,
    Ship,
    Side,
    Step,
)
from stardeck.kernels.empire_of_the_stars.text import visibility
from stardeck.kernels.empire_of_the_stars.text.faces import faces
from stardeck.kernels.empire_of_the_stars.text.positions import SET_UP_STEPS, position, scores, step_word
from stardeck.kernels.empire_of_the_stars.text.render import (
    battle_words,
    power_side,
    progress_words,
    ranks,
    sector_of,
    where_it_stands,
)
from stardeck.kernels.empire_of_the_stars.text.words import STEPS, describe, question, seat_name, word
from stardeck.kernels.text.table_schema import (
    Contents,
    a_player,
    a_turn,
    a_zone,
    framed,
    named_things,
    numbered_things,
    same_name,
)

POOLS = ("credits", "tokens", "throne", "influence")
BACK = "face down"


def _seat(name):
    """Return the number of a seat from its name."""
    return int(name.rpartition("_")[2])


def _token(place, name, seat):
    return {"id": f"{place}/token", "name": name, "seat": seat}


class _Table:
    """The visible contents of the table for a viewer: zones by id, regions by number."""

    def __init__(self, variant, states, viewer):
        self.variant, self.states, self.state, self.viewer = variant, states, states[0], viewer
        self.position = position(variant, states[0])
        self.me = seat_name(self.state["to_act"])
        self.zones: dict[str, dict] = {}
        self.regions: list[dict] = []

    def lay(self, place, name, kind, things, owner=None, count=None):
        """Put a zone onto the table."""
        self.zones[place] = a_zone(place, name, kind, things, owner, count)

    # The galaxy

    def galaxy(self):
        """Return the map: sectors and regions with their tiles, tokens and ships."""
        blocked = self.variant.settings["block"] or ()
        self.regions = [self.region(number, row, blocked) for number, row in enumerate(self.variant.content.regions)]
        sectors = [
            {
                "id": f"sector/{number}", "number": number, "blocked": number in blocked,
                "regions": [f"region/{region}" for region in row["regions"]],
            }
            for number, row in enumerate(self.variant.content.sectors)
        ]  # fmt: skip
        return {"sectors": sectors, "regions": self.regions}

    def region(self, number, row, blocked):
        """Return one region. row: from the board."""
        place, there = f"region/{number}", self.position["galaxy"].get(number, {})
        region = {
            "id": place, "number": number, "sector": sector_of(number), "q": row["q"], "r": row["r"],
            "next_to": [f"region/{other}" for other in row["next_to"]], "blocked": sector_of(number) in blocked,
            "tile": None, "token": None, "ships": [],
        }  # fmt: skip
        if "tile" in there:
            home = self.state["tiles"][number] == HOME_WORLD
            region["tile"] = "home world" if home else there["tile"]
            if home:
                region["token"] = _token(place, "home world", _seat(there["tile"]))
        if "token" in there:
            owner, kind = there["token"].split(" ")
            region["token"] = _token(place, kind, _seat(owner))
        for owner, ships in there.get("ships", {}).items():
            region["ships"] += [ship | {"seat": _seat(owner)} for ship in named_things(f"{place}/{owner}", ships)]
        return region

    # Common zones

    def common(self):
        """Lay out the common zones."""
        variant, table = self.variant, self.position
        self.roles()
        self.market()
        far = [self.far_space(place, cost) for place, cost in enumerate(variant.content.far_space)]
        self.lay("far_space", "far space", "row", far)
        self.lay("display", "display", "pile", named_things("display", table["display"]))
        self.lay("tile_stack", "stack of tiles", "deck", [], count=len(table["tile_stack"]))
        for cost in range(1, COSTS + 1):
            words, discards = f"of cost {cost}", table["tech_discards"][cost]
            self.lay(f"decks/{cost}", f"technologies {words}", "deck", [], count=len(table["tech_decks"][cost]))
            top = named_things(f"discards/{cost}", discards[:1])
            self.lay(f"discards/{cost}", f"discarded technologies {words}", "pile", top, count=len(discards))
        edicts = named_things("edicts", (edict["name"] for edict in variant.content.edicts))
        self.lay("edicts", "edicts", "row", self.marked(edicts, table["edict"], "in force"))
        self.lay("galaxy_supply", "supply of galaxy tokens", "pile", [], count=table["galaxy_supply"])
        tokens = sum(player["throne"] for player in table["players"].values())
        self.lay("throne", "Galactic Throne", "area", [], count=tokens)

    @staticmethod
    def marked(things, name, mark):
        """Return things with a mark on the one with this name."""
        return [thing | {"marks": [mark]} if thing["name"] == name else thing for thing in things]

    def roles(self):
        """Lay out the circle of roles: the Monolith, the credits on roles, and the present role."""
        names = [role.name for role in self.variant.content.roles]
        things = []
        for name in names:
            marks = [mark for mark, key in (("Monolith", "monolith"), ("played", "role")) if self.position[key] == name]
            role = {
                "id": f"roles/{name}",
                "name": name,
                "amounts": {"credits": self.position["role_credits"].get(name, 0)},
            }
            things.append(role | ({"marks": marks} if marks else {}))
        self.lay("roles", "circle of roles", "row", things)

    def market(self):
        """Lay out the market tiles by their resource side, and the present prices."""
        flipped, rows = self.position["flipped"], self.variant.content.market
        tiles = numbered_things("market", (row["name"] for row in rows), 0)
        for tile, row in zip(tiles, rows, strict=True):
            tile["amounts"] = {"credits": row["credits"]}
            if row["name"] in flipped:
                tile["marks"] = ["flipped"]
        self.lay("market", "market", "row", tiles)
        prices = self.variant.content.prices[len(flipped)]
        things = [
            {"id": f"prices/{word(each)}", "name": word(each), "amounts": {"credits": prices[each]}}
            for each in Resource
        ]  # fmt: skip
        self.lay("prices", "prices", "row", things)

    def far_space(self, place, cost):
        """Return a location of far space with its contents."""
        there = self.position["far_space"][place]
        owner, _, kind = there.rpartition(" ")
        thing = {"id": f"far_space/{place}", "name": None if there == "none" else kind, "amounts": {"cost": cost}}
        return thing | ({"seat": _seat(owner)} if owner else {})

    # Players

    def player(self, seat, points):
        """Lay out the zones of a player, and return the player."""
        name, own = seat_name(seat), visibility.is_own(seat, self.viewer)
        entry = self.position["players"][name]
        self.hand(seat, own)
        self.lay(f"{name}/technologies", "technologies", "area",
                 named_things(f"{name}/technologies", entry["technologies"]), seat)  # fmt: skip
        self.lay(f"{name}/staging", "staging area", "area", named_things(f"{name}/staging", entry["staging"]), seat)
        if self.variant.settings["powers"]:
            self.power(seat, entry, own)
        amounts = {"score": points} | {word(resource): entry[resource.name[0]] for resource in Resource}
        return a_player(seat, amounts | {key: entry[key] for key in POOLS}, ranks(self.state, self.position, name))

    def hand(self, seat, own):
        """Lay out a hand; other hands show only the backs with their cost."""
        place, player = f"{seat_name(seat)}/hand", self.state["players"][seat]
        names = visibility.hand(self.variant, player, own)
        if names is not None:
            things = named_things(place, names)
        else:
            costs = visibility.backs(self.variant, player)
            things = numbered_things(f"{place}/back", [None] * len(costs))
            for thing, cost in zip(things, costs, strict=True):
                thing |= {"marks": [BACK], "amounts": {"cost": cost}}
        self.lay(place, "hand", "hand", things, seat)

    def power(self, seat, entry, own):
        """Lay out the power of a player, and the powers to choose from."""
        place = f"{seat_name(seat)}/power"
        name = visibility.power(self.state, entry, own)
        things = [thing | {"marks": [power_side(entry)]} for thing in named_things(place, [name] if name else [])]
        self.lay(place, "power", "area", things, seat)
        if self.state["step"] == Step.KEEP_POWER:
            dealt = named_things(f"{seat_name(seat)}/dealt", visibility.dealt(self.state, entry, own) or ())
            self.lay(f"{seat_name(seat)}/dealt", "powers to choose from", "hand", dealt, seat, len(entry["dealt"]))

    # Battles

    def battle(self):
        """Return the battle in progress: its sides with strength and the visible parts of their plans."""
        if "battle" not in self.position:
            return None
        battle = self.position["battle"]
        shown = visibility.plans(self.variant, self.states, battle, self.viewer)
        return {
            "name": "battle",
            "words": battle_words(battle, shown),
            "place": [f"sector/{battle['sector']}"],
            "sides": [self.side(battle, side, shown[side]) for side in Side],
        }

    @staticmethod
    def side(battle, side, shown):
        """Return one side of a battle: the main player, then allies. shown: the visible parts of its plan."""
        name = word(side)
        names = [battle[name], *battle.get(f"{name}_allies", [])]
        strength = {"strength": battle["strength"][name]} if "strength" in battle else {}
        return {"name": name, "seats": list(map(_seat, names)), "amounts": strength | shown}

    # Moves

    def card(self, name):
        """Return the id of a technology or power of the seat to act, as a list."""
        places = (f"{self.me}/{zone}" for zone in ("dealt", "hand", "technologies", "power"))
        found = (same_name(self.zones[place], name) for place in places if place in self.zones)
        return next(filter(None, found), [])

    def ship(self, what, owner):
        """Return the ids of a ship of a player in a region, or of a staged ship and its region."""
        name, region = word(Ship(what // REGIONS)), what % REGIONS
        if self.state["step"] == Step.DEPLOY:
            return [*same_name(self.zones[f"{self.me}/staging"], name), f"region/{region}"]
        ships = self.regions[region]["ships"]
        return next(([ship["id"]] for ship in ships if (ship["name"], ship["seat"]) == (name, owner)), [])

    def place(self, action) -> list[str]:
        """Return the ids of the things that a move is about, in the order to click them."""
        found = PLACES.get(action.act)
        owner = (int(self.state["to_act"]) + action.distance) % self.variant.players
        return found(self, action.what, owner) if found else []


def _numbered(zone, first=0):
    return lambda table, what, seat: [f"{zone}/{what + first}"]


def _role(table, what, seat):
    return [f"roles/{Role(what).name}"]


def _pool(table, what, seat):
    return [f"{table.me}/{word(Resource(what))}"]


def _staging(table, what, seat):
    return [f"{table.me}/staging"]


def _power(table, what, seat):
    return [thing["id"] for thing in table.zones[f"{table.me}/power"]["things"]]


def _named(table, what, seat):
    """Return the id of a card; one that colonizes the planet just placed comes before the planet."""
    colonizes = question(table.state) is STEPS[Step.COLONY]
    return table.card(table.variant.names[what]) + [f"region/{table.state['last_placed']}"] * colonizes


def _swap(table, what, seat):
    return _pool(table, what // len(Resource), seat) + _pool(table, what % len(Resource), seat)


# The place of a move by its act. Other moves have none: they pass, stop, decline or give a number.
PLACES = {
    Act.SURGE: _power,
    Act.FLIP: _power,
    Act.CHOOSE_ROLE: _role,
    Act.FORWARD: _role,
    Act.BACK: _role,
    Act.REGION: _numbered("region"),
    Act.SHIP: lambda table, what, seat: table.ship(what, seat),
    Act.TOKEN: lambda table, what, seat: [f"region/{what}/token"],
    Act.NAME: _named,
    Act.TILE: lambda table, what, seat: same_name(table.zones["display"], table.variant.content.tiles[what].name),
    Act.MARKET_TILE: _numbered("market"),
    Act.SELL: _pool,
    Act.BUY: lambda table, what, seat: [f"prices/{word(Resource(what))}"],
    Act.INVEST: _numbered("far_space"),
    Act.BUILD: _staging,
    Act.BUILD_FREE: _staging,
    Act.DRAW_DECK: _numbered("decks", 1),
    Act.DRAW_DISCARD: lambda table, what, seat: [table.zones[f"discards/{what + 1}"]["things"][0]["id"]],
    Act.BATTLE: lambda table, what, seat: [f"sector/{what}", seat_name(seat)],
    Act.INVITE: lambda table, what, seat: [seat_name(seat)],
    Act.JOIN: lambda table, what, seat: [seat_name(table.state["mains"][what])],
    Act.BUY_INFLUENCE: lambda table, what, seat: [f"{table.me}/influence"],
    Act.INFLUENCE_THRONE: lambda table, what, seat: ["throne"],
    Act.EDICT: lambda table, what, seat: [table.zones["edicts"]["things"][what]["id"]],
    Act.RESOURCE: _pool,
    Act.SWAP: _swap,
    Act.TAKE: lambda table, what, seat: [f"{seat_name(seat)}/{word(Resource(what))}"],
}  # fmt: skip


def _turn(state, table):
    """Return the holder of the role and the step."""
    runs = state["to_act"] != NOBODY
    holder = int(state["scepter"]) if runs and state["step"] not in SET_UP_STEPS else None
    step = step_word(state["step"]) if runs else None
    return holder, step


def table(variant, states, viewer=None) -> dict:
    """Return the table as `viewer` may see it; None sees everything. states: array of one row."""
    state = states[0]
    laid = _Table(variant, states, viewer)
    galaxy = laid.galaxy()
    laid.common()
    points = scores(variant, state)
    players = [laid.player(seat, points[seat_name(seat)]) for seat in range(variant.players)]
    holder, step = _turn(state, laid.position)
    progress = progress_words(laid.position)
    things = [thing for zone in laid.zones.values() for thing in zone["things"]]
    things += [ship for region in laid.regions for ship in region["ships"]]
    names = {thing["name"] for thing in things} | {region["tile"] for region in laid.regions}
    contents = Contents(
        turn=a_turn(state["turn"], holder, where_it_stands(variant, state, laid.position), step),
        question=question(state).asked if state["to_act"] != NOBODY else "",
        players=players,
        zones=list(laid.zones.values()),
        map=galaxy,
        battle=laid.battle(),
        notes=[{"name": "so far", "words": progress}] if progress else [],
        cards=faces(variant, names),
    )
    return framed(variant, states, viewer, contents, describe, laid.place)
