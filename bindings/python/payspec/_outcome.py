"""The response to send."""

import json
from dataclasses import dataclass, field
from typing import Any, cast

from ._contexts import Timestamp, timestamp
from ._json_engine import Answer
from ._split import DECODER
from ._types import Violation


@dataclass(frozen=True, slots=True)
class Outcome:
    """The response to send: a status and the exact bytes of a Payment or a problem (RFC 9457)."""

    status: int
    #: To be sent byte for byte. Not in `repr`, which may reach a log.
    body: bytes = field(repr=False)
    #: With a 401: the value of the header WWW-Authenticate.
    www_authenticate: str | None = None
    #: The body is the stored payment of a repeated request.
    replayed: bool = False
    #: The fingerprint of the request, if the context has an idempotency key.
    fingerprint: str | None = None
    #: For the log, not for the client.
    warnings: tuple[Violation, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the status is 2xx."""
        return self.status // 100 == 2

    def json(self) -> dict[str, Any]:
        """Returns the body as objects: a Payment, a balance, or a problem. `Answer.parse` documents long numbers."""
        return cast(dict[str, Any], DECODER.decode(self.body.decode()))

    def record(self, now: Timestamp) -> bytes | None:
        """Returns the record to store under the key of the request; `now` is that of the context.

        Pass it as `existing` with the next request that has this key. Only a new payment that was created with an
        idempotency key has one.
        """
        if not self.ok or self.replayed or self.fingerprint is None:
            return None
        head = json.dumps({"created_at": timestamp(now), "fingerprint": self.fingerprint})
        return b'%b, "payment": %b}' % (head[:-1].encode(), self.body)


def outcome(answer: Answer) -> Outcome:
    """Reads the answer of an operation whose answer is an outcome."""
    members = answer.members()
    body = members.pop("body")
    others: dict[str, Any] = {name: json.loads(text) for name, text in members.items()}
    warnings: list[Violation] = others.pop("warnings", [])
    return Outcome(body=body, warnings=tuple(warnings), **others)
