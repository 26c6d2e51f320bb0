//! Statements that both databases understand, written once. `{now}` is the database's clock in
//! microseconds, and `{steady}` the one that does not go back.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::types::TokenKind;

pub(super) const TOKEN_OF: &str =
    "SELECT id, {owner} FROM {tokens} WHERE hash = $1 AND revoked_at IS NULL";
pub(super) const ADD_TOKEN: &str =
    "INSERT INTO {tokens} (id, hash, {owner}, created_at) VALUES ($1, $2, $3, {now})";
pub(super) const TOKENS: &str =
    "SELECT id, {owner}, created_at, revoked_at FROM {tokens} ORDER BY created_at, id";
pub(super) const REVOKE_TOKEN: &str =
    "UPDATE {tokens} SET revoked_at = {now} WHERE id = $1 AND revoked_at IS NULL";

pub(super) const RECORD: &str = "\
    INSERT INTO audit (made_at, operator, origin, action, subject, old_value, new_value, result) \
    VALUES ({now}, $1, $2, $3, $4, $5, $6, $7)";
pub(super) const AUDIT: &str = "\
    SELECT made_at, operator, origin, action, subject, old_value, new_value, result FROM audit ORDER BY seq DESC LIMIT $1";

pub(super) const INSERT_KEY: &str =
    "INSERT INTO keys (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
pub(super) const KEY: &str = "SELECT value FROM keys WHERE name = $1";
pub(super) const ALL_KEYS: &str = "SELECT name, value FROM keys";
pub(super) const ENCRYPT_KEY: &str = "UPDATE keys SET value = $2 WHERE name = $1 AND value = $3";

pub(super) const MERCHANT_IDS: &str = "SELECT id FROM merchant_ids WHERE merchant = $1 ORDER BY id";
pub(super) const ADD_MERCHANT_ID: &str =
    "INSERT INTO merchant_ids (merchant, id) VALUES ($1, $2) ON CONFLICT (merchant, id) DO NOTHING";
pub(super) const REMOVE_MERCHANT_ID: &str =
    "DELETE FROM merchant_ids WHERE merchant = $1 AND id = $2";

pub(super) const MERCHANT_NAME: &str = "SELECT name FROM merchant_names WHERE merchant = $1";
pub(super) const SET_MERCHANT_NAME: &str = "\
    INSERT INTO merchant_names (merchant, name) VALUES ($1, $2) ON CONFLICT (merchant) DO UPDATE SET name = excluded.name";
pub(super) const ORIGINS: &str =
    "SELECT origin FROM merchant_origins WHERE merchant = $1 ORDER BY origin";
pub(super) const ADD_ORIGIN: &str = "INSERT INTO merchant_origins (merchant, origin) VALUES ($1, $2) ON CONFLICT (merchant, origin) DO NOTHING";
pub(super) const REMOVE_ORIGIN: &str =
    "DELETE FROM merchant_origins WHERE merchant = $1 AND origin = $2";

pub(super) const ALL_SECRETS: &str = "SELECT merchant, secret, previous FROM webhook_secrets";
pub(super) const ENCRYPT_SECRETS: &str = "\
    UPDATE webhook_secrets SET secret = $2, previous = $3 \
    WHERE merchant = $1 AND secret = $4 AND COALESCE(previous, '') = $5";
pub(super) const SECRET: &str = "SELECT secret FROM webhook_secrets WHERE merchant = $1";
pub(super) const INSERT_SECRET: &str = "INSERT INTO webhook_secrets (merchant, secret) VALUES ($1, $2) ON CONFLICT (merchant) DO NOTHING";
pub(super) const SECRETS: &str = "\
    SELECT secret, CASE WHEN previous_until > {steady} THEN previous END FROM webhook_secrets WHERE merchant = $1";
pub(super) const ROTATE_SECRET: &str = "\
    UPDATE webhook_secrets SET previous = secret, previous_until = {steady} + $3, secret = $2 WHERE merchant = $1";

pub(super) const WIPE_SECRETS: &str = "UPDATE webhook_secrets SET previous = NULL, previous_until = NULL WHERE previous_until <= {steady}";

// PostgreSQL, for each new connection and once a second. Results: a replica, a commit waits for the
// disk. The server's own limits win. PostgreSQL keeps the plan of a statement. If a table was small
// when its rows were counted, that plan reads the whole table, more slowly with each payment. All
// statements for which a request waits have an index. The others (ALL_KEYS, ALL_SECRETS, TOKENS,
// WIPE_SECRETS) read small tables, and up to PostgreSQL 17 their plans would seem expensive enough
// to be compiled (jit).
pub(super) const PREPARE: &str = "\
    SELECT pg_is_in_recovery(), current_setting('synchronous_commit') <> 'off' FROM (SELECT \
        set_config('enable_seqscan', 'off', FALSE), set_config('jit', 'off', FALSE), \
        CASE WHEN current_setting('statement_timeout') = '0' THEN set_config('statement_timeout', '8s', FALSE) END, \
        CASE WHEN current_setting('idle_in_transaction_session_timeout') = '0' \
        THEN set_config('idle_in_transaction_session_timeout', '8s', FALSE) END OFFSET 0) AS limits";
pub(super) const NOW: &str = "SELECT {now}";
pub(super) const TICK: &str = "\
    UPDATE steady_clock SET latest = {greatest}(latest, {now} + shift), \
    shift = CASE WHEN {now} + shift < latest THEN latest - {now} ELSE shift END WHERE id = 1 RETURNING shift";
// A database that can be read may still take no writes: a full disk, a server that has become a
// replica.
pub(super) const READY: &str = "UPDATE readiness SET checked_at = {now} WHERE id = 1";

// The time is of the same statement as the record, so that the age is what it was when the record
// was seen.
pub(super) const LOOK_UP: &str = "\
    SELECT {now} AS now, {steady} AS steady, created_at, fingerprint, first_body \
    FROM (SELECT 1 AS one) AS always LEFT JOIN idempotency ON merchant = $1 AND key = $2";
// The same for the merchant of a token: one round trip instead of two. The merchant is the value of
// a subquery and not of a join: PostgreSQL plans a join when the table is empty, reads the whole
// index for it, and keeps that plan.
pub(super) const LOOK_UP_BY_TOKEN: &str = "\
    WITH token AS MATERIALIZED (SELECT id, merchant FROM tokens WHERE hash = $1 AND revoked_at IS NULL) \
    SELECT (SELECT id FROM token), (SELECT merchant FROM token), \
    {now} AS now, {steady} AS steady, created_at, fingerprint, first_body \
    FROM (SELECT 1 AS one) AS always \
    LEFT JOIN idempotency ON idempotency.merchant = (SELECT merchant FROM token) AND key = $2";
pub(super) const ADD_PAYMENT: &str = "\
    INSERT INTO payments (uid, merchant, body, state, callback, version, changed_at) \
    VALUES ($1, $2, $3, 'idle', $4, 1, $5)";
// SQLite, which has one writer: the payment unless the key is taken, and then the key. In the other
// order, each payment would search all keys for one that refers to it (the foreign key).
pub(super) const ADD_PAYMENT_OF_FREE_KEY: &str = "\
    INSERT INTO payments (uid, merchant, body, state, callback, version, changed_at) \
    SELECT $1, $2, $3, 'idle', $4, 1, $5 \
    WHERE NOT EXISTS (SELECT 1 FROM idempotency WHERE merchant = $2 AND key = $6)";
pub(super) const TAKE_KEY: &str = "\
    INSERT INTO idempotency (merchant, key, fingerprint, uid, first_body, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
// PostgreSQL, for many payments at once: those without a key, and those whose key was free. In the
// order of the keys, so that two gateways never wait for each other's.
pub(super) const ADD_PAYMENTS: &str = "\
    WITH new AS MATERIALIZED ( \
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[]) \
        AS new (uid, merchant, body, callback, steady, key, fingerprint)), \
    taken AS ( \
        INSERT INTO idempotency (merchant, key, fingerprint, uid, first_body, created_at) \
        SELECT merchant, key, fingerprint, uid, body, steady FROM new WHERE key IS NOT NULL ORDER BY merchant, key \
        ON CONFLICT (merchant, key) DO NOTHING RETURNING uid) \
    INSERT INTO payments (uid, merchant, body, state, callback, version, changed_at) \
    SELECT uid, merchant, body, 'idle', callback, 1, steady FROM new WHERE key IS NULL OR uid IN (SELECT uid FROM taken) \
    RETURNING uid";
// PostgreSQL, for many tokens at once: LOOK_UP_BY_TOKEN for each. OFFSET 0 keeps the searches by an
// index for each row: as a join, PostgreSQL might read the whole table.
pub(super) const LOOK_UP_BY_TOKENS: &str = "\
    SELECT token.id, token.merchant, {now}, {steady}, created_at, fingerprint, first_body \
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (hash, key, number) \
    LEFT JOIN LATERAL ( \
        SELECT id, merchant FROM tokens WHERE hash = asked.hash AND revoked_at IS NULL OFFSET 0) AS token ON TRUE \
    LEFT JOIN LATERAL ( \
        SELECT created_at, fingerprint, first_body FROM idempotency \
        WHERE idempotency.merchant = token.merchant AND idempotency.key = asked.key OFFSET 0) AS record ON TRUE \
    ORDER BY number";
// The same for PAYMENT_BY_TOKEN.
pub(super) const PAYMENTS_BY_TOKENS: &str = "\
    SELECT token.id, token.merchant, body \
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (hash, uid, number) \
    LEFT JOIN LATERAL ( \
        SELECT id, merchant FROM tokens WHERE hash = asked.hash AND revoked_at IS NULL OFFSET 0) AS token ON TRUE \
    LEFT JOIN LATERAL ( \
        SELECT body FROM payments WHERE payments.uid = asked.uid AND payments.merchant = token.merchant OFFSET 0) \
        AS payment ON TRUE \
    ORDER BY number";
pub(super) const PAYMENT: &str =
    "SELECT merchant, body, callback, version, booked FROM payments WHERE uid = $1";
pub(super) const PAYMENT_BY_TOKEN: &str = "\
    SELECT tokens.id, tokens.merchant, body \
    FROM tokens LEFT JOIN payments ON uid = $2 AND payments.merchant = tokens.merchant \
    WHERE hash = $1 AND revoked_at IS NULL";

pub(super) const APPLY: &str = "\
    UPDATE payments SET body = $3, state = $4, version = version + 1, changed_at = {steady}, \
    booked = $6 WHERE uid = $1 AND version = $2 AND booked = $5";

// An order has one session, so that a repeated request makes no second payment possible.
pub(super) const ADD_SESSION: &str = "\
    INSERT INTO checkout_sessions (id, merchant, order_id, amount, currency, redirect_url, bytes, expires_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, {steady} + $8) \
    ON CONFLICT (merchant, order_id) DO UPDATE \
    SET expires_at = excluded.expires_at, redirect_url = excluded.redirect_url \
    WHERE checkout_sessions.amount = excluded.amount AND checkout_sessions.currency = excluded.currency \
    RETURNING id";
// With it, whether the session is open, and whether its merchant has a valid token.
pub(super) const SESSION: &str = "\
    SELECT merchant, order_id, amount, currency, redirect_url, expires_at > {steady}, \
    EXISTS (SELECT 1 FROM tokens WHERE tokens.merchant = checkout_sessions.merchant AND revoked_at IS NULL) \
    FROM checkout_sessions WHERE id = $1";
pub(super) const CLOSE_SESSION: &str =
    "UPDATE checkout_sessions SET expires_at = {steady} WHERE id = $1 AND expires_at > {steady}";
// A paid order keeps its session for ever, so that it is not paid again. The mark removes the
// session from the index of this search; the other one checks again, since a payment may have come
// in between. The key of a payment of the page is `service::PAGE_KEYS` and the session's id.
pub(super) const MARK_PAID_SESSIONS: &str = "\
    UPDATE checkout_sessions SET paid = TRUE WHERE id IN ( \
        SELECT id FROM checkout_sessions AS session WHERE NOT paid AND expires_at < {steady} - $1 AND EXISTS ( \
            SELECT 1 FROM idempotency WHERE merchant = session.merchant AND key = 'checkout ' || session.id) LIMIT $2)";
pub(super) const FORGET_SESSIONS: &str = "\
    DELETE FROM checkout_sessions WHERE id IN ( \
        SELECT id FROM checkout_sessions AS session WHERE NOT paid AND expires_at < {steady} - $1 AND NOT EXISTS ( \
            SELECT 1 FROM idempotency WHERE merchant = session.merchant AND key = 'checkout ' || session.id) LIMIT $2) \
    RETURNING merchant, bytes";

// The balance is kept with each change of a payment, so reading it does not depend on the number of
// payments.
pub(super) const ADD_BALANCE: &str = "\
    INSERT INTO balances (merchant, currency, amount) VALUES ($1, $2, '0') ON CONFLICT (merchant, currency) DO NOTHING";
pub(super) const BALANCE: &str =
    "SELECT amount FROM balances WHERE merchant = $1 AND currency = $2 {for_update}";
pub(super) const SET_BALANCE: &str =
    "UPDATE balances SET amount = $3 WHERE merchant = $1 AND currency = $2";
pub(super) const BALANCES: &str =
    "SELECT currency, amount FROM balances WHERE merchant = $1 ORDER BY currency";

pub(super) const ADD_EVENT: &str = "\
    INSERT INTO outbox (id, uid, merchant, url, body, state, attempts, due_at, created_at) \
    VALUES ($1, $2, $3, $4, $5, 'pending', 0, {steady}, {now})";
pub(super) const WAITING: &str = "SELECT uid FROM payments WHERE state = $1 AND changed_at <= {steady} - $2 ORDER BY changed_at LIMIT $3";

// The oldest due event of each merchant, so that a merchant with many events delays no other. The
// merchants are found by stepping through the index. An event waits for the earlier ones of its
// payment, so that a receiver sees states in order.
pub(super) const CLAIM: &str = "\
    WITH RECURSIVE merchants (merchant) AS ( \
        SELECT (SELECT min(merchant) FROM outbox WHERE state = 'pending') \
        UNION ALL \
        SELECT (SELECT min(outbox.merchant) FROM outbox WHERE state = 'pending' AND outbox.merchant > merchants.merchant) \
        FROM merchants WHERE merchants.merchant IS NOT NULL), \
    heads (head) AS ( \
        SELECT ( \
            SELECT event.seq FROM outbox AS event \
            WHERE event.merchant = merchants.merchant AND event.state = 'pending' AND event.due_at <= {steady} \
            AND NOT EXISTS ( \
                SELECT 1 FROM outbox AS earlier \
                WHERE earlier.uid = event.uid AND earlier.state = 'pending' AND earlier.seq < event.seq) \
            ORDER BY event.due_at LIMIT 1) \
        FROM merchants WHERE merchants.merchant IS NOT NULL AND (merchants.merchant IN (SELECT {texts})) = $4) \
    UPDATE outbox SET attempts = attempts + 1, due_at = {steady} + $2 WHERE seq IN ( \
        SELECT seq FROM outbox AS event WHERE seq IN (SELECT head FROM heads) \
        AND state = 'pending' AND due_at <= {steady} ORDER BY due_at LIMIT $1 {skip_locked}) \
    RETURNING id, merchant, url, body, attempts";
pub(super) const DELIVERED: &str =
    "UPDATE outbox SET state = 'delivered', last_failure = NULL WHERE id = $1";
// Only the holder of the lease records a failure: a later attempt may have succeeded.
pub(super) const RETRY: &str = "\
    UPDATE outbox SET due_at = {steady} + $3, last_failure = $4 WHERE id = $1 AND attempts = $2 AND state = 'pending'";
pub(super) const ABANDON: &str = "\
    UPDATE outbox SET state = 'abandoned', last_failure = $3 WHERE id = $1 AND attempts = $2 AND state = 'pending'";
// No further than the limit, so that a merchant with many events does not make each of its requests
// slow.
pub(super) const PENDING_OF: &str = "\
    SELECT count(*) FROM (SELECT 1 FROM outbox WHERE merchant = $1 AND state = 'pending' LIMIT $2) AS events";
pub(super) const ADD_STORED_BYTES: &str = "\
    INSERT INTO stored_bytes (merchant, bytes) VALUES ($1, $2) \
    ON CONFLICT (merchant) DO UPDATE SET bytes = stored_bytes.bytes + $2 RETURNING bytes";
pub(super) const FORGET: &str = "\
    DELETE FROM outbox WHERE seq IN ( \
        SELECT seq FROM outbox WHERE state = 'delivered' AND created_at < {now} - $1 LIMIT $2)";
pub(super) const PENDING: &str = "SELECT count(*) FROM outbox WHERE state = 'pending'";

/// The expressions in which the databases differ.
pub(super) struct Dialect {
    /// The clock, in microseconds since 1970.
    pub(super) now: &'static str,
    /// The function that returns the greater one of two numbers.
    pub(super) greatest: &'static str,
    /// Skips the rows that another gateway has locked.
    pub(super) skip_locked: &'static str,
    /// Locks the selected rows until the end of the transaction.
    pub(super) for_update: &'static str,
    /// The texts of the JSON array $3.
    pub(super) texts: &'static str,
}

/// Statements in the SQL of a database: by the name of its function, the table of tokens, and the
/// statement.
type Rendered = RwLock<HashMap<[&'static str; 3], &'static str>>;

/// Each statement is rendered once, and kept until the end.
static RENDERED: LazyLock<Rendered> = LazyLock::new(Rendered::default);

impl Dialect {
    /// Returns the statement in the SQL of the database. It consists of constants of this program,
    /// and values are bound.
    pub(super) fn render(&self, statement: &'static str) -> &'static str {
        self.render_with(statement, "", "")
    }

    /// The same for a statement about the tokens of a kind.
    pub(super) fn render_tokens(&self, statement: &'static str, kind: TokenKind) -> &'static str {
        match kind {
            TokenKind::Merchant => self.render_with(statement, "tokens", "merchant"),
            TokenKind::Operator => self.render_with(statement, "operators", "name"),
        }
    }

    fn render_with(
        &self,
        statement: &'static str,
        tokens: &'static str,
        owner: &str,
    ) -> &'static str {
        let key = [self.greatest, tokens, statement];
        let known = RENDERED
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .copied();
        known.unwrap_or_else(|| {
            let mut rendered = RENDERED.write().unwrap_or_else(PoisonError::into_inner);
            rendered
                .entry(key)
                .or_insert_with(|| self.text(statement, tokens, owner).leak())
        })
    }

    fn text(&self, statement: &str, tokens: &str, owner: &str) -> String {
        statement
            .replace("{tokens}", tokens)
            .replace("{owner}", owner)
            .replace(
                "{steady}",
                "(SELECT {greatest}(latest, {now} + shift) FROM steady_clock WHERE id = 1)",
            )
            .replace("{now}", self.now)
            .replace("{greatest}", self.greatest)
            .replace("{skip_locked}", self.skip_locked)
            .replace("{for_update}", self.for_update)
            .replace("{texts}", self.texts)
    }
}
