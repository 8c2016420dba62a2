"""The table of hand-made positions: the galaxy and its surroundings, from each seat, and the place of each move."""

from functools import partial

import stardeck
from sketch import marks, places, pools, table_of, thing_text, zones
from stardeck.kernels.empire_of_the_stars.rules import Act
from stardeck.kernels.empire_of_the_stars.text.table import PLACES

FLEETS = {
    "scepter": "player_1",
    "emperor": "player_1",
    "galaxy": {
        28: {"tile": "home player_0", "ships": {"player_0": ["fighter x2"]}},
        20: {"ships": {"player_0": ["cruiser"]}},
        22: {"tile": "planet PPM", "token": "player_1 colony", "ships": {"player_1": ["fighter x2"]}},
        38: {"tile": "home player_1"},
    },
    "players": {
        "player_0": {"P": 2, "credits": 3, "throne": 1, "technologies": ["Spy Network"]},
        "player_1": {"hand": ["Militia", "Cartel"], "throne": 2},
    },
    "display": ["wormhole", "planet E x2"],
    "flipped": ["PE"],
    "far_space": {0: "player_0 colony", 1: "none"},
    "tech_decks": {1: ["Census Bureau"], 2: [], 3: []},
    "tech_discards": {1: ["Haggling", "Deflectors"], 2: [], 3: []},
}
WARLORD = {"monolith": "WARLORD", "role": "WARLORD"}


table = partial(table_of, "empire_of_the_stars", powers=False)


def galaxy(table):
    """Return the contents of the regions by number, without empty ones."""
    found = {}
    for region in table["map"]["regions"]:
        things = [region["token"]] * bool(region["token"]) + region["ships"]
        if region["tile"] or things:
            found[region["number"]] = ", ".join([region["tile"] or "-", *map(thing_text, things)])
    return found


def test_the_galaxy_is_a_map_of_regions():
    seen = table(FLEETS, 0)
    assert galaxy(seen) == {
        20: "-, cruiser (player_0)",
        22: "planet PPM, colony (player_1), fighter (player_1), fighter (player_1)",
        28: "home world, home world (player_0), fighter (player_0), fighter (player_0)",
        38: "home world, home world (player_1)",
    }
    region = seen["map"]["regions"][22]
    assert (region["id"], region["sector"], region["q"], region["r"]) == ("region/22", 5, 4, 1)
    assert region["next_to"] == [f"region/{number}" for number in (19, 20, 21, 23, 33, 36)]
    blocked = [sector["number"] for sector in seen["map"]["sectors"] if sector["blocked"]]
    assert blocked == [0, 1, 3, 4] and seen["map"]["regions"][0]["blocked"] and not region["blocked"]
    assert seen["cards"]["planet PPM"]["yields"] == {"polymer": 2, "metal": 1}


def test_what_lies_beside_the_galaxy():
    seen = table(FLEETS, 0)
    assert zones(seen) == {
        "roles": "EXPLORER (credits 0), STEWARD (credits 0), ENGINEER (credits 0), WARLORD (credits 0), "
        "MERCHANT (credits 0), REGENT (credits 0), SCIENTIST (credits 0)",
        "market": "PE (flipped, credits 1), PM (credits 1), ME (credits 2), PME (credits 2)",
        "prices": "polymer (credits 1), metal (credits 2), energy (credits 3)",
        "far_space": "colony (player_0, cost 5), - (cost 6), galaxy (cost 6), galaxy (cost 7), galaxy (cost 7), "
        "galaxy (cost 8), galaxy (cost 9), galaxy (cost 10)",
        "display": "wormhole, planet E, planet E",
        "decks/1": "1 more",
        "discards/1": "Haggling, 1 more",
        "edicts": "Chaos (in force), Ergatocracy, Plutocracy, Technocracy, Stratocracy, Democracy, Aristocracy",
        "galaxy_supply": "32 more",
        "throne": "3 more",
        "player_0/technologies": "Spy Network",
        "player_1/hand": "- (face down, cost 1), - (face down, cost 3)",
    }
    assert pools(seen, "player_0") == {"score": 2, "polymer": 2, "credits": 3, "tokens": 15, "throne": 1}
    assert marks(seen) == [[], ["scepter", "Emperor"]]


def test_a_role_is_chosen_on_the_circle():
    seen = table(FLEETS | {"monolith": "EXPLORER"}, 1)
    assert zones(seen, "player_1/hand") == {"player_1/hand": "Cartel, Militia"}
    assert seen["question"] == {"seat": 1, "words": "choose role"}
    assert places(seen)["choose STEWARD forward"] == ["roles/STEWARD"]
    assert (seen["turn"]["seat"], seen["turn"]["phase"]) == (1, "choose role")


def test_a_ship_is_picked_and_then_a_region():
    position = FLEETS | WARLORD | {"step": "move", "turn": "player_0"}
    found = places(table(position, 0))
    assert found["move cruiser from 20"] == ["region/20/player_0/cruiser/1"]
    assert found["move fighter from 28"] == ["region/28/player_0/fighter/1"]
    assert found["battle player_1 in sector 5"] == ["sector/5", "player_1"]
    assert places(table(position, 0, "move cruiser from 20"))["to 21"] == ["region/21"]


def test_a_plan_lies_face_down_for_the_other_side():
    position = FLEETS | WARLORD | {"step": "plan", "turn": "player_0"}
    position |= {"battle": {"sector": 5, "attacker": "player_0", "defender": "player_1", "asked": "player_1",
                            "strength": {"attacker": 3, "defender": 2},
                            "plans": {"attacker": {"tactics": 2, "weapons": 1}}},
                 "players": {"player_0": {}, "player_1": {}}}  # fmt: skip
    own, other = (table(position, seat)["battle"] for seat in (0, 1))
    assert own["place"] == ["sector/5"]
    attacker = {"name": "attacker", "seats": [0]}
    assert own["sides"][0] == attacker | {"amounts": {"strength": 3, "tactics": 2, "weapons": 1, "shields": 0}}
    assert other["sides"][0] == attacker | {"amounts": {"strength": 3}}
    assert other["sides"][1] == {"name": "defender", "seats": [1], "amounts": {"strength": 2}}


def test_hits_are_dealt_to_ships_and_tokens():
    position = FLEETS | WARLORD | {"step": "hits", "turn": "player_0"}
    plans = {"attacker": {"tactics": 0, "weapons": 3}, "defender": {"tactics": 0, "weapons": 0}}
    position |= {"battle": {"sector": 5, "attacker": "player_0", "defender": "player_1", "asked": "player_0",
                            "strength": {"attacker": 3, "defender": 3}, "plans": plans, "hits_left": 2}}  # fmt: skip
    assert places(table(position, 0))["hit fighter of player_1 in 22"] == ["region/22/player_1/fighter/1"]


def test_goods_are_sold_from_a_pool_and_bought_at_a_price():
    position = FLEETS | {"monolith": "MERCHANT", "role": "MERCHANT", "step": "trade", "turn": "player_0"}
    found = places(table(position, 0))
    assert found["sell polymer"] == ["player_0/polymer"]
    assert found["buy metal"] == ["prices/metal"]


def test_ships_are_deployed_from_the_staging_area():
    players = {"player_0": {"staging": ["cruiser"]}, "player_1": {}}
    position = FLEETS | {"monolith": "ENGINEER", "role": "ENGINEER", "step": "deploy", "turn": "player_0"}
    found = places(table(position | {"scepter": "player_0", "players": players}, 0))
    assert found["deploy cruiser to 28"] == ["player_0/staging/cruiser/1", "region/28"]


def test_a_power_is_chosen_in_secret():
    game = stardeck.make("empire_of_the_stars", players=3)
    states = game.deal(1)
    game.apply(states, [game.table(states)["moves"][0]["action"]])
    chosen = int(states[0]["players"]["power"].max())
    first = next(seat for seat in range(3) if states[0]["players"][seat]["power"] == chosen)
    name = game.variant.content.powers[chosen].name
    own, other = (zones(game.table(states, seat), f"player_{first}/power") for seat in (first, (first + 1) % 3))
    assert own == {f"player_{first}/power": f"{name} (core side)"} and other == {}
    dealt = zones(game.table(states, (first + 1) % 3), f"player_{first}/dealt")
    assert dealt == {f"player_{first}/dealt": "3 more"}


def test_tiles_of_the_display_are_told_apart():
    position = FLEETS | {"monolith": "EXPLORER", "role": "EXPLORER", "step": "tile", "turn": "player_0"}
    found = places(table(position, 0))
    assert found["pick planet E"] == ["display/planet E/1"] and found["pick wormhole"] == ["display/wormhole/1"]


def test_what_has_no_place_is_a_button():
    assert set(Act) - set(PLACES) == {Act.PASS, Act.DONE, Act.DECLINE, Act.NUMBER}
