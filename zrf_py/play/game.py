"""The public API: a game, its positions and moves, by name and not by number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from zrf_py.ir.ops import Program
from zrf_py.library import RulesFile, check, load_file, load_text, named
from zrf_py.play.edits import edited
from zrf_py.play.engines import make_engine
from zrf_py.play.notation import PASS, move_text, read_parts
from zrf_py.play.notation import parts as parts_of
from zrf_py.play.reasons import Reason, reason_of
from zrf_py.play.short import ShortWriter, read_short
from zrf_py.run import goals
from zrf_py.run import position as run
from zrf_py.run.engine import Engine
from zrf_py.run.rules import Rules
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import suggest


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
    return Game(program, titles, make_engine(program, "auto", patient=True), path)


@dataclass(frozen=True)
class Outcome:
    """How a game ended. In a draw both lists are empty; `reason` is the rules' word for what happened.

    `why` says it as people do ("three in a row"), with the men that made it.
    `scores` holds (player, score) for each player where the rules name a score.
    """

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    reason: str
    scores: tuple[tuple[str, int], ...] = ()
    why: Reason | None = None

    def __str__(self) -> str:
        reason = self.why.words if self.why else self.reason
        if self.winners:
            said = f"{' and '.join(self.winners)} won ({reason})"
        elif self.losers:
            said = f"{' and '.join(self.losers)} lost ({reason})"
        else:
            said = f"draw ({reason})"
        return said + self.score_text

    @property
    def score_text(self) -> str:
        """The scores as they follow the result; empty where the rules name none."""
        return "; score: " + ", ".join(f"{name} {score}" for name, score in self.scores) if self.scores else ""


class Game:
    """
    One game or variant of a rules file.

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
        position = self.start()
        for line in edits.splitlines():
            if line.strip():
                position = position.edited(line)
        return position

    def __repr__(self) -> str:
        return f"<Game {self.title}>"


@dataclass(frozen=True)
class Move:
    """A legal move (or leg) of a position; `str` is its notation, equal moves are equal."""

    text: str
    raw: run.Move

    def __str__(self) -> str:
        return self.text

    @property
    def is_partial(self) -> bool:
        """Whether the same piece may go on in the same turn."""
        return self.raw.partial != run.NOT_PARTIAL


@dataclass(eq=False)
class _Met:
    """How often each position of a game has occurred until `last`; several positions may hold it, one after the other
    the last."""

    times: Counter[object]
    last: Position | None = None


class Position:
    """
    A position of a game. It never changes: `play` gives the next one, `previous` the one before.

    >>> position = load("tictactoe").start()
    >>> position.player, len(position.moves())
    ('X', 9)
    """

    def __init__(
        self, game: Game, state: run.Position, previous: Position | None = None, move: Move | None = None,
        change: str = "",
    ) -> None:
        self.game = game
        self.state = state
        self.previous = previous
        self.move = move
        self.change = change
        """The edit that led here from `previous`, where no move did."""
        self._met: _Met | None = None

    @property
    def player(self) -> str:
        """The player who chooses the next move; "" in a game in which nobody has a turn."""
        rules = self.game.program.game
        return rules.players[rules.turns[self.state.turn].mover].name if rules.turns else ""

    @property
    def in_turn(self) -> bool:
        """Whether a turn is under way: the same piece may (or must) move on."""
        return self.state.chain is not None

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        program, state = self.game.program, self.state
        return tuple(Move(move_text(program, state, raw), raw) for raw in self.game.engine.moves(state))

    def moves(self) -> list[Move]:
        """
        Every legal move or leg of the player to move, in the order the rules generate them; empty after the end.

        :raises RulesFault: if a move definition never ends on this position.
        """
        return list(self._moves)

    @cached_property
    def _shorts(self) -> dict[str, str]:
        moves = [(m.text, m.raw) for m in self._moves]
        written = self.game.writer.write(self.state, moves)
        return {text: short for (text, _), short in zip(moves, written, strict=True)}

    def short(self, move: Move) -> str:
        """
        A legal move as people write it; no two different moves of a position are written the same.

        >>> position = load("chess").start()
        >>> position.short(position.find("g1 f3"))
        'Nf3'
        """
        return self._shorts.get(move.text, move.text)

    def find(self, text: str) -> Move:
        """
        The legal move written as `text`: as people write it (`Nf3`, `e2e4`), the full notation in any order of parts,
        or just `from to` or `to`.

        :raises ZrfError: if no legal move, or more than one, is written so.
        """
        found = self._matching(text)
        if len({m.text for m in found}) == 1 or (found and _same_effect(found)):
            return found[0]
        if found:
            raise ZrfError([Diagnostic("ambiguous-move", f"`{text}` fits {len(found)} moves", None,
                                       help="; ".join(m.text for m in found[:6]))])
        guess = suggest(text, [m.text for m in self._moves])
        raise ZrfError([Diagnostic("no-such-move", f"`{text}` is not a legal move here", None,
                                   help=f"did you mean `{guess}`?" if guess else "")])

    def _matching(self, text: str) -> list[Move]:
        wanted = " ".join(text.split())
        exact = [m for m in self._moves if m.text == wanted]
        if exact:
            return exact
        if wanted.casefold() == PASS.casefold():
            return [m for m in self._moves if m.raw.is_pass]
        recorded = read_parts(wanted)
        program, state = self.game.program, self.state
        if recorded:
            found = [m for m in self._moves if not m.raw.is_pass
                     and sorted(parts_of(program, state, m.raw)) == sorted(recorded)]
            if found:
                return found
        short = read_short(wanted, [self._shorts[m.text] for m in self._moves])
        if short:
            return [self._moves[i] for i in short]
        words = [w for w in wanted.replace("-", " ").split() if w != "x"]
        names = {place.name: i for i, place in enumerate(program.game.board.places)}
        keys = [names.get(w, -2) for w in words]
        if len(keys) == 1 and keys[0] >= 0:
            return [m for m in self._moves if not m.raw.is_pass and m.raw.key[1] == keys[0]]
        if len(keys) == 2:
            return [m for m in self._moves if not m.raw.is_pass and m.raw.key == (keys[0], keys[1])]
        return [m for m in self._moves if self._is_coordinates(m, wanted.casefold())]

    def _is_coordinates(self, move: Move, wanted: str) -> bool:
        """Whether a move is `e2e4`, or `e7e8q` where the man becomes a Queen."""
        places = self.game.program.game.board.places
        start, end = move.raw.key
        if start < 0 or end < 0 or move.raw.is_pass:
            return False
        rest = wanted.removeprefix(f"{places[start].name}{places[end].name}".casefold())
        return rest != wanted and (not rest or self.short(move).casefold().endswith(f"={rest}"))

    def play(self, move: Move | str) -> Position:
        """
        The position after a legal move, given as itself or in notation.

        :raises ZrfError: if the move isn't legal here.
        """
        found = self.find(move) if isinstance(move, str) else move
        return Position(self.game, self.game.engine.after(self.state, found.raw), self, found)

    def edited(self, line: str) -> Position:
        """The position with one change, such as `(x a1)` or `(White King a1)`: see `play/edits.py`."""
        return Position(self.game, edited(self.game.program, self.state, line), self, None, " ".join(line.split()))

    def at(self, state: run.Position) -> Position:
        """Another state in the place of this one in its game: for those who correct a record."""
        return Position(self.game, state, self.previous, self.move, self.change)

    def outcome(self) -> Outcome | None:
        """How the game has ended here; None while it goes on."""
        raw = self.game.engine.outcome(self.state, self.repetitions)
        if raw is None:
            return None
        players = self.game.program.game.players
        return Outcome(tuple(players[p].name for p in raw.winners), tuple(players[p].name for p in raw.losers),
                       raw.reason, self.scores(), reason_of(self.game.program, self.state, raw))

    def scores(self) -> tuple[tuple[str, int], ...]:
        """What the position is worth to each player, where the rules name a score (ZRF+)."""
        program = self.game.program
        if program.game.score is None:
            return ()
        return tuple((p.name, goals.score(program, self.state, i)) for i, p in enumerate(program.game.players)
                     if p.kind == "player")

    @cached_property
    def repetitions(self) -> int:
        """How often this position has occurred in the game, now included."""
        if self.state.chain is not None:
            return 1
        return self._counted().times[self.state.key()]

    def _counted(self) -> _Met:
        """What has occurred until here: that of the latest position before for which it is known, and what came since.

        The count is handed on, so that along a game each position is counted once.
        """
        met, since = _Met(Counter()), []
        for position in self.line():
            if position._met is not None and position._met.last is position:
                met = position._met
                break
            since.append(position)
        for position in reversed(since):
            met.times[position.state.key()] += 1
        met.last, self._met = self, met
        return met

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

    def svg(self, **options: Any) -> str:
        """The board as SVG; `options` are those of `zrf_py.view.scene.scene`, such as `overlays=("zones",)`."""
        from zrf_py.view.scene import scene  # the one import against the current: the public API can show itself
        from zrf_py.view.svg import svg

        return svg(scene(self, **options))

    def _repr_svg_(self) -> str:
        """What Jupyter shows."""
        return self.svg()

    def pieces(self) -> dict[str, tuple[str, str]]:
        """Square name → (player, piece type) for every piece on the board."""
        game, s = self.game.program.game, self.state
        return {
            place.name: (game.players[s.owner[i]].name, game.pieces[s.piece[i]].name)
            for i, place in enumerate(game.board.places) if s.owner[i] != run.NOBODY
        }


def _same_effect(moves: list[Move]) -> bool:
    """Two blocks may generate one and the same move."""
    first = moves[0].raw
    return all((m.raw.movements, m.raw.effects, m.raw.captures, m.raw.partial) ==
               (first.movements, first.effects, first.captures, first.partial) for m in moves)


__all__ = ["Game", "Move", "Outcome", "Position", "check", "load", "loads"]
