"""The facts about a game that a page needs besides the engine, as plain lists and dicts.

They are names, letters, texts, the parts of goals that explain why a game ended, and the parts of drawings, from which
a page makes pictures as `view/svg.py` does. Legal moves come from the engine.
"""

from __future__ import annotations

from array import array
from typing import Any

from zrf_py.front import model
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import EFFECTS, OPS, Program
from zrf_py.jit.language import Record
from zrf_py.native.border import STAMPS
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout
from zrf_py.play import prisoners
from zrf_py.play.edits import turn_of
from zrf_py.play.game import Game
from zrf_py.play.players import Greedy
from zrf_py.play.reasons import NUMBERS, SENTENCES, spoken
from zrf_py.play.shipped_puzzles import puzzles_of
from zrf_py.play.standing import Standing, standings
from zrf_py.run import goals
from zrf_py.run.numbers import counter_place
from zrf_py.run.position import Position
from zrf_py.run.rules import Rules
from zrf_py.search import limits
from zrf_py.search import memory as n
from zrf_py.view.describe import describe_game
from zrf_py.view.scene import Scene, scene, stage_of
from zrf_py.view.svg import FRAME, LINE, PAPER, TEXT, Drawing, Style
from zrf_py.view.tokens import Tokens

Facts = dict[str, Any]


def fields() -> Facts:
    """Return the layout of records in memory, {record: {length, at: {name: place}}}, with `stamps` and `limits`."""
    records: tuple[type[Record], ...] = (m.PositionFields, n.Search, n.PvLine, n.TreeNode, n.BeamSlot)
    places = {record.__name__: {"length": record.size, "at": {name: at.at for name, at in record.fields.items()}}
              for record in records}
    return {**places, "stamps": STAMPS, "limits": limits.SHARED}


def facts(game: Game, layout: Layout) -> Facts:
    """Return the facts about a game that are the same in all positions."""
    program, rules, puzzles = game.program, game.program.game, puzzles_of(game.path, game.title)
    return {
        "info": {**describe_game(game), "puzzles": [row["level"] for row in puzzles]},
        "puzzles": puzzles,
        "rules": game.path.name if game.path else "game.zrf",
        "title": rules.title.replace("`", '"'),
        "players": [{"name": p.name, "kind": p.kind} for p in rules.players],
        "places": [p.name for p in rules.board.places],
        "types": [p.name for p in rules.pieces],
        "dummies": [k for k, p in enumerate(rules.pieces) if p.dummy],
        "turns": [[turn.mover, turn.side] for turn in rules.turns],
        "repeat": rules.repeat,
        "turnOf": [turn_of(rules, player) for player in range(len(rules.players))],
        "attributes": list(rules.attributes),
        "startAttributes": [str(p.attributes) for p in rules.pieces],
        "effects": {name: [OPS[name].a.name.lower(), OPS[name].b.name.lower()] for name in EFFECTS},
        "counters": [[counter.name, counter.each] for counter in rules.counters],
        "start": _start(game.rules.start(), bool(rules.attributes)),
        "storesTell": game.rules.start().stores_tell,
        "ordinals": list(program.ordinals),
        "repetition": program.aims.repetition,
        "nullTurns": rules.options.null_turns,
        "royals": [sorted(kinds) for kinds in program.aims.royals],
        "prisoners": {"kinds": sorted(prisoners.kinds(program)), "ownToo": prisoners.is_alone(program)},
        "teams": [list(rules.team(p)) for p in range(len(rules.players))], "sides": rules.sides,
        "standing": [_standing(program, standing, layout) for standing in standings(program)],
        "sentences": SENTENCES, "numbers": NUMBERS,
        "short": _short(game),
        "greedy": _greedy(program),
        **_goals(program, layout),
    }


def _start(start: Position, has_attributes: bool) -> Facts:
    cells = [o + 1 | k + 1 << 8 if o >= 0 else 0 for o, k in zip(start.owner, start.piece, strict=True)]
    numbers = [number for row in (*start.stores, *start.counters, start.made) for number in row]
    masks = [str(mask) for mask in start.attributes] if has_attributes else None
    return {"cell": cells, "attributes": masks, "stores": numbers, "turn": start.turn}


def _short(game: Game) -> Facts:
    """Return the tables for short notation; see `play/short.py`."""
    writer = game.writer
    letters = [writer.letters[k] for k in range(len(game.program.game.pieces))]
    return {"letters": letters, "beside": sorted(writer.beside), "hasLegs": writer.has_legs, "files": writer.files,
            "traces": sorted(writer.traces), "centres": writer.centres,
            "links": [list(table) for table in game.program.game.board.links]}


def _standing(program: Program, standing: Standing, layout: Layout) -> Facts:
    """Return the facts about a number shown beside a player: how to compute it, and its words."""
    player, words, counted, of, name, turn = standing
    game, zone = program.game, counted.c if isinstance(counted, model.Number) else -1
    return {"player": player, "words": words, "of": of, "score": layout.params.score if counted == game.score else -1,
            "kind": counted.piece if isinstance(counted, model.Count) else counted.b,
            "off": isinstance(counted, model.Count) and game.options.include_off_pieces,
            "squares": game.board.zones[zone][player] if of else None, "name": [name] if name else [], "turn": turn,
            "counters": _sum(program, player, counted) if name and isinstance(counted, model.Number) else None}


def _sum(program: Program, player: int, number: model.Number) -> list[tuple[int, int]]:
    """Return a counter, constant or difference as terms (factor, index among the stores); index -1: the constant 1."""
    if number.kind == "number":
        return [(number.a, -1)]
    if number.kind == "difference":
        first, second = (_sum(program, player, part) for part in number.parts)
        return first + [(-factor, index) for factor, index in second]
    game, width = program.game, len(program.game.players)
    return [(1, width * (len(game.pieces) + number.a) + counter_place(program, number.a, number.b, player))]


def _greedy(program: Program) -> Facts:
    """Return the tables of the greedy player: values of pieces, and goal squares by player; see `play/players.py`."""
    greedy = Greedy(Rules(program))
    return {"values": greedy.values, "goals": [[sorted(goal) for goal in own] for own in greedy.goals]}


# ------------------------------------------------------------------------------------------------------------- goals


def _goals(program: Program, layout: Layout) -> Facts:
    """Return the end conditions, the rows of their goals, and the tables that these use; see `native/trees.py`."""
    game = program.game
    rows = array("i", layout.tables[m.goal.name])
    trees = [layout.tables[m.ends.name][e * m.END_ROW + m.END_GOAL] for e in range(len(game.ends))]
    return {
        "goal": rows.tolist(),
        "ends": [_end(end, tree) for end, tree in zip(game.ends, trees, strict=True)],
        "shown": sum(not place.dummy for place in game.board.places),
        "steps": _steps(program), "zones": _zones(program),
        "compares": {tree: facts for end, at in zip(game.ends, trees, strict=True)
                     for tree, facts in _compares(program, end.goal, at, rows)},
    }


def _end(end: model.EndCondition, tree: int) -> Facts:
    players = None if end.players is None else list(end.players)
    return {"result": end.result, "players": players, "goal": tree, "asksState": goals.asks_state(end.goal),
            "word": goals.word_of(end.goal)}


def _steps(program: Program) -> Facts:
    """Map each motion that pattern goals use to its table of neighbours, indexed [player][square]."""
    used = {2 * item for end in program.game.ends for part in leaves(end.goal) if isinstance(part, model.Relative)
            for item in part.items if isinstance(item, int)}
    return {str(motion): [list(steps[motion]) for steps in program.steps] for motion in sorted(used)}


def _zones(program: Program) -> Facts:
    """Map each zone in an absolute configuration to the lists of its squares, one list for each player."""
    used = {number for end in program.game.ends for part in leaves(end.goal) if isinstance(part, model.Absolute)
            for is_zone, number in part.places if is_zone}
    return {str(zone): [list(squares) for squares in program.game.board.zones[zone]] for zone in sorted(used)}


def _compares(program: Program, goal: model.Goal, tree: int, rows: array[int]) -> list[tuple[int, Facts]]:
    """Return (row, explanation) for each comparison in a goal; `number` is the row of the number that is compared."""
    if isinstance(goal, model.AllOf):
        inner = zip(goal.parts, rows[tree + 2 : tree + 2 + len(goal.parts)], strict=True)
        return [pair for part, at in inner for pair in _compares(program, part, at, rows)]
    if not isinstance(goal, model.Compare):
        return []
    is_left = goal.left.kind != "number"
    number, at = (goal.left, rows[tree + 2]) if is_left else (goal.right, rows[tree + 3])
    board = program.game.board
    if number.kind == "count" and number.c >= 0:
        return [(tree, {"code": "in-zone", "number": at,
                        "zone": [list(squares) for squares in board.zones[number.c]]})]
    if number.kind == "counter":
        return [(tree, {"code": "counted", "number": at, "name": spoken(program.game.counters[number.a].name)})]
    return [(tree, {"code": "turns-made" if number.kind == "turns-made" else "", "number": at})]


def drawing(game: Game) -> dict[str, Any]:
    """Return the parts that all drawings of a game share: its places, the looks of its kinds of pieces, the ground."""
    stage = stage_of(game, True)
    picture = scene(game.start(), last_move=(), held=False)
    drawn = Drawing(picture, Style(every=True))
    _, *ground = drawn.board()
    pieces = game.program.game.pieces
    return {
        "title": picture.title, "width": picture.width, "bottom": stage.below, "unit": picture.unit, "paper": PAPER,
        "board": "\n".join(ground), "frame": FRAME, "line": LINE, "ink": TEXT,
        "touch": {kind: drawn.touch(kind) for kind in ("from", "to")},
        "traces": [drawn.trace(place.index) for place in picture.places],
        "places": [[p.index, p.x, p.y, p.w, p.h, p.room, p.stack] for p in picture.places],
        "hidden": [k for k, p in enumerate(pieces) if p.dummy and not p.images],
        "kinds": [[token.player, token.kind] for token in picture.kinds],
        "pointed": [[p, k] for (p, k), token in stage.tokens.items() if token.turned is not None],
        "sizes": [[p, k, *stage.sizes[token.image]] for (p, k), token in stage.tokens.items() if token.image],
        "symbols": _symbols(picture, stage.tokens.values(), drawn),
    }


def _symbols(picture: Scene, tokens: Any, drawn: Drawing) -> list[list[Any]]:
    """Return [player, type, symbol] for every piece that may stand on the board."""
    rows = []
    for token in tokens:
        single = Tokens(picture, "")
        single.use(token, picture.unit)
        rows.append([token.player, token.kind, *single.definitions(drawn.href)])
    return rows
