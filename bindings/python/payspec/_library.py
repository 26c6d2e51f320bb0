"""Loads the native module, which contains the library."""

import platform
import sys

#: The version of this package, and of the native module that it needs.
VERSION = "0.1.0"

try:
    from . import _native as _native
except ImportError as error:
    machine = f"{sys.implementation.name} {platform.python_version()} on {sys.platform} {platform.machine()}"
    hint = "install the package for this Python: pip install --force-reinstall payspec"
    raise ImportError(f"the native module of payspec cannot be loaded by {machine}: {error}; {hint}") from error

if _native.VERSION != VERSION:
    found = f"{_native.__file__} has the version {_native.VERSION}, this package {VERSION}"
    raise ImportError(f"{found}: install the package again")

#: The inputs of every operation, in order.
OPERATIONS: dict[str, tuple[str, ...]] = _native.operations()


def version() -> str:
    """Returns the version of the library."""
    return _native.VERSION
