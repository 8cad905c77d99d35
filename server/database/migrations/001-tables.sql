-- All times are milliseconds since 1970, by the server's clock unless a comment says otherwise.
CREATE TABLE clicks (
  id UUID PRIMARY KEY,
  event TEXT NOT NULL,
  received_at BIGINT NOT NULL,
  -- `clicked_at` and `sent_at` are by the browser's clock.
  clicked_at BIGINT,
  sent_at BIGINT,
  visit_id UUID,
  -- Number of the click in its visit: 1, 2, 3 …
  seq INT,
  -- Clicks that the browser had to drop from its full outbox before this one.
  dropped INT,
  referrer TEXT,
  -- Normalised ref, by which the report counts (contract/ref.ts). Empty: the ref names no source.
  ref_key TEXT,
  -- The utm values, normalised (contract/campaign.ts). Empty: the link had a value that is not
  -- kept.
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  -- Class of the referring site, and its name if `referrerDetail` allows it.
  referring_class TEXT,
  referring_site TEXT,
  page_url TEXT,
  user_agent TEXT,
  is_mobile BOOLEAN,
  screen_class TEXT,
  -- The visitor's address by an external look-up service.
  ip TEXT,
  -- The address from which the request came.
  remote_ip TEXT,
  -- How the browser sent the click: fetch, beacon or ping.
  via TEXT NOT NULL,
  is_bot BOOLEAN NOT NULL,
  -- Whether the team has marked the browser as its own. Such a click counts nowhere.
  is_internal BOOLEAN NOT NULL,
  -- Whether a program drives the browser. PostHog gets the click, and the report leaves it out.
  is_automated BOOLEAN NOT NULL,
  -- Whether a script pressed the button. The click counts, because assistive software may do that.
  -- Null: not known.
  is_scripted BOOLEAN,
  -- Whether the visitor uses Global Privacy Control or Do Not Track. Then no address is stored, and
  -- PostHog never gets the click.
  is_private BOOLEAN NOT NULL,
  -- Whether a server that knows the button has counted the click. Until then it counts as
  -- `unknown`.
  is_known BOOLEAN NOT NULL,
  req_id TEXT,
  -- When an operator erased the personal columns (`site forget`). Null: never.
  forgotten_at BIGINT,
  -- Id in `markings`, if an operator has taken the click out of the figures.
  marking TEXT
);

CREATE INDEX clicks_of_unknown_buttons ON clicks (event) WHERE NOT is_known;
CREATE INDEX clicks_of_a_marking ON clicks (marking, id) WHERE marking IS NOT NULL;

-- Counters of clicks, which stay when retention deletes the clicks. Each server has its own rows,
-- so that servers never wait for each other's row locks.
CREATE TABLE click_counts (
  -- The day in UTC, such as 2026-01-31.
  day TEXT NOT NULL,
  -- Event of a call to action, or `unknown`.
  event TEXT NOT NULL,
  is_bot BOOLEAN NOT NULL,
  server TEXT NOT NULL,
  n BIGINT NOT NULL,
  PRIMARY KEY (day, event, is_bot, server)
);

-- Numbers of clicks that are proven lost, for days whose visit ids have been emptied. Only visit
-- ids can show such gaps, so the number is stored before.
CREATE TABLE click_gaps (
  -- The day in UTC, such as 2026-01-31.
  day TEXT PRIMARY KEY,
  lost BIGINT NOT NULL,
  -- When the last visit id of the day was emptied.
  emptied_at BIGINT
);

-- Page views. A row has no address, no browser, and no id of the page load.
CREATE TABLE visits (
  -- A random id that the page makes for this row only. It contains no time, and no event or click
  -- has it.
  id UUID PRIMARY KEY,
  -- When the server received the view, rounded down to the minute.
  viewed_at BIGINT NOT NULL,
  -- Path of the page.
  page TEXT NOT NULL,
  referrer TEXT,
  -- As in `clicks`. So are the utm values.
  ref_key TEXT,
  utm_source TEXT,
  utm_medium TEXT,
  utm_campaign TEXT,
  utm_content TEXT,
  utm_term TEXT,
  referring_class TEXT,
  referring_site TEXT,
  screen_class TEXT,
  -- Whether a visit begins with this view, because no page of this site led to it.
  is_first BOOLEAN NOT NULL,
  -- Whether the view ended within a second, without an input.
  is_brief BOOLEAN NOT NULL,
  is_bot BOOLEAN NOT NULL,
  is_internal BOOLEAN NOT NULL,
  -- Whether a program drives the browser, as in `clicks`.
  is_automated BOOLEAN NOT NULL,
  -- Id in `markings`, if an operator has taken the view out of the figures.
  marking TEXT
);

CREATE INDEX visits_of_a_marking ON visits (marking, id) WHERE marking IS NOT NULL;

-- A covering index: the report reads the visits of a period only from it.
CREATE INDEX visits_of_a_period ON visits (viewed_at, ref_key, utm_source, utm_medium, utm_campaign,
  referring_class, referring_site, screen_class, page, is_bot, is_internal, is_automated,
  is_first, is_brief);

-- Groups of clicks and visits that an operator has marked together, and can unmark together (`site
-- mark`).
CREATE TABLE markings (
  id TEXT PRIMARY KEY,
  -- The mark: `robot` or `internal`.
  marked_as TEXT NOT NULL,
  made_at BIGINT NOT NULL
);

-- Outbox of events that PostHog has not taken yet. `event` is JSON. It is null for a click, whose
-- event is made from its row when it is sent.
CREATE TABLE posthog_outbox (
  uuid UUID PRIMARY KEY,
  event TEXT,
  queued_at BIGINT NOT NULL,
  due_at BIGINT NOT NULL,
  attempts INT NOT NULL,
  -- When the event was postponed the first time, mostly because PostHog asked for a retry. Null:
  -- never.
  retry_since BIGINT,
  -- Why PostHog has refused the event for good. Null: it still waits.
  refused TEXT
);

-- The first index has the order of sending. The other two are for counting the waiting events of
-- browsers and the refused events, and cost a click nothing.
CREATE INDEX posthog_outbox_waiting ON posthog_outbox (queued_at, uuid) WHERE refused IS NULL;
CREATE INDEX posthog_outbox_of_browsers ON posthog_outbox (uuid) WHERE event IS NOT NULL AND refused IS NULL;
CREATE INDEX posthog_outbox_refused ON posthog_outbox (queued_at, uuid) WHERE refused IS NOT NULL;

-- When each server last wrote a probe. /readyz depends on the probes.
CREATE TABLE probes (
  server TEXT PRIMARY KEY,
  at BIGINT NOT NULL
);

-- Since when PostHog gets clicks. Without a row, it gets none.
CREATE TABLE posthog_on (
  -- Always 1, so that the table has one row for all servers.
  id INT PRIMARY KEY,
  since BIGINT NOT NULL
);

-- Registrations. Names, e-mail address and SMA type are only in `encrypted`
-- (server/registrations/envelope.ts).
CREATE TABLE registrations (
  id UUID PRIMARY KEY,
  registered_at BIGINT NOT NULL,
  -- Keyed hash (HMAC) of the address. Two spellings of one address have the same hash.
  email_hash TEXT NOT NULL UNIQUE,
  -- Keyed hash of the mailbox. Several addresses may belong to one mailbox.
  mailbox_hash TEXT NOT NULL,
  -- Id of the key that encrypts the row and makes its hashes.
  key_id TEXT NOT NULL,
  encrypted TEXT NOT NULL,
  -- The earliest time for the registration's mail. It stays after the mail is sent, because it
  -- counts for the limit of three mails a day to a mailbox.
  mail_due_at BIGINT NOT NULL
);

CREATE INDEX registrations_registered_at ON registrations (registered_at);
CREATE INDEX registrations_of_a_mailbox ON registrations (mailbox_hash, mail_due_at);

-- Outbox of mails that the SMTP server has not taken yet. A mail is made from its registration when
-- it is sent.
CREATE TABLE mail_outbox (
  id UUID PRIMARY KEY REFERENCES registrations ON DELETE CASCADE,
  due_at BIGINT NOT NULL,
  attempts INT NOT NULL,
  -- Why the mail will not be sent: a status of SMTP, or `expired`. Null: it still waits.
  refused TEXT,
  -- Hash of the network block from which the registration came. Its key exists only in the server's
  -- memory.
  block TEXT,
  -- Number of the block's mails that already waited when this mail was queued. Mails are sent in
  -- this order, so that the blocks take turns.
  turn INT NOT NULL DEFAULT 0
);

CREATE INDEX mail_outbox_waiting ON mail_outbox (attempts, turn, due_at) WHERE refused IS NULL;
CREATE INDEX mail_outbox_of_a_block ON mail_outbox (block, turn) WHERE refused IS NULL;

-- Names of the links that clinics and others use, by the `ref_key` of their clicks.
CREATE TABLE links (
  ref_key TEXT PRIMARY KEY,
  -- The ref in the team's spelling.
  ref TEXT NOT NULL,
  name TEXT NOT NULL,
  -- When the link was last created or renamed.
  made_at BIGINT NOT NULL
);

-- Notes of the team, shown as flags under the report's chart.
CREATE TABLE report_notes (
  id TEXT PRIMARY KEY,
  -- The noted day in the team's time zone, such as 2026-01-31.
  day TEXT NOT NULL,
  note TEXT NOT NULL
);

-- Shared reports of one ref, for readers outside the team. If the row is deleted, its address no
-- longer works.
CREATE TABLE report_shares (
  -- SHA-256 hash of the token in the shared report's address.
  token_hash TEXT PRIMARY KEY,
  ref TEXT NOT NULL,
  made_at BIGINT NOT NULL,
  ends_at BIGINT NOT NULL
);

-- The changes that alert mails have already named, so that each change is mailed once. The table
-- has one row.
CREATE TABLE report_told (
  id INT PRIMARY KEY,
  -- The last day that was analysed, in the team's time zone: 2026-01-31.
  day TEXT NOT NULL,
  -- JSON list of the named changes, with their slice, size, beginning and end.
  told TEXT NOT NULL
);

-- The sentences at the top of the report. There is a row for each period of 7, 30 and 90 days.
CREATE TABLE report_facts (
  length INT PRIMARY KEY,
  -- The last day of the period, in the team's time zone: 2026-01-31.
  day TEXT NOT NULL,
  -- JSON: the totals compared with the period before, and at most three facts that explain the
  -- difference.
  facts TEXT NOT NULL
);

-- Mails about the report that the SMTP server has taken, so that each is sent once. The id is
-- report-2026-01-26 for a week, alert-2026-01-26 for a day, hole-2026-01-26T14 for hours without a
-- visit, fault-CAUSE-TIME for a fault of the site, and over-CAUSE-TIME for its end.
CREATE TABLE report_mails (
  id TEXT PRIMARY KEY,
  sent_at BIGINT NOT NULL
);
