"""Random edits: whatever is typed, every service answers about the current text, and nothing breaks.

`ZRF_EDITS=N` makes N edits in all instead of 300 (on one processor some 15 a second).
"""

from __future__ import annotations

import os
import random
from itertools import pairwise

import pytest

from tests.playing import RULES
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.colours import coloured, notes
from zrf_py.author.editor.complete import completions, signature
from zrf_py.author.editor.cursor import cursor_at
from zrf_py.author.editor.fixes import fixes
from zrf_py.author.editor.hover import hover
from zrf_py.author.editor.names import names_of
from zrf_py.author.editor.outline import folds, outline, playables
from zrf_py.author.editor.problems import problems
from zrf_py.author.editor.rename import definitions, references, rename
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

EDITS = int(os.environ.get("ZRF_EDITS", "300"))
FILES = ["tictactoe", "chess", "othello", "monks/monks-halma", "booklet/sternhalma"]
WORDS = ["(", ")", '"', ";", "\n", " ", "$1", "(define x ", "(game", "(variant ", "(piece (name Q)", "(board", "\x00",
         "😀", "\t", '(include "moves.inc")', '(include "sternhalma.zrf")', "n", "White", "(verify ", "(if ",
         "else", "add", "'", '(version "zrf+")', "(board-setup", "off 99", "-1", "99999999999999999999",
         "(symmetry", "(grid", "(while true "]


def edited(text: str, chance: random.Random) -> str:
    """Return the text after one typical edit: a word typed, a letter dropped, a part moved, cut or doubled."""
    at = chance.randrange(len(text) + 1)
    other = min(len(text), at + chance.choice([1, 1, 2, 5, 30, 400]))
    match chance.randrange(6):
        case 0 | 1:
            return text[:at] + chance.choice(WORDS) + text[at:]
        case 2:
            return text[:at] + text[at + 1 :]
        case 3:
            return text[:at] + text[other:]
        case 4:
            return text[:other] + text[at:other] + text[other:]
        case _:
            to = chance.randrange(len(text) + 1)
            return (text[:at] + text[other:])[:to] + text[at:other] + (text[:at] + text[other:])[to:]


def ask_everything(analysis: Analysis, offset: int) -> None:
    """Call every service once; check that the places returned lie within their texts."""
    source, size = analysis.source, len(analysis.source.text)
    for problem in problems(analysis):
        assert 0 <= problem.start <= problem.end <= size
        for fix in fixes(analysis, problem.message):
            assert all(0 <= e.span.start <= e.span.end <= len(e.span.source.text) for e in fix.edits)
    cursor_at(source, offset)
    hover(analysis, offset)
    found = completions(analysis, source, offset)
    assert 0 <= found.start <= found.end <= size
    signature(analysis, source, offset)
    for span in (*definitions(analysis, offset), *references(analysis, offset)):
        assert span.end <= len(span.source.text)
    try:
        for edit in rename(analysis, offset, "a-new-name"):
            assert edit.span.end <= len(edit.span.source.text)
    except ZrfError as error:
        assert error.diagnostics[0].help
    outline(analysis), folds(source), playables(analysis), notes(analysis, 0, size)
    words = list(coloured(analysis))
    assert all(a.end <= b.start for a, b in pairwise(words))
    assert all(o.span.end <= len(o.span.source.text) for o in names_of(analysis).all)


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_services_answer_after_random_edits(name: str) -> None:
    path = RULES / f"{name}.zrf"
    whole = path.read_text("utf-8")
    chance = random.Random(name)
    text, before = whole, None
    for number in range(EDITS // len(FILES)):
        text = whole if number % 40 == 39 or len(text) > 3 * len(whole) else edited(text, chance)
        analysis = analyse(Source(str(path), text), path, before)
        ask_everything(analysis, chance.randrange(len(text) + 1))
        before = analysis


def test_services_answer_at_many_offsets() -> None:
    """The services are called at every 7th offset of a small file, and at every 53rd with the text cut off there."""
    path = RULES / "tictactoe.zrf"
    text = path.read_text("utf-8")
    whole = analyse(Source(str(path), text), path)
    for offset in range(0, len(text), 7):
        ask_everything(whole, offset)
    for offset in range(0, len(text), 53):
        ask_everything(analyse(Source(str(path), text[:offset]), path, whole), offset)
