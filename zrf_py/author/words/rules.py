"""A game -> its rules in words: sections about board, set-up, turns, men, duties and the end."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from zrf_py.author.words.document import Block, Line, Listing, Paragraph, Rules, Section
from zrf_py.author.words.following import Reader
from zrf_py.author.words.forms import EMPTY, OFF, Form, Unclear
from zrf_py.author.words.goals import Goals
from zrf_py.author.words.language import Language, sentence
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

MAX_LIST = 40
"""Squares of a list; longer ones are told by a picture."""
MAX_KINDS, MAX_CONDITIONS = 12, 32
"""Kinds of moves that one block may have, and conditions of all of them; what has more is shorter step by step."""
MAX_CHAINS = 700
"""Characters that tell where a direction leads."""
MAX_ZONES = 12
"""Pictures of zones."""


def rules_in_words(game: Game, language: str = "en") -> Rules:
    """
    The rules of a game.

    >>> from zrf_py.play.game import load
    >>> rules = rules_in_words(load("tictactoe"))
    >>> [section.title for section in rules.sections][:3]
    ['The game', 'The board', 'The start']

    :raises ZrfError: if there is no such language.
    """
    return _Writer(game, Language(language)).rules()


def forms_of(reader: Reader, routine: model.Routine, drop: bool) -> list[Form] | None:
    """The kinds of moves of a block, None where it has to be told step by step."""
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
    """Blocks that can be told in sentences, by the zone or square they are restricted to, and the others."""
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
        self.parts = Parts(say("steps.else"))
        self.parts.learn(
            Steps(self.phrases, self.reader, kind, self.parts).lines(routine, drop)
            for kind, piece in enumerate(self.game.pieces)
            for drop, routines in ((False, piece.moves), (True, piece.drops))
            for routine in routines if forms_of(self.reader, routine, drop) is None)

    def rules(self) -> Rules:
        men = (Section(self.say("men"), tuple(self._about_men())), *self._men(), *self._parts())
        sections = (the_game(self.phrases), self._board(), self._start(), *men, self._duties(), self._ends())
        return Rules(self.game.title, self.say.name, tuple(s for s in sections if s.blocks or s.level == 2))

    # ------------------------------------------------------------------------------------------------------- board

    def _board(self) -> Section:
        say, board = self.say, self.game.board
        cells = self.pictures.layout.cells
        rows, columns = len({r for r, _ in cells.values()}), len({c for _, c in cells.values()})
        shown = len(self.pictures.shown)
        key = "board.grid" if rows * columns == shown else "board.squares"
        said = [say(key, count=shown, rows=rows, columns=columns)]
        blocks: list[Block] = [Paragraph(" ".join(map(sentence, said))), self.pictures.board(say("board.picture"))]
        if facing := self._facing():
            blocks.append(Paragraph(facing))
        ways = [Line(sentence(self._links(motion))) for motion in sorted(self.phrases.named)]
        if ways:
            blocks += [Paragraph(say("board.directions")), Listing(tuple(ways))]
        blocks += self._zones()
        measures = [Line(line) for line in self._measures()]
        if measures:
            blocks.append(Listing(tuple(measures)))
        return Section(say("board"), tuple(blocks)) if board.places else Section(say("board"), ())

    def _facing(self) -> str:
        """How the others see directions that are told as the first player sees them."""
        board, compass = self.game.board, self.phrases.compass
        playing = [n for n, p in enumerate(self.game.players) if p.kind == "player"]
        plain = [n for n in playing if all(board.symmetry[n][d] == d for d in range(len(board.directions)))]
        turned: dict[str, list[str]] = {}
        for n in playing:
            pairs = [(d, e) for d, e in enumerate(board.symmetry[n]) if d != e and compass.word[d] and compass.word[e]]
            if pairs:
                said = [self.say("board.is", one=self.phrases.sector(compass.word[d]), other=self.say(compass.word[e]))
                        for d, e in pairs]
                turned.setdefault(self.say.both(said), []).append(self.phrases.player(n))
        if not turned:
            return ""
        first = self.say("board.seen-facing" if compass.facing else "board.seen",
                         names=self.say.both(map(self.phrases.player, plain)))
        return " ".join(sentence(text) for text in [first, *(
            self.say("board.turned", names=self.say.both(names), pairs=pairs) for pairs, names in turned.items())])

    def _links(self, motion: int) -> str:
        """Where a direction leads, square by square."""
        board = self.game.board
        table = (board.reverse if motion % 2 else board.links)[motion // 2]
        names = [place.name for place in board.places]
        if repeated := self.phrases.compass.repeated(table):
            step, count = repeated
            where = self.say("way.steps", count=count, dir=self.phrases.direction(2 * step))
            return self.say("board.leads", name=self.phrases.direction(motion), chains=where)
        chains: list[list[int]] = []
        begun = set()
        ends = set(table)
        for start in [*(p for p in range(len(table)) if p not in ends), *range(len(table))]:
            if table[start] < 0 or start in begun:
                continue
            chain = [start]
            while table[chain[-1]] >= 0 and chain[-1] not in begun:
                begun.add(chain[-1])
                chain.append(table[chain[-1]])
            chains.append(chain)
        text = "; ".join("-".join(names[p] for p in chain) for chain in chains)
        chains_of = text if len(text) < MAX_CHAINS else text[:MAX_CHAINS] + " …"
        return self.say("board.leads", name=self.phrases.direction(motion), chains=chains_of)

    def _zones(self) -> Iterator[Block]:
        board, say = self.game.board, self.say
        count = 0
        for zone, name in enumerate(board.zone_names):
            sets: dict[tuple[int, ...], list[str]] = {}
            for player, squares in enumerate(board.zones[zone]):
                if squares:
                    sets.setdefault(tuple(sorted(squares)), []).append(self.phrases.player(player))
            for squares, players in sets.items():
                text = say("zone", name=name, names=say.both(players))
                visible = [s for s in squares if s in self.pictures.shown]
                if len(squares) <= MAX_LIST:
                    listed = ", ".join(board.places[s].name for s in squares)
                    yield Listing((Line(sentence(say("colon", head=text, rest=listed))),))
                elif visible and count < MAX_ZONES:
                    count += 1
                    yield self.pictures.zone(visible, sentence(text))

    def _measures(self) -> Iterator[str]:
        board = self.game.board
        for number, name in enumerate(board.measure_names):
            for player, values in zip(self.game.players, board.measures[number], strict=True):
                by_value: dict[int, list[str]] = {}
                for place, value in values.items():
                    by_value.setdefault(value, []).append(board.places[place].name)
                if by_value and player.kind == "player":
                    said = "; ".join(f"{value}: {', '.join(names)}" for value, names in sorted(by_value.items()))
                    yield sentence(self.say("measure", name=name, player=player.name, values=said))

    # ------------------------------------------------------------------------------------------------------- start

    def _start(self) -> Section:
        say, game = self.say, self.game
        lines = []
        for number in range(len(game.players)):
            men: dict[int, list[str]] = {}
            for owner, kind, place in game.setup:
                if owner == number:
                    men.setdefault(kind, []).append(self.phrases.place(place))
            said = [say("start.men", piece=game.pieces[kind].name, squares=", ".join(squares))
                    if len(squares) <= MAX_LIST else say("start.many", piece=game.pieces[kind].name, count=len(squares))
                    for kind, squares in men.items()]
            said += [say("start.hand", count=count, piece=game.pieces[kind].name)
                     for owner, kind, count in game.stores if owner == number and count > 0]
            if said:
                lines.append(Line(sentence(say("colon", head=self.phrases.player(number), rest="; ".join(said)))))
        blocks: list[Block] = [Listing(tuple(lines))] if lines else [Paragraph(sentence(say("start.empty")))]
        for counter in game.counters:
            blocks.append(Paragraph(sentence(say("start.counter-each" if counter.each else "start.counter",
                                                 name=counter.name, start=counter.start))))
        return Section(say("begin"), tuple(blocks))

    # --------------------------------------------------------------------------------------------------------- men

    def _about_men(self) -> Iterator[Block]:
        if any(piece.attributes for piece in self.game.pieces):
            for bit, name in enumerate(self.game.attributes):
                kinds = [p.name for p in self.game.pieces if p.attributes >> bit & 1]
                if kinds:
                    yield Paragraph(sentence(self.say("men.attribute", name=name, pieces=self.say.both(kinds))))

    def _men(self) -> Iterator[Section]:
        """A section for each kind of man; kinds that move alike have one."""
        alike: dict[tuple[int, tuple[Block, ...]], tuple[list[int], bool]] = {}
        there = kinds_that_appear(self.program)
        for kind, piece in enumerate(self.game.pieces):
            if kind in there and (piece.moves or piece.drops or not piece.dummy):
                blocks, hops = self._moves(kind)
                alike.setdefault((piece.attributes, tuple(blocks)), ([], hops))[0].append(kind)
        for (_, told), (kinds, hops) in alike.items():
            moves = self.game.pieces[kinds[0]].moves and self.game.players[self._side(kinds[0])].kind != "random"
            shown = self._shown(kinds[0], hops) if moves else ()
            yield Section(self.say.both(map(self.phrases.piece, kinds)), (*told, *shown), 3)

    def _moves(self, kind: int) -> tuple[list[Block], bool]:
        """The moves of a kind of man as text; and whether some go over men."""
        piece = self.game.pieces[kind]
        blocks: list[Block] = []
        hops = False
        for word, routines in (("men.moves", piece.moves), ("men.drops", piece.drops)):
            by_type: dict[int, list[model.Routine]] = {}
            for routine in routines:
                by_type.setdefault(routine.move_type, []).append(routine)
            for move_type, group in by_type.items():
                if self.pictures.kinds != [-1] and move_type not in self.pictures.kinds:
                    continue
                told, hopping = self._told(kind, group, word == "men.drops")
                if told and move_type >= 0:
                    blocks.append(Paragraph(self.say("men.kind", type=self.program.move_types[move_type])))
                elif told and word == "men.drops":
                    blocks.append(Paragraph(self.say("men.drops")))
                hops = hops or hopping
                blocks += told
        return blocks or [Paragraph(sentence(self.say("men.still")))], hops

    def _shown(self, kind: int, hops: bool) -> Iterator[Block]:
        side = self._side(kind)
        picture = self.pictures.moves(side, kind, "")
        if picture:
            key = "both" if picture.quiet and picture.takes else "quiet" if picture.quiet else "takes"
            caption = self.say(f"picture.{key}", piece=self.game.pieces[kind].name,
                               square=self.game.board.places[picture.start].name, player=self.phrases.player(side))
            yield replace(picture, caption=caption)
        if picture is None or hops:
            shown = self.pictures.in_play(kind, "")
            if shown:
                caption = self.say("picture.play", piece=self.game.pieces[kind].name,
                                   square=self.game.board.places[shown.start].name)
                yield replace(shown, caption=caption)

    def _side(self, kind: int) -> int:
        """A player who has men of a kind, or else the first."""
        owners = [owner for owner, k, _ in (*self.game.setup, *self.game.stores) if k == kind]
        playing = [turn.side for turn in self.game.turns] or [0]
        return next((side for side in playing if side in owners), playing[0])

    def _told(self, kind: int, routines: list[model.Routine], drop: bool) -> tuple[list[Block], bool]:
        """Blocks of one kind of move as text; and whether some go over men."""
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
        """What several blocks that are told step by step share. Telling one may bring up another."""
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
        key = "drop.zone" if name in self.game.symbols.zones else "drop.square"
        return self.say(key, name=name) + " "

    # ------------------------------------------------------------------------------------------------------ duties

    def _duties(self) -> Section:
        say, options = self.say, self.game.options
        said = []
        names = [self.program.move_types[kind] for kind in self.game.priorities]
        if names:
            said.append(say("duty.priorities", names=", ".join(say("quoted", name=name) for name in names)))
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

    def _captured_as(self) -> Iterator[str]:
        """Kinds of men that are of another kind once they are in the hand."""
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
