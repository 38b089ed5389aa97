-- The previous version does not read these (see 0003_daily_sums).
DROP INDEX edit_usage;
DROP INDEX entry_granted;
