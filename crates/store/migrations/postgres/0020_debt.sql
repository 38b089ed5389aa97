-- Credits that had to be taken back and were spent: a debt, which later credits pay.

ALTER TABLE balance ADD COLUMN debt BIGINT NOT NULL DEFAULT 0 CHECK (debt >= 0);
ALTER TABLE entry ADD COLUMN debt BIGINT NOT NULL DEFAULT 0;

-- What an invoice brings depends on all invoices of its customer. The claim is JSON; without one, the
-- invoice was not paid yet, or was settled before this step and counts by what it granted.
ALTER TABLE invoice ADD COLUMN customer_id TEXT COLLATE "C";
ALTER TABLE invoice ADD COLUMN claim TEXT;
CREATE INDEX invoice_customer ON invoice (customer_id) WHERE customer_id IS NOT NULL;

-- Why an account may not use paid providers until an administrator has looked. Each cause counts once.
CREATE TABLE pause (
    cause      TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    reason     TEXT NOT NULL,
    paused_at  BIGINT NOT NULL,
    lifted_at  BIGINT
);
CREATE INDEX pause_running ON pause (account_id) WHERE lifted_at IS NULL;
