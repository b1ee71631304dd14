"""Encode `Move` objects as the move records of native memory, and decode these."""

from array import array
from collections.abc import Sequence
from functools import lru_cache

from zrf_py.ir.ops import EFFECTS
from zrf_py.native.errors import NoRoom
from zrf_py.native.kernel import board as b
from zrf_py.native.kernel.board import HEAD, SMALL, SQUARE, WIDE
from zrf_py.run.position import DROP, Changes, Effect, Move, Movement

MOST_KNOWN = 1 << 15
_known: dict[int, dict[bytes, Move]] = {}
"""[side]: moves already decoded, by record."""
_words: dict[int, tuple[Move, list[int]]] = {}
"""(move, record) by the move's `id`."""
_sizes: dict[int, int] = {}
"""Length of a record in bytes, by its first word."""
WORD = 8
"""Bytes of a word."""


def encode(move: Move) -> Sequence[int]:
    """Return the record of a move.

    :raises NoRoom: if a record can't hold its parts or its numbers.
    """
    cached = _words.get(id(move))
    if cached and cached[0] is move:
        return cached[1]
    if max(len(move.movements), len(move.effects), len(move.captures)) > SMALL:
        raise NoRoom
    head = len(move.movements) | len(move.effects) << 12 | len(move.captures) << 24 | move.partial + 2 << 36
    head |= move.must << b.MUST_BIT
    record = [head, move.start + 1 | move.end + 1 << 20]
    for action, start, end, kind in move.movements:
        record.append(action | (start if start >= -1 else -2 - start) + 1 << 8 | end << 28 | kind + 1 << 48)
    for name, square, a, value in move.effects:
        effect = EFFECTS.index(name)
        if effect < b.SET_COUNTER:
            record.append(effect | square << 8 | a << 28 | value + 1 << 46)
            continue
        if max(abs(square), abs(a)) > b.LARGEST:
            raise NoRoom
        record.append(effect | square << 28 if effect == b.NEXT_TURN else effect | square << 8 | value << 18 | a << 28)
    record.extend(move.captures)
    return record


def record_length(head: int) -> int:
    """Return the length, in words, of a record with this first word."""
    return HEAD + (head & SMALL) + (head >> 12 & SMALL) + (head >> 24 & SMALL)


def decode(data: bytes, side: int) -> list[Move]:
    """Decode consecutive records; equal records of a side yield the same `Move` object while it is cached."""
    words, at, end, moves = array("q", data), 0, len(data), []
    by_record, sizes = _known.setdefault(side, {}), _sizes
    while at < end:
        head = words[at // WORD]
        size = sizes.get(head) or _size(head)
        record = data[at : at + size]
        moves.append(by_record.get(record) or _met(record, side, by_record))
        at += size
    return moves


def _size(head: int) -> int:
    if len(_sizes) >= MOST_KNOWN:
        _sizes.clear()
    _sizes[head] = size = WORD * record_length(head)
    return size


def _met(record: bytes, side: int, by_record: dict[bytes, Move]) -> Move:
    """Decode a record that is not cached."""
    if len(by_record) >= MOST_KNOWN:
        by_record.clear()
        _words.clear()
    words = list(array("q", record))
    by_record[record] = move = _decoded(side, *words)
    _words[id(move)] = move, words
    return move


def changes(words: list[int]) -> list[Changes]:
    """Return the changes of the moves in consecutive records; several times faster than decoding them as `Move`s."""
    decoded = []
    at = 0
    while at < len(words):
        head = words[at]
        size = record_length(head)
        is_plain = size == HEAD + 1 and head & SMALL
        decoded.append(_plain(words[at + HEAD]) if is_plain else _changes(head, words[at + HEAD : at + size]))
        at += size
    return decoded


@lru_cache(maxsize=1 << 16)
def _plain(part: int) -> Changes:
    """Return the changes of a move that is one movement and nothing else."""
    return (_movement(part),), (), ()


def _changes(head: int, parts: Sequence[int]) -> Changes:
    movements = head & SMALL
    if len(parts) == movements == 1:
        return _plain(parts[0])
    others = movements + (head >> 12 & SMALL)
    return tuple(map(_movement, parts[:movements])), tuple(map(_effect, parts[movements:others])), tuple(parts[others:])


def _decoded(side: int, head: int, ends: int, *parts: int) -> Move:
    if not parts:
        return Move(side)
    return Move(
        side, *_changes(head, parts), (head >> 36 & WIDE) - 2, (ends & SQUARE) - 1, (ends >> 20 & SQUARE) - 1,
        must=bool(head >> b.MUST_BIT & 1),
    )


def _movement(part: int) -> Movement:
    action = part & 255
    start = (part >> 8 & SQUARE) - 1
    if action == DROP and start >= 0:
        start = -2 - start
    return action, start, part >> 28 & SQUARE, (part >> 48 & WIDE) - 1


def _effect(part: int) -> Effect:
    effect = part & 255
    if effect == b.NEXT_TURN:
        return EFFECTS[effect], part >> 28, 0, 0
    if effect >= b.SET_COUNTER:
        return EFFECTS[effect], part >> 8 & 1023, part >> 28, part >> 18 & 1023
    return EFFECTS[effect], part >> 8 & SQUARE, part >> 28 & 262143, (part >> 46) - 1

