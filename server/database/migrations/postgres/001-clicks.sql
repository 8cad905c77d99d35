-- The ids of all clicks (UUID v7). The id begins with its time, so it is both unique key and partition key:
-- a month is a range of ids. The server makes partitions ahead.
CREATE TABLE clicks (id uuid PRIMARY KEY) PARTITION BY RANGE (id);

-- Ids of browsers whose clocks are years off.
CREATE TABLE clicks_default PARTITION OF clicks DEFAULT;

-- Counters, so that statistics never scan the clicks. Each ledger has rows of its own: servers that count at the
-- same time do not wait for each other.
CREATE TABLE clicks_per_day (
  day text NOT NULL,
  event text NOT NULL,
  is_bot boolean NOT NULL,
  ledger uuid NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (day, event, is_bot, ledger)
) WITH (fillfactor = 50);

-- End of the indexed part of each ledger.
CREATE TABLE ledger_positions (
  ledger uuid PRIMARY KEY,
  file text NOT NULL,
  "offset" bigint NOT NULL
) WITH (fillfactor = 50);

-- Ids below this one were dropped with their partitions; no row: none were.
CREATE TABLE clicks_forgotten (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  before uuid NOT NULL
);
