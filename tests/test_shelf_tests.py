"""The games of the shelf pass their own tests, which detect faults planted in the rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.playing import RULES, of_every_kind
from zrf_py.author.tests.running import tests_of as found_in

PAGES = sorted(page for page in RULES.rglob("*.md") if page.name != "README.md")
FAULTS = {
    "chess": [("(verify not-attacked?) (safe e) (safe e)", "(safe e)"),
              ("(add Queen Rook Bishop Knight)", "(add Queen)")],
    "checkers": [("(move-priorities jumping stepping)", ""), ("(verify enemy?) capture", "(verify enemy?)")],
    "othello": [('(option "pass turn" forced)', ""), ("(verify (flag? outflanking))", "")],
    "connect-four": [("(verify (not-empty? s))", ""), ("Disc $1 Disc $1 Disc $1 Disc", "Disc $1 Disc $1 Disc")],
    "breakthrough": [("(define walk (n (verify empty?) add))", "(define walk (n (verify not-friend?) add))"),
                     ("(loss-condition (White Black) (pieces-remaining 0))", "")],
    "xiangqi": [("(define canter ($1 (verify empty?) $2", "(define canter ($1 $2"),
                ("(verify not-friend?) (verify (in-zone? own-bank)) add", "(verify not-friend?) add"),
                ("(verify (piece? General)) add))", "(verify (piece? General)) (verify false) add))")],
    "makruk": [("(if (in-zone? far-line) (add Met) else add)", "add"),
               ("(define bia-take ($1 (verify enemy?) (arrive)))", "(define bia-take ($1 (verify empty?) (arrive)))")],
    "nine-mens-morris": [("(or (not (enemy-mill?)) (not-flag? loose))", "true"),
                         ("(and (mate col1) (mate col2))", "false")],
    "amazons": [("(create Neutral Arrow)", "(create Arrow)"), ("(add-partial shot)", "add")],
    "tictactoe": [("(verify empty?)", ""), ("Mark $1 Mark $1 Mark", "Mark $1 Mark")],
    "international-draughts": [("maximal captures", "animate captures"),
                               ("(verify (and enemy? (not taken))) mark", "(verify enemy?) mark")],
    "peg-solitaire": [("capture", "")],
    "brainking/brainking-halma": [("(equal? (count friend goal) $1)", "(equal? (count friend goal) 3)"),
                                  ("(add-partial hopping)", "add")],
    "shogi": [("(no-own-pawn n) (no-own-pawn s)", "(no-own-pawn n)"),
              ("(define room-2 (not-in-zone? last-two-lines))", "(define room-2 (not-in-zone? last-line))")],
    "minishogi": [("    (captured-as Bishop)\n", "")],
    "five-in-a-row": [("      (relative-config (five-along ne))\n", "")],
    "halma": [("(verify (and empty? not-last-from?))", "(verify empty?)")],
    "booklet/tippy": [("(friend? $2) (friend? $3)", "(friend? $2)"),
                      ("(difference (sum (counter taken) (count friend) (store Man)) 15)", "(counter taken)")],
    "booklet/le-zug": [("(verify (or (not-in-zone? rival-station) (equal? (count enemy rival-station) 0)))", ""),
                       ("(equal? (count friend rival-front) 3)", "(equal? (count friend rival-front) 2)")],
    "booklet/connection": [("(line-n-sw) (line-sw-se)", "(line-n-sw)")],
    "booklet/gefangen-2": [("capture (add-to-counter taken $2 1)", "capture")],
    "booklet/sternhalma": [("(first-home two 15)", "(first-home two 14)")],
    "monks/monks-halma": [("(yard southeast yard-13-se Red)", "(yard southeast yard-13-se Black)")],
    "platonic/platonic-simple": [("(define hand ($1 (Triangle off 2)", "(define hand ($1 (Triangle off 1)")],
}
"""The faults planted in each game: (part of its rules, replacement)."""
QUICK = {"tictactoe", "othello", "breakthrough"}
"""Games whose planted faults are tested by the quick tests."""


def problems(path: Path) -> list[str]:
    return [result.problem for result in (test.run() for test in found_in(path)) if result.problem]


@pytest.mark.parametrize("page", of_every_kind(PAGES),
                         ids=lambda page: page.relative_to(RULES).with_suffix("").as_posix())
def test_games_pass_their_tests(page: Path) -> None:
    assert not problems(page.with_suffix(".zrf"))


@pytest.mark.parametrize(("name", "old", "new"), [
    pytest.param(name, old, new, marks=[] if name in QUICK else pytest.mark.slow)
    for name, faults in FAULTS.items() for old, new in faults])
def test_planted_faults_are_found(name: str, old: str, new: str, tmp_path: Path) -> None:
    text = (RULES / f"{name}.zrf").read_text("utf-8")
    assert old in text
    rules = tmp_path / Path(name).with_suffix(".zrf").name
    rules.write_text(text.replace(old, new, 1), "utf-8")
    for included in (RULES / name).parent.glob("*.inc"):
        shutil.copy(included, tmp_path)
    shutil.copy(RULES / f"{name}.md", tmp_path)
    assert problems(rules)


def test_every_game_of_the_shelf_has_tests() -> None:
    """Files of positions are tested by their counts in `tests/perft`."""
    without = {path.relative_to(RULES).as_posix() for path in RULES.rglob("*.zrf")
               if not path.with_suffix(".md").is_file() and not path.stem.endswith("-positions")}
    assert not without
