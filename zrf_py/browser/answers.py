"""Answer requests of the rules editor in a browser; imported on the first one, so that diagnostics appear earlier."""

import base64
import warnings
from dataclasses import replace
from typing import Any

from zrf_py.author import desk_answers
from zrf_py.author.desk_state import Message
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.lint.linting import lints_of
from zrf_py.author.trials import trying
from zrf_py.browser.project import Files
from zrf_py.export.contents import contents
from zrf_py.export.page import page_of
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.render import render

MAX_LINTED = 100_000
"""Maximum length, in characters, of a text that is linted."""


def lint(files: Files) -> Analysis | None:
    """Run the lints and return the analysis with them; None if they have already run, or can't run on this text."""
    analysis = files.analysis
    if analysis is None or analysis.lints is not None or analysis.errors or not analysis.sound \
            or len(analysis.source.text) > MAX_LINTED:
        return None
    files.analysis = replace(analysis, lints=lints_of(analysis.root, analysis.stages, analysis.diagnostics))
    return files.analysis


def ask(files: Files, message: Message) -> Any:
    """Return the value of a query; `serve/README.md` lists the queries.

    :raises ZrfError: if the query can't be answered.
    :raises KeyError, TypeError, ValueError, OverflowError: if the message is not a valid query.
    """
    analysis = files.analysis or analyse(files.source, files.path)
    match message["what"]:
        case "open":
            return files.read(files.files()[str(message["name"])])
        case "save":
            return files.save(files.files()[str(message["name"])], str(message["text"]))
        case "lints":
            lints = lint(files) or files.analysis
            return {"text": render(lints.lints or ()) if lints and lints.lints else "no findings"}
        case "complete":
            return desk_answers.completed(analysis, files.source, message)
        case "format":
            return desk_answers.laid_out(files.path, files.source.text)
        case "files":
            return {"zip": base64.b64encode(files.archive()).decode("ascii")}
        case "judge":
            raise ZrfError("a full report takes too long in a browser", "too-slow",
                           help="run `zrf judge` on a computer where zrf_py is installed")
        case query if query in trying.SECONDS:
            return trying.answer(query, files.source.text, files.path, message)
        case "page":
            return {"html": page_of([desk_answers.game_of(analysis, str(message["title"]))])}
    return desk_answers.answered(analysis, message)


def payload(files: Files, title: str) -> bytes:
    """Return the packed tables and the engine of a game, for the board beside the text.

    :raises ZrfError: if the text has errors, or the game is too large for a page.
    """
    assert files.analysis is not None
    with warnings.catch_warnings(action="ignore"):
        packed, tables = contents([desk_answers.game_of(files.analysis, title)])
    return packed.packed({**tables, "first": 0})
