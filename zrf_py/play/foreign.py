"""Detection of rules files that name an external engine (a DLL of Zillions), and the note about it for users.

Such an engine is never run here. Most of these files leave the rules to it and have no working blocks; some have
complete rules, and the engine is only a stronger opponent.
"""

from zrf_py.ir.ops import WRITING, Program


def program_of(program: Program) -> str:
    """Return the engine that the rules name; "" if there is none."""
    return program.game.texts.get("engine", "").strip()


def has_moves(program: Program) -> bool:
    """Return True if any block generates a move."""
    return program.uses(*WRITING)


def missing_rules(program: Program) -> str:
    """Return the reason why no piece has moves if an external engine has the rules; "" for any other game."""
    name = program_of(program)
    return f"its rules are in the engine DLL {name}, which zrf does not run" if name and not has_moves(program) else ""


def foreign_note(program: Program) -> str:
    """Return a note for the user about an external engine; "" for a game without one."""
    name = program_of(program)
    if not name:
        return ""
    if why := missing_rules(program):
        return f"No piece of this game has moves: {why}. The board can be viewed but not played."
    return (f"The rules file uses the engine DLL {name}, which zrf does not run. The game is played by the rules in "
            "the file; whatever the DLL would add is missing.")
