"""The listing of a piece's operations, with operand names and jump targets."""

from __future__ import annotations

import zrf_py
from zrf_py.ir.show import show_piece

GAME = """(version "zrf+") (game (title "Show") (players White Black) (turn-order (White quick) (Black) (White slow))
  (counter points)
  (board (grid (start-rectangle 0 0 9 9) (dimensions ("a/b/c" (9 0)) ("3/2/1" (0 9)))
               (directions (n 0 -1) (s 0 1) (e 1 0)))
     (zone (name top) (players White Black) (positions a3 b3)) (zone (name low) (players White) (positions a1)))
  (piece (name King) (attribute tired false) (moves (n add)))
  (piece (name Man) (attribute tired true)
    (moves (n (verify empty?) (verify not-enemy?) add)
           (move-type quick)
           (e (set-flag up true) (set-flag down (not-in-zone? top)) (if (flag? up)
              (set-position-flag met true) else (set-position-flag met false s)) (verify (position-flag? met))
              (add King Man))
           (move-type slow)
           (mark s (opposite n) (while empty? s) back (go from) (go to) (go last-from) (go last-to) a1
              (capture e) (flip b2) (add-to-counter points 2) (change-owner) (change-type King) cascade
             (set-attribute tired true) (set-attribute tired false n) (verify (in-zone? top b2)) (verify
              (piece? King)) (verify (not-piece? Man n)) (verify friend?) (verify (attacked? n))
             (verify (not-friend? n)) (verify tired) (verify (position? a1)) (add-copy-partial King quick))
           )
    (drops (top (verify empty?) add) (a1 (verify empty?) add) ((verify empty?) add)))
  (board-setup (White (King a1) (Man a2 off 3)) (Black (King c3))) (loss-condition (White Black)
              (checkmated King)))"""

LISTING = """\
moves 1
    0  step n
    1  empty? else end
    2  not enemy? else end
    3  add
    4  end

moves 2, type quick
    0  step e
    1  set-flag up true
    2  not in-zone? top else 5
    3  set-flag down true
    4  goto 6
    5  set-flag down false
    6  flag? up else 9
    7  set-position-flag met true
    8  goto 10
    9  set-position-flag met false at neighbour s
   10  position-flag? met else end
   11  add King Man
   12  end

moves 3, type slow
    0  mark
    1  step s
    2  step against n
    3  empty? else 6
    4  step s
    5  goto 3
    6  go mark
    7  go from
    8  go to
    9  go last-from
   10  go last-to
   11  jump a1
   12  capture at neighbour e
   13  flip at b2
   14  add-to-counter points
   15  change-owner
   16  change-type King
   17  cascade
   18  set-attribute tired true
   19  set-attribute tired false at neighbour n
   20  in-zone? top at b2 else end
   21  piece? King else end
   22  not piece? Man at neighbour n else end
   23  friend? else end
   24  attacked? at neighbour n else end
   25  not friend? at neighbour n else end
   26  attribute? tired else end
   27  position? a1 else end
   28  add copy partial King then quick
   29  end

drops 1, on top
    0  empty? else end
    1  add
    2  end

drops 2, on a1
    0  empty? else end
    1  add
    2  end

drops 3
    0  empty? else end
    1  add
    2  end"""


def test_every_operand_has_its_name_and_every_jump_its_target() -> None:
    program = zrf_py.loads(GAME).program
    assert "\n".join(show_piece(program, 1)) == LISTING
    assert "\n".join(show_piece(program, 0)) == "moves 1\n    0  step n\n    1  add\n    2  end"
