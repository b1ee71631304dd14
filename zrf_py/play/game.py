"""The public API: a game, its positions and moves, by name and not by number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import blake2b
from html import escape
from pathlib import Path
from random import Random
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.library import RulesFile, check, load_file, load_text, named
from zrf_py.play import engines, finding, packing, pickled, repeats
from zrf_py.play.edits import edited
from zrf_py.play.move import Move
from zrf_py.play.outcome import Outcome, outcome_of, scores_of
from zrf_py.play.perft import perft
from zrf_py.play.position_text import position_text, read_position, same
from zrf_py.play.reading import MoveReader
from zrf_py.play.short import ShortWriter
from zrf_py.play.tally import Tally, random_games
from zrf_py.run import position as run
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules
from zrf_py.text import asked
from zrf_py.text.diagnostics import ZrfError


def load(name: str | Path, variant: str | int | None = None) -> Game:
    """
    A game from a rules file: a name of the shelf, an id of the catalogue or a path; `variant` is a title or a number
    counted from 0.

    >>> load("tictactoe").title
    'Tic-Tac-Toe'

    :raises ZrfError: holding every problem found, if there is no such file or variant or the rules are wrong.
    """
    name, variant = named(name, variant)
    file = load_file(name)
    return _game(file, variant, file.path)


def loads(text: str | bytes, variant: str | int | None = None, *, folder: str | Path | None = None) -> Game:
    """
    A game from the text of a rules file, which need not be on the disk.

    What it includes is looked for in `folder` and on the shelf; without a folder, on the shelf alone.

    >>> loads('(include "tictactoe.zrf")').title
    'Tic-Tac-Toe'

    :raises ZrfError: holding every problem found, if there is no such variant or the rules are wrong.
    """
    return _game(load_text(text, folder), variant, None)


def _game(file: RulesFile, variant: str | int | None, path: Path | None) -> Game:
    file.check()
    program = file.program(variant)
    titles = tuple(p.game.title for p in file.programs)
    return Game(program, titles, engines.make_engine(program, "auto", patient=True), path)


class Game:
    """
    One game or variant of a rules file. Threads may share it, and its positions.

    >>> game = load("tictactoe")
    >>> game.players
    ('X', 'O')
    """

    def __init__(
        self, program: Program, variants: tuple[str, ...] = (), engine: Engine | None = None, path: Path | None = None,
    ) -> None:
        self.program = program
        self.path = path
        """The rules file, beside which its bitmaps are; None if it isn't known."""
        self.variants = variants or (program.game.title,)
        self.engine: Engine = engine or Rules(program)

    @cached_property
    def writer(self) -> ShortWriter:
        """Writes moves as people do."""
        return ShortWriter(self.program)

    @cached_property
    def reader(self) -> MoveReader:
        """Reads moves, legal or not."""
        return MoveReader(self.program)

    @cached_property
    def rules(self) -> Rules:
        """The rules by the interpreter: for what engines need not know, such as whether a royal man is attacked."""
        return self.engine if isinstance(self.engine, Rules) else Rules(self.program)

    @property
    def title(self) -> str:
        return self.program.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players that have turns, random ones included, in the order of the rules file."""
        return tuple(p.name for p in self.program.game.players if p.kind != "neutral")

    def start(self) -> Position:
        """The position before the first move."""
        return Position(self, self.engine.start())

    def position(self, edits: str) -> Position:
        """
        The start position with changes, one a line as saved games have them: `(x a1)` removes, `(White King a1)` adds.

        :raises ZrfError: if a name is unknown.
        """
        asked.want("edits", edits, str, "a text with a change on each line, such as `(x a1)`")
        position = self.start()
        for line in edits.splitlines():
            if line.strip():
                position = position.edited(line)
        return position

    def read(self, text: str) -> Position:
        """
        The position that `Position.text` has told; what was before it is not known.

        :raises ZrfError: if it tells none of this game.
        """
        asked.want("text", text, str, "a line that `Position.text` has written")
        return Position(self, read_position(self.program, text))

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000) -> Tally:
        """Random games from the start: see `Position.playouts`."""
        return self.start().playouts(games, seed, max_plies)

    @cached_property
    def packed(self) -> bytes:
        """The rules as bytes; the same for games of the same rules."""
        return packing.pack(self.program)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the rules in hexadecimal digits: the same in every process, another one for other rules."""
        return packing.digest(self.packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled.reduce_game(self, load)

    def __repr__(self) -> str:
        return f"<Game {self.title}>"


class Position:
    """
    A position of a game. It never changes: `play` gives the next one, `previous` the one before.

    >>> position = load("tictactoe").start()
    >>> position.player, len(position.moves())
    ('X', 9)
    """

    def __init__(
        self, game: Game, state: run.Position, previous: Position | None = None, move: Move | None = None,
        change: str = "", is_given: bool = False,
    ) -> None:
        self.game = game
        self.state = state
        self.previous = previous
        self.move = move
        self.change = change
        """The edit that led here from `previous`, where no move did."""
        self.is_given = is_given
        """Whether the state isn't what `move` or `change` makes of `previous`."""
        self.met: repeats.Met | None = None
        self._known: tuple[run.Move, ...] | None = None

    @property
    def player(self) -> str:
        """The player who chooses the next move; "" in a game in which nobody has a turn."""
        rules = self.game.program.game
        return rules.players[rules.turns[self.state.turn].mover].name if rules.turns else ""

    @property
    def in_turn(self) -> bool:
        """Whether a turn is under way: the same piece may (or must) move on."""
        return self.state.chain is not None

    @property
    def _legal(self) -> tuple[run.Move, ...]:
        if self._known is None:
            self._known = self.game.engine.moves(self.state)
        return self._known

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        program, state = self.game.program, self.state
        return tuple([Move(raw, program, state) for raw in self._legal])

    def moves(self) -> list[Move]:
        """
        Every legal move or leg of the player to move, in the order the rules generate them; empty after the end.

        A move that several blocks of the rules write is listed once for each of them; such moves are equal.

        :raises RulesFault: a kind of `ZrfError`, if a move definition never ends on this position.
        """
        return list(self._moves)

    @cached_property
    def _shorts(self) -> dict[str, str]:
        moves = self._moves
        return {move.text: short for move, short in zip(moves, self.game.writer.write(moves), strict=True)}

    def short(self, move: Move) -> str:
        """
        A legal move as people write it; no two different moves of a position are written the same.

        >>> position = load("chess").start()
        >>> position.short(position.find("g1 f3"))
        'Nf3'
        """
        asked.want("move", move, Move, "one of `moves()`")
        return self._shorts.get(move.text, move.text)

    def find(self, text: str) -> Move:
        """The legal move that `text` means, in any notation of `play/reading.py`: `Nf3`, `e2e4`, `from to`, just `to`.

        :raises ZrfError: if no legal move, or more than one, is written so.
        """
        return finding.only(self.matches(text), text, self._shorts)

    def matches(self, text: str) -> list[Move]:
        """The legal moves that `text` may mean; none where it is a move that isn't legal here.

        :raises ZrfError: if it is no move of this game.
        """
        asked.want("text", text, str, "a move in notation, such as `e2 e4`")
        return finding.matching(self.game.reader, self._moves, self._shorts, text)

    def play(self, move: Move | str) -> Position:
        """
        The position after a legal move, given as itself or in notation.

        :raises ZrfError: if the move isn't legal here.
        """
        found = self.find(move) if isinstance(move, str) else move
        if isinstance(found, Move) and found.before is not self.state and found not in self._moves:
            raise ZrfError(f"`{found.text}` is not a legal move here, but one of another position", "no-such-move")
        return self.after(found)

    def after(self, move: Move) -> Position:
        """The position after a move that may be none of the legal ones: for those who correct a record."""
        asked.want("move", move, Move, "one of `moves()`, or its notation")
        self.__dict__.pop("_moves", None)  # a long game would keep thousands, and they can be made again
        return Position(self.game, self.game.engine.after(self.state, move.raw), self, move)

    def edited(self, line: str) -> Position:
        """The position with one change, such as `(x a1)` or `(White King a1)`: see `play/edits.py`."""
        asked.want("line", line, str, "a change such as `(x a1)`")
        return Position(self.game, edited(self.game.program, self.state, line), self, None, " ".join(line.split()))

    def at(self, state: run.Position) -> Position:
        """Another state in the place of this one in its game: for those who correct a record."""
        asked.want("state", state, run.Position, "the `state` of another position")
        return Position(self.game, state, self.previous, self.move, self.change, is_given=True)

    def outcome(self) -> Outcome | None:
        """How the game has ended here; None while it goes on."""
        raw = self.game.engine.outcome(self.state, self.repetitions)
        if raw is None:
            return None
        return outcome_of(self.game.program, self.state, raw)

    def scores(self) -> tuple[tuple[str, int], ...]:
        """What the position is worth to each player, where the rules name a score (ZRF+)."""
        return scores_of(self.game.program, self.state)

    @cached_property
    def repetitions(self) -> int:
        """How often this position has occurred in the game, now included."""
        if self.state.chain is not None:
            return 1
        return repeats.times(self)

    def line(self) -> Iterator[Position]:
        """The positions from this one back to the first."""
        position: Position | None = self
        while position is not None:
            yield position
            position = position.previous

    def earlier(self) -> list[run.Position]:
        """The states of the game before this one, the oldest first, as players and searches ask for them."""
        return [position.state for position in self.line()][:0:-1]

    def named(self, legs: Iterable[run.Move]) -> tuple[Move, ...]:
        """Legs that follow each other from here, as an engine has them → the same by their notation."""
        position, found = self, []
        for leg in legs:
            move = next(move for move in position._moves if move.raw == leg)
            found.append(move)
            position = position.play(move)
        return tuple(found)

    # ------------------------------------------------------------------------------------------------ for programs

    @property
    def text(self) -> str:
        """
        The position as one line that `Game.read` reads back: what the rules may ask for (`play/position_text.py`).

        >>> load("tictactoe").start().play("b2").text
        'X Mark b2 | turn O 1 | mover X'
        """
        return position_text(self.game.program, self.state)

    def playout(self, seed: int | None = None, max_plies: int = 2000) -> Position:
        """
        The end of a random game from here, with all positions on the way; or where it was after `max_plies` legs.

        Each leg is drawn from `moves()`, every entry as likely as any other.
        """
        random, position = Random(seed if seed is None else asked.whole("seed", seed)), self
        for _ in range(asked.whole("max_plies", max_plies, 0, asked.MOST)):
            if position.outcome() or not (moves := position._moves):
                break
            position = position.after(random.choice(moves))
        return position

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000) -> Tally:
        """Random games from here by machine code, each leg drawn as in `playout`: see `play/tally.py`."""
        games, seed = asked.whole("games", games, 1, asked.MOST), asked.whole("seed", seed)
        max_plies = asked.whole("max_plies", max_plies, 0, asked.MOST)
        return random_games(self.game.engine, self.state, games, seed, max_plies)

    def perft(self, depth: int, turns: bool = False) -> int:
        """
        How many sequences of `depth` legs (or complete turns) there are from here, by machine code. Equal moves count
        as often as `moves()` lists them.

        >>> load("chess").start().perft(3)
        8902
        """
        return perft(self.game.engine, self.state, asked.whole("depth", depth, 0, asked.DEEPEST), turns)

    @cached_property
    def key(self) -> int:
        """A hash of 64 bits, the same in every process: equal for equal positions; it depends on the rules, too."""
        text = self.text.encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=8, key=bytes.fromhex(self.game.digest)).digest())

    @cached_property
    def _same(self) -> tuple[object, ...]:
        return same(self.game.program, self.state)

    def __eq__(self, other: object) -> bool:
        """Whether the rules can't tell two positions apart, but for what was before them."""
        if not isinstance(other, Position):
            return NotImplemented
        return self._same == other._same and (self.game.program is other.game.program
                                              or self.game.packed == other.game.packed)

    def __hash__(self) -> int:
        return hash(self._same)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled.reduce_position(self)

    def __repr__(self) -> str:
        return f"<Position of {self.game.title}: {self.text}>"

    def svg(self, **options: Any) -> str:
        """The board as SVG; `options` are those of `zrf_py.view.scene.scene`, such as `overlays=("zones",)`."""
        from zrf_py.view.scene import scene  # the one import against the current: the public API can show itself
        from zrf_py.view.svg import svg

        return svg(scene(self, **options))

    def _repr_svg_(self) -> str:
        """What Jupyter shows, where it wants a picture."""
        return self.svg()

    def _repr_html_(self) -> str:
        """What Jupyter shows: the board, and whose turn it is or how the game has ended."""
        said = str(self.outcome() or f"{self.player} to move")
        return f"<figure style='margin:0'>{self.svg()}<figcaption>{escape(said)}</figcaption></figure>"

    def pieces(self) -> dict[str, tuple[str, str]]:
        """Square name → (player, piece type) for every piece on the board."""
        game, s = self.game.program.game, self.state
        return {
            place.name: (game.players[s.owner[i]].name, game.pieces[s.piece[i]].name)
            for i, place in enumerate(game.board.places) if s.owner[i] != run.NOBODY
        }


__all__ = ["Game", "Move", "Outcome", "Position", "Tally", "check", "load", "loads"]
