"""The compiled loop over every two hands of one split: what they gain, multiplied."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator"

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

#: Spreads the codes of cards over the places of a table (Knuth's multiplicative hashing).
SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
FIRST_BITS: Final = 12


@njit(nogil=True, cache=True)
def _place(table, keys, code, bits):
    """Where `code` is in the table, or where it belongs."""
    at = (np.uint64(code) * SPREAD) >> np.uint64(64 - bits)
    mask = np.uint64(table.size - 1)
    while table[at] >= 0 and keys[table[at]] != code:
        at = (at + np.uint64(1)) & mask
    return at


@njit(nogil=True, cache=True)
def _twice(keys, sums):
    """The same in twice the room. In loops: each slice assigned takes seconds to compile."""
    found, columns = sums.shape
    more = np.empty(2 * found, dtype=np.int64)
    wider = np.zeros((2 * found, columns))
    for each in range(found):
        more[each] = keys[each]
        for column in range(columns):
            wider[each, column] = sums[each, column]
    return more, wider


@njit(nogil=True, cache=True)
def pair_sums(codes, gains, signs):
    """The sums of two codes, each once, and for each the products of what the two gain, added up.

    `gains[k, hand, column]`, with the sign `signs[k]`; every two hands count in both orders.
    """
    bits = FIRST_BITS
    table = np.empty(1 << bits, dtype=np.int64)
    for each in range(table.size):
        table[each] = -1
    keys = np.empty(1 << (bits - 1), dtype=np.int64)
    sums = np.zeros((keys.size, gains.shape[2]))
    found = 0
    for one in range(codes.size):
        for two in range(one, codes.size):
            code = codes[one] + codes[two]
            at = _place(table, keys, code, bits)
            if table[at] < 0:
                if found == keys.size:
                    bits += 1
                    keys, sums = _twice(keys, sums)
                    table = np.empty(1 << bits, dtype=np.int64)
                    for each in range(table.size):
                        table[each] = -1
                    for each in range(found):
                        table[_place(table, keys, keys[each], bits)] = each
                    at = _place(table, keys, code, bits)
                keys[found] = code
                table[at] = found
                found += 1
            to = table[at]
            times = 1.0 if one == two else 2.0
            for k in range(signs.size):
                for column in range(gains.shape[2]):
                    sums[to, column] += (
                        times * signs[k] * gains[k, one, column] * gains[k, two, column]
                    )
    return keys[:found], sums[:found]
