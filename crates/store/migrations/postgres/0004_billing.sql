-- Plans: what accounts have, what was paid for them, and what a vendor of payments has told.

CREATE TABLE subscription (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    source     TEXT COLLATE "C" NOT NULL,
    plan       TEXT COLLATE "C" NOT NULL,
    next_plan  TEXT COLLATE "C",
    status     TEXT COLLATE "C" NOT NULL,
    anchor     BIGINT NOT NULL,
    periods    BIGINT NOT NULL CHECK (periods >= 0),
    paid_until BIGINT NOT NULL,
    cancel_at  BIGINT,
    created_at BIGINT NOT NULL,
    -- The moment at which it was known to be so: what was seen earlier changes nothing.
    seen_at    BIGINT NOT NULL
);
CREATE INDEX subscription_account ON subscription (account_id, created_at);
CREATE INDEX subscription_due ON subscription (paid_until)
    WHERE source = 'operator' AND status IN ('active', 'past_due');

-- Who an account is at the vendor of payments.
CREATE TABLE customer (
    account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES account (id),
    id         TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- What was booked for an invoice; kept as long as the entries are.
CREATE TABLE invoice (
    id              TEXT COLLATE "C" PRIMARY KEY,
    account_id      TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    subscription_id TEXT COLLATE "C" NOT NULL,
    granted         BIGINT CHECK (granted >= 0),
    asked           BIGINT NOT NULL CHECK (asked >= 0),
    taken           BIGINT NOT NULL CHECK (taken >= 0),
    steps           BIGINT NOT NULL,
    seen_at         BIGINT NOT NULL,
    CHECK (taken <= asked)
);
CREATE INDEX invoice_account ON invoice (account_id, id);

-- The inbox: what the vendor has told, each thing once, and what came of it.
CREATE TABLE payment_event (
    id          TEXT COLLATE "C" PRIMARY KEY,
    kind        TEXT COLLATE "C" NOT NULL,
    object      TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    received_at BIGINT NOT NULL,
    attempts    BIGINT NOT NULL,
    due_at      BIGINT NOT NULL,
    settled_at  BIGINT,
    account_id  TEXT COLLATE "C",
    outcome     TEXT COLLATE "C"
);
CREATE INDEX payment_event_open ON payment_event (due_at) WHERE settled_at IS NULL;
CREATE INDEX payment_event_age ON payment_event (received_at);
