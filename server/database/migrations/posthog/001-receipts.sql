-- What PostHog said of each event (server/posthog/receipts.ts). The uuid has 16 bytes.
CREATE TABLE receipts (
  uuid BLOB PRIMARY KEY,
  event TEXT NOT NULL,
  channel TEXT NOT NULL,
  protocol TEXT NOT NULL,
  verdict TEXT NOT NULL,
  detail TEXT,
  attempts INTEGER NOT NULL,
  -- ISO 8601, UTC.
  at TEXT NOT NULL,
  -- 1: the event is a click of the ledger. Strangers can send all others.
  in_ledger INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX receipts_by_time ON receipts (in_ledger, at);

-- Number of receipts without a line in the ledger, because counting a million rows takes long.
CREATE TABLE receipt_count (one INTEGER PRIMARY KEY CHECK (one = 1), others INTEGER NOT NULL) STRICT;
INSERT INTO receipt_count VALUES (1, 0);
CREATE TRIGGER receipt_added AFTER INSERT ON receipts WHEN new.in_ledger = 0
  BEGIN UPDATE receipt_count SET others = others + 1; END;
CREATE TRIGGER receipt_removed AFTER DELETE ON receipts WHEN old.in_ledger = 0
  BEGIN UPDATE receipt_count SET others = others - 1; END;
CREATE TRIGGER receipt_matched AFTER UPDATE OF in_ledger ON receipts WHEN old.in_ledger <> new.in_ledger
  BEGIN UPDATE receipt_count SET others = others + old.in_ledger - new.in_ledger; END;

-- Events on their way to PostHog, so that two senders do not send the same one.
CREATE TABLE claims (
  uuid BLOB PRIMARY KEY,
  owner TEXT NOT NULL,
  -- Milliseconds since 1970.
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Events that PostHog did not take yet and that are not to be read from the ledger.
CREATE TABLE waiting_events (
  uuid BLOB PRIMARY KEY,
  channel TEXT NOT NULL,
  -- The complete event as JSON.
  body TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  -- Milliseconds since 1970.
  kept_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX waiting_events_by_time ON waiting_events (due_at);

-- Place in the ledger up to which every click has been dealt with.
CREATE TABLE forward_positions (
  ledger TEXT PRIMARY KEY,
  file TEXT NOT NULL,
  offset INTEGER NOT NULL,
  first_id TEXT NOT NULL
) STRICT
