-- A clock that does not go back, for the ages of keys and for when events are due: the database's clock and `shift`, but never
-- less than `latest`. Gateways write it once a second.

CREATE TABLE steady_clock (
    id     INTEGER PRIMARY KEY,
    latest BIGINT NOT NULL,
    shift  BIGINT NOT NULL
);

INSERT INTO steady_clock (id, latest, shift) VALUES (1, 0, 0);
