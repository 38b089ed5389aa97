-- Each edit changes each of these indexes twice, and nothing needs them: few edits are in progress at a
-- time, so one index (edit_under_way) finds them all, and names of files are unique, so their account
-- adds nothing to edit_claim.
DROP INDEX edit_open;
DROP INDEX edit_processing;
DROP INDEX edit_blob;

-- In the order in which they are read, so that SQLite prepares no sort for accounts that have none.
DROP INDEX pause_running;
CREATE INDEX pause_running ON pause (account_id, paused_at, cause) WHERE lifted_at IS NULL;
DROP INDEX subscription_account;
CREATE INDEX subscription_account ON subscription (account_id, (source = 'stripe'), created_at, id);
