CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
CREATE TRIGGER entry_is_never_changed BEFORE UPDATE ON entry
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_is_never_deleted BEFORE DELETE ON entry
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- What a search looks at, except the texts, which can be too long for an index.
CREATE INDEX edit_search ON edit (account_id, id, deleted_at, kind, status, model, starred);

-- These rows change all the time. Their pages keep room for the next version of each row.
ALTER TABLE balance SET (fillfactor = 50);
ALTER TABLE bucket SET (fillfactor = 50);

-- The number of the last transaction of each writer. It shows whether a transaction was committed
-- when the answer to its commit was lost.
CREATE TABLE writer_mark (
    writer TEXT PRIMARY KEY,
    number BIGINT NOT NULL,
    at     BIGINT NOT NULL
) WITH (fillfactor = 10);

-- Callers of each rate limit, and when they may use all of it again, in nanoseconds. SQLite has one
-- process, which keeps this in memory. Not durable: after a crash of the server, counting starts
-- over.
CREATE UNLOGGED TABLE rate (
    name       TEXT NOT NULL,
    whose      BLOB NOT NULL,
    full_at_ns BIGINT NOT NULL,
    PRIMARY KEY (name, whose)
) WITH (fillfactor = 50);
