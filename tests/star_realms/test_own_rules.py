"""Rules of one's own: scores and errata are settings."""

import pytest

import stardeck
from stardeck.kernels.star_realms.cards.loading import load_cards

# Authority by seat


@pytest.mark.parametrize(
    ("settings", "authority"),
    [
        ({}, [20, 90]),
        ({"format": "free_for_all"}, [20, 90, 1000]),
        ({"format": "two_headed_hydra"}, [20, 20, 90, 90]),
        ({"format": "emperor"}, [1, 2, 3, 4, 5, 6]),
        ({"format": "raid"}, [90, 20, 30]),
        ({"set": "box", "format": "nemesis_beast", "players": 2}, [30, 30]),
        ({"set": "box", "format": "pirates_of_the_dark_star", "players": 2}, [30, 40]),
    ],
)
def test_authority_at_the_start_is_a_setting_by_seat(settings, authority):
    game = stardeck.make("star_realms", authority=authority, **settings)
    assert game.deal(1)["players"]["authority"][0, : game.players].tolist() == authority
    assert game.id.endswith("authority=" + ",".join(map(str, authority)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"authority": [50]}, r"authority=\[50\]: must name 2 scores, one for each seat"),
        ({"authority": [0, 50]}, r"authority=\[0, 50\]: must be a list of whole numbers from 1 to 1000"),
        (
            {"authority": [50, 60, 70, 70], "format": "two_headed_hydra"},
            r"authority=\[50, 60, 70, 70\]: must be the same for those who share it: 0, 1 and 2, 3",
        ),
        (
            {"authority": [50, 60], "set": "rise_of_empire", "scenario": 1},
            r"authority=\[50, 60\]: a scenario is played with its own",
        ),
        ({"errata": True, "set": "box"}, "errata=true: the set 'box' has no cards with errata"),
        ({"errata": True, "set": "rise_of_empire"}, "errata=true: the set 'rise_of_empire' has no cards with errata"),
    ],
)
def test_impossible_settings_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        stardeck.make("star_realms", **settings)


# Errata


def test_errata_change_three_cards_of_the_core_set_into_those_of_the_box():
    printed, corrected, box = load_cards("core"), load_cards("core", errata=True), load_cards("box")
    changed = [new for old, new in zip(printed.cards, corrected.cards, strict=True) if new != old]
    assert {card.name for card in changed} == {"Fleet HQ", "Command Ship", "Patrol Mech"}
    assert all(card in box.cards for card in corrected.cards)
    assert corrected.title == "Star Realms, core set of 2014, with errata"
