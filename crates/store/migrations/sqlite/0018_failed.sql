-- Failed edits by when they ended: those whose record is still whole, and all of them.
CREATE INDEX IF NOT EXISTS edit_failed_whole ON edit (completed_at)
    WHERE status = 'failed' AND request IS NOT NULL;
CREATE INDEX IF NOT EXISTS edit_failed_age ON edit (completed_at) WHERE status = 'failed';
-- API keys that can no longer be used.
CREATE INDEX IF NOT EXISTS api_key_revoked ON api_key (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_key_expired ON api_key (expires_at) WHERE expires_at IS NOT NULL;
