"""Write sentences about moves as lines: clauses that several moves share are written once, the differences below."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zrf_py.author.words.document import TextLine
from zrf_py.author.words.language import Language, sentence, without_parentheses

SAVED = 12
"""Minimum number of words that writing the common part once must save."""


@dataclass(frozen=True)
class Clauses:
    """The clauses of a sentence: the move and its effects, its conditions, and the sentences that follow."""

    parts: tuple[str, ...]
    conditions: tuple[str, ...] = ()
    more: str = ""

    def text(self, say: Language) -> str:
        """Return the clauses as sentences."""
        limit = self.limit("all-only-if" if len(self.parts) > 1 else "only-if", say)
        return " ".join(filter(None, [sentence("; ".join(filter(None, [*self.parts, limit]))), self.more]))

    def limit(self, key: str, say: Language) -> str:
        """Return the conditions as a clause; "" if there are none."""
        clauses = self.conditions if len(self.conditions) > 1 else map(without_parentheses, self.conditions)
        return say(key, conditions=say.both(clauses)) if self.conditions else ""


def factored(moves: Sequence[Clauses], say: Language) -> list[TextLine]:
    """Return a line for each move, below a line with the conditions or the beginning that several moves share."""
    moves = list(dict.fromkeys(moves))
    common = _common([move.conditions for move in moves])
    if _saved(common, moves) < SAVED:
        return _by_beginning(moves, say)
    rest = _by_beginning([replace(move, conditions=_without(move.conditions, common)) for move in moves], say)
    head = sentence(Clauses((), common).limit("only-if.these", say))
    return [TextLine(head, tuple(rest))] if len(rest) > 1 else _by_beginning(moves, say)


def _by_beginning(moves: Sequence[Clauses], say: Language) -> list[TextLine]:
    lines = []
    rest = list(moves)
    while rest:
        group = [move for move in rest if move.parts[:1] == rest[0].parts[:1] and not move.more]
        parts, conditions = (_common([getattr(m, name) for m in group]) for name in ("parts", "conditions"))
        if rest[0].more or _saved(parts + conditions, group) < SAVED:
            lines.append(TextLine(rest.pop(0).text(say)))
            continue
        rest = [move for move in rest if move not in group]
        inner = [Clauses(_without(move.parts, parts), _without(move.conditions, conditions)) for move in group]
        head = Clauses(parts, conditions, sentence(say("one-of-these")))
        if not any(move.parts for move in inner):
            inner = [Clauses((say.both(move.conditions),)) for move in inner]
            head = Clauses(parts, conditions, sentence(say("if-one-of-these")))
        inner = [move if move.parts else replace(move, parts=(say("nothing-more"),)) for move in inner]
        lines.append(TextLine(head.text(say), tuple(TextLine(move.text(say)) for move in inner)))
    return lines


def _common(rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(text for text in rows[0] if all(text in row for row in rows)) if rows else ()


def _without(texts: tuple[str, ...], common: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for text in texts if text not in common)


def _saved(common: tuple[str, ...], moves: Sequence[Clauses]) -> int:
    return (len(moves) - 1) * sum(len(text.split()) for text in common)
