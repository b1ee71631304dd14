"""Parts of the kernels, run as Python: faults in them would seldom show in whole games and searches."""

from __future__ import annotations

from ctypes import c_int64
from itertools import product
from math import isqrt
from random import Random
from typing import Any

import pytest

from tests.as_python import PythonCode
from tests.playing import counted
from zrf_py.envs.kernel import memory as fleet
from zrf_py.jit.language import Storage
from zrf_py.native.kernel import fills, keys, masks
from zrf_py.native.kernel import memory as m
from zrf_py.search import memory as n
from zrf_py.search.alphabeta.kernel import lines, ordering, table
from zrf_py.search.beam import kernel as beam
from zrf_py.search.beam import passes, slots
from zrf_py.search.mcts import kernel as mcts

PLIES = 8
KEY = 0x1234_5678_9ABC_DEF
NONE, KNOWN = -1, -2


class Table:
    """A transposition table of 16 entries, with the plies of the search that stores in it and probes it."""

    def __init__(self) -> None:
        sizes = {n.ply: PLIES * n.Ply.size, n.search: n.Search.size, n.table_key: 16, n.table_data: 16}
        code = PythonCode([table], tuple(sizes))
        self.memory: dict[Any, Any] = {array: (c_int64 * size)() for array, size in sizes.items()}
        for number, array in enumerate(sizes):
            code.bind(number, self.memory[array])
        self.search = n.Search.over(self.memory[n.search])
        self.search.table_mask = 15
        self._probe, self._store = code.function("probe_table", 2), code.function("store_entry", 2)

    def ply(self, number: int, alpha: int, beta: int, depth: int) -> n.Ply:
        found = n.Ply.over(self.memory[n.ply], number * n.Ply.size)
        found.alpha, found.beta, found.depth, found.key = alpha, beta, depth, KEY
        return found

    def store(self, p: int, value: int, window: tuple[int, int], depth: int, proven: int = 0) -> None:
        """Store the result of a search with the window (alpha, beta), where a value above alpha has raised alpha."""
        ply = self.ply(p, *window, depth)
        ply.raised, ply.proven, ply.best_index = int(value > window[0]), proven, 3
        self._store(p, value)

    def probe(self, p: int, window: tuple[int, int], depth: int, key: int = KEY) -> int | None:
        """Return the value if it is known in this window at this depth, else None."""
        self.ply(p, *window, depth)
        found = self._probe(p, key)
        assert found in (3, NONE, KNOWN), "the number of the best move"
        return self.search.value if found == KNOWN else None


@pytest.mark.parametrize("searched", [(-1000, 1000), (9, 10), (60, 61)])
def test_a_bound_is_used_only_where_it_decides(searched: tuple[int, int]) -> None:
    """A value of 40 that failed high is a lower bound, one that failed low an upper bound; an exact value is always
    used."""
    tables = Table()
    tables.store(2, 40, searched, 5)
    for alpha in (10, 39, 40, 41, 70):
        decides = (searched[0] < 40 < searched[1] or (searched[1] <= 40 and alpha + 1 <= 40)
                   or (searched[0] >= 40 and alpha >= 40))
        assert tables.probe(3, (alpha, alpha + 1), 5) == (40 if decides else None), alpha


def test_shallower_entries_and_other_positions_are_not_used() -> None:
    tables = Table()
    tables.store(1, 40, (0, 100), 5)
    assert [tables.probe(1, (10, 11), depth) for depth in (4, 5, 6)] == [40, 40, None]
    assert tables.probe(1, (10, 11), 3, KEY + 16) is None  # another key in the same slot
    assert tables.probe(0, (10, 11), 3) is None  # the root needs a move
    assert tables.probe(1, (10, 50), 3) is None  # so does the principal variation


@pytest.mark.parametrize(("stored", "asked", "sign"), [*product((1, 4), (1, 2, 6), (1, -1))])
def test_distances_of_wins_are_relative_to_the_node(stored: int, asked: int, sign: int) -> None:
    """A win three plies from a position is stored as such, however the position was reached."""
    tables = Table()
    tables.store(stored, sign * (n.WIN - stored - 3), (-n.INFINITE, n.INFINITE), 2)
    assert tables.probe(asked, (10, 11), 2) == sign * (n.WIN - asked - 3)


@pytest.mark.parametrize("proven", [0, 1])
def test_the_certainty_of_a_value_is_stored(proven: int) -> None:
    tables = Table()
    tables.store(1, 0, (-50, 50), 5, proven)
    tables.search.proven = 1 - proven
    assert tables.probe(1, (10, 11), 5) == 0 and tables.search.proven == proven


# ---------------------------------------------------------------------------------------------------------------- keys


def key_of(**values: int) -> int:
    """Return the key of an empty one-square board with these `cell`, `attributes`, `stores` and fields of the state."""
    sizes = {m.state: m.PositionFields.size, m.params: m.Params.size, m.cell: 1, m.attributes: 1, m.stores: 2}
    code = PythonCode([keys], tuple(sizes))
    memory: dict[Any, Any] = {array: (c_int64 * size)() for array, size in sizes.items()}
    for number, array in enumerate(sizes):
        code.bind(number, memory[array])
    params, state = m.Params.over(memory[m.params]), m.PositionFields.over(memory[m.state])
    params.squares = params.plus = params.has_attributes = params.counters_at = 1
    params.made_at, params.hands = 2, 1
    state.chain = -1
    for name, value in values.items():
        if name in m.PositionFields.fields:
            setattr(state, name, value)
        else:
            memory[getattr(m, name)][1 if name == "stores" and value < 0 else 0] = value
    state.counted = code.function("of_counters", 0)()
    return code.function("of_all", 0)()


def test_positions_that_differ_in_any_part_have_different_keys() -> None:
    """This includes positions in which the turn goes on with the same piece, but with other moves."""
    seen = [key_of(), key_of(turn=1), key_of(chain=0), key_of(chain=1), key_of(chain=0, chain_type=1),
            key_of(chain=0, chain_type=-1), key_of(step=1), key_of(must=1), key_of(out=1), key_of(cell=1),
            key_of(cell=257), key_of(attributes=1), key_of(stores=1), key_of(stores=-1)]
    assert len(set(seen)) == len(seen) and key_of(chain=1) == seen[3]


# ---------------------------------------------------------------------------------------------------------------- sets


@pytest.mark.parametrize("words", [1, 2, 3])
def test_sets_shift_across_word_boundaries(words: int) -> None:
    """Sets are shifted like one long number, up or down, by any number of bits below their width."""
    sizes = {masks.set_values: 2 * words, m.params: m.Params.size}
    code = PythonCode([fills], tuple(sizes))
    memory: dict[Any, Any] = {array: (c_int64 * size)() for array, size in sizes.items()}
    for number, array in enumerate(sizes):
        code.bind(number, memory[array])
    m.Params.over(memory[m.params]).words = words
    value = int.from_bytes(bytes(range(129, 129 + 8 * words)), "little")
    values, width = memory[masks.set_values], 64 * words
    for word in range(words):
        values[word] = value >> 64 * word
    for by in counted(range(1 - width, width)):
        code.function("fill_shifted", 3)(0, by, words)
        found = sum((values[words + word] & (1 << 64) - 1) << 64 * word for word in range(words))
        assert found == (value >> by if by >= 0 else value << -by) & (1 << width) - 1, by


def words_of(values: list[int], words: int) -> list[int]:
    """Return the words of all sets, one set after the other, as signed numbers."""
    return [(value >> 64 * word & (1 << 64) - 1) - ((value >> 64 * word + 63 & 1) << 64)
            for value in values for word in range(words)]


@pytest.mark.parametrize("words", [1, 2, 3])
def test_operations_on_sets_match_those_on_numbers(words: int) -> None:
    """For random nodes of every kind, sets match Python's integers; for four of the nodes, so do counts of moves."""
    random, squares, players, types = Random(words), 64 * words - 5, 3, 2
    every, whole = (1 << squares) - 1, (1 << 64 * words) - 1
    held = [random.randrange(players + 1) for _ in range(squares)]
    kinds = [random.randrange(types) for _ in held]
    owned = [sum(1 << at for at, owner in enumerate(held) if owner == which) for which in range(players + 1)]
    constants = [every, random.getrandbits(squares), random.getrandbits(squares)]
    side, chain, last_from, last_to, has = 1, random.randrange(squares), random.randrange(squares), squares - 1, (0, 4)
    typed = [sum(1 << at for at, kind in enumerate(kinds) if held[at] and kind == which) for which in range(types)]
    leaves = {fills.EMPTY: owned[0], fills.FRIEND: owned[side + 1], fills.ENEMY: every ^ owned[0] ^ owned[side + 1],
              fills.LAST_FROM: 1 << last_from, fills.LAST_TO: 1 << last_to, fills.START: 1 << chain}
    before = 3
    rows: list[tuple[int, int, int]] = [(fills.CONST, 1, 0)] * before
    found = [0] * before
    for _ in range(60):
        kind, a, b = random.choice(range(14)), random.randrange(before, len(rows) + 1), random.randrange(before, 70)
        a, b = min(a, len(rows) - 1), min(b, len(rows) - 1)
        if kind in leaves:
            value = leaves[kind]
        elif kind == fills.CONST:
            a = random.randrange(3)
            value = constants[a]
        elif kind in (fills.TYPE, fills.STORE):
            a = random.randrange(types)
            value = typed[a] if kind == fills.TYPE else every if has[a] else 0
        elif kind == fills.NEUTRAL:
            a = random.randrange(1 << players)
            value = sum(owned[player + 1] for player in range(players) if a >> player & 1)
        elif len(rows) == before:
            continue
        elif kind == fills.SHIFT:
            b = random.randrange(-squares + 1, squares)
            value = found[a] >> b if b >= 0 else found[a] << -b & whole
        else:
            value = {fills.AND: found[a] & found[b], fills.OR: found[a] | found[b], fills.NOT: whole ^ found[a]}[kind]
        rows.append((kind, a, b))
        found.append(value)
    assert {row[0] for row in rows} == set(range(14))
    yields = random.sample(range(before, len(rows)), 4)
    tables: dict[Any, list[int]] = {
        masks.set_node: [number for row in rows for number in row], masks.set_words: words_of(constants, words),
        masks.set_from: [0, before, len(rows)], masks.group_from: [0, 1, 5], masks.yield_node: [0, *yields],
        masks.yield_count: [9, 1, 2, 3, 4], masks.yield_below: [-1] * 5, masks.yield_masks: [0] * 5 * words,
        masks.set_values: [0] * len(rows) * words, m.occupied: words_of(owned, words),
        masks.kinds_at: words_of([0, *typed], words), m.stores: [0] * types + list(has) + [0] * types,
        m.params: m.Params.filled(words=words, types=types, players=players),
        m.state: m.PositionFields.filled(last_from=last_from, last_to=last_to)}
    code = PythonCode([fills], tuple(tables))
    memory = {array: (c_int64 * len(row))(*row) for array, row in tables.items()}
    for number, array in enumerate(memory.values()):
        code.bind(number, array)
    counts = [found[node].bit_count() * count for node, count in zip(yields, (1, 2, 3, 4), strict=True)]
    assert code.function("fill_sets", 3)(1, side, chain) == sum(counts)
    assert memory[masks.set_values][: (len(rows) - before) * words] == words_of(found[before:], words)
    assert memory[masks.yield_masks][words:] == words_of([found[node] for node in yields], words)
    assert memory[masks.yield_below][:] == [-1, *(sum(counts[:i]) for i in range(4))]


@pytest.mark.parametrize("arrays", [m.ARRAYS, masks.MASKS, n.NOTES, fleet.ARRAYS])
def test_arrays_hold_machine_integers(arrays: tuple[Storage, ...]) -> None:
    assert {array.bits for array in arrays} <= {8, 16, 32, 64} and len(arrays) > 10


# --------------------------------------------------------------------------------------------------------------- beams


def test_a_generation_holds_each_arrangement_of_men_once() -> None:
    """Moves of other players do not make a position new; a position from an earlier generation is new again."""
    sizes = {m.params: m.Params.size, m.occupied: 3, m.cell: 2, n.in_team: 4, n.search: n.Search.size,
             n.table_key: 16, n.table_data: 16}
    code = PythonCode([keys, beam], tuple(sizes))
    memory: dict[Any, Any] = {array: (c_int64 * size)() for array, size in sizes.items()}
    for number, array in enumerate(sizes):
        code.bind(number, memory[array])
    params, search = m.Params.over(memory[m.params]), n.Search.over(memory[n.search])
    params.players, params.words, params.squares = 2, 1, 2
    search.table_mask = 15
    memory[n.in_team][:] = 1, 0, 0, 1

    def known(stamp: int, men: tuple[int, int]) -> bool:
        search.beam_stamp = stamp
        memory[m.cell][:] = men
        for owner in range(3):
            memory[m.occupied][owner] = sum(1 << i for i, held in enumerate(men) if held & 255 == owner)
        return bool(code.function("is_known", 0)())

    mine, other, his = 257, 513, 258
    assert [known(1, (mine, 0)), known(1, (mine, 0)), known(1, (mine, his)), known(1, (other, 0))] == [0, 1, 1, 0]
    assert [known(2, (mine, 0)), known(2, (mine, his))] == [0, 1]


@pytest.mark.parametrize("scores", [(5, 1, 4, 2, 3), (1, 9), (2, 2, 7, 7, 1, 0, -3), (3,)])
def test_moves_come_in_the_order_of_their_scores(scores: tuple[int, ...]) -> None:
    """Each score stays with its move; here each move is its number in the list."""
    arrays = [n.ply, n.order_move, n.order_score, n.order_index]
    code = PythonCode([ordering], tuple(arrays))
    numbers = range(len(scores))
    memory = [(c_int64 * n.Ply.size)(), *((c_int64 * len(scores))(*row) for row in (numbers, scores, numbers))]
    for number, array in enumerate(memory):
        code.bind(number, array)
    pick, ply = code.function("pick_next", 1), n.Ply.over(memory[0], 0)
    ply.order, ply.count = 0, len(scores)
    found = []
    for ply.tried in range(len(scores) + 1):
        at = pick(0)
        found.append((memory[2][at], memory[1][at] == memory[3][at], scores[memory[1][at]]) if at >= 0 else None)
    assert found == [*((score, True, score) for score in sorted(scores, reverse=True)), None]


@pytest.mark.parametrize("width", [1, 2, 3, 6, 7])
def test_a_beam_keeps_the_best_of_all_values(width: int) -> None:
    """After each value, the top of the heap is the lowest value in the beam."""
    values = [5, 3, 9, 1, 8, 2, 9, 7, 4, 6, 0, 11, 10]
    memory: dict[Any, Any] = {n.search: (c_int64 * n.Search.size)(), n.beam_heap: (c_int64 * width)(),
                              n.beam: (c_int64 * (n.BeamSlot.size * width))()}
    code = PythonCode([slots], tuple(memory))
    for number, array in enumerate(memory.values()):
        code.bind(number, array)
    search = n.Search.over(memory[n.search])
    search.beam_width, search.beam_room, search.beam_half = width, width, 1
    slot_for = code.function("slot_for", 1)
    for count, value in counted(enumerate(values, 1)):
        slot_for(value)
        kept = [n.BeamSlot.over(memory[n.beam], slot * n.BeamSlot.size).value
                for slot in memory[n.beam_heap][:search.beam_next]]
        assert sorted(kept, reverse=True) == sorted(values[:count], reverse=True)[:width] and kept[0] == min(kept)


@pytest.mark.parametrize("values", [(9, None, 5), (None, 2, None, 7, 4, 7), (None, None), (3, 1, 2), (4, None, 3)])
def test_the_ranking_of_a_generation_leaves_out_finished_games(values: tuple[int | None, ...]) -> None:
    size = len(values)
    memory: dict[Any, Any] = {n.search: (c_int64 * n.Search.size)(), n.beam_heap: (c_int64 * size)(*range(size)),
                              n.beam_list: (c_int64 * size)(), n.beam: (c_int64 * (n.BeamSlot.size * size))()}
    code = PythonCode([passes], tuple(memory))
    for number, array in enumerate(memory.values()):
        code.bind(number, array)
    for slot, value in enumerate(values):
        row = n.BeamSlot.over(memory[n.beam], slot * n.BeamSlot.size)
        row.value = -n.INFINITE if value is None else value
    search = n.Search.over(memory[n.search])
    search.beam_next = size
    code.function("rank_generation", 0)()
    alive = sorted((-value, slot) for slot, value in enumerate(values) if value is not None)
    assert memory[n.beam_list][:search.beam_count] == [slot for _, slot in alive]


@pytest.mark.parametrize("left", [0, 60, 3000, 1_000_000])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_beam_becomes_twice_as_wide_or_as_wide_as_the_budget_allows(width: int, left: int) -> None:
    memory: dict[Any, Any] = {n.search: (c_int64 * n.Search.size)()}
    code = PythonCode([passes], tuple(memory))
    code.bind(0, memory[n.search])
    search = n.Search.over(memory[n.search])
    search.beam_width, search.beam_widest, search.beam_first = width, passes.ANSWERED - 1, 10
    search.beam_left, search.wanted_depth = left, passes.DEEPEST
    cost, wide = code.function("cost", 1), code.function("next_width", 0)()

    def is_affordable(width: int) -> bool:
        return cost(width) * 100 < left * passes.SHARE

    assert min(2 * width, search.beam_widest) <= wide <= search.beam_widest
    assert wide == 2 * width or wide == search.beam_widest or is_affordable(wide)
    assert wide == search.beam_widest or not is_affordable(wide * 9 // 8 + 1)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_lines_of_the_last_depth_come_before_those_of_the_previous_one(count: int) -> None:
    """The order is that of sorting all lines anew, both at the end of a depth and in the middle of it."""
    sizes = {n.search: n.Search.size, n.pv_table: n.MAX_PLY, n.pv_line: count * n.PvLine.size,
             n.pv_moves: count * n.MAX_PLY}
    code = PythonCode([lines], tuple(sizes))
    memory: dict[Any, Any] = {array: (c_int64 * size)() for array, size in sizes.items()}
    for number, array in enumerate(sizes):
        code.bind(number, memory[array])
    code.function("clear_lines", 1)(count)
    keep, clip = code.function("keep_line", 4), code.function("clip_lines", 0)
    random, known = Random(count), list[tuple[int, int, int]]()
    for depth in range(1, 9):
        fresh: list[tuple[int, int, int]] = []
        for first in random.sample(range(1, 7), count):
            value = random.randrange(-5, 6)
            memory[n.pv_table][0] = first
            keep(depth, value, value, 0)
            clip()
            fresh.append((depth, value, first))
            rest = [line for line in known if line[2] not in {line[2] for line in fresh}]
            expected = [*sorted(fresh, key=lambda line: -line[1]), *rest][:count]
            expected = [(at, min(other[1] for other in expected[: i + 1]), move)
                        for i, (at, _, move) in enumerate(expected)]
            rows = [n.PvLine.over(memory[n.pv_line], i * n.PvLine.size) for i in range(len(expected))]
            kept = [(row.depth, row.value, memory[n.pv_moves][i * n.MAX_PLY]) for i, row in enumerate(rows)]
            assert kept == expected
        known = expected
    assert len(known) == count and {line[0] for line in known} == {8}


# --------------------------------------------------------------------------------------------------------------- trees


def test_square_roots_are_rounded_down() -> None:
    """The numbers are those below 3,000, squares and their neighbours, and random ones of up to 61 bits."""
    root = PythonCode([mcts], (n.search,)).function("square_root", 1)
    random = Random(2)
    squares = [number * number for number in random.sample(range(1 << 20), 50)]
    numbers = [*range(3000), *(square + more for square in squares for more in (-1, 0, 1)),
               *(random.getrandbits(bits) for bits in range(1, 62))]
    for number in counted(numbers, 3000):
        assert root(number) == isqrt(number), number


@pytest.mark.parametrize("mask", range(16))
def test_winners_share_a_reward_and_all_share_a_draw(mask: int) -> None:
    """The third of the four players has no turns: he has no share of a draw, though he may win."""
    plays = (1, 1, 0, 1)
    sizes = {m.params: m.Params.size, m.plays: 4, n.reward: 4}
    code = PythonCode([mcts], tuple(sizes))
    memory: dict[Any, Any] = {array: (c_int64 * size)() for array, size in sizes.items()}
    for number, array in enumerate(sizes):
        code.bind(number, memory[array])
    m.Params.over(memory[m.params]).players = 4
    memory[m.plays][:] = plays
    code.function("reward_result", 1)(mask)
    winners = [p for p in range(4) if (mask >> p & 1 if mask else plays[p])]
    assert memory[n.reward][:] == [mcts.ONE // len(winners) if p in winners else 0 for p in range(4)]
