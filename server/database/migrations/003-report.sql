-- The weeks whose report was mailed, by their first day: 2026-01-26.
CREATE TABLE weekly_mails (
  week TEXT PRIMARY KEY,
  sent_at BIGINT NOT NULL
);

-- The report reads the visits of a period from this index alone.
DROP INDEX visits_viewed_at;
CREATE INDEX visits_of_a_period ON visits (viewed_at, referrer, utm_source, utm_medium, utm_campaign,
  referring_class, screen_class, is_bot);
