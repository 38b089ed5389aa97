-- An account may have had several names at the vendor of payments: one that the vendor has no more
-- stays, so that what is heard of it late is still the account's.

CREATE TABLE customer_now (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    created_at BIGINT NOT NULL,
    -- The address that the vendor was told last.
    email      TEXT COLLATE "C",
    -- Since when the vendor is known to have it no more.
    gone_at    BIGINT
);
INSERT INTO customer_now (id, account_id, created_at) SELECT id, account_id, created_at FROM customer;
DROP TABLE customer;
ALTER TABLE customer_now RENAME TO customer;
CREATE UNIQUE INDEX customer_present ON customer (account_id) WHERE gone_at IS NULL;
CREATE INDEX account_deleted ON account (deleted_at) WHERE deleted_at IS NOT NULL;

-- What was to be taken back and was not there; an edit that fails may give it back.
CREATE INDEX invoice_overdue ON invoice (id) WHERE taken < asked;
