"""Architecture: which module may import which, which may open files, how long files and functions may be."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from tests.playing import HANG, ROOT, counted
from tests.sources import nodes_of

PACKAGE = ROOT / "zrf_py"
MODULES = sorted(PACKAGE.rglob("*.py"))

_RULES_KERNEL = {"jit.language", "native.kernel"}
"""Modules that all kernel code outside `native` may import."""

MAY_IMPORT: dict[str, set[str]] = {
    "cache": set(),
    "kept": {"text", "ir.ops", "compile", "data", "cache"},
    "paths": set(),
    "hosts": {"text", "cache"},
    "archives": {"text", "paths"},
    "text": set(),
    "front": {"text", "data", "cache"},
    "ir": {"text", "front.cures", "front.goals", "front.model", "front.syntax", "front.nodes", "front.names",
           "front.keywords", "front.numbers"},
    "run": {"text", "ir.ops", "front.goals", "front.model"},
    "compile": {"text", "front", "ir"},
    "catalogue": {"data"},
    "library": {"catalogue", "text", "front", "ir", "kept", "data", "paths", "archives"},
    "jit": set(),
    "native.kernel": {"jit.language", "front.model", "ir.ops"},
    "native.bitboards": {"front.goals", "front.model", "ir.ops", "ir.traits", "jit", "native.kernel",
                         "native.layout", "native.specialise.flags", "text.grouping"},
    "native.specialise": {"front.model", "ir.flow", "ir.ops", "ir.traits", "run.goals", "jit", "native.kernel",
                          "native.layout", "native.bitboards"},
    "native": {"hosts", "signals", "text", "front.goals", "front.model", "ir.ops", "ir.traits", "run", "cache", "data",
               "jit", "native.kernel", "native.specialise", "native.bitboards"},
    "search.evaluation.kernel": _RULES_KERNEL | {"search.memory", "search.mcts.kernel"},
    "search.evaluation": {"front.goals", "front.model", "ir.ops", "run", "search.chance", "search.memory",
                          "search.plan", "text.grouping"},
    "search.alphabeta.kernel": _RULES_KERNEL | {"search.memory", "search.evaluation.kernel"},
    "search.mcts": _RULES_KERNEL | {"search.evaluation.kernel", "search.memory", "search.alphabeta.kernel"},
    "search.beam": _RULES_KERNEL | {"search.evaluation.kernel", "search.memory", "search.alphabeta.kernel"},
    "search": {"text", "ir.ops", "run", "jit.language", "native", "cache", "data", "search.evaluation"},
    "play": {"catalogue", "text", "front.decode", "front.model", "ir", "run", "native", "search",
             "library", "paths", "archives", "cache", "data"},
    "solve": {"text", "front.goals", "front.model", "ir.ops", "ir.traits", "run", "native", "jit.language", "play"},
    "batch.judge": {"text", "data", "front.goals", "front.model", "ir.ops", "run", "search", "play.players", "batch"},
    "train": {"text", "ir.ops", "run", "search", "play.game", "play.players", "library", "batch"},
    "batch": {"text", "paths", "ir.ops", "run", "play", "search.game_search", "search.limits", "search.memory",
              "search.result", "envs.actions", "hosts"},
    "envs.kernel": _RULES_KERNEL,
    "envs": {"signals", "cache", "data", "text", "ir", "run", "native", "jit.language", "play", "library", "view",
             "envs.kernel"},
    "view": {"catalogue", "text", "front.model", "run.position", "play", "paths"},
    "author": {"catalogue", "text", "front", "ir", "run", "compile", "library", "play", "data", "view", "archives",
               "paths", "author.draft", "author.editor.analysis"},
    "author.desk_state": {"text", "author", "author.editor"},
    "author.desk_answers": {"catalogue", "text", "front.decode", "library", "play", "run.position", "author",
                            "author.editor"},
    "author.trials": {"text", "front.decode", "ir.ops", "run", "play", "batch", "library", "author", "author.draft"},
    "author.visual": {"text", "front", "library", "play.game", "run", "author", "author.editor"},
    "author.draft": {"text", "paths", "front.decode", "library", "play.game", "author"},
    "author.editor": {"catalogue", "hosts", "text", "front", "ir", "compile", "data", "library", "paths",
                      "play.game", "author.format", "author.lint", "author.words"},
    "author.fix": {"text", "author.editor", "author.format", "author.lint"},
    "lsp": {"hosts", "text", "author.editor", "author.format", "author.trials", "catalogue", "play.game", "run.rules",
            "serve.run", "serve.store"},
    "mcp": {"catalogue", "hosts", "text", "paths", "library", "play.move_parser"},
    "serve": {"catalogue", "hosts", "text", "paths", "ir.ops", "run.faults", "play", "search", "view", "library",
              "cache", "archives", "author", "front.decode"},
    "export": {"text", "paths", "front.model", "front.goals", "front.parse", "front.lalr", "ir.ops", "run", "jit",
               "native", "search", "library", "catalogue", "play", "view", "hosts", "author", "cache", "data"},
    "browser": {"text", "paths", "library", "export", "author", "author.editor", "view"},
    "port": {"text", "ir.ops", "data", "paths", "archives", "library", "play", "view", "hosts"},
    "cli": {"catalogue", "signals", "text", "paths", "front", "ir", "run", "native.agree", "play", "solve", "batch",
            "train", "view", "serve", "author", "port", "export", "author.editor.balance", "author.fix", "lsp", "mcp",
            "library", "cache", "archives"},
}
"""Folders and modules, each with the others that it may import: imports run one way, so that every stage can be read,
tested and replaced with knowledge only of the earlier ones. Of the rows that contain a module, the longest applies."""

IN_CIRCLES = (
    {"native.kernel.attack", "native.kernel.vm"},
    {f"native.kernel.{name}" for name in ("finish", "goals", "legal", "sampling", "turn")},
    {"play.game", "view.overlay", "view.scene", "view.svg", "view.tokens"},
    {"serve.advising", "serve.computers", "serve.moves", "serve.session"},
)
"""Groups of modules that may import each other: the legality of a move depends on the moves after it, so the rules are
circular themselves; a position of the public API draws itself; services of a game on the server call each other."""

SHOWS_ITSELF = ("play/game.py", {"zrf_py.view.scene", "zrf_py.view.svg"})
"""The only module that may import later stages, inside a method that draws a position; and the modules it imports."""

ONLY_IN = {
    "markdown_it": ("export/documents.py",),
    "lark": ("export/python_package.py", "front/forms.py", "front/lalr.py", "front/parse.py",
             "front/tree.py"),
    "llvmlite": ("jit/", "native/compiler.py", "native/listing.py", "native/specialise/", "native/bitboards/bits.py"),
    "rich": ("cli/",),
    "shtab": ("cli/completion.py",),
    "pygls": ("lsp/",),
    "lsprotocol": ("lsp/",),
    "mcp": ("mcp/",),
    "pydantic": ("mcp/",),
    "numpy": ("envs/", "batch/tables.py", "train/fit.py"),
    "pyarrow": ("batch/tables.py",),
    "gymnasium": ("envs/",),
    "pettingzoo": ("envs/aec.py",),
    "pyspiel": ("envs/openspiel.py",),
    "distributed": ("batch/workers.py",),
    "resvg_py": ("view/png.py",),
    "PIL": ("view/bitmaps.py",),
    "starlette": ("serve/",),
    "uvicorn": ("serve/run.py", "serve/connections.py"),
    "random": ("author/tests/", "solve/", "cli/", "play/", "run/", "native/agree.py", "search/", "batch/", "port/",
               "train/", "serve/opponents.py", "envs/table.py"),
}
"""Package → the only modules that import it: a parser or code generator that is used everywhere can't be replaced."""

READERS = ("library.py", "archives.py", "data.py", "cache.py", "cli/", "port/", "paths.py", "front/lalr.py",
           "front/forms.py", "front/parse.py", "jit/", "native/sources.py", "search/trained.py", "view/bitmaps.py",
           "view/looks.py", "view/noises.py", "author/words/language.py", "author/explaining.py", "play/gallery.py",
           "play/reasons.py", "serve/store.py", "export/sources.py", "author/editor/complete.py",
           "text/codes.py", "text/suggest.py", "author/tests/pages.py", "batch/selfplay.py")
"""Modules that may open files: rules come from strangers, so every place that opens one is known. Those of `front`
read or cache tables of our own grammar, `native/sources.py` reads our own code, the last five read data beside them."""

MAX_LINES = 400
"""Maximum number of lines of a file, so that it can be read in one sitting."""
LONG_FILES = {
    "zrf_py/run/interpret.py": 500,  # defines all operations
    "zrf_py/native/layout.py": 490,  # has one function for each part of a game
    "zrf_py/native/bitboards/sets.py": 450,  # executes the same operations on sets of squares
    "zrf_py/native/specialise/analysis.py": 570,  # executes the same operations without a board
    "zrf_py/jit/translate.py": 571,  # translates the whole kernel language
}
"""Files that may be longer, each with its limit and the reason; no file is added here."""
MAX_FUNCTION = 60
"""Maximum number of lines of a function, so that it fits on a screen."""
LONG_FUNCTIONS = {"zrf_py/native/kernel/vm.py:run"}
"""Functions that may be longer: the native engine's loop over operations has a branch for each operation."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module_of(path: Path) -> str:
    return name_of(path).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def home(module: str) -> str:
    """Return the longest name in `MAY_IMPORT` that contains a module: `search.beam` for `zrf_py.search.beam.passes`."""
    parts = module.split(".")[1:]
    names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((name for name in names if name in MAY_IMPORT), "")


@cache
def imports(path: Path) -> tuple[str, ...]:
    """Return every module that a file imports, wherever the statement stands, with the full names of our own
    modules."""
    found = []
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            ours = [f"{node.module}.{a.name}" for a in node.names
                    if (ROOT / (node.module + "." + a.name).replace(".", "/")).with_suffix(".py").exists()]
            found += ours or [node.module]
    return tuple(found)


def sees(name: str, module: str) -> bool:
    return module == f"zrf_py.{name}" or module.startswith(f"zrf_py.{name}.")


def foreign(path: Path) -> list[str]:
    """Return our modules outside its own folder that a file imports."""
    own = home(module_of(path))
    shown = SHOWS_ITSELF[1] if path == PACKAGE / SHOWS_ITSELF[0] else set()
    return [m for m in imports(path) if m.startswith("zrf_py.") and home(m) != own and m not in shown]


def test_modules_are_found() -> None:
    assert len(MODULES) > 150 and sum(len(imports(path)) for path in MODULES) > 1000


def test_modules_import_only_permitted_modules() -> None:
    wrong = []
    for path in MODULES:
        own = home(module_of(path))
        if own:
            wrong += [(name_of(path), m) for m in foreign(path) if not any(sees(name, m) for name in MAY_IMPORT[own])]
        else:
            assert path.parent == PACKAGE, f"`MAY_IMPORT` doesn't know the folder of {name_of(path)}"
    assert not wrong


def circles() -> list[set[str]]:
    """Return the groups of modules that import each other, directly or through others; imports under `TYPE_CHECKING`
    count, too."""
    known = {module_of(path) for path in MODULES} - {"zrf_py"}
    arrows = {module_of(path): {m for m in imports(path) if m in known} for path in MODULES}

    def reached(module: str) -> set[str]:
        found, todo = set[str](), [module]
        while todo:
            new = arrows[todo.pop()] - found
            found |= new
            todo += new
        return found

    behind = {module: reached(module) for module in arrows}
    return [set(ring) for ring in {frozenset(m for m in behind[one] if one in behind[m]) for one in arrows} if ring]


def test_there_are_no_circular_imports() -> None:
    allowed = [{f"zrf_py.{module}" for module in ring} for ring in IN_CIRCLES]
    found = circles()
    assert not [sorted(ring) for ring in found if not any(ring <= known for known in allowed)]
    assert not [sorted(known) for known in allowed if not any(ring <= known for ring in found)]


def test_every_permission_is_used() -> None:
    used = {(home(module_of(path)), m) for path in MODULES for m in foreign(path)}
    unused = {(own, name) for own, names in MAY_IMPORT.items() for name in names
              if not any(own == one and sees(name, m) for one, m in used)}
    assert not unused


def test_some_packages_are_used_in_few_places() -> None:
    wrong = [(name_of(path), package) for path in MODULES for package in {m.partition(".")[0] for m in imports(path)}
             if package in ONLY_IN and not path.relative_to(PACKAGE).as_posix().startswith(ONLY_IN[package])]
    assert not wrong


def test_files_are_opened_in_few_places() -> None:
    readers = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "urlopen", "unlink"}
    wrong = []
    for path in MODULES:
        if not path.relative_to(PACKAGE).as_posix().startswith(READERS):
            calls = {getattr(n.func, "attr", getattr(n.func, "id", "")) for n in nodes_of(path)
                     if isinstance(n, ast.Call)}
            wrong += [(name_of(path), call) for call in sorted(readers & calls)]
    assert not wrong


def test_slow_files_import_existing_names() -> None:
    """Quick runs don't load the files of slow tests, so without this test a moved name would go unnoticed."""
    missing = []
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        if re.search(r"^pytestmark = \[?\s*pytest\.mark\.slow", path.read_text("utf-8"), re.M):
            for node in nodes_of(path):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("zrf_py", "tests")):
                    module = importlib.import_module(node.module)
                    missing += [(path.name, f"{node.module}.{a.name}") for a in node.names if not has(module, a.name)]
    assert not missing


def has(module: ModuleType, name: str) -> bool:
    return hasattr(module, name) or (
        hasattr(module, "__path__") and importlib.util.find_spec(f"{module.__name__}.{name}") is not None)


def test_modules_begin_with_a_one_line_summary() -> None:
    """The first line of a module's docstring has more than 20 characters."""
    first = {path: (ast.get_docstring(nodes_of(path)[0]) or "").partition("\n")[0] for path in MODULES
             if path.read_text("utf-8").strip()}
    assert not [name_of(path) for path, line in first.items() if len(line) <= 20]


def test_files_stay_short() -> None:
    lines = {name_of(path): path.read_text("utf-8").count("\n") for path in MODULES}
    assert not {name: count for name, count in lines.items() if count > LONG_FILES.get(name, MAX_LINES)}
    assert not [name for name in LONG_FILES if lines.get(name, 0) <= MAX_LINES], "these are short now"


def test_functions_stay_short() -> None:
    wrong = []
    for path in MODULES:
        for node in nodes_of(path):
            if isinstance(node, ast.FunctionDef) and node.end_lineno:
                length = node.end_lineno - node.lineno + 1
                known = {name_of(path), f"{name_of(path)}:{node.name}"} & LONG_FUNCTIONS
                if length > MAX_FUNCTION and not known:
                    wrong.append((name_of(path), node.name, length))
    assert not wrong


@pytest.mark.parametrize("folder", ["front", "ir", "run", "jit", "native", "search", "play", "solve", "batch", "view"])
def test_no_module_names_a_game(folder: str) -> None:
    """Games belong in rules files: no code names a piece or a game. Docstrings, comments and examples may name them."""
    words = re.compile(r"\b(chess|shogi|xiangqi|halma|draughts|othello|pawn|rook|bishop|knight|queen)\b", re.I)
    for path in counted(sorted((PACKAGE / folder).rglob("*.py")), 3):
        nodes = nodes_of(path)
        alone = {id(n.value) for n in nodes if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)}
        texts = [text for node in nodes if id(node) not in alone for text in vars(node).values()]
        found = [text for text in texts if isinstance(text, str) and words.search(text)]  # identifiers and strings
        assert not found, name_of(path)


TIMED = re.compile(r"\b(?:timeout|time_limit|communicate|set_default_timeout|\.wait|\.join)\s*[=(]\s*([0-9][0-9_.]*)")


def test_tests_name_their_time_limits() -> None:
    """Each time limit in a test has a name, such as `HANG`, and is generous, so that a busy machine fails no test."""
    for path in counted(sorted((ROOT / "tests").rglob("*.py")), 100):
        text = path.read_text("utf-8")
        assert "benchmarks" in path.parts or not TIMED.findall(text), path
        named = re.findall(r"^(?:HANG|PATIENCE) = (\d+)$", text, re.M)
        assert all(int(seconds) >= 300 for seconds in named), path


HANGS = """
import signal, threading, time
def test_hangs():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep({seconds})
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="needs signals that can be blocked")
def test_a_test_that_hangs_fails(tmp_path: Path) -> None:
    """It fails even if it hangs in machine code, which no signal interrupts."""
    (tmp_path / "test_hangs.py").write_text(HANGS.format(seconds=HANG))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", "--timeout", "1",
         tmp_path / "test_hangs.py"], capture_output=True, text=True, timeout=HANG)
    assert done.returncode and "Timeout" in done.stdout and f"sleep({HANG})" in done.stdout


THAWED = {("zrf_py/author/editor/cursor.py", "_Open"), ("zrf_py/front/expand.py", "_Place")}
"""Dataclasses that are not frozen, though nothing changes them: so many are made that freezing would take too long."""


def stored(nodes: Iterable[ast.AST], own: bool) -> set[str]:
    """Return the attributes that code assigns: those of `self` (`own`), or those of other objects."""
    return {node.attr for node in nodes if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            and (isinstance(node.value, ast.Name) and node.value.id == "self") == own}


def test_a_dataclass_is_frozen_unless_its_fields_are_assigned() -> None:
    """If neither its own module nor an importing one assigns its fields, a dataclass is frozen: safe to share, usable
    as a key."""
    others: dict[str, set[str]] = {}
    for path in MODULES:
        changed = stored(nodes_of(path), False)
        for module in {module_of(path), *imports(path)}:
            others.setdefault(module, set()).update(changed)
    thawed: list[tuple[str, str]] = []
    for path in MODULES:
        for node in nodes_of(path):
            marks = [ast.unparse(mark) for mark in node.decorator_list] if isinstance(node, ast.ClassDef) else []
            if any(mark.startswith("dataclass") and "frozen=True" not in mark for mark in marks):
                assert isinstance(node, ast.ClassDef)
                fields = {field.target.id for field in node.body
                          if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)}
                if not stored(ast.walk(node), True) and not fields & others[module_of(path)]:
                    thawed.append((name_of(path), node.name))
    assert set(thawed) == THAWED


@pytest.mark.parametrize("name", ["front.nodes", "front.syntax"])
def test_forms_are_compared_by_identity(name: str) -> None:
    """The same words in two places of a file are two forms, and dictionaries of forms tell them apart."""
    module = importlib.import_module(f"zrf_py.{name}")
    forms = [thing for thing in vars(module).values() if is_dataclass(thing) and thing.__module__ == module.__name__]
    assert len(forms) > 2 and {(form.__eq__, form.__hash__) for form in forms} == {(object.__eq__, object.__hash__)}


VARIED = {"author": {"size"}, "batch": {"max_turns", "opening"}, "cli": {"engine"}, "front": {"size"},
          "ir": {"where"}, "play": {"line", "name", "number"}}
"""By folder: parameters whose default differs between its functions, with good reason."""


def defaults(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (name, type, default) for each annotated parameter with a default, or constant or field with a literal."""
    for node in nodes_of(path):
        match node:
            case ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
                positional = [*args.posonlyargs, *args.args]
                given = [*zip(positional[len(positional) - len(args.defaults):], args.defaults, strict=True),
                         *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
                yield from ((arg.arg, ast.unparse(arg.annotation), ast.unparse(value)) for arg, value in given
                            if arg.annotation and value)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=ast.Constant() as value):
                yield name, ast.unparse(kind), ast.unparse(value)


def test_a_parameter_has_one_default_in_a_folder() -> None:
    """An omitted argument means the same in a function, its callers and its callees."""
    values: dict[tuple[str, str, str], set[str]] = {}
    for path in MODULES:
        for name, kind, value in defaults(path):
            if kind in ("int", "bool", "float", "str"):
                values.setdefault((path.relative_to(PACKAGE).parts[0], name, kind), set()).add(value)
    varied: dict[str, set[str]] = {}
    for (folder, name, _), found in values.items():
        if len(found) > 1:
            varied.setdefault(folder, set()).add(name)
    assert len(values) > 300 and varied == VARIED


NEVER_EMPTY = {"counted", "games"}
"""Functions of tests that yield or return at least one item, or fail."""
AS_LONG = {"enumerate", "sorted", "reversed", "zip", "product", "items", "values"}
"""Functions whose result is not empty if none of their arguments is."""


def is_sure(node: ast.expr) -> bool:
    """Return whether a loop over this expression surely runs: a literal, a constant, a result of a known function."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
            return bool(parts)
        case ast.Name(id=name):
            return name.isupper()
        case ast.Subscript(value=whole):
            return is_sure(whole)
        case ast.IfExp(body=one, orelse=other):
            return is_sure(one) and is_sure(other)
        case ast.Call(func=ast.Name(id="range"), args=parts):
            return all(isinstance(part, ast.Constant) for part in parts)
        case ast.Call(func=ast.Attribute(value=whole, attr=name), args=[]):
            return name in AS_LONG and is_sure(whole)
        case ast.Call(func=ast.Name(id=name), args=parts):
            return name in NEVER_EMPTY or (name in AS_LONG and all(map(is_sure, parts)))
    return isinstance(node, ast.Constant)


def assertions(node: ast.AST, is_run: bool = True) -> list[bool]:
    """Return, for each assertion below a node, whether it certainly runs."""
    if isinstance(node, ast.Assert) or (isinstance(node, ast.With) and "raises" in ast.unparse(node.items[0])) or (
            isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.fail"):
        return [is_run]
    if isinstance(node, ast.For | ast.While):
        is_run = is_run and isinstance(node, ast.For) and is_sure(node.iter)
    return [found for child in ast.iter_child_nodes(node) for found in assertions(child, is_run)]


def test_assertions_in_loops_certainly_run() -> None:
    """A test whose assertions are all in loops must run some of them; `counted` in playing.py checks that."""
    tests = [(path.name, node.name, assertions(node)) for path in sorted((ROOT / "tests").glob("test_*.py"))
             for node in nodes_of(path) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    assert len(tests) > 1000
    assert not [(file, test) for file, test, found in tests if found and not any(found)]
