"""The language server with a real client, in the same process or over pipes: every feature on five files, and
answers about texts that are incomplete, have changed meanwhile or are not open."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from tests.editing import Editor
from tests.playing import HANG, RULES, slow
from tests.same import same_rules
from zrf_py.author.editor import room as rooms
from zrf_py.lsp import server as servers
from zrf_py.lsp.shapes import LEGEND, offset
from zrf_py.text.source import Source

FILES = ["tictactoe", "chess", "checkers", "monks/monks-halma", "minishogi"]


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    with Editor() as found:
        yield found


def document(uri: str) -> t.TextDocumentIdentifier:
    return t.TextDocumentIdentifier(uri)


def names(symbols: list[t.DocumentSymbol]) -> set[str]:
    return {s.name for s in symbols} | {n for s in symbols for n in names(list(s.children or ()))}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_feature_works_over_pipes(name: str) -> None:
    with Editor(apart=True) as editor:
        every_feature(editor, name)


@pytest.mark.parametrize("name", [FILES[0], *slow(FILES[1:])])
def test_every_feature_works(editor: Editor, name: str) -> None:
    every_feature(editor, name)


def every_feature(editor: Editor, name: str) -> None:
    path = RULES / f"{name}.zrf"
    uri = editor.open(path)
    text = editor.texts[uri][1]
    assert editor.heard(uri) == []
    symbols = list(editor.ask(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL, t.DocumentSymbolParams(document(uri))))
    titles = {title.split('"')[1] for title in text.split("(title ")[1:]}
    assert symbols and titles & names(symbols)
    folds = editor.ask(t.TEXT_DOCUMENT_FOLDING_RANGE, t.FoldingRangeParams(document(uri)))
    assert all(f.start_line < f.end_line < text.count("\n") + 1 for f in folds) and len(folds) > 2
    coloured(editor, uri)
    lenses = editor.ask(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensParams(document(uri)))
    assert {lens.command.title for lens in lenses if lens.command} == {"play", "show board"}
    assert {lens.command.arguments[1] for lens in lenses if lens.command} <= titles
    unresolved = next(lens for lens in lenses if not lens.command)
    assert unresolved.data[1] in titles
    summary = editor.ask(t.CODE_LENS_RESOLVE, unresolved).command.title
    assert "random games" in summary or summary == "no random game finished in time"
    assert not editor.ask(t.TEXT_DOCUMENT_FORMATTING, t.DocumentFormattingParams(
        document(uri), t.FormattingOptions(2, True)))
    whole = t.Range(t.Position(0, 0), t.Position(text.count("\n"), 0))
    assert editor.ask(t.TEXT_DOCUMENT_INLAY_HINT, t.InlayHintParams(document(uri), whole)) is not None
    assert not editor.ask(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionParams(
        document(uri), whole, t.CodeActionContext([])))
    about_a_name(editor, uri, path)
    typing(editor, uri)


def coloured(editor: Editor, uri: str) -> None:
    """Check that tokens come in order and within their lines, and that keywords and comments are marked as such."""
    lines = editor.texts[uri][1].split("\n")
    data = editor.ask(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, t.SemanticTokensParams(document(uri))).data
    line = column = 0
    words: dict[str, set[str]] = {}
    for down, right, length, kind, _ in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, right if down else column + right
        assert 0 < length <= len(lines[line]) - column
        words.setdefault(LEGEND.token_types[kind], set()).add(lines[line][column : column + length])
    assert {"game", "piece"} <= words["keyword"] and all(w.startswith(";") for w in words["comment"])
    assert not words["keyword"] & words.get("class", set())


def about_a_name(editor: Editor, uri: str, path: Path) -> None:
    """Test hover, definition, references and renaming on the first piece type in the first set-up of the file."""
    text = editor.texts[uri][1]
    place = text.index("(board-setup") + len("(board-setup")
    place = text.index("(", text.index("(", place) + 1) + 1  # (White (>Man a1 …))
    piece = text[place:].split()[0]
    hover = editor.at(t.TEXT_DOCUMENT_HOVER, uri, place)
    assert hover.contents.value.startswith(f"**{piece}** · piece")
    found = editor.at(t.TEXT_DOCUMENT_DEFINITION, uri, place)
    assert len(found) >= 1
    everywhere = editor.at(t.TEXT_DOCUMENT_REFERENCES, uri, place, context=t.ReferenceContext(True))
    others = editor.at(t.TEXT_DOCUMENT_REFERENCES, uri, place, context=t.ReferenceContext(False))
    assert {str(f) for f in found} == {str(f) for f in everywhere} - {str(f) for f in others}
    assert editor.at(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, uri, place)
    assert editor.at(t.TEXT_DOCUMENT_PREPARE_RENAME, uri, place)
    changes = editor.at(t.TEXT_DOCUMENT_RENAME, uri, place, new_name="Renamed-one").changes
    assert sum(map(len, changes.values())) >= len(everywhere)
    if set(changes) == {uri}:
        after = editor.edited(text, list(changes[uri]))
        assert "Renamed-one" in after and not editor_errors(editor, path, after)


def editor_errors(editor: Editor, path: Path, text: str) -> list[t.Diagnostic]:
    """Return the errors that an editor receives if the text of a file is replaced; restore the text."""
    uri = path.resolve().as_uri()
    editor.change(uri, 0, len(editor.texts[uri][1]), text)
    said = [d for d in editor.heard(uri) if d.severity == t.DiagnosticSeverity.Error]
    editor.change(uri, 0, len(text), path.read_text("utf-8"))
    return said


def typing(editor: Editor, uri: str) -> None:
    """Type the beginning of a block in a new piece's moves: completions fit the place, and signatures show the
    parameters."""
    text = editor.texts[uri][1]
    start = text.index("(game") + len("(game")
    editor.change(uri, start, start, "\n  (piece (name New) (moves ((verify (in-zo")
    at = start + len("\n  (piece (name New) (moves ((verify (in-zo")
    found = editor.at(t.TEXT_DOCUMENT_COMPLETION, uri, at)
    assert "in-zone?" in {item.label for item in found.items}
    item = next(item for item in found.items if item.label == "in-zone?")
    assert offset(Source("", editor.texts[uri][1]), item.text_edit.range.start) == at - len("in-zo")
    editor.change(uri, at, at, "ne? ")
    signature = editor.at(t.TEXT_DOCUMENT_SIGNATURE_HELP, uri, at + len("ne? "))
    assert signature.signatures[0].label.startswith("(in-zone? ZONE")
    assert signature.active_parameter == 0
    editor.change(uri, start, at + len("ne? "), "")
    assert editor.texts[uri][1] == text and editor.heard(uri) == []


# ---------------------------------------------------------------------------------------------------- single features

GAME = """(define step ($1 (verify empty?) add))
(define man (piece (name $1) (moves (step n) (step e))))
(game
  (title "Hop")
  (description "Go.")
  (players White Black)
  (turn-order White Black)
  (board
    (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (10 0)) ("3/2/1" (0 10)))
      (directions (n 0 -1) (s 0 1) (e 1 0)))
    (symmetry Black (n s) (s n))
    (zone (name home) (players White) (positions a1 b1)))
  (man Pawn)
  (piece (name King) (moves (step n) (n (verify (in-zone? home)) add)))
  (board-setup (White (King a1) (Pawn b1)) (Black (Pawn b3 c3)))
  (win-condition (White Black) (pieces-remaining 1))
  (loss-condition (White Black) stalemated))
"""


@pytest.fixture
def uri(editor: Editor, tmp_path: Path) -> str:
    path = tmp_path / "hop.zrf"
    path.write_text(GAME, "utf-8")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "moves.inc").write_text("(define idle add)", "utf-8")
    return editor.open(path)


def test_problems_name_the_calls_that_lead_to_them(editor: Editor, uri: str) -> None:
    found = editor.replace(uri, "(verify empty?)", "(verify emty?)")
    assert [d.code for d in found] == ["unknown-condition"]
    assert editor.texts[uri][1].split("\n")[0][found[0].range.start.character :].startswith("emty?")
    assert "in this call of `step`" in {r.message for r in found[0].related_information or ()}


def test_lints_are_published_after_a_delay(editor: Editor, uri: str) -> None:
    editor.replace(uri, "(define man", "(define idle add)\n(define man")
    found = editor.heard_when(uri, bool)  # on a slow machine, problems are published twice before lints
    assert [d.code for d in found] == ["unused-macro", "zone-out-of-reach", "untested-square"]
    assert found[0].tags == (t.DiagnosticTag.Unnecessary,)


@pytest.mark.parametrize(("old", "new", "title"), [
    ("(verify", "(verfy", "Change to `verify`"),
    ('(title "Hop")', "", 'Add `(title "My game")`'),
    ("(players White Black)", "(players White, Black)", "Remove the comma"),
    ('(title "Hop")', "(title “Hop”)", "Use straight quotation marks"),
    ("(step e))))", "(step e)))))", "Remove this `)`"),
    ("(loss-condition (White Black) stalemated))", "(loss-condition (White Black) stalemated)", "Add `)`"),
    ("(Pawn b3", "(Pwn b3", "Change to `Pawn`"),
    ("(in-zone? home)", "(in-zone? hme)", "Change to `home`"),
])
def test_code_actions_fix_their_problems(editor: Editor, uri: str, old: str, new: str, title: str) -> None:
    found = editor.replace(uri, old, new)
    assert found
    text = editor.texts[uri][1]
    whole = t.Range(t.Position(0, 0), t.Position(text.count("\n"), 0))
    offered = editor.ask(t.TEXT_DOCUMENT_CODE_ACTION, t.CodeActionParams(
        document(uri), whole, t.CodeActionContext(found)))
    action = next(a for a in offered if a.title == title)
    mended = editor.edited(text, list(action.edit.changes[uri]))
    editor.change(uri, 0, len(text), mended)
    assert not [d for d in editor.heard(uri) if d.severity in (1, 2)]


def test_hover_shows_the_expansion_of_a_macro(editor: Editor, uri: str) -> None:
    shown = editor.at(t.TEXT_DOCUMENT_HOVER, uri, editor.texts[uri][1].index("(step e)") + 1).contents.value
    assert "(define step ($1 (verify empty?) add))" in shown and "(e (verify empty?) add)" in shown


def test_a_piece_is_shown_with_its_moves(editor: Editor, uri: str) -> None:
    shown = editor.at(t.TEXT_DOCUMENT_HOVER, uri, "King a1").contents.value
    assert "3  .  *  .\n2  .  K< ." in shown


def test_a_zone_is_shown_as_a_board(editor: Editor, uri: str) -> None:
    shown = editor.at(t.TEXT_DOCUMENT_HOVER, uri, editor.texts[uri][1].index("? home") + 2).contents.value
    assert "1  *  *  ." in shown and "for `White`: 2 squares" in shown


def test_a_renamed_macro_leaves_the_game_as_it_is(editor: Editor, uri: str) -> None:
    text = editor.texts[uri][1]
    edits = editor.at(t.TEXT_DOCUMENT_RENAME, uri, "step ($1", new_name="walk").changes[uri]
    after = editor.edited(text, list(edits))
    assert after.count("walk") == 4 and same_rules("hop.zrf", text, after)


@pytest.mark.parametrize(("place", "name", "reason"), [
    ("King a1", "Pawn", "there is a piece `Pawn`"), ("King a1", "step", "there is a macro `step`"),
    ("King a1", "a b", "can't be a name"), ("verify", "x", "is a keyword"),
    ("a1)", "x", "labels of a grid"), ("King a1", "while", "is a keyword"),
])
def test_some_renamings_are_refused(editor: Editor, uri: str, place: str, name: str, reason: str) -> None:
    with pytest.raises(JsonRpcException, match=reason):
        editor.at(t.TEXT_DOCUMENT_RENAME, uri, place, new_name=name)


@pytest.mark.parametrize(("typed", "wanted", "unwanted"), [
    ("(", "piece", "verify"), ("(piece (", "moves", "board"),
    ("(piece (moves ((verify (", "in-zone?", "add"),
    ("(piece (moves (n (", "capture", "board"), ("(piece (moves (n ", "add", "home"),
    ("(piece (moves (n (verify (in-zone? ", "home", "King"),
    ("(piece (moves (n (verify (piece? ", "King", "n"),
    ("(board (zone (positions ", "b2", "King"), ("(board-setup (", "White", "King"),
    ("(board-setup (", "Black", "title"), ("(board-setup (White (", "King", "piece"), ("(captured-as ", "King", "n"),
    ("(loss-condition (", "Black", "captured"), ("(loss-condition (White) (", "captured", "White"),
    ("(option ", '"pass turn"', "true"), ("(option \"recycle captures\" ", "captor", "none"),
    ("(include \"", "parts/moves.inc", "hop.zrf"), ("(turn-order (", "White", "board"),
    ("(board-setup (White (", "Pawn", "a1"), ("(board-setup (White (Pawn ", "a1", "Pawn"),
    ("(option \"", "pass turn", "true"), ("(option \"pass turn\" ", "forced", "none"),
    ("(option \"repetition\" ", "none", "forced"),
    ("(win-condition (White) (", "captured", "verify"), ("(piece (moves (step ", "n", "add"),
    ("(symmetry ", "Black", "n"), ("(piece (moves (n (capture ", "e", "King"), ("(checkmated ", "King", "White"),
])
def test_completions_fit_their_place(editor: Editor, uri: str, typed: str, wanted: str, unwanted: str) -> None:
    at = editor.texts[uri][1].index("(man Pawn)")
    editor.change(uri, at, at, typed)
    found = {i.label for i in editor.at(t.TEXT_DOCUMENT_COMPLETION, uri, at + len(typed)).items}
    assert wanted in found and unwanted not in found


def test_symmetric_directions_are_noted(editor: Editor, uri: str) -> None:
    whole = t.Range(t.Position(0, 0), t.Position(40, 0))
    hints = editor.ask(t.TEXT_DOCUMENT_INLAY_HINT, t.InlayHintParams(document(uri), whole))
    assert {hint.label for hint in hints} == {"Black: s", "Black: n", "for Black as written: e"}


def test_a_file_is_formatted(editor: Editor, uri: str) -> None:
    editor.replace(uri, "(man Pawn)", "(   man\tPawn )")
    edits = editor.ask(t.TEXT_DOCUMENT_FORMATTING, t.DocumentFormattingParams(
        document(uri), t.FormattingOptions(2, True)))
    assert "(man Pawn)" in editor.edited(editor.texts[uri][1], list(edits))


def test_a_part_of_a_text_is_formatted(editor: Editor, uri: str) -> None:
    """Only the requested lines are formatted; there is one edit for each run of changed lines."""
    editor.replace(uri, "(man Pawn)", "(   man\tPawn )")
    editor.replace(uri, "(players White", "(players    White")
    text = editor.texts[uri][1]
    line = editor.place(uri, "(   man").line
    edits = editor.ask(t.TEXT_DOCUMENT_RANGE_FORMATTING, t.DocumentRangeFormattingParams(
        document(uri), t.Range(t.Position(line, 3), t.Position(line, 4)), t.FormattingOptions(2, True)))
    assert editor.edited(text, list(edits)) == text.replace("(   man\tPawn )", "(man Pawn)")


def test_symbols_of_all_open_files_are_found(editor: Editor, uri: str) -> None:
    found = editor.ask(t.WORKSPACE_SYMBOL, t.WorkspaceSymbolParams("kng"))
    assert {(s.name, s.kind) for s in found if s.location.uri == uri} == {("King", t.SymbolKind.Class)}
    every = {s.name for s in editor.ask(t.WORKSPACE_SYMBOL, t.WorkspaceSymbolParams("")) if s.location.uri == uri}
    assert every >= {"Hop", "King", "home", "step", "man"} and "board" not in every


def test_includes_are_links(editor: Editor, uri: str, tmp_path: Path) -> None:
    editor.change(uri, 0, 0, '(include "parts/moves.inc")\n')
    link, = editor.ask(t.TEXT_DOCUMENT_DOCUMENT_LINK, t.DocumentLinkParams(document(uri)))
    assert link.target == (tmp_path / "parts" / "moves.inc").as_uri()
    assert (link.range.start.character, link.range.end.character) == (10, 25)


@pytest.mark.parametrize("params", [{"textDocument": 5}, [1, 2], None, {"textDocument": {"uri": 1}, "position": "x"}])
def test_broken_parameters_get_an_error(editor: Editor, params: object) -> None:
    """The messages go through the pipe itself, since the client would not send them."""
    for method in (t.TEXT_DOCUMENT_HOVER, t.TEXT_DOCUMENT_RENAME, t.TEXT_DOCUMENT_COMPLETION):
        with pytest.raises(JsonRpcException) as caught:
            editor.raw(method, params)
        assert caught.value.code == -32602 and method in caught.value.message


def test_a_board_can_be_opened(editor: Editor, uri: str) -> None:
    found = editor.ask(t.WORKSPACE_EXECUTE_COMMAND, t.ExecuteCommandParams("zrf.board", [uri, "Hop"]))
    shown = found["svg"] if isinstance(found, dict) else found.svg
    assert shown.startswith("<svg") and "King" in shown
    assert editor.shown[-1].endswith(".svg")


# ------------------------------------------------------------------------------------------------- texts that change


@pytest.mark.slow
def test_text_that_takes_too_long_affects_no_other(
    editor: Editor, uri: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text gets one message, and requests about it get the same; its next version is checked, and so are other
    texts."""
    other = editor.open(RULES / "tictactoe.zrf")
    calm = 0
    while calm < 30:  # until no analysis is running and no lints are pending
        calm = 0 if servers.server.room._busy else calm + 1
        time.sleep(0.01)
    sides = " ".join(f'("{"/".join(f"x{i}" for i in range(90))}" ({step}))' for step in ("10 0", "0 10"))
    long = "".join(f'(variant (title "{n}") (board (grid (start-rectangle 0 0 {n} 9) (dimensions {sides}))))'
                   for n in range(10, 30))
    monkeypatch.setattr(rooms, "SECONDS", 0.05)
    problem, = editor.change(uri, len(GAME), len(GAME), long)
    monkeypatch.setattr(rooms, "SECONDS", HANG)
    assert problem.code == "too-slow" and "longer than 0.05 seconds" in problem.message
    with pytest.raises(JsonRpcException, match=r"longer than 0\.05 seconds"):
        editor.at(t.TEXT_DOCUMENT_HOVER, uri, "King a1")
    assert editor.change(uri, len(GAME), len(GAME) + len(long), "") == []
    for open_uri, word in ((uri, "King a1"), (other, "empty?")):
        assert editor.at(t.TEXT_DOCUMENT_HOVER, open_uri, word)


@pytest.mark.slow
def test_an_answer_is_never_about_an_old_text(editor: Editor, uri: str) -> None:
    """If a change overtakes a request, the request fails as the protocol says, or the answer is about the text of the
    request."""
    answers = []
    variants = "".join(f'(variant (title "Hop {n}") (piece (name King) (moves ({n * "s "} add))))\n'
                       for n in range(150))
    editor.change(uri, len(GAME), len(GAME), variants)
    for turn in range(20):
        text = editor.texts[uri][1]
        at = text.index("(game")
        before = editor.place(uri, "King a1")
        editor.change(uri, at, at, f"; line {turn}\n", wait=False)
        overtaken = editor.later(t.TEXT_DOCUMENT_HOVER, t.HoverParams(document(uri), editor.place(uri, "King a1")))
        editor.change(uri, at, at, f"; line {turn}, again\n", wait=False)
        try:
            answers.append(overtaken.result(HANG).range.start)
            assert answers[-1].line == before.line + 1
        except JsonRpcException as error:
            assert error.code == t.LSPErrorCodes.ContentModified
            answers.append(None)
        found = editor.at(t.TEXT_DOCUMENT_HOVER, uri, "King a1")
        assert found.range.start == editor.place(uri, "King a1")
    assert None in answers


def test_incomplete_text_is_still_analysed(editor: Editor, uri: str) -> None:
    """The text as typed has an open parenthesis: names are still known, and places are those of the current text."""
    at = editor.texts[uri][1].index("(man Pawn)")
    editor.change(uri, at, at, "(piece (name ")
    assert editor.at(t.TEXT_DOCUMENT_HOVER, uri, "King a1").contents.value.startswith("**King** · piece")
    found = editor.at(t.TEXT_DOCUMENT_DEFINITION, uri, "step n")
    assert [f.range.start for f in found] == [editor.place(uri, "step ($1")]


def test_letters_beyond_the_basic_plane_are_two_columns(editor: Editor, uri: str) -> None:
    text = editor.texts[uri][1]
    editor.change(uri, 0, 0, "; 🂡🂡\n")
    at = text.index('(title "Hop")') + len("; 🂡🂡\n")
    editor.change(uri, at, at, '(history "🂡🂡") (bord) ')
    found = next(d for d in editor.heard(uri) if "bord" in d.message)
    assert found.range.start == editor.place(uri, "bord)")


def test_requests_about_unopened_files_are_refused(editor: Editor, tmp_path: Path) -> None:
    with pytest.raises(JsonRpcException, match="is not open"):
        editor.ask(t.TEXT_DOCUMENT_FOLDING_RANGE, t.FoldingRangeParams(document((tmp_path / "x.zrf").as_uri())))


def test_problems_of_included_files_are_published(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "moves.inc").write_text("(define step ($1 (verify emty?) add))", "utf-8")
    main = tmp_path / "main.zrf"
    main.write_text('(include "moves.inc")\n' + GAME.split("\n", 1)[1], "utf-8")
    uri = editor.open(main)
    found = editor.heard(uri)
    assert found[0].range.start.line == GAME[: GAME.index("(step n)")].count("\n")
    assert any(r.location.uri.endswith("moves.inc") for r in found[0].related_information or ())
    where = editor.at(t.TEXT_DOCUMENT_DEFINITION, uri, "step n")
    assert [w.uri.rpartition("/")[2] for w in where] == ["moves.inc"]


def test_an_included_file_and_its_game_are_edited_together(editor: Editor, tmp_path: Path) -> None:
    """Both are open: a change of one affects the other, and a name is renamed in both."""
    part, main = tmp_path / "moves.inc", tmp_path / "main.zrf"
    part.write_text(GAME.split("\n", 1)[0] + "\n", "utf-8")
    main.write_text('(include "moves.inc")\n' + GAME.split("\n", 1)[1], "utf-8")
    inner = editor.open(part)
    assert editor.heard(inner) == []
    outer = editor.open(main)
    assert [d.code for d in editor.replace(inner, "empty?", "emty?")] == ["unknown-condition"]
    assert [d.code for d in editor.heard_when(outer, lambda found: found)] == ["unknown-condition"]
    assert editor.replace(inner, "emty?", "empty?") == []
    assert editor.heard_when(outer, lambda found: not found) == []
    assert editor.at(t.TEXT_DOCUMENT_COMPLETION, inner, "step").items
    for uri, place in ((inner, "step ($1"), (outer, "step n")):
        found = editor.at(t.TEXT_DOCUMENT_RENAME, uri, place, new_name="walk").changes
        assert {name.rpartition("/")[2]: len(edits) for name, edits in found.items()} == {"moves.inc": 1, "main.zrf": 3}


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import argparse
    import importlib.util

    from zrf_py.cli import lsp
    from zrf_py.text.diagnostics import ZrfError

    monkeypatch.setattr(lsp, "find_spec", lambda name: None)
    with pytest.raises(ZrfError) as caught:
        lsp.run(argparse.Namespace())
    assert caught.value.diagnostics[0].code == "missing-extra"
    assert importlib.util.find_spec("pygls")
