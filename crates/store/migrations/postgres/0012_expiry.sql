-- When the result of an edit went because of its age; the record stays.

ALTER TABLE edit ADD COLUMN expired_at BIGINT;
-- What may still go: an account's, oldest first.
CREATE INDEX edit_kept ON edit (account_id, completed_at)
    WHERE status = 'succeeded' AND stored <> '[]' AND deleted_at IS NULL AND expired_at IS NULL;
-- What has gone and whose file may still be there.
CREATE INDEX edit_expired ON edit (expired_at) WHERE expired_at IS NOT NULL AND stored <> '[]';
