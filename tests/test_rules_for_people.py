"""Rules as people read them: aim and end, the board, a picture for each kind of piece, and the exact text."""

from __future__ import annotations

import re

import pytest

from zrf_py.author.words.rules import rules_in_words
from zrf_py.author.words.writing import fragment
from zrf_py.play.game import load


@pytest.mark.parametrize(("language", "word", "ends", "queen"), [
    ("en", "Exactly", "How the game ends", "Any distance along a rank, a file or a diagonal."),
    ("de", "Genau", "Wie das Spiel endet", "Dame: Beliebig weit waagerecht, senkrecht oder schräg.")])
def test_rules_in_plain_words_come_before_the_exact_ones(language: str, word: str, ends: str, queen: str) -> None:
    text = fragment(rules_in_words(load("chess"), language))
    first, _, exactly = text.partition(f"<summary>{word}</summary>")
    assert exactly.count(f"<h2>{ends}</h2>") == first.count(f"<h2>{ends}</h2>") == 1
    assert first.index(f"<h2>{ends}</h2>") < first.index("<h3>")  # before the pieces
    kinds = re.findall(r"<h3>(.*?)</h3>\n<p>(.*?)</p>\n<figure", first)
    assert [name for name, _ in kinds] == ["King", "Queen", "Rook", "Bishop", "Knight", "Pawn"]
    assert kinds[1][1] == queen  # the author's words, without quotes
    assert first.count("<figure") == 7 and "<svg" not in exactly
    assert "straight or diagonally" not in first or language == "de"
    assert len(re.findall("<h3>", exactly)) == 6


def test_pieces_without_a_picture_have_the_exact_rules() -> None:
    text = fragment(rules_in_words(load("tictactoe")))
    first, _, exactly = text.partition('<details class="exactly">')
    piece = first.partition("<h3>Mark</h3>")[2].strip()
    assert "May be placed from the hand" in piece and piece in exactly
