"""Examples in docstrings as blocks of Python, in the book."""

from __future__ import annotations

import re
from typing import Any

import griffe


class Examples(griffe.Extension):
    """Put fences around the lines of an example, from its first `>>>` to the next empty line."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring and "```" not in obj.docstring.value:
            obj.docstring.value = re.sub(r"^>>> .*(?:\n.+)*", r"```python\n\g<0>\n```", obj.docstring.value, flags=re.M)

    def on_package(self, *, pkg: griffe.Module, **kwargs: Any) -> None:
        """Do the same for a module and the modules below it."""
        for module in (pkg, *pkg.modules.values()):
            self.on_object(obj=module)
