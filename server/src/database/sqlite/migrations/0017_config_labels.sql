-- What a project calls a config, and texts of its own as an object of JSON.
ALTER TABLE config ADD COLUMN name TEXT;
ALTER TABLE config ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';
