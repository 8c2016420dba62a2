"""Positions and moves in words: errors name their cause, and nothing changes."""

import pytest

import stardeck
from helpers import game_of

CORE = "star_realms/core/standard/2"
ASKED = {"seat": "player_0", "owner": "player_0"}
BOTH = {"player_0": {"authority": 50}, "player_1": {"authority": 50}}
EXPLORERS = {"authority": 50, "in_play": ["Explorer x10"]}


def players(**more):
    return {"players": {"player_0": {"authority": 50} | more, "player_1": {"authority": 50}}}


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"player": BOTH}, "position: 'player' is not known; allowed: turn, trade_row"),
        ({"players": BOTH | {"player_2": {}}}, "players: 'player_2' is not known; allowed: player_0, player_1"),
        ({"players": BOTH, "turn": "player_7"}, "turn: 'player_7': must be one of player_0, player_1"),
        (players(gold=3), "player_0: 'gold' is not known"),
        (players(trade=-1), "player_0: trade: -1: must be a whole number from 0"),
        (players(trade="3"), "player_0: trade: '3': must be a whole number"),
        (players(hand=["Skout"]), "player_0: hand: 'Skout' is not a card of this set"),
        (players(hand="Scout"), "player_0: hand: 'Scout': must be a list of cards"),
        (players(hand=[["Scout"]]), "is not a card"),
        (players(hand=["Scout x999"]), "player_0: hand: 999 cards: at most 141"),
        (players(hand=["Scout x60"], discard=["Scout x82"]), "142 cards of its own: at most 141"),
        (players() | {"explorers": 500}, "500 cards of its own and to be acquired: at most 141"),
        (players(combat=2_000_000), "player_0: combat: 2000000: must be a whole number from 0 to 1000000"),
        ({"players": BOTH, "trade_row": ["Scout"]}, "trade_row: 'Scout' is not a card of the trade deck"),
        ({"players": BOTH, "trade_deck": ["Explorer"]}, "trade_deck: 'Explorer' is not a card of the trade deck"),
        (players(in_play=[{"card": "Scout", "copying": "Ram"}]), "copying: Scout cannot copy Ram"),
        (players(in_play=[{"card": "Stealth Needle", "copying": "Blob Wheel"}]), "cannot copy Blob Wheel"),
        ({"players": BOTH, "pending": [{"decision": "target"} | ASKED]}, "pending: target: is never asked in"),
        (
            players(combat=5) | {"pending": [{"decision": "amount", "left": 5, "detail": 9} | ASKED]},
            "no opponent's seat",
        ),
        (players(combat=5) | {"pending": [{"decision": "amount", "left": 7, "detail": 1} | ASKED]}, "combat pool, 5"),
        ({"placement": {"player_9": 1}}, "placement: 'player_9' is not known"),
        (players(in_play=[{"card": "Ram", "used": ["nothing"]}]), "used: 'nothing': must be one of primary, ally"),
        (players(in_play=[{"card": "Ram", "as": "blob"}]), "player_0: in_play: as: Ram cannot be 'blob'"),
        (players(in_play=[{"card": "Ram", "colour": "red"}]), "player_0: in_play: 'colour' is not known"),
        (players(in_play=[{"card": "Blob Wheel", "damage": 2}]), "stays on bases of the Boss of a Raid alone"),
        (players(gambits={"hidden": ["Bold Raid"]}), "is played without gambits"),
        ({"players": BOTH, "boss": {"authority": 5}}, "has no automated Boss"),
        ({"players": BOTH, "teams": {"team_0": {}}}, "teams: 'team_0' is not known"),
        (players(in_play=[{"card": "Stealth Needle", "copying": "Rum"}]), "copying: 'Rum' is not a card"),
        (players(known_on_deck=2), "player_0: known_on_deck: 2: must be a whole number from 0 to 0"),
        (players(latched=["borg"]), "latched: 'borg': must be one of blob"),
        ({"players": BOTH, "trade_row": ["Ram"] * 6}, "trade_row: "),
        ({"players": BOTH, "trade_row": ["Skout"]}, "trade_row: 'Skout' is not a card"),
        ({"players": BOTH, "explorers": 2.5}, "explorers: 2.5: must be a whole number"),
        ({"players": BOTH, "pending": [{"decision": "sing"}]}, "pending: 'sing': must be one of rest, option"),
        ({"players": BOTH, "pending": [{"decision": "discard", "seat": 1}]}, "pending: seat: 1: must be one of"),
        (
            {
                "players": BOTH,
                "pending": [{"decision": "option", "detail": 100} | ASKED],
            },
            "pending: option: detail: 100 is no choice of this set",
        ),
        (
            {"players": BOTH, "pending": [{"decision": "discard", "left": 1} | ASKED]},
            "pending: discard: there is nothing to choose",
        ),
        (
            players(hand=["Scout x3"]) | {"pending": [{"decision": "discard", "left": 1} | ASKED] * 5},
            "must be a list of at most 4 decisions",
        ),
        (
            {"players": {"player_0": BOTH["player_0"] | {"hand": ["Scout x135"]}, "player_1": EXPLORERS}},
            "player_0: 145 cards of its own and to be acquired: at most 141",
        ),
        (
            players(combat=5) | {"pending": [{"decision": "amount", "left": 5, "detail": 1} | ASKED] * 2},
            "pending: amount: only `rest` waits below the decision that is asked",
        ),
        (
            players(combat=5)
            | {"pending": [{"decision": "rest"} | ASKED, {"decision": "amount", "left": 5, "detail": 1} | ASKED]},
            "pending: amount: is asked alone",
        ),
        (
            players(hand=["Scout x3"]) | {"pending": [{"decision": "discard", "left": 0} | ASKED]},
            "pending: discard: left must be 1 to 141",
        ),
        ({"placement": {"player_0": 1, "player_1": 2}, "pending": [{"decision": "rest"} | ASKED]}, "the game is over"),
        (players(in_play=[{"card": "Ram", "used": 5}]), "player_0: in_play: used: 5: must be a list"),
        (players(in_play=[{"card": "Ram", "used": [["ally"]]}]), "used: ['ally']: must be one of primary, ally"),
        (players() | {"decisions": 2**31 - 1}, "decisions: 2147483647: must be a whole number from 0 to 1000000000"),
        (
            players(hand=["x" * 500]),
            "xxx...xxx",
        ),
        ({"players": BOTH, "truncated": "no"}, "truncated: 'no': must be true or false"),
        ({None: 1}, "position: None is not known"),
        ({}, "only 0 of the players has more than 0"),
        ([], "position: []: must be a mapping"),
    ],
)
def test_a_malformed_position_is_named(position, message):
    with pytest.raises(ValueError) as error:
        game_of(CORE).from_position(position)
    assert message in str(error.value)


def test_a_move_that_is_not_legal_lists_what_is():
    game = game_of(CORE)
    states = game.from_position(players(hand=["Scout"], combat=3))
    before = states.tobytes()
    for text in ("play Viper", "dance", "", "attack player_1 with 4", "attack player_1 with", "attack player_9 with 1"):
        with pytest.raises(stardeck.IllegalAction) as error:
            game.play(states, text)
        assert "legal: end turn; play Scout; attack player_1 with all" in str(error.value)
    assert states.tobytes() == before


def test_moves_list_an_amount_once():
    game = game_of(CORE)
    states = game.from_position(players(combat=3))
    assert game.moves(states[0]) == ["end turn", "attack player_1 with all"]
    assert len(game.parse(states[0], "attack player_1 with 2")) > 1


def test_a_text_plays_in_all_games_or_in_none():
    game = game_of(CORE)
    one, two = game.from_position(players(hand=["Scout"])), game.from_position(players(hand=["Viper"]))
    states = game.copy(one.repeat(2))
    states[1] = two[0]
    before = states.tobytes()
    with pytest.raises(stardeck.IllegalAction):
        game.play(states, "play Scout")
    assert states.tobytes() == before


def test_spaces_in_a_move_do_not_matter():
    game = game_of(CORE)
    states = game.from_position(players(hand=["Blob Fighter"]))
    game.play(states, "  play   Blob Fighter ")
    assert game.position(states[0])["players"]["player_0"]["combat"] == 3


def test_authority_has_no_cap_that_a_game_could_reach():
    game = game_of(CORE)
    rich = {"authority": 32_766, "hand": ["Cutter"]}
    states = game.from_position({"players": BOTH | {"player_0": rich}})
    game.play(states, "play Cutter")
    assert game.position(states[0])["players"]["player_0"]["authority"] == 32_770
    assert game.from_position(game.position(states[0])).tobytes()


def test_a_boss_that_goes_first_is_read_back_before_the_first_turn():
    game = stardeck.make(
        "star_realms", set="box", format="nemesis_beast", players=1, difficulty="expert", gambits=2, gambit_round=True
    )
    for seed in range(5):
        position = game.position(game.deal(seed)[0])
        assert game.position(game.from_position(position)[0]) == position


def test_what_the_boss_does_follows_from_a_card_that_is_there():
    game = game_of("star_realms/core/pirates_of_the_dark_star/1/veteran")
    asked = {"decision": "boss_faction", "detail": 3} | ASKED
    position = {
        "boss": {"authority": 9, "turn": {"place": 4}},
        "pending": [asked],
        "players": {"player_0": {"authority": 50}},
    }
    with pytest.raises(ValueError, match="boss: turn: place: 4: no card of the trade row lies there"):
        game.from_position(position)


def test_a_card_too_many_in_play_is_an_error_that_changes_nothing():
    game = game_of(CORE)
    states = game.from_position(players(hand=["Scout"], in_play=["Viper x40"]))
    before = states.tobytes()
    with pytest.raises(OverflowError, match="more cards in play"):
        game.play(states, "play Scout")
    assert states.tobytes() == before
