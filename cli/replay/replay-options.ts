/** The options of `clicks replay`. */
import { readCount, readTime, UsageError } from '../usage-error.ts';

/** As `parseArgs` returns them. */
export interface ReplayArguments {
  key?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit?: string | undefined;
  all?: boolean | undefined;
  json?: boolean | undefined;
  'dry-run'?: boolean | undefined;
}

export interface ReplayOptions {
  /** PostHog's project key. */
  key: string;
  /** Milliseconds since 1970, of the click itself. */
  since: number;
  /** Exclusive. */
  until: number;
  /** Upper bound of events to send. */
  limit: number;
  /** Also sends events that have a final receipt. */
  all: boolean;
  /** `events`: prints the events. `summary`: prints figures. Both send nothing. */
  dryRun: 'events' | 'summary' | null;
}

/** @throws UsageError */
export function readOptions(given: ReplayArguments): ReplayOptions {
  const { key, json, 'dry-run': isDry } = given;
  if (!key?.startsWith('phc_')) throw new UsageError('--key must be a PostHog project key, phc_…');
  if (json && !isDry) throw new UsageError('--json belongs to --dry-run');
  return {
    key,
    since: readTime('since', given.since) ?? Number.NEGATIVE_INFINITY,
    until: readTime('until', given.until) ?? Number.POSITIVE_INFINITY,
    limit: readCount('limit', given.limit, Number.POSITIVE_INFINITY),
    all: given.all ?? false,
    dryRun: isDry ? (json ? 'events' : 'summary') : null,
  };
}
