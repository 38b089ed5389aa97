-- No version that may still be running reads these (see 0003_daily_sums).
DROP INDEX edit_usage;
DROP INDEX entry_granted;
