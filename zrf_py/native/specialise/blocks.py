"""Assemble the code of one game from its blocks, and write the kernel functions that dispatch to them.

`emit.py` writes a single block.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain, groupby

from llvmlite import ir

from zrf_py.ir.ops import ATTACKING, Op, Program, Routine
from zrf_py.jit.language import MANY
from zrf_py.jit.translate import WORD, Kernel, cases
from zrf_py.native.kernel import memory as m
from zrf_py.native.kernel.reached import reach_gates
from zrf_py.native.layout import Layout
from zrf_py.native.specialise.emit import write_block
from zrf_py.native.specialise.gates import Gates, Route
from zrf_py.native.specialise.rays import Rays
from zrf_py.native.specialise.templates import Made, Template, demands_of, rest_of, template_of
from zrf_py.native.specialise.writer import Writer

GIVEN = ("run", "run_piece", "look_piece", "run_drop", "count_piece", "count_drop", "draw_piece", "tally_piece",
         "reach_piece", "fill_gates")
"""Kernel functions that are written here instead of being translated from the kernel's source."""


def write_blocks(kernel: Kernel, program: Program, layout: Layout) -> None:
    """Write every block of a game, and the functions that choose among them."""
    _Game(kernel, program, layout).write()


@dataclass(frozen=True)
class _Rest:
    """A block: `unguarded` has no guards, `routes` are the paths through its first operations, `after` is the rest."""

    routine: Routine
    unguarded: Routine
    after: Routine
    routes: tuple[Route, ...]


class _Game:
    def __init__(self, kernel: Kernel, program: Program, layout: Layout) -> None:
        self.kernel = kernel
        self.layout = layout
        self.numbers = {id(routine): i for i, routine in enumerate(layout.routines)}
        self.program = program
        self.looks = bool(layout.params.has_royals) or program.uses(*ATTACKING)
        """True if the game needs attack searches."""
        self.counts = bool(layout.setting.counts)
        self.templates: dict[tuple[Template, str, bool], ir.Function] = {}
        self.draws = bool(layout.setting.draws)
        self.tallies = bool(layout.setting.tallies)
        self.rays = Rays(kernel, program)
        self.made: Made = {}
        self.gates = Gates(kernel, program) if layout.sizes[reach_gates.name] > 1 else None

    def write(self) -> None:
        self._pieces("run_piece", "moves")
        self._pieces("look_piece", "look" if self.looks else "")
        self._pieces("count_piece", "count" if self.counts else "")
        self._pieces("tally_piece", "tally" if self.tallies else "")
        self._pieces("draw_piece", "draw" if self.draws else "")
        self._pieces("reach_piece", "reach" if self.layout.params.reaches else "")
        if self.gates:
            self.gates.write()
        else:
            ir.IRBuilder(self.kernel.functions["fill_gates"].append_basic_block("entry")).ret(WORD(0))
        self._drops("run_drop", "moves")
        self._drops("count_drop", "count" if self.counts else "")
        self._run()

    def number(self, routine: Routine) -> ir.Value:
        return WORD(self.numbers[id(routine)])

    def template(self, routine: Routine, mode: str, drop: bool) -> tuple[ir.Function, tuple[int, ...]]:
        template, motions = template_of(routine, self.made)
        return self._written(template, mode, drop, self.program.game.pieces[routine.piece].name), motions

    def _written(self, template: Template, mode: str, drop: bool, name: str) -> ir.Function:
        key = template, mode, drop
        function = self.templates.get(key)
        if function is None:
            name = f"{name}.{mode}.{len(self.templates)}"
            writer = Writer(self.kernel, template, name, mode, drop, self.layout, self.rays)
            function = self.templates[key] = write_block(writer)
        return function

    def _pieces(self, name: str, mode: str) -> None:
        """Write `name(square, side, move type[, target or limit])`: run the blocks of the piece on the square."""
        function = self.kernel.functions[name]
        square, side, move_type = function.args[:3]
        target = function.args[3] if len(function.args) > 3 else WORD(-1)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        done = function.append_basic_block("done")
        if mode:
            address = self.kernel.memory.element(builder, m.cell, square)
            held = builder.load(address, typ=ir.IntType(m.cell.bits))
            switch = builder.switch(builder.ashr(held, ir.Constant(held.type, 8)), done)
            for kind, routines in enumerate(self.program.moves):
                block = function.append_basic_block(self.program.game.pieces[kind].name)
                switch.add_case(ir.Constant(held.type, kind + 1), block)
                builder.position_at_end(block)
                if mode == "reach":
                    self._reach_all(builder, routines, (square, side, move_type))
                    builder.ret(WORD(0))
                elif mode == "draw":
                    self._draw(builder, routines, (square, side, move_type, target))
                    builder.ret(WORD(-1))
                else:
                    builder.ret(self._run_all(builder, routines, (square, side, move_type, target), mode))
        else:
            builder.branch(done)
        builder.position_at_end(done)
        builder.ret(WORD(0))

    def _run_all(
        self, builder: ir.IRBuilder, routines: Sequence[Routine], arguments: Sequence[ir.Value], mode: str,
    ) -> ir.Value:
        """Emit code that runs blocks one after the other; return their total count, 0 if they don't count."""
        square, side, move_type, target = arguments
        counted = False
        total: ir.Value = WORD(0)
        for routine in routines:
            before = builder.block
            with _if_wanted(builder, move_type, routine.move_type):
                quiet = mode == "tally" and template_of(routine, self.made)[0].is_quiet
                function, motions = self.template(routine, "moves" if mode == "tally" and not quiet else mode, False)
                values = (square, side, self.number(routine), target, *map(WORD, motions))
                if mode == "look":
                    self._look(builder, function, values)
                    continue
                count = builder.call(function, values)
                counted = mode == "count" or quiet
                if counted:
                    more = builder.add(total, count)
                    if mode == "count":
                        with builder.if_then(builder.icmp_signed(">=", more, target)):
                            builder.ret(more)
                    last = builder.block
            if counted:
                both = builder.phi(WORD)
                both.add_incoming(total, before)
                both.add_incoming(more, last)
                total = both
        return total

    def _draw(self, builder: ir.IRBuilder, routines: Sequence[Routine], arguments: Sequence[ir.Value]) -> None:
        """Emit code that counts the records of each block until one has record number `left`, writes the records of
        that block, and returns the record's number among them."""
        square, side, move_type, target = arguments
        left = builder.alloca(WORD)
        builder.store(target, left)
        for routine in routines:
            with _if_wanted(builder, move_type, routine.move_type):
                function, motions = self.template(routine, "count", False)
                values = (square, side, self.number(routine), WORD(MANY), *map(WORD, motions))
                rest = builder.sub(builder.load(left, typ=WORD), builder.call(function, values))
                with builder.if_then(builder.icmp_signed("<", rest, WORD(0))):
                    builder.call(self.template(routine, "moves", False)[0], values)
                    builder.ret(builder.load(left, typ=WORD))
                builder.store(rest, left)

    def _reach_all(
        self, builder: ir.IRBuilder, routines: Sequence[Routine], arguments: Sequence[ir.Value],
    ) -> None:
        """Emit code that passes the legs of blocks to `take_leg`; guards shared by adjacent blocks are tested once."""
        square, side, move_type = arguments
        each = [(*demands_of(routine), routine) for routine in routines]
        for (block_type, demands), group in groupby(each, lambda row: (row[2].move_type, row[0])):
            blocks = [(routine, rest) for _, rest, routine in group]
            with _if_wanted(builder, move_type, block_type):
                for _, some in groupby(blocks, self._alike):
                    self._reach(builder, [*some], demands, (square, side))

    def _alike(self, blocks: tuple[Routine, Routine]) -> tuple[Template, Template] | None:
        """Return a key: blocks with equal keys run in one loop over their paths. None if a block can't run that way."""
        rest = self._rest(blocks)
        return (template_of(rest.unguarded, self.made)[0], template_of(rest.after, self.made)[0]) if rest else None

    def _rest(self, blocks: tuple[Routine, Routine]) -> _Rest | None:
        """Return a block, given as in `_reach`, with the paths through its first operations; None if the rest cannot
        run from the ends of these paths, or if the block writes records."""
        routine, unguarded = blocks
        routes = self.gates.routes(unguarded) if self.gates else None
        rest = rest_of(unguarded, *routes[:2]) if routes else None
        if routes is None or rest is None or not template_of(unguarded, self.made)[0].is_direct:
            return None
        return _Rest(routine, unguarded, rest, routes[2])

    def _reach(
        self, builder: ir.IRBuilder, blocks: Sequence[tuple[Routine, Routine]], demands: tuple[Op, ...],
        place: tuple[ir.Value, ir.Value],
    ) -> None:
        """Emit the code for blocks with the same guards, each given as (block, the block without its guards)."""
        rests = [rest for pair in blocks if (rest := self._rest(pair)) and rest.routes]
        routes = [rest.routes for rest in rests]
        if self.gates and rests and self.gates.suits(routes):
            self._reach_routes(builder, rests, demands, place)
            return
        with self._passed(builder, demands, place):
            for routine, unguarded in blocks:
                self._reach_one(builder, unguarded, place, [*map(WORD, self._numbers(routine, unguarded))])

    def _reach_routes(
        self, builder: ir.IRBuilder, rests: Sequence[_Rest], demands: tuple[Op, ...], place: tuple[ir.Value, ir.Value],
    ) -> None:
        """Emit the code for blocks of one template, which run from the ends of their open paths."""
        assert self.gates
        routes = [route for rest in rests for route in rest.routes]
        opens, unknown = self.gates.open_routes(builder, [rest.routes for rest in rests], *place)
        rows = [self._numbers(rest.routine, rest.after) + self._numbers(rest.routine, rest.unguarded)[1:]
                for rest in rests for _ in rest.routes]
        size = 1 + len(template_of(rests[0].after, self.made)[1])
        with (builder.if_then(_some(builder, opens)), self._passed(builder, demands, place),
              self._each(builder, opens, rows) as (bit, numbers), ExitStack() as known):
            if unknown is not None:
                is_unknown = builder.trunc(builder.lshr(unknown, bit), ir.IntType(1))
                some, none = known.enter_context(builder.if_else(is_unknown, likely=False))
                with some:
                    self._reach_one(builder, rests[0].unguarded, place, (numbers[0], *numbers[size:]))
                known.enter_context(none)
            landing = self.gates.landing(builder, routes, bit, *place)
            self._reach_one(builder, rests[0].after, place, numbers[:size], landing)

    def _numbers(self, routine: Routine, rest: Routine) -> list[int]:
        """Return a block's number and the motions of its part `rest`."""
        return [self.numbers[id(routine)], *template_of(rest, self.made)[1]]

    @contextmanager
    def _passed(
        self, builder: ir.IRBuilder, demands: tuple[Op, ...], place: tuple[ir.Value, ir.Value],
    ) -> Iterator[None]:
        """Emit the guards; the code emitted within this context runs if they pass."""
        if not demands:
            yield
            return
        guards = self._written(Template((*demands, Op("end")), 0), "ask", False, "demands")
        passed = builder.call(guards, (*place, WORD(0), WORD(-1)))
        with builder.if_then(builder.icmp_signed("!=", passed, WORD(0))):
            yield

    @contextmanager
    def _each(
        self, builder: ir.IRBuilder, bits: ir.Value, rows: Sequence[Sequence[int]],
    ) -> Iterator[tuple[ir.Value, list[ir.Value]]]:
        """Emit a loop over the set bits of a nonzero number; yield the bit's index and the row with that index."""
        size = len(rows[0])
        name = self.kernel.module.get_unique_name("blocks")
        table = self.kernel.memory.table(name, WORD, lambda: [*chain(*rows)])
        before, loop, done = builder.block, builder.append_basic_block("next"), builder.append_basic_block("through")
        builder.branch(loop)
        builder.position_at_end(loop)
        left = builder.phi(WORD)
        left.add_incoming(bits, before)
        bit = builder.cttz(left, ir.IntType(1)(1))
        at = builder.mul(bit, WORD(size))
        places = (builder.gep(table, [builder.add(at, WORD(i))], inbounds=True, source_etype=WORD) for i in range(size))
        yield bit, [builder.load(place, typ=WORD) for place in places]
        rest = builder.and_(left, builder.sub(left, WORD(1)))
        left.add_incoming(rest, builder.block)
        builder.cbranch(_some(builder, rest), loop, done)
        builder.position_at_end(done)

    def _reach_one(
        self, builder: ir.IRBuilder, rest: Routine, place: tuple[ir.Value, ir.Value], numbers: Sequence[ir.Value],
        landing: ir.Value | None = None,
    ) -> None:
        """Emit the code for a block, or for its rest from the square `landing` on; `numbers` as in `_numbers`."""
        direct = template_of(rest, self.made)[0].is_direct
        function, _ = self.template(rest, "land" if landing else "reach" if direct else "moves", False)
        base = None if direct else self.kernel.memory.load(builder, m.state, WORD(m.PositionFields.top))
        builder.call(function, (*place, numbers[0], WORD(-1), *numbers[1:], *([landing] if landing else [])))
        if base is not None:
            builder.call(self.kernel.functions["take_records"], (base, place[0]))

    def _look(self, builder: ir.IRBuilder, function: ir.Function, arguments: Sequence[ir.Value]) -> None:
        """Emit code that runs a block if it may hit the target, and returns 1 if it does."""
        square, side, number, target, *_ = arguments
        possible = builder.call(self.kernel.functions["may_hit"], (number, side, square, target))
        with builder.if_then(builder.icmp_signed("!=", possible, WORD(0))):
            hit = builder.call(function, arguments)
            with builder.if_then(builder.icmp_signed("!=", hit, WORD(0))):
                builder.ret(WORD(1))

    def _run(self) -> None:
        """Write `run(routine, square, side)`: run one move block, in games that draw their moves by sets."""
        function = self.kernel.functions["run"]
        number, square, side = function.args
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        moves = self.layout.params.routines if self.layout.setting.sets else 0
        for i in cases(builder, number, ["move"] * moves):
            template, motions = self.template(self.layout.routines[i], "moves", False)
            builder.call(template, (square, side, WORD(i), WORD(-1), *map(WORD, motions)))
        builder.ret(WORD(0))

    def _drops(self, name: str, mode: str) -> None:
        """Write `name(number, square, side[, limit])`: run one drop block on a square."""
        function = self.kernel.functions[name]
        number, square, side = function.args[:3]
        limit = function.args[3] if len(function.args) > 3 else WORD(-1)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        drops = self.layout.routines[self.layout.params.routines :] if mode else ()
        for i in cases(builder, number, ["drop"] * len(drops)):
            template, motions = self.template(drops[i], mode, True)
            builder.ret(builder.call(template, (square, side, self.number(drops[i]), limit, *map(WORD, motions))))
        builder.ret(WORD(0))


def _if_wanted(builder: ir.IRBuilder, move_type: ir.Value, block_type: int) -> AbstractContextManager[ir.Block]:
    """Emit a test of a block's move type; code emitted in this context runs if `move_type` is that type or -1 (any)."""
    context: AbstractContextManager[ir.Block] = builder.if_then(builder.or_(
        builder.icmp_signed("<", move_type, WORD(0)), builder.icmp_signed("==", move_type, WORD(block_type))))
    return context


def _some(builder: ir.IRBuilder, bits: ir.Value) -> ir.Value:
    return builder.icmp_signed("!=", bits, WORD(0))
