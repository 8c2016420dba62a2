"""An AlphaZero-style loop for hidden information: search by a network, then training of the network by the search.

Every simulation starts in a world of its own, in which what the seat cannot know is dealt again. All games are searched
side by side: a step of every simulation is one call of the batch face.
"""

import numpy as np
import torch

import stardeck
from stardeck.envs.agent import Actions, Masks, Seeds, States
from stardeck.envs.game import Game

GAMES = 100
SIMULATIONS = 16
ROUNDS = 4
Node = dict[str, np.ndarray]  # of each action: prior, visits, and the sum of what it was worth to the seat

torch.manual_seed(7)
chance = np.random.default_rng(7)
game = stardeck.make("interstellar_empire")
scale = game.observation_scale()
body = torch.nn.Sequential(torch.nn.Linear(game.observation_size, 128), torch.nn.Tanh())
policy, critic = torch.nn.Linear(128, game.num_actions), torch.nn.Linear(128, 1)
optimizer = torch.optim.Adam([*body.parameters(), *policy.parameters(), *critic.parameters()], 1e-3)


def look(observations: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits of actions, and what the position is worth to the seat that looks."""
    hidden = body(torch.from_numpy(observations * scale))
    return policy(hidden), torch.tanh(critic(hidden)[:, 0])


def best(node: Node, mask: np.ndarray) -> int:
    """The action to try next (PUCT), of those that are legal in this world."""
    prior = np.where(mask, node["prior"], 0)
    bonus = 1.5 * prior / prior.sum() * np.sqrt(node["visits"].sum() + 1) / (node["visits"] + 1)
    worth = node["worth"] / np.maximum(node["visits"], 1)
    return int(np.where(mask, worth + bonus, -np.inf).argmax())


def simulate(roots: States, trees: list[dict[tuple[int, ...], Node]]) -> None:
    """One simulation in every game: down its tree to a new node, whose worth goes back up."""
    worlds = game.resample_hidden(roots, game.to_act(roots), chance.integers(2**63, size=len(roots)))
    paths: list[tuple[int, ...]] = [()] * len(roots)
    steps: list[list[tuple[Node, int, int]]] = [[] for _ in roots]  # node, action, seat
    running = np.arange(len(roots))
    while len(running):  # one step down, in all games that have not come to a new node
        some = game.take(worlds, running)
        seats, masks = game.to_act(some), game.legal_actions(some)
        known = np.array([paths[g] in trees[g] and seat >= 0 for g, seat in zip(running, seats, strict=True)])
        running = running[known]
        actions = np.zeros(len(running), np.int64)
        for row, (g, seat, mask) in enumerate(zip(running, seats[known], masks[known], strict=True)):
            node = trees[g][paths[g]]
            actions[row] = best(node, mask)
            steps[g].append((node, int(actions[row]), int(seat)))
            paths[g] += (int(actions[row]),)
        some = game.take(some, known)
        game.apply(some, actions)
        game.put(worlds, running, some)
    lookers = np.maximum(game.to_act(worlds), 0)
    with torch.no_grad():
        logits, values = look(game.observe(worlds))
    worth = np.where(game.is_over(worlds), game.returns(worlds)[:, 0], values.numpy())
    priors = torch.softmax(logits, 1).numpy()
    for g, tree in enumerate(trees):
        nothing = np.zeros(game.num_actions, np.float32)
        tree.setdefault(paths[g], {"prior": priors[g], "visits": nothing, "worth": nothing.copy()})
        for node, action, seat in steps[g]:
            node["visits"][action] += 1
            node["worth"][action] += worth[g] if seat == lookers[g] else -worth[g]


def search(states: States) -> np.ndarray:
    """How often each action was tried at the root of every game: float32[n, num_actions]."""
    trees: list[dict[tuple[int, ...], Node]] = [{} for _ in states]
    for _ in range(SIMULATIONS + 1):  # the first makes the roots
        simulate(states, trees)
    return np.stack([tree[()]["visits"] for tree in trees])


def self_play() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Games of the search against itself: what was seen, how often actions were tried, what came of it."""
    states = game.deal(chance.integers(2**63, size=GAMES))
    seen, tried, seats, rows = [], [], [], []
    while len(running := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, running)
        visits = search(some)
        shares = visits / visits.sum(axis=1, keepdims=True)
        actions = np.array([chance.choice(game.num_actions, p=share / share.sum()) for share in shares.astype(float)])
        seen.append(game.observe(some))
        tried.append(shares)
        seats.append(game.to_act(some))
        rows.append(running)
        game.apply(some, actions)
        game.put(states, running, some)
    results = game.returns(states)[np.concatenate(rows), np.concatenate(seats)]
    return np.concatenate(seen), np.concatenate(tried), results


def train(seen: np.ndarray, tried: np.ndarray, results: np.ndarray) -> None:
    """Let the network expect what the search has found."""
    goals, ends = torch.from_numpy(tried), torch.from_numpy(results)
    for batch in torch.cat([torch.randperm(len(seen)) for _ in range(4)]).split(512):
        logits, values = look(seen[batch.numpy()])
        loss = torch.nn.functional.cross_entropy(logits, goals[batch]) + ((values - ends[batch]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Learner:
    """The network without search."""

    name = "learner"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """The action that the network likes best."""
        with torch.no_grad():
            logits, _ = look(game.observe(states))
        return np.where(masks, logits.numpy(), -np.inf).argmax(axis=1)


for number in range(1, ROUNDS + 1):
    train(*self_play())
    played = game.playout(game.deal(np.arange(1000)), [Learner(), "random"], seed=7)
    print(
        f"round {number}: the network alone wins {game.winners(played)[:, 0].mean():.1%} of 1000 games against random"
    )
