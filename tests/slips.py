"""Random typing mistakes in rules, and counts of those that `fix` mends."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from zrf_py.author.fix.fixing import fix_text
from zrf_py.front.forms import tokens
from zrf_py.front.keywords import KEYWORDS

CLASSES = ("keyword", "name", "parenthesis", "string", "number")


def slip(text: str, chance: random.Random) -> str:
    """Return the text with one deletion, insertion or misspelling; all classes of tokens are equally likely."""
    places: dict[str, list[tuple[int, int]]] = {}
    for kind, start, end in tokens(text):
        name = "keyword" if text[start:end] in KEYWORDS else "name"
        of = {"NAME": name, "NUMBER": "number", "STRING": "string", "OPEN": "parenthesis", "CLOSE": "parenthesis"}
        places.setdefault(of[kind], []).append((start, end))
    start, end = chance.choice(places[chance.choice([name for name in CLASSES if name in places])])
    word = text[start:end]
    written = chance.choice((_deleted, _inserted, _misspelt))(word, chance)
    return text[:start] + written + text[end:]


def _deleted(word: str, chance: random.Random) -> str:
    return word[1:] if word[0] == '"' and chance.random() < 0.5 else ""


def _inserted(word: str, chance: random.Random) -> str:
    return word + chance.choice((" " + word, "(", ")", ",", '"'))


def _misspelt(word: str, chance: random.Random) -> str:
    """Return the word with a letter lost, doubled, replaced or swapped with the next."""
    at = chance.randrange(len(word))
    other = chance.choice("aeiourstln01-") if word not in "()" else chance.choice("([{)]}")
    return chance.choice((
        word[:at] + word[at + 1 :], word[:at] + word[at] + word[at:], word[:at] + other + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]))


@dataclass
class Tally:
    """Counts of slips: those with a problem, those fixed, those fixed to the original text (but for spaces); and the
    texts that `fix` made worse."""

    slips: int = 0
    noticed: int = 0
    mended: int = 0
    equal: int = 0
    worse: list[str] = field(default_factory=list)
    other: list[tuple[str, str]] = field(default_factory=list)
    """Code and change of the slips that were fixed to another text."""

    def add(self, name: str, original: str, chance: random.Random) -> None:
        """Put a slip into a text, fix it, and count the result."""
        spoilt = slip(original, chance)
        fixed = fix_text(name, spoilt)
        self.slips += 1
        self.noticed += bool(fixed.problems)
        if len(fixed.left) > len(fixed.problems) or _errors(fixed.left) > _errors(fixed.problems):
            self.worse.append(spoilt)
        if fixed.done:
            self.mended += 1
            if "".join(fixed.after.split()) == "".join(original.split()):
                self.equal += 1
            else:
                self.other.append((fixed.done[0].message.code, fixed.diff()))


def _errors(messages: tuple[object, ...]) -> int:
    return sum(getattr(message, "severity", "") == "error" for message in messages)
