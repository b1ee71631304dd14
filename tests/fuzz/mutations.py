"""Mutations of inputs: words, bytes, pieces of other inputs. The generator passed in makes all choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

WORD = re.compile(rb'"[^"]*"|;[^\n]*|[()]|[^\s();"]+|\s+')
ODD = (b"99999999999999999999", b"-1", b"0", b"$1", b"$2", b"(a b)", b"()", b"\x00", b'"', b"\xff", b"-0", b"1.5",
       b"repeat", b"off", b"true", b"White", b"a1", b"n", b"?", b"\xc3\xa9", b"1e9", b"(", b")", b"`", b"\\", b"\r")
WORDS_OF_RULES = (
    b"while", b"add-partial", b"add", b"cascade", b"capture", b"flip", b"create", b"change-owner", b"change-type",
    b"else", b"not-empty?", b"empty?", b"friend?", b"enemy?", b"last-from?", b"last-to", b"from", b"to", b"mark",
    b"back", b"opposite", b"attacked?", b"defended?", b"adjacent-to-enemy?", b"set-flag", b"flag?", b"position-flag?",
    b"set-attribute", b"(option \"pass turn\" forced)", b"(option \"pass partial\" true)", b"(move-type x)",
    b"(option \"maximal captures\" true)", b"(option \"recycle captures\" true)", b"(version \"zrf+\")", b"stalemated",
    b"repetition", b"(count-condition stalemated)", b"(next-turn 0)", b"add-pass", b"must-continue", b"add-copy",
    b"(move-priorities x)", b"(unlink a1)", b"(kill-positions a1)", b"(dummy a1)", b"absolute-config")


def spoil(source: bytes, donors: Sequence[bytes], random: Random) -> bytes:
    """Make one to six changes, each by `spoil_words`, `spoil_bytes` or `splice`."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 6))):
        source = random.choice(KINDS)(source, donors, random)
    return source


def spoil_words(source: bytes, donors: Sequence[bytes], random: Random) -> bytes:
    """Drop, double, swap, replace or insert a word, or write a run of words a second time."""
    words = WORD.findall(source) or [b" "]
    at, other = random.randrange(len(words)), random.randrange(len(words))
    what = random.randrange(7)
    if what == 0:
        del words[at]
    elif what == 1:
        words.insert(at, words[at])
    elif what == 2:
        words[at], words[other] = words[other], words[at]
    elif what == 3:
        words[at] = words[other]
    elif what == 4:
        words[other:other] = words[at : at + random.randrange(40)]
    elif what == 5:
        words[at] = random.choice(ODD)
    else:
        words.insert(at, b" " + random.choice(WORDS_OF_RULES) + b" ")
    return b"".join(words)


def spoil_bytes(source: bytes, donors: Sequence[bytes], random: Random) -> bytes:
    """Drop, repeat or change a byte, or cut off the rest."""
    at = random.randrange(len(source) + 1)
    what = random.randrange(8)
    if what == 0 and random.random() < 0.3:
        return source[:at]
    if what <= 2:
        return source[:at] + source[at + 1 :]
    if what <= 5:
        return source[:at] + bytes([random.randrange(256)]) + source[at + 1 :]
    return source[:at] + source[at : at + 1] * random.choice((2, 3, 300)) + source[at + 1 :]


def splice(source: bytes, donors: Sequence[bytes], random: Random) -> bytes:
    """Replace a form by a form of another input, mostly one with the same first word, or insert that form before it."""
    donor = random.choice(donors)
    starts = [match.start() for match in re.finditer(rb"\(", donor)]
    places = [match.start() for match in re.finditer(rb"\(", source)]
    if not starts or not places:
        cut, at = random.randrange(len(source) + 1), random.randrange(len(donor) + 1)
        return source[:cut] + donor[at:]
    form = form_at(donor, random.choice(starts))
    head = form[1:].split(None, 1)[:1]
    alike = [p for p in places if source[p + 1 :].split(None, 1)[:1] == head]
    at = random.choice(alike if alike and random.random() < 0.8 else places)
    return source[:at] + form + source[at + len(form_at(source, at)) * random.randrange(2) :]


def form_at(source: bytes, start: int) -> bytes:
    """Return the form that opens at a place, up to its closing parenthesis or to the end."""
    depth = 0
    for match in WORD.finditer(source, start):
        depth += (match[0] == b"(") - (match[0] == b")")
        if depth <= 0:
            return source[start : match.end()]
    return source[start:]


Change = Callable[[bytes, Sequence[bytes], Random], bytes]
KINDS: tuple[Change, ...] = (spoil_words, spoil_words, spoil_bytes, splice)
