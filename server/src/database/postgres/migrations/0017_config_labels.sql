-- What a project calls a config, and texts of its own as an object of JSON.
ALTER TABLE config ADD COLUMN name text;
ALTER TABLE config ADD COLUMN metadata text NOT NULL DEFAULT '{}';

-- Answers that are kept for repeated requests show both.
UPDATE idempotency
SET answer = convert_to(
  (convert_from(answer, 'UTF8')::jsonb || '{"name": null, "metadata": {}}')::text, 'UTF8'
)
WHERE length(answer) > 0;
