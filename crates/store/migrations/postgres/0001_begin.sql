-- Times are milliseconds since the epoch, credits are whole numbers, ids and JSON are text. Texts
-- are compared by their bytes, as in the other database; what is bytes has the same name there.

CREATE DOMAIN BLOB AS BYTEA;

CREATE TABLE account (
    id            TEXT COLLATE "C" PRIMARY KEY,
    email         TEXT COLLATE "C" NOT NULL,
    email_folded  TEXT COLLATE "C" NOT NULL UNIQUE,
    password_hash TEXT COLLATE "C",
    created_at    BIGINT NOT NULL
);

CREATE TABLE session (
    token_hash   BLOB PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);
CREATE INDEX session_expiry ON session (expires_at);
CREATE INDEX session_age ON session (last_seen_at);

CREATE TABLE api_key (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    name         TEXT COLLATE "C" NOT NULL,
    hash         BLOB NOT NULL UNIQUE,
    start        TEXT COLLATE "C" NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    last_used_at BIGINT,
    credit_limit BIGINT CHECK (credit_limit >= 0)
);
CREATE INDEX api_key_account ON api_key (account_id, id);

-- The books. Balance, bucket, hold and key_use are what the entries add up to. Balances and buckets
-- change all the time: their pages keep room for the next version of a row beside the last one.

CREATE TABLE balance (
    account_id TEXT COLLATE "C" PRIMARY KEY,
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
) WITH (fillfactor = 50);

CREATE TABLE bucket (
    account_id TEXT COLLATE "C" NOT NULL,
    number     BIGINT NOT NULL,
    kind       TEXT COLLATE "C" NOT NULL,
    priority   BIGINT NOT NULL,
    expires_at BIGINT,
    source_key TEXT COLLATE "C",
    granted    BIGINT NOT NULL CHECK (granted >= 0),
    remaining  BIGINT NOT NULL CHECK (remaining >= 0),
    held       BIGINT NOT NULL CHECK (held >= 0),
    spent      BIGINT NOT NULL CHECK (spent >= 0),
    expired    BIGINT NOT NULL CHECK (expired >= 0),
    taken_back BIGINT NOT NULL CHECK (taken_back >= 0),
    PRIMARY KEY (account_id, number),
    CHECK (granted = remaining + held + spent + expired + taken_back)
) WITH (fillfactor = 50);

CREATE TABLE hold (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount >= 0),
    captured   BIGINT NOT NULL CHECK (captured >= 0 AND captured <= amount),
    state      TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C",
    allocation TEXT COLLATE "C" NOT NULL
);
CREATE INDEX hold_open ON hold (account_id) WHERE state = 'held';

CREATE TABLE key_use (
    account_id TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    credits    BIGINT NOT NULL CHECK (credits >= 0),
    PRIMARY KEY (account_id, key_id)
);

CREATE TABLE entry (
    account_id      TEXT COLLATE "C" NOT NULL,
    seq             BIGINT NOT NULL,
    kind            TEXT COLLATE "C" NOT NULL,
    at              BIGINT NOT NULL,
    granted         BIGINT NOT NULL,
    available       BIGINT NOT NULL,
    held            BIGINT NOT NULL,
    spent           BIGINT NOT NULL,
    expired         BIGINT NOT NULL,
    taken_back      BIGINT NOT NULL,
    legs            TEXT COLLATE "C" NOT NULL,
    available_after BIGINT NOT NULL,
    held_after      BIGINT NOT NULL,
    hold_id         TEXT COLLATE "C",
    key_id          TEXT COLLATE "C",
    source_key      TEXT COLLATE "C",
    description     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, seq)
);
-- A purchase, a sign-up, a renewal, a refund has its effect at most once.
CREATE UNIQUE INDEX entry_source ON entry (source_key) WHERE source_key IS NOT NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The edits (generations), and what makes a repeated call find the first one's.

CREATE TABLE edit (
    account_id      TEXT COLLATE "C" NOT NULL,
    id              TEXT COLLATE "C" NOT NULL,
    kind            TEXT COLLATE "C" NOT NULL,
    status          TEXT COLLATE "C" NOT NULL,
    model           TEXT COLLATE "C" NOT NULL,
    provider        TEXT COLLATE "C" NOT NULL,
    instruction     TEXT COLLATE "C" NOT NULL,
    cost            BIGINT NOT NULL CHECK (cost >= 0),
    key_id          TEXT COLLATE "C",
    blob            TEXT COLLATE "C" NOT NULL,
    stored          TEXT COLLATE "C" NOT NULL,
    usage           TEXT COLLATE "C",
    warnings        TEXT COLLATE "C" NOT NULL,
    plan            TEXT COLLATE "C",
    failure_code    TEXT COLLATE "C",
    failure_message TEXT COLLATE "C",
    owner           TEXT COLLATE "C" NOT NULL,
    lease_until     BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    completed_at    BIGINT,
    deleted_at      BIGINT,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX edit_open ON edit (lease_until) WHERE status = 'processing';
CREATE INDEX edit_removal ON edit (deleted_at) WHERE deleted_at IS NOT NULL AND stored <> '[]';

CREATE TABLE idempotency (
    account_id  TEXT COLLATE "C" NOT NULL,
    call        TEXT COLLATE "C" NOT NULL,
    key         TEXT COLLATE "C" NOT NULL,
    fingerprint BLOB NOT NULL,
    edit_id     TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, call, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- One row; written to see that the database can be written to.
CREATE TABLE heartbeat (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    at BIGINT NOT NULL
);

-- What tells whether a transaction was committed when the answer to its commit was lost: the number of
-- the last transaction of each lane, a lane being a connection that writes.
CREATE TABLE lane_mark (
    lane   TEXT COLLATE "C" PRIMARY KEY,
    number BIGINT NOT NULL,
    at     BIGINT NOT NULL
) WITH (fillfactor = 10);
