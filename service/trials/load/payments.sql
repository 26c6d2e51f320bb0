-- Stores copies of the payment load.template, and of its key: as many as load.payments. Each has a number, whose hexadecimal digits in
-- reverse begin the uid, so that uids of later payments are spread over the index. Keys are in order, as those of a shop are.

BEGIN;
-- The payment of each key exists.
SET LOCAL session_replication_role = replica;
SET LOCAL work_mem = '1GB';
SET LOCAL maintenance_work_mem = '1GB';
-- Built again below, in a fraction of the time.
DROP INDEX payments_by_state;

CREATE TEMPORARY TABLE new ON COMMIT DROP AS
SELECT number, reverse(hex) || '-0000-4000-8000-0000' || hex AS uid
FROM generate_series(1, current_setting('load.payments')::bigint) AS number, lpad(to_hex(number), 8, '0') AS hex;

INSERT INTO payments (uid, merchant, body, state, callback, version, changed_at, booked)
SELECT new.uid, merchant, replace(body, template.uid, new.uid), state, callback, version, changed_at - number, booked
FROM payments AS template, (SELECT * FROM new ORDER BY uid) AS new
WHERE template.uid = current_setting('load.template');

INSERT INTO idempotency (merchant, key, fingerprint, uid, first_body, created_at)
SELECT merchant, 'order-' || lpad(number::text, 8, '0'), fingerprint, new.uid, replace(first_body, template.uid, new.uid), created_at - number
FROM idempotency AS template, (SELECT * FROM new ORDER BY number) AS new
WHERE template.uid = current_setting('load.template');

CREATE INDEX payments_by_state ON payments (state, changed_at);

UPDATE balances SET amount = (amount::numeric * (1 + current_setting('load.payments')::bigint))::text;
INSERT INTO stored_bytes (merchant, bytes)
SELECT payments.merchant, current_setting('load.payments')::bigint * (length(body) + length(first_body))
FROM payments JOIN idempotency USING (uid) WHERE uid = current_setting('load.template')
ON CONFLICT (merchant) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;
COMMIT;
