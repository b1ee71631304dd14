"""The recipe for a new operation (zrf_py/README.md), followed in a copy of the package: all engines agree.

The effect is new in kind, so the code that applies moves changes, too, but not the code that stores and writes them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.playing import ROOT

pytest.importorskip("llvmlite", reason="the recipe is for the native engine")
pytestmark = pytest.mark.slow

KERNEL = "native/kernel/"
STEPS = [
    ("ir/ops.py", '    "change-type": effect(', """\
    "flip-on": effect("the piece on `where` goes to the player after its owner",
                      changes=Changes.CONTENT, removes=False, puts=False),
"""),
    ("ir/ops.py", '    "equal?": test(', """\
    "surrounded?": test("every link from `where` leads to somebody", reads=Reads.ANYTHING),
"""),
    ("run/interpret.py", '    "goal-position?": ', """\
    "surrounded?": lambda w, op, square: all(w.owner[p] != NOBODY for p in w.program.neighbours[square]),
"""),
    ("run/position.py", '        elif name == "change-owner":', """\
        elif name == "flip-on":
            self.change_owner(square, (self.owner[square] + 1) % len(self.before))
"""),
    (KERNEL + "board.py", "CHANGE_TYPE, SET_ATTRIBUTE, SET_COUNTER", "FLIP_ON, "),
    (KERNEL + "board.py", "    elif which == CHANGE_OWNER:", """\
    elif which == FLIP_ON:
        new = old + 1 if old & 255 < params.players else old + 1 - params.players
"""),
    (KERNEL + "vm.py", "IS_EQUAL, IS_LESS, IS_GREATER,", "IS_SURROUNDED, "),
    (KERNEL + "vm.py", "    if op == IS_GOAL:", """\
    if op == IS_SURROUNDED:
        return tests.is_surrounded(square)
"""),
    (KERNEL + "tests.py", "def is_near_enemy(", """\
def is_surrounded(square: int) -> int:
    for at in range(near_from[square], near_from[square + 1]):
        if cell[near[at]] == 0:
            return False
    return True


"""),
]
"""Changes to files: (file, a text that the file contains, the text to insert before that one)."""
MOST_FILES = 6
"""Number of files that the recipe names for an effect and a test, not counting those for pages, texts and keywords."""

PLAY = r'''
from dataclasses import replace
from pathlib import Path
import sys
import zrf_py
from zrf_py.library import load_file
from zrf_py.native import Native
from zrf_py.native.agree import agree
from zrf_py.play.notation import move_text
from zrf_py.run.rules import Rules

assert str(Path(sys.argv[1])) in zrf_py.__file__
NAMES = {"flip": "flip-on", "adjacent-to-enemy?": "surrounded?"}

def renamed(routine):
    return replace(routine, code=tuple(replace(op, name=NAMES.get(op.name, op.name)) for op in routine.code))

program = load_file(sys.argv[2]).programs[0]
program = replace(program, moves=tuple(tuple(map(renamed, routines)) for routines in program.moves))
assert program.uses("flip-on") and program.uses("surrounded?")

def count(rules, position, depth):
    moves = rules.moves(position)
    return len(moves) if depth == 1 else sum(count(rules, rules.after(position, m), depth - 1) for m in moves)

rules, native, compiled = Rules(program), Native(program), Native(program, compiled=True)
wanted = count(rules, rules.start(), 3)
assert wanted > 50, wanted
assert compiled.perft(compiled.start(), 3) == wanted, (compiled.perft(compiled.start(), 3), wanted)
for engine in (native, compiled):
    assert agree(program, 1, 60, engine) == 60, str(agree(program, 1, 60, engine))
    assert engine.machine.layout is not None and engine.asked == 0, "the interpreter was compared with itself"
position = rules.start()
while not (written := [text for m in rules.moves(position) if "flip-on" in (text := move_text(program, position, m))]):
    position = rules.after(position, rules.moves(position)[-1])
print("agreed")
'''

RULES = """
(define step ($1 (verify empty?) (if surrounded?-like (change-type Pawn)) (flip $1) add))
(define take ($1 (verify enemy?) (change-type Pawn) (flip $1) flip add))
(define stay ($1 (verify empty?) (verify (not-adjacent-to-enemy? $1)) add))
(game (title "Recipe") (players White Black Red) (turn-order White Black Red)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c/d" (9 0)) ("4/3/2/1" (0 9)))
               (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))))
  (piece (name King) (moves (step n) (step e) (step s) (step w) (take n) (take e) (take s) (take w)))
  (piece (name Pawn) (moves (stay n) (stay e) (step s) (take w)))
  (board-setup (White (King a1 b1 c1 d1)) (Black (King a4 b4 c4)) (Red (King d4 d2))))
""".replace("surrounded?-like", "adjacent-to-enemy?")


def test_the_recipe_adds_an_effect_and_a_test(tmp_path: Path) -> None:
    package = tmp_path / "zrf_py"
    shutil.copytree(ROOT / "zrf_py", package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("grammar", "rules"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    for name, before, text in STEPS:
        replace_once(package / name, before, text + before)
    assert len({name for name, _, _ in STEPS}) <= MOST_FILES
    rules = tmp_path / "recipe.zrf"
    rules.write_text(RULES, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY, str(tmp_path), str(rules)], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "ZRF_CACHE": str(tmp_path / "cache")})
    assert done.stdout == "agreed\n", done.stderr[-3000:]


def replace_once(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path.name}: {old!r} stands there {text.count(old)} times"
    path.write_text(text.replace(old, new), "utf-8")
