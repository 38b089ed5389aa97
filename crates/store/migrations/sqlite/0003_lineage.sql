-- What was asked beside the words, as JSON, so that it can be asked again; and the edit whose
-- result an edit was made from.

ALTER TABLE edit ADD COLUMN request TEXT;
ALTER TABLE edit ADD COLUMN parent TEXT;
CREATE INDEX edit_parent ON edit (account_id, parent) WHERE parent IS NOT NULL;
CREATE INDEX edit_blob ON edit (account_id, blob);

-- All that a search looks at, so that it reads no row on the way: no plan, no message.
CREATE INDEX edit_search ON edit (account_id, id, deleted_at, kind, status, instruction);
