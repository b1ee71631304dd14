"""The table of the booklet's sentences: each is shown by something that is there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.playing import RULES

HERE = Path(__file__).parent
BOOKLET = RULES / "booklet"
SENTENCES = 166
"""In the German text, one for each list of players; the title, contents of the box and captions left out."""
ROW = re.compile(r"^\| (\d+) \| [^|]+ … \| [^|]+ \| ([^|]+) \|$", re.M)


def test_every_sentence_of_the_booklet_is_shown_by_something() -> None:
    rows = ROW.findall((BOOKLET / "README.md").read_text("utf-8"))
    assert [int(number) for number, _ in rows] == list(range(1, SENTENCES + 1))
    sources = [*HERE.glob("test_booklet_*.py"), HERE.parent / "test_catalogue.py"]
    tests = {name for path in sources for name in re.findall(r"^def (test_\w+)", path.read_text("utf-8"), re.M)}
    for number, shown in rows:
        named = re.findall(r"`(test_\w+)`", shown)
        assert set(named) <= tests, f"sentence {number}"
        within = re.findall(r"`([^`]+)` in ([a-z-]+\.(?:zrf|md))", shown)
        assert named or within, f"sentence {number}"
        for words, file in within:
            assert words in (BOOKLET / file).read_text("utf-8"), f"sentence {number}"
