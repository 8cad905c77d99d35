CREATE TABLE registrations (
  id TEXT PRIMARY KEY,
  -- ISO 8601, UTC, milliseconds.
  created_at TEXT NOT NULL,
  -- HMAC of the e-mail address: two spellings of one address have one.
  lookup BLOB NOT NULL UNIQUE,
  key_id TEXT NOT NULL,
  -- Names, address and SMA type, encrypted (server/registrations/encryption.ts).
  sealed BLOB NOT NULL
) STRICT;

CREATE INDEX registrations_by_time ON registrations (created_at);

-- One row per mail that is not sent; what it says is made from the registration when it is sent.
CREATE TABLE mails (
  id TEXT PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Time of the next attempt; NULL: rejected for good.
  next_at TEXT,
  owner TEXT,
  refusal TEXT
) STRICT;

CREATE INDEX mails_by_time ON mails (next_at)
