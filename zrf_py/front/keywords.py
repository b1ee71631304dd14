"""Table of all keywords of the rules language, one row each.

`zrf explain`, the table in grammar/README.md and the suggestions of error messages come from here. The grammar itself
is grammar/zrf.lark; a test keeps the two consistent. Words that matter only to a program with pictures and sounds are
marked `ignored`: they are parsed and stored, and playing does not depend on them.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword: `meaning` in one line; `where` it may occur; its syntax as `form`, with variable parts in capitals,
    optional parts in `[…]` and `…` for repetition; `example` is a line of rules."""

    meaning: str
    where: str
    form: str
    example: str
    ignored: bool = False


KEYWORDS: dict[str, Keyword] = {}


def _rows(where: str, rows: dict[str, tuple[str, str, str]], ignored: bool = False) -> None:
    """Add rows: word → (form, meaning, example)."""
    for word, (form, meaning, example) in rows.items():
        KEYWORDS[word] = Keyword(meaning, where, form, example, ignored)


_rows("anywhere", {
    "define": ("(define NAME ANYTHING…)", "names a piece of text; `(NAME ARGUMENT…)` stands for it wherever it occurs",
               "(define step ($1 (verify not-friend?) add))"),
    "$n": ("$1 $2 …", "in a macro's text: the first, second … argument of the call, also inside words and strings",
           "(define man (name $1Man))"),
    "include": ('(include "FILE")', "is replaced by the text of a file, whatever it holds", '(include "moves.inc")'),
    ";": ("; TEXT", "a comment, to the end of the line", "; the side that loses its last man loses"),
})
_rows("top of the file", {
    "game": ("(game SECTION…)", "the game; of several in a file, variants are copies of the first",
             '(game (title "Hop") (players White Black))'),
    "variant": ("(variant SECTION…)", "a further game: a copy of `game` in which these sections replace the old ones",
                '(variant (title "Hop with passing") (option "pass turn" true))'),
    "version": ('(version "NUMBER")', "the version of the language the file was written for", '(version "2.0")'),
    "translate": ('(translate ("NAME" "SHOWN")…)', "names shown to people in place of those in the rules",
                  '(translate ("White" "Blanc"))'),
})
_rows("game, variant", {
    "title": ('(title "TEXT")', "the name of the game or variant; `-` makes a line in a menu and no game",
              '(title "Hop")'),
    "default": ("(default)", "this game or variant is opened first", "(default)"),
    "option": ('(option "NAME" VALUE)', "a rule or a habit of the whole game, see the table of options",
               '(option "pass turn" forced)'),
    "players": ("(players NAME…)", "who owns pieces; `?` before a name makes a player who moves at random",
                "(players White Black ?Dice)"),
    "turn-order": ("(turn-order TURN…)", "who moves when: PLAYER, (PLAYER TYPE), (PLAYER OWNER), (PLAYER OWNER TYPE)",
                   "(turn-order White repeat (Black jump))"),
    "board": ("(board ITEM…)", "the board: grids, positions, links, zones, symmetry", "(board (dummy hand))"),
    "board-setup": ("(board-setup (PLAYER (PIECE POSITION…)…)…)", "what stands where at the start",
                    "(board-setup (White (Man a1 b1 off 3)))"),
    "piece": ("(piece (name NAME) ITEM…)", "a type of piece", "(piece (name Man) (moves (n add)))"),
    "move-priorities": ("(move-priorities TYPE…)", "if a move of the first type exists only those are legal, and so on",
                        "(move-priorities jump step)"),
    "win-condition": ("(win-condition (PLAYER…) GOAL)", "a listed player for whom the goal holds wins",
                      "(win-condition (White Black) (pieces-remaining 3))"),
    "loss-condition": ("(loss-condition (PLAYER…) GOAL)", "a listed player for whom the goal holds loses",
                       "(loss-condition (White Black) (captured King))"),
    "draw-condition": ("(draw-condition (PLAYER…) GOAL)", "the game is drawn if the goal holds for a listed player",
                       "(draw-condition (White Black) repetition)"),
    "count-condition": ("(count-condition [(PLAYER…)] GOAL)", "if the goal holds, most pieces on the board win",
                        "(count-condition (total-piece-count 16))"),
})
_rows("turn-order", {
    "repeat": ("repeat", "after the last turn go on from here and not from the start",
               "(turn-order White repeat Black Black White White)"),
})
_rows("game, variant: the form of version 1", {
    "include-off-pieces": ("(include-off-pieces BOOLEAN)", 'the option "include off-pieces"',
                           "(include-off-pieces true)"),
    "maximal-captures": ("(maximal-captures BOOLEAN)", 'the option "maximal captures"', "(maximal-captures true)"),
    "pass-partial": ("(pass-partial BOOLEAN)", 'the option "pass partial"', "(pass-partial true)"),
    "pass-turn": ("(pass-turn BOOLEAN)", 'the option "pass turn"', "(pass-turn forced)"),
    "recycle-captures": ("(recycle-captures BOOLEAN)", 'the option "recycle captures"', "(recycle-captures true)"),
    "recycle-promotions": ("(recycle-promotions BOOLEAN)", 'the option "recycle promotions"',
                           "(recycle-promotions true)"),
})
_rows("game, variant: the form of version 1", {
    "allow-flipping": ("(allow-flipping BOOLEAN)", 'the opposite of the option "prevent flipping"',
                       "(allow-flipping false)"),
    "animate-captures": ("(animate-captures BOOLEAN)", 'the option "animate captures"', "(animate-captures false)"),
    "animate-drops": ("(animate-drops BOOLEAN)", 'the option "animate drops"', "(animate-drops false)"),
}, ignored=True)
_rows("value of an option", {
    "forced": ('(option "pass turn" forced)', "the player passes if, and only if, there is no other move",
               '(option "pass turn" forced)'),
})
_rows("game, variant, piece", {
    "description": ('(description "TEXT")', "what the game is, or in a piece what it does", '(description "Jump!")'),
}, ignored=True)
_rows("game, variant", {
    "history": ('(history "TEXT")', "where the game comes from", '(history "Played since 1885.")'),
    "strategy": ('(strategy "TEXT")', "advice to players", '(strategy "Keep together.")'),
    "solution": ('(solution "FILE")', "a saved game that solves the puzzle", '(solution "hop.zsg")'),
    "music": ('(music "FILE")', "played while the game is", '(music "hop.mid")'),
    "engine": ('(engine "FILE")', "a program that plays for the computer; it is not run", '(engine "hop.dll")'),
}, ignored=True)
_rows("game, variant", {
    f"{moment}-sound": (f'({moment}-sound "FILE")', f"a sound for {what}", f'({moment}-sound "{moment}.wav")')
    for moment, what in {
        "capture": "a capture", "change": "a change of type or owner", "click": "a click on a piece",
        "draw": "a draw", "drop": "a drop", "loss": "a loss", "move": "a move of an opponent",
        "opening": "the beginning of a game", "release": "letting go of a piece", "win": "a win",
    }.items()
}, ignored=True)

_rows("board", {
    "grid": ("(grid ITEM…)", "regular positions: one for each combination of labels, with directions between them",
             '(grid (dimensions ("a/b" (48 0))) (directions (e 1)))'),
    "links": ("(links DIRECTION (FROM TO)…)", "one-way links; a direction may be new", "(links ring (a1 a2) (a2 b2))"),
    "unlink": ("(unlink POSITION | (POSITION POSITION) | (POSITION DIRECTION) …)",
               "cuts all links of a position, those between two, or one that leaves it", "(unlink (a1 a2))"),
    "kill-positions": ("(kill-positions POSITION…)", "removes positions after the rest of the board is made",
                       "(kill-positions a1 c1)"),
    "zone": ("(zone (name NAME) (players PLAYER…) (positions POSITION…))",
             "a named set of positions for each player", "(zone (name home) (players White) (positions a1 b1))"),
    "symmetry": ("(symmetry PLAYER (DIRECTION USED)…)", "the player's code uses the second direction for the first",
                 "(symmetry Black (n s) (s n))"),
})
_rows("board, zone", {
    "positions": ("(positions (NAME L T R B)…) · (positions NAME…)",
                  "on a board: new positions, in pixels; in a zone: its positions", "(positions (hand 0 0 48 48))"),
})
_rows("board, piece", {
    "dummy": ("(dummy POSITION…) · (dummy)", "positions, or pieces of a type, that are not shown but else like others",
              "(dummy hand)"),
})
_rows("grid", {
    "dimensions": ('(dimensions ("LABEL/LABEL/…" (DX DY))…)', "labels; a position's name is one of each, in order",
                   '(dimensions ("a/b/c" (48 0)) ("2/1" (0 48)))'),
    "directions": ("(directions (NAME STEP…)…)", "directions: how many labels to go in each dimension",
                   "(directions (n 0 -1) (knight 1 -2))"),
})
_rows("grid", {
    "start-rectangle": ("(start-rectangle L T R B)", "where the first position is drawn, in pixels",
                        "(start-rectangle 0 0 48 48)"),
}, ignored=True)
_rows("board, piece", {
    "image": ('(image "FILE"…) · (image PLAYER "FILE"… …)', "bitmaps of the board, or of a piece for each player",
              '(image White "man.bmp" Black "bman.bmp")'),
}, ignored=True)
_rows("board-setup", {
    "off": ("off NUMBER", "so many pieces wait off the board, in the player's store", "(White (Man a1 off 3))"),
})

_rows("piece, zone", {
    "name": ("(name NAME)", "what the rules call it", "(name Man)"),
})
_rows("piece", {
    "attribute": ("(attribute NAME BOOLEAN)", "something true or false that each single piece carries",
                  "(attribute never-moved? true)"),
    "moves": ("(moves BLOCK…)", "blocks that run for every piece of the type that the side has on the board",
              "(moves (n add) (s add))"),
    "drops": ("(drops BLOCK…)", "blocks that run for every position if such a piece is in store",
              "(drops ((verify empty?) add))"),
})
_rows("piece", {
    "notation": ('(notation "TEXT")', 'what stands for it in moves; `""`: nothing', '(notation "M")'),
    "help": ('(help "TEXT")', "a hint of one line", '(help "Man: moves forwards")'),
    "open": ('(open "FILE")', "what a click on the piece opens", '(open "hop.zrf")'),
}, ignored=True)
_rows("moves, drops", {
    "move-type": ("(move-type NAME)", "the blocks that follow make moves of this type", "(move-type jump)"),
})

_rows("move code", {
    "add": ("add · (add PIECE…)", "writes a move: the piece on the from square goes to the to square (or is dropped)",
            "(add Queen Rook)"),
    "add-copy": ("add-copy · (add-copy PIECE…)", "writes a move that leaves the piece and puts another like it",
                 "(n (verify empty?) add-copy)"),
    "add-partial": ("add-partial · (add-partial PIECE… [TYPE])",
                    "writes a leg: the same piece moves again in the same turn, with moves of TYPE only",
                    "(add-partial jump)"),
    "add-copy-partial": ("add-copy-partial · (add-copy-partial PIECE… [TYPE])", "`add-copy` as a leg",
                         "add-copy-partial"),
    "cascade": ("cascade", "ends one movement of the move and begins the next", "(e e cascade e from w w add)"),
    "capture": ("capture · (capture PLACE)", "effect: removes a piece, after everything else of the move",
                "(capture n)"),
    "flip": ("flip · (flip PLACE)", "effect: the piece goes to the player before its owner; from the first to the last",
             "(flip n)"),
    "change-owner": ("change-owner · (change-owner PLACE)", "effect: the piece goes to the side that moves",
                     "(n change-owner n add)"),
    "change-type": ("(change-type PIECE [PLACE])", "effect: the piece becomes one of another type",
                    "(change-type King n)"),
    "create": ("create · (create [PLAYER] [PIECE] [PLACE])", "effect: a new piece appears", "(create Black Stone n)"),
    "set-attribute": ("(set-attribute NAME CONDITION)", "effect: the attribute becomes the condition's answer",
                      "(set-attribute never-moved? false)"),
    "set-flag": ("(set-flag NAME CONDITION)", "remembers the condition's answer under a name",
                 "(set-flag found (enemy? n))"),
    "set-position-flag": ("(set-position-flag NAME CONDITION [PLACE])", "the same for one position, in this block",
                          "(set-position-flag seen true n)"),
    "back": ("back", "the cursor returns to the mark, or to the start", "(mark n n back)"),
    "go": ("(go from | to | mark | last-from | last-to)", "the cursor goes to a square that is remembered",
           "(go last-to)"),
    "verify": ("(verify CONDITION…)", "the block ends here unless the condition holds", "(verify not-friend?)"),
    "if": ("(if CONDITION INSTRUCTION… [else INSTRUCTION…])", "runs the instructions if the condition holds",
           "(if empty? add else (verify enemy?) add)"),
    "while": ("(while CONDITION INSTRUCTION…)", "runs the instructions again and again while the condition holds",
              "(while empty? add n)"),
})
_rows("if", {"else": ("(if CONDITION … else INSTRUCTION…)", "what runs if the condition does not hold",
                      "(if empty? add else n)")})
_rows("move code, go", {
    "from": ("from · (go from)", "the moving piece is the one here; as a goal of `go` that square", "(n from n add)"),
    "to": ("to · (go to)", "the piece arrives here; as a goal of `go` that square", "(n to n capture add)"),
    "mark": ("mark · (mark PLACE) · (go mark)", "remembers a square for `back`; only one at a time", "(mark n)"),
})
_rows("go", {
    "last-from": ("(go last-from)", "where the previous move or leg began; the block ends after a drop",
                  "(go last-from)"),
    "last-to": ("(go last-to)", "where the previous move or leg ended", "(go last-to)"),
})
_rows("move code, PLACE", {
    "opposite": ("(opposite DIRECTION)", "against a direction: to the square from which it leads here",
                 "(capture (opposite n))"),
})

_rows("condition", {
    "true": ("true", "holds always; a value of options and attributes", "(set-flag found true)"),
    "false": ("false", "never holds; a value of options and attributes", "(set-flag found false)"),
})
_rows("condition, goal", {
    "and": ("(and CONDITION…)", "all hold", "(and empty? (enemy? n))"),
    "or": ("(or CONDITION…)", "one of them holds", "(or empty? enemy?)"),
    "not": ("(not CONDITION)", "does not hold; in a configuration: no such piece is there", "(not (piece? Man n))"),
})
_TESTS: dict[str, tuple[str, str, str]] = {
    "empty?": ("[PLACE]", "nobody is there", "(verify (empty? n))"),
    "friend?": ("[PLACE]", "a piece of the side that moves is there", "(verify (friend? n))"),
    "enemy?": ("[PLACE]", "a piece of any other player is there, neutral ones included", "(verify (enemy? n))"),
    "neutral?": ("[PLACE]", "a piece of a player without turns is there", "(verify (neutral? n))"),
    "on-board?": ("[PLACE]", "the square exists", "(verify (on-board? n))"),
    "piece?": ("PIECE [PLACE]", "a piece of the type is there, whoever owns it", "(verify (piece? Man n))"),
    "in-zone?": ("ZONE [PLACE]", "the square is in the zone as the side that moves has it", "(verify (in-zone? home))"),
    "position?": ("POSITION [PLACE]", "the square is that one", "(verify (position? a1 n))"),
    "marked?": ("[PLACE]", "the square is the marked one", "(verify marked?)"),
    "last-from?": ("[PLACE]", "the previous move or leg began there", "(verify (last-from? n))"),
    "last-to?": ("[PLACE]", "the previous move or leg ended there", "(verify (last-to? n))"),
    "adjacent-to-enemy?": ("[PLACE]", "some direction leads from the square to an enemy",
                           "(verify adjacent-to-enemy?)"),
    "attacked?": ("[TYPE] [PLACE]", "an opponent's move could capture there", "(verify (attacked? e))"),
    "defended?": ("[TYPE] [PLACE]", "the side that moves could capture there", "(verify defended?)"),
    "goal-position?": ("[PLACE]", "the square occurs in an `absolute-config`", "(verify goal-position?)"),
    "flag?": ("NAME", "the flag is set", "(verify (flag? found))"),
    "position-flag?": ("NAME [PLACE]", "the flag is set for that square", "(verify (position-flag? seen n))"),
}


def _form(word: str, arguments: str) -> str:
    """Return the syntax of a test; if all arguments are optional, the bare word is a second form."""
    return f"{word} · ({word} {arguments})" if arguments.startswith("[") else f"({word} {arguments})"


_rows("condition", {
    word: (_form(word, arguments), meaning, example) for word, (arguments, meaning, example) in _TESTS.items()
})
_rows("condition", {
    f"not-{word}": (_form(f"not-{word}", arguments),
                    f"`{word}` does not hold{'; true off the board' if 'PLACE' in arguments else ''}",
                    f"(verify (not-{example.split('(')[-1]}" if "(" in example[1:] else f"(verify not-{word})")
    for word, (arguments, _, example) in _TESTS.items()
})

_rows("goal", {
    "absolute-config": ("(absolute-config OCCUPANT… (PLACE…))", "one of the pieces is on every position, in every zone",
                        "(absolute-config King (a8))"),
    "relative-config": ("(relative-config OCCUPANT DIRECTION OCCUPANT …)", "a pattern of pieces stands somewhere",
                        "(relative-config Man n Man n Man)"),
    "pieces-remaining": ("(pieces-remaining NUMBER [PIECE])", "the player has exactly so many pieces",
                         "(pieces-remaining 0)"),
    "total-piece-count": ("(total-piece-count NUMBER [PIECE])", "all players together have exactly so many pieces",
                          "(total-piece-count 2)"),
    "captured": ("(captured PIECE…)", "the last turn removed a piece of one of the types from the player",
                 "(captured King)"),
    "checkmated": ("(checkmated PIECE…)",
                   "the player can't save such a piece; moves that leave it in danger are not legal",
                   "(checkmated King)"),
    "stalemated": ("stalemated", "the player is to move, has no move and may not pass",
                   "(draw-condition (White) stalemated)"),
    "repetition": ("repetition", "the same position with the same turn has come up three times; the option "
                   '"repetition" (ZRF+) makes it another number or none',
                   "(loss-condition (White) repetition)"),
})
_rows("goal: in a configuration", {
    "opponent": ("(opponent PIECE)", "such a piece of any other player", "(absolute-config (opponent Man) (a1))"),
    "any-owner": ("(any-owner PIECE)", "such a piece of anybody", "(absolute-config (any-owner Man) (a1))"),
})

_rows("ZRF+: game, variant", {
    "counter": ("(counter NAME [each] [START])", "a whole number that moves can change; `each`: one for every player; "
                "in a number: its value, `(counter NAME [PLAYER])`", "(counter laps each 0)"),
    "team": ("(team NAME PLAYER…)", "what one of them wins or loses, all win or lose", "(team NS North South)"),
    "score": ("(score NUMBER [lowest])", "what a player's game is worth at the end", "(score (turns-made) lowest)"),
    "score-condition": ("(score-condition [PLAYERS] GOAL)", "ends the game; the best score wins, equal best is a draw",
                        "(score-condition (White Black) stalemated)"),
    "out-condition": ("(out-condition PLAYERS GOAL [(remove ZONE)])", "puts a player out of the game; the others go on",
                      "(out-condition (White Black) stalemated (remove home))"),
    "remove": ("(remove ZONE)", "takes the men of a player who is out off a zone", "(remove home)"),
    "each": ("(counter NAME each)", "one counter for every player", "(counter laps each)"),
    "lowest": ("(score NUMBER lowest)", "the lowest score is the best", "(score (turns-made) lowest)"),
})
_rows("ZRF+: turn-order", {
    "when": ("(when GOAL TURN)", "a turn that is passed over while the goal does not hold",
             "(turn-order White (when (greater? (counter laps) 2) (White sprint)) Black)"),
})
_rows("ZRF+: board", {
    "measure": ("(measure (name M) (players P…) (values (NUMBER POSITION…)…))", "numbers on squares, for some players",
                "(measure (name way) (players White) (values (1 a1) (2 a2 b1)))"),
    "values": ("(values (NUMBER POSITION…)…)", "the numbers of a measure", "(values (1 a1) (2 a2 b1))"),
})
_rows("ZRF+: piece", {
    "captured-as": ("(captured-as PIECE)", "the type it has in the store when it is captured and goes there",
                    "(captured-as Pawn)"),
})
_rows("ZRF+: value of an option", {
    "captor": ('(option "recycle captures" captor)', "captured pieces go to the store of the side that captures",
               '(option "recycle captures" captor)'),
    "none": ('(option "repetition" none)', "a position may come again as often as it likes: that ends no game",
             '(option "repetition" none)'),
})
_rows("ZRF+: move code", {
    "set-counter": ("(set-counter NAME [PLAYER] NUMBER)", "effect: the counter gets a value", "(set-counter pips 6)"),
    "add-to-counter": ("(add-to-counter NAME [PLAYER] NUMBER)", "effect: the counter grows by a number",
                       "(add-to-counter won 1)"),
    "next-turn": ("(next-turn NUMBER)", "effect: the turn that follows, counted from this one: 1 the usual, 0 this one "
                  "again, -1 the one before", "(next-turn 0)"),
    "must-continue": ("must-continue", "the leg written next may not be the last of its turn",
                      "(if (in-zone? margin) must-continue)"),
    "add-pass": ("add-pass", "writes a move that moves nobody: effects before it happen, without any it is "
                 "Pass. So dice are made, see Dice in grammar/README.md", "(set-counter die 3) add-pass"),
})
_rows("ZRF+: condition, goal", {
    "equal?": ("(equal? NUMBER NUMBER)", "both numbers are the same", "(equal? (count friend home) 0)"),
    "less?": ("(less? NUMBER NUMBER)", "the first number is smaller", "(less? (legs-made) 3)"),
    "greater?": ("(greater? NUMBER NUMBER)", "the first number is larger", "(greater? (turns-made) 30)"),
})
_rows("ZRF+: number", {
    "count": ("(count WHO [PIECE] [ZONE])", "squares that `friend`, `enemy`, `anybody`, `nobody`, a player or team has",
              "(count friend Man home)"),
    "turns-made": ("(turns-made [PLAYER])", "complete turns so far", "(turns-made)"),
    "legs-made": ("(legs-made)", "legs already made in this turn", "(legs-made)"),
    "store": ("(store PIECE [PLAYER])", "pieces of a type off the board", "(store Man)"),
    "at": ("(at MEASURE [PLACE])", "the number a measure gives to a square", "(at way n)"),
    "sum": ("(sum NUMBER…)", "all numbers together", "(sum 1 (counter laps))"),
    "difference": ("(difference NUMBER NUMBER…)", "the first number less the others", "(difference (counter laps) 1)"),
    "product": ("(product NUMBER…)", "the numbers multiplied", "(product 2 (counter laps))"),
})

PLUS_WORDS = frozenset(word for word, row in KEYWORDS.items() if row.where.startswith("ZRF+"))
"""Words that are keywords only in a ZRF+ file: (version "zrf+")."""


def _standing(place: str) -> tuple[str, ...]:
    return tuple(word for word, row in KEYWORDS.items() if row.where.removeprefix("ZRF+: ").startswith(place))


BODIES = frozenset(word for word, row in KEYWORDS.items() if row.form.startswith(f"({word} CONDITION INSTRUCTION…"))
"""Instructions that contain other instructions after a condition (`if`, `while`)."""
INSTRUCTIONS: tuple[str, ...] = _standing("move code")
"""Words that may begin an instruction."""
CONDITIONS: tuple[str, ...] = _standing("condition")
"""Words that may begin a condition."""
FORMS = frozenset(word for word, row in KEYWORDS.items() if row.form.startswith((f"({word} ", f"({word})")))
"""Words that occur only at the beginning of a form."""
