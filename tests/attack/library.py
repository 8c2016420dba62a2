"""Entry points of `Game` and of the environments. Each makes one attempt: (description, a call).

rng: a `random.Random`; folder: an empty folder for files.
"""

import functools
import importlib
import json
import tomllib
from pathlib import Path

import gymnasium
import numpy as np
import yaml

import stardeck
from attack.inputs import spoiled, spoiled_bytes, strange, toml
from attack.playing import ROOT, Broken, play_on, unchanged
from helpers import a_network, pick, scaled
from stardeck import agents
from stardeck.game.registry import GAMES, settings_of
from stardeck.kernels.errors import shown

VARIANTS = (
    ("star_realms", {}),
    ("star_realms", {"set": "box", "format": "hunter", "players": 4, "gambits": 2}),
    ("star_realms", {"set": "box", "format": "two_headed_hydra", "players": 4}),
    ("star_realms", {"set": "box", "format": "emperor", "players": 6}),
    ("star_realms", {"set": "box", "format": "raid", "players": 4}),
    ("star_realms", {"set": "box", "format": "nemesis_beast", "players": 2}),
    ("star_realms", {"set": "box", "format": "pirates_of_the_dark_star", "players": 3}),
    ("star_realms", {"set": "rise_of_empire", "scenario": 3}),
    ("rise_of_empire", {}),
    ("interstellar_empire", {"players": 2, "first_player": "bid"}),
    ("interstellar_empire", {"players": 4, "governments": True, "concede": True}),
    ("empire_of_the_stars", {"players": 2}),
    ("empire_of_the_stars", {"players": 3, "powers": False}),
    ("empire_of_the_stars", {"players": 4}),
)


@functools.cache
def game(number):
    """Return the game of one of VARIANTS."""
    name, settings = VARIANTS[number]
    return stardeck.make(name, **settings)


def _any_game(rng):
    return game(rng.randrange(len(VARIANTS)))


def _some_state(rng, of):
    """Return a state of a random game at any stage: an array of one row."""
    states = of.deal(rng.randrange(2**32))
    for step in range(rng.choice(scaled((0, 3, 10, 40, 150), (0, 1, 4)))):
        after = of.copy(states)
        of.apply(after, pick(of.legal_actions(after), step))
        if of.is_over(after)[0]:
            break
        states = after
    return states


def settings(rng, folder):
    """Try `stardeck.make` with settings of any kind, several of them valid."""
    name = rng.choice([*GAMES, *GAMES, strange(rng)])
    known = settings_of(name) if isinstance(name, str) and name in GAMES else ()
    given = {setting.name: _setting(rng, setting) for setting in known if rng.random() < 0.2}
    if rng.random() < 0.2:
        given[rng.choice(("name", "x", "x" * 5000, "settings", "game"))] = strange(rng)

    def call():
        made = stardeck.make(name, **given)
        play_on(made, made.deal(1), rng.randrange(2**31))

    return f"make({shown(name)}, {shown(given)})", call


def _setting(rng, setting):
    if setting.is_list or setting.is_number or rng.random() < 0.4:
        lists = [[3, 5], ["none", "none"], [["Scout x8"], ["Viper x17"]]]
        return rng.choice([strange(rng), *([rng.randint(0, 8)] if setting.is_number else lists)])
    return rng.choice(setting.allowed)


def actions(rng, folder):
    """Try calls with actions, seats and seeds; the states must not change."""
    of = _any_game(rng)
    states = _some_state(rng, of)
    value = rng.choice((strange(rng), [strange(rng)], np.array([rng.randint(-3, 2000)]), rng.randint(-3, 2000)))
    calls = {
        "apply": lambda: of.apply(states, value),
        "describe": lambda: of.describe(states[0], value),
        "is_secret": lambda: of.is_secret(states[0], value),
        "observe": lambda: of.observe(states, value),
        "resample": lambda: of.resample_hidden(states, value, 1),
        "deal": lambda: play_on(of, of.deal(value), 1) if len(of.deal(value)) else None,
        "render": lambda: of.render(states[0], value),
        "table": lambda: of.table(states[0], value),
        "headline": lambda: of.headline(states[0], value),
        "seeds": lambda: of.resample_hidden(states, 0, value),
    }
    verb = rng.choice(list(calls))

    def call():
        unchanged(states, calls[verb])
        play_on(of, states, 3)

    return f"{of.id}: {verb}({shown(value)})", call


def words(rng, folder):
    """Try moves in words: corrupted legal ones, and anything else."""
    of = _any_game(rng)
    states = _some_state(rng, of)
    moves = of.moves(states[0])
    text = rng.choice((rng.choice(moves), rng.choice(moves), strange(rng)))
    if isinstance(text, str) and rng.random() < 0.7:
        text = _misspelled(rng, text, moves)

    def call():
        before = of.copy(states)
        listed = of.parse(before[0], text)
        unchanged(states, lambda: of.play(states, text))
        for action in listed:
            of.apply(before, [action])
        if before.tobytes() != states.tobytes():
            raise Broken("the move played is not the one that was read")
        play_on(of, states, 5)

    return f"{of.id}: play({shown(text)})", call


def _misspelled(rng, text, moves):
    change = rng.randrange(6)
    if change == 0:
        return text.replace("all", str(rng.choice((0, 1, 2, 3, 99, -1, 10**30, "٣", "all"))))
    if change == 1:
        return text.replace("player_", "player_" + rng.choice(("9", "-", "00")))
    if change == 2:
        return " ".join(reversed(text.split()))
    if change == 3:
        return f"  {text}\n"
    if change == 4:
        return text[: text.find(" ")] + " " + rng.choice(moves).split(" ", 1)[-1]
    return text[: rng.randrange(len(text) + 1)]


def states(rng, folder):
    """Try invalid states, or states of another variant, in a batch with others."""
    of, other = _any_game(rng), _any_game(rng)
    mine, strangers = of.deal([1, 2]), _some_state(rng, other)
    kind = rng.randrange(4)
    if kind == 0:
        given = strange(rng)
    elif kind == 1:
        given = strangers
    elif kind == 2 and other.state_dtype == of.state_dtype:
        given = np.concatenate([mine, strangers])
    else:
        given = np.zeros(2, of.state_dtype)
    foreign = kind == 0 or other.variant.tables != of.variant.tables or kind == 3

    def call():
        for verb in (of.legal_actions, of.observe, of.copy, lambda each: of.resample_hidden(each, 0, 1)):
            verb(given)
        of.moves(given[-1])
        agents.get("rules").act(of, given, None, np.arange(len(given)))
        if foreign:
            raise Broken("states of another variant were taken")
        play_on(of, given[-1:], 1)

    return f"{of.id}: states of kind {kind} of {other.id}", call


@functools.cache
def _written_positions():
    """Return the positions of all scenarios: (number of a variant or None, settings, position)."""
    found = []
    for path in sorted(Path(ROOT, "tests", "scenarios").rglob("*.yaml")):
        for scenario in yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if "position" in scenario and "campaign" not in scenario:  # a campaign has its own settings
                found.append((scenario["game"], scenario.get("settings", {}), scenario["position"]))
    return found


@functools.lru_cache(64)
def _made(name, given):
    return stardeck.make(name, **dict((key, list(each) if isinstance(each, tuple) else each) for key, each in given))


def positions(rng, folder):
    """Try corrupted positions of random games and of the scenarios."""
    if rng.random() < 0.6:
        of = _any_game(rng)
        position = of.position(_some_state(rng, of)[0])
    else:
        name, given, position = rng.choice(_written_positions())
        frozen = tuple((key, tuple(each) if isinstance(each, list) else each) for key, each in given.items())
        of = _made(name, frozen)
    changed = spoiled(rng, position)

    def call():
        play_on(of, of.from_position(changed), rng.randrange(2**31))

    return f"{of.id}: from_position({changed!r})", call


_TABLES = (
    ("star_realms", "set", "kernels/star_realms/cards/core.toml"),
    ("star_realms", "set", "kernels/star_realms/cards/box.toml"),
    ("star_realms", "set", "kernels/star_realms/cards/rise_of_empire.toml"),
    ("star_realms", "set", "examples/new_card.toml"),
    ("star_realms", "formats", "examples/new_format.toml"),
    ("interstellar_empire", "cards", "kernels/interstellar_empire/cards/cards.toml"),
    *(("empire_of_the_stars", "tables", str(path.relative_to(Path(ROOT))))
      for path in sorted(Path(ROOT, "kernels", "empire_of_the_stars").rglob("*.toml"))),
)  # fmt: skip


def tables(rng, folder):
    """Try tables of cards, boards and formats with changed values or text; some are passed as content."""
    path = Path(folder, "table.toml")
    name, setting, source = rng.choice(_TABLES)
    original = Path(ROOT, source).read_bytes()
    kind = rng.random()
    if kind < 0.25:
        given = spoiled(rng, tomllib.loads(original.decode()))
        if isinstance(given, dict) and rng.random() < 0.3:
            given[rng.choice([*given, 5, None, "x"])] = strange(rng)
    elif kind < 0.75:
        given = toml(spoiled(rng, tomllib.loads(original.decode()))).encode("utf-8", "replace")
    else:
        given = spoiled_bytes(rng, original)

    def call():
        table = given
        if isinstance(given, bytes):
            path.write_bytes(given)
            table = str(path)
        made = stardeck.make(name, **{setting: table})
        again = stardeck.make(name, **json.loads(json.dumps(made.settings)))
        if (again.id, again.variant.tables) != (made.id, made.variant.tables):
            raise Broken("the settings make another game")
        play_on(made, made.deal(2), rng.randrange(2**31))

    return f"{name}: {source} spoiled", call


_AGENTS = (
    "search:2", "search:0", "search:-1", "search:5ms", "search:2:rollout_turns=nan", "search:2:prior=random",
    "search:1e9", "search:2:prior=search:2", "search:2:guide=ppo:prior=ppo", "search:2:trust=9", "search:2:x=1",
    "search:" + "9" * 50, "none.safetensors", "null\0.safetensors", "x" * 5000 + ".safetensors",
    *scaled(("ppo", "search:2:player=ppo"), ()),
)  # fmt: skip


def agent_files(rng, folder):
    """Try corrupted files of trained agents, and names of agents."""
    of = game(0)
    path = Path(folder, "agent.safetensors")
    if rng.random() < 0.3:
        given = rng.choice([*_AGENTS, strange(rng)])
    else:
        path.write_bytes(spoiled_bytes(rng, a_network(of).to_bytes()))
        given = str(path)

    def call():
        agent = agents.get(given, of)
        if getattr(agent, "simulations", None) is None or agent.simulations <= 400:
            states = of.deal([1, 2])
            of.apply(states, agent.act(of, states, of.legal_actions(states), np.arange(2)))

    return f"agents.get({shown(given)})", call


_OPTIONS = {
    "render_mode": (None, "ansi"), "mask_in": ("obs", "info", "both"), "on_illegal": ("lose", "random_legal", "raise"),
    "observation_dtype": ("uint8", "float32"), "seat": (0, 1, "random", "rotate"), "opponents": ("simple", "rules"),
    "num_envs": (1, 3), "early_termination": (False, True), "team": (False, True), "skip_forced": (False, True),
    "copy": (False, True), "max_turns": (5, 40),
}  # fmt: skip
_KINDS = {
    "env": ("render_mode", "mask_in", "on_illegal", "observation_dtype", "early_termination", "max_turns"),
    "SingleAgentEnv": ("render_mode", "mask_in", "on_illegal", "observation_dtype", "seat", "opponents", "max_turns"),
    "VectorEnv": ("render_mode", "mask_in", "on_illegal", "observation_dtype", "seat", "opponents", "num_envs", "team",
                  "skip_forced", "copy", "max_turns"),
}  # fmt: skip
_KINDS["raw_env"] = _KINDS["parallel_env"] = _KINDS["env"]


def environments(rng, folder):
    """Try environments of every kind: options, and calls in any order with arguments of any kind."""
    kind = rng.choice(list(_KINDS))
    options = {key: rng.choice(_OPTIONS[key]) for key in _KINDS[kind] if rng.random() < 0.3}
    if rng.random() < 0.3:
        options[rng.choice(_KINDS[kind])] = strange(rng)
    script = [(rng.choice(_CALLS), strange(rng)) for _ in range(rng.randrange(1, 6))]
    module = rng.choice(("star_realms_v1", "interstellar_empire_v1"))
    if module == "interstellar_empire_v1":
        options.pop("max_turns", None)

    def call():
        env = getattr(importlib.import_module(f"stardeck.envs.{module}"), kind)(**options)
        refused = None
        for name, value in script:
            try:
                _call(env, name, value)
            except Exception as error:  # noqa: BLE001 the environment must still be usable
                refused = refused or error
        _runs(env)
        if refused:
            raise refused

    calls = ", ".join(f"{name}({shown(value)})" for name, value in script)
    return f"{module}.{kind}({shown(options)}): {calls}", call


_CALLS = (
    "step",
    "reset",
    "reset options",
    "render",
    "action_masks",
    "random_actions",
    "observe",
    "last",
    "state",
    "seat",
)


def _call(env, name, value):
    """Call a method of an environment, if it has that method."""
    if name == "reset":
        env.reset(seed=value)
    elif name == "reset options":
        env.reset(seed=1, options={"reset_mask": value} if isinstance(value, list | np.ndarray) else value)
    elif name == "step":
        env.step(value)
    elif name == "observe" and hasattr(env, "observe"):
        env.observe(value)
    elif name == "random_actions" and hasattr(env, "random_actions"):
        env.random_actions(value)
    elif name == "seat" and hasattr(env, "set_opponents"):
        env.set_opponents(value)
    elif name in ("render", "action_masks", "last", "state") and hasattr(env, name):
        getattr(env, name)()


def _runs(env):
    """Reset and take a few legal steps; raise Broken if anything goes wrong."""
    try:
        env.reset(seed=1)
        for step in range(10):
            _legal_step(env, step)
    except Exception as error:
        raise Broken(f"afterwards the environment does not run: {type(error).__name__}: {error}") from error


def _legal_step(env, step):
    if isinstance(env, gymnasium.vector.VectorEnv):
        env.step(env.random_actions(np.arange(env.num_envs, dtype=np.uint64) + np.uint64(step)))
    elif hasattr(env, "possible_agents"):
        inner = getattr(env, "aec_env", env)
        if not inner.agents:
            env.reset(seed=step)
        agent = inner.agent_selection
        over = inner.terminations[agent] or inner.truncations[agent]
        if over:
            env.reset(seed=step)
            agent = inner.agent_selection
        of = inner.unwrapped.game
        action = int(pick(of.legal_actions(inner.unwrapped._states), step)[0])
        env.step({agent: action} if hasattr(env, "aec_env") else action)
    else:
        mask = env.unwrapped.action_masks()
        _, _, terminated, truncated, _ = env.step(int(np.flatnonzero(mask)[0]))
        if terminated or truncated:
            env.reset(seed=step)


DOORS = {each.__name__.replace("_", " "): each for each in (
    settings, actions, words, states, positions, tables, agent_files, environments)}  # fmt: skip
