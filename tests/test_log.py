"""The log of a game: effects of the moves, and the knowledge of the reader. Numbers are counted by hand."""

import pytest

import stardeck
from stardeck.benchmarks.recordings import record


def news(game, states, *moves, viewer=None):
    """Return the effects of the last of these moves; the states are played on."""
    for move in moves:
        before = game.copy(states)
        (action,) = game.parse(states, move)
        game.apply(states, [action])
    return game.news(before, action, states, viewer)


def star_realms(players, **more):
    game = stardeck.make("star_realms")
    rest = {"turn": "player_0", "trade_row": ["Cutter", "Ram", "Ram", "Corvette", "Corvette"]}
    return game, game.from_position(rest | {"trade_deck": ["Freighter", "Flagship"], "players": players} | more)


OTHER = {"authority": 50, "hand": ["Scout x5"], "deck": ["Viper x2"]}


def test_damage_cards_drawn_and_the_trade_row_are_told():
    own = {"authority": 50, "trade": 3, "combat": 4, "hand": ["Corvette"], "deck": ["Ram", "Scout"]}
    game, states = star_realms({"player_0": own, "player_1": OTHER})
    assert game.board(states) == ["trade row: Cutter (2), Ram (3), Ram (3), Corvette (2), Corvette (2)"]
    twin = game.copy(states)
    assert news(game, twin, "play Corvette", viewer=1) == ["draws a card"]
    assert news(game, states, "play Corvette", viewer=0) == ["draws Ram", "trade 3, combat 5"]
    assert news(game, states, "buy Cutter") == ["Freighter turns up"]
    assert news(game, states, "attack player_1 with all") == ["player_1 50 to 45"]
    assert news(game, states, "end turn") == []


def test_a_defeat_is_told():
    own = {"authority": 50, "combat": 9, "hand": [], "deck": ["Scout"]}
    game, states = star_realms({"player_0": own, "player_1": OTHER | {"authority": 9}})
    assert news(game, states, "attack player_1 with all") == ["player_1 9 to 0, out of the game"]


def empire(deck, **more):
    game = stardeck.make("interstellar_empire")
    players = {
        "player_0": {"fleet": ["Battleship"], "hand": ["Frigate"]},
        "player_1": {"empire": ["Barren Planet"], "fleet": ["Cruiser"], "hand": ["Destroyer", "Frigate"]},
    }
    position = {"turn": "player_0", "phase": "war", "deck": deck, "players": players}
    return game, game.from_position(position | more)


WAR = ["attack Barren Planet of player_1", "send Battleship"]


def test_the_numbers_of_a_war_and_who_won_it_are_told():
    game, states = empire(["Cruiser", "Frigate", "Frigate"])
    assert game.board(states) == ["planets: player_0 -; player_1 Barren Planet"]
    told = news(game, states, *WAR, "send Cruiser")
    assert told[:3] == [
        "attack: ships 5 + Cruiser 3 = 8",
        "defence: ships 3 + Frigate 1 = 4",
        "player_0 conquers Barren Planet",
    ]
    game, states = empire(["Frigate", "Cruiser", "Frigate"])
    told = news(game, states, *WAR, "send Cruiser")
    assert told[1:] == ["defence: ships 3 + Cruiser 3 = 6", "player_1 keeps Barren Planet"]


def test_a_number_from_the_hand_and_why_the_game_ended_are_told():
    game, states = empire(["Frigate"])
    told = news(game, states, *WAR, "done")
    assert told == ["attack: ships 5 + Frigate 1 = 6", "the deck is empty, the defender's number comes from the hand"]
    told = news(game, states, "discard Destroyer")
    assert told[:2] == ["defence: ships 0 + Destroyer 2 = 2", "player_0 conquers Barren Planet"]
    assert told[-1] == "the deck is used up; planets 1 : 0: player_0 is ahead"


def test_cards_that_come_into_a_hand_are_named_to_their_owner_alone():
    played = record.play(stardeck.make("interstellar_empire"), ["rules"], 3)
    shown = {viewer: tell(played, viewer) for viewer in (None, 0, 1)}
    assert shown[None] != shown[0] != shown[1]
    assert "hand: 3 cards" in shown[0] or "hand: 2 cards" in shown[0]


def tell(played, viewer=None):
    lines = []
    game = record.game_of(played)
    record.replay(played, record.Log(game, played["agents"], lines.append, viewer))
    return "\n".join(lines)


@pytest.fixture(scope="module")
def galaxy():
    return record.play(stardeck.make("empire_of_the_stars", powers=True), ["rules", "simple"], 3)


def test_choosing_a_role_opens_its_paragraph(galaxy):
    lines = tell(galaxy).splitlines()
    begun = [number for number, line in enumerate(lines) if line.startswith("Turn ")][:-1]
    assert len(begun) > 10
    for number in begun:
        first = next(line for line in lines[number:] if line.startswith("    player_"))
        assert ": choose " in first and lines[number].endswith("chooses a role")
    assert sum("choose " in line for line in lines if line.startswith("    player_")) == len(begun)


def test_production_points_battles_and_losses_are_told(galaxy):
    told = " ".join(tell(galaxy).split())
    for words in ("gains polymer", "points", "is the Emperor now", "shields", "prices: polymer"):
        assert words in told, words


def test_ships_lost_and_planets_that_change_hands_are_told():
    game = stardeck.make("empire_of_the_stars", powers=False)
    before = game.deal(1)
    for move in ("home 8", "first planet 9", "home 23", "first planet 36"):
        game.play(before, move)
    (seat,) = (seat for seat in range(2) if before[0]["players"][seat]["home"] == 8)
    before["players"]["colonies"][0, seat] = 1 << 9
    after = game.copy(before)
    after["players"]["fleet"][0, seat] = 0
    after["players"]["colonies"][0] = 0
    after["players"]["starbases"][0, 1 - seat] = 1 << 9
    loser, winner = f"player_{seat}", f"player_{1 - seat}"
    told = game.news(before, 0, after)
    assert told[:2] == [f"{loser} loses fighter in 8", f"{winner} takes 9 from {loser}, a starbase"]
    assert set(told[2:]) == {f"{loser} 1 to 0 points", f"{winner} 0 to 2 points"}


def test_a_log_is_folded_and_counts_what_is_repeated():
    played = record.play(stardeck.make("star_realms", max_turns=8), ["simple"], 1)
    told = tell(played)
    assert all(len(line) <= 100 for line in told.splitlines()) and "play Scout x" in told


@pytest.mark.parametrize(("difficulty", "first"), [("veteran", 0), ("expert", 1)])
def test_what_a_boss_reveals_is_told_once(difficulty, first):
    """Regression: the log had it as news of the move before, and again at the start of the next turn."""
    game = stardeck.make("star_realms", set="box", format="pirates_of_the_dark_star", players=2, difficulty=difficulty)
    told = {}
    for full in (False, True):
        lines = []
        record.play(game, ["rules"], 3, record.Log(game, ["rules", "rules"], lines.append, full=full))
        told[full] = " ".join(lines)
    assert "reveals" not in told[False] and told[False].count("revealed") > 3
    assert told[True].count("revealed") == first and told[True].count("reveals") > 3  # before the first move


def test_who_wins_a_scenario_and_how_is_told():
    game = stardeck.make("rise_of_empire")
    states = game.deal(1)
    assert game.board(states)[0] == "player_0 is Star Empire, player_1 is Trade Federation"
    position = game.position(states[0])
    position["players"]["player_0"]["combat"] = 70
    states = game.from_position(position)
    (told,) = news(game, states, "attack player_1 with all")
    assert told.startswith("player_0, Star Empire, wins scenario 1, An Empire is Born: a victory by conquest")
    assert told.endswith("victory points 1 : 0")
