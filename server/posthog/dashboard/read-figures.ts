/** The figures of the completeness tile: this server's log, its receipts and, if possible, PostHog's own count. */
import { z } from 'zod';
import type { CompletenessFigures } from '#dashboards/completeness.ts';
import type { Management } from '../management/management-api.ts';
import { ManagementError } from '../management/management-error.ts';
import { runQuery } from '../management/run-query.ts';
import { type CountParts, countClicks, type Window } from './count-clicks.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAYS = 7;
/** PostHog needs some minutes before it counts an event. Younger clicks are left out. */
const SETTLED_MS = 15 * MINUTE_MS;

export interface FigureParts extends CountParts {
  /** Several servers: PostHog's own count then has the clicks of all of them, so it is not asked for. */
  isOneOfSeveral: boolean;
}

/** @param now milliseconds since 1970 */
export async function readFigures(
  api: Management,
  parts: FigureParts,
  now: number,
): Promise<CompletenessFigures> {
  const to = Math.floor((now - SETTLED_MS) / MINUTE_MS) * MINUTE_MS;
  const window = { from: Math.floor(now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS, to };
  const { confirmed, ...counts } = await countClicks(parts, window, now);
  const own = parts.isOneOfSeveral ? null : await posthogsCount(api, window);
  return {
    ...counts,
    posthog: own ?? confirmed,
    source: own === null ? 'receipts' : 'count',
    unknown: counts.unknown + (own === null ? 0 : Math.max(0, confirmed - own)),
    since: new Date(window.from).toISOString().slice(0, 10),
  };
}

/** PostHog may write the number as a string. */
const rowSchema = z.tuple([z.coerce.number().int().min(0)]);

/** @returns null if the key lacks the scope `query:read`, or PostHog has no fresh answer */
async function posthogsCount(api: Management, window: Window): Promise<number | null> {
  try {
    const { rows, isCached } = await runQuery(api, 'site: clicks at PostHog', countQuery(window));
    return isCached ? null : (rowSchema.safeParse(rows[0]).data?.[0] ?? null);
  } catch (error) {
    if (error instanceof ManagementError) return null;
    throw error;
  }
}

/** Counts each uuid once, because PostHog may hold an event twice for some hours. */
export function countQuery({ from, to }: Window): string {
  const time = (ms: number) =>
    `toDateTime('${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}', 'UTC')`;
  return `select uniqExact(uuid) as clicks from events where event = 'cta_click' and timestamp >= ${time(from)} and timestamp < ${time(to)}`;
}
