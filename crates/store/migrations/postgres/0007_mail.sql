-- When somebody showed that letters to the account's address reach its owner.

ALTER TABLE account ADD COLUMN verified_at BIGINT;

-- Letters: what is to be sent, and what the link in a letter that was sent does. A sign-up is kept
-- here until somebody follows its link, and no account before. A link's secret is made when its letter
-- is sent; only its hash is here. No due_at: the letter has been sent, and its link waits.
CREATE TABLE letter (
    id            TEXT COLLATE "C" PRIMARY KEY,
    kind          TEXT COLLATE "C" NOT NULL,
    account_id    TEXT COLLATE "C",
    email         TEXT COLLATE "C" NOT NULL,
    email_folded  TEXT COLLATE "C" NOT NULL,
    password_hash TEXT COLLATE "C",
    browser_hash  BLOB,
    token_hash    BLOB UNIQUE,
    attempts      BIGINT NOT NULL,
    due_at        BIGINT,
    expires_at    BIGINT NOT NULL
);
CREATE INDEX letter_due ON letter (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX letter_age ON letter (expires_at);
CREATE INDEX letter_account ON letter (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX letter_address ON letter (email_folded);
