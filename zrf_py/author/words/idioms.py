"""Recognise kinds of moves that players have a name for: slides, hurdles, castling, en passant."""

from dataclasses import dataclass

from zrf_py.author.words.forms import Condition, Deed, Fact, Form, Loop, Path, Spot
from zrf_py.author.words.squares import ANYONE, EMPTY, ENEMY, FRIEND, ON, START

NOBODY = frozenset({EMPTY})
SOMEBODY = frozenset({ENEMY, FRIEND})


@dataclass(frozen=True)
class Idiom:
    """A recognised idiom, with the facts and effects that its name does not cover."""

    facts: tuple[Condition, ...]
    deeds: tuple[Deed, ...]
    piece: int = -1
    """Type of the other piece that takes part (-1: any)."""


def is_slide(path: Path) -> bool:
    """Return whether a path is a slide: one step, then any number of steps over empty squares in that direction."""
    if len(path) != 2 or 0 not in path:
        return False
    return over_empty(path[1]) if path[0] == 0 else until_stopped(path[0])


def over_empty(part: int | Loop) -> bool:
    """Return whether a part of a path is a run along motion 0 that repeats as long as the current square is empty."""
    return isinstance(part, Loop) and part == Loop((0,), ((Spot(), NOBODY),))


def until_stopped(part: int | Loop) -> bool:
    """Return whether a part of a path is a run along motion 0 that repeats as long as the next square is empty."""
    return isinstance(part, Loop) and part == Loop((0,), ((Spot(path=(0,)), NOBODY),))


def slides_until_stopped(form: Form) -> bool:
    """Return whether a piece must slide as far as it can, until the next square is not empty."""
    path = form.end.path
    return (form.end.base == START and len(path) in (1, 2) and until_stopped(path[-1]) and path[0] in (0, path[-1])
            and dict(form.contents).get(form.end.along(0)) == ANYONE - NOBODY)


def hurdled(form: Form) -> Spot | None:
    """Return the square of the hurdle, the piece jumped over between two slides in one line; None if there is none."""
    base, path = form.end.base, form.end.path
    if base != START or len(path) != 4 or path[::2] != (0, 0) or not (over_empty(path[1]) and path[1] == path[3]):
        return None
    over = Spot(path=path[:2])
    return over if not form.at(over) & NOBODY else None


def flying(form: Form) -> Spot | None:
    """Return the square of the enemy that a flying capture jumps over, between two slides in one line; else None."""
    base, path = form.end.base, form.end.path
    if base != START or len(path) != 4 or path[1::2] != (0, 0) or not until_stopped(path[0]) or path[0] != path[2]:
        return None
    over = Spot(path=path[:2])
    return over if form.at(over) == {ENEMY} else None


def castling(form: Form, unmoved: frozenset[int]) -> Idiom | None:
    """Recognise castling: a piece moves along a line towards another, which goes to a square that the first has passed.

    `unmoved` are the attributes of pieces that have not moved yet; tests of these are left out of the result.
    """
    if form.start != Spot() or len(form.others) != 1 or form.drop:
        return None
    (far, passed), end = form.others[0], form.end
    paths = far.path, end.path, passed.path
    inner = [Spot(path=(0,) * n) for n in range(1, len(far.path))]
    if (any(spot.base != START or set(spot.path) != {0} for spot in (far, end, passed))
            or not len(paths[0]) > len(paths[1]) > len(paths[2]) or any(form.at(spot) != NOBODY for spot in inner)):
        return None
    piece = next((fact.a for fact in held(form, "piece?", far)), -1)
    implied = {Fact("piece?", True, far, piece)}
    implied |= {Fact("attribute?", True, spot, bit) for bit in unmoved for spot in (Spot(), far)}
    return Idiom(tuple(fact for fact in form.facts if fact not in implied), form.deeds, piece)


def in_passing(form: Form) -> Idiom | None:
    """Recognise en passant: a piece goes to the square that the last move passed over, and captures the moved piece."""
    if form.end.base != START or len(form.end.path) != 2 or form.others or form.drop or form.types:
        return None
    beside, from_ = Spot(path=form.end.path[:1]), form.end.along(form.end.path[1])
    needed = [Fact("last-to?", True, beside), Fact("last-from?", True, from_)]
    capture = Deed("capture", beside)
    if form.at(beside) != frozenset({ENEMY}) or capture not in form.deeds or any(f not in form.facts for f in needed):
        return None
    kinds = held(form, "piece?", beside)
    rest = tuple(fact for fact in form.facts if fact not in (*needed, *kinds))
    others = tuple(deed for deed in form.deeds if deed != capture)
    return Idiom(rest, others, kinds[0].a) if len(kinds) == 1 and form.at(form.end) >= NOBODY else None


def held(form: Form, name: str, spot: Spot) -> list[Fact]:
    """Return the form's conditions that require the test `name` to hold on a square."""
    return [f for f in form.facts if isinstance(f, Fact) and (f.name, f.spot, f.want) == (name, spot, True)]


def landing(form: Form) -> frozenset[str]:
    """Return the possible contents of the end square; if a run ends there, those (if any) that satisfy its test."""
    last = form.end.path[-1] if form.end.path else None
    end = form.at(form.end)
    return end & dict(last.contents).get(Spot(path=last.path), ON) or end if isinstance(last, Loop) else end
