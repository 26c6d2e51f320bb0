-- Events are claimed merchant by merchant, the oldest of each.

CREATE INDEX outbox_of_merchant ON outbox (merchant, due_at) WHERE state = 'pending';
DROP INDEX outbox_pending;
