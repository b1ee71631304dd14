"""Pictures of the board at the start, of zones, and of moves that the interpreter generates."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from zrf_py.author.words.document import Picture
from zrf_py.author.words.regions import TINTS
from zrf_py.ir.ops import Program
from zrf_py.play.game import Game, Position
from zrf_py.run import position as run
from zrf_py.run.interpret import RulesFault, generate_from
from zrf_py.run.position import NOBODY
from zrf_py.view import layout, symbols, xml
from zrf_py.view.scene import Scene, scene
from zrf_py.view.svg import Style, svg

MAX_SQUARES = 400
"""Maximum number of squares on which a piece is tried, and of squares on which a lone enemy is tried."""
PLIES = 60
"""Maximum length in plies of the sample game, which shows moves that a lone piece does not have."""
TAKES = "#b3261e"
MARKS = '<g class="layer" data-layer="marks">'
"""The layer of the SVG below which zones are tinted."""
TINTED = 0.86
"""Side of the tinted part of a square, as a share of the square's side."""


def kinds_that_come(program: Program) -> list[int]:
    """Return the move types that turns or later legs require; [-1] if any type may occur."""
    legs = [op.b for op in program.ops if op.is_partial]
    kinds = {turn.move_type for turn in program.game.turns} | set(legs)
    return [-1] if min(kinds, default=-1) < 0 else sorted(kinds)


class Pictures:
    """Pictures of one game."""

    def __init__(self, game: Game) -> None:
        self.game, self.program = game, game.program
        self.kinds = kinds_that_come(game.program)
        self.first = game.start()
        drawn = scene(self.first, bitmaps=False)
        self._board, self._places = drawn.board, {place.index: place for place in drawn.places}
        self.shown = [*self._places]
        self.symbols = symbols.PieceSymbols(self.program.game)
        self.layout = layout.make_layout(self.program.game.board, self.symbols.width, 78)
        self._played: list[Position] | None = None
        self._count = 0

    def _drawn(self, drawn: Scene) -> str:
        """Render a scene as SVG, with ids unique on the page."""
        self._count += 1
        return svg(drawn, style=Style(prefix=f"w{self._count}-", paper=""))

    def board(self, caption: str, tints: Mapping[int, Sequence[int]]) -> Picture:
        """Draw the board with the start position; `tints` as in `_tinted`."""
        return Picture(self._tinted(self.first, tints), self.text(self.first.state), caption)

    def zone(self, squares: Collection[int], caption: str, tints: Mapping[int, Sequence[int]]) -> Picture:
        """Draw the empty board: the text marks `squares`, the SVG has colours instead (`tints` as in `_tinted`)."""
        position = self.first.at(self.empty())
        text = self.text(position.state, squares)
        return Picture(self._tinted(position, tints), text, caption, quiet=tuple(sorted(squares)))

    def _tinted(self, position: Position, tints: Mapping[int, Sequence[int]]) -> str:
        """Render a position as SVG with a stripe for each colour of a square; `tints`: numbers of colours by square."""
        drawn = scene(position, last_move=(), bitmaps=False)
        stripes = (xml.attributes(x=p.x + (n / len(some) - 0.5) * TINTED * p.room, y=p.y - 0.5 * TINTED * p.room,
                                  width=TINTED * p.room / len(some), height=TINTED * p.room, fill=TINTS[number])
                   for p in drawn.places for some in [tints.get(p.index, ())] for n, number in enumerate(some))
        tinted = "".join(f"<rect {stripe}/>" for stripe in stripes)
        layer = f'<g class="tints" opacity="0.7">{tinted}</g>' if tinted else ""
        return self._drawn(drawn).replace(MARKS, layer + MARKS)

    def moves(self, side: int, kind: int, caption: str) -> Picture | None:
        """Draw the moves of a lone piece from the square near the middle with the most moves; None if it has none."""
        start, quiet = self.best(side, kind)
        takes = self.takes(side, kind, start) if start >= 0 else ()
        if not (quiet or takes):
            return None
        position = self.first.at(self.with_man(self.empty(), start, side, kind))
        drawn = scene(position, last_move=(), targets=quiet, bitmaps=False)
        picture = self._drawn(drawn).replace("</svg>", _rings(drawn, takes) + "</svg>")
        return Picture(picture, self.text(position.state, quiet, takes), caption, start, quiet, takes)

    def best(self, side: int, kind: int, tries: int = MAX_SQUARES) -> tuple[int, tuple[int, ...]]:
        """Return the square from which a lone piece has the most moves (on a tie, the one nearest the middle), and
        their ends; (-1, ()) if a block runs forever from each square. Only the `tries` most central ones are tried."""
        near = [len(self.program.neighbours[square]) for square in self.shown]
        inside = (square for square, count in zip(self.shown, near, strict=True) if 2 * count >= max(near))
        squares = sorted(inside, key=self._off_middle)[:tries]  # without places off the board
        candidates = [(len(quiet), -self._off_middle(square), square, quiet) for square in squares
                      if (quiet := self.quiet(side, kind, square)) is not None]
        return max(candidates)[2:] if candidates else (-1, ())

    def in_play(self, kind: int, caption: str) -> Picture | None:
        """Draw the position of the sample game in which a piece of a type has the most moves; None if it has none."""
        best: tuple[int, int, Position] | None = None
        for position in self._game():
            ends: dict[int, set[int]] = {}
            for move in position.moves():
                start = move.raw.key[0]
                if start >= 0 and not move.raw.is_pass and position.state.piece[start] == kind:
                    ends.setdefault(start, set()).add(move.raw.key[1])
            for start, targets in ends.items():
                if start in self.shown and targets != {start} and (best is None or len(targets) > best[0]):
                    best = len(targets), start, position
        if best is None:
            return None
        _, start, position = best
        ends_of = tuple(sorted({m.raw.key[1] for m in position.moves() if m.raw.key[0] == start}))
        drawn = scene(position, last_move=[(start, -1)], targets=ends_of, bitmaps=False)
        return Picture(self._drawn(drawn), self.text(position.state, ends_of, (), start), caption, start, ends_of)

    def _game(self) -> list[Position]:
        """Return the positions of the sample game, which is always the same."""
        if self._played is None:
            position, self._played = self.first, []
            for ply in range(PLIES):
                moves = position.moves() if position.outcome() is None else []
                if not moves:
                    break
                self._played.append(position)
                position = position.play(moves[(ply * 7919 + ply * ply) % len(moves)])
        return self._played

    def quiet(self, side: int, kind: int, start: int) -> tuple[int, ...] | None:
        """Return the squares that a lone piece may go to; None if a block never ends."""
        try:
            moves = self.generated(self.with_man(self.empty(), start, side, kind), side, start)
        except RulesFault:
            return None
        return tuple(sorted({move.end for move in moves if move.end != start}))

    def takes(self, side: int, kind: int, start: int) -> tuple[int, ...]:
        """Return the squares on which a piece could take the only other piece, an enemy; () if a block never ends."""
        alone = self.with_man(self.empty(), start, side, kind)
        try:
            return self.captured(alone, side, start, self.shown[:MAX_SQUARES])
        except RulesFault:
            return ()

    def captured(self, state: run.Position, side: int, start: int, squares: Iterable[int]) -> tuple[int, ...]:
        """Return those empty `squares` on which a lone enemy could be taken; () if there is no other player.

        :raises RulesFault: if a block never ends.
        """
        enemies = [n for n, p in enumerate(self.program.game.players) if n != side and p.kind == "player"]
        captures = []
        for square in squares if enemies else ():
            if state.owner[square] == NOBODY:
                with_enemy = self.with_man(state, square, enemies[0], self._common(enemies[0], state.piece[start]))
                moves = self.generated(with_enemy, side, start)
                if any(run.play(self.program, with_enemy, move).owner.count(enemies[0]) == 0 for move in moves):
                    captures.append(square)
        return tuple(captures)

    def generated(self, state: run.Position, side: int, start: int) -> list[run.Move]:
        """Return the moves that begin on `start` and move a piece, except those after which the turn must go on.

        :raises RulesFault: if a block never ends.
        """
        moves = [move for kind in self.kinds for move in generate_from(self.program, state, side, start, kind)]
        # a lone piece can't continue a turn: leave out moves that require it
        return [m for m in moves if not m.is_pass and not m.must and m.movements and m.key[0] == start]

    def _common(self, player: int, other: int) -> int:
        kinds = [kind for owner, kind, _ in self.program.game.setup if owner == player]
        return max(set(kinds), key=lambda kind: (kinds.count(kind), -kind)) if kinds else other

    def _off_middle(self, square: int) -> float:
        left, top, width, height = self._board
        place = self._places[square]
        return abs(place.x - left - width / 2) + abs(place.y - top - height / 2)

    def empty(self) -> run.Position:
        """Return the start position without pieces."""
        return self.first.state.emptied()

    def with_man(self, state: run.Position, square: int, player: int, kind: int) -> run.Position:
        """Return a state with one more piece, with its initial attributes."""
        return state.with_pieces((square, player, kind, self.program.game.pieces[kind].attributes))

    def text(self, state: run.Position, quiet: Collection[int] = (), takes: Collection[int] = (),
             start: int = -1) -> str:
        """Draw a board as text: `*` a square to go to, `x` one where an enemy can be taken, `X` both, `<` the start."""
        plan = self.layout
        left = max(map(len, plan.line_labels), default=0)
        lines = [[" "] * (max(plan.xs, default=0) + left + 4 + self.symbols.width) for _ in (*plan.gaps, "labels")]
        for place, (row, column) in plan.cells.items():
            mark = "*x"[place in takes] if place in quiet or place in takes else "."
            if place in quiet and place in takes:
                mark = "X"
            owner = state.owner[place]
            text = mark if owner == NOBODY else self.symbols.symbol(owner, state.piece[place])
            if owner != NOBODY and (place in quiet or place in takes or place == start):
                text = f"{text}{'<' if place == start else mark}"
            x = plan.xs[column] + left + 2
            lines[row][x:x + len(text)] = list(text)
        for row, label in enumerate(plan.line_labels):
            lines[row][: left] = list(label.rjust(left))
        for x, label in zip(plan.xs, plan.column_labels, strict=True):
            lines[-1][x + left + 2:x + left + 2 + len(label)] = list(label)
        return "\n".join("".join(line).rstrip() for line in lines).rstrip("\n")


def _rings(drawn: Scene, squares: Iterable[int]) -> str:
    """Return rings around squares, as SVG."""
    places = {place.index: place for place in drawn.places}
    circles = (xml.attributes(cx=p.x, cy=p.y, r=0.34 * p.room, fill="none", stroke=TAKES, stroke_width=0.07 * p.room)
               for p in (places[square] for square in squares))
    rings = [f"<circle {circle}/>" for circle in circles]
    return f'<g class="takes">{"".join(rings)}</g>' if rings else ""
