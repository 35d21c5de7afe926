-- How much of a source an import has recorded that did not come to its end: so many bytes, which are
-- so many lines and have this SHA-256.
CREATE TABLE import_progress (
  source text PRIMARY KEY,
  bytes bigint NOT NULL CHECK (bytes > 0),
  lines bigint NOT NULL CHECK (lines > 0),
  digest bytea NOT NULL CHECK (length(digest) = 32)
);
