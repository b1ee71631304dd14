"""The language of kernels: machine code and Python give the same results, and code outside the language is refused.

The functions are generated at random from everything that `jit/language.py` allows.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import c_int8, c_int16, c_int32, c_int64
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("llvmlite", reason="kernels are compiled by llvmlite")

from llvmlite import binding, ir

from tests.as_python import PythonCode
from tests.playing import counted, slow
from zrf_py.jit import shared
from zrf_py.jit.compiler import compile_module
from zrf_py.jit.loader import BASELINES, Code, host
from zrf_py.jit.translate import Kernel, KernelError, Memory

HEAD = '''"""A kernel drawn at random."""
from zrf_py.jit.language import (
    Array, Part, Record, Rows, add_now, bit_count, copy_all, entry, fill_all, lowest_bit, name_all, nth_bit, read_now,
    replace_now, rest, several, shift_right, soon, squares_of, write_now)

class State(Record):
    turn: int
    parts: Part = several(3)
    last: int

class Ply(Record):
    alpha: int
    beta: int

row = Array(64)
small = Array(8)
state = State()
ply = Rows(Ply)
FIVE = 5
ARRAYS = name_all(globals())

def helper(a, b):
    if a < b:
        return a - b
    return a ^ b

'''
SIZES = {"row": (c_int64, 8), "small": (c_int8, 8), "state": (c_int64, 5), "ply": (c_int64, 8)}
_numbers = count()

names = st.sampled_from(["a", "b", "c"])
constants = st.sampled_from([0, 1, 2, 3, 63, 64, 255, -1, -7, 1 << 40, (1 << 63) - 1, -(1 << 63) + 1]).map(repr)
elements = ["row[{} & 7]", "small[{} & 7]", "state.parts[({} & 1) + 1]", "ply[{} & 3].beta", "ply[{} & 3].alpha"]


def _wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*&|^"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.sampled_from(["<<", ">>"]), inner).map(lambda t: f"({t[0]} {t[1]} ({t[2]} & 63))"),
        st.tuples(inner, st.sampled_from(["//", "%"]), inner).map(
            lambda t: f"(({t[0]} & 4095) {t[1]} (({t[2]} & 15) + 1))"),
        st.tuples(st.sampled_from(["-", "~", "not "]), inner).map(lambda t: f"({t[0]}{t[1]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        st.tuples(st.sampled_from(elements), inner).map(lambda t: t[0].format(t[1])),
        pair.map(lambda t: f"helper({t[0]}, {t[1]})"),
        pair.map(lambda t: f"shift_right({t[0]}, {t[1]} & 63)"),
        inner.map(lambda t: f"bit_count({t})"), inner.map(lambda t: f"lowest_bit({t})"),
        inner.map(lambda t: f"nth_bit({t} | 7, 2)"),
    )


values = st.recursive(st.one_of(names, constants, st.sampled_from(["FIVE", "state.turn", "state.last"])), _wider,
                      max_leaves=6)


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _blocks(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.one_of(
        st.tuples(inner, inner).map(lambda t: t[0] + t[1]),
        st.tuples(values, inner, inner).map(lambda t: [f"if {t[0]}:", *_indented(t[1]), "else:", *_indented(t[2])]),
        st.tuples(values, inner, st.sampled_from(["pass", "break", "continue"]), values).map(
            lambda t: _for(f"range({t[0]} & 3)", f"i{len(t[1])}", *t[1:])),
        st.tuples(values, inner, st.sampled_from(["pass", "break", "continue"]), values).map(
            lambda t: _for(f"squares_of(row, {t[0]} & 3, 2)", f"i{len(t[1])}", *t[1:])),
        st.tuples(values, inner).map(
            lambda t: _while(f"n{len(t[1])}", *t)),
    )


def _for(over: str, i: str, inner: list[str], end: str, test: str) -> list[str]:
    """Generate a loop with a counter of its own, whose name ends with the length of the body, as in `_while`."""
    return [f"for {i} in {over}:", *_indented([*inner, f"if {test}:", f"    {end}", f"a = a + {i}"])]


def _while(n: str, test: str, inner: list[str]) -> list[str]:
    """Generate a loop that ends: the name of its counter ends with the length of the body, so that no loop within the
    body, whose own body is shorter, changes it."""
    return [f"{n} = 0", f"while {n} < 3 and {test}:", *_indented([f"{n} += 1", *inner])]


_assigned = st.one_of(names, st.tuples(st.sampled_from(elements), names).map(lambda t: t[0].format(t[1])),
                      st.just("state.turn"))
statements = st.recursive(
    st.one_of(st.tuples(_assigned, st.sampled_from(["=", "+=", "-=", "*=", "^="]), values).map(
        lambda t: [f"{t[0]} {t[1]} {t[2]}"]), values.map(lambda v: [f"if {v}:", f"    return {v}"]),
        st.tuples(_assigned, _assigned, values, values).map(lambda t: [f"{t[0]}, {t[1]} = {t[2]}, {t[3]}"])),
    _blocks, max_leaves=5)


@contextmanager
def kernel(folder: Path, body: list[str]) -> Iterator[ModuleType]:
    path = folder / f"kernel_{next(_numbers)}.py"
    path.write_text(HEAD + "@entry\ndef f(a, b, c):\n" + "\n".join(_indented([*body, "return a"])) + "\n", "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module


def as_machine_code(module: ModuleType) -> Code:
    found = ir.Module("kernel")
    found.triple = host()
    place = Memory(found)
    Kernel(found, place, [module]).translate()
    place.binder(module.ARRAYS)
    return Code(compile_module(found))


@pytest.mark.parametrize(("family", "pause"), [("x86_64", "sse2.pause"), ("aarch64", "hint"), ("arm64", "hint")])
def test_waiting_threads_pause_on_every_family_of_processors(tmp_path: Path, family: str, pause: str) -> None:
    """Apple's targets are called arm64, others of the same family aarch64."""
    assert family in BASELINES and len(BASELINES) == 3
    found = ir.Module("kernel")
    found.triple = f"{family}-unknown-unknown"
    with kernel(tmp_path, ["rest()", "rest()"]) as module:
        Kernel(found, Memory(found), [module]).translate()
    binding.parse_assembly(str(found)).verify()
    assert str(found).count(f"{pause}\"(") == 3, "one declaration and two calls"


def outcome(code: Code | PythonCode, module: ModuleType, arguments: tuple[int, ...]) -> tuple[int, list[list[int]]]:
    """Return the result of the function, and all memory after the call."""
    memory = [(SIZES[array.name][0] * SIZES[array.name][1])(*range(3, 3 + SIZES[array.name][1]))
              for array in module.ARRAYS]
    for number, array in enumerate(memory):
        code.bind(number, array)
    call: Callable[..., int] = code.function("f", 3)
    return call(*arguments), [list(array) for array in memory]


numbers = st.one_of(st.integers(-9, 9), st.integers(-(1 << 63), (1 << 63) - 1))


@pytest.mark.parametrize("examples", [15, *slow([60])])
def test_machine_code_and_python_agree(tmp_path: Path, examples: int) -> None:
    @settings(max_examples=examples, deadline=None)
    @given(body=statements, arguments=st.lists(st.tuples(numbers, numbers, numbers), min_size=3, max_size=3))
    def agree(body: list[str], arguments: list[tuple[int, ...]]) -> None:
        with kernel(tmp_path, body) as module:
            machine, python = as_machine_code(module), PythonCode([module], module.ARRAYS)
            for each in counted(arguments, 3):
                assert outcome(machine, module, each) == outcome(python, module, each), "\n".join(body)

    agree()


@pytest.mark.parametrize("body", [
    ["copy_all(row, 1, row, 4, 3)"], ["copy_all(row, a, row, b, 2)"], ["fill_all(small, 1, c, 3)"],
    ["fill_all(row, 2, 0, 4)"], ["fill_all(state, 0, 0, 1)"], ["soon(row, a)", "soon(small, 1 << 40)"],
])
def test_bulk_operations_agree_in_machine_code_and_python(tmp_path: Path, body: list[str]) -> None:
    with kernel(tmp_path, body) as module:
        machine, python = as_machine_code(module), PythonCode([module], module.ARRAYS)
        for each in [(0, 4, 7), (5, 2, -1), (1, 3, 300)]:
            assert outcome(machine, module, each) == outcome(python, module, each), "\n".join(body)


@pytest.mark.parametrize("body", [
    ["a = add_now(row, a, b) * 100 + read_now(row, a)"],
    ["a = replace_now(row, a, 3, c) + 2 * replace_now(row, 1, 4, b)"],
    ["rest()", "write_now(state, a, c)", "a = read_now(state, a)"],
])
def test_atomic_operations_agree_in_machine_code_and_python(tmp_path: Path, body: list[str]) -> None:
    with kernel(tmp_path, body) as module:
        machine, python = as_machine_code(module), PythonCode([module], module.ARRAYS)
        for each in [(0, 4, 7), (1, -2, -1), (2, (1 << 63) - 1, 300)]:
            assert outcome(machine, module, each) == outcome(python, module, each), "\n".join(body)


@pytest.mark.parametrize("line", [
    "a = 0 < b < c", "a = b in (1, 2)", "a = b is c", "a = [b]", "a = helper(b)", "a = helper(a=b, b=c)", "a, b = b",
    "a = unknown", "a = state.nothing", "a = b / c", "a = b ** 2", "for i in (1, 2): pass", "a = len(row)",
    "raise ValueError", "a = row", "a = 'text'", "copy_all(row, 0, small, 0, 2)", "fill_all(row, 0, 1, 2)",
    "copy_all(b, 0, row, 0, 2)", "a = read_now(small, 0)", "soon(b, 0)", "write_now(b, 0, c)",
    "for i in range(b):\n        i = a", "for i in squares_of(small, 0, 1): pass", "for i in squares_of(b, 0, 1): pass",
    "for i in squares_of(row, 1): pass",
    "for i in range(b):\n        for i in range(c):\n            a = i",
])
def test_code_outside_the_kernel_language_is_refused(tmp_path: Path, line: str) -> None:
    """The message begins with the module and the line, and goes on with words or a quoted name."""
    with kernel(tmp_path, [line]) as module, pytest.raises(KernelError) as error:
        as_machine_code(module)
    assert re.match(rf"{module.__name__}:\d+: [`\w]", str(error.value))


@pytest.mark.parametrize("deposits", [True, False])
def test_a_bit_is_found_with_and_without_an_instruction_for_it(
    deposits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not deposits:
        monkeypatch.setattr(shared, "has_deposit", lambda triple: False)
    with kernel(tmp_path, ["a = nth_bit(a, b)"]) as module:
        machine = as_machine_code(module)
        for value in (1, 0b1011 << 40, -1, -(1 << 63)):
            members = [bit for bit in range(64) if value >> bit & 1]
            assert [outcome(machine, module, (value, n, 0))[0] for n in range(len(members))] == members


def test_a_loop_over_squares_goes_through_all_words_of_a_row(tmp_path: Path) -> None:
    body = ["row[4] = 5", "row[5] = -1 << 63", "a = 0", "for square in squares_of(row, 2, 2):",
            "    if square == b:", "        break", "    if square == c:", "        continue",
            "    a = a * 200 + square"]
    with kernel(tmp_path, body) as module:
        for code in (as_machine_code(module), PythonCode([module], module.ARRAYS)):
            assert [outcome(code, module, (0, b, c))[0] for b, c in ((-1, -1), (127, -1), (2, 0), (-1, 2))] == [
                2 * 200 + 127, 2, 0, 127]


def test_python_checks_bounds(tmp_path: Path) -> None:
    with kernel(tmp_path, ["a = row[b]"]) as module:
        python = PythonCode([module], module.ARRAYS)
        assert outcome(python, module, (0, 7, 0))[0] == 10
        for outside in (-1, 8):
            with pytest.raises(IndexError, match="row"):
                outcome(python, module, (0, outside, 0))


TABLES = '''"""A kernel with tables that are known when it is compiled."""
from zrf_py.jit.language import Array, Record, entry, hook, name_all

class Params(Record):
    words: int
    none: int

tiny = Array(8, constant=True)
short = Array(16, constant=True)
wide = Array(32, constant=True)
long = Array(64, constant=True)
params = Params(constant=True)
row = Array(64)
LIMIT = 3
ARRAYS = name_all(globals())

def nothing(a):
    if a > 100:
        return a

def count(a):
    row[0] = row[0] + 1
    return a

@hook
def hooked(a):
    return a + 1

@entry
def f(a, b, c):
'''
KNOWN = {"tiny": (c_int8, [5, -2, 0, 127]), "short": (c_int16, [-32768, 3, 0, 1]), "wide": (c_int32, [1 << 30, -7, 0]),
         "long": (c_int64, [-(1 << 62), 9, 0]), "params": (c_int64, [2, 0])}
BODIES = [
    "return tiny[0] + short[0] * 3 + wide[0] + long[0]", "return tiny[1] - short[1] - wide[1] - long[1] + tiny[3]",
    "return tiny[a & 3] * 1000 + short[b & 3]", "return wide[a & 1] + long[b & 1] + params.words + LIMIT",
    "return 7 if params.words == 2 else count(a)", "return count(a) if params.none else 8",
    "return (params.none and count(a)) + 10 * (params.words and count(b))",
    "return (params.words or count(a)) + 10 * (params.none or count(b))",
    "return (count(a) and params.none) + 10 * (count(b) or params.words) + 100 * row[0]",
    "return (a and tiny[2]) + 10 * (not params.none) + 100 * (not tiny[0])",
    "if tiny[2]:\n        return count(a)\n    elif short[3] > 0 and wide[1] < 0:\n        return 5\n    return 6",
    "found = 0\n    for i in range(params.words, 9):\n        if i == a:\n            continue\n        if i == b:\n"
    "            break\n        found = found * 10 + i\n    return found",
    "found = 0\n    for i in range(params.none):\n        found += count(i)\n    return found + row[0]",
    "while a > 0:\n        a -= 3\n        if a == b:\n            break\n        if a & 1:\n            continue\n"
    "        row[1] = row[1] + a\n    return a * 100 + row[1]",
    "return nothing(a) + nothing(200)", "return hooked(a)", "nothing(a)",
    "row[2] = b\n    row[2] -= c\n    row[2] *= 3",
    "return a < b and b < c or not a", "return (a if b > c else tiny[0]) - (~a)", "pass\n    return -a",
    "return long[0] < wide[1] and tiny[3] >= 127 and tiny[3] != 126 and not tiny[3] > 127 and short[0] <= -32768",
]


@pytest.mark.parametrize("body", BODIES)
def test_known_tables_change_no_result(tmp_path: Path, body: str) -> None:
    """Results and effects are the same in Python and in three kinds of machine code: with tables read from memory, with
    tables known to the compiler, and with known tables and checked bounds."""
    path = tmp_path / f"kernel_{next(_numbers)}.py"
    path.write_text(TABLES + "    " + body + "\n", "utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    memory = {name: (kind * len(values))(*values) for name, (kind, values) in KNOWN.items()} | {"row": (c_int64 * 4)()}
    fixed = {name: (len(values), bytes(memory[name])) for name, (_, values) in KNOWN.items()} | {"row": (4, None)}
    python = PythonCode([module], module.ARRAYS)
    codes: list[Code | PythonCode] = [python]
    for tables, is_checked in ((None, False), (fixed, False), (fixed, True)):
        found = ir.Module("kernel")
        found.triple = host()
        place = Memory(found, tables, is_checked)
        Kernel(found, place, [module]).translate()
        if tables is None:
            place.binder(module.ARRAYS)
        else:
            place.declare(module.ARRAYS)
        codes.append(Code(compile_module(found)))
    for each in [(0, 0, 0), (1, 2, 3), (7, -1, 4), (-5, 6, 1), (400, 3, -9)]:
        results = []
        for code in codes:
            memory["row"][:] = 0, 0, 0, 0
            row = memory["row"]
            if code is python or code is codes[1]:
                for number, array in enumerate(module.ARRAYS):
                    code.bind(number, memory[array.name])
            else:
                assert isinstance(code, Code)
                row = (c_int64 * 4).from_address(code.address("row"))
                row[:] = 0, 0, 0, 0
            results.append((code.function("f", 3)(*each), row[:]))
        assert results == 4 * results[:1], each
    assert isinstance(codes[3], Code) and c_int64.from_address(codes[3].symbol("outside")).value == 0
