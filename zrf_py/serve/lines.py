"""The position to which a record of moves leads, computed incrementally.

Every question contains the whole record, so any worker can answer for any board, and killing one loses nothing; cached
lines only save time.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zrf_py.play.game import Position
from zrf_py.play.replay import Stop, follow
from zrf_py.play.tree import common
from zrf_py.play.zsg import Edit, Ply
from zrf_py.view.describe import describe_ply

MAX_PLIES = 4_000
"""Maximum number of entries of a record; further ones are ignored."""


@dataclass
class GameLine:
    """A game so far: its moves `texts`, described in `plies`, lead to `position`. `stop`: why a record ended early."""

    position: Position
    texts: list[str] = field(default_factory=list)
    plies: list[list[Any]] = field(default_factory=list)
    stop: str = ""

    def go(self, texts: Sequence[str]) -> None:
        """Go to the end of another record, from the common prefix on; stop before a move that the rules refuse."""
        texts = texts[:MAX_PLIES]
        same = common(self.texts, texts)
        for _ in self.texts[same:]:
            assert self.position.previous
            self.position = self.position.previous
        del self.texts[same:], self.plies[same:]
        self.stop = ""
        for text in texts[same:]:
            if not self._step(text):
                return

    def _step(self, text: str) -> bool:
        """Play one entry of a record; return False, and set `stop`, if the rules refuse it."""
        before = self.position
        after = follow(before, Edit(text) if text.startswith("(") else Ply(0, text))
        if isinstance(after, Stop):
            self.stop = f"move {len(self.texts) + 1}, `{text}`: {after.reason}"
            return False
        self.plies.append(describe_ply(before, after[0]))  # first, since it may raise a `RulesFault`
        self.texts.append(text)
        self.position = after[0]
        forget_moves(before)
        return True


def forget_moves(position: Position) -> None:
    """Drop the legal moves of a past position: they take much memory, but little time to generate again."""
    for name in ("legal", "_shorts"):
        position.__dict__.pop(name, None)
