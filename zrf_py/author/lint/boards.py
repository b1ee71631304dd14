"""Lints about zones, links, directions and squares in board sections that look copied or unfinished."""

from collections import Counter, defaultdict

from zrf_py.author.lint.subject import Subject
from zrf_py.front import syntax
from zrf_py.front.board import removed_names
from zrf_py.front.nodes import Atom
from zrf_py.text.source import Origin


def lint_boards(subject: Subject) -> None:
    """Report lints about zones, links and directions."""
    for board in dict.fromkeys(subject.sections(syntax.Board)):
        zones = [item for item in board.items if isinstance(item, syntax.Zone) and item.name]
        links: dict[str, list[tuple[Atom, Atom]]] = defaultdict(list)
        for item in (item for item in board.items if isinstance(item, syntax.Links)):
            links[item.direction.text] += item.pairs
            _replaced(subject, item)
        _zones(subject, zones)
        removed = removed_names(board)
        pairs = [pair for written in links.values() for pair in written if pair[0].text in removed]
        named = {start.text: start for start, _ in reversed(pairs)}
        for name, atom in named.items():  # a chain may end on a removed position, but none starts there
            subject.find("link-removed", atom.origin.call, name, related=((removed[name], "removed here"),))
        for end in [end for pairs in links.values() for start, end in pairs if start.text == end.text][:1]:
            subject.find("written-twice", end.origin, end.text)
        if not subject.has("link-replaced") and not any(
                isinstance(item, syntax.Unlink) or (isinstance(item, syntax.Grid) and item.directions)
                for item in board.items):
            _links(subject, links)
        for grid in (item for item in board.items if isinstance(item, syntax.Grid)):
            _directions(subject, [d for d in grid.directions if d[0].text not in links], board)


def _zones(subject: Subject, zones: list[syntax.Zone]) -> None:
    have: dict[str, set[str]] = {}
    games = [program.game for program in subject.stages.programs]
    moving = {game.players[turn.side].name for game in games for turn in game.turns if turn.side >= 0}
    everybody = moving | {player.text for zone in zones for player in zone.players}
    for zone in zones:
        name = zone.name.text if zone.name else ""
        if not zone.players:
            subject.find("zone-of-nobody", zone.origin, name)
        mine = have.setdefault(name, set())
        written = [position.text for position in zone.positions]
        if again := next((at for n, at in enumerate(zone.positions) if at.text in written[:n]), None):
            subject.find("written-twice", again.origin, again.text)
        twice = next((player for player in zone.players if player.text in mine), None)
        others = {player.text for other in zones if other.name and other.name.text == name for player in other.players}
        if twice and len(lost := everybody - others) == 1:
            subject.find("zone-twice", twice.origin, twice.text, name, *lost)
        mine |= {player.text for player in zone.players}
        named = [other for other in zones if other.name and other.name.text == name]
        squares = {*written}
        same = (other for other in named[: named.index(zone)] if {p.text for p in other.positions} == squares)
        copy = next(same, zone)
        copied = copy.origin.span.start != zone.origin.span.start  # False if one macro call writes both
        if copied and len(squares) > 1 and copy.players and zone.players and not twice:  # a lone square may be filler
            subject.find("zone-copied", zone.origin, name, copy.players[0].text, zone.players[0].text,
                         related=((copy.origin.span, "the same squares"),))


def _replaced(subject: Subject, item: syntax.Links) -> None:
    """Report each link that replaces an earlier one of the same `links` form (to replace one of another form may be
    intended). If every call of a macro would be wrong, its own words are marked, else those of the call."""
    links: dict[str, tuple[Atom, Atom]] = {}
    for start, end in item.pairs:
        first = links.setdefault(start.text, (start, end))
        if start.text != first[1].text != end.text != start.text:  # links to themselves are reported elsewhere
            atoms = (start, *first, end)
            spans = [next((s for s in atom.origin.slots if s.text[0] == "$"), atom.origin.span) for atom in atoms]
            if spans[0].text != spans[1].text:  # only this call of the macro is wrong
                spans = [atom.origin.span for atom in atoms]
            subject.find("link-replaced", Origin(spans[0]), item.direction.text, *(span.text for span in spans[1:]),
                         related=((spans[1], "the first link"),))


def _links(subject: Subject, links: dict[str, list[tuple[Atom, Atom]]]) -> None:
    """Report a link if it is the only one of its direction without a reverse, another one leads to the same square,
    and the links of the reverse direction show where it should lead."""
    for direction, pairs in links.items():
        ends = Counter(end.text for _, end in pairs)
        for back, others in links.items():
            reverse = {(end.text, start.text) for start, end in others}
            odd = [(start, end) for start, end in pairs if (start.text, end.text) not in reverse]
            meant = [end for start, end in reverse if odd and start == odd[0][0].text]
            if len(odd) == len(meant) == 1 and len(pairs) > 3 and ends[odd[0][1].text] > 1:
                start, end = odd[0]
                subject.find("odd-link", end.origin, direction, start.text, end.text, back, meant[0])


def _directions(subject: Subject, directions: list[tuple[Atom, tuple[int, ...]]], board: syntax.Board) -> None:
    """Report directions without steps, and equal directions if one was probably meant as the opposite of another."""
    mirrored = {(a.text, b.text) for item in board.items if isinstance(item, syntax.Symmetry) for a, b in item.pairs}
    by_steps: dict[tuple[int, ...], Atom] = {}
    all_steps = {steps for _, steps in directions}
    for name, steps in directions:
        if not any(steps):
            subject.find("no-step", name.origin, name.text)
        first = by_steps.setdefault(steps, name)
        lacking = [back for other in sorted(all_steps) if (back := tuple(-step for step in other)) not in all_steps]
        signs = [(*steps[:at], -step, *steps[at + 1 :]) for at, step in enumerate(steps) if step]
        missing = [back for back in lacking if len(lacking) == 1 or (
            back in signs and (tuple(-step for step in back) != steps or (first.text, name.text) in mirrored))]
        if first.text != name.text and missing:
            subject.find("same-direction", name.origin, name.text, first.text, " ".join(map(str, missing[0])),
                         related=((first.origin.span, "the same steps"),))
