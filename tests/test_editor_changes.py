"""What an editor changes in a text: a name everywhere it stands, the set-up of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from zrf_py.author.editor.analysis import Analysis, analyse
from zrf_py.author.editor.rename import Edit, rename
from zrf_py.author.editor.setup import set_up
from zrf_py.play.game import loads
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import Source

RULES = """(translate ("Man" "Mann") ("White" "Weiss"))
(game
  (title "Small")
  (players White Black)
  (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n add)))
  (board-setup (White (Man a1)) (Black (Man a2))))
(variant
  (title "Wide"))
"""
MACRO = RULES.replace("(board-setup (White (Man a1)) (Black (Man a2)))", "(men)") \
    .replace("(game", "(define men (board-setup (White (Man a1)) (Black (Man a2))))\n(game", 1)


def analysed(text: str) -> Analysis:
    return analyse(Source("small.zrf", text), Path("small.zrf"), None)


def after(text: str, *edits: Edit) -> str:
    """The text with edits made."""
    for edit in sorted(edits, key=lambda one: -one.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_a_new_name_stands_everywhere_even_in_translations() -> None:
    edits = rename(analysed(RULES), RULES.index("Man)"), "Pawn")
    assert after(RULES, *edits) == RULES.replace("Man", "Pawn").replace("Pawnn", "Mann")


def test_a_set_up_takes_the_place_of_the_one_there_is() -> None:
    edits = set_up(analysed(RULES), "small", {"b1": ("White", "Man"), "c1": ("White", "Man")}, {})
    text = after(RULES, *edits)
    assert text.count("board-setup") == 1
    assert loads(text).start().pieces() == {"b1": ("White", "Man"), "c1": ("White", "Man")}


def test_a_variant_gets_a_set_up_of_its_own() -> None:
    edits = set_up(analysed(RULES), "Wide", {"c2": ("Black", "Man")}, {("White", "Man"): 3, ("Black", "Man"): 0})
    text = after(RULES, *edits)
    assert '(title "Wide")\n  (board-setup\n    (Black (Man c2))\n    (White (Man off 3)))' in text
    wide, small = loads(text, "Wide").start(), loads(text, "Small").start()
    assert wide.pieces() == {"c2": ("Black", "Man")} and len(small.pieces()) == 2


def test_a_set_up_of_a_macro_is_not_written_a_second_time() -> None:
    with pytest.raises(ZrfError, match="comes from a macro"):
        set_up(analysed(MACRO), "Small", {"b1": ("White", "Man")}, {})
    assert "Wide" in after(MACRO, *set_up(analysed(MACRO), "Wide", {"b1": ("White", "Man")}, {}))
    with pytest.raises(ZrfError, match="no game called `Other`"):
        set_up(analysed(RULES), "Other", {}, {})


def test_capitals_can_be_renamed() -> None:
    assert {edit.text for edit in rename(analysed(RULES), RULES.index("Man)"), "MAN")} == {"MAN"}


def test_stores_of_none_are_not_written() -> None:
    edits = set_up(analysed(RULES), "Small", {"b1": ("White", "Man")}, {("White", "Man"): 0, ("Black", "Man"): 2})
    assert after(RULES, *edits).count("off") == after(RULES, *edits).count("off 2") == 1
