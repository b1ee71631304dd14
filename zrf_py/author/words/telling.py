"""Kinds of moves -> sentences."""

from collections.abc import Iterable

from zrf_py.author.words.forms import ANYONE, EMPTY, ENEMY, FRIEND, NAMED, ON, START, Deed, Fact, Run, Spot, Way
from zrf_py.author.words.language import sentence
from zrf_py.author.words.merging import Group, spots_of
from zrf_py.author.words.phrases import Names, Phrases, SpotNames, whom
from zrf_py.front import model

_E = frozenset({EMPTY})
SOMEBODY = frozenset({ENEMY, FRIEND})


class Telling:
    """One group of forms of a piece as text. `drop_at` names the squares that a drop is restricted to."""

    def __init__(self, phrases: Phrases, group: Group, piece: int) -> None:
        self.phrases, self.say, self.group, self.form = phrases, phrases.say, group, group.form
        self.piece = piece
        self.many = len(group.motions) > 1 and bool(group.motions[0])
        self.letters = self.many and not self._is_leap() and (len(group.motions[0]) > 1 or not self._goes_along())
        self.spots = SpotNames(phrases, self.name, self._fixed(), "dropped" if self.form.drop else "start")

    # ------------------------------------------------------------------------------------------------------- names

    def name(self, motion: int) -> str:
        """A motion of the form, which is a number into the motions of the group."""
        if self.letters:
            return self.say("letter", letter=chr(ord("A") + motion))
        if self.many:
            return self.say("same-direction")
        return self.phrases.direction(self.group.motions[0][motion])

    def _goes_along(self) -> bool:
        """Whether it is said of the man which way he goes, or which way he aims."""
        form = self.form
        goes = not (form.drop or form.passes) and form.start == Spot() and form.end.base == START
        return goes and (form.end != Spot() or self._aim() is not None)

    def _is_leap(self) -> bool:
        way = self.form.end.way
        return (len(set(way)) > 1 and self.form.end.base == START and all(isinstance(part, int) for part in way)
                and all(spot in (Spot(), self.form.end) or spot.base == NAMED for spot in self._known())
                and self._offsets() is not None)

    def _known(self) -> Iterable[Spot]:
        return spots_of(self.form)

    def _offsets(self) -> list[tuple[int, int]] | None:
        found = []
        for motions in self.group.motions:
            offset = self.phrases.compass.offset(motions[part] for part in self.form.end.way if isinstance(part, int))
            if offset is None:
                return None
            found.append(offset)
        return found

    def _fixed(self) -> dict[Spot, tuple[str, dict[str, object]]]:
        """Squares of the way with names of their own."""
        end = self.form.end
        fixed: dict[Spot, tuple[str, dict[str, object]]] = {}
        between = [Spot(end.base, end.position, end.way[:n]) for n in range(1, len(end.way))]
        if len(between) == 1 and not any(isinstance(part, Run) for part in end.way):
            fixed[between[0]] = "between", {}
        elif not any(isinstance(part, Run) for part in end.way):
            fixed.update({spot: ("way-square", {"number": n}) for n, spot in enumerate(between, 1)})
        if aim := self._aim():
            return {aim: ("aim", {})}
        if self.form.drop:
            return {Spot(): ("dropped", {}), end: ("dropped", {})} if end == Spot() else {end: ("end", {})}
        if end != Spot() and not (end.base == NAMED and not end.way):
            fixed[end] = "end", {}
        return fixed

    def _aim(self) -> Spot | None:
        """The one square away, in a line over empty squares, that a man who stays where he is does something to."""
        form = self.form
        far = {spot for spot in spots_of(form) if spot != Spot()}
        if form.end != Spot() or form.drop or form.passes or form.start != Spot() or len(far) != 1:
            return None
        (spot,) = far
        return spot if spot.base == START and _is_slide(spot.way) and spot.way[0] == 0 else None

    # --------------------------------------------------------------------------------------------------- sentences

    def text(self) -> str:
        """The sentence, and what letters stand for."""
        form, say = self.form, self.say
        head, told = self._head()
        parts = [head, *self._others(), *self._deeds(form.deeds), *self._becoming(), *self._going_on(), *self._rise()]
        if form.copy:
            parts.insert(1, say("moves.copy"))
        conditions = self._conditions(told)
        if conditions:
            parts.append(say("all-only-if" if len(parts) > 1 else "only-if", conditions=say.both(conditions)))
        text = sentence("; ".join(part for part in parts if part))
        return f"{text} {self._legend()}" if self.letters else text

    def _legend(self) -> str:
        names = [self.name(n) for n in range(len(self.group.motions[0]))]
        if len(names) == 1:
            ways = [self.phrases.direction(motion) for motion, in self.group.motions]
            return sentence(self.say("letters.one", names=names[0], list=self.say.either(ways)))
        ways = [f"({', '.join(map(self.phrases.direction, motions))})" for motions in self.group.motions]
        return sentence(self.say("letters", names=f"({', '.join(names)})", list=self.say.either(ways)).rstrip("."))

    def _head(self) -> tuple[str, set[Spot]]:
        """How the man goes, and the squares of which it is said who stands there."""
        form, say, end = self.form, self.say, self.form.end
        if form.passes:
            return say("moves.stay" if form.deeds and not form.drop else "moves.pass"), set()
        goes = self._to()
        if form.drop:
            return say("moves.drop", end=goes), {end}
        if form.start != Spot():
            return say("moves.other", start_at=self.spots.at(form.start), end_name=self.spots.name(end)), set()
        if end == Spot() and self._aim():
            dirs = self.phrases.directions(motions[0] for motions in self.group.motions)
            return say("moves.aim", dirs=dirs), set()
        if end == Spot():
            return say("moves.stay"), set()
        if end.base != START:
            return say("moves.other", start_at=self.spots.at(Spot()), end_name=self.spots.name(end)), set()
        return self._gone(end.way, goes)

    def _to(self) -> str:
        """The words for who may stand where the man goes."""
        swaps = any(start == self.form.end for start, _ in self.form.others) or any(
            deed.spot == self.form.end and deed.name == "capture" for deed in self.form.deeds)
        return self.say(f"{'to-swap' if swaps else 'to'}.{whom(self.form.at(self.form.end))}")

    def _gone(self, way: Way, goes: str) -> tuple[str, set[Spot]]:
        say, form, end = self.say, self.form, self.form.end
        dirs = self.phrases.directions(motions[0] for motions in self.group.motions)
        between = [Spot(way=way[:n]) for n in range(1, len(way))]
        free = all(form.at(spot) == ON for spot in between)
        if way == (0,):
            return say("moves.step", dirs=dirs, end=goes), {end}
        if free and set(way) == {0}:
            return say("moves.straight", count=len(way), dirs=dirs, end=goes), {end}
        if _is_slide(way) and all(form.at(spot) in (ON, _E) for spot in between):
            return say("moves.slide", dirs=dirs, end=goes), {end}
        if free and self._is_leap():
            return self._leap(goes), {end}
        if way == (0, 0) and form.at(end) == _E and EMPTY not in form.at(between[0]):
            over = say(f"man.{self._somebody(form.at(between[0]))}")
            return say("moves.hop", dirs=dirs, over=over, end=goes), {end, *between}
        return say("moves.way", way=self._path(way, self._way_names(dirs)), end=goes), {end, *between}

    def _somebody(self, who: frozenset[str]) -> str:
        """The key of those who may stand on a square; not all men are own or enemy ones where there is one player,
        where there are partners, and where men are nobody's."""
        game = self.phrases.game
        owners = {game.players[owner].kind for owner, _, _ in (*game.setup, *game.stores)}
        alone = sum(player.kind == "player" for player in game.players) == 1
        return "somebody" if who == SOMEBODY and (alone or game.teams or owners != {"player"}) else whom(who)

    def _way_names(self, dirs: str) -> Names:
        """Names of motions on a way: where there is one direction, of several, they are listed once."""
        said: list[int] = []

        def name(motion: int) -> str:
            if self.letters or not self.many:
                return self.name(motion)
            said.append(motion)
            return dirs if len(said) == 1 else self.say("same-direction")

        return name

    def _leap(self, goes: str) -> str:
        offsets = set(self._offsets() or [])
        one = next(iter(offsets))
        far, near = max(map(abs, one)), min(map(abs, one))
        every = {(x, y) for x in (far, -far) for y in (near, -near)}
        every |= {(y, x) for x, y in every}
        if offsets == every and near:
            return self.say("moves.leap", far=far, near=near, end=goes)
        said = [self.say.both(self._offset(offset)) for offset in sorted(offsets)]
        return self.say("moves.leap-to", offsets=self.say.either(said), end=goes)

    def _offset(self, offset: tuple[int, int]) -> list[str]:
        x, y = offset
        up, down = ("forward", "backward") if self.phrases.compass.facing else ("up", "down")
        words = [(abs(y), up if y > 0 else down), (abs(x), "right" if x > 0 else "left")]
        return [self.say(f"offset.{word}", count=count) for count, word in words if count]

    def _path(self, way: Way, name: Names) -> str:
        """A way in parts, each with who may stand there."""
        said: list[str] = []
        count = 0
        for n, part in enumerate(way):
            following = way[n + 1] if n + 1 < len(way) else None
            spot = Spot(way=way[: n + 1])
            known = following is not None and self.form.at(spot) != ON
            over = [self.say(f"over.{self._somebody(self.form.at(spot))}")] if known else []
            if isinstance(part, Run):
                past = n > 0 and _passes(way[n - 1], part)
                said.append(self.say("way.run-empty", dir=name(part.way[0])) if past and isinstance(part.way[0], int)
                            else self.phrases.run(part, name))
                more = [self.say("way.one-more")] if past and not over and following is not None else []
                said += over or more
                count = 0
                continue
            count += 1
            if isinstance(following, Run) and _passes(part, following):
                count -= 1
            if count and (following != part or self._passed(way, n) != self._passed(way, n + 1)):
                step = self.say("way.steps" if count > 1 else "way.step", count=count, dir=name(part))
                each = bool(over) and count > 1
                said.append(self.say("way.each", way=step, over=over[0]) if each else " ".join([step, *over]))
                count = 0
        return f", {self.say('way.then')} ".join(said)

    def _passed(self, way: Way, n: int) -> frozenset[str]:
        """Who may stand on a square that the way goes over; on its last one anybody."""
        return self.form.at(Spot(way=way[: n + 1])) if n + 1 < len(way) else ON

    # ------------------------------------------------------------------------------------------------- what follows

    def _conditions(self, told: set[Spot]) -> list[str]:
        facts = self.form.facts
        named = {fact.spot for fact in facts if isinstance(fact, Fact) and fact.name == "piece?" and fact.want}
        found = [self.phrases.contents(spot, who, self.spots) for spot, who in self.form.contents
                 if spot not in told and who != ANYONE and not (who >= ON and self._is_way(spot))
                 and not (spot == Spot() and not self.form.drop) and not (spot in named and who >= SOMEBODY)]
        if not found and len(facts) == 1:
            return [self.phrases.condition(facts[0], self.spots)]
        return found + [self.phrases.clause(fact, self.spots) for fact in facts]

    def _is_way(self, spot: Spot) -> bool:
        """Whether the man goes over a square, so that it has to be there."""
        end = self.form.end
        return (spot.base, spot.position) == (end.base, end.position) and end.way[: len(spot.way)] == spot.way

    def _others(self) -> list[str]:
        return [self.say("other", from_at=self.spots.at(start), to=self.spots.name(end))
                for start, end in self.form.others]

    def _deeds(self, deeds: Iterable[Deed]) -> list[str]:
        said = [self.deed(deed, self.spots) for deed in deeds]
        return [words for words in dict.fromkeys(said) if words]

    def deed(self, deed: Deed, spots: SpotNames) -> str:
        """An effect as a clause."""
        say, game = self.say, self.phrases.game
        at = spots.at(deed.spot) if deed.spot else ""
        here = spots.name(deed.spot) if deed.spot else ""
        own = ".end" if deed.spot == self.form.end and not self.form.others else ""
        match deed.name:
            case "capture" if deed.spot and self._takes_itself(deed.spot):
                return say("deed.capture.self")
            case "create":
                piece = self.phrases.piece(deed.a if deed.a >= 0 else self.piece)
                if deed.b >= 0:
                    return say("deed.create-of", piece=piece, at=at, player=self.phrases.player(deed.b))
                return say("deed.create", piece=piece, at=at)
            case "flip" if len(game.players) > 2:
                players = map(self.phrases.player, range(len(game.players)))
                return say("deed.flip.many", at=at, players=", ".join(players))
            case "change-type":
                return say(f"deed.change-type{own}", at=at, piece=self.phrases.piece(deed.a))
            case "set-attribute":
                return say(f"deed.set-attribute.{deed.b}{own}", at=at, name=game.attributes[deed.a])
            case "set-counter" | "add-to-counter":
                of = say("deed.of", player=self.phrases.player(deed.b)) if deed.b >= 0 else ""
                number = self.phrases.number(deed.numbers[0], spots.around(deed.spot))
                return say(f"deed.{deed.name}", name=game.counters[deed.a].name, of=of, number=number)
            case "next-turn":
                return self._next_turn(deed.numbers[0], spots.around(deed.spot))
            case "each" if deed.spot:
                run = deed.spot.way[-1]
                inner = SpotNames(self.phrases, self.name, begin="that-square")
                deeds = run.deeds if isinstance(run, Run) else ()
                return say("deed.each", spot=here, deeds=say.both(self.deed(one, inner) for one in deeds))
        return say(f"deed.{deed.name}", at=at)

    def _takes_itself(self, spot: Spot) -> bool:
        """Whether what is captured on a square is the man himself: he stays there, or nobody was there before him."""
        form = self.form
        return spot == form.end and not form.drop and not form.others and (
            form.end == form.start == Spot() or form.at(spot) == _E)

    def _next_turn(self, number: model.Number, around: Names) -> str:
        if number.kind != "number":
            return self.say("deed.next-turn", number=self.phrases.number(number, around))
        key = "again" if number.a == 0 else "on" if number.a > 0 else "back"
        return self.say(f"deed.next-turn.{key}", number=abs(number.a))

    def _becoming(self, anyhow: bool = False) -> list[str]:
        form, names = self.form, [self.phrases.piece(kind) for kind in self.form.types]
        if not names or (form.rise is not None and not anyhow):
            return []
        return [self.say("put-as" if form.drop else "becomes", types=self.say.either(names))]

    def _rise(self) -> list[str]:
        """What happens only if something holds."""
        form = self.form
        if form.rise is None:
            return []
        said = [*self._deeds(form.rise_deeds), *self._becoming(anyhow=True)]
        said += [self.say("must-go-on")] if form.rise_must else []
        return [self.say("rise", condition=self.phrases.condition(form.rise, self.spots), said=self.say.both(said))]

    def _going_on(self) -> list[str]:
        if self.form.partial is None:
            return []
        types = self.phrases.program.move_types
        blocks = self.phrases.game.pieces
        kind = self.form.partial
        if kind >= 0 and not any(r.move_type == kind for piece in blocks for r in piece.moves):
            return [self.say("goes-on-never")]
        free = self.form.must or self.phrases.game.options.pass_partial
        key = "goes-on" if free else "has-to-go-on"
        said = self.say(f"{key}-type", type=types[kind]) if kind >= 0 else self.say(key)
        return [said, self.say("must-go-on")] if self.form.must else [said]


def _is_slide(way: Way) -> bool:
    """Whether a way is one step and more of them over empty squares, in one line."""
    parts = [part for part in way if isinstance(part, Run)]
    if len(parts) != 1 or parts[0].way != (0,) or parts[0].facts or parts[0].deeds:
        return False
    run = parts[0]
    inner = dict(run.contents)
    before = way == (0, run) and inner == {Spot(): _E}
    ahead = way == (run, 0) and inner == {Spot(way=(0,)): _E}
    return before or ahead


def _passes(step: int | Run, run: Run) -> bool:
    """Whether a step and the run after it are the squares up to the first that is not empty."""
    return run.way == (step,) and dict(run.contents) == {Spot(): _E} and not run.facts and not run.deeds
