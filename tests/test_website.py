"""A whole site: its files, links and policies; the rules editor in a browser, with Python in a worker.

Python for browsers is the npm package `pyodide`; `ZRF_PYODIDE` names its unpacked folder.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import os
import re
import shutil
import struct
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="the kernel in the pages is made by llvmlite")

import zrf_py
from tests.drawing import draw_a_game, plays_offline
from tests.drawing import text_of as text_in
from tests.exporting import in_node
from tests.playing import HANG, RULES, counted
from tests.serving import chromium, files_served, until
from zrf_py import author
from zrf_py.author import desk_state
from zrf_py.author.editor.analysis import analyse
from zrf_py.author.format.layout import formatted
from zrf_py.author.new.templates import new_game
from zrf_py.author.sharing import packed
from zrf_py.browser.host import Project
from zrf_py.cli.main import main
from zrf_py.data import data_file
from zrf_py.export import wasm
from zrf_py.export import website as sites
from zrf_py.export.contents import contents
from zrf_py.export.documents import documents
from zrf_py.export.python_package import archives, common, package
from zrf_py.export.website import PYODIDE, website
from zrf_py.library import load_text, shelf
from zrf_py.play.game import Game
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

GAME = formatted(new_game("men", "Hop", 5, "squares"))
REAL = os.environ.get("ZRF_PYODIDE", "")
with_pyodide = pytest.mark.skipif(not REAL, reason="ZRF_PYODIDE doesn't name an unpacked npm package of Pyodide")
in_a_browser = pytest.mark.skipif(chromium() is None, reason="there is no Chromium on this machine")
MOST = 9_000_000
"""Maximum total size of the workshop's files in bytes, each file compressed by itself."""


def pyodide(folder: Path) -> Path:
    """Return a new folder with files named like Pyodide's, for tests that don't run it."""
    folder.mkdir()
    for name in PYODIDE:
        (folder / name).write_text(json.dumps({"info": {}, "packages": {"numpy": {}}}), "utf-8")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with one small game, and with Python if `ZRF_PYODIDE` names it."""
    folder = tmp_path_factory.mktemp("website")
    (folder / "rules").mkdir()
    (folder / "rules" / "hop.zrf").write_text(GAME, "utf-8")
    runtime = Path(REAL) if REAL else pyodide(folder / "pyodide")
    done = website(str(folder / "rules"), folder / "site", runtime)
    assert list(done.pages) == ["hop"] and not done.left_out
    return folder / "site"


def text_of(path: Path) -> str:
    return path.read_text("utf-8")


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def policy(page: str) -> str:
    match = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', page)
    assert match
    return html.unescape(match[1])


@pytest.mark.slow
def test_a_site_has_home_games_documents_and_rules_editor(site: Path) -> None:
    names = {path.relative_to(site).as_posix() for path in pages(site)}
    assert {"index.html", "gallery/index.html", "gallery/games/hop.html", "workshop/index.html", "workshop/board.html",
            "documents/tutorial.html", "documents/language.html", "documents/porting.html",
            "documents/cookbook/index.html", "documents/cookbook/dice.html"} <= names
    assert not (site / "gallery" / "sw.js").exists()
    assert 'data-worker="../sw.js"' in text_of(site / "gallery" / "index.html")


@pytest.mark.slow
def test_every_link_of_a_site_leads_somewhere(site: Path) -> None:
    links = 0
    for page in pages(site):
        if page.parent.name == "games":
            continue  # exported pages have their own tests
        for address in re.findall(r'(?:href|src)="([^"]+)"', text_of(page)):
            at, _, anchor = html.unescape(address).partition("#")
            target = (page.parent / at).resolve() if at else page
            assert target.is_file() or (target / "index.html").is_file(), (page, address)
            opened = anchor.removeprefix("open=")
            if opened != anchor:
                assert (site / opened).is_file(), (page, address)
            elif anchor and target.suffix == ".html":
                assert f'id="{anchor}"' in text_of(target), (page, address)
            links += 1
    assert links > 300


@pytest.mark.slow
def test_a_site_makes_no_requests_elsewhere(site: Path) -> None:
    for page in counted(pages(site)):
        rules = policy(text_of(page))
        assert rules.startswith("default-src 'none'; ") and "unsafe-inline" not in rules and "http" not in rules
        assert "'unsafe-eval'" not in rules and "base-uri 'none'" in rules
    for path in site.rglob("*"):
        if path.suffix in (".html", ".js", ".css") and "pyodide" not in path.parts and path.name != "desk-editor.js":
            addresses = re.findall(r"""(?:src|href|url|import|fetch)\W{1,3}(https?://[^\s"')]+)""", text_of(path))
            assert not addresses, (path, addresses)


@pytest.mark.slow
def test_scripts_and_styles_in_pages_match_their_policy(site: Path) -> None:
    page = text_of(site / "documents" / "tutorial.html")
    for tag in ("script", "style"):
        match = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        assert match
        assert base64.b64encode(hashlib.sha256(match[1].encode()).digest()).decode() in policy(page)


@pytest.mark.slow
def test_the_rules_editor_lists_all_its_files(site: Path) -> None:
    folder = site / "workshop"
    listed = json.loads(text_of(folder / "files.json"))
    assert {"words-de.json", "desk-de.json"} <= set(listed)
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    pictures = {name for name in files if name.startswith("pictures/")}
    assert len(pictures) > 80 and sorted(listed) == sorted(files - pictures)
    for name in listed:
        if name.endswith(".js") and name != "desk-editor.js":
            for module in re.findall(r'(?:from |import\()"\./([\w./-]+)"', text_of(folder / name)):
                assert module in listed, (name, module)
    assert json.loads(text_of(folder / "pyodide" / "pyodide-lock.json"))["packages"] == {}
    assert len(json.loads(text_of(folder / "starts.json"))["games"]) > 80
    sizes = {name: len(zlib.compress((folder / name).read_bytes(), 6)) for name in listed}
    assert sum(sizes.values()) < MOST, sizes


FIRST_MESSAGES = """
import fs from "node:fs";
const [folder, texts, first, rest] = process.argv.slice(2);
const { loadPyodide } = await import(`${folder}/pyodide/pyodide.mjs`);
const python = await loadPyodide();
python.mountNodeFS("/zrf", first);
const heed = python.runPython(`
import json, sys, time
from pathlib import Path
sys.path.insert(0, "/zrf")
time.thread_time = time.process_time
from zrf_py.browser.host import Project
Path("/project").mkdir()
project = Project(Path("/project"), "game.zrf")
lambda text: len(json.loads(project.heed(json.dumps({"type": "text", "version": 1, "text": text})))[0]["problems"])
`);
const found = () => JSON.parse(fs.readFileSync(texts, "utf-8")).map((text) => heed(text));
const early = found();
fs.cpSync(rest, first, { recursive: true });
console.log(JSON.stringify([early, found()]));
"""


@pytest.mark.slow
@with_pyodide
def test_the_first_messages_need_only_the_first_archives(site: Path, tmp_path: Path) -> None:
    texts = [path.read_text("utf-8") for path in shelf().values()]
    (tmp_path / "texts.json").write_text(json.dumps(texts + [text[: len(text) // 2] for text in texts]), "utf-8")
    (tmp_path / "first.mjs").write_text(FIRST_MESSAGES, "utf-8")
    folders = [tmp_path / name for name in ("zrf.data", "rest.data")]
    for folder in folders:
        with tarfile.open(site / "workshop" / folder.name) as archive:
            archive.extractall(folder, filter="data")
    done = subprocess.run(["node", *map(str, (tmp_path / "first.mjs", site / "workshop", tmp_path / "texts.json",
                                              *folders))], capture_output=True, text=True, timeout=HANG)
    first, whole = json.loads(done.stdout.splitlines()[-1])
    assert first == whole
    assert first[: len(texts)].count(0) > len(texts) // 2 > first[len(texts) :].count(0)
    assert (site / "workshop" / "rest.data").stat().st_size > (site / "workshop" / "zrf.data").stat().st_size


@pytest.mark.slow
def test_a_site_without_node_has_one_archive(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zrf_py.export.python_package.shutil.which", lambda name: None)
    made = archives(b"library", pyodide(tmp_path / "pyodide"), b"")
    assert made == {"python_stdlib.zip": b"library", "zrf.data": package()}
    with tarfile.open(fileobj=io.BytesIO(made["zrf.data"])) as archive:
        names = archive.getnames()
    assert "zrf_py/browser/host.py" in names
    assert not [name for name in names if "precompile" in name or "library.json" in name]  # used only to make a site


IN_NODE = """export async function loadPyodide() {
  const files = new Map(), unpacked = [];
  const FS = { writeFile: (name, bytes) => files.set(name, String(bytes)), readFile: (name) => files.get(name) };
  const runPython = (code, { globals }) => {
    const seen = { rules: globals.rules, unpacked, names: [...files.keys()], library: files.get("/python_stdlib.zip") };
    for (const name of globals.archives) files.set(`/${name}`, JSON.stringify({ name, ...seen }));
  };
  const unpackArchive = (bytes, kind, { extractDir }) => unpacked.push([bytes, kind, extractDir]);
  return { FS, runPython, unpackArchive, toPy: (values) => values };
}"""
"""A stand-in for Pyodide's module; its Python writes a list of its files and arguments into each archive."""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_archives_are_prepared_by_python_in_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python gets the library, the unpacked package and two more files; the three archives that it makes are kept."""
    monkeypatch.setattr("zrf_py.export.python_package.package", lambda: b"the package")
    (tmp_path / "pyodide.mjs").write_text(IN_NODE, "utf-8")
    made = archives(b"library", tmp_path, b"(game)")
    names = ["python_stdlib.zip", "zrf.data", "rest.data"]
    beside = [f"/zrf/zrf_py/browser/{name}" for name in ("precompile.py", "library.json")]
    assert {name: json.loads(text) for name, text in made.items()} == {name: {
        "name": name, "rules": "(game)", "unpacked": [["the package", "gztar", "/zrf"]], "library": "library",
        "names": [*(f"/{name}" for name in names[:2]), *beside]} for name in names}
    (tmp_path / "pyodide.mjs").write_text("throw Error('no');", "utf-8")
    assert archives(b"library", tmp_path, b"(game)") == {names[0]: b"library", names[1]: b"the package"}


def test_stored_memory_belongs_to_one_version_of_python_and_zrf_py(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The name under which a browser stores Python's memory changes with Pyodide and with each archive."""
    monkeypatch.setattr(sites, "_beginnings", dict)
    versions: list[str] = []
    for pyodide_wasm, zrf in (("1", b"a"), ("1", b"a"), ("2", b"a"), ("1", b"b")):
        monkeypatch.setattr(sites, "archives", lambda *_, zrf=zrf: {"python_stdlib.zip": b"library", "zrf.data": zrf})
        runtime = pyodide(tmp_path / f"pyodide{len(versions)}")
        (runtime / "pyodide.asm.wasm").write_text(pyodide_wasm, "utf-8")
        sites._workshop(tmp_path / "site", runtime)
        script = text_of(tmp_path / "site" / "desk-python.js")
        versions.append(script.partition("\n")[0])
        assert "`memory-${VERSION}`" in script
    assert versions[0] == versions[1] and len({*versions}) == 3 and versions[0].startswith('const VERSION = "')


@pytest.mark.slow
def test_the_rules_editor_finds_its_translations(site: Path) -> None:
    """Its scripts expect no words in the page, and every file of words that a script names exists."""
    scripts = {path.name: path.read_text("utf-8") for path in (site / "workshop").glob("*.js")}
    named = {f"{name}-de.json" for text in scripts.values()
             for name in re.findall(r"([a-z]+)-\$\{language\}\.json", text)}
    assert named == {"words-de.json", "desk-de.json"}
    assert all((site / "workshop" / name).is_file() for name in named)
    assert not [name for name, text in scripts.items() if "zrfAlone.words" in text]


@pytest.mark.slow
def test_files_cached_for_offline_use_exist(site: Path) -> None:
    match = re.search(r"^const FIRST = (.*);$", text_of(site / "sw.js"), re.M)
    assert match
    for address in json.loads(match[1]):
        assert (site / address).is_file() or (site / address / "index.html").is_file(), address


def test_every_example_plays_or_shows_an_error() -> None:
    examples = documents().examples
    assert len(examples) > 35
    wrong = [path for path, text in examples.items() if not load_text(text).programs]
    assert sorted(wrong) == [f"documents/examples/{name}.zrf" for name in (
        "language-2", "tutorial-2", "tutorial-3", "tutorial-5")]  # these examples show mistakes
    assert "documents/examples/castling.zrf" in examples


def test_every_game_to_start_from_has_a_picture_and_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture shows all men of the start position."""
    few = [SimpleNamespace(id=f"of/{name}", title=name, about="", path=data_file("rules") / f"{name}.zrf", variant=0)
           for name in ("tictactoe", "checkers", "breakthrough")]
    monkeypatch.setattr(sites, "Games", lambda: SimpleNamespace(all=lambda: few))
    files = sites._beginnings()
    rows = json.loads(files.pop("starts.json"))["games"]
    assert [row["id"] for row in rows] == [game.id for game in few]
    assert {row[part] for row in rows for part in ("picture", "file")} == set(files)
    for row in counted(rows, 3):
        assert files[row["file"]] == (data_file("rules") / f"{row['title']}.zrf").read_bytes()
        men = sum(owner >= 0 for owner in zrf_py.load(row["title"]).start().state.owner)
        assert str(files[row["picture"]]).count('class="piece') == men, row["title"]


def test_the_python_interface_is_a_page_of_the_documents() -> None:
    title, page = documents().pages["python.html"]
    shown = {html.unescape(name) for name in re.findall(r"<h[34] id=[^>]*><code>([^<]*)</code></h", page)}
    assert title == "Python interface" and "Position.play(move: Move | str | int) -> Self" in shown
    assert {re.match(r"\w+", name)[0] for name in shown} >= {*zrf_py.__all__, *author.__all__}  # type: ignore[index]
    assert page.count("&gt;&gt;&gt; ") > 15 and ":raises" not in page and ":param" not in page
    assert "<li>raises <code>ZrfError</code>" in page


def test_without_pyodide_the_command_names_its_source(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["site", str(RULES), "-o", str(tmp_path / "site")]) != 0
    assert "npm pack pyodide" in capsys.readouterr().err
    with pytest.raises(ZrfError, match=r"lacks pyodide\.mjs"):
        website("shelf", tmp_path / "site", tmp_path)
    assert not (tmp_path / "site").exists()


# ------------------------------------------------------------------------------------------------- tables in a link


def tables_of(text: str) -> bytes:
    """Return the tables of the first game of a text, as a page without a server gets them."""
    payload, tables = contents([Game(load_text(text).program())], own=False)
    return payload.packed({**tables, "first": 0})


def altered(data: bytes, change: Callable[[dict[str, Any], bytearray], None]) -> bytes:
    """Return tables whose index and parts `change` has altered."""
    end = 4 + int.from_bytes(data[:4], "little")
    index, parts = json.loads(data[4:end]), bytearray(data[end:])
    change(index, parts)
    text = json.dumps(index).encode()
    return len(text).to_bytes(4, "little") + text + parts


def endless(index: dict[str, Any], parts: bytearray) -> None:
    """Let a piece have a billion moves, so that the kernel doesn't return."""
    moves = struct.pack("<2i", 0, 3)
    [at] = [at for at, size in index["parts"] if parts[at : at + size] == moves]
    parts[at : at + 8] = struct.pack("<2i", 1 << 16, 0x51000003)


def drawn(markup: str) -> Callable[[dict[str, Any], bytearray], None]:
    """Return a change that puts markup into the drawing of a board."""
    def change(index: dict[str, Any], parts: bytearray) -> None:
        page = index["page"]
        page["shared"][page["games"][0]["drawing"]["board"]] = markup
    return change


def huge(index: dict[str, Any], parts: bytearray) -> None:
    index["page"]["images"][0]["end"] = 1 << 40


def outside(index: dict[str, Any], parts: bytearray) -> None:
    index["page"]["images"][0]["writes"][0][0] = 1 << 31


OPENED = """import { opened } from "./tables.js";
import { Position } from "./position.js";
import { openWorld } from "./world.js";
const read = (name) => new Uint8Array(require("fs").readFileSync(`${FOLDER}/${name}`));
const kernel = await WebAssembly.compile(read("kernel.wasm"));
for (const packed of JSON.parse(new TextDecoder().decode(read("links")))) {
  try {
    const { page, part, names } = await opened(packed, read("common.bin"), true);
    const world = await openWorld(page, 0, part, kernel);
    show([world.game.title, Position.start(world).moves.length, names]);
  } catch (error) { show(error.constructor.name); }
}
show((await opened(JSON.parse(new TextDecoder().decode(read("long"))), read("common.bin"), false)).names);
"""


def test_tables_of_a_link_are_opened_or_refused(tmp_path: Path) -> None:
    """Tables that are cut, foreign, too long or too large for memory, and markup that isn't a shape, throw an error."""
    good = tables_of(GAME.replace("Hop", "Leap"))
    forbidden = ['<a href="https://example.org">', "<image href='x'/>", "<use href='#a'/>", "<script>", "<!-- -->",
                 "<foreignObject>", "<style>", "</svg>", "<animate", "<PATH/>", "<g\u00a0/>", '"/><a href="/">']
    hostile = [altered(good, drawn(markup)) for markup in forbidden]
    hostile += [altered(good, change) for change in (huge, outside)]
    hostile += [b"", b"\xff" * 99, good[:4000], (9).to_bytes(4, "little") + b"[" * 90_000, b"a" * (3 << 20)]
    links = [packed(good, common()), packed(altered(good, drawn("<g><path/></g>")), common())]
    links += [packed(data, common()) for data in hostile]
    links += [links[0][:-9], packed(good, common()[::-1]), "A" * 4000, "", "%%%"]
    long = altered(good, lambda index, parts: parts.extend(bytes(3 << 20)))
    files = {"kernel.wasm": wasm.kernel(wasm.SEARCHES).module, "common.bin": common(),
             "links": json.dumps(links).encode(), "long": json.dumps(packed(long, common())).encode()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    plays, also, *refused, trusted = in_node(f"const FOLDER = {json.dumps(str(tmp_path))};\n{OPENED}")
    assert plays == also == ["Leap", 5, {}] and trusted == {}
    assert len(refused) == len(links) - 2 and {type(answer) for answer in refused} == {str}, refused
    assert 2 * len(links[0]) < len(packed(good))


# ------------------------------------------------------------------------------------------ Python's side of the page


class Page:
    """A page that sends requests to a project."""

    def __init__(self, folder: Path) -> None:
        self.project = Project(folder, "hop.zrf")
        self.number = 0

    def say(self, **message: Any) -> list[dict[str, Any]]:
        replies: list[dict[str, Any]] = json.loads(self.project.heed(json.dumps(message)))
        return replies

    def ask(self, command: str, /, **more: Any) -> Any:
        self.number += 1
        (reply,) = self.say(type="ask", id=self.number, what=command, **more)
        assert reply["id"] == self.number
        return reply.get("value", reply.get("problem"))


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return Page(tmp_path)


def test_a_project_answers_like_the_server(page: Page) -> None:
    (problems,) = page.say(type="text", version=3, text=GAME)
    expected = desk_state.state(analyse(Source("hop.zrf", GAME)), 3)
    assert {**problems, "files": None} == {**expected, "files": None}
    assert problems["files"] == ["hop.zrf", "hop.md"]
    assert page.ask("board", title="Hop")["players"] == ["White", "Black"]
    assert "Hop" in page.ask("words", title="Hop", language="en")["html"]
    assert page.ask("format")["text"] == GAME
    assert page.ask("complete", at=GAME.index("(verify") + 5)["items"][0][0] == "verify"
    assert page.ask("why", title="Hop", play="", question="a1 a5")["answer"]["legal"] is False
    assert page.ask("nothing") == desk_state.NO_QUESTION


def test_a_project_keeps_files_and_runs_tests(page: Page, tmp_path: Path) -> None:
    page.say(type="text", version=1, text=GAME)
    page.ask("save", name="hop.zrf", text=GAME)
    page.ask("save", name="hop.md", text="# One\n\n```moves\ncan: a1 a2\n```\n\n# Two\n\n```moves\ncan: a1 a5\n```\n")
    results = page.ask("tests", page=None)
    assert [(row["name"], row["line"], bool(row["problem"])) for row in results] == [
        ("One", 3, False), ("Two", 10, True)]
    assert page.ask("save", name="../out.zrf", text="") == desk_state.NO_QUESTION
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hop.md", "hop.zrf"]


def test_a_project_is_downloaded_as_an_archive(page: Page, tmp_path: Path) -> None:
    """It contains the rules as typed, saved or not, their tests, and an included file."""
    (tmp_path / "more.inc").write_text("(define hop ($1 add))\n", "utf-8")
    text = f'(include "more.inc")\n{GAME}'
    page.say(type="text", version=1, text=text)
    page.ask("save", name="hop.md", text="# Hop\n")
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(page.ask("files")["zip"]))) as archive:
        files = {name: archive.read(name).decode() for name in archive.namelist()}
    assert files == {"hop.zrf": text, "hop.md": "# Hop\n", "more.inc": "(define hop ($1 add))\n"}


def test_a_project_finds_likely_mistakes_after_the_problems(page: Page) -> None:
    text = GAME.replace("(game", "(define unused ($1 add))\n(game", 1)
    (first,) = page.say(type="text", version=1, text=text)
    (then,) = page.say(type="lint")
    assert not first["linted"] and then["linted"] and not page.say(type="lint")
    assert "unused" in {problem["code"].partition("-")[0] for problem in then["problems"]}


@pytest.mark.slow
def test_every_listed_game_to_start_from_exists(site: Path) -> None:
    folder = site / "workshop"
    starts = json.loads(text_of(folder / "starts.json"))
    for row in counted(starts["games"]):
        assert load_text(text_of(folder / row["file"])).programs
        assert (folder / row["picture"]).is_file()
    for games in counted(starts["small"].values()):
        for game in counted(games.values()):
            assert zrf_py.loads(game["text"]).start().svg() == game["svg"]


# ------------------------------------------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with files_served(site) as address:
        yield address


@pytest.fixture
def workshop(address: str) -> Iterator[Any]:
    """A new browser page; its errors, and requests outside the site, fail the test."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        context = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900}, accept_downloads=True)
        page = context.new_page()
        page.set_default_timeout(HANG * 1000)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url)
                if not request.url.startswith((address, "blob:", "data:", "file:")) else None)
        yield page
        browser.close()
        assert not complaints


@pytest.mark.slow
@in_a_browser
def test_a_game_is_opened_from_the_home_page_and_left_again(workshop: Any, address: str) -> None:
    page = workshop
    page.goto("/index.html")
    page.locator(".cards .card").first.click()
    page.locator("#board .piece, #board .place").first.wait_for()
    page.locator("a.home").click()
    page.locator("#search").wait_for()
    page.locator("a.home").click()
    page.locator(".ways .card").first.wait_for()
    assert page.url == f"{address}/index.html"


@pytest.mark.slow
@in_a_browser
def test_games_to_start_from_are_offered_before_python_is_loaded(workshop: Any) -> None:
    page = workshop
    page.route("**/pyodide/**", lambda route: None)  # Python never loads
    page.goto("/workshop/index.html")
    page.locator("#small .card").first.click()
    page.locator("#text .cm-content", has_text="My Game").wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    boxes = [page.locator(f"#{name}").bounding_box() for name in ("format", "revert", "share", "save")]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in boxes), "on a phone, the header is wrapped"
    assert page.locator("header").bounding_box()["height"] < 130
    page.locator("#save").click()


def typed(page: Any, text: str) -> None:
    page.locator("#text .cm-content:visible").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def begun(page: Any, text: str) -> None:
    """Open the empty rules editor, and type a text as soon as it shows games to start from."""
    page.goto("/workshop/index.html")
    page.locator("#start .card").first.wait_for()
    typed(page, text)


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_a_game_is_fixed_and_played_from_an_empty_page(workshop: Any) -> None:
    page = workshop
    begun(page, GAME.replace("empty?", "emty?", 1))
    page.locator("#problems .error").first.wait_for()
    page.locator("#problems .fix").first.click()
    page.locator("#count", has_text="no problems").wait_for()
    page.locator("#saved", has_text="saved").wait_for()
    board = page.frame_locator("iframe#board")
    board.locator("#board .can").first.wait_for()
    board.locator('#board .piece[data-place="a1"]').click()
    board.locator('#board .place[data-place="a2"]').click()
    board.locator('#board .piece[data-place="a2"]').wait_for()
    page.locator("[data-tab=words]").click()
    page.locator("#told h1, #told h2").first.wait_for()
    with page.expect_download() as download:
        page.locator("#download").click()
    assert Path(download.value.path()).read_text("utf-8") == GAME
    page.reload()
    page.locator(".cm-content", has_text="Hop").wait_for()  # stored by the browser


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_the_rules_editor_can_be_shown_in_german(workshop: Any) -> None:
    page = workshop
    page.goto("/workshop/index.html?lang=de")
    page.locator("#start .card").first.wait_for()
    assert page.locator("#fresh").inner_text() == "Neu" and page.locator("#export").inner_text() == "Exportieren"
    typed(page, GAME)
    page.locator("#count", has_text="keine Probleme").wait_for()
    page.frame_locator("iframe#board").locator("#board .can").first.wait_for()


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_an_example_opens_plays_and_becomes_a_page(workshop: Any, tmp_path: Path) -> None:
    page = workshop
    page.goto("/documents/cookbook/hexagons.html")
    page.get_by_text("Open in the editor").first.click()
    board = page.frame_locator("iframe#board")
    board.locator("#board .can").first.wait_for()
    with page.expect_download() as download:
        page.locator("#export").click()
    exported = tmp_path / "game.html"
    download.value.save_as(exported)
    page.context.set_offline(True)
    page.goto(exported.as_uri())
    page.locator("#board .can").first.wait_for()


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_a_game_is_drawn_without_a_server(workshop: Any, tmp_path: Path) -> None:
    """The visual editors use Python in the page; the resulting game becomes a page that plays offline."""
    workshop.goto("/workshop/index.html")
    draw_a_game(workshop)
    text = text_in(workshop)
    assert "(name Rider)\n    (moves (slide e) (slide w))" in text and "(moves (walk ne) (leap-to ne nw))" in text
    with workshop.expect_download() as download:
        workshop.locator("#export").click()
    exported = tmp_path / "own.html"
    download.value.save_as(exported)
    plays_offline(workshop, exported)


REMOVED = """async () => (await caches.keys()).every((name) => name !== "zrf-python")"""
STORED = """async () => {
  const store = await caches.open("zrf-python");
  const [memory] = await store.keys();
  return memory ? (await (await store.match(memory)).arrayBuffer()).byteLength : 0;
}"""
DAMAGED = """async () => {
  const store = await caches.open("zrf-python");
  const [memory] = await store.keys();
  const bytes = new Blob([new Uint8Array(1 << 16)]).stream().pipeThrough(new CompressionStream("gzip"));
  await store.put(memory, new Response(bytes, { headers: { size: String(1 << 16) } }));
}"""


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_pythons_memory_is_stored_restored_and_renewed(workshop: Any, site: Path) -> None:
    """The second visit restores it; damaged memory is replaced, and a new version of the site removes it."""
    page = workshop

    def visit(python: str) -> None:
        page.goto("/index.html")
        page.goto("/workshop/index.html")
        page.locator(f"body[data-python={python}]").wait_for()
        typed(page, GAME.replace("empty?", "emty?", 1))
        page.locator("#problems .error").first.wait_for()
        typed(page, GAME)
        page.locator("#count", has_text="no problems").wait_for()
        page.frame_locator("iframe#board").locator("#board .can").first.wait_for()
        until(page, f"({STORED})().then((size) => size > 1_000_000)")

    visit("ready")
    visit("restored")
    page.evaluate(DAMAGED)
    visit("ready")
    worker = text_of(site / "sw.js")
    try:
        (site / "sw.js").write_text(worker.replace('const VERSION = "zrf-', 'const VERSION = "zrf-new-', 1), "utf-8")
        page.evaluate("navigator.serviceWorker.getRegistration().then((it) => it.update())")
        until(page, f"({REMOVED})()")
        visit("ready")
    finally:
        (site / "sw.js").write_text(worker, "utf-8")


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_pictures_that_have_been_seen_are_shown_offline(workshop: Any) -> None:
    page = workshop

    def seen() -> None:
        page.goto("/workshop/index.html")
        page.locator("#shelf img").first.scroll_into_view_if_needed()
        until(page, "document.querySelector('#shelf img').naturalWidth > 0")

    page.goto("/index.html")
    until(page, "navigator.serviceWorker.controller !== null")
    seen()
    until(page, f"({STORED})().then((size) => size > 1_000_000)")
    page.context.set_offline(True)
    seen()
    page.locator("body[data-python=restored]").wait_for()


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_texts_are_checked_while_the_rest_of_python_is_missing(workshop: Any) -> None:
    """Requests wait for the rest without delaying the check of texts; then the board follows."""
    page, held = workshop, []
    page.context.route("**/rest.data", lambda route: held.append(route))  # Playwright refuses `held.append`
    begun(page, GAME)
    page.locator("#count", has_text="no problems").wait_for()
    page.locator("[data-tab=words]").click()  # sends a request
    typed(page, GAME.replace("empty?", "emty?", 1))
    page.locator("#problems .error").first.wait_for()
    typed(page, GAME)
    page.locator("#count", has_text="no problems").wait_for()
    assert held and not page.locator("#told h1, #told h2").count()
    for route in held:
        route.continue_()
    page.locator("#told h1, #told h2").first.wait_for()
    page.locator("[data-tab=play]").click()
    page.frame_locator("iframe#board").locator("#board .can").first.wait_for()


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_the_board_shows_a_picture_of_an_unsaved_change_at_once(workshop: Any) -> None:
    page = workshop
    begun(page, GAME)
    board = page.frame_locator("iframe#board")
    board.locator("#board .can").first.wait_for()
    assert board.locator("#board .piece").count() == 10
    page.locator("#auto").uncheck()
    typed(page, GAME.replace("(Man a1 ", "(Man ", 1))
    board.locator("#board[inert] svg").wait_for()
    assert board.locator("#board .piece").count() == 9
    board.locator("#board:not([inert]) .can").first.wait_for()
    assert board.locator("#board .piece").count() == 9
    assert page.locator("#saved").inner_text() == "not saved"


PASTED = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const editor = document.querySelector("#text .paper").shadowRoot.querySelector(".cm-content");
  const kind = { clipboardData: data, bubbles: true, cancelable: true, composed: true };
  editor.dispatchEvent(new ClipboardEvent("paste", kind));
  return editor.textContent.length;
}"""
"""Script that pastes a text into the editor, and returns the number of characters that it shows."""


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_a_text_that_takes_too_long_is_left_alone_until_it_changes(workshop: Any, site: Path) -> None:
    """Python starts again, and checks the next text; 20,000 macros in 0.9 MB don't block the page."""
    page = workshop
    script = text_of(site / "workshop" / "desk-host.js").replace("const PATIENCE = 20_000;", "const PATIENCE = 400;")
    page.route("**/desk-host.js", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    page.goto("/workshop/index.html")
    page.locator("#start .card").first.wait_for()
    page.locator("body[data-python]").wait_for()
    page.evaluate(PASTED, GAME + "".join(f"(define macro{n} ($1 (verify empty?) add))\n" for n in range(20_000)))
    page.locator("#problems li", has_text="these rules take too long to check").wait_for()
    typed(page, "(game")
    page.locator("#problems li", has_text="missing").first.wait_for()


FILES = """() => new Promise((done) => {
  indexedDB.open("zrf-workshop", 1).onsuccess = ({ target: { result: base } }) => {
    const store = base.transaction("files").objectStore("files");
    store.getAllKeys().onsuccess = ({ target: { result: names } }) => {
      store.getAll().onsuccess = ({ target: { result: texts } }) => {
        base.close();
        done(Object.fromEntries(names.map((name, n) => [name, texts[n]])));
      };
    };
  };
})"""
"""Script that returns the files stored in the browser."""


def arrive(page: Any, text: str) -> Any:
    """Open a link to a text, and play a move; return the frame of the board."""
    page.goto("about:blank")
    page.goto(f"/workshop/index.html#z={packed(text)}")
    board = page.frame_locator("iframe#board")
    board.locator("#board:not([inert]) .can").first.wait_for()
    board.locator('#board .piece[data-place="a1"]').click()
    board.locator('#board .place[data-place="a2"]').click()
    board.locator('#board .piece[data-place="a2"]').wait_for()
    return board


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_a_link_opens_its_game_ready_to_play(workshop: Any) -> None:
    """A newcomer plays at once, also on a phone, where the board is above the text; nothing is stored."""
    page = workshop
    arrive(page, GAME)
    assert page.locator("#came .opened").first.is_visible() and not page.locator("#fork").is_visible()
    assert page.locator(".cm-content", has_text="Hop").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    board, text = (page.locator(it).bounding_box() for it in ("iframe#board", "#text"))
    assert board["y"] + board["height"] <= text["y"] and board["y"] < 844 / 2
    page.locator("#to-text").click()
    assert page.locator("#text").bounding_box()["y"] < 844 / 2
    assert page.evaluate(FILES) == {}


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_the_rules_of_a_link_are_forked_beside_a_visitors_own(workshop: Any) -> None:
    """The visitor's text is not touched; a change to the text of the link makes a copy, compared with the original."""
    page, mine = workshop, GAME.replace("Hop", "Mine")
    begun(page, mine)
    page.locator("#saved", has_text="saved").wait_for()
    until(page, f"({FILES})().then((files) => 'my-game.zrf' in files)")
    arrive(page, GAME)
    assert page.evaluate(FILES) == {"my-game.zrf": mine}
    typed(page, fork := GAME.replace("Hop", "Fork"))
    until(page, "location.hash.startsWith('#game=shared.zrf&z=')")
    assert page.evaluate(FILES) == {"my-game.zrf": mine, "shared.zrf": fork}
    page.reload()
    page.locator(".cm-content", has_text="Fork").wait_for()
    page.locator("[data-tab=versions]").click()
    page.locator("#changes").click()
    page.locator("#diff .added", has_text="Fork").first.wait_for()
    page.select_option("#mine", "my-game.zrf")
    page.locator(".cm-content", has_text="Mine").wait_for()
    page.goto("about:blank")
    page.goto("/workshop/index.html#z=damaged")
    page.locator("[role=alert]", has_text="this link is damaged").wait_for()
    page.locator(".cm-content", has_text="Mine").wait_for()


def share(page: Any) -> str:
    """Return the link to the text in the editor, once it includes the tables to play the game."""
    page.locator("#share").click()
    page.locator("#link-words", has_text="can be played").wait_for()
    return str(page.locator("#link").input_value())


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_a_link_is_playable_before_python_is_loaded(workshop: Any) -> None:
    """The computer player answers, and the game goes on when Python arrives."""
    page, held = workshop, []
    begun(page, GAME.replace("Hop", "Leap"))
    page.locator("#count", has_text="no problems").wait_for()
    link = share(page)
    assert "can be played at once" in page.locator("#link-words").inner_text() and len(link) < 3000
    page.goto("about:blank")
    page.context.route("**/pyodide/**", lambda route: held.append(route))
    page.goto(link)
    board = page.frame_locator("iframe#board")
    board.locator("#board .can").first.wait_for()
    assert page.locator("#soon").is_visible() and not page.locator("#no-board").is_visible()
    board.locator(".seat select").first.select_option("ai:1")
    board.locator('#board .piece[data-place="a1"]').click()
    board.locator('#board .place[data-place="a2"]').click()
    board.locator("#board svg[data-ply='2']").wait_for()
    until(page, "document.querySelector('.paper') !== null")
    assert held and page.evaluate(FILES) == {"my-game.zrf": GAME.replace("Hop", "Leap")}
    for route in held:
        route.continue_()
    page.context.unroute("**/pyodide/**")
    until(page, "globalThis.linked === ''")
    page.locator("#count", has_text="no problems").wait_for()
    assert board.locator("#board svg").get_attribute("data-ply") == "2"
    assert not page.locator("[role=alert]").count() and not page.locator("#soon").is_visible()


@pytest.mark.slow
@with_pyodide
@in_a_browser
def test_the_text_of_a_link_takes_precedence_over_its_tables(workshop: Any) -> None:
    """Other tables than those of the text are played until Python is loaded; then the text's game starts."""
    page = workshop
    page.goto("/workshop/index.html")
    version = page.evaluate("globalThis.format")
    for text, problem in {GAME: "no problems", GAME.replace("empty?", "emty?", 1): "problem"}.items():
        other = packed(tables_of(formatted(new_game("men", "Large", 6, "squares"))), common())
        page.goto("about:blank")
        page.goto(f"/workshop/index.html#z={packed(text)}&t={version}.{other}")
        board = page.frame_locator("iframe#board")
        board.locator('#board .piece[data-place="f1"]').wait_for()
        page.locator("[role=alert]", has_text="The board starts again").wait_for()
        page.locator("#count", has_text=problem).wait_for()
        if problem == "no problems":
            page.locator("iframe#board:not([hidden])").wait_for()
            board.locator("#board:not([inert]) .can").first.wait_for()
            assert board.locator("#board .piece").count() == 10
        else:
            assert page.locator("#no-board").is_visible() and not page.locator("iframe#board").is_visible()
        assert page.locator("[role=alert]").count() == 1


@pytest.mark.slow
@in_a_browser
def test_tables_that_cannot_be_played_leave_the_page_usable(workshop: Any) -> None:
    """Tables may be damaged, foreign, or keep the engine busy forever, so that its worker would never end."""
    page, good = workshop, tables_of(GAME)
    page.route("**/pyodide/**", lambda route: None)  # Python never loads
    page.goto("/workshop/index.html")
    version = page.evaluate("globalThis.format")
    hostile = {f"{version}.{packed(altered(good, change), common())}": version
               for change in (endless, huge, outside, drawn("<a href='/'>play</a>"))}
    for tables in counted([*hostile, f"{version}.{packed(good, common())[:-9]}", f"{version}.AAAA",
                           f"00000000.{packed(good, common())}", "none"]):
        page.goto("about:blank")
        page.goto(f"/workshop/index.html#z={packed(GAME)}&t={tables}")
        page.locator("#unplayed", has_text="once the editor has loaded").wait_for()
        page.locator("#text .cm-content", has_text="Hop").click()
        page.keyboard.type("; mine")
        page.locator("#text .cm-content", has_text="; mine").wait_for()
        assert not page.locator("iframe#board").is_visible() and not page.locator("#soon").is_visible()
        assert len([frame for frame in page.frames if "board.html" in frame.url]) == 0


@pytest.mark.slow
@in_a_browser
def test_a_line_that_would_block_the_page_is_refused(workshop: Any) -> None:
    """A line of 900,000 characters kept the page busy for a minute, whether it came by a link or was pasted."""
    page, line = workshop, "; " + "x" * 900_000
    page.goto(f"/workshop/index.html#z={packed(line)}")
    page.locator("[role=alert]", has_text="a line of more than 20,000 characters").wait_for()
    page.locator("#small .card").first.wait_for()
    assert page.evaluate(PASTED, line) < 100
    page.locator("#saved.bad", has_text="can't be shown").wait_for()
    page.evaluate(PASTED, "; short")
    assert page.locator("#text .cm-content").inner_text().strip() == "; short"
