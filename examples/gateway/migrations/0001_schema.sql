-- The schema of the gateway. {serial} is the only word in which the two databases differ.
-- Times are microseconds since 1970, by the database's clock.

CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE,        -- SHA-256 of the token, in hex; the token itself is nowhere
    merchant   TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

CREATE TABLE webhook_secrets (
    merchant   TEXT PRIMARY KEY,
    secret     TEXT NOT NULL                -- as it is: signing needs it
);

CREATE TABLE payments (
    uid        TEXT PRIMARY KEY,
    merchant   TEXT NOT NULL,
    body       TEXT NOT NULL,               -- the library's answer, to the byte; card numbers are masked in it
    state      TEXT NOT NULL,               -- of the body, for the demo processor's search
    callback   TEXT,
    version    BIGINT NOT NULL,             -- one more with each change: whoever comes second sees it
    changed_at BIGINT NOT NULL
);

CREATE INDEX payments_by_state ON payments (state, changed_at);

CREATE TABLE idempotency (
    merchant    TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    uid         TEXT NOT NULL REFERENCES payments (uid) DEFERRABLE INITIALLY DEFERRED,
    first_body  TEXT NOT NULL,              -- the first answer, for a replay; the payment itself moves on
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (merchant, key)             -- of two gateways with the same key, one gets it
);

CREATE TABLE outbox (
    seq          {serial},
    id           TEXT NOT NULL UNIQUE,      -- webhook-id: the same in every attempt
    uid          TEXT NOT NULL REFERENCES payments (uid),
    merchant     TEXT NOT NULL,
    url          TEXT NOT NULL,
    body         TEXT NOT NULL,
    state        TEXT NOT NULL,             -- pending, delivered, abandoned
    attempts     BIGINT NOT NULL,
    due_at       BIGINT NOT NULL,           -- not before; while it is leased, the lease's end
    last_failure TEXT,
    created_at   BIGINT NOT NULL
);

CREATE INDEX outbox_pending ON outbox (due_at) WHERE state = 'pending';
CREATE INDEX outbox_of_payment ON outbox (uid, seq) WHERE state = 'pending';
