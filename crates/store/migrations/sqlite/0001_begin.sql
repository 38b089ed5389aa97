-- Times are milliseconds since the epoch, credits are whole numbers, ids and JSON are text.

CREATE TABLE account (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL,
    email_folded  TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    created_at    BIGINT NOT NULL
);

CREATE TABLE session (
    token_hash   BLOB PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES account (id),
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX session_expiry ON session (expires_at);

CREATE TABLE api_key (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES account (id),
    name         TEXT NOT NULL,
    hash         BLOB NOT NULL UNIQUE,
    start        TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT,
    credit_limit BIGINT CHECK (credit_limit >= 0)
);
CREATE INDEX api_key_account ON api_key (account_id, id);

-- The books. Balance, bucket, hold and key_use are what the entries add up to.

CREATE TABLE balance (
    account_id TEXT PRIMARY KEY,
    granted    BIGINT NOT NULL CHECK (granted >= 0),
    available  BIGINT NOT NULL CHECK (available >= 0),
    held       BIGINT NOT NULL CHECK (held >= 0),
    spent      BIGINT NOT NULL CHECK (spent >= 0),
    expired    BIGINT NOT NULL CHECK (expired >= 0),
    taken_back BIGINT NOT NULL CHECK (taken_back >= 0),
    seq        BIGINT NOT NULL,
    buckets    BIGINT NOT NULL,
    last_at    BIGINT NOT NULL,
    CHECK (granted = available + held + spent + expired + taken_back)
) WITHOUT ROWID;

CREATE TABLE bucket (
    account_id TEXT NOT NULL,
    number     BIGINT NOT NULL,
    kind       TEXT NOT NULL,
    priority   BIGINT NOT NULL,
    expires_at BIGINT,
    source_key TEXT,
    granted    BIGINT NOT NULL CHECK (granted >= 0),
    remaining  BIGINT NOT NULL CHECK (remaining >= 0),
    held       BIGINT NOT NULL CHECK (held >= 0),
    spent      BIGINT NOT NULL CHECK (spent >= 0),
    expired    BIGINT NOT NULL CHECK (expired >= 0),
    taken_back BIGINT NOT NULL CHECK (taken_back >= 0),
    PRIMARY KEY (account_id, number),
    CHECK (granted = remaining + held + spent + expired + taken_back)
) WITHOUT ROWID;

CREATE TABLE hold (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount >= 0),
    captured   BIGINT NOT NULL CHECK (captured >= 0 AND captured <= amount),
    state      TEXT NOT NULL,
    key_id     TEXT,
    allocation TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX hold_open ON hold (account_id) WHERE state = 'held';

CREATE TABLE key_use (
    account_id TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    credits    BIGINT NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (account_id, key_id)
) WITHOUT ROWID;

CREATE TABLE entry (
    account_id      TEXT NOT NULL,
    seq             BIGINT NOT NULL,
    kind            TEXT NOT NULL,
    at              BIGINT NOT NULL,
    granted         BIGINT NOT NULL,
    available       BIGINT NOT NULL,
    held            BIGINT NOT NULL,
    spent           BIGINT NOT NULL,
    expired         BIGINT NOT NULL,
    taken_back      BIGINT NOT NULL,
    legs            TEXT NOT NULL,
    available_after BIGINT NOT NULL,
    held_after      BIGINT NOT NULL,
    hold_id         TEXT,
    key_id          TEXT,
    source_key      TEXT,
    description     TEXT NOT NULL,
    PRIMARY KEY (account_id, seq)
) WITHOUT ROWID;
-- A purchase, a sign-up, a renewal, a refund has its effect at most once.
CREATE UNIQUE INDEX entry_source ON entry (source_key) WHERE source_key IS NOT NULL;

CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
BEGIN
    SELECT RAISE(ABORT, 'entries are append-only');
END;
CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
BEGIN
    SELECT RAISE(ABORT, 'entries are append-only');
END;

-- The edits (generations), and what makes a repeated call find the first one's.

CREATE TABLE edit (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    kind            TEXT NOT NULL,
    status          TEXT NOT NULL,
    model           TEXT NOT NULL,
    provider        TEXT NOT NULL,
    instruction     TEXT NOT NULL,
    cost            BIGINT NOT NULL CHECK (cost >= 0),
    key_id          TEXT,
    blob            TEXT NOT NULL,
    stored          TEXT NOT NULL,
    usage           TEXT,
    warnings        TEXT NOT NULL,
    plan            TEXT,
    failure_code    TEXT,
    failure_message TEXT,
    owner           TEXT NOT NULL,
    lease_until     BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    completed_at    BIGINT,
    deleted_at      BIGINT,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX edit_open ON edit (lease_until) WHERE status = 'processing';
CREATE INDEX edit_removal ON edit (deleted_at) WHERE deleted_at IS NOT NULL AND stored <> '[]';

CREATE TABLE idempotency (
    account_id  TEXT NOT NULL,
    call        TEXT NOT NULL,
    key         TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    edit_id     TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, call, key)
) WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);

-- One row; written to see that the database can be written to.
CREATE TABLE heartbeat (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    at BIGINT NOT NULL
);
