"""Included files are analysed as parts of the games that include them; unsaved texts count instead of files on disk."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.playing import HANG, RULES
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.complete import completions
from zrf_py.author.editor.fixes import fixed, fixes
from zrf_py.author.editor.hover import hover
from zrf_py.author.editor.outline import outline
from zrf_py.author.editor.problems import problems
from zrf_py.author.editor.rename import definitions, references, rename
from zrf_py.author.editor.texts import Texts
from zrf_py.author.editor.workshop import Document, Workshop
from zrf_py.text.source import Source

PARTS = "(define step ($1 (verify empty?) add))\n(define king (piece (name King) (moves (step n))))\n"
GAME = """(include "parts.inc")
(game
  (title "Hop")
  (players White Black)
  (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10))) (directions (n 0 -1))))
  (king)
  (piece (name Pawn) (moves (step n)))
  (board-setup (White (King a1) (Pawn b1)) (Black (Pawn b3 c3)))
  (win-condition (White Black) (pieces-remaining 1)))
"""


class Desk:
    """A workshop whose results are returned only after its analyses have ended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.news: queue.Queue[tuple[Document, Analysis]] = queue.Queue()
        self.workshop = Workshop(lambda document, analysis: self.news.put((document, analysis)))

    def open(self, name: str) -> Document:
        path = self.folder / name
        return self.workshop.take(name, path, path.read_text("utf-8"))

    def replace(self, document: Document, old: str, new: str) -> None:
        assert old in document.source.text
        self.workshop.change(document.name, document.source.text.replace(old, new), document.version + 1)

    def now(self, document: Document) -> Analysis:
        """Return the analysis of the current text once no work is left."""
        while True:
            self.workshop._threads.submit(int).result(HANG)
            self.workshop._threads.submit(int).result(HANG)
            if document.current is not None:
                return document.current

    def problems(self, document: Document) -> list[tuple[str, str, str]]:
        """Return the problems of a text: severity, code, and the words marked."""
        return [(p.message.severity, p.message.code, document.source.text[p.start : p.end])
                for p in problems(self.now(document))]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "parts.inc").write_text(PARTS, "utf-8")
    (tmp_path / "main.zrf").write_text(GAME, "utf-8")
    made = Desk(tmp_path)
    yield made
    made.workshop.end()


@pytest.mark.parametrize(("typed", "after", "body"), [
    ("", "", "(define ${1:name}\n  ($0))"), ("(", "", "define ${1:name}\n  ($0))"),
    ("(", ")", "define ${1:name}\n  ($0)"),
    ("(game ", ")", "(piece\n  (name ${1:Man})\n  (moves\n    ($0)))"), ("(game (board (zo", "", "zone (name"),
    ("(game (piece ", "", "(drops "), ("(game (option \"pass turn\" ", "", None), ("(game (win-condition (", "", None)])
def test_snippets_fit_their_context(typed: str, after: str, body: str | None) -> None:
    source = Source("x.zrf", typed + after)
    found = completions(analyse(source), source, len(typed), snippets=True)
    assert not [item for item in completions(analyse(source), source, len(typed)).items if item.body]
    bodies = [item.body for item in found.items if item.body]
    assert any(text.startswith(body) for text in bodies) if body else not bodies


def test_a_missing_parenthesis_leaves_an_outline() -> None:
    """Although the open form extends to the end of the file, each part of the outline ends where the next begins."""
    text = PARTS.replace("add))", "add)", 1) + GAME.replace('(include "parts.inc")\n', "")
    found = outline(analyse(Source("x.zrf", text)))
    assert [part.name for part in found] == ["step", "king", "Hop"]
    assert [text[part.start : part.end].rstrip() for part in found][:2] == [
        line.replace("add))", "add)") for line in PARTS.splitlines()]
    assert {"King", "Pawn"} & {child.name for child in found[2].children} == {"Pawn"}


def test_a_wrong_parenthesis_is_located_after_a_pause(desk: Desk) -> None:
    """A message comes at once, without a search for the wrong parenthesis; its place and fix follow after a pause."""
    document = desk.open("main.zrf")
    desk.now(document)
    text = document.source.text
    assert "(verify not-friend?)" not in text
    wrong = "(define hop ($1 (verify (not-friend?) add))\n" + text
    desk.workshop.change(document.name, wrong, 2)
    analyses = []
    while not analyses or not any("too many" in d.message for d in analyses[-1].diagnostics):
        changed, analysis = desk.news.get(timeout=HANG)
        if changed is document and analysis.source.text == wrong:
            analyses.append(analysis)
    first, last = analyses[0], analyses[-1]
    assert [d.code for d in first.errors] == ["unclosed-form"] and not fixes(first, *first.errors)
    [problem] = last.errors
    [fix] = fixes(last, problem)
    assert fixed(last, fix).source.text == wrong.replace("(not", "not", 1)


def places(found: list[object]) -> set[str]:
    return {str(span).rpartition("/")[2] for span in found}


def test_an_included_file_is_a_part_of_the_game_that_includes_it(desk: Desk) -> None:
    part = desk.open("parts.inc")
    assert desk.problems(part) == []
    analysis = desk.now(part)
    assert {symbol.name for symbol in outline(analysis)} == {"step", "king"}
    shown = hover(analysis, PARTS.index("King"))
    assert shown and "on b2, alone" in shown.text
    at = PARTS.index("(step n") + len("(step ")
    assert {"n"} <= {item.word for item in completions(analysis, part.source, at).items}


def test_unsaved_texts_of_game_and_included_file_reach_each_other(desk: Desk) -> None:
    part, main = desk.open("parts.inc"), desk.open("main.zrf")
    desk.replace(part, "empty?", "emty?")
    assert desk.problems(part) == [("error", "unknown-condition", "emty?")]
    assert ("error", "unknown-condition", "(king)") in desk.problems(main)
    desk.replace(part, "emty?", "empty?")
    assert desk.problems(part) == desk.problems(main) == []
    desk.replace(main, "(directions (n 0 -1))", "(directions (s 0 1))")
    assert {row[2] for row in desk.problems(part)} >= {"n"}
    desk.workshop.close("main.zrf")
    assert desk.problems(part) == [], "what was not saved is gone"


def test_an_included_part_follows_its_including_file(desk: Desk) -> None:
    """An include is removed from an unsaved text and restored; then a game that includes a file appears on the disk."""
    main, part = desk.open("main.zrf"), desk.open("parts.inc")
    desk.replace(main, '(include "parts.inc")', "")
    assert desk.problems(part) == [("note", "missing-game", PARTS.split("\n")[0])]
    assert desk.problems(main) != []
    desk.replace(main, "(game\n", '(include "parts.inc")\n(game\n')
    assert desk.problems(part) == desk.problems(main) == []
    (desk.folder / "more.inc").write_text("(define more add)", "utf-8")
    more = desk.open("more.inc")
    assert [row[:2] for row in desk.problems(more)] == [("note", "missing-game")]
    (desk.folder / "other.zrf").write_text('(include "more.inc")\n' + GAME, "utf-8")
    desk.workshop.reread()
    assert desk.problems(more) == []


def test_names_are_renamed_from_a_game_or_its_included_file(desk: Desk) -> None:
    """Names in another game that includes the same file, but is not open, are found and renamed, too."""
    (desk.folder / "other.zrf").write_text(GAME.replace("Hop", "Skip").replace("Pawn", "Man"), "utf-8")
    part, main = desk.open("parts.inc"), desk.open("main.zrf")
    wanted = {"parts.inc:1:9", f"parts.inc:2:{PARTS.splitlines()[1].index('step') + 1}", "main.zrf:8:30",
              "other.zrf:8:29"}
    for document, at in ((part, PARTS.index("step")), (main, GAME.index("step"))):
        analysis = desk.now(document)
        others = desk.workshop.games(analysis)
        assert places(references(analysis, at, True, others)) == wanted
        assert places([edit.span for edit in rename(analysis, at, "walk", others)]) == wanted
        assert places(definitions(analysis, at)) == {"parts.inc:1:9"}


def test_a_file_included_by_an_included_file_belongs_to_the_game(desk: Desk) -> None:
    (desk.folder / "parts.inc").write_text('(include "inner.inc")\n' + PARTS, "utf-8")
    (desk.folder / "inner.inc").write_text("(define inner (n add))\n", "utf-8")
    inner = desk.open("inner.inc")
    assert desk.problems(inner) == [] and desk.now(inner).root.name.endswith("main.zrf")


def test_two_texts_of_one_file_and_a_text_without_a_file_have_their_own_problems(desk: Desk) -> None:
    one = desk.workshop.take("one", desk.folder / "main.zrf", GAME)
    two = desk.workshop.take("two", desk.folder / "main.zrf", GAME.replace("(title", "(titel"))
    loose = desk.workshop.take("loose", None, "(game)")
    assert desk.problems(one) == [] and desk.problems(two) != [] and desk.problems(loose) != []


def test_every_included_file_of_the_shelf_belongs_to_a_game(tmp_path: Path) -> None:
    texts = Texts()
    parts = sorted(RULES.rglob("*.inc"))
    assert len(parts) > 5
    assert [part.name for part in parts if not next(texts.games(part.resolve()), None)] == []


def test_completion_shows_at_most_twenty_parameters_of_a_macro() -> None:
    slots = " ".join(f"${number}" for number in range(1, 24))
    source = Source("a.zrf", f"(define many {slots}) (piece (moves (")
    (found,) = (item for item in completions(analyse(source), source, len(source.text)).items if item.word == "many")
    assert found.detail == "(many " + " ".join(f"${number}" for number in range(1, 21)) + ")"


@pytest.mark.parametrize(("typed", "offered", "not_offered"), [
    ("(board-setup (White (", {"King", "Pawn"}, {"players", "title"}),
    ('(option "recycle captures" ', {"true", "false", "captor"}, {"King"}),
    ("(loss-condition (", {"White", "Black"}, {"stalemated", "captured"}),
    ("(piece (name Rook) (captured-as ", {"King", "Pawn"}, {"verify"}),
    ('(include "', {"parts.inc"}, {"King"}),
])
def test_completions_fit_their_context(typed: str, offered: set[str], not_offered: set[str], tmp_path: Path) -> None:
    """Names of pieces, players and files and the values of options are offered only where they are allowed."""
    (tmp_path / "parts.inc").write_text(PARTS, "utf-8")
    text = GAME.replace("  (win-condition", f"  {typed}\n  (win-condition")
    before, source = (Source(str(tmp_path / "hop.zrf"), game) for game in (GAME, text))
    analysis = analyse(before, tmp_path / "hop.zrf")
    words = {item.word for item in completions(analysis, source, text.index(typed) + len(typed)).items}
    assert offered <= words and not not_offered & words
