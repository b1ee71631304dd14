"""Answer requests of the rules editor in a browser; imported at the first request, so that diagnostics appear early."""

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from zrf_py.author import desk_answers
from zrf_py.author.desk_state import Message
from zrf_py.author.editor.analysis import Analysis
from zrf_py.author.editor.balance import settled
from zrf_py.author.lint.linting import lints_of
from zrf_py.author.sharing import packed
from zrf_py.author.trials import trying
from zrf_py.export.contents import contents
from zrf_py.export.page import page_of
from zrf_py.export.sources import COMMON, shipped
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.render import render
from zrf_py.view.drawings import board_svg

MAX_LINTED = 100_000
"""Maximum length, in characters, of a text that is linted."""


def lint(analysis: Analysis) -> Analysis | None:
    """Return the analysis with its lints, or with the place of a wrong parenthesis; None if there is nothing new."""
    if not analysis.is_read:
        return None if (better := settled(analysis)) is analysis else better
    if analysis.lints is not None or analysis.errors or not analysis.sound or len(analysis.source.text) > MAX_LINTED:
        return None
    return replace(analysis, lints=lints_of(analysis))


def ask(analysis: Analysis, path: Path, message: Message) -> Any:
    """Return the value of a query about the text of `path`; `serve/README.md` lists the queries.

    :raises ZrfError: if the query can't be answered.
    :raises KeyError, TypeError, ValueError, OverflowError: if the message is not a valid query.
    """
    match message["what"]:
        case "lints":
            lints = (lint(analysis) or analysis).lints
            return {"text": render(lints) if lints else "no findings"}
        case "complete":
            return desk_answers.completed(analysis, analysis.source, message)
        case "format":
            return desk_answers.laid_out(path, analysis.source.text)
        case "judge":
            raise ZrfError("a full report takes too long in a browser", "too-slow",
                           help="run `zrf judge` on a computer where zrf_py is installed")
        case query if query in trying.SECONDS:
            return trying.answer(query, analysis.source.text, path, message)
        case "picture":
            return board_svg(desk_answers.game_of(analysis, str(message["title"])).start(), plain=True)[0]
        case "payload":
            with warnings.catch_warnings(action="ignore"):
                payload, tables = contents([desk_answers.game_of(analysis, str(message["title"]))], own=False)
            return packed(payload.packed({**tables, "first": 0}), shipped(COMMON))
        case "page":
            return {"html": page_of([desk_answers.game_of(analysis, str(message["title"]))])}
    return desk_answers.answered(analysis, message)
