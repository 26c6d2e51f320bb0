-- The schema of the gateway. {serial} is the only word in which the two databases differ.
-- Times are microseconds since 1970, by the database's clock.

CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE,        -- SHA-256 of the token, in hex; the token itself is nowhere
    merchant   TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

-- A checkout session can be paid only while its merchant has a valid token.
CREATE INDEX tokens_of_merchant ON tokens (merchant) WHERE revoked_at IS NULL;

CREATE TABLE webhook_secrets (
    merchant   TEXT PRIMARY KEY,
    secret     TEXT NOT NULL,               -- encrypted, as the previous one
    previous   TEXT,                        -- a replaced secret, which signs beside the new one for a while
    previous_until BIGINT
);

CREATE TABLE payments (
    uid        TEXT PRIMARY KEY,
    merchant   TEXT NOT NULL,
    body       TEXT NOT NULL,               -- the library's answer, to the byte; card numbers are masked in it
    state      TEXT NOT NULL,               -- of the body, for the demo processor's search
    callback   TEXT,
    version    BIGINT NOT NULL,             -- one more with each change, which detects a simultaneous one
    changed_at BIGINT NOT NULL,
    booked     TEXT NOT NULL DEFAULT '0'    -- what the payment has added to the balance of its merchant
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

-- Events are claimed merchant by merchant, the oldest of each.
CREATE INDEX outbox_of_merchant ON outbox (merchant, due_at) WHERE state = 'pending';
-- Delivered events are deleted after a while.
CREATE INDEX outbox_delivered ON outbox (created_at) WHERE state = 'delivered';
CREATE INDEX outbox_of_payment ON outbox (uid, seq) WHERE state = 'pending';

-- The balance of each merchant, by currency.
CREATE TABLE balances (
    merchant   TEXT NOT NULL,
    currency   TEXT NOT NULL,
    amount     TEXT NOT NULL,               -- a decimal number, exact
    PRIMARY KEY (merchant, currency)
);

-- What `/readyz` writes, to check that the database takes writes.
CREATE TABLE readiness (
    id         INTEGER PRIMARY KEY,
    checked_at BIGINT NOT NULL
);

INSERT INTO readiness (id, checked_at) VALUES (1, 0);

-- The merchant_ids that a merchant may name in a request, besides its own.
CREATE TABLE merchant_ids (
    merchant TEXT NOT NULL,
    id       TEXT NOT NULL,
    PRIMARY KEY (merchant, id)
);

-- Keys that the gateways of a database share.
CREATE TABLE keys (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- Operators, whose tokens are kept as those of merchants are, and what they have done.
CREATE TABLE operators (
    id         TEXT PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE,        -- SHA-256 of the token, in hex
    name       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

-- Rows are only added.
CREATE TABLE audit (
    seq       {serial},
    made_at   BIGINT NOT NULL,
    operator  TEXT NOT NULL,                -- the name and the id of the token, or the user of the machine
    origin    TEXT NOT NULL,                -- the address of the client, or the name of the machine
    action    TEXT NOT NULL,
    subject   TEXT NOT NULL,                -- the uid of a payment, the id of a token, a merchant
    old_value TEXT,                         -- the Payment before the change, without card data; never a token or a secret
    new_value TEXT,
    result    TEXT NOT NULL                 -- done, or the status of a refusal
);

-- A clock that does not go back, for the ages of keys and for when events are due: the database's clock and `shift`, but never
-- less than `latest`. Gateways write it once a second.
CREATE TABLE steady_clock (
    id     INTEGER PRIMARY KEY,
    latest BIGINT NOT NULL,
    shift  BIGINT NOT NULL
);

INSERT INTO steady_clock (id, latest, shift) VALUES (1, 0, 0);

-- How many bytes each merchant has stored, counted by the gateways once a second.
CREATE TABLE stored_bytes (
    merchant TEXT PRIMARY KEY,
    bytes    BIGINT NOT NULL
);

-- What payers may pay on the checkout page. A merchant creates a session for an order; its payment has the id of the session as
-- its key, so that there is at most one.
CREATE TABLE checkout_sessions (
    id          TEXT PRIMARY KEY,           -- random; who knows it may pay the order
    merchant    TEXT NOT NULL,
    order_id    TEXT NOT NULL,              -- the merchant's; for a demonstration the id
    amount      TEXT NOT NULL,
    currency    TEXT NOT NULL,
    expires_at  BIGINT NOT NULL,            -- by the steady clock
    redirect_url TEXT,
    bytes       BIGINT NOT NULL,            -- counted in stored_bytes until the session is deleted
    paid        BOOLEAN NOT NULL DEFAULT FALSE, -- set some time after it has expired; a paid session is kept for ever
    UNIQUE (merchant, order_id)
);

CREATE INDEX checkout_sessions_expired ON checkout_sessions (expires_at) WHERE NOT paid;

-- What payers see of a merchant. Operators register it: the name, and the origins that links of its payments may lead to.
CREATE TABLE merchant_names (
    merchant TEXT PRIMARY KEY,
    name     TEXT NOT NULL
);

CREATE TABLE merchant_origins (
    merchant TEXT NOT NULL,
    origin   TEXT NOT NULL,                 -- scheme, host and port, as browsers write them
    PRIMARY KEY (merchant, origin)
);
