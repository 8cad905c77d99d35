-- What PostHog said of each event (server/posthog/receipts.ts).
CREATE TABLE posthog_receipts (
  uuid uuid PRIMARY KEY,
  event text NOT NULL,
  channel text NOT NULL,
  protocol text NOT NULL,
  verdict text NOT NULL,
  detail text,
  attempts int NOT NULL,
  at timestamptz NOT NULL,
  -- The event is a click of a ledger. Strangers can send all others.
  in_ledger boolean NOT NULL
);

CREATE INDEX posthog_receipts_by_time ON posthog_receipts (in_ledger, at);

-- Events on their way to PostHog, so that two senders do not send the same one.
CREATE TABLE posthog_claims (
  uuid uuid PRIMARY KEY,
  owner text NOT NULL,
  until timestamptz NOT NULL
);

-- Events that PostHog did not take yet and that are not to be read from a ledger.
CREATE TABLE posthog_waiting_events (
  uuid uuid PRIMARY KEY,
  channel text NOT NULL,
  -- The complete event as JSON.
  body text NOT NULL,
  bytes int NOT NULL,
  attempts int NOT NULL,
  kept_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL
);

CREATE INDEX posthog_waiting_events_by_time ON posthog_waiting_events (due_at);

-- Place in each ledger up to which every click has been dealt with.
CREATE TABLE posthog_forward_positions (
  ledger uuid PRIMARY KEY,
  file text NOT NULL,
  "offset" bigint NOT NULL,
  first_id text NOT NULL
);
