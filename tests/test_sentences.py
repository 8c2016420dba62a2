"""Moves as sentences for people, their kinds, and the shortcuts that a page offers."""

import json
import random
import re

import numpy as np
import pytest

import stardeck
from helpers import VARIANTS, game_of, random_steps, scaled, thorough
from stardeck.kernels.text.sentences import KINDS, READER, told

STEPS = scaled(thorough(400, 150), 60)
GAMES = scaled(thorough(8, 3), 1)


def names_of(game):
    return [f"Ann {chr(ord('A') + seat)}" for seat in range(game.players)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_legal_move_has_its_own_sentence(variant):
    game = game_of(variant)
    looked_at = 0
    for states in random_steps(game, GAMES, STEPS, seed=5):
        for state in states:
            viewer = int(state["to_act"])
            moves = game.table(state, viewer, names_of(game))["moves"]
            sentences = [move["sentence"] for move in moves]
            assert len(set(sentences)) == len(moves) > 0, sentences
            for move in moves:
                assert re.fullmatch(r"[A-Z][^{}\x02]*[^. {}\x02]", move["sentence"]), move
                assert not re.search(r"player_?\d|\bNone\b|\bteam_\d|[A-Z]{4}", move["sentence"]), move
                assert move["kind"] in KINDS
            looked_at += len(moves)
    assert looked_at > STEPS // 3


@pytest.mark.parametrize(("sentence", "who", "report"), [
    ("Buy Ram", "rules", "Rules buys Ram"),
    ("Buy Ram", "you", "You buy Ram"),
    ("Pass", "Ann", "Ann passes"),
    ("Deploy a fighter to region 9", "Ann", "Ann deploys a fighter to region 9"),
    ("Move your fighter from region 9", "Ann", "Ann moves their fighter from region 9"),
    ("Move your fighter from region 9", "you", "You move your fighter from region 9"),
    (f"Attack {READER} with all 5 combat", "Ann", "Ann attacks you with all 5 combat"),
    (f"Destroy {READER}'s Trading Post with combat", "Ann", "Ann destroys your Trading Post with combat"),
    ("Use Salvage Buoy: you may scrap your hand", "Ann", "Ann uses Salvage Buoy: they may scrap their hand"),
    ("Choose: draw a card", "Ann", "Ann chooses: draw a card"),
])  # fmt: skip
def test_a_sentence_becomes_a_report(sentence, who, report):
    assert told(sentence, who) == report


def of_position(position, **settings):
    game = stardeck.make("star_realms", **settings)
    return game, game.from_position(position)


def said(game, states, **options):
    return {move["words"]: (move["sentence"], move["kind"]) for move in game.table(states, **options)["moves"]}


def test_sentences_of_star_realms_are_those_of_the_rulebook():
    players = {
        "player_0": {"authority": 50, "trade": 2, "combat": 5, "hand": ["Scout"], "in_play": ["Trading Post"]},
        "player_1": {"authority": 44, "hand": ["Viper x3"], "in_play": ["Space Station"]},
    }
    game, states = of_position({"trade_row": ["Ram", "Cutter"], "players": players})
    found = said(game, states, names=["you", "Bo"])
    assert found["play Scout"] == ("Play Scout", "play")
    assert found["buy Cutter"] == ("Buy Cutter", "buy")
    assert found["end turn"] == ("End your turn", "end_turn")
    assert found["use Trading Post: authority"] == ("Use Trading Post: +1 authority", "use")
    assert found["attack Space Station of player_1"] == ("Destroy Bo's Space Station with combat", "attack")
    del players["player_1"]["in_play"]
    game, states = of_position({"players": players})
    found = said(game, states, names=["you", "Bo"])
    assert found["attack player_1 with all"] == ("Attack Bo with all 5 combat", "attack")
    assert found["attack player_1 with part"] == ("Attack Bo with some of your combat", "part")
    assert said(game, states)["attack player_1 with all"][0] == "Attack player 1 with all 5 combat"


def test_wrong_names_and_illegal_actions_are_refused():
    game = stardeck.make("star_realms")
    states = game.deal(1)
    illegal = int(np.flatnonzero(game.legal_actions(states)[0] == 0)[0])
    for names in (["one"], "ab", 5):
        for call in (lambda names: game.table(states, 0, names), lambda names: game.grouped(states, names)):
            with pytest.raises(ValueError, match="^names: .*: must be 2 names"):
                call(names)
    for call in (game.sentence, game.kind):
        with pytest.raises(stardeck.IllegalAction, match="is not legal here"):
            call(states, illegal)


# Play all


def without_order(game, states):
    """Return a state as text, with the cards in hand and in play sorted."""
    position = game.position(states)
    for player in position["players"].values():
        for zone in ("hand", "in_play"):
            if zone in player:
                player[zone] = sorted(player[zone], key=str)
    return json.dumps(position, sort_keys=True, default=str)


def bytes_without_order(states):
    """Return the bytes of a state but for those that hold cards in hand, deck and play."""
    left = states.copy()
    for field in ("cards", "in_play"):
        left["players"][field] = np.zeros((), left["players"].dtype[field])
    return left.tobytes()


PLAY_ALL = [
    {}, {"set": "box"}, {"set": "box", "forced_discards": "next_turn"}, {"errata": True},
    {"set": "box", "format": "two_headed_hydra"}, {"set": "box", "format": "nemesis_beast", "gambits": 0},
    {"set": "rise_of_empire", "scenario": 3}, {"set": "rise_of_empire", "scenario": 4},
]  # fmt: skip


@pytest.mark.parametrize("settings", PLAY_ALL, ids=str)
def test_play_all_has_the_same_result_in_every_order(settings):
    game = stardeck.make("star_realms", **settings)
    chance, tried = random.Random(3), 0
    for states in random_steps(game, scaled(thorough(30, 12), 2), scaled(250, 60), seed=9, agent=Greedy()):
        for row in range(len(states)):
            before = states[row : row + 1]
            actions = game.play_all(before)
            if len(actions) < 2:
                continue
            tried += 1
            ends = set()
            for _ in range(4):
                chance.shuffle(actions)
                after = game.copy(before)
                for action in actions:
                    game.apply(after, [action])
                    assert after[0]["to_act"] == before[0]["to_act"] and not after[0]["stack_count"]
                ends.add((without_order(game, after), bytes_without_order(after)))
            assert len(ends) == 1, [game.describe(before, action) for action in actions]
    assert tried > scaled(80, 5)


class Greedy:
    """Buys, attacks and plays at random, and ends a turn only when nothing else is left."""

    def act(self, game, states, masks, seeds):
        weights = np.random.default_rng(int(seeds[0])).random(masks.shape) * masks
        ends = [number for number, action in enumerate(game.variant.actions) if action.act.name == "END_TURN"]
        weights[:, ends] *= 1e-6
        return weights.argmax(axis=1)


@pytest.mark.parametrize(("cards", "safe", "why"), [
    ({"deck": ["Scout x5"]}, ["play Corvette", "play Scout", "play Scout", "play Viper"], "nothing asks"),
    ({"discard": ["Scout x5"]}, ["play Scout", "play Scout", "play Viper"], "a draw would shuffle first"),
    ({"hand": ["Fleet HQ", "Viper"]}, ["play Fleet HQ", "play Viper"], "as printed, it pays for earlier ships too"),
    ({"in_play": ["Blob Wheel"], "hand": []}, ["use Blob Wheel"], "its ability has one side"),
    ({"in_play": ["Trading Post"], "hand": []}, [], "its ability has two sides"),
])  # fmt: skip
def test_play_all_leaves_out_what_asks_and_what_could_still_change(cards, safe, why):
    hand = ["Scout x2", "Viper", "Trade Bot", "Imperial Fighter", "Corvette"]
    players = {"player_0": {"authority": 50, "hand": hand} | cards, "player_1": {"authority": 50}}
    game, states = of_position({"players": players})
    assert sorted(game.describe(states, action) for action in game.play_all(states)) == safe, why


# Sequences


@pytest.mark.parametrize("variant", ["interstellar_empire/2", "empire_of_the_stars/2/powers"])
def test_grouped_moves_are_legal_one_after_the_other_and_do_what_they_say(variant):
    game, found = game_of(variant), 0
    for states in random_steps(game, scaled(6, 2), scaled(500, 250), seed=2):
        for row in range(len(states)):
            before = states[row : row + 1]
            seat = int(before[0]["to_act"])
            for group in game.grouped(before, names_of(game)):
                after = game.copy(before)
                for action in group["actions"]:
                    assert after[0]["to_act"] == seat
                    game.apply(after, [action])
                old, new = before[0]["players"][seat], after[0]["players"][seat]
                count, *amounts = map(int, re.findall(r"\d+", group["sentence"]))
                if variant.startswith("empire"):
                    assert amounts == [abs(int(new["credits"]) - int(old["credits"]))]
                    assert count == len(group["actions"]) == abs(int((new["resources"] - old["resources"]).sum()))
                else:
                    paid = [game.variant.actions[action].card for action in group["actions"]]
                    assert count == sum(game.variant.card_set.cards[card].number for card in paid)
                found += 1
    assert found > scaled(5, 0)


@pytest.mark.parametrize("variant", ["star_realms/core/standard/2", "interstellar_empire/2", "empire_of_the_stars/2"])
def test_progress_has_a_number_for_each_seat(variant):
    game = game_of(variant)
    for name, numbers in game.progress(game.deal([1, 2, 3])).items():
        assert name and numbers.shape == (3, game.players) and numbers.dtype == np.int64
