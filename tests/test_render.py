"""Diagnostics as people, editors and programs see them; suggestions; the explanation of every code."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zrf_py.front.expand import expand
from zrf_py.front.forms import read_forms
from zrf_py.front.nodes import Atom, Form, Node
from zrf_py.text.codes import CODES
from zrf_py.text.diagnostics import Report
from zrf_py.text.render import render
from zrf_py.text.source import Origin, Source, Span, harmless
from zrf_py.text.suggest import listing, suggest

RULES = """\
(define step
   $1 (verify enemy?)
)
(define look (if (not-flagg? found) (go p$1)))
(define a1 (look $1))
(define a2 (a1 $1))
(define a3 (a2 $1))
(define a4 (a3 $1))
(define a5 (a4 $1))
(piece (moves
         (step n) (step west)
         (a5 X)
))
"""


def read(text: str, name: str = "game.zrf") -> tuple[tuple[Node, ...], Report]:
    report = Report()
    nodes = read_forms(Source(name, text), report, lambda name, origin: None)
    return expand(nodes, report).nodes, report


def origin(word: str) -> Origin:
    """Return the origin of an expanded word of RULES."""
    todo = list(read(RULES)[0])
    while todo:
        node = todo.pop()
        if isinstance(node, Form):
            todo.extend(node.items)
        elif isinstance(node, Atom) and node.text == word:
            return node.origin
    raise AssertionError(word)


def test_the_argument_is_blamed_not_the_macro() -> None:
    report = Report()
    report.add("unknown-direction", "`west` is not a direction of this board", origin("west"),
               label="not a direction", help="did you mean `w`?")
    assert render(report) == """\
error[unknown-direction]: `west` is not a direction of this board
  --> game.zrf:11:25
   |
11 |          (step n) (step west)
   |                         ^^^^ not a direction
   :
 2 |    $1 (verify enemy?)
   |    -- stands for `$1` here
   |
   = help: did you mean `w`?"""


def test_the_body_is_blamed_and_the_calls_follow() -> None:
    report = Report()
    for _ in range(96):
        report.add("unknown-condition", "there is no condition called `not-flagg?`", origin("not-flagg?"),
                   label="not a condition", notes=["one"])
    report = merged(report)
    assert render(report) == """\
error[unknown-condition]: there is no condition called `not-flagg?`
 --> game.zrf:4:19
  |
4 | (define look (if (not-flagg? found) (go p$1)))
  |                   ^^^^^^^^^^ not a condition
  :
5 | (define a1 (look $1))
  |            --------- expanded from macro `look`
  :
6 | (define a2 (a1 $1))
  |            ------- expanded from macro `a1`
  :
7 | (define a3 (a2 $1))
  |            ------- expanded from macro `a2`
  :
8 | (define a4 (a3 $1))
  |            ------- expanded from macro `a3`
  :   (2 more; --all-expansions)
  |
  = note: one
  = note: this problem occurs 96 times but is reported only once"""
    assert "12 |          (a5 X)" in render(report, all_expansions=True)


def merged(report: Report) -> Report:
    """Return a report of the first problem only, with the number of all problems as its count of occurrences."""
    first = Report(report.items[:1])
    first.repeats[0] = len(report.items)
    return first


def test_a_pasted_word_shows_the_argument() -> None:
    report = Report()
    report.add("unknown-name", "what is `pX`?", origin("pX"))
    assert "12 |          (a5 X)\n   |              - this part comes from here" in render(report)


def test_the_short_format_is_one_line() -> None:
    report = Report()
    report.add("unknown-direction", "`west` is not a direction", origin("west"))
    report.add("nothing", "no place", None, severity="warning")
    assert render(report, "short").splitlines() == [
        "game.zrf:11:25: error[unknown-direction]: `west` is not a direction",
        "warning[nothing]: no place",
    ]
    assert render(report).endswith("\n\nwarning[nothing]: no place")


def test_diagnostics_are_printed_as_json() -> None:
    report = Report()
    report.add("unknown-direction", "`west`", origin("west"), label="here", notes=["a"], help="b")
    report.add("nothing", "no place", None, severity="warning")
    first, second = json.loads(render(report, "json"))
    assert (first["file"], first["line"], first["column"], first["end_column"]) == ("game.zrf", 11, 25, 29)
    assert (first["code"], first["severity"]) == ("unknown-direction", "error")
    assert (first["label"], first["notes"], first["help"]) == ("here", ["a"], "b")
    assert [(e["line"], e["label"]) for e in first["expansions"]] == [(2, "stands for `$1` here")]
    assert second["file"] is None


def test_a_related_place_may_be_in_another_file() -> None:
    report = Report()
    one, two = Source("one.zrf", "(a)"), Source("two.inc", "\n(b)")
    report.add("x", "y", Origin(Span(one, 0, 1)), related=[(Span(two, 1, 4), "there")])
    assert "  ::: two.inc:2:1\n2 | (b)\n  | --- there" in render(report)


def test_messages_send_no_control_characters() -> None:
    source = Source("a\x1b[2J.zrf", "(\x1b[31m\tx\u202e \x07)")
    report = Report()
    report.add("x", "bad \x1b]0;t\x07", Origin(Span(source, 7, 8)), label="\x9b", notes=["\r"], help="\x00")
    for style in ("text", "short"):
        assert all(c == "\n" or (c.isprintable() and c not in "\u202e\x9b") for c in render(report, style))
    assert harmless("a\tb") == "a    b"
    assert "\x1b" not in render(report, color=False)
    assert "\x1b[1;31m" in render(report, color=True)


def test_long_lines_are_cut_around_the_span() -> None:
    text = "(a) " * 500 + "WRONG" + " (b)" * 500
    for start in (0, 1000, 2000, len(text) - 3):
        report = Report()
        report.add("x", "y", Origin(Span(Source("g.zrf", text), start, start + 5)), label="here")
        lines = render(report, width=60).splitlines()
        assert max(map(len, lines)) <= 66
        column = lines[4].index("^")
        assert lines[3][column : column + 3] == text[start : start + 3]


def test_columns_follow_tabs_and_wide_characters() -> None:
    report = Report()
    report.add("x", "y", Origin(Span(Source("g.zrf", "\t漢 zz"), 3, 5)))
    assert render(report).splitlines()[4] == "  |        ^^"


@given(st.text(max_size=300), st.integers(0, 300), st.integers(0, 300), st.integers(0, 100))
def test_any_span_can_be_shown(text: str, start: int, length: int, width: int) -> None:
    start = min(start, len(text))
    report = Report()
    report.add("x", text[:20], Origin(Span(Source("g.zrf", text), start, min(start + length, len(text)))), label="l")
    for style in ("text", "short", "json"):
        assert render(report, style, color=True, width=width)


@given(st.text("a(b \n", max_size=60), st.integers(0, 60), st.integers(0, 20))
def test_marks_stand_under_the_place(text: str, start: int, length: int) -> None:
    """The marks cover the span's characters in its first line, or one column if there are none."""
    start = min(start, len(text))
    report = Report()
    report.add("x", "y", Origin(Span(Source("g.zrf", text), start, min(start + length, len(text)))), label="label")
    _, _, _, shown, marks, *_ = render(report, width=200).splitlines()
    before, inner = text[:start].rpartition("\n")[2], text[start : start + length].partition("\n")[0]
    number = f"{text[:start].count(chr(10)) + 1} | "
    assert shown == f"{number}{before}{text[start:].partition(chr(10))[0]}".rstrip()
    assert marks == f"{' ' * (len(number) - 2)}| {' ' * len(before)}{'^' * max(len(inner), 1)} label"


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="no such style"):
        render([], "loud")


def test_similar_words_are_suggested() -> None:
    assert suggest("not-flagg?", ["flag?", "not-flag?", "friend?"]) == "not-flag?"
    assert suggest("notflag", ["flag?", "not-flag?"]) == "not-flag?"
    assert suggest("white", ["Black", "White"]) == "White"
    assert suggest("north", ["n", "s"]) is None
    assert suggest("line-nw-s", ["line-n-sw", "line-s-nw"]) == "line-s-nw"
    assert suggest("x", []) is None
    assert listing([f"d{i}" for i in range(10)], 2) == "`d0`, `d1` and 8 more"


@pytest.mark.parametrize("code", [c for c in CODES if not CODES[c].wrong])
def test_codes_without_an_example_have_a_meaning(code: str) -> None:
    assert CODES[code].meaning


@pytest.mark.parametrize(
    "code",
    [
        *("unclosed-form", "extra-parenthesis", "unclosed-string", "not-text", "empty-file", "odd-name", "too-deep"),
        *("bad-include", "missing-include", "bad-define", "keyword-redefined", "defined-twice", "missing-argument"),
        *("list-in-name", "recursive-macro", "expansion-too-large"),
    ],
)
def test_explanations_show_examples(code: str) -> None:
    example = CODES[code]
    assert code in [d.code for d in read(example.wrong)[1].items]
    assert code not in [d.code for d in read(example.right)[1].items] or code == "missing-include"
    assert len(example.meaning.splitlines()) <= 2
