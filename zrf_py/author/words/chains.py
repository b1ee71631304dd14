"""Merge the forms of captures that leave the taken pieces on the board until the turn ends."""

from dataclasses import replace

from zrf_py.author.words.forms import Condition, Deed, Fact, Form, Loop, Many, Path, Spot
from zrf_py.author.words.logic import opposite
from zrf_py.author.words.lookahead import farthest, learned
from zrf_py.author.words.merging import respotted
from zrf_py.author.words.reader import Reader
from zrf_py.author.words.squares import EMPTY, ENEMY
from zrf_py.author.words.state import State
from zrf_py.author.words.sweeps import SWEPT


def chained(reader: Reader, forms: list[Form]) -> list[Form]:
    """Merge pairs of capturing forms: a leg that marks a piece and must go on, and the last leg, which takes them all.

    The first form of a pair requires another capture in any direction but back. Other forms are returned unchanged.
    """
    if reader.game.options.pass_partial:
        return forms
    count = len(reader.game.board.links)
    pairs = [(going, last, looks) for going in forms for last in forms if (looks := _looks(going, last, count))]
    ahead = {going.end.path[-1]: looks for going, _, looks in pairs}
    if not pairs or any(not isinstance(motion, int) or looks != ahead.keys() - {reader.motion(motion ^ 1)}
                        for motion, looks in ahead.items()):
        return forms
    rest = [form for form in forms if all(form not in pair for pair in pairs)]
    return [*rest, *(_both(going, last) for going, last, _ in pairs)]


def _both(going: Form, last: Form) -> Form:
    lift = next(deed for deed in last.deeds if deed.name == "every" and deed not in going.deeds)
    deeds = tuple(deed for deed in last.deeds if deed != lift)
    facts = tuple(fact for fact in last.facts if fact in going.facts)
    return replace(last, facts=facts, deeds=deeds, partial=going.partial, chain=(lift, last.partial))


def _looks(going: Form, last: Form, directions: int) -> set[int]:
    """Return the motions along which `going` requires another capture and `last` forbids it; none for other pairs."""
    if going.partial is None or going.rise or going.types or (going.start, going.end, going.others) != (
            last.start, last.end, last.others) or dict(going.contents) != dict(last.contents):
        return set()
    marks, takes = set(going.deeds) - set(last.deeds), set(last.deeds) - set(going.deeds)
    mark = marks.pop() if len(marks) == 1 else Deed("")
    lift = Deed("every", fact=Fact("attribute?", True, SWEPT, mark.a), deeds=(Deed("capture", SWEPT),))
    if ((mark.name, mark.b) != ("set-attribute", 1) or Fact("attribute?", False, mark.spot, mark.a) not in going.facts
            or {replace(deed, squares=frozenset()) for deed in takes} != {Deed("capture", mark.spot), lift}):
        return set()
    more = [fact for fact in going.facts if fact not in last.facts]
    if len(more) != 1 or not opposite(more, (fact for fact in last.facts if fact not in going.facts)):
        return set()
    cases = more[0].parts if isinstance(more[0], Many) and more[0].word == "or" else (more[0],)
    common = replace(going, facts=tuple(fact for fact in going.facts if fact not in more))
    case_sets = {frozenset(case.parts if isinstance(case, Many) else (case,)) for case in cases}
    motions = {motion for motion in range(2 * directions) if _wants(common, motion) in case_sets}
    return motions if len(motions) == len(case_sets) else set()


def _wants(form: Form, motion: int) -> frozenset[Condition]:
    """Return the conditions under which another leg of this form can go along `motion`, to the first possible end."""
    own = form.end.path[-1]

    def turned(path: Path) -> Path:
        return tuple(
            Loop(turned(part.path), tuple((Spot(path=turned(s.path)), contents) for s, contents in part.contents))
            if isinstance(part, Loop) else motion if part == own else part
            for n, part in enumerate(path) if not (isinstance(part, Loop) and own in path[:n]))

    def moved(spot: Spot) -> Spot:
        return Spot(path=form.end.path + turned(spot.path))

    tests = [(spot, contents) for spot, contents in form.contents if contents in ({EMPTY}, {ENEMY}) and spot.path]
    after = State(contents=tuple((moved(spot), contents) for spot, contents in tests),
                  facts=tuple(respotted(fact, moved) for fact in form.facts))
    arrival = State(here=form.end)
    return frozenset(farthest(arrival, condition) for condition in learned(arrival, after))
