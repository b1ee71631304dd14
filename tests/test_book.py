"""The documentation: its pages, links and examples, and the built site with its search."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import inspect
import json
import os
import re
import subprocess
import sys
import threading
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote

import pytest

from tests.playing import HANG, ROOT, counted
from tests.serving import FLAGS, PATIENCE, chromium
from tests.tutorial import commands, done, fits, steps
from zrf_py.cli.main import COMMANDS, make_parser
from zrf_py.front.keywords import KEYWORDS
from zrf_py.text.codes import CODES

BOOK = ROOT / ".ci" / "book" / "pages.py"
RUN_BY = {
    "README.md": "test_readme.py", "grammar/README.md": "test_spec.py", "grammar/tutorial.md": "test_tutorial.py",
    "grammar/formats.md": "test_book.py", "grammar/inside.md": "test_book.py", "grammar/tests.md": "test_game_tests.py",
    "rules/README.md": "test_catalogue.py", "tests/mistakes.md": "test_mistakes.py",
    "zrf_py/author/README.md": "test_author.py", "zrf_py/batch/README.md": "test_book.py",
    "zrf_py/envs/README.md": "test_envs.py",
    "zrf_py/export/README.md": "test_export_files.py",
}
"""Page → the test that runs its examples. `tests/spec/` is run by test_spec.py, the cookbook by test_cookbook.py."""
EXAMPLES = {"python", "console", "zrf", "moves"}
OURS = ["grammar/formats.md", "grammar/inside.md", "zrf_py/batch/README.md"]


@pytest.fixture(scope="module")
def book() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pages", BOOK)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def texts(book: ModuleType) -> dict[str, str]:
    """Return the text of each page by its place in the site."""
    return {where: text for where, text in book.pages().items() if where.endswith(".md")}


def test_pages_show_the_docstrings_that_they_name() -> None:
    """Pages in the repository contain the text itself, not a placeholder."""
    named = []
    for path in counted((ROOT / "grammar").rglob("*.md"), 20):
        text = path.read_text("utf-8")
        comments = re.findall(r"^<!-- (.*?) -->$", text, re.M)
        assert comments[1::2] == [f"end of {comment}" for comment in comments[::2]], path
        for name, shown in re.findall(r"^<!-- docstring (\S+) -->\n\n(.*?)\n\n<!-- end", text, re.M | re.S):
            assert shown == inspect.getdoc(importlib.import_module(name)), f"{path}: copy {name} again"
            named.append(name)
    assert len(named) >= 4


def slug(heading: str) -> str:
    """Return the anchor of a heading, as on GitHub and in the site."""
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(text: str) -> set[str]:
    outside = re.sub(r"^(```+|~~~+).*?^\1$", "", text, flags=re.S | re.M)
    headings = re.findall(r"^#+ +(.*)$", outside, re.M)
    return {slug(re.sub(r"\{.*\}", "", heading)) for heading in headings} | set(re.findall(r"\{ #([\w-]+) \}", outside))


def test_links_lead_to_pages_files_and_anchors_of_the_book(book: ModuleType, texts: dict[str, str]) -> None:
    places = set(book.pages())
    checked = 0
    for where, text in texts.items():
        if book.is_source(where):
            continue
        outside = re.sub(r"^(```+|~~~+).*?^\1$", "", text, flags=re.S | re.M)
        for target, anchor in re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", re.sub(r"`[^`]*`", "``", outside)):
            if re.match(r"\w+:", target):
                continue
            whole = os.path.normpath(Path(where).parent / target) if target else where
            assert whole in places, (where, target)
            assert not anchor or anchor in anchors(texts[whole]), (where, target, anchor)
            checked += 1
    assert checked > 400


def test_every_page_is_in_the_navigation_once(book: ModuleType, texts: dict[str, str]) -> None:
    config = (ROOT / ".ci" / "book" / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    named = re.findall(r"(\S+\.md)$", config, re.M)
    assert len(named) == len(set(named)) and set(named) == {where for where in texts if not book.is_source(where)}


def test_generated_pages_have_every_command_keyword_and_message(texts: dict[str, str]) -> None:
    for command in COMMANDS:
        assert f"\n## zrf {command}\n" in texts["commands.md"] and f"usage: zrf {command} " in texts["commands.md"]
    for word in KEYWORDS:
        assert f"\n### `{word}` {{ #word-" in texts["keywords.md"]
    for code in CODES:
        assert f"\n## `{code}` {{ #{code} }}\n" in texts["messages.md"]


def test_docstrings_are_shown_once(texts: dict[str, str]) -> None:
    """Pages contain the text itself; `test_pages_show_the_docstrings_that_they_name` compares it with the code."""
    assert texts["grammar/formats.md"].count("Zillions Save Game File Version") == 1
    assert "::: zrf_py\n" in texts["api/zrf_py.md"] and "members: [Game, " in texts["api/zrf_py.md"]


def test_every_example_is_run_by_some_test(book: ModuleType) -> None:
    for page in counted(list(book.written()), 50):
        kinds = set(re.findall(r"^(?:```|~~~)(\w+)", (ROOT / page).read_text("utf-8"), re.M)) & EXAMPLES
        if kinds and not page.startswith(("tests/spec/", book.COOKBOOK)):
            assert (ROOT / "tests" / RUN_BY[page]).is_file(), (page, kinds)


@pytest.mark.parametrize("page", OURS)
def test_python_examples_run(page: str) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.S | re.M)
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, page, 0))
    assert runner.tries >= 3 and not runner.failures


@pytest.mark.parametrize("page", ["grammar/formats.md"])
def test_commands_print_the_output_on_the_page(page: str) -> None:
    wanted = [command for step in steps((ROOT / page).read_text("utf-8")) if step.kind == "console"
              for command in commands(step)]
    for command, output in counted(wanted, 3):
        assert fits(output, done(command)), command


def shell_lines(text: str) -> list[str]:
    """Return the lines that begin with `zrf`, in shell blocks and in indented ones."""
    fenced = "\n".join(re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M))
    return re.findall(r"^(zrf .*)$", fenced, re.M) + re.findall(r"^ {4}(zrf \w.*)$", text, re.M)


def test_commands_of_all_pages_exist_with_their_options(book: ModuleType) -> None:
    _, parsers = make_parser()
    lines = [(page, line) for page in book.written() for line in shell_lines((ROOT / page).read_text("utf-8"))]
    for page, line in counted(lines, 10):
        _, command, *words = line.partition("#")[0].split()
        known = re.findall(r"--[\w-]+", parsers[command].format_help())
        assert {word for word in words if word.startswith("--")} <= set(known), (page, line)


class Page(HTMLParser):
    """Collects what a page of the site links to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self.anchors |= {named[name] for name in ("id", "name") if name in named}
        if tag == "a" and "href" in named:
            self.links.add(named["href"])
        elif "src" in named or (tag == "link" and named.get("rel") in ("stylesheet", "icon")):
            self.loads.add(named.get("src") or named["href"])


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; mkdocs is strict, so a warning fails."""
    for package in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(package, reason="the extra `docs` is not installed")
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run([sys.executable, "-m", "mkdocs", "build", "-f", ".ci/book/mkdocs.yml", "-d", str(folder)],
                           cwd=ROOT, capture_output=True, text=True, timeout=HANG)
    assert built.returncode == 0 and not re.search(r"^WARNING", built.stderr, re.M), built.stderr
    return folder


@pytest.mark.slow
def test_links_of_the_site_are_valid_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    built = {path: Page(path.read_text("utf-8")) for path in site.rglob("*.html") if path.name != "404.html"}
    for path, page in counted(list(built.items()), 100):
        assert not [address for address in page.loads if re.match(r"(https?:)?//", address)], path
        for address in page.links | page.loads:
            if re.match(r"\w+:", address):
                continue
            place, _, anchor = unquote(address).partition("#")
            target = (path.parent / place).resolve() if place else path
            assert target.is_file(), (path, address)
            assert not anchor or anchor.startswith("__") or anchor in built[target].anchors, (path, address)


@pytest.mark.slow
def test_the_index_has_each_keyword_command_and_public_name(book: ModuleType, site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))["docs"]
    titles = {(entry["location"].partition("#")[0], re.sub(r"<[^>]+>|  .*", "", entry["title"])) for entry in index}
    assert {("keywords.html", word) for word in KEYWORDS} <= titles
    assert {("commands.html", f"zrf {command}") for command in COMMANDS} <= titles
    assert {("messages.html", code) for code in CODES} <= titles
    assert {("api/zrf_py.html", name) for name in book.PUBLIC} <= titles
    assert not [entry for entry in index if entry["location"].startswith("rules/chess.zrf")]
    assert not [entry for entry in index if entry["location"].startswith("api/") and "```" in entry["text"]]
    assert any("&gt;&gt;&gt; position.outcome()" in entry["text"] or "&gt;&gt;&gt; import zrf_py" in entry["text"]
               for entry in index if entry["location"].startswith("api/zrf_py.html"))


SEARCH = """async (words) => {
  const worker = new Worker(document.querySelector("#__config").textContent.match(/"search": ?"([^"]+)"/)[1]);
  const answers = [];
  let wake;
  worker.onmessage = (event) => wake(event.data);
  const ask = (message) => new Promise((resolve) => { wake = resolve; worker.postMessage(message); });
  const data = await (await fetch("search/search_index.json")).json();
  await ask({ type: 0, data: { ...data, options: {} } });
  for (const word of words) {
    const { data } = await ask({ type: 2, data: word });
    answers.push(data.items.slice(0, 3).flat().map((found) => found.location));
  }
  return answers;
}"""
"""Asks the site's own search, in its worker, as the page does; returns the first three pages for each word."""


@pytest.mark.slow
@pytest.mark.skipif(not chromium(), reason="there is no Chromium on this machine")
def test_search_finds_each_keyword_and_command(book: ModuleType, site: Path) -> None:
    """Each is among the first three pages; `;` and `$n` are left out, since they have one letter at most."""
    api = pytest.importorskip("playwright.sync_api")
    wanted = {word: f"keywords.html#{anchor}" for word, anchor in re.findall(
        r"^### `(.*)` \{ #(.*) \}$", book.keywords(), re.M) if word not in (";", "$n")}
    wanted |= {f"zrf {name}": f"commands.html#zrf-{name}" for name in COMMANDS}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with api.sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium(), args=FLAGS)
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{server.server_port}/index.html")
            found = page.evaluate(SEARCH, list(wanted))
            browser.close()
    finally:
        server.shutdown()
        server.server_close()
    assert not [word for (word, place), places in zip(wanted.items(), found, strict=True) if place not in places]


@pytest.mark.slow
@pytest.mark.skipif(not chromium(), reason="there is no Chromium on this machine")
def test_search_works_in_a_site_opened_from_a_disk(site: Path) -> None:
    """It needs neither a server nor a network."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "grammar" / "tutorial.html").as_uri())
        page.locator(".md-search__input").click()
        page.keyboard.type("move-priorities")
        page.locator(".md-search-result__item a[href*='keywords.html']").first.wait_for(timeout=PATIENCE * 1000)
        browser.close()
    assert len(asked) > 5 and all(url.startswith(("file:", "data:")) for url in asked)
