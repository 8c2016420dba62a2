"""Parameters of a variant that could make it fair."""

import pytest

import stardeck
from helpers import KINDS, game_of
from stardeck.benchmarks.design.changes.candidates import auctions, candidates
from stardeck.benchmarks.fairness.parameters import read_parameters


def test_the_core_set_has_numbers_for_both_sides():
    found = {one.knobs[0]: (one.printed[0], one.wholes[0]) for one in candidates(stardeck.make("star_realms"))}
    assert found["authority.0=35:65"] == found["authority.1=35:65"] == (50, 50)
    assert found["opening_hands.0=0:6"] == (3, 3) and found["opening_hands.1=2:8"] == (5, 5)
    assert found["first_turn_trade.1=-5:8"] == (0, 0), "nothing is printed: a new rule"
    assert found["starting_deck.0.Viper=0:5"] == (2, 10), "measured by the cards of the deck"
    assert not any(knob.startswith("first_player") for knob in found), "the sides are alike"


@pytest.mark.parametrize("variant", KINDS)
def test_every_parameter_can_be_searched_and_has_the_printed_value_in_its_range(variant):
    """A scenario has its own authority, and a bid its own hands: the report once ended with an error there."""
    game = game_of(variant)
    found = candidates(game) if len(game.variant.sides) > 1 else []
    for one in found:
        for parameter, printed in zip(read_parameters(one.knobs, game), one.printed, strict=True):
            assert printed in parameter.values or one.knobs == ("first_player=0:1",)


def test_seats_of_a_side_with_other_numbers_change_one_by_one():
    found = {
        one.knobs[0] for one in candidates(stardeck.make("star_realms", set="box", format="free_for_all", players=4))
    }
    assert {"opening_hands.0=0:6", "opening_hands.1=1:7", "opening_hands.2+3=2:8"} <= found
    assert "authority.1+2+3=35:65" in found
    found = {one.knobs[0] for one in candidates(stardeck.make("star_realms", set="box", format="emperor", players=6))}
    assert {"authority.0+2=35:65", "authority.1=42:78", "authority.3+5=35:65", "authority.4=42:78"} <= found
    assert not any(knob.startswith("first_player") for knob in found), "both teams have an Emperor"


def test_another_side_may_begin_where_sides_differ():
    decks = [["Scout x8", "Viper x2"], ["Scout x9", "Viper x1"]]
    assert "first_player=0:1" in {one.knobs[0] for one in candidates(stardeck.make("star_realms", starting_deck=decks))}


def test_players_may_set_the_price_where_the_game_has_such_a_rule():
    assert auctions(stardeck.make("star_realms")) == [("first_turn", "bid"), ("first_turn", "pie")]
    assert auctions(stardeck.make("interstellar_empire")) == [("first_player", "bid")]
    assert auctions(stardeck.make("empire_of_the_stars")) == []


def test_a_number_for_each_side_but_the_first_can_give_every_side_its_share():
    four = candidates(stardeck.make("star_realms", set="box", format="free_for_all", players=4))
    joint = {one.knobs: (one.printed, one.wholes) for one in four if len(one.knobs) > 1}
    authority = tuple(f"authority.{seat}=35:65" for seat in (1, 2, 3))
    assert joint[authority] == ((50, 50, 50), (50, 50, 50))
    vipers = tuple(f"starting_deck.{seat}.Viper=0:5" for seat in (1, 2, 3))
    assert joint[vipers] == ((2, 2, 2), (10, 10, 10)) and len(joint) == 5
    assert not any(len(one.knobs) > 1 for one in candidates(stardeck.make("star_realms"))), "one number mends two sides"
