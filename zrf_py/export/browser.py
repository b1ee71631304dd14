"""Rules editor in a browser: messages of the page in, replies out, as JSON. `site-static/desk-worker.js` runs it.

The messages are those of `serve/desk.py`, with one more, `lint`, and one more question, `page`: the exported page.
Files are those of the browser's project, in a folder in memory; the page stores them. One message is handled at a time;
if that takes too long, the page ends this Python and starts another.
"""

import hashlib
import json
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from zrf_py.author import desk_answers
from zrf_py.author.desk_answers import NO_QUESTION, Message
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.lint.linting import lints_of
from zrf_py.author.tests.running import tests_of
from zrf_py.author.trials import trying
from zrf_py.export.contents import contents
from zrf_py.export.page import page_of
from zrf_py.library import contents as contents_of
from zrf_py.play.zsg import replace_file
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.render import render
from zrf_py.text.source import Source

MAX_LINTED = 100_000
"""Most characters of a text whose likely mistakes are looked for."""


class Project:
    """The files of a game in a folder in memory, and the text of the rules as it stands in the page's editor."""

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / name
        self.source = Source(str(self.path), "")
        self.version = 0
        self.analysis: Analysis | None = None

    def heed(self, text: str) -> str:
        """Handle a message; return the replies as a JSON list."""
        return json.dumps(list(self._replies(json.loads(text))))

    def _replies(self, message: Message) -> Iterable[Message]:
        match message.get("type"):
            case "text":
                self.source, self.version = Source(str(self.path), str(message["text"])), int(message["version"])
                self.analysis = analyse(self.source, self.path, self.analysis)
                yield self._problems(self.analysis)
            case "lint":
                if lints := self._lints():
                    yield self._problems(lints)
            case _:
                yield self._answer(message)

    def _lints(self) -> Analysis | None:
        """Run the lints and return the analysis with them; None if they have run, or can't run on this text."""
        analysis = self.analysis
        if analysis is None or analysis.lints is not None or analysis.errors or not analysis.sound \
                or len(analysis.source.text) > MAX_LINTED:
            return None
        self.analysis = replace(analysis, lints=lints_of(analysis.root, analysis.stages, analysis.diagnostics))
        return self.analysis

    def _problems(self, analysis: Analysis) -> Message:
        return {**desk_answers.state(analysis, self.version), "files": list(self._files())}

    def _answer(self, message: Message) -> Message:
        answer: Message = {"type": "answer", "id": message.get("id"), "version": self.version}
        try:
            answer["value"] = self._ask(message)
        except ZrfError as error:
            first = error.diagnostics[0]
            answer["problem"] = {"code": first.code, "summary": first.message, "help": first.help}
        except (KeyError, TypeError, ValueError, OverflowError):
            answer["problem"] = NO_QUESTION
        except RecursionError:
            answer["problem"] = {"code": "too-deep", "summary": "these rules are nested too deeply", "help": ""}
        return answer

    def _ask(self, message: Message) -> Any:
        analysis = self.analysis or analyse(self.source, self.path)
        match message["what"]:
            case "open":
                return self._read(self._files()[str(message["name"])])
            case "save":
                return self._save(self._files()[str(message["name"])], str(message["text"]))
            case "run":
                return self._run(str(message["command"]))
            case "starts" | "start":
                return desk_answers.starts(self.path, message)
            case "complete":
                return desk_answers.completed(analysis, self.source, message)
            case "format":
                return desk_answers.laid_out(self.path, self.source.text)
            case "judge":
                raise ZrfError("a full report takes too long in a browser", "too-slow",
                               help="run `zrf judge` on a computer where zrf_py is installed")
            case question if question in trying.SECONDS:
                return trying.answer(question, self.source.text, self.path, message)
            case "page":
                return {"html": page_of([desk_answers.game_of(analysis, str(message["title"]))])}
        return desk_answers.answered(analysis, message)

    def payload(self, title: str) -> bytes:
        """Return the packed tables and the engine of a game, for the board beside the text.

        :raises ZrfError: if the text has errors, or the game is too large for a page.
        """
        assert self.analysis is not None
        with warnings.catch_warnings(action="ignore"):
            packed, tables = contents([desk_answers.game_of(self.analysis, title)])
        return packed.packed({**tables, "first": 0})

    # --------------------------------------------------------------------------------------------------- the files

    def _files(self) -> dict[str, Path]:
        """Return the files that may be edited, by name: rules, tests, included files of the project."""
        included = [Path(source.name) for source in self.analysis.files] if self.analysis else []
        return {path.name: path for path in (self.path, self.path.with_suffix(".md"), *included)
                if path.parent == self.path.parent}

    def _read(self, path: Path) -> Message:
        text = contents_of(path).decode("utf-8") if path.is_file() else ""
        return {"text": text, "mark": _mark(text)}

    def _save(self, path: Path, text: str) -> Message:
        replace_file(path, text.encode("utf-8", "replace"))
        return {"mark": _mark(text)}

    def _run(self, command: str) -> Message:
        """Run the tests of the saved files (`test`), or the lints of the text (any other command)."""
        if command != "test":
            lints = self._lints() or self.analysis
            return {"text": render(lints.lints or ()) if lints and lints.lints else "no findings", "results": []}
        results = [test.run() for test in tests_of(self.path)]
        rows = [(result.place.rpartition(":"), result) for result in results]
        failed = sum(bool(result.problem) for result in results)
        text = f"{len(results) - failed} passed, {failed} failed" if results else \
            f"no tests: write them in {self.path.with_suffix('.md').name}"
        return {"text": text, "results": [{"name": result.name, "file": Path(file).name, "line": int(line or 0),
                                           "problem": result.problem} for (file, _, line), result in rows]}


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()

