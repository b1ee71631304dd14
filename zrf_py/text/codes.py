"""Table of all diagnostic codes, with meanings, wrong and right examples. `zrf explain CODE` prints an entry."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """A code's `meaning` in at most two lines; `wrong` is a text that causes it, `right` a corrected one ("": none)."""

    meaning: str
    wrong: str = ""
    right: str = ""


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
    "unopened-form": Explanation(
        "There is a `)` too many because a form has no `(`: its first word stands bare.",
        "define step ($1 add))\n(game (players White Black))",
        "(define step ($1 add))\n(game (players White Black))",
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
    "foreign-comment": Explanation(
        "A comment is written as in another language. Here it starts with `;` and goes to the end of the line.",
        "// my game\n(game)",
        "; my game\n(game)",
    ),
    "too-deep": Explanation(
        "Forms, or macros that call macros, nest deeper than any game needs.",
        "(a " * 251 + ")" * 251,
        "(a (b (c)))",
    ),
    "too-large": Explanation(
        "The rules, with all they include, are longer than what this program reads, or include too many files.",
    ),
    "too-many-problems": Explanation(
        "So many problems were found that reading on is of no use. Mend the first ones, and check again.",
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
        "Two macros have one name but differ, or one game has two boards, two pieces or positions of one name, two "
        "values of an option … The later one counts; of two `moves` in one piece both count.",
        "(define step n)\n(define step s)",
        "(define step-north n)\n(define step-south s)",
    ),
    "spliced-argument": Explanation(
        "A call among the arguments of a macro is expanded first, and each word or form it makes is an argument of its "
        "own: what follows gets other numbers. Give the name alone and let the macro call it.",
        "(define two $1 $1)\n(define run ($1 (verify empty?) $2 add))\n(moves (run (two n) e))",
        "(define two n n)\n(define run (($1) (verify empty?) $2 add))\n(moves (run two e))",
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
    # --- the language: forms to a syntax tree ---
    "unknown-section": Explanation(
        "A form at the top of the file is none of those that may stand there, nor a macro.",
        '(gmae (title "Hop"))',
        '(game (title "Hop") (players White))',
    ),
    "unknown-keyword": Explanation(
        "The first word of a form is neither a keyword that may stand there nor a macro.",
        "(piece (name Man) (moves (n (verfy empty?) add)))",
        "(piece (name Man) (moves (n (verify empty?) add)))",
    ),
    "unexpected": Explanation(
        "A word or form stands where it can't; the help says what could.",
        '(move-priorities "jump")',
        "(move-priorities jump)",
    ),
    "incomplete": Explanation(
        "A form ends before it has all it needs.",
        "(piece (name Man) (moves (n (verify (piece?)) add)))",
        "(piece (name Man) (moves (n (verify (piece? Man)) add)))",
    ),
    # --- the meaning: names ---
    "unknown-player": Explanation(
        "A name stands where a player is meant, and `players` does not have it. Capitals matter.",
        "(turn-order White black)",
        "(turn-order White Black)",
    ),
    "unknown-piece": Explanation(
        "A name stands where a type of piece is meant, and no `piece` is called so. Capitals matter.",
        "(piece (name Man) (moves (n (add man))))",
        "(piece (name Man) (moves (n (add Man))))",
    ),
    "unknown-position": Explanation(
        "A name stands where a position is meant, and no grid, `positions` or `dummy` makes one.",
        "(links ring (a1 a9))",
        "(links ring (a1 a2))",
    ),
    "unknown-direction": Explanation(
        "A word in move code is neither an instruction nor a direction or position of this board.",
        "(piece (name Man) (moves (north add)))",
        "(piece (name Man) (moves (n add)))",
    ),
    "unknown-zone": Explanation(
        "A name stands where a zone is meant, and no `zone` of the board is called so.",
        "(piece (name Man) (moves (n (verify (in-zone? home)) add)))",
        "(zone (name home) (players White) (positions a2))\n"
        "(piece (name Man) (moves (n (verify (in-zone? home)) add)))",
    ),
    "unknown-attribute": Explanation(
        "`set-attribute` names an attribute that no piece has.",
        "(piece (name Man) (moves (n (set-attribute tall true) add)))",
        "(piece (name Man) (attribute tall false) (moves (n (set-attribute tall true) add)))",
    ),
    "unknown-counter": Explanation(
        "A name stands where a counter is meant, and no `counter` is called so (ZRF+).",
        '(version "zrf+")\n(counter laps)\n(piece (name Man) (moves (n (set-counter lap 1) add)))',
        '(version "zrf+")\n(counter laps)\n(piece (name Man) (moves (n (set-counter laps 1) add)))',
    ),
    "unknown-measure": Explanation(
        "A name stands where a measure is meant, and no `measure` of the board is called so (ZRF+).",
        '(version "zrf+")\n(piece (name Man) (moves (n (verify (less? (at way) 3)) add)))',
        '(version "zrf+")\n(measure (name way) (players White) (values (1 a1)))\n'
        "(piece (name Man) (moves (n (verify (less? (at way) 3)) add)))",
    ),
    "unknown-condition": Explanation(
        "A word stands where a condition is meant, and is neither one nor an attribute of a piece.",
        "(piece (name Man) (moves (n (verify emtpy?) add)))",
        "(piece (name Man) (moves (n (verify empty?) add)))",
    ),
    "unknown-option": Explanation(
        "There is no option of this name, so it changes nothing.",
        '(option "pass turns" true)',
        '(option "pass turn" true)',
    ),
    "unknown-value": Explanation(
        "Options are true, false, default or forced, and some of them a number.",
        '(option "pass turn" forcd)',
        '(option "pass turn" forced)',
    ),
    "unknown-version": Explanation(
        "`version` asks for a language this program has not heard of; it reads the file all the same.",
        '(version "9.0")\n(piece (name Man))',
        '(version "2.0")\n(piece (name Man))',
    ),
    # --- the meaning: games, boards, set-up ---
    "missing-game": Explanation(
        "A rules file holds one `game`; this one has none, or nothing of it could be read.",
        "(define step n)",
        '(game (title "Hop") (players White))',
    ),
    "missing-title": Explanation(
        "Every game and variant needs a title to be chosen by.",
        "(game (players White))",
        '(game (title "Hop") (players White))',
    ),
    "missing-players": Explanation(
        "A game needs players.",
        '(game (title "Hop"))',
        '(game (title "Hop") (players White))',
    ),
    "missing-turns": Explanation(
        "A turn order names nobody.",
        "(players White)\n(turn-order repeat)",
        "(players White)\n(turn-order White)",
    ),
    "position-taken": Explanation(
        "The set-up puts two pieces on one position, which can hold one.",
        "(piece (name Man))\n(board-setup (White (Man a1 a1)))",
        "(piece (name Man))\n(board-setup (White (Man a1 a2)))",
    ),
    "bad-grid": Explanation(
        "A grid has no `dimensions`, or a direction has not one number for each of them.",
        '(grid (dimensions ("a/b" (48 0)) ("2/1" (0 48))) (directions (n -1)))',
        '(grid (dimensions ("a/b" (48 0)) ("2/1" (0 48))) (directions (n 0 -1)))',
    ),
    "board-too-large": Explanation(
        "A board has more positions than any game needs.",
    ),
    "too-many-attributes": Explanation("The pieces of a game have more attributes than fit.", "", ""),
    "too-many-flags": Explanation("The move code of a file has more flags of one kind than fit.", "", ""),
    "engine-not-run": Explanation(
        "The file names a program that plays for the computer. Only the rules as written here are played.",
        '(engine "hop.dll")',
        '(description "Hop")',
    ),
    # --- files ---
    "include-outside": Explanation(
        "A rules file may include files of its own folder, of the folders below it, and of the shelf; no others.",
        "", "",
    ),
    "unreadable": Explanation("A file is there but can't be read.", "", ""),
    "unwritable": Explanation("A file can't be written.", "", ""),
    "unknown-overlay": Explanation("A picture can show zones, links and directions over the board.", "", ""),
    "include-elsewhere": Explanation(
        "An included file is not where the rules file says, but one of its name lies in the folder or below it: that "
        "one is read.", "", "",
    ),
    "not-a-file": Explanation(
        "What was named is a folder or an archive that doesn't hold just one rules file.", "", "",
    ),
    "bad-archive": Explanation(
        "A zip archive is damaged, encrypted, or holds files that would be written outside of its own folder.", "", "",
    ),
    "archive-too-large": Explanation("A zip archive holds more than anybody's games would take.", "", ""),
    "no-such-game": Explanation(
        "There is neither a file of this name nor a game that comes with zrf_py. `zrf list` shows those.", "", "",
    ),
    "unknown-variant": Explanation("The file has no game or variant of this title. `zrf show` lists them.", "", ""),
    "variants-left": Explanation(
        "A mistake in one game of a file keeps that game from being played, and the variants that inherit the mistake. "
        "The others play.", "", "",
    ),
    "missing-rules": Explanation("A saved game names a rules file that is not beside it.", "", ""),
    "not-a-saved-game": Explanation(
        "A saved game begins with a line that says so; then comes the name of its rules file.", "", "",
    ),
    "bad-record": Explanation(
        "A saved game holds a move that is not possible there. It may have been saved under other rules.", "", "",
    ),
    "other-game": Explanation("A saved game belongs to another game or variant than the one that is played.", "", ""),
    # --- playing ---
    "no-such-move": Explanation("There is no legal move of this notation in the position.", "", ""),
    "not-a-move": Explanation(
        "The text can't be a move: it names a square or a man that the game doesn't have, or no square at all.", "", "",
    ),
    "ambiguous-move": Explanation("The text fits several legal moves; write more of the notation.", "", ""),
    "bad-question": Explanation(
        "`zrf why` is asked about a move (`e2 e5`), a man and a square (`Pawn@e4`), a square (`e4`), or with --end.",
        "", "",
    ),
    "unknown-language": Explanation("`zrf words` speaks English (en) and German (de).", "", ""),
    "bad-edit": Explanation(
        "A change of the board is `(x square)`, which removes, or `(Player Piece square)`, which places.", "", "",
    ),
    "bad-position": Explanation("A line that should tell a position says what the game does not know.", "", ""),
    "bad-argument": Explanation("A function of the library was given something that it can't use.", "", ""),
    "other-rules": Explanation("The rules of a pickled game are no longer those it was pickled with.", "", ""),
    "bad-number": Explanation("Random games were asked for where the game is over.", "", ""),
    "endless-block": Explanation(
        "A block of move code ran for 200,000 steps without coming to its end: a `while` whose condition stays true.",
    ),
    "endless-turn": Explanation(
        "The legs of a turn can be joined in more ways than can be tried, so that the longest chain isn't found.",
    ),
    "too-many-turns": Explanation(
        "Within a turn so many positions come up that its complete turns can't be listed: legs that count something,"
        " for example, never lead to the same position twice.", "", "",
    ),
    "number-too-large": Explanation(
        "A number in the rules, or one that they work out, is beyond 2,147,483,647, or as far below zero.",
        '(version "zrf+")\n(counter steps 3000000000)',
        '(version "zrf+")\n(counter steps 3000)',
    ),
    "unknown-player-kind": Explanation("A player is played by a human or by one of the programs named.", "", ""),
    "no-native-engine": Explanation("The native engine needs llvmlite; the interpreter gives the same moves.", "", ""),
    # --- search and puzzles ---
    "bad-kind": Explanation(
        "A game is searched by `alphabeta`, `mcts`, `beam` or `slow`, and not every game by each of them.", "", ""),
    "bad-limit": Explanation("A limit of a search (time, positions, depth) is not a number that makes sense.", "", ""),
    "no-move": Explanation("A move is asked for in a position in which the game is over.", "", ""),
    "not-a-puzzle": Explanation("`zrf solve` is for games with one player; `zrf analyse` looks at the others.", "", ""),
    "chance-goes-on": Explanation(
        "A puzzle in which dice are thrown after the first move has no solution that always works.", "", "",
    ),
    # --- games by the thousand ---
    "no-cluster": Explanation("The Dask cluster of this address doesn't answer, or has gone.", "", ""),
    "no-workers": Explanation("The processes that should play games end before they finish one.", "", ""),
    "bad-results": Explanation("The file of results is no SQLite file, or can't be written.", "", ""),
    # --- games for programs that learn ---
    "bad-fleet": Explanation(
        "A fleet can't be made so, or asked so: its size, its actions, a position of another game; or it is closed.",
        "", ""),
    "illegal-action": Explanation("An action is not among the legal ones of its game; nothing was played.", "", ""),
    "too-many-actions": Explanation(
        "A position has more legs of one from, to and type than there are numbers for, or the blocks of a game go too "
        "many ways to number its legs.", "", ""),
    # --- boards in a browser ---
    "folder-in-use": Explanation(
        "Another server keeps its boards in this folder: two would overwrite each other's.", "", ""),
    "no-address": Explanation("The server can't listen at this address or port: it is taken, or isn't ours.", "", ""),
    "bad-message": Explanation("A board page asked for what there isn't, or in a way the server doesn't know.", "", ""),
    "bad-origin": Explanation("`--embed` wants a site as an address: `--embed https://friends.example`.", "", ""),
    "bad-link": Explanation("A part of the link to a position is missing, or it was never one.", "", ""),
    # --- editors and language models ---
    "cant-rename": Explanation(
        "A name can't be given another one, or not this: other things have it, it is made of labels, or pasted together"
        " in a macro.", "", "",
    ),
    "rules-with-errors": Explanation("What was asked needs rules that can be played; these have errors.", "", ""),
    "outside": Explanation("A file that is named lies outside the folder that may be read.", "", ""),
    "too-slow": Explanation("What was asked takes longer than it may.", "", ""),
    "worker-died": Explanation("The process that worked on a file or a board ended before it answered.", "", ""),
    "cant-write": Explanation("A set-up can't be written into the text: a macro or another file makes it.", "", ""),
    "changed-elsewhere": Explanation(
        "The file at the desk has been changed by another program since it was read.", "", "",
    ),
    # --- the command ---
    "missing-extra": Explanation(
        "A part of zrf_py needs packages that aren't installed; the message says what to type.", "", "",
    ),
    "usage": Explanation("The command can't be called this way; `zrf --help` shows how.", "", ""),
    "unknown-word": Explanation("`zrf explain` knows keywords and the codes of messages.", "", ""),
    "system": Explanation("The operating system refused something.", "", ""),
    "internal": Explanation("zrf_py itself made a mistake. Please report it.", "", ""),
    "error": Explanation("A problem without a code of its own.", "", ""),
}
