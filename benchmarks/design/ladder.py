"""Agents of a report: a ladder from random play to the strongest agent of a variant."""

from stardeck.agents.networks import pretrained
from stardeck.agents.strengths import agent_of_strength
from stardeck.game.catalogue import default_agent
from stardeck.game.game import Game


def usual_ladder(game: Game, quick: bool) -> tuple[str, ...]:
    """Return agents of a variant from the weakest to the strongest.

    Args:
        game: Variant.
        quick: True leaves searches out, which take hours for enough games. Where nothing but `random` plays, a small
            one stays.
    """
    usual = default_agent(game.variant.game)
    found = ["random"] if usual == "random" else ["random", "simple", usual]
    best = pretrained.best(game)
    if best == "expert" and _plays(game, "ppo"):
        found.append("ppo")
    if best:
        found.append(best)
    if quick and len(found) < 2:
        found.append(f"search:20:prior={found[-1]}")
    if not quick:
        found += [f"search:50:prior={found[-1]}", agent_of_strength("strongest", game)]
    return tuple(dict.fromkeys(found))


def _plays(game: Game, name: str) -> bool:
    try:
        pretrained.agent_for(game, name)
    except ValueError:
        return False
    return True
