-- The address that an event has invited, until its account changes or erases it or the project is deleted.
ALTER TABLE audit_event ADD COLUMN invited text;
CREATE INDEX audit_event_of_invited ON audit_event (lower(invited)) WHERE invited IS NOT NULL;
