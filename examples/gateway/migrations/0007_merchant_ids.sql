-- The merchant_ids that a merchant may name in a request, besides its own.

CREATE TABLE merchant_ids (
    merchant TEXT NOT NULL,
    id       TEXT NOT NULL,
    PRIMARY KEY (merchant, id)
);
