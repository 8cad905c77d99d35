CREATE TABLE registrations (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL,
  -- HMAC of the e-mail address: two spellings of one address have one.
  lookup bytea NOT NULL UNIQUE,
  key_id text NOT NULL,
  -- Names, address and SMA type, encrypted (server/registrations/encryption.ts).
  sealed bytea NOT NULL
);

CREATE INDEX registrations_by_time ON registrations (created_at);

-- One row per mail that is not sent; what it says is made from the registration when it is sent.
CREATE TABLE mails (
  id uuid PRIMARY KEY REFERENCES registrations (id) ON DELETE CASCADE,
  attempts int NOT NULL DEFAULT 0,
  -- Time of the next attempt; NULL: rejected for good.
  next_at timestamptz,
  owner text,
  refusal text
);

CREATE INDEX mails_by_time ON mails (next_at);
