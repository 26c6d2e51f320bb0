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
