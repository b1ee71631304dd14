"""Python in a page, run in node, and the command line agree on rules files: messages, moves, perft, words, format.

Python for browsers is the npm package `pyodide`; `ZRF_PYODIDE` names its unpacked folder.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="the archive for pages holds a kernel made by llvmlite")

from tests.conftest import SLOW
from tests.playing import RULES, counted
from zrf_py.author.format.files import format_text
from zrf_py.cli.main import main
from zrf_py.export.python_package import package
from zrf_py.front.decode import decode
from zrf_py.library import contents, shelf
from zrf_py.view import bitmaps

REAL = os.environ.get("ZRF_PYODIDE", "")
CORPUS = os.environ.get("ZRF_CORPUS", "")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    not REAL, reason="ZRF_PYODIDE doesn't name an unpacked npm package of Pyodide")]
MOST = 100
"""Maximum number of files of a folder that are compared, spread over all of it."""
WIDE = 60
"""Number of moves of a start position up to which two plies are counted instead of one."""
SCRIPT = """
const [where, archive, folder, names] = process.argv.slice(2);
const { loadPyodide } = await import(where);
const fs = await import("node:fs");
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "gztar", { extractDir: "/zrf" });
python.mountNodeFS("/rules", folder);
python.runPython(fs.readFileSync("compared.py", "utf-8"));
const compared = python.globals.get("compared");
for (const name of JSON.parse(fs.readFileSync(names, "utf-8"))) {
  console.log(JSON.stringify([name, JSON.parse(compared(name))]));
}
"""
THERE = f'''
import json, sys, time
from pathlib import Path
sys.path.insert(0, "/zrf")
time.thread_time = time.process_time
from zrf_py.author.desk_answers import answered, game_of, laid_out
from zrf_py.author.desk_state import state
from zrf_py.author.editor.analysis import analyse
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import markdown
from zrf_py.front.decode import decode
from zrf_py.library import contents
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

def compared(name):
    path = Path("/rules") / name
    text = decode(contents(path))
    analysis = analyse(Source(str(path), text), path)
    news = state(analysis, 0)
    result = {{"messages": sorted([row["severity"], row["code"], row["text"]] for row in news["problems"])}}
    try:
        result["format"] = laid_out(path, text)["text"]
    except ZrfError as error:
        result["format"] = error.diagnostics[0].message
    if news["games"] and not analysis.errors:
        result["title"] = news["games"][0]["title"]
        game = game_of(analysis, result["title"])
        start = game.start()
        result["moves"] = [move.text for move in start.moves()]
        result["perft"] = start.perft(2 if len(result["moves"]) <= {WIDE} else 1)
        result["words"] = markdown(rules_in_words(game, "en"))
    return json.dumps(result)
'''
Printed = Callable[..., str]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    """A function that runs a command and returns what it prints on standard output."""
    def run(*words: str) -> str:
        main(list(words))
        return capsys.readouterr().out

    return run


def here(path: Path, title: str | None, printed: Printed) -> dict[str, Any]:
    """Return the output of the command line about a file, and about a game in it if there is one."""
    problems = json.loads(printed("check", "--json", str(path)))
    formatted = format_text(str(path), decode(contents(path)), path)
    result: dict[str, Any] = {
        "messages": sorted([row["severity"], row["code"], row["message"]] for row in problems),
        "format": formatted.problems[0].message if formatted.problems else formatted.after}
    if not any(row["severity"] == "error" for row in problems):
        game = (str(path), "--variant", str(title))
        result["moves"] = json.loads(printed("moves", "--json", *game))["moves"]
        depth = 2 if len(result["moves"]) <= WIDE else 1
        result["perft"] = json.loads(printed("perft", "--json", *game, str(depth)))["leaves"]
        result["words"] = printed("words", *game)
    return result


def differences(folder: Path, names: list[str], work: Path, printed: Printed) -> dict[str, Any]:
    """Return the differences between Python in node and the command line, by file and subject: (node, command line)."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    (work / "zrf.data").write_bytes(package())
    for name, text in (("names.json", json.dumps(names)), ("compared.py", THERE), ("run.mjs", SCRIPT)):
        (work / name).write_text(text, "utf-8")
    command = [node, "run.mjs", (Path(REAL) / "pyodide.mjs").resolve().as_uri(), "zrf.data", str(folder), "names.json"]
    with (work / "there.jsonl").open("w", encoding="utf-8") as lines:
        done = subprocess.run(command, cwd=work, stdout=lines, stderr=subprocess.PIPE, text=True, timeout=SLOW - 300)
    assert done.returncode == 0, done.stderr[-2000:]
    there = dict(json.loads(line) for line in (work / "there.jsonl").read_text("utf-8").splitlines())
    assert list(there) == names
    differing = {}
    for name in counted(names):
        actual, title = there[name], there[name].pop("title", None)
        expected = here(folder / name, title, printed)
        if wrong := {subject: (actual.get(subject), expected.get(subject))
                     for subject in {*expected, *actual} if actual.get(subject) != expected.get(subject)}:
            differing[name] = wrong
    return differing


def test_the_shelf_is_the_same_in_a_browser(tmp_path: Path, printed: Printed) -> None:
    names = [path.relative_to(RULES).as_posix() for path in shelf().values()]
    assert differences(RULES, names, tmp_path, printed) == {}


@pytest.mark.skipif(not CORPUS, reason="ZRF_CORPUS doesn't name a folder of rules files")
def test_other_files_are_the_same_in_a_browser(
    tmp_path: Path, printed: Printed, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their bitmaps are left out: a project in a browser has none, and places beyond a board's bitmap are not drawn."""
    monkeypatch.setattr(bitmaps, "size_of", lambda path: None)
    names = sorted(path.relative_to(CORPUS).as_posix() for path in Path(CORPUS).rglob("*.zrf"))
    assert differences(Path(CORPUS).resolve(), names[::-(-len(names) // MOST)], tmp_path, printed) == {}
