"""Calls libpayspec through ctypes, so that the model can be compared with it."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Optional

from payspec_model import Report
from payspec_model.report import Violation

ACCEPTED, REJECTED, BROKEN_CONTEXT = 0, 1, -4


class Buffer(ctypes.Structure):
    """payspec_buf. A redacted text may contain NUL, so the length counts."""

    _fields_ = [("pointer", ctypes.c_void_p), ("len", ctypes.c_size_t), ("cap", ctypes.c_size_t)]

    @property
    def data(self) -> bytes:
        return ctypes.string_at(self.pointer, self.len) if self.pointer else b""


class CallerError(Exception):
    """The library reports a caller error, or contradicts itself."""


class Library:
    def __init__(self, path: str) -> None:
        self.calls = ctypes.CDLL(path)
        self.calls.payspec_engine_free.argtypes = [ctypes.c_void_p]
        self.calls.payspec_engine_free.restype = None
        self.calls.payspec_buf_free.argtypes = [ctypes.POINTER(Buffer)]
        self.calls.payspec_buf_free.restype = None
        self.buffer = Buffer()

    def engine(self, policy: dict[str, Any]) -> Engine:
        text = json.dumps(policy).encode()
        handle = ctypes.c_void_p()
        code = self.calls.payspec_engine_new(
            text, ctypes.c_size_t(len(text)), ctypes.byref(handle), ctypes.byref(self.buffer)
        )
        if code != ACCEPTED:
            raise CallerError(f"{code}: {self.buffer.data!r}")
        return Engine(self, handle)


class Engine:
    def __init__(self, library: Library, handle: ctypes.c_void_p) -> None:
        self.library = library
        self.handle = handle

    def __del__(self) -> None:
        self.library.calls.payspec_engine_free(self.handle)

    def verdict(self, body: bytes, now: Optional[str], out: Optional[Any] = None) -> int:
        """Returns the number of the call. Without a buffer, the library uses another code path."""
        moment = None if now is None else now.encode()
        code: int = self.library.calls.payspec_validate_request(
            self.handle,
            body,
            ctypes.c_size_t(len(body)),
            moment,
            ctypes.c_size_t(0 if moment is None else len(moment)),
            out,
        )
        return code

    def report(self, body: bytes, now: Optional[str]) -> Report:
        """Returns the report in the form of the model. The number must agree, also that of the call without a buffer."""
        buffer = self.library.buffer
        code = self.verdict(body, now, ctypes.byref(buffer))
        if code not in (ACCEPTED, REJECTED):
            raise CallerError(f"{code}: {buffer.data!r}")
        answer = json.loads(buffer.data)
        if (code == ACCEPTED) is not answer["valid"]:
            raise CallerError(f"the call returned {code}, its report contains {answer['valid']}")
        if self.verdict(body, now) != code:
            raise CallerError(f"the call returned {code} with a buffer, and another number without one")
        violations = tuple(Violation(each["path"], each["code"], each["severity"]) for each in answer["violations"])
        truncated = answer.get("truncated", False)
        return Report(answer["valid"], answer["variant"], answer["mode"], answer["host2host"], violations, truncated)

    def redacted(self, operation: str, text: str) -> str:
        """Returns the answer of `redact_text` or `redact`."""
        buffer = self.library.buffer
        data = text.encode()
        call = getattr(self.library.calls, f"payspec_{operation}")
        code = call(self.handle, data, ctypes.c_size_t(len(data)), ctypes.byref(buffer))
        if code != ACCEPTED:
            raise CallerError(f"{code}: {buffer.data!r}")
        return buffer.data.decode()
