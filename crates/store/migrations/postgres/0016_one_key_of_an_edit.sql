-- An edit has one idempotency key. What 0015_key_of_edit may have made is in nobody's way.
CREATE UNIQUE INDEX IF NOT EXISTS idempotency_of_edit ON idempotency (account_id, edit_id);
