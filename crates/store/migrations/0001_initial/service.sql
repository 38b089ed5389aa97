
-- Plans and payments

CREATE TABLE subscription (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    source     TEXT NOT NULL,
    plan       TEXT NOT NULL,
    next_plan  TEXT,
    status     TEXT NOT NULL,
    anchor     BIGINT NOT NULL,
    periods    BIGINT NOT NULL CHECK (periods >= 0),
    paid_until BIGINT NOT NULL,
    cancel_at  BIGINT,
    created_at BIGINT NOT NULL,
    -- When this was known to be the state. Reports of earlier states change nothing.
    seen_at    BIGINT NOT NULL
);
CREATE INDEX subscription_account ON subscription (account_id, created_at);
CREATE INDEX subscription_due ON subscription (paid_until)
    WHERE source = 'operator' AND status IN ('active', 'past_due');

-- Plans that accounts had before the current one. Each keeps results for a while after it was left.
CREATE TABLE plan_left (
    account_id TEXT NOT NULL REFERENCES account (id),
    plan       TEXT NOT NULL,
    left_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, plan)
);
CREATE INDEX plan_left_age ON plan_left (left_at);

-- The customers of accounts at the payment provider. A customer that no longer exists there stays
-- here, so that late events still find their account.
CREATE TABLE customer (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    -- The address that the provider was given last.
    email      TEXT,
    created_at BIGINT NOT NULL,
    -- Since when the provider no longer has it.
    gone_at    BIGINT
);
CREATE UNIQUE INDEX customer_present ON customer (account_id) WHERE gone_at IS NULL;

-- What was granted for an invoice. It is kept as long as the entries are.
CREATE TABLE invoice (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES account (id),
    subscription_id TEXT NOT NULL,
    customer_id     TEXT,
    -- What the invoice pays for, as JSON. NULL until it is paid.
    claim           TEXT,
    granted         BIGINT CHECK (granted >= 0),
    -- How many credits to take back, and how many were taken back.
    asked           BIGINT NOT NULL CHECK (asked >= 0),
    taken           BIGINT NOT NULL CHECK (taken >= 0),
    steps           BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL,
    CHECK (taken <= asked)
);
CREATE INDEX invoice_account ON invoice (account_id, id);
CREATE INDEX invoice_customer ON invoice (customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX invoice_overdue ON invoice (id) WHERE taken < asked;

-- Events from the payment provider, each once, and what came of them.
CREATE TABLE payment_event (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    object      TEXT NOT NULL,
    account_id  TEXT,
    outcome     TEXT,
    attempts    BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    settled_at  BIGINT
);
CREATE INDEX payment_event_open ON payment_event (due_at) WHERE settled_at IS NULL;
CREATE INDEX payment_event_age ON payment_event (received_at);

-- Why an account may not use paid providers until an administrator has looked. Each cause counts
-- once.
CREATE TABLE pause (
    cause      TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    reason     TEXT NOT NULL,
    paused_at  BIGINT NOT NULL,
    lifted_at  BIGINT
);
CREATE INDEX pause_running ON pause (account_id) WHERE lifted_at IS NULL;

-- Limits on the use of providers

-- How often providers refused the requests of an account on a day.
CREATE TABLE refusal_day (
    account_id TEXT NOT NULL REFERENCES account (id),
    day        BIGINT NOT NULL,
    refusals   BIGINT NOT NULL,
    last_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, day)
) WITHOUT ROWID;
CREATE INDEX refusal_age ON refusal_day (day);

-- What the calls to a provider cost on a day, at the prices in the catalog. The cost is reserved
-- before a call is sent.
CREATE TABLE provider_day (
    provider  TEXT NOT NULL,
    day       BIGINT NOT NULL,
    micro_usd BIGINT NOT NULL,
    PRIMARY KEY (provider, day)
);

-- Administration

-- One-time links that make their reader the first administrator, by the hashes of their tokens.
CREATE TABLE admin_link (
    token_hash BLOB PRIMARY KEY,
    expires_at BIGINT NOT NULL
);

-- The audit log. Append-only: triggers refuse changes. Without an actor, it was the operator on the
-- command line. The subject is no reference, because the log outlives accounts.
CREATE TABLE audit (
    number     BIGINT PRIMARY KEY,
    at         BIGINT NOT NULL,
    actor      TEXT,
    act        TEXT NOT NULL,
    subject    TEXT,
    credits    BIGINT,
    reason     TEXT NOT NULL,
    request_id TEXT
);
CREATE INDEX audit_subject ON audit (subject, number);
-- Who looked at whom within the last hour.
CREATE INDEX audit_look ON audit (actor, subject, at) WHERE act = 'look';

-- One row, written to check that the database accepts writes.
CREATE TABLE heartbeat (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    at BIGINT NOT NULL
);

-- Uploads

-- Images that accounts have uploaded as inputs of edits. They expire after a day. The row is written
-- before the file, and removed after it.
CREATE TABLE upload (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id),
    blob       TEXT NOT NULL UNIQUE,
    media_type TEXT NOT NULL,
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX upload_account ON upload (account_id);
CREATE INDEX upload_expiry ON upload (expires_at);

-- The operator's figures, and what administrators set in the browser

CREATE INDEX account_created ON account (created_at);
-- Grants are few among the entries.
CREATE INDEX entry_granted ON entry (at) WHERE granted > 0;

-- What is measured for each day: active accounts and sizes in bytes. The last measurement stays.
CREATE TABLE day_figure (
    day   BIGINT NOT NULL,
    name  TEXT NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (day, name)
) WITHOUT ROWID;

-- Limits of one account instead of those of its plan, and notes that only administrators see.
CREATE TABLE account_terms (
    account_id         TEXT PRIMARY KEY REFERENCES account (id),
    calls_per_minute   BIGINT CHECK (calls_per_minute >= 0),
    edits_at_once_max  BIGINT CHECK (edits_at_once_max >= 1),
    videos_at_once_max BIGINT CHECK (videos_at_once_max >= 1),
    note               TEXT NOT NULL,
    changed_at         BIGINT NOT NULL
) WITHOUT ROWID;

-- Settings that administrators changed, by their names in the settings file.
CREATE TABLE service_setting (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- The logo, one row.
CREATE TABLE service_logo (
    id    BIGINT PRIMARY KEY CHECK (id = 1),
    media TEXT NOT NULL,
    bytes BLOB NOT NULL
);

-- Providers that administrators added. The API key is encrypted with the operator's secret key.
CREATE TABLE service_provider (
    name       TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    settings   TEXT NOT NULL,
    sealed_key BLOB,
    key_end    TEXT NOT NULL,
    is_on      BOOLEAN NOT NULL,
    changed_at BIGINT NOT NULL
) WITHOUT ROWID;

-- How often any of the four tables above changed, so that each node notices.
CREATE TABLE service_change (
    id     BIGINT PRIMARY KEY CHECK (id = 1),
    number BIGINT NOT NULL
);
-- Members who ask the administrators for credits, until someone answers
CREATE TABLE credit_request (
    account_id TEXT PRIMARY KEY REFERENCES account (id), words TEXT NOT NULL, created_at BIGINT NOT NULL
) WITHOUT ROWID;

-- Webhooks

-- Addresses that receive events of an account. Their secrets are encrypted with the operator's secret
-- key.
CREATE TABLE webhook (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES account (id),
    url             TEXT NOT NULL,
    -- The events that it receives, separated by spaces.
    events          TEXT NOT NULL,
    public_key      TEXT NOT NULL,
    sealed_secrets  BLOB NOT NULL,
    -- The secrets before the last rotation, which also sign until then.
    earlier_secrets BLOB,
    earlier_until   BIGINT,
    created_at      BIGINT NOT NULL,
    -- Why and since when it receives nothing: 'paused' by its owner, 'gone' or 'failing'.
    off_reason      TEXT,
    off_at          BIGINT,
    -- Since when no attempt has succeeded, and whether the last ones took long.
    failing_since   BIGINT,
    is_slow         BOOLEAN NOT NULL DEFAULT FALSE,
    -- Until when it asked to receive nothing.
    quiet_until     BIGINT,
    -- When a delivery is due next, and until when a node is busy with those that are.
    due_at          BIGINT,
    claimed_until   BIGINT
);
CREATE INDEX webhook_account ON webhook (account_id, id);
CREATE INDEX webhook_due ON webhook (due_at) WHERE due_at IS NOT NULL;

-- What webhooks are to receive or have received. The status is 'waiting', 'delivered' or 'failed'.
-- Only those that wait have due_at.
CREATE TABLE webhook_delivery (
    webhook_id      TEXT NOT NULL REFERENCES webhook (id),
    -- The ID of the event, which is the same for all webhooks.
    id              TEXT NOT NULL,
    account_id      TEXT NOT NULL,
    event           TEXT NOT NULL,
    data            TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    status          TEXT NOT NULL,
    attempts        BIGINT NOT NULL,
    due_at          BIGINT,
    -- The last attempt: when it began, and how it ended.
    tried_at        BIGINT,
    took_ms         BIGINT,
    response_status BIGINT,
    problem         TEXT,
    PRIMARY KEY (webhook_id, id)
) WITHOUT ROWID;
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_delivery_failed ON webhook_delivery (webhook_id, id) WHERE status = 'failed';
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
