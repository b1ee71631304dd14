"""Write the sentence about one kind of move, from a group of forms (`Form`)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from zrf_py.author.words import idioms
from zrf_py.author.words.bearings import Names
from zrf_py.author.words.factoring import Clauses
from zrf_py.author.words.forms import Condition, Deed, Fact, Loop, Many, Spot
from zrf_py.author.words.idioms import NOBODY, SOMEBODY
from zrf_py.author.words.language import sentence
from zrf_py.author.words.logic import joined, negated, parts_of
from zrf_py.author.words.merging import PLACE, respotted, way_of
from zrf_py.author.words.moving import Moving
from zrf_py.author.words.phrases import EACH, SpotNames, ahead
from zrf_py.author.words.squares import ANYONE, ON
from zrf_py.author.words.sweeps import SWEPT
from zrf_py.front import model


class MoveSentence(Moving):
    """Writes the sentence about one group of forms of a piece."""

    def clauses(self) -> Clauses:
        """Return the clauses of the sentence, with a legend of its letters."""
        form, say = self.form, self.say
        if (castling := idioms.castling(form, self.phrases.unmoved)) and not self.many and castling.piece >= 0:
            return self._castled(castling)
        if self.passing:
            words = {n: word for n, word in enumerate(self._sectors()) if word}
            head = say("en-passant", piece=self.phrases.piece(self.passing.piece), dirs=self.phrases.sectors(words))
            return self._joined([head, *self._deeds(self.passing.deeds)], [
                self.phrases.clause(fact, self.spots) for fact in self.passing.facts])
        head, named = self._head()
        self.spots.fixed.update({PLACE: ("end", {})} if form.squares else {})
        rise, going_on = self._rise(), self._going_on()
        chain = [say("chain")] if form.chain else []
        others = [say("other.swap" if (end, start) == (form.start, form.end) else "other", from_at=self.spots.at(start),
                      to=self.spots.name(end)) for start, end in form.others]
        parts = [head, *others, *self._deeds(form.deeds), *chain, *self._becoming(), *going_on, *rise]
        if form.rise_ends:
            parts[-len(rise) - len(going_on):] = [*rise, *(say("goes-on.else", said=text) for text in going_on)]
        joined = self._joined(parts, self._conditions(named))
        text = " ".join((*joined.parts, *joined.conditions)) if self.letters else ""
        lettered = any(self.name(n) in text for n in range(len(self.group.motions[0])) if self.varies(n))
        return replace(joined, more=" ".join(filter(None, [self._repeats(), self._legend() if lettered else ""])))

    def _joined(self, parts: list[str], conditions: list[str]) -> Clauses:
        """Join effects and conditions; add the conditions to `Phrases.clauses`."""
        self.phrases.clauses += conditions
        return Clauses(tuple(filter(None, parts)), tuple(conditions))

    def _castled(self, castling: idioms.Idiom) -> Clauses:
        form, say = self.form, self.say
        count, far = len(form.end.path), form.others[0][0]
        passed = [Spot(), *(Spot(path=(0,) * n) for n in range(1, count + 1))]
        safe = [Fact("attacked?", False, spot, -1) for spot in passed]
        is_safe = all(fact in castling.facts for fact in safe)
        is_unmoved = all(any(fact.a in self.phrases.unmoved for fact in idioms.held(form, "attribute?", spot))
                         for spot in (Spot(), far))
        rest = [fact for fact in castling.facts if not (is_safe and fact in safe)
                and not (is_unmoved and isinstance(fact, Fact) and fact.name == "in-zone?" and fact.spot == Spot())]
        head = say("castle", count=say.count(count), dir=self.name(0), far=say.count(len(far.path)),
                   piece=self.phrases.piece(castling.piece))
        parts = [head, *([say("castle.unmoved")] if is_unmoved else []), *([say("castle.safe")] if is_safe else [])]
        return self._joined([*parts, *self._deeds(castling.deeds)], [self.phrases.clause(f, self.spots) for f in rest])

    def _legend(self) -> str:
        varying = [n for n in range(len(self.group.motions[0])) if self.varies(n)]
        names = [self.name(n) for n in varying]
        if len(names) == 1:
            options = [self.phrases.direction(motions[varying[0]]) for motions in self.group.motions]
            return sentence(self.say("letters.one", names=names[0], list=self.say.either(options)))
        options = [f"({', '.join(self.phrases.direction(motions[n]) for n in varying)})"
                   for motions in self.group.motions]
        return sentence(self.say("letters", names=f"({', '.join(names)})", list=self.say.either(options)).rstrip("."))

    def _conditions(self, covered: set[Spot]) -> list[str]:
        lifted = {Fact("attribute?", False, deed.spot, self.form.chain[0].fact.a) for deed in self.form.deeds
                  } if self.form.chain and isinstance(self.form.chain[0].fact, Fact) else set()
        facts = [fact for fact in self.form.facts if fact != self.named and fact not in lifted]
        named = {fact.spot for fact in facts if isinstance(fact, Fact) and fact.name == "piece?" and fact.want}
        clauses = [self.phrases.contents(spot, contents, self.spots) for spot, contents in self.form.contents
                   if spot not in covered and contents != ANYONE and not (contents >= ON and self._is_way(spot))
                   and not (spot == Spot() and not self.form.drop) and not (spot in named and contents >= SOMEBODY)]
        if not clauses and len(facts) == 1:
            return [self._begins_or_ends(facts[0])]
        same = "same?", False, self.form.end
        apart = [fact for fact in facts if isinstance(fact, Fact) and (fact.name, fact.want, fact.spot) == same]
        if len(apart) > 1:
            others = self.say.either(self.spots.name(fact.other) for fact in apart if fact.other)
            clauses.append(self.say("same?.none", spot=self.spots.name(self.form.end), others=others))
            facts = [fact for fact in facts if fact not in apart]
        return clauses + [self._whole_line(fact) or self.phrases.clause(fact, self.spots) for fact in facts]

    def _whole_line(self, fact: Condition) -> str:
        """Return a clause about all squares of a line up to the edge; "" unless the condition is that a run along the
        line, with a test of each square, leaves the board."""
        spot = fact.spot if isinstance(fact, Fact) and (fact.name, fact.want) == ("on-board?", False) else None
        line, last = spot.path[-2:] if spot and len(spot.path) > 1 else (None, None)
        if not (spot and isinstance(line, Loop) and isinstance(last, int) and line.path == (last,)):
            return ""
        exists = Fact("on-board?", True, Spot(path=line.path))
        if line.facts[:1] != (exists,) or len(line.facts) != 2 or line.contents or line.deeds:
            return ""
        names = SpotNames(self.phrases, self.name, {Spot(path=line.path): ("that-square", {})})
        condition = self.phrases.condition(negated(line.facts[1]), names)
        begin = self.spots.at(Spot(spot.base, spot.position, spot.path[:-2]))
        return self.say("line.none", dir=self.name(last), at=begin, condition=condition)

    def _is_way(self, spot: Spot) -> bool:
        """Return whether a square is on the piece's path, so that the square must exist."""
        end = self.form.end
        return (spot.base, spot.position) == (end.base, end.position) and end.path[: len(spot.path)] == spot.path

    def _deeds(self, deeds: Iterable[Deed]) -> list[str]:
        lines: list[str] = []
        alike: dict[Deed, dict[int, Deed]] = {}
        for deed in deeds:
            if not (deed.name == "set-attribute" and deed.a in self.phrases.unmoved):
                motion = way_of(self.form, deed)
                alike.setdefault(deed if motion < 0 else self._along(deed, motion), {})[motion] = deed
        for motions, some in groupby(alike.items(), key=lambda item: tuple(item[1])):
            shapes = dict(some)
            lines += [self._each_way(list(shapes), motions)] if len(motions) > 1 else [
                self.deed(deed, self.spots) for by_motion in shapes.values() for deed in by_motion.values()]
        return [words for words in dict.fromkeys(lines) if words]

    def _along(self, deed: Deed, direction: int) -> Deed:
        """Return a conditional effect with EACH in place of `direction`, its only motion from the end square."""
        size = len(self.form.end.path)
        along: Deed = respotted(deed, lambda spot: replace(spot, path=spot.path[:size] + tuple(
            EACH if motion == direction else motion for motion in spot.path[size:])))
        return along

    def _each_way(self, deeds: Sequence[Deed], motions: Sequence[int]) -> str:
        """Return effects that happen in each of several directions as a clause."""
        end, counted = self.form.end, ahead(self.form.end)
        fixed = not any(map(self.varies, motions))
        dirs = (self.phrases.directions(self.group.motions[0][motion] for motion in motions) if fixed
                else self.say.both(map(self.name, motions)))
        near, behind = list(counted)[:2]
        held = {Fact("enemy?", True, near), Fact("friend?", True, behind)}
        if [(deed.deeds, set(deed.fact.parts) if isinstance(deed.fact, Many) else ()) for deed in deeds] == [
                ((Deed("capture", near),), held)]:
            return self.say("deed.custodian", dirs=self.say("but-back") if self._all_but_back(motions) else dirs)
        spots = SpotNames(self.phrases, self.spots.each, self.spots.fixed | counted)
        return self.say("deed.each-way", dirs=dirs, at=self.spots.at(end),
                        deeds="; ".join(self.deed(deed, spots) for deed in deeds))

    def _all_but_back(self, motions: Sequence[int]) -> bool:
        """Return whether `motions` are all those of the group except the one back, whichever way the piece goes."""
        board = self.phrases.game.board
        every = {step for row in self.group.motions for step in row}
        missing = [(row[0], every - {row[motion] for motion in motions}) for row in self.group.motions]
        return len(every) > 2 and all(
            not step % 2 and len(rest) == 1 and board.links[rest.pop() // 2] == board.reverse[step // 2]
            for step, rest in missing)

    def deed(self, deed: Deed, spots: SpotNames) -> str:
        """Return an effect as a clause."""
        say, game = self.say, self.phrases.game
        at = spots.at(deed.spot) if deed.spot else ""
        square = spots.name(deed.spot) if deed.spot else ""
        own = ".end" if deed.spot == self.form.end and not self.form.others else ""
        match deed.name:
            case "capture" if deed.spot and self._takes_itself(deed.spot):
                return say("deed.capture.self" if self.form.at(deed.spot) == NOBODY or self.form.end == Spot() else
                           "deed.capture.both", at=at)
            case "every":
                inner = self.phrases.anywhere(SWEPT)
                zone = self.phrases.regions.among(deed.squares)
                if isinstance(deed.fact, Fact) and deed.fact == Fact("attribute?", True, SWEPT, deed.fact.a) and (
                        deed.deeds == (Deed("set-attribute", SWEPT, deed.fact.a),)):
                    return say("deed.every.no-longer", zone=zone, name=game.attributes[deed.fact.a])
                effects = say.both(self.deed(part, inner) for part in deed.deeds)
                return say("deed.every", condition=self.phrases.condition(deed.fact, inner), deeds=effects, zone=zone)
            case "capture" if deed.spot and self.spots.fixed.get(deed.spot, ("",))[0] in ("between", "jumped"):
                return say("deed.capture.over")
            case "when":
                inner_deeds = [say("must-go-on") if part.name == "must-continue" else self.deed(part, spots)
                               for part in deed.deeds]
                condition = self.phrases.condition(deed.fact, spots)
                return say("rise", condition=condition, said=say.both(inner_deeds))
            case "one" if deed.spot:
                return self._chosen(deed, deed.spot)
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
                run = deed.spot.path[-1]
                inner = SpotNames(self.phrases, self.name, begin="that-square")
                deeds = run.deeds if isinstance(run, Loop) else ()
                if len(deeds) == 1 and say.has(f"deed.each.{deeds[0].name}") and deeds[0].spot == Spot():
                    return say(f"deed.each.{deeds[0].name}")
                return say("deed.each", spot=square, deeds=say.both(self.deed(part, inner) for part in deeds))
        return say(f"deed.{deed.name}", at=at)

    def _chosen(self, deed: Deed, square: Spot) -> str:
        """Return a clause about an effect on one square of the player's choice; it names preferred squares, if any."""
        say, inner = self.say, self.phrases.anywhere(square)
        parts = parts_of(deed.fact, "and")
        rather = next((part for part in parts if isinstance(part, Many) and any(
            isinstance(fact, Fact) and fact.name == "count?" and not fact.want for fact in part.parts)), None)
        preference = ""
        if rather:
            count = next(fact for fact in rather.parts if isinstance(fact, Fact) and fact.name == "count?")
            better = joined("or", (fact for fact in rather.parts if fact != count))
            if count.a == 1 and count.inner == joined("and", (better if part == rather else part for part in parts)):
                parts = tuple(part for part in parts if part != rather)
                preference = say("deed.one.rather", condition=self.phrases.condition(better, inner))
                if isinstance(better, Fact) and (better.name, better.want, better.spot) == ("row?", False, square):
                    preference = say("deed.one.rather.row", **self.phrases.row(better))
        if deed.deeds == (Deed("capture", square),) and parts == (Fact("enemy?", True, square),):
            return say("deed.take") + preference
        deeds = say.both(self.deed(fact, inner) for fact in deed.deeds)
        condition = self.phrases.condition(joined("and", parts), inner)
        return say("deed.one", condition=condition, deeds=deeds) + preference

    def _takes_itself(self, spot: Spot) -> bool:
        """Return whether a capture on the square removes the moving piece itself: it stayed or moved there."""
        form = self.form
        return spot == form.end and not form.drop and not form.others and form.start == Spot()

    def _next_turn(self, number: model.Number, around: Names) -> str:
        if number.kind != "number":
            return self.say("deed.next-turn", number=self.phrases.number(number, around))
        usual = {0: "again", 1: "usual", 2: "skip"}
        key = usual.get(number.a, "on" if number.a > 0 else "back")
        return self.say(f"deed.next-turn.{key}", number=self.say.count(abs(number.a - (number.a > 0))))

    def _becoming(self, anyhow: bool = False) -> list[str]:
        form, names = self.form, [self.phrases.piece(kind) for kind in self.form.types]
        if not names or form.copy or ((form.rise or form.keeps is not None) and not anyhow):
            return []
        return [self.say("put-as" if form.drop else "becomes", types=self.say.either(names))]

    def _rise(self) -> list[str]:
        """Return clauses about the change of type and the effects that depend on `rise`."""
        form, say = self.form, self.say
        if form.keeps is not None:
            return self._may_rise()
        if form.rise is None:
            return []
        rise = form.rise
        if (isinstance(rise, Fact) and (rise.name, rise.spot, rise.want) == ("in-zone?", form.end, True)
                and form.types and not form.rise_deeds and not form.rise_must):
            types = say.either(map(self.phrases.piece, form.types))
            key = "promotes.ends" if form.rise_ends else "promotes.last" if form.chain else "promotes"
            return [say(key, zone=self.phrases.regions.zone(rise.a), types=types)]
        clauses = [*self._deeds(form.rise_deeds), *self._becoming(anyhow=True)]
        clauses += [say("must-go-on")] if form.rise_must else [say("goes-on-never")] if form.rise_ends else []
        return [say("rise", condition=self._begins_or_ends(rise), said=say.both(clauses))]

    def _may_rise(self) -> list[str]:
        """Return clauses about an optional promotion: when it is possible, and when it is forced."""
        form, say = self.form, self.say
        types = say.either(map(self.phrases.piece, form.types))
        clauses = [say("promotes.may-anyway", types=types)]
        if form.rise:
            clauses = [say("promotes.may", types=types, condition=self._begins_or_ends(form.rise))]
        for fact in form.keeps or ():
            clauses.append(say("promotes.must", condition=self.phrases.condition(negated(fact), self.spots)))
        return clauses

    def _begins_or_ends(self, condition: Condition) -> str:
        """Return a condition as a clause, with a short form for a move that begins or ends in a zone."""
        form = self.form
        if isinstance(condition, Many) and condition.word == "or" and len(condition.parts) == 2:
            fact = condition.parts[0]
            if isinstance(fact, Fact) and set(condition.parts) == {
                    Fact("in-zone?", True, spot, fact.a) for spot in (Spot(), form.end)}:
                return self.say("promotes.begin-end", zone=self.phrases.regions.zone(fact.a))
        return self.phrases.condition(condition, self.spots)

    def _going_on(self) -> list[str]:
        if self.form.partial is None or self.form.chain:
            return []
        free = self.form.must or self.phrases.game.options.pass_partial
        clauses = [] if self.again else [self.phrases.kinds.goes_on(self.form.partial, free)]
        return [*clauses, self.say("must-go-on")] if self.form.must else clauses

    def _repeats(self) -> str:
        """Return a sentence about repeating the move, with the conditions of later legs; "" if it can't be repeated."""
        if self.again is None:
            return ""
        say, less = self.say, set(self.form.facts) - set(self.again.facts)
        facts = [fact for fact in self.again.facts if less or fact not in self.form.facts]
        manner = say("again.freely") if less and not facts else ""
        if facts:
            manner = say("again.if", conditions=say.both(self.phrases.clause(fact, self.spots) for fact in facts))
        return sentence(say("again" if self.phrases.game.options.pass_partial else "again.has", how=manner))
