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

ALTER TABLE checkout_sessions ADD COLUMN redirect_url TEXT;
