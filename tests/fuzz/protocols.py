"""Mutated requests of editors and language models over a pipe, in their protocols.

The server survives, answers the next valid request, and reports no internal error.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz import stock
from tests.fuzz.messages import VALUES
from tests.fuzz.mutations import spoil, spoil_bytes
from tests.fuzz.targets import Finding
from tests.playing import ROOT

TEXT = "file:///tmp/fuzz.zrf"
PLACE = {"line": 3, "character": 7}
ASKED = ("hover", "definition", "references", "documentHighlight", "prepareRename", "rename", "documentSymbol",
         "foldingRange", "semanticTokens/full", "inlayHint", "codeLens", "completion", "signatureHelp", "codeAction",
         "formatting")
TOOLS = ("check", "lint", "explain", "moves", "play", "why", "ends", "words", "test", "games", "nothing")
FIELDS = ("game", "rules", "word", "moves", "question", "variant", "position", "play", "language", "tests", "more")
INTERNAL = -32603
"""The code of an internal error of the server, or of the packages for its protocol."""


class OfPipe:
    """An input is a list of texts, each the body of a message."""

    ending = ".json"
    command = ""

    def __init__(self, corpus: Path | None = None) -> None:
        self.sources = [text for text in stock.rules() if len(text) < 3_000]
        self.number = 0

    @cached_property
    def process(self) -> subprocess.Popen[bytes]:
        """A server, in a separate folder that stays empty."""
        folder = Path(tempfile.gettempdir()) / "zrf-fuzz"
        folder.mkdir(exist_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "zrf_py", self.command], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"})
        self.greet(process)
        return process

    def greet(self, process: subprocess.Popen[bytes]) -> None:
        """Begin the session as the protocol requires."""
        raise NotImplementedError

    def send(self, process: subprocess.Popen[bytes], body: bytes) -> None:
        raise NotImplementedError

    def read(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Return the next message; {} at the end."""
        raise NotImplementedError

    def message(self, random: Random) -> dict[str, Any]:
        raise NotImplementedError

    probe: tuple[str, dict[str, Any]]
    """A request that is always answered."""

    def make(self, random: Random) -> bytes:
        bodies = []
        for _ in range(random.randrange(1, 6)):
            message = self.message(random)
            if random.random() < 0.4:
                self.spoil(message, random)
            body = json.dumps({"jsonrpc": "2.0", **message}).encode()
            bodies.append(spoil_bytes(body, [], random) if random.random() < 0.05 else body)
        return json.dumps([body.decode("latin-1") for body in bodies]).encode()

    def spoil(self, message: Any, random: Random) -> None:
        """Replace or remove a value."""
        parts = [message]
        for part in parts:
            parts += [value for value in part.values() if isinstance(value, dict)]
        part = random.choice(parts)
        if part and random.random() < 0.8:
            part[random.choice([*part])] = random.choice(VALUES)
        elif part:
            del part[random.choice([*part])]

    def ask(self, process: subprocess.Popen[bytes], method: str, params: Any) -> None:
        """Send a valid request and read until it is answered."""
        self.number += 1
        name = f"asked {self.number}"
        self.send(process, json.dumps({"jsonrpc": "2.0", "id": name, "method": method, "params": params}).encode())
        while (message := self.read(process)).get("id") != name:
            if not message:
                raise Finding(f"the server has ended with {process.wait()}")
            self.look_at(message)

    def look_at(self, message: dict[str, Any]) -> None:
        """Check that a message reports no internal error of zrf_py."""
        error = message.get("error")
        if isinstance(error, dict) and error.get("code") == INTERNAL and "zrf_py/" in str(error):
            raise Finding(f"a mistake of its own: {message}")

    def run(self, data: bytes) -> None:
        process = self.process
        try:
            for body in json.loads(data):
                self.send(process, body.encode("latin-1"))
            self.ask(process, *self.probe)
        except BaseException:
            process.kill()
            del self.process  # the next input starts a new process
            raise


class LanguageServer(OfPipe):
    """`zrf lsp`: texts are opened, changed and closed, with requests about them."""

    command = "lsp"
    probe = "textDocument/documentSymbol", {"textDocument": {"uri": "file:///nothing"}}

    def greet(self, process: subprocess.Popen[bytes]) -> None:
        self.ask(process, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.send(process, b'{"jsonrpc": "2.0", "method": "initialized", "params": {}}')

    def send(self, process: subprocess.Popen[bytes], body: bytes) -> None:
        assert process.stdin
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        process.stdin.flush()

    def read(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        assert process.stdout
        length = 0
        while line := process.stdout.readline().strip():
            length = int(line.partition(b":")[2]) if line.lower().startswith(b"content-length") else length
        return dict(json.loads(process.stdout.read(length))) if length else {}

    def message(self, random: Random) -> dict[str, Any]:
        document: dict[str, Any] = {"uri": TEXT}
        match random.randrange(8):
            case 0:
                source = spoil(stock.one_of(self.sources, random), self.sources, random).decode("utf-8", "replace")
                return {"method": "textDocument/didOpen", "params": {
                    "textDocument": {**document, "languageId": "zrf", "version": random.randrange(9), "text": source}}}
            case 1 | 2:
                end = {"line": random.randrange(30), "character": random.randrange(60)}
                new = random.choice(("", "(", "x", "\n\n", "é"))
                change = {"range": {"start": dict(PLACE), "end": end}, "text": new}
                return {"method": "textDocument/didChange", "params": {
                    "textDocument": {**document, "version": random.randrange(9)}, "contentChanges": [change]}}
            case 3 if random.random() < 0.3:
                return {"method": "textDocument/didClose", "params": {"textDocument": document}}
        place = {"line": random.randrange(30), "character": random.randrange(60)}
        return {"id": random.randrange(99), "method": f"textDocument/{random.choice(ASKED)}", "params": {
            "textDocument": document, "position": place, "newName": random.choice(("x", "", "a b", "é")),
            "range": {"start": dict(PLACE), "end": place}, "context": {"includeDeclaration": True, "diagnostics": []},
            "options": {"tabSize": 2, "insertSpaces": True}}}


class Tools(OfPipe):
    """`zrf mcp`: calls of tools. Most have arguments that are refused, since each accepted call starts a process."""

    command = "mcp"
    probe = "ping", {}

    def greet(self, process: subprocess.Popen[bytes]) -> None:
        self.ask(process, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                         "clientInfo": {"name": "fuzz", "version": "1"}})
        self.send(process, b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def send(self, process: subprocess.Popen[bytes], body: bytes) -> None:
        assert process.stdin
        process.stdin.write(body.replace(b"\n", b" ") + b"\n")
        process.stdin.flush()

    def read(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        assert process.stdout
        line = process.stdout.readline()
        return dict(json.loads(line)) if line else {}

    def message(self, random: Random) -> dict[str, Any]:
        number = random.randrange(999)
        if random.random() < 0.3:
            method = random.choice(("tools/list", "ping", "resources/list", "prompts/list", "initialize", "nothing"))
            return {"id": number, "method": method, "params": {}}
        values: tuple[Any, ...] = (
            "../../etc/passwd", "nothing", "", " " * 300_000, 5, None, [], {}, "\x00", "/", "\ud800")
        return {"id": number, "method": "tools/call", "params": {
            "name": random.choice(TOOLS), "arguments": {random.choice(FIELDS): random.choice(values)
                                                        for _ in range(random.randrange(4))}}}
