-- An edit has one idempotency key. That the index is unique is what has SQLite use it: of one that is not it
-- believes that an account has ten keys, and goes through all of them; a hundred thousand take 17 ms.
DROP INDEX IF EXISTS idempotency_edit;
CREATE UNIQUE INDEX IF NOT EXISTS idempotency_of_edit ON idempotency (account_id, edit_id);
