"""`zrf fix`: applies safe fixes and no others."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.playing import RULES, slow
from tests.same import programs_of, same_rules
from tests.slips import Tally
from tests.test_mistakes import PAGE, examples, wrap
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.balance import settled
from zrf_py.author.editor.fixes import fixes
from zrf_py.author.fix import fixing
from zrf_py.author.fix.fixing import fix_text
from zrf_py.author.format.files import rewrite_file
from zrf_py.cli.main import main
from zrf_py.front.decode import decode
from zrf_py.front.keywords import KEYWORDS
from zrf_py.library import MAX_BYTES, rules_files
from zrf_py.text.source import Source

GAME = (RULES / "tictactoe.zrf").read_text("utf-8")
MENDED = {"a misspelt keyword", "a misspelt condition", "a parenthesis too few before a word"}


@pytest.mark.parametrize("example", examples(PAGE), ids=lambda e: e.heading.replace(" ", "-"))
def test_fixes_of_mistakes_add_no_errors(example: object) -> None:
    """No example has more errors than before, none changes without a fix, and those of `MENDED` lose all errors."""
    text = wrap(example).text  # type: ignore[arg-type]
    fixed = fix_text("example.zrf", text)
    _, before = programs_of("example.zrf", text)
    _, after = programs_of("example.zrf", fixed.after)
    assert len(after.errors) <= len(before.errors)
    assert fixed.changed == bool(fixed.done)
    if example.heading in MENDED:  # type: ignore[attr-defined]
        assert fixed.done and not after.errors


@pytest.mark.parametrize(("right", "wrong"), [
    ("(define", "(dfine"), ("(board-setup", "(bord-setup"), ("(win-condition", "(win-conditon"),
    ("(start-rectangle", "(strt-rectangle")])
def test_a_parenthesis_hides_no_other_mistake(right: str, wrong: str) -> None:
    """Each mistake is fixed alone, and both together: the misspelt word is found only once the parentheses are
    balanced."""
    path = RULES / "tictactoe.zrf"
    text = path.read_text("utf-8")
    lines = text.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("  (") and line.endswith("))") and right not in line)
    open_line = "\n".join([*lines[:at], lines[at][:-1], *lines[at + 1 :]])
    assert right in text
    for broken in (open_line, text.replace(right, wrong, 1), open_line.replace(right, wrong, 1)):
        result = fix_text("a.zrf", broken)
        assert not result.left and same_rules("a.zrf", result.after, text), result.done


def test_invisible_characters_are_removed() -> None:
    """They occur in concatenated files, and in text copied from a web page."""
    fixed = fix_text("a.zrf", "\ufeff" + GAME.replace("(players", "(pla\u200byers"))
    assert fixed.after == GAME and len(fixed.done) == 2 and not fixed.left


def test_comment_signs_of_other_languages_are_replaced() -> None:
    fixed = fix_text("a.zrf", GAME.replace("(players", "// who plays\n  (players"))
    assert fixed.after == GAME.replace("(players", "; who plays\n  (players") and not fixed.left


@pytest.mark.parametrize("path", rules_files(RULES)[:12], ids=lambda p: p.name)
def test_fix_changes_nothing_on_the_shelf(path: Path) -> None:
    assert not rewrite_file(fix_text, path, write=False).changed


@pytest.mark.parametrize("seed", range(6))
def test_typing_errors_are_fixed(seed: int) -> None:
    """A keyword has a letter too many; after `fix` the game is the same again."""
    choice = random.Random(seed)
    words = [w for w in KEYWORDS if f"({w} " in GAME and len(w) > 5]
    word = choice.choice(words)
    at = choice.randrange(1, len(word))
    broken = GAME.replace(f"({word} ", f"({word[:at]}{word[at]}{word[at:]} ", 1)
    fixed = fix_text("t.zrf", broken)
    assert fixed.done and same_rules("t.zrf", GAME, fixed.after), word


CORPUS = Path(os.environ.get("ZRF_CORPUS", "/nowhere"))
LENGTH = 8_000
"""Maximum size in bytes of the files that are spoilt: longer ones have the same forms, only more of them."""


def spoilt(texts: dict[Path, str], count: int) -> Tally:
    """Return the tally of `count` random typing mistakes in these texts."""
    tally = Tally()
    for seed in range(count):
        chance = random.Random(seed)
        path = chance.choice(sorted(texts))
        tally.add(path.name, texts[path], chance)
    return tally


def short(paths: list[Path]) -> dict[Path, str]:
    """Return the texts of the files that are not too long and have nothing to fix."""
    texts = {path: decode(path.read_bytes()) for path in paths if path.stat().st_size <= LENGTH}
    return {path: text for path, text in texts.items() if not fix_text(path.name, text).problems}


@pytest.mark.parametrize("count", [20, *slow([60, 300])])
def test_some_random_slips_are_fixed_and_none_made_worse(count: int) -> None:
    """`fix` may leave a slip alone, but at least seven in ten of the texts that it fixes equal the original."""
    files = rules_files(RULES)
    tally = spoilt(short(files[:: 1 if count > 100 else 6]), count)
    assert not tally.worse
    assert tally.noticed > count // 2 and tally.mended > tally.noticed // 6
    assert tally.equal >= 0.7 * tally.mended, tally.other


@pytest.mark.slow
@pytest.mark.skipif(not CORPUS.is_dir(), reason="ZRF_CORPUS names no folder with rules files")
def test_random_slips_in_files_by_other_authors_are_not_made_worse() -> None:
    tally = spoilt(short(sorted(CORPUS.rglob("*.zrf"))), 2_000)
    assert not tally.worse and tally.mended > 200
    assert tally.equal >= 0.7 * tally.mended


HOP = """(define hop (
  $1
  (verify not-friend?)
  (if (in-zone? far) (add King) else add)
))
(define slide ($1 (while empty? add $1) (verify not-friend?) add))
(game (title "Hop") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (e 1 0)))
    (zone (name far) (players White Black) (positions a2 b2)))
  (piece (name Man) (moves (hop n) (hop e)))
  (piece (name King) (moves (slide n) (slide e)))
  (board-setup (White (Man a1)) (Black (Man a2) (King b2))))
"""


@pytest.mark.parametrize(("right", "wrong", "line", "help"), [
    ("(verify not-friend?)\n", "(verify not-friend?))\n", 3, "remove it"),
    ("(verify not-friend?)\n", "(verify (not-friend?)\n", 3, "remove it"),
    ("(verify not-friend?)\n", "verify not-friend?)\n", 3, "write `(verify`"),
    ("(add King) else", "(add King)) else", 4, "remove it"),
    ("(add King) else", "(add King else", 4, "write `King)`"),
    ("(in-zone? far) (", "(in-zone? far (", 4, "write `far)`"),
], ids=["a form closed twice", "a form opened twice", "a word without `(`", "closed too early", "not closed",
        "a condition not closed"])
def test_the_place_of_a_parenthesis_is_found_by_trying(
        right: str, wrong: str, line: int, help: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In a macro, neither the end of the text nor the indentation shows the place; `fix` restores the text."""
    file = tmp_path / "hop.zrf"
    file.write_text(HOP.replace(right, wrong, 1), "utf-8")
    assert main(["check", str(file)]) == 1 and main(["lint", str(file)]) == 1
    shown = capsys.readouterr().out
    assert shown.count(f"hop.zrf:{line}:") == 2 and shown.count(f"= help: {help}\n") == 2, shown
    assert fix_text("hop.zrf", HOP.replace(right, wrong, 1)).after == HOP


def test_no_place_of_a_parenthesis_is_tried_in_a_long_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each trial reads the whole text: trying the 28,000 places in this line of 190 kB would take minutes."""
    made = []
    monkeypatch.setattr("zrf_py.author.editor.balance.is_closed", lambda text: made.append(text))
    text = f'(game (title "x") {"(piece (name M) (moves (n (verify empty?) add))) " * 4_000}))'
    result = fix_text("long.zrf", text)
    assert not made and not result.changed and [d.code for d in result.left] == ["extra-parenthesis"]


def test_a_parenthesis_missing_at_the_end_of_a_long_text_is_added() -> None:
    """Of the many places only the last one is tried, and it is kept only if no error is left."""
    pieces = "".join(f'  (piece (name Man{n}) (moves (hop n) (hop e) (slide n)))\n' for n in range(60))
    long = HOP.replace("  (piece (name Man)", f"{pieces}  (piece (name Man)")
    assert long.endswith("))))\n")
    assert fix_text("a.zrf", long[:-2] + "\n").after == long
    inside = long.replace("(piece (name Man7)", "(piece (name Man7").replace("(piece (name King)", "(piece (name Kng)")
    result = fix_text("a.zrf", inside[:-2] + "\n")
    assert not any(done.message.code == "unclosed-form" for done in result.done)


def test_several_places_of_a_parenthesis_are_named_without_a_fix() -> None:
    text = HOP.replace("add $1) (", "add $1 (")
    result = fix_text("hop.zrf", text)
    [problem] = result.problems
    assert not result.changed and "several places" in problem.help
    assert [span.text for span, _ in problem.related] == ["$1", ")", ")"]
    analysis = settled(analyse(Source("hop.zrf", text)))
    assert not fixes(analysis, *analysis.errors)


AROUND = """(define look ((verify (enemy? {}))
  (if (enemy? ne) (capture {})) (add-partial {})))
(game (title "Look") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1) (ne 1 -1))))
  (piece (name Man) (moves (look) (move-type again) (n (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Man a2))))
"""
"""The slip `en` may stand for `n` or `ne`: only the test beside it decides."""


@pytest.mark.parametrize(("wrong", "right"), [
    (("n", "en", "again"), ("n", "ne", "again")),
    (("en", "n", "again"), ()),
    (("n", "ne", "agian"), ("n", "ne", "again")),
    (("n", "ne", "other"), ()),
], ids=["two letters, named beside", "two letters alone", "a misspelt move type", "an unlike move type"])
def test_a_name_is_fixed_if_only_one_is_meant(wrong: tuple[str, ...], right: tuple[str, ...]) -> None:
    result = fix_text("look.zrf", AROUND.format(*wrong))
    assert result.after == AROUND.format(*(right or wrong)) and bool(result.done) == bool(right)


def test_a_misspelt_move_type_with_two_likely_corrections_is_not_fixed() -> None:
    text = AROUND.format("n", "ne", "agin")
    assert fix_text("look.zrf", text).done
    assert not fix_text("look.zrf", text.replace("(moves", "(moves (move-type akin) (ne add)")).done


def test_no_fix_is_offered_that_leads_to_new_errors() -> None:
    """A lost `(` leaves a `)` too many, but removing that one would cause other errors."""
    text = GAME.replace("(players", "\n  players", 1)
    analysis = settled(analyse(Source("a.zrf", text)))
    [problem] = analysis.errors
    assert [fix.title for fix in fixes(analysis, problem)] == ["Add `(`"]
    assert "".join(fix_text("a.zrf", text).after.split()) == "".join(GAME.split())
    lost = GAME.replace("(dimensions", "((dimensions", 1).replace("players", "playesr", 1)
    assert fix_text("a.zrf", lost).after == lost


def test_fix_shows_or_writes_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.zrf"
    broken = GAME.replace("(players", "(plyers", 1).replace("\n", "\r\n").encode("utf-8")
    file.write_bytes(broken)
    assert main(["fix", str(file)]) == 1
    out = capsys.readouterr().out
    assert "+" in out and "(players" in out and "--write" in out
    assert file.read_bytes() == broken
    assert main(["fix", str(file), "--write"]) == 0
    assert file.read_bytes() == GAME.replace("\n", "\r\n").encode("utf-8")
    capsys.readouterr()
    assert main(["fix", str(file)]) == 0
    assert "nothing to fix" in capsys.readouterr().out


def test_check_counts_lints_as_warnings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.zrf"
    file.write_text("(define unused n)\n" + GAME, "utf-8")
    assert main(["check", str(file)]) == 0  # findings are not errors
    assert capsys.readouterr().out.endswith(f"\n{file}: 1 warning (1 game)\n")
    assert main(["check", "--strict", str(file)]) == 1
    assert "unused-macro" in capsys.readouterr().out
    assert main(["check", "--strict", "--no-lint", str(file)]) == 0
    assert "no problems" in capsys.readouterr().out
    for words, finds in ((["--json"], False), (["--json", "--lint"], True)):
        assert main(["check", *words, str(file)]) == 0
        assert ("unused-macro" in capsys.readouterr().out) == finds


def test_lint_refers_to_check_for_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.zrf"
    assert GAME.count("(title") == 1
    file.write_text(GAME.replace("(title", '(option "smrt moves" true) (title'), "utf-8")
    assert main(["lint", str(file)]) == 0
    assert capsys.readouterr().out == "no findings\n(1 warning not shown: `zrf check` shows them)\n"


def test_a_fix_that_changes_nothing_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Problems after such a fix are still fixed."""
    asked: list[str] = []

    def is_better(before: Analysis, after: Analysis) -> bool:
        asked.append(before.errors[len(asked)].message)
        return len(asked) > 1

    monkeypatch.setattr(fixing, "_is_better", is_better)
    monkeypatch.setattr(fixing, "MAX_TRIES", 2)
    text = GAME.replace("(turn-order", "(turn-odrer").replace("(drops", "(dropps")
    fixed = fix_text("a.zrf", text)
    assert len(asked) == 2 and asked[0] != asked[1]
    assert [done.message.message for done in fixed.done] == asked[1:]


def test_quoted_text_stays_quoted() -> None:
    analysis = analyse(Source("a.zrf", GAME.replace("(players", '(option "pass tunr" true)\n(players', 1)), None)
    problem, = analysis.diagnostics
    assert [edit.text for fix in fixes(analysis, problem) for edit in fix.edits] == ['"pass turn"']


@pytest.mark.parametrize("words", [["lint"], ["fix"], ["fix", "--write"], ["fmt", "--check"], ["fmt"]], ids=" ".join)
def test_a_file_that_cannot_be_read_does_not_hide_those_after_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """A folder of old files may hold one that is too large, or damaged, between those that matter."""
    (tmp_path / "a.zrf").write_bytes(b" " * (MAX_BYTES + 1))
    misspelt = (RULES / "tictactoe.zrf").read_text("utf-8").replace("(players X O)", "(playrs   X O)")
    assert "playrs" in misspelt
    (tmp_path / "b.zrf").write_text(misspelt, "utf-8")
    assert main([*words, str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "a.zrf is larger than 16 MiB" in out + err and "b.zrf" in out + err
    if words == ["fix", "--write"]:
        assert "(players   X O)" in (tmp_path / "b.zrf").read_text("utf-8")
        assert "fixed: 1; problems left for you to correct: 1" in out
