"""Calls for `test_hosts.py` that go wrong, in a module with few imports, so that processes start them quickly."""

from __future__ import annotations

import importlib
import json
import os
import signal
import time
from collections.abc import Callable, Mapping
from typing import Any

from zrf_py import hosts

FOR_EVER = 3600.0


def misbehave(way: str) -> str:
    """Die, hang, hang up, or use up the memory, as `way` says; return "fine" for any other word."""
    if way == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if way == "hang":
        time.sleep(FOR_EVER)
    if way == "hang up":
        os.closerange(3, 100)
        time.sleep(FOR_EVER)
    if way == "eat":
        bytearray(hosts.MEMORY)
    return "fine"


def odd_look(item: Any, picture: bool, tell: Callable[[Any], None]) -> dict[str, Any]:
    return {"status": misbehave(item.name)}


def odd_piece(engine: Any, parameters: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {"games": 1, "is": misbehave(parameters["way"] if number == 1 else "")}


def odd_page(path: Any, learn: bool, small: bool) -> Any:
    fine = misbehave(path.name)
    return importlib.import_module("zrf_py.export.site")._Result(page=fine)


def odd_command(command: tuple[str, ...], *given: Any) -> tuple[int, bytes, bytes]:
    return 0, misbehave(*command).encode(), b""


def odd_board(path: Any, tell: Callable[[Any], None]) -> None:
    tell(misbehave(path.name))


def odd_answer(question: str) -> bytes:
    return json.dumps({"ok": misbehave(json.loads(question)["op"]), "took": 0.0}).encode()


def odd_making(way: str, tell: Callable[[Any], None]) -> str:
    return misbehave(way)


def reporting(count: int, tell: Callable[[Any], None]) -> int:
    """Report 0 … `count` - 1 and return the square of `count`."""
    print("this is no answer")
    for number in range(count):
        tell(str(number))
    return count * count


def ctrl_c() -> tuple[bool, bool]:
    """Return whether this process leads a session of its own, and whether it ignores Ctrl-C."""
    return os.getsid(0) == os.getpid(), signal.getsignal(signal.SIGINT) is signal.SIG_IGN
