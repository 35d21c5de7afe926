-- How much of a source an import has recorded that did not come to its end: so many bytes, which are
-- so many lines and have this SHA-256.
CREATE TABLE import_progress (
  source TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL CHECK (bytes > 0),
  lines INTEGER NOT NULL CHECK (lines > 0),
  digest BLOB NOT NULL CHECK (length(digest) = 32)
) STRICT, WITHOUT ROWID;
