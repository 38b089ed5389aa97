-- Who is performing an edit, and what names the work there: JSON, so that a restart asks for the
-- result instead of asking for the work again.

ALTER TABLE edit ADD COLUMN task TEXT COLLATE "C";
