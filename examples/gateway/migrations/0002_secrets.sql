-- A secret that has been replaced goes on signing beside the new one for a while.

ALTER TABLE webhook_secrets ADD COLUMN previous TEXT;
ALTER TABLE webhook_secrets ADD COLUMN previous_until BIGINT;
