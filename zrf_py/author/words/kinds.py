"""Phrases for move types: captures, placements, continuations, or their names in the rules file."""

from collections.abc import Iterable
from dataclasses import replace

from zrf_py.author.words.forms import Condition, Fact, Form
from zrf_py.author.words.language import Language
from zrf_py.author.words.squares import ENEMY
from zrf_py.front.model import Number
from zrf_py.ir.ops import Program

LATER = (Number("legs-made"), Number("number"))
"""The numbers compared in a test that excludes the first leg of a turn."""


class Kinds:
    """Words for the move types of one game, from the moves of each type.

    `manners` maps types to "captures" or "places" if all their moves are captures or placements. Types in `later` only
    continue turns that another type has begun. The type `ordinary` (-1: none) needs no words; others have `names`.
    """

    def __init__(self, program: Program, say: Language, moves: dict[int, list[Form]]) -> None:
        self.say = say
        self.moves = moves
        manners = {kind: set(map(_manner, forms)) for kind, forms in moves.items()}
        self.manners = {kind: word for kind, words in manners.items() if len(words) == 1 and (word := words.pop())}
        turns = {turn.move_type for turn in program.game.turns}
        playing = {turn.move_type for turn in program.game.turns
                   if program.game.players[turn.mover].kind == "player"}
        legs = {op.b for op in program.ops if op.is_partial} - turns
        first = self.first = program.game.priorities
        self.later = [kind for kind in moves if kind in legs and kind not in first and kind not in self.manners
                      and (-1 not in turns or all(any(map(is_later, form.facts)) for form in moves[kind]))]
        self.headed = self.later
        """The types in `later` that have a heading in the current section."""
        others = [kind for kind in (*first, *(k for k in moves if k >= 0 and k not in first))
                  if kind in moves and kind not in self.later and kind not in self.manners]
        self.ordinary = next(iter(playing), -1) if len(playing) == 1 else -1
        if self.ordinary < 0 and len(others) == 1 and not set(self.later) & turns:
            self.ordinary = others[0]
        self.names = {kind: program.move_types[kind] for kind in others if kind != self.ordinary}

    def head(self, kind: int, alone: bool) -> str:
        """Return the heading of moves of a type; `alone`: a piece has moves of no other type. "" if it needs none."""
        if kind < 0 or (alone and kind not in self.names):
            return ""
        before = [other for other in self.first if other in self.moves]
        before = before[: before.index(kind)] if kind in before and kind in self.names else []
        names = self.say.either(self._phrase(other, ".plural") for other in before)
        return self._phrase(kind, ".head") + (self.say("kind.after", names=names) if before else "")

    def name(self, kind: int) -> str:
        """Return a phrase for a move of a type, as in "with a placement"; "" if it needs none."""
        return "" if kind < 0 or kind == self.ordinary else self._phrase(kind, "")

    def goes_on(self, kind: int, free: bool) -> str:
        """Return a clause about the next step of the turn, a move of type `kind` (-1: any); `free`: it may end here."""
        if kind >= 0 and kind not in self.moves:
            return self.say("goes-on-never")
        return self.say("goes-on" if free else "has-to-go-on", how=self._phrase(kind, ".how") if kind >= 0 else "")

    def _phrase(self, kind: int, ending: str) -> str:
        if kind in self.later:
            number = f" ({self.headed.index(kind) + 1})" if kind in self.headed and len(self.headed) > 1 else ""
            return self.say(f"kind.later{ending}", number=number)
        if kind in self.names:
            return self.say(f"kind.named{ending}", name=self.names[kind])
        return self.say(f"kind.{self.manners.get(kind, 'ordinary')}{ending}")

    def priorities(self, kinds: Iterable[int]) -> str:
        """Return the clause about move types in order of priority: earlier ones exclude later ones."""
        listed = [kind for kind in kinds if kind in self.moves]
        first = self.manners.get(listed[0], "") if listed else ""
        if first and len(listed) < 3 and first not in map(self.manners.get, listed[1:]):
            return self.say(f"duty.{first}")
        return self.say("duty.priorities", names=", ".join(self._phrase(kind, ".plural") for kind in listed))


def is_later(fact: Condition) -> bool:
    """Return whether a condition requires an earlier step in the turn."""
    return (isinstance(fact, Fact) and fact.numbers == LATER
            and (fact.name, fact.want) in (("greater?", True), ("equal?", False)))


def without_later(form: Form) -> Form:
    """Return a move without the condition of an earlier step in the turn, which the heading states."""
    return replace(form, facts=tuple(fact for fact in form.facts if not is_later(fact)))


def _manner(form: Form) -> str:
    """Return "captures" for a capture, "places" for a drop, "" for other moves."""
    if form.drop:
        return "places"
    takes = form.at(form.end) == {ENEMY} or any(
        deed.name == "capture" and deed.spot != form.end for deed in form.deeds)
    return "captures" if takes and not form.passes else ""
