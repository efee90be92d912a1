"""Packages that are needed for some things only."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from ._errors import MissingPackage

#: Which extra of this package brings a package.
EXTRAS = {"pandas": "pandas", "pyarrow": "parquet", "matplotlib": "plot", "tqdm": "progress"}


def require(name: str, purpose: str) -> Any:
    """Imports a package, or says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as cause:
        package = name.split(".")[0]
        command = f"pip install 'mbfmu[{EXTRAS[package]}]'"
        text = f"{purpose} needs the package {package}, which is not installed: {command}"
        raise MissingPackage(text, hint=command) from cause


def in_notebook() -> bool:
    """Whether this is a kernel of Jupyter."""
    shell = sys.modules.get("IPython")
    shell = shell and shell.get_ipython()
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


class Progress:
    """A bar in a terminal or notebook; nothing in a pipe. It appears when the work takes longer than a moment."""

    def __init__(self, total: float, unit: str, wanted: "bool | None") -> None:
        self.bar = None
        self.done = 0.0
        if wanted is False or total <= 0:
            return
        if wanted is None and not (in_notebook() or sys.stderr is not None and sys.stderr.isatty()):
            return
        try:
            tqdm = require("tqdm.auto", "the progress bar")
        except MissingPackage:
            if wanted:
                raise
            return
        form = "{percentage:3.0f}% {bar} {n:.4g}/{total:.4g} {unit} [{elapsed}<{remaining}]"
        self.bar = tqdm.tqdm(total=total, unit=unit, delay=0.0 if wanted else 0.5, leave=False, bar_format=form)

    def reach(self, done: float) -> None:
        """So much of the total is done."""
        if self.bar is not None:
            self.bar.update(done - self.done)
            self.done = done

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
