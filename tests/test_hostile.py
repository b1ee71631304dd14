"""Rules from strangers: any file plays or gets one clear message, in bounded time and memory.

The bounds of 5 s and 1 GiB hold for a file of up to 1 MiB on a machine with nothing else to do; `SECONDS` is processor
time and leaves room for a slower one.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.playing import ROOT, RULES, games, random_game, time_limit
from zrf_py.library import load_file
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.render import render

SECONDS = 60
MEMORY = 2**30
TOKEN = re.compile(rb'"[^"]*"|;[^\n]*|[()]|[^\s();"]+|\s+')
SHELF = sorted(p for p in RULES.glob("*.zrf") if p.stat().st_size < 8_000)

# ------------------------------------------------------------------------------------------------- mutated shelf files


@cache
def tokens_of(path: Path) -> tuple[bytes, ...]:
    return tuple(TOKEN.findall(path.read_bytes()))


def delete(tokens: list[bytes], at: int, other: int) -> None:
    del tokens[at]


def duplicate(tokens: list[bytes], at: int, other: int) -> None:
    tokens.insert(at, tokens[at])


def swap(tokens: list[bytes], at: int, other: int) -> None:
    tokens[at], tokens[other] = tokens[other], tokens[at]


def copy(tokens: list[bytes], at: int, other: int) -> None:
    tokens[at] = tokens[other]


def truncate(tokens: list[bytes], at: int, other: int) -> None:
    del tokens[at:]


def move_block(tokens: list[bytes], at: int, other: int) -> None:
    """Write a run of up to forty tokens a second time elsewhere."""
    tokens[other:other] = tokens[at : at + 40]


def spoil(tokens: list[bytes], at: int, other: int) -> None:
    tokens[at] = tokens[at][:-1] + bytes([other % 256])


def grow(tokens: list[bytes], at: int, other: int) -> None:
    tokens[at] = (b"99999999999999999999", b"$1", b"(a b)", b"\x00", b'"', b"-1", b"while", b"add-partial")[other % 8]


MUTATIONS: tuple[Callable[[list[bytes], int, int], None], ...] = (
    delete, duplicate, swap, copy, truncate, move_block, spoil, grow)
mutation = st.tuples(st.sampled_from(MUTATIONS), st.integers(0, 10**6), st.integers(0, 10**6))


def survives(path: Path) -> None:
    """Compile a file and play ten plies of its first title, unless a `ZrfError` reports why not."""
    with time_limit(SECONDS):
        try:
            file = load_file(path)
            render(file.report)
            file.report.check()
            for _ in random_game(games(file)[0], 10, seed=1):
                pass
        except ZrfError as error:
            assert error.diagnostics


@pytest.mark.slow
@settings(max_examples=int(os.environ.get("ZRF_HOSTILE", "60")),
          suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(path=st.sampled_from(SHELF), changes=st.lists(mutation, min_size=1, max_size=6))
def test_mutations_are_handled(tmp_path: Path, path: Path, changes: list[tuple[Callable[..., None], int, int]]) -> None:
    tokens = list(tokens_of(path))
    for change, at, other in changes:
        if tokens:
            change(tokens, at % len(tokens), other % len(tokens))
    file = tmp_path / path.name
    file.write_bytes(b"".join(tokens))
    survives(file)


# ------------------------------------------------------------------------------------------------------ built to break


def game(board: str = "", moves: str = "(n add)", setup: str = "(W (M a1)) (B (M c3))", more: str = "",
         players: str = "W B") -> str:
    """Return the text of a small game; the arguments, some of them very large, replace parts of it."""
    board = board or grid("a/b/c", "3/2/1")
    return (f'(game (title "T") (players {players}) (turn-order W B) (board {board}) (piece (name M) (moves {moves}))'
            f" (board-setup {setup}) {more})")


def grid(columns: str, lines: str, directions: str = "(n 0 -1) (e 1 0) (s 0 1) (w -1 0)") -> str:
    return (f'(grid (start-rectangle 0 0 9 9) (dimensions ("{columns}" (10 0)) ("{lines}" (0 10)))'
            f" (directions {directions}))")


def many(text: str, count: int) -> str:
    """Return `text` `count` times, with `#` replaced by the number."""
    return " ".join(text.replace("#", str(i)) for i in range(count))


def wide(count: int, prefix: str = "x") -> str:
    return "/".join(f"{prefix}{i}" for i in range(count))


RING = grid("a/b/c", "3/2/1") + " (links r (a1 b1) (b1 a1))"
DOUBLING = "".join(f"(define a{i} (a{i - 1}) (a{i - 1}))" for i in range(1, 60))
GROWING = "".join(f"(define a{i} (a{i + 1} $1$1))" for i in range(60))
LARGE_BOARD = grid(wide(140), wide(140), "(n 0 -1) (e 1 0)")
DIGITS = "9" * 5_000

BOMBS: dict[str, str | bytes] = {
    "a player called moves": '(game (title "t") (board-setup (moves (n add))))',
    "numbers of thousands of digits": f"(define m ${DIGITS})" + game(
        setup=f"(W (M a1 off {DIGITS})) (B (M c3 {DIGITS} off -{DIGITS}))",
        board=grid("a/b/c", "3/2/1", f"(n 0 -{DIGITS})"), moves="((m 1) $1 n add)",
        more=f'(win-condition (W) (pieces-remaining {DIGITS})) (option "pass turn" {DIGITS})'),
    "digits that are not numbers": game(setup="(W (M a1 off \u00b2)) (B (M c3 off \u0663))"),
    "empty": "",
    "blanks": " " * 2**20,
    "junk": random.Random(1).randbytes(2**20),
    "zeros": bytes(2**20),
    "opening": "(" * 2**20,
    "closing": ")" * 2**20,
    "pairs": "()" * 2**19,
    "opening lines": "(\n" * 2**19,
    "quotes": '"' * (2**20 - 1),
    "words": "a " * 2**19,
    "nested": "(" * 500 + ")" * 500,
    "doubling macros": "(define a0 add)" + DOUBLING + game(moves="((a59))"),
    "distinct macros": "(define a0 $1)" + "".join(f"(define a{i} (a{i - 1} $1x) (a{i - 1} $1y))" for i in range(1, 60))
    + game(moves="((a59 n))"),
    "growing names": GROWING + "(define a60 $1)" + game(moves="((a0 nnnn))"),
    "growing strings": f'(define d (description "{"$1" * 20_000}"))' + game(more=f'(d "{"z" * 900_000}")'),
    "macros that call each other": "(define a (b $1$1)) (define b (a $1$1))" + game(moves="((a n))"),
    "deep macros": many("(define m# $1 (m#x))", 20_000) + game(moves="((m0 n e))"),
    "a million squares": game(grid(wide(1_000), wide(1_000))),
    "many directions": game(grid(wide(140), wide(140), many("(d# 1 1)", 2_000)), setup=""),
    "many links": game(grid(wide(100), wide(100)) + many("(links r# (x0x0 x1x1))", 20_000), setup=""),
    "many grids": game(many(grid(wide(100, "g#_"), wide(100)), 300), setup=""),
    "many dimensions": game("(grid (start-rectangle 0 0 9 9) (dimensions " + '("a/b" (1 1))' * 40
                            + ") (directions (n " + "1 " * 40 + ")))", setup=""),
    "unlinked": game(LARGE_BOARD + " (unlink " + " ".join(f"x{i}x{j}" for i in range(140) for j in range(140)) + ")",
                     setup=""),
    "killed": game(f"(positions {many('(k# 0 0 1 1)', 9_000)}) (kill-positions {many('k#', 9_000)})", setup=""),
    "long pixels": game(grid("a/b", "2/1").replace("9 9)", f"9 {DIGITS})"), setup=""),
    "long counts": game(setup=f"(W (M off {DIGITS} a1))", more=f"(win-condition (W) (pieces-remaining {DIGITS}))"),
    "long slots": f"(define m ${DIGITS} $99999999999)" + game(moves="((m n))"),
    "long names": game().replace("name M", "name " + "M" * 900_000),
    "many players": game(players="W B " + many("p#", 60_000)),
    "many players and pieces": game(players="W B " + many("p#", 30_000), more=many("(piece (name P#))", 10_000)),
    "nearly too many words": "(a b) " * 74_000,
    "many pieces": game(more=many("(piece (name P#) (moves (n add)))", 12_000)),
    "many zones": game(RING + many("(zone (name z#) (players W B) (positions a1 a2))", 10_000)),
    "many variants": game() + many('(variant (title "v#"))', 20_000),
    "many large variants": game(LARGE_BOARD, setup="")
    + many(f'(variant (title "v#") (board {LARGE_BOARD}))', 400),
    "many variants of many pieces": game(more=many("(piece (name P#) (moves (n add)))", 4_000))
    + many('(variant (title "v#") (piece (name M) (moves (e add))))', 8_000),
    "many wrong words": game(moves=many("(x#)", 60_000)),
    "many wrong names": game(RING + "(links n " + many("(q# r#)", 50_000) + ")"),
    "many flags": game(moves="(" + many("(set-flag f# true)", 30_000) + " add)"),
    "a long block": game(moves="(" + "n s " * 200_000 + "add)"),
    "many blocks": game(moves="(n add)" * 100_000),
    "nearly too many blocks": game(moves="(n add)" * 74_000),
    "a long goal": game(more="(win-condition (W) (relative-config " + "M n " * 100_000 + "M))"),
    "deep conditions": game(moves="((verify " + "(not " * 230 + "empty?" + ")" * 230 + ") add)"),
    "endless": game(RING, moves="((while true n s))"),
    "endless in two": game(RING, moves="((while (on-board? r) (while (on-board? r) r)) add)"),
    "endless moves": game(RING, moves="((while (on-board? r) r (create b2) add))"),
    "endless captures": game(RING, moves="((while (on-board? r) r capture))"),
    "endless chains": game(grid("a/b/c/d/e/f/g/h", "8/7/6/5/4/3/2/1"),
                           moves="(n (add-partial)) (e (add-partial)) (s (add-partial)) (w (add-partial))",
                           more='(option "maximal captures" true)'),
    "chains that go on": game(grid("a/b/c/d/e/f/g/h", "8/7/6/5/4/3/2/1"),
                              moves="(n (add-partial)) (e (add-partial)) (s (add-partial)) (w (add-partial))",
                              more="(loss-condition (W B) (checkmated M))"),
    "a long include": '(include "' + "a" * 5_000 + '")' + game(),
    "includes itself": '(include "bomb.zrf")' + game(),
    "includes the parent": '(include "../bomb.zrf")' + game(),
    "includes from outside": '(include "../../../../../../../etc/passwd")' + game(),
    "includes the root": '(include "/etc/passwd")' + game(),
    "includes a folder": '(include ".")' + game(),
    "includes nothing": '(include "nothing.inc")' + game(),
    "includes a device": '(include "/dev/zero")' + game(),
}

PLAY = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[3]), int(sys.argv[3]) + 1))
from tests.test_hostile import survives
from pathlib import Path
survives(Path(sys.argv[1]))
print("survived")
"""


@pytest.mark.share(2)
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="memory and time can't be limited there")
@pytest.mark.parametrize("name", BOMBS)
def test_rules_made_to_exhaust_time_or_memory_are_bounded(name: str, tmp_path: Path) -> None:
    content = BOMBS[name]
    path = tmp_path / "bomb.zrf"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert path.stat().st_size <= 2**20 or name == "many large variants", "the bounds are for files up to 1 MiB"
    done = subprocess.run([sys.executable, "-c", PLAY, str(path), str(MEMORY), str(SECONDS)], cwd=ROOT,
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.stdout == "survived\n", f"exit {done.returncode}: {done.stderr[-1500:]}"


# ------------------------------------------------------------------------------------------- files that are not read


def code_of(path: Path) -> str:
    with pytest.raises(ZrfError) as caught:
        load_file(path).report.check()
    return caught.value.diagnostics[0].code


def test_a_folder_is_refused_as_rules(tmp_path: Path) -> None:
    assert code_of(tmp_path) == "not-a-file"


def test_missing_file_is_reported(tmp_path: Path) -> None:
    assert code_of(tmp_path / "gone.zrf") == "no-such-game"


def test_a_file_deleted_while_it_is_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "going.zrf"
    path.write_text(game())
    read = Path.read_bytes

    def delete_and_read(self: Path) -> bytes:
        path.unlink()
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", delete_and_read)
    assert code_of(path) == "unreadable"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything")
def test_a_file_without_read_permission_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "secret.zrf"
    path.write_text(game())
    path.chmod(0)
    assert code_of(path) == "unreadable"


def test_an_unreadable_include_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.inc").write_text("(define x n)")
    path = tmp_path / "whole.zrf"
    path.write_text('(include "part.inc")' + game())
    read = Path.read_bytes

    def refuse(self: Path) -> bytes:
        if self.suffix == ".inc":
            raise PermissionError(13, "Permission denied")
        return read(self)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert code_of(path) == "unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipe_without_a_writer_is_not_read(tmp_path: Path) -> None:
    """Reading such a pipe would block for ever."""
    path = tmp_path / "pipe.zrf"
    os.mkfifo(path)
    assert code_of(path) in ("not-a-file", "no-such-game")


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_a_link_out_of_the_folder_is_not_included(tmp_path: Path) -> None:
    (tmp_path / "secret.inc").write_text("(define x n)")
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "near.inc").symlink_to(tmp_path / "secret.inc")
    path = tmp_path / "game" / "whole.zrf"
    path.write_text('(include "near.inc")' + game())
    assert code_of(path) == "include-outside"


@pytest.mark.parametrize("name", ["booklet/../../README.md", "..\\README.md", "rules/README.md", "../pyproject.toml"])
def test_includes_from_the_shelf_stay_on_the_shelf(tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.zrf"
    path.write_text(f'(include "{name}")' + game())
    assert code_of(path) == "missing-include"


@pytest.mark.parametrize("name", ["corners.inc", "Booklet\\corners.inc", "booklet/corners.inc"])
def test_missing_includes_are_taken_from_the_shelf(tmp_path: Path, name: str) -> None:
    path = tmp_path / "mine.zrf"
    path.write_text(f'(version "zrf+") (include "{name}")' + game())
    assert load_file(path).report.items == []
    (tmp_path / "corners.inc").write_text('(title "Mine")')
    assert "unknown-section" in {d.code for d in load_file(path).report.items}, "a file's own come first"
