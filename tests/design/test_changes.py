"""The smallest change that makes a game fair: planted imbalances, and the rank of answers."""

import pytest

import stardeck
from stardeck.benchmarks.design import changes
from stardeck.benchmarks.design.part import Asked

GAMES = 20_000


def asked(tmp_path, **settings):
    return Asked(stardeck.make("star_realms", **settings), tmp_path, GAMES)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Return the part of a table in which the second seat has 20 authority too many."""
    wrong = asked(tmp_path_factory.mktemp("changes"), authority=[50, 75])
    found = changes.measure(wrong)
    return {"estimates": [one._replace(blocks=None)._asdict() for one in found.estimates], "details": found.details}


def test_a_seat_that_is_too_strong_is_named_with_the_number_to_change(planted):
    by_label = {row["label"]: row for row in planted["details"]["rows"]}
    mended = by_label["authority.1"]
    assert mended["answer"]["value"] == pytest.approx(54.4, abs=1.5), "as from the printed game"
    assert mended["found"] and 52 <= mended["whole"]["value"] <= 57 and mended["printed"] == 75
    titles = [table.title for table in changes.show(planted).tables]
    assert titles[0] == "Changes that make it fair or nearly fair, the best first"


def test_what_else_changes_has_length_and_card_values(planted):
    compared = planted["details"]["compared"][0]
    assert any("turns" in row["label"] for row in compared["differences"])
    assert compared["cards"] and all(row["low"] <= row["value"] <= row["high"] for row in compared["cards"])


def test_the_rank_puts_small_changes_of_printed_numbers_first():
    def row(share, left=0.0, new=False, found=True):
        change = {"share": None if new else share, "change": share, "whole": {"left": {"value": left}}}
        return {"found": found, "new": new} | (change if found else {})

    ordered = [row(0.05), row(0.3), row(1, new=True), row(0.5, left=-2.0), row(0.02, left=-8.0), row(0, found=False)]
    assert sorted(reversed(ordered), key=changes._rank) == ordered


def test_a_fair_game_needs_no_change():
    answer = {"value": 50.2, "low": 49.9, "high": 50.4}
    left = {"value": 0.4, "low": 0.1, "high": 0.7, "unit": "points"}
    row = {"found": True, "name": "authority of the second seat", "printed": 50, "answer": answer, "new": False,
           "share": 0.02, "whole": {"value": 51, "left": left}}  # fmt: skip
    details = {"rows": [row], "auctions": [], "compared": []}
    assert changes.show({"details": details}).findings[0].startswith("The printed game is fair")


def test_one_side_has_nothing_to_make_fair():
    boss = stardeck.make("star_realms", set="box", format="nemesis_beast", players=2)
    assert "all players are one side" in changes.offers(boss)
