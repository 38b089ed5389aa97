-- The idempotency key of an edit that is deleted.
CREATE INDEX IF NOT EXISTS idempotency_edit ON idempotency (account_id, edit_id);
