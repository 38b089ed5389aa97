-- The tables of both databases. IDs and JSON are TEXT, and TEXT is compared byte by byte. Times are
-- milliseconds since the Unix epoch, unless the name says otherwise. Amounts of credits are whole
-- numbers. A day is the time at which it starts, in UTC.

-- Accounts, and how their owners sign in

CREATE TABLE account (
    id            TEXT PRIMARY KEY,
    email         TEXT NOT NULL,
    email_folded  TEXT NOT NULL UNIQUE,
    -- When the owner showed that they receive emails at this address.
    verified_at   BIGINT,
    password_hash TEXT,
    role          TEXT NOT NULL DEFAULT 'member',
    -- What happened to the free credits: 'granted', 'had_before' or 'day_full'.
    free_credits  TEXT,
    created_at    BIGINT NOT NULL,
    suspended_at  BIGINT,
    -- The row of a deleted account stays for the ledger, without its address.
    deleted_at    BIGINT,
    is_unwarned   BOOLEAN NOT NULL DEFAULT FALSE -- wants no emails about low credits and renewals
);
CREATE INDEX account_administrator ON account (id) WHERE role = 'administrator';
CREATE INDEX account_deleted ON account (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE session (
    token_hash       BLOB PRIMARY KEY,
    account_id       TEXT NOT NULL REFERENCES account (id),
    user_agent       TEXT,
    created_at       BIGINT NOT NULL,
    last_seen_at     BIGINT NOT NULL,
    expires_at       BIGINT NOT NULL,
    -- When the owner last proved who they are, and when they last showed a second factor.
    proven_at        BIGINT,
    second_factor_at BIGINT
);
CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_expiry ON session (expires_at);
CREATE INDEX session_seen ON session (last_seen_at);

CREATE TABLE api_key (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES account (id),
    name         TEXT NOT NULL,
    hash         BLOB NOT NULL UNIQUE,
    -- The first characters of the key, which its owner recognizes it by.
    start        TEXT NOT NULL,
    scopes       TEXT NOT NULL DEFAULT 'edit read delete',
    -- The most credits that it may use in its life, in a day and in a month.
    credit_limit BIGINT CHECK (credit_limit >= 0),
    day_limit    BIGINT CHECK (day_limit >= 0),
    month_limit  BIGINT CHECK (month_limit >= 0),
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    expires_at   BIGINT,
    revoked_at   BIGINT,
    -- When webhooks were last told that it had reached its limit.
    limit_told_at BIGINT,
    -- If a program received it through OAuth: the hash of the program's client ID. No one knows the
    -- secret of such a key. The program shows tokens instead.
    client_hash  BLOB
);
CREATE INDEX api_key_account ON api_key (account_id, id);
CREATE INDEX api_key_revoked ON api_key (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX api_key_expired ON api_key (expires_at) WHERE expires_at IS NOT NULL;

-- What programs show for the keys that they received through OAuth, by hash: access tokens, refresh
-- tokens, and the codes that they redeemed. What has been used stays until it expires, so that a
-- second use is noticed.
CREATE TABLE oauth_token (
    hash       BLOB PRIMARY KEY,
    key_id     TEXT NOT NULL,
    kind       TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
) WITHOUT ROWID;
CREATE INDEX oauth_token_key ON oauth_token (key_id, created_at);
CREATE INDEX oauth_token_expiry ON oauth_token (expires_at);

-- Browsers that have signed in to an account, by the hash of a token that the browser keeps.
CREATE TABLE known_browser (
    account_id   TEXT NOT NULL REFERENCES account (id),
    token_hash   BLOB NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, token_hash)
) WITHOUT ROWID;
CREATE INDEX known_browser_seen ON known_browser (last_seen_at);

-- Sign-in with providers of OpenID Connect.
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
    may_back_up  BOOLEAN NOT NULL,
    is_backed_up BOOLEAN NOT NULL,
    created_at   BIGINT NOT NULL,
    last_used_at BIGINT,
    -- When its counter went backwards, which means that it may have been copied.
    doubted_at   BIGINT
) WITHOUT ROWID;
CREATE INDEX passkey_account ON passkey (account_id, created_at);

-- Authenticator apps (RFC 6238), at most one for each account.
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

-- What a browser was asked and may answer once, by the hash of the token that the browser keeps.
CREATE TABLE challenge (
    token_hash BLOB PRIMARY KEY,
    kind       TEXT NOT NULL,
    account_id TEXT,
    content    TEXT NOT NULL,
    expires_at BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX challenge_account ON challenge (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX challenge_expiry ON challenge (expires_at);

-- Links that each let one person sign up, by the hashes of their secrets: the one that was shown,
-- and the one that was sent by email.
CREATE TABLE invitation (
    id          TEXT PRIMARY KEY,
    token_hash  BLOB NOT NULL UNIQUE,
    mailed_hash BLOB UNIQUE,
    email       TEXT,
    invited_by  TEXT,
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    used_at     BIGINT,
    used_by     TEXT
) WITHOUT ROWID;
CREATE INDEX invitation_age ON invitation (expires_at);

-- Emails to send, and the links in those that were sent. A sign-up is only a row here until its link
-- is followed. The secret of a link is generated when the email is sent, and only its hash is
-- stored. Without due_at, the email was sent and its link is valid.
CREATE TABLE email_message (
    id            TEXT PRIMARY KEY,
    kind          TEXT NOT NULL,
    account_id    TEXT,
    email         TEXT NOT NULL,
    email_folded  TEXT NOT NULL,
    password_hash TEXT,
    browser_hash  BLOB,
    token_hash    BLOB UNIQUE,
    -- The invitation that a sign-up uses, or that the email carries.
    invitation_id TEXT,
    -- The browser or the API key that the email is about.
    about         TEXT,
    attempts      BIGINT NOT NULL,
    due_at        BIGINT,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX email_message_due ON email_message (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX email_message_age ON email_message (expires_at);
CREATE INDEX email_message_account ON email_message (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX email_message_address ON email_message (email_folded);

-- Secrets that this service generated at its first start.
CREATE TABLE own_secret (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- People who have received free credits: a keyed hash of the email address or of the identity, which
-- outlives the account.
CREATE TABLE person (
    hash       BLOB PRIMARY KEY,
    granted_at BIGINT NOT NULL
) WITHOUT ROWID;

-- The free credits of a day, for all sign-ups together.
CREATE TABLE free_day (
    day     BIGINT PRIMARY KEY,
    credits BIGINT NOT NULL
);

-- The ledger. Balance, bucket, hold and key_use are the sums of the entries.

CREATE TABLE balance (
    account_id TEXT PRIMARY KEY,
    granted    BIGINT NOT NULL CHECK (granted >= 0),
    available  BIGINT NOT NULL CHECK (available >= 0),
    held       BIGINT NOT NULL CHECK (held >= 0),
    spent      BIGINT NOT NULL CHECK (spent >= 0),
    expired    BIGINT NOT NULL CHECK (expired >= 0),
    taken_back BIGINT NOT NULL CHECK (taken_back >= 0),
    -- Credits that had to be taken back but were already spent. Later credits pay for them.
    debt       BIGINT NOT NULL DEFAULT 0 CHECK (debt >= 0),
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
    allocation TEXT NOT NULL,
    -- When it began.
    at         BIGINT NOT NULL
) WITHOUT ROWID;
CREATE INDEX hold_open ON hold (account_id) WHERE state = 'held';

CREATE TABLE key_use (
    account_id TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    credits    BIGINT NOT NULL CHECK (credits >= 0),
    -- The last day and month in which it began a hold, by number, and what counts there.
    day           BIGINT NOT NULL,
    day_credits   BIGINT NOT NULL CHECK (day_credits >= 0),
    month         BIGINT NOT NULL,
    month_credits BIGINT NOT NULL CHECK (month_credits >= 0),
    PRIMARY KEY (account_id, key_id)
) WITHOUT ROWID;

-- Append-only: triggers refuse changes.
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
    debt            BIGINT NOT NULL DEFAULT 0,
    legs            TEXT NOT NULL,
    available_after BIGINT NOT NULL,
    held_after      BIGINT NOT NULL,
    hold_id         TEXT,
    key_id          TEXT,
    source_key      TEXT,
    description     TEXT NOT NULL,
    PRIMARY KEY (account_id, seq)
) WITHOUT ROWID;
-- A purchase, a sign-up, a renewal or a refund takes effect at most once.
CREATE UNIQUE INDEX entry_source ON entry (source_key) WHERE source_key IS NOT NULL;

-- Edits, which the API calls generations

CREATE TABLE edit (
    account_id      TEXT NOT NULL,
    id              TEXT NOT NULL,
    kind            TEXT NOT NULL,
    status          TEXT NOT NULL,
    model           TEXT NOT NULL,
    provider        TEXT NOT NULL,
    instruction     TEXT NOT NULL,
    -- The other parameters of the call as JSON, so that it can be repeated.
    request         TEXT,
    -- The edit whose result this one started from.
    parent          TEXT,
    cost            BIGINT NOT NULL CHECK (cost >= 0),
    key_id          TEXT,
    -- The name of the result's blob, and the stored results as JSON.
    blob            TEXT NOT NULL,
    stored          TEXT NOT NULL,
    -- The size of the result in pixels, if it is an image and its size is known.
    width           BIGINT,
    height          BIGINT,
    usage           TEXT,
    warnings        TEXT NOT NULL,
    plan            TEXT,
    failure_code    TEXT,
    failure_message TEXT,
    -- Whether the provider may have performed a failed edit, and the earlier edit in such doubt
    -- whose Idempotency-Key this one repeats.
    in_doubt        BOOLEAN NOT NULL DEFAULT FALSE,
    repeats         TEXT,
    -- The node that performs it, and until when no other node takes over.
    owner           TEXT NOT NULL,
    lease_until     BIGINT NOT NULL,
    -- The provider that performs it and its ID for the work, as JSON: after a restart, the result is
    -- fetched instead of being ordered again.
    task            TEXT,
    -- Whether it is performed without its caller. Then its request is stored, and an attempt is
    -- written to `task` before it is sent.
    background      BOOLEAN NOT NULL DEFAULT FALSE,
    created_at      BIGINT NOT NULL,
    completed_at    BIGINT,
    deleted_at      BIGINT,
    -- When its result was deleted because of its age. The record stays.
    expired_at      BIGINT,
    -- The image that it goes back to, the same for all edits that do: a keyed hash of the first
    -- input, or the ID of the edit that created the image. Empty once it is deleted.
    root            TEXT NOT NULL DEFAULT '',
    -- The file name of the first input, as the caller gave it.
    input_name      TEXT,
    -- What its owner calls it, and whether they marked it.
    name            TEXT,
    starred         BOOLEAN NOT NULL DEFAULT FALSE,
    -- The secret of the link that shows the result to anyone.
    share_token     TEXT,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX edit_open ON edit (lease_until) WHERE status = 'processing';
CREATE INDEX edit_under_way ON edit (account_id, kind) WHERE status = 'processing';
CREATE INDEX edit_removal ON edit (deleted_at) WHERE deleted_at IS NOT NULL AND stored <> '[]';
-- The edits that go back to one image, oldest first.
CREATE INDEX edit_tree ON edit (account_id, root, id)
    WHERE deleted_at IS NULL AND status <> 'failed';
CREATE INDEX edit_starred ON edit (account_id, id, deleted_at, starred) WHERE starred;
CREATE UNIQUE INDEX edit_share ON edit (share_token) WHERE share_token IS NOT NULL;
CREATE INDEX edit_blob ON edit (account_id, blob);
-- Finds the owner of a stored file by its name alone.
CREATE INDEX edit_claim ON edit (blob);
-- The edits that a key made, for keys that may read nothing else.
CREATE INDEX edit_of_key ON edit (account_id, key_id, id) WHERE key_id IS NOT NULL;
-- Results that may expire, oldest first, and those that expired but may still have their files.
CREATE INDEX edit_kept ON edit (account_id, completed_at)
    WHERE status = 'succeeded' AND stored <> '[]' AND deleted_at IS NULL AND expired_at IS NULL;
CREATE INDEX edit_expired ON edit (expired_at) WHERE expired_at IS NOT NULL AND stored <> '[]';
-- Failed edits by when they ended: those whose record is complete, and all of them.
CREATE INDEX edit_failed_whole ON edit (completed_at)
    WHERE status = 'failed' AND request IS NOT NULL;
CREATE INDEX edit_failed_age ON edit (completed_at) WHERE status = 'failed';
-- The lists of administrators. The first index includes the columns that they filter by, so that
-- edits that do not match are not read.
CREATE INDEX edit_newest ON edit (id, model, provider);
CREATE INDEX edit_failed ON edit (id) WHERE status = 'failed';
CREATE INDEX edit_processing ON edit (id) WHERE status = 'processing';
-- All that an account's usage by day and model is counted from.
CREATE INDEX edit_usage ON edit (account_id, id, created_at, model, cost)
    WHERE status = 'succeeded';

-- The edit that a repeated call gets.
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
-- An edit has one key. If this index were not unique, SQLite would assume ten keys for an account and
-- scan all of them, which takes 17 ms for 100,000 keys.
CREATE UNIQUE INDEX idempotency_of_edit ON idempotency (account_id, edit_id);

-- How many edits ended in the same way on a day, how long they took in total, and what providers
-- charged for their results, in millionths of a dollar; for unpriced results that is not known. The
-- outcome is 'succeeded' or the code of the failure. A separate table, because edits are many and get
-- deleted.
-- On PostgreSQL, each writer adds to the rows of its own share, so that writers do not wait for each
-- other.
CREATE TABLE edit_day (
    day      BIGINT NOT NULL,
    model    TEXT NOT NULL,
    provider TEXT NOT NULL,
    outcome  TEXT NOT NULL,
    edits    BIGINT NOT NULL,
    credits  BIGINT NOT NULL,
    took_ms  BIGINT NOT NULL,
    cost_micros BIGINT NOT NULL,
    unpriced BIGINT NOT NULL,
    share    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (day, model, provider, outcome, share)
) WITHOUT ROWID;
