"""The table of the booklet's sentences: each row names evidence that exists."""

from __future__ import annotations

import re
from pathlib import Path

from tests.playing import RULES

HERE = Path(__file__).parent
BOOKLET = RULES / "booklet"
SENTENCES = 166
"""Number of sentences of the German text; a list of players counts as one, title, box contents and captions do not."""
EDITIONS = {"French", "Italian", "Dutch", "Spanish"}
ROW = re.compile(r"^\| (\d+) \| [^|]+ … \| [^|]+ \| ([^|]+) \|$", re.M)

OTHER = re.compile(r"^\| ([\d, ]+) \| ((?:[A-Z][a-z]+(?:, )?)+) \| [^|]+ \| ([^|]+) \|$", re.M)


def known_tests() -> set[str]:
    sources = [*HERE.glob("test_booklet_*.py"), HERE.parent / "test_catalogue.py"]
    return {name for path in sources for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}


def test_every_sentence_of_the_booklet_has_evidence() -> None:
    rows = ROW.findall((BOOKLET / "README.md").read_text("utf-8"))
    assert [int(number) for number, _ in rows] == list(range(1, SENTENCES + 1))
    tests = known_tests()
    for number, shown in rows:
        named = re.findall(r"`(test_\w+)`", shown)
        assert set(named) <= tests, f"sentence {number}"
        within = re.findall(r"`([^`]+)` in ([a-z-]+\.(?:zrf|md))", shown)
        assert named or within, f"sentence {number}"
        for words, file in within:
            assert words in (BOOKLET / file).read_text("utf-8"), f"sentence {number}"


def test_differences_of_other_editions_are_covered_or_named() -> None:
    """Each row of the table gives sentences, editions, and evidence: a game, a test, a file, a reading that
    `rules/README.md` lists as missing, or other editions."""
    _, table = (BOOKLET / "README.md").read_text("utf-8").split("## The other editions")
    rows = OTHER.findall(table)
    assert len(rows) == table.count("\n| ") - 1
    assert {name for _, editions, _ in rows for name in editions.split(", ")} == EDITIONS
    games = {name for path in BOOKLET.glob("*.zrf") for name in re.findall(r"; id: (\S+)", path.read_text("utf-8"))}
    files = {path.name for path in BOOKLET.glob("*.zrf")}
    not_here = re.findall(r"^\| ([^`|][^|]*) \| [^|]+ \|$", (RULES / "README.md").read_text("utf-8"), re.M)
    named = set()
    for sentences, editions, here in rows:
        assert all(1 <= int(number) <= SENTENCES for number in sentences.split(", ")), sentences
        assert set(re.findall(r"`([^`]+)`", here)) <= games | files | known_tests(), here
        for words in re.findall(r"\*([^*]+)\*", here):
            named.add(words)
            assert any(reading.startswith(words) for reading in not_here), words
        assert set(editions.split(", ")) <= EDITIONS
    assert len(named) == 10
