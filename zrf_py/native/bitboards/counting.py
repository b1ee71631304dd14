"""Determine whether a game's moves can be counted, and drawn, without being listed; build the tables for that."""

from __future__ import annotations

from array import array

from zrf_py.ir.ops import CASCADING, Program
from zrf_py.native.bitboards import graph, nodes, sets
from zrf_py.native.bitboards.endings import asks_changes
from zrf_py.native.bitboards.repeats import always_advances
from zrf_py.native.kernel import masks as k
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout
from zrf_py.native.specialise.flags import leaks_flags


def with_sets(program: Program, layout: Layout) -> tuple[Layout, sets.Groups | None]:
    """Return the layout for counting and drawing moves, and the sets of the moves (None if sets can't express them)."""
    try:
        if layout.params.has_unfinished:
            raise graph.NotSets
        groups = sets.Groups(program)
    except graph.NotSets:
        counts = _can_count(program, layout)
        return layout.changed(
            counts=counts, tallies=_tallies(program, layout), all_end=counts and sets.surely_end(program),
            draws=counts and not any(program.drops) and not leaks_flags(program)), None
    tables, sizes = _tables(program, groups)
    layout = layout.extended(tables, sizes).changed(
        sets=1, kind_sets=len(program.game.pieces) > 1, move_types=len(program.move_types),
        most_types=groups.most_types, tallies=_tallies(program, layout),
        repeats=0 if always_advances(program, groups) else layout.setting.repeats)
    return layout.changed(**_simplify(program, groups, layout)), groups


def for_any_game(layout: Layout) -> Layout:
    """Return the layout for the kernel for any game, which cannot count records without writing them."""
    return layout.changed(counts=0, draws=0, tallies=0, all_end=0, fills=0)


def _can_count(program: Program, layout: Layout) -> bool:
    """Return whether all records of blocks are legal moves, and can be counted without writing them."""
    params = layout.params
    if params.must_finish or params.maximal or params.adds_pass or params.has_unfinished or params.plus:
        return False
    return not program.uses(*CASCADING)


def _tallies(program: Program, layout: Layout) -> int:
    """Return the value of `Setting.tallies` for a game."""
    params, turns, tables = layout.params, program.game.turns, layout.tables
    followers = (*turns[1:], *turns[program.game.repeat :][:1])
    if (
        not params.sense or params.maximal or params.adds_pass or params.has_unfinished or params.priorities
        or leaks_flags(program) or any(a.side == b.side for a, b in zip(turns, followers, strict=True))
    ):
        return 0
    opens, closes = (sum(map(bool, tables[table.name])) for table in (m.opens, m.closes))
    return k.ASKING_ENDS if 4 * closes > opens else 1


def _tables(program: Program, groups: sets.Groups) -> tuple[dict[str, array[int]], dict[str, int]]:
    game = program.game
    numbers = {id(r): i for i, r in enumerate(program.routines)}
    moves = sum(map(len, program.moves))
    yields = groups.yields
    begins: list[int] = [0]
    lists: list[int] = []
    for side in range(len(game.players)):
        for move_type in range(-1, len(program.move_types)):
            for chained in (False, True):
                lists += groups.lists.get((side, move_type, chained), ())
                begins.append(len(lists))
    starts = [0]
    for group in groups.groups:
        starts.append(starts[-1] + len(group.yields))
    words, squares, most = (len(game.board.places) + 63) // 64, len(game.board.places), groups.most_types
    tables = {
        k.class_from.name: array("i", begins), k.class_list.name: array("i", lists),
        k.group_from.name: array("i", starts),
        k.yield_routine.name: array("i", (numbers[id(y.routine)] for y in yields)),
        k.yield_count.name: array("i", (y.count for y in yields)),
        k.yield_direct.name: array("b", (y.plain for y in yields)),
        k.yield_head.name: array("q", (1 | (y.op.b + 2) << 36 if y.op.is_partial else 1 for y in yields)),
        k.yield_from.name: array("h", (p for y in yields for p in y.from_)),
        k.yield_end.name: array("h", (p for y in yields for p in y.end)),
        k.yield_types.name: array("h", (p for y in yields for p in (*y.op.types, *[-1] * most)[:most])),
    }
    assert all(numbers[id(y.routine)] < moves or not y.op.types for y in yields)
    most_yields, kinds = max(len(yields), 1), len(game.pieces) + 1
    sizes = {k.yield_masks.name: most_yields * words, k.yield_below.name: most_yields, k.kinds_at.name: kinds * words,
             k.root_kinds_at.name: kinds * words}
    assert squares * len(yields) < 1 << 24
    node_rows, node_sizes = nodes.node_tables(program, groups)
    return tables | node_rows, sizes | node_sizes


def _simplify(program: Program, groups: sets.Groups, layout: Layout) -> dict[str, int]:
    """Return the settings that let random games do without records."""
    yields = groups.yields
    drops = {id(r): layout.tables[m.drop_empty.name][i] for i, r in enumerate(r for rs in program.drops for r in rs)}
    stays = tuple(range(len(program.game.board.places)))
    partial = any(y.op.is_partial for y in yields)
    rows = [groups.lists.get((turn.side, turn.move_type, chained), ())
            for turn in program.game.turns for chained in (False, True)[:1 + partial]]
    moved = all(y.plain and (id(y.routine) in drops or y.from_ == stays) for y in yields)
    own_only = moved and all(turn.mover == turn.side for turn in program.game.turns)
    simple = moved and not partial and not any(y.op.types for y in yields) and not layout.params.must_finish
    fills = simple and all(drops.get(id(y.routine)) and y.end == stays for y in yields)
    needs_records = layout.setting.repeats or layout.params.has_attributes or not own_only or asks_changes(program)
    return {"one_group": all(list(row) == [0] for row in rows), "own_only": own_only, "simple": simple,
            "fills": fills and not needs_records}
