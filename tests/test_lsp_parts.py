"""Parts of the language server that need no client: places in texts, words as numbers, servers of boards."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as t

from tests.playing import HANG, RULES
from zrf_py.author.editor.analysis import analyse
from zrf_py.author.editor.colours import coloured
from zrf_py.hosts import Lost
from zrf_py.lsp import boards, server
from zrf_py.lsp.boards import Boards
from zrf_py.lsp.shapes import offset, position, tokens
from zrf_py.play.game import load
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

LINES = Source("x.zrf", "ab\nü😀d\n\nend")


@pytest.mark.parametrize(("line", "character", "at"), [
    (0, 0, 0), (0, 2, 2), (0, 3, 2), (0, 99, 2), (1, 0, 3), (1, 1, 4), (1, 3, 5), (1, 4, 6), (1, 99, 6), (2, 0, 7),
    (2, 5, 7), (3, 0, 8), (3, 3, 11), (3, 4, 11), (4, 0, 11), (99, 99, 11)])
def test_places_beyond_a_line_are_at_its_end(line: int, character: int, at: int) -> None:
    assert offset(LINES, t.Position(line, character)) == at


def test_offsets_convert_to_places_and_back() -> None:
    assert [offset(LINES, position(LINES, at)) for at in range(len(LINES.text) + 1)] == [*range(len(LINES.text) + 1)]


def test_a_string_is_one_token_per_nonempty_line() -> None:
    source = Source("x.zrf", '(game (title "one\n\n  two") (players A))')
    data = tokens(coloured(analyse(source, Path("x.zrf"), None)), source)
    assert len(data) % 5 == 0 and 0 not in data[2::5]
    line, column, seen = 0, 0, []
    for down, right, length in zip(data[::5], data[1::5], data[2::5], strict=True):
        line, column = line + down, right + (column if down == 0 else 0)
        seen.append(source.text.split("\n")[line][column : column + length])
    assert seen[:5] == ["game", "title", '"one', '  two"', "players"]


class FakeServer:
    is_usable = True

    def leave(self) -> None:
        self.is_usable = False


def test_servers_of_boards_are_reused_and_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[FakeServer] = []

    def start(path: Path) -> tuple[FakeServer, str]:
        started.append(FakeServer())
        return started[-1], f"http://here/?n={len(started)}"

    monkeypatch.setattr(boards, "_start", start)
    every = Boards()
    one = every.address(Path("x.zrf"), "A B")
    assert one == "http://here/?n=1&variant=A%20B" and every.address(Path("x.zrf"), "A B") == one
    started[0].is_usable = False
    assert every.address(Path("x.zrf"), "A B") != one, "one that has ended is started again"
    every.address(Path("y.zrf"), "A")
    every.end()
    assert len(started) == 3 and not any(server.is_usable for server in started)


class Process:
    """Stand-in for a process that serves a board: it reports an address, or fails."""

    made: ClassVar[list[Process]] = []

    def __init__(self, quiet: bool) -> None:
        self.quiet, self.ended = quiet, ""
        self.made.append(self)

    def call(self, function: object, path: Path, tell: Callable[[str], None]) -> None:
        assert function is boards.serve and path == Path("x.zrf")
        if isinstance(FAILS[0], Exception):
            raise FAILS[0]
        if FAILS[0]:
            tell(FAILS[0])
            raise Lost(0)  # not reported, since the board has an address

    def close(self) -> None:
        self.ended += "closed "

    def kill(self) -> None:
        self.ended += "killed "


FAILS: list[str | Exception] = [""]


@pytest.mark.parametrize(("what", "code", "words"), [
    ("http://here", "", ""), (ImportError("no starlette"), "missing-extra", "board"), ("", "no-address", "longer than"),
    (Lost(-9), "no-address", "status -9"), (MemoryError(), "no-address", "out of memory")])
def test_a_board_that_cannot_be_served_is_reported(
    what: str | Exception, code: str, words: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(boards, "Worker", Process)
    monkeypatch.setattr(boards, "START_SECONDS", HANG if what else 0.01)
    FAILS[0] = what
    Process.made.clear()
    if not code:
        worker, address = boards._start(Path("x.zrf"))
        assert address == "http://here" and worker is Process.made[0] and Process.made[0].quiet
        return
    with pytest.raises(ZrfError) as caught:
        boards._start(Path("x.zrf"))
    assert caught.value.diagnostics[0].code == code and words in caught.value.summary()
    assert ("killed" in Process.made[0].ended) == (what == "")


def test_a_board_is_served_as_a_watched_file(monkeypatch: pytest.MonkeyPatch) -> None:
    run = importlib.import_module("zrf_py.serve.run")
    asked: list[object] = []
    monkeypatch.setattr(run, "run", lambda settings, ready: asked.extend((settings, ready)))
    boards.serve(Path("x.zrf"), print)
    settings, ready = asked
    assert ready is print and (settings.wish, settings.port, settings.watch) == ("x.zrf", 0, True)  # type: ignore[attr-defined]
    assert settings.state is not None and not settings.edit  # type: ignore[attr-defined]


def test_the_picture_of_a_title_is_drawn() -> None:
    text = (RULES / "checkers.zrf").read_text("utf-8")
    analysis = analyse(Source("checkers.zrf", text), RULES / "checkers.zrf", None)
    game = load("checkers", 1)
    assert boards.picture(analysis, game.title.upper()) == {"title": game.title, "svg": game.start().svg()}
    with pytest.raises(ZrfError, match="Nobody"):
        boards.picture(analysis, "Nobody")
    broken = analyse(Source("checkers.zrf", text.replace("(verify", "(verfy")), RULES / "checkers.zrf", None)
    with pytest.raises(ZrfError, match="errors"):
        boards.picture(broken, game.title)


@pytest.mark.parametrize(("declared", "shows"), [
    ({"zrfBoards": True}, True), ({"zrfBoards": False}, False), ({}, False), (None, False), (["zrfBoards"], False)])
def test_editors_declare_whether_they_show_boards(declared: object, shows: bool) -> None:
    client: Any = SimpleNamespace(protocol=SimpleNamespace(client_capabilities=SimpleNamespace(experimental=declared)))
    assert server._shows_boards(client) is shows
