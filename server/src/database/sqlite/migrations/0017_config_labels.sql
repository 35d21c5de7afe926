-- What a project calls a config, and texts of its own as an object of JSON.
ALTER TABLE config ADD COLUMN name TEXT;
ALTER TABLE config ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';

-- Answers that are kept for repeated requests show both.
UPDATE idempotency
SET answer = CAST(json_insert(CAST(answer AS TEXT), '$.name', NULL, '$.metadata', json('{}')) AS BLOB)
WHERE length(answer) > 0;
