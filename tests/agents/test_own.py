"""User agents: loaded from files, identified by their code, and called by one thread at a time."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import stardeck
from helpers import a_network, game_of
from stardeck import agents
from stardeck.agents.identity import identity_of
from stardeck.agents.networks.agent import write_network
from stardeck.agents.search.agent import SearchAgent
from stardeck.benchmarks.advantage.measure import advantage
from stardeck.benchmarks.arena import series as arena
from stardeck.benchmarks.arena.series import Series
from stardeck.benchmarks.league.tournament import league
from stardeck.benchmarks.recordings import record
from stardeck.benchmarks.results.store import ResultsError
from stardeck.commands.shared.tables import print_advantage
from stardeck.envs.base.lanes import Lanes
from stardeck.game.agent import AgentError
from stardeck.kernels.errors import IllegalAction
from stardeck.training.evaluation import Panel

GAME = "interstellar_empire"
MINE = """
import numpy as np
import beside
SHIFT = 0

def pick(masks):
    return (masks * (np.arange(masks.shape[1]) + SHIFT + beside.MORE)).argmax(axis=1)

class Mine:
    name = "mine"
    def act(self, game, states, masks, seeds):
        return pick(masks)

class Other(Mine):
    def __init__(self, size=3):
        self.weights = np.arange(size)

agent = Other(4)
def make(): return Other(5)
def broken(): raise OSError("no disk")
number = 3
class Nameless:
    def act(self, game, states, masks, seeds): ...
class Locked(Mine):
    def __init__(self):
        import threading
        self.lock = threading.Lock()
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Write `mine.py` in the current folder; the returned function rewrites it with a change."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])

    def write(old="", new="", beside="MORE = 1"):
        Path("mine.py").write_text(MINE.replace(old, new) if old else MINE)
        Path("beside.py").write_text(beside)
        for name in [name for name in sys.modules if name == "beside" or name.startswith("mine")]:
            del sys.modules[name]  # as in a new process

    write()
    return write


@pytest.mark.parametrize("place", ["mine.py:Mine", "mine.py:agent", "mine.py:make", "mine:Mine"])
def test_an_agent_is_found_where_it_stands(mine, place):
    agent = agents.get(place)
    assert agent.name == "mine" and isinstance(agent, stardeck.Agent)


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("none.py:Mine", r"agent 'none.py:Mine': none.py cannot be read \(No such file or directory\)"),
        ("none.at:Mine", "agent 'none.at:Mine': there is no module none"),
        ("mine.py:Min", "has no 'Min'; agents in it: Mine, Other"),
        ("mine.py", "agent 'mine.py': must go on with a colon and a name, mine.py:NAME; agents in it: Mine"),
        ("mine.py:number", r"agent 'mine.py:number': 3: must have a method act\(game, states, masks, seeds\)"),
        ("mine.py:broken", r"broken\(\) has failed \(OSError: no disk, line 20\)"),
        (
            "mine.py:Nameless",
            "name=None: must be a text of up to 200 printable characters, the name in results",
        ),
        ("bad.py:Mine", r"bad.py cannot be imported \(ZeroDivisionError: .*, line 2\)"),
        ("worse.py:Mine", r"worse.py cannot be imported \(SyntaxError: .*, line 1\)"),
        (
            "mine.p:x y",
            "random, simple, rules, cheap-combat, same-faction, expert, ppo, expert-0.1, ppo-0.1, easy, medium, "
            "hard, strongest, search:N",
        ),
    ],
)
def test_what_is_no_agent_is_named_in_one_line(mine, place, message):
    Path("bad.py").write_text("\n1 / 0\n")
    Path("worse.py").write_text("def\n")
    with pytest.raises(ValueError, match=message) as error:
        agents.get(place)
    assert "\n" not in str(error.value)


def test_a_class_is_no_agent(mine):
    with pytest.raises(ValueError, match=r"is a class; give an object of it, CompiledAgent\(\)"):
        agents.get(agents.CompiledAgent)


def test_results_are_those_of_the_code_that_played(mine):
    """Regression: the folder identified agents by name, and returned the old results."""
    advantage(GAME, "mine.py:Mine", 2, out="results")
    league(GAME, ["mine.py:Mine", "random"], 2, out="league")
    mine("SHIFT = 0", "SHIFT = 1")
    with pytest.raises(ResultsError, match=r"mine \(source and state \w+\)"):
        advantage(GAME, "mine.py:Mine", 4, out="results")
    with pytest.raises(ResultsError, match="holds a league with agent mine"):
        league(GAME, ["mine.py:Mine", "random"], 4, out="league")
    mine("\nimport numpy", "\n# a word\nimport numpy")
    assert advantage(GAME, "mine.py:Mine", 4, out="results")["games"] == 4


@pytest.mark.parametrize(
    ("old", "new", "beside"),
    [
        (".argmax(", ".argmin(", "MORE = 1"),
        ('name = "mine"', 'name = "mine"\n    bias = 2', "MORE = 1"),
        ("SHIFT = 0", "SHIFT = {3}", "MORE = 1"),
        ("", "", "MORE = 12"),  # different lengths: Python compares size and second of modification
    ],
)
def test_code_that_decides_counts(mine, old, new, beside):
    before = identity_of(agents.get("mine.py:Mine"))
    mine(old, new, beside)
    assert identity_of(agents.get("mine.py:Mine")) != before
    mine()
    assert identity_of(agents.get("mine.py:Mine")) == before


def test_the_state_of_an_agent_counts(mine):
    kinds = [agents.get(f"mine.py:{name}") for name in ("Mine", "Other", "agent", "make")]
    assert len({identity_of(agent) for agent in kinds}) == 4
    assert identity_of(agents.get("mine.py:make")) == identity_of(kinds[3])
    kinds[3].weights[0] = 9
    assert identity_of(agents.get("mine.py:make")) != identity_of(kinds[3])


def test_an_identity_does_not_depend_on_the_process(mine):
    Path("mine.py").write_text(MINE + "\nagent.names = {'a', 'b', 'c'}\nMine.known = frozenset('xyz')\n")
    code = "from stardeck import agents; from stardeck.agents.identity import identity_of as i; "
    code += "print(i(agents.get('mine.py:agent')))"
    environment = os.environ | {"PYTHONHASHSEED": "1"}
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert told.stdout == identity_of(agents.get("mine.py:agent")) + "\n" and "source and state" in told.stdout


def test_an_agent_that_cannot_be_told_apart_is_not_resumed(mine):
    advantage(GAME, "mine.py:Locked", 2, out="results")
    how = r"cannot pickle '_thread.lock' object; to resume, give it an attribute `identity`"
    with pytest.raises(ResultsError, match=how):
        advantage(GAME, "mine.py:Locked", 4, out="results")
    agent = agents.get("mine.py:Locked")
    agent.identity = "locked 1"
    advantage(GAME, agent, 2, out="named")
    assert advantage(GAME, agent, 4, out="named")["games"] == 4


class Watched:
    """An agent that records concurrent calls; if thread_safe, each call waits for a second one."""

    name = "watched"

    def __init__(self, thread_safe):
        self.thread_safe = thread_safe
        self.inside = self.most = 0
        self.threads = set()
        self._two = threading.Event()

    def act(self, game, states, masks, seeds):
        self.threads.add(threading.get_ident())
        self.inside += 1
        self.most = max(self.most, self.inside)
        if len(self.threads) == 2:
            self._two.set()
        if self.thread_safe:
            self._two.wait(30)
        self.inside -= 1
        return masks.argmax(axis=1)


@pytest.mark.parametrize("thread_safe", [False, True])
def test_an_agent_of_ones_own_is_asked_by_one_thread_unless_it_allows_more(monkeypatch, thread_safe):
    """Regression: all threads called a torch model at once."""
    monkeypatch.setattr(arena, "SLOW_CHUNK", 2)
    monkeypatch.setattr(arena, "LONE_CHUNK", 2)
    agent = Watched(thread_safe)
    chunks = list(Series(game_of(f"{GAME}/2"), [agent, "random"]).run([(0, 12)], workers=2))
    assert sorted(chunk.start for chunk in chunks) == list(range(0, 12, 2))
    if thread_safe:
        assert len(agent.threads) == 2
    else:
        assert agent.threads == {threading.get_ident()} and agent.most == 1


class Wrong:
    """An agent that answers with a function of masks and states, which may change them."""

    name = "wrong"

    def __init__(self, answer):
        self.answer = answer

    def act(self, game, states, masks, seeds):
        return self.answer(masks, states)


def _step_lanes(agent, game):
    lanes = Lanes(game, 2, agent, seat=1)
    lanes.reset(np.arange(2, dtype=np.uint64))
    lanes.step(lanes.random_actions(np.arange(2, dtype=np.uint64)))


def _advise(agent, game):
    lanes = Lanes(game, 2, "random")
    lanes.reset(np.arange(2, dtype=np.uint64))
    lanes.advice(agent)


def _search(agent, game):
    guided = SearchAgent(3, prior=agent, player=agents.get("random"))
    Series(game, [guided, "random"]).play(0, 1)


def _single(agent, game):
    env = gymnasium.make("stardeck/InterstellarEmpire-v1", opponents=agent, seat=1)
    env.reset(seed=1)


# Every way in which a game calls an agent that is not compiled.
DOORS = {
    "series": lambda agent, game: Series(game, [agent, "random"]).play(0, 2),
    "playout": lambda agent, game: game.playout(game.deal([1, 2]), agent, 0),
    "lanes": _step_lanes,
    "advice": _advise,
    "single": _single,
    "record": lambda agent, game: record.play(game, [agent, "random"], 1),
    "search": _search,
}


def _let_all(masks, states):
    masks[:] = 1
    return [masks.shape[1] - 1] * len(masks)


FAULTS = {
    "none": (lambda masks, states: None, "actions: None: must be . whole numbers, one for each state"),
    "floats": (lambda masks, states: masks.argmax(axis=1) * 1.0, "actions: array.*: must be . whole numbers"),
    "not a number": (lambda masks, states: [np.nan] * len(masks), r"actions: \[nan.*: must be . whole numbers"),
    "too many": (lambda masks, states: np.zeros(7, int), "actions: .*: must be . whole numbers, one for each state"),
    "rows": (lambda masks, states: masks, "actions: .*: must be . whole numbers"),
    "truth": (lambda masks, states: masks.any(axis=1), "actions: .*: must be . whole numbers"),
    "huge": (lambda masks, states: np.full(len(masks), 2**64 - 1, np.uint64), "actions: .*: must be at most"),
    "no action": (lambda masks, states: [-1] * len(masks), "row 0: action -1: must be from 0 to"),
    "illegal": (lambda masks, states: masks.argmin(axis=1), r"row 0: action \d+ \(.*\) is not legal here; legal: "),
    "its own masks": (_let_all, r"row 0: action \d+ \(.*\) is not legal here; legal: "),
    "an error": (lambda masks, states: 1 / 0, r"ZeroDivisionError in <lambda>, line \d+ of test_own.py: division"),
    "leaves": (lambda masks, states: sys.exit(3), r"SystemExit in <lambda>, line \d+ of test_own.py: 3"),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("fault", FAULTS)
def test_what_an_agent_does_wrong_is_said_with_its_name(door, fault):
    """Regression: environments and `Game.playout` did not name the agent."""
    answer, message = FAULTS[fault]
    with pytest.raises(AgentError, match=f"^agent 'wrong': {message}") as raised:
        DOORS[door](Wrong(answer), game_of(f"{GAME}/2"))
    assert isinstance(raised.value, IllegalAction) == (fault in ("no action", "illegal", "its own masks"))


def test_an_agent_changes_no_game_but_by_its_actions():
    """Regression: the agent's writes to its states changed the game."""

    def overwrite(masks, states):
        actions = masks.argmax(axis=1)
        states["decisions"] = 0
        states["to_act"] = -1
        masks[:] = 0
        return actions

    def honest(masks, states):
        return masks.argmax(axis=1)

    game = game_of(f"{GAME}/2")
    chunks = [Series(game, [Wrong(how), "random"]).play(0, 4) for how in (overwrite, honest)]
    assert all(np.array_equal(*columns) for columns in zip(*chunks, strict=True))
    states = game.deal([1, 2])
    ended = [game.playout(states, Wrong(how), 0) for how in (overwrite, honest)]
    assert (ended[0] == ended[1]).all() and game.is_over(ended[0]).all()


def test_what_an_agent_calls_its_own_does_not_make_it_a_compiled_one():
    """Regression: an agent with its own `network` or `kind` was taken for one of the package."""
    agent = Wrong(lambda masks, states: masks.argmax(axis=1))
    agent.network, agent.kind = object(), "careful"
    game = game_of(f"{GAME}/2")
    assert len(Series(game, [agent, "random"]).play(0, 2).seeds) == 2
    for door in ("playout", "lanes", "single", "search"):
        DOORS[door](agent, game)
    with pytest.raises(ValueError, match="search: value 'wrong': must be a network"):
        SearchAgent(3, prior=agent, player=agents.get("random"), value=agent)


ACTS = "    def act(self, game, states, masks, seeds): return masks.argmax(axis=1)\n"
STRANGE = {
    "class E(BaseException): pass\nraise E('off')": "cannot be imported \\(E: off, line 2\\)",
    "import sys; sys.exit(3)": "cannot be imported \\(SystemExit: 3, line 1\\)",
    "class E(Exception):\n    def __str__(self): raise OSError\nraise E": "cannot be imported \\(E: E, line 3\\)",
    "def Mine(): raise GeneratorExit('off')": "Mine\\(\\) has failed \\(GeneratorExit: off, line 1\\)",
    f"class Mine:\n    name = 'two\\nlines'\n{ACTS}": "must be a text of up to 200 printable characters",
    f"class Mine:\n    name = 'x' * 201\n{ACTS}": "name='xxx.*: must be a text of up to 200 printable",
    f"class Mine:\n    name = '\\ud800'\n{ACTS}": "must be a text of up to 200 printable characters",
    f"class Mine:\n    name = property(lambda self: exit())\n{ACTS}": "name=None: must be a text of up to 200",
    f"import uuid\nclass Mine:\n    name = property(lambda self: uuid.uuid4().hex)\n{ACTS}": "must stay the same",
    "class Mine:\n    name = 'mine'\n    act = property(lambda self: exit())": "must have a method act\\(game, states",
    f"class Mine:\n    name = 'mine'\n    check = 5\n{ACTS}": "agent 'mine': check\\(game\\) has failed \\(TypeError",
    f"class Mine:\n    name = 'mine'\n    def check(self, game): exit(3)\n{ACTS}": "has failed \\(SystemExit: 3",
}


@pytest.mark.parametrize("source", STRANGE)
def test_strange_agents_are_refused_in_one_line(tmp_path, source):
    """Regression: tracebacks, and commands that ended with the agent's exit code."""
    path = tmp_path / "strange.py"
    path.write_text(source)
    with pytest.raises(ValueError, match=STRANGE[source]) as error:
        agents.get(f"{path}:Mine", game_of(f"{GAME}/2"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "attribute",
    ["identity = property(lambda self: exit(3))", "def __reduce_ex__(self, n): exit(3)", "thread_safe = np.zeros(2)",
     "def __getattr__(self, name): raise OSError", "def __getattr__(self, name): return None"],
)  # fmt: skip
def test_whatever_else_an_agent_holds_it_plays(tmp_path, attribute):
    (tmp_path / "strange.py").write_text(
        f"import numpy as np\nclass Mine:\n    name = '[/x] $'\n    {attribute}\n{ACTS}"
    )
    game = game_of(f"{GAME}/2")
    agent = agents.get(f"{tmp_path / 'strange.py'}:Mine", game)
    series = Series(game, [agent, "random"])
    assert not series.thread_safe and len(series.play(0, 2).seeds) == 2
    assert identity_of(agent).startswith("[/x] $ (")
    summary = advantage(GAME, [agent, "random"], 2, out=tmp_path / "out")
    print_advantage(summary, "[/out]")  # names and folders are not markup


class Lazy:
    name = "mine"

    def act(self, game, states, masks, seeds):
        return masks.argmax(axis=1)


class Last(Lazy):
    def act(self, game, states, masks, seeds):
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_two_agents_of_one_name_are_not_counted_as_one(tmp_path):
    with pytest.raises(ValueError, match="agents: 'mine' is the name of two different agents; each needs a name of"):
        advantage("star_realms", [Lazy(), Last()], 2)
    assert [row["games"] for row in advantage("star_realms", [Lazy(), Lazy()], 2)["agents"]] == [4]
    game = game_of("star_realms/core/standard/2")
    for number, folder in enumerate("ab"):
        (tmp_path / folder / "run").mkdir(parents=True)
        write_network(tmp_path / folder / "run" / "agent.safetensors", a_network(game, seed=number))
    files = [str(tmp_path / folder / "run" / "agent.safetensors") for folder in "ab"]
    with pytest.raises(ValueError, match="agents: 'run' is the name of two different agents"):
        Panel(game, files)
    assert [agent.name for agent in Panel(game, files[:1]).agents] == ["run"]
