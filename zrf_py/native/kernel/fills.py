"""Interpreter of set operations for the kernel for any game; a game's own code has instructions instead
(`bitboards/bits.py`). Both compute the same sets, so they count and draw the same moves."""

from zrf_py.jit.language import bit_count, shift_right
from zrf_py.native.kernel.masks import (
    group_from, kinds_at, set_from, set_node, set_values, set_words, yield_below, yield_count, yield_masks,
    yield_node,
)
from zrf_py.native.kernel.memory import occupied, params, state, stores

CONST, AND, OR, NOT, SHIFT, EMPTY, FRIEND, ENEMY, NEUTRAL, TYPE, LAST_FROM, LAST_TO, STORE, START = range(14)
"""Kinds of nodes. CONST: `a` is a row of `set_words`. SHIFT: node `a` moved `b` squares down. TYPE, STORE: `a` is a
type. NEUTRAL: bit `p` of `a` is set for a neutral player `p`."""


def fill_sets(group: int, side: int, chain: int) -> int:
    """Compute the starts of each yield of a group into `yield_masks`; return the number of records."""
    words = params.words
    for node in range(set_from[group], set_from[group + 1]):
        fill_node(node, (node - set_from[group]) * words, set_from[group], side, chain)
    found = 0
    for i in range(group_from[group], group_from[group + 1]):
        at = (yield_node[i] - set_from[group]) * words
        yield_below[i] = found
        for word in range(words):
            bits = set_values[at + word]
            yield_masks[i * words + word] = bits
            found += bit_count(bits) * yield_count[i]
    return found


def fill_node(node: int, at: int, first: int, side: int, chain: int) -> None:
    """Compute one node from those before it, into `set_values` from `at` on."""
    words = params.words
    kind = set_node[node].kind
    if kind == SHIFT:
        fill_shifted((set_node[node].a - first) * words, set_node[node].b, at)
    elif kind < SHIFT and kind != CONST:
        fill_joined(kind, (set_node[node].a - first) * words, (set_node[node].b - first) * words, at)
    elif kind == LAST_FROM:
        fill_one(state.last_from, at)
    elif kind == LAST_TO:
        fill_one(state.last_to, at)
    elif kind == START and chain >= 0:
        fill_one(chain, at)
    elif kind == STORE:
        has = stores[side * params.types + set_node[node].a] > 0
        for word in range(words):
            set_values[at + word] = set_words[word] if has else 0
    else:
        fill_leaf(kind, set_node[node].a, side, at)


def fill_leaf(kind: int, a: int, side: int, at: int) -> None:
    """Load a constant set, or one derived from the sets that are maintained with the board."""
    words = params.words
    for word in range(words):
        if kind == CONST:
            bits = set_words[a * words + word]
        elif kind == EMPTY:
            bits = occupied[word]
        elif kind == TYPE:
            bits = kinds_at[(a + 1) * words + word]
        elif kind == ENEMY:
            bits = (occupied[word] | occupied[(side + 1) * words + word]) ^ set_words[word]
        elif kind == NEUTRAL:
            bits = 0
            for player in range(params.players):
                if a >> player & 1:
                    bits = bits | occupied[(player + 1) * words + word]
        else:
            bits = occupied[(side + 1) * words + word]
        set_values[at + word] = bits


def fill_joined(kind: int, a: int, b: int, at: int) -> None:
    for word in range(params.words):
        if kind == AND:
            set_values[at + word] = set_values[a + word] & set_values[b + word]
        elif kind == OR:
            set_values[at + word] = set_values[a + word] | set_values[b + word]
        else:
            set_values[at + word] = ~set_values[a + word]


def fill_one(square: int, at: int) -> None:
    """Write the set of one square; the empty set for -1."""
    for word in range(params.words):
        set_values[at + word] = 0
    if square >= 0:
        set_values[at + (square >> 6)] = 1 << (square & 63)


def fill_shifted(a: int, by: int, at: int) -> None:
    """Shift a set by `by` squares down; up if `by` is negative."""
    words = params.words
    far = by if by >= 0 else -by
    whole = far >> 6
    rest = far & 63
    for word in range(words):
        if by >= 0:
            near = set_values[a + word + whole] if word + whole < words else 0
            beyond = set_values[a + word + whole + 1] if word + whole + 1 < words else 0
            bits = shift_right(near, rest) | (beyond << (64 - rest) if rest else 0)
        else:
            near = set_values[a + word - whole] if word >= whole else 0
            beyond = set_values[a + word - whole - 1] if word > whole else 0
            bits = near << rest | (shift_right(beyond, 64 - rest) if rest else 0)
        set_values[at + word] = bits
