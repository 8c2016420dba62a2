"""Numbers of the report as text."""

import pytest

from stardeck.benchmarks.design.words import agents_in_words, amount, corrected_chance, with_interval


@pytest.mark.parametrize(
    ("value", "places", "signed", "text"),
    [
        (1234.5, 1, False, "1,234.5"),
        (-0.04, 1, True, "0.0"),
        (0.25, 2, True, "+0.25"),
        (0.001, 2, True, "0.00"),
        (None, 1, False, "not known"),
    ],
)
def test_a_number_is_written_as_people_read_it(value, places, signed, text):
    assert amount(value, places, signed) == text


def test_an_interval_may_be_open():
    row = {"value": 6.1, "low": 5.9, "high": 6.3, "unit": "points"}
    assert with_interval(row) == "+6.1 [+5.9, +6.3]" and with_interval(row | {"unit": "%"}) == "6.1 [5.9, 6.3]"
    assert (
        with_interval(row | {"low": None}) == "at most +6.3" and with_interval(row | {"high": None}) == "at least +5.9"
    )
    assert with_interval(row | {"low": None, "high": None}) == "+6.1"


def test_a_corrected_chance_is_short():
    assert [corrected_chance(q) for q in (float("nan"), 0.00001, 0.0312)] == ["", "<0.001", "0.031"]
    assert [corrected_chance(q) for q in (0.0, 0.00099, 0.001, 1.0)] == ["<0.001", "<0.001", "0.001", "1.000"]


def test_each_kind_of_agent_has_one_clause():
    searches = ["search:50:prior=expert", "search:400:prior=expert"]
    assert agents_in_words(["rules", *searches, "mine.py:Agent"]) == (
        "`rules` follows written rules of good play. `search:50:prior=expert` tries out 50 continuations before each"
        " decision, guided by `expert`."
    )
    assert agents_in_words(["search:5ms"]) == "`search:5ms` thinks for 5 milliseconds before each decision."
    assert agents_in_words(["mine.py:Agent"]) == ""
