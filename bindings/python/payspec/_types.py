"""Types of the answers. A member that may be absent is NotRequired."""

from typing import Any, Literal, NotRequired, TypedDict, final


@final
class Violation(TypedDict):
    """One broken rule. It never contains a value of the body."""

    path: str
    code: str
    severity: Literal["error", "warning"]
    message: str
    source: str
    params: NotRequired[dict[str, Any]]


@final
class Report(TypedDict):
    """All violations of a body."""

    valid: bool
    variant: Literal["pay_in", "pay_out"] | None
    mode: Literal["P2P", "ACQUIRING", "CRYPTO"] | None
    host2host: bool
    violations: list[Violation]
    truncated: NotRequired[bool]


@final
class Authorized(TypedDict):
    """A well-formed header. The caller must check the token."""

    authorized: Literal[True]
    token: str


@final
class IdempotencyKey(TypedDict):
    """A valid idempotency key, without the quotes of the header; `None` if the header is absent."""

    key: str | None


@final
class WebhookHeaders(TypedDict):
    """The headers to send with a signed webhook."""

    headers: dict[str, str]


@final
class Verification(TypedDict):
    """The verdict on a received webhook; `reason` only if it is rejected."""

    verified: bool
    reason: NotRequired[Literal["missing_header", "malformed_header", "timestamp", "signature"]]


@final
class Span(TypedDict):
    """A range of bytes; the end is exclusive."""

    start: int
    end: int


@final
class Location(TypedDict):
    """The location of a value in a body: bytes with an exclusive end, line and column from 1, and the member's name."""

    start: int
    end: int
    line: int
    column: int
    name: Span | None


@final
class FieldCurrencies(TypedDict):
    crypto: bool
    fields: dict[str, str]


@final
class Transition(TypedDict):
    verdict: Literal["allowed", "refused", "unspecified", "unchanged"]
    reason: str
    source: str


@final
class KeyVerdict(TypedDict):
    verdict: Literal["new", "replay", "conflict", "mismatch", "in_progress", "invalid_key"]
    status: int
    age_ms: int | None


@final
class Fingerprint(TypedDict):
    fingerprint: str


@final
class Migrated(TypedDict):
    """A migrated body, its changes, and the members that need a manual decision."""

    body: dict[str, Any]
    changes: list[dict[str, Any]]
    unresolved: list[dict[str, Any]]
    #: Only if a legacy request contained one.
    idempotency_key: NotRequired[str]


@final
class PolicyWitness(TypedDict):
    """A request that exactly one of two policies accepts; `now` only if the difference depends on the time."""

    body: str
    now: NotRequired[str]


@final
class PolicyDifference(TypedDict):
    """One difference between two policies. `path` is a JSON Pointer into a policy."""

    path: str
    change: Literal["wider", "narrower", "other"]
    #: Absent if the change is `other`, or if the body would have more than 1 MiB.
    witness: NotRequired[PolicyWitness]


@final
class PolicyComparison(TypedDict):
    """The relation between the requests that two policies accept, with the differences of the policies."""

    relation: Literal["equal", "wider", "narrower", "incomparable"]
    differences: list[PolicyDifference]


@final
class Code(TypedDict):
    name: str
    length: int


@final
class CardInfo(TypedDict):
    scheme: str | None
    lengths: list[int]
    gaps: list[int]
    code: Code | None
    possible: bool
    valid: bool
    masked: str
