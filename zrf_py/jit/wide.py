"""128-bit shifts in LLVM IR, appended to modules for targets without them, where LLVM emits calls to these functions.

A 128-bit number is passed as two 64-bit halves, low first; the result goes to where the first argument points.
"""

_SHAPE = """
define void @{name}(ptr %out, i64 %low, i64 %high, i32 %by) {{
  %high.at = getelementptr i8, ptr %out, i32 8
  %n = zext i32 %by to i64
  %few = and i64 %n, 63
  %far = and i64 %n, 64
  %is.far = icmp ne i64 %far, 0
  %kept.low = call i64 @llvm.{funnel}.i64(i64 %{a}, i64 %{b}, i64 %few)
  %kept.high = {shift} i64 %{end}, %few
  %fill = {fill}
  %near.value = select i1 %is.far, i64 %kept.high, i64 %kept.low
  %end.value = select i1 %is.far, i64 %fill, i64 %kept.high
  store i64 %{first}, ptr %out
  store i64 %{second}, ptr %high.at
  ret void
}}
"""

_LEFT = {"funnel": "fshl", "a": "high", "b": "low", "end": "low", "first": "end.value", "second": "near.value"}
_RIGHT = {"funnel": "fshr", "a": "high", "b": "low", "end": "high", "first": "near.value", "second": "end.value"}

SHIFTS = """
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.fshr.i64(i64, i64, i64)
""" + "".join([
    _SHAPE.format(name="__ashlti3", shift="shl", fill="add i64 0, 0", **_LEFT),
    _SHAPE.format(name="__lshrti3", shift="lshr", fill="add i64 0, 0", **_RIGHT),
    _SHAPE.format(name="__ashrti3", shift="ashr", fill="ashr i64 %high, 63", **_RIGHT),
])
"""Definitions of `__ashlti3`, `__lshrti3` and `__ashrti3`."""
