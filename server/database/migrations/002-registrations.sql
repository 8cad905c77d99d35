-- Names, address and SMA type are only in `encrypted` (server/registrations/encryption.ts).
CREATE TABLE registrations (
  id UUID PRIMARY KEY,
  registered_at BIGINT NOT NULL,
  -- Keyed hash: two spellings of one address have the same.
  email_hash TEXT NOT NULL UNIQUE,
  -- The same for the mailbox, which several addresses may have.
  mailbox_hash TEXT NOT NULL,
  -- The key of encryption and hashes.
  key_id TEXT NOT NULL,
  encrypted TEXT NOT NULL,
  -- When its mail might be sent first. It stays, because a mailbox gets three mails a day.
  mail_due_at BIGINT NOT NULL
);

CREATE INDEX registrations_registered_at ON registrations (registered_at);
CREATE INDEX registrations_of_a_mailbox ON registrations (mailbox_hash, mail_due_at);

-- Mails that the SMTP server has not taken. Each is made from its registration when it is sent.
CREATE TABLE mail_outbox (
  id UUID PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
  due_at BIGINT NOT NULL,
  attempts INT NOT NULL,
  -- Why it is not sent any more: a status of SMTP, or `expired`.
  refused TEXT
);

CREATE INDEX mail_outbox_waiting ON mail_outbox (attempts, due_at) WHERE refused IS NULL;

-- Clinics and others that have a link, by the `ref` of their clicks.
CREATE TABLE links (
  ref TEXT PRIMARY KEY,
  name TEXT NOT NULL
);
