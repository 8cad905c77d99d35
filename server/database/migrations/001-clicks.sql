-- Times are milliseconds since 1970, by the server's clock unless named otherwise.
CREATE TABLE clicks (
  id UUID PRIMARY KEY,
  event TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  -- By the browser's clock, as `sent_at`.
  clicked_at BIGINT,
  sent_at BIGINT,
  visit_id UUID,
  -- Number of the click in its visit.
  seq INT,
  -- Clicks that the browser had to drop from its full outbox before this one.
  dropped INT,
  referrer TEXT,
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  -- The kind of site before the page, or its host.
  referring_domain TEXT,
  page_url TEXT,
  user_agent TEXT,
  is_mobile BOOLEAN,
  screen_class TEXT,
  -- As a look-up service saw the browser.
  ip TEXT,
  -- As the server saw it.
  remote_ip TEXT,
  -- fetch, beacon or ping.
  via TEXT NOT NULL,
  is_bot BOOLEAN NOT NULL,
  -- Global Privacy Control or Do Not Track: no address, and PostHog never gets the click.
  is_private BOOLEAN NOT NULL,
  -- Whether a server with this button has counted it. Until then it counts as `unknown`.
  is_known BOOLEAN NOT NULL,
  req_id TEXT,
  -- Set when an operator has emptied the personal columns.
  forgotten_at BIGINT
);

CREATE INDEX clicks_of_unknown_buttons ON clicks (event) WHERE NOT is_known;

-- Counts that outlive deleted clicks. `server` keeps several servers from waiting for each other at a row.
CREATE TABLE click_counts (
  -- UTC: 2026-01-31.
  day TEXT NOT NULL,
  -- A call to action, or `unknown`.
  event TEXT NOT NULL,
  is_bot BOOLEAN NOT NULL,
  server TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (day, event, is_bot, server)
);

-- One row a page view, without address, browser or visit.
CREATE TABLE visits (
  -- SHA-256 of the event's uuid, so that a repeated event is the same row.
  id TEXT PRIMARY KEY,
  viewed_at BIGINT NOT NULL,
  -- Path of the page.
  page TEXT NOT NULL,
  referrer TEXT,
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  referring_class TEXT,
  screen_class TEXT,
  is_bot BOOLEAN NOT NULL
);

CREATE INDEX visits_viewed_at ON visits (viewed_at);

-- Events that PostHog has not taken. `event` is null for a click: its event is made from its row when it is sent.
CREATE TABLE posthog_outbox (
  uuid UUID PRIMARY KEY,
  event TEXT,
  queued_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  attempts INT NOT NULL,
  -- Why PostHog refuses it for good.
  refused TEXT
);

-- The order of sending. The others are for the numbers of browsers' events and of refused ones, and cost a click nothing.
CREATE INDEX posthog_outbox_waiting ON posthog_outbox (queued_at, uuid) WHERE refused IS NULL;
CREATE INDEX posthog_outbox_of_browsers ON posthog_outbox (uuid) WHERE event IS NOT NULL AND refused IS NULL;
CREATE INDEX posthog_outbox_refused ON posthog_outbox (queued_at, uuid) WHERE refused IS NOT NULL;

-- When each server could last write. /readyz depends on it.
CREATE TABLE probes (
  server TEXT PRIMARY KEY,
  at BIGINT NOT NULL
);
