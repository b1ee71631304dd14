"""Syntax tree construction: one callback for each rule of grammar/zrf.lark.

For each rule, the parser calls the method of that name with the matched children, including parentheses and keywords:
`c[0]` is usually the opening parenthesis (its `node` is the whole form), `c[1]` the keyword.
"""

from typing import Any

from zrf_py.front import syntax as s
from zrf_py.front.children import Children, Else, Token, atoms, body_of, inner, number, numbers
from zrf_py.front.nodes import Atom


class TreeBuilder:
    """Callbacks of the grammar's rules; see the module's docstring."""

    def version(self, c: Children) -> s.Text:
        return s.Text("version", (c[2].node.text,), c[0].node.origin)

    def translate(self, c: Children) -> list[tuple[str, str]]:
        return inner(c)

    def translation(self, c: Children) -> tuple[str, str]:
        return c[1].node.text, c[2].node.text

    def _game(self, c: Children) -> s.GameTree:
        return s.GameTree(c[1].node.text, tuple(inner(c)), c[1].node.origin)

    game = variant = _game

    def text(self, c: Children) -> s.Text:
        return s.Text(c[1], tuple(a.text for a in atoms(inner(c))), c[0].node.origin)

    piece_text = text

    def _word(self, c: Children) -> str:
        return str(c[0].node.text)

    value = text_word = piece_word = old_option_word = end_word = occupant_word = _word

    def _keyword(self, c: Children) -> Atom:
        atom: Atom = c[0].node
        return atom

    label = bare_word = command_word = go_word = add_word = _keyword
    test_word = named_test_word = attacked_word = flag_word = goal_bare_word = _keyword

    def default(self, c: Children) -> s.Text:
        return s.Text("default", (), c[0].node.origin)

    def option(self, c: Children) -> s.Option:
        return s.Option(c[2].node.text, c[3], c[2].node.origin)

    def old_option(self, c: Children) -> s.Option:
        name, value = c[1].replace("-", " ").replace("off pieces", "off-pieces"), c[2]
        if name == "allow flipping":
            name, value = "prevent flipping", {"true": "false", "false": "true"}.get(value, value)
        return s.Option(name, value, c[0].node.origin)

    def _names(self, c: Children) -> s.Names:
        return s.Names(*self._part(c), c[0].node.origin)

    players = move_priorities = dummy = kill_positions = _names

    def _part(self, c: Children) -> tuple[str, tuple[Any, ...]]:
        return c[1].node.text, tuple(part.node if isinstance(part, Token) else part for part in inner(c))

    dimensions = directions = captured_as = zone_name = zone_players = zone_positions = measure_values = _part

    def turn_order(self, c: Children) -> s.TurnOrder:
        return s.TurnOrder(tuple(inner(c)), c[0].node.origin)

    def turn(self, c: Children) -> s.Turn:
        if isinstance(c[-2] if len(c) > 1 else None, s.Turn):
            return s.Turn(c[-2].names, (c[2], *c[-2].when))
        return s.Turn(atoms(c))

    def board(self, c: Children) -> s.Board:
        return s.Board(tuple(inner(c)), c[0].node.origin)

    def image(self, c: Children) -> s.Image:
        return s.Image(atoms(inner(c)), c[0].node.origin)

    def grid(self, c: Children) -> s.Grid:
        parts = dict(inner(c))
        return s.Grid(parts.get("rectangle"), parts.get("dimensions", ()), parts.get("directions", ()),
                      c[0].node.origin)

    def start_rectangle(self, c: Children) -> tuple[str, Any]:
        return "rectangle", numbers(inner(c))

    def dimension(self, c: Children) -> tuple[Atom, tuple[int, ...]]:
        return c[1].node, numbers(c[3:-2])

    def direction(self, c: Children) -> tuple[Atom, tuple[int, ...]]:
        return c[1].node, numbers(c[2:-1])

    def positions(self, c: Children) -> s.Positions:
        return s.Positions(tuple(inner(c)), c[0].node.origin)

    def position(self, c: Children) -> tuple[Atom, tuple[int, ...]]:
        return c[1], numbers(c[2:-1])

    def pair(self, c: Children) -> tuple[Atom, Atom]:
        return c[1], c[2]

    def links(self, c: Children) -> s.Links:
        return s.Links(c[2].node, tuple(c[3:-1]), c[0].node.origin)

    def unlink(self, c: Children) -> s.Unlink:
        return s.Unlink(tuple(i if isinstance(i, tuple) else (i,) for i in inner(c)), c[0].node.origin)

    def zone(self, c: Children) -> s.Zone:
        return s.Zone(*self._owned(c, "positions"), c[0].node.origin)

    def measure(self, c: Children) -> s.Measure:
        return s.Measure(*self._owned(c, "values"), c[0].node.origin)

    @staticmethod
    def _owned(c: Children, values: str) -> tuple[Any, Any, Any]:
        parts = dict(inner(c))
        return next(iter(parts.get("name", ())), None), parts.get("players", ()), parts.get(values, ())

    def measure_value(self, c: Children) -> tuple[int, Any]:
        return number(c[1]), tuple(c[2:-1])

    def symmetry(self, c: Children) -> s.Symmetry:
        return s.Symmetry(c[2].node, tuple(c[3:-1]), c[0].node.origin)

    def board_setup(self, c: Children) -> s.Setup:
        return s.Setup(tuple(inner(c)), c[0].node.origin)

    def side_setup(self, c: Children) -> tuple[Atom, Any]:
        return c[1].node, tuple(c[2:-1])

    placement = side_setup

    def piece(self, c: Children) -> s.Piece:
        items = inner(c)

        def of(kind: type) -> tuple[Any, ...]:
            return tuple(i for i in items if isinstance(i, kind))

        names = of(Atom)
        return s.Piece(names[-1] if names else None, of(s.Text), of(s.Image), of(s.Attribute), of(s.Code),
                       "dummy" in of(str), c[0].node.origin, next(iter(dict(of(tuple)).get("captured-as", ())), None))

    def piece_name(self, c: Children) -> Atom:
        atom: Atom = c[2].node
        return atom

    remove = piece_name

    def piece_dummy(self, c: Children) -> str:
        return "dummy"

    def attribute(self, c: Children) -> s.Attribute:
        return s.Attribute(c[2].node, c[3])

    def boolean(self, c: Children) -> bool:
        return bool(c[0].node.text == "true")

    def _code(self, c: Children) -> s.Code:
        return s.Code(c[1].node.text, tuple(inner(c)), c[0].node.origin)

    moves = drops = _code

    def move_type(self, c: Children) -> s.MoveType:
        return s.MoveType(c[2].node)

    def block(self, c: Children) -> Any:
        if len(c) == 1:
            return c[0].node
        return s.Block(body_of(c[1:-1]), c[0].node.origin)

    def step(self, c: Children) -> s.Command:
        return s.Command("step", (c[0].node,), None, None, c[0].node.origin)

    def bare(self, c: Children) -> s.Command:
        word: Atom = c[0] if len(c) == 1 else c[1]
        return s.Command(word.text, (), None, None, word.origin)

    def _effect(self, c: Children) -> s.Command:
        word = c[1].text if isinstance(c[1], Atom) else c[1].node.text
        place = next((part for part in c if isinstance(part, s.Place)), None)
        value = next((part for part in c if isinstance(part, s.Number)), None)
        return s.Command(word, atoms(inner(c)), place, None, c[0].node.origin, value)

    command = change_type = create = add = set_counter = next_turn = _effect

    def go(self, c: Children) -> s.Command:
        return s.Command("go", (c[2],), None, None, c[0].node.origin)

    def back_step(self, c: Children) -> s.Command:
        return s.Command("step", (c[2].node,), s.Place(c[2].node, against=True), None, c[0].node.origin)

    def verify(self, c: Children) -> s.Verify:
        return s.Verify(tuple(inner(c)), c[0].node.origin)

    def if_(self, c: Children) -> s.If:
        rest = c[3:-1]
        otherwise: tuple[s.Instruction, ...] = ()
        if rest and isinstance(rest[-1], Else):
            otherwise = rest.pop().body
        return s.If(c[2], body_of(rest), otherwise, c[0].node.origin)

    def otherwise(self, c: Children) -> Else:
        return Else(body_of(c[1:]))

    def while_(self, c: Children) -> s.While:
        return s.While(c[2], body_of(c[3:-1]), c[0].node.origin)

    def set(self, c: Children) -> s.Command:
        place = c[4] if isinstance(c[4], s.Place) else None
        return s.Command(c[1].node.text, (c[2].node,), place, c[3], c[0].node.origin)

    counter_word = comparison_word = sum_word = _keyword

    def place(self, c: Children) -> s.Place:
        return c[0] if isinstance(c[0], s.Place) else s.Place(c[0].node)

    def back_place(self, c: Children) -> s.Place:
        return s.Place(c[2].node, against=True)

    def constant(self, c: Children) -> s.Constant:
        return s.Constant(c[0] if len(c) == 1 else c[1])

    def logic(self, c: Children) -> s.Logic:
        return s.Logic(c[1].node.text, tuple(inner(c)), c[0].node.origin)

    def comparison(self, c: Children) -> s.Comparison:
        return s.Comparison(c[1].text, c[2], c[3], c[0].node.origin)

    def number(self, c: Children) -> s.Number:
        if len(c) == 1:
            return s.Number("number", c[0].node.origin, number(c[0]))
        word = c[1].text if isinstance(c[1], Atom) else c[1].node.text
        place = c[-2] if isinstance(c[-2], s.Place) else None
        parts = tuple(p for p in c if isinstance(p, s.Number))
        return s.Number(word, c[0].node.origin, 0, atoms(inner(c)), place, parts)

    def test(self, c: Children) -> s.Test:
        if len(c) == 1:
            return s.Test(c[0].text, None, None, c[0].origin)
        names = atoms(inner(c))
        place = c[-2] if isinstance(c[-2], s.Place) else None
        return s.Test(c[1].text, names[0] if names else None, place, c[0].node.origin)

    def attribute_test(self, c: Children) -> s.Test:
        if len(c) == 1:
            return s.Test("attribute", c[0].node, None, c[0].node.origin)
        place = c[2] if isinstance(c[2], s.Place) else None
        return s.Test("attribute", c[1].node, place, c[0].node.origin)

    def counter(self, c: Children) -> s.Counter:
        rest = c[3:-1]
        each = bool(rest) and rest[0] == "each"
        start = number(rest[-1]) if rest and isinstance(rest[-1], Token) else 0
        return s.Counter(c[2].node, each, start, c[0].node.origin)

    each = lowest = _word

    def team(self, c: Children) -> s.Team:
        return s.Team(c[2].node, tuple(t.node for t in c[3:-1]), c[0].node.origin)

    def score(self, c: Children) -> s.Score:
        return s.Score(c[2], c[3] == "lowest", c[0].node.origin)

    def end_condition(self, c: Children) -> s.EndCondition:
        if isinstance(c[1], Token):  # `out-condition`: the other words are parsed by the rule `end_word`
            remove = c[4] if len(c) == 6 else None
            return s.EndCondition(c[1].node.text, c[2], c[3], c[0].node.origin, remove)
        return s.EndCondition(c[1], c[2] if len(c) == 5 else None, c[-2], c[0].node.origin)

    def goal_players(self, c: Children) -> tuple[Atom, ...]:
        return atoms(c)

    def goal_logic(self, c: Children) -> s.GoalLogic:
        return s.GoalLogic(c[1].node.text, tuple(inner(c)), c[0].node.origin)

    def config(self, c: Children) -> s.Config:
        items = inner(c)
        places = tuple(atom for item in items if isinstance(item, tuple) for atom in item)
        if c[1].node.text == "absolute-config" and items:
            last = items.pop()
            places = last if isinstance(last, tuple) else (last.name,)
        occupants = tuple(i for i in items if isinstance(i, s.Occupant))
        return s.Config(c[1].node.text, occupants, places, c[0].node.origin)

    def own(self, c: Children) -> s.Occupant:
        return s.Occupant("own", c[0].node)

    def other(self, c: Children) -> s.Occupant:
        word, inner = c[1], c[2]
        if word == "not":
            return s.Occupant(inner.owner, inner.name, not inner.negated)
        return s.Occupant(word, inner.name, inner.negated)

    def config_places(self, c: Children) -> tuple[Atom, ...]:
        return tuple(c[1:-1])

    def goal_count(self, c: Children) -> s.Goal:
        return s.Goal(c[1].node.text, number(c[2]), atoms(c[3:-1]), c[0].node.origin)

    def goal_pieces(self, c: Children) -> s.Goal:
        return s.Goal(c[1].node.text, 0, atoms(inner(c)), c[0].node.origin)

    def goal_bare(self, c: Children) -> s.Goal:
        word: Atom = c[0] if len(c) == 1 else c[1]
        return s.Goal(word.text, 0, (), word.origin)
