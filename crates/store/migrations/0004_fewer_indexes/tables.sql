-- Every edit changes all indexes of its table twice. These are not needed: few edits are in progress
-- at a time, so one index (edit_under_way) finds them all, and names of files are unique, so their
-- account adds nothing.
DROP INDEX edit_open;
DROP INDEX edit_processing;
DROP INDEX edit_blob;

-- In the order in which they are read, so that no call has to sort what most accounts don't have.
DROP INDEX pause_running;
CREATE INDEX pause_running ON pause (account_id, paused_at, cause) WHERE lifted_at IS NULL;
DROP INDEX subscription_account;
CREATE INDEX subscription_account ON subscription (account_id, (source = 'stripe'), created_at, id);
