"""Caller errors as an exception."""

import json


class PayspecError(Exception):
    """The program's own input is at fault: nothing is to be sent to a client.

    It names the place and what was expected there, never the value.
    """

    #: null, utf8, panic, context, policy, or closed for an engine that is closed.
    code: str
    #: The JSON Pointer (RFC 6901) of the member at fault; empty for the input as a whole.
    path: str
    #: What was expected there.
    message: str

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(code, path, message)
        self.code, self.path, self.message = code, path, message

    def __str__(self) -> str:
        return f"{self.code} error at {self.path or 'the input'}: {self.message}"

    @classmethod
    def from_json(cls, text: bytes) -> "PayspecError":
        """Of the text that the library leaves in the buffer."""
        error = json.loads(text)["error"]
        return cls(error["code"], error["path"], error["message"])
