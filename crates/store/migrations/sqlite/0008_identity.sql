-- Who else vouches for somebody: providers of OpenID Connect, and passkeys.

CREATE TABLE identity (
    issuer       TEXT NOT NULL,
    subject      TEXT NOT NULL,
    account_id   TEXT NOT NULL REFERENCES account (id),
    email        TEXT,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX identity_account ON identity (account_id);

CREATE TABLE passkey (
    id           BLOB PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES account (id),
    name         TEXT NOT NULL,
    public_key   BLOB NOT NULL,
    sign_count   BIGINT NOT NULL CHECK (sign_count >= 0),
    may_back_up  BIGINT NOT NULL,
    is_backed_up BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    doubted_at   BIGINT
) WITHOUT ROWID;
CREATE INDEX passkey_account ON passkey (account_id, created_at);

-- What a browser has been asked and may answer once, by the hash of the token that it keeps.
CREATE TABLE challenge (
    token_hash BLOB PRIMARY KEY,
    kind       TEXT NOT NULL,
    account_id TEXT,
    content    TEXT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX challenge_expiry ON challenge (expires_at);

-- When whoever holds the session last proved who they are; none: never so that we would know.
ALTER TABLE session ADD COLUMN proven_at BIGINT;
