"""Runs the program of the package payspec-cli: `uvx payspec` is as short as the name of this package.

This package contains no program, so that a service that depends on it does not download one.
"""

import importlib
import os
import shutil
import subprocess
import sys

from payspec._library import VERSION


def main() -> None:
    """Runs the installed program; otherwise uv or pipx installs it apart from this environment."""
    try:
        program = importlib.import_module("payspec_cli")
    except ModuleNotFoundError:
        command = _command(f"payspec-cli=={VERSION}")
        print(f"payspec: {' '.join(command)}", file=sys.stderr)
        sys.exit(subprocess.run(command + sys.argv[1:]).returncode)
    program.main()


def _command(requirement: str) -> list[str]:
    """Returns the command that installs and runs the program."""
    # uv sets UV to its path for the programs that it runs.
    if uv := os.environ.get("UV") or shutil.which("uv"):
        return [uv, "tool", "run", "--from", requirement, "payspec-cli"]
    if pipx := shutil.which("pipx"):
        return [pipx, "run", "--spec", requirement, "payspec-cli"]
    sys.exit(f"payspec: the program is in the package payspec-cli: pip install {requirement}")
