-- Authenticator apps (RFC 6238), one for each account that has set one up.
CREATE TABLE second_factor (
    account_id   TEXT PRIMARY KEY REFERENCES account (id),
    secret       BLOB NOT NULL,
    created_at   BIGINT NOT NULL,
    confirmed_at BIGINT,
    last_step    BIGINT NOT NULL
) WITHOUT ROWID;

-- Codes that each replace the app once, by their hashes.
CREATE TABLE recovery_code (
    account_id TEXT NOT NULL REFERENCES account (id),
    code_hash  BLOB NOT NULL,
    PRIMARY KEY (account_id, code_hash)
) WITHOUT ROWID;

-- When the holder of the session showed a second factor, if they did.
ALTER TABLE session ADD COLUMN second_factor_at BIGINT;
