"""Semantic analysis: syntax tree in, one checked `model.Game` per `game` and `variant` of the file out.

A variant starts as a copy of the game. Each of its sections replaces the game's section of the same kind; its pieces
and options replace those of the same name; if it has any end condition, it inherits none.

Reports missing, repeated and unknown names and sections, unknown versions, options and values, pieces placed on one
square, engine DLLs, and numbers and games that are too large. Names in move code are left to `ir/lower.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from zrf_py.data import data_text
from zrf_py.front import model, syntax
from zrf_py.front.board import check_board, removed_names
from zrf_py.front.cures import SIGNS
from zrf_py.front.names import look_up, unknown, warn_of_doubles
from zrf_py.front.nodes import NUMBER, Atom
from zrf_py.front.numbers import compare, number
from zrf_py.front.sections import Sections, check_sections, images_of
from zrf_py.text.diagnostics import WHOLE_FILE, Report
from zrf_py.text.numbers import LARGEST, whole_number
from zrf_py.text.source import Origin
from zrf_py.text.suggest import did_you_mean, listing, suggest

OPTIONS = data_text("front/options.txt").splitlines()
VALUES = ("true", "false", "default", "forced")
PLUS_VALUES = {"recycle captures": ("captor",), "repetition": ("none", *model.REPETITIONS)}
"""Additional values of options in ZRF+."""
PLUS_OPTIONS = ("repetition",)  # values: "default" and those in `PLUS_VALUES`
_IN_TURN = "for positions, write `absolute-config`; for a line of pieces, `(relative-config Man n Man n Man)`"
MAX_ATTRIBUTES = 60
MAX_SIZE = 1_000_000
"""Limit on the sum of `_size` over the games of a file; the largest known file has 210,000."""
_Boards = dict[tuple[object, tuple[str, ...]], tuple[model.Board, frozenset[int]]]
"""Checked boards and their errors, by board section and list of players."""
_Routines = dict[tuple[int, str], tuple[model.Routine, ...]]
"""Blocks of pieces, by the identity of the piece's tree and the word `moves` or `drops`."""
KNOWN_VERSIONS = ("1.0", "1.1", "1.2", "1.3", "2.0", "2.0.1", "3.0", "zrf+")


def check(tree: syntax.FileTree, report: Report) -> list[model.Game]:
    """Return the games of a file, then its variants, each in file order; separators (title "-") are left out."""
    bases = [g for g in tree.games if g.word == "game"]
    variants = [g for g in tree.games if g.word == "variant"]
    if not bases:
        if not report.errors:
            report.add("missing-game", "this file has no `(game …)`", None)
        return []
    plus = tree.version.lower().startswith("zrf+")
    if tree.version and not plus and not tree.version.startswith(("1.", "2.", "3.")):
        report.add("unknown-version", f'version "{tree.version}" of the language is unknown', None, severity="warning",
                   help=f"known versions: {', '.join(KNOWN_VERSIONS)}")
    base = Sections().overlaid(bases[0])
    shared = _Shared()
    games: list[model.Game] = []
    size = 0
    for game in [*bases, *variants]:
        below = base if game.word == "variant" else Sections()
        sections = base if game is bases[0] else below.overlaid(game)
        if sections.title(game) == "-":
            continue
        report.part = game.number
        check_sections(game, report)
        checker = _GameChecker(sections, game, dict(tree.translations), shared, report, plus)
        games.append(replace(checker.check(), plus=plus, number=game.number))
        size += _size(games[-1])
        if size > MAX_SIZE:
            report.give_up("too-large", f"the first {len(games)} games of this file are too large in total",
                           game.origin, help="use fewer variants, players, pieces or positions")
    report.part = WHOLE_FILE
    return games


def values_of(option: str) -> tuple[str, ...]:
    """Return the values of an option in ZRF+; the options of Zillions also accept any number."""
    return ("default", *PLUS_VALUES[option]) if option in PLUS_OPTIONS else (*VALUES, *PLUS_VALUES.get(option, ()))


def _size(game: model.Game) -> int:
    """Estimate the size of a game's tables (players × piece types, positions × directions), in entries."""
    board = game.board
    links = 3 * len(board.places) * (1 + len(board.directions))
    return 50 + (10 + len(game.players)) * (1 + len(game.pieces)) + links


@dataclass(frozen=True)
class _Shared:
    """Memo shared by the games of one file: inherited boards and pieces are checked once."""

    boards: _Boards = field(default_factory=dict)
    move_types: dict[str, int] = field(default_factory=dict)
    routines: _Routines = field(default_factory=dict)


class _GameChecker:
    """Checks one game or variant."""

    def __init__(
        self,
        sections: Sections,
        game: syntax.GameTree,
        translations: dict[str, str],
        shared: _Shared,
        report: Report,
        plus: bool,
    ) -> None:
        self.sections = sections
        self.game = game
        self.translations = translations
        self.shared = shared
        self.report = report
        names = [a.text for a in sections.players.names] if sections.players else []
        if sections.players:
            warn_of_doubles("player", names, sections.players.origin, report)
        self.players: dict[str, int] = {}
        """Number by name. A repeated name is one more player (`name~2`), who never moves and matters only to `flip`."""
        for i, name in enumerate(names):
            self.players[f"{name}~{i + 1}" if name in self.players else name] = i
        self.pieces = {name: i for i, name in enumerate(sections.pieces)}
        self.attributes: dict[str, int] = {}
        self.places: dict[int, Origin] = {}
        """Location in the file of the first piece that the set-up puts on each position."""
        self.plus = plus

    def check(self) -> model.Game:
        sections = self.sections
        title = sections.title(self.game)
        if not title and not self.report.errors_of(self.game.number):
            self.report.add("missing-title", "this game has no title", self.game.origin, severity="warning")
        if not self.players and not self.report.errors_of(self.game.number):
            self.report.add("missing-players", "this game has no players", self.game.origin)
        board = self._board()
        self.positions = {place.name: i for i, place in enumerate(board.places)}
        self.zones = {name: i for i, name in enumerate(board.zone_names)}
        self.directions = {name: i for i, name in enumerate(board.directions)}
        # Zillions numbers attributes backwards, from the last one of the last piece; saved games show these numbers.
        for piece in reversed(sections.pieces.values()):
            self._attributes(piece)
        pieces = tuple(self._piece(p) for p in sections.pieces.values())
        self.measures = {name: i for i, name in enumerate(board.measure_names)}
        self.counters = {name: i for i, name in enumerate(sections.counters)}
        self.teams = {
            name: tuple(p for a in team.players if (p := self._player(a)) >= 0) for name, team in sections.teams.items()
        }
        self.symbols = model.Symbols(
            self.positions, self.directions, self.players, self.pieces, self.attributes, self.zones, self.measures,
            self.counters, self.teams, self.shared.move_types,
        )
        turns, repeat = self._turns()
        movers = {turn.mover for turn in turns}
        players = tuple(
            model.Player(n, "neutral" if i not in movers else "random" if n.startswith("?") else "player")
            for n, i in self.players.items()
        )
        priorities = tuple(self._move_type(a) for a in sections.priorities.names) if sections.priorities else ()
        setup, stores = self._setup()
        self._options()
        return model.Game(
            title=title or "untitled", board=board, players=players, turns=turns, repeat=repeat, pieces=pieces,
            attributes=tuple(self.attributes), priorities=priorities,
            setup=setup, stores=stores, ends=tuple(self._end(e) for e in sections.ends),
            options=model.Options.of({o.name: o.value for o in sections.options.values()}, self.plus),
            texts={word: "".join(t.values) for word, t in sections.texts.items()},
            translations=self.translations,
            symbols=self.symbols, is_default="default" in sections.texts,
            counters=tuple(model.Counter(c.name.text, c.each, c.start) for c in sections.counters.values()),
            teams=tuple(self.teams.values()),
            score=number(sections.score.number, self.symbols, self.report) if sections.score else None,
            lowest_wins=bool(sections.score and sections.score.lowest),
        )

    def _board(self) -> model.Board:
        key = (self.sections.board, tuple(self.players))
        self.report.removed[self.game.number] = removed_names(self.sections.board)
        if key in self.shared.boards:
            board, errors = self.shared.boards[key]
            self.report.log_errors(errors)
            return board
        mark = len(self.report.error_log)
        board = check_board(self.sections.board, self.players, self.report)
        self.shared.boards[key] = board, self.report.errors_since(mark)
        return board

    def _player(self, name: Atom, help: str = "") -> int:
        repeat = "write `repeat` without parentheses, before the first turn that comes again"
        return look_up(self.players, name, "player", self.report, help=repeat if name.text == "repeat" else help)

    def _move_type(self, name: Atom) -> int:
        return self.shared.move_types.setdefault(name.text, len(self.shared.move_types))

    def _turns(self) -> tuple[tuple[model.Turn, ...], int]:
        tree = self.sections.turns
        if tree is None:
            order = [i for name, i in self.players.items() if not name.startswith("?")]
            return tuple(model.Turn(i, i, -1) for i in order), 0
        turns: list[model.Turn] = []
        repeat = 0
        for entry in tree.turns:
            names = entry.names
            if len(names) == 1 and names[0].text == "repeat" and "repeat" not in self.players:
                repeat = len(turns)
            elif names and (turn := self._turn(entry)):
                turns.append(turn)
        if not turns and self.players and not self.report.errors_of(self.game.number):
            self.report.add("missing-turns", "this turn order has no turns", tree.origin)
        return tuple(turns), repeat if repeat < len(turns) else 0

    def _turn(self, entry: syntax.Turn) -> model.Turn | None:
        names = entry.names
        mover = self._player(names[0])
        side, move_type = mover, -1
        rest = list(names[1:])
        if rest and rest[0].text in self.players:
            side = self.players[rest.pop(0).text]
        if rest:
            move_type = self._move_type(rest[0])
        guards = tuple(self._goal(goal) for goal in entry.when)
        return model.Turn(mover, side, move_type, guards) if mover >= 0 else None

    def _attributes(self, tree: syntax.Piece) -> None:
        for attribute in reversed(tree.attributes):
            number = self.attributes.setdefault(attribute.name.text, len(self.attributes))
            if number >= MAX_ATTRIBUTES:
                self.report.add("too-many-attributes", f"more than {MAX_ATTRIBUTES} attributes", attribute.name.origin)

    def _piece(self, tree: syntax.Piece) -> model.Piece:
        texts = {t.word: "".join(t.values) for t in tree.texts}
        mask = sum(1 << self.attributes[name] for name in {a.name.text for a in tree.attributes if a.value})
        name = tree.name.text if tree.name else ""
        return model.Piece(
            name=name, notation=texts.get("notation", name), dummy=tree.dummy, attributes=mask,
            moves=self._routines(tree, "moves"), drops=self._routines(tree, "drops"), help=texts.get("help", ""),
            description=texts.get("description", ""), open=texts.get("open", ""), images=images_of(tree.images),
            origin=tree.origin, captured_as=self._captured_as(tree, name),
        )

    def _captured_as(self, tree: syntax.Piece, name: str) -> int:
        if tree.captured_as is None:
            return self.pieces.get(name, -1)
        return look_up(self.pieces, tree.captured_as, "piece", self.report)

    def _routines(self, tree: syntax.Piece, word: str) -> tuple[model.Routine, ...]:
        routines = self.shared.routines.get((id(tree), word))
        if routines is None:
            routines = self.shared.routines[id(tree), word] = self._read_routines(tree, word)
        return routines

    def _read_routines(self, tree: syntax.Piece, word: str) -> tuple[model.Routine, ...]:
        routines: list[model.Routine] = []
        for code in tree.codes:
            move_type = -1
            for item in code.items if code.word == word else ():
                if isinstance(item, syntax.MoveType):
                    move_type = self._move_type(item.name)
                else:
                    routines.append(model.Routine(move_type, item))
        return tuple(routines)

    def _setup(self) -> tuple[tuple[tuple[int, int, int], ...], tuple[tuple[int, int, int], ...]]:
        placed: dict[int, tuple[int, int, int]] = {}
        stores: list[tuple[int, int, int]] = []
        for owner, placements in self.sections.setup.sides if self.sections.setup else ():
            player = self._player(owner)
            for name, labels in placements:
                piece = look_up(self.pieces, name, "piece", self.report)
                self._place_all(player, piece, list(labels), placed, stores)
        return tuple(placed.values()), tuple(stores)

    def _place_all(
        self, player: int, piece: int, labels: list[Atom], placed: dict[int, tuple[int, int, int]],
        stores: list[tuple[int, int, int]],
    ) -> None:
        while labels:
            label = labels.pop(0)
            if label.text == "off" and label.text not in self.positions:
                if labels and labels[0].kind == NUMBER and not labels[0].text.startswith("-"):
                    stores.append((player, piece, self._store(labels.pop(0))))
                else:
                    self.report.add("incomplete", "`off` must be followed by a number", label.origin,
                                    help="write the number of pieces in the store: `off 10`")
                continue
            position = look_up(self.positions, label, "position", self.report, help="" if label.kind != NUMBER else
                               f"write `off {label.text}` to put this many pieces in the store")
            if position in placed and position >= 0:
                self.report.add("position-taken", f"`{label.text}` holds two pieces at the start", label.origin,
                                severity="warning", related=[(self.places[position].span, "the other piece")],
                                help="remove one of the two" * (placed[position][:2] == (player, piece)))
            self.places.setdefault(position, label.origin)
            if min(position, player, piece) >= 0:
                placed[position] = (player, piece, position)

    def _store(self, number: Atom) -> int:
        """Return the number of pieces in a store, at most `MAX_STORE`; a larger one is reported."""
        if model.MAX_STORE < (count := whole_number(number.text)) <= LARGEST:  # `parse` reports larger ones
            self.report.add("number-too-large", f"`{number.text}` is too many pieces for a store", number.origin,
                            label=f"more than {model.MAX_STORE:,}",
                            help=f"a store holds at most {model.MAX_STORE:,} pieces of one type")
        return min(count, model.MAX_STORE)

    def _options(self) -> None:
        for option in self.sections.options.values():
            if option.name not in OPTIONS:
                guess = suggest(option.name, OPTIONS)
                help = f'did you mean "{guess}"?' if guess else "remove it: it has no effect"
                self.report.add("unknown-option", f'there is no option "{option.name}"', option.origin,
                                severity="warning", help=help)
            elif option.name in PLUS_OPTIONS or (option.value not in VALUES and not option.value.isdigit()):
                self._value(option)
        if engine := self.sections.texts.get("engine"):
            self.report.add("engine-not-run", "this game names an engine DLL of the original program", engine.origin,
                            severity="note")

    def _value(self, option: syntax.Option) -> None:
        """Check a value outside `VALUES`, or any value of an option that only ZRF+ has."""
        is_new = option.name in PLUS_OPTIONS
        values = values_of(option.name) if self.plus else VALUES
        if self.plus and option.value in values:
            return
        if not self.plus and (is_new or option.value in PLUS_VALUES.get(option.name, ())):
            subject = f'"{option.name}" is an option' if is_new else f"`{option.value}` is an option value"
            self.report.add("unknown-value", f"{subject} of ZRF+ only", option.origin, severity="warning")
            return
        values = tuple(value for value in values if value != "forced" or option.name == "pass turn")
        guess = "" if option.value.isdigit() else SIGNS.get(option.value) or suggest(option.value, values)
        choices = listing(values) if len(values) <= 5 else f"{listing(values[:3])} and so on, up to `{values[-1]}`"
        self.report.add("unknown-value", f'`{option.value}` is not a valid value of "{option.name}"', option.origin,
                        severity="warning", help=f"did you mean `{guess}`?" if guess else f"valid values are {choices}")

    def _end(self, tree: syntax.EndCondition) -> model.EndCondition:
        named = {a.text for end in self.sections.ends if end.word == tree.word for a in end.players or ()}
        lone = [name for name in self.players if name not in named]
        strange = [a for a in tree.players or () if a.text not in self.players and not suggest(a.text, self.players)]
        help = f"did you mean `{lone[0]}`? it has no {tree.word}" if strange and len(lone) == 1 else ""
        players = None if tree.players is None else tuple(
            p for a in tree.players if (p := self._player(a, help if a in strange else "")) >= 0)
        remove = look_up(self.zones, tree.remove, "zone", self.report) if tree.remove else -1
        return model.EndCondition(
            tree.word.removesuffix("-condition"), players, self._goal(tree.goal), tree.origin, remove)

    def _goal(self, tree: syntax.GoalTree) -> model.Goal:
        match tree:
            case syntax.GoalLogic():
                return model.AllOf(tree.word, tuple(self._goal(part) for part in tree.parts))
            case syntax.Config(word="relative-config") if tree.places or not tree.occupants:
                place = tree.places[0] if tree.places else Atom(NUMBER, "", tree.origin)
                named = "pieces and directions in turn, not positions" if tree.places else "no piece"
                help = did_you_mean(place.text, self.report.macros, _IN_TURN)
                self.report.add("unexpected", f"`relative-config` names {named}", place.origin, help=help)
                return model.Absolute((), ())
            case syntax.Config(word="absolute-config"):
                return model.Absolute(self._occupants(tree), tuple(self._places(tree.places)))
            case syntax.Config():
                return model.Relative(tuple(self._relative(o) for o in tree.occupants))
            case syntax.Comparison():
                return compare(tree, self.symbols, self.report)
            case syntax.Goal(word="pieces-remaining" | "total-piece-count"):
                piece = look_up(self.pieces, tree.names[0], "piece", self.report) if tree.names else -1
                return model.Count(tree.word == "total-piece-count", tree.number, piece)
            case syntax.Goal(word="captured" | "checkmated"):
                help = "leave out `{}`: the goal applies to the players listed before it"
                return model.Taken(tree.word == "checkmated", tuple(look_up(
                    self.pieces, a, "piece", self.report, help=help.format(a.text) if a.text in self.players else "",
                ) for a in tree.names))
            case syntax.Goal():
                return model.StateGoal(tree.word)

    def _occupants(self, tree: syntax.Config) -> tuple[model.Occupant, ...]:
        """Return the pieces of an absolute configuration; report places among them, which need parentheses."""
        loose = [o.name for o in tree.occupants if o.name.text not in self.pieces
                 and (o.name.text in self.positions or o.name.text in self.zones)]
        if loose:
            unknown(self.pieces, loose[0], "piece", self.report, help="positions and zones need parentheses of "
                    f"their own: `({' '.join(name.text for name in (*loose, *tree.places))})`")
        return tuple(model.Occupant(o.owner, look_up(self.pieces, o.name, "piece", self.report), o.negated)
                     for o in tree.occupants if o.name not in loose)

    def _relative(self, tree: syntax.Occupant) -> model.Occupant | int:
        """Return the item of a relative configuration: a bare name is a direction if there is one, else a piece."""
        if tree.owner == "own" and not tree.negated and tree.name.text in self.directions:
            return self.directions[tree.name.text]
        if tree.name.text not in self.pieces:
            unknown(self.pieces, tree.name, "piece", self.report, self.directions,
                    f"`{tree.name.text}` is neither a piece nor a direction of this game",
                    otherwise=f"directions: {listing(self.directions)}; ")
        return model.Occupant(tree.owner, self.pieces.get(tree.name.text, -1), tree.negated)

    def _places(self, names: Iterable[Atom]) -> Iterable[tuple[bool, int]]:
        for name in names:
            if name.text in self.positions:
                yield False, self.positions[name.text]
            elif name.text in self.zones:
                yield True, self.zones[name.text]
            else:
                unknown(self.positions, name, "position", self.report, self.zones,
                        f"`{name.text}` is neither a position nor a zone of this game")
