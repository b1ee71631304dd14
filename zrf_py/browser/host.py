"""Host of the rules editor in a browser: messages in, replies out, as JSON. `desk-worker.js` runs it in Pyodide.

The messages are those of `serve/desk.py`, plus the message `lint` and the query `page`, which exports the game. The
project's files are in a folder in memory; the page stores them. Messages are handled one at a time; if one takes too
long, the page restarts Python.
"""

import json
from collections.abc import Iterable

from zrf_py.author.desk_state import NO_QUESTION, Message, state
from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.browser.project import Files
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source


class Project(Files):
    """The files of a game, and the answers to the page's messages."""

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

                if lints := answers.lint(self):
                    yield self._problems(lints)
            case _:
                yield self._answer(message)

    def _problems(self, analysis: Analysis) -> Message:
        return {**state(analysis, self.version), "files": list(self.files())}

    def _answer(self, message: Message) -> Message:
        answer: Message = {"type": "answer", "id": message.get("id"), "version": self.version}
        try:
            from zrf_py.browser import answers

            answer["value"] = answers.ask(self, message)
        except ZrfError as error:
            first = error.diagnostics[0]
            answer["problem"] = {"code": first.code, "summary": first.message, "help": first.help}
        except (KeyError, TypeError, ValueError, OverflowError):
            answer["problem"] = NO_QUESTION
        except RecursionError:
            answer["problem"] = {"code": "too-deep", "summary": "these rules are nested too deeply", "help": ""}
        return answer

    def payload(self, title: str) -> bytes:
        """Return the packed tables and the engine of a game, for the board beside the text.

        :raises ZrfError: if the text has errors, or the game is too large for a page.
        """
        from zrf_py.browser import answers

        return answers.payload(self, title)
