-- What a session's owner tells it from others by, and accounts that are deleted.

ALTER TABLE session ADD COLUMN user_agent TEXT COLLATE "C";

-- The row of a deleted account stays, without its address, for the books.
ALTER TABLE account ADD COLUMN deleted_at BIGINT;
