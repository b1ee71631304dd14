"""Players and the order of their turns in words."""

from collections.abc import Sequence
from itertools import groupby

from zrf_py.author.words.document import Block, Listing, Paragraph, Section, TextLine
from zrf_py.author.words.goals import Goals
from zrf_py.author.words.language import author_text, sentence
from zrf_py.author.words.phrases import Phrases
from zrf_py.front import model
from zrf_py.play.foreign import program_of


class Players:
    """Writes the section about the players and the order of turns."""

    def __init__(self, phrases: Phrases) -> None:
        self.phrases, self.game, self.say = phrases, phrases.game, phrases.say
        self.goals = Goals(phrases)

    def section(self) -> Section:
        lines = self._players()
        first, again = self.game.turns[: self.game.repeat], self.game.turns[self.game.repeat:]
        if any(turn.guards for turn in self.game.turns):
            return Section(self.say("game"), (Paragraph(" ".join(map(sentence, lines))), *self._numbered(first, again)))
        if first:
            lines.append(self.say("game.first", turns=self._in_turn(first)))
        if again and len(set(again)) == 1:
            lines.append(self.say("game.always", turn=self._turn(again[0])))
        elif self._alternate(again) and not first:
            lines.append(self.say("game.alternate", first=self.phrases.player(again[0].mover)))
        elif again:
            lines.append(self.say(f"game.turns{'.then' if first else ''}", turns=self._in_turn(again)))
        return Section(self.say("game"), (Paragraph(" ".join(map(sentence, lines))),))

    def _alternate(self, turns: Sequence[model.Turn]) -> bool:
        """Return whether exactly two players alternate, with moves of any type."""
        plain = all(turn.mover == turn.side and not self.phrases.kinds.name(turn.move_type) for turn in turns)
        return plain and len(turns) == 2 and sorted(turn.mover for turn in turns) == list(self.game.playing)

    def _players(self) -> list[str]:
        say = self.say
        names, chance = self._names("player"), self._names("random")
        key = "game.players" if len(names) > 1 else "game.player"
        sentences = [say(key, count=say.count(len(names)), names=say.both(names))]
        if text := author_text(self.game.texts.get("description", ""), say.name):
            sentences.append(say("author", text=text))
        if engine := program_of(self.phrases.program):
            sentences.append(say("game.engine", name=engine))
        if chance:
            sentences.append(say("game.random", names=say.both(chance)))
        for team, members in self.game.symbols.teams.items():
            sentences.append(say("game.team", team=team, names=say.both(map(self.phrases.player, members))))
        return sentences

    def _names(self, kind: str) -> list[str]:
        return [self.phrases.player(n) for n, player in enumerate(self.game.players) if player.kind == kind]

    def _in_turn(self, turns: Sequence[model.Turn]) -> str:
        """Return a phrase for turns in order; equal ones in a row are written once."""
        runs = [(self._turn(turn), len(list(run))) for turn, run in groupby(turns)]
        return ", ".join(self.say("turn.times", turn=turn, count=count) if count > 1 else turn for turn, count in runs)

    def _turn(self, turn: model.Turn) -> str:
        text = self.phrases.player(turn.mover)
        if turn.side != turn.mover:
            text = self.say("turn.for", mover=text, side=self.phrases.player(turn.side))
        if kind := self.phrases.kinds.name(turn.move_type):
            text = self.say("turn.type", turn=text, type=kind)
        return text

    def _numbered(self, first: Sequence[model.Turn], again: Sequence[model.Turn]) -> list[Block]:
        """Return turns as numbered lines, for turn orders with conditions."""
        blocks: list[Block] = []
        for key, turns, before in (("game.first", first, 0),
                                   (f"game.turns{'.then' if first else ''}", again, len(first))):
            if turns:
                blocks += [Paragraph(sentence(self.say(key, turns=""))), Listing(tuple(self._lines(turns, before)))]
        return blocks

    def _lines(self, turns: Sequence[model.Turn], before: int) -> list[TextLine]:
        lines = []
        for turn, run in groupby(turns):
            last = before + len(list(run))
            text = self._turn(turn)
            inner: tuple[TextLine, ...] = ()
            if turn.guards:
                guard = turn.guards[0] if len(turn.guards) == 1 else model.AllOf("and", turn.guards)
                condition, inner = self.goals.listed(guard)
                text = self.say("turn.when", turn=text, condition=f"{condition}:" if inner else condition)
            key = "turn.line" if last == before + 1 else "turn.lines"
            lines.append(TextLine(sentence(self.say(key, first=before + 1, last=last, turn=text)), inner))
            before = last
        return lines
