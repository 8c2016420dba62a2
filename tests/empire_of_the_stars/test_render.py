"""The table as text: it fits a terminal, the map is correct, and hidden information stays hidden."""

import pytest

import stardeck
from helpers import random_steps, thorough

WIDTH = 100
SHOWN = [(2, True), (2, False), (3, True), (4, True), (4, False)]
FLEETS = {
    "scepter": "player_1",
    "emperor": "player_1",
    "galaxy": {
        28: {"tile": "home player_0", "ships": {"player_0": ["fighter x2"]}},
        20: {"ships": {"player_0": ["cruiser"]}},
        22: {"tile": "planet PPM", "ships": {"player_1": ["fighter x2"]}},
        38: {"tile": "home player_1"},
    },
    "players": {"player_0": {"technologies": ["Spy Network"]}, "player_1": {"hand": ["Militia", "Cartel"]}},
}


def two_players(*played, **changed):
    """Return a two-player game and its states after some moves from FLEETS."""
    game = stardeck.make("empire_of_the_stars", powers=False)
    states = game.from_position(FLEETS | changed)
    for text in played:
        game.play(states, text)
    return game, states


def line_of(text, label):
    """Return the line with a label, joined with its continuations."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(f"  {label} "))
    rest = next(n for n in range(first + 1, len(lines) + 1) if n == len(lines) or not lines[n].startswith(" " * 12))
    return " ".join(line.strip() for line in lines[first:rest])


def cell(text, region):
    """Return the marks and ships that the map shows in a region."""
    lines = text.split("\n")[1:20]
    for above, below in zip(lines, lines[1:], strict=False):
        for start in range(len(above)):
            if above[start] in "|:" and above[start + 2 : start + 11].split()[:1] == [str(region)]:
                return above[start + 2 : start + 11].split()[1:], below[start + 2 : start + 11].split()
    raise AssertionError(f"region {region} is not on the map")


@pytest.mark.once
@pytest.mark.parametrize(("players", "powers"), SHOWN)
def test_every_line_fits_and_nothing_hidden_is_shown(players, powers):
    game = stardeck.make("empire_of_the_stars", players=players, powers=powers)
    for step, states in enumerate(random_steps(game, 1, 900, seed=players)):
        if step > 12 and step % thorough(5, 23):
            continue
        assert max(map(len, game.render(states[0]).split("\n"))) <= WIDTH
        for seat in range(players):
            text = game.render(states[0], seat)
            assert max(map(len, text.split("\n"))) <= WIDTH
            assert game.render(game.resample_hidden(states, seat, step)[0], seat) == text
            assert ("\n  moves " in text) == (states[0]["to_act"] == seat)


def test_touching_cells_of_the_map_are_neighbours():
    regions = stardeck.make("empire_of_the_stars").variant.content.regions
    for region, row in enumerate(regions):
        near = {(row["q"] + dq, row["r"] + dr) for dq, dr in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))}
        assert [other for other, its in enumerate(regions) if (its["q"], its["r"]) in near] == row["next_to"], region


def test_the_map_shows_tiles_tokens_and_ships():
    galaxy = FLEETS["galaxy"] | {36: {"tile": "wormhole"}, 37: {"tile": "planet PM", "token": "player_1 starbase"}}
    game, states = two_players(galaxy=galaxy)
    text = game.render(states[0])
    assert cell(text, 28) == (["HOME", "0"], ["0:ff"])
    assert cell(text, 22) == (["PPM"], ["1:ff"])
    assert cell(text, 36) == (["()"], [])
    assert cell(text, 37) == (["PM", "1B"], [])
    assert cell(text, 20) == ([], ["0:c"])
    assert cell(text, 16) == (["##"], [])  # sector 4 is blocked


def test_a_ship_is_shown_where_it_has_moved_to():
    game, states = two_players("choose WARLORD", "move fighter from 28", "to 29")
    text = game.render(states[0])
    assert cell(text, 28) == (["HOME", "0"], ["0:f"])
    assert cell(text, 29) == ([], ["0:f"])


def test_moves_that_differ_in_a_number_are_put_together():
    game, states = two_players("choose WARLORD")
    assert "; move fighter from 28; move cruiser from 20;" in line_of(game.render(states[0]), "moves")
    game.play(states, "move fighter from 28")
    assert line_of(game.render(states[0]), "moves") == "moves     to 22 29 30 31 32 33 34 35 36"


def test_the_hand_of_another_shows_its_backs():
    game, states = two_players()
    assert "Militia" in game.render(states[0], 1)
    assert "Militia" not in game.render(states[0], 0)
    assert "1 of cost 1, 1 of cost 3" in game.render(states[0], 0)


def test_a_power_being_kept_is_seen_by_its_owner_alone():
    game = stardeck.make("empire_of_the_stars", players=3)
    states = game.deal(7)
    kept = game.moves(states[0])[0]
    name = kept.removeprefix("keep ")
    game.play(states, kept)
    assert f"{name}, dealt" in game.render(states[0], 0)
    assert name not in game.render(states[0], 1)


def test_a_battle_plan_lies_face_down_until_both_are_set():
    game, states = two_players(
        "choose WARLORD", "battle player_1 in sector 5", players={"player_0": {}, "player_1": {}}
    )
    game.play(states, "tactics 1")
    assert "plans: attacker (tactics 1)" in line_of(game.render(states[0], 0), "battle")
    assert "plans: attacker (face down)" in line_of(game.render(states[0], 1), "battle")
    game.play(states, "weapons 2")
    assert "plans: attacker (tactics 1, weapons 2, shields 0)" in line_of(game.render(states[0], 0), "battle")
    assert "plans: attacker (face down)" in line_of(game.render(states[0], 1), "battle")


def test_what_an_effect_lays_open_of_a_plan_is_shown():
    game, states = two_players("choose WARLORD", "battle player_1 in sector 5", "tactics 1")
    assert "plans: defender (tactics 1)" in line_of(game.render(states[0], 0), "battle")


@pytest.mark.parametrize(
    ("at_limit", "told"), [("nobody", "game over, truncated"), ("score", "game over at the limit, player_0 won with 4")]
)
def test_a_log_tells_of_the_limit(at_limit, told):
    game = stardeck.make("empire_of_the_stars", powers=False, max_turns=7, at_limit=at_limit)
    throne = {"player_0": {"throne": 4}, "player_1": {"throne": 2}}
    states = game.from_position({"turn_number": 6, "players": throne, "flipped": ["PE", "PM", "ME", "PME"]})
    game.play(states, "choose STEWARD")
    assert game.headline(states[0], ["first", "second"]) == f"Turn 7  [4 : 2]  {told}"
    assert game.render(states[0]).startswith(f"Turn 7: {told}")


def test_the_headline_names_scores_role_and_agent():
    throne = {"player_0": {"throne": 4}, "player_1": {"throne": 2}}
    game, states = two_players("choose WARLORD", players=throne, turn_number=6)
    text = game.headline(states[0], ["first", "second"])
    assert text == "Turn 7  [4 : 2]  tokens 16 : 16  WARLORD of player_1 (second)"
