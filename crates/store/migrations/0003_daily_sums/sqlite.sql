CREATE TRIGGER edit_is_charged AFTER UPDATE OF status ON edit WHEN NEW.status = 'succeeded'
BEGIN
    INSERT INTO account_day (account_id, day, model, credits, edits)
    VALUES (NEW.account_id, NEW.created_at / 86400000 * 86400000, NEW.model, NEW.cost, 1)
    ON CONFLICT (account_id, day, model) DO UPDATE SET
        credits = credits + excluded.credits, edits = edits + excluded.edits;
END;

INSERT INTO account_day (account_id, day, model, credits, edits)
SELECT account_id, created_at / 86400000 * 86400000 AS day, model, SUM(cost), COUNT(*)
FROM edit WHERE status = 'succeeded' GROUP BY account_id, day, model;

-- These were for summing up. On PostgreSQL, nodes of the previous version still read them.
DROP INDEX edit_usage;
DROP INDEX entry_granted;
