"""Agents of a report: a ladder from random play to the strongest agent of a variant, or of several variants."""

from collections.abc import Sequence

from stardeck import agents as players
from stardeck.agents.identity import identity_of
from stardeck.agents.networks import pretrained
from stardeck.agents.strengths import agent_of_strength
from stardeck.game.catalogue import default_agent
from stardeck.game.game import Game


def usual_ladder(game: Game, quick: bool, *others: Game) -> tuple[str, ...]:
    """Return agents of a variant from the weakest to the strongest.

    Args:
        game: Variant.
        quick: True leaves searches out, which take hours for enough games. Where nothing but `random` plays, a small
            one stays.
        *others: Variants that are compared with it. Every agent plays all of them; a network that differs between
            them is left out.
    """
    games = (game, *others)
    usual = default_agent(game.variant.game)
    found = ["random"] if usual == "random" else ["random", "simple", usual]
    found += [name for name in reversed(pretrained.BEST_FIRST) if plays_alike(name, games)]
    if quick and len(found) < 2:
        found.append(f"search:20:prior={found[-1]}")
    if not quick:
        strongest = (agent_of_strength("strongest", one) for one in games)
        found += [f"search:50:prior={found[-1]}", *[one for one in strongest if plays_alike(one, games)][:1]]
    return tuple(dict.fromkeys(found))


def plays_alike(agent: str, games: Sequence[Game]) -> bool:
    """Return true if an agent plays all variants, and is the same one in all of them.

    Args:
        agent: Text of the agent.
        games: Variants.
    """
    try:
        return len({identity_of(players.get(agent, game)) for game in games}) == 1
    except ValueError:
        return False
