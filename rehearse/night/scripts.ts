/** The scripts that a rehearsal can play. */
import type { DisasterName } from './disasters.ts';

export interface Script {
  disasters: readonly DisasterName[];
  clicksPerSecond: number;
  /** Clicks before, between and after the disasters. */
  calm: number;
  /** Clicks for which a disaster lasts. */
  during: number;
  registrationEveryMs: number;
  /** Upper bound of the time in which everything arrives after the last click, for each place. */
  patienceMs: number;
  /** Settings of the servers that differ from the shipped ones. */
  settings: Record<string, string>;
}

const MINUTE_MS = 60_000;

export const FULL: Script = {
  disasters: [
    ...(['server', 'redis', 'postgres', 'disk', 'posthog', 'quota', 'smtp'] as const),
    ...(['clock', 'servers', 'restart'] as const),
  ],
  clicksPerSecond: 8,
  calm: 140,
  during: 360,
  registrationEveryMs: 4000,
  patienceMs: 6 * MINUTE_MS,
  settings: {},
};

/** For `npm test`. The server completes PostHog after two seconds instead of a minute. */
export const SHORT: Script = {
  disasters: ['server', 'postgres', 'posthog'],
  clicksPerSecond: 60,
  calm: 40,
  during: 100,
  registrationEveryMs: 1000,
  patienceMs: 2 * MINUTE_MS,
  settings: { POSTHOG_FORWARD_AFTER_S: '2' },
};
