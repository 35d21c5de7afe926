-- No server but a demo, whose database is gone, has had any.
DELETE FROM outbox;

-- The time after which a mail is of no use, and given up.
ALTER TABLE outbox ADD COLUMN send_until INTEGER NOT NULL DEFAULT 0;
CREATE INDEX outbox_by_use ON outbox (send_until);
