-- How often somebody has come lately is kept in the memory of the one process that there is here.
-- What an account has under way.
CREATE INDEX IF NOT EXISTS edit_under_way ON edit (account_id, kind) WHERE status = 'processing';
