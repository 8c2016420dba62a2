"""The verbs of every game, declared once.

A game registers its implementation of each verb for its own type of state with `implement`; loops in `batch.py` call
the verbs by name and are compiled for the game whose state they are given. Arguments come in one order: `rules` (one
record, read-only), `state` (one record, changed in place), then details.

Five verbs belong to the game, two more that say what happens in it, for statistics (kernels/loops/event_log.py), and
two that deal by what is believed of other hands, for search (agents/search/belief.py). `choose` is implemented under
`agents/`, and for the games in which decisions are tried out (agents/data/trials.py) `offer` and `carry_out` too.
"""

import numba
from numba.extending import overload

from stardeck.kernels.compile import outside
from stardeck.kernels.compile.jit import NOTICE, record_dtype
from stardeck.kernels.compile.numba_private import INLINE_OPTIONS, KERNEL_OPTIONS

_PLAIN = {}  # (verb name, dtype of the state) -> function, for NUMBA_DISABLE_JIT=1


def deal(rules, state, seed):
    """Set up a new game from `seed` (uint64)."""
    return _PLAIN["deal", record_dtype(state)](rules, state, seed)


def legal_actions(rules, state, legal):
    """Write the set of legal actions of the seat to act into `legal`: uint64[words], bit a % 64 of word a // 64."""
    return _PLAIN["legal_actions", record_dtype(state)](rules, state, legal)


def apply(rules, state, action):
    """Apply a legal action."""
    return _PLAIN["apply", record_dtype(state)](rules, state, action)


def observe(rules, state, seat, observation):
    """Write what `seat` may know into `observation`: uint8[observation_size]."""
    return _PLAIN["observe", record_dtype(state)](rules, state, seat, observation)


def resample_hidden(rules, state, seat, seed):
    """Draw again, from `seed`, everything that `seat` cannot know, the random stream included."""
    return _PLAIN["resample_hidden", record_dtype(state)](rules, state, seat, seed)


def resample_weighted(rules, state, seat, seed, weights):
    """`resample_hidden` by a belief: a card is the likelier in another hand, the higher its weight there.

    weights: float64, above 0, by other seat in the order of turns, then by kind of card. Where how others play tells
    nothing of their hands, they count nothing.
    """
    return _PLAIN["resample_weighted", record_dtype(state)](rules, state, seat, seed, weights)


def count_hidden(rules, state, seat, counts):
    """Count by kind what `seat` does not see, where `resample_weighted` weighs it: uint8[players, kinds].

    The hand of each other seat in the order of turns; then all of the cards that their hands are dealt from.
    """
    return _PLAIN["count_hidden", record_dtype(state)](rules, state, seat, counts)


def choose(rules, state, agent):
    """The action that a compiled agent takes. agent: a record with `kind` (int64) and `random` (uint64)."""
    return _PLAIN["choose", record_dtype(state)](rules, state, agent)


def watch(rules, state, eye):
    """Note in `eye` (EYE) what `tell` compares, before its action is applied."""
    return _PLAIN["watch", record_dtype(state)](rules, state, eye)


def tell(rules, state, eye):
    """Note in `eye` (EYE) what has happened since `watch`."""
    return _PLAIN["tell", record_dtype(state)](rules, state, eye)


def offer(rules, state, agent, trial):
    """Note in `trial` (TRIAL) what could be tried at this decision, if anything."""
    return _PLAIN["offer", record_dtype(state)](rules, state, agent, trial)


def carry_out(rules, state, trial, chosen):
    """Do what chance has chosen of what was offered."""
    return _PLAIN["carry_out", record_dtype(state)](rules, state, trial, chosen)


VERBS = (
    deal, legal_actions, apply, observe, resample_hidden, resample_weighted, count_hidden, choose, watch, tell, offer,
    carry_out,
)  # fmt: skip


def implement_from(state_dtype, *modules):
    """Let the functions that modules define do what the verbs of their names do with states of `state_dtype`.

    ValueError: two of the modules define the same verb. What a module imports does not count.
    """
    named = {verb.__name__: verb for verb in VERBS}
    found = {}
    for module in modules:
        for name, function in vars(module).items():
            if name not in named or getattr(function, "__module__", None) != module.__name__:
                continue
            if name in found:
                raise ValueError(f"verb {name}: {found[name]} and {module.__name__} both define it")
            found[name] = module.__name__
            implement(named[name], state_dtype, function)


def implement(verb, state_dtype, function):
    """Let `function` be what `verb` does with states of `state_dtype`.

    ValueError: another function does so already, of another game with the same dtype or from before an edit.
    """
    known = _PLAIN.get((verb.__name__, state_dtype))
    if known is not None:
        _check_same(verb, known, function)
        return
    _check_function(verb, function)
    _PLAIN[verb.__name__, state_dtype] = function
    NOTICE.games.setdefault(state_dtype, _game_of(function.__module__))
    if numba.config.DISABLE_JIT:
        return
    record = numba.from_dtype(state_dtype)
    outside.note(record, function)
    options = INLINE_OPTIONS if verb in (watch, tell) else KERNEL_OPTIONS  # whether they are inlined, games decide
    if verb in (deal, legal_actions, apply, choose, watch, tell):

        @overload(verb, jit_options=options)
        def _(rules, state, detail):
            if state == record:
                return lambda rules, state, detail: function(rules, state, detail)

    elif verb is resample_weighted:

        @overload(verb, jit_options=options)
        def _(rules, state, seat, seed, weights):
            if state == record:
                return lambda rules, state, seat, seed, weights: function(rules, state, seat, seed, weights)

    else:

        @overload(verb, jit_options=options)
        def _(rules, state, seat, detail):
            if state == record:
                return lambda rules, state, seat, detail: function(rules, state, seat, detail)


def implementations(state_dtype) -> list:
    """Return the functions that implement verbs for states of `state_dtype`."""
    return [function for (_, dtype), function in _PLAIN.items() if dtype == state_dtype]


def is_implemented(verb, state_dtype) -> bool:
    """Return whether `verb` is implemented for states of `state_dtype`."""
    return (verb.__name__, state_dtype) in _PLAIN


def _game_of(module):
    """The game whose verb stands in a module: the folder under `stardeck.kernels`, or the name of an outside module."""
    parts = module.split(".")
    return parts[2] if parts[0] == outside.PACKAGE and len(parts) > 2 else parts[-1]


def _check_function(verb, function):
    """ValueError unless `function` is a kernel that takes what the verb takes."""
    plain = getattr(function, "py_func", function)
    wanted, takes = (each.__code__.co_varnames[: each.__code__.co_argcount] for each in (verb, plain))
    called = f"verb {verb.__name__}: {plain.__qualname__}({', '.join(takes)}) of {plain.__module__}"
    if len(takes) != len(wanted):
        raise ValueError(f"{called}: must take ({', '.join(wanted)})")
    if plain is function and not numba.config.DISABLE_JIT:
        raise ValueError(f"{called}: must be decorated with @kernel of stardeck.kernels.compile.jit")


def _check_same(verb, known, function):
    """ValueError if two functions differ; a module that was imported again has the same."""
    before, now = (_code(each) for each in (known, function))
    if before != now:
        raise ValueError(
            f"verb {verb.__name__}: {before[0]} implements it already for states of this dtype, {now[0]} cannot: give"
            " the states of each game a dtype of their own, and start Python anew after an edit"
        )


def _code(function):
    """Where a function stands, with what it does."""
    code = getattr(function, "py_func", function).__code__
    constants = [constant for constant in code.co_consts if not hasattr(constant, "co_code")]
    return f"{code.co_qualname} of {code.co_filename}", code.co_code, code.co_names, constants
