"""The position to which a record of moves leads, computed incrementally.

Every question holds the whole record, so that any worker can answer for any board, and killing one loses nothing; the
cache here only saves time.
"""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zrf_py.play.game import Game, Position
from zrf_py.play.replay import Stop, follow
from zrf_py.play.zsg import Edit, Ply
from zrf_py.view.describe import describe_ply

MAX_KEPT = 48
MAX_PLIES = 4_000


@dataclass
class GameLine:
    """A game so far: `texts[i]` led to `plies[i]`, all of them to `position`. `stop`: why it goes no further."""

    position: Position
    texts: list[str] = field(default_factory=list)
    plies: list[list[Any]] = field(default_factory=list)
    stop: str = ""

    def go(self, texts: Sequence[str]) -> None:
        """Move to the end of another record, from the common prefix on, or to the first move that the rules refuse."""
        same = next((i for i, (a, b) in enumerate(zip(self.texts, texts, strict=False)) if a != b),
                    min(len(self.texts), len(texts)))
        while len(self.texts) > same:
            assert self.position.previous
            self.position = self.position.previous
            self.texts.pop()
            self.plies.pop()
        self.stop = ""
        for text in texts[same:]:
            if not self._step(text):
                return

    def _step(self, text: str) -> bool:
        before = self.position
        move = next((m for m in before.moves() if m.text == text), None)
        if move:
            self.position = before.play(move)
        else:
            entry = Edit(text) if text.startswith("(") else Ply(0, text)
            after = follow(before, entry)
            if isinstance(after, Stop):
                self.stop = f"move {len(self.texts) + 1}, `{text}`: {after.reason}"
                return False
            self.position = after[0]
        self.texts.append(text)
        self.plies.append(describe_ply(before, self.position))
        forget_moves(before)
        return True


def forget_moves(position: Position) -> None:
    """Drop the legal moves of a past position: they take much memory, and little time to generate again."""
    for name in ("legal", "_shorts"):
        position.__dict__.pop(name, None)


class Lines:
    """The lines of the boards used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, GameLine] = OrderedDict()

    def at(self, key: Hashable, game: Game, texts: Sequence[str]) -> GameLine:
        """Return the line for `key`, advanced to the end of `texts`; the key changes with the board's rules."""
        line = self._kept.pop(key, None) or GameLine(game.start())
        line.go(texts[:MAX_PLIES])
        self._kept[key] = line
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return line
