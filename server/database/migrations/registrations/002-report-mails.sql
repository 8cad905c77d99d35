-- One row per week whose report is mailed. Rows stay after the mail, so that no week is mailed twice.
CREATE TABLE report_mails (
  id TEXT PRIMARY KEY,
  -- ISO week, such as 2026-W05.
  week TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Time of the next attempt; NULL: sent, or refused for good.
  next_at TEXT,
  owner TEXT,
  refusal TEXT
) STRICT
