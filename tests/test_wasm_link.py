"""Code for browsers: an LLVM object file becomes a module that node runs."""

from __future__ import annotations

import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("llvmlite", reason="code is made by llvmlite")

import llvmlite.binding as llvm

from tests.playing import HANG, counted
from zrf_py.jit.compiler import SHIFTS
from zrf_py.jit.loader import WASM, target
from zrf_py.jit.wasm_link import HEADER, LinkError, _number, _padded, _Reader, link

SUM = """
target triple = "wasm32-unknown-unknown"
@table = global [3 x i64] [i64 5, i64 7, i64 30]
@zeros = global [1000 x i64] zeroinitializer
@there = global ptr getelementptr (i8, ptr @table, i32 16)
define i64 @last() { %p = load ptr, ptr @there %v = load i64, ptr %p ret i64 %v }
define i64 @first_two() { %a = load i64, ptr @table %b = load i64, ptr getelementptr (i8, ptr @table, i32 8)
  %c = add i64 %a, %b ret i64 %c }
define i64 @deep(i64 %n) { %room = alloca [4096 x i64] store volatile i64 %n, ptr %room
  %end = icmp eq i64 %n, 0 br i1 %end, label %done, label %more
more: %less = sub i64 %n, 1 %found = call i64 @deep(i64 %less) %one = add i64 %found, 1 ret i64 %one
done: ret i64 0 }
define i64 @write(i64 %v) { store i64 %v, ptr getelementptr (i8, ptr @zeros, i32 800) ret i64 0 }
"""


def compiled(text: str) -> bytes:
    machine = target(WASM)
    code: bytes = machine.emit_object(llvm.parse_assembly(text))
    return code


def in_node(tmp_path: Path, module: bytes, script: str) -> list[str]:
    """Return the lines of a script's output in node; `call` has the module's exports, `show` prints a value."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    (tmp_path / "code.wasm").write_bytes(module)
    lines = f"""const {{instance}} = await WebAssembly.instantiate(require("fs").readFileSync("code.wasm"));
        const call = instance.exports, show = (value) => console.log(String(value)); {script}"""
    program = f"(async () => {{ {lines} }})().catch((error) => console.log(String(error)))"
    done = subprocess.run([node, "-e", program], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=HANG)
    return done.stdout.splitlines()


def test_addresses_in_code_and_in_data_are_filled_in(tmp_path: Path) -> None:
    linked = link(compiled(SUM), ["last", "first_two"])
    assert in_node(tmp_path, linked.module, "show(call.last()); show(call.first_two());") == ["30", "12"]


WIDE = """
@values = global [2 x i128] zeroinitializer, align 16
define void @shift(i64 %low, i64 %high, i64 %by) {
  %a = zext i64 %low to i128
  %b = zext i64 %high to i128
  %c = shl i128 %b, 64
  %whole = or i128 %a, %c
  %n = zext i64 %by to i128
  %left = shl i128 %whole, %n
  store i128 %left, ptr @values
  %right = SHIFT i128 %whole, %n
  store i128 %right, ptr getelementptr (i8, ptr @values, i32 16)
  ret void }
"""


@pytest.mark.parametrize(("shift", "signed"), [("lshr", False), ("ashr", True)])
def test_wide_shifts_are_supplied(tmp_path: Path, shift: str, signed: bool) -> None:
    """LLVM calls functions for these shifts; every distance is tried, with a number that has bits in both halves."""
    text = f'target triple = "{WASM}"' + SHIFTS + WIDE.replace("SHIFT", shift)
    linked = link(compiled(text), ["shift"])
    number, top = 0x9E3779B97F4A7C15_F39CC0605CEDC834, 1 << 128
    low, high = number % (1 << 64), number >> 64
    script = f"""const at = new BigUint64Array(call.memory.buffer, {linked.addresses["values"]}, 4);
        for (let by = 0n; by < 128n; by += 1n) {{ call.shift({low}n, {high}n, by); show(at.join()); }}"""
    for by, shown in enumerate(counted(in_node(tmp_path, linked.module, script), 128)):
        right = (number - top if signed else number) >> by
        wanted = [part for value in (number << by, right) for part in (value % (1 << 64), value % top >> 64)]
        assert shown == ",".join(map(str, wanted))


def test_globals_have_the_reported_addresses(tmp_path: Path) -> None:
    linked = link(compiled(SUM), ["write"])
    zeros = linked.addresses["zeros"]
    script = f"call.write(77n); show(new BigInt64Array(call.memory.buffer, {zeros}, 101)[100]);"
    assert in_node(tmp_path, linked.module, script) == ["77"]


def test_only_requested_functions_are_exported(tmp_path: Path) -> None:
    linked = link(compiled(SUM), ["last"])
    shown = in_node(tmp_path, linked.module, "show(JSON.stringify(Object.keys(call)));")
    assert json.loads(shown[0]) == ["last", "memory"]


def test_zeros_take_no_space_in_the_module() -> None:
    assert len(link(compiled(SUM), ["write"]).module) < 1000


def test_a_stack_overflow_traps_instead_of_overwriting_data(tmp_path: Path) -> None:
    linked = link(compiled(SUM), ["deep", "last"], stack=1 << 18)
    shown = in_node(tmp_path, linked.module, """
        show(call.deep(5n)); try { call.deep(1000000n); } catch (error) { show(error.name); } show(call.last());""")
    assert shown == ["5", "RuntimeError", "30"]


def test_missing_symbols_are_named() -> None:
    with pytest.raises(LinkError, match="no function nowhere"):
        link(compiled(SUM), ["nowhere"])
    asks = "declare i64 @elsewhere()\ndefine i64 @asks() { %v = call i64 @elsewhere() ret i64 %v }"
    with pytest.raises(LinkError, match="calls elsewhere"):
        link(compiled(SUM + asks), [])
    with pytest.raises(LinkError, match="not a WebAssembly object"):
        link(HEADER[:4], [])


def test_a_variable_of_another_object_file_has_no_address() -> None:
    """LLVM lists a variable of another object file among the symbols, without an address."""
    asks = "@elsewhere = external global i64\ndefine i64 @asks() { %v = load i64, ptr @elsewhere ret i64 %v }"
    with pytest.raises(LinkError, match="refers to elsewhere"):
        link(compiled(SUM + asks), [])
    where = "@elsewhere = external global i64\n@llvm.used = appending global [1 x ptr] [ptr @elsewhere]"
    assert set(link(compiled(SUM + where), []).addresses) == {"table", "zeros", "there"}


@given(st.integers(0, (1 << 32) - 1), st.integers(-(1 << 31), (1 << 31) - 1))
def test_leb128_numbers_are_written_and_read_back(number: int, signed: int) -> None:
    """Unsigned numbers may be minimal or padded; signed ones have seven bits a byte, with the sign in the last byte."""
    for written in (_number(number), *([_padded(number)] if number < 1 << 31 else [])):
        reader = _Reader(b"\7" + written + b"\1", 1)
        assert reader.number() == number and reader.at == 1 + len(written) and reader
    assert len(_number(number)) == max(1, -(-number.bit_length() // 7))
    length = (signed.bit_length() if signed >= 0 else (~signed).bit_length()) // 7 + 1
    parts = [signed >> 7 * i & 0x7F | (0x80 if i < length - 1 else 0) for i in range(length)]
    reader = _Reader(bytes(parts))
    assert reader.signed() == signed and not reader


MANY = """
target triple = "wasm32-unknown-unknown"
@a = global i8 1, align 1
@b = global [3 x i64] [i64 2, i64 3, i64 4], align 64
@empty = global [5000 x i64] zeroinitializer, align 32
@c = global i8 5, align 1
@d = global [2 x ptr] [ptr @c, ptr getelementptr (i8, ptr @b, i32 16)], align 16
define i64 @all() { %a = load i8, ptr @a %x = zext i8 %a to i64 %p = load ptr, ptr @d
  %c = load i8, ptr %p %y = zext i8 %c to i64
  %q = load ptr, ptr getelementptr (i8, ptr @d, i32 4) %z = load i64, ptr %q
  %e = load i64, ptr getelementptr (i8, ptr @empty, i32 39992)
  %xy = mul i64 %x, 100 %y1 = mul i64 %y, 10 %s = add i64 %xy, %y1 %t = add i64 %s, %z %u = add i64 %t, %e ret i64 %u }
define i64 @call(i64 %n) noinline { %r = call i64 @all() %s = add i64 %r, %n ret i64 %s }
"""


@pytest.mark.parametrize("stack", [1 << 18, 70_016])
def test_data_are_aligned_in_order_with_zeros_last(tmp_path: Path, stack: int) -> None:
    linked = link(compiled(MANY), ["all", "call"], stack=stack)
    sizes = {"a": (1, 1), "b": (24, 64), "c": (1, 1), "d": (8, 16), "empty": (40_000, 32)}
    assert set(linked.addresses) == set(sizes)
    places = sorted((at, at + sizes[name][0], name) for name, at in linked.addresses.items())
    assert all(at % sizes[name][1] == 0 for at, _, name in places) and places[0][0] >= stack
    assert all(end <= following for (_, end, _), (following, _, _) in pairwise(places))
    assert places[-1][2] == "empty" and linked.end == places[-1][1]
    assert linked.end - stack < sum(size + alignment for size, alignment in sizes.values())
    shown = in_node(tmp_path, linked.module, """show(call.all()); show(call.call(1000n));
        show(call.memory.buffer.byteLength); show(Object.keys(call).sort());""")
    assert shown == ["154", "1154", str(-(-linked.end // 65536) * 65536), "all,call,memory"]
