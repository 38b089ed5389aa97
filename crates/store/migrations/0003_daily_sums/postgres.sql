CREATE FUNCTION count_charge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO account_day (account_id, day, model, credits, edits)
    VALUES (NEW.account_id, NEW.created_at / 86400000 * 86400000, NEW.model, NEW.cost, 1)
    ON CONFLICT (account_id, day, model) DO UPDATE SET
        credits = account_day.credits + excluded.credits,
        edits = account_day.edits + excluded.edits;
    RETURN NULL;
END
$$;
-- This also keeps other nodes from charging until the sums below are committed.
CREATE TRIGGER edit_is_charged AFTER UPDATE OF status ON edit
    FOR EACH ROW WHEN (NEW.status = 'succeeded') EXECUTE FUNCTION count_charge();

INSERT INTO account_day (account_id, day, model, credits, edits)
SELECT account_id, created_at / 86400000 * 86400000 AS day, model, SUM(cost), COUNT(*)
FROM edit WHERE status = 'succeeded' GROUP BY account_id, day, model;

-- These rows change all the time. Their pages keep room for the next version of each row.
ALTER TABLE account_day SET (fillfactor = 50);
