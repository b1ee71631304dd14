"""The state of a text for the rules editor, as JSON: its problems with their fixes, and its games.

It is separate from `desk_answers.py` so that a browser can show problems before it has loaded the code for games.
Offsets are in UTF-16 code units, as in browsers.
"""

from typing import Any

from zrf_py.author.editor import outline
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.fixes import fixes
from zrf_py.author.editor.problems import problems
from zrf_py.author.editor.rename import Edit
from zrf_py.text.diagnostics import ZrfError

NO_QUESTION = {"summary": "the page sent an invalid request", "help": ""}

Message = dict[str, Any]


class Units:
    """Converts offsets between Python's characters and the browser's UTF-16 code units."""

    def __init__(self, text: str) -> None:
        self.wide = [i for i, c in enumerate(text) if ord(c) > 0xFFFF] if not text.isascii() else []

    def out(self, offset: int) -> int:
        return offset + sum(i < offset for i in self.wide)

    def back(self, units: int) -> int:
        for i in self.wide:
            if i + 1 < units:
                units -= 1
        return units


def state(analysis: Analysis, version: int) -> Message:
    """Return the analysis of a text for the browser: its problems with fixes, its games, the default one first."""
    units = Units(analysis.source.text)
    entries = [{
        "from": units.out(p.start), "to": units.out(p.end), "severity": p.message.severity, "code": p.message.code,
        "text": p.message.message, "help": p.message.help,
        "fixes": [{"title": fix.title, "edits": edits} for fix in fixes(analysis, p.message)
                  if (edits := edits_here(analysis, fix.edits, units)) is not None],
    } for p in problems(analysis)]
    first = {p.game.title for p in analysis.stages.programs if p.game.is_default}
    games = sorted(outline.playables(analysis), key=lambda game: game.title not in first)
    return {"type": "problems", "version": version, "problems": entries, "linted": analysis.lints is not None,
            "games": [{"title": g.title, "ok": g.ok, "at": units.out(g.start)} for g in games]}


def refused(error: ZrfError) -> Message:
    """Return the state of a text that can't be analysed."""
    return {"type": "problems", "linted": False, "games": [], "problems": [{
        "from": 0, "to": 0, "severity": d.severity, "code": d.code, "text": d.message, "help": d.help, "fixes": []}
        for d in error.diagnostics]}


def edits_here(analysis: Analysis, edits: Any, units: Units) -> list[list[Any]] | None:
    """Return the edits to this text, from last to first; None if some belong to another file."""
    ordered: list[Edit] = sorted(edits, key=lambda e: e.span.start, reverse=True)
    if any(e.span.source is not analysis.source for e in ordered):
        return None
    return [[units.out(e.span.start), units.out(e.span.end), e.text] for e in ordered]
