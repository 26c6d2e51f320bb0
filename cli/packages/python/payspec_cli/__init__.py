"""Runs the program `payspec`, which this package contains."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

PROGRAM = Path(__file__).parent / ("payspec.exe" if sys.platform == "win32" else "payspec")


def main() -> NoReturn:
    """Replaces this process by the program; on Windows, which cannot, runs it."""
    command = [str(PROGRAM), *sys.argv[1:]]
    if sys.platform == "win32":
        # A console sends Ctrl-C and Ctrl-Break to the program too, which then ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGBREAK, signal.SIG_IGN)
        sys.exit(subprocess.run(command).returncode)
    os.execv(PROGRAM, command)
