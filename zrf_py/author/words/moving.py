"""Describe the path of the piece in a group of forms (`Form`): the first part of the sentence about a kind of move."""

from zrf_py.author.words import idioms
from zrf_py.author.words.bearings import Names
from zrf_py.author.words.compass import SECTORS
from zrf_py.author.words.forms import Fact, Form, Loop, Path, Spot
from zrf_py.author.words.idioms import NOBODY, SOMEBODY
from zrf_py.author.words.merging import PLACE, Group, spots_of
from zrf_py.author.words.phrases import Phrases, SpotNames, whom
from zrf_py.author.words.squares import EMPTY, NAMED, ON, START

_KNIGHT = frozenset((x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y))


class Moving:
    """Describes the path of one group of forms of a piece; `MoveSentence` completes the sentence."""

    def __init__(self, phrases: Phrases, group: Group, piece: int, again: Form | None = None) -> None:
        self.phrases, self.say, self.group, self.form = phrases, phrases.say, group, group.form
        self.piece, self.again = piece, again
        self.named: Fact | None = None
        """Condition that names the only square of a drop, once it is written."""
        self.many = len(group.motions) > 1 and bool(group.motions[0])
        self.passing = idioms.in_passing(self.form) if group.motions[0] and None not in self._sectors() else None
        """Conditions and effects of an en passant move beyond those that its name implies; None for other moves."""
        self.letters = self.many and not (self._is_leap() or self._is_lame() or self.passing) and (
            sum(map(self.varies, range(len(group.motions[0])))) > 1 or not self._goes_along())
        self.spots = SpotNames(phrases, self.name, self._fixed(), "dropped" if self.form.drop else "start")
        self.spots.stopped = {spot for spot, contents in self.form.contents if spot.path and isinstance(
            run := spot.path[-1], Loop) and not contents & dict(run.contents).get(Spot(), ON)}

    def varies(self, motion: int) -> bool:
        """Return whether a motion of the form (an index) has different values in the tuples of `group.motions`."""
        return len({motions[motion] for motions in self.group.motions}) > 1

    def name(self, motion: int) -> str:
        """Return the name of a motion of the form."""
        if not self.varies(motion):
            return self.phrases.direction(self.group.motions[0][motion])
        if self.letters:
            return self.say("letter", letter=chr(ord("A") + motion))
        return self.say("same-direction")

    def _goes_along(self) -> bool:
        """Return whether the sentence states the direction in which the piece goes or aims."""
        form = self.form
        goes = not (form.drop or form.passes) and form.start == Spot() and form.end.base == START
        return goes and (form.end != Spot() or self._aim() is not None)

    def _is_leap(self) -> bool:
        path = self.form.end.path
        return (len(set(path)) > 1 and self.form.end.base == START and all(isinstance(part, int) for part in path)
                and all(spot in (Spot(), self.form.end) or spot.base == NAMED for spot in spots_of(self.form))
                and self._offsets() is not None)

    def _is_lame(self) -> bool:
        """Return whether the move is a lame knight's leap: straight to an empty square, then diagonally on."""
        end, first = self.form.end, Spot(path=self.form.end.path[:1])
        if len(end.path) != 2 or end.base != START or self.form.at(first) != NOBODY:
            return False
        beside = {spot for spot in spots_of(self.form) if spot not in (Spot(), first, end)}
        straight = all(0 in (self.phrases.compass.offset(motions[:1]) or (1,)) for motions in self.group.motions)
        return straight and not beside and set(self._offsets() or ()) == _KNIGHT

    def _sectors(self) -> list[str | None]:
        """Return a compass word for each end square (None: not adjacent); [] if the end is not at a fixed offset."""
        signs = {(1, 0): 0, (1, 1): 1, (0, 1): 2, (-1, 1): 3, (-1, 0): 4, (-1, -1): 5, (0, -1): 6, (1, -1): 7}
        numbers = [signs.get(offset) for offset in self._offsets() or ()]
        return [None if number is None else SECTORS[number] for number in numbers]

    def _offsets(self) -> list[tuple[int, int]] | None:
        offsets = []
        for motions in self.group.motions:
            offset = self.phrases.compass.offset(motions[part] for part in self.form.end.path if isinstance(part, int))
            if offset is None:
                return None
            offsets.append(offset)
        return offsets

    def _fixed(self) -> dict[Spot, tuple[str, dict[str, object]]]:
        """Return the squares that have names of their own, each with the key and the fields of its name."""
        end = self.form.end
        fixed: dict[Spot, tuple[str, dict[str, object]]] = {}
        if self.group.places:
            return {PLACE: self._any_of(self.group.places)}
        if self.form.copy:
            return {end: ("that-square", {})}
        if over := idioms.flying(self.form):
            fixed[over] = "jumped", {}
        between = [Spot(end.base, end.position, end.path[:n]) for n in range(1, len(end.path))]
        if len(between) == 1 and not any(isinstance(part, Loop) for part in end.path):
            fixed[between[0]] = "between", {}
        elif not any(isinstance(part, Loop) for part in end.path):
            fixed.update({spot: ("way-square", {"number": n}) for n, spot in enumerate(between, 1)})
        if aim := self._aim():
            return {aim: ("aim", {})}
        if self.form.drop:
            return {Spot(): ("dropped", {}), end: ("dropped", {})} if end == Spot() else {end: ("end", {})}
        if end != Spot() and not (end.base == NAMED and not end.path):
            fixed[end] = "end", {}
        return fixed

    def _any_of(self, places: tuple[int, ...]) -> tuple[str, dict[str, object]]:
        """Return the key and the fields of the name of a square that may be any of several."""
        if len(places) == 1:
            return "square", {"name": self.phrases.place(places[0])}
        if {n for n, place in enumerate(self.phrases.game.board.places) if not place.dummy} <= set(places):
            return "any-empty" if self.form.at(PLACE) == NOBODY else "any-place", {}
        return "any-marked", {"colour": self.phrases.regions.marked(places)}

    def _aim(self) -> Spot | None:
        """Return the only square that a stationary piece affects, if it ends a line of empty ones; None otherwise."""
        form = self.form
        far = {spot for spot in spots_of(form) if spot != Spot()}
        if form.end != Spot() or form.drop or form.passes or form.start != Spot() or len(far) != 1:
            return None
        (spot,) = far
        return spot if spot.base == START and idioms.is_slide(spot.path) and spot.path[0] == 0 else None

    def _head(self) -> tuple[str, set[Spot]]:
        """Return a description of the path, and the squares whose contents it states."""
        form, say, end = self.form, self.say, self.form.end
        if form.passes:
            return say("moves.stay" if form.deeds and not form.drop else "moves.pass"), set()
        goes = self._to()
        if form.copy:
            return self._copied()
        if form.drop:
            return self._put(goes)
        if form.start != Spot():
            return say("moves.other", start_at=self.spots.at(form.start), end_name=self.spots.name(end)), set()
        if end == Spot() and self._aim():
            dirs = self.phrases.directions(motions[0] for motions in self.group.motions)
            return say("moves.aim", dirs=dirs), set()
        if end == Spot():
            return say("moves.stay"), set()
        if end.base != START:
            spots = self.spots if end == PLACE else SpotNames(self.phrases, self.name)
            spots.stopped = self.spots.stopped
            if form.squares:
                return say("moves.anywhere", end_name=spots.name(end)), {end} if form.at(end) == NOBODY else set()
            return say("moves.other", start_at=spots.at(Spot()), end_name=spots.name(end)), set()
        if self._is_lame():
            return say("moves.lame", end=goes), {end, Spot(path=end.path[:1])}
        return self._path_phrase(end.path, goes)

    def _copied(self) -> tuple[str, set[Spot]]:
        end = self.form.end
        dirs = self.phrases.directions(motions[0] for motions in self.group.motions) if self.group.motions[0] else ""
        spots = self.spots if end == PLACE else SpotNames(self.phrases, self._way_names(dirs))
        pieces = [self.phrases.piece(kind) for kind in self.form.types or (self.piece,)]
        head = self.say("moves.copy", piece=self.say.either(pieces), at=spots.at(end))
        return head, {end} if end == PLACE and self.form.at(end) == NOBODY and len(self.group.places) > 1 else set()

    def _put(self, goes: str) -> tuple[str, set[Spot]]:
        """Like `_head`, for a drop on any square or on the one that a condition names."""
        end, empty = self.form.end, self.form.at(self.form.end) == NOBODY
        self.named = next(iter(idioms.held(self.form, "position?", end) if empty else ()), None)
        if self.named:
            at, condition = self.phrases.place(self.named.a), self.phrases.contents(end, NOBODY, self.spots)
            return self.say("moves.drop-at", at=at, conditions=condition), {end}
        return self.say("moves.drop.empty" if empty else "moves.drop", end=goes), {end}

    def _to(self) -> str:
        """Return the words for the possible contents of the end square."""
        swaps = any(start == self.form.end for start, _ in self.form.others) or any(
            deed.spot == self.form.end and deed.name == "capture" for deed in self.form.deeds)
        return self.say(f"{'to-swap' if swaps else 'to'}.{whom(idioms.landing(self.form))}")

    def _path_phrase(self, path: Path, goes: str) -> tuple[str, set[Spot]]:
        say, form, end = self.say, self.form, self.form.end
        dirs = self.phrases.directions(motions[0] for motions in self.group.motions)
        between = [Spot(path=path[:n]) for n in range(1, len(path))]
        free = all(form.at(spot) == ON for spot in between)
        if path == (0,):
            return self._path_sentence("moves.step", goes, dirs=dirs), {end}
        if free and set(path) == {0}:
            return say("moves.straight", count=say.count(len(path)), dirs=dirs, end=goes), {end}
        if set(path) == {0} and all(form.at(spot) == NOBODY for spot in between):
            return self._path_sentence("moves.far", goes, count=say.count(len(path)), dirs=dirs), {end, *between}
        if idioms.slides_until_stopped(form):
            return say("moves.slide-stop", dirs=dirs), {end, end.along(0), Spot(path=(0,))}
        if hurdle := idioms.hurdled(form):
            jumped = say(f"man.{self._somebody(form.at(hurdle))}")
            return self._path_sentence("moves.hurdle", goes, dirs=dirs, over=jumped), {end, hurdle}
        if enemy := idioms.flying(form):
            return say("moves.flying", dirs=dirs), {end, enemy}
        if idioms.is_slide(path) and all(form.at(spot) in (ON, NOBODY) for spot in between):
            return self._path_sentence("moves.slide", goes, dirs=dirs), {end, *between}
        if free and self._is_leap():
            return self._leap(goes), {end}
        if path == (0, 0) and form.at(end) == NOBODY and EMPTY not in form.at(between[0]):
            over = say(f"man.{self._somebody(form.at(between[0]))}")
            return say("moves.hop", dirs=dirs, over=over, end=goes), {end, *between}
        middle = Spot(path=path[: len(path) // 2])
        if set(path) == {0} and len(path) % 2 == 0 and form.at(end) == NOBODY and EMPTY not in form.at(middle) and all(
                form.at(spot) == NOBODY for spot in between if spot != middle):
            over = say(f"man.{self._somebody(form.at(middle))}")
            return say("moves.long-hop", dirs=dirs, over=over, count=say.count(len(path) // 2)), {end, *between}
        return say("moves.way", way=self._path(path, self._way_names(dirs)), end=goes), {end, *between}

    def _path_sentence(self, key: str, goes: str, **fields: object) -> str:
        """Return the sentence `key` about a path; if there is a variant for the contents of its end, that variant."""
        swaps = goes != self.say(f"to.{whom(idioms.landing(self.form))}")
        own = f"{key}.{whom(idioms.landing(self.form))}"
        return self.say(key if swaps or not self.say.has(own) else own, end=goes, **fields)

    def _somebody(self, contents: frozenset[str]) -> str:
        """Like `whom`, but "somebody" for any piece in games for one player, with partners, or with pieces of
        neutral or random players."""
        game = self.phrases.game
        owners = {game.players[owner].kind for owner, _, _ in (*game.setup, *game.stores)}
        alone = len(game.playing) == 1
        return "somebody" if contents == SOMEBODY and (alone or game.teams or owners != {"player"}) else whom(contents)

    def _way_names(self, dirs: str) -> Names:
        """Return names for the motions of a path: a choice of directions is listed only once."""
        named: list[int] = []

        def name(motion: int) -> str:
            if self.letters or not self.many:
                return self.name(motion)
            named.append(motion)
            return dirs if len(named) == 1 else self.say("same-direction")

        return name

    def _leap(self, goes: str) -> str:
        offsets = set(self._offsets() or [])
        far, near = max(map(abs, next(iter(offsets)))), min(map(abs, next(iter(offsets))))
        every = {(x, y) for x in (far, -far) for y in (near, -near)}
        every |= {(y, x) for x, y in every}
        if offsets == _KNIGHT:
            return self.say("moves.knight", end=goes)
        if offsets == {(-1, 2), (1, 2)} and self.phrases.compass.facing:
            return self.say("moves.knight-forward", end=goes)
        if offsets == every and near:
            return self.say("moves.leap", far=self.say.count(far), near=self.say.count(near), end=goes)
        phrases = [self.say.both(self._offset(offset)) for offset in sorted(offsets)]
        return self.say("moves.leap-to", offsets=self.say.either(phrases), end=goes)

    def _offset(self, offset: tuple[int, int]) -> list[str]:
        x, y = offset
        up, down = ("forward", "backward") if self.phrases.compass.facing else ("up", "down")
        words = [(abs(y), up if y > 0 else down), (abs(x), "right" if x > 0 else "left")]
        return [self.say(f"offset.{word}", count=self.say.count(count)) for count, word in words if count]

    def _path(self, path: Path, name: Names) -> str:
        """Describe a path in parts, each with the contents of its last square."""
        phrases: list[str] = []
        count = 0
        for n, part in enumerate(path):
            following = path[n + 1] if n + 1 < len(path) else None
            spot = Spot(path=path[: n + 1])
            told_apart = following is not None and self.form.at(spot) != ON
            over = [self.say(f"over.{self._somebody(self.form.at(spot))}")] if told_apart else []
            if isinstance(part, Loop):
                past = n > 0 and _passes(path[n - 1], part)
                motion = part.path[0] if past else None
                phrases.append(self.say("way.run-empty", dir=name(motion)) if isinstance(motion, int)
                               else self.phrases.run(part, name))
                more = [self.say("way.one-more")] if past and not over and following is not None else []
                phrases += over or more
                count = 0
                continue
            count += 1
            if isinstance(following, Loop) and _passes(part, following):
                count -= 1
            if count and (following != part or self._passed(path, n) != self._passed(path, n + 1)):
                step = self.say("way.steps" if count > 1 else "way.step", count=self.say.count(count), dir=name(part))
                each = bool(over) and count > 1
                phrases.append(self.say("way.each", way=step, over=over[0]) if each else " ".join([step, *over]))
                count = 0
        return f", {self.say('way.then')} ".join(phrases)

    def _passed(self, path: Path, n: int) -> frozenset[str]:
        """Return the required contents of a square that the path goes over; ON for its last square."""
        return self.form.at(Spot(path=path[: n + 1])) if n + 1 < len(path) else ON


def _passes(step: int | Loop, run: Loop) -> bool:
    """Return whether a step and the run after it pass all squares up to the first that is not empty."""
    return run.path == (step,) and dict(run.contents) == {Spot(): NOBODY} and not run.facts and not run.deeds
