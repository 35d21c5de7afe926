-- The URLs that projects want to be told events at.
CREATE TABLE webhook (
  id uuid PRIMARY KEY,
  project uuid NOT NULL REFERENCES project (id),
  url text NOT NULL,
  description text,
  -- The types of events, a bit each.
  events bigint NOT NULL,
  enabled boolean NOT NULL,
  -- Secrets are encrypted by a key that is not in the database.
  secret bytea NOT NULL,
  previous_secret bytea,
  previous_secret_until bigint,
  -- When the first request failed after the last that did not.
  failing_since bigint,
  -- The server that sends its deliveries has them to itself until then.
  leased_until bigint NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX webhook_of_project ON webhook (project, created_at, id);

-- What was told, as it was told. An id begins with its time, so that ids are in the order of time.
CREATE TABLE webhook_event (
  id uuid PRIMARY KEY,
  type text NOT NULL,
  body bytea NOT NULL,
  created_at bigint NOT NULL
);

-- Each event on its way to each webhook. The event goes when it is as old as the delivery: no reference.
CREATE TABLE webhook_delivery (
  webhook uuid NOT NULL,
  id uuid NOT NULL,
  event uuid NOT NULL,
  state text NOT NULL,
  attempts bigint NOT NULL,
  -- When it is sent next, if it is.
  next_attempt_at bigint,
  give_up_at bigint NOT NULL,
  last_attempt_at bigint,
  last_status bigint,
  last_error text,
  PRIMARY KEY (webhook, id)
);
CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook, next_attempt_at)
  WHERE next_attempt_at IS NOT NULL;

-- The number of the latest event about each config.
CREATE TABLE config_event (
  config bytea PRIMARY KEY REFERENCES config (id),
  latest bigint NOT NULL
);
