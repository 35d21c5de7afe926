-- pg_restore fills a materialized view anew. Sessions, sign-ins and mails of another epoch are from before a
-- restore: they may have ended, or were sent, since the backup.
CREATE MATERIALIZED VIEW epoch AS SELECT gen_random_uuid() AS id;

-- No server but a demo, whose database is gone, has had any.
DELETE FROM session;
DELETE FROM sign_in;
DELETE FROM outbox;
ALTER TABLE session ADD COLUMN epoch uuid NOT NULL;
ALTER TABLE sign_in ADD COLUMN epoch uuid NOT NULL;
ALTER TABLE outbox ADD COLUMN epoch uuid NOT NULL;

-- The time after which a mail is of no use, and given up.
ALTER TABLE outbox ADD COLUMN send_until bigint NOT NULL;
CREATE INDEX outbox_by_use ON outbox (send_until);
