-- Since when PostHog gets clicks. No row: it is off.
CREATE TABLE posthog_on (
  since BIGINT PRIMARY KEY
);
