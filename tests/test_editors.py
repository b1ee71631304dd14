"""Support files for editors: valid settings, colours for every keyword, valid snippets, and the
extension for Visual Studio Code, built and run in node against the real server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.playing import HANG, ROOT, RULES, counted
from zrf_py.author.editor.analysis import analyse
from zrf_py.front.keywords import KEYWORDS
from zrf_py.text.source import Source

EDITORS = ROOT / "zrf_py" / "editors"
CODE = EDITORS / "vscode"


def test_settings_are_valid() -> None:
    helix = tomllib.loads((EDITORS / "helix/languages.toml").read_text("utf-8"))
    assert helix["language-server"]["zrf"]["args"] == ["lsp"]
    for path in (*CODE.rglob("*.json"), *EDITORS.rglob("*.sublime-settings")):
        if "node_modules" not in path.parts:
            json.loads(path.read_text("utf-8"))


def test_include_files_are_recognised_and_the_licence_is_packed() -> None:
    """A package without a licence can't be published; `vsce` packs the one in the same folder."""
    package = json.loads((CODE / "package.json").read_text("utf-8"))
    assert package["contributes"]["languages"][0]["extensions"] == [".zrf", ".inc"]
    assert (CODE / "LICENSE").read_text("utf-8") == (ROOT / "LICENSE").read_text("utf-8")
    assert (CODE / package["icon"]).read_bytes().startswith(b"\x89PNG") and package["license"] == "MIT"


NEOVIM = """
vim.cmd("edit " .. vim.env.PART)
local answer = { kinds = { vim.bo.filetype } }
vim.cmd("edit " .. vim.env.FOREIGN)
answer.kinds[2] = vim.bo.filetype
vim.cmd("edit " .. vim.env.GAME)
answer.kinds[3] = vim.bo.filetype
local function wait(holds) return vim.wait(tonumber(vim.env.HANG_MS), holds, 50) end
local problems = function() return vim.diagnostic.get(0) end
vim.api.nvim_buf_set_lines(0, 1, 1, false, { "(gmae)" })
wait(function() return #problems() > 0 end)
answer.wrong = problems()[1].message
local line = vim.fn.search("(title", "nw")
local found = vim.lsp.buf_request_sync(0, "textDocument/hover", {
  textDocument = vim.lsp.util.make_text_document_params(),
  position = { line = line - 1, character = vim.fn.getline(line):find("title") } }, 60000)
for _, one in pairs(found or {}) do answer.hover = one.result and one.result.contents.value end
answer.keys = vim.fn.maparg("grn", "n") ~= "" or vim.fn.mapcheck("grn", "n") ~= ""
vim.fn.writefile({ vim.fn.json_encode(answer) }, vim.env.HOME .. "/answer.json")
vim.cmd("qa!")
"""


@pytest.mark.slow
def test_neovim_talks_to_the_server(tmp_path: Path) -> None:
    """The documented configuration is run in the installed Neovim; Debian has version 0.7."""
    pytest.importorskip("pygls")
    if not shutil.which("nvim"):
        pytest.skip("nvim is not installed")
    files = {"PART": ("parts.inc", "; moves\n\n(define step ($1 (verify empty?) add))\n"),
             "FOREIGN": ("x.inc", "<?php\n"), "GAME": ("hop.zrf", (RULES / "chess.zrf").read_text("utf-8")),
             "RUN": ("run.lua", NEOVIM),
             "ZRF": ("zrf", f'#!/bin/sh\nexec "{sys.executable}" -m zrf_py "$@"\n')}
    for name, text in files.values():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "zrf").chmod(0o755)
    within = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path),
              "PYTHONPATH": str(ROOT), "HANG_MS": str(int(HANG * 1000)),
              **{key: str(tmp_path / name) for key, (name, _) in files.items()}}
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "--cmd", "filetype on", "-c", f"luafile {EDITORS / 'neovim/zrf.lua'}",
         "-c", f"luafile {tmp_path / 'run.lua'}", "-c", "qa!"],
        capture_output=True, text=True, timeout=HANG, env=within)
    assert (tmp_path / "answer.json").is_file(), done.stderr
    answer = json.loads((tmp_path / "answer.json").read_text("utf-8"))
    assert answer["kinds"] == ["zrf", "php", "zrf"] and answer["keys"]
    assert "did you mean `game`?" in answer["wrong"] and answer["hover"].startswith("**")


def test_editor_files_name_no_registry() -> None:
    for path in counted(p for p in EDITORS.rglob("*") if p.is_file() and "node_modules" not in p.parts
                        and p.suffix != ".png"):
        assert not re.search(r"registry\.|\"resolved\"", path.read_text("utf-8")), path
        assert path.name != "package-lock.json"


def test_keywords_have_colours() -> None:
    """Keywords that begin a form have a colour, except those without effect on play, and the old form of options."""
    rules = json.loads((CODE / "syntaxes/zrf.tmLanguage.json").read_text("utf-8"))["repository"]
    patterns = [re.compile(rule["match"]) for rule in rules.values() if "match" in rule]
    for word, row in KEYWORDS.items():
        begins = any(form.startswith(f"({word} ") for form in row.form.split(" · "))
        if begins and not row.ignored and "version 1" not in row.where:
            found = [match[0] for pattern in patterns if (match := pattern.search(f"({word} x y)"))]
            assert any(word in text for text in found), f"`{word}` has no colour in zrf.tmLanguage.json"


def test_snippets_are_rules() -> None:
    """The snippet of a whole game compiles, and the others fit into it."""
    snippets = {name: "\n".join(s["body"]) for name, s in json.loads(
        (ROOT / "zrf_py/author/editor/snippets.json").read_text("utf-8")).items()}
    game = filled(snippets["A game"])
    assert not analyse(Source("game.zrf", game)).diagnostics
    for name in ("A step", "A leap", "A slide", "A jump over"):
        text = game.replace("(n (verify empty?) add)", f"({name.split()[-1] if name != 'A jump over' else 'jump'} n)")
        assert not analyse(Source("game.zrf", filled(snippets[name]) + "\n" + text)).diagnostics, name
    for name in ("Three times", "A zone", "Win by a row"):
        part = filled(snippets[name])
        place = "(board\n" if name == "A zone" else "(board-setup"
        text = game.replace(place, place + part + "\n" if name == "A zone" else part + "\n" + place)
        assert not [d for d in analyse(Source("game.zrf", text)).diagnostics if d.severity == "error"], name


def filled(snippet: str) -> str:
    """Return a snippet with its default values filled in."""
    given = dict(re.findall(r"\$\{([0-9]):([^}]*)\}", snippet))
    text = re.sub(r"\$\{([0-9]):([^}]*)\}", r"\2", snippet)
    return re.sub(r"(?<!\\)\$([0-9])", lambda m: given.get(m[1], ""), text).replace("\\$", "$")


@pytest.mark.slow
def test_the_extension_is_built_and_talks_to_the_server(tmp_path: Path) -> None:
    """It is built from its sources into the package that users install; the built code runs in node, and the server
    answers."""
    pytest.importorskip("pygls")
    if not shutil.which("npm"):
        assert os.environ.get("CI") != "true", "npm is needed"
        pytest.skip("npm is not installed")
    folder = tmp_path / "vscode"
    shutil.copytree(CODE, folder, ignore=shutil.ignore_patterns("node_modules", "dist"))

    (tmp_path / "zrf").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m zrf_py "$@"\n', "utf-8")
    (tmp_path / "zrf").chmod(0o755)
    within = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=HANG, env=within)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    try:
        run("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts")
    except AssertionError:
        assert os.environ.get("CI") != "true", "the packages are needed"
        pytest.skip("the packages of the extension can't be had")
    run("npm", "run", "types")
    run("npm", "run", "build")
    run("npm", "run", "package")
    with zipfile.ZipFile(folder / "zrf.vsix") as package:
        names = set(package.namelist())
    assert {"extension/dist/extension.js", "extension/syntaxes/zrf.tmLanguage.json", "extension/package.json"} <= names
    assert not [name for name in names if "node_modules" in name or name.endswith(".ts")]
    assert {"extension/icon.png", "extension/LICENSE.txt"} <= names
    rules = tmp_path / "hop.zrf"
    shutil.copy(RULES / "chess.zrf", rules)
    small = json.loads(run("npm", "test").splitlines()[-1])
    assert small["first"]["codes"] == [] and small["second"]["codes"] == ["unknown-keyword"]
    diagnostics = json.loads(run("npm", "test", "--", str(rules), sys.executable, "-m", "zrf_py").splitlines()[-1])
    assert diagnostics["first"]["codes"] == [] and diagnostics["second"]["codes"] == ["unknown-keyword"]
    assert {"registerHoverProvider", "registerRenameProvider", "registerDocumentSemanticTokensProvider",
            "registerCodeLensProvider", "registerInlayHintsProvider"} <= set(diagnostics["providers"])
    assert "errors" in diagnostics["board"]
