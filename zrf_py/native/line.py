"""Line of play in native memory: moves are chosen by number, and positions are read back only on demand."""

import math

from zrf_py.native.border import Border
from zrf_py.native.errors import NoRoom
from zrf_py.native.kernel.memory import LEVELS, PositionFields
from zrf_py.native.kernel.stepping import FAILED
from zrf_py.native.records import decode
from zrf_py.run import position as run

Mark = tuple[int, ...]
"""(level,) of a position. Marks are compared by identity: memory holds a position while its mark is on the line."""
_S = PositionFields
_TURN, _CHAIN, _UNDO, _CHOSEN, _RESULT, _OUT = _S.turn, _S.chain, _S.undo, _S.chosen, _S.result, _S.out
_ROOM = _S.line_room
BETWEEN = 32
"""Maximum number of new positions of a line while code is compiled; then a new line begins, with that code if ready."""


class NativeLine:
    """Consecutive positions of a game in the memory of one machine, for one thread.

    `border.marks` holds their marks; every other use of the memory clears it.
    """

    def __init__(self, border: Border) -> None:
        self.border = border
        self.machine = border.machine
        self.marks = border.marks
        self.root: run.Position | None = None
        """The position on level 0."""
        self.is_first = False
        """True if `root` is the first position of its game."""
        self.count = self._first = 0
        """Number of moves of the position reached last, OVER or FAILED (`kernel/stepping.py`)."""
        self.lists = 0
        """Approximate number of positions whose moves were listed."""
        self.limit = math.inf
        """Value of `lists` at which the caller must `begin` a new line, perhaps with other code."""
        layout = self.machine.layout
        assert layout is not None
        self.repeats = layout.setting.repeats != 0
        """True if positions may recur, and the rules limit how often."""

    def begin(self, position: run.Position, is_first: bool) -> Mark | None:
        """Begin the line at a position that has no result (level 0); return its mark, or None if there is no room or
        its moves can't be listed. `is_first`: it is the first position of its game."""
        here = self.root is position and self.is_first == is_first
        if here and self.marks and not self.machine.is_waiting:
            self._back(self.marks[0])
            self.count = self._first
            return self.marks[0]
        self.lists += len(self.marks) + 1
        try:
            self.border.load(position)
        except NoRoom:
            return None
        self.root, self.is_first = position, is_first
        self.machine.words[_ROOM] = LEVELS
        self.count = self._first = self.machine.call["line_begin"]()
        if self.count == FAILED:
            return None
        mark: Mark = (len(self.marks),)  # a new tuple; the constant (0,) would be the same object for every line
        self.marks.append(mark)
        return mark

    def limit_room(self) -> None:
        """Limit the line to the next change of code: the step beyond it fails, and the caller must `begin` again."""
        room = BETWEEN if self.machine.is_waiting else self.limit - self.lists
        self.machine.words[_ROOM] = int(min(LEVELS, len(self.marks) + max(room, 1)))

    def step(self, mark: Mark | None, number: int) -> Mark | None:
        """Play move `number` in the position with this mark; return the mark of the next position. Return None if
        `mark` isn't on the line, or the step fails; then the caller must `begin` again."""
        marks, machine = self.marks, self.machine
        if not (marks and marks[-1] is mark) and (mark is None or not self._returns(mark)):
            return None
        machine.words[_CHOSEN] = number
        self.count = count = machine.step()
        if count == FAILED:
            self.lists += len(marks)
            marks.clear()
            return None
        new = (mark[0] + 1,)
        marks.append(new)
        return new

    def _returns(self, mark: Mark) -> bool:
        """Make an earlier position the current one; return False if it isn't on the line, or it is the root and a new
        line must begin, perhaps with other code."""
        if not self.holds(mark):
            return False
        self._back(mark)
        if mark[0] or not (self.lists >= self.limit or self.machine.is_waiting):
            return True
        self.marks.clear()
        return False

    def holds(self, mark: Mark | None) -> bool:
        """Return whether the position with this mark is on the line."""
        return mark is not None and mark[0] < len(self.marks) and self.marks[mark[0]] is mark

    def times(self, mark: Mark | None) -> int:
        """Return an upper bound, by position keys, of the occurrences of the last position in its game; 0 for any other
        position, if the line does not begin with the game, or if repetition does not matter."""
        known = self.is_first and self.repeats and self.marks and self.marks[-1] is mark
        return self.machine.call["line_times"]() if known else 0

    def result(self, mark: Mark | None) -> int:
        """Return the engine's number of the result at the last position of the line; -1 for other positions, and
        once a player has dropped out, when the number alone does not determine the result."""
        words = self.machine.words
        return words[_RESULT] if self.marks and self.marks[-1] is mark and not words[_OUT] else -1

    def moves(self, mark: Mark) -> tuple[run.Move, ...]:
        """Return the legal moves of a position on the line."""
        begin, end = (self.machine.arrays[name][mark[0]] for name in ("line_next", "line_end"))
        self._back(mark)
        side = self.border.rules.turns[self.machine.words[_TURN]].side
        return tuple(decode(self.machine.records[begin:end].tobytes(), side))

    def turn(self, mark: Mark | None) -> int | None:
        """Return the index in the turn order of the last position of the line; None for any other."""
        return self.machine.words[_TURN] if self.marks and self.marks[-1] is mark else None

    def texts(self, mark: Mark) -> list[int]:
        """Return, for each move of a position on the line, a 64-bit key of the move's notation."""
        self._back(mark)
        count = self.machine.call["line_texts"]()
        keys: list[int] = self.machine.arrays["scores"][:count]
        return keys

    def state(self, mark: Mark, before: run.Position | None) -> run.Position | None:
        """Read back a position on the line; `before` is the previous one, if it has been read. Return None within a
        turn if `before` is None, because it is needed there."""
        self._back(mark)
        words, level = self.machine.words, mark[0]
        if before is not None:
            assert self.machine.layout is not None
            keeps = self.machine.layout.params.keeps
            return self.border.position(before, self.machine.arrays["frames"][(level - 1) * keeps + _UNDO])
        if self.root is None or words[_CHAIN] >= 0:
            return None
        return self.border.position(self.root, is_next=False)

    def _back(self, mark: Mark) -> None:
        """Make a position on the line the current one; later ones leave the line."""
        if mark[0] + 1 < len(self.marks):
            self.machine.call["line_back"](mark[0])
            self.lists += len(self.marks) - mark[0]
            del self.marks[mark[0] + 1 :]
