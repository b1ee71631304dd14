"""Services for editors on whole texts: colours and explanations of names, outlines, renaming, completions and fixes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.same import programs_of
from zrf_py.author.editor import colours
from zrf_py.author.editor import names as names_
from zrf_py.author.editor.analysis import KINDS, Analysis, analyse
from zrf_py.author.editor.balance import settled
from zrf_py.author.editor.colours import coloured, notes
from zrf_py.author.editor.complete import completions, signature
from zrf_py.author.editor.fixes import fixed, fixes
from zrf_py.author.editor.hover import hover
from zrf_py.author.editor.outline import Symbol, folds, outline, playables
from zrf_py.author.editor.problems import problems
from zrf_py.author.editor.rename import definitions, references, rename
from zrf_py.author.lint.linting import FILE, allowances, lints_of
from zrf_py.author.tests.pages import examples, wrap
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

FOLDER = Path(__file__).parent
TEXTS = sorted((FOLDER / "words").glob("*.zrf"))


@cache
def analysed(path: Path) -> Analysis:
    return analyse(Source(path.name, path.read_text("utf-8")), path, None)


def same_as_golden(name: str, lines: Iterator[str]) -> None:
    """Compare lines with a file of `editor/`, which `ZRF_WRITE_GOLDEN=1` regenerates."""
    golden = FOLDER / "editor" / name
    text = "\n".join(lines) + "\n"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        golden.write_text(text, "utf-8")
    assert text.splitlines() == golden.read_text("utf-8").splitlines()


# ------------------------------------------------------------------------------------------------------------- colours


def with_colours(analysis: Analysis) -> Iterator[str]:
    """Yield the lines of a text, in which each name has its kind before it, and a ! if it is defined there.

    Numbers begin with # and slots with $; other words are unchanged.
    """
    text, made, last = analysis.source.text, [], 0
    for word in coloured(analysis):
        made.append(text[last : word.start])
        last = word.end
        shown = text[word.start : last]
        sign = {colours.KEYWORD: "", colours.COMMENT: "", colours.STRING: "", colours.NUMBER: "#", colours.SLOTS: "$"}
        made.append(f"{sign.get(word.colour, word.colour + ':')}{'!' if word.defines else ''}{shown}")
    yield from ("".join(made) + text[last:]).splitlines()


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_name_has_the_colour_of_its_kind(path: Path) -> None:
    same_as_golden(f"{path.stem}.colours.txt", with_colours(analysed(path)))


def test_texts_have_names_of_every_kind() -> None:
    """The texts of these tests contain names of every kind."""
    found = {o.kind for path in TEXTS for o in names_.names_of(analysed(path)).all}
    assert found == set(KINDS)


TWICE = """(game (title "Twice") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
         (zone (name n) (players White) (positions a1)) (zone (name a1) (players White) (positions b1)))
  (piece (name Man) (moves (n (verify (empty? n)) (verify (piece? Man a1)) (verify (in-zone? a1 n)) (capture n) add))))
"""


def test_a_name_of_two_kinds_has_the_kind_of_its_place(tmp_path: Path) -> None:
    """A zone and a direction are called `n`, a zone and a position `a1`."""
    path = tmp_path / "twice.zrf"
    path.write_text(TWICE, "utf-8")
    [line] = (line for line in with_colours(analysed(path)) if "Man" in line)
    assert line.strip() == (
        "(piece (name piece:!Man) (moves (direction:n (verify (empty? direction:n)) (verify (piece? piece:Man "
        "position:a1)) (verify (in-zone? zone:a1 direction:n)) (capture direction:n) add))))")


# -------------------------------------------------------------------------------------------------------- explanations


def explained(analysis: Analysis) -> Iterator[str]:
    """Yield the explanation of each name where it first occurs (of positions, only of some); then hints, the outline,
    folding ranges, and playable games."""
    seen: set[tuple[str, str]] = set()
    for o in sorted(names_.names_of(analysis).inside(analysis.source), key=lambda o: o.span.start):
        if (o.kind, o.name) not in seen and (o.kind != "position" or len(seen) % 5 == 0):
            seen.add((o.kind, o.name))
            found = hover(analysis, o.span.start + 1)
            assert found and (found.start, found.end) == (o.span.start, o.span.end)
            yield f"==== {o.kind} {o.name}\n{found.text}"
    text = analysis.source.text
    yield from (f"hint behind {text[: note.offset].split()[-1]}: {note.text}" for note in notes(analysis, 0, len(text)))
    yield from lines_of(outline(analysis), analysis.source, 0)
    yield from (f"fold {fold.first}-{fold.last}{' comment' * fold.comment}" for fold in folds(analysis.source))
    yield from (f"game {game.title}: {text[game.start : game.start + 5]} {game.ok}" for game in playables(analysis))


def lines_of(symbols: list[Symbol], source: Source, depth: int) -> Iterator[str]:
    for part in symbols:
        first, last = (source.position(at)[0] for at in (part.start, part.end))
        name = source.text[part.name_start : part.name_end]
        yield f"{'  ' * depth}{part.kind} {part.name} ({part.detail}) {first}-{last} {name}"
        yield from lines_of(part.children, source, depth + 1)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_name_is_explained(path: Path) -> None:
    same_as_golden(f"{path.stem}.hover.txt", explained(analysed(path)))


# ------------------------------------------------------------------------------------------------------------ renaming


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_renaming_changes_no_rule(path: Path) -> None:
    """If every name that can be renamed gets a new one, the rules work as before; renaming back restores the text."""
    analysis, edits = analysed(path), []
    for o in {o.key: o for o in names_.names_of(analysis).inside(analysis.source) if o.defines}.values():
        try:
            made = rename(analysis, o.span.start, f"new-{o.name}")
        except ZrfError as error:
            assert re.search("used as|assembled|is written|labels|ambiguous", error.diagnostics[0].message), o
            continue
        spans = {edit.span for edit in made}
        assert o.span in definitions(analysis, o.span.start) and all(span.text == o.name for span in spans)
        assert spans == set(references(analysis, o.span.start))
        assert spans == {*references(analysis, o.span.start, False), *definitions(analysis, o.span.start)}
        edits += made
    text = analysis.source.text
    for edit in sorted(edits, key=lambda e: -e.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    programs, report = programs_of(path.name, text, path)
    assert not report.errors, report.errors[0].message
    assert len(edits) > 40 and [len(p.ops) for p in programs] == [len(p.ops) for p in analysis.stages.programs]
    assert text.replace("new-", "") == analysis.source.text


# ------------------------------------------------------------------------------------------------------------- typing

GAME = """(version "zrf+")
(define step ($1 (verify empty?) add))
(define give (create $2 $1))
(game
  (title "Hop")
  (players White Black ?Grey) (team Pair White Grey)
  (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("10/9/1" (0 10))) (directions (n 0 -1) (s 0 1)))
    (zone (name home) (players White) (positions a1 b1))
    (measure (name height) (players White) (values (2 a1))))
  (counter laps)
  (piece (name Pawn) (attribute fresh? true)
    (moves (move-type going) (step n) (s (set-flag met true) (give a1 Pawn) add)))
  (piece (name King) (moves ((set-position-flag here true) n add)))
  (board-setup (White (King a1) (Pawn b1)) (Black (Pawn b9)))
  (win-condition (White Black) (pieces-remaining 1))
HERE)
"""
TYPED = """\
( (p (pi (piece_( (piece_(moves_( (piece_(moves_(n_( (piece_(moves_(n_ (piece_(moves_(( (piece_(drops_(
(piece_(moves_((verify_( (piece_(moves_((verify_ (piece_(moves_((verify_(not_( (piece_(moves_((if_
(piece_(moves_((if_empty?_ (piece_(moves_((piece?_ (piece_(moves_((verify_(piece?_Pawn_
(piece_(moves_((verify_(in-zone?_ (piece_(moves_((verify_(not-in-zone?_ho (piece_(moves_((verify_(flag?_
(piece_(moves_((verify_(position-flag?_ (piece_(moves_((verify_(attacked?_ (piece_(moves_((verify_(empty?_
(piece_(moves_((verify_(equal?_( (piece_(moves_((verify_(equal?_(counter_ (piece_(moves_((verify_(equal?_(count_
(piece_(moves_((verify_(equal?_(count_friend_ (piece_(moves_((verify_(equal?_(at_
(piece_(moves_((verify_(equal?_(store_Pawn_ (piece_(moves_((set-flag_ (piece_(moves_((set-flag_met_
(piece_(moves_((set-attribute_ (piece_(moves_((set-counter_ (piece_(moves_((set-counter_laps_(
(piece_(moves_((create_ (piece_(moves_((change-type_ (piece_(moves_((change-type_King_ (piece_(moves_((capture_
(piece_(moves_((go_ (piece_(moves_((opposite_ (piece_(moves_((add_ (piece_(moves_((add-partial_ (piece_(moves_((step_
(piece_(moves_((give_ (piece_(moves_((give_a1_ (piece_(moves_(move-type_ (piece_(attribute_ (piece_(attribute_fresh?_
(piece_(image_ (piece_(name_ (board_( (board_(grid_( (board_(zone_( (board_(zone_(players_ (board_(zone_(positions_
(board_(zone_(positions_a (board_(links_ (board_(links_n_( (board_(unlink_( (board_(symmetry_
(board_(symmetry_Black_( (board_(measure_(values_( (board_(kill-positions_ (board-setup_( (board-setup_(White_(
(board-setup_(White_(Pawn_ (turn-order_ (turn-order_( (turn-order_(White_ (move-priorities_ (team_Two_ (option_
(option_"pass_turn"_ (option_"re (win-condition_( (win-condition_(White)_ (win-condition_(White)_(
(win-condition_(White)_(and_( (count-condition_( (win-condition_(White)_(absolute-config_
(win-condition_(White)_(absolute-config_Pawn_( (win-condition_(White)_(absolute-config_(opponent_
(win-condition_(White)_(relative-config_ (out-condition_(White)_stalemated_(remove_ (win-condition_(White)_(captured_
(win-condition_(White)_(pieces-remaining_1_ (score_( (default_ (dimensions_ (win-condition_(White_ ;_comment_(
(title_"wi (define_x_( (define_x_ (unknown_ (players_"""
"""Beginnings of sections, with _ for blanks."""


@cache
def hop() -> Analysis:
    return analyse(Source("hop.zrf", GAME.replace("HERE", "")), Path("hop.zrf"), None)


def offered() -> Iterator[str]:
    """Yield the completions after each text of `TYPED`, one line for each kind, and the form around the cursor."""
    before = hop()
    for typed in TYPED.split():
        text = GAME.replace("HERE", typed.replace("_", " "))
        at = text.rindex(")")
        found = completions(before, Source("hop.zrf", text), at, True)
        lines: dict[str, list[str]] = {}
        for item in found.items:
            lines.setdefault(item.kind, []).append(item.word + (f" {item.body!r}" if item.body else ""))
            assert item.detail or item.kind in ("value", "macro")
        yield f"==== {typed}| replaces {text[found.start : found.end]!r}"
        yield from (f"{kind}: {' '.join(words)}" for kind, words in lines.items())
        if sign := signature(before, Source("hop.zrf", text), at):
            yield f"form {sign.label} · {sign.parts} · {sign.active}"


def test_completions_fit_the_cursor() -> None:
    same_as_golden("typing.txt", offered())


def test_completions_explain_their_words() -> None:
    """A keyword and a macro come with their explanation, a name with its kind."""
    items = {item.word: item for typed in ("(piece (moves ((", "(board-setup (White (Pawn ")
             for text in [GAME.replace("HERE", typed)]
             for item in completions(hop(), Source("hop.zrf", text), text.rindex(")")).items}
    assert items["verify"].text.startswith("**verify** · move code\n\n`(verify CONDITION…)`")
    assert items["give"].detail == "(give $1 $2)" and "(define give (create $2 $1))" in items["give"].text
    assert items["a10"].detail == "position" and [*items][-1] == "off"


# --------------------------------------------------------------------------------------------------------------- fixes

BROKEN = r"""(game (title "A") ; a comment\n  (players White Black)\n; another\n(board-setup)
(game (title "A") (players White, Black))
(game (title “A”) (players White Black))
(game (title "A) (players White Black))\n(define x "y)
(game\n  (players White Black)) )
(game (title "A") (players White Black)))\n; end
title "A") (players White Black))
(game (title "A") // a comment\n (players White Black)) // another
(game (title "A") (players Wh\u200bite Black))
(game (tittle "A") (players White Black) (turn-order Wite Balck))
(game (title "A") (players White Black) (turn-order White Black) (counter n))
(version "2.0")\n(game (title "A") (players White Black) (turn-order White Black) (score (counter n)))
(game (title "A") (players White Black) (turn-order White) (option "pas turn" true) (option "pass turn" tru))"""
"""Texts that cannot be read, or are not read as intended; a backslash and an n stand for a line end."""


def mended(analysis: Analysis) -> Iterator[str]:
    """Yield each fix (not of `no-end` or `no-description`), with its edits and the error counts before and after."""
    for problem in problems(analysis):
        for fix in () if problem.message.code in ("no-end", "no-description") else fixes(analysis, problem.message):
            after = fixed(analysis, fix)
            yield f"{problem.message.code}: {fix.title}{'' if fix.sure else ' ?'} · " + " ".join(
                f"{edit.span.source.position(edit.span.start)} {edit.span.text!r} → {edit.text!r}" for edit in fix.edits
            ) + f" · {len(analysis.errors)} → {len(after.errors)}"


def all_mended() -> Iterator[str]:
    for text in BROKEN.splitlines():
        yield f"==== {text}"
        source = Source("x.zrf", text.replace("\\n", "\n").replace("\\u200b", "\u200b"))
        yield from mended(settled(analyse(source, Path("x.zrf"), None)))
    for example in examples((FOLDER / "mistakes.md").read_text("utf-8")):
        analysis = settled(analyse(Source("x.zrf", wrap(example).text), Path("x.zrf"), None))
        linted = replace(analysis, lints=lints_of(analysis))
        if lines := list(mended(analysis if analysis.errors else linted)):
            yield f"==== {example.heading}"
            yield from lines


def test_fixes_match_the_golden_file() -> None:
    same_as_golden("fixes.txt", all_mended())


# ------------------------------------------------------------------------------------------------------ included files

INCLUDING = """(include "moves.inc")
(game (title "A") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (step n) (walk n)))
  (board-setup (White (Man a1)) (Black (Man b2))))
"""
MOVES = """(define step ($1 (verify emty?) add))
(define walk ($1 (add $2)))
(bogus)
"""


def told_of(analysis: Analysis) -> Iterator[str]:
    """Yield the problems of a text: code, marked words, related places."""
    for problem in problems(analysis):
        at = [f"{Path(span.source.name).name}:{span.source.position(span.start)[0]} {span.text!r} {words}"
              for span, words in problem.related]
        yield f"{problem.message.code} {analysis.source.text[problem.start : problem.end]!r} · {'; '.join(at)}".rstrip()


def test_problems_of_included_files_are_shown_in_both_files(tmp_path: Path) -> None:
    (tmp_path / "moves.inc").write_text(MOVES, "utf-8")
    whole = analyse(Source(str(tmp_path / "a.zrf"), INCLUDING), tmp_path / "a.zrf", None)
    part = whole.of(next(file for file in whole.files if file.name.endswith("moves.inc")))
    assert "\n".join(["main", *told_of(whole), "part", *told_of(part)]) == """\
main
missing-argument '(walk n)' · moves.inc:2 '(define walk ($1 (add $2)))' the macro
unknown-section '"moves.inc"' · moves.inc:3 'bogus' unknown here
unknown-condition '(step n)' · moves.inc:1 'emty?' unknown here
part
unknown-section 'bogus' ·
unknown-condition 'emty?' · a.zrf:4 '(step n)' in this call of `step`"""


@pytest.mark.parametrize(("text", "allowed"), [
    ("(a) ; zrf: allow x y\n(b) ; zrf: allow z", {1: {"x", "y"}, 2: {"z"}}),
    ("; zrf: allow x\n; zrf: allow y\n(a)", {FILE: {"x", "y"}}),
    ("(a\n ; zrf: allow x\n b)", {3: {"x"}}), ("(a)\n\n\n; zrf: allow x", {5: {"x"}}),
    ('(a "; zrf: allow x")', {}), ("(a) ;zrf: allow x  ", {1: {"x"}}), ("(a) ; zrf allow x", {})])
def test_findings_are_suppressed_by_line_and_by_file(text: str, allowed: dict[int, set[str]]) -> None:
    """A comment applies to its line, to the next line if it stands alone, or to the file if it precedes all code."""
    assert allowances(text) == allowed


def test_a_drop_begins_with_a_direction_a_zone_or_a_square() -> None:
    """The first word of a drop may be a direction, a zone or a square; further on, and in moves, `n` is a direction."""
    text = """(game (title "Drops") (players White Black) (turn-order White Black)
      (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1)))
        (zone (name home) (players White Black) (positions a1 b1)))
      (piece (name Man) (drops (n add) (home n add) (a2 n add) ((verify empty?) n add)) (moves (n add))))"""
    analysis = analyse(Source("drops.zrf", text), Path("drops.zrf"), None)
    begin = text.index("(piece")
    names = sorted(names_.names_of(analysis).inside(analysis.source), key=lambda o: o.span.start)
    found = [(o.kind, o.name) for o in names if o.span.start > begin]
    assert found == [("piece", "Man"), ("direction", "n"), ("zone", "home"), ("direction", "n"), ("position", "a2"),
                     ("direction", "n"), ("direction", "n"), ("direction", "n")]
