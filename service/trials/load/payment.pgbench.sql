\set key random(1, 9223372036854775807)
WITH token AS MATERIALIZED (SELECT id, merchant FROM tokens WHERE hash = :hash AND revoked_at IS NULL)
SELECT (SELECT id FROM token), (SELECT merchant FROM token),
    (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now,
    (SELECT GREATEST(latest, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + shift) FROM steady_clock WHERE id = 1),
    created_at, fingerprint, first_body
FROM (SELECT 1 AS one) AS always
LEFT JOIN idempotency ON idempotency.merchant = (SELECT merchant FROM token) AND key = 'pgbench-' || :key;
WITH taken AS (
    INSERT INTO idempotency (merchant, key, fingerprint, uid, first_body, created_at)
    VALUES (:merchant, 'pgbench-' || :key, :fingerprint, gen_random_uuid()::text, :body, 1)
    ON CONFLICT (merchant, key) DO NOTHING RETURNING uid)
INSERT INTO payments (uid, merchant, body, state, version, changed_at)
SELECT uid, :merchant, :body, 'idle', 1, 1 FROM taken;
