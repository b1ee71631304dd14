"""Boards for editors: a picture of a game's start position, and servers whose board follows a file."""

import threading
from concurrent.futures import Future
from pathlib import Path
from urllib.parse import quote

from zrf_py.author.editor.analysis import Analysis
from zrf_py.catalogue import folded
from zrf_py.hosts import Lost, Tell, Worker
from zrf_py.play.game import Game
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.extras import missing_extra

START_SECONDS = 20.0


def picture(analysis: Analysis, title: str) -> dict[str, str]:
    """Return the title of a game, and its board at the start as SVG.

    :raises ZrfError: if the text has errors, or no such game.
    """
    if analysis.errors:
        raise ZrfError("the rules have errors; fix them to see the board", "rules-with-errors")
    programs = analysis.stages.programs
    program = next((p for p in programs if folded(p.game.title) == folded(title)), None)
    if program is None:
        raise ZrfError(f"there is no game called `{title}` in the file", "unknown-variant")
    titles = tuple(p.game.title for p in programs)
    return {"title": program.game.title, "svg": Game(program, titles, Rules(program), analysis.path).start().svg()}


class Boards:
    """Servers of boards, one per file, started on demand and stopped with the editor."""

    def __init__(self) -> None:
        self._servers: dict[Path, tuple[Worker, str]] = {}

    def address(self, path: Path, title: str) -> str:
        """Return the URL of a page whose board follows the file.

        :raises ZrfError: if no server can be started.
        """
        server_entry = self._servers.get(path)
        if server_entry is None or not server_entry[0].is_usable:
            server_entry = self._servers[path] = _start(path)
        return f"{server_entry[1]}&variant={quote(title)}"

    def end(self) -> None:
        for worker, _ in self._servers.values():
            worker.leave()
        self._servers.clear()


def _start(path: Path) -> tuple[Worker, str]:
    worker = Worker(quiet=True)
    address: Future[str] = Future()

    def wait() -> None:
        try:
            worker.call(serve, path, tell=address.set_result)
        except Exception as error:
            if not address.done():
                address.set_exception(error)
        finally:
            worker.close()

    threading.Thread(target=wait, name="board", daemon=True).start()
    try:
        return worker, address.result(START_SECONDS)
    except ImportError:
        raise missing_extra("the board", "board") from None
    except TimeoutError:
        worker.kill()
        raise ZrfError(f"no board could be opened: it took longer than {START_SECONDS:g} s", "no-address") from None
    except (Lost, MemoryError) as error:
        raise ZrfError(f"no board could be opened: {str(error) or 'out of memory'}", "no-address") from None


def serve(path: Path, tell: Tell) -> None:
    """Serve the boards of a file in this process until it is stopped; `tell` receives their address."""
    from zrf_py.serve.run import Settings, run
    from zrf_py.serve.store import default_folder

    run(Settings(str(path), port=0, watch=True, state=default_folder(str(path))), tell)
