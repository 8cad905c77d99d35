-- Since when PostHog gets clicks. No row: it is off.
CREATE TABLE posthog_on (
  -- 1, so that two servers write one row.
  id INT PRIMARY KEY,
  since BIGINT NOT NULL
);
