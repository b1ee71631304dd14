"""Write end conditions as sentences."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from zrf_py.author.lint.games import kinds_made
from zrf_py.author.words.document import TextLine
from zrf_py.author.words.language import sentence
from zrf_py.author.words.phrases import EACH, Phrases
from zrf_py.front import model
from zrf_py.front.goals import USUAL_REPETITION
from zrf_py.run.goals import asks_state
from zrf_py.text.grouping import by_key

MAX_SQUARES = 3
"""Maximum number of squares named in a sentence; more are marked in a picture."""
MAX_TEXT = 240
"""Maximum length of a condition in one sentence, in characters, if its parts can stand on lines of their own."""


class Goals:
    """Writes the end conditions of one game."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases, self.say, self.game = phrases, phrases.say, phrases.game
        self.motions: list[int] = []
        """Motions that EACH stands for in the pattern being written; reset once they are listed."""
        self.in_play, self.aims = kinds_made(phrases.program), phrases.program.aims

    def lines(self) -> list[TextLine]:
        """Return lines: one for each condition and all its players, one on the order of conditions, one for each
        default. Conditions about the board come first, as they are tested first."""
        by_condition = by_key(((end.result, end.goal, end.remove), end.players)
                              for end in sorted(self.game.ends, key=lambda end: asks_state(end.goal)))
        lines = [self._end(result, goal, remove, players) for (result, goal, remove), players in by_condition.items()]
        board = [end for end in self.game.ends if end.result != "out" and not asks_state(end.goal)]
        order = [TextLine(sentence(self.say("end.order")))] if len({end.goal for end in board}) > 1 else []
        return [*dict.fromkeys(lines), *order, *(TextLine(sentence(text)) for text in self._defaults())]

    def listed(self, goal: model.Goal) -> tuple[str, tuple[TextLine, ...]]:
        """Return a condition as a clause; if it is a long "one of" or "none of", also its parts as lines."""
        key, parts = "one-of", goal
        if isinstance(goal, model.AllOf) and goal.word == "not":
            key, parts = "none-of", goal.parts[0]
        text = self.goal(goal)
        if not isinstance(parts, model.AllOf) or parts.word != "or" or len(text) < MAX_TEXT:
            return text, ()
        return self.say(key), tuple(TextLine(sentence(clause)) for clause in self._patterns(_flat(parts), self.goal))

    def _end(self, result: str, goal: model.Goal, remove: int, players: list[tuple[int, ...] | None]) -> TextLine:
        numbers = list(dict.fromkeys(p for group in players for p in group or ()))
        playing = self.game.playing
        everybody = (set(playing) <= set(numbers) or not numbers) and len(playing) > 1
        subjects = self.say.either(map(self.phrases.player, numbers or playing))
        stuck = everybody and goal == model.StateGoal("stalemated") and remove < 0
        if stuck and self.say.has(f"end.{result}.stuck"):
            return TextLine(sentence(self.say(f"end.{result}.stuck")))
        condition, inner = self.listed(goal)
        text = self.say(f"end.{result}{'.all' if everybody else ''}", who=subjects, condition=condition)
        if remove >= 0:
            text += self.say("end.remove", zone=self.phrases.regions.zone(remove))
        return TextLine(sentence(text + ":" if inner else text), inner)

    def _defaults(self) -> list[str]:
        words, times = self.aims.states, self.aims.repetition
        royal = any(self.aims.royals)
        alone = len(self.game.movers) == 1
        last = "end.last-team" if self.game.teams else "end.last"
        lines = [self.say(last)] if any(end.result == "out" for end in self.game.ends) else []
        if "stalemated" not in words and self.game.options.pass_turn == "never":
            key = "default.stuck-alone" if alone else "default.stuck-royal" if royal else "default.stuck"
            lines.append(self.say(key))
        if "repetition" not in words and times:
            lines.append(self._repeated("default.repetition"))
        return lines

    def _repeated(self, key: str) -> str:
        """Return a sentence about repetition, with the number of occurrences unless that is the usual one."""
        times = self.aims.repetition
        return self.say(key) if times == USUAL_REPETITION else self.say(f"{key}-times" if times else f"{key}-never",
                                                                        times=times)

    def goal(self, goal: model.Goal) -> str:
        """Return a goal as a clause, from the point of view of its player."""
        say = self.say
        match goal:
            case model.AllOf(word="and") if len(goal.parts) == 1:
                return self.goal(goal.parts[0])
            case model.AllOf(word="and"):
                parts = _flat(goal, "and")
                groups = {part: group for part in parts if (group := _all_or_none(part))}
                pairs = self._alike(list(groups.values())) if len(groups) > 1 else ""
                clauses = [self.inside(part) for part in parts if not pairs or part not in groups]
                return say.both([*clauses, pairs] if pairs else clauses)
            case model.AllOf(word="or") if (most := _at_most(goal)) is not None:
                return say("goal.at-most", number=say.count(most))
            case model.AllOf(word="or"):
                return say.either(self._patterns(_flat(goal)))
            case model.AllOf():
                return say("not", condition=self.goal(goal.parts[0]))
            case model.Absolute():
                return self._absolute(goal)
            case model.Relative() if _row(goal) is not None:
                return self._patterns((goal,))[0]
            case model.Relative():
                return self._relative(goal)
            case model.Count():
                piece = self.phrases.piece(goal.piece) if goal.piece >= 0 else ""
                some, zero = ("total", "empty") if goal.everybody else ("remaining", "none")
                key = f"goal.{some if goal.number else zero}"
                if key == "goal.remaining" and goal.number == 1:
                    key = "goal.single"
                text = say(key + (".piece" if piece else ""), number=say.count(goal.number), piece=piece)
                return text + say("goal.hand") * (self.game.options.include_off_pieces and not goal.everybody)
            case model.Taken():
                names = say.either(map(self.phrases.piece, goal.pieces))
                return say("goal.checkmated" if goal.royal else "goal.captured", pieces=names)
            case model.StateGoal():
                return self._repeated("goal.repetition") if goal.word == "repetition" else say(f"goal.{goal.word}")
            case model.Compare():
                return self.phrases.compared(goal.word, True, (goal.left, goal.right), lambda place: "")

    def inside(self, goal: model.Goal) -> str:
        """Return a goal as part of a list: a compound goal is put in parentheses."""
        text = self.goal(goal)
        several = isinstance(goal, model.AllOf) and goal.word != "not" and len(goal.parts) > 1
        pattern = isinstance(goal, model.Relative) and _row(goal) is None
        return f"({text})" if several or pattern else text

    def _absolute(self, goal: model.Absolute) -> str:
        occupants = self.say.either(self._occupant((occupant,)) for occupant in goal.occupants)
        squares = [self.phrases.place(n) for zone, n in goal.places if not zone]
        zones = [self.phrases.regions.zone(n) for zone, n in goal.places if zone]
        clauses = []
        if len(squares) > MAX_SQUARES and not (len(goal.occupants) == 1 and goal.occupants[0].negated):
            colour = self.phrases.regions.marked(n for zone, n in goal.places if not zone)
            clauses.append(self.say("goal.marked", who=occupants, colour=colour))
            squares = []
        if len(squares) > 1 and len(goal.occupants) == 1 and goal.occupants[0].negated:
            who_not = self._occupant((replace(goal.occupants[0], negated=False),))
            clauses.append(self.say("goal.squares.none", who=who_not, squares=self.say.both(squares)))
        elif squares:
            key = "goal.square" if len(squares) == 1 else "goal.squares"
            clauses.append(self.say(key, who=occupants, squares=self.say.both(squares)))
        clauses += [self.say("goal.zone", who=occupants, zone=zone) for zone in zones]
        return self.say.both(clauses)

    def _alike(self, groups: list[model.Absolute]) -> str:
        """Return a clause saying that each group has a certain piece on all its squares or on none; "" if the pieces
        differ between groups, or a group contains a zone."""
        squares = [self.say.both(self.phrases.place(n) for _, n in group.places) for group in groups]
        if len({group.occupants for group in groups}) > 1 or any(zone for group in groups for zone, _ in group.places):
            return ""
        return self.say("goal.alike", who=self._occupant(groups[0].occupants), squares="; ".join(squares))

    def _occupant(self, some: Sequence[model.Occupant]) -> str:
        """Return a phrase for the occupant of a square; `some` holds one test of it, or several negated tests."""
        first = some[0]
        if first.negated and first.owner == "any-owner" and {occupant.piece for occupant in some} >= self.in_play:
            return self.say("occupant.nobody")
        possible = [occupant for occupant in some if occupant.piece in self.in_play] or some
        pieces = self.say.either(self.phrases.piece(occupant.piece) for occupant in possible)
        return self.say(f"occupant.{first.owner}.{'no' if first.negated else 'yes'}", pieces=pieces)

    def _patterns(self, goals: tuple[model.Goal, ...], say: Callable[[model.Goal], str] | None = None) -> list[str]:
        """Return alternative goals as clauses; rows of the same occupant in several directions are joined."""
        rows: dict[tuple[int, model.Occupant], list[int]] = {}
        clauses: list[str] = []
        turned = [_turned(goal) for goal in goals]
        for goal, (shape, direction) in zip(goals, turned, strict=True):
            motions = [2 * other for same, other in turned if same == shape]
            if direction != EACH and len(motions) > 1:
                self.motions = motions
                clauses.append((say or self.inside)(shape))
                continue
            row = _row(goal) if isinstance(goal, model.Relative) else None
            if row:
                rows.setdefault(row[:2], []).append(2 * row[2])
            else:
                clauses.append((say or self.inside)(goal))
        return [*(self._in_row(count, occupant, motions) for (count, occupant), motions in rows.items()),
                *dict.fromkeys(clauses)]

    def _motion(self, motion: int) -> str:
        """Return the name of a motion of a pattern, which may be EACH."""
        if motion != 2 * EACH:
            return self.phrases.direction(motion)
        motions, self.motions = self.motions, []
        return self.phrases.directions(motions) if motions else self.say("same-direction")

    def _in_row(self, count: int, occupant: model.Occupant, motions: list[int]) -> str:
        """Return a clause about `count` squares in a row with the same occupant, in one of these directions."""
        dirs = self.phrases.lines(motions)
        if occupant.owner != "own" or occupant.negated:
            return self.say("goal.row", count=self.say.count(count), who=self._occupant((occupant,)), dirs=dirs)
        alone = sum(not piece.dummy for piece in self.game.pieces) == 1
        pieces = self.say("pieces" if alone else "pieces.of", pieces=self.phrases.piece(occupant.piece))
        return self.say("goal.row.own", count=self.say.count(count), pieces=pieces, dirs=dirs)

    def _relative(self, goal: model.Relative) -> str:
        """Describe a pattern, square by square."""
        squares: list[tuple[tuple[int, ...], str]] = []
        path: tuple[int, ...] = ()
        for is_step, items in groupby(goal.items, key=lambda item: isinstance(item, int)):
            if is_step:
                path = tuple(2 * item for item in items if isinstance(item, int))
            else:
                squares.append((path, self._together([item for item in items if not isinstance(item, int)])))
        clauses = [self.say("goal.anywhere")] if squares and squares[0][0] else []
        for (motions, occupants), run in groupby(squares):
            steps = self.phrases.path_words(motions, self._motion)
            part = self.say("goal.then" if motions else "goal.first", way=steps, who=occupants)
            count = len(list(run))
            clauses.append(part if count < 2 else self.say("goal.times", part=part, count=self.say.count(count)))
        return self.say("goal.pattern", parts="; ".join(clauses))

    def _together(self, occupants: Iterable[model.Occupant]) -> str:
        """Return a phrase for all conditions on one square."""
        phrases = []
        for (_, negated), alike in groupby(occupants, key=lambda occupant: (occupant.owner, occupant.negated)):
            some = tuple(alike)
            phrases += [self._occupant(some)] if negated else [self._occupant((occupant,)) for occupant in some]
        return self.say.both(phrases)


def _row(goal: model.Relative) -> tuple[int, model.Occupant, int] | None:
    """Return (length, occupant, direction) of a pattern that is a row of one occupant; else None."""
    men = [item for item in goal.items if not isinstance(item, int)]
    steps = [item for item in goal.items if isinstance(item, int)]
    if len(set(men)) == 1 and len(set(steps)) == 1 and list(goal.items[::2]) == men and len(men) == len(steps) + 1:
        return len(men), men[0], steps[0]
    return None


def _turned(goal: model.Goal) -> tuple[model.Goal, int]:
    """Return (goal with EACH for the direction of its only pattern, direction); (goal, EACH) if there is none."""
    match goal:
        case model.Relative() if _row(goal) is None:
            steps = {item for item in goal.items if isinstance(item, int)}
            if len(steps) == 1:
                return replace(goal, items=tuple(EACH if item in steps else item for item in goal.items)), steps.pop()
        case model.AllOf(word="and"):
            parts = [_turned(part) for part in goal.parts]
            if len(steps := {direction for _, direction in parts} - {EACH}) == 1:
                return replace(goal, parts=tuple(part for part, _ in parts)), steps.pop()
    return goal, EACH


def _at_most(goal: model.AllOf) -> int | None:
    """Return n if the goal lists exactly the counts 0, 1, … n of own pieces left ("at most n"); else None."""
    counts = {part.number for part in goal.parts
              if isinstance(part, model.Count) and not part.everybody and part.piece < 0}
    most = len(goal.parts) - 1
    return most if most > 0 and counts == set(range(most + 1)) else None


def _all_or_none(goal: model.Goal) -> model.Absolute | None:
    """Return the first half of a goal "a piece on all of these squares, or on none of them"; None for other goals."""
    match goal:
        case model.AllOf(word="or", parts=(model.Absolute(occupants=(kind,)) as held, model.Absolute() as free)):
            opposite = replace(held, occupants=(replace(kind, negated=True),))
            return held if free == opposite != held else None
    return None


def _flat(goal: model.Goal, word: str = "or") -> tuple[model.Goal, ...]:
    """Return the operands of a goal joined by `word`, nested ones flattened; any other goal is its only operand."""
    if isinstance(goal, model.AllOf) and goal.word == word:
        return tuple(leaf for part in goal.parts for leaf in _flat(part, word))
    return (goal,)
