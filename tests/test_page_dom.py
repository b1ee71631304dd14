"""What people read on the page of a board, and what their clicks ask for: its modules in node, in the page's markup.

`dom.js` has as much of a document as they ask for, `pages/` the scripts, `golden/pages/` what these show.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.playing import HANG, ROOT
from zrf_py.export.bundle import bundle

STATIC = ROOT / "zrf_py" / "serve" / "static"
MODULES = {path.stem: path.read_text("utf-8") for path in STATIC.glob("*.js")}
SERVER = """export const PEOPLE = ["human", "link"];
export const home = "/";
export const shown = null;
export const soundAt = (kind) => `/sound/${kind}`;
export const rulesInWords = async () => ({ html: "" });
"""
"""As much of a server as parts of the page name."""


def on_page(script: str, page: str = "board.html", language: str = "en", **modules: str) -> Any:
    """What a script shows that imports modules of the page; `ask` notes the messages in `asked`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    body = re.sub(r"<!doctype html>|</?(html|body)[^>]*>", "", (STATIC / page).read_text("utf-8"))
    words = (STATIC / f"words-{language}.json").read_text("utf-8") if language != "en" else "{}"
    translations = f"export async function translations() {{ return {words}; }}"
    text = "\n".join([
        "const show = (it) => console.log(JSON.stringify(it));",
        f'globalThis.location = {{ search: "?lang={language}", pathname: "/t/1", hash: "", origin: "http://x" }};',
        (ROOT / "tests" / "dom.js").read_text("utf-8"), f"parse({json.dumps(body)}, document.body);",
        "const asked = [];", "const ask = (message) => asked.push(message);",
        bundle({**MODULES, "server": SERVER, "translations": translations, **modules, "test": script}, "test")])
    done = subprocess.run([node, "-"], input=text, capture_output=True, text=True, encoding="utf-8", timeout=HANG)
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


GOLDEN = ROOT / "tests" / "golden" / "pages"
SCRIPTS = sorted((ROOT / "tests" / "pages").glob("*.js"))


def compare(name: str, shown: list[Any]) -> None:
    """What a script has shown is what is kept of it, which `ZRF_WRITE_GOLDEN=1` writes again."""
    path, text = GOLDEN / f"{name}.txt", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in shown)
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text.splitlines() == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_page_shows_and_asks_what_it_did(path: Path) -> None:
    """Each script plays a part of a board: states come in, buttons and keys are pressed."""
    compare(path.stem, on_page(path.read_text("utf-8")))


def test_the_page_speaks_german() -> None:
    compare("words-de", on_page((ROOT / "tests" / "pages" / "words.js").read_text("utf-8"), language="de"))
