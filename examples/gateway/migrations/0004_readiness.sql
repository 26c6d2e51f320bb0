-- What `/readyz` writes, to see that the database takes writes.

CREATE TABLE readiness (
    id         INTEGER PRIMARY KEY,
    checked_at BIGINT NOT NULL
);

INSERT INTO readiness (id, checked_at) VALUES (1, 0);
