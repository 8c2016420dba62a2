"""Moves in words: describing an action, and reading a move back.

Names are those of the tables; `player_N` is an absolute seat. Actions share numbers between questions (actions.py), so
that the words depend on what is asked.
"""

import numpy as np

from stardeck.kernels import batch
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.spaces.observe import Field
from stardeck.kernels.empire_of_the_stars.state import NOTHING, REGIONS, Ask, Plan, Resource, Role, Ship, Side, Step
from stardeck.kernels.moves import check_number, find, legal_moves, refuse

REGION_WORDS = {
    (Ask.STEP, Step.HOME): "home",
    (Ask.STEP, Step.FIRST_PLANET): "first planet",
    (Ask.STEP, Step.REGION): "in",
    (Ask.STEP, Step.COLONY): "colonize",
    (Ask.STEP, Step.MOVE): "colonize",
    (Ask.STEP, Step.BATTLE): "colonize",
    (Ask.STEP, Step.COLONIZE): "colonize",
    (Ask.STEP, Step.INVADE): "colonize",
    (Ask.STEP, Step.PLACE): "influence",
    Ask.DESTINATION: "to",
    Ask.PLACE_COLONY: "colonize",
    Ask.UPGRADE: "upgrade",
    Ask.CONVERT: "convert",
}
NAME_WORDS = {
    (Ask.STEP, Step.KEEP_POWER): "keep",
    (Ask.STEP, Step.BUY): "buy",
    (Ask.STEP, Step.DISCARD): "discard",
    Ask.USE: "use",
}
SHIP_WORDS = {
    (Ask.STEP, Step.DEPLOY): "deploy {ship} to {region}",
    (Ask.STEP, Step.MOVE): "move {ship} from {region}",
    (Ask.STEP, Step.ALLY): "move {ship} from {region}",
    (Ask.STEP, Step.TACTICS): "move {ship} of {seat} from {region}",
    (Ask.STEP, Step.HITS): "hit {ship} of {seat} in {region}",
    Ask.REINFORCE: "move {ship} from {region}",
    Ask.MOVE_ENEMY: "move {ship} of {seat} from {region}",
    Ask.DESTROY: "destroy {ship} of {seat} in {region}",
}
RESOURCE_WORDS = {Ask.GAIN: "gain", Ask.FAVOUR: "choose", Ask.MATCH: "match"}
SINGLE_WORDS = {
    Act.PASS: "pass",
    Act.DONE: "done",
    Act.DECLINE: "decline",
    Act.SURGE: "surge",
    Act.FLIP: "flip",
    Act.BUY_INFLUENCE: "buy influence",
    Act.INFLUENCE_THRONE: "influence throne",
}


def seat_name(seat) -> str:
    """A seat in words."""
    return f"player_{int(seat)}"


def word(member) -> str:
    """A member of an enumeration in words."""
    return member.name.lower()


def _asked(state, table, default):
    """The word for what is asked."""
    ask = Ask(int(state["ask"]))
    return table.get((ask, Step(int(state["step"]))) if ask == Ask.STEP else ask, default)


def token_owner(variant, state, region) -> int:
    """The seat whose colony or starbase lies in a region, or NOTHING."""
    for seat in range(variant.players):
        player = state["players"][seat]
        if int(player["colonies"] | player["starbases"]) >> region & 1:
            return seat
    return NOTHING


def _token(variant, state, region):
    owner = token_owner(variant, state, region)
    if owner == NOTHING:
        return f"token in {region}"
    starbases = int(state["players"][owner]["starbases"])
    if state["step"] == Step.HITS:
        starbases &= ~int(state["starbases_hit"])
    return f"{'starbase' if starbases >> region & 1 else 'colony'} of {seat_name(owner)} in {region}"


def _ship(state, what, seat):
    text = _asked(state, SHIP_WORDS, "{ship} of {seat} in {region}")
    return text.format(ship=word(Ship(what // REGIONS)), seat=seat, region=what % REGIONS)


def _number(variant, state, number):
    sides = [side for side in Side if state["mains"][side] == state["to_act"]]
    if state["step"] != Step.PLAN or not sides:
        return f"number {number}"
    part = Plan.TACTICS if state["plans"][sides[0], Plan.TACTICS] < 0 else Plan.WEAPONS
    return f"{word(part)} {number}"


def _name(variant, state, name):
    if state["step"] == Step.COLONY and state["ask"] == Ask.STEP:
        return f"colonize {state['last_placed']} with {variant.names[name]}"
    return f"{_asked(state, NAME_WORDS, 'card')} {variant.names[name]}"


def describe(variant, state, action: int) -> str:
    """The words for an action of the seat to act. state: one record."""
    check_number(variant, action)
    act, what, distance = variant.actions[action]
    seat = seat_name((int(state["to_act"]) + distance) % variant.players)
    match act:
        case Act.CHOOSE_ROLE:
            return f"choose {Role(what).name}"
        case Act.FORWARD | Act.BACK:
            return f"choose {Role(what).name} {word(act)}"
        case Act.REGION:
            return f"{_asked(state, REGION_WORDS, 'region')} {what}"
        case Act.SHIP:
            return _ship(state, what, seat)
        case Act.TOKEN:
            verb = "destroy" if state["ask"] == Ask.DESTROY else "hit"
            return f"{verb} {_token(variant, state, what)}"
        case Act.NAME:
            return _name(variant, state, what)
        case Act.NUMBER:
            return _number(variant, state, what)
        case Act.TILE:
            return f"{'replace' if state['ask'] == Ask.REPLACE else 'pick'} {variant.content.tiles[what].name}"
        case Act.MARKET_TILE:
            return f"tile {variant.content.market[what]['name']}"
        case Act.SELL | Act.BUY:
            return f"{word(act)} {word(Resource(what))}"
        case Act.INVEST:
            return f"invest {what}"
        case Act.BUILD | Act.BUILD_FREE:
            return f"{word(act).replace('_', ' ')} {word(Ship(what))}"
        case Act.DRAW_DECK | Act.DRAW_DISCARD:
            return f"{word(act).replace('_', ' ')} {what + 1}"
        case Act.BATTLE:
            return f"battle {seat} in sector {what}"
        case Act.INVITE:
            return f"invite {seat}"
        case Act.JOIN:
            return f"join {word(Side(what))}"
        case Act.EDICT:
            return f"edict {variant.content.edicts[what]['name']}"
        case Act.RESOURCE:
            return f"{_asked(state, RESOURCE_WORDS, 'resource')} {word(Resource(what))}"
        case Act.SWAP:
            return f"swap {word(Resource(what // 3))} for {word(Resource(what % 3))}"
        case Act.TAKE:
            return f"take {word(Resource(what))} from {seat}"
        case _:
            return SINGLE_WORDS[act]


def is_secret(variant, state, action: int) -> bool:
    """Whether the other seats do not learn now what an action is: a power kept, a part of a battle plan."""
    if state["ask"] != Ask.STEP:
        return False
    if state["step"] == Step.PLAN:
        return not _lies_open(variant, state, action)
    return state["step"] == Step.KEEP_POWER


def seen_plans(variant, states, viewer):
    """Which parts of the plans of a battle a seat sees; the observation knows: bool[sides, parts]."""
    last = variant.observation_table()[-1]
    observation = np.zeros((1, last["offset"] + last["size"]), np.uint8)
    batch.observe_all(variant.rules, states, np.array([viewer]), observation)
    first = variant.rules[0]["offset"][Field.PLAN_SET]
    return observation[0, first : first + len(Side) * len(Plan)].reshape(len(Side), len(Plan)) > 0


def _lies_open(variant, state, action):
    """Whether a part of a plan is seen as soon as it is set: by an effect, or because it is the last."""
    states = np.array([state])
    batch.apply_all(variant.rules, states, np.array([action]))
    if states[0]["step"] != Step.PLAN or states[0]["sector"] != state["sector"]:
        return True
    side = list(state["mains"]).index(state["to_act"])
    part = Plan.TACTICS if state["plans"][side, Plan.TACTICS] < 0 else Plan.WEAPONS
    return bool(seen_plans(variant, states, int(state["mains"][1 - side]))[side, part])


def moves(variant, states) -> list[str]:
    """The legal moves in words. states: array of one row."""
    return legal_moves(variant, states, describe)


def parse(variant, states, text: str) -> list[int]:
    """The action that a move in words stands for, as a list of one. IllegalAction lists what is legal."""
    return find(variant, states, describe, text) or refuse(text, moves(variant, states))
