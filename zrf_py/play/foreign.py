"""Rules files that name a program (an engine DLL of the original): what is said of them, and what can still be played.

Such a program is never run here. Most leave the rules to it and have blocks only for the look of it; some have whole
rules, and the program was only a stronger opponent.
"""

from zrf_py.ir.ops import WRITING, Program


def program_of(program: Program) -> str:
    """The program that the rules name; "" if they name none."""
    return program.game.texts.get("engine", "").strip()


def has_moves(program: Program) -> bool:
    """Whether some block writes a move."""
    return program.uses(*WRITING)


def foreign_note(program: Program) -> str:
    """One sentence for whoever opens such a game; "" for all others."""
    name = program_of(program)
    if not name:
        return ""
    if not has_moves(program):
        return (f"No piece of this game has moves: its rules are in the program {name}, which is not run here. "
                "The board can be looked at, not played.")
    return (f"The rules file names the program {name}, which is not run here. What is played are the rules as the file "
            "writes them; where they leave something to the program, it is missing.")
