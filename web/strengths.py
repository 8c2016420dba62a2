"""Agents by strength: easy, medium, hard and strongest, for each game and format.

The figures are from docs/results/training.md, docs/results/search.md and docs/results.md:

- `rules` beats `simple` in 96.8 % of the games of the core set.
- Trained agents beat `rules`: `expert` in 80 % of the games of the core set, `ppo` in 52 to 93 % of two-sided games
  and in 1.4 to 2.2 times its fair share with more sides. Against a Boss, `ppo` wins 2 to 32 times as often as `rules`.
- A search that a trained agent guides beats that agent in 60 to 80 % of two-sided games, and in 1.4 to 3.2 times its
  fair share with more sides.
- Without a trained agent, `search:100` beats `rules`: 71 % (core set), 84 % (Hydra), 63 % (Interstellar Empire of
  two) and 98 % (Empire of the Stars of two). With more simulations a search is stronger: 61.6 % with 50 and 64.4 %
  with 400, against `expert` alone.
"""

from stardeck import agents
from stardeck.game.game import Game

STRENGTHS = ("easy", "medium", "hard", "strongest")
# Candidates from the best; the first that plays the variant is taken.
EASY = ("simple", "random")
MEDIUM = ("rules", "random")
TRAINED = {  # by game and number of players (0: any); the stronger agent first
    ("star_realms", 0): ("expert", "ppo"),
    ("rise_of_empire", 0): ("ppo",),
    ("interstellar_empire", 2): ("expert", "ppo"),
    ("interstellar_empire", 3): ("expert", "ppo"),
    ("empire_of_the_stars", 0): ("ppo",),
}
SEARCHES = {  # instead of `search:100:prior=` and the agent
    ("star_realms", "expert"): "search:400:prior=expert",
    ("interstellar_empire/3", "expert"): "search:1600:prior=expert:rollout_turns=6:opponents=expert",
}
UNTRAINED = ("search:100", "search:400")  # hard and strongest where no trained agent plays


def by_strength(game: Game) -> dict[str, str]:
    """Return the agent of each strength, {strength: text of the agent}, weakest first.

    A game from outside may have nothing but `random` and searches; one agent then stands for two strengths.
    """
    trained = _first(game, _trained(game))
    hard, strongest = UNTRAINED if trained is None else (trained, _search(game, trained))
    found = _first(game, EASY), _first(game, MEDIUM), hard, strongest
    return {strength: agent for strength, agent in zip(STRENGTHS, found, strict=True) if agent is not None}


def _trained(game):
    kind = game.variant.game
    return TRAINED.get((kind, 0)) or TRAINED.get((kind, game.players), ())


def _search(game, prior):
    kind = game.variant.game
    for key in (f"{kind}/{game.players}", kind):
        if (key, prior) in SEARCHES:
            return SEARCHES[key, prior]
    return f"search:100:prior={prior}"


def _first(game, candidates):
    """Return the first agent that can play the game, or None."""
    for text in candidates:
        try:
            agents.get(text, game)
        except ValueError:
            continue
        return text
    return None
