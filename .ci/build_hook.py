"""While the package is built: what would otherwise be made at the first start is made and goes with it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class FirstStart(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Fill `zrf_py/shipped`. A package without it works as well."""
        done = subprocess.run([sys.executable, "-m", "zrf_py.shipping"], cwd=self.root, capture_output=True, text=True)
        if done.returncode:
            self.app.display_warning(f"the first start will take longer: {done.stderr}")
