"""Files of the pages: scripts are short and listed in a README, and all texts are translated.

The rules editor has translations of its own, which exported pages do not contain; its messages about rules are English.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

import zrf_py.serve
from zrf_py import catalogue
from zrf_py.author.trials import margin
from zrf_py.author.words import language as sentences
from zrf_py.play.foreign import foreign_note
from zrf_py.play.game import loads
from zrf_py.play.reasons import NUMBERS, SENTENCES, STANDINGS

STATIC = Path(zrf_py.serve.__file__).parent / "static"
SCRIPTS = sorted(path for path in STATIC.glob("*.js") if not path.name.startswith("desk"))
PAGES = sorted(path for path in STATIC.glob("*.html") if not path.name.startswith("desk"))
LANGUAGES = sorted(STATIC.glob("words-*.json"))
MAX_LINES = 400
ASKED = re.compile(r'\b[tw]\(\s*"((?:[^"\\]|\\.)*)"')
"""Texts that a script translates: at once by `t("…")`, or later if they are marked by `w("…")`."""
SHOWN = re.compile(r'(?:textContent|title|placeholder|"aria-label")\s*[:=]\s*["`][^"`$]*[A-Za-z]{2}|'
                   r'(?:toast|announce|sure)\(["`][A-Za-z]')
"""Texts in a script that would be shown untranslated."""
THROWN = re.compile(r'(?:new (?:Refused|RulesFault|Error)\(|why: |note = |summary: )(?:"([^"]+)"|`((?:[^`\\]|\\.)+)`)')
HOLE = re.compile(r"\\`\$\{[^}]*\}\\`|\$\{[^}]*\}")
"""Values that a script puts into a text: a name in backticks, a number."""
REFUSING = ("Refused", "WorkerFailed")
FOREIGN = """(game (title "Far") (engine "Far.dll") (players A B) (turn-order A B)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n BLOCKS))) (board-setup (A (Man a1)) (B (Man b2))))"""
NAMES = {"zrf"}
"""Words that are the same in all languages."""


class Words(HTMLParser):
    """Texts and attributes of a page that people read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data.strip())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("title", "aria-label", "placeholder")]


def words() -> Iterator[str]:
    for path in SCRIPTS:
        yield from ASKED.findall(path.read_text("utf-8"))
    for path in PAGES:
        page = Words()
        page.feed(path.read_text("utf-8"))
        yield from (text for text in page.found if re.search("[A-Za-z]{2}", text))


def test_every_language_has_its_files_and_is_offered() -> None:
    """A language is offered by `words.js` on all pages, in the rules editor's menu, and for rules in words."""
    for files in (LANGUAGES, STATIC.glob("desk-*.json")):
        assert {path.stem.partition("-")[2] for path in files} == {*catalogue.LANGUAGES}
    known = re.search(r"KNOWN = (.*);", (STATIC / "words.js").read_text("utf-8"))
    choice = re.search(r'<select id="language".*?</select>', (STATIC / "desk.html").read_text("utf-8"))
    assert known and json.loads(known[1]) == [*catalogue.LANGUAGES]
    assert choice and {*re.findall(r'value="(\w+)"', choice[0])} == {"en", *catalogue.LANGUAGES}
    assert {*sentences.LANGUAGES} >= {"en", *catalogue.LANGUAGES}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda path: path.stem)
def test_every_word_of_the_pages_is_translated(language: Path) -> None:
    table = json.loads(language.read_text("utf-8"))
    assert not sorted({word for word in words() if word not in table} - NAMES)


def test_every_word_of_the_rules_editor_is_translated() -> None:
    """These are the texts of its page, its scripts and its status line."""
    desk = [path for path in STATIC.glob("desk*.js") if path.name != "desk-editor.js"]
    page = Words()
    page.feed((STATIC / "desk.html").read_text("utf-8"))
    texts = {text for text in page.found if re.search("[A-Za-z]{2}", text)}
    texts.update(text for path in desk for text in ASKED.findall(path.read_text("utf-8")))
    texts.update(re.findall(r'\(+"([^"]+)", \{', Path(margin.__file__).read_text("utf-8")))
    assert len(texts) > 90 and not texts - json.loads((STATIC / "desk-de.json").read_text("utf-8")).keys() - NAMES
    assert not [(path.name, shown[0]) for path in desk if (shown := SHOWN.search(path.read_text("utf-8")))]


@pytest.mark.parametrize("language", [*LANGUAGES, STATIC / "desk-de.json"], ids=lambda path: path.stem)
def test_translations_have_the_same_placeholders(language: Path) -> None:
    table = json.loads(language.read_text("utf-8"))
    holes = re.compile(r"\{\w+\}")
    assert not [english for english, other in table.items() if set(holes.findall(english)) != set(holes.findall(other))]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda path: path.stem)
def test_server_messages_are_translated(language: Path) -> None:
    """These are refusals whose text is constant, and notes on engine DLLs that rules name (the DLL's name is `{0}`)."""
    table = json.loads(language.read_text("utf-8"))
    said = [node.args[0] for path in STATIC.parent.glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in REFUSING]
    fixed = {node.value for node in said if isinstance(node, ast.Constant)}
    assert len(fixed) > 25 and not fixed - table.keys()
    for blocks in ("(verify empty?) add", "(verify empty?)"):
        game = loads(FOREIGN.replace("BLOCKS", blocks))
        assert foreign_note(game.program).replace("Far.dll", "{0}") in table


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda path: path.stem)
def test_ends_and_numbers_of_players_are_translated(language: Path) -> None:
    table = json.loads(language.read_text("utf-8"))
    assert not {*SENTENCES.values(), *NUMBERS, *STANDINGS.values()} - table.keys()


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda path: path.stem)
def test_offline_messages_are_translated(language: Path) -> None:
    """These are refusals and notes of the worker; names and numbers in them are `{0}`, `{1}` …; text after a colon is
    not translated."""
    table = json.loads(language.read_text("utf-8"))
    said = []
    for path in (STATIC.parent.parent / "export" / "static").glob("*.js"):
        for text in (one or other for one, other in THROWN.findall(path.read_text("utf-8"))):
            number = itertools.count()
            said.append(HOLE.sub(lambda _, number=number: f"{{{next(number)}}}", text).partition(": {")[0])
    assert len(said) > 20 and not set(said) - table.keys() - {"it needs a browser from 2023 or later"}


def test_scripts_show_no_untranslated_words() -> None:
    assert not [(path.name, found[0]) for path in SCRIPTS if (found := SHOWN.search(path.read_text("utf-8")))]


def test_scripts_are_short_and_listed() -> None:
    listed = (STATIC.parent / "README.md").read_text("utf-8")
    for path in SCRIPTS:
        assert path.read_text("utf-8").count("\n") < MAX_LINES, path.name
        assert f"`{path.name}`" in listed, path.name
