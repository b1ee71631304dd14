"""Parts of the language server that need no client: places in texts, words as numbers, servers of boards."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as t

from zrf_py.author.editor.analysis import analyse
from zrf_py.author.editor.colours import coloured
from zrf_py.lsp import boards
from zrf_py.lsp.boards import Boards
from zrf_py.lsp.places import offset, position
from zrf_py.lsp.shapes import tokens
from zrf_py.text.source import Source

LINES = Source("x.zrf", "ab\nü😀d\n\nend")


@pytest.mark.parametrize(("line", "character", "at"), [
    (0, 0, 0), (0, 2, 2), (0, 3, 2), (0, 99, 2), (1, 0, 3), (1, 1, 4), (1, 3, 5), (1, 4, 6), (1, 99, 6), (2, 0, 7),
    (2, 5, 7), (3, 0, 8), (3, 3, 11), (3, 4, 11), (4, 0, 11), (99, 99, 11)])
def test_places_beyond_a_line_are_at_its_end(line: int, character: int, at: int) -> None:
    assert offset(LINES, t.Position(line, character)) == at


def test_every_offset_is_a_place_and_comes_back() -> None:
    assert [offset(LINES, position(LINES, at)) for at in range(len(LINES.text) + 1)] == [*range(len(LINES.text) + 1)]


def test_a_string_of_several_lines_is_one_token_a_line_and_none_for_an_empty_one() -> None:
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


def test_servers_of_boards_are_kept_and_ended(monkeypatch: pytest.MonkeyPatch) -> None:
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
