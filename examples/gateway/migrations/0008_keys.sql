-- Keys that the gateways of a database share.

CREATE TABLE keys (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
