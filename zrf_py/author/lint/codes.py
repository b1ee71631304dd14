"""Explanations of all lint codes: meaning, a wrong and a right example. `zrf explain CODE` prints them."""

from zrf_py.text.codes import Explanation

_MAN = "(piece (name Man) (moves (n (verify empty?) add)))"
_HOME = "(piece (name Man) (moves (n (verify (not-in-zone? home)) add)))"

LINTS: dict[str, Explanation] = {
    "unused-macro": Explanation(
        "A macro of this file is called nowhere. Remove it, or call it where it was meant.",
        f"(define leap ($1 $1 add))\n{_MAN}",
        f"(define leap ($1 $1 add))\n{_MAN}\n(piece (name Knight) (moves (leap n)))"),
    "surplus-argument": Explanation(
        "A macro is called with more arguments than it ever uses.",
        "(define step ($1 (verify empty?) add))\n(piece (name Man) (moves (step n e)))",
        "(define step ($1 (verify empty?) add))\n(piece (name Man) (moves (step n) (step e)))"),
    "unknown-move-type": Explanation(
        "A move type is asked for that no block of a piece has, so nothing can ever follow or be played.",
        "(piece (name Man) (moves (move-type hop) (n (verify empty?) (add-partial hpo))))",
        "(piece (name Man) (moves (move-type hop) (n (verify empty?) (add-partial hop))))"),
    "no-add": Explanation(
        "A block has no `add`, and sets no flag that another asks: it does nothing.",
        "(piece (name Man) (moves (n (verify empty?))))", _MAN),
    "effect-lost": Explanation(
        "An effect is lost when no `add` follows it: effects belong to the next move that is added.",
        "(piece (name Man) (moves (n (verify enemy?) add capture)))",
        "(piece (name Man) (moves (n (verify enemy?) capture n (verify empty?) add)))"),
    "never-true": Explanation(
        "A condition can't hold here: an earlier one (of the same macro) says the contrary of this square.",
        "(piece (name Man) (moves (n (verify (and empty? enemy?)) add)))",
        "(piece (name Man) (moves (n (verify (or empty? enemy?)) add)))"),
    "unreachable": Explanation(
        "Nothing ever comes to these instructions, for what stands before them always ends the block.",
        "(piece (name Man) (moves (n (verify empty?) add (verify false) n add)))", _MAN),
    "endless-while": Explanation(
        "Nothing in the body of a `while` can change what its condition asks: it never stops once it has begun.",
        "(piece (name Man) (moves (n (while empty? add))))", "(piece (name Man) (moves (n (while empty? add n))))"),
    "flag-never-set": Explanation(
        "A flag is asked that nothing sets, so the answer is always no.",
        "(piece (name Man) (moves ((set-flag was-in true) n (verify (flag? wasin)) add)))",
        "(piece (name Man) (moves ((set-flag was-in true) n (verify (flag? was-in)) add)))"),
    "half-symmetry": Explanation(
        "For a player two directions have become one, and another is lost. `symmetry` wants both ways written.",
        "(symmetry Black (n s))\n(piece (name Man) (moves (n add) (s add)))",
        "(symmetry Black (n s) (s n))\n(piece (name Man) (moves (n add) (s add)))"),
    "no-symmetry": Explanation(
        "Pieces of two players advance in the same direction although they begin on opposite sides."),
    "unused-zone": Explanation(
        "A zone is named nowhere in the rules.",
        f"(zone (name home) (players White) (positions a1))\n{_MAN}",
        "(zone (name home) (players White Black) (positions a2))\n"
        "(piece (name Man) (moves (n (verify (not-in-zone? home)) add)))"),
    "zone-of-nobody": Explanation(
        "A zone without `(players …)` is nobody's: no square is ever in it.",
        f"(zone (name home) (positions a2))\n{_HOME}",
        f"(zone (name home) (players White Black) (positions a2))\n{_HOME}"),
    "zone-twice": Explanation(
        "A player has a zone twice, another player has none of this name: a copy in which the player wasn't changed.",
        "(zone (name home) (players White) (positions a2))\n(zone (name home) (players White) (positions b2))\n"
        f"(zone (name last) (players Black) (positions a4))\n{_HOME}",
        "(zone (name home) (players White) (positions a2))\n"
        f"(zone (name home) (players Black) (positions b2))\n{_HOME}"),
    "same-direction": Explanation(
        "Two directions of a grid have the same steps and another is missing: a minus sign was forgotten."),
    "movement-lost": Explanation(
        "A `to` is followed by another with neither `add` nor `cascade` between them: only the last counts.",
        "(piece (name Man) (moves (n to w from e e to add)))",
        "(piece (name Man) (moves (n to cascade w from e e to add)))"),
    "squares-overlap": Explanation(
        "Two positions have one rectangle, or two dimensions of a grid the same steps: one square hides another."),
    "setup-twice": Explanation(
        "A set-up names a player twice and another not at all: a copy in which the player wasn't changed.",
        f"{_MAN}\n(board-setup (White (Man a1)) (White (Man a4)))",
        f"{_MAN}\n(board-setup (White (Man a1)) (Black (Man a4)))"),
    "block-twice": Explanation(
        "A macro is called twice for one direction and never for the opposite one: a copy that wasn't changed.",
        "(define step ($1 (verify empty?) add))\n(piece (name Man) (moves (step n) (step s) (step e) (step e)))",
        "(define step ($1 (verify empty?) add))\n(piece (name Man) (moves (step n) (step s) (step e) (step w)))"),
    "broken-text": Explanation(
        "A text holds a quotation mark, which ends it: the words up to the next one are lost."),
    "missing-picture": Explanation(
        "An image file isn't there, though others are. The piece or board is drawn without it."),
    "no-pictures": Explanation(
        "The folder of some pictures isn't there: pieces are drawn with symbols of their own."),
    "picture-of-some": Explanation(
        "A piece has a picture for one player, and none for another who begins with such a piece.",
        '(piece (name Man) (image White "w.bmp") (moves (n add)))\n(board-setup (White (Man a1)) (Black (Man a4)))',
        '(piece (name Man) (image White "w.bmp" Black "b.bmp") (moves (n add)))\n'
        "(board-setup (White (Man a1)) (Black (Man a4)))"),
    "zone-out-of-reach": Explanation(
        "A block asks for a zone that no piece of its type and player can ever enter: the wrong side of the board."),
    "no-direction": Explanation(
        "Two pieces of a `relative-config` follow each other without a direction: both are wanted on one square.",
        f"{_MAN}\n(board-setup (White (Man a1)))\n(win-condition (White) (relative-config Man Man))",
        f"{_MAN}\n(board-setup (White (Man a1)))\n(win-condition (White) (relative-config Man n Man))"),
    "player-without-turn": Explanation(
        "A player can win, lose or draw by the rules, but never has a turn."),
    "piece-never-there": Explanation(
        "A type of piece has no way onto the board: not in the set-up, not in hand, made by no move."),
    "no-stock": Explanation(
        "A piece has drops, but nobody ever has one in hand."),
    "no-first-move": Explanation(
        "Who begins has no move: directions or rows the wrong way round, most often.",
        "(piece (name Man) (moves (s (verify empty?) add)))\n(board-setup (White (Man a1)) (Black (Man a4)))",
        f"{_MAN}\n(board-setup (White (Man a1)) (Black (Man a4)))"),
    "removed-link": Explanation(
        "A link names a position that `kill-positions` takes away, so it does not exist either.",
        f"(kill-positions b2)\n(links n (a2 b2) (b2 a4))\n{_MAN}", f"(kill-positions b2)\n(links n (a2 a4))\n{_MAN}"),
    "true-at-start": Explanation(
        "A condition of the end holds already in the set-up."),
    "too-few-men": Explanation(
        "A configuration or number wants more pieces than a player can ever have."),
    "lonely-square": Explanation(
        "A square that is drawn, and that no link leads to: nothing stands there at the start, and nothing ever comes.",
        f"{_MAN}\n(board-setup (White (Man a1)))\n(unlink d1)",
        f"{_MAN}\n(board-setup (White (Man a1)))\n(kill-positions d1)"),
    "goal-out-of-reach": Explanation(
        "A configuration names squares that no piece can ever come to, or nothing is ever captured: it never holds.",
        f"{_MAN}\n(board-setup (White (Man a1)))\n(win-condition (White) (absolute-config Man (b4)))",
        f"{_MAN}\n(board-setup (White (Man a1)))\n(win-condition (White) (absolute-config Man (a4)))"),
    "no-end": Explanation(
        "Nothing ends this game for several: it has no win-, loss-, draw-, count- or score-condition."),
    "no-description": Explanation(
        "A game has no description, so nobody who opens it can know what it is about."),
}
