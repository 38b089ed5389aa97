-- What administrators ask for, without looking at every edit there is; and what deleting leaves.

-- The first keeps what edits are picked by beside their names: those that are not wanted cost no look
-- at the edit itself.
DROP INDEX edit_newest;
CREATE INDEX edit_newest ON edit (id, model, provider);
CREATE INDEX edit_processing ON edit (id) WHERE status = 'processing';
-- All that an account's use by day and model is counted from.
CREATE INDEX edit_usage ON edit (account_id, id, created_at, model, cost)
    WHERE status = 'succeeded';
-- By whom and at whom it was looked within the last hour.
CREATE INDEX audit_look ON audit (actor, subject, at) WHERE act = 'look';

-- How many edits ended how on a day (of UTC, by its first moment), and how long they took in all; the
-- outcome is 'succeeded' or the code of the failure. Kept apart: edits are many, and are deleted. Those
-- who write share a count among rows, so that they need not wait for one another.
CREATE TABLE edit_day (
    day      BIGINT NOT NULL,
    model    TEXT COLLATE "C" NOT NULL,
    provider TEXT COLLATE "C" NOT NULL,
    outcome  TEXT COLLATE "C" NOT NULL,
    edits    BIGINT NOT NULL,
    credits  BIGINT NOT NULL,
    took_ms  BIGINT NOT NULL,
    share    BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (day, model, provider, outcome, share)
);
INSERT INTO edit_day (day, model, provider, outcome, edits, credits, took_ms)
    SELECT completed_at / 86400000 * 86400000, model, provider, COALESCE(failure_code, 'succeeded'),
        COUNT(*), SUM(cost), SUM(completed_at - created_at)
    FROM edit WHERE completed_at IS NOT NULL
    GROUP BY 1, 2, 3, 4;

-- What was deleted before it was known that more of it has to go.
UPDATE edit SET usage = NULL, warnings = '[]', failure_message = NULL, task = NULL
    WHERE deleted_at IS NOT NULL;
DELETE FROM idempotency
    WHERE account_id IN (SELECT id FROM account WHERE deleted_at IS NOT NULL);
UPDATE api_key SET start = '', hash = CAST(id AS BLOB)
    WHERE account_id IN (SELECT id FROM account WHERE deleted_at IS NOT NULL);
