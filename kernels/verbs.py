"""Verbs of every game, declared once.

A game registers its implementation of each verb for its own state type with `implement`. Loops in `loops/batch.py`
call the verbs by name, and Numba compiles them for the game of the states. Arguments come in one order: `rules` (one
record, read-only), `state` (one record, changed in place), then details.

Five verbs belong to the game, and a sixth shows what is hidden to a critic in training. Two more record its events for
statistics (kernels/loops/event_log.py). Two deal hidden cards according to a belief about opponents' hands, for search
(agents/search/belief.py). `choose` is implemented under `agents/`; so are `offer` and `carry_out`, for games with
randomised decisions (agents/data/trials.py).
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
    """Write everything that `seat` may know into `observation`: uint8[observation_size]."""
    return _PLAIN["observe", record_dtype(state)](rules, state, seat, observation)


def observe_hidden(rules, state, seat, hidden):
    """Write what `seat` cannot know into `hidden`: uint8[hidden_size]. Only a critic in training sees it."""
    return _PLAIN["observe_hidden", record_dtype(state)](rules, state, seat, hidden)


def resample_hidden(rules, state, seat, seed):
    """Redraw, from `seed`, everything that `seat` cannot know, including the random stream."""
    return _PLAIN["resample_hidden", record_dtype(state)](rules, state, seat, seed)


def resample_weighted(rules, state, seat, seed, weights):
    """Redraw like `resample_hidden`, by a belief: a higher weight makes a card likelier in that opponent's hand.

    weights: float64, above 0, by opponent in turn order, then by kind of card. They have no effect in games where the
    opponents' play says nothing about their hands.
    """
    return _PLAIN["resample_weighted", record_dtype(state)](rules, state, seat, seed, weights)


def count_hidden(rules, state, seat, counts):
    """Count the hidden cards by kind where `resample_weighted` weighs them: uint8[players, kinds].

    The rows are the hand of each opponent in turn order, then all cards that their hands are dealt from.
    """
    return _PLAIN["count_hidden", record_dtype(state)](rules, state, seat, counts)


def choose(rules, state, agent):
    """Return the action of a compiled agent. agent: a record with `kind` (int64) and `random` (uint64)."""
    return _PLAIN["choose", record_dtype(state)](rules, state, agent)


def choose_among(rules, state, agent, room):
    """Return the action of a compiled agent that is in the set `room.allowed`, or -1 if there is no rule for it.

    `choose` has returned an action outside of the set. room: `Room` (agents/restricted/kernels.py), whose `copy` is
    scratch for one state.
    """
    return _PLAIN["choose_among", record_dtype(state)](rules, state, agent, room)


def watch(rules, state, eye):
    """Record in `eye` (EYE) the values that `tell` compares, before the action is applied."""
    return _PLAIN["watch", record_dtype(state)](rules, state, eye)


def tell(rules, state, eye):
    """Record in `eye` (EYE) the events since `watch`."""
    return _PLAIN["tell", record_dtype(state)](rules, state, eye)


def offer(rules, state, agent, trial):
    """Record in `trial` (TRIAL) the alternatives that can be randomised at this decision, if any."""
    return _PLAIN["offer", record_dtype(state)](rules, state, agent, trial)


def carry_out(rules, state, trial, chosen):
    """Carry out the randomly chosen one of the offered alternatives."""
    return _PLAIN["carry_out", record_dtype(state)](rules, state, trial, chosen)


VERBS = (
    deal, legal_actions, apply, observe, observe_hidden, resample_hidden, resample_weighted, count_hidden, choose,
    choose_among, watch, tell, offer, carry_out,
)  # fmt: skip


def implement_from(state_dtype, *modules):
    """Implement verbs for states of `state_dtype` by the functions of the same names in some modules.

    Imported functions do not count.

    Args:
        state_dtype: The dtype of the states.
        *modules: The modules that define the functions.

    Raises:
        ValueError: Two of the modules define the same verb.
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
    """Implement a verb for states of `state_dtype` by a function.

    Args:
        verb: One of VERBS.
        state_dtype: The dtype of the states.
        function: A kernel with the arguments of the verb.

    Raises:
        ValueError: Another function implements it: of another game with the same dtype, or from before an edit.
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
    options = INLINE_OPTIONS if verb in (watch, tell) else KERNEL_OPTIONS  # for other verbs, the game decides
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
    """Return the game of a verb's module: the folder under `stardeck.kernels`, or the name of an outside module."""
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
    """Raise ValueError if two functions differ; the same module imported again has the same function."""
    before, now = (_code(each) for each in (known, function))
    if before != now:
        raise ValueError(
            f"verb {verb.__name__}: {before[0]} implements it already for states of this dtype, {now[0]} cannot: give"
            " the states of each game a dtype of their own, and restart Python after an edit"
        )


def _code(function):
    """Return the place of a function, and its code."""
    code = getattr(function, "py_func", function).__code__
    constants = [constant for constant in code.co_consts if not hasattr(constant, "co_code")]
    return f"{code.co_qualname} of {code.co_filename}", code.co_code, code.co_names, constants
