-- What payers may pay on the checkout page. A merchant creates a session for an order; its payment has the id of the session as
-- its key, so that there is at most one.

CREATE TABLE checkout_sessions (
    id          TEXT PRIMARY KEY,           -- random; who knows it may pay the order
    merchant    TEXT NOT NULL,
    order_id    TEXT NOT NULL,              -- the merchant's; for a demonstration the id
    amount      TEXT NOT NULL,
    currency    TEXT NOT NULL,
    expires_at  BIGINT NOT NULL,            -- by the steady clock
    UNIQUE (merchant, order_id)
);

CREATE INDEX checkout_sessions_expired ON checkout_sessions (expires_at);
