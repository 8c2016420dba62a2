"""Parts of the designer's report on a cluster: what they play there is what they play here."""

from pathlib import Path

import pytest

import stardeck
from stardeck.benchmarks.design.catalogue import PARTS
from stardeck.benchmarks.design.part import Asked
from stardeck.benchmarks.design.restricted import measure

MY_AGENT = str(Path(__file__).parents[2] / "examples" / "my_agent.py") + ":Buyer"  # not compiled, not of the package


def found_on(on, part, game, out, games=2_000, **options):
    out.mkdir(parents=True)
    asked = Asked(game, out, games, ladder=("random", "rules"), seed=3, on=on, **options)
    return [one._replace(blocks=None) for one in PARTS[part].measure(asked).estimates]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_the_same_everywhere(cluster, tmp_path, part):
    game = stardeck.make("star_realms")
    here, away = (found_on(on, part, game, tmp_path / on) for on in ("local", "ray"))
    assert here and here == away


@pytest.mark.parametrize("part", ["drama", "restricted"])
def test_an_agent_from_a_file_is_sent_there(cluster, monkeypatch, tmp_path, part):
    game = stardeck.make("star_realms")
    every = measure.candidates
    monkeypatch.setattr(measure, "candidates", lambda *given: every(*given)[::12])  # a slow agent, 60 restrictions
    here, away = (found_on(on, part, game, tmp_path / on, 1_600, agent=MY_AGENT) for on in ("local", "ray"))
    assert here and here == away
