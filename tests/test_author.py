"""The services for authors in Python: `Draft`, and the README with its examples."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

from tests.playing import RULES, counted, of_every_kind
from zrf_py import ZrfError, author
from zrf_py.author import Draft
from zrf_py.author.draft import UNNAMED

README = Path(author.__file__).with_name("README.md")
WRONG = """(define step ($1 (verify emty?) add))
(game (title "Hop") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (10 0)) ("3/2/1" (0 10))) (directions (n 0 -1) (s 0 1)))
    (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (step n)))
  (board-setup (White (Man a1)) (Black (Man b3)))
  (loss-condition (White Black) stalemated))
"""


def test_the_examples_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(README), module_relative=False)
    assert found.attempted > 20 and not found.failed


def test_every_public_name_is_documented() -> None:
    page = README.read_text("utf-8")
    for name in counted(author.__all__):
        assert f"`{name}" in page and getattr(author, name).__doc__
    for name, member in vars(Draft).items():
        if not name.startswith("_") and name != "analysis":
            assert inspect.getdoc(getattr(Draft, name) if callable(member) else member) or name in ("text", "path")
            assert f".{name}" in page, name


def test_a_draft_is_fixed_and_played() -> None:
    draft = Draft(WRONG)
    assert [p.message.code for p in draft.problems] == ["unknown-condition"] and not draft.lints
    with pytest.raises(ZrfError, match="emty"):
        draft.game()
    with pytest.raises(ZrfError, match="emty"):
        draft.test("```moves\ncan: a1 a2\n```")
    fixed = draft.fixed()
    by_hand = draft.edited(draft.fixes(draft.errors[0])[0].edits)
    assert fixed.after == by_hand.text == WRONG.replace("emty?", "empty?") and not fixed.left
    position = by_hand.game().start().play("a2").play("b2").play("a3").play("b1")
    assert str(position.outcome()) == "Black won (no legal moves)"
    assert "no-description" in {lint.code for lint in by_hand.lints}


def test_definitions_references_completions_and_outline_are_found() -> None:
    draft = Draft(WRONG.replace("emty?", "empty?"))
    called = draft.at("step", 5)
    assert called > draft.at("step")
    assert [span.text for span in draft.definitions(called)] == ["step"]
    assert len(draft.references(called)) == 2
    renamed = draft.edited(draft.rename(called, "walk"))
    assert renamed.text == draft.text.replace("step", "walk") and not renamed.problems
    with pytest.raises(ValueError, match="substring"):
        draft.at("nowhere")
    half = Draft(draft.text.replace("(step n)", "(ste n)"))
    assert "step" in {item.word for item in half.complete(half.at("ste n") + 3).items}
    form = draft.signature(draft.at("(symmetry Black") + 11)
    assert form and "symmetry" in form.label
    assert [part.name for part in draft.outline()] == ["step", "Hop"]


def test_drafts_are_opened_and_saved_as_files(tmp_path: Path) -> None:
    with pytest.raises(ZrfError, match="no file"):
        Draft.open(tmp_path / "none.zrf")
    with pytest.raises(ZrfError, match="path"):
        Draft(WRONG).save()
    path = tmp_path / "hop.zrf"
    path.write_bytes('; Damespiel für zwei\r\n(version "2.0")'.encode("cp1252"))
    saved = Draft(Draft.open(path).text + "\r\n").save(path)
    written = path.read_bytes()
    assert saved.path == path and written.endswith(b'"2.0")\r\n') and "für".encode("cp1252") in written
    with pytest.raises(ZrfError, match="can't be written"):
        Draft(WRONG).save(tmp_path / "no-folder" / "hop.zrf")


@pytest.mark.parametrize("path", of_every_kind(sorted(RULES.glob("*.zrf"))), ids=lambda p: p.stem)
def test_a_bundled_file_is_clean_as_a_draft(path: Path) -> None:
    """A bundled file, as a draft, has no errors, no lints and the standard style, and its game loads."""
    draft = Draft.open(path)
    assert not draft.errors and not draft.lints and not draft.format().changed
    assert draft.game().title and draft.analysis.source.name == str(path)


@pytest.mark.parametrize("text", ["", "(", ")", '"', "(game", "\x00", "(include \"x\")", "(define a (a)) (a)", "$1"])
def test_half_typed_texts_get_answers_or_messages(text: str) -> None:
    """Every call returns, or raises an error with a message."""
    draft = Draft(text)
    assert draft.analysis.source.name == UNNAMED
    assert isinstance(draft.problems, tuple) and draft.lints == () and draft.formatted().text is not None
    draft.fixed(), draft.hover(0), draft.complete(len(text)), draft.signature(0), draft.outline(), draft.references(0)
    for ask in (draft.game, draft.words, draft.test):
        with pytest.raises(ZrfError):
            ask()
