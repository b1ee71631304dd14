"""Lints about two players whose set-ups, zones and goals are mirror images of each other except for a slip."""

from collections.abc import Callable, Iterator
from itertools import permutations

from zrf_py.author.lint.subject import Subject
from zrf_py.front import model, syntax
from zrf_py.front.nodes import Atom
from zrf_py.ir.ops import Program
from zrf_py.text.suggest import listing

Squares = dict[tuple[int, str], Atom]
"""(square, name of the piece there) → the square's place in the text, for a set-up, zone or configuration."""
EVIDENCE = 10
"""Minimum number of squares that must agree."""


def lint_twins(subject: Subject, program: Program) -> None:
    """Report a set-up, zone or configuration that is the mirror image of the other player's except for a few missing
    squares or one wrong square, if at least `EVIDENCE` squares of the two players agree."""
    game, names = program.game, [place.name for place in program.game.board.places]
    players = game.seats
    images = _images(game.board) if len(players) == 2 else []
    have = [dict(_belongings(subject, program, player)) for player in players]
    for (other, theirs), (owner, own) in permutations(zip(players, have, strict=True)) if images else ():
        common = [thing for thing in own if own[thing] and theirs.get(thing)]
        mirrored = [{thing: {(image[s], kind) for s, kind in theirs[thing]} for thing in common} for image in images]
        exact = [sum(len(own[thing]) for thing in common if turned[thing] == own[thing].keys()) for turned in mirrored]
        for thing in common:
            here = own[thing].keys()
            _, at = min(((len(turned[thing] ^ here), -exact[at]), at) for at, turned in enumerate(mirrored))
            lost, extra, agree = mirrored[at][thing] - here, here - mirrored[at][thing], mirrored[at][thing] & here
            if len(lost) == len(extra) == 1:  # blame the less symmetric player's square; on a tie, the second's
                bent, crooked = (sum((images[-1][s], kind) not in squares for s, kind in squares)
                                 for squares in (theirs[thing], here))
                slip = {s for s, _ in lost} != {s for s, _ in extra} and (crooked, owner) > (bent, other)
            else:
                slip = not extra and 0 < 2 * len(lost) <= len(agree)
            if slip and len(agree) > 3 and len(agree) + (thing != "set-up") * exact[at] >= EVIDENCE:
                back = {image: square for square, image in images[at].items()}
                squares = listing(names[s] for s, _ in sorted(lost))
                like = [atom for (_, kind), atom in own[thing].items() if kind in dict(lost).values()]
                place = own[thing][next(iter(extra))] if extra else (like or [*own[thing].values()])[-1]
                subject.find("not-mirrored", place.origin.call, thing, game.players[owner].name, squares,
                             game.players[other].name, listing(names[back[s]] for s, _ in sorted(lost)),
                             help=f"write {squares}" if extra else "")


def _belongings(subject: Subject, program: Program, player: int) -> Iterator[tuple[str, Squares]]:
    """Yield the name and the squares of a player's set-up, zones and configurations."""
    name, symbols = program.game.players[player].name, program.game.symbols.positions

    def squares(*groups: tuple[str, tuple[Atom, ...]]) -> Squares:
        placed = [((symbols[at.text], kind), at) for kind, places in groups for at in places if at.text in symbols]
        return dict(placed) if len({square for (square, _), _ in placed}) == len(placed) else {}  # reported elsewhere

    for setup in subject.own(program, syntax.Setup):
        yield "set-up", squares(*((piece.text, positions) for side, pieces in setup.sides if side.text == name
                                  for piece, positions in pieces))
    for board in subject.own(program, syntax.Board):
        for zone in (item for item in board.items if isinstance(item, syntax.Zone) and item.name):
            if name in [atom.text for atom in zone.players] and zone.name:
                yield f"zone `{zone.name.text}`", squares(("", zone.positions))
    for end in subject.own(program, syntax.EndCondition):
        if end.players and [atom.text for atom in end.players] == [name] and isinstance(end.goal, syntax.Config):
            yield f"{end.word}", squares(("", end.goal.places))


def _images(board: model.Board) -> list[dict[int, int]]:
    """Return symmetries of the drawn board (no quarter turns) as maps of squares; a left-right reflection is last."""
    near = board.linked()
    squares = [n for n, place in enumerate(board.places) if not place.dummy and (near[n] or not any(near))]
    centres = {n: (left + right, top + bottom) for n in squares
               for left, top, right, bottom in [board.places[n].rectangle]}
    at = {centre: n for n, centre in centres.items()}
    if len(at) < max(len(squares), 1):
        return []
    (x0, *_, x1), (y0, *_, y1) = (sorted(values) for values in zip(*at, strict=True))
    turns: tuple[Callable[[int, int], tuple[int, int]], ...] = (
        lambda x, y: (x, y0 + y1 - y), lambda x, y: (x0 + x1 - x, y0 + y1 - y),
        lambda x, y: (x0 + y - y0, y0 + x - x0), lambda x, y: (x0 + y1 - y, y0 + x1 - x), lambda x, y: (x, y),
        lambda x, y: (x0 + x1 - x, y))
    turned = [{n: at.get(turn(*centre), -1) for n, centre in centres.items()} for turn in turns]
    return [{n: image.get(n, n) for n in range(len(board.places))} for image in turned if -1 not in image.values()]
