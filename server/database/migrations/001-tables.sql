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
  -- What the report counts by (contract/ref.ts); empty: the ref names no source.
  ref_key TEXT,
  -- Folded (contract/campaign.ts); empty: a value that is not kept.
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  -- The kind of site before the page, and its name if it may be kept.
  referring_class TEXT,
  referring_site TEXT,
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
  -- By a browser that the team has marked. It counts nowhere.
  is_internal BOOLEAN NOT NULL,
  -- In a browser that a program drives. PostHog gets the click, and the report leaves it out.
  is_automated BOOLEAN NOT NULL,
  -- Whether a script pressed the button. The click counts, because assistive programs may press so.
  -- Null: not known.
  is_scripted BOOLEAN,
  -- Global Privacy Control or Do Not Track: no address, and PostHog never gets the click.
  is_private BOOLEAN NOT NULL,
  -- Whether a server with this button has counted it. Until then it counts as `unknown`.
  is_known BOOLEAN NOT NULL,
  req_id TEXT,
  -- Set when an operator has emptied the personal columns.
  forgotten_at BIGINT,
  -- The marking that took the click out of the figures.
  marking TEXT
);

CREATE INDEX clicks_of_unknown_buttons ON clicks (event) WHERE NOT is_known;
CREATE INDEX clicks_of_a_marking ON clicks (marking, id) WHERE marking IS NOT NULL;

-- Counts that outlive deleted clicks. `server` keeps several servers from waiting for each other at
-- a row.
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

-- Clicks that are proven lost, of days whose visit ids are emptied. Only the visit ids show which.
CREATE TABLE click_gaps (
  -- UTC: 2026-01-31.
  day TEXT PRIMARY KEY,
  lost BIGINT NOT NULL,
  -- When the last visit id of the day was emptied.
  emptied_at BIGINT
);

-- One row a page view, without address, browser or page load.
CREATE TABLE visits (
  -- Made by the page at random, for this row only: it has no time, and no event or click has it.
  id UUID PRIMARY KEY,
  -- The whole minute.
  viewed_at BIGINT NOT NULL,
  -- Path of the page.
  page TEXT NOT NULL,
  referrer TEXT,
  -- As in `clicks`, like the utm values.
  ref_key TEXT,
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  referring_class TEXT,
  referring_site TEXT,
  screen_class TEXT,
  -- Whether a visit begins with the view: no page of this site led to it.
  is_first BOOLEAN NOT NULL,
  -- Whether the view ended within a second, without an input.
  is_brief BOOLEAN NOT NULL,
  is_bot BOOLEAN NOT NULL,
  is_internal BOOLEAN NOT NULL,
  -- As in `clicks`.
  is_automated BOOLEAN NOT NULL,
  -- The marking that took the visit out of the figures.
  marking TEXT
);

CREATE INDEX visits_of_a_marking ON visits (marking, id) WHERE marking IS NOT NULL;

-- The report reads the visits of a period from this index alone.
CREATE INDEX visits_of_a_period ON visits (viewed_at, ref_key, utm_source, utm_medium, utm_campaign,
  referring_class, referring_site, screen_class, page, is_bot, is_internal, is_automated,
  is_first, is_brief);

-- Clicks and visits that an operator has marked together, and may unmark together (`site mark`).
CREATE TABLE markings (
  id TEXT PRIMARY KEY,
  -- robot or internal.
  marked_as TEXT NOT NULL,
  made_at BIGINT NOT NULL
);

-- Events that PostHog has not taken. `event` is null for a click: its event is made from its row
-- when it is sent.
CREATE TABLE posthog_outbox (
  uuid UUID PRIMARY KEY,
  event TEXT,
  queued_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  attempts INT NOT NULL,
  -- When it was put off the first time, mostly because PostHog asked for it again.
  retry_since BIGINT,
  -- Why PostHog refuses it for good.
  refused TEXT
);

-- The order of sending. The others are for the numbers of browsers' events and of refused ones, and
-- cost a click nothing.
CREATE INDEX posthog_outbox_waiting ON posthog_outbox (queued_at, uuid) WHERE refused IS NULL;
CREATE INDEX posthog_outbox_of_browsers ON posthog_outbox (uuid) WHERE event IS NOT NULL AND refused IS NULL;
CREATE INDEX posthog_outbox_refused ON posthog_outbox (queued_at, uuid) WHERE refused IS NOT NULL;

-- When each server could last write. /readyz depends on it.
CREATE TABLE probes (
  server TEXT PRIMARY KEY,
  at BIGINT NOT NULL
);

-- Since when PostHog gets clicks. No row: it is off.
CREATE TABLE posthog_on (
  -- 1, so that two servers write one row.
  id INT PRIMARY KEY,
  since BIGINT NOT NULL
);

-- Names, address and SMA type are only in `encrypted` (server/registrations/envelope.ts).
CREATE TABLE registrations (
  id UUID PRIMARY KEY,
  registered_at BIGINT NOT NULL,
  -- Keyed hash: two spellings of one address have the same.
  email_hash TEXT NOT NULL UNIQUE,
  -- Keyed hash of the mailbox, which several addresses may have.
  mailbox_hash TEXT NOT NULL,
  -- The key of encryption and hashes.
  key_id TEXT NOT NULL,
  encrypted TEXT NOT NULL,
  -- When its mail might be sent first. It stays, because a mailbox gets three mails a day.
  mail_due_at BIGINT NOT NULL
);

CREATE INDEX registrations_registered_at ON registrations (registered_at);
CREATE INDEX registrations_of_a_mailbox ON registrations (mailbox_hash, mail_due_at);

-- Mails that the SMTP server has not taken. Each is made from its registration when it is sent.
CREATE TABLE mail_outbox (
  id UUID PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
  due_at BIGINT NOT NULL,
  attempts INT NOT NULL,
  -- Why it is not sent any more: a status of SMTP, or `expired`.
  refused TEXT,
  -- Hash of the address block of the registration. Its key is only in the memory of the server.
  block TEXT,
  -- Number of mails of the block that waited before it. The mails of all blocks take turns.
  turn INT NOT NULL DEFAULT 0
);

CREATE INDEX mail_outbox_waiting ON mail_outbox (attempts, turn, due_at) WHERE refused IS NULL;
CREATE INDEX mail_outbox_of_a_block ON mail_outbox (block, turn) WHERE refused IS NULL;

-- Clinics and others that have a link, by the `ref_key` of their clicks.
CREATE TABLE links (
  ref_key TEXT PRIMARY KEY,
  -- As the team spelled it.
  ref TEXT NOT NULL,
  name TEXT NOT NULL,
  -- When somebody made or renamed the link last.
  made_at BIGINT NOT NULL
);

-- Flags under the report's chart.
CREATE TABLE report_notes (
  id TEXT PRIMARY KEY,
  -- 2026-01-31, in the team's time zone.
  day TEXT NOT NULL,
  note TEXT NOT NULL
);

-- Reports of one ref for readers outside the team. Without the row, its address opens nothing.
CREATE TABLE report_shares (
  -- SHA-256 of the token in the address.
  token_hash TEXT PRIMARY KEY,
  ref TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
);

-- The changes that alerts have named, so that each is mailed once. The table has one row.
CREATE TABLE report_told (
  id INT PRIMARY KEY,
  -- The last day that was looked at, in the team's time zone: 2026-01-31.
  day TEXT NOT NULL,
  -- JSON: slices, since when, how much, until when.
  told TEXT NOT NULL
);

-- What the report says first: a row for each of 7, 30 and 90 days.
CREATE TABLE report_facts (
  length INT PRIMARY KEY,
  -- The last day of the period, in the team's time zone: 2026-01-31.
  day TEXT NOT NULL,
  -- JSON: the totals against the period before, and at most three facts that explain them.
  facts TEXT NOT NULL
);

-- Mails of the report that the SMTP server has taken: report-2026-01-26 for a week,
-- alert-2026-01-26 for a day, hole-2026-01-26T14 for hours without a visit, fault-CAUSE-TIME for a
-- fault of the site, and over-CAUSE-TIME for its end.
CREATE TABLE report_mails (
  id TEXT PRIMARY KEY,
  sent_at BIGINT NOT NULL
);
