-- How often somebody has come lately, by each limit on that: the moment at which all of it may be taken again,
-- in nanoseconds. Not on the disk: after a crash of the server everybody begins anew.
CREATE UNLOGGED TABLE rate (
    name       TEXT COLLATE "C" NOT NULL,
    whose      BLOB NOT NULL,
    full_at_ns BIGINT NOT NULL,
    PRIMARY KEY (name, whose)
) WITH (fillfactor = 50);
-- What an account has under way, whichever node is at it.
CREATE INDEX IF NOT EXISTS edit_under_way ON edit (account_id, kind) WHERE status = 'processing';
