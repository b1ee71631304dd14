"""The public Python interface as a page in Markdown: signatures and docstrings."""

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import zrf_py
from zrf_py import author


def interface() -> str:
    """Return the page: the public names of `zrf_py` and `zrf_py.author`, and the members of their classes."""
    return "\n\n".join(["# Python interface", *_module(zrf_py), *_module(author)]) + "\n"


def _module(module: ModuleType) -> Iterator[str]:
    yield f"## `{module.__name__}`\n\n{_described(module)}"
    for name in module.__all__:
        item = getattr(module, name)
        yield f"### `{name}{_signature(item)}`\n\n{_described(item)}"
        bases = [base for base in reversed(getattr(item, "__mro__", ())) if base.__module__.startswith("zrf_py")]
        for member, value in {key: value for base in bases for key, value in vars(base).items()}.items():
            if not member.startswith("_") and hasattr(value, "__get__") and value.__doc__:
                yield f"#### `{name}.{member}{_signature(value)}`\n\n{_described(value)}"


def _signature(item: Any) -> str:
    """Return the parameters of a function, with short names of types; "" for anything else."""
    if not inspect.isfunction(item := getattr(item, "__func__", item)):
        return ""
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(item)))
    return re.sub(r"\b(?:\w+\.)+(?=\w)|\b(?:self|cls)(?:, )?", "", text)


def _described(item: Any) -> str:
    """Return a docstring as Markdown: its fields as a list, its examples as code."""
    text = re.sub(r"^:raises (\w+):", r"- raises `\1`", inspect.getdoc(item) or "", flags=re.M)
    text = re.sub(r"^:(?:param )?(\w+):", r"- `\1`:", text, flags=re.M)
    return re.sub(r"^>{3} .*(?:\n.+)*", r"```python\n\g<0>\n```", text, flags=re.M)
