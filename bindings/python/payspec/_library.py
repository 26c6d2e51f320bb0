"""Finds and opens libpayspec, and declares its functions."""

import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

try:
    import ctypes
    import ctypes.util
except ImportError as error:
    raise ImportError("payspec needs the module ctypes: this Python was built without libffi") from error

#: The version of this package, and the ABI of the library that it needs.
VERSION = "0.1.0"
ABI = 1

#: The inputs of every operation, in order: one C function each, `payspec_` and the name.
OPERATIONS: dict[str, tuple[str, ...]] = {
    "validate_request": ("body", "now"),
    "create_payment": ("body", "context"),
    "read_payment": ("context",),
    "read_balance": ("context",),
    "check_payment": ("body", "request"),
    "field_currencies": ("body",),
    "convert": ("context",),
    "advance_payment": ("context",),
    "check_transition": ("context",),
    "states": (),
    "check_idempotency": ("context",),
    "idempotency_key": ("header",),
    "fingerprint_request": ("body",),
    "authorize": ("header",),
    "upgrade_request": ("kind", "body"),
    "downgrade_request": ("body",),
    "upgrade_balance": ("body",),
    "downgrade_balance": ("body",),
    "upgrade_payment": ("body",),
    "downgrade_payment": ("body",),
    "redact": ("body",),
    "redact_text": ("text",),
    "sign_webhook": ("body", "context"),
    "verify_webhook": ("body", "context"),
    "locate": ("body", "pointer"),
    "card_info": ("digits",),
    "compare_policies": ("context",),
    "rules": (),
    "decisions": (),
    "openapi": (),
}


_FILE = "libpayspec.dylib" if sys.platform == "darwin" else "libpayspec.so"
#: The library in a wheel.
BUNDLED = Path(__file__).parent / "_native" / _FILE


class _Owned:
    """Memory of the library, which must be freed once: ctypes would copy the pointer and free every copy."""

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


class Buffer(_Owned, ctypes.Structure):
    """payspec_buf: memory of the library, reused by calls."""

    # An answer is JSON, so it contains no NUL, and it ends in one: reading `data` copies it, ten times as fast as string_at.
    _fields_ = [("data", ctypes.c_char_p), ("len", ctypes.c_size_t), ("cap", ctypes.c_size_t)]
    data: bytes
    len: int
    cap: int

    def __del__(self) -> None:
        _buf_free(ctypes.byref(self))


class Handle(_Owned, ctypes.c_void_p):
    """payspec_engine *: freed with the last reference, so never during a call in another thread."""

    def __del__(self) -> None:
        _engine_free(self)


def _searched() -> list[str]:
    """Returns the path in PAYSPEC_LIBRARY; otherwise the library of the wheel, and the one that is installed."""
    if named := os.environ.get("PAYSPEC_LIBRARY"):
        return [named]
    # find_library runs gcc or ld, which may be missing; then the loader looks up the name of the file.
    return [str(BUNDLED)] if BUNDLED.exists() else [ctypes.util.find_library("payspec") or _FILE]


def _open() -> ctypes.CDLL:
    [name] = _searched()
    hint = f"set PAYSPEC_LIBRARY to the path of {_FILE}, such as $HOME/payspec/lib/{_FILE}"
    try:
        opened = ctypes.CDLL(name)
    except OSError as error:
        machine = f"{sys.platform} {platform.machine()}"
        is_only = name in (str(BUNDLED), os.environ.get("PAYSPEC_LIBRARY"))
        searched = f"searched {name}" + ("" if is_only else f", and {BUNDLED}, which only wheels contain")
        raise ImportError(f"libpayspec cannot be opened on {machine}: {error}; {searched}; {hint}") from error
    try:
        opened.payspec_abi_version.restype = ctypes.c_uint32
        opened.payspec_version.restype = ctypes.c_char_p
        opened.payspec_batch
    except AttributeError as error:
        raise ImportError(f"{name} is another library than libpayspec: {error}; {hint}") from error
    if (found := opened.payspec_abi_version()) != ABI:
        raise ImportError(f"{name} has the ABI {found}, this package needs {ABI}; {hint}")
    text: bytes = opened.payspec_version()
    if name == str(BUNDLED) and text.decode() != VERSION:
        raise ImportError(f"{name} has the version {text.decode()}, this package {VERSION}: install the package again")
    return opened


_lib = _open()
_buf_free = _lib.payspec_buf_free
_buf_free.restype, _buf_free.argtypes = None, [ctypes.POINTER(Buffer)]
_engine_free = _lib.payspec_engine_free
_engine_free.restype, _engine_free.argtypes = None, [ctypes.c_void_p]

engine_new = _lib.payspec_engine_new
engine_new.restype = ctypes.c_int32
engine_new.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(Handle), ctypes.POINTER(Buffer)]

# Without argtypes, which cost a tenth of a call: callers pass a Handle, then bytes (or None) and a c_size_t for each
# input, then a byref of a Buffer. The functions return an int, the default of ctypes.
FUNCTIONS: dict[str, Callable[..., int]] = {name: _lib[f"payspec_{name}"] for name in OPERATIONS}

#: payspec_batch, as above: a Handle, three texts and their sizes, the addresses of the arrays, a byref of a Buffer.
batch: Callable[..., int] = _lib.payspec_batch


def version() -> str:
    """Returns the version of the library."""
    text: bytes = _lib.payspec_version()
    return text.decode()
