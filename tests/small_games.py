"""Rules of small games that several tests play."""

from __future__ import annotations

WALK = """(version "zrf+")
(define step ($1 (verify empty?) add))
(define hop ($1 (verify not-empty?) $1 (verify empty?) (add-partial hopping)))
(game
  (title "Walk") (option "pass partial" true) (option "null turns" false) (players Solver) (turn-order Solver)
  (board
    (grid (start-rectangle 0 0 20 20) (dimensions ("a/b/c/d/e/f" (20 0)) ("2/1" (0 20)))
          (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0)))
    (zone (name goal) (players Solver) (positions f1 e1)))
  (piece (name Man)
    (moves (move-type stepping) (step n) (step e) (step s) (step w)
           (move-type hopping) (hop n) (hop e) (hop s) (hop w)))
  (board-setup (Solver (Man a1 b1)))
  (score (turns-made) lowest)
  (win-condition (Solver) (equal? (count friend goal) 2)))
(variant
  (title "Walk by legs") (counter legs) (score (counter legs) lowest)
  (piece (name Man)
    (moves (move-type stepping) (e (verify empty?) (add-to-counter legs 1) add)
           (move-type hopping)
           (e (verify not-empty?) e (verify empty?) (add-to-counter legs 1) (add-partial hopping)))))
"""
"""A puzzle: two pieces walk or hop to the end of a strip; the variant counts legs."""

MARCH = """(game (title "March") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("1/2/3/4" (0 -9)))
    (directions (n 0 1) (s 0 -1) (e 1 0) (w -1 0))))
  (piece (name Man) (moves (n (verify empty?) add) (e (verify empty?) add)))
  (piece (name Drum) (moves (s (verify empty?) add)))
  (board-setup (White (Man a1)) (Black (Drum c4))) (win-condition (White) (absolute-config Man (a4)))
  {ends})"""
"""White has choices, Black at most one move; their pieces may meet. `ends` is replaced by further conditions."""

ENTER = """(version "2.0")
(define go (verify empty?) add)
(game (title "Enter") (players White Black) (turn-order White Black)
  (board (grid (start-rectangle 0 0 48 48) (dimensions ("a/b/c" (48 0)) ("4/3/2/1" (0 48)))
    (directions (n 0 -1) (e 1 0))))
  (piece (name Man) (drops ((verify (position? a1)) e (go)) ((verify (position? a1)) n n (go))
                           ((verify (position? b1)) n (go)) ((verify (position? c1)) (go))))
  (board-setup (White (Man off 3)) (Black (Man off 3)))
  (loss-condition (White Black) stalemated))"""
"""Of the four drop blocks, three drop the man on a square other than the one on which they begin."""
