"""The command `mbfmu`."""

from __future__ import annotations

import os
import signal
import sys

from . import _mbfmu


def main() -> int:
    """Runs the command for the arguments of this process."""
    # Python would only note an interrupt; the command ends by it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    name = os.path.basename(sys.argv[0])
    return _mbfmu.command(["mbfmu" if name == "__main__.py" else name, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
