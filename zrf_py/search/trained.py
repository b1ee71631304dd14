"""Files of learned weights (`NAME.weights`), written by `zrf train` with a hash of the rules, refused for other rules.

A file is a line of JSON, then `Patterns.weights` as [index][stage] and `values`, in compressed 16-bit numbers, little-
endian. `trained_for` looks for files beside the rules (`offer`), in the user's folder, and in the package.
"""

import json
import os
import sys
import zlib
from array import array
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from zrf_py import cache
from zrf_py.ir.ops import Program
from zrf_py.native.piece_square import TableShape
from zrf_py.search.memory import FULL
from zrf_py.search.plan import Patterns
from zrf_py.text.diagnostics import ZrfError

ENDING = ".weights"
FORMAT = 1
MOST_WEIGHTS, MOST_BYTES = 1 << 22, 1 << 24
"""Limits of a file: number of weights, and bytes on disk."""
LONGEST = 16
"""Maximum number of squares of a pattern."""
OFFERED = "ZRF_WEIGHTS"
"""Environment variable with the paths of further files, one per line; processes that this one starts inherit it."""
SHIPPED = Path(__file__).parent / "weights"


def rules_key(program: Program) -> str:
    """Return a hash of all that decides moves and results: 40 hexadecimal digits, the same in every release. Names,
    comments and pictures do not count."""
    game, board = program.game, program.game.board
    facts = (
        board.links, board.symmetry, board.zones, [[sorted(row.items()) for row in rows] for rows in board.measures],
        [player.kind for player in game.players], game.turns, game.repeat, game.priorities, game.setup, game.stores,
        [(piece.attributes, piece.dummy, piece.captured_as) for piece in game.pieces], len(game.attributes),
        [(end.result, end.players, end.goal, end.remove) for end in game.ends], sorted(game.options.written.items()),
        game.counters, game.teams, game.score, game.lowest_wins,
        [[(r.move_type, r.zone, r.position, [op.meaning for op in r.code]) for r in routines]
         for routines in (*program.moves, *program.drops)])
    return cache.key(repr(facts))


def write(program: Program, patterns: Patterns, about: Mapping[str, Any]) -> bytes:
    """Return the contents of a file of weights; `about` describes how they were learned."""
    fields = {name: value for name, value in vars(patterns).items() if name not in ("weights", "values")}
    head = {"format": FORMAT, "rules": rules_key(program), "title": program.game.title, **fields, "about": about}
    weights = _turned(patterns.weights, patterns.size) + patterns.values
    if sys.byteorder == "big":
        weights.byteswap()
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + zlib.compress(weights.tobytes(), 9)


def read(program: Program, data: bytes, name: str) -> Patterns:
    """Return the weights of a file for a program.

    :raises ZrfError: if they belong to other rules, or the file is damaged.
    """
    try:
        line, _, packed = data.partition(b"\n")
        head = json.loads(line)
        key, number = head["rules"], head["format"]
        if number != FORMAT:
            raise ValueError
        if key == rules_key(program):
            return _checked(program, head, packed)
        title = str(head["title"])
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError, zlib.error):
        raise ZrfError(f"{name} is damaged, or not a file of weights of this release", "bad-weights",
                       help="`zrf train` writes such files") from None
    raise ZrfError(f"the weights in {name} were learned for different rules ({title[:60]})", "other-rules",
                   help="after a change of the rules, train again")


def _turned(weights: "array[int]", width: int) -> "array[int]":
    """Transpose a table with rows of this width: weights of several stages side by side are easier to compress."""
    turned = array("h")
    for column in range(width):
        turned.extend(weights[column::width])
    return turned


def _checked(program: Program, head: Mapping[str, Any], packed: bytes) -> Patterns:
    """Return the weights after checking that every index lies within its table: machine code does not check.

    :raises ValueError: if a number is out of range.
    """
    game = program.game
    squares = tuple(tuple(map(int, row)) for row in head["squares"])
    bases, digits, stages = (tuple(map(int, head[name])) for name in ("bases", "digits", "stages"))
    radix, size = int(head["radix"]), int(head["size"])
    if size < 1:
        raise ValueError("size")
    weights, parts = array("h", zlib.decompressobj().decompress(packed, 2 * MOST_WEIGHTS)), head.get("parts", ())
    if sys.byteorder == "big":
        weights.byteswap()
    count = len(weights) - (2 * (TableShape.of(game).size + len(game.players) * len(game.pieces)) if parts else 0)
    weights, values = _turned(weights[:count], count // size), weights[count:]
    places, players = range(len(game.board.places)), len(game.players)
    fits = (
        max(map(len, squares), default=0) <= LONGEST and all(s in places for row in squares for s in row)
        and len(bases) == len(squares) and 2 <= radix <= 127 and head["first"] in range(players)
        and all(base >= 0 and base + radix ** len(row) <= size for base, row in zip(bases, squares, strict=True))
        and len(digits) == (players + 1) * (len(game.pieces) + 1) and digits[0] == 0
        and set(digits) <= set(range(radix))
        and len(stages) == len(places) + 1 and min(stages) >= 0 and (max(stages) + 1) * size <= len(weights)
        and count >= 0 and len(parts) in (0, len(game.pieces) + 1) and set(parts) <= set(range(FULL + 1))
        and abs(int(head["per_move"])) < 1000)
    if not fits:
        raise ValueError
    return Patterns(squares, bases, digits, radix, stages, size, int(head["first"]), int(head["per_move"]), weights,
                    tuple(parts), values)


def beside(path: Path, program: Program) -> Path:
    """Return the place for the weights of a game of `NAME.zrf`: `NAME.weights`, `NAME-1.weights` for variant 1 …"""
    number = program.game.number
    return path.with_name(path.stem + (f"-{number}" if number else "") + ENDING)


def offer(path: Path, program: Program) -> None:
    """Offer the weights beside a rules file, if any, to this process and to the processes that it starts later."""
    place = str(beside(path, program).absolute())
    known = os.environ.get(OFFERED, "")
    if place not in known.split("\n") and os.path.exists(place):
        os.environ[OFFERED] = place + ("\n" + known if known else "")


def user_file(program: Program) -> Path:
    """Return the path of the user's own weights for these rules."""
    return cache.state_base() / (rules_key(program) + ENDING)


def trained_for(program: Program) -> Patterns | None:
    """Return the learned weights for a game: those beside its file, the user's own, or those of the package; None if
    there are none. Damaged files, and files for other rules of this title, are reported on standard error."""
    data = bytes_for(program)
    return read(program, data, "the file") if data else None


def bytes_for(program: Program) -> bytes:
    """Return the contents of the file that `trained_for` uses; b"" if there is none."""
    for path in _places(program):
        with suppress(OSError):
            if path.stat().st_size <= MOST_BYTES:
                data = path.read_bytes()
                try:
                    read(program, data, path.name)
                    return data
                except ZrfError as error:
                    _refuse(path, program, error)
    return b""


def _places(program: Program) -> Iterator[Path]:
    yield from map(Path, filter(None, os.environ.get(OFFERED, "").split("\n")))
    yield user_file(program)
    yield SHIPPED / (rules_key(program) + ENDING)


_refused: set[Path] = set()


def _refuse(path: Path, program: Program, error: ZrfError) -> None:
    """Report a refused file once, unless it belongs to another game."""
    first = error.diagnostics[0]
    if path not in _refused and (first.code != "other-rules" or program.game.title[:60] in first.message):
        _refused.add(path)
        print(f"note: {error}", file=sys.stderr)
