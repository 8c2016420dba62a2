"""Rules of one's own: errata are a setting."""

from stardeck.kernels.star_realms.cards.loading import load_cards


def test_errata_change_three_cards_of_the_core_set_into_those_of_the_box():
    printed, corrected, box = load_cards("core"), load_cards("core", errata=True), load_cards("box")
    changed = [new for old, new in zip(printed.cards, corrected.cards, strict=True) if new != old]
    assert {card.name for card in changed} == {"Fleet HQ", "Command Ship", "Patrol Mech"}
    assert all(card in box.cards for card in corrected.cards)
    assert corrected.title == "Star Realms, core set of 2014, with errata"
