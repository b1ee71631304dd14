"""A game -> its rules in words: sections about players, board, start, pieces, duties and the end."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from zrf_py.author.words.board import Board
from zrf_py.author.words.document import Block, Line, Listing, Paragraph, Rules, Section
from zrf_py.author.words.following import Reader
from zrf_py.author.words.forms import EMPTY, ENEMY, OFF, Deed, Form, Unclear
from zrf_py.author.words.goals import Goals
from zrf_py.author.words.language import Language, author_text, plain, sentence
from zrf_py.author.words.merging import grouped, merged
from zrf_py.author.words.parts import Parts
from zrf_py.author.words.phrases import Phrases
from zrf_py.author.words.pictures import Pictures, kinds_that_appear
from zrf_py.author.words.players import the_game
from zrf_py.author.words.steps import Steps
from zrf_py.author.words.telling import Telling
from zrf_py.front import model
from zrf_py.play.game import Game
from zrf_py.run import goals

MAX_KINDS, MAX_CONDITIONS = 12, 32
"""Most kinds of moves of one block, and most conditions of them all; a block with more is shorter step by step."""


def rules_in_words(game: Game, language: str = "en") -> Rules:
    """
    Return the rules of a game in words.

    >>> from zrf_py.play.game import load
    >>> rules = rules_in_words(load("tictactoe"))
    >>> [section.title for section in rules.sections][:3]
    ['The game', 'The board', 'The start']

    :raises ZrfError: if there is no such language.
    """
    return _Writer(game, Language(language)).rules()


def forms_of(reader: Reader, routine: model.Routine, drop: bool) -> list[Form] | None:
    """Return the kinds of moves of a block; None if it must be written step by step."""
    key = id(routine), drop
    if key not in reader.merged:
        reader.merged[key] = _merged(reader, routine, drop)
    return reader.merged[key]


def _merged(reader: Reader, routine: model.Routine, drop: bool) -> list[Form] | None:
    try:
        found = merged(reader.forms(routine, drop))
    except Unclear:
        return None
    conditions = sum(len(form.contents) + len(form.facts) for form in found)
    return found if len(found) <= MAX_KINDS and conditions <= MAX_CONDITIONS else None


def sorted_out(
    reader: Reader, routines: Iterable[model.Routine], drop: bool,
) -> tuple[dict[str, list[Form]], list[model.Routine]]:
    """Return the blocks fit for sentences, by the zone or square they are restricted to, and the other blocks."""
    forms: dict[str, list[Form]] = {}
    intricate: list[model.Routine] = []
    for routine in routines:
        known = forms_of(reader, routine, drop)
        if known is None:
            intricate.append(routine)
        else:
            forms.setdefault(reader.restricted(routine) if drop else "", []).extend(known)
    return forms, intricate


class _Writer:
    def __init__(self, game: Game, say: Language) -> None:
        self.played, self.program, self.game, self.say = game, game.program, game.program.game, say
        self.phrases = Phrases(game.program, say)
        self.pictures = Pictures(game)
        self.reader = Reader(game.program)
        self.there = kinds_that_appear(game.program)
        self.phrases.unmoved = frozenset(filter(self._tells_unmoved, range(len(self.game.attributes))))
        self.phrases.manners = self._manners()
        self.parts = Parts(say("steps.else"))
        self.parts.learn(
            Steps(self.phrases, self.reader, kind, self.parts).lines(routine, drop)
            for kind, piece in enumerate(self.game.pieces)
            for drop, routines in ((False, piece.moves), (True, piece.drops))
            for routine in routines if forms_of(self.reader, routine, drop) is None)

    def rules(self) -> Rules:
        first = the_game(self.phrases)
        men = (Section(self.say("men"), tuple(self._about_men())), *self._men(), *self._parts())
        last = (self._duties(), self._ends())
        board = Board(self.phrases, self.pictures)
        sections = (first, board.section(), board.start(), *men, *last)  # after the others, whose regions it pictures
        finished = (Section(s.title, tuple(map(_finished, s.blocks)), s.level) for s in sections)
        return Rules(self.game.title, self.say.name, tuple(s for s in finished if s.blocks or s.level == 2))

    def _tells_unmoved(self, attribute: int) -> bool:
        """Return whether an attribute means "not yet moved": each move of its pieces clears it, and nothing sets it."""
        if self.program.uses("set-attribute", suits=lambda op: bool(op.a == attribute and op.b)):
            return False
        kinds = [piece for piece in self.game.pieces if piece.attributes >> attribute & 1]
        forms = [forms_of(self.reader, routine, False) for piece in kinds for routine in piece.moves]
        return bool(forms) and all(
            found is not None and all(Deed("set-attribute", form.end, attribute) in form.deeds for form in found)
            for found in forms)

    def _manners(self) -> dict[int, str]:
        """Return the manner of the move types whose moves all have the same: "captures", "places" or ""."""
        found: dict[int, set[str]] = {}
        for kind in self.there:
            piece = self.game.pieces[kind]
            for drop, routines in ((False, piece.moves), (True, piece.drops)):
                for routine in routines:
                    forms = forms_of(self.reader, routine, drop)
                    words = {"places" if drop else ""} if forms is None else set(map(_manner, forms))
                    found.setdefault(routine.move_type, set()).update(words)
        return {kind: word for kind, words in found.items() if kind >= 0 and len(words) == 1 and (word := words.pop())}

    # --------------------------------------------------------------------------------------------------------- men

    def _about_men(self) -> Iterator[Block]:
        if any(piece.attributes for piece in self.game.pieces):
            for bit, name in enumerate(self.game.attributes):
                kinds = [p.name for p in self.game.pieces if p.attributes >> bit & 1]
                if kinds and bit not in self.phrases.unmoved:
                    yield Paragraph(sentence(self.say("men.attribute", name=name, pieces=self.say.both(kinds))))

    def _men(self) -> Iterator[Section]:
        """Yield a section for each piece type; types that move alike share one."""
        alike: dict[tuple[int, tuple[Block, ...]], tuple[list[int], bool]] = {}
        for kind, piece in enumerate(self.game.pieces):
            if kind in self.there and (piece.moves or piece.drops or not piece.dummy):
                blocks, hops = self._moves(kind)
                alike.setdefault((piece.attributes, tuple(blocks)), ([], hops))[0].append(kind)
        for (_, told), (kinds, hops) in alike.items():
            moves = self.game.pieces[kinds[0]].moves and self.game.players[self._side(kinds[0])].kind != "random"
            shown = self._shown(kinds[0], hops) if moves else ()
            own = dict.fromkeys(text for kind in kinds if (text := self._words_of_author(kind)))
            said = [Paragraph(self.say("author", text=text)) for text in own]
            yield Section(self.say.both(map(self.phrases.piece, kinds)), (*said, *told, *shown), 3)

    def _words_of_author(self, kind: int) -> str:
        """Return the file's description of a piece type, without its name in front."""
        piece = self.game.pieces[kind]
        text = author_text(piece.description or piece.help)
        return text.removeprefix(piece.name).lstrip(":. ")

    def _moves(self, kind: int) -> tuple[list[Block], bool]:
        """Describe the moves of a piece type; also return whether some jump over pieces."""
        piece = self.game.pieces[kind]
        blocks: list[Block] = []
        hops = False
        for drop, routines in ((False, piece.moves), (True, piece.drops)):
            by_type: dict[int, list[model.Routine]] = {}
            for routine in routines:
                by_type.setdefault(routine.move_type, []).append(routine)
            for move_type, group in by_type.items():
                if self.pictures.kinds != [-1] and move_type not in self.pictures.kinds:
                    continue
                told, hopping = self._told(kind, group, drop)
                if told and move_type >= 0:
                    blocks.append(Paragraph(self.phrases.move_kind(move_type, ".head")))
                hops = hops or hopping
                blocks += told
        return blocks or [Paragraph(sentence(self.say("men.still")))], hops

    def _shown(self, kind: int, hops: bool) -> Iterator[Block]:
        side = self._side(kind)
        picture = self.pictures.moves(side, kind, "")
        if picture:
            key = "both" if picture.quiet and picture.takes else "quiet" if picture.quiet else "takes"
            caption = self.say(f"picture.{key}", piece=self.phrases.piece(kind),
                               square=self.game.board.places[picture.start].name, player=self.phrases.player(side))
            yield replace(picture, caption=caption)
        if picture is None or hops:
            shown = self.pictures.in_play(kind, "")
            if shown:
                caption = self.say("picture.play", piece=self.phrases.piece(kind),
                                   square=self.game.board.places[shown.start].name)
                yield replace(shown, caption=caption)

    def _side(self, kind: int) -> int:
        """A player who has men of a kind, or else the first."""
        owners = [owner for owner, k, _ in (*self.game.setup, *self.game.stores) if k == kind]
        playing = [turn.side for turn in self.game.turns] or [0]
        return next((side for side in playing if side in owners), playing[0])

    def _told(self, kind: int, routines: list[model.Routine], drop: bool) -> tuple[list[Block], bool]:
        """Describe blocks of one move type; also return whether some jump over pieces."""
        forms, intricate = sorted_out(self.reader, routines, drop)
        steps = Steps(self.phrases, self.reader, kind, self.parts)
        lines = []
        hops = bool(intricate)
        for where, found in forms.items():
            for group in grouped(merged(found)):
                telling = Telling(self.phrases, group, kind)
                text = telling.text()
                hops = hops or any(not who & {EMPTY, OFF} for spot, who in group.form.contents
                                   if spot != group.form.end)
                lines.append(Line(self._where(where) + text))
        blocks: list[Block] = [Listing(tuple(dict.fromkeys(lines)))] if lines else []
        for n, told in enumerate(steps.told(intricate, drop)):
            blocks += [Paragraph(self.say(f"steps.intro{'-next' if n else '-drop' if drop else ''}")), Listing(told)]
        return blocks, hops

    def _parts(self) -> Iterator[Section]:
        """Yield the section about the parts shared by blocks; writing one may add another."""
        told: list[Block] = []
        steps = Steps(self.phrases, self.reader, 0, self.parts)
        done = 0
        while done < len(self.parts.found):
            line = steps.part(list(self.parts.found.values())[done])
            told += [Paragraph(line.text), Listing(line.inner)]
            done += 1
        if told:
            yield Section(self.say("parts"), tuple(told), 3)

    def _where(self, name: str) -> str:
        if not name:
            return ""
        zone = self.game.symbols.zones.get(name)
        where = self.say("drop.square", name=name) if zone is None else self.say(
            "drop.zone", zone=self.phrases.regions.zone(zone))
        return where + " "

    # ------------------------------------------------------------------------------------------------------ duties

    def _duties(self) -> Section:
        say, options = self.say, self.game.options
        said = []
        if self.game.priorities:
            said.append(self._first())
        if options.maximal_captures:
            said.append(say(f"duty.maximal.{options.maximal_captures}"))
        told = options.pass_turn == "never" and self.program.uses("add-pass")
        said.append(say("duty.pass.told" if told else f"duty.pass.{options.pass_turn}"))
        legs = self.program.uses("add", suits=lambda op: bool(op.a & 2))
        if legs:
            said.append(say(f"duty.partial.{'true' if options.pass_partial else 'false'}"))
        if legs and not options.null_turns:
            said.append(say("duty.null"))
        if options.recycle_captures:
            said.append(say(f"duty.recycle.{options.recycle_captures}"))
            said += self._captured_as()
        if options.recycle_promotions:
            said.append(say("duty.recycle promotions"))
        royal = sorted({self.game.pieces[kind].name for kinds in goals.royals(self.program) for kind in kinds})
        if royal:
            said.append(say("duty.royal", pieces=say.either(royal)))
        return Section(say("duties"), (Listing(tuple(Line(sentence(text)) for text in said)),))

    def _first(self) -> str:
        """Return a sentence about the move types that have priority."""
        first = self.phrases.manners.get(self.game.priorities[0], "")
        others = map(self.phrases.manners.get, self.game.priorities[1:])
        if first and len(self.game.priorities) < 3 and first not in others:
            return self.say(f"duty.{first}")
        names = (self.say("quoted", name=self.program.move_types[kind]) for kind in self.game.priorities)
        return self.say("duty.priorities", names=", ".join(names))

    def _captured_as(self) -> Iterator[str]:
        """Yield sentences about piece types that become another in the hand."""
        others: dict[int, list[str]] = {}
        for kind, piece in enumerate(self.game.pieces):
            if piece.captured_as not in (-1, kind):
                others.setdefault(piece.captured_as, []).append(piece.name)
        for kind, names in others.items():
            yield self.say("duty.captured-as", pieces=self.say.either(names), other=self.game.pieces[kind].name)

    def _ends(self) -> Section:
        lines = Goals(self.phrases).lines()
        if self.game.score is not None:
            key = "score.lowest" if self.game.lowest_wins else "score"
            lines.append(Line(sentence(self.say(key, number=self.phrases.number(self.game.score)))))
        return Section(self.say("end.title"), (Listing(tuple(lines)),))


def _finished(block: Block) -> Block:
    """A block whose sentences are complete."""
    match block:
        case Paragraph(text):
            return Paragraph(plain(text))
        case Listing(lines):
            return Listing(tuple(map(_finished_line, lines)))
        case _:
            return replace(block, caption=plain(block.caption))


def _finished_line(line: Line) -> Line:
    return Line(plain(line.text), tuple(map(_finished_line, line.inner)), line.macro)


def _manner(form: Form) -> str:
    """The key of a move that is a capture or a placement; "" for others."""
    if form.drop:
        return "places"
    takes = form.at(form.end) == {ENEMY} or any(deed.name == "capture" and deed.spot != form.end for deed in form.deeds)
    return "captures" if takes and not form.passes else ""

