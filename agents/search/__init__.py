"""Tree search for every game: `search:400` looks at 400 simulated games before every decision."""

from stardeck.agents.search.agent import SearchAgent

__all__ = ["SearchAgent"]
