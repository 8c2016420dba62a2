"""Generator of the site's parts that come from the code: settings, tables, rules, agents, commands.

A page has a comment `<!-- name argument -->` and below it a line for readers of the Markdown itself. The function of
that name replaces both. An unknown game or variant stops the build.
"""

import importlib
import json
import re
import textwrap
from functools import cache
from pathlib import Path

import click
import yaml
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

import stardeck
from stardeck.agents.networks.pretrained import NAMES, shipped
from stardeck.agents.strengths import agent_of_strength
from stardeck.commands.cli import COMMANDS, cli
from stardeck.game.registry import GAMES, settings_of
from stardeck.kernels.text.sentences import KINDS
from stardeck.moved import MOVED
from stardeck.web.learn.texts import markdown_of, taught

ROOT = Path(__file__).parents[1]
MARK = re.compile(r"^<!-- (\w+)(?: (\S+))? -->\n.+$", re.M)


@event_priority(100)  # before the plugin that turns notebooks into pages
def on_files(files, config):
    """Add the notebooks, which lie next to the folder of the pages."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        files.append(File(f"notebooks/{path.name}", str(ROOT), config.site_dir, config.use_directory_urls))
    for path in sorted((ROOT / "web" / "learn" / "pictures").glob("*.svg")):  # of the rules
        name = path.relative_to(ROOT).as_posix()
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown, page, config, files):
    """Replace the marks of a page, and lead links to notebooks to their copies in the site."""
    markdown = markdown.replace("](../../notebooks/", "](../notebooks/")
    return MARK.sub(lambda mark: WRITERS[mark[1]](*filter(None, [mark[2]])), markdown)


def on_serve(server, config, builder):
    """Rebuild when the code changes that pages are generated from."""
    for folder in ("agents", "benchmarks", "envs", "kernels", "notebooks", "tests/scenarios", "training", "web/learn"):
        server.watch(str(ROOT / folder))
    return server


def table(*columns, rows):
    """Format rows as a table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def folded(title, text):
    """Format text that opens at a click."""
    return f'??? note "{title}"\n\n{textwrap.indent(text, "    ")}'


def _code(text):
    return f"`{text}`"


@cache
def _entries():
    return {entry["id"]: entry for entry in stardeck.variants()}


def _entry(variant):
    return _entries()[variant]


@cache
def _game(variant):
    entry = _entry(variant)
    return stardeck.make(entry["game"], **entry["settings"])


def settings(name):
    """Write the settings of a game."""
    return table("setting", "default", "allowed", "meaning", rows=map(_setting_row, settings_of(name)))


def events(name):
    """Write the events of a game, as `--collect events` records them."""
    happening = stardeck.make(name).variant.events
    return table(
        "event", "meaning", rows=((_code(event.name.lower()), meaning) for event, meaning in happening.items())
    )


def _setting_row(setting):
    default = "by variant" if setting.default is None else _code(json.dumps(setting.default).strip('"'))
    if setting.is_text_list:
        allowed = "names"
    elif setting.is_deck_list:
        allowed = "names, or names by seat"
    elif setting.is_number or setting.is_list:
        allowed = f"{setting.allowed[0]} to {setting.allowed[-1]}" + (", by seat" if setting.is_list else "")
    else:
        allowed = ", ".join(_code(json.dumps(value).strip('"')) for value in setting.allowed)
        allowed += ", your own table: a path or a dict" if setting.path else ""
        allowed += ", names from `formats`" if setting.more else ""
    return _code(setting.name), default, allowed, setting.meaning


def variants(name):
    """Write the variants of a game with their sizes."""
    rows = []
    for variant, entry in _entries().items():
        if entry["game"] == name:
            game = _game(variant)
            sizes = game.players, game.num_actions, f"{game.observation_size:,}", f"{game.state_dtype.itemsize:,}"
            rows.append((_code(game.id), *sizes))
    listed = table("variant", "players", "actions", "observation", "bytes a state", rows=rows)
    return folded(f"All {len(rows)} variants", listed) if len(rows) > 30 else listed


def provenance(variant):
    """Write the source of a variant's content."""
    made = _game(variant).variant
    kind = "warning" if made.reconstructed else "info"
    return f'!!! {kind} "Content"\n\n    {made.provenance}'


def actions(variant):
    """Write the action space of a variant."""
    rows = [(_range(row), _code(row["name"]), row["meaning"]) for row in _game(variant).action_table()]
    return table("numbers", "move", "meaning", rows=rows)


def observations(variant):
    """Write the layout of an observation of a variant."""
    rows = [
        (_range(row), _code(row["name"]), f"{row['scale']:g}", row["meaning"])
        for row in _game(variant).observation_table()
    ]
    return table("numbers", "field", "scale", "meaning", rows=rows)


def _range(row):
    """Return the numbers of a row of a table, on one line."""
    return row["offset"] if row["size"] == 1 else f"{row['offset']}&nbsp;to&nbsp;{row['offset'] + row['size'] - 1}"


def manual(module):
    """Write the manual of a game's environments: the docstring of their module."""
    text = importlib.import_module(f"stardeck.envs.{module}").__doc__
    return text.split("\n", 1)[1].strip("\n")


def chapters(name):
    """Write which module of the kernels implements which chapter of the rulebook."""
    text = importlib.import_module(GAMES[name].package).__doc__.split("\n", 1)[1].strip()
    return folded("Which module holds which chapter", f"Folder: `{GAMES[name].package.replace('.', '/')}`\n\n{text}")


def rules(name):
    """Write the rules as implemented: each is the name of a scenario that tests it."""
    parts = []
    for path in sorted((ROOT / "tests" / "scenarios" / name).glob("*.yaml")):
        names = [scenario["name"] for scenario in yaml.safe_load(path.read_text(encoding="utf-8"))]
        title = f"{path.stem.replace('_', ' ').capitalize()}: {len(names)} scenarios"
        parts.append(folded(title, "\n".join(f"- {_plain(name)}" for name in names)))
    if not parts:
        raise ValueError(f"{name}: has no scenarios")
    return "\n\n".join(parts)


def _plain(text):
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", text)


def program(name):
    """Write a program of `examples/`, which the tests run."""
    return f"```python\n{(ROOT / 'examples' / f'{name}.py').read_text(encoding='utf-8')}```"


def file(path):
    """Write a file of the clone."""
    kind = {"py": "python"}.get(Path(path).suffix[1:], Path(path).suffix[1:])
    return f"```{'yaml' if kind == 'cff' else kind}\n{(ROOT / path).read_text(encoding='utf-8')}```"


def whole(path):
    """Write a page from outside the folder of the pages."""
    return (ROOT / path).read_text(encoding="utf-8")


def section(name):
    """Write a part of CONTRIBUTING.md, between the marks of its name."""
    text = whole("CONTRIBUTING.md")
    return text.split(f"[start:{name}] -->")[1].split(f"<!-- --8<-- [end:{name}]")[0].strip()


def agents(name):
    """Write the trained agents of a game that come with the package."""
    rows = [
        _agent(agent, variant, network.about)
        for agent in NAMES
        for variant, network in shipped(agent).items()
        if _entry(variant)["game"] == name and not (agent == "ppo-0.1" and shipped("ppo")[variant] is network)
    ]
    columns = "agent", "plays", "trained for decisions", "minutes", "evaluated against", "final win rate"
    return table(*columns, rows=rows) if rows else "The package has no trained agent for this game and refuses `ppo`."


def _agent(agent, variant, about):
    strength = json.loads(about["strength"])
    rate = f"{100 * strength['win_rate']:.1f} % [{100 * strength['low']:.1f}, {100 * strength['high']:.1f}]"
    minutes = f"{int(about['seconds']) / 60:.0f}"
    return _code(agent), _code(variant), f"{int(about['decisions']):,}", minutes, about["opponent"], rate


SPEEDS = "docs/results/speed.md"
# Gallery entry of a game: picture, variant with the sizes, row of SPEEDS, hidden information.
SHOWN = {
    "star_realms": ("star_realms/core/standard/2", "", "hands, order of decks, gambits"),
    "rise_of_empire": ("rise_of_empire/2", "Rise of Empire | ", "hands, order of decks"),
    "interstellar_empire": (
        "interstellar_empire/3", "Interstellar Empire of two | ", "hands, deck, most discards"
    ),
    "empire_of_the_stars": (
        "empire_of_the_stars/4/powers", "Empire of the Stars of two | ", "cards in hand, plans, stacks"
    ),
}  # fmt: skip


def gallery():
    """Write the gallery of games: picture, players, hidden information, sizes, speed, best agent of the package."""
    if set(SHOWN) != set(GAMES):
        raise ValueError(f"SHOWN: has {', '.join(SHOWN)}, and there are {', '.join(GAMES)}")
    return table("game", "facts", rows=map(_shown, SHOWN))


def _shown(name):
    """Return the row of a game in the gallery."""
    variant, measured, hidden = SHOWN[name]
    page = f"games/{name}.md"
    title = whole(f"docs/{page}").partition("\n")[0].removeprefix("# ")
    players = [_game(each).players for each, entry in _entries().items() if entry["game"] == name]
    row = re.search(rf"^\| {re.escape(measured)}`random` \| [\d,]+ \| ([\d.]+ M) ", whole(SPEEDS), re.M)
    if row is None:
        raise ValueError(f"{SPEEDS}: has no row `{measured}random` for the gallery")
    facts = {
        "players": f"{min(players)} to {max(players)}" if len(set(players)) > 1 else players[0],
        "hidden": hidden,
        "observation": f"{_game(variant).observation_size:,} numbers",
        "actions": f"{_game(variant).num_actions:,}",
        "random play": f"{row[1]} decisions/s on one core",
        "strongest agent": _code(agent_of_strength("strongest", _game(variant))),
    }
    lines = [f"**[{title}]({page})**", *(f"{name}: {fact}" for name, fact in facts.items())]
    picture = f"[![{title}](pictures/{name}_page.png){{ loading=lazy }}]({page})"
    return picture, "<br>".join(lines)


def moved_paths():
    """Write import paths of version 0.1 with their new names."""
    rows = sorted((_code(f"stardeck.{old}"), _code(f"stardeck.{new}")) for old, new in MOVED.items())
    return table("version 0.1", "today", rows=rows)


def commands():
    """Write the help of every command."""
    group = click.Context(cli, info_name="stardeck", **cli.context_settings)
    parts = []
    for name in COMMANDS:
        command = cli.get_command(None, name)
        context = click.Context(command, group, name, max_content_width=100)
        parts.append(f"## stardeck {name}\n\n```text\n{command.get_help(context)}\n```")
    return "\n\n".join(parts)


def _keys(about):
    """Return the keys of an object of the table schema."""
    rows = [[_code(key), _kind(value), value.get("description", "")] for key, value in about["properties"].items()]
    return table("key", "value", "what", rows=rows)


def _kind(value):
    """Return the type of a value of the schema, in a word or two."""
    if "oneOf" in value:
        return " or ".join(map(_kind, value["oneOf"]))
    if "$ref" in value:
        return value["$ref"].rpartition("/")[2].replace("_", " ")
    if "enum" in value or "const" in value:
        return ", ".join(map(_code, value.get("enum", [value.get("const")])))
    if value["type"] == "array":
        return f"list of {_kind(value['items'])}"
    if value["type"] == "object" and "additionalProperties" in value and value["additionalProperties"]:
        return f"{_kind(value['additionalProperties'])} by name"
    return " or ".join([value["type"]] if isinstance(value["type"], str) else value["type"])


def api(name):
    """Write the reference of a name, or of the members of a module: `module:one,other`."""
    name, of_module, members = name.partition(":")
    options = f"\n    options:\n      members: [{', '.join(members.split(','))}]" if of_module else ""
    return f"::: {name}{options}"


def members(name):
    """Write the reference of members of a module, without a heading."""
    return f"{api(name)}\n      show_root_heading: false"


def unseen():
    """Write nothing, because the line is for readers of the Markdown itself."""
    return ""


def table_keys():
    """Write the keys of a table, from its schema."""
    schema = json.loads((ROOT / "envs" / "table.schema.json").read_text())
    objects = {name: each for name, each in schema["$defs"].items() if "properties" in each}
    parts = [f"### {name.capitalize()}\n\n{_keys(each)}" for name, each in objects.items()]
    return "\n\n".join([_keys(schema), *parts])


def table_example():
    """Write a part of the table of a hand-made position."""
    game = stardeck.make("star_realms")
    players = {
        "player_0": {"authority": 50, "trade": 2, "hand": ["Scout x2"], "in_play": ["Trading Post"]},
        "player_1": {"authority": 44, "hand": ["Viper x3"]},
    }
    seen = game.table(game.from_position({"trade_row": ["Ram", "Cutter"], "players": players}), 0)
    zones = {zone["id"]: zone for zone in seen["zones"]}
    chosen = {
        "zones": [zones[place] for place in ("player_0/hand", "player_0/in_play", "player_1/hand")],
        "cards": {"Cutter": seen["cards"]["Cutter"]},
        "moves": [move for move in seen["moves"] if move["words"] in ("end turn", "play Scout", "buy Cutter")],
    }
    return f"```json\n{json.dumps(chosen, indent=2)}\n```"


def move_kinds():
    """Write the kinds of moves."""
    return table("kind", "what", rows=[(_code(kind), meaning) for kind, meaning in KINDS.items()])


def lesson(name):
    """Return the rules of a game as the browser shows them, with headings one level below those of the page."""
    text = re.sub(r"^## ", "### ", markdown_of(name), flags=re.M)
    text = re.sub(r"\]\(picture:(\w+)\)", r"](../web/learn/pictures/\1.svg)", text)
    return re.sub(rf"\]\(({'|'.join(taught())})(#[\w-]+)?\)", r"](\1.md\2)", text)


WRITERS = {
    write.__name__: write
    for write in (
        settings,
        events,
        variants,
        provenance,
        actions,
        observations,
        manual,
        chapters,
        rules,
        lesson,
        program,
        agents,
        commands,
        file,
        whole,
        section,
        api,
        members,
        gallery,
        moved_paths,
        unseen,
        move_kinds,
        table_keys,
        table_example,
    )
}
