-- Whose a stored file is, asked for with nothing but its name.

CREATE INDEX edit_claim ON edit (blob);
