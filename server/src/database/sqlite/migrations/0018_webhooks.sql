-- The URLs that projects want to be told events at.
CREATE TABLE webhook (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  project BLOB NOT NULL REFERENCES project (id),
  url TEXT NOT NULL,
  description TEXT,
  -- The types of events, a bit each.
  events INTEGER NOT NULL,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  -- Secrets are encrypted by a key that is not in the database.
  secret BLOB NOT NULL,
  previous_secret BLOB,
  previous_secret_until INTEGER,
  -- When the first request failed after the last that did not.
  failing_since INTEGER,
  -- The server that sends its deliveries has them to itself until then.
  leased_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_of_project ON webhook (project, created_at, id);

-- What was told, as it was told. An id begins with its time, so that ids are in the order of time.
CREATE TABLE webhook_event (
  id BLOB PRIMARY KEY CHECK (length(id) = 16),
  type TEXT NOT NULL,
  body BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Each event on its way to each webhook. The event goes when it is as old as the delivery: no reference.
CREATE TABLE webhook_delivery (
  webhook BLOB NOT NULL,
  id BLOB NOT NULL CHECK (length(id) = 16),
  event BLOB NOT NULL CHECK (length(event) = 16),
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  -- When it is sent next, if it is.
  next_attempt_at INTEGER,
  give_up_at INTEGER NOT NULL,
  last_attempt_at INTEGER,
  last_status INTEGER,
  last_error TEXT,
  PRIMARY KEY (webhook, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- The number of the latest event about each config.
CREATE TABLE config_event (
  config BLOB PRIMARY KEY REFERENCES config (id),
  latest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
