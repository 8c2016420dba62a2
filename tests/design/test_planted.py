"""Made-up card tables with a planted imbalance: the report names it in plain words. The seat is in test_changes.py."""

import html
import re

import pytest
from click.testing import CliRunner

from stardeck.commands.cli import cli

CHEAP = """\
like = "core"
cards = [
  { name = "World Ender", faction = "blob", kind = "ship", cost = 1, copies = 4, primary = ["combat 9"] },
]
"""
# `rules` values what its buyer hardly ever needs; the card does nothing by itself.
TRAP = """\
like = "core"
cards = [
  { name = "Hollow Hull", faction = "blob", kind = "ship", cost = 1, copies = 8, primary = [
    "next ship on top", "next ship on top", "next ship on top", "next ship on top",
  ] },
]
"""


@pytest.mark.parametrize(
    ("table", "part", "games", "said"),
    [(CHEAP, "cards", 60_000, "World Ender is too strong for its price of 1"),
     (TRAP, "restricted", 20_000, "A trap: rules that never buys Hollow Hull wins")],
    ids=["a card that is too cheap", "a trap"],
)  # fmt: skip
def test_the_report_names_what_is_wrong_with_a_table(table, part, games, said, tmp_path):
    (tmp_path / "made_up.toml").write_text(table)
    command = ["report", "design", "star_realms", "--set", str(tmp_path / "made_up.toml"), "--only", part]
    found = CliRunner().invoke(cli, [*command, "--games", str(games), "--quick", "--out", str(tmp_path / "out")])
    assert found.exit_code == 0, found.output
    page = (tmp_path / "out" / "report.html").read_text()
    summary = page.partition("In plain words")[2].partition("</ul>")[0]
    sentences = [" ".join(html.unescape(re.sub("<[^>]*>", "", one)).split()) for one in summary.split("<li>")[1:]]
    assert sentences[0].startswith(said), sentences
