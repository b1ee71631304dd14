"""Public API: games, positions and moves, with names instead of numbers."""

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
from zrf_py.play import engines, matching, packing, pickled, repeats
from zrf_py.play.move import Listed, Move
from zrf_py.play.move_parser import MoveReader
from zrf_py.play.node import UNLISTED, TreeNode
from zrf_py.play.outcome import Outcome, ending, outcome_of, scores_of
from zrf_py.play.perft import perft
from zrf_py.play.position_text import edited, position_text, read_position, same
from zrf_py.play.short import ShortWriter
from zrf_py.play.tally import Tally, random_games
from zrf_py.run import position as run
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules
from zrf_py.search.trained import offer
from zrf_py.text import arguments
from zrf_py.text.diagnostics import ZrfError

_NOWHERE = engines.Here()


def load(name: str | Path, variant: str | int | None = None) -> Game:
    """Load a game from a rules file, given as a shelf name, a catalogue id, a title or a path; `variant` is a title or
    a number from 0 (None: the one that the id or title names, else the default one).

    >>> load("tictactoe").title
    'Tic-Tac-Toe'

    :raises ZrfError: with every problem, if the file or variant doesn't exist or the rules have errors.
    """
    name, variant = named(name, variant)
    file = load_file(name)
    return _game(file, variant, file.path)


def loads(text: str | bytes, variant: str | int | None = None, *, folder: str | Path | None = None) -> Game:
    """Load a game from the text of a rules file.

    Included files are looked up in `folder` and on the shelf; without a folder, on the shelf only.

    >>> loads('(include "tictactoe.zrf")').title
    'Tic-Tac-Toe'

    :raises ZrfError: with every problem, if the variant doesn't exist or the rules have errors.
    """
    return _game(load_text(text, folder), variant, None)


def _game(file: RulesFile, variant: str | int | None, path: Path | None) -> Game:
    file.check()
    program = file.program(variant)
    titles = tuple(p.game.title for p in file.programs)
    return Game(program, titles, engines.make_engine(program, "auto", patient=True), path)


class Game:
    """A game or variant of a rules file. Thread-safe, like its positions.

    >>> game = load("tictactoe")
    >>> game.players
    ('X', 'O')
    """

    def __init__(
        self, program: Program, variants: tuple[str, ...] = (), engine: Engine | None = None, path: Path | None = None,
    ) -> None:
        self.program = program
        self.path = path
        """Path of the rules file, to find the files that belong to it, such as bitmaps; None if unknown."""
        if path is not None:
            offer(path, program)
        self.variants = variants or (program.game.title,)
        self.engine: Engine = engine or Rules(program)
        self.here: engines.Here = getattr(self.engine, "here", _NOWHERE)
        """State of the engine in this thread, with the line of play in native memory (None if there is none)."""
        self.texts: dict[int, str] = {}
        """Cache of the notation of moves, by the keys that `NativeLine.texts` returns."""
        self.repeats = True
        """False once it is known that repetition never ends this game."""

    @cached_property
    def writer(self) -> ShortWriter:
        """Writer of short notation, such as `Nf3`."""
        return ShortWriter(self.program)

    @cached_property
    def reader(self) -> MoveReader:
        """Parser of typed moves, legal or not."""
        return MoveReader(self.program)

    @cached_property
    def rules(self) -> Rules:
        """The interpreter, for queries that not every engine supports, such as `has_royals`."""
        return self.engine if isinstance(self.engine, Rules) else Rules(self.program)

    @property
    def title(self) -> str:
        return self.program.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players with turns, including random ones, in the order of the rules file."""
        return tuple(p.name for p in self.program.game.players if p.kind != "neutral")

    def start(self) -> Position:
        """Return the start position."""
        return Position(self, self._first)

    @cached_property
    def _first(self) -> run.Position:
        return self.engine.start()

    def position(self, edits: str) -> Position:
        """Return the start position with edits, one per line: `(x a1)` removes, `(White King a1)` adds a piece.

        :raises ZrfError: if a line is not an edit, or a name in it is unknown.
        """
        arguments.want("edits", edits, str, "a text with a change on each line, such as `(x a1)`")
        position = self.start()
        for line in edits.splitlines():
            if line.strip():
                position = position.edited(line)
        return position

    def read(self, text: str) -> Position:
        """Parse the output of `Position.text`; the position has no history.

        :raises ZrfError: if the text is not a position of this game.
        """
        arguments.want("text", text, str, "a line from `Position.text`")
        return Position(self, read_position(self.program, text))

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000) -> Tally:
        """Play random games from the start position: see `Position.playouts`."""
        return self.start().playouts(games, seed, max_plies)

    @cached_property
    def packed(self) -> bytes:
        """The compiled rules as bytes; equal for equal rules."""
        return packing.pack(self.program)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the compiled rules in hexadecimal digits, the same in every process."""
        return packing.digest(self.packed)

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled.reduce_game(self, load)

    def __repr__(self) -> str:
        return f"<Game {self.title}>"


class Position(TreeNode):
    """An immutable position of a game: `play` returns the next position, `previous` is the one before.

    >>> position = load("tictactoe").start()
    >>> position.player, len(position.moves())
    ('X', 9)
    """

    game: Game
    previous: Position | None
    change = ""
    """The edit that led here from `previous`; "" if a move did."""
    is_given = False
    """True if the state was set by `at`, and does not follow from `previous` by `move` or `change`."""
    occurrences: repeats.Occurrences | None = None  # internal: the counts behind `repetitions`

    def __init__(
        self, game: Game, state: run.Position, previous: Position | None = None, move: Move | None = None,
        change: str = "", is_given: bool = False,
    ) -> None:
        self.game = game
        self.state = state
        self.previous = previous
        self.move = move
        if change or is_given:
            self.change, self.is_given = change, is_given

    @property
    def player(self) -> str:
        """Name of the player who chooses the next move; "" in a game without turns."""
        rules, line = self.game.program.game, self.game.here.line
        turn = line.turn(self._mark) if line else None
        turn = self.state.turn if turn is None else turn
        return rules.players[rules.turns[turn].mover].name if rules.turns else ""

    @property
    def in_turn(self) -> bool:
        """True within a turn of several legs: the same piece may (or must) go on."""
        return self.state.chain is not None

    @cached_property
    def _shorts(self) -> dict[str, str]:
        return dict(zip(self.texts, self.game.writer.write(list(self.moves())), strict=True))

    def short(self, move: Move) -> str:
        """Return a legal move in short notation, which is unique among the moves of the position.

        >>> position = load("chess").start()
        >>> position.short(position.find("g1 f3"))
        'Nf3'
        """
        arguments.want("move", move, Move, "one of `moves()`")
        text = move.text
        return self._shorts.get(text, text)

    def find(self, text: str) -> Move:
        """Return the legal move with this text, in any notation of `play/move_parser.py`: `Nf3`, `e2e4`, `from to`.

        :raises ZrfError: if no legal move matches, or several with different effects do.
        """
        return matching.only(self.matches(text), text, self._shorts)

    def matches(self, text: str) -> list[Move]:
        """Return the legal moves that `text` may mean; an empty list for a move that is illegal here.

        :raises ZrfError: if it is not a move of this game.
        """
        arguments.want("text", text, str, "a move in notation, such as `e2 e4`")
        return matching.matching(self.game.reader, self.moves(), self._shorts, text)

    def _play_other(self, move: Any) -> Position:
        """Like `play`, for a text, a move that isn't from this position's list, or a number that needs a check."""
        if not self.moves() and not isinstance(move, Move):
            raise ZrfError(f"no move is possible here: {self.outcome() or 'the game is over'}", "no-move")
        if hasattr(move, "__index__"):
            return self.play(arguments.whole("move", move, 0, len(self.moves()) - 1))
        chosen = self.find(move) if isinstance(move, str) else move
        if isinstance(chosen, Listed) and id(chosen.position) == id(self):
            return self.play(chosen)
        if isinstance(chosen, Move) and chosen.before is not self.state and chosen not in self.moves():
            raise ZrfError(f"`{chosen.text}` is a move of another position, not of this one", "no-such-move")
        return self.after(chosen)

    def after(self, move: Move) -> Position:
        """Return the position after a move, such as one from a faulty record, without checking that it is legal."""
        arguments.want("move", move, Move, "one of `moves()`")
        return Position(self.game, self.game.engine.after(self.state, move.raw), self, move)

    def edited(self, line: str) -> Position:
        """Return the position after one edit, such as `(x a1)` or `(White King a1)`: see `play/edits.py`.

        :raises ZrfError: if the line is not an edit, or a name in it is unknown.
        """
        arguments.want("line", line, str, "a change such as `(x a1)`")
        return Position(self.game, edited(self.game.program, self.state, line), self, None, " ".join(line.split()))

    def at(self, state: run.Position) -> Position:
        """Return a position with the given state and this one's history, to correct a record."""
        arguments.want("state", state, run.Position, "the `state` of another position")
        return Position(self.game, state, self.previous, self.move, self.change, is_given=True)

    def outcome(self) -> Outcome | None:
        """Return the result of the game; None while it goes on."""
        if self._count == UNLISTED:
            self._list()
        game, line = self.game, self.game.here.line
        if self._count > 0:
            if not game.repeats or (line and 0 < line.times(self._mark) < game.rules.repetition):
                return None
            raw = game.rules.repeated(self.state, self.repetitions)
        else:
            raw = (line and ending(game.program, line.result(self._mark))) or game.engine.outcome(self.state)
        return outcome_of(game.program, self, raw) if raw else None

    def scores(self) -> tuple[tuple[str, int], ...]:
        """Return (player, score) for each player: the score that the rules define (ZRF+), or the number of pieces that
        a `count-condition` counts; empty if the rules have neither."""
        return scores_of(self.game.program, self.state)

    @cached_property
    def repetitions(self) -> int:
        """Number of times the position has occurred in the game, including now; 1 within a turn."""
        if self.state.chain is not None:
            return 1
        return repeats.times(self)

    def line(self) -> Iterator[Position]:
        """Yield the positions from this one back to the first."""
        position: Position | None = self
        while position is not None:
            yield position
            position = position.previous

    def earlier(self) -> list[run.Position]:
        """Return the states of all previous positions, oldest first, as players and searches expect them."""
        return [position.state for position in self.line()][:0:-1]

    def named(self, legs: Iterable[run.Move]) -> tuple[Move, ...]:
        """Convert an engine's sequence of legs, played from this position, to `Move`s."""
        position, moves = self, []
        for leg in legs:
            move = next(move for move in position.moves() if move.raw == leg)
            moves.append(move)
            position = position.play(move)
        return tuple(moves)

    @property
    def text(self) -> str:
        """The position as one line for `Game.read`, with all that the rules can test (`play/position_text.py`).

        >>> load("tictactoe").start().play("b2").text
        'X Mark b2 | turn O 1 | store X Mark 4 | mover X'
        """
        return position_text(self.game.program, self.state)

    def playout(self, seed: int | None = None, max_plies: int = 2000) -> Position:
        """Play a random game from here; return its last position, at most `max_plies` legs later, with its history.

        Each leg is drawn uniformly from the entries of `moves()`.
        """
        random, position = Random(seed if seed is None else arguments.whole("seed", seed)), self
        for _ in range(arguments.whole("max_plies", max_plies, 0, arguments.MOST)):
            if position.outcome() or not (moves := position.moves()):
                break
            position = position.play(random.randrange(len(moves)))
        return position

    def playouts(self, games: int, seed: int = 0, max_plies: int = 2000) -> Tally:
        """Play random games from here, natively if possible, each leg drawn as in `playout`: see `play/tally.py`."""
        games, seed = arguments.whole("games", games, 1, arguments.MOST), arguments.whole("seed", seed)
        max_plies = arguments.whole("max_plies", max_plies, 0, arguments.MOST)
        return random_games(self.game.engine, self.state, games, seed, max_plies)

    def perft(self, depth: int, turns: bool = False) -> int:
        """Count the sequences of `depth` legs (with `turns`: complete turns) from here, with native code if possible.
        Equal legs count as often as `moves()` lists them.

        >>> load("chess").start().perft(3)
        8902
        """
        return perft(self.game.engine, self.state, arguments.whole("depth", depth, 0, arguments.DEEPEST), turns)

    @cached_property
    def key(self) -> int:
        """64-bit hash of position and rules, the same in every process; equal positions have equal keys."""
        text = self.text.encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=8, key=bytes.fromhex(self.game.digest)).digest())

    @cached_property
    def _same(self) -> tuple[object, ...]:
        return same(self.game.program, self.state)

    def __eq__(self, other: object) -> bool:
        """Return True if the rules can't distinguish two positions; their history doesn't matter."""
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
        """Draw the board as SVG; `options` are those of `zrf_py.view.scene.scene`, such as `overlays=("zones",)`."""
        from zrf_py.view.scene import scene  # the only imports of a higher layer, for the public API's convenience
        from zrf_py.view.svg import svg

        return svg(scene(self, **options))

    def _repr_svg_(self) -> str:
        """Picture for Jupyter."""
        return self.svg()

    def _repr_html_(self) -> str:
        """HTML for Jupyter: the board, with the player to move or the result as its caption."""
        caption = str(self.outcome() or f"{self.player} to move")
        return f"<figure style='margin:0'>{self.svg()}<figcaption>{escape(caption)}</figcaption></figure>"

    def pieces(self) -> dict[str, tuple[str, str]]:
        """Return the pieces on the board: square name → (player, piece type)."""
        game, s = self.game.program.game, self.state
        return {
            place.name: (game.players[s.owner[i]].name, game.pieces[s.piece[i]].name)
            for i, place in enumerate(game.board.places) if s.owner[i] != run.NOBODY
        }


__all__ = ["Game", "Move", "Outcome", "Position", "Tally", "check", "load", "loads"]
