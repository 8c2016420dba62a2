"""Tree search for every game: `search:400` simulates 400 games before every decision."""

from stardeck.agents.search.agent import SearchAgent

__all__ = ["SearchAgent"]
