"""The operations and conditions of the instructions in a game's blocks, for `execution.py` and `steps.py`."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, reduce

from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Fact, Form, Path, Spot
from zrf_py.author.words.logic import joined
from zrf_py.author.words.squares import NAMED, START
from zrf_py.front import model, syntax
from zrf_py.ir import emitter, lower
from zrf_py.ir.ops import HERE, OPS, Op, Program
from zrf_py.ir.traits import Changes


class Reader:
    """Reads blocks of one game; flags have the numbers of its program."""

    def __init__(self, program: Program) -> None:
        self.game = game = program.game
        self.scope = emitter.FileScope()
        self.scope.flags.update({name: number for number, name in enumerate(program.flags)})
        self.scope.position_flags.update({name: number for number, name in enumerate(program.position_flags)})
        self.merged: dict[tuple[tuple[int, ...], bool], list[Form] | None] = {}
        """Results of `rules.forms_of` by `drop` and the ids of a block's instructions, which the program keeps."""
        self.tests = 0  # number of conditions that symbolic execution has examined
        self.rows: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        """Cache of `rows.py`: the steps to the other squares of a row → the directions of such rows."""
        self._ops: dict[int, tuple[syntax.Instruction | syntax.Condition, tuple[Op, ...]]] = {}
        changing = {op.a for op in program.ops if OPS[op.name].changes & Changes.COUNTERS}
        self.fixed = {n: counter.start for n, counter in enumerate(self.game.counters) if n not in changing}
        """Values of the counters that never change."""
        self.sides = sorted({turn.side for turn in game.turns})
        self.steps = [program.steps[side] for side in self.sides]
        self.keeps = not game.options.discard_cascades
        board = game.board
        ahead = {table: 2 * d for d, table in reversed(list(enumerate(board.links)))}
        self.motions = {2 * d + 1: ahead[table] for d, table in enumerate(board.reverse) if table in ahead}
        """Steps against a direction → the equal steps along another one."""

    @cached_property
    def doubles(self) -> dict[int, int]:
        """Map each motion that equals two steps along another to that other motion, unless it leads round a ring."""
        def twice(table: Sequence[int]) -> tuple[int, ...]:
            return tuple(table[after] if after >= 0 else -1 for after in table)

        def ends(table: Sequence[int]) -> bool:
            squares = set(range(len(table)))
            for _ in table:
                squares = {table[square] for square in squares} - {-1}
            return not squares

        motions = range(0, 2 * len(self.game.board.links), 2)
        pairs = {motion: half for motion in motions for half in motions if motion != half and all(
            max(steps[motion]) >= 0 and tuple(steps[motion]) == twice(steps[half]) for steps in self.steps)}
        return {motion: half for motion, half in pairs.items() if half not in pairs and ends(self.steps[0][half])}

    def restricted(self, routine: model.Routine) -> str:
        """Return the zone or position that a drop block begins with; "" if none."""
        first = routine.block.body[0] if routine.block.body else None
        if isinstance(first, syntax.Command) and first.word == "step" and first.place is None:
            name = first.names[0].text
            symbols = self.game.symbols
            if name not in symbols.directions and (name in symbols.zones or name in symbols.positions):
                return name
        return ""

    def as_if(self, tree: syntax.Command) -> syntax.If | None:
        """Return the assignment of a condition to a flag or attribute as an `if`; None for another instruction."""
        if tree.condition is None or isinstance(tree.condition, syntax.Constant):
            return None
        yes, no = (replace(tree, condition=syntax.Constant(answer)) for answer in (True, False))
        return syntax.If(tree.condition, (yes,), (no,), tree.origin)

    def ops(self, tree: syntax.Instruction | syntax.Test | syntax.Comparison) -> tuple[Op, ...]:
        """Return the operations of an instruction, or those that verify a test (cached)."""
        if id(tree) not in self._ops:
            read = syntax.Verify((tree,), tree.origin) if isinstance(tree, syntax.Test | syntax.Comparison) else tree
            self._ops[id(tree)] = tree, lower.operations(self.game, read, self.scope)
        return self._ops[id(tree)][1]

    def test(self, tree: syntax.Test | syntax.Comparison) -> Op:
        """Return the operation of a test; its `want` is False for a negated word such as `not-empty?`."""
        return self.ops(tree)[0]

    def condition(self, tree: syntax.Condition, want: bool, fact: Callable[[Op, bool], Condition]) -> Condition:
        """Convert a condition (negated if `want` is False), with constants folded; `fact(op, want)` converts a test."""
        match tree:
            case syntax.Constant(value):
                return ALWAYS if value == want else NEVER
            case syntax.Logic(word="not"):
                return self.condition(tree.parts[0], not want, fact)
            case syntax.Logic():
                word = tree.word if want else "and" if tree.word == "or" else "or"
                return joined(word, [self.condition(part, want, fact) for part in tree.parts])
        return fact(self.test(tree), want)

    def spot(self, op: Op, cursor: Spot) -> Spot:
        """Return the square that an operation concerns."""
        if op.where == HERE:
            return cursor
        return Spot(NAMED, op.where - 1) if op.where > 0 else self.step(cursor, -op.where - 1)

    def step(self, spot: Spot, motion: int) -> Spot:
        """Return the square one step from `spot`; a step and its opposite cancel each other."""
        motion = self.motion(motion)
        if motion in self.doubles:
            return self.step(self.step(spot, self.doubles[motion]), self.doubles[motion])
        last = spot.path[-1] if spot.path else None
        if isinstance(last, int) and self.motion(last ^ 1) == motion:
            return replace(spot, path=spot.path[:-1])
        return spot.along(motion)

    def motion(self, motion: int) -> int:
        """Return the canonical number of a motion: a step against a direction is often one along another."""
        return self.motions.get(motion, motion)

    def same(self, spot: Spot, other: Spot) -> Condition:
        """Return the condition that two squares are one; NEVER if they differ wherever both exist."""
        if spot == other:
            return ALWAYS
        walks = [step for step in (*spot.path, *other.path) if isinstance(step, int)]
        apart = spot.base == other.base == START and len(walks) == len(spot.path) + len(other.path) and all(
            _end(steps, start, spot.path) != _end(steps, start, other.path) or _end(steps, start, spot.path) < 0
            for steps in self.steps for start in range(len(self.game.board.places)))
        return NEVER if apart else Fact("same?", True, spot, other=other)

    def cycle(self, motion: int) -> frozenset[int]:
        """Return the squares that a motion links if they form one ring, the same for every side; else the empty set."""
        rings = set()
        for steps in self.steps:
            table = steps[motion]
            ring = [max((square for square, after in enumerate(table) if after >= 0), default=-1)]
            while ring[0] >= 0 and table[ring[-1]] not in (ring[0], -1) and len(ring) < len(table):
                ring.append(table[ring[-1]])
            is_ring = len(ring) == sum(after >= 0 for after in table) and table[ring[-1]] == ring[0]
            rings.add(frozenset(ring if is_ring else ()))
        return rings.pop() if len(rings) == 1 else frozenset()

    def flags_there(self, tree: syntax.If) -> Op | None:
        """Return the operation of an `if` that flags a square if it exists, and does no more; None for all others."""
        test = self.test(tree.condition) if isinstance(tree.condition, syntax.Test) else Op("")
        flags = self.plain(tree.then) if not tree.otherwise else []
        parts = (test.name, test.want, [(op.name, op.where) for op in flags])
        return flags[0] if parts == ("on-board?", True, [("set-position-flag", test.where)]) else None

    def is_idle(self, fact: Condition, path: Path) -> bool:
        """Return whether a "not in zone" test is redundant: no step of the run leads on from the zone's squares."""
        if len(path) != 1 or not isinstance(fact, Fact) or fact != Fact("in-zone?", False, Spot(), fact.a):
            return False
        board, step = self.game.board, path[0]
        return isinstance(step, int) and step % 2 == 0 and all(
            board.links[board.symmetry[player][step // 2]][square] < 0
            for player, squares in enumerate(board.zones[fact.a]) for square in squares)

    def fold_constants(self, numbers: tuple[model.Number, ...]) -> tuple[model.Number, ...]:
        """Return numbers with the counters that never change replaced by their values."""
        return tuple(
            model.Number("number", self.fixed[n.a]) if n.kind == "counter" and n.a in self.fixed
            else replace(n, parts=self.fold_constants(n.parts)) for n in numbers)

    def only_step(self, body: Sequence[syntax.Instruction]) -> int:
        """Return the motion of a body that is a single step; -1 for any other body."""
        ops = self.plain(body)
        return ops[0].a if len(ops) == 1 and ops[0].name == "step" else -1

    def plain(self, body: Sequence[syntax.Instruction]) -> list[Op]:
        """Return the operations of `body`; [] if an instruction is no command, or assigns the value of a condition."""
        if not all(isinstance(tree, syntax.Command) and (
                tree.condition is None or isinstance(tree.condition, syntax.Constant)) for tree in body):
            return []
        return [op for tree in body for op in self.ops(tree)]


def size(body: Sequence[syntax.Instruction]) -> int:
    """Return the number of instructions, including nested ones."""
    parts = ("then", "otherwise", "body")
    return sum(1 + sum(size(getattr(tree, part, ())) for part in parts) for tree in body)


def _end(steps: Sequence[Sequence[int]], square: int, path: Path) -> int:
    """Return the square that a path without runs leads to; -1 if it leaves the board."""
    return reduce(lambda at, motion: steps[motion][at] if isinstance(motion, int) and at >= 0 else -1, path, square)
