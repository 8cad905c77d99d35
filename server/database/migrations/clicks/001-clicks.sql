-- Every click there is, by its UUID v7: ids grow with time, so new rows go to the end of the tree.
CREATE TABLE clicks (id BLOB PRIMARY KEY) WITHOUT ROWID;

-- Counters, so that no statistic ever scans the clicks.
CREATE TABLE clicks_per_day (
  day TEXT NOT NULL,
  event TEXT NOT NULL,
  is_bot INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, event, is_bot)
) WITHOUT ROWID;

-- Up to where the ledger is in here.
CREATE TABLE ledger_position (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  file TEXT NOT NULL,
  offset INTEGER NOT NULL
)
