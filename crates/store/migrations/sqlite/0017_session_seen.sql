-- The sessions that nobody has used for long, for clearing them away.
CREATE INDEX IF NOT EXISTS session_seen ON session (last_seen_at);
