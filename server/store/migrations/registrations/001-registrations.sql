CREATE TABLE registrations (
  id TEXT PRIMARY KEY,
  registered_at TEXT NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  -- The address as two spellings of it compare: NFKC, lower case.
  email_key TEXT NOT NULL UNIQUE,
  sma_type TEXT
) STRICT
