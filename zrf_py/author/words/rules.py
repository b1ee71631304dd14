"""The rules of a game in words: sections about players, board, start, pieces, duties and the end."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from string import ascii_uppercase

from zrf_py.author.lint.games import kinds_made
from zrf_py.author.words.board import BoardWriter
from zrf_py.author.words.chains import chained
from zrf_py.author.words.document import Block, Listing, Paragraph, Rules, Section, TextLine
from zrf_py.author.words.execution import forms as forms_of_block
from zrf_py.author.words.factoring import factored
from zrf_py.author.words.forms import Deed, Form, Spot, Unclear
from zrf_py.author.words.goals import Goals
from zrf_py.author.words.kinds import Kinds, without_later
from zrf_py.author.words.language import Language, author_text, plain, sentence, subordinate, without_parentheses
from zrf_py.author.words.merging import Group, grouped, merged
from zrf_py.author.words.phrases import Phrases
from zrf_py.author.words.pictures import Pictures
from zrf_py.author.words.players import Players
from zrf_py.author.words.reader import Reader, size
from zrf_py.author.words.recurring import numbered_parts
from zrf_py.author.words.sentences import MoveSentence
from zrf_py.author.words.shortening import elided, in_parallel, named, replacements
from zrf_py.author.words.steps import Steps
from zrf_py.author.words.sweeps import walked
from zrf_py.front import model, syntax
from zrf_py.ir.ops import OPS
from zrf_py.ir.traits import Changes
from zrf_py.play.foreign import program_of
from zrf_py.play.game import Game
from zrf_py.text.grouping import by_key

MAX_STEPS = 250
"""Maximum number of instructions of a block written step by step; longer ones are only summarised."""
MAX_KINDS, MAX_CONDITIONS = 12, 32
"""Maximum number of kinds of moves of a block, and of their conditions; beyond these, a list of steps is shorter."""
ENOUGH = 4
"""Minimum number of kinds of moves for which conditional effects are tried; they are used if that halves the number."""


def rules_in_words(game: Game, language: str = "en") -> Rules:
    """Return the rules of a game in words.

    >>> from zrf_py.play.game import load
    >>> rules = rules_in_words(load("tictactoe"))
    >>> [section.title for section in rules.sections][:3]
    ['The game', 'The board', 'The starting position']

    :raises ZrfError: if there is no such language.
    """
    alone = [player.kind for player in game.program.game.players if player.kind != "random"] == ["player"]
    return _Writer(game, Language(language, alone)).rules()


reader_of = lru_cache(maxsize=2)(Reader)
"""Return the reader of a game (cached): the forms of its blocks are the same in every language."""


def forms_of(reader: Reader, routine: model.Routine, drop: bool) -> list[Form] | None:
    """Return the kinds of moves of a block; None if it must be written step by step."""
    body = routine.block.body[1 if drop and reader.restricted(routine) else 0 :]
    key = tuple(map(id, body)), drop
    if key not in reader.merged:
        reader.merged[key] = _merged(reader, body, drop)
    return reader.merged[key]


def _merged(reader: Reader, body: Sequence[syntax.Instruction], drop: bool) -> list[Form] | None:
    best: list[Form] | None = None
    for effects in (False, True):
        try:
            forms = [walked(reader, form) for form in merged(forms_of_block(reader, body, drop, effects))]
        except Unclear:
            continue
        conditions = sum(len(form.contents) + len(form.facts) for form in forms)
        if len(forms) <= MAX_KINDS and conditions <= MAX_CONDITIONS and (best is None or 2 * len(forms) <= len(best)):
            best = forms
        if best and len(best) < ENOUGH:
            break
    return best


def sorted_out(
    reader: Reader, routines: Iterable[model.Routine], drop: bool,
) -> tuple[dict[str, list[Form]], list[model.Routine]]:
    """Return the forms of blocks, by the zone or square of a drop ("": any), and the blocks without forms."""
    forms: dict[str, list[Form]] = {}
    intricate: list[model.Routine] = []
    for routine in routines:
        block_forms = forms_of(reader, routine, drop)
        if block_forms is None:
            intricate.append(routine)
        else:
            forms.setdefault(reader.restricted(routine) if drop else "", []).extend(block_forms)
    return {area: chained(reader, group) for area, group in forms.items()}, intricate


@dataclass(frozen=True)
class MoveGroups:
    """The moves of one type: `groups` for sentences, by zone or square of a drop; `intricate` blocks have no forms."""

    groups: dict[str, list[Group]]
    intricate: list[model.Routine]

    def repeats(self, move_type: int, kinds: Kinds) -> Group | None:
        """Return the only group, if its type only continues turns and the next leg is of the same type; else None."""
        groups = [group for some in self.groups.values() for group in some]
        only = groups[0] if len(groups) == 1 and not self.intricate and move_type in kinds.later else None
        return only if only and only.form.partial == move_type else None

    def is_repeated_by(self, group: Group) -> bool:
        """Return whether all groups here with `group`'s type of next leg equal `group`, apart from conditions."""
        bare = replace(group.form, facts=())
        return all(replace(other.form, facts=()) == bare and set(other.motions) == set(group.motions)
                   for groups in self.groups.values() for other in groups if other.form.partial == group.form.partial
                   ) and not self.intricate


class _Writer:
    def __init__(self, game: Game, say: Language) -> None:
        self.played, self.program, self.game, self.say = game, game.program, game.program.game, say
        self.phrases = Phrases(game.program, say)
        self.pictures = Pictures(game)
        self.reader = reader_of(game.program)
        on_board = kinds_made(game.program)
        self.there = on_board | {self.game.pieces[kind].captured_as for kind in on_board}
        self.phrases.unmoved = frozenset(filter(self._marks_unmoved, range(len(self.game.attributes))))
        self.phrases.kinds = Kinds(game.program, say, self._by_type())

    def rules(self) -> Rules:
        first = Players(self.phrases).section()
        men, parts = numbered_parts(list(self._men()), self.say)
        squares = {square: (square, at) for square, at in self.phrases.squares.items()}
        men, names, meanings = named(men, squares, "far-square", ascii_uppercase[::-1], self.say)
        clauses = [reduce(lambda text, name: name[0].sub(name[1], text), names.items(), clause)
                   for clause in map(without_parentheses, self.phrases.clauses)]
        conditions = {clause: [subordinate(clause)] for clause in clauses}
        men, _, of_conditions = named(men, conditions, "condition", ascii_uppercase, self.say)
        about_parts = [Paragraph(self.say("part.intro"))] if parts else []
        men = [Section(self.say("men"), (*self._about_men(), *meanings, *of_conditions, *about_parts)), *men]
        last = (self._duties(), self._ends())
        board = BoardWriter(self.phrases, self.pictures)
        # the board is described after the pieces, as it shows the regions that their sentences name
        sections = (first, board.section(), board.start(), *men, *last)
        finished = (Section(s.title, tuple(self._finished(block) for block in s.blocks), s.level) for s in sections)
        return Rules(self.game.title, self.say.name, tuple(s for s in finished if s.blocks or s.level == 2))

    def _marks_unmoved(self, attribute: int) -> bool:
        """Return whether an attribute means "not yet moved": each move of its pieces clears it, and nothing sets it."""
        if any(OPS[op.name].changes & Changes.ATTRIBUTES and op.a == attribute and op.b for op in self.program.ops):
            return False
        kinds = [piece for piece in self.game.pieces if piece.attributes >> attribute & 1]
        forms = [forms_of(self.reader, routine, False) for piece in kinds for routine in piece.moves]
        return bool(forms) and all(
            written is not None and all(Deed("set-attribute", form.end, attribute) in form.deeds for form in written)
            for written in forms)

    def _by_type(self) -> dict[int, list[Form]]:
        """Return the moves of each move type; blocks written step by step count as one plain move."""
        by_type: dict[int, list[Form]] = {}
        for kind in self.there:
            piece = self.game.pieces[kind]
            for drop, routines in ((False, piece.moves), (True, piece.drops)):
                for move_type in dict.fromkeys(routine.move_type for routine in routines):
                    forms, intricate = sorted_out(self.reader, _of_type(routines, move_type), drop)
                    plain = [Form(Spot(), Spot(), drop=drop)] * bool(intricate)
                    by_type.setdefault(move_type, []).extend(form for part in (*forms.values(), plain) for form in part)
        return by_type

    def _finished(self, block: Block) -> Block:
        """Return a block without the marks of verbs in its clauses, and with the long lists in its lines shortened."""
        match block:
            case Paragraph(text):
                return replace(block, text=plain(text))
            case Listing(lines):
                return Listing(tuple(line.rewritten(lambda text: elided(plain(text), self.say)) for line in lines))
            case _:
                return replace(block, caption=plain(block.caption))

    def _about_men(self) -> Iterator[Block]:
        if any(piece.attributes for piece in self.game.pieces):
            for bit, name in enumerate(self.game.attributes):
                kinds = [p.name for p in self.game.pieces if p.attributes >> bit & 1]
                if kinds and bit not in self.phrases.unmoved:
                    yield Paragraph(sentence(self.say("men.attribute", name=name, pieces=self.say.both(kinds))))

    def _men(self) -> Iterator[Section]:
        """Yield a section for each piece type; types that move alike share one."""
        alike = by_key(((piece.attributes, tuple(self._moves(kind))), kind)
                       for kind, piece in enumerate(self.game.pieces)
                       if kind in self.there and (piece.moves or piece.drops or not piece.dummy))
        before: dict[str, Sequence[Block]] = {}
        for (_, written), kinds in alike.items():
            name, described = self.say.both(map(self.phrases.piece, kinds)), written
            for other, blocks in before.items():
                if words := replacements(blocks, written):
                    pairs = self.say.both(self.say("men.like.word", word=to, other=word) for word, to in words.items())
                    described = (Paragraph(sentence(self.say("men.like", other=other, pairs=pairs))),)
                    break
            else:
                before[name] = written
            chance = self._by_chance(kinds[0])
            moves = self.game.pieces[kinds[0]].moves and not chance
            pictures = self._pictures(kinds[0]) if moves else ()
            own = self.say("author.next").join(filter(None, dict.fromkeys(map(self._words_of_author, kinds))))
            paragraphs = [Paragraph(self.say("author", text=own), own)] if own else []
            if chance and self.game.pieces[kinds[0]].moves:
                paragraphs.append(Paragraph(sentence(self.say("men.chance"))))
            yield Section(name, (*paragraphs, *described, *pictures), 3)

    def _by_chance(self, kind: int) -> bool:
        """Return whether only random players move pieces of a type."""
        mine = {routine.move_type for routine in self.game.pieces[kind].moves}
        owners = {owner for owner, k, _ in (*self.game.setup, *self.game.stores) if k == kind} or {
            turn.side for turn in self.game.turns if turn.move_type in (-1, *mine)}
        return {self.game.players[owner].kind for owner in owners} == {"random"}

    def _words_of_author(self, kind: int) -> str:
        """Return the file's description of a piece type, without its name in front."""
        piece = self.game.pieces[kind]
        text = author_text(piece.description or piece.help, self.say.name)
        return re.sub(rf"^{re.escape(piece.name)}\b([:.] *|$)", "", text)

    def _moves(self, kind: int) -> list[Block]:
        """Describe the moves of a piece type."""
        piece, kinds = self.game.pieces[kind], self.phrases.kinds
        by_type: dict[tuple[int, bool], MoveGroups] = {}
        for drop, routines in ((False, piece.moves), (True, piece.drops)):
            for move_type in dict.fromkeys(routine.move_type for routine in routines):
                if self.pictures.kinds == [-1] or move_type in self.pictures.kinds:
                    by_type[move_type, drop] = self._read(_of_type(routines, move_type), drop)
        repeated = {key[0]: group.form for key, moves in by_type.items() if (group := moves.repeats(key[0], kinds))
                    and all(other.is_repeated_by(group) for other in by_type.values())}
        alone = len({move_type for move_type, _ in by_type} - set(kinds.later)) == 1
        kinds.headed = [later for later in kinds.later if (later, False) in by_type and later not in repeated]
        blocks: list[Block] = []
        for (move_type, drop), moves in sorted(by_type.items(), key=lambda item: item[0][0] in kinds.later):
            if move_type not in repeated and (texts := self._described(kind, moves, drop, repeated)):
                head = kinds.head(move_type, alone and move_type not in kinds.later)
                blocks += [Paragraph(head)] if head else []
                blocks += texts
        return blocks or [Paragraph(sentence(self.say("men.still.file" if program_of(self.program) else "men.still")))]

    def _read(self, routines: list[model.Routine], drop: bool) -> MoveGroups:
        forms, intricate = sorted_out(self.reader, routines, drop)
        if routines[0].move_type in self.phrases.kinds.later:
            forms = {area: list(map(without_later, group)) for area, group in forms.items()}
        return MoveGroups({area: grouped(merged(group)) for area, group in forms.items()}, intricate)

    def _pictures(self, kind: int) -> Iterator[Block]:
        side = self._side(kind)
        picture = self.pictures.moves(side, kind, "")
        if picture:
            key = "both" if picture.quiet and picture.takes else "quiet" if picture.quiet else "takes"
            caption = self.say(f"picture.{key}", piece=self.phrases.piece(kind),
                               square=self.game.board.places[picture.start].name, player=self.phrases.player(side))
            yield replace(picture, caption=caption)
        if picture is None or self.phrases.legs:
            picture_in_play = self.pictures.in_play(kind, "")
            if picture_in_play:
                caption = self.say("picture.play", piece=self.phrases.piece(kind),
                                   square=self.game.board.places[picture_in_play.start].name)
                yield replace(picture_in_play, caption=caption)

    def _side(self, kind: int) -> int:
        """Return the first side in turn order that has pieces of a type, or else the first of all."""
        owners = [owner for owner, k, _ in (*self.game.setup, *self.game.stores) if k == kind]
        playing = [turn.side for turn in self.game.turns] or [0]
        return next((side for side in playing if side in owners), playing[0])

    def _described(self, kind: int, moves: MoveGroups, drop: bool, repeated: dict[int, Form]) -> list[Block]:
        """Describe the moves of one type; types in `repeated` are described with the moves they continue."""
        steps = Steps(self.phrases, self.reader, kind)
        lines: list[TextLine] = []
        for area, groups in moves.groups.items():
            clauses = []
            for group in groups:
                again = None if group.form.partial is None else repeated.get(group.form.partial)
                clauses.append(MoveSentence(self.phrases, group, kind, again).clauses())
            lines += (replace(line, text=self._area(area) + line.text) for line in factored(clauses, self.say))
        sentences = {id(routine): text for routine in moves.intricate if drop and (text := steps.outflanking(routine))}
        lines += map(TextLine, sentences.values())
        blocks: list[Block] = [Listing(in_parallel(list(dict.fromkeys(lines)), self.say))] if lines else []
        intricate = [routine for routine in moves.intricate if id(routine) not in sentences]
        short, long = ([routine for routine in intricate if (size(routine.block.body) > MAX_STEPS) == is_long]
                       for is_long in (False, True))
        for n, listed in enumerate(steps.listings(short, drop)):
            blocks += [Paragraph(self.say(f"steps.intro{'-next' if n else '-drop' if drop else ''}")), Listing(listed)]
        return [*blocks, Paragraph(elided(" ".join(steps.summary(long)), self.say))] if long else blocks

    def _area(self, name: str) -> str:
        if not name:
            return ""
        zone = self.game.symbols.zones.get(name)
        phrase = self.say("drop.square", name=name) if zone is None else self.say(
            "drop.zone", zone=self.phrases.regions.zone(zone))
        return phrase + " "

    def _duties(self) -> Section:
        say, options = self.say, self.game.options
        lines = []
        if self.game.priorities:
            lines.append(self.phrases.kinds.priorities(self.game.priorities))
        if options.maximal_captures:
            lines.append(say(f"duty.maximal.{options.maximal_captures}"))
        by_blocks = options.pass_turn == "never" and self.program.uses("add-pass")
        lines.append(say("duty.pass.told" if by_blocks else f"duty.pass.{options.pass_turn}"))
        if self.phrases.legs:
            lines.append(say(f"duty.partial.{'true' if options.pass_partial else 'false'}"))
        if self.phrases.legs and not options.null_turns:
            lines.append(say("duty.null"))
        if options.recycle_captures:
            lines.append(say(f"duty.recycle.{options.recycle_captures}"))
            lines += self._captured_as()
        if options.recycle_promotions:
            lines.append(say("duty.recycle promotions"))
        royal = sorted({self.game.pieces[kind].name for kinds in self.program.aims.royals for kind in kinds})
        if royal:
            lines.append(say("duty.royal", pieces=say.either(royal)))
        return Section(say("duties"), (Listing(tuple(TextLine(sentence(text)) for text in lines)),))

    def _captured_as(self) -> Iterator[str]:
        """Yield sentences about piece types that change to another type when captured into a store."""
        others = by_key((piece.captured_as, piece.name) for kind, piece in enumerate(self.game.pieces)
                        if piece.captured_as not in (-1, kind))
        for kind, names in others.items():
            yield self.say("duty.captured-as", pieces=self.say.either(names), other=self.game.pieces[kind].name)

    def _ends(self) -> Section:
        lines = Goals(self.phrases).lines()
        if self.game.score is not None:
            key = "score.lowest" if self.game.lowest_wins else "score"
            lines.append(TextLine(sentence(self.say(key, number=self.phrases.number(self.game.score)))))
        return Section(self.say("end.title"), (Listing(tuple(lines)),))


def _of_type(routines: Iterable[model.Routine], move_type: int) -> list[model.Routine]:
    return [routine for routine in routines if routine.move_type == move_type]
