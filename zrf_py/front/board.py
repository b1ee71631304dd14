"""Semantic analysis of a board: its syntax tree in, a `model.Board` with tables of numbers out.

Reports: unknown-position, unknown-direction, unknown-player, incomplete, bad-grid, board-too-large, defined-twice.
Order of work: first all positions, since links may name one that is declared further down; then links in file order;
then zones, symmetries and measures; `kill-positions` last, as in Zillions.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise, product
from math import prod

from zrf_py.front import syntax
from zrf_py.front.model import OFF, Board, Place
from zrf_py.front.names import look_up, unknown, warn_of_doubles
from zrf_py.front.nodes import Atom
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin, Span
from zrf_py.text.suggest import ALIKE, clipped

MAX_POSITIONS = 20_000
MAX_LINKS = 1_000_000
MAX_TABLE = 20_000_000
"""Maximum number of directions times positions: every direction has a table of all positions."""
Rectangle = tuple[int, int, int, int]


def check_board(tree: syntax.Board | None, players: Mapping[str, int], report: Report) -> Board:
    """Build the tables of a board section (None: a board without positions)."""
    builder = _BoardBuilder(players, report)
    items = tree.items if tree else ()
    builder.collect(items)
    for number, item in enumerate(items):
        builder.add(number, item)
    return builder.finish()


def removed_names(tree: syntax.Board | None) -> dict[str, Span]:
    """Return the names listed in `kill-positions`, with their locations in the file."""
    lists = [item.names for item in tree.items if isinstance(item, syntax.Names) and item.word == "kill-positions"
             ] if tree else []
    return {name.text: name.origin.span for names in lists for name in names}


class _BoardBuilder:
    def __init__(self, players: Mapping[str, int], report: Report) -> None:
        self.players = players
        self.report = report
        self.places: list[Place] = []
        self.origins: list[Origin] = []
        """Location in the file of each position's declaration."""
        self.positions: dict[str, int] = {}
        """Position by name; if several share it, the last one declared up to the current item, else the first."""
        self.declared: dict[int, dict[str, int]] = {}
        """Positions that each item declares, by name."""
        self.cells: dict[int, dict[tuple[int, ...], int]] = {}
        """Positions of each grid (by item number), by their indexes along its dimensions."""
        self.directions: dict[str, int] = {}
        self.links: list[dict[int, int]] = []
        self.items: Sequence[syntax.BoardItem] = ()
        self.symmetry: list[dict[int, int]] = [{} for _ in players]
        self.zones: dict[str, list[list[int]]] = {}
        self.killed: set[int] = set()
        self.unlinked: set[int] = set()
        self.cells_linked = 0
        self.kill_names: list[Atom] = []
        self.alive: dict[str, list[int]] = {}
        self.images: list[str] = []
        self.measures: dict[str, list[dict[int, int]]] = {}
        self.later: list[syntax.Zone | syntax.Symmetry | syntax.Measure] = []

    def collect(self, items: Sequence[syntax.BoardItem]) -> None:
        """Declare the positions of all items."""
        self.items = items
        for number, item in enumerate(items):
            first = len(self.places)
            match item:
                case syntax.Grid():
                    self._grid(number, item)
                case syntax.Positions():
                    for name, rectangle in item.items:
                        self._place(name.text, rectangle, name.origin)
                case syntax.Names(word="dummy"):
                    self._dummies(item)
            self.declared[number] = {self.places[i].name: i for i in range(first, len(self.places))}
        for index, place in reversed(list(enumerate(self.places))):
            self.positions[place.name] = index

    def add(self, number: int, item: syntax.BoardItem) -> None:
        """Process one item of the section, after `collect`."""
        self.positions.update(self.declared[number])
        if not isinstance(item, syntax.Unlink):
            self._cut()
        match item:
            case syntax.Image():
                self.images.extend(a.text for a in item.items)
            case syntax.Grid():
                for name, offset in item.directions if number in self.cells else ():
                    self._grid_direction(name, offset, self.cells[number], len(item.dimensions))
            case syntax.Links():
                self._links(item)
            case syntax.Unlink():
                self._unlink(item)
            case syntax.Names(word="kill-positions"):
                self.kill_names.extend(item.names)
            case syntax.Zone() | syntax.Symmetry() | syntax.Measure():
                self.later.append(item)

    def finish(self) -> Board:
        """Process zones, measures and symmetries, which may name later items; remove killed positions; make tables."""
        self._cut()
        for item in self.later:
            if isinstance(item, syntax.Zone):
                self._zone(item)
            elif isinstance(item, syntax.Measure):
                self._measure(item)
            else:
                self._symmetry(item)
        for index, place in enumerate(self.places):
            self.alive.setdefault(place.name, []).append(index)
        for name in self.kill_names:
            self._kill(name)
        return self._tables()

    def _place(self, name: str, rectangle: Rectangle, origin: Origin, dummy: bool = False) -> int:
        self.positions[name] = len(self.places)
        self.origins.append(origin)
        self.places.append(Place(name, rectangle, dummy))
        return len(self.places) - 1

    def _grid(self, number: int, grid: syntax.Grid) -> None:
        labels = [_labels(a.text) for a, _ in grid.dimensions]
        for (atom, _), column in zip(grid.dimensions, labels, strict=True):
            warn_of_doubles("label", column, atom.origin, self.report)
            if len(column) > 1 and "/" not in atom.text:
                self.report.add("bad-grid", "labels must be separated by `/`", atom.origin,
                                help=f'write `"{"/".join(column)}"`')
            likely = [label.translate(ALIKE) for label in column]
            odd = [at for at, label in enumerate(column) if label != likely[at]]
            if len(odd) == 1 < len(column) and "".join(likely).isdigit() and likely[odd[0]] not in column:
                self.report.add("bad-grid", f"label `{column[odd[0]]}` is a letter among numbers", atom.origin,
                                severity="warning", help=f"write `{likely[odd[0]]}`")
            longer, run = [label for label in column if len(label) > 1], "".join(column)
            if len(longer) == 1 < len(column) and all(abs(ord(a) - ord(b)) == 1 for a, b in pairwise(run)):
                self.report.add("bad-grid", f"label `{longer[0]}` looks like several labels", atom.origin,
                                severity="warning", help=f"write `{'/'.join(longer[0])}`")
        for at, (direction, _) in enumerate(grid.directions):
            if direction.text in [earlier.text for earlier, _ in grid.directions[:at]]:
                warn_of_doubles("direction", [direction.text] * 2, direction.origin, self.report)
        size = prod(len(column) for column in labels)
        if not labels or size + len(self.places) > MAX_POSITIONS:
            self._bad_size(grid, size if labels else 0)
            return
        steps = [(*step, 0, 0)[:2] for _, step in grid.dimensions]
        left, top, right, bottom = grid.rectangle or (0, 0, 0, 0)
        cells = self.cells[number] = {}
        for cell in product(*(range(len(column)) for column in labels)):
            dx = sum(i * s[0] for i, s in zip(cell, steps, strict=True))
            dy = sum(i * s[1] for i, s in zip(cell, steps, strict=True))
            name = "".join(labels[d][i] for d, i in enumerate(cell))
            cells[cell] = self._place(name, (left + dx, top + dy, right + dx, bottom + dy), grid.origin)

    def _bad_size(self, grid: syntax.Grid, size: int) -> None:
        if size:
            self.report.add("board-too-large", f"this grid has {size:,} positions", grid.origin,
                            help=f"a board can have at most {MAX_POSITIONS:,} positions")
        else:
            self.report.add("bad-grid", "this grid has no `dimensions`", grid.origin)

    def _grid_direction(self, name: Atom, offset: tuple[int, ...], cells: dict[tuple[int, ...], int], n: int) -> None:
        if len(offset) != n:
            self.report.add(
                "bad-grid", f"direction `{name.text}` must have one number for each dimension ({n}), not {len(offset)}",
                name.origin, help=f"give one number for each dimension, such as `({name.text}{' 1' * n})`",
            )
            self.report.unread.add(("direction", name.text))
            return
        self.cells_linked += len(cells)
        if self.cells_linked > MAX_LINKS:
            self.report.give_up("board-too-large", f"the grids of this board create more than {MAX_LINKS:,} links",
                                name.origin)
        table = self.links[self._direction(name.text)]
        for cell, position in cells.items():
            target = cells.get(tuple(a + b for a, b in zip(cell, offset, strict=True)))
            if target is not None:  # a direction of zero steps links each position to itself
                table[position] = target

    def _dummies(self, item: syntax.Names) -> None:
        for name in item.names:
            if name.text in self.positions:
                index = self.positions[name.text]
                self.places[index] = replace(self.places[index], dummy=True)
            else:
                self._place(name.text, (0, 0, 0, 0), name.origin, dummy=True)

    def _kill(self, name: Atom) -> None:
        """Remove a position with this name; if several have it, the first of those left."""
        left = self.alive.get(name.text)
        if left:
            self.killed.add(left.pop(0))
        elif left is None:
            unknown(self.positions, name, "position", self.report)

    def _direction(self, name: str) -> int:
        if name not in self.directions:
            self.directions[name] = len(self.directions)
            self.links.append({})
        return self.directions[name]

    def _links(self, item: syntax.Links) -> None:
        table = self.links[self._direction(item.direction.text)]
        for start, end in item.pairs:
            # An unknown position is only a warning: the rest of the board is sound, and old files must stay playable.
            a, b = (look_up(self.positions, name, "position", self.report, severity="warning",
                            help="" if name.text in self.positions else self._reverse(item, name, start, end))
                    for name in (start, end))
            if a >= 0 and b >= 0:
                table[a] = b

    def _reverse(self, item: syntax.Links, name: Atom, start: Atom, end: Atom) -> str:
        """Return the hint that the links of the opposite direction give for an unknown end of a link, or ""."""
        pairs = {(a.text, b.text) for a, b in item.pairs}
        for other in (other for other in self.items if isinstance(other, syntax.Links)):
            back = {(b.text, a.text) for a, b in other.pairs}
            meant = [a for a, b in back if b == end.text] if name is start else [b for a, b in back if a == start.text]
            if len(meant) == 1 and 2 * len(pairs & back) >= len(pairs) and meant[0] in self.positions:
                return f"did you mean `{meant[0]}`? the links `{other.direction.text}` lead back from there"
        return ""

    def _unlink(self, item: syntax.Unlink) -> None:
        for names in item.items:
            first = look_up(self.positions, names[0], "position", self.report)
            if len(names) == 1:
                self.unlinked.add(first)
            elif names[1].text in self.positions:
                second = self.positions[names[1].text]
                for table in self.links:
                    for a, b in ((first, second), (second, first)):
                        if table.get(a) == b:
                            del table[a]
            else:
                direction = look_up(self.directions, names[1], "direction", self.report, self.positions)
                if direction >= 0:
                    self.links[direction].pop(first, None)

    def _cut(self) -> None:
        """Remove all links of the positions that `unlink` names without a second name, in one pass over all links."""
        if self.unlinked:
            for number, table in enumerate(self.links):
                self.links[number] = {
                    a: b for a, b in table.items() if a not in self.unlinked and b not in self.unlinked}
            self.unlinked = set()

    def _zone(self, item: syntax.Zone) -> None:
        if item.name is None:
            self.report.add("incomplete", "this zone has no name", item.origin)
            return
        sides = self.zones.setdefault(item.name.text, [[] for _ in self.players])
        positions = [look_up(self.positions, p, "position", self.report) for p in item.positions]
        for player in item.players:
            number = look_up(self.players, player, "player", self.report)
            if number >= 0:
                sides[number].extend(p for p in positions if p >= 0 and p not in sides[number])

    def _measure(self, item: syntax.Measure) -> None:
        if item.name is None:
            self.report.add("incomplete", "this measure has no name", item.origin)
            return
        sides = self.measures.setdefault(item.name.text, [{} for _ in self.players])
        players = [look_up(self.players, player, "player", self.report) for player in item.players]
        for value, names in item.values:
            for name in names:
                position = look_up(self.positions, name, "position", self.report)
                for player in players:
                    if position >= 0 and player >= 0:
                        sides[player][position] = value

    def _symmetry(self, item: syntax.Symmetry) -> None:
        player = look_up(self.players, item.player, "player", self.report)
        for written, used in item.pairs:
            a = look_up(self.directions, written, "direction", self.report)
            b = look_up(self.directions, used, "direction", self.report)
            if player >= 0 and a >= 0 and b >= 0:
                self.symmetry[player][a] = b

    def _rename_doubles(self, alive: Sequence[int]) -> None:
        """Rename each position that shares its name with a later one (`a1` becomes `a1~1`): in the rules, `a1` means
        the last one. Old files must stay playable."""
        last = {self.places[i].name: i for i in alive}
        for i in alive:
            name = self.places[i].name
            if (other := last[name]) != i:
                new = next(free for n in count(1) if (free := f"{name}~{n}") not in last)
                last[new] = i
                self.places[i] = replace(self.places[i], name=new)
                if self.origins[i] is not self.origins[other]:  # within a grid, a repeated label was reported
                    self.report.add("defined-twice", f"two positions have the name `{clipped(name)}`",
                                    self.origins[other], severity="warning", label=f"`{clipped(name)}` names this one",
                                    help=f"the other is now called `{clipped(new)}`: rename one of them")

    def _tables(self) -> Board:
        alive = [i for i in range(len(self.places)) if i not in self.killed]
        self._rename_doubles(alive)
        number = {old: new for new, old in enumerate(alive)}
        if len(self.links) * len(alive) > MAX_TABLE:
            self.report.give_up("board-too-large", f"this board has {len(self.links):,} directions, too many for its "
                                f"{len(alive):,} positions", None)
        links, reverse = [], []
        for table in self.links:
            forward, backward = [OFF] * len(alive), [OFF] * len(alive)
            for a, b in sorted(table.items()):
                if a in number and b in number:
                    forward[number[a]] = number[b]
                    if backward[number[b]] == OFF:
                        backward[number[b]] = number[a]
            links.append(tuple(forward))
            reverse.append(tuple(backward))
        zones = tuple(
            tuple(tuple(number[p] for p in side if p in number) for side in sides) for sides in self.zones.values()
        )
        measures = tuple(
            tuple({number[p]: value for p, value in side.items() if p in number} for side in sides)
            for sides in self.measures.values()
        )
        symmetry = tuple(tuple(side.get(d, d) for d in range(len(links))) for side in self.symmetry)
        return Board(
            tuple(self.places[i] for i in alive), tuple(self.directions), tuple(links), tuple(reverse), symmetry,
            tuple(self.zones), zones, tuple(self.images), measures, tuple(self.measures),
        )


def _labels(text: str) -> list[str]:
    """Split the labels of a dimension at slashes, else at commas and spaces; a run such as `abcd` into its letters."""
    if "/" not in text and len(text) > 3 and all(abs(ord(a) - ord(b)) == 1 for a, b in pairwise(text)):
        return list(text)
    return text.split("/") if "/" in text else re.split("[, ]+", text.strip())
