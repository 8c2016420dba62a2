"""The contract of a game: agreement between the page that describes it, the contract in code, and the games."""

import inspect
import re
from dataclasses import fields
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import stardeck
from stardeck.benchmarks.card_values.treatments import games_with_treatments
from stardeck.game.catalogue import GAMES, environments_of, load
from stardeck.kernels import verbs
from stardeck.kernels.contract.defaults import REQUIRED, REQUIRED_VERBS
from stardeck.kernels.contract.variant import RULES_FIELDS, STATE_FIELDS, BaseVariant, GamePackage, Variant

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "add_a_game.md").read_text()
OWN_ENGINES = [name for name, entry in GAMES.items() if entry.agents.endswith(name)]
ENVIRONMENTS = ["env", "raw_env", "parallel_env", "SingleAgentEnv", "VectorEnv"]


def listed(heading, number=0):
    """Return the first column of a table under a heading of the page."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]
    table = re.findall(r"^\| --- \| --- \|\n((?:\|.*\n)+)", section, re.M)[number]
    return re.findall(r"^\| `(.*?)` \|", table, re.M)


def members(protocol):
    return [name for name in vars(protocol) if not name.startswith("_")]


def verbs_declared():
    functions = inspect.getmembers(verbs, inspect.isfunction)
    return {
        name: each
        for name, each in functions
        if each.__module__ == verbs.__name__ and "implement" not in name and name[0] != "_"
    }


def arguments(function):
    """Return the arguments as a page writes them; `self` is the package itself."""
    parameters = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
    return ", ".join("**" * (each.kind == each.VAR_KEYWORD) + each.name for each in parameters)


def variants_of(name):
    package = load(name)
    return [package.make_variant(**settings) for settings in (package.list_variants()[0], package.list_variants()[-1])]


def signatures(functions):
    """Functions with their arguments, as a page writes them."""
    return [f"{function.__name__}({arguments(function)})" for function in functions]


def test_the_page_lists_what_a_game_must_have():
    package = [getattr(GamePackage, name) for name in REQUIRED]
    tables = [name for name, kind in inspect.get_annotations(BaseVariant).items() if "ClassVar" in str(kind)]
    without = [name for name in tables if not hasattr(BaseVariant, name)]
    assert listed("What a game must have") == [*signatures([*package, *REQUIRED_VERBS]), *without]


def test_the_page_lists_what_has_a_default():
    functions = [name for name in members(GamePackage) if name not in ("SETTINGS", *REQUIRED)]
    offered = signatures(getattr(GamePackage, name) for name in functions)
    assert listed("What has a default") == ["SETTINGS", *offered]
    of_base = {name for name in vars(BaseVariant) if not name.startswith("_")} | {
        each.name for each in fields(BaseVariant)
    }
    assert set(listed("What has a default", 1)) == (of_base | set(members(Variant))) - {"sealed"}
    optional = [verb for verb in verbs_declared().values() if verb not in REQUIRED_VERBS]
    assert sorted(listed("What has a default", 2)) == sorted(signatures(optional))


def test_the_page_lists_records_arguments_and_environments():
    assert listed("The records") == list(STATE_FIELDS) and listed("The records", 1) == list(RULES_FIELDS)
    assert listed("Register it") == list(inspect.signature(stardeck.register_game).parameters)
    assert listed("The environments") == ENVIRONMENTS


@pytest.mark.parametrize("name", OWN_ENGINES)
def test_every_game_has_the_files_of_the_page(name):
    patterns = [file.replace("<game>", name) for file in listed("A game of this package")]
    assert len(patterns) > 10
    for pattern in patterns:
        folder = re.match(rf"kernels/{name}/(?!__init__)", pattern)
        pattern = pattern.replace(folder[0], f"{folder[0]}**/") if folder else pattern
        assert list(ROOT.glob(pattern)), pattern


@pytest.mark.parametrize("name", GAMES)
def test_a_package_offers_exactly_what_the_contract_says(name):
    package = load(name)
    assert isinstance(package, GamePackage)
    assert sorted(package.__all__) == sorted(members(GamePackage))
    for member in members(GamePackage):
        if member != "SETTINGS":
            assert arguments(getattr(package, member)) == arguments(getattr(GamePackage, member)), member


@pytest.mark.parametrize("name", GAMES)
def test_a_variant_says_what_the_contract_says(name):
    for variant in variants_of(name):
        assert isinstance(variant, BaseVariant)
        assert all(hasattr(variant, member) for member in members(Variant))
        assert variant.game == name and variant.id.startswith(f"{name}/") and variant.version == GAMES[name].version
        assert load(name).make_variant(**variant.settings).id == variant.id
        assert set(STATE_FIELDS) <= set(variant.state_dtype.names) and set(RULES_FIELDS) <= set(
            variant.rules.dtype.names
        )
        assert not variant.rules.flags.writeable
        assert sorted(seat for side in variant.sides for seat in side) == list(range(variant.players))
        states = stardeck.make(name, **variant.settings).deal([1, 2, 3])
        assert variant.first_seats(states).shape == (3,) and variant.first_seats(states).dtype == np.int64
        assert variant.eliminated(states).shape == (3, variant.players) and variant.eliminated(states).dtype == bool
        assert all(len(rows) == 3 for rows in variant.results(states).values())


@pytest.mark.parametrize("name", GAMES)
def test_every_act_has_one_block_and_every_field_one_row(name):
    variant = variants_of(name)[0]
    assert sorted(block.act for block in variant.blocks) == sorted(type(variant.blocks[0].act))
    assert sorted(row.field for row in variant.fields) == sorted(type(variant.fields[0].field))
    assert set(variant.sizes()) == {row.per for row in variant.fields} | {""}
    assert {"", *variant.switches()} == {row.when for row in variant.fields}


@pytest.mark.parametrize("word", ["per", "when"])
def test_a_field_with_a_word_that_a_game_does_not_know_is_refused(word, monkeypatch):
    variant = variants_of("interstellar_empire")[0]
    monkeypatch.setattr(type(variant), "fields", (variant.fields[0]._replace(**{word: "moon"}),))
    with pytest.raises(ValueError, match=f"^fields: .*: {word}='moon': must be one of '', "):
        variant.observation_table()


@pytest.mark.parametrize("name", GAMES)
def test_every_verb_is_implemented_for_the_states_of_a_game(name):
    of_trials = set() if name in ("rise_of_empire", *games_with_treatments()) else {"offer", "carry_out"}
    for variant in variants_of(name):
        of_beliefs = set() if variant.kinds_held else {"count_hidden"}
        implemented = {verb for verb, dtype in verbs._PLAIN if dtype == variant.state_dtype}
        assert implemented == set(verbs_declared()) - of_trials - of_beliefs


def test_verbs_come_from_the_module_that_defines_them(monkeypatch):
    implemented = []
    monkeypatch.setattr(verbs, "implement", lambda *given: implemented.append(given))
    first, second = ModuleType("first"), ModuleType("second")
    first.deal, second.deal = SimpleNamespace(__module__="first"), SimpleNamespace(__module__="first")
    first.observe, first.shuffle = verbs.observe, SimpleNamespace(__module__="first")
    verbs.implement_from("states", first, second)
    assert implemented == [(verbs.deal, "states", first.deal)]
    second.deal = SimpleNamespace(__module__="second")
    with pytest.raises(ValueError, match="verb deal: first and second both define it"):
        verbs.implement_from("states", first, second)


@pytest.mark.parametrize("name", GAMES)
def test_the_environments_of_a_game_play_it(name):
    module = environments_of(name)
    assert module.__doc__
    for environment in ENVIRONMENTS:
        made = getattr(module, environment)()
        assert made.unwrapped.game.variant.game == name if environment != "parallel_env" else made.possible_agents
