"""Public knowledge: an observation has everything that all players can deduce about hidden cards.

`resample_hidden` deals a seat's unknown cards from pools. Here each pool is computed from an observation alone, and
must equal that of the state. Two states with equal observations therefore have equal pools.
"""

import numpy as np
import pytest

from helpers import VARIANTS, game_of, random_steps, scaled, starting_decks, tally
from stardeck.kernels.empire_of_the_stars.rules import TileKind
from stardeck.kernels.empire_of_the_stars.state import REGIONS, Step
from stardeck.kernels.interstellar_empire.state import NO_CARD, Ask
from stardeck.kernels.star_realms.state import Decision, Face, Zone


class Seen:
    """An observation of many states, field by field."""

    def __init__(self, game, observations):
        self.rows = {row["name"]: row for row in game.observation_table()}
        self.observations = observations.astype(np.int64)

    def __contains__(self, name):
        return name in self.rows

    def field(self, name, *shape):
        """Return a field as int64[n, …]."""
        row = self.rows[name]
        numbers = self.observations[:, row["offset"] : row["offset"] + row["size"]]
        return numbers.reshape(len(numbers), *shape) if shape else numbers

    def cards(self, name, cards):
        """Return a field with a number for each card, and perhaps each seat, summed over seats: int64[n, cards]."""
        return self.field(name, -1, cards).sum(axis=1)


def pile(states, seat, first, last, found):
    """Add the cards at places [first, last) of a seat's buffer to found[n, cards]."""
    cards = states["players"]["cards"][:, seat].astype(np.int64)
    places = np.arange(cards.shape[1])
    tally(found, cards, (places >= first[:, None]) & (places < last[:, None]))


# Star Realms: decks and hands of opponents, the trade deck, gambits


def realms_hidden(game, states, seat):
    """Return the pools of `resample_hidden`: the cards of each other seat, those of the trade deck, gambits."""
    n, types = len(states), len(game.variant.names)
    pools = {}
    for place in range(1, game.players):
        other = (seat + place) % game.players
        player, found = states["players"][:, other], np.zeros((n, types), np.int64)
        deck, hand = (player["count"][:, zone].astype(np.int64) for zone in (Zone.DECK, Zone.HAND))
        pile(states, other, np.zeros(n), deck - player["known_on_deck"], found)
        if not sees_hand(game, seat, other):
            pile(states, other, deck + player["known_in_hand"], deck + hand, found)
        pools[f"cards of seat {place}"] = found
    found = np.zeros((n, types), np.int64)
    places = np.arange(states["trade_deck"].shape[1])
    tally(found, states["trade_deck"].astype(np.int64), places < states["trade_deck_count"][:, None])
    tally(found, states["face_down"].astype(np.int64), places < states["face_down_unseen"][:, None])
    pools["trade deck"] = found
    if game.variant.format.gambits:
        kinds = len(game.variant.format.gambits)
        hidden = states["players"]["gambits"][:, : game.players, Face.HIDDEN, :kinds].astype(np.int64)
        pools["gambits"] = states["unclaimed_gambits"][:, :kinds] + hidden.sum(axis=1) - hidden[:, seat]
        pools["gambits"] += states["looked_at"][:, :kinds] * ~own_look(states, seat)[:, None]
    return pools


def sees_hand(game, seat, other):
    """Check that a seat sees the hand of another: in a Raid raiders show theirs to each other."""
    return bool(game.rules[0]["open_hands"]) and any({seat, other} <= set(side) for side in game.variant.sides)


def own_look(states, seat):
    """Mark the states in which the seat itself looks at gambits."""
    tops = states["stack"][np.arange(len(states)), np.maximum(states["stack_count"] - 1, 0)]
    return (states["stack_count"] > 0) & (tops["decision"] == Decision.KEEP) & (tops["seat"] == seat)


def realms_told(game, seen, seat, total):
    """Return the same pools from the observation. total: int64[cards], the number of cards of each kind."""
    types, players = len(game.variant.names), game.players
    pools, open_cards = {}, np.zeros((len(seen.observations), types), np.int64)
    for name in ("hand", "deck", "in_play", "discard_pile", "trade_row", "scrap_heap"):
        open_cards += seen.cards(name, types)
    for place in range(1, players):
        unseen = seen.field("unseen", players - 1, types)[:, place - 1]
        pools[f"cards of seat {place}"] = unseen
        mate = sees_hand(game, seat, (seat + place) % players)
        hand = seen.field("team_hands" if mate else "known_in_hand", players, types)[:, place]
        open_cards += unseen + hand + seen.field("known_on_deck", players, types)[:, place]
    if "known_face_down" in seen:
        open_cards += seen.field("known_face_down")
    open_cards[:, game.variant.card_set.explorer] += seen.field("explorers")[:, 0]
    pools["trade deck"] = upgraded(game, seen, total) - open_cards
    if "unseen_gambits" in seen:
        pools["gambits"] = seen.field("unseen_gambits")
    return pools


def realms_total(game):
    """Return the number of cards of each kind in the game."""
    card_set = game.variant.card_set
    total = np.zeros(len(game.variant.names), np.int64)
    if game.settings.get("trade_deck") != "none":
        total[: len(card_set.cards)] = [card.copies for card in card_set.cards]
    total[card_set.explorer] += card_set.explorers
    for deck in starting_decks(game):
        np.add.at(total, deck, 1)
    return total


def upgraded(game, seen, total):
    """Return the number of cards of each kind, with stickered cards counted separately."""
    totals = np.repeat(total[None], len(seen.observations), axis=0)
    if "upgraded" not in seen:
        return totals
    card_set = game.variant.card_set
    forms = [(slot, card) for slot, each in enumerate(card_set.slots) for card in each.forms]
    numbers = [int(game.rules[0]["form"][form]) - int(game.rules[0]["slots_from"]) for form in forms]
    for (slot, card), number in zip(forms, numbers, strict=True):
        has = seen.field("upgraded")[:, number]
        totals[:, card] -= has
        totals[:, len(card_set.cards) + slot] += has
    return totals


# Interstellar Empire: all unseen cards


def empire_hidden(game, states, seat):
    kinds, players = len(game.variant.names), states["players"]
    found = players["hand"][:, : game.players, :kinds].astype(np.int64).sum(axis=1)
    found -= players["hand"][:, seat, :kinds]
    bids = players["bid"][:, : game.players].astype(np.int64)
    tally(found, bids, (bids != NO_CARD) & (np.arange(game.players) != seat))
    tally(found, states["deck"].astype(np.int64), np.arange(states["deck"].shape[1]) < states["deck_count"][:, None])
    unseen = (states["ask"] != Ask.ARTIFACT) & (states["to_act"] != seat)
    tally(found, states["looked_at"].astype(np.int64), (states["looked_at"] != NO_CARD) & unseen[:, None])
    return {"unseen": found}


def empire_told(game, seen, seat, total):
    kinds = len(game.variant.names)
    names = ["hand", "untapped", "tapped", "empire", "attackers", "defenders", "defenders_tapped", "discard_pile"]
    names += ["looked_at"] + ["bid"] * ("bid" in seen)
    fought = seen.field("subject") * seen.field("ask")[:, Ask.JUNGLE, None]  # the planet is in no other zone
    return {"unseen": total - fought - sum(seen.cards(name, kinds) for name in names)}


def empire_total(game):
    return np.array([card.copies for card in game.variant.card_set.cards], np.int64)


# Empire of the Stars: technologies in decks and hands, face-down tiles


def galaxy_hidden(game, states, seat):
    technologies = np.zeros((len(states), len(game.variant.content.technologies)), np.int64)
    for cost in range(states["decks"].shape[1]):
        valid = np.arange(states["decks"].shape[2]) < states["deck_count"][:, cost, None]
        tally(technologies, states["decks"][:, cost].astype(np.int64), valid)
    hands = states["players"]["hand"][:, : game.players]
    for card in range(technologies.shape[1]):
        held = (hands[:, :, card // 64] >> np.uint64(card % 64)) & np.uint64(1)
        held[:, seat] = 0
        technologies[:, card] += held.sum(axis=1).astype(np.int64)
    tiles = states["buried"][:, : len(game.variant.content.tiles)].astype(np.int64)
    places = np.arange(states["stack"].shape[1])
    valid = (places >= states["stack_known"][:, None]) & (places < states["stack_count"][:, None])
    tally(tiles, states["stack"].astype(np.int64), valid & (states["stack"] != game.rules[0]["wormhole_tile"]))
    return {"technologies": technologies, "tiles": tiles}


def galaxy_told(game, seen, seat, total):
    technologies = 1 - seen.field("hand") - seen.field("discards")
    technologies -= seen.field("technologies", game.players, -1).sum(axis=1)
    tiles = total - sum(seen.field(name) for name in ("display", "tile_in_hand", "tiles_under"))
    homeless = game.players - seen.field("home").sum(axis=1)  # their first planets are still off the board
    tiles[:, game.rules[0]["first_planet_tile"]] -= homeless + seen.field("step")[:, Step.FIRST_PLANET]
    board = np.stack([seen.field(name) for name in ("planet", "asteroid", "polymers", "metals", "energy")], axis=2)
    laid = (seen.field("unexplored") == 0) & (seen.field("home", game.players, -1).sum(axis=1) == 0)
    laid &= [(int(game.rules[0]["open"]) >> region) & 1 == 1 for region in range(REGIONS)]
    for kind, look in enumerate(looks_of(game)):
        tiles[:, kind] -= (laid & (board == look).all(axis=2) & (seen.field("wormhole") == 0)).sum(axis=1)
    tiles[:, game.rules[0]["wormhole_tile"]] = 0
    return {"technologies": technologies, "tiles": tiles}


def looks_of(game):
    """Return the observed appearance of each kind of tile; no two of the package look alike."""
    tiles = game.rules[0]["tiles"][: len(game.variant.content.tiles)]
    looks = [
        (tile["kind"] == TileKind.PLANET, tile["kind"] == TileKind.ASTEROID, *map(int, tile["yields"]))
        for tile in tiles
    ]
    shown = [look for tile, look in zip(tiles, looks, strict=True) if tile["kind"] != TileKind.WORMHOLE]
    assert len(set(shown)) == len(shown)
    return looks


def galaxy_total(game):
    return np.array([tile.copies for tile in game.variant.content.tiles], np.int64)


READERS = {
    "star_realms": (realms_hidden, realms_told, realms_total),
    "rise_of_empire": (realms_hidden, realms_told, realms_total),
    "interstellar_empire": (empire_hidden, empire_told, empire_total),
    "empire_of_the_stars": (galaxy_hidden, galaxy_told, galaxy_total),
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_observation_tells_what_may_be_dealt_to_the_others(variant):
    game = game_of(variant)
    hidden, told, count_all = READERS[game.variant.game]
    total = count_all(game)
    steps = scaled(240 if game.players == 2 else 120, 12)
    for step, states in enumerate(random_steps(game, scaled(8, 2), steps, seed=8)):
        for seat in range(game.players) if step % 4 == 0 else ():
            seen = Seen(game, game.observe(states, seat))
            pools, worked_out = hidden(game, states, seat), told(game, seen, seat, total)
            assert set(pools) == set(worked_out)
            for name, pool in pools.items():
                assert (pool == worked_out[name]).all(), (step, seat, name)


def exchanged(variant):
    """Return states, and the same states with a card that everybody has seen exchanged for an unseen one."""
    game = game_of(variant)
    states = list(random_steps(game, scaled(40, 8), 60, seed=8))[-1]
    others, changed = states.copy(), np.zeros(len(states), bool)
    for row, state in enumerate(others):
        name = game.variant.game
        if name == "star_realms":  # purchases of the opponent, and the rest of the trade deck
            seen, hidden = state["players"][1]["cards"], state["trade_deck"]
            enough = state["players"][1]["count"][Zone.DECK] > state["players"][1]["known_on_deck"]
            enough &= state["trade_deck_count"] > 0
        elif name == "interstellar_empire":  # a card deep in the discard pile
            seen, hidden = state["discard_pile"], state["deck"]
            enough = state["discard_count"] > 1 and state["deck_count"] > 0
        else:
            seen, hidden = state["discards"][0], state["decks"][0]
            enough = state["discard_count"][0] > 1 and state["deck_count"][0] > 0
        if enough and seen[0] != hidden[0]:
            seen[0], hidden[0] = int(hidden[0]), int(seen[0])
            changed[row] = True
    return game, states[changed], others[changed]


@pytest.mark.parametrize("variant", ["star_realms/core/standard/2", "interstellar_empire/2", "empire_of_the_stars/2"])
def test_observations_of_version_0_left_public_knowledge_out(variant):
    game, states, others = exchanged(variant)
    assert len(states)
    assert (game.at(0).observe(states, 0) == game.at(0).observe(others, 0)).all()
    assert (game.observe(states, 0) != game.observe(others, 0)).any(axis=1).all()
