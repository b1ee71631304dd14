"""Name resolution in numbers, comparisons and places. Used by `check` (goals) and `lower` (move code).

Reports: unknown-counter, unknown-measure, unknown-player, unknown-piece, unknown-zone, unknown-direction.
"""

from zrf_py.front import model, syntax
from zrf_py.front.names import look_up, unknown
from zrf_py.front.nodes import Atom
from zrf_py.text.diagnostics import Report

_WHO = {"friend": model.FRIEND, "enemy": model.ENEMY, "anybody": model.ANYBODY, "nobody": model.NOBODY}


def where(place: syntax.Place | None, symbols: model.Symbols, report: Report) -> int:
    """Encode a place as one number: 0 cursor, > 0 a position + 1, < 0 a step (see `ir/ops.py`)."""
    if place is None:
        return 0
    name = place.name
    if name.text in symbols.directions:
        return -(2 * symbols.directions[name.text] + place.against + 1)
    if name.text in symbols.positions and not place.against:
        return symbols.positions[name.text] + 1
    unknown(symbols.directions, name, "direction", report, symbols.positions,
            f"`{name.text}` is neither a direction nor a position of this game",
            help="the player comes first: `(create White Man n)`" if name.text in symbols.players else "")
    return 0


def compare(tree: syntax.Comparison, symbols: model.Symbols, report: Report) -> model.Compare:
    """Resolve the names of a comparison."""
    return model.Compare(tree.word, number(tree.left, symbols, report), number(tree.right, symbols, report))


def number(tree: syntax.Number, symbols: model.Symbols, report: Report) -> model.Number:
    """Resolve the names of a number."""
    names = tree.names

    def player(at: int) -> int:
        return look_up(symbols.players, names[at], "player", report) if len(names) > at else model.SIDE

    match tree.word:
        case "number":
            return model.Number("number", tree.value)
        case "counter":
            return model.Number("counter", look_up(symbols.counters, names[0], "counter", report), player(1))
        case "count":
            return _count(names, symbols, report)
        case "turns-made":
            return model.Number("turns-made", player(0))
        case "legs-made":
            return model.Number("legs-made")
        case "store":
            return model.Number("store", player(1), look_up(symbols.pieces, names[0], "piece", report))
        case "at":
            measure = look_up(symbols.measures, names[0], "measure", report)
            place = tree.place or (syntax.Place(names[1]) if len(names) > 1 else None)
            return model.Number("at", measure, where(place, symbols, report))
    return model.Number(tree.word, parts=tuple(number(part, symbols, report) for part in tree.parts))


def _count(names: tuple[Atom, ...], symbols: model.Symbols, report: Report) -> model.Number:
    piece = zone = -1
    for name in names[1:]:
        if name.text in symbols.pieces and piece < 0:
            piece = symbols.pieces[name.text]
        elif name.text in symbols.zones:
            zone = symbols.zones[name.text]
        else:
            unknown(symbols.zones, name, "zone", report, symbols.pieces)
    owner_name = names[0]
    if owner_name.text in symbols.teams:
        members = symbols.teams[owner_name.text]
        return model.Number("sum", parts=tuple(model.Number("count", m, piece, zone) for m in members))
    owner = _WHO.get(owner_name.text)
    if owner is None:
        owner = look_up(symbols.players, owner_name, "player", report, [*_WHO, *symbols.teams])
    return model.Number("count", owner, piece, zone)
