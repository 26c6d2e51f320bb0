"""The native module, in Rust: `bindings/python/src` of the repository."""

from typing import final

from ._types import Report

VERSION: str

def operations() -> dict[str, tuple[str, ...]]: ...
def json_of(body: object) -> bytes: ...
@final
class Memory:
    """Memory of the library. It has the buffer protocol."""

    def __buffer__(self, flags: int) -> memoryview: ...
@final
class Engine:
    def __new__(cls, policy: bytes | str | None) -> Engine: ...
    def answer(self, name: str, *inputs: bytes | str | None) -> tuple[bool, bytes]: ...
    def accepts(self, name: str, *inputs: bytes | str | None) -> bool: ...
    def validate_request(self, body: object, now: bytes | str | None) -> Report: ...
    def answers(
        self, operation: str, bodies: list[bytes | str], context: bytes | str | None
    ) -> list[tuple[bool, bytes]]: ...
    def verdicts(self, operation: str, bodies: list[bytes | str], context: bytes | str | None) -> list[bool]: ...
    def column(
        self,
        operation: str,
        data: memoryview,
        offsets: memoryview,
        place: tuple[int, int, int],
        context: bytes | str | None,
        with_answers: bool,
    ) -> tuple[Memory, tuple[Memory, Memory] | None]: ...
