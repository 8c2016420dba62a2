"""Vector instructions give the same bits as scalar code, and action sets the same masks."""

import os
import subprocess
import sys

import numpy as np
import pytest

from stardeck.kernels.compile.jit import entry
from stardeck.kernels.compile.simd import plus_product, put, taken, total, zeros
from stardeck.kernels.primitives.action_set import mark, member, spread, words_for


@entry
def add_rows(rows, factors, sums):
    vector = taken(sums, 3, 32)
    for i in range(len(factors)):
        vector = plus_product(vector, factors[i], rows, 40 * i + 5)
    put(vector, sums, 3)


@entry
def product_of(one, other, sums):
    vector = zeros(8)
    for k in range(0, len(one), 8):
        vector = plus_product(vector, taken(one, k, 8), other, k)
    sums[0] = total(vector)


def test_rows_are_added_up_in_their_order_and_nothing_else_is_touched():
    random = np.random.default_rng(1)
    rows, factors = random.normal(size=(20, 40)).astype(np.float32), random.normal(size=20).astype(np.float32)
    sums = random.normal(size=40).astype(np.float32)
    expected = sums.copy()
    for row, factor in zip(rows, factors, strict=True):
        expected[3:35] += factor * row[5:37]
    add_rows(rows.reshape(-1), factors, sums)
    assert sums.tobytes() == expected.tobytes()


@pytest.mark.parametrize("size", [8, 48])
def test_a_product_has_eight_partial_sums_of_which_neighbours_are_added(size):
    random = np.random.default_rng(size)
    one, other = (random.normal(size=size).astype(np.float32) for _ in range(2))
    parts = np.zeros(8, np.float32)
    for k in range(0, size, 8):
        parts += one[k : k + 8] * other[k : k + 8]
    a, b, c, d, e, f, g, h = parts
    sums = np.empty(1, np.float32)
    product_of(one, other, sums)
    assert sums[0] == ((a + b) + (c + d)) + ((e + f) + (g + h))


@entry
def marked(actions, legal):
    for i in range(len(actions)):
        mark(legal, actions[i])


@entry
def spread_rows(sets, masks):
    for i in range(len(sets)):
        spread(sets[i], masks[i])


@pytest.mark.parametrize("size", [1, 5, 63, 64, 65, 93, 127, 128, 129, 492])
def test_a_set_is_spread_as_its_members_say_and_nothing_else_is_touched(size):
    random = np.random.default_rng(size)
    sets, truth = np.zeros((40, words_for(size)), np.uint64), np.zeros((40, size), np.int8)
    for legal, row, share in zip(sets, truth, np.linspace(0, 1, 40), strict=True):  # none, ..., all
        row[:] = random.random(size) < share
        marked(np.flatnonzero(row), legal)
    masks = np.full((42, size), 7, np.int8)
    spread_rows(sets, masks[1:-1])
    assert (masks[1:-1] == truth).all() and (masks[[0, -1]] == 7).all()


@entry
def members(legal, found):
    for k in range(len(found)):
        found[k] = member(legal, k)


@pytest.mark.parametrize("share", [0.02, 0.2, 1])
def test_members_come_in_their_order(share):
    random = np.random.default_rng(1)
    for size in (1, 64, 65, 492):
        actions = np.flatnonzero(random.random(size) < share)
        legal, found = np.zeros(words_for(size), np.uint64), np.empty(len(actions), np.int64)
        marked(actions, legal)
        members(legal, found)
        assert (found == actions).all()


MEMBERS = """
import numpy as np
from stardeck.kernels.primitives.action_set import member
from stardeck.kernels.compile.jit import entry
@entry
def asked(legal, k):
    return member(legal, k)
print(*(asked(np.array([0, 2**63 + 2**5 + 1, 2**40], np.uint64), k) for k in range(4)))
"""


def test_members_are_the_same_on_a_plain_processor(tmp_path):
    plain = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    (tmp_path / "members.py").write_text(MEMBERS)
    command = [sys.executable, str(tmp_path / "members.py")]
    for environment in (os.environ, plain):
        assert subprocess.check_output(command, env=environment, text=True).split() == ["64", "69", "127", "168"]
