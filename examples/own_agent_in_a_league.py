"""An agent of your own in a league, by the name of its file. All commands accept the same name.

stardeck league star_realms --agents simple,examples/my_agent.py:Buyer,random
"""

from pathlib import Path

from stardeck.benchmarks.league import league

GAMES = 200  # of each match
BUYER = f"{Path(__file__).with_name('my_agent.py')}:Buyer"

summary = league("star_realms", ["simple", BUYER, "random"], games=GAMES)
for agent in summary["agents"]:
    low, high = ("open" if bound is None else f"{bound:+.0f}" for bound in (agent["low"], agent["high"]))
    print(f"{agent['agent']:8} {agent['rating']:+7.0f} Elo  [{low}, {high}]")  # open: it has won all games, or none
