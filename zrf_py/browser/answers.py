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
from zrf_py.browser.host import Project
from zrf_py.export.contents import contents
from zrf_py.export.page import page_of
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.render import render
from zrf_py.view.drawings import board_svg

MAX_LINTED = 100_000
"""Maximum length, in characters, of a text that is linted."""


def lint(project: Project) -> Analysis | None:
    """Run the lints and return the analysis with them; None if they have already run, or can't run on this text."""
    analysis = project.analysis
    if analysis is None or analysis.lints is not None or analysis.errors or not analysis.sound \
            or len(analysis.source.text) > MAX_LINTED:
        return None
    project.analysis = replace(analysis, lints=lints_of(analysis.root, analysis.stages, analysis.diagnostics))
    return project.analysis


def ask(project: Project, message: Message) -> Any:
    """Return the value of a query; `serve/README.md` lists the queries.

    :raises ZrfError: if the query can't be answered.
    :raises KeyError, TypeError, ValueError, OverflowError: if the message is not a valid query.
    """
    analysis = project.analysis or analyse(project.source, project.path)
    match message["what"]:
        case "open":
            return project.read(project.files()[str(message["name"])])
        case "save":
            return project.save(project.files()[str(message["name"])], str(message["text"]))
        case "lints":
            lints = lint(project) or project.analysis
            return {"text": render(lints.lints or ()) if lints and lints.lints else "no findings"}
        case "complete":
            return desk_answers.completed(analysis, project.source, message)
        case "format":
            return desk_answers.laid_out(project.path, project.source.text)
        case "files":
            return {"zip": base64.b64encode(project.archive()).decode("ascii")}
        case "judge":
            raise ZrfError("a full report takes too long in a browser", "too-slow",
                           help="run `zrf judge` on a computer where zrf_py is installed")
        case query if query in trying.SECONDS:
            return trying.answer(query, project.source.text, project.path, message)
        case "picture":
            return board_svg(desk_answers.game_of(analysis, str(message["title"])).start(), plain=True)[0]
        case "payload":
            with warnings.catch_warnings(action="ignore"):
                packed, tables = contents([desk_answers.game_of(analysis, str(message["title"]))])
            return base64.b64encode(packed.packed({**tables, "first": 0})).decode("ascii")
        case "page":
            return {"html": page_of([desk_answers.game_of(analysis, str(message["title"]))])}
    return desk_answers.answered(analysis, message)
