"""Lay out a program in native memory: contents of the constant arrays of `kernel/memory.py`, sizes of the others.

A game whose numbers do not fit (more than 30,000 squares, 60 attributes …) raises `TooLarge`; the interpreter plays it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from struct import Struct

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import BLOCK_END, CASCADING, CHANGING, COLLECTED, HERE, OPS, PASSING, Op, Program, Routine, those
from zrf_py.ir.traits import Changes, Writes
from zrf_py.jit.language import Storage
from zrf_py.native import legs
from zrf_py.native.bitboards.endings import is_local
from zrf_py.native.bitboards.repeats import can_repeat, is_monotone
from zrf_py.native.errors import TooLarge
from zrf_py.native.kernel import masks as k
from zrf_py.native.kernel import memory as m
from zrf_py.native.kernel.board import SET_COUNTER
from zrf_py.native.kernel.vm import FIRST_EFFECT, IS_EMPTY, IS_EQUAL, OWN_SIDE, OWN_TYPE
from zrf_py.native.specialise.analysis import Attacks, Sense, squares_of
from zrf_py.native.specialise.flags import leaks_flags
from zrf_py.native.trees import Numbers, Starts, Trees
from zrf_py.run import goals
from zrf_py.run.interpret import drop_squares
from zrf_py.run.rules import Rules

MOVES_ROOM = 1 << 19
UNDO_ROOM = 3 << 16
FRAMES_ROOM = m.ALL_KEPT << 12
PARTS_ROOM = 4000
TAKEN_ROOM = 1 << 15
PLIES_ROOM = 256
ROWS_ROOM = 1 << 16
MET_ROOM = 1 << 16
WAY_ROOM = 1 << 12

ATTACKS = (m.reach, m.opens, m.closes, m.routine_hits, m.kind_hits)

RESULTS = ("win", "loss", "draw", "count", "score", "out")
_CODES = {8: "b", 16: "h", 32: "i", 64: "q"}
_ROW = Struct(f"={m.ROW}i")
NUMBERS = {name: i for i, name in enumerate(OPS)}
_ABOUT_TURNS = PASSING | those(
    lambda row: row.writes & Writes.MANNER or row.changes & (Changes.TURN | Changes.COUNTERS))
_MORE_THAN_ONE_MOVEMENT = PASSING | COLLECTED | CASCADING

assert all(
    OPS[name].is_test == (number >= IS_EMPTY)
    and (not OPS[name].where or number < (IS_EQUAL if OPS[name].is_test else FIRST_EFFECT + SET_COUNTER))
    for name, number in NUMBERS.items()), "operations on squares must come first, tests last"


@dataclass(frozen=True)
class Layout:
    """Memory of a game: `tables[name]` is the contents of a constant array, `sizes[name]` the length of any other one.

    `routines` are all blocks, by number.
    """

    tables: dict[str, array[int]]
    sizes: dict[str, int]
    routines: tuple[Routine, ...]
    types: dict[tuple[int, ...], int]
    """Index of each tuple of `add` types in the array `add_types`."""

    @property
    def params(self) -> m.Params:
        return m.Params.over(self.tables["params"])

    @property
    def setting(self) -> k.Setting:
        return k.Setting.over(self.tables["setting"])

    def extended(self, tables: Mapping[str, array[int]], sizes: Mapping[str, int], /, **params: int) -> Layout:
        """Return the layout with more tables and arrays, and with other values of `params`."""
        tables = {**self.tables, **tables, "params": m.Params.filled(self.tables["params"], **params)}
        return replace(self, tables=tables, sizes={**self.sizes, **sizes})

    def changed(self, **settings: int) -> Layout:
        """Return the layout with other values of `setting`."""
        return replace(self, tables={**self.tables, "setting": k.Setting.filled(self.tables["setting"], **settings)})


@dataclass
class _Builder:
    """Tables under construction."""

    program: Program
    tables: dict[str, array[int]] = field(default_factory=dict)

    def put(self, storage: Storage, values: Iterable[int]) -> None:
        """Fill an array; raise `TooLarge` if a number does not fit its elements."""
        try:
            self.tables[storage.name] = array(_CODES[storage.bits], values)
        except OverflowError as error:
            raise TooLarge(storage.name) from error


@lru_cache(maxsize=4)
def lay_out(program: Program) -> Layout:
    """Lay out the memory of a game, without attack tables.

    :raises TooLarge: if the game does not fit.
    """
    game = program.game
    squares, players, types = len(game.board.places), len(game.players), len(game.pieces)
    if squares > 30_000 or players > 100 or types > 30_000 or len(game.attributes) > 60 or len(game.turns) > 30_000:
        raise TooLarge("the board")
    if len(game.counters) > 1000 or (is_plus(program) and players > 60):
        raise TooLarge("counters or players")
    builder = _Builder(program)
    moves = [r for routines in program.moves for r in routines]
    drops = [r for routines in program.drops for r in routines]
    _board(builder)
    values = Numbers()
    add_types = _routines(builder, moves, drops, values)
    _players(builder)
    _goals(builder, values)
    builder.put(m.params, _params(program, len(moves), drops, values))
    _numbers(builder, values)
    for storage in ATTACKS:
        builder.put(storage, (0,))
    tables, sizes = _no_sets(program, (players + 1) * ((squares + 63) // 64))
    builder.tables |= tables
    flags = max(len(program.position_flags), 1)
    words = (squares + 63) // 64
    stored = players * (types + len(game.counters) + 1)
    sizes |= {
        "state": m.PositionFields.size, "cell": squares, "attributes": squares, "stores": stored,
        "occupied": (players + 1) * words, "royals_at": (players + 1) * words, "counts": (players + 1) * (types + 1),
        "taken": TAKEN_ROOM, "undo": UNDO_ROOM, "frames": FRAMES_ROOM, "moves": MOVES_ROOM,
        "scores": MOVES_ROOM // 2, "path": 512, "effects": 2 * PARTS_ROOM, "captures": 2 * PARTS_ROOM,
        "cascades": 2 * PARTS_ROOM, "marks": 2 * flags * squares, "lifted": 3 * PARTS_ROOM + 8,
        "danger_opens": words, "danger_closes": words, "asked": squares * m.Asked.size, "choices": MOVES_ROOM // 2,
        "root_state": m.PositionFields.size, "root_cell": squares, "root_attributes": squares,
        "root_stores": stored, "line_next": m.LEVELS, "line_end": m.LEVELS, "line_key": m.LEVELS,
        "rows": ROWS_ROOM * m.Row.size,
        "met": 2 * MET_ROOM, "met_again": MET_ROOM, "turn_way": WAY_ROOM, "level_rows": PLIES_ROOM,
        "level_top": PLIES_ROOM, "level_frame": PLIES_ROOM,
        "tally": 257, **legs.reach_sizes(program, m.Params.over(builder.tables[m.params.name]).reaches),
    }
    return Layout(builder.tables, sizes, (*moves, *drops), add_types)


def _no_sets(program: Program, rows: int) -> tuple[dict[str, array[int]], dict[str, int]]:
    """Return `kernel/masks.py`'s tables and sizes for a game without sets; `rows`: words of the occupancy bitboards."""
    tables = {a.name: array(_CODES[a.bits], (0,)) for a in k.MASKS if a.constant}
    setting = k.Setting.filled()
    setting[k.Setting.repeats] = program.aims.repetition if can_repeat(program) else 0
    setting[k.Setting.monotone] = is_monotone(program)
    tables[k.setting.name] = setting
    sizes = {a.name: 1 for a in k.MASKS if not a.constant}
    seen = k.SEEN_ROOM if setting[k.Setting.repeats] else 1
    return tables, sizes | {k.root_occupied.name: rows, k.root_royals_at.name: rows, k.seen_key.name: seen,
                            k.seen_times.name: seen}


@lru_cache(maxsize=4)
def is_plus(program: Program) -> bool:
    """Return whether the game needs the ZRF+ turn fields; they are maintained only then."""
    game = program.game
    return (
        bool(game.counters or game.teams or game.score) or not game.options.null_turns
        or any(turn.guards for turn in game.turns)
        or any(end.result in ("out", "score") or _compares(end.goal) for end in game.ends)
        or any(op.numbers or op.name in _ABOUT_TURNS for op in program.ops)
    )


def _compares(goal: model.Goal) -> bool:
    """Return whether a goal contains a numeric comparison."""
    return any(isinstance(part, model.Compare) for part in leaves(goal))


def _params(program: Program, moves: int, drops: list[Routine], numbers: Numbers) -> array[int]:
    rules = Rules(program)
    game, options = program.game, program.game.options
    plus, hashes = is_plus(program), _needs_hashes(rules)
    stored = len(game.players) * len(game.pieces)
    made_at = stored + len(game.players) * len(game.counters)
    return m.Params.filled(
        squares=len(game.board.places), players=len(game.players), types=len(game.pieces),
        motions=2 * len(game.board.directions), turns=len(game.turns), repeat=game.repeat,
        words=(len(game.board.places) + 63) // 64, routines=moves, drop_routines=len(drops),
        has_royals=any(program.aims.royals), has_attributes=bool(game.attributes),
        recycle_captures={"": 0, "owner": m.TO_OWNER, "captor": m.TO_CAPTOR}[options.recycle_captures],
        recycle_promotions=options.recycle_promotions,
        discard_cascades=options.discard_cascades,
        maximal=options.maximal_captures,
        pass_partial=options.pass_partial,
        pass_turn={"never": m.PASS_NEVER, "always": m.PASS_ALWAYS, "forced": m.PASS_FORCED}[options.pass_turn],
        priorities=len(game.priorities), ends=len(game.ends), off_pieces=options.include_off_pieces,
        flags=max(len(program.position_flags), 1), keeps_flags=leaks_flags(program),
        uniform=not program.uses(*_MORE_THAN_ONE_MOVEMENT),
        moves_room=MOVES_ROOM, undo_room=UNDO_ROOM, frames_room=FRAMES_ROOM,
        parts_room=PARTS_ROOM, taken_room=TAKEN_ROOM, plus=plus, hashes=hashes,
        keeps=m.ALL_KEPT if plus or hashes else m.KEPT, must_finish=rules.must_finish,
        has_unfinished=rules.has_unfinished, null_turns=rules.null_turns, has_outs=rules.has_outs,
        plain_turns=rules.plain_turns, adds_pass=program.uses(*PASSING), counters=len(game.counters),
        counters_at=stored, made_at=made_at, stores=made_at + len(game.players), rows_room=ROWS_ROOM, met_room=MET_ROOM,
        way_room=WAY_ROOM, reach_room=legs.REACH_ROOM, reach_last=legs.last_decides(program),
        reaches=legs.one_piece_turns(program) and 1 + legs.removes_pieces(program),
        singles=legs.single_leg_turns(program),
        hands=_has_hands(program), legs_matter=legs.legs_matter(program),
        asks_last=legs.asks_last(program),
        plain_legs=not options.maximal_captures, score=numbers.place(game.score) if game.score else -1,
        lowest_wins=game.lowest_wins, asks_attacks=program.uses("attacked?") and not leaks_flags(program),
    )


def _needs_hashes(rules: Rules) -> bool:
    """Return whether move generation compares positions within a turn: to exclude null turns, or in look-ahead."""
    looks = rules.must_finish or rules.options.maximal_captures > 0
    return not rules.null_turns or (looks and rules.program.has_legs)


def _has_hands(program: Program) -> bool:
    """Return whether the number of pieces off the board may change."""
    options = program.game.options
    return any(program.drops) or bool(options.recycle_captures) or options.recycle_promotions


# --------------------------------------------------------------------------------------------------------- the board


def _board(builder: _Builder) -> None:
    program, game = builder.program, builder.program.game
    squares = len(game.board.places)
    builder.put(m.steps, (p for side in program.steps for table in side for p in table))
    builder.put(m.zones, _zone_bits(program, squares))
    builder.put(m.goal_square, (s in program.goal_positions for s in range(squares)))
    builder.put(m.near_from, _running(len(n) for n in program.neighbours))
    builder.put(m.near, (p for n in program.neighbours for p in n))
    lists = [zone[player] for zone in game.board.zones for player in range(len(game.players))]
    builder.put(m.zone_from, _running(len(s) for s in lists))
    builder.put(m.zone_squares, (p for s in lists for p in s))
    words = range((squares + 63) // 64)
    builder.put(m.zone_bits, _masks([[sum(1 << p for p in set(s)) for s in lists]], len(words)))
    builder.put(m.zone_once, (all(len(set(s)) == len(s) for s in zone) for zone in game.board.zones))


def _zone_bits(program: Program, squares: int) -> bytes:
    bits = bytearray()
    for zone in program.zone_sets:
        for members in zone:
            row = bytearray(squares)
            for square in members:
                row[square] = 1
            bits += row
    return bytes(bits)


def _running(sizes: Iterable[int]) -> list[int]:
    """Return the prefix sums with a leading 0: the start of each list when they are concatenated."""
    totals = [0]
    for size in sizes:
        totals.append(totals[-1] + size)
    return totals


# ---------------------------------------------------------------------------------------------------------- routines


def _routines(
    builder: _Builder, moves: list[Routine], drops: list[Routine], numbers: Numbers,
) -> dict[tuple[int, ...], int]:
    program = builder.program
    every = [*moves, *drops]
    code, starts, types = _code(program, every, numbers)
    builder.tables["code"] = code
    builder.put(m.add_types, (kind for row in types for kind in row))
    builder.put(m.routine_code, starts)
    builder.put(m.routine_type, (r.piece for r in every))
    builder.put(m.routine_move_type, (r.move_type for r in every))
    builder.put(m.moves_from, _running(len(r) for r in program.moves))
    players = range(len(program.game.players))
    lists = [tuple(drop_squares(program, r, player)) for r in drops for player in players]
    builder.put(m.drop_from, _running(len(s) for s in lists))
    builder.put(m.drop_squares, (p for s in lists for p in s))
    builder.put(m.drop_empty, (not leaks_flags(program) and _wants_empty(r) for r in drops))
    return types


def _wants_empty(routine: Routine) -> bool:
    """Return whether a drop block runs on all squares and does nothing on an occupied one."""
    first = routine.code[0]
    return (
        routine.zone < 0 and routine.position < 0
        and (first.name, first.where, first.want, first.target) == ("empty?", HERE, True, BLOCK_END)
    )


def _code(
    program: Program, routines: list[Routine], numbers: Numbers,
) -> tuple[array[int], list[int], dict[tuple[int, ...], int]]:
    """Return the operation table, the start of each routine in it, and the index of each tuple of `add` types.

    Operations are shared objects: each is encoded once. Routines that share a list of operations share its rows.
    """
    types: dict[tuple[int, ...], int] = {}
    rows = {id(op): _row(op, types, numbers) for op in program.ops}
    begins: dict[int, int] = {}
    starts: list[int] = []
    parts: list[bytes] = []
    total = 0
    for routine in routines:
        begin = begins.get(id(routine.code))
        if begin is None:
            begin = begins[id(routine.code)] = total
            parts += map(rows.__getitem__, map(id, routine.code))
            total += len(routine.code)
        starts.append(begin)
    code = array("i")
    code.frombytes(b"".join(parts))
    return code, starts, types


def _row(op: Op, types: dict[tuple[int, ...], int], numbers: Numbers) -> bytes:
    at, count = types.get(op.types), len(op.types)
    if at is None:
        at = types[op.types] = sum(map(len, types))
    if op.numbers:
        at, count = numbers.place(op.numbers[0]), numbers.place(op.numbers[-1])
    a, b = op.operands(OWN_TYPE, OWN_SIDE) if op.name in CHANGING else (op.a, op.b)
    return _ROW.pack(NUMBERS[op.name], a, b, op.where, op.want, op.target, at, count)


# ----------------------------------------------------------------------------------------------------------- players


def _players(builder: _Builder) -> None:
    program, game = builder.program, builder.program.game
    players = range(len(game.players))
    sides = {turn.side for turn in game.turns}
    builder.put(m.neutral, (0, *(p.kind == "neutral" for p in game.players)))
    builder.put(m.plays, (p.kind == "player" for p in game.players))
    builder.put(m.side_plays, (i in sides for i in players))
    builder.put(m.turn_mover, (t.mover for t in game.turns))
    builder.put(m.turn_side, (t.side for t in game.turns))
    builder.put(m.turn_type, (t.move_type for t in game.turns))
    builder.put(m.teams, (sum(1 << partner for partner in program.game.team(i)) for i in players)
                if len(players) < 63 else [0] * len(players))
    builder.put(m.priorities, game.priorities)
    royal = program.aims.royals
    kinds = range(len(game.pieces))
    builder.put(m.royal, (0 for _ in range(len(game.pieces) + 1)))
    builder.tables["royal"].extend(int(k in royal[p]) for p in players for k in range(-1, len(game.pieces)))
    builder.put(m.start_attributes, (p.attributes for p in game.pieces))
    builder.put(m.captured_as, (p.captured_as for p in game.pieces))
    worth = Rules(program).worth if game.options.maximal_captures == 2 else lambda kind: 0
    builder.put(m.values, (worth(kind) for kind in kinds))


# ----------------------------------------------------------------------------------------------------------- attacks


def attack_tables(layout: Layout, attacks: Attacks) -> dict[str, array[int]]:
    """Return the tables of the attack analysis (`analysis.py`)."""
    params = layout.params
    words, blocks, players, squares = params.words, params.routines, params.players, params.squares
    none = [0] * squares
    hits: list[list[int]] = []
    kinds: list[list[int]] = []
    if attacks.has_hits:
        hits = [attacks.hits.get((block, player), none) for block in range(blocks) for player in range(players)]
        kinds = [none] * players * params.types
    for number, masks in enumerate(hits):
        kind = layout.routines[number // players].piece * players + number % players
        kinds[kind] = [mask | more for mask, more in zip(kinds[kind], masks, strict=True)]
    return {
        m.reach.name: _masks(attacks.reach, words),
        m.opens.name: _sense(attacks.opens, attacks, squares),
        m.closes.name: _sense(attacks.closes, attacks, squares),
        m.routine_hits.name: _masks(hits, words),
        m.kind_hits.name: _masks(kinds, words),
    }


def _sense(sides: list[Sense], attacks: Attacks, squares: int) -> array[int]:
    """Return the bits of `opens` or `closes`, laid out as in `memory.py`; empty if they were not analysed."""
    words = (squares + 63) // 64
    if not attacks.has_sense:
        return array("q")
    bits = array("Q", bytes(8 * len(sides) * squares * squares * words))
    for side, sense in enumerate(sides):
        for (target, square), starts in sense.items():
            for start in squares_of(starts):
                bits[((side * squares + start) * squares + target) * words + (square >> 6)] |= 1 << (square & 63)
        for target, starts in enumerate(attacks.anything[side]):
            for start in squares_of(starts):
                at = ((side * squares + start) * squares + target) * words
                bits[at : at + words] = array("Q", [0xFFFF_FFFF_FFFF_FFFF] * words)
    return array("q", bits.tobytes())


def _masks(rows: list[list[int]], words: int) -> array[int]:
    """Pack bit masks as [row][mask][word]."""
    return array("q", b"".join(mask.to_bytes(8 * words, "little") for row in rows for mask in row))


def with_attacks(layout: Layout, tables: dict[str, array[int]]) -> Layout:
    """Return the layout with these attack tables in use."""
    # In ZRF+ the move may determine whose turn is next, so that `is_calm` can't know the attackers.
    sense = len(tables[m.opens.name]) > 0 and not layout.params.plus
    return layout.extended(tables, {}, reach=2 if len(tables[m.kind_hits.name]) else 1, sense=sense)


# ----------------------------------------------------------------------------------------------------------- numbers


def _numbers(builder: _Builder, numbers: Numbers) -> None:
    game = builder.program.game
    squares = range(len(game.board.places))
    builder.put(m.numbers, numbers.rows)
    builder.put(m.measures, (row.get(s, 0) for measure in game.board.measures for row in measure for s in squares))
    builder.put(m.counter_each, (counter.each for counter in game.counters))


# ------------------------------------------------------------------------------------------------------------- goals


def _goals(builder: _Builder, numbers: Numbers) -> None:
    game = builder.program.game
    trees = Trees(numbers, Starts(builder.program))
    rows: list[int] = []
    for end in game.ends:
        tree = trees.add(end.goal)
        at = len(trees.rows)
        trees.rows.extend(end.players or ())
        local = is_local(end.goal) and end.players is not None
        rows.extend((
            RESULTS.index(end.result), tree, int(goals.asks_state(end.goal)),
            -1 if end.players is None else len(end.players), at, int(local), end.remove, 0,
        ))
    guards = [[trees.add(guard) for guard in turn.guards] for turn in game.turns]
    builder.put(m.guards_from, _running(len(row) for row in guards))
    builder.put(m.guards, (tree for row in guards for tree in row))
    builder.put(m.goal, trees.rows)
    builder.put(m.ends, rows)
    builder.put(m.starts_from, trees.starts.begins)
    builder.put(m.starts, trees.starts.squares)
