"""`zrf export`: what is written and what is refused; sites of many files."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")
pytest.importorskip("starlette", reason="lists of games need the extra `board`")

import zrf_py
from zrf_py.author.words.language import LANGUAGES
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import markdown
from zrf_py.cli.main import main
from zrf_py.export import link_of, page, python_package, site
from zrf_py.export.page import _markup, page_of
from zrf_py.export.payload import Payload
from zrf_py.text.diagnostics import ZrfError

ROOT = Path(__file__).parent.parent
BROKEN = '(game (title "Broken") (players A B) (turn-order A C))'
SMALL = """(game (title "{title}") (players A B) (turn-order A B) {more}
  (board (positions (p 0 0 48 48) (q 48 0 96 48)) (links e (p q)))
  (piece (name Man) (moves (e (verify empty?) add)))
  (board-setup (A (Man p))))"""


@pytest.mark.slow
def test_page_makes_no_requests() -> None:
    """A page has no outside address, and its policy allows none; scripts and styles are allowed by their hashes."""
    text = page("tictactoe")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy and "default-src 'none'" in policy[1] and "connect-src" not in policy[1]
    assert "unsafe-inline" not in policy[1] and "'unsafe-eval'" not in policy[1] and "http" not in policy[1]
    shown = re.sub(r'<script type="text/plain" id="packed">[^<]*</script>', "", text)
    assert not re.search(r"https?://(?!www\.w3\.org)|\ssrc=|\son\w+=|\sstyle=", shown.replace("script-src", ""))


@pytest.mark.slow
def test_a_single_variant_can_be_exported() -> None:
    text = page(zrf_py.load("checkers", 1))
    assert zrf_py.load("checkers", 1).title in text


@pytest.mark.slow
def test_page_of_a_named_game_is_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    target.write_text("before")
    assert main(["export", "tictactoe", "-o", str(target)]) == 0
    assert target.read_text("utf-8").startswith("<!doctype html>") and "kB" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]


@pytest.mark.slow
def test_page_contains_the_translations_of_names_and_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    words: dict[str, str] = {}
    named = Payload.name
    monkeypatch.setattr(Payload, "name", lambda self, name, text: words.update({name: text}) or named(self, name, text))
    rules = SMALL.format(title="Small", more='(history "Long ago.")').replace("A B", "Purple B")
    page_of([zrf_py.loads(rules.replace("(A ", "(Purple "))])
    german = json.loads(words["words"])["de"]
    assert (german["Purple"], german["History"], german["Man"]) == ("Lila", "Geschichte", "Stein")
    assert "Orange" not in german and "Connection" not in german


def test_rules_with_errors_are_not_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules, target = tmp_path / "broken.zrf", tmp_path / "page.html"
    rules.write_text(BROKEN)
    target.write_text("before")
    assert main(["export", str(rules), "-o", str(target)]) == 1
    said = capsys.readouterr().err
    assert "broken.zrf:1" in said and "C" in said and "Traceback" not in said
    assert target.read_text() == "before"


@pytest.mark.parametrize("words", [[], ["tictactoe", "--site", "shelf"]])
def test_a_game_and_a_site_exclude_each_other(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", *words]) == 1
    assert "zrf export chess" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nowhere/page.html", "."])
def test_unwritable_files_are_reported_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str,
) -> None:
    monkeypatch.setattr(sys.modules["zrf_py.export.page"], "games_of", None)
    assert main(["export", "tictactoe", "-o", str(tmp_path / name)]) == 1
    assert "can't be written" in capsys.readouterr().err


@pytest.mark.slow
def test_a_site_has_a_page_for_each_file_and_lists_the_others(tmp_path: Path) -> None:
    rules, target = tmp_path / "rules", tmp_path / "site"
    (rules / "deep").mkdir(parents=True)
    (rules / "one.zrf").write_text(SMALL.format(title="One &lt; <two>", more=""))
    (rules / "deep" / "ONE.zrf").write_text(SMALL.format(title="Another", more=""))
    (rules / "broken.zrf").write_text(BROKEN)
    done = site(rules, target, processes=1)
    assert sorted(done.pages) == ["ONE", "one-"] or sorted(done.pages) == ["ONE-", "one"]
    assert [Path(path).name for path in done.left_out] == ["broken.zrf"]
    assert sorted(path.stem for path in (target / "games").iterdir()) == sorted(done.pages)
    index = (target / "index.html").read_text("utf-8")
    assert "One &amp;lt; &lt;two&gt;" in index and "<two>" not in index
    for found in re.findall(r'(?:href|src)="((?:games|pictures)/[^"#]*)', index):
        assert (target / found).is_file()
    assert json.loads((target / "manifest.webmanifest").read_text())["start_url"] == "index.html"
    first = re.search(r"const FIRST = (\[.*?\]);", (target / "sw.js").read_text())
    assert first and all((target / name).exists() for name in json.loads(first[1]))


def test_folder_without_rules_is_refused_as_a_site(tmp_path: Path) -> None:
    with pytest.raises(ZrfError, match="no rules file"):
        site(tmp_path, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_long_game_has_a_short_link() -> None:
    assert re.fullmatch(r"[\w-]+", link_of("Chess", ["Pawn e2 - e4"] * 300, {"White": "ai:3"}))
    assert len(link_of("Chess", ["Pawn e2 - e4"] * 300)) < 200


def test_the_page_offers_the_variants_of_a_file() -> None:
    """Each title of the file is a choice; a file with one title has none."""
    rules = """(game (title "One") (players A B) (turn-order A B) (board (positions (p 0 0 9 9) (q 9 0 18 9))
        (links e (p q))) (piece (name Man) (moves (e add))) (board-setup (A (Man p))))"""
    for text, titles in ((rules, []), (rules + '(variant (title "Two"))', ["One", "Two"])):
        markup = _markup(zrf_py.loads(text), "", "")
        chosen = markup[markup.index('id="variant"'):].split("</select>")[0]
        assert re.findall(r"<option[^>]*>([^<]*)</option>", chosen) == titles


WORDS = """
import sys
sys.path.insert(0, sys.argv[1])
import zrf_py
from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import markdown
assert zrf_py.__file__.startswith(sys.argv[1]), zrf_py.__file__
sys.stdout.buffer.write(markdown(rules_in_words(zrf_py.load("checkers"), sys.argv[2])).encode())
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_in_the_package_for_pages(language: str, tmp_path: Path) -> None:
    """Without this test, only a browser would notice that the archive left out a file of sentences."""
    with tarfile.open(fileobj=io.BytesIO(python_package.package())) as archive:
        archive.extractall(tmp_path, filter="data")
    command = [sys.executable, "-I", "-c", WORDS, str(tmp_path), language]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode() == markdown(rules_in_words(zrf_py.load("checkers"), language))
