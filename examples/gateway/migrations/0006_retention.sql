-- Delivered events are deleted after a while.

CREATE INDEX outbox_delivered ON outbox (created_at) WHERE state = 'delivered';
