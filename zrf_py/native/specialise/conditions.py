"""Compile the end conditions of one game to LLVM: `board_result` of `kernel/goals.py`, specialised to its goals.

Patterns, zones and counts use sets of squares; other goals call the kernel.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import reduce

from llvmlite import ir

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.jit.language import Storage
from zrf_py.jit.translate import BIT, WORD, Kernel
from zrf_py.native.bitboards.bits import Bits
from zrf_py.native.bitboards.endings import is_local, is_own
from zrf_py.native.bitboards.graph import Graph, NotSets, occupied_by, pattern
from zrf_py.native.kernel import cells
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout
from zrf_py.native.specialise.lines import WINDOW, Line, completes, edges, lines_of
from zrf_py.run import goals


def write_ends(kernel: Kernel, program: Program, layout: Layout, kinds: bool) -> None:
    """Write `board_result`; `kinds`: there is a set of squares for each type of piece."""
    _Ends(kernel, program, layout, kinds).write()


class _Ends:
    def __init__(self, kernel: Kernel, program: Program, layout: Layout, kinds: bool) -> None:
        self.kernel = kernel
        self.program = program
        self.trees = layout.tables[m.goal.name]
        self.rows = layout.tables[m.ends.name]
        self.kinds = kinds
        self.own_only = bool(layout.setting.own_only)
        self.function = kernel.functions["board_result"]
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))

    def write(self) -> None:
        """Emit the tests in file order; the first condition that holds decides."""
        for number, end in enumerate(self.program.game.ends):
            row = number * m.END_ROW
            if goals.asks_state(end.goal) or end.result == "out":
                continue
            tree = self.rows[row + m.END_GOAL]
            if end.players is None:
                mover = self.word(m.PositionFields.mover)
                has_mover = self.builder.icmp_signed(">=", mover, WORD(0))
                with self.builder.if_then(has_mover):
                    self._ends_if(self._call(tree, mover), number, mover)
                continue
            for player in end.players:
                if self.rows[row + m.END_LOCAL]:
                    self._near(end.goal, tree, number, player)
                else:
                    self._ends_if(self.goal(end.goal, tree, player), number, WORD(player))
        self.put(m.PositionFields.clean, WORD(1))
        self.builder.ret(WORD(0))

    def _ends_if(self, holds: ir.Value, number: int, player: ir.Value) -> None:
        with self.builder.if_then(holds, likely=False):
            players = len(self.program.game.players)
            self.put(m.PositionFields.result, self.builder.add(player, WORD(number * players)))
            self.put(m.PositionFields.clean, WORD(0))
            self.builder.ret(WORD(0))

    def _near(self, goal: model.Goal, tree: int, number: int, player: int) -> None:
        """Emit a test of a pattern goal. Unless a goal held before, it is limited to what the turn can have changed."""
        occupants = {item for part in _parts(goal) if isinstance(part, model.Relative)
                     for item in part.items if not isinstance(item, int)}
        if not self.kinds and not self.is_single:
            holds = self.builder.call(self.kernel.functions["holds_now"], (WORD(number * m.END_ROW), WORD(player)))
            self._ends_if(self.builder.trunc(holds, BIT), number, WORD(player))
            return
        unasked = self.builder.icmp_signed("==", self.word(m.PositionFields.clean), WORD(0))
        puts_own = self.own_only and self.is_single and len(self.program.game.board.places) > WINDOW
        lines = lines_of(self.program, _parts(goal), player) if puts_own else ()
        possible = unasked if lines else self.builder.or_(self._may_have_put(occupants, player), unasked)
        with self.builder.if_then(possible):
            self._ends_if(self.goal(goal, tree, player), number, WORD(player))
        if lines:
            self._through_last(lines, number, player)

    def _through_last(self, lines: Sequence[Line], number: int, player: int) -> None:
        """Emit the test of the rows through the square where the turn has put its piece."""
        b = self.builder
        last = self.word(m.PositionFields.last_to)
        mine = b.icmp_signed("==", self.word(m.PositionFields.mover), WORD(player))
        with b.if_then(b.and_(mine, b.icmp_signed(">=", last, WORD(0)))):
            own = WORD(player + 1 | lines[0].piece + 1 << 8)
            with b.if_then(b.icmp_signed("==", self.element(m.cell, last), own)):
                before, after = (
                    b.and_(self._window(last, player, first), self._constant(f"edges.{number}.{player}", words, last))
                    for first, words in zip((-WINDOW, 1), edges(lines), strict=True))
                completed: ir.Value = BIT(0)
                for line in lines:
                    completed = b.or_(completed, completes(b, line, before, after))
                self._ends_if(completed, number, WORD(player))

    def _window(self, last: ir.Value, player: int, first: int) -> ir.Value:
        """Emit a word with a bit for each piece of a player on the 64 squares that begin `first` squares after `last`.
        Bits of squares beyond the board are arbitrary."""
        b, words = self.builder, (len(self.program.game.board.places) + 63) // 64
        begin = b.add(last, WORD(first))
        near, shift = b.ashr(begin, WORD(6)), b.and_(begin, WORD(63))
        inside = (b.select(b.icmp_signed("<", word, WORD(words)), word, WORD(words - 1))
                  for word in (near, b.add(near, WORD(1))))
        low, high = (self.element(m.occupied, b.add(word, WORD((player + 1) * words))) for word in inside)
        return b.or_(b.lshr(low, shift), b.shl(b.shl(high, WORD(1)), b.sub(WORD(63), shift)))

    def _constant(self, name: str, words: Sequence[int], index: ir.Value) -> ir.Value:
        """Emit an element of a constant array of words."""
        table = self.kernel.memory.table(self.kernel.module.get_unique_name(name), WORD, lambda: words)
        return self.builder.load(self.builder.gep(table, [index], inbounds=True, source_etype=WORD), typ=WORD)

    def _may_have_put(self, occupants: Collection[model.Occupant], player: int) -> ir.Value:
        """Emit a test of whether the turn may have placed an occupant; cheap if it places only the mover's pieces."""
        if self.own_only and all(map(is_own, occupants)):
            return self.builder.icmp_signed("==", self.word(m.PositionFields.mover), WORD(player))
        return self._has_put(occupants, player)

    def _has_put(self, occupants: Iterable[model.Occupant], player: int) -> ir.Value:
        """Emit a test of whether one of the occupants stands on a square that this turn has written."""
        b = self.builder
        with b.goto_entry_block():
            at, some_put = (b.alloca(kind) for kind in (WORD, BIT))
        b.store(self.word(m.PositionFields.turn_undo), at)
        b.store(BIT(0), some_put)
        loop, body, done = (self.function.append_basic_block(name) for name in ("touched", "square", "asked"))
        b.branch(loop)
        b.position_at_end(loop)
        entry = b.load(at, typ=WORD)
        b.cbranch(b.icmp_signed("<", entry, self.word(m.PositionFields.undo)), body, done)
        b.position_at_end(body)
        square = self.element(m.undo, entry)
        with b.if_then(b.icmp_signed(">=", square, WORD(0))):
            held = self.element(m.cell, square)
            some = b.load(some_put, typ=BIT)
            for occupant in occupants:
                some = b.or_(some, self._stands(occupant, held, player))
            b.store(some, some_put)
        b.store(b.add(entry, WORD(cells.UNDO_WORDS)), at)
        b.branch(loop)
        b.position_at_end(done)
        return b.load(some_put, typ=BIT)

    def _stands(self, occupant: model.Occupant, held: ir.Value, player: int) -> ir.Value:
        """Emit an i1: true if the contents of a cell match an occupant, as in `occupied_by`."""
        b = self.builder
        matches = b.icmp_signed("==", b.ashr(held, WORD(8)), WORD(occupant.piece + 1))
        mine = b.icmp_signed("==", b.and_(held, WORD(255)), WORD(player + 1))
        if occupant.owner in ("own", "opponent"):
            matches = b.and_(matches, mine if occupant.owner == "own" else b.not_(mine))
        return b.not_(matches) if occupant.negated else matches

    # -------------------------------------------------------------------------------------------------------- goals

    def goal(self, goal: model.Goal, tree: int, player: int) -> ir.Value:
        """Emit an i1: true if a goal holds."""
        with suppress(NotSets):
            match goal:
                case _ if is_local(goal):
                    return self._patterns([part for part in _parts(goal) if isinstance(part, model.Relative)], player)
                case model.AllOf("not", (part,)):
                    return self.builder.not_(self.goal(part, self.trees[tree + 2], player))
                case model.AllOf(word, parts):
                    values = [self.goal(part, self.trees[tree + 2 + i], player) for i, part in enumerate(parts)]
                    return reduce(self.builder.and_ if word == "and" else self.builder.or_, values)
                case model.StateGoal():
                    return ir.Constant(BIT, 0)
                case model.Absolute() if goal.places:
                    return self._absolute(goal, player)
                case model.Count(_, _, kind):
                    off = self.program.game.options.include_off_pieces
                    if not (off and not goal.everybody) and (kind < 0 or self.kinds or self.is_single):
                        return self._count(goal, player)
        return self._call(tree, WORD(player))

    def _patterns(self, parts: list[model.Relative], player: int) -> ir.Value:
        """Emit an i1: true if any of the patterns matches anywhere on the board."""
        bits = self.bits(player)
        for part in parts:
            for item in part.items:
                if not isinstance(item, int):
                    self.occupied(bits.graph, item)
        nodes = [pattern(bits.graph, self.program, part, player) for part in parts]
        bits.write(nodes)
        return bits.some(reduce(self.builder.or_, [bits.values[node] for node in nodes], bits.const(0)))

    def _absolute(self, goal: model.Absolute, player: int) -> ir.Value:
        """Emit an i1: true if every square, and some square of every zone, holds one of the occupants."""
        bits = self.bits(player)
        graph = bits.graph
        occupied = graph.nothing
        for occupant in goal.occupants:
            occupied = graph.either(occupied, self.occupied(graph, occupant))
        zones = [self.program.game.board.zones[number][player] for is_zone, number in goal.places if is_zone]
        squares = sum({1 << number for is_zone, number in goal.places if not is_zone})
        bits.write([occupied])
        value = bits.values[occupied]
        result = bits.has_all(value, squares)
        for zone in zones:
            members = bits.const(sum({1 << square for square in zone}))
            result = self.builder.and_(result, bits.some(self.builder.and_(value, members)))
        return result

    def _count(self, goal: model.Count, player: int) -> ir.Value:
        bits = self.bits(player)
        graph = bits.graph
        counted = graph.all
        if goal.piece >= 0 and not graph.single:
            counted = graph.kind(goal.piece)
        if not goal.everybody:
            counted = graph.both(counted, graph.leaf("friend"))
        elif goal.piece < 0 or graph.single:
            counted = graph.inside(graph.other(graph.leaf("empty")))
        bits.write([counted])
        return self.builder.icmp_signed("==", bits.count(bits.values[counted]), WORD(goal.number))

    # ------------------------------------------------------------------------------------------------------ utilities

    @property
    def is_single(self) -> bool:
        return len(self.program.game.pieces) == 1

    def bits(self, player: int) -> Bits:
        graph = Graph(len(self.program.game.board.places), self.is_single)
        return Bits(self.kernel, self.program, graph, self.builder, WORD(player))

    def occupied(self, graph: Graph, occupant: model.Occupant) -> int:
        if not self.kinds and not self.is_single:
            raise NotSets
        return occupied_by(graph, occupant)

    def _call(self, tree: int, player: ir.Value) -> ir.Value:
        answer = self.builder.call(self.kernel.functions["holds"], (WORD(tree), player))
        return self.builder.icmp_signed("!=", answer, WORD(0))

    def word(self, number: int) -> ir.Value:
        return self.element(m.state, WORD(number))

    def element(self, array: Storage, index: ir.Value) -> ir.Value:
        return self.kernel.memory.load(self.builder, array, index)

    def put(self, number: int, value: ir.Value) -> None:
        self.builder.store(value, self.kernel.memory.element(self.builder, m.state, WORD(number)))


def _parts(goal: model.Goal) -> tuple[model.Goal, ...]:
    return goal.parts if isinstance(goal, model.AllOf) else (goal,)
