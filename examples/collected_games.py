"""Collected games as pandas data frames: which cards do winners buy?

`stardeck advantage star_realms --games 2000 --collect cards --out results/cards` collects the same ones.
"""

import tempfile
from pathlib import Path

import pyarrow.parquet as pq

from stardeck.benchmarks.advantage import advantage

GAMES = 2000

with tempfile.TemporaryDirectory() as folder:
    advantage("star_realms", agents="rules", games=GAMES, out=folder, collect="cards")
    games = pq.read_table(Path(folder, "games.parquet")).to_pandas()
    moves = pq.read_table(Path(folder, "moves.parquet")).to_pandas()  # every game's actions, as numbers
    cards = pq.read_table(Path(folder, "cards.parquet")).to_pandas()  # game, seat, move, card, count

# A row for each seat of each game: the number of each card it bought, and the result.
bought = cards[cards["move"] == "buy {card}"].pivot_table("count", ["index", "seat"], "card", fill_value=0)
winners = games.set_index("index")["winner"]
won = bought.index.map(lambda row: row[1] in winners[row[0]])

# Win rate above one half of the seats that bought a card at least once.
gain = (bought > 0).apply(lambda has: 100 * (won[has].to_numpy(float).mean() - 0.5))
table = gain.to_frame("points").assign(bought=bought.mean())
print(table.sort_values("points", ascending=False).round(2).head(12).to_string())
print(f"{moves['actions'].str.len().mean():.0f} decisions a game, {len(games):,} games")
