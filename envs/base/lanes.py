"""Many games side by side for one learner, in arrays: the base of the vector environments of all libraries.

The learner decides in every lane. The other seats are played inside the step: compiled agents and networks in the
compiled loop, any other agent in batches. Kernels write observations and masks straight into the returned arrays.
"""

import itertools
import warnings
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stardeck.envs.base.options import (
    LANE_DEFAULTS,
    ON_ILLEGAL,
    LaneOptions,
    ResetAttributes,
    View,
    named_action,
    one_of,
)
from stardeck.envs.base.rendering import render_table
from stardeck.game.agent import Actions, Agent, Opponents, Seeds, decisions, distinct
from stardeck.game.game import Game
from stardeck.game.resolve import agent_of
from stardeck.game.thread_pool import ThreadPool
from stardeck.kernels.compile.jit import bound
from stardeck.kernels.errors import IllegalAction, check_keywords, shown, whole_number, whole_numbers
from stardeck.kernels.loops import batch, playouts
from stardeck.kernels.loops import lanes as kernels
from stardeck.kernels.loops.lanes import (
    ALL_SEATS,
    LANE,
    OUTSIDE,
    PLAN,
    RANDOM_SEAT,
    ROTATE,
    TALLY,
    Autoreset,
    EndedGames,
    Outputs,
    Setup,
)

SEATS = {"rotate": ROTATE, "random": RANDOM_SEAT, "all": ALL_SEATS}
FIRST_GAMES = 16  # or one for each lane: if an illegal action ends them all, the learner seems to ignore the masks


def _cast(agents: list[Agent]) -> tuple[Any, NDArray[np.int64]]:
    from stardeck.game.agent_table import AgentTable, is_compiled

    compiled = [agent for agent in agents if is_compiled(agent)]
    cast = AgentTable(compiled)
    kinds = {id(agent): int(kind) for agent, kind in zip(compiled, cast.kinds, strict=True)}
    return cast, np.array([kinds.get(id(agent), OUTSIDE) for agent in agents], np.int64)


def _lineups(opponents: Any, others: int) -> list[list[Any]]:
    """Return the opponents, a list of `others` agents for each lineup. Raises ValueError."""
    if not isinstance(opponents, list | tuple):
        lineups = [[opponents] * others]
    elif all(isinstance(lineup, list | tuple) for lineup in opponents):
        lineups = [list(lineup) for lineup in opponents]
    else:
        lineups = [list(opponents)]
    if not lineups or any(len(lineup) != others for lineup in lineups):
        raise ValueError(f"opponents={shown(opponents)}: must be one agent, {others} of them, or lists of {others}")
    return lineups


class Lanes(ResetAttributes):
    """`num_envs` games of `game`, each stopped where the learner decides.

    Args:
        game: The variant.
        num_envs: Number of games.
        opponents: One agent, a list of `players - 1` by distance clockwise from the learner, or a list of such lists;
            each game draws one of them.
        seat: The learner's seat, "rotate" (the next seat in each game of a lane), "random", or "all". With "all" the
            learner decides for every seat, and its reward is the reward of the seat that decided last.
            `final_results` has the returns of all seats.
        team: True if the learner also decides for its teammates.
        autoreset: Time at which a lane deals its next game.
        skip_forced: True if a single legal action is taken at once; then every step is a choice.
        options: Those of `LaneOptions`. `buffers` is the number of steps for which the arrays of `masks` and
            `observations` stay as they are; 0: forever, since each step makes new ones.

    Attributes:
        masks: The learner's masks, int8[n, num_actions].
        observations: The learner's observations, [n, observation_size].
        seats: Seats that decide, int64[n]; -1 where a game is over.
        ended: Games that ended in the last step, bool[n].
        rewards: Rewards of these games, float32[n].
        terminated: Ended games that were not truncated, bool[n].
        truncated: Ended games that were truncated, bool[n].
        ended_rows: Lanes of the ended games, int64[k], kept until the next step; lanes that waited for an agent come
            last.
        illegal: 1 where an illegal action has lost the game, int8[n].
    """

    made_by_reset: tuple[str, ...] = (
        "masks",
        "observations",
        "seats",
        "ended",
        "ended_rows",
        "rewards",
        "terminated",
        "truncated",
    )
    device = "cpu"  # the device of these arrays for torch

    def __init__(
        self, game: Game, num_envs: int, opponents: Opponents = "rules", seat: int | str = "rotate", team: bool = False,
        autoreset: Autoreset = Autoreset.SAME_STEP, skip_forced: bool = False, **options: Unpack[LaneOptions],
    ) -> None:  # fmt: skip
        check_keywords("lanes", options, LANE_DEFAULTS)
        chosen: LaneOptions = {**LANE_DEFAULTS, **options}
        self.game = game
        self.num_envs = whole_number(num_envs, "num_envs")
        if self.num_envs < 1:
            raise ValueError(f"num_envs={shown(num_envs)}: must be at least 1")
        self._threads = ThreadPool(self.num_envs, chosen["threads"])
        self._on_illegal = one_of("on_illegal", chosen["on_illegal"], ON_ILLEGAL)
        self.view = View(game, chosen["observation_dtype"])
        self._plan = np.zeros(1, PLAN)
        plan = self._plan[0]
        plan["players"] = game.players
        plan["seat"] = SEATS.get(one_of("seat", seat, (*range(game.players), *SEATS)), seat)
        plan["team"] = one_of("team", team, (False, True))
        for side in game.variant.sides:
            plan["sides"][list(side)] = sum(1 << seat for seat in side)
        plan["autoreset"] = autoreset
        plan["skip_forced"] = one_of("skip_forced", skip_forced, (False, True))
        plan["words"] = game.words
        plan["rivals"] = len(game.variant.sides) - 1
        self._lanes = np.zeros(self.num_envs, LANE)
        self._states = np.zeros(self.num_envs, game.state_dtype)
        self._finals = np.zeros(self.num_envs, game.state_dtype)
        self._no_outcomes = game.outcomes(self._finals[:0])
        self._ended_rows = np.zeros(self.num_envs, np.int64)
        self._tally = np.zeros(len(self._threads.slices), TALLY)
        self._blank = np.zeros(1, game.state_dtype)
        self._agent = np.zeros(len(self._threads.slices), playouts.AGENT)
        self.set_opponents(opponents)
        masks = (np.zeros((self.num_envs, game.num_actions), np.int8) for _ in range(chosen["buffers"]))
        self._buffers = [(mask, self._no_observations()) for mask in masks]
        self._turn = 0
        self._step: Any = None  # `step_lanes` for the types of these arrays
        self._dealt = False
        self.illegal = np.zeros(self.num_envs, np.int8)
        self._asked = np.zeros(self.num_envs, np.int64)  # the actions of the last step before any replacement
        self._lost_first = 0  # leading games in a row that an illegal action has ended; -1: no longer counted

    # Opponents

    def set_opponents(self, opponents: Opponents) -> None:
        """Set the agents of the other seats for new games; running games continue with the agents in the same place."""
        lineups = _lineups(opponents, self.game.players - 1)
        named: dict[int, Any] = {}
        for agent in itertools.chain(*lineups):
            if id(agent) not in named:
                named[id(agent)] = agent_of(agent, self.game)
        agents = distinct(named.values())
        cast, kinds = _cast(agents)
        self._networks = cast.networks
        place = {id(agent): number for number, agent in enumerate(agents)}
        self._lineups = [[named[id(agent)] for agent in lineup] for lineup in lineups]
        numbers = [[place[id(agent)] for agent in lineup] for lineup in self._lineups]
        self._pool = np.array([[kinds[number] for number in row] for row in numbers], np.int64)
        self._pool = self._pool.reshape(len(lineups), self.game.players - 1)
        self._outsiders = bool((self._pool == OUTSIDE).any())
        self._lanes["lineup"] %= len(lineups)
        self._seat_opponents()

    def _seat_opponents(self) -> None:
        """Give the seats of games under way the numbers that their agents have now."""
        players = self.game.players
        rows = np.arange(self.num_envs)
        for distance in range(1, players):
            seats = (self._lanes["seat"] + distance) % players
            self._lanes["kinds"][rows, seats] = self._pool[self._lanes["lineup"], distance - 1]

    # Playing

    def reset(self, seeds: Seeds, chosen: NDArray[np.bool_] | None = None, anew: bool = True) -> None:
        """Deal new games into the chosen lanes.

        Args:
            seeds: Array uint64[n]; lane i deals seeds[i].
            chosen: Array bool[n]; all lanes by default.
            anew: True if rotating seats also begin again.
        """
        if chosen is None:
            chosen = np.ones(self.num_envs, bool)
        elif not self._dealt and not chosen.all():
            raise RuntimeError("the first reset must deal all games")
        self._dealt = False
        self._lanes["series"][chosen] = seeds[chosen]
        self._lanes["games"][chosen] = 0
        if anew:
            self._lanes["seatings"][chosen] = 0
        self._lanes["number"] = np.arange(self.num_envs)
        self._turn_over()
        self._run(kernels.deal_lanes, chosen)
        self._let_outsiders_play()
        self.illegal = np.zeros(self.num_envs, np.int8)
        self._note_ends()
        self._dealt = True

    def step(self, actions: ArrayLike) -> None:
        """Let the learner act in every lane.

        Args:
            actions: Array int[n].

        Raises:
            IllegalAction: The learner's action is illegal; nothing has changed. After an error of an opponent, games
                must be reset.
        """
        self._check_dealt()
        actions = whole_numbers(actions, "actions", self.num_envs, "game")
        self._answer_illegal(actions)
        self._dealt = False
        self._turn_over()
        self._run(kernels.step_lanes, actions)
        self._let_outsiders_play()
        self._note_ends()
        self._dealt = True

    def _check_dealt(self) -> None:
        if not self._dealt:
            raise RuntimeError("reset() must be called first, and again after an error of an opponent")

    def _run(self, kernel: Any, *given: NDArray[Any]) -> None:
        """Call a kernel for all lanes, with one row of each given array for each lane."""

        def work(number: int, rows: slice) -> None:
            alone = slice(number, number + 1)
            outputs = Outputs(self.masks[rows], self._seen[rows], self.seats[rows], self.ended[rows])
            ended = EndedGames(self._finals[rows], self._ended_rows[rows], self._tally[alone])
            setup = Setup(self._plan, self._blank, self._agent[alone], self._networks, self._pool)
            each = [array[rows] for array in given]
            arguments = self.game.rules, self._states[rows], self._lanes[rows], *each, outputs, ended, setup
            self._compiled(kernel, arguments)(*arguments)

        self._threads.run(work)

    def _compiled(self, kernel: Any, arguments: tuple[Any, ...]) -> Any:
        """Return a kernel compiled for the types of these arrays, which never change; a look-up takes microseconds."""
        if kernel is not kernels.step_lanes:
            return kernel
        if self._step is None:
            self._step = bound(kernel, *arguments)
        return self._step

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_step": None}

    def _ended(self, by_slice: NDArray[Any]) -> NDArray[Any]:
        """Return the records of games that ended in the last step, from the beginning of every slice."""
        counts = zip(self._threads.slices, self._tally["ended"], strict=True)
        found = [by_slice[rows][:count] for rows, count in counts]
        if len(found) == 1:
            return found[0]
        # As bytes, since NumPy copies states field by field: a millisecond for a hundred of them.
        return np.concatenate([part.view(np.uint8) for part in found]).view(by_slice.dtype)

    def _turn_over(self) -> None:
        """Provide the arrays that the next step writes to."""
        self.seats = np.empty(self.num_envs, np.int64)
        self.ended = np.empty(self.num_envs, bool)
        if not self._buffers:
            shape = self.num_envs, self.game.num_actions
            self.masks, self._seen = np.empty(shape, np.int8), self._no_observations()
            return
        self._turn = (self._turn + 1) % len(self._buffers)
        self.masks, self._seen = self._buffers[self._turn]

    def _no_observations(self) -> NDArray[np.uint8]:
        return np.empty((self.num_envs, self.game.observation_size), np.uint8)

    def _let_outsiders_play(self) -> None:
        """Ask the agents that are not compiled, each for all lanes that wait for it, until no lane waits."""
        self._check_asked()
        while self._outsiders and len(rows := np.flatnonzero(self._lanes["waiting"])):
            lanes = self._lanes[rows]
            seats = self._states["to_act"][rows].astype(np.int64)
            asked = [
                self._lineups[lane["lineup"]][(seat - lane["seat"]) % self.game.players - 1]
                for lane, seat in zip(lanes, seats, strict=True)
            ]
            for agent in distinct(asked):
                self._ask(agent, rows[[other is agent for other in asked]])
            self._run(kernels.resume_lanes)
            self._check_asked()

    def _check_asked(self) -> None:
        if self._tally["stuck"].any():
            seat = int(self._lanes["seat"][self._lanes["undecided"] > kernels.UNDECIDED_LIMIT][0])
            raise ValueError(f"seat {seat}: never decides in {self.game.id}, however often games are dealt")

    def _ask(self, agent: Agent, rows: NDArray[np.int64]) -> None:
        states = self.game.take(self._states, rows)
        seeds = np.empty(len(rows), np.uint64)
        kernels.seed_lanes(states, self._lanes[rows], seeds)
        batch.apply_all(self.game.rules, states, decisions(agent, self.game, states, seeds))
        self.game.put(self._states, rows, states)

    def _note_ends(self) -> None:
        """Compute the results of ended games and the arrays that a step returns."""
        self.observations = self.view.scaled(self._seen)
        self.rewards = np.zeros(self.num_envs, np.float32)
        self.terminated, self.truncated = np.zeros((2, self.num_envs), bool)
        self._outcomes, self._cut = self._no_outcomes, np.zeros(0, bool)
        self._last, self.ended_rows = finals, rows = self._ended(self._finals), self._ended(self._ended_rows)
        if len(rows):
            self._outcomes, self._cut = self.game.outcomes(finals), self.game.truncated(finals)
            returns = self._outcomes["returns"]
            lost = self.illegal[rows] != 0
            returns[lost, self._lanes["ended_seat"][rows[lost]]] = -1.0
            self._watch_first_games(lost)
            kernels.pay_lanes(self._lanes, rows, returns, self._cut, self.rewards, self.terminated, self.truncated)

    def cut_short(self) -> NDArray[np.bool_]:
        """Return true for each game of `ended_rows` that was truncated: bool[k]."""
        return self._cut

    def any_cut_short(self) -> bool:
        """Return whether the limit on turns has ended a game in the last step."""
        return bool(self._cut.any())

    def shared(self, array: Any) -> Any:
        """Return one of the returned arrays in a form that `torch.as_tensor` takes without copying it."""
        return array

    def final_results(self) -> dict[str, np.ndarray]:
        """Return the results of games that ended in the last step, by name, with a row for each game.

        The names are those of `Game.outcomes` and `Game.results`. Where an illegal action has lost a game, its seat's
        return is -1 and the other returns are 0.
        """
        return self._outcomes | self.game.results(self._last)

    def final_observations(self) -> np.ndarray:
        """Return the learner's last observations in the games of `ended_rows`: [k, observation_size]."""
        seats = self._lanes["ended_seat"][self.ended_rows]
        return self.view.scaled(self.game.observe(self._last, seats))

    def hidden(self) -> Any:
        """Return what the seat that decides cannot know in each lane, for a critic: uint8[n, hidden_size]."""
        return self.game.observe_hidden(self._states)

    def final_hidden(self) -> NDArray[np.uint8]:
        """Return what the learner could not know at the end of the games of `ended_rows`: uint8[k, hidden_size]."""
        seats = self._lanes["ended_seat"][self.ended_rows]
        return self.game.observe_hidden(self._last, seats)

    def _answer_illegal(self, actions: NDArray[np.int64]) -> None:
        """Replace illegal actions by legal ones or FORFEIT, and mark in `illegal` the games that they lose."""
        if self._on_illegal == "raise":
            row = kernels.first_refused(self._lanes, actions, self.game.num_actions, 0)
            if row >= 0:
                self._refuse(row, int(actions[row]))
            self.illegal = np.zeros(self.num_envs, np.int8)
            return
        self._asked = actions.copy()
        self.illegal = np.empty(self.num_envs, np.int8)
        redraw = self._on_illegal == "random_legal"
        kernels.answer_illegal(
            self._states, self._lanes, actions, self.game.num_actions, self.game.words, redraw, self.illegal
        )

    def _refuse(self, row: int, action: int) -> None:
        """Raise IllegalAction for an action of the learner."""
        states = self._states[row : row + 1]
        legal = "; ".join(self.game.moves(states))
        raise IllegalAction(f"game {row}: {named_action(self.game, states, action)} is not legal; legal: {legal}")

    @property
    def forfeited(self) -> dict[int, int]:
        """Illegal actions that have lost games in the last step, by lane."""
        return {int(row): int(self._asked[row]) for row in np.flatnonzero(self.illegal)}

    def _watch_first_games(self, lost: NDArray[np.bool_]) -> None:
        """Warn once if an illegal action has ended each of the first games. lost: bool for each ended game."""
        if self._lost_first < 0:
            return
        self._lost_first = self._lost_first + len(lost) if lost.all() else -1
        if self._lost_first >= max(FIRST_GAMES, self.num_envs):
            warnings.warn(
                f"an illegal action has ended each of the first {self._lost_first} games: draw actions with the masks, "
                "infos['action_mask'] or action_masks(), or with random_actions(seeds); on_illegal='random_legal' "
                "takes a legal action instead",
                stacklevel=5,
            )
            self._lost_first = -1

    def lengths(self) -> np.ndarray:
        """Return the number of the learner's decisions in the games of `ended_rows`: int64[k]."""
        lengths: NDArray[np.int64] = self._lanes["ended_length"][self.ended_rows]
        return lengths

    @property
    def over(self) -> np.ndarray:
        """Lanes that stand at the end of a game: bool[num_envs]."""
        over: NDArray[np.bool_] = self._lanes["over"] != 0
        return over

    def render(self, row: int, mode: str = "ansi") -> Any:
        """Return the table of a lane as the learner sees it, in a render mode of an environment."""
        self._check_dealt()
        seat = self._lanes["seat"][row] if self.over[row] else self._states["to_act"][row]
        return render_table(self.game, self._states[row : row + 1], int(seat), mode)

    def random_actions(self, seeds: Seeds) -> Actions:
        """Return a uniformly random legal action for every lane, int64[num_envs]. seeds: uint64[num_envs]."""
        self._check_dealt()
        actions = np.empty(self.num_envs, np.int64)
        kernels.pick_lanes(self._lanes, self.game.seeds(seeds, self.num_envs), self.game.words, actions)
        return actions

    def advice(self, agent: Agent) -> Actions:
        """Return an agent's action in the learner's place, int64[num_envs]; no lane may be over."""
        seeds = np.empty(self.num_envs, np.uint64)
        kernels.seed_lanes(self._states, self._lanes, seeds)
        return decisions(agent, self.game, self._states, seeds)

    # Saving

    def snapshot(self) -> dict[str, Any]:
        """Return everything that `restore` needs to continue here, as arrays; the caller sets opponents again."""
        return {"states": self._states.copy(), "lanes": self._lanes.copy(), "turn": np.int64(self._turn)}

    def restore(self, snapshot: dict[str, Any]) -> None:
        """Continue from a `snapshot` of lanes with the same options and opponents."""
        self._states[:] = snapshot["states"]
        lanes = snapshot["lanes"]
        for name in LANE.names or ():  # by name, since earlier snapshots may have other fields, in another order
            self._lanes[name] = lanes[name] if name in lanes.dtype.names else 0
        self._turn = int(snapshot["turn"]) - 1
        self._seat_opponents()
        self._dealt = True
        self._turn_over()
        self._run(kernels.deal_lanes, np.zeros(self.num_envs, bool))
        self._note_ends()
