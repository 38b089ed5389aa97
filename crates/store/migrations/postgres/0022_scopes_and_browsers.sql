-- What an API key may do. Keys from before this step keep all their rights.
ALTER TABLE api_key ADD COLUMN scopes TEXT COLLATE "C" NOT NULL DEFAULT 'edit read delete';
-- What a key has made, for a key that may read nothing else.
CREATE INDEX edit_of_key ON edit (account_id, key_id, id) WHERE key_id IS NOT NULL;

-- Browsers in which somebody has signed in to an account, by the hash of a token that the browser keeps.
CREATE TABLE known_browser (
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES account (id),
    token_hash   BLOB NOT NULL,
    last_seen_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, token_hash)
);
CREATE INDEX known_browser_seen ON known_browser (last_seen_at);

-- What an email names: the browser or the key that it is about.
ALTER TABLE letter ADD COLUMN about TEXT COLLATE "C";
