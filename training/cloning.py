"""Behaviour cloning: a policy learns the decisions of people from a folder of games.

It learns from most games, and the others say when to stop: a few hundred games are soon known by heart.
"""

import copy
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import mse_loss

from stardeck.benchmarks.agreement.games import LeftOut, PlayedGame, choices_of, files_of, read_games
from stardeck.benchmarks.progress import Report
from stardeck.benchmarks.results.filesystems import folder_here
from stardeck.game.agent import Actions, Masks, Seeds, States
from stardeck.game.game import Game
from stardeck.training.layers.legal_actions import ILLEGAL, NOTHING
from stardeck.training.policy import MaskedPolicy, device_of

LOGS = "logs:"  # before a folder, in place of the name of a teacher
HELD_OUT = 0.1  # share of the games, at least one, that the policy does not learn from
BATCH = 256
LEARNING_RATE = 1e-3
LOWEST_RATE = 5e-5
VALUE_WEIGHT = 0.5
WEIGHT_DECAY = 1e-2
PATIENCE = 5  # passes without a better likelihood of the other games, after which learning ends


class Decisions(NamedTuple):
    """Decisions of players that were not forced."""

    observations: NDArray[np.uint8]  # [n, observation_size]
    masks: NDArray[np.bool_]  # [n, num_actions]
    same: NDArray[np.bool_]  # [n, num_actions]: what counts as the player's choice
    returns: NDArray[np.float32]  # [n]: of the player who decides
    known: NDArray[np.float32]  # [n]: 1 where the game was played to its end
    games: NDArray[np.int64]  # [n]: number of the game


class LoggedPlayers:
    """The players of a folder of games, as a teacher. It is no agent: it knows no other positions.

    Args:
        folder: Folder of text logs of the app, and of recorded games.
        game: The variant; a game counts if it has the same observations and actions.

    Attributes:
        decisions: The decisions of the games that count.
        left_out: Files that do not count, with the reasons.

    Raises:
        ValueError: The folder has fewer than two games that count.
    """

    name = "players"

    def __init__(self, folder: str, game: Game) -> None:
        self.left_out: list[LeftOut] = []
        parts: list[Decisions] = []
        if not folder:
            raise ValueError(f"teacher={LOGS!r}: must be {LOGS}FOLDER, a folder of logs or recorded games")
        for path in files_of(folder):
            for played in read_games(path, path.relative_to(folder_here(folder)).as_posix(), game):
                if isinstance(played, LeftOut):
                    self.left_out.append(played)
                else:
                    parts.append(_decisions_of(played, len(parts)))
        if len(parts) < 2:
            why = f"; {self.left_out[0].file}: {self.left_out[0].reason}" if self.left_out else ""
            raise ValueError(
                f"teacher={LOGS}{folder}: must hold at least 2 games that count; it holds {len(parts)}{why}"
            )
        self.games = len(parts)
        self.decisions = Decisions(*(np.concatenate(each) for each in zip(*parts, strict=True)))
        digest = blake2b(digest_size=8)
        for array in self.decisions:
            digest.update(np.ascontiguousarray(array).tobytes())
        self.identity = f"{self.games} games:{digest.hexdigest()}"

    def act(self, game: Game, states: States, masks: Masks, seeds: Seeds) -> Actions:
        """Raise ValueError: players of logs do not play."""
        raise ValueError(f"teacher={LOGS}…: its players do not play other games")


def _decisions_of(played: PlayedGame, number: int) -> Decisions:
    legal, same, real = choices_of(played)
    states = played.states[real]
    seats = played.game.to_act(states)
    count = len(states)
    return Decisions(
        played.game.observe(states), legal[real], same[real],
        np.array(played.returns, np.float32)[seats], np.full(count, played.over, np.float32), np.full(count, number),
    )  # fmt: skip


def clone(policy: MaskedPolicy, players: LoggedPlayers, decisions: int, seed: int, progress: Report) -> dict[str, Any]:
    """Train a policy on decisions of players, and return its agreement with those of the held-out games.

    It keeps the weights with the best likelihood of the held-out games.

    Args:
        policy: The policy.
        players: The players.
        decisions: Most decisions to learn from; a decision counts in each pass.
        seed: Seed of all chance.
        progress: As in `train`.
    """
    random = np.random.default_rng(seed)
    games = np.unique(players.decisions.games)  # with a decision between several actions
    out = random.permutation(games)[: max(1, round(HELD_OUT * len(games)))]
    held_out = np.isin(players.decisions.games, out)
    data, test = (_tensors(players.decisions, where, device_of(policy)) for where in (~held_out, held_out))
    optimizer = torch.optim.AdamW(policy.parameters(), LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    before = best = _compared(policy, test)
    weights, done, passes = copy.deepcopy(policy.state_dict()), 0, 0
    while done < decisions and passes < PATIENCE:
        order = torch.as_tensor(random.permutation(len(data[0]))).to(device_of(policy))
        for rows in order.split(BATCH):
            for group in optimizer.param_groups:
                group["lr"] = LEARNING_RATE + (LOWEST_RATE - LEARNING_RATE) * done / decisions
            _learn(policy, optimizer, [part[rows] for part in data])
            done = min(done + len(rows), decisions)
        now = _compared(policy, test)
        passes += 1
        if now["log_likelihood"] > best["log_likelihood"]:
            best, passes, weights = now, 0, copy.deepcopy(policy.state_dict())
        progress(done, decisions, f"imitating players: {100 * now['agreement']:.1f} % agree on held-out games")
    policy.load_state_dict(weights)
    counts = {"games": players.games, "held_out": len(out), "decisions": len(test[0]), "learned": done}
    return counts | best | {"before": before, "left_out": [one._asdict() for one in players.left_out]}


def _tensors(decisions: Decisions, where, device) -> list[torch.Tensor]:
    """Return the decisions as tensors, without the numbers of their games. where: bool[n], which ones."""
    return [torch.as_tensor(part[where]).to(device) for part in decisions[:-1]]


def _learn(policy, optimizer, batch):
    *_, returns, known = batch
    values, likelihoods, _ = _judged(policy, *batch[:3])
    errors = mse_loss(values, returns, reduction="none")
    loss = VALUE_WEIGHT * (errors * known).mean() - likelihoods.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def _compared(policy, test) -> dict[str, float]:
    """Return the agreement of a policy's likeliest actions with decisions, and their mean log likelihood."""
    count = len(test[0])
    agreed = likelihood = 0.0
    with torch.no_grad():
        for rows in torch.arange(count, device=test[0].device).split(4 * BATCH):
            _, likelihoods, agrees = _judged(policy, *(part[rows] for part in test[:3]))
            agreed += float(agrees.sum())
            likelihood += float(likelihoods.sum())
    return {"agreement": agreed / count, "log_likelihood": likelihood / count}


def _judged(policy, observations, legal, same) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return values, log likelihoods of the players' choices, and true where the likeliest action is one of them."""
    features = policy.extract_features(observations)
    actions, likely = policy.choices(features, legal)
    chosen = same.gather(1, actions.clamp(min=0)) & (actions != NOTHING)
    likelihoods = likely.masked_fill(~chosen, ILLEGAL).logsumexp(dim=1)
    agrees = chosen.gather(1, likely.argmax(dim=1, keepdim=True))[:, 0]
    return policy.value_net(features)[:, 0], likelihoods, agrees
