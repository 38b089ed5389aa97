-- Small results. Each is written by the transaction that charges for it, so it needs no sync of its
-- own. Larger ones are files.
CREATE TABLE small_file (
    -- Ascending, so that images are appended instead of spread over the database.
    id      INTEGER PRIMARY KEY,
    name    TEXT NOT NULL UNIQUE,
    -- Last, so that the other columns are read without it.
    content BLOB NOT NULL
);
