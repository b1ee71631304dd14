"""Bundle JavaScript modules into one script. Only the forms of `import` and `export` below are supported.

    import { a, b as c } from "./other.js";
    export const NAME = …;        one name per line
    export function name(…) …     or an async function, or a class
"""

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import \{ ([\w$, ]+?),? \} from "\./([\w-]+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?:async )?(?:const|function\*?|class) ([\w$]+)(?![\w$])", re.M)
_BARE = re.compile(r"^\s*(import|export)\b.*$", re.M)
_COMMENTS = re.compile(r"^[ \t]*(?:///?[^\n]*|/\*\*.*?\*/)\n", re.M | re.S)
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`|//[^\n]*')


class BundleError(Exception):
    """Modules can't be bundled: unsupported syntax, circular imports, a missing module or export; a bug in zrf_py."""


def bundle(modules: Mapping[str, str], main: str) -> str:
    """Return one script for the module `main` and all it imports; `modules` maps names without `.js` to texts.

    :raises BundleError: if they use other kinds of import or export, import in circles, or import what doesn't exist.
    """
    done: dict[str, str] = {}
    _add(main, modules, done, ())
    return "(async () => {\n" + "\n".join(done.values()) + "\n})();\n"


def _add(name: str, modules: Mapping[str, str], done: dict[str, str], on_way: tuple[str, ...]) -> None:
    if name in on_way:
        raise BundleError(f"{' → '.join([*on_way, name])}: circular imports")
    if name in done:
        return
    if name not in modules:
        raise BundleError(f"{on_way[-1] if on_way else 'the page'}: there is no module {name}")
    text = modules[name]
    for match in _IMPORT.finditer(text):
        _add(match[2], modules, done, (*on_way, name))
        imports = {part.partition(" as ")[0].strip() for part in match[1].split(",")}
        missing = imports - set(_EXPORT.findall(modules[match[2]]))
        if missing:
            raise BundleError(f"{name}: {match[2]} exports no {', '.join(sorted(missing))}")
    done[name] = _wrapped(name, text)


def _wrapped(name: str, text: str) -> str:
    """Wrap a module in a function that is called at once and returns its exports."""
    names = _EXPORT.findall(text)
    for match in _EXPORT.finditer(text):
        if match[0].startswith("export const") and _goes_on(text[match.end() :]):
            raise BundleError(f"{name}: `{match[0]}` declares more than one name")
    body = _IMPORT.sub(lambda match: f"const {{ {match[1].replace(' as ', ': ')} }} = {_variable(match[2])};", text)
    body = _EXPORT.sub(lambda match: match[0].removeprefix("export "), body)
    left = _BARE.search(body)
    if left and left[1] + "(" not in left[0]:
        raise BundleError(f"{name}: unsupported syntax: {left[0].strip()}")
    inner = f"{_COMMENTS.sub('', body)}return {{ {', '.join(names)} }};"
    return f"const {_variable(name)} = await (async () => {{\n{inner}\n}})();"


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name)


def _goes_on(text: str) -> bool:
    """Return whether a declaration continues with another name, after a comma."""
    depth = 0
    for char in _QUOTED.sub('""', text):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and char in ",;":
            return char == ","
    return False
