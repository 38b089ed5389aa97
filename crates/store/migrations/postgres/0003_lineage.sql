-- What was asked beside the words, as JSON, so that it can be asked again; and the edit whose
-- result an edit was made from.

ALTER TABLE edit ADD COLUMN request TEXT COLLATE "C";
ALTER TABLE edit ADD COLUMN parent TEXT COLLATE "C";
CREATE INDEX edit_parent ON edit (account_id, parent) WHERE parent IS NOT NULL;
CREATE INDEX edit_blob ON edit (account_id, blob);

-- What a search looks at beside the words, which are longer than what an index takes here.
CREATE INDEX edit_search ON edit (account_id, id, deleted_at, kind, status);
