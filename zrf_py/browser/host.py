"""Host of the rules editor in a browser: messages in, replies out, as JSON. `desk-worker.js` runs it in Pyodide.

The messages are those of `serve/desk.py` except `open`, `starts`, `start` and `stop`, plus the message `lint` and the
queries `files` (the project as a zip archive), `page` (the exported game), `picture` (its start position) and `payload`
(its tables and engine). The page stores the files of the folder in memory, and restarts Python if it is too slow.
"""

import base64
import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zrf_py.author.desk_state import NO_QUESTION, Message, state
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.library import contents
from zrf_py.paths import replace_file
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source


class Project:
    """The rules file `name` and its neighbours, and the answers to the page's messages about them; `source` is the text
    in the editor, `version` its number."""

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
                from zrf_py.browser import answers  # imported late: it loads everything that draws and plays games

                if self.analysis and (lints := answers.lint(self.analysis)):
                    self.analysis = lints
                    yield self._problems(lints)
            case _:
                yield self._answer(message)

    def _problems(self, analysis: Analysis) -> Message:
        return {**state(analysis, self.version), "files": list(self.files())}

    def _answer(self, message: Message) -> Message:
        answer: Message = {"type": "answer", "id": message.get("id"), "version": self.version}
        try:
            answer["value"] = self._value(message)
        except ZrfError as error:
            first = error.diagnostics[0]
            answer["problem"] = {"code": first.code, "summary": first.message, "help": first.help}
        except (KeyError, TypeError, ValueError, OverflowError):
            answer["problem"] = NO_QUESTION
        except RecursionError:
            answer["problem"] = {"code": "too-deep", "summary": "these rules are nested too deeply", "help": ""}
        return answer

    def _value(self, message: Message) -> Any:
        """Return the answer to a query about the files, or about the text."""
        match message["what"]:
            case "save":
                replace_file(self.files()[str(message["name"])], str(message["text"]).encode("utf-8", "replace"))
                return {}  # no hash of the contents as in `serve/desk.py`, since no other program writes the file
            case "files":
                return {"zip": base64.b64encode(self.archive()).decode("ascii")}
        from zrf_py.browser import answers

        return answers.ask(self.analysis or analyse(self.source, self.path), self.path, message)

    def files(self) -> dict[str, Path]:
        """Return the files that may be edited, by name: rules, tests, included files of the project."""
        included = [Path(source.name) for source in self.analysis.files] if self.analysis else []
        return {path.name: path for path in (self.path, self.path.with_suffix(".md"), *included)
                if path.parent == self.path.parent}

    def archive(self) -> bytes:
        """Return a zip archive of the files: the rules as the editor shows them, and others as they are stored."""
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in self.files().items():
                if path == self.path or path.is_file():
                    archive.writestr(name, self.source.text if path == self.path else contents(path))
        return sink.getvalue()
