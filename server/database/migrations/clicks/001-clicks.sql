-- The ids of all clicks (UUID v7). They grow with time, so new rows go to the end of the tree.
CREATE TABLE clicks (id BLOB PRIMARY KEY) WITHOUT ROWID;

-- Counters, so that statistics never scan the clicks.
CREATE TABLE clicks_per_day (
  day TEXT NOT NULL,
  event TEXT NOT NULL,
  is_bot INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, event, is_bot)
) WITHOUT ROWID;

-- End of the indexed part of the ledger.
CREATE TABLE ledger_position (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  file TEXT NOT NULL,
  offset INTEGER NOT NULL
)
