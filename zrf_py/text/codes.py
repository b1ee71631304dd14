"""Every code a diagnostic can have: what it means, and a wrong and a right example. `zrf explain CODE` shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """`meaning` is two lines at most; `wrong` and `right` are texts that do and don't earn the code."""

    meaning: str
    wrong: str
    right: str


CODES: dict[str, Explanation] = {
    # --- reading: characters to forms ---
    "unclosed-form": Explanation(
        "A `(` has no `)`. Going by the indentation, it is missing between the two places shown.",
        "(game\n  (players White Black\n  (turn-order White Black)\n)",
        "(game\n  (players White Black)\n  (turn-order White Black)\n)",
    ),
    "extra-parenthesis": Explanation(
        "A `)` closes nothing. If a form that looks nested stands outside all others, the `)` before it is blamed.",
        "(game (players White Black)))",
        "(game (players White Black))",
    ),
    "unclosed-string": Explanation(
        'A quotation mark has no partner. Nothing escapes a `"`: not a backslash, not doubling it.',
        '(title "Chess)',
        '(title "Chess")',
    ),
    "not-text": Explanation(
        "The file holds characters that no text has: it may be a picture, a program or text in UTF-16.",
        "(game \x01)",
        "(game)",
    ),
    "empty-file": Explanation(
        "The file holds nothing, or nothing but blanks and comments.",
        "; my game",
        '; my game\n(game (title "Mine"))',
    ),
    "odd-name": Explanation(
        "A name holds a character that names rarely have; often a typographic quotation mark or a wrong bracket.",
        "(title “Chess”)",
        '(title "Chess")',
    ),
    "too-deep": Explanation(
        "Forms, or macros that call macros, nest deeper than any game needs.",
        "(a " * 251 + ")" * 251,
        "(a (b (c)))",
    ),
    "too-large": Explanation(
        "The rules, with all they include, are longer than what this program reads, or include too many files.",
        "",
        "",
    ),
    "bad-include": Explanation(
        "`include` takes one thing, the name of a file.",
        "(include)",
        '(include "moves.inc")',
    ),
    "missing-include": Explanation(
        "A file to include isn't there. Its path counts from the folder of the rules file, and may not leave it.",
        '(include "no-such-file.inc")',
        '(include "moves.inc")',
    ),
    "recursive-include": Explanation(
        "A file includes itself, perhaps through others.",
        "",
        "",
    ),
    # --- expansion: macros ---
    "bad-define": Explanation(
        "`define` wants a name, then what the name stands for.",
        '(define "step" $1 add)',
        "(define step $1 add)",
    ),
    "keyword-redefined": Explanation(
        "A macro may not have the name of a word without which there are no rules to read.",
        "(define game $1)",
        "(define my-game $1)",
    ),
    "defined-twice": Explanation(
        "Two macros have one name but differ. The later one counts, everywhere in the file.",
        "(define step n)\n(define step s)",
        "(define step-north n)\n(define step-south s)",
    ),
    "missing-argument": Explanation(
        "A macro's body uses `$2`, say, but neither the call nor any call around it has a second argument.",
        "(define leap $1 $2 add)\n(moves ((leap n)))",
        "(define leap $1 $2 add)\n(moves ((leap n e)))",
    ),
    "list-in-name": Explanation(
        "A list was given for an argument that the macro uses as a part of a name.",
        "(define pawn (name p$1))\n(piece (pawn (a b)))",
        "(define pawn (name p$1))\n(piece (pawn ab))",
    ),
    "recursive-macro": Explanation(
        "A macro leads back to itself, so its expansion would never end.",
        "(define slide $1 (slide $1))\n(moves ((slide n)))",
        "(define slide $1 (while empty? add $1))\n(moves ((slide n)))",
    ),
    "expansion-too-large": Explanation(
        "Macros that call macros several times over grow beyond what this program takes.",
        "".join(f"(define m{i} (m{i + 1}) (m{i + 1}))\n" for i in range(40)) + "(define m40 add)\n(moves ((m0)))",
        "(define twice $1 $1)\n(moves ((twice n) add))",
    ),
}
