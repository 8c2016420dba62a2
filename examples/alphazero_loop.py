"""An AlphaZero-style loop for hidden information: a network guides a search, and the search trains the network.

Every simulation samples the information hidden from the seat anew, and all simulations share one tree
(information-set search). All games are searched in parallel: one call takes a step down the tree of every game.

In two or three minutes on one core the search improves from 31 % of games against `random` to 93 %; with seeds 8 below
from 7 % to 88 %. It still loses to `rules`. The strength of an untrained network is luck, and the first round may
make it worse.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track

import stardeck
from stardeck.benchmarks.advantage import wilson
from stardeck.game.agent import Actions, Agent, AgentLike, Masks, Seeds, States
from stardeck.game.game import Game

LANES = 256
ROUNDS = 10
SIMULATIONS = 24
GAMES = 1000
Numbers = NDArray[np.float32]

torch.manual_seed(7)
chance = np.random.default_rng(7)
game = stardeck.make("interstellar_empire")
scale = game.observation_scale()
body = torch.nn.Sequential(torch.nn.Linear(game.observation_size, 128), torch.nn.Tanh())
policy, critic = torch.nn.Linear(128, game.num_actions), torch.nn.Linear(128, 1)
optimizer = torch.optim.Adam([*body.parameters(), *policy.parameters(), *critic.parameters()], 1e-3)


def look(observations: NDArray[np.uint8]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logits of all actions, legal or not, and the position value for the seat that observes."""
    hidden = body(torch.from_numpy(observations * scale))
    return policy(hidden), torch.tanh(critic(hidden)[:, 0])


def expect(states: States) -> tuple[Numbers, Numbers]:
    """Return the logits, and the position value for seat 0: the result if the game is over."""
    with torch.no_grad():
        logits, values = look(game.observe(states))
    worth = np.where(game.to_act(states) == 0, values.numpy(), -values.numpy())
    return logits.numpy(), np.where(game.is_over(states), game.returns(states)[:, 0], worth)


def search(roots: States, seeds: Seeds) -> Numbers:
    """Return the visit count of each action in each position: float32[n, num_actions]."""
    # By game, node and action. Node 0 is the root, and each simulation adds the node of its number.
    logits, visits, worth = np.zeros((3, len(roots), SIMULATIONS + 1, game.num_actions), np.float32)
    child = np.zeros(logits.shape, np.int64)  # 0: no child
    logits[:, 0], _ = expect(roots)
    for new in range(1, SIMULATIONS + 1):
        worlds = game.resample_hidden(roots, game.to_act(roots), seeds + np.uint64(new))
        rows, nodes = np.arange(len(roots)), np.zeros(len(roots), np.int64)
        path = []
        while len(rows):  # one step down, in all games that have not reached a new node or the end
            some = game.take(worlds, rows)
            legal = game.legal_actions(some).astype(bool)  # in this sample of the hidden information
            prior = np.exp(np.where(legal, logits[rows, nodes], -np.inf))
            prior /= prior.sum(axis=1, keepdims=True)
            tried, sign = visits[rows, nodes], np.where(game.to_act(some) == 0, 1, -1)[:, None]
            bonus = 1.5 * prior * np.sqrt(tried.sum(axis=1, keepdims=True) + 1) / (tried + 1)  # PUCT
            mean = sign * worth[rows, nodes] / np.maximum(tried, 1)
            actions = np.where(legal, mean + bonus, -np.inf).argmax(axis=1)
            game.apply(some, actions)
            game.put(worlds, rows, some)
            edges = rows, nodes, actions
            path.append(edges)
            below, running = child[edges], ~game.is_over(some)
            child[edges] = np.where((below == 0) & running, new, below)
            onward = (below > 0) & running
            rows, nodes = rows[onward], below[onward]
        logits[:, new], found = expect(worlds)
        for edges in path:
            visits[edges] += 1
            worth[edges] += found[edges[0]]
    return visits[:, 0]


def self_play() -> list[NDArray]:
    """Play the search against itself, and return observations, legal actions, visit shares and results."""
    states = game.deal(chance.integers(2**63, size=LANES))
    columns = []
    while len(rows := np.flatnonzero(~game.is_over(states))):
        some = game.take(states, rows)
        visits = search(some, chance.integers(2**63, size=len(rows), dtype=np.uint64))
        shares = visits / visits.sum(axis=1, keepdims=True)
        columns.append((game.observe(some), game.legal_actions(some), shares, rows, game.to_act(some)))
        drawn = chance.integers(SIMULATIONS, size=(len(rows), 1))  # samples an action by visit count
        game.apply(some, (visits.cumsum(axis=1) > drawn).argmax(axis=1))
        game.put(states, rows, some)
    seen, legal, shares, rows, seats = map(np.concatenate, zip(*columns, strict=True))
    return [seen, legal.astype(bool), shares, game.returns(states)[rows, seats]]  # for the seat that observes


def train(memory: list[list[NDArray]]) -> None:
    """Train the policy on the visit shares and the critic on the results."""
    seen, *kept = map(np.concatenate, zip(*memory, strict=True))
    legal, shares, results = map(torch.from_numpy, kept)
    for batch in torch.randperm(len(seen)).split(512):
        logits, values = look(seen[batch.numpy()])
        logits = logits.where(legal[batch], -1e9)
        loss = torch.nn.functional.cross_entropy(logits, shares[batch]) + ((values - results[batch]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Network:
    name = "the network alone"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        return np.where(masks, expect(states)[0], -np.inf).argmax(axis=1)


class Search:
    name = f"the network with {SIMULATIONS} simulations a move"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        return search(states, seeds).argmax(axis=1)


def report(when: str, agent: Agent) -> None:
    """Play a match against random, from both seats on the same deals."""
    deals, wins = game.deal(np.arange(GAMES // 2)), 0
    for seat in range(2):
        agents: list[AgentLike] = ["random", "random"]
        agents[seat] = agent
        wins += game.winners(game.playout(deals, agents, seed=7))[:, seat].sum()
    low, high = wilson(wins / (2 * len(deals)), 2 * len(deals))
    print(f"{when}: {agent.name} wins {low:.1%} to {high:.1%} of games against random")


memory: list[list[NDArray]] = []
report("untrained", Network())
report("untrained", Search())
for number in track(range(1, ROUNDS + 1), "rounds"):
    memory = [*memory[-2:], self_play()]  # the last three rounds
    for _ in range(2):
        train(memory)
    report(f"round {number}", Network())
report("trained", Search())
