"""The types of the pages' JavaScript, checked by the compiler of TypeScript; and `serve/types.d.ts`, the shapes of the
messages to a page, compared with messages that are sent.

`npm install -g typescript` installs the compiler; `ZRF_TSC` may name another one. The generated editor is left out;
`pages/types/` declares further features of browsers and workers.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from tests import test_serve_sessions as sessions
from tests.playing import HANG, ROOT
from zrf_py.play.advice import Advice, Line
from zrf_py.serve import clock, wire, worker
from zrf_py.serve.opponents import chances_json, lines_json
from zrf_py.serve.rights import Refused
from zrf_py.serve.sockets import Socket

Message = dict[str, Any]
PROJECT = Path(__file__).parent / "pages" / "tsconfig.json"
TYPES = ROOT / "zrf_py" / "serve" / "types.d.ts"
NOT_SENT = {"drawn", "broken", "learning", "puzzle"}
"""Types of messages that no session has: two of exported pages, the progress of an evaluation, a link to a puzzle."""
SCRIPTS = sorted(path for folder in ("serve/static", "export/static", "export/site-static")
                 for path in (ROOT / "zrf_py" / folder).glob("*.js") if path.name != "desk-editor.js")


@pytest.fixture(scope="module")
def tsc() -> str:
    """The compiler's path."""
    path = os.environ.get("ZRF_TSC") or shutil.which("tsc")
    if path is None:
        pytest.skip("tsc is not installed (`npm install -g typescript`, or name it in ZRF_TSC)")
    return path


def compiled(tsc: str, *arguments: str) -> list[str]:
    """Return the lines that the compiler prints for the pages."""
    command = [tsc, "-p", str(PROJECT), "--pretty", "false", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=HANG).stdout.splitlines()


def test_the_pages_have_no_type_errors(tsc: str) -> None:
    assert compiled(tsc) == []


def test_every_page_is_checked(tsc: str) -> None:
    read = {Path(line).resolve() for line in compiled(tsc, "--listFilesOnly")}
    assert len(SCRIPTS) > 70
    assert set(SCRIPTS) <= read


def test_classes_declare_their_fields() -> None:
    """No tool sees the fields that `Object.assign` adds."""
    assert [path.name for path in SCRIPTS if "Object.assign(this" in path.read_text("utf-8")] == []


def looked(self: sessions.Here, question: Message) -> Message:
    """Return a worker's evaluation of a position, from made-up values."""
    position = worker.desk.line(question).position
    shares = [0.5, 0.3, 0.2]
    lines = [Line((move.text,), 0.25, None, 3, (position.short(move),), 0.6) for move in position.moves()[:2]]
    advice = Advice(tuple(lines), 100, 0.1, False, "alphabeta", position.player, None, tuple(shares))
    return {**lines_json(position, advice), "chances": chances_json(position.game.program, shares)}


@pytest.fixture(scope="module")
def messages() -> list[Message]:
    """Return all messages to browsers in the recorded sessions, and one error of each kind, `problem` and `gone`."""
    sent: list[Message] = []
    news, say = Socket.news, Socket.say

    def keep(message: Message) -> Message:
        sent.append(json.loads(json.dumps(message)))
        return message

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: sessions.NOW[0]))
        patch.setattr(sessions.Here, "look", looked)
        patch.setattr(Socket, "news", lambda *given: keep(news(*given)))
        patch.setattr(Socket, "say", lambda self, message: say(self, keep(message)))
        for path in sorted(sessions.FOLDER.glob("*.txt")):
            patch.setattr(worker, "desk", worker.Desk())
            asyncio.run(sessions.played(path))
    return sent + [{"type": kind, **wire.error_json(Refused("not possible"))} for kind in ("problem", "gone")]


def declared(name: str) -> dict[str, bool]:
    """Return the fields of an interface in `types.d.ts`, and whether each is always sent."""
    text = TYPES.read_text("utf-8")
    match = re.search(rf"^interface {name}(?: extends (\w+))? \{{\n(.*?)^\}}", text, re.M | re.S)
    assert match is not None
    fields = {field: not mark for field, mark in re.findall(r"^  (\w+)(\??):", match[2], re.M)}
    return {**(declared(match[1]) if match[1] else {}), **fields}


@pytest.mark.parametrize(("name", "part"), [("State", None), ("Info", "info"), ("Outcome", "outcome")])
def test_messages_have_the_declared_fields(messages: list[Message], name: str, part: str | None) -> None:
    """Every field sent is declared, every declared field is sent at some time, and required fields are always sent."""
    states = [message for message in messages if message["type"] == "state"]
    shapes = [set(shape) for state in states if (shape := state if part is None else state.get(part))]
    fields = declared(name)
    assert len(shapes) > 5 and set.union(*shapes) == set(fields)
    assert {field for field, isnt_optional in fields.items() if isnt_optional} <= set.intersection(*shapes)


def test_the_compiler_accepts_the_messages(tsc: str, messages: list[Message], tmp_path: Path) -> None:
    """Written as literals of their declared types, they have no undeclared field at any depth, no missing one, and no
    wrong type."""
    texts = list(dict.fromkeys(f"Message<\"{message['type']}\"> = {json.dumps(message)}" for message in messages))
    assert len(texts) > 50
    file = tmp_path / "messages.ts"
    file.write_text("\n".join(f"const message{i}: {text};" for i, text in enumerate(texts)), "utf-8")
    command = [tsc, "--noEmit", "--strict", "--types", "", "--pretty", "false", str(TYPES), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=HANG)
    assert done.stdout == ""


def test_every_type_of_message_is_sent(messages: list[Message]) -> None:
    kinds = set(declared("Messages"))
    assert kinds - {message["type"] for message in messages} == NOT_SENT
