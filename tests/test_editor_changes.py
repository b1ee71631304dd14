"""Edits of a text by an editor: renaming everywhere, and the set-up of a game."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tests.playing import counted
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
    """Return the text with the edits applied."""
    for edit in sorted(edits, key=lambda one: -one.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def test_new_name_replaces_the_old_one_even_in_translations() -> None:
    edits = rename(analysed(RULES), RULES.index("Man)"), "Pawn")
    assert after(RULES, *edits) == RULES.replace("Man", "Pawn").replace("Pawnn", "Mann")


def test_set_up_replaces_the_existing_one() -> None:
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


def test_a_set_up_written_by_a_macro_is_not_edited() -> None:
    with pytest.raises(ZrfError, match="comes from a macro"):
        set_up(analysed(MACRO), "Small", {"b1": ("White", "Man")}, {})
    assert "Wide" in after(MACRO, *set_up(analysed(MACRO), "Wide", {"b1": ("White", "Man")}, {}))
    with pytest.raises(ZrfError, match="no game called `Other`"):
        set_up(analysed(RULES), "Other", {}, {})


def test_names_of_bundled_files_are_not_renamed() -> None:
    """Many games include these files, so an edit would change them all; names of the game itself can be renamed."""
    text = '(version "zrf+") (include "std/slides.zrf")' + RULES.replace("(n add)", "(slide n)")
    analysis = analysed(text)
    assert not analysis.errors
    with pytest.raises(ZrfError, match=r"`slide` is also a name in `slides\.zrf`"):
        rename(analysis, text.index("slide n"), "sweep")
    wanted = text.replace("(n 0", "(north 0").replace("slide n", "slide north")
    assert after(text, *rename(analysis, text.index("(slide n") + 7, "north")) == wanted
    bundled = next(source for source in analysis.files if source.name.endswith("slides.zrf"))
    with pytest.raises(ZrfError, match="comes with zrf_py"):
        rename(analysis.of(bundled), bundled.text.index("define slide ") + 7, "sweep")


def test_the_case_of_a_name_can_be_changed() -> None:
    assert {edit.text for edit in rename(analysed(RULES), RULES.index("Man)"), "MAN")} == {"MAN"}


def test_arguments_of_a_call_that_is_never_expanded_are_renamed() -> None:
    """Arguments have the same kinds as in calls that are expanded; a name that a macro assembles can't be renamed."""
    text = "(define go ($1 add)) (define never (go n))\n" + RULES.replace("(n add)", "(go n)")
    assert after(text, *rename(analysed(text), text.index("(n 0 -1)") + 1, "north")) == text.replace(
        "(go n)", "(go north)").replace("(n 0 -1)", "(north 0 -1)")
    pasted = text.replace("($1 add)", "($1$1 add)").replace("(n 0 -1)", "(nn 0 -1)")
    with pytest.raises(ZrfError, match="`nn` is assembled by a macro"):
        rename(analysed(pasted), pasted.index("(nn 0 -1)") + 1, "north")


def test_empty_stores_are_not_written() -> None:
    edits = set_up(analysed(RULES), "Small", {"b1": ("White", "Man")}, {("White", "Man"): 0, ("Black", "Man"): 2})
    assert after(RULES, *edits).count("off") == after(RULES, *edits).count("off 2") == 1


SET_UP = """; Before.
(game
  (title "Men") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9))) (directions (n 0 -1))))
  (piece (name Man) (moves (n add))) (piece (name King) (moves (n add)))
  (board-setup  ; who stands where
    (White
      (Man a1 b1  ; in front
        c1 off 2)
      (King b2) ; alone
      )
    (Black (Man a3 off 1 b3) (King c3))))
; After.
(variant (title "Bare") (board-setup (White (Man a1))))
(variant (title "None"))
"""


def test_any_set_up_is_written_and_comments_stay() -> None:
    """At random, squares are emptied, filled and swapped, and stores set and cleared; comments around them stay."""
    choice = Random(1)
    for number in counted(range(60)):
        title = ("Men", "Bare", "None")[number % 3]
        men = {f"{column}{row}": (choice.choice(("White", "Black")), choice.choice(("Man", "King")))
               for column in "abc" for row in "123" if choice.random() < 0.5}
        stores = {(player, kind): choice.choice((0, 0, 1, 3))
                  for player in ("White", "Black") for kind in ("Man", "King")}
        edits = set_up(analysed(SET_UP), title, men, stores)
        spans = sorted((edit.span.start, edit.span.end) for edit in edits)
        assert all(a[1] <= b[0] for a, b in pairwise(spans)), "edits that overlap"
        text = after(SET_UP, *edits)
        start = loads(text, title).start()
        assert start.pieces() == men, text
        assert start.state.stores == tuple(
            tuple(stores[player, kind] for kind in ("Man", "King")) for player in ("White", "Black")), text
        for comment in ("; Before.", "; who stands where", "; After."):
            assert comment in text
        for other in {"Men", "Bare", "None"} - {title, "None"}:
            assert loads(text, other).start().pieces() == loads(SET_UP, other).start().pieces()


def test_unchanged_set_up_needs_no_edit() -> None:
    start = loads(SET_UP, "Men").start()
    stores = {("White", "Man"): 2, ("Black", "Man"): 1}
    assert set_up(analysed(SET_UP), "men", start.pieces(), stores) == []
    edit, = set_up(analysed(SET_UP), "men", start.pieces() | {"a2": ("White", "King")}, stores)
    assert edit.text == " a2"
    with pytest.raises(ZrfError, match="no game called"):
        set_up(analysed(SET_UP), "Nobody", {}, {})
