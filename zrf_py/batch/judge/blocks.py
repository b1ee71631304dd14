"""Attribute moves to the blocks of the rules file that generate them, and describe those blocks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from zrf_py.ir.ops import Program, Routine
from zrf_py.run.interpret import Walker, drop_squares
from zrf_py.run.position import DROP, Move, Position
from zrf_py.text.grouping import by_key
from zrf_py.text.source import Origin
from zrf_py.text.suggest import clipped

SHORT = 59
LONG = 10_000
_PARTS = re.compile(r'[()]|\s+|"[^"]*"|[^()\s"]+|"')
_ARGUMENT = re.compile(r"\$(\d+)")


@dataclass(frozen=True, slots=True)
class Block:
    """A block: piece type, drop or move, text and place in the file. `routine` is its code."""

    piece: int
    drops: bool
    routine: Routine
    text: str
    place: str


def blocks(program: Program) -> list[Block]:
    """Return all blocks of a game: those of each type's moves, then those of its drops."""
    result = []
    for piece, kind in enumerate(program.game.pieces):
        kinds = ((False, program.moves[piece], kind.moves), (True, program.drops[piece], kind.drops))
        for drops, routines, written in kinds:
            for number, routine in enumerate(routines):
                origin = written[number].block.origin if len(written) == len(routines) else routine.code[0].origin
                result.append(Block(piece, drops, routine, *_written(origin)))
    return result


def _written(origin: Origin | None) -> tuple[str, str]:
    """Return the text and the place of a block as its author wrote it; for a macro, those of its call."""
    if origin is None:
        return "", ""
    text, around = origin.call.span.text, origin.call.via
    while around is not None and "$" in text and len(text) < LONG:
        text, around = _filled(text, _arguments(around.call.text)), around.parent
    return clipped(" ".join(text.split()), SHORT), place_of(origin)


def place_of(origin: Origin) -> str:
    """Return the file and line where an author wrote something; for a macro, those of its call."""
    return origin.call.span.place


def _arguments(call: str) -> list[str]:
    """Return the arguments of a macro call."""
    words, depth = [""], 0
    for part in _PARTS.findall(call.strip()[1:-1]):
        depth += (part == "(") - (part == ")")
        if part.isspace() and not depth:
            words.append("")
        else:
            words[-1] += part
    return [word for word in words if word][1:]


def _filled(text: str, arguments: list[str]) -> str:
    """Substitute the arguments of a call in the text of a macro's body."""
    return _ARGUMENT.sub(lambda m: arguments[int(m[1]) - 1] if 0 < int(m[1]) <= len(arguments) else m[0], text)


class BlockFinder:
    """Finds the blocks that generate a move, by running them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.blocks = blocks(program)
        self._of = by_key(((block.piece, block.drops), number) for number, block in enumerate(self.blocks))

    def of(self, position: Position, move: Move) -> list[int]:
        """Return the numbers of the blocks that generate a move in a position; none for a pass granted by an option."""
        if move.movements and move.movements[0][0] == DROP:
            _, _, end, kind = move.movements[0]
            return [n for n in self._of.get((kind, True), ()) if self._drops(position, move, n, end)]
        squares = {s for s in (position.chain[0] if position.chain else -1, move.key[0], move.start) if s >= 0}
        tries = [(n, s) for s in sorted(squares) for n in self._of.get((position.piece[s], False), ())]
        if not move.movements:
            tries += [(n, s) for s in squares for n, block in enumerate(self.blocks) if block.drops]
        return [n for n, square in tries if move in self._moves(position, move.side, n, square)]

    def _drops(self, position: Position, move: Move, number: int, end: int) -> bool:
        """Return whether a drop block, begun on any square, generates a move; the square `end` is tried first."""
        squares = sorted(drop_squares(self.program, self.blocks[number].routine, move.side), key=lambda at: at != end)
        return any(move in self._moves(position, move.side, number, square) for square in squares)

    def possible(self, position: Position, side: int, legal: frozenset[Move]) -> Iterator[int]:
        """Iterate over the numbers of all blocks that generate some legal move in a position."""
        for number, block in enumerate(self.blocks):
            if block.drops:
                squares = list(drop_squares(self.program, block.routine, side))
            else:
                places = range(len(position.owner)) if position.chain is None else position.chain[:1]
                squares = [s for s in places if position.owner[s] == side and position.piece[s] == block.piece]
            if any(not legal.isdisjoint(self._moves(position, side, number, square)) for square in squares):
                yield number

    def _moves(self, position: Position, side: int, number: int, square: int) -> list[Move]:
        block = self.blocks[number]
        moves: list[Move] = []
        walker = Walker(self.program, position, side, moves.append)
        walker.drop = block.drops
        walker.run(block.routine, square)
        return moves
