"""Runs all vectors with the C library through ctypes: its interface works in a language without headers.

    python vectors.py path/to/libpayspec.so
"""

import ctypes
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VECTORS = ROOT / "tests/vectors"
#: The numbers of inputs, each of which has a size.
INPUTS = {
    name: parameters.count("size_t ")
    for name, parameters in re.findall(r"payspec_(\w+)\(([^)]*)\);", (ROOT / "include/payspec.ffi.h").read_text())
}


class Buffer(ctypes.Structure):
    """payspec_buf."""

    _fields_ = [("data", ctypes.c_void_p), ("len", ctypes.c_size_t), ("cap", ctypes.c_size_t)]

    def text(self) -> bytes:
        return ctypes.string_at(self.data, self.len)


def decoded(value: Any) -> bytes | None:
    """Returns an input of a vector: a text, or bytes in hexadecimal digits."""
    if value is None or isinstance(value, str):
        return None if value is None else value.encode()
    return bytes.fromhex(value["hex"])


def sized(text: bytes | None) -> tuple[bytes | None, ctypes.c_size_t]:
    return text, ctypes.c_size_t(0 if text is None else len(text))


class Library:
    """The functions, whose arguments are pointers and sizes."""

    def __init__(self, path: str) -> None:
        self.functions = ctypes.CDLL(path)
        self.functions.payspec_version.restype = ctypes.c_char_p
        self.functions.payspec_engine_free.argtypes = [ctypes.c_void_p]
        self.out = Buffer()

    def called(self, operation: str, vector: dict[str, Any]) -> tuple[int, bytes]:
        """Returns the return code and the answer of one call, with an engine of its own."""
        engine = ctypes.c_void_p()
        out = ctypes.byref(self.out)
        code = self.functions.payspec_engine_new(*sized(decoded(vector.get("policy"))), ctypes.byref(engine), out)
        if code < 0:
            return code, self.out.text()
        function = self.functions[f"payspec_{operation}"]
        given = [decoded(value) for value in vector["inputs"]]
        missing = [None] * (INPUTS[operation] - len(given))
        inputs = [part for text in given + missing for part in sized(text)]
        code = function(engine, *inputs, out)
        answer = self.out.text()
        if function(engine, *inputs, None) != code:
            sys.exit(f"{vector['name']}: another verdict without a buffer")
        self.functions.payspec_engine_free(engine)
        return code, answer

    def batch(self, bodies: list[bytes]) -> list[tuple[int, bytes]]:
        """Returns the return codes and answers of payspec_batch for requests."""
        engine, count = ctypes.c_void_p(), len(bodies)
        out, name = ctypes.byref(self.out), b"validate_request"
        self.functions.payspec_engine_new(*sized(None), ctypes.byref(engine), out)
        starts = [sum(map(len, bodies[:index])) for index in range(count + 1)]
        offsets, ends = (ctypes.c_int64 * (count + 1))(*starts), (ctypes.c_int64 * (count + 1))()
        codes = (ctypes.c_int8 * count)()
        column = b"".join(bodies), offsets, ctypes.c_size_t(count)
        self.functions.payspec_batch(engine, *sized(name), *column, *sized(None), codes, out, ends)
        text = self.out.text()
        self.functions.payspec_engine_free(engine)
        return [(codes[index], text[ends[index] : ends[index + 1]]) for index in range(count)]


def main() -> None:
    library = Library(sys.argv[1])
    passed, failed, requests = 0, [], []
    for path in sorted(VECTORS.glob("*/*.json")):
        file = json.loads(path.read_bytes())
        for vector in file["vectors"]:
            expected = vector["returns"], vector["answer"].encode()
            if library.called(file["operation"], vector) == expected:
                passed += 1
            else:
                failed.append(vector["name"])
            inputs = [decoded(value) for value in vector["inputs"]]
            if file["operation"] == "validate_request" and vector.get("policy") is None and inputs[0] and not any(inputs[1:]):
                requests.append((inputs[0], expected))
    answers = library.batch([body for body, _ in requests])
    if answers != [expected for _, expected in requests] or not requests:
        failed.append("a batch of all requests")
    print(f"libpayspec {library.functions.payspec_version().decode()}")
    print(f"vectors: {passed} passed, {len(failed)} failed", *failed, sep="\n")
    sys.exit(bool(failed) or passed == 0)


if __name__ == "__main__":
    main()
