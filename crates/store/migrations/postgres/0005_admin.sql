-- Who administers, who is kept out, and all that administrators have done.

ALTER TABLE account ADD COLUMN role TEXT COLLATE "C" NOT NULL DEFAULT 'member';
ALTER TABLE account ADD COLUMN suspended_at BIGINT;
CREATE INDEX account_administrator ON account (id) WHERE role = 'administrator';

-- One-time links that make somebody the first administrator, by the hashes of their tokens.
CREATE TABLE admin_link (
    token_hash BLOB PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

-- No actor: the operator, on the command line. No reference to the account: what was done
-- outlives whom it was done to.
CREATE TABLE audit (
    number     BIGINT PRIMARY KEY,
    at         BIGINT NOT NULL,
    actor      TEXT COLLATE "C",
    act        TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C",
    credits    BIGINT,
    reason     TEXT COLLATE "C" NOT NULL,
    request_id TEXT COLLATE "C"
);
CREATE INDEX audit_subject ON audit (subject, number);

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What ends the sessions of an account, and what lists the edits of all.
CREATE INDEX IF NOT EXISTS session_account ON session (account_id);
CREATE INDEX edit_newest ON edit (id);
CREATE INDEX edit_failed ON edit (id) WHERE status = 'failed';
