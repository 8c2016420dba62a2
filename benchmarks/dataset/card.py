"""The card and the datasheet of a data set, in Markdown.

The card begins with the metadata that the Hugging Face Hub reads. The datasheet answers the questions of Gebru et al.,
"Datasheets for datasets" (Communications of the ACM, 2021).
"""

from typing import Any

import yaml

from stardeck.benchmarks.results.words import number_of, variant_in_words
from stardeck.game.game import Game

LICENCE = "mit"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"

FILES = """| file | rows | columns |
| --- | --- | --- |
| `games.parquet` | one a game | `index`, `seed` (of the deal), `agents` (by seat), `first` (seat), `winner` (seats), `truncated`, `turns`, `decisions`, `placements` (by seat) |
| `moves.parquet` | one a game | `index`, `actions` (numbers of the action table), `seats` (which took them) |
| `events/*.parquet` | one an event | `index`, `turn`, `seat`, `event`, `card`, `target`, `amount`, `left` |
| `variant.json` | | variant, settings, action table, observation table, names of events |
| `summary.json` | | win rates with intervals, the command, version and machine |
"""  # noqa: E501


def _size(games: int) -> str:
    return next((name for most, name in SIZES if games < most), LARGEST)


def _facts(game: Game, summary: dict[str, Any]) -> str:
    agents = ", ".join(f"`{row['agent']}`" for row in summary["agents"])
    rates = ", ".join(f"player_{row['seat']} {100 * row['win_rate']:.1f} %" for row in summary["seats"])
    return (
        f"{number_of(summary['games'], 'game')} of {variant_in_words(game.id)} (`{game.id}`) between {agents}, "
        f"{summary['decisions_mean']:.0f} decisions each on average. Games won: {rates}."
    )


def _provenance(game: Game) -> str:
    if not game.variant.reconstructed:
        return "Its cards follow published tables."
    return "Some of its content was never published as text and is a reconstruction: the games are about that."


def card(game: Game, summary: dict[str, Any], hub: str | None) -> str:
    """Return the card of a data set.

    Args:
        game: The game.
        summary: Summary of the games.
        hub: Name on the Hub, or None.
    """
    title = f"Games of {variant_in_words(game.id)}"
    head = {
        "pretty_name": title,
        "license": LICENCE,
        "task_categories": ["reinforcement-learning"],
        "tags": ["self-play", "board-games", "card-games", "imperfect-information", "stardeck"],
        "size_categories": [_size(summary["games"])],
        "configs": [
            {"config_name": "games", "data_files": "games.parquet", "default": True},
            {"config_name": "moves", "data_files": "moves.parquet"},
            {"config_name": "events", "data_files": "events/*.parquet"},
        ],
    }
    where = f"\n\nOn the Hub: `{hub}`." if hub else ""
    return f"""---
{yaml.safe_dump(head, sort_keys=False)}---

# {title}

{_facts(game, summary)} {_provenance(game)}{where}

{FILES}
Observations are made again from deals and moves, by the package `stardeck` {summary["origin"]["version"]}:

```python
from stardeck.datasets import load

for episode in load("FOLDER").episodes(0, 100):
    print(episode.observations.shape, episode.masks.shape, episode.actions, episode.returns)
```

The same command makes the same games: `{summary["origin"]["command"]}`. Licence: MIT. `DATASHEET.md` says how the data
set came about, and what it is for.
"""


def datasheet(game: Game, summary: dict[str, Any]) -> str:
    """Return the datasheet of a data set.

    Args:
        game: The game.
        summary: Summary of the games.
    """
    agents = ", ".join(summary["identities"] if "identities" in summary else [r["agent"] for r in summary["agents"]])
    return f"""# Datasheet

## Motivation

The data set is for offline reinforcement learning, imitation and the study of games with hidden information. A program
made it, with the package `stardeck`. Nobody was paid for it.

## Composition

{_facts(game, summary)} {_provenance(game)}

A row of `games.parquet` is a game, and `moves.parquet` has its moves. There are no errors or noise beyond the play of
the agents, and nothing is missing. Games truncated at the limit of turns: {summary["truncated"]:,}. Games of one
block share a deal: group them by `seed` before a split into training and test. Otherwise they are independent.
There are no people and no personal data in it.

## Collection

The agents were {agents}. Deals come from the seed {summary["seed"]}. Command: `{summary["origin"]["command"]}`;
version {summary["origin"]["version"]}, {summary["origin"]["date"]}, {summary["origin"]["machine"]}.

## Preprocessing

None. Moves are numbers of the action table in `variant.json`.

## Uses

Behaviour cloning, value estimation, opponent modelling, statistics of play. The agents are not people, who play
otherwise. Rows of `moves.parquet` contain decisions of all seats: an observation holds only what its own seat
may know, but deals and moves together reveal everything.

## Distribution and maintenance

Licence: MIT. Names of games and cards belong to their publishers. A later version of the package that changes rules
refuses the data set instead of showing other games; install version {summary["origin"]["version"]} then.
"""
