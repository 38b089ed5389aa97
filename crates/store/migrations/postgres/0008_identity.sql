-- Who else vouches for somebody: providers of OpenID Connect, and passkeys.

CREATE TABLE identity (
    issuer       TEXT COLLATE "C" NOT NULL,
    subject      TEXT COLLATE "C" NOT NULL,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    email        TEXT COLLATE "C",
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_account ON identity (account_id);

CREATE TABLE passkey (
    id           BLOB PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    name         TEXT COLLATE "C" NOT NULL,
    public_key   BLOB NOT NULL,
    sign_count   BIGINT NOT NULL CHECK (sign_count >= 0),
    may_back_up  BOOLEAN NOT NULL,
    is_backed_up BOOLEAN NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    doubted_at   BIGINT
);
CREATE INDEX passkey_account ON passkey (account_id, created_at);

-- What a browser has been asked and may answer once, by the hash of the token that it keeps.
CREATE TABLE challenge (
    token_hash BLOB PRIMARY KEY,
    kind       TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C",
    content    TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX challenge_expiry ON challenge (expires_at);
CREATE INDEX challenge_account ON challenge (account_id) WHERE account_id IS NOT NULL;

-- When whoever holds the session last proved who they are; none: never so that we would know.
ALTER TABLE session ADD COLUMN proven_at BIGINT;
