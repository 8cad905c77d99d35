-- True: by a browser that the team has marked. It counts nowhere.
ALTER TABLE clicks ADD COLUMN is_internal BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE visits ADD COLUMN is_internal BOOLEAN NOT NULL DEFAULT FALSE;

-- The report reads the visits of a period from this index alone.
DROP INDEX visits_of_a_period;
CREATE INDEX visits_of_a_period ON visits (viewed_at, referrer, utm_source, utm_medium, utm_campaign,
  referring_class, screen_class, page, is_bot, is_internal);

-- 0: before the report had a form for links.
ALTER TABLE links ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0;

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

-- Mails of the report that the SMTP server has taken: report-2026-01-26 for a week, alert-2026-01-26 for a day.
ALTER TABLE weekly_mails RENAME TO report_mails;
ALTER TABLE report_mails RENAME COLUMN week TO id;
UPDATE report_mails SET id = 'report-' || id;
