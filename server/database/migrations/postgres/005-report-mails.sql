-- One row per week whose report is mailed. Rows stay after the mail, so that no week is mailed twice.
CREATE TABLE report_mails (
  id uuid PRIMARY KEY,
  -- ISO week, such as 2026-W05.
  week text NOT NULL UNIQUE,
  created_at timestamptz NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  -- Time of the next attempt; NULL: sent, or refused for good.
  next_at timestamptz,
  owner text,
  refusal text
);
