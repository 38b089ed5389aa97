-- What an account was charged on a day, by model. The day is the one on which an edit began. A
-- separate table, so that showing it does not read the edits. A trigger adds to it in the
-- transaction that charges, also for nodes of the previous version.
CREATE TABLE account_day (
    account_id TEXT NOT NULL,
    day        BIGINT NOT NULL,
    model      TEXT NOT NULL,
    credits    BIGINT NOT NULL,
    edits      BIGINT NOT NULL,
    PRIMARY KEY (account_id, day, model)
) WITHOUT ROWID;
CREATE INDEX account_day_age ON account_day (day);

-- All that grants are summed up by day from. Their entries are not read.
CREATE INDEX entry_grants ON entry (at, account_id, source_key, granted) WHERE granted > 0;
