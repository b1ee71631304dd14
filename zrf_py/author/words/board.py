"""The sections of the rules in words about the board and the start position, with pictures."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from zrf_py.author.words.document import Block, Listing, Paragraph, Section, TextLine
from zrf_py.author.words.language import sentence
from zrf_py.author.words.phrases import Phrases
from zrf_py.author.words.pictures import Pictures
from zrf_py.text.grouping import by_key

MAX_CHAINS = 700
"""Maximum number of characters for the list of squares that a direction links."""


class BoardWriter:
    """Writes the sections about the board and the start."""

    def __init__(self, phrases: Phrases, pictures: Pictures) -> None:
        self.phrases, self.pictures, self.game, self.say = phrases, pictures, phrases.game, phrases.say

    def section(self) -> Section:
        say, board = self.say, self.game.board
        cells = self.pictures.layout.cells
        rows, columns = len({r for r, _ in cells.values()}), len({c for _, c in cells.values()})
        drawn = len(self.pictures.shown)
        key = "board.grid" if rows * columns == drawn else "board.squares"
        clauses = [say(key, count=drawn, rows=rows, columns=columns)]
        blocks: list[Block] = [Paragraph(" ".join(map(sentence, clauses))), self._at_start()]
        if facing := self._facing():
            blocks.append(Paragraph(sentence(facing)))
        directions = [TextLine(sentence(self._links(motion))) for motion in sorted(self.phrases.named)]
        if directions:
            blocks += [Paragraph(say("board.directions")), Listing(tuple(directions))]
        blocks += self._zones()
        measures = [TextLine(line) for line in self._measures()]
        if measures:
            blocks.append(Listing(tuple(measures)))
        return Section(say("board"), tuple(blocks)) if board.places else Section(say("board"), ())

    def _at_start(self) -> Block:
        """Return a picture of the start position, with a legend of its letters."""
        signs: dict[int, dict[str, None]] = {}
        for owner, kind, _ in sorted((*self.game.setup, *self.game.stores)):
            signs.setdefault(kind, {})[self.pictures.symbols.symbol(owner, kind)] = None
        legend = ", ".join(self.say("board.legend", sign="/".join(some), piece=self.phrases.piece(kind))
                           for kind, some in sorted(signs.items()))
        first = self.game.turns[0].side if self.game.turns else 0
        seen = [region for region in self._regions() if first in region[3]]
        tints = {square: tuple(number for number, squares, *_ in seen if square in squares)
                 for _, squares, *_ in seen for square in squares}
        picture = self.pictures.board(self.say("board.picture"), tints)
        colours = " ".join(caption for _, _, caption, _ in seen)
        return replace(picture, text=f"{picture.text}\n\n{legend}", colours=colours)

    def _facing(self) -> str:
        """Describe how other players see directions, which are worded for the first player."""
        board, compass = self.game.board, self.phrases.compass
        if mirrored := self._mirrored():
            return mirrored
        playing = self.game.playing
        plain = [n for n in playing if all(board.symmetry[n][d] == d for d in range(len(board.directions)))]
        turned: dict[str, list[str]] = {}
        for n in playing:
            pairs = [(d, e) for d, e in enumerate(board.symmetry[n]) if d != e and compass.word[d] and compass.word[e]]
            if pairs:
                parts = [self.say("board.is", one=self.phrases.sector(compass.word[d]), other=self.say(compass.word[e]))
                         for d, e in pairs]
                turned.setdefault(self.say.both(parts), []).append(self.phrases.player(n))
        if not turned:
            return ""
        first = self.say("board.seen-facing" if compass.facing else "board.seen",
                         names=self.say.both(map(self.phrases.player, plain)))
        return " ".join(sentence(text) for text in [first, *(
            self.say("board.turned", names=self.say.both(names), pairs=pairs) for pairs, names in turned.items())])

    def _mirrored(self) -> str:
        """Describe "forward" for both sides if only one of them sees the board upside down; else ""."""
        board, word = self.game.board, self.phrases.compass.word
        sides: dict[bool, list[str]] = {}
        for n, player in enumerate(self.game.players):
            if player.kind == "player":
                seen = {key: word[other] for key, other in zip(word, board.symmetry[n], strict=True) if key}
                turned = seen == {key: "-".join({"up": "down", "down": "up"}.get(part, part) for part in key.split("-"))
                                  for key in seen}
                if not turned and any(key != other for key, other in seen.items()):
                    return ""
                sides.setdefault(turned, []).append(self.phrases.player(n))
        if len(sides) < 2 or not self.phrases.compass.facing:
            return ""
        return self.say("board.forward", names=self.say.both(sides[False]), others=self.say.both(sides[True]))

    def _links(self, motion: int) -> str:
        """Return a line about a direction's links: the board's or, if it has none, each player's by symmetry."""
        board = self.game.board
        tables = board.reverse if motion % 2 else board.links
        chains = self._chains(tables[motion // 2])
        if not chains:
            own = {n: self._chains(tables[board.symmetry[n][motion // 2]]) for n in self.game.playing}
            chains = "; ".join(self.say("board.leads.for", player=self.phrases.player(n), chains=links)
                               for n, links in own.items() if links)
        return self.say("board.leads", name=self.phrases.direction(motion), chains=chains)

    def _chains(self, table: Sequence[int]) -> str:
        """Return the squares that a direction links, as chains of their names."""
        names = [place.name for place in self.game.board.places]
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
        return text if len(text) < MAX_CHAINS else text[:MAX_CHAINS] + " …"

    def _regions(self) -> Iterator[tuple[int, frozenset[int], str, Collection[int]]]:
        """Yield (number of the colour, squares, caption, players) for regions whose squares only a picture shows."""
        regions = self.phrases.regions
        for number, (sets, (key, colour)) in zip(regions.colours, list(regions.pictured.items()), strict=False):
            for squares in dict.fromkeys(filter(None, sets)):
                players = [n for n, own in enumerate(sets) if own == squares]
                names = self.say.both(map(self.phrases.player, players))
                caption = self.say(f"{key}.caption", colour=colour, names=names)
                shown = squares & frozenset(self.pictures.shown)
                yield number, shown, sentence(caption), players if len(sets) > 1 else range(len(self.game.players))

    def _zones(self) -> Iterator[Block]:
        """Yield a picture for each set of squares in `_regions`, with the captions of all regions equal to it."""
        captions: dict[frozenset[int], dict[str, int]] = {}
        for number, squares, caption, _ in self._regions():
            captions.setdefault(squares, {})[caption] = number
        for squares, texts in captions.items():
            tints = dict.fromkeys(squares, tuple(dict.fromkeys(texts.values())))
            yield self.pictures.zone(sorted(squares), " ".join(texts), tints)

    def _measures(self) -> Iterator[str]:
        board = self.game.board
        for number, name in enumerate(board.measure_names):
            for player, values in zip(self.game.players, board.measures[number], strict=True):
                by_value = by_key((value, board.places[place].name) for place, value in values.items())
                if by_value and player.kind == "player":
                    values_text = "; ".join(f"{value}: {', '.join(names)}" for value, names in sorted(by_value.items()))
                    yield sentence(self.say("measure", name=name, player=player.name, values=values_text))

    def start(self) -> Section:
        say, game = self.say, self.game
        lines = []
        for number in range(len(game.players)):
            men = Counter(kind for owner, kind, _ in game.setup if owner == number)
            groups = [self._men(kind, count) for kind, count in men.items()]
            groups += [say("start.hand", men=self._men(kind, count))
                       for owner, kind, count in game.stores if owner == number and count > 0]
            if groups:
                lines.append(TextLine(sentence(say("colon", head=self.phrases.player(number), rest=", ".join(groups)))))
        blocks: list[Block] = [Listing(tuple(lines))] if lines else [Paragraph(sentence(say("start.empty")))]
        blocks += [Paragraph(sentence(say("start.counter-each" if counter.each else "start.counter",
                                          name=counter.name, start=counter.start))) for counter in game.counters]
        return Section(say("begin"), tuple(blocks))

    def _men(self, kind: int, count: int) -> str:
        return self.say("start.men" if count == 1 else "start.many", piece=self.phrases.piece(kind), count=count)
