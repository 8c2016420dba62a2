"""Moves in words, written and read.

Names are those of the tables; `player_N` is an absolute seat. Questions share action numbers (actions.py), so the words
of an action depend on the question.
"""

from functools import cache
from string import Formatter
from typing import NamedTuple

import numpy as np

from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.spaces.observe import Field
from stardeck.kernels.empire_of_the_stars.state import NOTHING, REGIONS, Ask, Plan, Resource, Role, Ship, Side, Step
from stardeck.kernels.loops import batch
from stardeck.kernels.text.moves import check_number, find, legal_moves, refuse

# The words of an answer by its act, unless its question has other words.
ANSWERS = {
    Act.PASS: "pass",
    Act.DONE: "done",
    Act.DECLINE: "decline",
    Act.SURGE: "surge",
    Act.FLIP: "flip",
    Act.CHOOSE_ROLE: "choose {role}",
    Act.FORWARD: "choose {role} forward",
    Act.BACK: "choose {role} back",
    Act.REGION: "region {what}",
    Act.SHIP: "{ship} of {seat} in {region}",
    Act.TOKEN: "hit {token}",
    Act.NAME: "card {name}",
    Act.NUMBER: "number {what}",
    Act.TILE: "pick {tile}",
    Act.MARKET_TILE: "tile {market_tile}",
    Act.SELL: "sell {resource}",
    Act.BUY: "buy {resource}",
    Act.INVEST: "invest {what}",
    Act.BUILD: "build {ship_class}",
    Act.BUILD_FREE: "build free {ship_class}",
    Act.DRAW_DECK: "draw deck {cost}",
    Act.DRAW_DISCARD: "draw discard {cost}",
    Act.BATTLE: "battle {seat} in sector {what}",
    Act.INVITE: "invite {seat}",
    Act.JOIN: "join {side}",
    Act.BUY_INFLUENCE: "buy influence",
    Act.INFLUENCE_THRONE: "influence throne",
    Act.EDICT: "edict {edict}",
    Act.RESOURCE: "resource {resource}",
    Act.SWAP: "swap {given} for {taken}",
    Act.TAKE: "take {resource} from {seat}",
}


class Question(NamedTuple):
    """A question to a player, and the words of its answers by act, where they differ from ANSWERS."""

    asked: str
    answers: dict = {}


# The questions of steps (Ask.STEP).
STEPS = {
    Step.KEEP_POWER: Question("keep power", {Act.NAME: "keep {name}"}),
    Step.HOME: Question("choose a home world", {Act.REGION: "home {what}"}),
    Step.FIRST_PLANET: Question("first planet", {Act.REGION: "first planet {what}"}),
    Step.CHOOSE_ROLE: Question("choose role"),
    Step.BEFORE: Question("before"),
    Step.AFTER: Question("after"),
    Step.TILE: Question("pick a tile of the display"),
    Step.REGION: Question("place the tile", {Act.REGION: "in {what}"}),
    Step.COLONY: Question(
        "colonize the planet placed?", {Act.REGION: "colonize {what}", Act.NAME: "colonize {last_placed} with {name}"}
    ),
    Step.EXTRA: Question("extra"),
    Step.MARKET_TILE: Question("market tile"),
    Step.PRODUCE: Question("produce"),
    Step.TRADE: Question("trade"),
    Step.INVEST: Question("invest"),
    Step.BUILD: Question("build"),
    Step.DEPLOY: Question("deploy", {Act.SHIP: "deploy {ship} to {region}"}),
    Step.DRAW: Question("draw"),
    Step.BUY: Question("buy", {Act.NAME: "buy {name}"}),
    Step.DISCARD: Question("discard down to the hand limit", {Act.NAME: "discard {name}"}),
    Step.MOVE: Question(
        "move ships, battle or colonize", {Act.REGION: "colonize {what}", Act.SHIP: "move {ship} from {region}"}
    ),
    Step.BATTLE: Question("battle or colonize", {Act.REGION: "colonize {what}"}),
    Step.COLONIZE: Question("colonize", {Act.REGION: "colonize {what}"}),
    Step.INVITE: Question("invite allies"),
    Step.ANSWER: Question("join the battle?"),
    Step.ALLY: Question("move ships into the battle", {Act.SHIP: "move {ship} from {region}"}),
    Step.READY: Question("ready"),
    Step.PLAN: Question("set the battle plan", {Act.NUMBER: "{part} {what}"}),
    Step.TACTICS: Question("move ships of the battle", {Act.SHIP: "move {ship} of {seat} from {region}"}),
    Step.HITS: Question("assign hits", {Act.SHIP: "hit {ship} of {seat} in {region}"}),
    Step.INVADE: Question("colonize where colonies were scored?", {Act.REGION: "colonize {what}"}),
    Step.BUY_INFLUENCE: Question("buy influence"),
    Step.PLACE: Question("place influence", {Act.REGION: "influence {what}"}),
    Step.THRONE: Question("throne"),
    Step.EDICT: Question("choose the edict"),
}
# Questions that can come up in any role.
QUESTIONS = {
    Ask.SURGE: Question("use the surge side?"),
    Ask.USE: Question("use a card?", {Act.NAME: "use {name}"}),
    Ask.DESTINATION: Question("where the ship goes", {Act.REGION: "to {what}"}),
    Ask.GAIN: Question("gain", {Act.RESOURCE: "gain {resource}"}),
    Ask.SWAP: Question("swap"),
    Ask.FAVOUR: Question("choose the resource favoured", {Act.RESOURCE: "choose {resource}"}),
    Ask.REPLACE: Question("replace tiles of the display", {Act.TILE: "replace {tile}"}),
    Ask.PLACE_COLONY: Question("place colony", {Act.REGION: "colonize {what}"}),
    Ask.UPGRADE: Question("upgrade", {Act.REGION: "upgrade {what}"}),
    Ask.MOVE_ENEMY: Question("move enemy", {Act.SHIP: "move {ship} of {seat} from {region}"}),
    Ask.REINFORCE: Question("reinforce", {Act.SHIP: "move {ship} from {region}"}),
    Ask.DESTROY: Question("destroy", {Act.SHIP: "destroy {ship} of {seat} in {region}", Act.TOKEN: "destroy {token}"}),
    Ask.TAKE: Question("take"),
    Ask.CONVERT: Question("convert", {Act.REGION: "convert {what}"}),
    Ask.MATCH: Question("gain a resource as well", {Act.RESOURCE: "match {resource}"}),
}


def question(state) -> Question:
    """Return the question of a state."""
    ask = Ask(int(state["ask"]))
    return STEPS[Step(int(state["step"]))] if ask == Ask.STEP else QUESTIONS[ask]


def seat_name(seat) -> str:
    """Return the name of a seat."""
    return f"player_{int(seat)}"


def word(member) -> str:
    """Return a member of an enumeration in words."""
    return member.name.lower()


def token_owner(variant, state, region) -> int:
    """Return the seat whose colony or starbase lies in a region, or NOTHING."""
    for seat in range(variant.players):
        player = state["players"][seat]
        if int(player["colonies"] | player["starbases"]) >> region & 1:
            return seat
    return NOTHING


def token_kind(state, owner, region) -> str:
    """Return what the token of a seat in a region counts as for further hits: `starbase` or `colony`."""
    starbases = int(state["players"][owner]["starbases"])
    if state["step"] == Step.HITS:
        starbases &= ~int(state["starbases_hit"])
    return "starbase" if starbases >> region & 1 else "colony"


def _token(variant, state, region):
    owner = token_owner(variant, state, region)
    if owner == NOTHING:
        return f"token in {region}"
    return f"{token_kind(state, owner, region)} of {seat_name(owner)} in {region}"


def part_to_set(state):
    """Return the next part of the plan for the main player to act."""
    side = list(state["mains"]).index(state["to_act"])
    return Plan.TACTICS if state["plans"][side, Plan.TACTICS] < 0 else Plan.WEAPONS


# Values for the placeholders in the texts of answers.
FILLINGS = {
    "what": lambda variant, state, what: what,
    "role": lambda variant, state, what: Role(what).name,
    "ship": lambda variant, state, what: word(Ship(what // REGIONS)),
    "region": lambda variant, state, what: what % REGIONS,
    "ship_class": lambda variant, state, what: word(Ship(what)),
    "token": lambda variant, state, what: _token(variant, state, what),
    "name": lambda variant, state, what: variant.names[what],
    "last_placed": lambda variant, state, what: state["last_placed"],
    "part": lambda variant, state, what: word(part_to_set(state)),
    "tile": lambda variant, state, what: variant.content.tiles[what].name,
    "market_tile": lambda variant, state, what: variant.content.market[what]["name"],
    "resource": lambda variant, state, what: word(Resource(what)),
    "given": lambda variant, state, what: word(Resource(what // len(Resource))),
    "taken": lambda variant, state, what: word(Resource(what % len(Resource))),
    "cost": lambda variant, state, what: what + 1,
    "side": lambda variant, state, what: word(Side(what)),
    "edict": lambda variant, state, what: variant.content.edicts[what]["name"],
}


@cache
def blanks(text):
    """Return the placeholders of a text."""
    return [name for _, name, _, _ in Formatter().parse(text) if name]


def describe(variant, state, action: int) -> str:
    """Return the words for an action of the seat to act. state: one record."""
    check_number(variant, action)
    act, what, distance = variant.actions[action]
    text = question(state).answers.get(act, ANSWERS[act])
    words = {"seat": seat_name((int(state["to_act"]) + distance) % variant.players)}
    words |= {name: FILLINGS[name](variant, state, what) for name in blanks(text) if name in FILLINGS}
    return text.format_map(words)


def is_secret(variant, state, action: int) -> bool:
    """Return True if the other seats do not learn the action now: a power kept, a part of a battle plan."""
    if state["ask"] != Ask.STEP:
        return False
    if state["step"] == Step.PLAN:
        return not _lies_open(variant, state, action)
    return state["step"] == Step.KEEP_POWER


def seen_plans(variant, states, viewer):
    """Return the parts of the plans of a battle that a seat sees, as in its observation: bool[sides, parts]."""
    last = variant.observation_table()[-1]
    observation = np.zeros((1, last["offset"] + last["size"]), np.uint8)
    batch.observe_all(variant.rules, states, np.array([viewer]), observation)
    first = variant.rules[0]["offset"][Field.PLAN_SET]
    return observation[0, first : first + len(Side) * len(Plan)].reshape(len(Side), len(Plan)) > 0


def _lies_open(variant, state, action):
    """Return True if a part of a plan is visible as soon as it is set: by an effect, or because it is the last part."""
    states = np.array([state])
    batch.apply_all(variant.rules, states, np.array([action]))
    if states[0]["step"] != Step.PLAN or states[0]["sector"] != state["sector"]:
        return True
    side = list(state["mains"]).index(state["to_act"])
    return bool(seen_plans(variant, states, int(state["mains"][1 - side]))[side, part_to_set(state)])


def moves(variant, states) -> list[str]:
    """Return the legal moves in words. states: array of one row."""
    return legal_moves(variant, states, describe)


def parse(variant, states, text: str) -> list[int]:
    """Return the action that a move in words names, as a list of one.

    Raises:
        IllegalAction: No legal move has these words. The message lists the legal ones.
    """
    return find(variant, states, describe, text) or refuse(text, moves(variant, states))
