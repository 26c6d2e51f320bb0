-- How many bytes each merchant has stored, counted by the gateways once a second.

CREATE TABLE stored_bytes (
    merchant TEXT PRIMARY KEY,
    bytes    BIGINT NOT NULL
);

INSERT INTO stored_bytes (merchant, bytes)
SELECT merchant, SUM(size) FROM (
    SELECT merchant, length(body) AS size FROM payments
    UNION ALL
    SELECT merchant, length(first_body) AS size FROM idempotency
) AS sizes GROUP BY merchant;
