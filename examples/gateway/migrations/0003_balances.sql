-- The balance of each merchant, by currency. `booked` is what a payment has added to it, and `booked_version` the version
-- of the payment that this was computed from. A gateway of the version before does not book: what it leaves is found by
-- the index and booked later.

ALTER TABLE payments ADD COLUMN booked TEXT NOT NULL DEFAULT '0';
ALTER TABLE payments ADD COLUMN booked_version BIGINT NOT NULL DEFAULT 1;

CREATE INDEX payments_unbooked ON payments (merchant) WHERE booked_version <> version;

CREATE TABLE balances (
    merchant   TEXT NOT NULL,
    currency   TEXT NOT NULL,
    amount     TEXT NOT NULL,               -- a decimal number, exact
    PRIMARY KEY (merchant, currency)
);
