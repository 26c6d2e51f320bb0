"""Caller errors as an exception."""


class PayspecError(Exception):
    """A caller error: there is no response for the client.

    It contains a path and the expected value in words, never the value itself.
    """

    #: argument, utf8, panic, context, policy, or closed for an engine that is closed.
    code: str
    #: The JSON Pointer (RFC 6901) of the invalid member; empty for the whole input.
    path: str
    #: What was expected there.
    message: str

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(code, path, message)
        self.code, self.path, self.message = code, path, message

    def __str__(self) -> str:
        return f"{self.code} error at {self.path or 'the input'}: {self.message}"
