-- Who may sign up, who has had free credits, and how often providers refused what somebody asked for.

-- A secret that this service made for itself at its first start. Hashes that must not be guessed from
-- what they hash are keyed with it.
CREATE TABLE own_secret (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value BLOB NOT NULL
);

-- A person who has had the free credits: a keyed hash of the email address or of the identity. It
-- outlives the account.
CREATE TABLE person (
    hash       BLOB PRIMARY KEY,
    granted_at BIGINT NOT NULL
);

-- What all sign-ups of a day (of UTC, by its first moment) were given together.
CREATE TABLE free_day (
    day     BIGINT PRIMARY KEY,
    credits BIGINT NOT NULL
);

-- What became of the free credits of an account: 'granted', 'had_before' or 'day_full'.
ALTER TABLE account ADD COLUMN free_credits TEXT COLLATE "C";

-- A link that lets one person sign up, by the hashes of its secrets: the one that was shown, and the
-- one that was sent by email.
CREATE TABLE invitation (
    id          TEXT COLLATE "C" PRIMARY KEY,
    token_hash  BLOB NOT NULL UNIQUE,
    mailed_hash BLOB UNIQUE,
    email       TEXT COLLATE "C",
    invited_by  TEXT COLLATE "C",
    created_at  BIGINT NOT NULL,
    expires_at  BIGINT NOT NULL,
    used_at     BIGINT,
    used_by     TEXT COLLATE "C"
);
CREATE INDEX invitation_age ON invitation (expires_at);

-- The invitation that a sign-up uses, or that an email carries.
ALTER TABLE letter ADD COLUMN invitation_id TEXT COLLATE "C";

-- How often providers refused what an account asked for on a day (of UTC, by its first moment).
CREATE TABLE refusal_day (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    day        BIGINT NOT NULL,
    refusals   BIGINT NOT NULL,
    last_at    BIGINT NOT NULL,
    PRIMARY KEY (account_id, day)
);
CREATE INDEX refusal_age ON refusal_day (day);
