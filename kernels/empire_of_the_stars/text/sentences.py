"""Moves as sentences in the words of the rulebook, and their kinds; trades grouped (kernels/text/sentences.py)."""

import numpy as np

from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.state import (
    HOME_WORLD,
    NO_TILE,
    NOTHING,
    REGIONS,
    Ask,
    FarSpace,
    Resource,
    Role,
    Ship,
    Side,
    Step,
)
from stardeck.kernels.empire_of_the_stars.text.cards import RESOURCES
from stardeck.kernels.empire_of_the_stars.text.positions import scores
from stardeck.kernels.empire_of_the_stars.text.words import blanks, part_to_set, token_kind, token_owner, word
from stardeck.kernels.loops import batch
from stardeck.kernels.text.moves import check_number, legal_numbers
from stardeck.kernels.text.sentences import listed, of, seat_names, several

# Sentence and kind of an answer by its act, unless its question has others.
ANSWERS = {
    Act.PASS: ("Pass", "pass"),
    Act.DONE: ("Stop", "done"),
    Act.DECLINE: ("Stay out of the battle", "pass"),
    Act.SURGE: ("Announce the surge side of {power}", "use"),
    Act.FLIP: ("Turn {power} back to its core side", "use"),
    Act.CHOOSE_ROLE: ("Choose the {role} as the first role", "choose"),
    Act.FORWARD: ("Move the Monolith forward to the {role}", "choose"),
    Act.BACK: ("Move the Monolith back to the {role}", "choose"),
    Act.REGION: ("Choose {region}", "choose"),
    Act.SHIP: ("Choose {owners} {ship} in {ship_region}", "choose"),
    Act.TOKEN: ("Hit {token}", "attack"),
    Act.NAME: ("Use {name}", "use"),
    Act.NUMBER: ("Choose {what}", "amount"),
    Act.TILE: ("Take the {tile}", "explore"),
    Act.MARKET_TILE: ("Produce {goods}, with a market tile", "choose"),
    Act.SELL: ("Sell 1 {resource} for {credits}", "sell"),
    Act.BUY: ("Buy 1 {resource} for {credits}", "buy"),
    Act.INVEST: ("Invest {credits} in place {number} of far space to {gain}", "invest"),
    Act.BUILD: ("Build a {ship_class}", "build"),
    Act.BUILD_FREE: ("Build a {ship_class} for free", "build"),
    Act.DRAW_DECK: ("Draw a technology of cost {cost}", "draw"),
    Act.DRAW_DISCARD: ("Take {discarded} from the discarded technologies", "draw"),
    Act.BATTLE: ("Attack {seat} in sector {what}", "attack"),
    Act.INVITE: ("Invite {seat} into the battle", "choose"),
    Act.JOIN: ("Join {main}, the {side}", "choose"),
    Act.BUY_INFLUENCE: ("Buy 1 influence", "buy"),
    Act.INFLUENCE_THRONE: ("Place influence on the Galactic Throne", "choose"),
    Act.EDICT: ("Set the edict {edict}", "choose"),
    Act.RESOURCE: ("Choose {resource}", "choose"),
    Act.SWAP: ("Exchange 1 {given} for 1 {taken}", "choose"),
    Act.TAKE: ("Take 1 {resource} from {seat}", "choose"),
}
_COLONIZE = {Act.REGION: ("Colonize {planet}", "colonize")}
_END = {Act.DONE: ("End your turn", "end_turn")}
STEPS = {
    Step.KEEP_POWER: {Act.NAME: ("Keep the power {name}", "choose")},
    Step.HOME: {Act.REGION: ("Make {region} your home world", "choose")},
    Step.FIRST_PLANET: {Act.REGION: ("Place your first planet in {region}", "explore")},
    Step.REGION: {Act.REGION: ("Place the {tile_in_hand} in {region}", "explore")},
    Step.COLONY: _COLONIZE | {
        Act.NAME: ("Colonize {last_placed} with {name}", "colonize"),
        Act.PASS: ("Leave {last_placed} without a colony", "pass"),
    },
    Step.TRADE: {Act.DONE: ("Stop trading", "done")},
    Step.INVEST: {Act.DONE: ("Stop investing", "done")},
    Step.BUILD: {Act.DONE: ("Stop building", "done")},
    Step.DEPLOY: {Act.SHIP: ("Deploy a {ship} to {ship_region}", "deploy")},
    Step.DRAW: {Act.PASS: ("Draw no more technologies", "pass")},
    Step.BUY: {Act.NAME: ("Buy {name}", "buy"), Act.PASS: ("Buy no more technologies", "pass")},
    Step.DISCARD: {Act.NAME: ("Discard {name}", "discard")},
    Step.MOVE: _COLONIZE | _END | {Act.SHIP: ("Move your {ship} from {ship_region}", "move")},
    Step.BATTLE: _COLONIZE | _END,
    Step.COLONIZE: _COLONIZE | _END,
    Step.INVITE: {Act.DONE: ("Invite nobody else", "done")},
    Step.ALLY: {
        Act.SHIP: ("Bring your {ship} from {ship_region} into the battle", "move"),
        Act.DONE: ("Bring no more ships", "done"),
    },
    Step.PLAN: {Act.NUMBER: ("Put {what} into {part}", "amount")},
    Step.TACTICS: {
        Act.SHIP: ("Move {owners} {ship} from {ship_region}", "move"),
        Act.DONE: ("Move no more ships", "done"),
    },
    Step.HITS: {
        Act.SHIP: ("Hit {owners} {ship} in {ship_region}", "attack"), Act.DONE: ("Assign no more hits", "done")
    },
    Step.INVADE: _COLONIZE | {Act.PASS: ("Place no more colonies", "pass")},
    Step.BUY_INFLUENCE: {Act.PASS: ("Buy no more influence", "pass")},
    Step.PLACE: {Act.REGION: ("Place influence on {planet}", "choose")},
}  # fmt: skip
QUESTIONS = {
    Ask.SURGE: {Act.PASS: ("Leave {power} as it is", "pass")},
    Ask.USE: {Act.PASS: ("Use no more cards", "pass")},
    Ask.DESTINATION: {Act.REGION: ("Move {picked} to {region}", "move")},
    Ask.GAIN: {Act.RESOURCE: ("Gain 1 {resource}", "choose")},
    Ask.SWAP: {Act.PASS: ("Exchange nothing more", "pass")},
    Ask.FAVOUR: {Act.RESOURCE: ("Favour {resource} in this trade", "choose")},
    Ask.REPLACE: {
        Act.TILE: ("Replace the {tile} on display", "explore"), Act.PASS: ("Replace no more tiles", "pass")
    },
    Ask.PLACE_COLONY: {
        Act.REGION: ("Place a colony on {planet}", "colonize"), Act.PASS: ("Place no more colonies", "pass")
    },
    Ask.UPGRADE: {
        Act.REGION: ("Turn your colony on {planet} into a starbase", "colonize"),
        Act.PASS: ("Upgrade no more colonies", "pass"),
    },
    Ask.MOVE_ENEMY: {
        Act.SHIP: ("Move {owners} {ship} from {ship_region}", "move"),
        Act.PASS: ("Move no more ships of other players", "pass"),
    },
    Ask.REINFORCE: {
        Act.SHIP: ("Bring your {ship} from {ship_region} into the battle", "move"),
        Act.PASS: ("Bring no more ships", "pass"),
    },
    Ask.DESTROY: {
        Act.SHIP: ("Destroy {owners} {ship} in {ship_region}", "attack"),
        Act.TOKEN: ("Destroy {token}", "attack"),
        Act.PASS: ("Destroy nothing more", "pass"),
    },
    Ask.TAKE: {Act.PASS: ("Take nothing more", "pass")},
    Ask.CONVERT: {
        Act.REGION: ("Take over the colony on {planet}", "colonize"), Act.PASS: ("Take over no more colonies", "pass")
    },
    Ask.MATCH: {Act.RESOURCE: ("Gain 1 {resource}", "choose"), Act.PASS: ("Gain nothing more", "pass")},
}  # fmt: skip
MOST_UNITS = 100  # more than a player can store or pay for


def _template(variant, state, action):
    """Return the template of the sentence and the kind of an action."""
    ask, act = Ask(int(state["ask"])), variant.actions[action].act
    answers = STEPS.get(Step(int(state["step"])), {}) if ask == Ask.STEP else QUESTIONS[ask]
    return answers.get(act, ANSWERS[act])


class _Told:
    """One action in a state, with everything that its sentence may name."""

    def __init__(self, variant, state, action, names):
        self.variant, self.state, self.number = variant, state, action
        self.what, self.distance = variant.actions[action].what, variant.actions[action].distance
        self.names = seat_names(names, variant.players)
        self.me = int(state["to_act"])
        self.seat = (self.me + self.distance) % variant.players

    def owners(self, seat) -> str:
        """Return the possessive form of a player: `your` for the seat to act."""
        return "your" if seat == self.me else of(self.names[seat])

    def tile(self, region) -> str:
        """Return a region with the planet or home world in it: `the planet in region 9`."""
        tile = int(self.state["tiles"][region])
        if tile == NO_TILE:
            return f"region {region}"
        name = "home world" if tile == HOME_WORLD else self.variant.content.tiles[tile].name.split()[0]
        return f"the {name} in region {region}"

    def drawn(self, tile) -> str:
        """Return a tile with what it yields: `planet with 2 polymer and 1 metal`."""
        each = self.variant.content.tiles[tile]
        goods = [f"{amount} {name}" for name, amount in zip(RESOURCES, each.yields, strict=True) if amount]
        return f"{each.name.split()[0]} with {listed(goods)}" if goods else each.name

    def token(self) -> str:
        """Return the colony or starbase that the action names, with its owner."""
        owner = token_owner(self.variant, self.state, self.what)
        if owner == NOTHING:
            return f"the token in region {self.what}"
        return f"{self.owners(owner)} {token_kind(self.state, owner, self.what)} in region {self.what}"

    def picked(self) -> str:
        """Return the ship that is about to move."""
        owner, ship = int(self.state["ship_owner"]), int(self.state["ship"])
        return f"{self.owners(owner)} {word(Ship(ship))}" if owner >= 0 <= ship else "the ship"

    def credits(self) -> str:
        """Return the credits that a trade or an investment moves."""
        return several(abs(_gained(self.variant, self.state, [self.number])[1]), "credit")

    def gain(self) -> str:
        """Return what an investment in far space gives."""
        there = int(self.state["far_space"][self.what])
        gains = {FarSpace.GALAXY: "score a galaxy token", FarSpace.EMPTY: "place a colony"}
        return gains.get(there, "turn your colony into a starbase")

    def goods(self) -> str:
        """Return the resources of a market tile."""
        resources = self.variant.rules[0]["market"][self.what]["resources"]
        return listed([word(resource) for resource in Resource if resources[resource]])

    def discarded(self) -> str:
        """Return the technology on top of a discard pile."""
        top = self.state["discards"][self.what][self.state["discard_count"][self.what] - 1]
        return self.variant.content.technologies[top].name


# Values for the placeholders of the sentences.
FILLINGS = {
    "what": lambda told: told.what,
    "number": lambda told: told.what + 1,
    "role": lambda told: word(Role(told.what)).title(),
    "region": lambda told: f"region {told.what}",
    "planet": lambda told: told.tile(told.what),
    "last_placed": lambda told: told.tile(int(told.state["last_placed"])),
    "tile_in_hand": lambda told: told.drawn(told.state["tile_in_hand"]),
    "ship": lambda told: word(Ship(told.what // REGIONS)),
    "ship_region": lambda told: f"region {told.what % REGIONS}",
    "ship_class": lambda told: word(Ship(told.what)),
    "owners": lambda told: told.owners(told.seat),
    "seat": lambda told: told.names[told.seat],
    "power": lambda told: told.variant.names[told.state["players"][told.me]["power"]],
    "name": lambda told: told.variant.names[told.what],
    "token": _Told.token,
    "picked": _Told.picked,
    "credits": _Told.credits,
    "gain": _Told.gain,
    "goods": _Told.goods,
    "discarded": _Told.discarded,
    "part": lambda told: word(part_to_set(told.state)),
    "tile": lambda told: told.drawn(told.what),
    "resource": lambda told: word(Resource(told.what)),
    "given": lambda told: word(Resource(told.what // len(Resource))),
    "taken": lambda told: word(Resource(told.what % len(Resource))),
    "cost": lambda told: told.what + 1,
    "side": lambda told: word(Side(told.what)),
    "main": lambda told: told.names[int(told.state["mains"][told.what])],
    "edict": lambda told: told.variant.content.edicts[told.what]["name"],
}


def sentence(variant, state, action: int, names=None) -> str:
    """Return an action of the seat to act as a sentence: `Build a cruiser`. state: one record; names: by seat."""
    check_number(variant, action)
    told = _Told(variant, state, action, names)
    text = _template(variant, state, action)[0]
    return text.format_map({name: FILLINGS[name](told) for name in blanks(text)})


def kind(variant, state, action: int) -> str:
    """Return the kind of an action, one of KINDS. state: one record."""
    check_number(variant, action)
    return _template(variant, state, action)[1]


# Trades as one move


def _gained(variant, state, actions):
    """Return the actions that are legal one after the other, and the credits that they bring the seat to act."""
    states = np.array([state])
    seat, taken = int(state["to_act"]), []
    for action in actions:
        same_question = states[0]["to_act"] == seat and states[0]["step"] == state["step"]
        if not same_question or action not in legal_numbers(variant, states):
            break
        batch.apply_all(variant.rules, states, np.array([action]))
        taken.append(action)
    credits = states[0]["players"][seat]["credits"] - state["players"][seat]["credits"]
    return taken, int(credits)


def grouped(variant, states, names=None) -> list[dict]:
    """Return the sale of all units of a resource, and the purchase of all that can be paid: sentences with actions."""
    state = states[0]
    if state["to_act"] < 0 or state["ask"] != Ask.STEP or state["step"] != Step.TRADE:
        return []
    groups = []
    for number in legal_numbers(variant, states):
        act, what, _ = variant.actions[number]
        if act not in (Act.SELL, Act.BUY):
            continue
        taken, credits = _gained(variant, state, [number] * MOST_UNITS)
        if len(taken) > 1:
            verb, resource = act.name.title(), word(Resource(what))
            words = f"{verb} {len(taken)} {resource} for {several(abs(credits), 'credit')}"
            groups.append({"sentence": words, "actions": taken})
    return groups


def play_all(variant, states) -> list[int]:
    """Return no actions: every action of this game commits goods, ships or tokens."""
    return []


def progress(variant, states) -> dict[str, np.ndarray]:
    """Return the points by seat: int64[n, players]."""
    points = [list(scores(variant, state).values()) for state in states]
    return {"score": np.array(points, np.int64).reshape(len(states), variant.players)}
