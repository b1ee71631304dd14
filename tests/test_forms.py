"""Texts are parsed into forms: tokens, nesting, includes, and messages about malformed texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Tree

from zrf_py.data import data_file
from zrf_py.front.decode import decode
from zrf_py.front.forms import MAX_TOKENS, read_forms
from zrf_py.front.nodes import MAX_NESTING, STRING, Atom, Form, Node
from zrf_py.library import load_file, load_text
from zrf_py.play.game import loads
from zrf_py.text.diagnostics import Report, ZrfError
from zrf_py.text.source import Origin, Source


def read(text: str, **files: str) -> tuple[tuple[Node, ...], Report]:
    """Return the forms and problems of a text; `files` are those it may include (by name without `.inc`)."""
    report = Report()

    def include(name: str, origin: Origin) -> Source | None:
        stem = name.removesuffix(".inc")
        return Source(name, files[stem]) if stem in files else None

    return read_forms(Source("game.zrf", text), report, include), report


def show(nodes: tuple[Node, ...]) -> str:
    """Return nodes as text with single blanks."""
    parts = []
    for node in nodes:
        if isinstance(node, Form):
            parts.append(f"({show(node.items)})")
        else:
            parts.append(f'"{node.text}"' if node.kind == STRING else node.text)
    return " ".join(parts)


def codes(report: Report) -> list[str]:
    return [d.code for d in report.items]


def place(report: Report) -> tuple[int, int]:
    """Return the line and column of the only problem."""
    [problem] = report.items
    assert problem.origin
    return problem.origin.span.source.position(problem.origin.span.start)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(title "a""b")', '(title "a" "b")'),
        ('(image White"x.bmp"y)', '(image White "x.bmp" y)'),
        ('(a "c:\\")', '(a "c:\\")'),
        ('(a "two\r\nlines ; ( )")', '(a "two\r\nlines ; ( )")'),
        ('(a ; "odd ( \r\n b);end', "(a b)"),
        ("(and empty? x)on-board?", "(and empty? x) on-board?"),
        ("(a)\x1a\x00\r\n", "(a)"),
        ("()", "()"),
        ("\t(a\n\n\tb )", "(a b)"),
    ],
)
def test_texts_are_split_into_tokens(text: str, expected: str) -> None:
    nodes, report = read(text)
    assert show(nodes) == expected
    assert codes(report) == []


def test_atoms_have_the_expected_kinds() -> None:
    nodes, _ = read('12 -1 +3 2x4 - +n a1 King! is-$1? "5"')
    kinds = [node.kind for node in nodes if isinstance(node, Atom)]
    assert kinds == ["number"] * 3 + ["name"] * 6 + ["string"]


def test_forms_and_atoms_have_spans() -> None:
    [form], _ = read(' (a "b" c)\n')
    assert isinstance(form, Form)
    assert form.origin.span.text == '(a "b" c)'
    assert [item.origin.span.text for item in form.items] == ["a", '"b"', "c"]
    assert str(form.items[1].origin) == "game.zrf:1:5"


def test_the_hand_written_parser_agrees_with_the_grammar() -> None:
    text = '; all\n(a (b "c" -1)()("d""e")f$1)(g)'
    tree = Lark(data_file("grammar/forms.lark").read_text(encoding="utf-8"), parser="lalr", lexer="basic").parse(text)

    def plain(node: object) -> str:
        return " ".join(map(plain, node.children)) if isinstance(node, Tree) else str(node)

    assert plain(tree).replace("( ", "(").replace(" )", ")") == show(read(text)[0])


def test_encodings_are_detected() -> None:
    assert decode(b"caf\xe9 \x93x\x94 \x81") == "café “x” \x81"
    assert decode(b"\xef\xbb\xbfcaf\xc3\xa9") == "café"
    assert decode(b"a\r\nb") == "a\r\nb"


# --- include ---


def test_include_inserts_the_text_of_a_file() -> None:
    text = '(game (include "a.inc") (c))'
    nodes, report = read(text, a="x (b)) (d")
    assert show(nodes) == "(game x (b)) (d (c))"
    assert codes(report) == []
    assert [str(n.origin) for n in nodes] == ["game.zrf:1:1", "a.inc:1:8"]
    assert nodes[0].origin.span.text == "(game"


def test_files_may_be_included_twice_and_nested() -> None:
    nodes, report = read('(include "a.inc")(m (include "b.inc"))', a='1 (include "b.inc")', b="2")
    assert show(nodes) == "1 2 (m 2)"
    assert codes(report) == []


@pytest.mark.parametrize(
    ("text", "files", "code"),
    [
        ('(include "no.inc")', {}, "missing-include"),
        ("(include)", {}, "bad-include"),
        ('(include "a.inc")', {"a": '(include "b.inc")', "b": '(include "a.inc")'}, "recursive-include"),
        ('(include "a0.inc")', {f"a{i}": f'(include "a{i + 1}.inc")' for i in range(60)}, "recursive-include"),
        ('(include "a.inc")', {"a": '"'}, "unclosed-string"),
    ],
)
def test_invalid_includes_are_reported(text: str, files: dict[str, str], code: str) -> None:
    assert codes(read(text, **files)[1]) == [code]


@pytest.mark.parametrize("name", ["", " ", ".", "inner", "INNER", "/etc/x.inc", "c:\\games\\x.inc", "/", "no.inc"])
def test_failed_includes_are_reported_with_a_remedy(tmp_path: Path, name: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.zrf").write_text(f'(include "{name}")', "utf-8")
    [problem] = load_file(tmp_path / "a.zrf").report.errors
    says = {"": "is empty", " ": "is empty", "/": "is not a path", "c": "is not a path", "n": "there is no file"}
    assert problem.code == "missing-include" and problem.help
    assert says.get(name[:1], "is a folder") in problem.message
    if name[1:]:
        assert ("`x.inc`" in problem.help) == name.endswith("x.inc")


def test_messages_reveal_no_folders_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a.zrf").write_text('(include "../there")(include "../none")', "utf-8")
    messages = [problem.message for problem in load_file(tmp_path / "here" / "a.zrf").report.errors]
    assert messages == ["there is no file `../there` to include", "there is no file `../none` to include"]


def test_a_file_that_includes_itself_is_named_as_it_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.zrf").write_text('\n(include "a.zrf")', "utf-8")
    [problem] = load_file("a.zrf").report.errors
    assert (problem.code, str(problem.origin)) == ("recursive-include", "a.zrf:2:10") and problem.help


@pytest.mark.parametrize("text", [
    "(" * 300, '(include "a0.inc")', "x " * 4_000, " " * 3_000_000 + "x", '(include "a.inc")' * 2000])
def test_messages_about_limits_have_a_remedy(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.front.forms.MAX_TOKENS", 3_000 if text[0] == "x" else 300_000)
    files = {f"a{i}": f'(include "a{i + 1}.inc")' for i in range(60)} | {"a": ""}
    assert [bool(problem.help) for problem in read(text, **files)[1].items] == [True]


def test_duplicate_players_and_labels_are_reported() -> None:
    rules = (data_file("rules") / "tictactoe.zrf").read_text("utf-8")
    twice = rules.replace("(players X O)", "(players X O X)").replace('("a/b/c" ', '("a/b/a" ')
    found = [problem for problem in load_text(twice).report.items if problem.code == "defined-twice"]
    assert sorted(problem.message for problem in found) == [
        "label `a` is listed twice", "player `X` is listed twice"]
    assert all(problem.severity == "warning" and problem.help for problem in found)
    assert not load_text(rules).report.items


def test_strings_send_no_control_characters_to_the_terminal() -> None:
    nodes, _ = read('(title "a\x1b[31m\x9bb\x07\x7f\tc\n\u202etxt.\u2066d")')
    assert show(nodes) == '(title "a\ufffd[31m\ufffdb\ufffd\ufffd\tc\n\ufffdtxt.\ufffdd")'


def test_invisible_characters_are_named() -> None:
    _, report = read("(game \ufeff(pla\u200byers A B))")
    assert [problem.code for problem in report.items] == ["odd-name", "odd-name"]
    assert "U+FEFF" in report.items[0].help and "U+200B" in report.items[1].help


def test_include_bombs_are_refused() -> None:
    files = {f"a{i}": f'(include "a{i + 1}.inc")' * 10 for i in range(20)} | {"a20": " " * 1000 + "x"}
    assert codes(read('(include "a0.inc")', **files)[1]) == ["too-large"]


# --- parentheses and strings that do not balance ---


def test_a_missing_parenthesis_is_located_by_indentation() -> None:
    _, report = read("(game\n  (players A B)\n  (board (5x5)\n  (board-setup\n    (A a1))\n  (piece (man))\n)\n")
    assert codes(report) == ["unclosed-form"]
    assert place(report) == (3, 3)
    [(span, _)] = report.items[0].related
    assert span.source.position(span.start) == (4, 3)


def test_a_missing_parenthesis_at_the_end_is_located() -> None:
    nodes, report = read("(define a)\n(game\n  (piece\n    (x)\n")
    assert codes(report) == ["unclosed-form"]
    assert place(report) == (3, 3)
    assert report.items[0].message == "2 `)` are missing"
    assert show(nodes) == "(define a) (game (piece (x)))"


def test_an_extra_parenthesis_is_located_by_indentation() -> None:
    _, report = read("(game\n  (piece (man)))\n  (board (x))\n)\n")
    assert codes(report) == ["extra-parenthesis"]
    assert place(report) == (2, 16)


def test_an_extra_parenthesis_at_the_end_is_located() -> None:
    nodes, report = read("(game))\n")
    assert (codes(report), place(report), show(nodes)) == (["extra-parenthesis"], (1, 7), "(game)")


def test_an_unclosed_string_is_located_where_it_begins() -> None:
    _, report = read('(game (title "x)\n  (players "A" B)\n  (history "y"))')
    assert (codes(report), place(report)) == (["unclosed-string"], (1, 14))


@pytest.mark.parametrize("text", ["", " \r\n", "; only\n;comments", "\x1a"])
def test_empty_files_are_reported(text: str) -> None:
    assert codes(read(text)[1]) == ["empty-file"]


@pytest.mark.parametrize("text", ["(a \x00 b)", "BM\x06\x00\x01(", "(a)\x02"])
def test_binary_files_are_reported(text: str) -> None:
    assert read(text)[0] == ()
    assert codes(read(text)[1]) == ["not-text"]


def test_typographic_quotes_are_reported() -> None:
    nodes, report = read("(title “Chess”)(title “Chess”)")
    assert codes(report) == ["odd-name"]
    assert report.errors == []
    assert len(nodes) == 2


# --- limits ---


def test_deep_nesting_is_limited() -> None:
    nodes, report = read("(" * MAX_NESTING + ")" * MAX_NESTING)
    assert (len(nodes), codes(report)) == (1, [])
    assert codes(read("(" * 100_000)[1]) == ["too-deep"]


@pytest.mark.slow
def test_the_number_of_tokens_is_limited() -> None:
    line = "(piece (name man) (moves (step n)))\n"
    most = MAX_TOKENS // 14
    assert not read(line * most)[1].items
    assert codes(read(line * (most + 1))[1]) == ["too-large"]


@settings(max_examples=300)
@given(st.one_of(st.text(max_size=200), st.text(alphabet='()"; \n$1ab-\x00\x1a\\', max_size=200)))
def test_any_text_is_read_or_refused(text: str) -> None:
    nodes, report = read(text)
    assert nodes or report.items
    if not report.errors:
        assert show(read(show(nodes))[0]) == show(nodes)


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded(data: bytes) -> None:
    read(decode(data))


def test_data_files_are_found() -> None:
    assert data_file("grammar/forms.lark").is_file()
    with pytest.raises(FileNotFoundError):
        data_file("grammar/none.lark")
    assert Path(data_file("grammar")).is_dir()


@pytest.mark.parametrize(("old", "new"), [
    ("(9 0)", "(9.5 0)"), ("(9 0)", "(9 0,5)"), ("rectangle 0 0 9 9", "rectangle 0 0 9 9.0"), ("(e 1 0)", "(e +1.0 0)"),
    ("(moves", "(attribute worth .5) (moves"),
])
def test_the_help_for_a_decimal_fraction_asks_for_a_whole_number(old: str, new: str) -> None:
    text = """(game (title "Line") (players A) (turn-order A) (board (grid (start-rectangle 0 0 9 9)
        (dimensions ("a/b/c" (9 0))) (directions (e 1 0)))) (piece (name P) (moves (e add))) (board-setup (A (P a))))"""
    assert old in text
    with pytest.raises(ZrfError) as error:
        loads(text.replace(old, new))
    first = error.value.diagnostics[0]
    assert first.help == "numbers are whole: write it without a fraction", first.message
