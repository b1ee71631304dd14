"""Compile kernel functions to LLVM IR: a compiler for the Python subset that `language.py` describes.

Locals become stack slots, which LLVM promotes to registers; every value is an i64. Names are resolved through the
module that defines a function, so an import in the kernel is an import for the compiler too.

An array is either `bound` (a pointer that Python sets: one compiled kernel for all games) or `fixed` (a global of known
size, with known contents if constant: the compiler folds the tables of one game).
"""

import ast
import inspect
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType

from llvmlite import ir

from zrf_py.jit import language
from zrf_py.jit.language import Array, Record, Rows, Storage, bit_count, lowest_bit, nth_bit, shift_right
from zrf_py.jit.shared import SPECIAL

WORD = ir.IntType(64)
BIT = ir.IntType(1)
POINTER = ir.PointerType()

_COMPARE: Mapping[type, tuple[str, Callable[[int, int], bool]]] = {
    ast.Eq: ("==", operator.eq), ast.NotEq: ("!=", operator.ne), ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le), ast.Gt: (">", operator.gt), ast.GtE: (">=", operator.ge),
}
_BINARY: Mapping[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and_", ast.BitOr: "or_", ast.BitXor: "xor",
    ast.LShift: "shl", ast.RShift: "ashr", ast.FloorDiv: "sdiv", ast.Mod: "srem",
}


class KernelError(Exception):
    """A kernel function is outside the kernel language, or its name is taken: a bug in zrf_py."""


class Memory:
    """Placement of the arrays of a module."""

    def __init__(
        self, module: ir.Module, fixed: Mapping[str, tuple[int, bytes | None]] | None = None, checked: bool = False,
    ) -> None:
        """`fixed` maps array names to (number of elements, contents or None for zeros); all other arrays are bound.

        `checked` (for fixed arrays): an index out of bounds becomes 0 and is counted in the global `outside`.
        """
        self.module = module
        self.outside: ir.GlobalVariable | None = None
        if checked:
            self.outside = ir.GlobalVariable(module, WORD, "outside")
            self.outside.initializer = WORD(0)
        self.fixed = fixed
        self.globals: dict[str, ir.GlobalVariable] = {}

    def element(self, builder: ir.IRBuilder, array: Storage, index: ir.Value) -> ir.Value:
        """Return the address of an element."""
        unit = ir.IntType(array.bits)
        pointer = self.globals.get(array.name) or self._declare(array)
        if self.fixed is None or array.name not in self.fixed:
            return builder.gep(builder.load(pointer, typ=POINTER), [index], inbounds=True, source_etype=unit)
        if self.outside is not None:
            index = self._checked(builder, index, self.fixed[array.name][0])
        return builder.gep(pointer, [index], inbounds=True, source_etype=unit)

    def load(self, builder: ir.IRBuilder, array: Storage, index: ir.Value) -> ir.Value:
        """Emit the value of an element, extended to a word."""
        loaded = builder.load(self.element(builder, array, index), typ=ir.IntType(array.bits))
        return loaded if array.bits == 64 else builder.sext(loaded, WORD)

    def known(self, array: Storage, index: int) -> int | None:
        """Return an element of a constant array if its contents are known at compile time, else None."""
        data = self.fixed[array.name][1] if self.fixed is not None and array.name in self.fixed else None
        width = array.bits // 8
        if data is None or not 0 <= index < len(data) // width:
            return None
        return int.from_bytes(data[index * width : (index + 1) * width], "little", signed=True)

    def table(self, name: str, unit: ir.IntType, values: Callable[[], Sequence[int]]) -> ir.GlobalVariable:
        """Return the constant array `name` of the module; on first use, add it with the elements `values()`."""
        table = self.module.globals.get(name)
        if table is None:
            numbers = values()
            kind = ir.ArrayType(unit, len(numbers))
            table = ir.GlobalVariable(self.module, kind, name)
            table.initializer = kind(bytearray(numbers) if unit.width == 8 else list(numbers))
            table.global_constant, table.linkage, table.type = True, "internal", POINTER
        return table

    def _checked(self, builder: ir.IRBuilder, index: ir.Value, size: int) -> ir.Value:
        inside = builder.icmp_unsigned("<", index, WORD(max(size, 1)))
        count = builder.load(self.outside, typ=WORD)
        builder.store(builder.add(count, builder.zext(builder.not_(inside), WORD)), self.outside)
        return builder.select(inside, index, WORD(0))

    def _declare(self, array: Storage) -> ir.GlobalVariable:
        data = None
        if self.fixed is None or array.name not in self.fixed:
            variable = ir.GlobalVariable(self.module, POINTER, f"array.{array.name}")
            variable.initializer = ir.Constant(POINTER, None)
        else:
            size, data = self.fixed[array.name]
            kind = ir.ArrayType(ir.IntType(array.bits), max(size, 1))
            variable = ir.GlobalVariable(self.module, kind, f"array.{array.name}")
            variable.initializer = _contents(kind, array.bits, data)
            variable.global_constant = data is not None
            variable.align = 64
        variable.type = POINTER
        if self.fixed is None or array.name not in self.fixed or data is not None:
            variable.linkage = "internal"
        self.globals[array.name] = variable
        return variable

    def declare(self, arrays: Iterable[Storage]) -> None:
        """Declare all of these arrays, even those that no function uses, because Python looks up their addresses."""
        for array in arrays:
            if array.name not in self.globals:
                self._declare(array)

    def binder(self, arrays: Sequence[Storage]) -> None:
        """Emit `bind(number, address)`, through which Python sets the address of an array."""
        function = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [WORD, POINTER]), "bind")
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        for number in cases(builder, function.args[0], [array.name for array in arrays]):
            name = arrays[number].name
            builder.store(function.args[1], self.globals.get(name) or self._declare(arrays[number]))
        builder.ret_void()


def cases(builder: ir.IRBuilder, number: ir.Value, names: Iterable[str], first: int = 0) -> Iterator[int]:
    """Emit a switch over as many numbers as there are `names`, beginning with `first`. While a number is yielded, code
    goes into the block of its case; afterwards, it goes after the switch, where cases that don't return continue."""
    done = builder.append_basic_block("done")
    switch = builder.switch(number, done)
    for case, name in enumerate(names, first):
        block = builder.append_basic_block(name)
        switch.add_case(number.type(case), block)
        builder.position_at_end(block)
        yield case
        if not builder.block.is_terminated:
            builder.branch(done)
    builder.position_at_end(done)


def _contents(kind: ir.ArrayType, bits: int, data: bytes | None) -> ir.Constant:
    if data is None or not any(data):
        return ir.Constant(kind, None)
    width = bits // 8
    values = [int.from_bytes(data[i : i + width], "little", signed=True) for i in range(0, len(data), width)]
    return ir.Constant(kind, values)


class _Functions(dict[str, ir.Function]):
    """Functions by name; records the names that were looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted: dict[str, None] = {}

    def __getitem__(self, name: str) -> ir.Function:
        self.wanted.setdefault(name)
        return super().__getitem__(name)


class Kernel:
    """All functions of the kernel modules. All are declared first; only reachable ones are translated."""

    def __init__(self, module: ir.Module, memory: Memory, sources: Sequence[ModuleType]) -> None:
        self.module = module
        self.memory = memory
        self.functions = _Functions()
        self.bodies: dict[str, tuple[ast.FunctionDef, ModuleType]] = {}
        self.hooks: set[str] = set()
        for source in (language, *sources):
            tree = ast.parse(Path(inspect.getfile(source)).read_text("utf-8"))
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and (source is not language or node.name == nth_bit.__name__):
                    self._declare(node, source)

    def _declare(self, node: ast.FunctionDef, source: ModuleType) -> None:
        kind = ir.FunctionType(WORD, [WORD] * len(node.args.args))
        if node.name in self.bodies and node.name in self.hooks:
            self.bodies[node.name] = node, source
            return
        if node.name in self.bodies:
            raise KernelError(f"{source.__name__}:{node.lineno}: another module also defines `{node.name}`")
        function = ir.Function(self.module, kind, node.name)
        marks = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        if "entry" in marks:
            self.functions.wanted[node.name] = None
        else:
            function.linkage = "internal"
        if "hook" in marks:
            self.hooks.add(node.name)
        if marks & {"inline", "hook"}:
            function.attributes.add("alwaysinline")
        if "apart" in marks:
            function.attributes.add("noinline")
        function.attributes.add("nounwind")
        for argument, name in zip(function.args, node.args.args, strict=True):
            argument.name = name.arg
        self.functions[node.name] = function
        self.bodies[node.name] = node, source

    def translate(self, external: Collection[str] = ()) -> None:
        """Translate the reachable functions except those in `external`, which are defined elsewhere; drop the rest."""
        done: set[str] = set()
        while left := [name for name in self.functions.wanted if name not in done]:
            for name in left:
                done.add(name)
                if name not in external:
                    _Function(self, *self.bodies[name]).translate()
        for name, function in self.functions.items():
            if name not in done and not function.blocks:
                del self.module.globals[name]


class _Function:
    """Translation of one function."""

    def __init__(self, kernel: Kernel, node: ast.FunctionDef, source: ModuleType) -> None:
        self.kernel = kernel
        self.node = node
        self.source = source
        self.function = kernel.functions[node.name]
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.slots: dict[str, ir.Value] = {}
        self.loops: list[tuple[ir.Block, ir.Block]] = []

    def translate(self) -> None:
        for argument in self.function.args:
            self._slot(argument.name)
        for node in ast.walk(self.node):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._slot(node.id)
        for argument in self.function.args:
            self.builder.store(argument, self.slots[argument.name])
        self.body(self.node.body)
        if not self.builder.block.is_terminated:
            self.builder.ret(WORD(0))

    def _slot(self, name: str) -> None:
        if name not in self.slots:
            self.slots[name] = self.alloca(name)

    def alloca(self, name: str = "") -> ir.Value:
        """Allocate a stack slot. It goes into the entry block, because LLVM promotes only slots there to registers."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(WORD, name=name)

    def fail(self, node: ast.AST, message: str) -> KernelError:
        return KernelError(f"{self.source.__name__}:{getattr(node, 'lineno', '?')}: {message}")

    def block(self, name: str) -> ir.Block:
        return self.function.append_basic_block(name)

    def goto(self, block: ir.Block) -> None:
        if not self.builder.block.is_terminated:
            self.builder.branch(block)

    # -------------------------------------------------------------------------------------------------- statements

    def body(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            if self.builder.block.is_terminated:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value):
                self.value(value)
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(values)) if len(targets) == len(values):
                for part, number in zip(targets, [*map(self.value, values)], strict=True):
                    self.assign(part, number)
            case ast.Assign([target], value):
                self.assign(target, self.value(value))
            case ast.AugAssign(target, operation, value):
                self.assign(target, self.binary(node, operation, self.value(target), self.value(value)))
            case ast.Return(value):
                self.builder.ret(self.value(value) if value is not None else WORD(0))
            case ast.If():
                self.if_(node)
            case ast.While():
                self.while_(node)
            case ast.For():
                self.for_(node)
            case ast.Break():
                self.builder.branch(self.loops[-1][1])
            case ast.Continue():
                self.builder.branch(self.loops[-1][0])
            case _:
                raise self.fail(node, f"not a statement of the kernel language: {type(node).__name__}")

    def assign(self, target: ast.expr, value: ir.Value) -> None:
        match target:
            case ast.Name(name):
                self.builder.store(value, self.slots[name])
            case ast.Subscript() | ast.Attribute():
                array, index = self.element(target)
                address = self.kernel.memory.element(self.builder, array, index)
                if array.bits < 64:
                    value = self.builder.trunc(value, ir.IntType(array.bits))
                self.builder.store(value, address)
            case _:
                raise self.fail(target, "cannot assign to this")

    def if_(self, node: ast.If) -> None:
        constant = self.fold(node.test)
        if constant is not None:
            self.body(node.body if constant else node.orelse)
            return
        then_block, otherwise, done = self.block("then"), self.block("else"), self.block("done")
        self.branch(node.test, then_block, otherwise)
        self.builder.position_at_end(then_block)
        self.body(node.body)
        self.goto(done)
        self.builder.position_at_end(otherwise)
        self.body(node.orelse)
        self.goto(done)
        self.builder.position_at_end(done)

    def while_(self, node: ast.While) -> None:
        self.loop(lambda body, done: self.branch(node.test, body, done), lambda: self.body(node.body))

    def for_(self, node: ast.For) -> None:
        match node:
            case ast.For(ast.Name(name), ast.Call(ast.Name("range" | "squares_of" as over), bounds)) if (
                    len(bounds) in {"range": (1, 2), "squares_of": (3,)}[over]):
                if ast.dump(node).count(f"Name(id='{name}', ctx=Store())") > 1:
                    raise self.fail(node, f"the loop body must not assign to the loop variable `{name}`")
            case _:
                raise self.fail(node, "unsupported loop: only `for NAME in range(…)` or `squares_of(…)` is allowed")
        if over == "squares_of":
            self.each_square(node, self.slots[name], *bounds)
        elif len(bounds) == 2 or self.fold(bounds[0]) != 0:
            first = self.value(bounds[0]) if len(bounds) == 2 else WORD(0)
            self.count(self.slots[name], first, self.value(bounds[-1]), lambda: self.body(node.body))

    def each_square(self, node: ast.For, slot: ir.Value, sets: ast.expr, number: ast.expr, words: ast.expr) -> None:
        """Translate a loop over `squares_of`: over the words of a set, and over the bits of each."""
        array, b = self.meaning(sets), self.builder
        if not isinstance(array, Array) or array.bits != 64:
            raise self.fail(node, f"sets of squares must be in an array of 64-bit words: {ast.unparse(sets)}")
        count = self.value(words)
        begin = b.mul(self.value(number), count)
        word, left = self.alloca(), self.alloca()

        def squares_of_word() -> None:
            b.store(self.kernel.memory.load(b, array, b.add(begin, b.load(word, typ=WORD))), left)
            self.loop(lambda body, done: b.cbranch(b.icmp_signed("!=", b.load(left, typ=WORD), WORD(0)), body, done),
                      square, self.loops[-1][1])

        def square() -> None:
            bits = b.load(left, typ=WORD)
            b.store(b.and_(bits, b.sub(bits, WORD(1))), left)
            b.store(b.add(b.mul(b.load(word, typ=WORD), WORD(64)), b.cttz(bits, BIT(0))), slot)
            self.body(node.body)

        self.count(word, WORD(0), count, squares_of_word)

    def count(self, slot: ir.Value, first: ir.Value, last: ir.Value, body: Callable[[], None]) -> None:
        """Emit a loop in which the counter in `slot` runs from `first` to `last` - 1."""
        b = self.builder
        b.store(first, slot)
        self.loop(lambda then, done: b.cbranch(b.icmp_signed("<", b.load(slot, typ=WORD), last), then, done), body,
                  step=lambda: b.store(b.add(b.load(slot, typ=WORD), WORD(1)), slot))

    def loop(
        self, test: Callable[[ir.Block, ir.Block], object], body: Callable[[], None], leave: ir.Block | None = None,
        step: Callable[[], object] | None = None,
    ) -> None:
        """Emit a loop. `break` jumps to `leave` (None: to the end); `step` emits the code after each iteration."""
        again, inside, done = self.block("loop"), self.block("body"), self.block("done")
        following = self.block("step") if step else again
        self.builder.branch(again)
        self.builder.position_at_end(again)
        test(inside, done)
        self.builder.position_at_end(inside)
        self.loops.append((following, leave or done))
        body()
        self.goto(following)
        self.loops.pop()
        if step:
            self.builder.position_at_end(following)
            step()
            self.builder.branch(again)
        self.builder.position_at_end(done)

    # ------------------------------------------------------------------------------------------------- expressions

    def value(self, node: ast.expr) -> ir.Value:
        constant = self.fold(node)
        if constant is not None:
            return WORD(constant)
        match node:
            case ast.Constant(value) if isinstance(value, int):
                return WORD(int(value))
            case ast.Name(name):
                return self.name(node, name)
            case ast.Subscript() | ast.Attribute():
                return self.kernel.memory.load(self.builder, *self.element(node))
            case ast.BinOp(left, operation, right):
                return self.binary(node, operation, self.value(left), self.value(right))
            case ast.UnaryOp(ast.USub(), operand):
                return self.builder.neg(self.value(operand))
            case ast.UnaryOp(ast.Invert(), operand):
                return self.builder.not_(self.value(operand))
            case ast.Compare():
                return self.builder.zext(self.truth(node), WORD)
            case ast.BoolOp() | ast.UnaryOp(ast.Not()) | ast.IfExp():
                return self.choose(node)
            case ast.Call():
                return self.call(node)
        raise self.fail(node, f"not an expression of the kernel language: {type(node).__name__}")

    def fold(self, node: ast.expr) -> int | None:
        """Constant-fold an expression; None if its value is unknown at compile time. No code is emitted."""
        match node:
            case ast.Constant(value) if isinstance(value, int):
                return int(value)
            case ast.Name() | ast.Attribute() if isinstance(constant := self.meaning(node), int):
                return int(constant)
            case ast.Attribute(record, name) if isinstance(owner := self.meaning(record), Record):
                return self.kernel.memory.known(owner, self.field(node, type(owner), name))
            case ast.Subscript(of, index) if isinstance(array := self.meaning(of), Array):
                at = self.fold(index)
                return None if at is None else self.kernel.memory.known(array, at)
            case ast.UnaryOp(ast.Not(), operand):
                constant_test = self.fold(operand)
                return None if constant_test is None else int(not constant_test)
            case ast.Compare(left, [operation], [right]):
                first, second = self.fold(left), self.fold(right)
                _, compare = _COMPARE.get(type(operation), ("", None))
                return None if first is None or second is None or compare is None else int(compare(first, second))
            case ast.BoolOp(operation, values):
                return self._fold_all(isinstance(operation, ast.And), values)
            case ast.IfExp(test, body, orelse):
                constant_test = self.fold(test)
                return None if constant_test is None else self.fold(body if constant_test else orelse)
        return None

    def _may_decide(self, node: ast.expr, decisive: bool) -> bool:
        constant = self.fold(node)
        return constant is None or bool(constant) == decisive

    def _fold_all(self, both: bool, nodes: list[ast.expr]) -> int | None:
        """Fold `and` or `or`; None if unknown. A known operand may decide it, unless an unknown call comes first."""
        constant = True
        for node in nodes:
            value = self.fold(node)
            if value is not None and bool(value) != both:
                return int(not both)
            constant = constant and value is not None
            if value is None and any(isinstance(part, ast.Call) for part in ast.walk(node)):
                return None
        return int(both) if constant else None

    def name(self, node: ast.expr, name: str) -> ir.Value:
        if name in self.slots:
            return self.builder.load(self.slots[name], typ=WORD)
        constant = getattr(self.source, name, None)
        if isinstance(constant, int):
            return WORD(int(constant))
        raise self.fail(node, f"`{name}` is neither a local name nor a constant")

    def meaning(self, node: ast.expr) -> object:
        """Return the object that a name of the module, or of a module it imports, refers to; None for anything else."""
        match node:
            case ast.Name(name) if name not in self.slots:
                return getattr(self.source, name, None)
            case ast.Attribute(ast.Name(name), attribute) if name not in self.slots:
                owner = getattr(self.source, name, None)
                return getattr(owner, attribute, None) if isinstance(owner, ModuleType | type) else None
        return None

    def field(self, node: ast.AST, record: type[Record], name: str) -> int:
        """Return the offset of a record's field; raise `KernelError` if there is none."""
        if name not in record.fields:
            raise self.fail(node, f"{record.__name__} has no `{name}`")
        return record.fields[name].at

    def element(self, node: ast.Subscript | ast.Attribute) -> tuple[Storage, ir.Value]:
        """Return the array and the index of an element."""
        match node:
            case ast.Subscript(ast.Attribute(of, name), index) if isinstance(array := self.meaning(of), Record):
                return array, self.builder.add(WORD(self.field(node, type(array), name)), self.value(index))
            case ast.Subscript(of, index) if isinstance(array := self.meaning(of), Array | Record):
                return array, self.value(index)
            case ast.Attribute(ast.Subscript(of, index), name) if isinstance(array := self.meaning(of), Rows):
                row = self.builder.mul(self.value(index), WORD(array.record.size))
                return array, self.builder.add(row, WORD(self.field(node, array.record, name)))
            case ast.Attribute(of, name) if isinstance(array := self.meaning(of), Record):
                return array, WORD(self.field(node, type(array), name))
        raise self.fail(node, f"`{ast.unparse(node)}` is not an element of an array or a record")

    def binary(self, node: ast.AST, operation: ast.operator, left: ir.Value, right: ir.Value) -> ir.Value:
        name = _BINARY.get(type(operation))
        if name is None:
            raise self.fail(node, f"not an operator of the kernel language: {type(operation).__name__}")
        result: ir.Value = getattr(self.builder, name)(left, right)
        return result

    def truth(self, node: ast.expr) -> ir.Value:
        """Translate an expression to an i1."""
        match node:
            case ast.Compare(left, [operation], [right]) if type(operation) in _COMPARE:
                return self.builder.icmp_signed(_COMPARE[type(operation)][0], self.value(left), self.value(right))
            case ast.Compare(_, operations):
                raise self.fail(node, "not in the kernel language: " + (
                    "chained comparisons" if len(operations) > 1 else type(operations[0]).__name__))
        return self.builder.icmp_signed("!=", self.value(node), WORD(0))

    def choose(self, node: ast.expr) -> ir.Value:
        """Translate a conditional expression, or a logical one, whose value is 0 or 1."""
        slot = self.alloca()
        yes, no, done = self.block("yes"), self.block("no"), self.block("chosen")
        test = node.test if isinstance(node, ast.IfExp) else node
        self.branch(test, yes, no)
        for block, value in ((yes, node.body if isinstance(node, ast.IfExp) else None),
                             (no, node.orelse if isinstance(node, ast.IfExp) else None)):
            self.builder.position_at_end(block)
            self.builder.store(self.value(value) if value is not None else WORD(int(block is yes)), slot)
            self.builder.branch(done)
        self.builder.position_at_end(done)
        return self.builder.load(slot, typ=WORD)

    def branch(self, node: ast.expr, yes: ir.Block, no: ir.Block) -> None:
        """Branch on a condition; `and`, `or` and `not` short-circuit."""
        constant = self.fold(node)
        if constant is not None:
            self.builder.branch(yes if constant else no)
            return
        match node:
            case ast.BoolOp(operation, values):
                values = [value for value in values if self._may_decide(value, isinstance(operation, ast.Or))]
                for value in values[:-1]:
                    following = self.block("next")
                    if isinstance(operation, ast.And):
                        self.branch(value, following, no)
                    else:
                        self.branch(value, yes, following)
                    self.builder.position_at_end(following)
                self.branch(values[-1], yes, no)
            case ast.UnaryOp(ast.Not(), operand):
                self.branch(operand, no, yes)
            case _:
                self.builder.cbranch(self.truth(node), yes, no)

    def call(self, node: ast.Call) -> ir.Value:
        function = self.meaning(node.func)
        if node.keywords or not isinstance(function, FunctionType) or len(node.args) != function.__code__.co_argcount:
            raise self.fail(node, f"not a valid call of a kernel function: {ast.unparse(node)}")
        if function in SPECIAL:
            return SPECIAL[function](self, node, function)
        arguments = [self.value(a) for a in node.args]
        if function is shift_right:
            return self.builder.lshr(*arguments)
        if function is bit_count:
            return self.builder.ctpop(arguments[0])
        if function is lowest_bit:
            return self.builder.cttz(arguments[0], BIT(0))
        if function.__name__ in self.kernel.functions:
            return self.builder.call(self.kernel.functions[function.__name__], arguments)
        raise self.fail(node, f"`{ast.unparse(node.func)}` is not a kernel function")
