-- Whether a failed edit may have been carried out by its provider all the same, and the earlier edit
-- in such doubt whose Idempotency-Key this one repeats.
ALTER TABLE edit ADD COLUMN in_doubt BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE edit ADD COLUMN repeats TEXT COLLATE "C";
